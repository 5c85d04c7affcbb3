# SPDX-License-Identifier: Apache-2.0
"""Ranges of signed values: every rule against all numbers, memories, loops and calls."""

from __future__ import annotations

import itertools
import random

import pytest
from ranges import ranges_of

from lydite.hls.ir import text as ir_text
from lydite.hls.ir.fold import evaluate, signed
from lydite.hls.ir.graph import Op
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.signed_ranges import Range, SignedRanges, whole

# Width of the result, widths of the operands, `attr`.
SHAPES = {
    "add": (4, (4, 4), None),
    "sub": (4, (4, 4), None),
    "mul": (4, (4, 4), None),
    "and": (4, (4, 4), None),
    "or": (4, (4, 4), None),
    "xor": (4, (4, 4), None),
    "shl": (4, (4, 3), None),
    "lshr": (4, (4, 3), None),
    "ashr": (4, (4, 3), None),
    "mux": (3, (1, 3, 3), None),
    "slice": (3, (5,), 1),
    "concat": (5, (3, 2), None),
    "zext": (6, (4,), None),
    "sext": (6, (4,), None),
    "divmod": (6, (3, 3), None),
    "slt": (1, (3, 3), None),
}
_EMPTY = """\
module @f
function @f(%0:8 "x") : 8 {
entry:
  ret %0
}
"""


@pytest.mark.parametrize("kind", SHAPES)
def test_no_number_is_outside(kind: str) -> None:
    """Every result of operands within ranges is within what is said of it."""
    width, widths, attr = SHAPES[kind]
    op = Op(kind, width, [Op("param", one) for one in widths], attr=attr)  # type: ignore[arg-type]
    module = ir_text.parse_module(_EMPTY)
    analysis = SignedRanges(module, KnownBits(module))
    rng = random.Random(kind)
    choices = [
        [Range(low, high) for low, high in itertools.combinations_with_replacement(numbers, 2)]
        for numbers in ([*range(whole(one).low, whole(one).high + 1)] for one in widths)
    ]
    for _ in range(400):
        args = [rng.choice(found) for found in choices]
        told = analysis.transfer(op, args)
        for numbers in itertools.product(*(range(one.low, one.high + 1) for one in args)):
            bits = [number % (1 << one) for number, one in zip(numbers, widths, strict=True)]
            result = signed(evaluate(kind, width, bits, list(widths), attr), width)
            assert told.low <= result <= told.high, (args, numbers)


@pytest.mark.parametrize(
    ("between", "width"),
    [((0, 0), 0), ((0, 1), 1), ((-1, 0), 1), ((-1, 1), 2), ((-8, 7), 4), ((-9, 7), 5), ((0, 8), 4)],
)
def test_width_is_that_of_its_numbers(between: tuple[int, int], width: int) -> None:
    assert Range(*between).width == width


def test_a_sum_has_one_bit_more() -> None:
    named, ranges = ranges_of("""\
module @f
function @f(%0:9 "x", %1:9 "y") : 32 {
entry:
  %2:32 "a" = sext %0
  %3:32 "b" = sext %1
  %4:32 "sum" = add %2 %3
  %5:32 "difference" = sub %2 %4
  ret %5
}
""")
    assert ranges.of(named["sum"]) == (-512, 510)
    assert ranges.of(named["difference"]) == (-256 - 510, 255 + 512)


def test_what_a_loop_carries_stays_in_its_range() -> None:
    """A number that is halved and added to never leaves what it is of."""
    named, ranges = ranges_of("""\
module @f
function @f(%0:8 "x", %1:1 "more") : 32 {
entry:
  %2:32 "step" = sext %0
  jump loop
loop:
  %3:32 "sum" = phi [32'0x0 entry] [%5 loop]
  %4:32 "half" = ashr %3 32'0x1
  %5:32 "next" = mux %1 %2 %4
  branch %1 loop done
done:
  ret %3
}
""")
    assert ranges.of(named["sum"]) == (-128, 127)


def test_words_of_a_memory_are_what_is_stored_there() -> None:
    named, ranges = ranges_of("""\
module @f
memory @m width 16 depth 2 lanes 1 base 0 object "m"+0 init 0x3 0xfffe
function @f(%0:4 "x", %1:1 "at") : 16 {
entry:
  %2:16 "stored" = sext %0
  store @m %1 %2 1'0x1
  %3:16 "loaded" = load @m 1'0x0
  ret %3
}
""")
    assert ranges.of(named["loaded"]) == (-8, 7)


# Comparison, arms, and the range of the choice, of x from -8 to 7 and y from 0 to 3.
CHOICES = {
    "at most": ("slt 16'0x2 %2", "16'0x2", "%2", (-8, 2)),
    "at least": ("slt %2 16'0x0", "16'0x0", "%2", (0, 7)),
    "both ways": ("sle %2 16'0x5", "%2", "%4", (-8, 5)),
    "wrapped": ("slt 16'0x3 %2", "%4", "%2", (-8, 3)),
    "by another": ("slt %2 %3", "%2", "16'0x0", (-8, 2)),
    "by it": ("slt %3 %2", "%3", "%2", (-8, 3)),
    "without signs": ("ult %3 16'0x2", "%3", "16'0x0", (0, 1)),
    "with one": ("ult %2 16'0x2", "%2", "16'0x0", (0, 1)),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choice_is_cut_by_what_it_asks(name: str) -> None:
    asked, yes, no, between = CHOICES[name]
    named, ranges = ranges_of(f"""\
module @f
function @f(%0:4 "x", %1:2 "y") : 16 {{
entry:
  %2:16 = sext %0
  %3:16 = zext %1
  %4:16 = add %2 16'0xfff8
  %5:1 = {asked}
  %6:16 "chosen" = mux %5 {yes} {no}
  ret %6
}}
""")
    assert ranges.of(named["chosen"]) == between


def test_choice_is_looked_at_again_when_what_it_asks_about_changes() -> None:
    """The bound is known after the choice was first looked at: it grows in a loop."""
    named, ranges = ranges_of("""\
module @f
function @f(%0:6 "x", %1:1 "more") : 16 {
entry:
  %2:16 = sext %0
  jump loop
loop:
  %3:16 "bound" = phi [16'0x1 entry] [%6 loop]
  %4:1 = slt %2 %3
  %5:16 "chosen" = mux %4 %2 16'0x0
  %6:16 = mux %1 16'0x14 %3
  branch %1 loop done
done:
  ret %5
}
""")
    assert ranges.of(named["bound"]) == (1, 20)
    assert ranges.of(named["chosen"]) == (-32, 19)
