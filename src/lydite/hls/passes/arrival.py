# SPDX-License-Identifier: Apache-2.0
"""When the values of a block are there, in a pipelined loop as many periods early as is known.

What an iteration gets from earlier ones is there early by the time that lies between; what comes
from outside, or from a stream, is there as early as one likes. A phi that follows from others takes
its value in the cycle of the latest of them at the earliest: what is made of it is early only if
`loop_retiming` can compute it in the iteration before, which it cannot where streams or memories
take part.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Block, Op

# What can be computed in another iteration than its own, beside reads of constant tables.
_MOVED = ir_graph.BINARY | ir_graph.COMPARES | {"mux", "slice", "concat", "zext", "sext"}
_TIMELESS = frozenset(("store", "phi", "call", "divmod", "read", "write"))
# Rounds after which the times of values that are carried around a loop are taken as they are; how
# many iterations ahead is as early as one likes; how exact the time of an iteration is.
_ROUNDS = 12
_FLOOR = 5
_STEP_NS = 0.1


class Arrival:
    """Times in ns; `enter` each operation after its operands.

    Parameters
    ----------
    at : mapping, optional
        Times of a loop's phis.
    held : mapping, optional
        Times before which they are in no register.
    others_ns : float
        Time of what is not computed in the block.
    moved : set, optional
        All that is computed in the iteration before; by default what can be.

    Attributes
    ----------
    at : dict
        Time of each value known.
    held : dict
        Time of those that hang on phis, if they are not computed in the iteration before.
    """

    def __init__(
        self,
        model: DelayModel,
        at: Mapping[Op, float] | None = None,
        held: Mapping[Op, float] | None = None,
        others_ns: float = 0.0,
        moved: Container[Op] | None = None,
    ) -> None:
        self.model = model
        self.moved = moved
        self.at = dict(at or {})
        self.held = dict(held or {})
        self.others_ns = others_ns
        self._fixed: set[Op] = set()

    def __getitem__(self, op: Op) -> float:
        return self.at.get(op, self.others_ns)

    def enter(self, op: Op, args: Iterable[Op]) -> None:
        """Take in an operation with its operands as they are now."""
        known = [arg for arg in args if arg.kind != "const"]
        held = max([self.held[arg] for arg in known if arg in self.held], default=-math.inf)
        if not is_moved(op) or not self._fixed.isdisjoint(known):
            self._fixed.add(op)
        if op.kind in _TIMELESS:
            return
        start = max([self[arg] for arg in known], default=self.others_ns)
        if held > -math.inf:
            self.held[op] = held
            stays = (
                self.moved is not None and op not in self.moved and op.kind not in ir_graph.WIRES
            )
            start = max(start, held) if stays or op in self._fixed else start
        self.at[op] = start + delay_ns(op, self.model)

    def enter_all(self, block: Block) -> None:
        """Take in all operations of a block as they stand."""
        for op in block.ops:
            if op.kind != "phi":
                self.enter(op, op.args)


def delay_ns(op: Op, model: DelayModel) -> float:
    """Give the time that an operation takes."""
    return model.bram_read_ns if op.kind == "load" else model.delay_ns(op)


def is_moved(op: Op) -> bool:
    """Whether an operation can be computed an iteration earlier, if its operands can."""
    return op.kind in _MOVED or (op.kind == "load" and op.attr.constant)


def carried(block: Block, model: DelayModel) -> tuple[Arrival, float]:
    """Give the times of a pipelined loop's phis, and the time of an iteration.

    That time is what the slowest recurrence needs, whose phis are there at 0. Others are there
    earlier, down to a floor for what is known as early as one likes, like counters.
    """
    loop = _Loop(block, model)
    low, high = 0.0, loop.longest_ns() + 1.0
    while high - low > _STEP_NS:
        middle = (low + high) / 2
        if max(loop.settle(middle).values(), default=0.0) > 0:
            low = middle
        else:
            high = middle
    phis = loop.settle(high)
    return Arrival(model, phis, loop.held(phis), floor(high)), high


# An operation, its operands, its time, and whether it waits for registers.
Step = tuple[Op, list[Op], float, bool]


class _Loop:
    """What takes time in a loop's iteration, put down once for many walks."""

    def __init__(self, block: Block, model: DelayModel) -> None:
        self.backs = {phi: phi.args[phi.attr.index(block)] for phi in block.phis()}
        self.steps: list[Step] = []
        phis = dict.fromkeys(self.backs, 0.0)
        probe = Arrival(model, phis, phis)
        read: dict[Op, set[Op]] = {phi: {phi} for phi in phis}
        for op in block.ops:
            if op.kind == "phi":
                continue
            probe.enter(op, op.args)
            args = [arg for arg in op.args if arg.kind != "const"]
            read[op] = set[Op]().union(*[read.get(arg, ()) for arg in args])
            if op in probe.at:
                late = op in probe._fixed and op in probe.held
                self.steps.append((op, args, delay_ns(op, model), late))
        # What goes into no phi has no part in a recurrence.
        carried = set(self.backs.values())
        for op, args, _, _ in reversed(self.steps):
            if op in carried:
                carried.update(args)
        self.core = [step for step in self.steps if step[0] in carried]
        self.sources = _reached({phi: read.get(back, set()) for phi, back in self.backs.items()})

    def held(self, phis: Mapping[Op, float]) -> dict[Op, float]:
        """Give the time before which each phi is in no register."""
        return {phi: max(phis[other] for other in self.sources[phi]) for phi in phis}

    def longest_ns(self) -> float:
        """Give the time of the longest chain, if all is there at 0."""
        return max(self._walk(self.steps, {}, 0.0).values(), default=0.0)

    def _walk(
        self, steps: Sequence[Step], phis: Mapping[Op, float], others_ns: float
    ) -> dict[Op, float]:
        """Give the times of values, by those of the phis and of all else."""
        at = dict(phis)
        held = self.held(phis) if phis else {}
        for op, args, delay, late in steps:
            start = max([at.get(arg, others_ns) for arg in args], default=others_ns)
            if late and held:
                start = max([start, *[held[arg] for arg in args if arg in held]])
            at[op] = start + delay
            known = [held[arg] for arg in args if arg in held]
            if known:
                held[op] = max(known)
        return at

    def settle(self, period_ns: float) -> dict[Op, float]:
        """Let phis take the times of their sources, a period earlier, for some rounds."""
        result = dict.fromkeys(self.backs, 0.0)
        for _ in range(_ROUNDS):
            ready = self._walk(self.core, result, floor(period_ns))
            for phi, back in self.backs.items():
                at = ready.get(back, -math.inf) - period_ns
                result[phi] = max(at, floor(period_ns))
        return result


def _reached(reads: Mapping[Op, set[Op]]) -> dict[Op, set[Op]]:
    """Give for each phi all that it follows from, itself included."""
    result: dict[Op, set[Op]] = {}
    for phi in reads:
        found = {phi}
        pending = [phi]
        while pending:
            for other in reads[pending.pop()]:
                if other not in found:
                    found.add(other)
                    pending.append(other)
        result[phi] = found
    return result


def floor(period_ns: float) -> float:
    """Give the time of what is known as early as one likes."""
    return -_FLOOR * period_ns
