# SPDX-License-Identifier: Apache-2.0
"""Formulas mean what Python means by them, and nothing else is one."""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.base import InputError
from lydite.cores import formula

NAMES = {"BLOCK": 136, "W": 8, "zero": 0}
HINT = "\n  a formula has whole numbers, names, + - * / // %, ( ), min, max and ceil_div"

# Formulas, and the same in exact fractions of Python, without the division that must come out even.
TERMS = st.recursive(
    st.integers(0, 999).map(str) | st.sampled_from(sorted(NAMES)),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner),
        st.builds("-{}".format, inner),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max", "ceil_div"]), inner, inner),
    ),
    max_leaves=8,
)


def evaluate(text: str | int) -> int:
    return formula.evaluate(text, NAMES, where="core.toml: claims")


def rational(text: str | int) -> Fraction:
    return formula.rational(text, NAMES, where="core.toml: claims")


def python(text: str) -> int | None:
    """Give Python's own value of a formula; None for a division by zero."""
    functions = {"ceil_div": lambda a, b: math.ceil(Fraction(a, b))}
    try:
        return eval(text, {**NAMES, **functions, "min": min, "max": max})  # type: ignore[no-any-return]
    except ZeroDivisionError:
        return None


@given(TERMS)
def test_formula_is_what_python_makes_of_it(text: str) -> None:
    expected = python(text)
    if expected is None:
        with pytest.raises(InputError, match="division by zero"):
            evaluate(text)
    else:
        assert evaluate(text) == expected


@given(st.integers(-999, 999), st.integers(-99, 99))
def test_division_comes_out_even_or_is_refused(a: int, b: int) -> None:
    text = f"({a}) / ({b})"
    if b != 0 and a % b == 0:
        assert evaluate(text) == a // b
    else:
        with pytest.raises(InputError):
            evaluate(text)


@given(TERMS, TERMS)
def test_rational_formula_is_told_as_it_is(above: str, below: str) -> None:
    text = f"1 + ({above}) / ({below})"
    a, b = python(above), python(below)
    if a is None or not b:
        with pytest.raises(InputError, match="division by zero"):
            rational(text)
    else:
        assert rational(text) == 1 + Fraction(a, b)


def test_only_the_whole_of_a_formula_must_be_whole() -> None:
    assert rational("24 / 5") == Fraction(24, 5)
    assert evaluate("24 / 5 * 10") == 48
    assert evaluate("24 / 5 // 1") == 4
    assert evaluate("ceil_div(24 / 5, 1)") == 5
    assert rational(7) == 7


@given(st.text(max_size=30))
def test_any_text_is_a_whole_number_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert isinstance(evaluate(text), int)


def test_number_is_itself() -> None:
    assert evaluate(7) == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24 / 5", "a division leaves a remainder in '24 / 5'\n  use // to round down"),
        ("W // zero", "division by zero in 'W // zero'"),
        ("W % zero", "division by zero in 'W % zero'"),
        ("W / zero", "division by zero in 'W / zero'"),
        ("ceil_div(1, 0)", "division by zero in 'ceil_div(1, 0)'"),
        ("rounds + 1", "unknown name 'rounds' in 'rounds + 1'\n  known here: BLOCK, W, zero"),
        ("", f"not a formula: ''{HINT}"),
        ("24 cycles", f"not a formula: '24 cycles'{HINT}"),
        ("2 ** 3", f"not a formula: '2 ** 3'{HINT}"),
        ("1.5", f"not a formula: '1.5'{HINT}"),
        ("True", f"not a formula: 'True'{HINT}"),
        ("W if W else 1", f"not a formula: 'W if W else 1'{HINT}"),
        ("W.real", f"not a formula: 'W.real'{HINT}"),
        ("max()", f"not a formula: 'max()'{HINT}"),
        ("max(1)", f"not a formula: 'max(1)'{HINT}"),
        ("ceil_div(1)", f"not a formula: 'ceil_div(1)'{HINT}"),
        ("max(1, default=2)", f"not a formula: 'max(1, default=2)'{HINT}"),
        ("__import__('os')", f"not a formula: \"__import__('os')\"{HINT}"),
        ("1\n2", f"not a formula: '1\\n2'{HINT}"),
        ("-" * 100_000 + "1", f"not a formula: '{'-' * 77}...'{HINT}"),
        ("(" * 1000 + "1" + ")" * 1000, f"not a formula: '{'(' * 77}...'{HINT}"),
        ("1" + "+1" * 10_000, f"not a formula: '1{'+1' * 38}...'{HINT}"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_formula_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        evaluate(text)
    assert str(raised.value) == f"core.toml: claims: {message}"
