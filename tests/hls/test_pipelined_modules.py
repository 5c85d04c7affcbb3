# SPDX-License-Identifier: Apache-2.0
"""Pipelined functions that stay modules: calls of them overlap, and do what C does."""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import proc
from lydite.hls import Compiled, Machine, Options, ir_text, ir_verify, macros, modulo
from lydite.hls.directives import Pipeline as Wanted
from lydite.hls.interface import VerilogFile
from lydite.hls.ir import Function
from lydite.hls.schedule import Plan, Problem
from lydite.sim import cosim

needs_iverilog = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")


@dataclass(frozen=True)
class Kernel:
    """A program, the interval of its first loop or of `f` at 10 ns, and those of its modules."""

    text: str
    ii: int | None
    modules: dict[str, int]


MIX = """static unsigned mix(unsigned a, unsigned b) {
#pragma HLS pipeline
#pragma HLS inline off
  return (a * b + 3) * (a ^ b);
}
"""
LOOP = """unsigned f(const unsigned a[16], unsigned out[16]) {
%s  unsigned all = 0;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
%s
  }
  return all;
}
"""
ONE = "#pragma HLS allocation instances=%s limit=%d function\n"

KERNELS = {
    "a module for each call": Kernel(
        MIX + LOOP % ("", "  out[i] = mix(mix(a[i], i + 1), a[i] + 7); all ^= out[i];"),
        1,
        {"mix": 1},
    ),
    "one module": Kernel(
        MIX
        + LOOP % (ONE % ("mix", 1), "  out[i] = mix(mix(a[i], i + 1), a[i] + 7); all ^= out[i];"),
        2,
        {"mix": 1},
    ),
    "two modules for five calls": Kernel(
        MIX
        + LOOP
        % (
            ONE % ("mix", 2),
            "  unsigned x = mix(a[i], 1), y = mix(a[i], i), z = mix(i, 9);\n"
            "  out[i] = mix(x, y) ^ z; all += mix(z, x);",
        ),
        3,
        {"mix": 1},
    ),
    "kept for allocation": Kernel(
        MIX.replace("#pragma HLS inline off\n", "")
        + LOOP % (ONE % ("mix", 1), "  out[i] = mix(a[i], 5); all ^= mix(i, out[i]);"),
        2,
        {"mix": 1},
    ),
    "states": Kernel(
        MIX.replace("#pragma HLS inline off\n", "")
        + """static unsigned both(unsigned x) {
#pragma HLS inline off
  return x & 4 ? mix(x, 3) : x;
}
unsigned f(unsigned a, unsigned b) {
  unsigned x = mix(a, b), y = mix(b, 77);
  if (x & 1) x = mix(x, y);
  return both(x) + both(y);
}""",
        None,
        {"mix": 1},
    ),
    "states and pipelines": Kernel(
        MIX
        + """unsigned f(const unsigned a[16], unsigned out[16]) {
#pragma HLS allocation instances=mix limit=1 function
  unsigned all = mix(a[3], 1);
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    if (a[i] & 1) all += mix(a[i], i);
    out[i] = mix(i, 5);
  }
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    all ^= mix(out[i], i);
  }
  return mix(all, 2);
}""",
        2,
        {"mix": 1},
    ),
    "every second cycle": Kernel(
        MIX.replace("pipeline", "pipeline II=2")
        + LOOP % (ONE % ("mix", 1), "  out[i] = mix(a[i], i); all ^= mix(out[i], 1) + mix(i, 7);"),
        6,
        {"mix": 2},
    ),
    "wanted every third, taken every second": Kernel(
        MIX.replace("pipeline", "pipeline II=2")
        + LOOP.replace("pipeline", "pipeline II=3") % ("", "  out[i] = mix(a[i], i); all ^= i;"),
        4,
        {"mix": 2},
    ),
    "state": Kernel(
        """static unsigned tally(unsigned x) {
#pragma HLS pipeline
#pragma HLS inline off
  static unsigned sum = 3;
  return sum += x;
}
"""
        + LOOP % ("", "  out[i] = tally(a[i]); if (a[i] & 1) all ^= tally(i);"),
        2,
        {"tally": 1},
    ),
    "state that takes two cycles": Kernel(
        """static unsigned step(unsigned x) {
#pragma HLS pipeline
#pragma HLS inline off
  static unsigned state = 1;
  state = (state ^ x) * 1664525u + 1013904223u;
  return state >> 3;
}
"""
        + LOOP % ("  out[0] = step(1);\n", "  if (a[i] & 2) all ^= step(a[i]);\n  out[i] = all;"),
        2,
        {"step": 2},
    ),
    "history": Kernel(
        """static int fir(short x) {
#pragma HLS pipeline
#pragma HLS inline off
  static short line[5];
  static const short taps[5] = {3, -7, 19, -7, 3};
  int sum = 0;
  for (int i = 4; i > 0; i--) line[i] = line[i - 1];
  line[0] = x;
  for (int i = 0; i < 5; i++) sum += taps[i] * line[i];
  return sum;
}
"""
        + LOOP % ("", "  out[i] = fir((short)a[i]); all ^= out[i];"),
        1,
        {"fir": 1},
    ),
    "histogram": Kernel(
        """static unsigned count(unsigned char a) {
#pragma HLS pipeline
#pragma HLS inline off
  static unsigned h[512];
  return ++h[a * 2];
}
"""
        + LOOP % ("", "  out[i] = count(a[i] & 3); all += out[i] * i;"),
        2,
        {"count": 2},
    ),
    "tables": Kernel(
        """static const unsigned short table[300] = {5, 9, 2, 77, 1000, 3, 8, 1, 44, [255] = 13};
static unsigned look(unsigned char x, unsigned char y) {
#pragma HLS pipeline
#pragma HLS inline off
  return table[x] * 3 + table[y] - table[x ^ y];
}
"""
        + LOOP % ("", "  out[i] = look(a[i], i) + look(i, a[i] >> 8); all ^= table[a[i] & 255];"),
        2,
        {"look": 2},
    ),
    "function of functions": Kernel(
        MIX
        + """static unsigned twice(unsigned a) {
#pragma HLS pipeline
#pragma HLS inline off
  return mix(a, 3) + mix(a ^ 5, mix(a, 4));
}
"""
        + LOOP % ("", "  out[i] = twice(a[i]); all ^= twice(i) + mix(a[i], all);"),
        None,
        {"mix": 1, "twice": 1},
    ),
    "limited function of functions": Kernel(
        MIX
        + """static unsigned twice(unsigned a) {
#pragma HLS pipeline
#pragma HLS inline off
  return mix(a, 3) + mix(a ^ 5, mix(a, 4));
}
"""
        + LOOP % (ONE % ("mix", 1), "  out[i] = twice(a[i]); all ^= mix(i, out[i]);"),
        3,
        {"mix": 1, "twice": 3},
    ),
    "state below state": Kernel(
        """static unsigned low(unsigned x) {
#pragma HLS pipeline
#pragma HLS inline off
  static unsigned sum;
  return sum += x;
}
static unsigned high(unsigned x, unsigned n) {
#pragma HLS pipeline
#pragma HLS inline off
  if (n & 1) x += low(n);
  return x ^ low(x);
}
"""
        + LOOP % ("", "  if (a[i] & 4) out[i] = high(a[i], i); else out[i] = 0;"),
        3,
        {"low": 1, "high": 3},
    ),
    "top function": Kernel(
        MIX
        + """unsigned f(unsigned a, unsigned b, unsigned c) {
#pragma HLS pipeline
#pragma HLS allocation instances=mix limit=1 function
  return mix(mix(a, b), c) ^ mix(c, 12);
}""",
        3,
        {"mix": 1},
    ),
    "wide": Kernel(
        """typedef unsigned __int128 wide;
static wide turn(wide x, unsigned char n) {
#pragma HLS pipeline
#pragma HLS inline off
  return (x << (n & 63) | x >> 75) * 3 + n;
}
"""
        + LOOP
        % (
            "  wide x = 1;\n",
            "  wide y = turn((wide)a[i] << 100 | i, a[i]);\n"
            "  out[i] = y >> 90; all ^= (unsigned)(y >> 3); x ^= turn(y, 1); all += x >> 70;",
        ),
        1,
        {"turn": 1},
    ),
    "no arguments": Kernel(
        """static unsigned next(void) {
#pragma HLS pipeline
#pragma HLS inline off
  static unsigned state = 1;
  return state = state << 1 ^ (state >> 31 ? 0x04c11db7 : 0);
}
"""
        + LOOP % ("", "  out[i] = next(); all ^= a[i];"),
        1,
        {"next": 1},
    ),
    "data-dependent end": Kernel(
        MIX.replace("pipeline", "pipeline II=2")
        + """unsigned f(const unsigned a[16], unsigned n) {
#pragma HLS allocation instances=mix limit=1 function
  unsigned all = 0;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
      if ((a[i] & 7) == (n & 7)) break;
      all ^= mix(a[i], i);
    }
    all = mix(all, n);
  }
  return all;
}""",
        2,
        {"mix": 2},
    ),
}


def calls(compiled: Compiled, seed: int, count: int) -> list[tuple[dict[str, int], dict]]:
    """Give some calls at random."""
    rng = random.Random(seed)
    face = compiled.interface
    return [
        (
            {s.name: rng.getrandbits(s.width) for s in face.scalars},
            {a.port: rng.randbytes(a.depth * a.element_width // 8) for a in face.arrays},
        )
        for _ in range(count)
    ]


def compare(compiled: Compiled, simulate: Callable[..., list], seed: int, count: int = 4) -> None:
    """Compare hardware and interpreter, call by call."""
    given = calls(compiled, seed, count)
    results = simulate(compiled, given)
    machine = Machine(compiled.module, limit=100_000)
    for number, (call, got) in enumerate(zip(given, results, strict=True)):
        wanted = machine.call(*call)
        assert got.value == wanted.value, f"call {number}"
        for array in compiled.interface.arrays:
            if array.direction != "in" and not array.unused:
                assert got.arrays[array.port] == wanted.arrays[array.port], f"call {number}"


def intervals(compiled: Compiled) -> tuple[int | None, dict[str, int]]:
    """Give the interval of the first loop, or the function, and those of modules."""
    top, *others = compiled.report.functions
    first = next((loop.ii for loop in top.loops if loop.ii), top.interval)
    return first, {f.name: f.interval for f in others if f.interval is not None}


@needs_iverilog
@pytest.mark.parametrize("clock_ns", [10.0, pytest.param(4.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", KERNELS)
def test_hardware_does_what_the_interpreter_does(
    name: str,
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
) -> None:
    kernel = KERNELS[name]
    compiled = compile_c(kernel.text, clock_ns=clock_ns, std="c23")
    found, modules = intervals(compiled)
    if clock_ns == 10.0:
        assert modules == kernel.modules
        assert kernel.ii in (found, None)
    compare(compiled, simulate, 5)


@needs_iverilog
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3, 4))]
)
@pytest.mark.parametrize("name", KERNELS)
def test_any_legal_schedule_is_right(
    name: str,
    seed: int,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(f"{name} {seed}")
    original = modulo.schedule_loop

    def loops(base: Problem, function: Function, wanted: Wanted) -> tuple[Plan, list]:
        return original(base, function, wanted, rng)

    monkeypatch.setattr(modulo, "schedule_loop", loops)
    compiled = compile_c(KERNELS[name].text, clock_ns=rng.choice([4.0, 10.0, 40.0]), std="c23")
    compare(compiled, simulate, seed)
