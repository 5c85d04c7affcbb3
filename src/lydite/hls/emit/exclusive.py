# SPDX-License-Identifier: Apache-2.0
"""Conditions of which at most one holds, as far as their text shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lydite.hls.emit.structure import If, Statement

_PLAIN = re.compile(r"\w+(?:\[[\w:]+\])?")
_TERM = re.compile(r"(.+) (==|!=) (\d+'[bdh][0-9a-f]+)")


@dataclass(frozen=True, slots=True)
class _Values:
    """A subject has one of these values, or, if they are left out, another one."""

    subject: str
    values: frozenset[str]
    left_out: bool


def statements(first: Statement, second: Statement) -> bool:
    """Whether at most one of two statements does something."""
    if not isinstance(first, If) or not isinstance(second, If):
        return False
    return not (first.otherwise or second.otherwise) and conditions(
        first.condition, second.condition
    )


def conditions(first: str, second: str) -> bool:
    """Whether at most one of two conditions holds."""
    bare = first.removeprefix("~")
    if first != second and bare == second.removeprefix("~") and _PLAIN.fullmatch(bare):
        return True
    one, two = _values(first), _values(second)
    if one is None or two is None or one.subject != two.subject:
        return False
    if one.left_out or two.left_out:
        inside, outside = (two, one) if one.left_out else (one, two)
        return not inside.left_out and inside.values <= outside.values
    return one.values.isdisjoint(two.values)


@lru_cache(4096)
def _values(condition: str) -> _Values | None:
    """Give what a condition says of a subject, if it compares that with constants."""
    left_out = "!=" in condition
    terms = condition.split(" && " if left_out else " || ")
    found = [_TERM.fullmatch(term) for term in terms]
    subjects = {match[1] for match in found if match is not None}
    signs = {match[2] for match in found if match is not None}
    if None in found or len(subjects) != 1 or signs != {"!=" if left_out else "=="}:
        return None
    values = frozenset(match[3] for match in found if match is not None)
    return _Values(subjects.pop(), values, left_out)
