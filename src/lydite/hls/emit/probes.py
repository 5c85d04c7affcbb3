# SPDX-License-Identifier: Apache-2.0
"""Describes processes and channels: for reports, and for co-simulation to say who waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from lydite.hls.bind.binding import Binding
from lydite.hls.bind.latency import Timing
from lydite.hls.contract.report import ChannelReport, ProcessReport, WaitReport
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Function, Stream
from lydite.hls.ir.module import Module
from lydite.hls.ir.network import Fifo, Network, PingPong, Result


def channels(module: Module) -> tuple[ChannelReport, ...]:
    """Describe what lies between processes."""
    network = module.network
    if network is None:
        return ()
    results = [item for item in network.results if item.stream is None]
    return (
        *map(_fifo, network.fifos),
        *map(_buffer, network.buffers),
        *(_result(network, item) for item in results),
    )


def _fifo(fifo: Fifo) -> ChannelReport:
    read = fifo.reader is not None
    return ChannelReport(
        name=fifo.name,
        label=fifo.label,
        kind="FIFO",
        width=fifo.width,
        depth=fifo.depth,
        writer=fifo.writer.function.name,
        reader=fifo.reader.function.name if fifo.reader is not None else "",
        where=fifo.where,
        fill=f"{fifo.name}_fill" if read else "",
        fill_bits=fifo.depth.bit_length(),
        most=fifo.depth,
    )


def _buffer(buffer: PingPong) -> ChannelReport:
    first = buffer.memories[0]
    names = [name for memory in buffer.memories for name, _ in memory.objects]
    return ChannelReport(
        name=buffer.name,
        label=", ".join(dict.fromkeys(names)),
        kind="ping-pong",
        width=first.width,
        depth=sum(memory.depth for memory in buffer.memories),
        writer=buffer.writer.function.name,
        reader=buffer.reader.function.name,
        where=first.where,
        fill=f"{buffer.name}_fill_q",
        fill_bits=2,
        most=2,
    )


def _result(network: Network, item: Result) -> ChannelReport:
    taker = next(p for p in network.processes if item in p.sources)
    return ChannelReport(
        name=item.name,
        label=f"result of {item.producer.function.name}",
        kind="result",
        width=item.width,
        depth=item.depth,
        writer=item.producer.function.name,
        reader=taker.function.name,
        where=item.producer.where,
        fill=f"{item.name}_fill",
        fill_bits=item.depth.bit_length(),
        most=item.depth,
    )


def together(
    module: Module,
    function: Function,
    known: Mapping[Function, tuple[int | None, int | None]],
    timing: Timing,
) -> Timing:
    """Give the latency of a function, which may start processes, from that of its own states.

    It ends behind the last of them. How long they wait for each other is not known. A top function
    that begins anew without waiting has a latency all the same: that of what one start of it sets
    off.
    """
    network = module.network
    own = [p for p in network.processes if p.region is function] if network is not None else []
    waited = {op.attr for op in function.ops() if op.kind == "read"}
    own = [process for process in own if process.idle in waited] or own
    if not own:
        return timing
    lows = [known[process.function][0] or 1 for process in own]
    return replace(timing, minimum=max(timing.minimum or 1, 1 + max(lows)), maximum=None)


def processes(module: Module, bindings: Mapping[str, Binding]) -> tuple[ProcessReport, ...]:
    """Describe the processes, with all states in which they may wait for a stream."""
    network = module.network
    if network is None:
        return ()
    names = {fifo.into: fifo.name for fifo in network.fifos}
    names |= {fifo.out: fifo.name for fifo in network.fifos}
    result = []
    for process in network.processes:
        members = []
        for function in sorted(network.members(process), key=lambda item: item.name):
            if function.is_pipelined or function.macro:
                continue  # it has no states
            binding = bindings[function.name]
            bits = max(1, len(binding.states).bit_length())
            members.append((function.name, bits, tuple(_waits(network, binding, names))))
        name = process.function.name
        result.append(ProcessReport(name, process.where, f"{name}_token_valid", tuple(members)))
    return tuple(result)


def _waits(network: Network, binding: Binding, names: Mapping[Stream, str]) -> Iterator[WaitReport]:
    """Walk the streams that each state may wait for."""
    for number, state in enumerate(binding.states, 1):
        ops = state.ops if state.pipe is None else state.block.ops
        for op in ops:
            if op.kind not in ir_graph.STREAMING or (op.attr.role and op.attr not in names):
                continue
            writes = op.kind == "write"
            name = names.get(op.attr, op.attr.name)
            ready = "" if op.attr in names else f"{name}_{'free' if writes else 'valid'}"
            yield WaitReport(number, name, writes, op.where, ready)
