# SPDX-License-Identifier: Apache-2.0
"""Computes what a pipelined loop can know one iteration ahead in the iteration before.

In `e = d + (h + k + f(e)); h = g; g = f; f = e` the sum of h and k is known long before e is, but
the registers of h, g and f all turn in the cycle in which e comes, so that no schedule can add
them earlier. Such a value becomes a phi of its own, made of what its operands will be (retiming:
Leiserson and Saxe 1991). This is done where all of an iteration does not fit into the interval.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.hls import ir, pipeline
from lydite.hls.build import Builder
from lydite.hls.delay_model import DelayModel
from lydite.hls.ir import Block, Function, Module, Op
from lydite.hls.passes import balance

DOC = "compute in pipelined loops what is known ahead one iteration earlier"

# Times that are no further apart than this are one.
_CLOSE_NS = 0.5
_MOVED = ir.BINARY | ir.COMPARES | {"mux", "slice", "concat", "zext", "sext"}


def run(module: Module, model: DelayModel, clock_ns: float) -> None:
    """Move what is known ahead, in every loop that is to be pipelined."""
    for function in module.functions.values():
        for block, wanted in pipeline.pipelined_blocks(function, module.pragmas).items():
            period_ns = clock_ns * max(1, wanted.ii)
            early = _early(block, model, period_ns)
            if early:
                _move(function, block, early)


def _early(block: Block, model: DelayModel, period_ns: float) -> list[Op]:
    """Give the operations that are known ahead and tied to what is not, in order."""
    room = period_ns - model.register_ns - model.setup_ns - model.lut_ns
    whole = balance.times(block, model, dict.fromkeys(block.phis(), 0.0))
    if max(whole.values(), default=0.0) <= room:
        return []
    carried, own_ns = balance.carried(block, model)
    ready = balance.times(block, model, carried)
    tied = {
        phi
        for phi, at in carried.items()
        if balance.floor(own_ns) < at < -_CLOSE_NS and phi.args[phi.attr.index(block)].kind == "phi"
    }
    inside = set(block.ops)
    found: dict[Op, bool] = {}
    for op in block.ops:
        fixed = op.kind == "load" and op.attr.constant
        if op.kind not in _MOVED and not fixed:
            continue
        free = all(a not in inside or a.kind == "phi" or a in found for a in op.args)
        if free and ready[op] <= 0:
            found[op] = any(found.get(arg, arg in tied) for arg in op.args)
    wiring = ("slice", "concat", "zext", "sext")
    return [op for op, is_tied in found.items() if is_tied and op.kind not in wiring]


def _move(function: Function, block: Block, early: Sequence[Op]) -> None:
    """Give a phi to each early value that something else reads."""
    chosen = set(early)
    read = {arg for op in block.ops if op not in chosen for arg in op.args}
    others = [b for b in function.blocks if b is not block]
    read |= {arg for other in others for op in other.ops for arg in op.args}
    read |= {b.arg for b in function.blocks if b.arg is not None}
    outside = [b for b in function.blocks if block in b.targets and b is not block]
    values: dict[Op, Op] = {}
    phis: list[Op] = []
    clones = {source: _Clone(block, source) for source in [*outside, block]}
    for op in early:
        if op in read:
            phi = Op("phi", op.width, attr=list(clones), name=op.name, where=op.where)
            phi.args = [clone.of(op) for clone in clones.values()]
            phis.append(phi)
            values[op] = phi
    block.ops[:0] = phis
    ir.replace(function, values)


class _Clone:
    """Computes values of a block again, with what its phis get from one of its predecessors."""

    def __init__(self, block: Block, source: Block) -> None:
        self.block = block
        self.source = source
        self.inside = set(block.ops)
        self.known: dict[Op, Op] = {}
        self.build = Builder(source.ops)

    def of(self, op: Op) -> Op:
        """Give the value that an operation would have in the iteration that the edge leads to."""
        if op not in self.inside:
            return op
        if op not in self.known:
            if op.kind == "phi":
                self.known[op] = op.args[op.attr.index(self.source)]
            else:
                args = [self.of(arg) for arg in op.args]
                self.build.where, self.build.name = op.where, op.name
                self.known[op] = self.build.make(op.kind, op.width, args, op.attr)
        return self.known[op]
