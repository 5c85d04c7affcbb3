# SPDX-License-Identifier: Apache-2.0
"""Loops that rewind do what C does, call behind call, without draining in between."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.bind import binder, verify_pipeline
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.directives import Pipeline as Wanted
from lydite.hls.ir import delay_model
from lydite.hls.ir.graph import Function
from lydite.hls.schedule import delay_factors, modulo
from lydite.hls.schedule.modulo_problem import LoopProblem, formulate, verify
from lydite.hls.schedule.problem import Plan, Problem


@dataclass(frozen=True)
class Kernel:
    """A function `f` that is a loop, the interval of its iterations at 10 ns, and their number.

    That is 0 if the arguments decide.
    """

    text: str
    ii: int
    trips: int


KERNELS = {
    "sum": Kernel(
        """unsigned f(const unsigned a[8], unsigned k) {
  unsigned s = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline rewind
    s += a[i] * k;
  }
  return s ^ k;
}""",
        1,
        8,
    ),
    "seeded": Kernel(
        """unsigned f(const unsigned a[8], unsigned s, unsigned char step) {
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline rewind
    s = (s << 1 | s >> 31) ^ (a[i] + step);
  }
  return s;
}""",
        1,
        8,
    ),
    "slow": Kernel(
        """unsigned f(const unsigned a[8], unsigned s) {
  for (int i = 0; i < 7; i++) {
#pragma HLS pipeline II=2 rewind
    s = s * 1664525u + a[i];
  }
  return s >> 3;
}""",
        2,
        7,
    ),
    "in_place": Kernel(
        """void f(unsigned a[16], unsigned k) {
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline rewind
    a[i] = a[i] * k + 1;
  }
}""",
        1,
        16,
    ),
    "short_and_in_place": Kernel(
        """void f(unsigned a[3], unsigned k) {
  for (int i = 0; i < 3; i++) {
#pragma HLS pipeline II=2 rewind
    a[i] = a[i] * k + i;
  }
}""",
        2,
        3,
    ),
    "bounded_by_argument": Kernel(
        """unsigned f(const unsigned a[16], unsigned char n, unsigned k) {
  unsigned s = 3;
  for (unsigned i = 0; i < (n & 15u); i++) {
#pragma HLS pipeline rewind
    s += a[i] ^ k;
  }
  return s + n;
}""",
        1,
        0,
    ),
    "from_argument": Kernel(
        """unsigned f(const unsigned a[32], unsigned char n) {
  unsigned s = 0;
  unsigned i = n & 15;
  do {
#pragma HLS pipeline II=2 rewind
    s = s * 3 + a[i++];
  } while (i < 20);
  return s - i;
}""",
        2,
        0,
    ),
    "broken": Kernel(
        """int f(const short a[16], short x) {
  int i;
  for (i = 0; i < 16; i++) {
#pragma HLS pipeline II=3 rewind
    if (a[i] == x || (a[i] & 3) == 1) break;
  }
  return i;
}""",
        3,
        0,
    ),
    "nest": Kernel(
        """unsigned f(const unsigned char a[4][5], unsigned k) {
  unsigned s = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) {
#pragma HLS pipeline rewind
      s += a[i][j] * (k + i);
    }
  return s;
}""",
        1,
        20,
    ),
    "before_and_behind": Kernel(
        """int f(const int a[8], int b[8], unsigned char m, int k) {
  int s = b[0];
  int step = k * 3 + m;
  if (m & 1) step = -step;
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=3 rewind
    s += a[i] & step;
  }
  b[(m & 3) + 1] = s;
  if (m & 8) b[7] = step;
  return s ^ step;
}""",
        3,
        8,
    ),
    "state": Kernel(
        """unsigned f(unsigned char x) {
  static unsigned last = 9;
  unsigned s = 1;
  for (int i = 0; i < 6; i++) {
#pragma HLS pipeline rewind
    s += (last & i) + x;
    last ^= s;
  }
  return last;
}""",
        1,
        6,
    ),
    "histogram": Kernel(
        """unsigned f(const unsigned char a[10], unsigned char x) {
  static unsigned h[64];
  unsigned most = 0;
  for (int i = 0; i < 10; i++) {
#pragma HLS pipeline rewind
    unsigned now = ++h[(a[i] + x) & 63];
    if (now > most) most = now;
  }
  return most;
}""",
        1,
        10,
    ),
    "two_of_a_table": Kernel(
        """unsigned f(unsigned char x) {
  static const unsigned short t[6] = {9, 2, 77, 1, 500, 31};
  unsigned s = x;
  for (int i = 0; i < 6; i++) {
#pragma HLS pipeline rewind
    s ^= t[i] << (x & 7);
  }
  return s;
}""",
        1,
        6,
    ),
}


@pytest.mark.parametrize("clock_ns", [10.0, pytest.param(4.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pauses", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("name", KERNELS)
def test_hardware_does_what_the_interpreter_does(
    name: str,
    pauses: bool,
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    compare_overlapped: Callable[..., None],
) -> None:
    kernel = KERNELS[name]
    compiled = compile_c(kernel.text, clock_ns=clock_ns)
    if clock_ns == 10.0:
        assert compiled.warnings == ()
        assert compiled.interface.rewound == kernel.ii
        top = compiled.report.functions[0]
        assert top.interval == (kernel.ii * kernel.trips or None)
        assert (top.latency_min == top.latency_max) == bool(kernel.trips)
    if compiled.interface.rewound:
        compare_overlapped(compiled, 5, pauses=pauses)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3, 4))]
)
@pytest.mark.parametrize("name", KERNELS)
def test_any_legal_schedule_is_right(
    name: str,
    seed: int,
    compile_c: Callable[..., Compiled],
    compare_overlapped: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(f"{name} {seed}")
    original = modulo.schedule_loop

    def loops(base: Problem, function: Function, wanted: Wanted) -> tuple[Plan, list]:
        if function.rewind is None:
            # What drains is no better, so that it is never kept.
            return original(base, function, replace(wanted, ii=64))
        return original(base, function, replace(wanted, ii=0), rng)

    monkeypatch.setattr(modulo, "schedule_loop", loops)
    compiled = compile_c(KERNELS[name].text, clock_ns=rng.choice([4.0, 10.0, 40.0]))
    assert compiled.interface.rewound
    compare_overlapped(compiled, seed, pauses=bool(seed & 1))


def test_least_latency_moves_the_end_and_not_the_interval(
    compile_c: Callable[..., Compiled], compare_overlapped: Callable[..., None]
) -> None:
    text = KERNELS["sum"].text.replace("{\n", "{\n#pragma HLS latency min=20\n", 1)
    compiled = compile_c(text)
    top = compiled.report.functions[0]
    assert (top.latency_min, top.latency_max, top.interval) == (20, 20, 8)
    compare_overlapped(compiled, 6, pauses=True)


def test_calls_may_also_come_one_by_one(
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    random_calls: Callable[..., list],
) -> None:
    compiled = compile_c(KERNELS["bounded_by_argument"].text)
    machine = Machine(compiled.module)
    given = random_calls(compiled, 2, 5)
    for call, got in zip(given, simulate(compiled, given), strict=True):
        assert got.value == machine.call(*call).value


def test_words_of_the_next_call_are_told_apart_by_the_counter(
    compile_c: Callable[..., Compiled],
) -> None:
    """A word comes again when all others have been: the loop's length is the distance."""
    short = KERNELS["in_place"].text.replace("16", "4")
    assert compile_c(short, clock_ns=10.0).interface.rewound == 1
    (warning,) = warned(compile_c(short.replace("4; i", "2; i"), clock_ns=10.0))
    assert warning == (
        "t.c:3: pipeline: the loop at t.c:2 drains, rewind is not had: rewound, it has a longer "
        "interval: II=1 wanted, II=2 reached: recurrence mul (t.c:4) -> add (t.c:4) -> "
        "store a (t.c:4) -> load a (t.c:4)"
    )


def test_directives_on_dependence_are_of_one_call_alone(compile_c: Callable[..., Compiled]) -> None:
    text = """unsigned f(unsigned a[16], const unsigned char at[8], unsigned k) {
  a[0] = k;
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline rewind
#pragma HLS dependence variable=a inter false
#pragma HLS dependence variable=a intra false
    a[at[i] & 15] += k;
  }
  return k;
}"""
    compiled = compile_c(text, clock_ns=10.0)
    assert compiled.interface.rewound == 0
    assert compiled.report.functions[0].loops[0].ii == 1
    (warning,) = warned(compiled)
    assert warning.startswith("t.c:4: pipeline: the loop at t.c:3 drains, rewind is not had: ")
    assert "recurrence" in warning


def test_what_is_learnt_is_of_the_rewound_loop(compile_c: Callable[..., Compiled]) -> None:
    text = KERNELS["sum"].text
    function = compile_c(text, clock_ns=10.0).schedules["f"].function
    slower = {op: 1.5 for op in function.ops() if op.kind == "add"}
    again = compile_c(text, clock_ns=10.0, learnt=delay_factors.make({function: slower}))
    assert again.interface.rewound == 1
    lasts = [item.report.functions[0].critical_ns for item in (again, compile_c(text))]
    assert lasts[0] != lasts[1]


# The checks find what is wrong.


def solved(compiled: Compiled) -> tuple[LoopProblem, Plan, Binding]:
    found = compiled.schedules["f"]
    (block,) = found.function.blocks
    base = replace(found.problems[block], memory_order=[], units={})
    binding = binder.bind(found, delay_model.load("ecp5"), is_top=True)
    return formulate(base, found.function), found.plans[block], binding


def test_check_finds_an_iteration_that_does_not_know_whether_it_begins_a_call(
    compile_c: Callable[..., Compiled],
) -> None:
    loop, plan, binding = solved(compile_c(KERNELS["slow"].text))
    rewind = binding.function.rewind
    assert rewind is not None and plan.pipeline is not None
    verify(loop, plan)
    plan.pipeline.moves[rewind.first] = plan.pipeline.ii
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert re.fullmatch(r"\w+: <start:0  \S+> passes <move:1 first \S+>", str(caught.value))


def test_check_finds_that_the_last_iteration_is_forgotten(
    compile_c: Callable[..., Compiled],
) -> None:
    _, plan, binding = solved(compile_c(KERNELS["sum"].text))
    pipe, rewind = binding.calls, binding.function.rewind
    assert pipe is not None and rewind is not None
    verify_pipeline.verify(binding)
    pipe.copies[rewind.last] -= 1
    with pytest.raises(AssertionError) as caught:
        verify_pipeline.verify(binding)
    told = f"{pipe.block.name}: {rewind.last} of iteration 0 is read at {plan.states - 1}, "
    assert str(caught.value).startswith(told)


def test_check_finds_a_value_that_the_next_call_has_overwritten(
    compile_c: Callable[..., Compiled],
) -> None:
    _, _, binding = solved(compile_c(KERNELS["sum"].text))
    pipe = binding.calls
    assert pipe is not None
    phi = next(phi for phi in pipe.moves if phi.name == "k")
    value = phi.args[1]
    assert pipe.copies.pop(value) > 1
    with pytest.raises(AssertionError) as caught:
        verify_pipeline.verify(binding)
    assert f"{value} of iteration 0 is read at " in str(caught.value)


# What cannot be had.


def warned(compiled: Compiled) -> list[str]:
    return [re.sub(r"^\S*/(?=t\.c)", "", str(warning)) for warning in compiled.warnings]


LOOP = """
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=1 rewind
    s += a[i];
  }"""


@pytest.mark.parametrize(
    ("before", "behind", "why"),
    [
        (
            "for (unsigned k = 0; k < n; k++) s += a[k & 7] * k;",
            "",
            "the loop at t.c:4 is beside it",
        ),
        ("", "s /= n | 1;", "the function divides beside it (t.c:9)"),
        ("s = g(n);", "", "the function calls g beside it (t.c:4)"),
        (
            "for (unsigned k = 0; k < (n & 63); k++) {\n#pragma HLS loop_flatten off\n",
            "s = s * n; }",
            "the loop at t.c:4 is around it",
        ),
        (
            "s += a[n & 7] + a[n & 3];",
            "",
            "rewound, it has a longer interval: II=1 wanted, II=2 reached: 3 reads and 0 writes "
            "of a an iteration (t.c:4, t.c:7), a port with 2 ports",
        ),
    ],
)
def test_reason_why_a_loop_drains(
    before: str, behind: str, why: str, compile_c: Callable[..., Compiled]
) -> None:
    text = (
        "static unsigned g(unsigned x) {\n#pragma HLS inline off\n  return x * x; }\n"
        f"unsigned f(const unsigned a[8], unsigned b[4], unsigned n, unsigned s) {{ {before}"
        f"{LOOP}\n  {behind}\n  return s;\n}}\n"
    )
    found = [line for line in warned(compile_c(text)) if "rewind" in line]
    at = 7 if "off" in before else 5
    drains = f"t.c:{at + 1}: pipeline: the loop at t.c:{at} drains, rewind is not had"
    assert found == [f"{drains}: {why}"]
