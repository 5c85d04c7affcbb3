# SPDX-License-Identifier: Apache-2.0
"""States give several calls to one module, one every interval, where none needs another's result.

Each check of schedules and bindings finds what would be wrong hardware.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import rtl

from lydite import hls
from lydite.hls import Compiled, Machine, Options
from lydite.hls.bind import binder, verify_registers
from lydite.hls.bind import verify as bind_verify
from lydite.hls.bind.binding import Binding, State
from lydite.hls.contract import rtl_macro
from lydite.hls.ir import delay_model
from lydite.hls.ir.graph import Op
from lydite.hls.schedule import bursts
from lydite.hls.schedule import verify as schedule_verify
from lydite.hls.schedule.problem import Plan
from lydite.sim import cosim

PROGRAM = Path(__file__).with_name("modules") / "bursts.c"
ECP5 = delay_model.load("ecp5-85k")

MIX = """static unsigned mix(unsigned a, unsigned b) {
#pragma HLS pipeline%s
#pragma HLS inline off
%s  return (a * b + 3) * (a ^ b);
}
"""
PLAIN = MIX % ("", "")
EVERY_THIRD = MIX % (" II=3\n#pragma HLS allocation operation instances=xor limit=1", "")
STATEFUL = MIX % ("", "  static unsigned last;\n  a ^= last;\n  last += b;\n")
FOUR = """unsigned f(unsigned x, unsigned y, unsigned z, unsigned w) {
  unsigned a = mix(x, 3), b = mix(y, w), c = mix(z, x), d = mix(w, y);
  return (a ^ b) + (c ^ d);
}
"""
PAIRS = """unsigned f(unsigned x, unsigned y) {
  unsigned a = mix(x, 3), b = mix(a, y), c = mix(y, 5), d = mix(c, x);
  return b ^ d;
}
"""
FROM_MEMORY = """unsigned f(const unsigned x[8]) {
  return mix(x[0], x[1]) ^ mix(x[2], x[3]) ^ mix(x[4], x[5]) ^ mix(x[6], x[7]);
}
"""
LATE = """#define STEP(v) v = (v * v + x) * y;
#define STEPS(v) STEP(v) STEP(v) STEP(v) STEP(v) STEP(v) STEP(v) STEP(v) STEP(v)
unsigned f(unsigned x, unsigned y) {
  unsigned a = mix(x, 3), b = y;
  STEPS(a)
  STEPS(b)
  return mix(b, 3) + a;
}
"""


def bound(compiled: Compiled) -> Binding:
    """Bind the top function anew."""
    return binder.bind(compiled.schedules["f"], ECP5, is_top=True)


def calls(plan: Plan) -> list[int]:
    """Give the numbers of calls in the states that have some."""
    states = [state for op, state in plan.state.items() if op.kind == "call"]
    return [states.count(state) for state in sorted(set(states))]


def busy(binding: Binding) -> State:
    """Give the first state with a burst."""
    return next(state for state in binding.states if state.turns)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (PLAIN + FOUR, [4]),
        (STATEFUL + FOUR, [4]),
        (PLAIN + PAIRS, [2, 2]),  # whatever order they have in the program
        (STATEFUL + PAIRS, [1, 2, 1]),
        (PLAIN + FROM_MEMORY, [4]),  # the first waits for the arguments of the last
        (PLAIN + LATE, [1, 1]),  # it would wait longer than another call takes
    ],
)
def test_calls_are_one_burst(
    text: str, found: list[int], compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(text, effort="area")
    assert [calls(plan) for plan in compiled.schedules["f"].plans.values() if calls(plan)] == [
        found
    ]


@pytest.mark.parametrize(("module", "interval"), [(PLAIN, 1), (EVERY_THIRD, 3)])
def test_burst_takes_an_interval_for_each_call_more(
    module: str, interval: int, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(module + FOUR)
    top, mix = compiled.report.functions
    assert mix.interval == interval
    state = busy(bound(compiled))
    assert list(state.turns.values()) == [0, interval, 2 * interval, 3 * interval]
    # To take the arguments, for the burst and its last result, and to return.
    assert top.latency_min == top.latency_max == 1 + (state.until + 1) + 1


@pytest.mark.parametrize(
    "clock_ns", [10.0, *(pytest.param(slow, marks=pytest.mark.slow) for slow in (4.0, 25.0))]
)
def test_hardware_does_what_c_does(clock_ns: float, tmp_path: Path) -> None:
    options = Options(sources=(PROGRAM,), top="f", clock_ns=clock_ns, effort="area")
    compiled = hls.compile(options)
    bursts = [calls(plan) for plan in compiled.schedules["f"].plans.values() if calls(plan)]
    assert max(map(max, bursts)) >= 12
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert (result.calls, result.native_rc) == (24, 0)


PRODUCTS = """#include <stdint.h>
static uint32_t product(uint32_t a, uint32_t b) { return a * b; }
uint32_t f(uint32_t x, uint32_t y) {
  return product(x, y) ^ product(x, x + 1) ^ product(y, 12345);
}
int main(void) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < 9; i++) all += f(i * 0x9e3779b9u, all ^ i << 13);
  return all == 0;
}
"""


def test_macro_that_takes_calls_while_it_works_has_bursts(tmp_path: Path) -> None:
    source = tmp_path / "products.c"
    source.write_text(PRODUCTS)
    macros = rtl_macro.load(PROGRAM.parents[1] / "macros" / "macros.toml")
    latencies = {}
    for every in (0, 1):
        product = replace(macros[0], ii=every)
        options = Options(sources=(source,), top="f", macros=(product,))
        compiled = hls.compile(options)
        latencies[every] = compiled.report.functions[0].latency_max
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert result.latency_max == latencies[1]
    # Three states of a call are one, in which each call after the first takes a cycle more.
    assert latencies[0] - latencies[1] == 2 * (macros[0].latency + 1) - 2


def test_no_signal_is_unused(tmp_path: Path) -> None:
    compiled = hls.compile(Options(sources=(PROGRAM,), top="f", effort="area"))
    assert rtl.lint(compiled, tmp_path) == ""


AROUND = """unsigned f(unsigned x, unsigned n) {
  unsigned a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, g = x + 5, h = x + 6, k = x + 7;
  for (unsigned i = 0; i < (n & 7); i++) {
    unsigned s = mix(b, i), t = mix(c, i), u = mix(d, i), v = mix(e, i);
    unsigned w = mix(g, i), y = mix(h, i), z = mix(k, b), l = mix(a, 7);
    a = s, b = t, c = u, d = v, e = w, g = y, h = z, k = l;
  }
  return a ^ b + c ^ d + e ^ g + h ^ k;
}
"""


def test_result_waits_for_the_last_reader_of_its_place(
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    random_calls: Callable[..., list],
) -> None:
    compiled = compile_c(PLAIN + AROUND, effort="area")
    state = busy(bound(compiled))
    first, *_, last = state.turns
    assert len(state.turns) == 8 and state.answered(first) < state.turns[last]
    given = random_calls(compiled, 1, 6)
    machine = Machine(compiled.module)
    wanted = [machine.call(*call).value for call in given]
    assert [result.value for result in simulate(compiled, given)] == wanted


@pytest.mark.parametrize(
    "module",
    [EVERY_THIRD, *(pytest.param(slow, marks=pytest.mark.slow) for slow in (PLAIN, STATEFUL))],
    ids=["every third cycle", "every cycle", "stateful"],
)
def test_cycles_are_as_claimed(
    module: str,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    random_calls: Callable[..., list],
) -> None:
    compiled = compile_c(module + FOUR)
    found = {result.cycles for result in simulate(compiled, random_calls(compiled, 1, 4))}
    assert found == {compiled.report.functions[0].latency_max}


BESIDE = """unsigned f(const unsigned w[8], unsigned x, unsigned y) {
  unsigned all = 0;
  for (unsigned i = 0; i < 8; i += 2) {
#pragma HLS pipeline
    all += mix(w[i], x) ^ mix(w[i + 1], y);
  }
  return all ^ mix(all, x) ^ mix(all, y) ^ mix(all, 5) ^ mix(x, y);
}
"""


def test_pipeline_with_modules_of_its_own_starts_none_that_a_burst_goes_to(
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    random_calls: Callable[..., list],
) -> None:
    compiled = compile_c(PLAIN + BESIDE)
    top = bound(compiled)
    assert len(busy(top).turns) == 4
    assert [pipe.ii for pipe in top.pipes.values()] == [1]
    given = random_calls(compiled, 1, 6)
    machine = Machine(compiled.module)
    wanted = [machine.call(*call).value for call in given]
    assert [result.value for result in simulate(compiled, given)] == wanted


# The checks.


def refused(binding: Binding, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        bind_verify.verify(binding, ECP5)
    assert str(caught.value) == message


def test_check_finds_calls_that_meet(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(EVERY_THIRD + FOUR))
    bind_verify.verify(top, ECP5)
    state = busy(top)
    first, second, *_ = state.turns
    state.turns[second] = 2
    refused(top, "f entry_0: calls of mix begin 2 cycles apart")
    state.turns[second] = 0
    refused(top, "f entry_0: calls of mix begin 0 cycles apart")
    state.turns[second], state.turns[first] = 3, -3
    refused(top, "f entry_0: mix is called before the state")


def test_check_finds_calls_between_intervals(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(EVERY_THIRD + FOUR))
    state = busy(top)
    last = list(state.turns)[-1]
    state.turns[last] += 1
    state.until += 1
    refused(top, "f entry_0: calls of mix begin 4 cycles apart")


def test_check_finds_a_call_without_a_turn(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(PLAIN + FOUR))
    state = busy(top)
    del state.turns[next(iter(state.turns))]
    refused(top, "f entry_0: calls of one module have no turns")


def test_check_finds_calls_with_state_out_of_order(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(STATEFUL + FOUR))
    bind_verify.verify(top, ECP5)
    state = busy(top)
    first, second, *_ = state.turns
    state.turns[first], state.turns[second] = state.turns[second], state.turns[first]
    refused(top, "f entry_0: mix loses its order")


def test_check_finds_a_state_that_ends_early(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(PLAIN + FOUR))
    state = busy(top)
    state.until -= 1
    last = list(state.turns)[-1]
    refused(top, f"f entry_0: ends before the result of {last} comes")


def test_check_finds_a_call_that_needs_another(compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(PLAIN + PAIRS)
    schedule = compiled.schedules["f"]
    ((block, plan),) = ((b, p) for b, p in schedule.plans.items() if calls(p))
    ops = [op for op in plan.state if op.kind == "call"]
    needs = next(op for op in ops if plan.state[op])
    moved = replace(plan, state={**plan.state, needs: 0})
    with pytest.raises(AssertionError) as caught:
        schedule_verify.verify(schedule.problems[block], moved)
    assert "starts before <call:32" in str(caught.value)


def test_check_finds_a_result_in_the_place_of_what_a_later_call_reads(
    compile_c: Callable[..., Compiled],
) -> None:
    text = MIX % (" II=9\n#pragma HLS allocation operation instances=xor limit=1", "")
    top = bound(compile_c(text + FOUR))
    verify_registers.verify(top)
    state = busy(top)
    first, *_, last = state.turns
    assert state.answered(first) < state.turns[last]
    argument = next(arg for arg in last.args if arg in top.storage)
    unite(top, first, argument)
    with pytest.raises(AssertionError) as caught:
        verify_registers.verify(top)
    assert str(caught.value) == (
        f"f entry_0: {argument} is read, and its register has {first} by then"
    )


def test_result_may_take_the_place_of_what_was_given(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(PLAIN + FOUR))
    first = next(iter(busy(top).turns))
    unite(top, first, next(arg for arg in first.args if arg in top.storage))
    verify_registers.verify(top)


def unite(binding: Binding, one: Op, two: Op) -> None:
    """Put two values into one register."""
    register = binding.storage[two]
    register.owners.append(one)
    binding.storage[one] = register


def test_rows_that_wait_for_each_other_are_parted(compile_c: Callable[..., Compiled]) -> None:
    text = PLAIN + PLAIN.replace("mix", "mux")
    text += """unsigned f(const unsigned x[4]) {
  unsigned a = mix(x[0], x[1]), b = mux(x[2], x[3]);
  return mix(b, 1) ^ mux(a, 2);
}
"""
    compiled = compile_c(text)
    ((block, plan),) = ((b, p) for b, p in compiled.schedules["f"].plans.items() if calls(p))
    problem = compiled.schedules["f"].problems[block]
    rows = bursts.rows(problem.order, problem.memory_order)
    assert [len(row) for row in rows] == [2, 2]
    assert sum(calls(plan)) == 4
