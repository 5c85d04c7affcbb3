# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream ports of the top module: a register slice each, so that no handshake is a path.

A function sees a stream that it reads as `NAME_valid` and `NAME_beat`, and takes the beat with
`NAME_take`; one that it writes as `NAME_free`, and gives `NAME_beat` with `NAME_put`. All that it
sees comes out of registers.
"""

from __future__ import annotations

from collections.abc import Iterable

from lydite.hls.contract.interface import handshake
from lydite.hls.contract.names import words
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.top import Design, Port, stream_signals
from lydite.hls.emit.verilog import Signal, literal, span
from lydite.hls.ir.graph import Stream

NAME = "lydite_stream_slice"
# Beats that a slice holds.
CAPACITY = 2

_SIGNALS = words(
    """put take beat free valid over full_q value_q tdata tkeep tlast tuser tvalid tready dout
    empty_n read din full_n write ap_vld ap_ack"""
)


def module() -> str:
    """Give the slice's file."""
    return _TEXT


def names(stream: Stream, functions: Iterable[str]) -> set[str]:
    """Give all names that a stream may need in a module."""
    stems = [stream.name, f"own_{stream.name}", *(f"{name}__{stream.name}" for name in functions)]
    result = {f"{stem}_{signal}" for stem in stems for signal in _SIGNALS}
    result |= {f"unused_{stream.name}_{signal}" for signal in ("put", "take", "over")}
    return result | {stream.name, f"u_{stream.name}"}


def ports(stream: Stream) -> list[Port]:
    """Give the ports of the top module."""
    there, back = ("output", "input") if stream.writes else ("input", "output")
    data, valid, ready = handshake(stream.protocol, stream.name, writes=stream.writes)
    result = [Port(there, _data_bits(stream), data)]
    if not stream.bits:
        result.append(Port(there, stream.data_bytes, f"{stream.name}_tkeep"))
        result.append(Port(there, 1, f"{stream.name}_tlast"))
    if stream.user_bits:
        result.append(Port(there, stream.user_bits, f"{stream.name}_tuser"))
    result += [Port(there, 1, valid)] * bool(valid) + [Port(back, 1, ready)] * bool(ready)
    if stream.bits % 8 and stream.protocol == "axis" and not stream.writes:
        # The bits that fill the last byte have no reader.
        result[0].signal = Signal(data, _data_bits(stream), (1 << stream.bits) - 1)
    return result


def _data_bits(stream: Stream) -> int:
    """Give the bits of the port for data: whole bytes on a stream."""
    if not stream.bits:
        return 8 * stream.data_bytes
    return stream.bits if stream.protocol != "axis" else (stream.bits + 7) // 8 * 8


def inner_ports(emitter: FunctionEmitter, stream: Stream) -> list[Port]:
    """Give the ports of another function's module."""
    asks = [
        Port("output", width, f"{stream.name}_{signal}", True)
        for signal, width in stream_signals(stream, asks=True)
    ]
    hears = [
        Port("input", width, name, False, emitter.body.inputs.get(name) or Signal(name, width))
        for signal, width in stream_signals(stream, asks=False)
        for name in (f"{stream.name}_{signal}",)
    ]
    return asks + hears


def join(design: Design, emitters: dict[str, FunctionEmitter], stream: Stream) -> list[str]:
    """Join what functions say to a stream, and put its slice between them and the ports."""
    lines = ends(design, emitters, stream)
    if stream.protocol == "axis":
        return lines + _slice(stream)
    return lines + (_giving(stream) if stream.writes else _taking(stream))


def ends(design: Design, emitters: dict[str, FunctionEmitter], stream: Stream) -> list[str]:
    """Join what functions say to a stream, and declare what they hear."""
    top = emitters[design.module.top]
    lines: list[str] = []
    stems: list[str] = []
    for name, emitter in emitters.items():
        if stream not in emitter.body.streams:
            continue
        stems.append(emitter.stem(stream.name) if emitter is top else f"{name}__{stream.name}")
        if emitter is not top:
            lines += [
                f"  wire {span(width)}{stems[-1]}_{signal};"
                for signal, width in stream_signals(stream, asks=True)
            ]
    if stems != [stream.name]:
        for signal, width in stream_signals(stream, asks=True):
            terms = " | ".join(f"{stem}_{signal}" for stem in stems)
            terms = terms or f"{{{width}{{1'b0}}}}"
            lines.append(f"  wire {span(width)}{stream.name}_{signal} = {terms};")
    for signal, width in stream_signals(stream, asks=False):
        use = Signal(f"{stream.name}_{signal}", width)
        for emitter in emitters.values():
            found = emitter.body.inputs.get(use.name)
            if found is not None:
                use.used |= found.used if emitter is top else (1 << width) - 1
        before, after = use.waiver
        lines.append(f"  {before}wire {span(width)}{use.name};{after}")
    return lines


def _taking(stream: Stream) -> list[str]:
    """Connect a handshake that brings values: what is there is there without a register."""
    name = stream.name
    data, valid, ready = handshake(stream.protocol, name, writes=False)
    lines = [
        f"  assign {name}_beat = {data};",
        f"  assign {name}_valid = {valid or literal(1, 1)};",
    ]
    if ready:
        return [*lines, f"  assign {ready} = {name}_take;"]
    return [*lines, _unread(f"{name}_take")]


def _unread(name: str) -> str:
    return f"  wire unused_{name} = &{{1'b0, {name}}};"


def _giving(stream: Stream) -> list[str]:
    """Connect a handshake that takes values away."""
    name = stream.name
    data, valid, ready = handshake(stream.protocol, name, writes=True)
    put, beat, free = f"{name}_put", f"{name}_beat", f"{name}_free"
    if stream.protocol == "ap_hs":
        # Valid must not wait for the acknowledgement: a register waits for it.
        return [
            f"  reg {name}_full_q;",
            f"  reg {span(stream.width)}{name}_value_q;",
            f"  assign {free} = ~{name}_full_q | {ready};",
            f"  assign {valid} = {name}_full_q;",
            f"  assign {data} = {name}_value_q;",
            "  always @(posedge ap_clk) begin",
            f"    if (ap_rst) {name}_full_q <= 1'b0;",
            f"    else if ({free}) {name}_full_q <= {put};",
            f"    if ({put}) {name}_value_q <= {beat};",
            "  end",
        ]
    if not valid:
        return [
            f"  reg {span(stream.width)}{name}_value_q;",
            f"  assign {free} = {ready or literal(1, 1)};",
            f"  assign {data} = {put} ? {beat} : {name}_value_q;",
            f"  always @(posedge ap_clk) if ({put}) {name}_value_q <= {beat};",
        ]
    lines = [f"  assign {free} = {ready or literal(1, 1)};", f"  assign {data} = {beat};"]
    return [*lines, f"  assign {valid} = {put};" if valid else _unread(put)]


def _slice(stream: Stream) -> list[str]:
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
    if stream.writes:
        taken = (beat, f"{name}_put", f"{name}_free")
        given = (outside, f"{name}_tvalid", f"{name}_tready")
    else:
        taken = (outside, f"{name}_tvalid", f"{name}_tready")
        given = (beat, f"{name}_valid", f"{name}_take")
    over = []
    if stream.bits % 8 and not stream.writes:
        over = [f"  wire {span(width - stream.bits)}{name}_over;", _unread(f"{name}_over")]
    return [
        *over,
        f"  {NAME} #(",
        f"      .WIDTH({width})",
        f"  ) u_{name} (",
        "      .ap_clk(ap_clk),",
        "      .ap_rst(ap_rst),",
        f"      .beat_i({taken[0]}),",
        f"      .valid_i({taken[1]}),",
        f"      .ready_o({taken[2]}),",
        f"      .beat_o({given[0]}),",
        f"      .valid_o({given[1]}),",
        f"      .ready_i({given[2]})",
        "  );",
    ]


_TEXT = """\
// SPDX-License-Identifier: Apache-2.0
// lydite_stream_slice: two registers between a valid-ready handshake and the next.
//
// Every output is a register, so that no path leads through; a beat a cycle goes through, each with
// a delay of one cycle. A beat moves where valid and ready meet. Reset empties it, and touches the
// controller only; during reset nothing is taken or given.

`default_nettype none

module lydite_stream_slice #(
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

endmodule

`default_nettype wire
"""
