# SPDX-License-Identifier: Apache-2.0
"""What a cycle has only so much of: who uses it, and in which cycles too many do."""

from __future__ import annotations

from dataclasses import replace

from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.passes import choose_memories
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import multipliers, resources
from lydite.hls.schedule.problem import Problem

TEXT = """\
module @f
memory @a width 32 depth 16 lanes 1 base 64 port object "a"+0
stream @s out data 4 user 0 where "t.c:1"

function @f(%0:4, %1:32) : 32 {
entry:
  %2:32 = load @a %0
  %3:32 = load @a 4'0x1
  %4:32 = mul %2 %1
  %5:32 = mul %3 %1
  %6:32 = add %4 %5
  store @a %0 %6 1'0x1
  write @s 37'0x0 1'0x1
  %7:64 = divmod %6 %1
  %8:32 = slice %7 from 0
  ret %8
}
"""


def problem() -> Problem:
    module = ir_text.parse_module(TEXT)
    model = delay_model.load("ecp5")
    choose_memories.decide(module, model)
    found = schedule_module.schedule_module(module, model, 10.0).functions["f"]
    return found.problems[found.function.blocks[0]]


def shown(found: list[resources.Resource]) -> list[tuple[str, int, list[str]]]:
    return [(item.name, item.limit, [op.kind for op in item.ops]) for item in found]


def test_states_have_ports_and_streams() -> None:
    assert shown(resources.of_states(problem())) == [
        ("a", 2, ["load", "load"]),
        ("a", 2, ["store"]),
        ("a", 2, ["load", "load", "store"]),
        ("s", 1, ["write"]),
    ]


def test_units_are_limited_by_directive_or_by_choice() -> None:
    plain = problem()
    assert resources.units(plain) == []
    assert shown(resources.units(replace(plain, limits={"mul": 1, "xor": 3}))) == [
        ("mul", 1, ["mul", "mul"])
    ]
    shape = multipliers.shape(next(op for op in plain.order if op.kind == "mul"))
    (chosen,) = resources.units(replace(plain, multipliers={shape: 1}))
    assert shown([chosen]) == [("mul", 1, ["mul", "mul"])]
    assert chosen.owner == shape


def test_too_many_in_a_cycle_are_found_with_the_cycle() -> None:
    ports = resources.ports(problem())
    everything = ports[0][-1]
    first, second, store = everything.ops
    assert list(everything.exceeded({first: 0, second: 0, store: 1})) == []
    assert list(everything.exceeded({first: 2, second: 2, store: 2})) == [
        (2, [first, second, store])
    ]
    assert everything.least_interval == 2
    assert resources.by_op(ports[0])[store] == [ports[0][1], everything]
