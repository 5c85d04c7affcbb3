# SPDX-License-Identifier: Apache-2.0
"""Formulas of core descriptions: whole-number arithmetic over named parameters.

Python's own parser reads them; only names, whole numbers, `+ - * // / %`, parentheses and the
functions `min`, `max`, `ceil_div` mean something. `/` must come out even, so that a claim of
cycles is never rounded by accident.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from lydite.base.errors import InputError

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {
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
    if isinstance(formula, int):
        return formula
    try:
        tree = ast.parse(formula, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(where, f"not a formula: {_short(formula)}", _HINT) from error
    try:
        return _value(tree.body, names)
    except ZeroDivisionError as error:
        raise InputError(where, f"division by zero in {formula!r}") from error
    except KeyError as error:
        known = ", ".join(sorted(names)) or "none"
        raise InputError(
            where, f"unknown name {error.args[0]!r} in {formula!r}", f"known here: {known}"
        ) from error
    except (TypeError, RecursionError) as error:
        raise InputError(where, f"not a formula: {_short(formula)}", _HINT) from error
    except ArithmeticError as error:
        raise InputError(where, f"{error} in {formula!r}", "use // to round down") from error


def _short(formula: str) -> str:
    return repr(formula if len(formula) <= 80 else formula[:77] + "...")


def _value(node: ast.expr, names: Mapping[str, int]) -> int:
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
            quotient, remainder = divmod(_value(left, names), _value(right, names))
            if remainder:
                raise ArithmeticError("a division leaves a remainder")
            return quotient
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(arg, names) for arg in args))
        case _:
            raise TypeError(ast.dump(node))
