# SPDX-License-Identifier: Apache-2.0
"""Writes processes and the channels between them into the top module.

A process is a module that starts whenever a start waits for it, and whatever it takes a copy of is
its turn; it gives all of that away when it is done. A start with its arguments waits in a FIFO,
whose first entry stays until the run is done, so that an empty one means an idle process. One whose
loop rewinds takes the next start before the last run is done, and says itself when it rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.hls.contract.diagnostics import place
from lydite.hls.emit import axi_stream
from lydite.hls.emit import fifo as emit_fifo
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.memory import Uses
from lydite.hls.emit.structure import (
    Assign,
    Declare,
    If,
    Instance,
    Item,
    Net,
    Note,
    Write,
    pins,
    unread,
    wire,
)
from lydite.hls.emit.structure import Process as Clocked
from lydite.hls.emit.top import Design
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Memory
from lydite.hls.ir.network import Fifo, Network, PingPong, Process, Result

# Registers that say whose turn it is, with their widths.
_TURNS = {"fill": 2, "write": 1, "read": 1}


def names(network: Network | None) -> set[str]:
    """Give the names that the top module needs for it."""
    if network is None:
        return set()
    result = set().union(*(of_process(item.function.name) for item in network.processes))
    result |= set().union(*(of_result(item.name) for item in network.results))
    result |= set().union(*(of_fifo(item.name) for item in network.fifos))
    for buffer in network.buffers:
        result |= of_buffer(buffer.name)
        result |= set().union(*(of_turned(memory.name) for memory in buffer.memories))
    return result


def of_process(name: str) -> set[str]:
    """Give the names that a process needs beside those of a function."""
    found = {f"{name}_token_{word}" for word in ("valid", "beat", "fill")}
    found |= {f"{name}_ready", f"{name}_rests", f"unused_{name}_done"}
    return found | {f"unused_{name}_token", f"unused_{name}_idle", f"u_{name}_token"}


def of_result(name: str) -> set[str]:
    """Give the names that a result on its way needs."""
    return {f"{name}_{word}" for word in ("room", "fill", "valid", "beat", "take")} | {f"u_{name}"}


def of_fifo(name: str) -> set[str]:
    """Give the names that a FIFO of a stream needs beside those of its ends."""
    return {f"u_{name}", f"{name}_fill", f"unused_{name}"}


def of_buffer(name: str) -> set[str]:
    """Give the names that say whose turn it is."""
    return {f"{name}_{word}" for word in ("fill_q", "write_q", "read_q", "moves")}


def of_turned(name: str) -> set[str]:
    """Give the names that a memory in two copies needs beside those of a memory."""
    found = {
        f"{name}_{side}_{signal}{number}"
        for side in ("w", "r", "0", "1")
        for signal in ("address", "ce", "we", "d", "q")
        for number in (0, 1)
    }
    return found | {
        f"{stem}_{copy}{end}"
        for copy in (0, 1)
        for stem, end in ((name, "_read"), (f"u_{name}", ""))
    }


def channels(
    design: Design, emitters: dict[str, FunctionEmitter], uses: Mapping[str, Uses]
) -> Iterator[Item]:
    """Write what lies between processes; wires that processes drive are declared here.

    `uses` are the ports of all memories, by their names.
    """
    network = design.module.network
    if network is None:
        return
    for stream in design.module.streams.values():
        if stream.role:
            yield from axi_stream.ends(design, emitters, stream)
    for process in network.processes:
        name = process.function.name
        yield wire(f"{name}_done", 1)
        if process.function.rewind is not None:
            yield Declare("wire", (Net(f"{name}_ready", 1), Net(f"{name}_rests", 1)))
            yield unread(f"{name}_done", f"{name}_done")
        if process.function.width:
            yield wire(f"{name}_return", process.function.width)
    for process in network.processes:
        yield wire(f"{process.function.name}_start", 1)
    for item in network.results:
        yield from _result(design, network, item)
    for fifo in network.fifos:
        yield from _fifo(design, fifo)
    for buffer in network.buffers:
        yield from _turns(buffer)
        for memory in buffer.memories:
            yield from _turned(design, emitters, buffer, memory, uses.get(memory.name, {}))
    for process in network.processes:
        yield from _process(design, network, process)


def _at(where: str) -> str:
    """Give the end of a comment: where something is."""
    return f"  // {place(where)}" if where else ""


def _fifo(design: Design, fifo: Fifo) -> Iterator[Item]:
    """Write a stream between two processes."""
    label = f"Stream {fifo.label}: {fifo.depth} beats of {fifo.width} bits."
    yield Note(f"{label}{_at(fifo.where)}")
    into, out = fifo.into.name, fifo.out.name
    if fifo.reader is None:
        yield Assign(f"{into}_free", literal(1, 1))
        yield Assign(f"{out}_valid", literal(1, 0))
        yield Assign(f"{out}_beat", literal(fifo.width, 0))
        yield unread(fifo.name, f"{into}_put", f"{into}_beat", f"{out}_take")
        return
    yield from emit_fifo.instance(
        design.model,
        fifo.name,
        fifo.width,
        fifo.depth,
        beat_i=f"{into}_beat",
        put_i=f"{into}_put",
        free_o=f"{into}_free",
        beat_o=f"{out}_beat",
        valid_o=f"{out}_valid",
        take_i=f"{out}_take",
    )


def _result(design: Design, network: Network, item: Result) -> Iterator[Item]:
    """Write a result on its way: it comes when a run is done, and stays until that of its taker."""
    name, producer = item.name, item.producer.function.name
    yield wire(f"{name}_room", 1)
    take = f"{name}_take"
    if item.stream is None:
        taker = next(p for p in network.processes if item in p.sources)
        take = _taken(taker)
        yield wire(f"{name}_valid", 1)
        yield wire(f"{name}_beat", item.width)
    yield from emit_fifo.instance(
        design.model,
        name,
        item.width,
        item.depth,
        beat_i=f"{producer}_return",
        put_i=f"{producer}_done",
        free_o=f"{name}_room",
        beat_o=f"{name}_beat",
        valid_o=f"{name}_valid",
        take_i=take,
    )


def _taken(process: Process) -> str:
    """Give the signal that a run needs its arguments no longer: it is done, or its loop goes on."""
    rewound = process.function.rewind is not None
    return f"{process.function.name}_{'ready' if rewound else 'done'}"


def _process(design: Design, network: Network, process: Process) -> Iterator[Item]:
    """Write what starts a process, and takes its end."""
    name, start, idle = process.function.name, process.start.name, process.idle.name
    yield Note(f"Process {name}.{_at(process.where)}")
    beat = Net(f"{name}_token_beat", process.start.bits)
    yield wire(f"{name}_token_valid", 1)
    yield Declare("wire", (beat,))
    yield from emit_fifo.instance(
        design.model,
        f"{name}_token",
        process.start.bits,
        process.depth,
        beat_i=f"{start}_beat",
        put_i=f"{start}_put",
        free_o=f"{start}_free",
        beat_o=beat.name,
        valid_o=f"{name}_token_valid",
        take_i=_taken(process),
    )
    low = 0
    params = process.function.params
    for index, (param, source) in enumerate(zip(params, process.sources, strict=True)):
        text = f"{source.name}_beat" if source is not None else beat.bits(low, param.width)
        yield wire(f"{name}_arg{index}", param.width, text)
        low += param.width if source is None else 0
    terms = [f"{name}_token_valid"]
    terms += [f"(~{b.name}_fill_q[1])" for b in network.buffers if b.writer is process]
    terms += [f"(|{b.name}_fill_q)" for b in network.buffers if b.reader is process]
    terms += [f"{item.name}_room" for item in network.results if item.producer is process]
    terms += [f"{item.name}_valid" for item in dict.fromkeys(process.sources) if item is not None]
    yield Assign(f"{name}_start", " & ".join(terms))
    rests = f" & {name}_rests" if process.function.rewind is not None else ""
    yield Assign(f"{idle}_valid", f"~{name}_token_valid{rests}")
    yield Assign(f"{idle}_beat", literal(1, 0))
    yield unread(f"{name}_idle", f"{idle}_take")


def _turns(buffer: PingPong) -> Iterator[Item]:
    """Write whose turn it is: the copy that is filled, that which is read, how many are full."""
    name, writer, reader = buffer.name, buffer.writer.function.name, buffer.reader.function.name
    shown = ", ".join(dict.fromkeys(memory.array or memory.name for memory in buffer.memories))
    yield Note(f"Ping-pong memory {shown}: {writer} fills one copy, {reader} reads the other.")
    fill, write, read = (Net(f"{name}_{word}_q", bits) for word, bits in _TURNS.items())
    yield Declare("reg", (fill,), note="copies that are full")
    yield Declare("reg", (write, read))
    resets = tuple(Write(net.name, literal(net.width, 0)) for net in (fill, write, read))
    filled = f"{fill.name} + {{1'b0, {writer}_done}}\n    - {{1'b0, {reader}_done}}"
    steps = (
        Write(fill.name, filled),
        Write(write.name, f"{write.name} ^ {writer}_done"),
        Write(read.name, f"{read.name} ^ {reader}_done"),
    )
    yield Clocked((If("ap_rst", resets, steps),))


def _turned(
    design: Design,
    emitters: dict[str, FunctionEmitter],
    buffer: PingPong,
    memory: Memory,
    uses: Uses,
) -> Iterator[Item]:
    """Write both copies of a ping-pong memory, each with the requests of the process it is for."""
    network = design.module.network
    assert network is not None, "only networks have such memories"
    for side, process in (("w", buffer.writer), ("r", buffer.reader)):
        members = network.members(process)
        asking = [emitter for emitter in emitters.values() if emitter.function in members]
        for number, (_, writes) in sorted(uses.items()):
            turn = f"{buffer.name}_{'write' if side == 'w' else 'read'}_q"
            yield from _side(memory, number, asking, side, turn, writes=writes)
    for copy in (0, 1):
        chosen = f"{memory.name}_{copy}_read"
        mine = f"{buffer.name}_read_q" if copy else f"~{buffer.name}_read_q"
        yield wire(chosen, 1, f"(|{buffer.name}_fill_q) & {mine}")
        ends = {"ap_clk": "ap_clk"}
        for number, (reads, writes) in sorted(uses.items()):
            for signal, width in _asked(memory, number, writes=writes):
                own = f"{memory.name}_{copy}_{signal}{number}"
                both = [f"{memory.name}_{side}_{signal}{number}" for side in ("r", "w")]
                yield wire(own, width, f"{chosen} ? {both[0]} : {both[1]}")
                ends[f"{signal}{number}"] = own
            if reads:
                own = f"{memory.name}_{copy}_q{number}"
                yield wire(own, memory.width)
                ends[f"q{number}"] = own
        module = f"{design.module.top}_{memory.name}"
        yield Instance(module, f"u_{memory.name}_{copy}", pins(**ends))


def _asked(memory: Memory, number: int, *, writes: bool) -> list[tuple[str, int]]:
    """Give the signals of a port that go to the memory, with their widths."""
    signals = [("address", memory.index_width)]
    if memory.kind == "bram" or writes:
        signals.append(("ce", 1))
    return signals + [("we", memory.lanes), ("d", memory.width)] * writes


def _side(
    memory: Memory,
    number: int,
    asking: list[FunctionEmitter],
    side: str,
    turn: str,
    *,
    writes: bool,
) -> Iterator[Item]:
    """Join what the functions of one process ask of a port; give them the data of their copy."""
    found = [
        (emitter, port)
        for emitter in asking
        for port in emitter.body.memory_ports
        if port.memory is memory and port.number == number
    ]
    for signal, width in _asked(memory, number, writes=writes):
        terms: list[str] = []
        for emitter, port in found:
            if signal in ("we", "d") and not port.writes:
                continue
            term = f"{emitter.function.name}__{memory.name}_{signal}{number}"
            if signal != "ce" or port.enabled:
                terms.append(term)
                yield wire(term, width)
        text = " | ".join(terms) or literal(width, 0)
        yield wire(f"{memory.name}_{side}_{signal}{number}", width, text)
    if any(port.reads for _, port in found):
        copies = f"{memory.name}_1_q{number} : {memory.name}_0_q{number}"
        yield wire(f"{memory.name}_{side}_q{number}", memory.width)
        yield Assign(f"{memory.name}_{side}_q{number}", f"{turn} ? {copies}")
