# SPDX-License-Identifier: Apache-2.0
"""Pipelined functions do what C does, call behind call, at the interval and latency reported."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.bind import binder, verify_pipeline
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.directives import Pipeline as Wanted
from lydite.hls.contract.interface import ArrayArg, ScalarArg
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir.graph import Op
from lydite.hls.passes import choose_memories
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import modulo
from lydite.hls.schedule.modulo_problem import LoopProblem, formulate, verify
from lydite.hls.schedule.problem import Plan


@dataclass(frozen=True)
class Kernel:
    """A pipelined function `f`, and the interval that it must reach at 10 ns."""

    text: str
    ii: int


KERNELS = {
    "multiply_add": Kernel(
        """unsigned f(unsigned a, unsigned b, unsigned c) {
#pragma HLS pipeline II=1
  return a * b + c;
}""",
        1,
    ),
    "every_second": Kernel(
        """unsigned f(unsigned a, unsigned b, unsigned c) {
#pragma HLS pipeline II=2
  return (a * b + c * (a ^ 5)) * (c + 9) * b;
}""",
        2,
    ),
    "sides": Kernel(
        """int f(int a, unsigned char n, short b) {
#pragma HLS PIPELINE
  int s = a;
  if (n == 3) return b;
  for (int i = 0; i < 6; i++) {
    if (s & 1) s = s * 3 + b; else s >>= 1;
    if (s == 77) break;
    if ((s & 7) == n) return s ^ i;
  }
  switch (n & 3) {
    case 0: s += b; break;
    case 1: s ^= b; break;
    case 2: return -1;
  }
  return s + n;
}""",
        1,
    ),
    "called": Kernel(
        """static unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }
static unsigned mix(unsigned x) {
  for (int i = 1; i < 4; i++) x = rotate(x * 5, i) ^ i;
  return x;
}
unsigned f(unsigned x) {
#pragma HLS pipeline
  return mix(mix(x) + 1);
}""",
        1,
    ),
    "counter": Kernel(
        """unsigned f(unsigned char step) {
#pragma HLS pipeline
  static unsigned all = 7;
  all += step;
  return all;
}""",
        1,
    ),
    "generator": Kernel(
        """static unsigned state = 1;
unsigned f(unsigned a) {
#pragma HLS pipeline
  state = (state ^ a) * 1664525u + 1013904223u;
  return state >> 3;
}""",
        2,
    ),
    "history": Kernel(
        """int f(short x) {
#pragma HLS pipeline
  static short line[5];
  static const short taps[5] = {3, -7, 19, -7, 3};
  int sum = 0;
  for (int i = 4; i > 0; i--) line[i] = line[i - 1];
  line[0] = x;
  for (int i = 0; i < 5; i++) sum += taps[i] * line[i];
  return sum;
}""",
        1,
    ),
    "histogram": Kernel(
        """unsigned f(unsigned char a) {
#pragma HLS pipeline
  static unsigned h[64];
  return ++h[a & 63];
}""",
        1,
    ),
    "ports": Kernel(
        """unsigned f(const unsigned a[8], unsigned n) {
#pragma HLS pipeline
  unsigned s = n;
  for (int i = 0; i < 8; i++) s += a[i] * n;
  return s;
}""",
        4,
    ),
    "reads_and_writes": Kernel(
        """void f(unsigned a[16], unsigned char n, unsigned x) {
#pragma HLS pipeline
  a[n & 15] = a[(n + 1) & 15] + x;
}""",
        2,
    ),
    "apart": Kernel(
        """void f(unsigned a[32], unsigned char n, unsigned x) {
#pragma HLS pipeline
  unsigned i = n & 15;
  a[2 * i] = a[2 * i + 1] * x;
}""",
        1,
    ),
    "swap": Kernel(
        """void f(unsigned a[8], unsigned char n, unsigned char m) {
#pragma HLS pipeline
  unsigned one = a[n & 7], two = a[m & 7];
  a[n & 7] = two;
  if (n != m) a[m & 7] = one;
}""",
        3,
    ),
    "nothing": Kernel(
        """void f(unsigned char a[2]) {
#pragma HLS pipeline
  a[1] = 5;
}""",
        1,
    ),
    "wires": Kernel(
        """unsigned f(unsigned a) {
#pragma HLS pipeline
  return a << 3 | a >> 29;
}""",
        1,
    ),
}


@pytest.mark.parametrize(
    "clock_ns", [3.0, *(pytest.param(ns, marks=pytest.mark.slow) for ns in (10.0, 16.0))]
)
@pytest.mark.parametrize("name", KERNELS)
def test_hardware_does_what_the_interpreter_does(
    name: str,
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    compare_overlapped: Callable[..., None],
) -> None:
    compiled = compile_c(KERNELS[name].text, clock_ns=clock_ns)
    compare_overlapped(compiled, 5, pauses=clock_ns == 3.0)


def test_calls_may_also_come_one_by_one(
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    random_calls: Callable[..., list],
) -> None:
    compiled = compile_c(KERNELS["ports"].text)
    machine = Machine(compiled.module)
    given = random_calls(compiled, 2, 5)
    for call, got in zip(given, simulate(compiled, given), strict=True):
        assert got.value == machine.call(*call).value


def test_least_latency_moves_the_end_and_not_the_interval(
    compile_c: Callable[..., Compiled], compare_overlapped: Callable[..., None]
) -> None:
    text = KERNELS["multiply_add"].text
    more = text.replace("II=1\n", "II=1\n#pragma HLS latency min=9\n")
    compiled = compile_c(more)
    top = compiled.report.functions[0]
    assert (top.latency_min, top.latency_max, top.interval) == (9, 9, 1)
    compare_overlapped(compiled, 6, pauses=True)


def widened(arg: ScalarArg, value: int) -> ctypes.c_int64:
    """Give an argument as a caller passes it: with its sign."""
    negative = arg.signed and value >> (arg.width - 1)
    return ctypes.c_int64(value - (1 << arg.width) if negative else value)


@pytest.mark.parametrize("name", KERNELS)
def test_interpreter_does_what_c_does(
    name: str,
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
    random_calls: Callable[..., list],
) -> None:
    compiled = compile_c(KERNELS[name].text)
    machine, library = Machine(compiled.module), native(KERNELS[name].text)
    library.f.restype = ctypes.c_uint32
    given = random_calls(compiled, 3)
    contents = given[0][1]
    buffers = {port: ctypes.create_string_buffer(data) for port, data in contents.items()}
    for scalars, _ in given:
        args = [
            buffers[arg.port] if isinstance(arg, ArrayArg) else widened(arg, scalars[arg.name])
            for arg in compiled.interface.args
        ]
        value = library.f(*args)
        wanted = machine.call(scalars, contents)
        contents = {**contents, **wanted.arrays}
        assert wanted.value is None or wanted.value == value
        for arg in compiled.interface.arrays:
            assert arg.unused or buffers[arg.port].raw[: arg.c_bytes] == contents[arg.port]


@pytest.mark.parametrize("name", KERNELS)
def test_interval(name: str, compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(KERNELS[name].text)
    assert compiled.report.functions[0].interval == KERNELS[name].ii
    assert compiled.interface.interval == KERNELS[name].ii


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3, 4))]
)
@pytest.mark.parametrize("name", KERNELS)
def test_any_legal_schedule_is_right(
    name: str,
    seed: int,
    compile_c: Callable[..., Compiled],
    compare_overlapped: Callable[..., None],
    any_schedule: Callable[[random.Random], None],
) -> None:
    rng = random.Random(f"{name} {seed}")
    any_schedule(rng)
    compiled = compile_c(KERNELS[name].text, clock_ns=rng.choice([4.0, 10.0, 40.0]))
    compare_overlapped(compiled, seed, pauses=bool(seed & 1))


# The checks find what is wrong.

STATE = """\
module @f
pragma "pipeline" where "t.c:1"
memory @s width 32 depth 1 lanes 1 base 64 object "s"+0

function @f(%0:32) : 32 pragmas 0 {
entry:
  %1:32 = load @s 1'0x0
  %2:32 = add %1 %0
  %3:32 = mul %2 %0
  store @s 1'0x0 %3 1'0x1
  %4:32 = xor %3 %0
  ret %4
}
"""


def solved(ii: int = 0) -> tuple[LoopProblem, Plan, list[Op], Binding]:
    module = ir_text.parse_module(STATE)
    module.pragmas = (Wanted(ii=ii),)
    model = delay_model.load("ecp5")
    choose_memories.decide(module, model)
    found = schedule_module.schedule_module(module, model, 10.0, modulo.schedule_loop).functions[
        "f"
    ]
    block = found.function.blocks[0]
    base = replace(found.problems[block], memory_order=[], units={})
    binding = binder.bind(found, model, is_top=True)
    return formulate(base, found.function), found.plans[block], block.ops, binding


def test_schedule_and_registers_of_a_function_are_right() -> None:
    loop, plan, _, binding = solved()
    assert plan.pipeline is not None and (plan.pipeline.ii, plan.states) == (2, 3)
    assert plan.pipeline.result == 2
    verify(loop, plan)
    verify_pipeline.verify(binding)


def test_check_finds_state_that_is_read_too_early() -> None:
    loop, plan, _, _ = solved()
    assert plan.pipeline is not None
    plan = replace(plan, pipeline=replace(plan.pipeline, ii=1))
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "entry: <load:32  > passes <store:0  >"


def test_check_finds_a_result_that_is_not_last() -> None:
    loop, plan, _, _ = solved()
    plan = replace(plan, states=4)
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "entry: <result:0  > is not in the last cycle"


def test_check_finds_an_argument_that_is_gone() -> None:
    _, _, _, binding = solved()
    pipe = binding.calls
    assert pipe is not None
    (argument,) = binding.function.params
    assert pipe.copies.pop(argument) == 1
    with pytest.raises(AssertionError) as caught:
        verify_pipeline.verify(binding)
    assert str(caught.value).startswith(f"entry: {argument} of iteration 0 is read at 1, ")


# What cannot be had.


def warned(compiled: Compiled) -> list[str]:
    return [re.sub(r"^\S*/(?=t\.c)", "", str(warning)) for warning in compiled.warnings]


def test_recurrence_that_decides_is_named(compile_c: Callable[..., Compiled]) -> None:
    text = KERNELS["generator"].text.replace("pipeline", "pipeline II=1")
    (warning,) = warned(compile_c(text))
    assert warning == (
        "t.c:2: pipeline: f: II=1 wanted, II=2 reached: recurrence add (t.c:4) -> "
        "store state (t.c:4) -> load state (t.c:4)"
    )


def test_port_that_decides_is_named(compile_c: Callable[..., Compiled]) -> None:
    (warning,) = warned(compile_c(KERNELS["ports"].text))
    assert warning == (
        "t.c:1: pipeline: f: II=1 wanted, II=4 reached: 8 reads and 0 writes of a a call (t.c:4), "
        "a port with 2 ports"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "for (unsigned k = 0; k < (n & 7); k++) s += a[k];",
            "t.c:5: pipeline: f is not pipelined: a loop is not unrolled: its number of "
            "iterations is not known",
        ),
        (
            "s += g(a[0]);",
            "t.c:5: pipeline: f is not pipelined: it calls g, which is a module of its own",
        ),
        (
            "s += a[1] / (n | 1);",
            "t.c:5: pipeline: f is not pipelined: it divides, which takes a number of cycles that "
            "holds the rest up",
        ),
    ],
)
def test_reason_why_a_function_is_not_pipelined(
    body: str, message: str, compile_c: Callable[..., Compiled]
) -> None:
    text = (
        "static unsigned g(unsigned x) {\n#pragma HLS inline off\n  return x * x; }\n"
        "unsigned f(const unsigned a[64], unsigned n, unsigned s) {\n"
        f"  {body}\n"
        "#pragma HLS pipeline\n"
        "  return s + a[3];\n}\n"
    )
    compiled = compile_c(text)
    assert warned(compiled) == [message]
    assert compiled.report.functions[0].interval is None
