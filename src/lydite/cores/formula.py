# SPDX-License-Identifier: Apache-2.0
"""Formulas of core descriptions: whole-number arithmetic over named parameters.

Python's own parser reads them; only names, whole numbers, `+ - * // / %`, parentheses and the
functions `min`, `max`, `ceil_div` mean something. Where a whole number is wanted, `/` must come out
even, so that nothing is rounded by accident; what need not be whole is told as it is, 53/2.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from lydite.base import syntax
from lydite.base.errors import InputError

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "ceil_div": lambda a, b: -(-a // b),
}
_HINT = "a formula has whole numbers, names, + - * / // %, ( ), min, max and ceil_div"


def evaluate(formula: str | int, names: Mapping[str, int], *, where: str) -> int:
    """Give the value of a formula.

    Parameters
    ----------
    names : mapping
        What the names in it stand for.
    where : str
        Place of the formula, for errors.

    Raises
    ------
    InputError
        It is no formula, a name is not known, a division by zero or one that leaves a remainder.
    """
    # Most are numbers, and asked for with each random message.
    if isinstance(formula, int):
        return formula
    value = rational(formula, names, where=where)
    if value.denominator != 1:
        what = f"a division leaves a remainder in {formula!r}"
        raise InputError(where, what, "use // to round down")
    return value.numerator


def rational(formula: str | int, names: Mapping[str, int], *, where: str) -> Fraction:
    """Give the value of a formula that need not be whole; else as `evaluate`."""
    if isinstance(formula, int):
        return Fraction(formula)
    try:
        parsed = _parsed(formula)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(where, f"not a formula: {_short(formula)}", _HINT) from error
    try:
        return Fraction(_value(parsed, names))
    except ZeroDivisionError as error:
        raise InputError(where, f"division by zero in {formula!r}") from error
    except KeyError as error:
        known = ", ".join(sorted(names)) or "none"
        raise InputError(
            where, f"unknown name {error.args[0]!r} in {formula!r}", f"known here: {known}"
        ) from error
    except (TypeError, RecursionError) as error:
        raise InputError(where, f"not a formula: {_short(formula)}", _HINT) from error


@functools.cache
def _parsed(formula: str) -> ast.expr:
    """Read a formula; once, since random calls ask for the same few all the time."""
    return syntax.expression(formula)


def _short(formula: str) -> str:
    return repr(formula if len(formula) <= 80 else formula[:77] + "...")


def _value(node: ast.expr, names: Mapping[str, int]) -> Fraction | int:
    match node:
        case ast.Constant(value=bool()):
            raise TypeError("a truth value")
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return Fraction(_value(left, names)) / _value(right, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            found: Fraction | int = _OPERATORS[type(op)](_value(left, names), _value(right, names))
            return found
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            called: Fraction | int = _FUNCTIONS[name](*(_value(arg, names) for arg in args))
            return called
        case _:
            raise TypeError(ast.dump(node))
