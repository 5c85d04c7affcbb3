# SPDX-License-Identifier: Apache-2.0
"""The check of bindings lets right ones pass and finds broken ones: each kind, by its message."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite import hls
from lydite.hls import Compiled
from lydite.hls.bind import binder
from lydite.hls.bind import verify as bind_verify
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.options import Options
from lydite.hls.ir import delay_model
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import multipliers

EXAMPLES = Path(__file__).parents[3] / "examples" / "hls"
BESIDE = Path(__file__).parents[1] / "modules" / "side_by_side.c"
INDEX = tomllib.loads((EXAMPLES / "index.toml").read_text())
ECP5 = delay_model.load("ecp5-85k")

# Two memories with two ports, one with a port of each kind, products of one shape in several
# states, divisions of two widths, a call, values that live from state to state, parts of values.
PROGRAM = """
#include <stdint.h>
static uint32_t table[128];
static uint16_t small[32];
__attribute__((noinline)) static uint32_t step(uint32_t x, uint32_t n) {
  for (uint32_t i = 0; i < (n & 7); i++) x = (x << 5) ^ (x >> 7) ^ i;
  return x;
}
uint32_t f(uint32_t a[64], uint32_t b, uint32_t c, uint8_t d, int16_t e) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 64; i++) {
    uint32_t first = a[i], second = a[i ^ (b & 63)];
    table[(first + i) & 127] = second * b;
    small[i & 31] ^= (uint16_t)(first >> 3);
    sum += (first * second) ^ (b * c) ^ table[second & 127] ^ small[second & 31];
    sum ^= step(sum, first) + (uint32_t)((int32_t)(first >> 8 & 0xfff) * e);
    a[i] = sum / (c | 1) + d / (uint8_t)(b | 1);
  }
  return sum;
}
"""


def bound(compiled: Compiled, clock_ns: float, model: DelayModel = ECP5) -> dict[str, Binding]:
    plans = schedule_module.schedule_module(compiled.module, model, clock_ns).functions
    return {
        name: binder.bind(plan, model, is_top=name == compiled.module.top)
        for name, plan in plans.items()
    }


@pytest.fixture
def top(compile_c: Callable[..., Compiled]) -> Binding:
    return bound(compile_c(PROGRAM, clock_ns=10.0), 10.0)["f"]


def refused(binding: Binding, pattern: str) -> None:
    with pytest.raises(AssertionError) as caught:
        bind_verify.verify(binding, ECP5)
    assert re.fullmatch(pattern, str(caught.value)), str(caught.value)


def test_right_binding_passes_and_has_all_that_the_tests_break(top: Binding) -> None:
    bind_verify.verify(top, ECP5)
    kinds = {op.attr.kind for op in top.port}
    assert kinds == {"port", "bram", "lutram"}
    assert any(len(unit.ops) > 1 for unit in top.units)
    assert sorted(top.divider_widths) == [8, 32]
    assert any(op.kind == "call" for state in top.states for op in state.waits_for)


@pytest.mark.parametrize("name", ["gcd", "chacha20", "linked_list", "dilithium_ntt", "risc"])
def test_every_register_of_an_example_is_missed_when_it_is_dropped(name: str) -> None:
    sources = tuple(EXAMPLES / source for source in INDEX[name]["sources"])
    compiled = hls.compile(Options(sources=sources, top=INDEX[name]["top"], clock_ns=10.0))
    for binding in bound(compiled, 10.0).values():
        registers = binding.registers
        for dropped in registers:
            binding.registers = [op for op in registers if op is not dropped]
            refused(
                binding, rf"{binding.function.name} \w+: .* which (is not there|is in no register)"
            )


def test_every_register_is_missed_when_it_is_dropped(top: Binding) -> None:
    registers = top.registers
    assert len(registers) > 10
    for dropped in registers:
        top.registers = [op for op in registers if op is not dropped]
        refused(top, r"f \w+: .* which (is not there|is in no register)")


def test_register_of_another_function_or_a_second_one_is_refused(top: Binding) -> None:
    one = top.registers[0]
    top.registers.append(one)
    refused(top, rf"f: {re.escape(repr(one))} has two registers")
    top.registers[-1] = top.function.params[0]
    refused(top, r"f: <param:32 a? ?.*> can have no register")


def test_value_is_not_there_before_its_state(top: Binding) -> None:
    # The product moves behind the state that first reads it.
    op = next(op for op in top.registers if op.kind == "load" and top.home[op].index > 0)
    top.home[op] = top.last[top.home[op].block]
    refused(top, rf"f \w+: is not the state in which {re.escape(repr(op))} is ready")


def test_phi_that_does_not_reach_a_state_is_not_there(top: Binding) -> None:
    block = next(b for b in top.function.blocks if any(b.phis()))
    phi = next(block.phis())
    entry = top.first[top.function.blocks[0]]
    victim = next(op for op in entry.ops if op.args and op.kind not in ("store", "load", "call"))
    victim.args[0] = phi
    refused(top, rf"f {entry.name}: {re.escape(repr(victim))} reads {re.escape(repr(phi))}, "
                 r"which is not there")  # fmt: skip


def test_value_that_is_computed_is_not_taken_for_wiring(top: Binding) -> None:
    op = next(op for op in top.function.ops() if op.kind == "add")
    top.stable.add(op)
    refused(top, rf"f: {re.escape(repr(op))} is taken for wiring of what is kept, and is not")


def test_operation_in_no_state_or_in_two_is_refused(top: Binding) -> None:
    state = next(s for s in top.states if s.ops)
    op = state.ops.pop()
    refused(top, rf"f {state.block.name}: {re.escape(repr(op))} starts nowhere")
    state.ops += [op, op]
    refused(top, rf"f {state.name}: {re.escape(repr(op))} starts twice")
    state.ops.pop()
    other = top.states[top.states.index(state) + 1]
    state.ops.remove(op)
    other.ops.append(op)
    refused(top, rf"f {other.name}: {re.escape(repr(op))} starts (elsewhere|twice)")


def test_swapped_ports_are_refused(top: Binding) -> None:
    load = next(op for op in top.port if op.attr.kind == "lutram" and op.kind == "load")
    top.port[load] = 1
    refused(top, rf"f \w+: port 1 of small\w* cannot do {re.escape(repr(load))}")


def test_port_that_does_two_things_or_does_not_exist_is_refused(top: Binding) -> None:
    start = {op: state for state in top.states for op in state.ops}
    pairs = [
        (first, second)
        for first in top.port
        for second in top.port
        if first is not second
        and first.attr is second.attr
        and first.attr.kind == "port"
        and start[first] is start[second]
    ]
    first, second = pairs[0]
    kept = top.port[first]
    top.port[first] = top.port[second]
    refused(top, rf"f \w+: port {kept ^ 1} of a does <.*> and <.*>")
    top.port[first] = 2
    refused(top, rf"f \w+: {re.escape(repr(first))} has port 2 of a")
    del top.port[first]
    refused(top, rf"f \w+: {re.escape(repr(first))} has no port of a")


def test_merged_multipliers_are_refused(top: Binding) -> None:
    start = {op: state for state in top.states for op in state.ops}
    number, unit = next((n, u) for n, u in enumerate(top.units) if len(u.ops) > 1)
    busy = {start[op] for op in unit.ops}
    others = [op for op in start if op.kind == "mul" and op not in unit.ops]
    wrong = next(op for op in others if start[op] in busy)
    for other in top.units:
        if wrong in other.ops:
            other.ops.remove(wrong)
    unit.ops.append(wrong)
    top.unit_of[wrong] = number
    refused(top, rf"f \w+: mul{number} does <mul.*> and {re.escape(repr(wrong))}")


def test_shape_of_a_unit_is_that_of_its_products(top: Binding) -> None:
    unit = top.units[0]
    unit.shape = dataclasses.replace(unit.shape, width=unit.shape.width - 1)
    refused(top, r"f \w+: mul0 has not the width of <mul.*>")
    unit.shape = multipliers.shape(unit.ops[0])
    unit.shape = dataclasses.replace(unit.shape, first=unit.shape.first - 1)
    refused(top, r"f \w+: mul0 has not the shape of <.*> for <mul.*>")


def test_product_is_not_shared_between_units(top: Binding) -> None:
    unit = top.units[0]
    top.units.append(multipliers.Unit(unit.shape, [unit.ops[0]]))
    refused(top, r"f \w+: <mul.*> has two multipliers")
    top.units.pop()
    del top.unit_of[unit.ops[0]]
    refused(top, "f: units and products disagree")


def test_divider_of_another_width_or_none_is_refused(top: Binding) -> None:
    op = next(iter(top.divider))
    top.divider[op] ^= 1
    refused(top, r"f \w+: div\d has \d+ bits, not those of <divmod.*>")
    del top.divider[op]
    refused(top, r"f \w+: <divmod.*> has no divider")


def test_state_waits_for_what_it_starts(top: Binding) -> None:
    state = next(s for s in top.states if s.waits_for)
    state.waits_for = []
    refused(top, rf"f {state.name}: waits for \[\], not for \[<.*>\]")


def test_calls_that_have_something_in_common_do_not_share_a_state(
    compile_c: Callable[..., Compiled],
) -> None:
    text = BESIDE.read_text()
    top = bound(compile_c(text, clock_ns=10.0), 10.0)["f"]
    bind_verify.verify(top, ECP5)
    state = next(state for state in top.states if len(state.waits_for) > 1)
    problem = top.schedule.problems[state.block]
    top.schedule.problems[state.block] = dataclasses.replace(problem, partners={})
    refused(top, rf"f {state.name}: starts \[<call.*>\] and <call.*>")


BESIDE_A_CALL = """
__attribute__((noinline)) static unsigned step(unsigned x, unsigned n) {
  for (unsigned i = 0; i < (n & 7); i++) x = (x << 5) ^ (x >> 7) ^ i;
  return x;
}
unsigned f(unsigned a[8], unsigned b) {
  unsigned x = step(b, b + 1);
  a[b & 7] = b * 3;
  return x ^ step(x, b);
}
"""


def test_memory_is_not_used_while_a_call_uses_it(compile_c: Callable[..., Compiled]) -> None:
    top = bound(compile_c(BESIDE_A_CALL, clock_ns=10.0), 10.0)["f"]
    bind_verify.verify(top, ECP5)
    call = next(state for state in top.states for op in state.ops if op.kind == "store")
    (busy,) = call.waits_for
    assert busy.kind == "call"
    # As if the callee touched that memory, too.
    problem = top.schedule.problems[call.block]
    memory = next(op.attr for op in top.port)
    footprint = {**problem.footprint, busy.attr: frozenset((memory,))}
    top.schedule.problems[call.block] = dataclasses.replace(problem, footprint=footprint)
    refused(top, rf"f {call.name}: <store.*> uses a while <call.*> does")
