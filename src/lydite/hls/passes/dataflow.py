# SPDX-License-Identifier: Apache-2.0
"""Makes processes of the calls in dataflow regions, and channels of what lies between them.

Vitis HLS guide (UG1399), "pragma HLS dataflow" and "pragma HLS stream". A region is a function's
body or a loop's. Its function starts its calls one after the other and waits for none of them; each
runs as a process, one start after the other, and what goes from one to the next goes through a
channel. What each process reads and writes is then the same in every order of events (Kahn), so
that the hardware computes what the calls compute one after the other. That is so if no memory is
reached by two at a time, and each stream has one that writes it and one that reads it:
`dataflow_regions` finds what speaks against it.

This runs after all passes, on a copy of the module; in the module itself, calls stay calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic, place
from lydite.hls.ir import clone
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Memory, Op, Stream, StreamRole, const
from lydite.hls.ir.module import Module
from lydite.hls.ir.network import Fifo, Network, PingPong, Process, Result
from lydite.hls.passes import dataflow_scalars
from lydite.hls.passes.dataflow_regions import Region, Touched, find, formed, obstacle, touched


def separate(
    module: Module, *, restarts: bool, ignored: Collection[int] = ()
) -> tuple[Module, list[Diagnostic]]:
    """Give a copy of a module whose dataflow regions start processes.

    Parameters
    ----------
    restarts : bool
        Whether the top function begins anew without being asked. If its body is a region, it does
        not wait for its processes.
    ignored : collection of int
        Numbers of directives that have no place.

    Raises
    ------
    InputError
        A stream inside is not between two processes of a region.
    """
    inner = [stream for stream in module.streams.values() if stream.depth]
    if not inner and not any(item.kind == "dataflow" for item in module.pragmas):
        return module, []
    copy = clone.module(module)
    found = find(copy)
    for region in found:
        if formed(copy, region):
            dataflow_scalars.localise(copy, region, touched(copy))
    usage = touched(copy)
    warnings: list[Diagnostic] = []
    regions: list[Region] = []
    reasons: list[str] = []
    for region in found:
        reason = obstacle(copy, region, usage)
        if reason is None:
            regions.append(region)
            continue
        reasons.append(reason)
        warnings.append(
            Diagnostic(region.where, f"pragma HLS dataflow: {reason}: the region stays sequential")
        )
    maker = _Maker(copy, usage, restarts=restarts)
    for region in regions:
        maker.region(region)
    warnings += _empty(module, found, ignored)
    for stream in [stream for stream in copy.streams.values() if stream.depth]:
        maker.need(stream, reasons)
    copy.network = maker.network
    return copy, warnings + maker.warnings


def _empty(module: Module, found: list[Region], ignored: Collection[int]) -> list[Diagnostic]:
    """Name the directives without a region."""
    seen = {region.number for region in found}
    what = "nothing is called in it that stays a function: the region stays sequential"
    return [
        Diagnostic(item.where, f"pragma HLS dataflow: {what}")
        for number, item in enumerate(module.pragmas)
        if item.kind == "dataflow" and number not in seen and number not in ignored
    ]


class _Maker:
    """Changes a module region by region."""

    def __init__(self, module: Module, usage: Touched, *, restarts: bool) -> None:
        self.module = module
        self.usage = usage
        self.restarts = restarts
        self.network = Network()
        self.warnings: list[Diagnostic] = []
        self.taken = {*module.memories, *module.streams, *module.functions}

    def name(self, stem: str) -> str:
        """Give a name that no memory, stream or function has."""
        result, number = stem, 1
        while result in self.taken:
            number += 1
            result = f"{stem}_{number}"
        self.taken.add(result)
        return result

    def region(self, region: Region) -> None:
        """Make processes of a region's calls."""
        unbounded = self._runs_on(region)
        made: dict[Op, Process] = {}
        for position, call in enumerate(region.calls):
            # Those at the end lag behind by a run for each of those before them.
            again = region.loop is not None or unbounded
            made[call] = self._process(region, call, position + 2 if again else 1)
        processes = list(made.values())
        for call, process in made.items():
            process.sources = self._sources(call, made)
        self._tables(processes)
        self._buffers(region, processes)
        for stream in [s for s in self.module.streams.values() if s.depth]:
            self._fifo(stream, processes)
        self._start(region, made)
        if not unbounded:
            _join(region, processes)
        self.network.processes += processes

    def _runs_on(self, region: Region) -> bool:
        function = region.function
        top = function is self.module.top_function
        return self.restarts and top and len(function.blocks) == 1

    def _process(self, region: Region, call: Op, depth: int) -> Process:
        callee: Function = call.attr
        bits = sum(arg.width for arg in call.args if arg not in region.calls) or 1
        start = self._end(f"{callee.name}_go", bits, "start", call.where, writes=True)
        idle = self._end(f"{callee.name}_idle", 1, "idle", call.where)
        start.process = idle.process = callee
        return Process(callee, region.function, call.where, start, idle, depth)

    def _sources(self, call: Op, made: dict[Op, Process]) -> tuple[Result | None, ...]:
        """Make channels for the results of others that a process takes, one from each of them."""
        known: dict[Op, Result] = {}
        order = list(made)
        for arg in call.args:
            if arg in made and arg not in known:
                name = self.name(f"{arg.attr.name}_to_{call.attr.name}")
                ahead = order.index(call) - order.index(arg)
                known[arg] = Result(name, made[arg], None, ahead + 1)
                self.network.results.append(known[arg])
        return tuple(known.get(arg) for arg in call.args)

    def _result(self, call: Op, process: Process) -> Op:
        """Give the read of a result that the region's function needs itself."""
        stream = self._end(f"{call.attr.name}_result", call.width, "result", call.where)
        stream.process = call.attr
        self.network.results.append(Result(stream.name, process, stream, process.depth))
        read = Op("read", call.width, [const(1, 1)], attr=stream, where=call.where)
        read.name = call.name
        return read

    def _end(
        self, stem: str, bits: int, role: StreamRole, where: str, *, writes: bool = False
    ) -> Stream:
        made = Stream(self.name(stem), 0, 0, writes, where, bits, "inside", role=role)
        self.module.streams[made.name] = made
        return made

    def _tables(self, processes: Iterable[Process]) -> None:
        """Give each process a copy of the tables in block RAM that others read, too."""
        for process in processes:
            members = self.network.members(process)
            for memory in list(self.module.memories.values()):
                if not memory.constant or memory.kind == "lutrom":
                    continue
                users = {f for f in self.module.functions.values() if _uses(f, memory)}
                if not users & members or users <= members:
                    continue
                own = replace(memory, name=self.name(memory.name))
                self.module.memories[own.name] = own
                for function in users & members:
                    for op in function.ops():
                        if op.kind == "load" and op.attr is memory:
                            op.attr = own

    def _buffers(self, region: Region, processes: list[Process]) -> None:
        """Make ping-pong memories of those that two processes reach."""
        pairs: dict[tuple[int, int], list[Memory]] = {}
        for memory in self.module.memories.values():
            if memory.constant:
                continue
            users = [
                number
                for number, process in enumerate(processes)
                if memory in self.usage.memories[process.function]
            ]
            if len(users) > 1:
                pairs.setdefault((users[0], users[1]), []).append(memory)
        for (writer, reader), memories in pairs.items():
            stem = memories[0].array or memories[0].name
            name = self.name(f"{stem}_turn")
            ends = processes[writer], processes[reader]
            self.network.buffers.append(PingPong(name, tuple(memories), *ends))

    def _fifo(self, stream: Stream, processes: list[Process]) -> None:
        """Make a FIFO of a stream from one of some processes to another."""
        writers = [p for p in processes if stream in self.usage.writes[p.function]]
        readers = [p for p in processes if stream in self.usage.reads[p.function]]
        if not writers or (readers and readers == writers):
            return
        reader = readers[0] if readers else None
        into = self._end(f"{stream.name}_i", stream.width, "into", stream.where, writes=True)
        out = self._end(f"{stream.name}_o", stream.width, "out", stream.where)
        for process, end, kind in ((writers[0], into, "write"), (reader, out, "read")):
            for function in self.network.members(process) if process is not None else ():
                for op in function.ops():
                    if op.kind == kind and op.attr is stream:
                        op.attr = end
        del self.module.streams[stream.name]
        shape = stream.width, stream.depth, into, out
        made = Fifo(stream.name, *shape, writers[0], reader, stream.where, stream.name)
        self.network.fifos.append(made)
        if reader is None:
            what = f"stream {stream.name} is written and never read: its beats vanish"
            self.warnings.append(Diagnostic(stream.where, what))

    def need(self, stream: Stream, reasons: list[str]) -> None:
        """Refuse a stream inside that has not become a FIFO."""
        written = self.usage.first(stream, "write")
        read = self.usage.first(stream, "read")
        if not written and not read:
            del self.module.streams[stream.name]
            return
        raise InputError(
            written or read,
            f"stream {stream.name} is "
            + " and ".join(
                f"{word} at {place(where)}" if where else f"never {word}"
                for word, where in (("written", written), ("read", read))
            )
            + ", and not between two processes of a dataflow region"
            + "".join(f"; {reason}" for reason in reasons[:1]),
            "let one function write it and a later one read it, both called in a function or loop "
            "with `#pragma HLS dataflow`",
        )

    def _start(self, region: Region, made: dict[Op, Process]) -> None:
        """Replace calls by starts, and let the region's function wait where it needs a process."""
        function, home = region.function, region.home
        results: dict[Op, Op] = {}
        for block in region.blocks:
            ops: list[Op] = []
            for op in block.ops:
                for call in op.args if block is home and op not in made else ():
                    if call in made and call not in results:
                        results[call] = self._result(call, made[call])
                        ops.append(results[call])
                if op.kind in ("load", "store"):
                    ops += [
                        _wait(process)
                        for process in made.values()
                        if op.attr in self.usage.memories[process.function]
                    ]
                ops += _started(op, made) if op in made else [op]
            block.ops = ops
        for call, process in made.items():
            if call not in results and _is_used(function, call):
                results[call] = self._result(call, process)
                home.ops.append(results[call])
        ir_graph.replace(function, dict(results))


def _uses(function: Function, memory: Memory) -> bool:
    return any(op.kind in ("load", "store") and op.attr is memory for op in function.ops())


def _is_used(function: Function, value: Op) -> bool:
    for block in function.blocks:
        if block.arg is value or any(value in op.args for op in block.ops):
            return True
    return False


def _started(call: Op, made: dict[Op, Process]) -> list[Op]:
    """Give the write that starts a process with the arguments of a call, the first lowest."""
    ops: list[Op] = []
    build = Builder(ops)
    build.where = call.where
    given = [arg for arg in call.args if arg not in made]
    beat = build.concat(*given[::-1]) if given else const(1, 0)
    ops.append(Op("write", 0, [beat, const(1, 1)], attr=made[call].start, where=call.where))
    return ops


def _wait(process: Process) -> Op:
    return Op("read", 1, [const(1, 1)], attr=process.idle, where=process.where)


def _join(region: Region, processes: list[Process]) -> None:
    """Let the region's function wait for its processes where it leaves the region."""
    inside = set(region.blocks)
    outside: dict[Block, None] = {}
    for block in region.blocks:
        outside.update(dict.fromkeys(t for t in block.targets if t not in inside))
        if block.end == "ret":
            block.ops += [_wait(process) for process in processes]
    for block in outside:
        first = len(list(block.phis()))
        block.ops[first:first] = [_wait(process) for process in processes]
