# SPDX-License-Identifier: Apache-2.0
"""What is known where control comes to a phi: bounds of counters, and that nothing is outside."""

from __future__ import annotations

import itertools
import random

import pytest
from ranges import ranges_of

from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.fold import evaluate, signed
from lydite.hls.ir.graph import Block, Function, Op, const
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.module import Module
from lydite.hls.ir.signed_ranges import SignedRanges, whole

WIDTH = 5
COMPARES = ("eq", "ne", "ult", "ule", "slt", "sle")
# What an entry does, the step, the test at the end, and the range of the counter; %3 is a bound of
# 4 to 15, %4 one of 0 to 15, %0 one of all numbers.
LOOPS = {
    "up to a constant": ("jump loop", "32'0x0", "32'0x1", "eq %7 32'0x11", (0, 16)),
    "in steps that meet it": ("jump loop", "32'0x1", "32'0x5", "eq %7 32'0x10", (1, 11)),
    "in steps that miss it": ("jump loop", "32'0x1", "32'0x5", "eq %7 32'0x11", None),
    "from above": ("jump loop", "32'0x12", "32'0x1", "eq %7 32'0x11", None),
    "from where it ends": ("jump loop", "32'0x11", "32'0x1", "eq %7 32'0x11", None),
    "tested before the step": ("jump loop", "32'0x0", "32'0x1", "eq %6 32'0x11", (0, 17)),
    "tested where it starts": ("jump loop", "32'0x11", "32'0x1", "eq %6 32'0x11", (17, 17)),
    "down to a constant": ("jump loop", "32'0x9", "32'0xffffffff", "eq %7 32'0x0", (1, 9)),
    "down past it": ("jump loop", "32'0x9", "32'0xffffffff", "eq %7 32'0xa", None),
    "below": ("jump loop", "32'0x0", "32'0x2", "ule 32'0xfe %6", (0, 255)),
    "up to a bound above": ("jump loop", "32'0x1", "32'0x1", "eq %7 %3", (1, 14)),
    "up to one that may be 0": ("jump loop", "32'0x0", "32'0x1", "eq %7 %4", None),
    "up to one that is not": ("branch %5 loop done", "32'0x0", "32'0x1", "eq %7 %4", (0, 14)),
    "up to any": ("branch %5 loop done", "32'0x0", "32'0x1", "eq %7 %0", None),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_counter_ends_at_its_bound(name: str) -> None:
    entry, start, step, test, between = LOOPS[name]
    phis = f"[{start} entry] [%7 loop]"
    done = "" if entry.startswith("jump") else f"[{start} entry] "
    named, ranges = ranges_of(f"""\
module @f
function @f(%0:32 "x", %1:4 "y") : 32 {{
entry:
  %2:4 = or %1 4'0x4
  %3:32 = zext %2
  %4:32 = zext %1
  %5:1 = ne %1 4'0x0
  {entry}
loop:
  %6:32 "i" = phi {phis}
  %7:32 = add %6 {step}
  %8:1 = {test}
  branch %8 done loop
done:
  %9:32 = phi {done}[%6 loop]
  ret %9
}}
""")
    assert ranges.of(named["i"]) == (between or whole(32))


def test_all_ways_to_a_block_say_it() -> None:
    """LLVM leaves the test of a loop on each of two ways round; one of them alone says nothing."""
    text = """\
module @f
function @f(%0:1 "x", %1:1 "y") : 32 {
entry:
  jump loop
loop:
  %2:32 "i" = phi [32'0x0 entry] [%6 latch]
  branch %0 left right
left:
  %3:1 = ult %2 32'0x64
  branch %3 latch done
right:
  %4:1 = ult %2 32'0x64
  %5:1 = and %1 %4
  branch TEST latch done
latch:
  %6:32 = add %2 32'0x4
  jump loop
done:
  ret %2
}
"""
    named, ranges = ranges_of(text.replace("TEST", "%5"))
    assert ranges.of(named["i"]) == (0, 103)
    named, ranges = ranges_of(text.replace("TEST", "%1"))
    assert ranges.of(named["i"]).width == 32


def test_a_branch_with_one_way_says_nothing() -> None:
    named, ranges = ranges_of("""\
module @f
function @f(%0:32 "x") : 32 {
entry:
  %1:1 = ult %0 32'0x8
  branch %1 done done
done:
  %2:32 "value" = phi [%0 entry]
  ret %2
}
""")
    assert ranges.of(named["value"]) == whole(32)


def test_a_bound_that_changes_is_none() -> None:
    named, ranges = ranges_of("""\
module @f
function @f(%0:4 "x") : 32 {
entry:
  %1:32 = zext %0
  %6:32 = or %1 32'0x4
  jump loop
loop:
  %2:32 "i" = phi [32'0x0 entry] [%4 loop]
  %3:32 = phi [32'0x5 entry] [%6 loop]
  %4:32 = add %2 32'0x1
  %5:1 = eq %4 %3
  branch %5 done loop
done:
  ret %2
}
""")
    assert ranges.of(named["i"]) == whole(32)


def test_a_test_that_is_left_out_in_some_rounds_is_none() -> None:
    named, ranges = ranges_of("""\
module @f
function @f(%0:1 "x") : 32 {
entry:
  jump loop
loop:
  %1:32 "i" = phi [32'0x0 entry] [%2 latch]
  %2:32 = add %1 32'0x1
  branch %0 asks latch
asks:
  %3:1 = eq %2 32'0x8
  branch %3 done latch
latch:
  jump loop
done:
  ret %1
}
""")
    assert ranges.of(named["i"]) == whole(32)


def test_a_choice_is_cut_by_all_that_it_asks_and_by_upper_bits() -> None:
    """As a sampler has it: `if (x < q && count < 256) count++`."""
    named, ranges = ranges_of("""\
module @f
function @f(%0:32 "x") : 32 {
entry:
  jump loop
loop:
  %1:32 "count" = phi [32'0x0 entry] [%6 loop]
  %2:1 = ult %0 32'0x11
  %3:24 = slice %1 from 8
  %4:1 = eq %3 24'0x0
  %5:1 = and %2 %4
  %7:32 = add %1 32'0x1
  %6:32 = mux %5 %7 %1
  branch %2 loop done
done:
  ret %1
}
""")
    assert ranges.of(named["count"]).width == 9


# Programs of counters, branches and bounds of all kinds, on all numbers.


class Maker:
    """Makes one."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.function = Function(
            "f", [Op("param", 3, attr=0, name="a"), Op("param", WIDTH, attr=1, name="b")], WIDTH
        )
        self.count = 0
        self.exit = Block("exit")
        entry = self.block()
        wide = Op("zext", WIDTH, [self.function.params[0]])
        entry.ops.append(wide)
        known = [wide, self.function.params[1]]
        last = self.region(entry, known, 3)
        self.jump(last, self.exit)
        self.exit.end, self.exit.arg = "ret", const(WIDTH, 0)
        self.function.blocks.append(self.exit)

    def block(self) -> Block:
        made = Block(f"b{self.count}")
        self.count += 1
        self.function.blocks.append(made)
        return made

    @staticmethod
    def jump(source: Block, target: Block) -> None:
        source.end, source.targets = "jump", [target]

    def value(self, known: list[Op]) -> Op:
        if self.rng.random() < 0.4:
            return const(WIDTH, self.rng.choice((0, 1, 2, 3, 5, 7, 8, 14, 15, 16, 29, 31)))
        return self.rng.choice(known[-5:])

    def test(self, block: Block, known: list[Op]) -> Op:
        args = [self.value(known), self.value(known)]
        made = Op(self.rng.choice(COMPARES), 1, args)
        block.ops.append(made)
        if self.rng.random() < 0.3:
            made = Op(self.rng.choice(("and", "or")), 1, [made, self.test(block, known)])
            block.ops.append(made)
        return made

    def region(self, block: Block, known: list[Op], depth: int) -> Block:
        """Fill a block, and those behind it; give the last one."""
        for _ in range(self.rng.randint(1, 3)):
            what = self.rng.random()
            if what < 0.4 or not depth:
                kind = self.rng.choice(("add", "sub", "and", "mux"))
                args = [self.value(known), self.value(known)]
                if kind == "mux":
                    args.insert(0, self.test(block, known))
                made = Op(kind, WIDTH, args)
                block.ops.append(made)
                known.append(made)
            elif what < 0.6:
                block = self.branch(block, known, depth)
            else:
                block = self.loop(block, known, depth)
        return block

    def branch(self, block: Block, known: list[Op], depth: int) -> Block:
        block.end, block.arg = "branch", self.test(block, known)
        sides = [self.block(), self.block()]
        block.targets = list(sides)
        ends, values = [], []
        for side in sides:
            mine = list(known)
            ends.append(self.region(side, mine, depth - 1))
            values.append(self.value(mine))
        after = self.block()
        for end in ends:
            self.jump(end, after)
        after.ops.append(Op("phi", WIDTH, values, attr=ends))
        known.append(after.ops[0])
        return after

    def loop(self, block: Block, known: list[Op], depth: int) -> Block:
        if self.rng.random() < 0.5:  # a test before it
            inside = self.block()
            block.end, block.arg = "branch", self.test(block, known)
            block.targets = self.rng.sample([inside, self.exit], 2)
            block = inside
        head = self.block()
        self.jump(block, head)
        phi = Op("phi", WIDTH, name="i")
        head.ops.append(phi)
        mine = [*known, phi]
        latch = self.region(head, mine, depth - 1)
        step = const(WIDTH, self.rng.choice((1, 1, 1, 2, 3, -1, -1, -2)))
        following = Op("add", WIDTH, [phi, step])
        bound = self.value(known)
        tested = [self.rng.choice((phi, following)), bound]
        self.rng.shuffle(tested)
        test = Op(self.rng.choice(("eq", "ne", *COMPARES)), 1, tested)
        latch.ops += [following, test]
        after = self.block()
        latch.end, latch.arg = "branch", test
        latch.targets = [after, head] if test.kind == "eq" else [head, after]
        if self.rng.random() < 0.2:
            latch.targets.reverse()
        phi.args, phi.attr = [self.value(known), following], [block, latch]
        known.append(phi)
        return after


def walk(function: Function, given: tuple[int, ...], most: int) -> dict[Op, set[int]]:
    """Run a function for so many blocks at most; give the numbers of each value."""
    values: dict[Op, int] = dict(zip(function.params, given, strict=True))
    seen: dict[Op, set[int]] = {}
    block, came = function.blocks[0], None
    for _ in range(most):
        now = dict(values)
        for op in block.ops:
            if op.kind == "phi":
                arg = op.args[op.attr.index(came)]
                number = arg.attr if arg.kind == "const" else values[arg]
            else:
                args = [arg.attr if arg.kind == "const" else now[arg] for arg in op.args]
                widths = [arg.width for arg in op.args]
                number = evaluate(op.kind, op.width, args, widths, op.attr)
            now[op] = number
            seen.setdefault(op, set()).add(signed(number, op.width))
        values, came = now, block
        if block.end == "ret":
            break
        at = 0 if block.end == "jump" or now[block.arg] else 1  # type: ignore[index]
        block = block.targets[at]
    return seen


def test_no_number_of_a_program_is_outside() -> None:
    narrow = 0
    for seed in range(300):
        function = Maker(seed).function
        module = Module("f", {}, {"f": function})
        ir_verify.verify(module)
        ranges = SignedRanges(module, KnownBits(module))
        for given in itertools.product(range(8), (0, 1, 2, 7, 14, 15, 16, 17, 30, 31)):
            for op, numbers in walk(function, given, 150).items():
                told = ranges.of(op)
                place = f"seed {seed}, of {given}: {op}"
                assert told.low <= min(numbers) and max(numbers) <= told.high, place
        phis = [op for op in function.ops() if op.name == "i"]
        narrow += sum(ranges.of(phi) != whole(WIDTH) for phi in phis)
    # So that the check says something: many counters are bounded.
    assert narrow > 200
