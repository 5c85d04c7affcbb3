# SPDX-License-Identifier: Apache-2.0
"""Loops that rewind do what C does, call behind call, without draining in between."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from lydite.hls import Compiled, Machine, modulo, pipeline_verify
from lydite.hls.directives import Pipeline as Wanted
from lydite.hls.ir import Function
from lydite.hls.schedule import Plan, Problem

needs_iverilog = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")


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


def calls(
    compiled: Compiled, seed: int, count: int = 20
) -> list[tuple[dict[str, int], dict[str, bytes]]]:
    """Give some calls at random; arrays have the contents of the first one."""
    rng = random.Random(seed)
    face = compiled.interface
    arrays = {a.port: rng.randbytes(a.depth * a.element_width // 8) for a in face.arrays}
    return [
        ({s.name: rng.getrandbits(s.width) for s in face.scalars}, arrays) for _ in range(count)
    ]


def compare(compiled: Compiled, simulate: Callable[..., list], seed: int, *, pauses: bool) -> None:
    """Compare hardware, with calls at work together, and interpreter."""
    given = calls(compiled, seed)
    results = simulate(compiled, given, pauses=pauses)
    assert len(results) == len(given)
    machine = Machine(compiled.module, limit=10_000)
    contents = given[0][1]
    wanted = None
    top = compiled.report.functions[0]
    for number, ((scalars, _), got) in enumerate(zip(given, results, strict=True)):
        wanted = machine.call(scalars, contents)
        contents = {**contents, **wanted.arrays}
        assert got.value == wanted.value, f"call {number}"
        assert top.latency_min is not None and got.cycles >= top.latency_min
        if top.latency_max is not None:
            # It may be offered at any time of an interval.
            assert got.cycles < top.latency_max + compiled.interface.rewound
    assert wanted is not None
    for array in compiled.interface.arrays:
        if not array.unused:
            assert results[-1].arrays[array.port] == contents[array.port]


@needs_iverilog
@pytest.mark.parametrize("clock_ns", [10.0, pytest.param(4.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pauses", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_hardware_does_what_the_interpreter_does(
    name: str,
    pauses: bool,
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    simulate_overlapped: Callable[..., list],
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
        compare(compiled, simulate_overlapped, 5, pauses=pauses)


@needs_iverilog
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3, 4))]
)
@pytest.mark.parametrize("name", KERNELS)
def test_any_legal_schedule_is_right(
    name: str,
    seed: int,
    compile_c: Callable[..., Compiled],
    simulate_overlapped: Callable[..., list],
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
    compare(compiled, simulate_overlapped, seed, pauses=bool(seed & 1))
