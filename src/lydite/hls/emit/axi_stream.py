# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream ports of the top module: a register slice each, so that no handshake is a path, or a
part of one where `register_mode` says that some of them may be.

A function sees a stream that it reads as `NAME_valid` and `NAME_beat`, and takes the beat with
`NAME_take`; one that it writes as `NAME_free`, and gives `NAME_beat` with `NAME_put`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from lydite.hls.contract.interface import Registers, handshake
from lydite.hls.contract.names import words
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import (
    Assign,
    Form,
    If,
    Instance,
    Item,
    Port,
    Process,
    Write,
    pins,
    reg,
    unread,
    wire,
)
from lydite.hls.emit.top import Design, stream_signals
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Stream

NAME = "lydite_stream_slice"
FORWARD = "lydite_stream_forward"
REVERSE = "lydite_stream_reverse"
_SLICES: dict[Registers, str] = {"both": NAME, "forward": FORWARD, "reverse": REVERSE}

_Way = Literal["input", "output"]
# Where data go in streams that are read and in those that are written, and where leave to go on.
_WAYS: tuple[tuple[_Way, _Way], tuple[_Way, _Way]] = (("input", "output"), ("output", "input"))
_SIGNALS = words(
    """put take beat free valid over full_q value_q tdata tkeep tlast tuser tvalid tready dout
    empty_n read din full_n write ap_vld ap_ack"""
)


def names(stream: Stream, functions: Iterable[str]) -> set[str]:
    """Give all names that a stream may need in a module."""
    stems = [stream.name, f"own_{stream.name}", *(f"{name}__{stream.name}" for name in functions)]
    result = {f"{stem}_{signal}" for stem in stems for signal in _SIGNALS}
    result |= {f"unused_{stream.name}_{signal}" for signal in ("put", "take", "over")}
    return result | {stream.name, f"u_{stream.name}"}


def ports(stream: Stream) -> list[Port]:
    """Give the ports of the top module."""
    there, back = _WAYS[stream.writes]
    data, valid, ready = handshake(stream.protocol, stream.name, writes=stream.writes)
    # The bits that fill the last byte carry nothing.
    padding = _data_bits(stream) - stream.bits if stream.bits else 0
    result = [Port(there, _data_bits(stream), data, padding=padding)]
    if not stream.bits:
        result.append(Port(there, stream.data_bytes, f"{stream.name}_tkeep"))
        result.append(Port(there, 1, f"{stream.name}_tlast"))
    if stream.user_bits:
        result.append(Port(there, stream.user_bits, f"{stream.name}_tuser"))
    result += [Port(there, 1, valid)] * bool(valid) + [Port(back, 1, ready)] * bool(ready)
    return result


def _data_bits(stream: Stream) -> int:
    """Give the bits of the port for data: whole bytes on a stream."""
    if not stream.bits:
        return 8 * stream.data_bytes
    return stream.bits if stream.protocol != "axis" else (stream.bits + 7) // 8 * 8


def inner_ports(stream: Stream) -> list[Port]:
    """Give the ports of another function's module."""
    asks = stream_signals(stream, asks=True)
    hears = stream_signals(stream, asks=False)
    return [
        *(Port("output", width, f"{stream.name}_{word}", True) for word, width in asks),
        *(Port("input", width, f"{stream.name}_{word}") for word, width in hears),
    ]


def join(design: Design, emitters: dict[str, FunctionEmitter], stream: Stream) -> list[Item]:
    """Join what functions say to a stream, and put its slice between them and the ports."""
    items = ends(design, emitters, stream)
    if stream.protocol == "axis":
        return items + _slice(stream)
    return items + (_giving(stream) if stream.writes else _taking(stream))


def ends(design: Design, emitters: dict[str, FunctionEmitter], stream: Stream) -> list[Item]:
    """Join what functions say to a stream, and declare what they hear."""
    top = emitters[design.module.top]
    items: list[Item] = []
    stems: list[str] = []
    for name, emitter in emitters.items():
        if stream not in emitter.body.streams:
            continue
        stems.append(emitter.stem(stream.name) if emitter is top else f"{name}__{stream.name}")
        if emitter is not top:
            items += [
                wire(f"{stems[-1]}_{word}", width)
                for word, width in stream_signals(stream, asks=True)
            ]
    if stems != [stream.name]:
        for word, width in stream_signals(stream, asks=True):
            terms = " | ".join(f"{stem}_{word}" for stem in stems)
            terms = terms or f"{{{width}{{1'b0}}}}"
            items.append(wire(f"{stream.name}_{word}", width, terms))
    return items + [
        wire(f"{stream.name}_{word}", width) for word, width in stream_signals(stream, asks=False)
    ]


def _taking(stream: Stream) -> list[Item]:
    """Connect a handshake that brings values: what is there is there without a register."""
    name = stream.name
    data, valid, ready = handshake(stream.protocol, name, writes=False)
    take = f"{name}_take"
    return [
        Assign(f"{name}_beat", data),
        Assign(f"{name}_valid", valid or literal(1, 1)),
        Assign(ready, take) if ready else unread(take, take),
    ]


def _giving(stream: Stream) -> list[Item]:
    """Connect a handshake that takes values away."""
    name = stream.name
    data, valid, ready = handshake(stream.protocol, name, writes=True)
    put, beat, free = f"{name}_put", f"{name}_beat", f"{name}_free"
    full, value = f"{name}_full_q", f"{name}_value_q"
    keep = If(put, (Write(value, beat),), form=Form.INLINE)
    if stream.protocol == "ap_hs":
        # Valid must not wait for the acknowledgement: a register waits for it.
        fills = If(free, (Write(full, put),), form=Form.INLINE)
        reset = If("ap_rst", (Write(full, literal(1, 0)),), (fills,), Form.INLINE)
        return [
            reg(full, 1),
            reg(value, stream.width),
            Assign(free, f"~{full} | {ready}"),
            Assign(valid, full),
            Assign(data, value),
            Process((reset, keep)),
        ]
    if not valid:
        return [
            reg(value, stream.width),
            Assign(free, ready or literal(1, 1)),
            Assign(data, f"{put} ? {beat} : {value}"),
            Process((keep,), form=Form.INLINE),
        ]
    return [Assign(free, ready or literal(1, 1)), Assign(data, beat), Assign(valid, put)]


def _slice(stream: Stream) -> list[Item]:
    name = stream.name
    fields = ["tuser"] * bool(stream.user_bits) + ["tlast", "tkeep"] * (not stream.bits)
    outside = ", ".join(f"{name}_{field}" for field in [*fields, "tdata"])
    outside = f"{{{outside}}}"
    beat, width = f"{name}_beat", stream.width
    if stream.bits % 8:
        # A stream has whole bytes; those beyond the value are zeros.
        width = _data_bits(stream)
        zeros = literal(width - stream.bits, 0)
        outside = f"{name}_tdata"
        beat = f"{{{zeros}, {beat}}}" if stream.writes else f"{{{name}_over, {beat}}}"
    taken = (beat, f"{name}_put", f"{name}_free")
    given = (outside, f"{name}_tvalid", f"{name}_tready")
    over: list[Item] = []
    if not stream.writes:
        taken, given = given, (beat, f"{name}_valid", f"{name}_take")
        if stream.bits % 8:
            over = [
                wire(f"{name}_over", width - stream.bits),
                unread(f"{name}_over", f"{name}_over"),
            ]
    if stream.registers == "off":
        (beat_i, valid_i, ready_o), (beat_o, valid_o, ready_i) = taken, given
        return [*over, Assign(beat_o, beat_i), Assign(valid_o, valid_i), Assign(ready_o, ready_i)]
    found = pins(
        ap_clk="ap_clk",
        ap_rst="ap_rst",
        beat_i=taken[0],
        valid_i=taken[1],
        ready_o=taken[2],
        beat_o=given[0],
        valid_o=given[1],
        ready_i=given[2],
    )
    return [
        *over,
        Instance(_SLICES[stream.registers], f"u_{name}", found, (("WIDTH", str(width)),)),
    ]


def _file(name: str, comment: str, body: str) -> str:
    return f"""\
// SPDX-License-Identifier: Apache-2.0
// {name}: {comment}
`default_nettype none

module {name} #(
    parameter WIDTH = 8  // bits of a beat
) (
    input  wire             ap_clk,
    input  wire             ap_rst,
    input  wire [WIDTH-1:0] beat_i,
    input  wire             valid_i,
    output wire             ready_o,
    output wire [WIDTH-1:0] beat_o,
    output wire             valid_o,
    input  wire             ready_i
);
{body}
endmodule

`default_nettype wire
"""


_BOTH = _file(
    NAME,
    """\
two registers between a valid-ready handshake and the next.
//
// Every output is a register, so that no path leads through; a beat a cycle goes through, each with
// a delay of one cycle. A beat moves where valid and ready meet. Reset empties it, and touches the
// controller only; during reset nothing is taken or given.
""",
    """
  // The second register has a beat only if the first one has.
  reg full_q, ready_q;
  reg [WIDTH-1:0] beat_q, second_q;

  wire moves = ready_i | ~full_q;  // the first register is free, or becomes so

  assign ready_o = ready_q;
  assign beat_o = beat_q;
  assign valid_o = full_q;

  always @(posedge ap_clk) begin
    if (ap_rst) begin
      full_q <= 1'b0;
      ready_q <= 1'b1;
    end else if (moves) begin
      full_q <= valid_i | ~ready_q;
      ready_q <= 1'b1;
    end else if (valid_i) begin
      ready_q <= 1'b0;
    end
  end

  always @(posedge ap_clk) begin
    if (moves) beat_q <= ready_q ? beat_i : second_q;
    if (ready_q) second_q <= beat_i;
  end
""",
)

_FORWARD = _file(
    FORWARD,
    """\
a register for the data and valid of a handshake; ready goes through.
//
// A beat a cycle goes through, each with a delay of one cycle. A beat moves where valid and ready
// meet. Reset empties it, and touches the controller only.
""",
    """
  reg full_q;
  reg [WIDTH-1:0] beat_q;

  assign ready_o = ready_i | ~full_q;
  assign beat_o = beat_q;
  assign valid_o = full_q;

  always @(posedge ap_clk) begin
    if (ap_rst) full_q <= 1'b0;
    else if (ready_o) full_q <= valid_i;
  end

  always @(posedge ap_clk) begin
    if (ready_o) beat_q <= beat_i;
  end
""",
)

_REVERSE = _file(
    REVERSE,
    """\
a register for the ready of a handshake; data and valid go through.
//
// A beat goes through without a delay, and waits here while the other side is not ready. A beat
// moves where valid and ready meet. Reset empties it, and touches the controller only.
""",
    """
  reg full_q;
  reg [WIDTH-1:0] beat_q;

  assign ready_o = ~full_q;
  assign beat_o = full_q ? beat_q : beat_i;
  assign valid_o = full_q | valid_i;

  always @(posedge ap_clk) begin
    if (ap_rst) full_q <= 1'b0;
    else if (valid_o) full_q <= ~ready_i;
  end

  always @(posedge ap_clk) begin
    if (~full_q) beat_q <= beat_i;
  end
""",
)

# Files by the names of their modules.
MODULES = {NAME: _BOTH, FORWARD: _FORWARD, REVERSE: _REVERSE}
