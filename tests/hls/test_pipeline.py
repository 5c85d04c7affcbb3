# SPDX-License-Identifier: Apache-2.0
"""Pipelined loops do what the interpreter does, at the interval and in the cycles reported."""

from __future__ import annotations

import ctypes
import random
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.bind import binder, verify_pipeline
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.directives import Pipeline as Wanted
from lydite.hls.contract.interface import ArrayArg
from lydite.hls.ir import delay_model, memory_ports
from lydite.hls.ir import text as ir_text
from lydite.hls.ir.graph import Op
from lydite.hls.passes import choose_memories
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import modulo
from lydite.hls.schedule.modulo_problem import LoopProblem, formulate, verify
from lydite.hls.schedule.problem import Plan


@dataclass(frozen=True)
class Kernel:
    """A function `f` with one pipelined loop, and the interval that it must reach at 10 ns."""

    text: str
    ii: int


KERNELS = {
    "copy": Kernel(
        """void f(const int a[16], int b[16]) {
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    b[i] = a[i] * 5 + i;
  }
}""",
        1,
    ),
    "sum": Kernel(
        """int f(const int a[64], unsigned char n) {
  int s = 7;
  for (int i = 0; i < (n & 63); i++) {
#pragma HLS pipeline II=1
    s += a[i];
  }
  return s;
}""",
        1,
    ),
    "sides": Kernel(
        """unsigned f(const unsigned a[32], unsigned b[32], unsigned char n) {
  unsigned s = 1, odd = 0;
  for (unsigned i = 0; i < (n & 31); i++) {
#pragma HLS PIPELINE ii=1
    if (a[i] & 1) { s += a[i] * 3; odd++; } else if (a[i] & 2) s ^= a[i]; else b[i ^ 1] = odd;
    if (s & 4) continue;
    b[i] = s;
  }
  return s * 31 + odd;
}""",
        2,
    ),
    "search": Kernel(
        """int f(const unsigned char a[32], unsigned char key, int hit[1]) {
  int i;
  hit[0] = 0;
  for (i = 0; i < 32; i++) {
#pragma HLS pipeline
    if ((a[i] & 7) == (key & 7)) { hit[0] = a[i]; break; }
  }
  return i;
}""",
        1,
    ),
    "exits": Kernel(
        """int f(const unsigned char a[32], unsigned char b[32], unsigned char key) {
  unsigned sum = 0;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    if ((a[i] & 15) == (key & 15)) return i;
    sum += a[i];
    if (sum > 900) { b[i] = 9; goto out; }
    b[i] = sum;
  }
  return -1;
out:
  return sum;
}""",
        1,
    ),
    "prefix": Kernel(
        """void f(unsigned a[32], unsigned char n) {
  for (int i = 1; i < 3 + (n & 15); i++) {
#pragma HLS pipeline
    a[i] += a[i - 1];
  }
}""",
        1,
    ),
    "far": Kernel(
        """void f(unsigned a[64]) {
  for (int i = 4; i < 64; i++) {
#pragma HLS pipeline
    a[i] += a[i - 4] * 3;
  }
}""",
        2,
    ),
    "strided": Kernel(
        """void f(unsigned a[64], const unsigned b[32]) {
  for (int i = 0; i < 31; i++) {
#pragma HLS pipeline
    a[2 * i] = b[i] + a[2 * i + 1];
  }
}""",
        1,
    ),
    "slow": Kernel(
        """unsigned f(const unsigned a[8], unsigned x) {
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=5
    x = (x ^ a[i]) + 3;
  }
  return x;
}""",
        5,
    ),
    "histogram": Kernel(
        """void f(const unsigned char a[32], unsigned h[16]) {
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    h[a[i] & 15]++;
  }
}""",
        2,
    ),
    "static_state": Kernel(
        """static unsigned state[4] = {1, 2, 3, 4};
unsigned f(const unsigned a[16]) {
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    unsigned t = state[3] ^ (state[0] << 11);
    state[3] = state[2]; state[2] = state[1]; state[1] = state[0];
    state[0] = t ^ a[i];
  }
  return state[0];
}""",
        1,
    ),
    "inner": Kernel(
        """unsigned f(unsigned crc, const unsigned char a[40], unsigned char n) {
  for (int i = 0; i < (n & 31); i++) {
#pragma HLS pipeline
    crc ^= a[i];
    for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}""",
        1,
    ),
    "delayed": Kernel(
        """unsigned f(const unsigned a[20], unsigned b[20], unsigned x) {
  unsigned p = x, q = 5, r = 6;
  for (int i = 0; i < 20; i++) {
#pragma HLS pipeline
    b[i] = r + a[i] * p;
    r = q; q = p; p = a[i];
  }
  return p + 3 * q + 7 * r;
}""",
        1,
    ),
    "matrix": Kernel(
        """void f(const short a[4][4], const short b[4][4], int out[4][4]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int sum = 0;
      for (int k = 0; k < 4; k++) {
#pragma HLS pipeline
        sum += a[i][k] * b[k][j];
      }
      out[i][j] = sum;
    }
}""",
        1,
    ),
    "levels": Kernel(
        """static const unsigned char zetas[16] = {3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27};
void f(unsigned a[16]) {
  int k = 0;
  for (int length = 8; length > 0; length >>= 1)
    for (int start = 0; start < 16; start += 2 * length) {
      unsigned zeta = zetas[k++];
      for (int j = start; j < start + length; j++) {
#pragma HLS pipeline
        unsigned t = zeta * a[j + length];
        a[j + length] = a[j] - t;
        a[j] += t;
      }
    }
}""",
        2,
    ),
    "banks": Kernel(
        """void f(unsigned a[64]) {
  static unsigned m[64];
#pragma HLS array_partition variable=m cyclic factor=4
  for (int i = 0; i < 64; i++) m[i] = a[i];
  for (int length = 32; length > 0; length >>= 1)
    for (int start = 0; start < 64; start += 2 * length)
      for (int j = start; j < start + length; j++) {
#pragma HLS pipeline
        unsigned t = m[j + length] * (3 + start);
        m[j + length] = m[j] - t;
        m[j] += t;
      }
  for (int i = 0; i < 64; i++) a[i] = m[i];
}""",
        2,
    ),
    "triangle": Kernel(
        """unsigned f(const unsigned a[16], unsigned b[16], unsigned char n) {
  unsigned all = 0;
  for (int i = 0; i < (n & 7); i++) {
    unsigned s = 1;
    for (int j = 0; j <= i; j++) {
#pragma HLS pipeline
      s = s * 3 + a[i ^ j];
    }
    b[i] = s;
    all ^= s;
  }
  return all;
}""",
        1,
    ),
    "empty_rows": Kernel(
        """unsigned f(const unsigned char start[8], const unsigned a[16]) {
  unsigned all = 0;
  for (int i = 0; i < 7; i++) {
    for (unsigned j = start[i] & 15; j < (start[i + 1] & 15); j++) {
#pragma HLS pipeline
      all = all * 3 + a[j];
    }
    all += i;
  }
  return all;
}""",
        1,
    ),
    "apart": Kernel(
        """unsigned f(const unsigned a[6], unsigned b[6], unsigned char n) {
  unsigned s = n;
  for (int j = 0; j < (n & 3) + 2; j++) {
    for (int i = 0; i < 6; i++) {
#pragma HLS pipeline
#pragma HLS loop_flatten off
      s = s * 5 + a[i];
    }
    b[j] = s;
  }
  return s;
}""",
        1,
    ),
    "rounds": Kernel(
        """static const unsigned k[32] = {7, 1, 9, 3, 5, 2, 6, 8, 11, 13, 17, 19, 23, 29, 31};
unsigned f(const unsigned a[4], unsigned w, unsigned v) {
  unsigned d = a[0], e = a[1], f = a[2], g = a[3], h = w;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    unsigned t = (h + k[i] + v + w) + ((e << 7) ^ e);
    w = h ^ v;
    v = g;
    h = g;
    g = f;
    f = e;
    e = d + t;
    d = w;
  }
  return d ^ e * 3 ^ f * 5 ^ g * 7 ^ h * 11 ^ w * 13;
}""",
        1,
    ),
    "unrolled": Kernel(
        """unsigned f(unsigned crc, const unsigned char a[64], unsigned char n) {
  for (int i = 0; i < (n & 15) * 4; i++) {
#pragma HLS pipeline
#pragma HLS unroll factor=2
    crc ^= a[i];
    for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}""",
        1,
    ),
    # LLVM makes a nest of a loop that goes round in two ways.
    "ways": Kernel(
        """unsigned f(const unsigned char a[64], unsigned char n) {
  unsigned h[2] = {7, 9}, s[2] = {1, 2};
  unsigned char t = 0, i = 0;
  _Bool done = 0;
  while (!done) {
#pragma HLS pipeline II=1
    const unsigned w = t < 2 ? a[i & 63] : s[1] >> 3;
    const unsigned next[2] = {s[1] + w, s[0] ^ w};
    for (int k = 0; k < 2; k++) {
      const unsigned sum = h[k] + s[k];
      if (t == 4) h[k] = sum;
      s[k] = t == 4 ? sum : next[k];
    }
    done = t == 4 && i >= (n & 31);
    t = t == 4 ? 0 : t + 1;
    i++;
  }
  return h[0] ^ h[1];
}""",
        1,
    ),
    # Both accesses may go to each bank, never to the same: each bank has a read and a write.
    "exclusive": Kernel(
        """void f(unsigned a[2][32]) {
#pragma HLS array_partition variable=a complete dim=1
  for (unsigned n = 0; n < 5 * 32; n++) {
#pragma HLS pipeline II=1
    const unsigned length = 32 >> n / 32, offset = n % 32 & (length - 1);
    const unsigned low = 2 * (n % 32) - offset, high = low + length;
    const unsigned p = __builtin_parity(low), q = __builtin_parity(high);
    const unsigned x = a[p][low / 2], y = a[q][high / 2];
    a[p][low / 2] = x * 3 + y;
    a[q][high / 2] = x - y;
  }
}""",
        1,
    ),
    # A wired value is read after the loop, and late in it.
    "signs": Kernel(
        """int f(const signed char a[64], const int c[64], int b[64], unsigned char n) {
  int last = 0;
  for (int i = 0; i < (n & 63); i++) {
#pragma HLS pipeline II=2
    const signed char x = (signed char)(a[i] - 3);
    last = x;
    int y = c[i];
    for (int k = 0; k < 6; k++) y = (y + last) * 5 ^ y >> 3;
    b[i] = y;
  }
  return last;
}""",
        2,
    ),
    # What the table answers is the next iteration's value: in the memory's own register.
    "walk": Kernel(
        """static const unsigned char table[256] = {7, 1, 9, 3, 5, 2, 6, 8, 11, 13, 17, 19, 23, 29};
unsigned f(unsigned char x, unsigned char n) {
#pragma HLS bind_storage variable=table type=rom_1p impl=bram
  unsigned sum = 0;
  for (int i = 0; i < (n & 15); i++) {
#pragma HLS pipeline II=1
    sum = sum * 3 + x;
    x = table[(x ^ i) & 15];
  }
  return sum ^ x << 24;
}""",
        1,
    ),
    "long_walk": Kernel(
        """static const unsigned char table[256] = {7, 1, 9, 3, 5, 2, 6, 8, 11, 13, 17, 19, 23, 29};
unsigned f(unsigned char x, unsigned char n, unsigned k) {
#pragma HLS bind_storage variable=table type=rom_1p impl=bram
  unsigned sum = 0;
  for (int i = 0; i < (n & 15); i++) {
#pragma HLS pipeline II=1
    sum += x;
    unsigned y = ((x + k ^ i) + (k >> 8) ^ n) + (k >> 16);
    x = table[((y ^ k) + (k >> 24) ^ i) + n & 255];
  }
  return sum ^ x << 24;
}""",
        2,
    ),
    # Here the memory's register is the only one.
    "held_walk": Kernel(
        """static const unsigned char table[256] = {7, 1, 9, 3, 5, 2, 6, 8, 11, 13, 17, 19, 23, 29};
unsigned f(unsigned char x, unsigned char n) {
#pragma HLS bind_storage variable=table type=rom_1p impl=bram
  unsigned sum = 0;
  for (int i = 0; i < (n & 15); i++) {
#pragma HLS pipeline II=1
    sum ^= x;
    x = table[(x ^ i) & 15];
  }
  return sum;
}""",
        1,
    ),
    # Another read of the port: the memory's register does not hold the value.
    "shared_walk": Kernel(
        """static const unsigned char table[256] = {7, 1, 9, 3, 5, 2, 6, 8, 11, 13, 17, 19, 23, 29};
unsigned f(unsigned char x, unsigned char n, unsigned k) {
#pragma HLS bind_storage variable=table type=rom_1p impl=bram
  unsigned sum = 0;
  for (int i = 0; i < (n & 15); i++) {
#pragma HLS pipeline II=2
    sum = sum * 3 + (table[i] ^ x);
    unsigned y = ((x + k ^ i) + (k >> 8) ^ n) + (k >> 16);
    x = table[((y ^ k) + (k >> 24) ^ i) + n & 255];
  }
  return sum;
}""",
        2,
    ),
    "two_walks": Kernel(
        """static const unsigned char table[256] = {7, 1, 9, 3, 5, 2, 6, 8, 11, 13, 17, 19, 23, 29};
unsigned f(unsigned char x, unsigned char y, unsigned char n) {
#pragma HLS bind_storage variable=table type=rom_1p impl=bram
  unsigned char turn = 0;
  for (int i = 0; i < (n & 31); i++) {
#pragma HLS pipeline II=1
    unsigned char next = table[(x + (x >> 1) * 3 + i) & 15];
    turn ^= x;
    x = y;
    y = next;
  }
  return x ^ y << 8 ^ turn << 16;
}""",
        1,
    ),
    "nested": Kernel(
        """void f(const unsigned a[6], unsigned b[6]) {
  for (int j = 0; j < 6; j++) {
    unsigned s = j;
    for (int i = 0; i < 6; i++) {
#pragma HLS pipeline
      s = s * 5 + a[(i + j) % 6];
    }
    b[j] = s;
  }
}""",
        1,
    ),
}


def calls(compiled: Compiled, seed: int) -> list[tuple[dict[str, int], dict[str, bytes]]]:
    """Give some calls at random."""
    rng = random.Random(seed)
    face = compiled.interface
    return [
        (
            {s.name: rng.getrandbits(s.width) for s in face.scalars},
            {a.port: rng.randbytes(a.depth * a.element_width // 8) for a in face.arrays},
        )
        for _ in range(6)
    ]


def compare(compiled: Compiled, simulate: Callable[..., list[object]], seed: int) -> list[int]:
    """Compare hardware and interpreter; give the cycles of the calls."""
    machine = Machine(compiled.module, limit=10_000)
    given = calls(compiled, seed)
    results = simulate(compiled, given)
    for number, (call, got) in enumerate(zip(given, results, strict=True)):
        wanted = machine.call(*call)
        assert got.value == wanted.value, f"call {number}"
        for array in compiled.interface.arrays:
            if not array.unused:
                assert got.arrays[array.port] == wanted.arrays[array.port], f"call {number}"
    return [got.cycles for got in results]


@pytest.mark.parametrize(
    "clock_ns", [3.0, *(pytest.param(ns, marks=pytest.mark.slow) for ns in (10.0, 30.0))]
)
@pytest.mark.parametrize("name", KERNELS)
def test_hardware_does_what_the_interpreter_does(
    name: str, clock_ns: float, compile_c: Callable[..., Compiled], simulate: Callable[..., list]
) -> None:
    compiled = compile_c(KERNELS[name].text, clock_ns=clock_ns)
    cycles = compare(compiled, simulate, 5)
    top = compiled.report.functions[0]
    assert min(cycles) >= (top.latency_min or 0)
    assert top.latency_max is None or max(cycles) <= top.latency_max
    assert any(loop.ii is not None for loop in top.loops)


@pytest.mark.parametrize("name", KERNELS)
def test_interpreter_does_what_c_does(
    name: str, compile_c: Callable[..., Compiled], native: Callable[[str], ctypes.CDLL]
) -> None:
    compiled = compile_c(KERNELS[name].text)
    face = compiled.interface
    machine, library = Machine(compiled.module), native(KERNELS[name].text)
    library.f.restype = ctypes.c_uint32
    for scalars, arrays in calls(compiled, 3):
        buffers = {port: ctypes.create_string_buffer(data) for port, data in arrays.items()}
        args = [
            buffers[arg.port] if isinstance(arg, ArrayArg) else ctypes.c_uint32(scalars[arg.name])
            for arg in face.args
        ]
        value = library.f(*args)
        wanted = machine.call(scalars, arrays)
        assert wanted.value is None or wanted.value == value
        for arg in face.arrays:
            assert arg.unused or buffers[arg.port].raw[: arg.c_bytes] == wanted.arrays[arg.port]


@pytest.mark.parametrize("name", KERNELS)
def test_interval(name: str, compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(KERNELS[name].text)
    found = [loop.ii for loop in compiled.report.functions[0].loops if loop.ii is not None]
    assert found == [KERNELS[name].ii]


def test_cycles_are_those_of_the_report(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list]
) -> None:
    compiled = compile_c(KERNELS["copy"].text)
    top = compiled.report.functions[0]
    loop = top.loops[0]
    assert loop.ii == 1 and loop.trip_max == 16 and loop.iteration_max is not None
    assert set(compare(compiled, simulate, 1)) == {top.latency_max}
    assert top.latency_max == 15 * loop.ii + loop.iteration_max + 1


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
@pytest.mark.parametrize("name", KERNELS)
def test_any_legal_schedule_is_right(
    name: str,
    seed: int,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    any_schedule: Callable[[random.Random], None],
) -> None:
    rng = random.Random(f"{name} {seed}")
    any_schedule(rng)
    compiled = compile_c(KERNELS[name].text, clock_ns=rng.choice([4.0, 10.0, 40.0]))
    compare(compiled, simulate, seed)


def test_least_latency_of_an_iteration_is_had(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list]
) -> None:
    text = KERNELS["delayed"].text.replace("pipeline\n", "pipeline\n#pragma HLS latency min=9\n")
    compiled = compile_c(text)
    loop = compiled.report.functions[0].loops[0]
    assert (loop.ii, loop.iteration_min) == (1, 9)
    compare(compiled, simulate, 3)


# The checks find what is wrong.

PREFIX = """\
module @f
pragma "pipeline" where "t.c:1"
memory @a width 32 depth 16 lanes 1 base 64 port object "a"+0

function @f(%0:32) : 32 {
entry:
  jump loop
loop: pragmas 0
  %1:4 = phi [4'0x0 entry] [%6 loop]
  %2:32 = phi [%0 entry] [%4 loop]
  %3:32 = load @a %1
  %4:32 = add %3 %2
  %5:32 = mul %4 %0
  store @a %1 %5 1'0x1
  %6:4 = add %1 4'0x1
  %7:1 = eq %6 4'0xc
  branch %7 done loop
done:
  ret %4
}
"""


WALK = """\
module @f
pragma "pipeline" where "t.c:1"
memory @a width 4 depth 16 lanes 1 base 64 port object "a"+0

function @f(%0:4) : 4 {
entry:
  jump loop
loop: pragmas 0
  %1:4 = phi [4'0x0 entry] [%4 loop]
  %2:4 = phi [%0 entry] [%3 loop]
  %3:4 = load @a %2
  %4:4 = add %1 4'0x1
  %5:1 = eq %4 4'0xc
  branch %5 done loop
done:
  ret %2
}
"""


def solved(ii: int = 0, text: str = PREFIX) -> tuple[LoopProblem, Plan, list[Op], Binding]:
    module = ir_text.parse_module(text)
    module.pragmas = (Wanted(ii=ii),)
    model = delay_model.load("ecp5")
    choose_memories.decide(module, model)
    found = schedule_module.schedule_module(module, model, 10.0, modulo.schedule_loop).functions[
        "f"
    ]
    block = found.function.blocks[1]
    base = replace(found.problems[block], memory_order=[], units={})
    binding = binder.bind(found, model)
    plan = found.plans[block]
    assert plan.pipeline is not None
    loop = formulate(base, found.function, plan.pipeline.bypassed)
    return loop, plan, block.ops, binding


def test_schedule_and_registers_of_a_loop_are_right() -> None:
    loop, plan, _, binding = solved()
    assert plan.ii == 1 and plan.states == 3
    verify(loop, plan)
    verify_pipeline.verify(binding)


def test_what_a_memory_answers_has_a_bypass_where_it_must() -> None:
    loop, plan, ops, binding = solved(text=WALK)
    value = ops[1]
    assert plan.pipeline is not None
    assert (plan.ii, plan.pipeline.bypassed) == (1, {value})
    verify(loop, plan)
    verify_pipeline.verify(binding)


def test_check_finds_a_memory_that_does_not_hold_a_value(
    compile_c: Callable[..., Compiled], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_c(KERNELS["shared_walk"].text)
    alone = defaultdict[object, int](lambda: 1)
    monkeypatch.setattr("lydite.hls.bind.pipeline.Counter", lambda _: alone)
    with pytest.raises(AssertionError, match="its memory holds what iteration -1 has read"):
        compile_c(KERNELS["shared_walk"].text)


def test_check_finds_a_bypass_that_is_missing() -> None:
    loop, plan, ops, binding = solved(text=WALK)
    loop.bypassed = frozenset()
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "loop: <load:4  > reads <phi:4  > before it is there"
    pipe = next(iter(binding.pipes.values()))
    assert pipe.plan.pipeline is not None
    pipe.plan = replace(plan, pipeline=replace(pipe.plan.pipeline, bypassed=frozenset()))
    with pytest.raises(AssertionError) as caught:
        verify_pipeline.verify(binding)
    assert str(caught.value) == f"{ops[1]} is read before it is there"


@pytest.mark.parametrize(
    ("number", "time", "message"),
    [
        (2, 9, "loop: <load:32  > is out of range"),
        (3, 0, "loop: <add:32  > passes <load:32  >"),
        (5, 1, "loop: <store:0  > passes <mul:32  >"),
        (6, 1, "loop: <eq:1  > passes <add:4  >"),
    ],
)
def test_check_finds_a_wrong_time(number: int, time: int, message: str) -> None:
    loop, plan, ops, _ = solved()
    plan.state[ops[number]] = time
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == message


def test_check_finds_too_many_accesses_in_a_cycle() -> None:
    loop, plan, ops, _ = solved(ii=2)
    assert plan.pipeline is not None and plan.pipeline.ii == 2
    loop.base = replace(loop.base, ports={ops[2].attr: memory_ports.Ports(1, 1, 1, 1)})
    plan.state[ops[5]] = plan.state[ops[2]] + 4
    plan = replace(plan, states=plan.states + 3)
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "loop: ports of a"


def test_check_finds_a_test_that_comes_within_a_stage() -> None:
    loop, plan, _, _ = solved(ii=2)
    assert plan.pipeline is not None and plan.pipeline.decide == 1
    plan = replace(plan, pipeline=replace(plan.pipeline, decide=2))
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "loop: the test is within a stage"


def test_check_finds_an_effect_before_the_test() -> None:
    loop, plan, _, _ = solved()
    loop.edges = [edge for edge in loop.edges if edge.before is not loop.decide]
    assert plan.pipeline is not None
    plan = replace(plan, states=4, pipeline=replace(plan.pipeline, decide=3))
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "loop: <store:0  > may be of an iteration that is not"


def test_check_finds_a_chain_past_the_clock() -> None:
    loop, plan, _, _ = solved()
    loop.base = replace(loop.base, clock_ns=6.0)
    with pytest.raises(AssertionError) as caught:
        verify(loop, plan)
    assert str(caught.value) == "loop: <move:32  > is chained past the clock"


def test_check_finds_a_copy_that_is_missing() -> None:
    _, _, ops, binding = solved()
    pipe = next(iter(binding.pipes.values()))
    index = ops[0]
    assert pipe.copies[index] == 2
    pipe.copies[index] = 1
    with pytest.raises(AssertionError) as caught:
        verify_pipeline.verify(binding)
    assert str(caught.value).startswith("loop: <phi:4  > of iteration 0 is read at ")


def test_recurrence_that_decides_is_named(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "unsigned f(const unsigned a[64], unsigned x) {\n"
        "  for (int i = 0; i < 64; i++) {\n"
        "#pragma HLS pipeline II=1\n"
        "    x = (x * 77 ^ a[i]) * x;\n  }\n  return x;\n}\n"
    )
    compiled = compile_c(text, clock_ns=8.0)
    (warning,) = (str(w) for w in compiled.warnings)
    ii = compiled.report.functions[0].loops[0].ii
    assert ii is not None and ii > 1
    head = f"t.c:2: pipeline: II=1 wanted, II={ii} reached: recurrence "
    assert warning.split("/")[-1].startswith(head)
    assert "mul x (t.c:4)" in warning and "next iteration x" in warning


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "for (int k = 0; k < (n & 7); k++) s += a[k];",
            "t.c:7: pipeline: the loop at t.c:5 is not pipelined: the loop inside is not unrolled: "
            "its number of iterations is not known",
        ),
        (
            "s += g(a[i]);",
            "t.c:7: pipeline: the loop at t.c:5 is not pipelined: it calls g, which is a module of "
            "its own",
        ),
        (
            "s += a[i] / (n | 1);",
            "t.c:7: pipeline: the loop at t.c:5 is not pipelined: it divides, which takes a number "
            "of cycles that holds the rest up",
        ),
    ],
)
def test_reason_why_a_loop_is_not_pipelined(
    body: str, message: str, compile_c: Callable[..., Compiled]
) -> None:
    text = (
        "static unsigned g(unsigned x) {\n#pragma HLS inline off\n  return x * x; }\n"
        "unsigned f(const unsigned a[64], unsigned n, unsigned s) {\n"
        "  for (int i = 0; i < 64; i++) {\n"
        "#pragma HLS pipeline\n"
        f"    {body}\n  }}\n  return s + g(n);\n}}\n"
    )
    compiled = compile_c(text)
    assert [re.sub(r"^\S*/(?=t\.c)", "", str(w)) for w in compiled.warnings] == [message]
