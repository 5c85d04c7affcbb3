# SPDX-License-Identifier: Apache-2.0
"""Decides what a pipelined loop is made of: valid bits, and copies of values that live long.

A value that is read after the cycle of its wire is in a row of copies: each lasts `ii` cycles,
until the next iteration's value comes, and hands over to the next copy. A phi's register takes the
next value at the time of its `move`; before that it is the phi itself, after it the phi is in
copies. A phi with a bypass may be in the register of the memory that answers it, and its own then
has the first value alone. What is read after the loop is kept in a register that only valid
iterations write.

The arguments of a pipelined function are on its ports in the first cycle of a call, and in copies
after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Set

from lydite.hls.bind.binding import Binding, Pipe
from lydite.hls.ir.graph import REBUILT, Function, Op
from lydite.hls.schedule import modulo_problem, multipliers
from lydite.hls.schedule.problem import returns_at_once

# They read parts of an operand, which then needs a name.
_NAMES = frozenset(("slice", "sext", "store"))


def keep(pipe: Pipe, function: Function, stable: Set[Op], shared: Container[Op] = ()) -> None:
    """Find the copies that are needed.

    Products with a shared multiplier take factors without their extension.
    """
    inside = set(pipe.values)
    last_read: dict[Op, int] = {}
    # What is read after the loop is in a register, which is then read in the loop, too.
    named = {v for v in pipe.outs if v.kind in REBUILT and _read_late(pipe, v, function)}

    def use(value: Op, time: int, *, name: bool) -> None:
        if value not in inside or value in stable:
            return
        count = pipe.copy(value, time)
        if value in pipe.bypassed:
            last_read[value] = max(last_read.get(value, 0), time)
        if pipe.passes_by(value, time):
            pipe.bypasses.setdefault(value, time)
        if count == 0:
            return
        if value.kind in REBUILT and not name and value not in named:
            for arg in value.args:
                use(arg, time, name=value.kind == "sext")
            return
        if value.kind in REBUILT:
            named.add(value)
        pipe.copies[value] = max(pipe.copies.get(value, 0), count)

    def walk() -> None:
        pipe.copies.clear()
        for state in pipe.times:
            for op in state.ops:
                for arg in op.args:
                    value = multipliers.factor(arg)[0] if op in shared else arg
                    use(value, state.time, name=op.kind in _NAMES)
        for phi, time in pipe.moves.items():
            use(phi.args[phi.attr.index(pipe.block)], time, name=False)
        for value, time in pipe.outs.items():
            use(value, time, name=True)
        if pipe.decide is not None and pipe.block.arg is not None:
            use(pipe.block.arg, pipe.decide, name=True)
        for value in pipe.results:
            use(value, pipe.depth - 1, name=False)

    before = -1
    while before != len(named):
        before = len(named)
        walk()
    pipe.bypasses = {phi: last_read[phi] for phi in pipe.bypasses}
    for phi, time in pipe.moves.items():
        value = phi.args[phi.attr.index(pipe.block)]
        rebuilt = value.kind in REBUILT and value not in pipe.copies
        shares = value.kind != "phi" and value in inside and not rebuilt
        shares = shares and pipe.ready[value] == time
        if shares and value not in stable and pipe.outs.get(value, time) == time:
            pipe.in_phi.setdefault(value, phi)
    for value, time in pipe.outs.items():
        if value in stable or value in pipe.in_phi or not _read_late(pipe, value, function):
            continue
        if value.kind != "phi" and pipe.ready[value] == time:
            pipe.gated.add(value)
            pipe.copies.setdefault(value, 1)
        else:
            pipe.kept.append(value)


def hold(binding: Binding, pipe: Pipe) -> None:
    """Find the phis that need no register: the memory's own has them as long as they are read.

    So it is if the loads that a phi is made of are all in the cycle before its move and have their
    ports to themselves, in this loop: until the next iteration's loads nothing changes what they
    have answered.
    Of memories outside of the design that is not known.
    """
    problem = binding.schedule.problems[pipe.block]
    inside = set(pipe.block.ops)
    users = Counter((op.attr, port) for op, port in binding.port.items() if op in inside)
    for phi in pipe.block.phis():
        time = pipe.moves[phi] - 1
        if pipe.bypasses.get(phi, time + 1) > time or phi in pipe.outs:
            continue
        loads = modulo_problem.answers(problem, phi)
        shared = [value for value, other in pipe.in_phi.items() if other is phi]
        alone = all(
            pipe.plan.state[load] == time
            and not load.attr.port
            and users[load.attr, binding.port[load]] == 1
            and sum(load.attr in touched for touched in problem.footprint.values()) <= 1
            for load in loads
        )
        if alone and not any(value in pipe.copies or value in pipe.outs for value in shared):
            pipe.held[phi] = time
            for value in shared:
                del pipe.in_phi[value]


def _read_late(pipe: Pipe, value: Op, function: Function) -> bool:
    """Whether a value is read after the cycle in which the loop is left."""
    predecessors = function.predecessors()
    for block in function.blocks:
        if block is pipe.block:
            continue
        if any(value in op.args for op in block.ops if op.kind != "phi"):
            return True
        if block.arg is value:
            # What only returns does so in the cycle in which the loop is left.
            at_once = returns_at_once(block) and predecessors[block] == [pipe.block]
            if not at_once or pipe.outs[value] < pipe.depth - 1:
                return True
        for phi in block.phis():
            for arg, source in zip(phi.args, phi.attr, strict=True):
                if arg is value and (source is not pipe.block or pipe.outs[value] < pipe.depth - 1):
                    return True
    return False
