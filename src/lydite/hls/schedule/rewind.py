# SPDX-License-Identifier: Apache-2.0
"""`pipeline rewind`: a pipelined loop that does not drain between calls of its function.

Vitis HLS guide (UG1399), "pragma HLS pipeline", `rewind`: the first iteration of the next call
begins behind the last one of the call before. So the top function becomes one loop of all
iterations of all calls, that never ends, of one block:

* what stands before the loop happens in the first iteration of a call, what stands behind it in the
  last one; what has an effect there is masked by that;
* a value that begins with a constant is set to it again by the last iteration, any other is chosen
  in the first one; arguments, and what is made of them, go from iteration to iteration;
* the bit `first` says that an iteration begins a call: it waits for `ap_start`.

The same goes for a process of a dataflow region, whose runs are its calls.

So the test of the loop must be known in its own interval, and what is alive in several calls at
once is a recurrence. The loop drains, with a warning, where that would cost it its interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.diagnostics import place as shown
from lydite.hls.ir import cfg, clone
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Block, Function, Op, Rewind, Stream, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import clean, pipelining, predicate
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule.module import LoopScheduler
from lydite.hls.schedule.problem import Plan, Problem, Schedule

_OPPOSITE = {"eq": "ne", "ne": "eq"}


def apply(
    module: Module,
    model: DelayModel,
    clock_ns: float,
    loops: LoopScheduler,
    log: Diagnostics,
) -> Module:
    """Rewind the loops of the top function, or of processes, that are to be rewound and can be.

    What decides is the delay model alone: what is learnt of a function must not make another of it.

    Gives the module as it is, or a copy if anything is rewound. `log` takes the loops that were to
    be rewound and drain.
    """
    found: list[_Candidate] = []
    for function in module.callees_first():
        for loop, wanted in pipelining.wanted_loops(function, module.pragmas):
            if not wanted.rewind or not _ends(function):
                continue
            reason = _obstacle(module, function, loop)
            if reason is None:
                found.append(_Candidate(function.name, loop, wanted))
            else:
                log.add(_warn(loop, wanted, reason))
    if not found:
        return module
    drained = schedule_module.schedule_module(module, model, clock_ns, loops).functions
    least = {item.name: _interval(drained[item.name], item.loop.header.name) for item in found}

    def as_often(
        base: Problem, function: Function, asked: directives.Pipeline
    ) -> tuple[Plan, list[Diagnostic]]:
        return loops(base, function, replace(asked, ii=max(asked.ii, least.get(function.name, 0))))

    copy = clone.module(module)
    old = {item.name: list(copy.functions[item.name].blocks) for item in found}
    kept: list[_Candidate] = []
    for item in found:
        function = copy.functions[item.name]
        function.blocks = clone.blocks(function.blocks)
        header = next(b for b in function.blocks if b.name == item.loop.header.name)
        _Rewinder(function, header).run()
        reason = _fleeting(function)
        if reason is None:
            kept.append(item)
        else:
            function.blocks, function.rewind = old[item.name], None
            log.add(_warn(item.loop, item.wanted, reason))
    made = schedule_module.schedule_module(copy, model, clock_ns, as_often).functions
    for item in list(kept):
        function, plan = copy.functions[item.name], made[item.name]
        if _interval(plan, function.blocks[0].name) > least[item.name]:
            why = "; ".join(note.what.removeprefix("pipeline: ") for note in plan.warnings)
            reason = f"rewound, it has a longer interval: {why}"
            function.blocks, function.rewind = old[item.name], None
            log.add(_warn(item.loop, item.wanted, reason))
            kept.remove(item)
    return copy if kept else module


def _interval(schedule: Schedule, block: str) -> int:
    """Give the cycles from one iteration to the next; the schedule may be of a copy."""
    return next(plan.ii or 1 for at, plan in schedule.plans.items() if at.name == block)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A loop that may be all that its function is."""

    name: str
    loop: Loop
    wanted: directives.Pipeline


def _warn(loop: Loop, wanted: directives.Pipeline, why: str) -> Diagnostic:
    at = shown(pipelining.place(loop))
    return Diagnostic(wanted.where, f"pipeline: the loop at {at} drains, rewind is not had: {why}")


def _ends(function: Function) -> bool:
    """Whether a function returns: one that does not has nothing to begin again."""
    return any(block.end == "ret" for block in cfg.reverse_postorder(function))


def _obstacle(module: Module, function: Function, loop: Loop) -> str | None:
    """Give the reason why a loop cannot be all that the top function is; None if it can."""
    if (reason := _no_caller(module, function)) is not None:
        return reason
    if pipelining.obstacle(function, loop) is not None or loop.blocks != [loop.header]:
        return "it is not pipelined"
    for other in cfg.find_loops(function):
        if other.header is not loop.header:
            at = shown(pipelining.place(other))
            around = "around" if loop.header in other.blocks else "beside"
            return f"the loop at {at} is {around} it"
    for block in function.blocks:
        for op in block.ops:
            if pipelining.variable_latency(op):
                what = f"calls {op.attr.name}" if op.kind == "call" else "divides"
                return f"the function {what} beside it ({shown(op.where)})"
    return None


def _no_caller(module: Module, function: Function) -> str | None:
    """Give the reason why a function is not called as the top one is; None if it is.

    What a process is given or gives with its start and its end goes with one run at a time.
    """
    network = module.network
    found = network.processes if network is not None else []
    if any(item.region is function for item in found):
        return f"{function.name} has a dataflow region"
    if function is module.top_function:
        return None
    process = next((item for item in found if item.function is function), None)
    if network is None or process is None:
        return f"{function.name}, which it is in, is neither the top function nor a process"
    for buffer in network.buffers:
        if process in (buffer.writer, buffer.reader):
            label = buffer.memories[0].array or buffer.memories[0].name
            return f"{function.name} has a copy of {label} for each run"
    if any(item.producer is process for item in network.results):
        return f"{function.name} gives a result to another process, or to the region"
    return None


def _fleeting(function: Function) -> str | None:
    """Find what must be read first, or given last, in an iteration, and may not be so."""
    assert function.rewind is not None
    seen: set[Stream] = set()
    for op in function.ops():
        late = op.kind == "write" and not pipelining.is_valid_said(op.attr)
        if not late and not pipelining.is_taken_at_start(op):
            continue
        if not late and op.args[-1] not in (const(1, 1), function.rewind.first):
            return (
                f"{op.attr.name}, which nobody holds, is read under a condition ({shown(op.where)})"
            )
        if op.attr in seen:
            return f"{op.attr.name}, which has no handshake, is accessed at several places"
        seen.add(op.attr)
    return None


class _Rewinder:
    """Makes one endless loop of one block of a function with one loop of one block."""

    def __init__(self, function: Function, loop: Block) -> None:
        self.function = function
        self.loop = loop
        self.last = predicate.one_return(function)
        self.begin = Block("begin", end="jump")
        self.head = Block(loop.name, end="branch", where=loop.where, pragmas=loop.pragmas)
        self.head.loop = loop.loop
        self.first = Op("phi", 1, name="first", where=loop.where)
        self.carried: dict[Op, Op] = {}
        self.resets: list[Op] = []

    def run(self) -> None:
        """Change the function, in place."""
        function, loop, head = self.function, self.loop, self.head
        entry = function.blocks[0]
        last = self.last
        before = self._before(entry)
        mark = _marker(last, self.first)
        last.ops.append(mark)
        # All ways round lead to the head: from the loop to the next iteration, or from the end.
        self.first.args = [const(1, 1), const(1, 0), const(1, 1)]
        self.first.attr = [self.begin, loop, last]
        self.begin.targets = [head]
        head.arg, head.targets = self.first, [entry, loop]
        self._loop_phis()
        self._carry(before)
        head.ops.insert(0, self.first)
        loop.targets = [head if target is loop else target for target in loop.targets]
        loop.pragmas = ()
        last.end, last.arg, last.targets = "jump", None, [head]
        function.blocks = [self.begin, head, *function.blocks]
        latches = [block for block in function.blocks if head in block.targets][1:]
        predicate.convert(function, Loop(head, function.blocks[1:], latches))
        self.first.args = [const(1, 1), mark.args[-1]]
        clean.clean(function)
        self._finish(mark)

    def _before(self, entry: Block) -> list[Block]:
        """Give the blocks that a call comes through before the loop, or past it."""
        behind: set[Block] = set()
        pending = [self.loop]
        while pending:
            block = pending.pop()
            if block not in behind:
                behind.add(block)
                pending += block.targets
        return [b for b in cfg.reverse_postorder(self.function) if b not in behind]

    def _phi(self, like: Op, start: Op, back: Op, again: Op) -> Op:
        """Make a phi in the head, from its start, the loop, and a call's end."""
        phi = Op("phi", like.width, [start, back, again], name=like.name, where=like.where)
        phi.attr = [self.begin, self.loop, self.last]
        self.head.ops.append(phi)
        return phi

    def _loop_phis(self) -> None:
        """Take the loop's own values from the iteration before, or from before the loop."""
        loop = self.loop
        values: dict[Op, Op] = {}
        for phi in list(loop.phis()):
            ways = dict(zip(phi.attr, phi.args, strict=True))
            back = ways.pop(loop)
            starts = list(dict.fromkeys(ways.values()))
            if len(starts) == 1 and starts[0].kind == "const":
                made = self._phi(phi, starts[0], back, starts[0])
                values[phi] = made
                self.resets.append(made)
                loop.ops.remove(phi)
            else:
                made = self._phi(phi, const(phi.width, 0), back, back)
                phi.args = [*ways.values(), made]
                phi.attr = [*ways, self.head]
        ir_graph.replace(self.function, values)
        for phi in self.head.phis():
            phi.args = [values.get(arg, arg) for arg in phi.args]

    def _carry(self, before: Sequence[Block]) -> None:
        """Let what is made before the loop, and read in it or behind it, go on in iterations."""
        inside = set(before)
        made = {op for block in before for op in block.ops if op.width}
        made |= set(self.function.params)
        home = {op: block for block in before for op in block.ops}
        readers = [block for block in self.function.blocks if block not in inside]
        build = Builder([])

        def carried(value: Op) -> Op:
            if value not in made:
                return value
            if value not in self.carried:
                build.name, build.where = value.name, value.where
                if value.kind in ir_graph.WIRES:
                    # Wiring is put together again from what goes on.
                    args = [carried(arg) for arg in value.args]
                    build.ops = home[value].ops
                    self.carried[value] = build.make(value.kind, value.width, args, value.attr)
                else:
                    phi = self._phi(value, const(value.width, 0), value, value)
                    build.ops = home[value].ops if value in home else before[0].ops
                    chosen = build.mux(self.first, value, phi)
                    phi.args[1:] = [chosen, chosen]
                    self.carried[value] = chosen
            return self.carried[value]

        for block in readers:
            for op in block.ops:
                for index, arg in enumerate(op.args):
                    # What a phi has from before is there in the first iteration.
                    if op.kind != "phi" or op.attr[index] not in inside:
                        op.args[index] = carried(arg)
            if block.arg is not None:
                block.arg = carried(block.arg)
        for phi in list(self.head.phis()):
            phi.args = [carried(arg) for arg in phi.args]

    def _finish(self, mark: Op) -> None:
        """Leave the one block, with what begins and ends calls."""
        function, head = self.function, self.head
        assert function.blocks == [self.begin, head], f"{function.name} is not one block"
        head.ops.remove(mark)
        value, first, last = mark.args
        function.blocks = [head]
        head.arg = value if function.width else None
        _ask_last(head, last)
        clean.drop_dead(function, (first, last))
        kept = [first, *self.resets] if first.kind == "phi" else self.resets
        inside = set(head.phis())
        function.rewind = Rewind(first, last, tuple(phi for phi in kept if phi in inside))


def _ask_last(head: Block, last: Op) -> None:
    """Let what asks whether an iteration is not the last one ask whether it is: one bit."""
    if last.kind not in _OPPOSITE:
        return
    twin = (_OPPOSITE[last.kind], last.args)
    places = [number for number, op in enumerate(head.ops) if (op.kind, op.args) == twin]
    if not places:
        return
    at = head.ops.index(last)
    if at > places[0]:
        head.ops.insert(places[0], head.ops.pop(at))
    for op in head.ops:
        if op.kind == "mux" and (op.args[0].kind, op.args[0].args) == twin:
            op.args = [last, op.args[2], op.args[1]]


def _marker(last: Block, first: Op) -> Op:
    """Give a stand-in for the end of a call, of which the passes keep value and condition."""
    value = last.arg if last.arg is not None else const(1, 0)
    end = Stream("end of a call", 0, bits=value.width, writes=True)
    return Op("write", 0, [value, first, const(1, 1)], attr=end, where=last.where)
