# SPDX-License-Identifier: Apache-2.0
"""The independent check of a network of processes, without knowing how it came about.

What must hold follows from the hardware. Between a start of a process and the next wait for it, the
process may run; in that time nobody else may be at its memories and streams, but for what lies
between two processes: a FIFO has one that puts and one that takes, of a ping-pong memory one works
on one copy and one on the other, each as often as the other one.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Function, Memory, Op, Stream, called
from lydite.hls.ir.module import Module
from lydite.hls.ir.network import Network, Process

# Memories without ports lie in the module of one function.
_INSIDE = frozenset(("registers", "lutrom"))


def verify(module: Module, *, restarts: bool) -> None:
    """Check a module that `dataflow` has changed.

    Raises
    ------
    AssertionError
        Two may be at one thing at a time, or a channel has not one at each end; the message names
        them.
    """
    network = module.network
    if network is None:
        return
    used = {process: _uses(network, process) for process in network.processes}
    owner: dict[Stream, Process] = {}
    for process in network.processes:
        results = [item.stream for item in network.results if item.producer is process]
        for stream in (process.start, process.idle, *results):
            if stream is not None:
                assert stream not in owner, f"{stream.name} belongs to two processes"
                owner[stream] = process
    for process in network.processes:
        _check_process(module, network, process)
    _check_fifos(module, network)
    _check_buffers(module, network, used)
    for function in module.callees_first():
        if any(process.region is function for process in network.processes):
            free = restarts and function is module.top_function
            _Running(network, used, owner, function, free=free).check()
    for stream in module.streams.values():
        assert not stream.depth, f"stream {stream.name} is no channel"


def _uses(network: Network, process: Process) -> dict[Memory | Stream, str]:
    """Give what a process reaches that another one could reach: how, in letters `r` and `w`."""
    result: dict[Memory | Stream, str] = {}
    for function in sorted(network.members(process), key=lambda item: item.name):
        for op in function.ops():
            if op.kind in ("load", "store") and not (op.attr.constant and op.attr.kind == "lutrom"):
                result[op.attr] = result.get(op.attr, "") + ("r" if op.kind == "load" else "w")
            elif op.kind in ir_graph.STREAMING and not op.attr.role:
                result[op.attr] = result.get(op.attr, "") + ("r" if op.kind == "read" else "w")
    return result


def _homes(module: Module, stream: Stream) -> set[Function]:
    return {f for f in module.callees_first() if any(op.attr is stream for op in f.ops())}


def _check_process(module: Module, network: Network, process: Process) -> None:
    function, name = process.function, process.function.name
    callers = [
        op
        for other in module.callees_first()
        for op in other.ops()
        if called(op) is function and op.kind != "read"
    ]
    assert len(callers) == 1 and callers[0].attr is process.start, f"{name} is started elsewhere"
    assert len(process.sources) == len(function.params), f"{name}: arguments without a source"
    pairs = list(zip(function.params, process.sources, strict=True))
    bits = sum(param.width for param, source in pairs if source is None) or 1
    assert process.start.bits == bits == callers[0].args[0].width, f"{name}: width of arguments"
    assert process.depth >= 1, f"{name}: no start fits"
    for stream in (process.start, process.idle):
        assert _homes(module, stream) <= {process.region}, f"{stream.name}: used elsewhere"
    for param, source in pairs:
        if source is None:
            continue
        assert source.stream is None, f"{name}: takes what goes to {process.region.name}"
        assert source.producer.region is process.region, f"{name}: a result of another region"
        assert source.width == param.width, f"{name}: width of a result"
        order = network.processes.index
        assert order(source.producer) < order(process), f"{name}: a result that comes later"
        takers = [other for other in network.processes if source in other.sources]
        assert takers == [process], f"{source.name}: two take it"
    home = next(b for b in process.region.blocks if callers[0] in b.ops)
    for item in network.results:
        if item.producer is not process or item.stream is None:
            continue
        assert item.stream.bits == function.width, f"{name}: width of the result"
        assert _homes(module, item.stream) == {process.region}, f"{item.name}: used elsewhere"
        reads = [op for op in home.ops if op.attr is item.stream]
        after = [op for op in reads if home.ops.index(op) > home.ops.index(callers[0])]
        assert len(reads) == len(after) == 1, f"{name}: results are not read as they come"
    for function in network.members(process):
        for op in function.ops():
            callee = called(op)
            if callee is None:
                continue
            for other in module.callees_first():
                inside = other in network.members(process)
                assert inside or all(called(op) is not callee for op in other.ops()), (
                    f"{callee.name} is called by {name} and by {other.name}"
                )


def _check_fifos(module: Module, network: Network) -> None:
    for fifo in network.fifos:
        assert fifo.into.bits == fifo.out.bits == fifo.width, f"FIFO {fifo.name}: width"
        assert fifo.depth >= 1, f"FIFO {fifo.name}: no beat fits"
        assert fifo.writer is not fifo.reader, f"FIFO {fifo.name}: two ends in one process"
        ends = [(fifo.into, fifo.writer, "write")]
        ends += [(fifo.out, fifo.reader, "read")] if fifo.reader is not None else []
        for stream, process, kind in ends:
            members = network.members(process)
            assert _homes(module, stream) <= members, f"FIFO {fifo.name}: a foreign {kind}"
            for function in members:
                kinds = {op.kind for op in function.ops() if op.attr is stream}
                assert kinds <= {kind}, f"FIFO {fifo.name}: {kinds} at one end"
        if fifo.reader is None:
            assert not _homes(module, fifo.out), f"FIFO {fifo.name}: read by nobody's process"
        else:
            same = fifo.writer.region is fifo.reader.region
            assert same, f"FIFO {fifo.name}: ends in two regions"


def _check_buffers(
    module: Module,
    network: Network,
    used: Mapping[Process, Mapping[Memory | Stream, str]],
) -> None:
    seen: set[Memory] = set()
    for buffer in network.buffers:
        writer, reader = buffer.writer, buffer.reader
        both = network.members(writer) | network.members(reader)
        starts = [
            [op for op in block.ops if op.attr in (writer.start, reader.start)]
            for block in writer.region.blocks
        ]
        order = [op.attr for ops in starts for op in ops]
        assert order == [writer.start, reader.start], f"{buffer.name}: starts do not alternate"
        assert max(map(len, starts)) == 2, f"{buffer.name}: starts depend on conditions"
        for memory in buffer.memories:
            name = memory.name
            assert memory not in seen, f"{name} is in two ping-pong memories"
            seen.add(memory)
            assert not memory.port and memory.kind not in _INSIDE, f"{name} has no copies"
            assert "w" in used[writer].get(memory, ""), f"{name}: not written by the writer"
            assert "w" not in used[reader].get(memory, ""), f"{name}: written by the reader"
            for function in module.callees_first():
                mine = function in both or all(op.attr is not memory for op in function.ops())
                assert mine, f"{name}: {function.name} uses it, which has no copy"


class _Running:
    """Which processes may run at each place of a function that starts some."""

    def __init__(
        self,
        network: Network,
        used: Mapping[Process, Mapping[Memory | Stream, str]],
        owner: Mapping[Stream, Process],
        function: Function,
        *,
        free: bool,
    ) -> None:
        self.network = network
        self.used = used
        self.owner = owner
        self.function = function
        self.free = free
        self.at: dict[Block, frozenset[Process]] = {}

    def check(self) -> None:
        """Check everything that the function does."""
        first = self.function.blocks[0]
        # A top function that restarts meets the processes of the run before.
        mine = [p for p in self.network.processes if p.region is self.function]
        pending = [(first, frozenset(mine if self.free else ()))]
        while pending:
            block, running = pending.pop()
            known = self.at.get(block)
            merged = running | (known or frozenset())
            if known is not None and merged == known:
                continue
            self.at[block] = merged
            left = self._block(block, merged)
            if block.end == "ret":
                assert self.free or not left, (
                    f"{self.function.name} ends while {_names(left)} may run"
                )
            pending += [(target, left) for target in block.targets]

    def _block(self, block: Block, running: frozenset[Process]) -> frozenset[Process]:
        for op in block.ops:
            process = self.owner.get(op.attr) if op.kind in ir_graph.STREAMING else None
            if process is not None:
                if op.attr is process.idle:
                    running -= {process}
                elif op.attr is process.start:
                    for other in running - {process}:
                        self._apart(process, other)
                    running |= {process}
                continue
            for other in running:
                self._alone(op, other)
        return running

    def _apart(self, process: Process, other: Process) -> None:
        """Check that two processes may run at the same time."""
        one, two = process.function.name, other.function.name
        members = self.network.members
        assert not members(process) & members(other), f"{one} and {two} share a function"
        for item in self.used[process]:
            if item not in self.used[other]:
                continue
            buffer = self.network.buffer_of(item) if isinstance(item, Memory) else None
            between = buffer is not None and {buffer.writer, buffer.reader} == {process, other}
            assert between, f"{one} and {two} may be at {item.name} at once"

    def _alone(self, op: Op, other: Process) -> None:
        """Check that what the function does itself meets nothing that a process uses."""
        touched: list[Memory | Stream] = []
        callee = called(op)
        if callee is not None:
            pending = [callee]
            while pending:
                for inner in pending.pop().ops():
                    if inner.kind in ("load", "store", *ir_graph.STREAMING):
                        touched.append(inner.attr)
                    if (below := called(inner)) is not None:
                        pending.append(below)
        elif op.kind in ("load", "store", *ir_graph.STREAMING):
            touched.append(op.attr)
        for item in touched:
            assert item not in self.used[other], (
                f"{self.function.name} and {other.function.name} may be at {item.name} at once"
            )


def _names(processes: frozenset[Process]) -> str:
    return ", ".join(sorted(process.function.name for process in processes))
