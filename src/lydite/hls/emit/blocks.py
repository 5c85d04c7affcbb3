# SPDX-License-Identifier: Apache-2.0
"""Splits what a clocked process writes into several, each with registers of its own.

Yosys' `proc` walks a process once for each register that it writes: the one of a long pipeline in
a single process takes minutes (15,473 registers 69 s, in processes of 1,024 of them 11 s).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lydite.hls.emit.structure import (
    Body,
    Case,
    If,
    Priority,
    Process,
    Statement,
    Write,
    statements,
)

# Registers and arrays that one process may write.
MOST = 1024


def target(write: Write) -> str:
    """Give the register or array of which a statement writes something."""
    return write.target.partition("[")[0]


def processes(body: Body, most: int = MOST) -> tuple[Process, ...]:
    """Give the processes that together write what `body` does, each at most so many registers.

    One that is small enough stays as it is.
    """
    names = list(written(body))
    if len(names) <= most:
        return (Process(body),)
    return tuple(
        Process(only(body, frozenset(names[at : at + most]))) for at in range(0, len(names), most)
    )


def written(body: Body) -> dict[str, None]:
    """Give the registers and arrays that are written, in their order."""
    return dict.fromkeys(target(each) for each in statements(body) if isinstance(each, Write))


def without(body: Body, left_out: frozenset[str]) -> Body:
    """Leave out all that writes some registers, and the conditions of nothing else."""
    return only(body, frozenset(written(body)) - left_out)


def only(body: Iterable[Statement], kept: frozenset[str]) -> Body:
    """Leave out all that writes other registers, and the conditions of nothing else."""
    return tuple(left for each in body if (left := _of(each, kept)) is not None)


def _of(statement: Statement, kept: frozenset[str]) -> Statement | None:
    match statement:
        case Write():
            return statement if target(statement) in kept else None
        case Priority(levels):
            left = tuple(filter(None, (only(level, kept) for level in levels)))
            return Priority(left) if left else None
        case If():
            then, otherwise = only(statement.then, kept), only(statement.otherwise, kept)
            if then:
                return replace(statement, then=then, otherwise=otherwise)
            negated = f"~({statement.condition})"
            return (
                replace(statement, condition=negated, then=otherwise, otherwise=())
                if (otherwise)
                else None
            )
        case Case(subject, arms, default):
            default = only(default, kept)
            # An arm keeps its values from a default.
            found = tuple(replace(arm, body=only(arm.body, kept)) for arm in arms)
            found = found if default else tuple(arm for arm in found if arm.body)
            return Case(subject, found, default) if found or default else None
