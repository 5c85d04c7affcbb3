# SPDX-License-Identifier: Apache-2.0
"""Processes that are split write what the whole one does, each register in one of them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from lydite.hls.emit import blocks
from lydite.hls.emit.structure import (
    Arm,
    Body,
    Case,
    If,
    Priority,
    Process,
    Statement,
    Write,
    statements,
)

_REGISTERS = tuple(f"r{number}_q" for number in range(12))
_ARRAYS = ("a_mem[i]", "a_mem[j]", "b_mem[3:0]")


def _random_body(rng: random.Random, depth: int, targets: list[str]) -> Body:
    """Make statements that write some of the targets; what is written twice is in levels."""
    return tuple(_random_statement(rng, depth, targets) for _ in range(rng.randint(1, 3)))


def _random_statement(rng: random.Random, depth: int, targets: list[str]) -> Statement:
    kind = rng.choice(("write", "if", "case", "priority")) if depth else "write"
    if kind == "write":
        return Write(rng.choice(targets), f"v{rng.randrange(100)}")
    if kind == "priority":
        return Priority(tuple(_random_body(rng, depth - 1, targets) for _ in range(2)))
    if kind == "if":
        others = _random_body(rng, depth - 1, targets) if rng.random() < 0.6 else ()
        return If(f"c{rng.randrange(6)}", _random_body(rng, depth - 1, targets), others)
    labels = rng.sample(("A", "B", "C"), 2)
    arms = tuple(Arm((label,), _random_body(rng, depth - 1, targets)) for label in labels)
    default = _random_body(rng, depth - 1, targets) if rng.random() < 0.5 else ()
    return Case("state_q", arms, default)


def _run(body: Body, values: Mapping[str, str]) -> dict[str, str]:
    """Give what each target gets; later statements count, as they do in Verilog."""
    found: dict[str, str] = {}
    for each in body:
        match each:
            case Write(target, value):
                found[target] = value
            case Priority(levels):
                for level in levels:
                    found |= _run(level, values)
            case If():
                negated = each.condition.startswith("~(")
                name = each.condition[2:-1] if negated else each.condition
                holds = (values[name] == "1") != negated
                found |= _run(each.then if holds else each.otherwise, values)
            case Case(subject, arms, default):
                chosen = (arm.body for arm in arms if values[subject] in arm.labels)
                found |= _run(next(chosen, default), values)
    return found


def test_split_processes_write_what_the_whole_one_does() -> None:
    rng = random.Random(1)
    for _ in range(200):
        body = _random_body(rng, 3, [*_REGISTERS, *_ARRAYS])
        parts = blocks.processes(body, rng.randint(1, 6))
        for _ in range(20):
            values = {f"c{number}": rng.choice("01") for number in range(6)}
            values["state_q"] = rng.choice("ABCD")
            found = [_run(part.body, values) for part in parts]
            assert {key: value for one in found for key, value in one.items()} == _run(body, values)
            assert sum(map(len, found)) == len({key for one in found for key in one})


def test_each_register_is_written_by_one_process_and_each_process_writes_few() -> None:
    body: Body = (
        If("c", tuple(Write(name, "x") for name in _REGISTERS), (Write("a_mem[i]", "y"),)),
        If("d", (Write("a_mem[j]", "z"),)),
    )
    parts = blocks.processes(body, 5)
    written = [
        {blocks.target(each) for each in statements(part.body) if isinstance(each, Write)}
        for part in parts
    ]
    assert [len(names) for names in written] == [5, 5, 3]
    assert len(set().union(*written)) == 13


def test_a_process_that_is_small_enough_stays_as_it_is() -> None:
    body: Body = (If("c", tuple(Write(name, "x") for name in _REGISTERS)),)
    assert blocks.processes(body, 12) == (Process(body),)
    assert blocks.processes(body) == (Process(body),)


def test_an_arm_keeps_its_values_from_a_default_that_writes() -> None:
    body: Body = (Case("state_q", (Arm(("A",), (Write("r0_q", "x"),)),), (Write("r1_q", "y"),)),)
    first, second = blocks.processes(body, 1)
    assert _run(first.body, {"state_q": "A"}) == {"r0_q": "x"}
    assert _run(second.body, {"state_q": "A"}) == {}
    assert _run(second.body, {"state_q": "B"}) == {"r1_q": "y"}
