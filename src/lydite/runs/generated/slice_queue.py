# SPDX-License-Identifier: Apache-2.0
"""An accelerator with a queue of jobs: calls come one after the other and go to slices in turn, or
by a hash of their stream; results come back in the order of the calls.

To whom it is given it is one core, with one call at a time. A buffer before each slice takes a call
while the slice works on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from lydite.base.errors import InputError
from lydite.cores import Design
from lydite.cores.design import Stream
from lydite.cores.operation import VERDICT
from lydite.runs.generated.slice_chains import Chain, handshake, links, pins, taken, widened
from lydite.sim.wiring import core_links, joined, span

FILES = ("crc16_step", "job_collect", "job_queue", "stream_buffer")
BYTES = 1024
MIN_BYTES, MAX_BYTES = 128, 1 << 16
By = Literal["round-robin", "hash"]


class Queue(msgspec.Struct, frozen=True, kw_only=True):
    """How calls find their slice.

    Attributes
    ----------
    by : str
        `round-robin`, or `hash`: of what the first word of a call begins with.
    bytes : int
        Of calls that wait before a slice, a power of two.
    """

    by: By
    bytes: int = BYTES

    @property
    def told(self) -> str:
        """How, in words."""
        return "by hash of their streams" if self.by == "hash" else "in turn"

    @property
    def suffix(self) -> str:
        """What names of designs end in."""
        return "-hash" if self.by == "hash" else "-turns"


def check(design: Design, queue: Queue) -> None:
    """Refuse a queue that cannot be.

    Raises
    ------
    InputError
        Streams or operations of the design tell too little, or the buffer has no size.
    """
    size = queue.bytes
    if not MIN_BYTES <= size <= MAX_BYTES or size & (size - 1):
        what = f"must be a power of two, {MIN_BYTES} to {MAX_BYTES}, not {size}"
        raise InputError("--queue-bytes", what)
    if len(design.streams) != 2:
        what = f"has {len(design.streams)} streams"
        raise InputError(design.label, what, "a queue needs all inputs on one, all outputs on one")
    sink, source = _ends(design)
    if queue.by == "hash" and sink.header:
        what = f"begins its calls with a header of {', '.join(sink.header)}"
        raise InputError(design.label, what, "by hash a call begins with what tells its stream")
    differ = any(len(set(_packets(design, one))) > 1 for one in (sink, source))
    if differ and sink.user != "operation":
        what = "has operations of different numbers of packets, which its tuser does not tell"
        raise InputError(design.label, what, "user = 'operation' tells them")


def verilog(
    design: Design, sink: Chain, source: Chain, slices: int, core: str, queue: Queue
) -> list[str]:
    """Write ports and inside of an accelerator with a queue.

    Parameters
    ----------
    core : str
        What a slice is an instance of, with its parameters, and its name.
    """
    ids = (slices - 1).bit_length()
    packets = max(max(_packets(design, one)) for one in _ends(design)).bit_length()
    control = [f".clk({design.clock})", f".rst({design.reset})"]
    ports = [f"input wire {design.clock}", f"input wire {design.reset}"]
    ports += pins(sink, into=True, ids=0) + pins(source, into=False, ids=0)
    body = [f"  localparam SLICES = {slices};", *links(sink, ids)]
    body += _head(design, sink, ids, packets, control, by_hash=queue.by == "hash")
    body += _order(slices, ids + packets, control)
    body += _collected(source, ids, packets, control)
    # A number that no slice has is taken and lost.
    body += [f"  assign {sink.wire.name}l_ready[SLICES] = 1'b1;"]
    depth = max((queue.bytes // sink.bytes).bit_length() - 1, 1)
    name = source.wire.name
    inside = [*taken(design, sink, ids, buffer_bits=depth), *widened(design, source)]
    pairs = [f".{design.clock}({design.clock})", f".{design.reset}({design.reset})"]
    pairs += [*core_links(sink.wire), *core_links(source.wire)]
    inside += [f"  {core} (", joined(pairs), "  );"]
    found = [*control, *handshake("in", f"{name}w_", source.word(f"{name}w_"), takes=True)]
    found += [f".out_valid_o({name}s_valid[k])", f".out_ready_i({name}s_ready[k])"]
    found += [f".out_word_o({name}s_word[{source.bits}*k+:{source.bits}])"]
    inside += [f"  stream_stage #(.WIDTH({source.bits})) u_{name}stage (", joined(found), "  );"]
    body += ["  genvar k;", "  generate", "    for (k = 0; k < SLICES; k = k + 1) begin : g_slice"]
    body += [f"    {line}" for line in inside] + ["    end", "  endgenerate"]
    return [",\n".join(f"    {pin}" for pin in ports), ");", *body]


def _ends(design: Design) -> tuple[Stream, Stream]:
    """Give the stream that takes, and the one that gives."""
    [sink] = [one for one in design.streams if one.is_sink]
    [source] = [one for one in design.streams if not one.is_sink]
    return sink, source


def _packets(design: Design, stream: Stream) -> list[int]:
    """Give the packets of a call, of each operation."""
    counts = []
    for name in design.operations:
        one = design.primitive.operation(name)
        known = one.input_names if stream.is_sink else one.output_names
        known = (*known, *([VERDICT] if one.rejects else []))
        counts.append(bool(stream.header) + sum(field in known for field in stream.fields))
    return counts


def _chosen(counts: Sequence[int], user: str, bits: int, user_bits: int) -> str:
    """Give the packets of a call by the number of its operation."""
    if len(set(counts)) == 1:
        return f"{bits}'d{counts[0]}"
    text = f"{bits}'d{counts[-1]}"
    for number, count in reversed([*enumerate(counts[:-1])]):
        text = f"{user} == {user_bits}'d{number} ? {bits}'d{count} : {text}"
    return text


def _head(
    design: Design, sink: Chain, ids: int, packets: int, control: list[str], *, by_hash: bool
) -> list[str]:
    """Write the queue, which gives the first slice its words."""
    name = sink.wire.name
    takes, gives = (_packets(design, one) for one in _ends(design))
    user = f"{name}user_of_call"
    text = [f"  wire {span(packets)}takes, gives;", "  wire order_valid, order_ready;"]
    text += [f"  wire {span(ids + packets)}order_word;"]
    if sink.user_bits and len({*takes}) + len({*gives}) > 2:
        low = 9 * sink.bytes + 1
        text += [f"  wire {span(sink.user_bits)}{user} = {name}l_word[0][{low}+:{sink.user_bits}];"]
    text += [f"  assign takes = {_chosen(takes, user, packets, sink.user_bits)};"]
    text += [f"  assign gives = {_chosen(gives, user, packets, sink.user_bits)};"]
    given = f".SLICES(SLICES), .ID_BITS({ids}), .BYTES({sink.bytes}), .HASH({int(by_hash)})"
    given += f", .USER_BITS({sink.user_bits}), .PACKET_BITS({packets})"
    found = [*control, *handshake("in", name, sink.word(name), takes=True)]
    found += [f".on_valid_o({name}l_valid[0])", f".on_ready_i({name}l_ready[0])"]
    found += [f".on_word_o({name}l_word[0])", f".on_id_o({name}l_id[0])"]
    found += [".takes_i(takes)", ".gives_i(gives)"]
    found += handshake("order", "order_", "order_word", takes=False)
    return [*text, f"  job_queue #({given}) u_queue (", joined(found), "  );"]


def _order(slices: int, width: int, control: list[str]) -> list[str]:
    """Write where the order of calls under way is kept: a few for each slice."""
    text = ["  wire next_valid, next_ready;", f"  wire {span(width)}next_word;"]
    found = [*control, *handshake("in", "order_", "order_word", takes=True)]
    found += handshake("out", "next_", "next_word", takes=False)
    given = f".WIDTH({width}), .DEPTH_BITS({(4 * slices - 1).bit_length()})"
    return [*text, f"  stream_buffer #({given}) u_order (", joined(found), "  );"]


def _collected(source: Chain, ids: int, packets: int, control: list[str]) -> list[str]:
    """Write what gives the results."""
    name = source.wire.name
    text = [f"  wire [SLICES-1:0] {name}s_valid, {name}s_ready;"]
    text += [f"  wire [SLICES*{source.bits}-1:0] {name}s_word;"]
    found = [*control, *handshake("order", "next_", "next_word", takes=True)]
    found += handshake("in", f"{name}s_", f"{name}s_word", takes=True)
    found += handshake("on", name, source.word(name), takes=False)
    given = f".SLICES(SLICES), .ID_BITS({ids}), .BYTES({source.bytes}), .PACKET_BITS({packets})"
    return [*text, f"  job_collect #({given}) u_collect (", joined(found), "  );"]
