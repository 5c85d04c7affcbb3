# SPDX-License-Identifier: Apache-2.0
"""Distances between accesses: never more than what a loop does, and that if all is known."""

from __future__ import annotations

import random

import pytest

from lydite.hls.ir.builder import Builder
from lydite.hls.ir.dependence import Dependence
from lydite.hls.ir.fold import evaluate
from lydite.hls.ir.graph import Block, Memory, Op, const

TRIPS = 40


def random_loop(rng: random.Random, *, known: bool) -> tuple[Block, list[Op], list[Op]]:
    """Give a loop of one block, two indices in it, and the values that it gets from outside."""
    width = rng.choice((4, 6, 9))
    before, block = Block("before"), Block("loop")
    outside = [Op("param", width, attr=n) for n in range(2)]
    phis = []
    for number in range(rng.randint(1, 3)):
        start = const(width, rng.getrandbits(width))
        if not known and rng.random() < 0.5:
            start = rng.choice(outside)
        phis.append(Op("phi", width, [start], attr=[before, block], name=f"i{number}"))
    block.ops += phis
    build = Builder(block.ops)
    values = [*phis, *outside] if not known else list(phis)

    def expression(depth: int) -> Op:
        if depth == 0 or rng.random() < 0.2:
            return rng.choice(values)
        kind = rng.choice(("add", "add", "add", "sub", "mul", "shift", "low", "xor", "high"))
        one = expression(depth - 1)
        if kind in ("add", "sub"):
            two = expression(depth - 1) if rng.random() < 0.5 else const(width, rng.getrandbits(3))
            return build.binary(kind, one, two)
        if kind == "mul":
            return build.binary(kind, one, const(width, rng.choice((2, 3, 4, 5))))
        if kind == "shift":
            return build.shift("shl", one, const(3, rng.randint(1, 2)))
        if kind == "low":
            return build.resize(build.slice(one, 0, width - 2), width, signed=rng.random() < 0.5)
        if kind == "high":
            low = rng.randint(1, 2)
            return build.resize(build.slice(one, low, width - low), width)
        return build.binary("xor", one, const(width, rng.getrandbits(width)))

    for phi in phis:
        back = expression(1) if rng.random() < 0.3 else None
        step = const(width, rng.choice((1, 1, 2, 3, 4, -1)))
        phi.args.append(back if back is not None else build.binary("add", phi, step))
    indices = []
    memory = Memory("m", 8, 1 << width)
    for _ in range(2):
        index = expression(rng.randint(0, 3))
        if indices and rng.random() < 0.6:
            index = build.binary("add", indices[0], const(width, rng.randrange(1, 8)))
        elif rng.random() < 0.2:
            index = build.concat(build.slice(index, 0, 2), build.slice(expression(2), 0, width - 2))
        indices.append(index)
        block.ops.append(Op("load", 8, [index], attr=memory))
    count = Op("phi", 8, [const(8, 0)], attr=[before, block])
    block.ops.insert(0, count)
    count.args.append(build.binary("add", count, const(8, 1)))
    limit = const(8, TRIPS) if known else Op("param", 8, attr=2)
    if not known:
        outside.append(limit)
    block.end, block.arg = "branch", build.compare("ne", count.args[1], limit)
    block.targets = [block, Block("after")]
    return block, indices, outside


def run(block: Block, indices: list[Op], given: dict[Op, int]) -> list[tuple[int, ...]]:
    """Give what the indices are in each iteration."""
    phis = list(block.phis())
    values = dict(given)

    def value(op: Op) -> int:
        return op.attr if op.kind == "const" else values[op]

    values.update({phi: value(phi.args[0]) for phi in phis})
    result = []
    for _ in range(TRIPS):
        for op in block.ops:
            if op.kind not in ("phi", "load"):
                args = [value(arg) for arg in op.args]
                values[op] = evaluate(op.kind, op.width, args, [a.width for a in op.args], op.attr)
        result.append(tuple(value(index) for index in indices))
        values.update(zip(phis, [value(phi.args[1]) for phi in phis], strict=True))
    return result


@pytest.mark.parametrize("known", [True, False])
def test_distance_is_never_more_than_what_happens(known: bool) -> None:
    told = exact = 0
    for seed in range(500):
        rng = random.Random(f"{known} {seed}")
        block, indices, outside = random_loop(rng, known=known)
        answers = Dependence(block)
        for at_least in (0, 1):
            found = answers.least(indices[0], indices[1], at_least)
            happened: int | None = None
            for _ in range(1 if known else 6):
                given = {op: rng.getrandbits(op.width) for op in outside}
                rows = run(block, indices, given)
                for i in range(TRIPS):
                    for j in range(i + at_least, TRIPS):
                        if rows[i][0] == rows[j][1]:
                            happened = min(j - i, TRIPS if happened is None else happened)
            if happened is not None:
                assert found is not None and found <= happened, f"seed {seed}"
            told += found != at_least
            exact += found == happened
    assert told > 100, "too few loops are told apart to say anything"
    if known:
        assert exact == 1000


def test_accesses_that_do_nothing_do_not_count() -> None:
    told = 0
    for seed in range(300):
        rng = random.Random(f"banks {seed}")
        block, indices, _ = random_loop(rng, known=True)
        index_phi = next(op for op in block.ops if op.kind == "phi" and op.width == 8)
        build = Builder(block.ops)
        bits = [build.slice(index_phi, rng.randrange(3), 1) for _ in range(3)]
        rows = run(block, [indices[0], indices[1], *bits], {})
        memory = next(op.attr for op in block.ops if op.kind == "load")
        store = Op("store", 0, [indices[0], const(8, 1), bits[0]], attr=memory)
        load = Op("load", 8, [indices[1]], attr=memory)
        block.ops += [store, load]
        inner = Op("mux", 8, [bits[1], load, const(8, 3)])
        outer = Op("mux", 8, [bits[2], const(8, 4), inner])
        user = Op("store", 0, [const(memory.index_width, 0), outer, const(1, 1)], attr=memory)
        block.ops += [inner, outer, user]
        kept = rng.choice([(), (), (load,), (inner,)])
        needed = {(): 3, (load,): 1, (inner,): 2}[kept]
        stores = [i for i, row in enumerate(rows) if row[2]]
        loads = [
            i
            for i, row in enumerate(rows)
            if needed == 1 or (row[3] and (needed == 2 or not row[4]))
        ]
        pairs = [j - i for i in stores for j in loads if j > i and rows[i][0] == rows[j][1]]
        answers = Dependence(block, kept)
        assert answers.between(store, load, 1) == min(pairs, default=None), f"seed {seed}"
        told += answers.least(indices[0], indices[1], 1) != min(pairs, default=None)
    assert told > 30
