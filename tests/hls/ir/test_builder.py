# SPDX-License-Identifier: Apache-2.0
"""What the builder makes of operations, tried with all values of their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from lydite.hls.ir.builder import Builder
from lydite.hls.ir.fold import evaluate
from lydite.hls.ir.graph import WIRES, Op, const

Build = Callable[[Builder, Op, Op], Op]


def value_of(op: Op, given: Mapping[Op, int]) -> int:
    """Compute a value from those of its parameters."""
    if op in given:
        return given[op]
    if op.kind == "const":
        return int(op.attr)
    values = [value_of(arg, given) for arg in op.args]
    return evaluate(op.kind, op.width, values, [arg.width for arg in op.args], op.attr)


def read_for(op: Op) -> list[Op]:
    """Give the operations that a value hangs on, each once, itself last."""
    found: dict[Op, None] = {}
    for arg in op.args:
        found |= dict.fromkeys(read_for(arg))
    return [*found, op] if op.kind not in ("const", "param") else list(found)


def among(build: Builder, x: Op) -> Op:
    """Put two bits of a value among constants: 10 x1 0 x0."""
    high, low = build.slice(x, 1, 1), build.slice(x, 0, 1)
    return build.concat(const(2, 2), high, const(1, 0), low)


FOLDED: dict[str, tuple[Build, Callable[[int, int], int], list[str]]] = {
    "equal among constants": (
        lambda b, x, c: b.compare("eq", among(b, x), const(5, 0b10101)),
        lambda x, c: int(x & 3 == 3),
        ["eq"],
    ),
    "different among constants": (
        lambda b, x, c: b.compare("ne", among(b, x), const(5, 0b10001)),
        lambda x, c: int(x & 3 != 1),
        ["ne"],
    ),
    "never equal among constants": (
        lambda b, x, c: b.compare("eq", among(b, x), const(5, 0b00101)),
        lambda x, c: 0,
        [],
    ),
    "one bit above zeros": (
        lambda b, x, c: b.compare("eq", b.concat(c, const(3, 0)), const(4, 0)),
        lambda x, c: 1 - c,
        ["xor"],
    ),
    "below a power of two": (
        lambda b, x, c: b.compare("ult", x, const(4, 4)),
        lambda x, c: int(x < 4),
        ["eq"],
    ),
    "below the highest bit": (
        lambda b, x, c: b.compare("ult", x, const(4, 8)),
        lambda x, c: int(x < 8),
        ["xor"],
    ),
    "from a power of two on": (
        lambda b, x, c: b.compare("ule", const(4, 8), x),
        lambda x, c: int(x >= 8),
        [],
    ),
    "one of two numbers, all bits alike": (
        lambda b, x, c: b.mux(c, const(4, 9), const(4, 8)),
        lambda x, c: 9 if c else 8,
        [],
    ),
    "one of two numbers, the other way": (
        lambda b, x, c: b.mux(c, const(4, 2), const(4, 11)),
        lambda x, c: 2 if c else 11,
        ["xor"],
    ),
    "one of two numbers, bits both ways": (
        lambda b, x, c: b.mux(c, const(4, 6), const(4, 9)),
        lambda x, c: 6 if c else 9,
        ["mux"],
    ),
    "perhaps a constant added": (
        lambda b, x, c: b.mux(c, b.binary("xor", x, const(4, 9)), x),
        lambda x, c: x ^ (9 if c else 0),
        ["xor"],
    ),
    "perhaps no constant added": (
        lambda b, x, c: b.mux(c, x, b.binary("xor", x, const(4, 9))),
        lambda x, c: x ^ (0 if c else 9),
        ["xor", "xor"],
    ),
}


@pytest.mark.parametrize("name", FOLDED)
def test_folded_operations_compute_the_same_with_less(name: str) -> None:
    build_it, meant, kinds = FOLDED[name]
    build = Builder([])
    x, c = Op("param", 4, attr=0), Op("param", 1, attr=1)
    result = build_it(build, x, c)
    for x_value in range(16):
        for c_value in range(2):
            assert value_of(result, {x: x_value, c: c_value}) == meant(x_value, c_value)
    # Wiring costs no gate.
    assert [op.kind for op in read_for(result) if op.kind not in WIRES] == kinds


def test_numbers_are_below_powers_of_two_in_all_widths() -> None:
    for width in range(1, 6):
        x = Op("param", width, attr=0)
        for number in range(1 << width):
            for kind, args in (
                ("ult", [x, const(width, number)]),
                ("ule", [const(width, number), x]),
            ):
                result = Builder([]).make(kind, 1, list(args))
                for value in range(1 << width):
                    meant = value < number if kind == "ult" else number <= value
                    assert value_of(result, {x: value}) == meant, (kind, width, number, value)


def test_choices_of_numbers_in_all_pairs() -> None:
    c = Op("param", 1, attr=0)
    for first in range(16):
        for second in range(16):
            result = Builder([]).mux(c, const(4, first), const(4, second))
            assert value_of(result, {c: 1}) == first
            assert value_of(result, {c: 0}) == second
