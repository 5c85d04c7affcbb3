# SPDX-License-Identifier: Apache-2.0
"""Wide products whose number `allocation` limits are shared whole."""

from __future__ import annotations

import ctypes
import random
import re
import struct
from collections.abc import Callable
from typing import Any

import pytest

from lydite.hls import Compiled

LIMIT = "#pragma HLS allocation operation instances=mul limit={}\n"
# In states: factors with a sign and without, of several widths; one product by its upper half.
STATES = """\
#include <stdint.h>
uint64_t f(int32_t a, uint32_t b, int64_t c, uint64_t d, int n) {
LIMIT
  uint64_t s = 1;
  for (int i = 0; i < n; i++) {
    s += (uint64_t)((int64_t)a * (int32_t)(b + i));
    s ^= (uint64_t)b * (uint32_t)s;
    if (s & 4) s += (uint64_t)c * d;
    s = s << 7 | s >> 57;
    a += (int32_t)(((int64_t)a * (int32_t)s) >> 32);
    b ^= (uint32_t)(((uint64_t)b * (uint32_t)d) >> 32);
    c = c * a;
    s += (uint64_t)((__int128)c * b >> 40);
  }
  return s ^ (uint32_t)a ^ (uint64_t)b << 32 ^ (uint64_t)c;
}
"""
# In a pipelined loop, four a round.
LOOP = """\
#include <stdint.h>
void f(const int32_t x[64], const int32_t y[64], int64_t z[16]) {
LIMIT
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=INTERVAL
    int64_t s = 0;
    for (int j = 0; j < 4; j++) s += (int64_t)x[4 * i + j] * y[4 * i + j];
    z[i] = s;
  }
}
"""


def _units(compiled: Compiled) -> int:
    """Count the hardware multipliers of all functions, as drawn."""
    functions = compiled.report.functions
    return sum(n for f in functions for unit, n in f.units if unit.startswith("mul_"))


def _shown(compiled: Compiled) -> list[str]:
    return [re.sub(r"\S*/(?=t\.c)", "", str(warning)) for warning in compiled.warnings]


@pytest.mark.parametrize("limit", [1, 2])
@pytest.mark.parametrize("clock_ns", [7.0, 10.0])
def test_products_of_all_kinds_share_a_module(
    limit: int,
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
    simulate: Callable[..., list[Any]],
) -> None:
    text = STATES.replace("LIMIT\n", LIMIT.format(limit))
    compiled = compile_c(text, clock_ns=clock_ns)
    assert _shown(compiled) == []
    assert [f.name for f in compiled.report.functions] == ["f", "f_product"]
    assert not [unit for unit, _ in compiled.report.functions[0].units if unit.startswith("mul_")]
    function = native(text).f
    function.restype = ctypes.c_uint64
    function.argtypes = [
        ctypes.c_int32,
        ctypes.c_uint32,
        ctypes.c_int64,
        ctypes.c_uint64,
        ctypes.c_int,
    ]
    rng = random.Random(7)
    calls = []
    for edge in range(12):
        bits = [32, 32, 64, 64]
        values = [rng.choice([rng.getrandbits(n), 1 << n - 1, (1 << n) - 1]) for n in bits]
        calls.append({**dict(zip("abcd", values, strict=True)), "n": edge % 5})
    done = simulate(compiled, [(call, {}) for call in calls])
    expected = [function(*(_signed(call, name) for name in "abcdn")) for call in calls]
    assert [call.value for call in done] == expected


def _signed(call: dict[str, int], name: str) -> int:
    value, bits = call[name], {"a": 32, "c": 64}.get(name, 0)
    return value - (1 << bits) if bits and value >> bits - 1 else value


def test_a_loop_has_the_interval_of_its_products(
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
    simulate: Callable[..., list[Any]],
) -> None:
    text = LOOP.replace("LIMIT\n", LIMIT.format(1)).replace("INTERVAL", "4")
    compiled = compile_c(text)
    assert _shown(compiled) == []
    plain = compile_c(LOOP.replace("LIMIT\n", "").replace("INTERVAL", "4"))
    assert _units(compiled) == _units(plain) == 4
    print(compiled.report.area, plain.report.area)
    assert compiled.report.area.lut < 0.6 * plain.report.area.lut
    (plan,) = [plan for plan in compiled.schedules["f"].plans.values() if plan.pipeline]
    assert plan.ii == 4
    rng = random.Random(3)
    data = [struct.pack("<64i", *(rng.getrandbits(32) - 2**31 for _ in range(64))) for _ in "xy"]
    results = ctypes.create_string_buffer(128)
    native(text).f(data[0], data[1], results)
    (call,) = simulate(compiled, [({}, {"x": data[0], "y": data[1], "z": bytes(128)})])
    assert call.arrays["z"] == results.raw


def test_with_an_interval_of_a_cycle_products_stay(compile_c: Callable[..., Compiled]) -> None:
    text = """\
#include <stdint.h>
void f(const int32_t x[16], const int32_t y[16], int64_t z[16]) {
#pragma HLS allocation operation instances=mul limit=1
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=1
    z[i] = (int64_t)x[i] * y[i];
  }
}
"""
    compiled = compile_c(text)
    assert [f.name for f in compiled.report.functions] == ["f"]
    assert _shown(compiled) == [
        "t.c:3: allocation of mul in f: 4 units, 1 asked: "
        "with II=1 at t.c:4 none is shared; limit=1 needs II=4"
    ]


def test_what_fits_a_multiplier_or_is_logic_stays(compile_c: Callable[..., Compiled]) -> None:
    text = """\
#include <stdint.h>
uint64_t f(uint16_t a, uint16_t b, uint32_t c, uint32_t d, uint32_t e) {
#pragma HLS allocation operation instances=mul limit=1
  uint64_t p = (uint64_t)c * d;
#pragma HLS bind_op variable=p op=mul impl=fabric
  return (uint64_t)((uint32_t)a * b) + p + (uint64_t)e * 7u;
}
"""
    compiled = compile_c(text)
    assert [f.name for f in compiled.report.functions] == ["f"]
    assert _shown(compiled) == []
