# SPDX-License-Identifier: Apache-2.0
"""Takes what a pipelined loop carries past choices: `c ? a ^ b : a` becomes `a ^ (c ? b : 0)`.

Both are one look-up table a bit. But in the second form the way from `a`, which closes the loop's
recurrence, has one operation, and the choice stands beside it. LLVM prefers the first form.
"""

from __future__ import annotations

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Block, Function, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining
from lydite.hls.passes.context import Context

DOC = "take what pipelined loops carry past choices of whether to add to it"
# Operations that have 0 as a neutral operand on either side.
_KINDS = frozenset(("xor", "or", "add"))
_TIMED = (
    ir_graph.BINARY
    | ir_graph.SHIFTS
    | ir_graph.COMPARES
    | {"mux", "slice", "concat", "zext", "sext"}
)


def run(module: Module, context: Context) -> None:
    """Change the blocks that are to be pipelined.

    The condition comes later by the operation, so it must be there in half a clock period.
    """
    for function in module.functions.values():
        for block in pipelining.pipelined_blocks(function, module.pragmas):
            latest_ns = context.period_ns(function, module) / 2
            _block(function, block, context.model, latest_ns)


def _block(function: Function, block: Block, model: DelayModel, latest_ns: float) -> None:
    uses = ir_graph.uses(function)
    level: dict[Op, float] = {}
    carried: set[Op] = set(block.phis())
    ops: list[Op] = []
    values: dict[Op, Op] = {}
    for op in block.ops:
        if op.kind != "phi":
            before = max((level.get(arg, 0.0) for arg in op.args), default=0.0)
            steady = op.kind in _TIMED
            level[op] = before + (model.delay_ns(op) if steady else 0.0)
            if any(arg in carried for arg in op.args):
                carried.add(op)
        pair = _kept(op, uses) if op.kind == "mux" else None
        if pair is None or level.get(op.args[0], 0.0) > latest_ns or pair[0] not in carried:
            ops.append(op)
            continue
        kept, joined, swapped = pair
        build = Builder(ops)
        build.where, build.name = op.where, op.name
        other = joined.args[1] if joined.args[0] is kept else joined.args[0]
        zero = const(op.width, 0)
        chosen = build.mux(op.args[0], *((zero, other) if swapped else (other, zero)))
        made = build.binary(joined.kind, kept, chosen)
        values[op] = made
        level[chosen], level[made] = level.get(op.args[0], 0.0), level[op]
        carried.add(made)
    block.ops = ops
    ir_graph.replace(function, values)


def _kept(op: Op, uses: dict[Op, int]) -> tuple[Op, Op, bool] | None:
    """Give what a choice takes in both cases, the operation in one of them, and whether if not."""
    _, yes, no = op.args
    for joined, kept, swapped in ((yes, no, False), (no, yes, True)):
        if joined.kind in _KINDS and kept in joined.args and uses.get(joined) == 1:
            return kept, joined, swapped
    return None
