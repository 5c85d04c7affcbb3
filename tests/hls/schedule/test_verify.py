# SPDX-License-Identifier: Apache-2.0
"""Schedules obey clock, ports and order; the independent check finds those that do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.base import proc
from lydite.hls import Compiled
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir.graph import Op
from lydite.hls.passes import choose_memories
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import verify as schedule_verify
from lydite.hls.schedule.problem import Plan, Problem
from lydite.tools import yosys

TEXT = """\
module @f
memory @a width 32 depth 16 lanes 1 base 64 port object "a"+0

function @f(%0:4, %1:32) : 32 {
entry:
  %2:32 = load @a %0
  %3:32 = load @a 4'0x1
  %4:32 = load @a 4'0x2
  %5:32 = add %2 %3
  %6:32 = add %5 %4
  store @a %0 %6 1'0x1
  %7:32 = load @a 4'0x3
  %8:64 = divmod %7 %1
  %9:32 = slice %8 from 0
  ret %9
}
"""


def solve(clock_ns: float = 10.0) -> tuple[Problem, Plan, list[Op]]:
    module = ir_text.parse_module(TEXT)
    model = delay_model.load("ecp5")
    choose_memories.decide(module, model)
    found = schedule_module.schedule_module(module, model, clock_ns).functions["f"]
    block = found.function.blocks[0]
    return found.problems[block], found.plans[block], block.ops


def test_two_loads_a_cycle_when_two_ports() -> None:
    _, plan, ops = solve()
    assert sorted(plan.state[op] for op in ops[:3]) == [0, 0, 1]


def test_load_waits_for_the_store_before_it() -> None:
    _, plan, ops = solve()
    store, load = ops[5], ops[6]
    assert plan.state[load] > plan.state[store]


def test_division_starts_when_its_operand_is_in_a_register() -> None:
    _, plan, ops = solve()
    load, division = ops[6], ops[7]
    assert plan.state[division] == plan.state[load] + 2


def test_faster_clock_takes_more_states() -> None:
    assert [solve(clock)[1].states for clock in (4.0, 10.0, 40.0)] == [9, 7, 7]


def move(plan: Plan, op: Op, by: int) -> None:
    plan.state[op] += by


@pytest.mark.parametrize(
    ("number", "by", "message"),
    [
        (3, -1, "entry: <add:32  > starts before <load:32  > is there"),
        (2, -1, "entry: ports of a"),
        (6, -2, "entry: <load:32  > passes <store:0  >"),
        (8, 9, "entry: <slice:32  > is out of range"),
        (7, -1, "entry: <divmod:64  > holds an operand of <load:32  > that does not hold"),
    ],
)
def test_check_finds_a_wrong_schedule(number: int, by: int, message: str) -> None:
    problem, plan, ops = solve()
    move(plan, ops[number], by)
    with pytest.raises(AssertionError) as caught:
        schedule_verify.verify(problem, plan)
    assert str(caught.value) == message


CHAIN = """\
module @f
function @f(%0:32, %1:32) : 32 {
entry:
  %2:32 = add %0 %1
  %3:32 = add %2 %1
  %4:32 = add %3 %1
  ret %4
}
"""


def test_check_finds_a_chain_past_the_clock() -> None:
    module = ir_text.parse_module(CHAIN)
    found = schedule_module.schedule_module(module, delay_model.load("ecp5"), 8.0).functions["f"]
    block = found.function.blocks[0]
    problem, plan = found.problems[block], found.plans[block]
    last = block.ops[2]
    assert [plan.state[op] for op in block.ops] == [0, 0, 1]
    plan.state[last], plan.finish_ns[last] = 0, 9.0
    with pytest.raises(AssertionError) as caught:
        schedule_verify.verify(problem, plan)
    assert str(caught.value) == "entry: <add:32  > is chained past the clock"


def test_pure_loop_takes_a_cycle_an_iteration(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(int n) { int s = 1; for (int i = 0; i < 2000; i++) s = s * 5 ^ n; return s; }\n"
    report = compile_c(text, clock_ns=20.0).report.functions[0]
    loop = report.loops[0]
    assert (loop.iteration_min, loop.iteration_max, loop.trip_max) == (1, 1, 2000)


def test_pure_copy_of_two_memories_overlaps(compile_c: Callable[..., Compiled]) -> None:
    text = "void f(const int a[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i] + i; }\n"
    loop = compile_c(text).report.functions[0].loops[0]
    assert (loop.iteration_max, loop.trip_max) == (2, 64)


CROSSED = """
static unsigned char a[16], b[16];
unsigned f(unsigned i, unsigned seed) {
  for (unsigned k = 0; k < 16; k++) {
    a[k] = seed >> (k & 7);
    b[(k + seed) & 15] = k * 5;
  }
  unsigned sum = b[a[i & 15] & 15];
  if (sum & 1)
    sum += a[b[(i >> 4) & 15] & 15];
  return sum;
}
"""


@pytest.mark.parametrize("clock_ns", [10.0, 40.0])
def test_lut_rams_close_no_loop_of_gates(
    compile_c: Callable[..., Compiled], tmp_path: Path, clock_ns: float
) -> None:
    """Data of each choose the other's word, in different states: one of them must wait."""
    compiled = compile_c(CROSSED, clock_ns=clock_ns)
    kinds = {memory.kind for memory in compiled.module.memories.values()}
    assert kinds == {"lutram"}
    for file in compiled.files:
        (tmp_path / file.name).write_text(file.text)
    names = " ".join(file.name for file in compiled.files)
    (tmp_path / "s.ys").write_text(
        f"read_verilog {names}\nhierarchy -top f\nproc\nflatten\nmemory_dff\ncheck -assert\n"
    )
    proc.run(yosys.command(yosys.find(), "s.ys"), cwd=tmp_path).checked()
