# SPDX-License-Identifier: Apache-2.0
"""Units shared inside pipelines: as few as asked, one operation in a cycle, and right results."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.bind import binder, verify_pipeline
from lydite.hls.bind import verify as bind_verify
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir.graph import Op
from lydite.hls.schedule import limits, modulo
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule.problem import Plan, Schedule


@dataclass(frozen=True)
class Kernel:
    """A function `f`, its units of each kind, and the interval of its loop or calls at a clock."""

    text: str
    units: dict[str, int]
    ii: int
    clock_ns: float = 20.0


KERNELS = {
    "products": Kernel(
        """unsigned f(const unsigned a[32], unsigned k, unsigned m) {
  unsigned s = 0;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=4
    unsigned short x = a[i], y = a[i] >> 16;
    unsigned p = (unsigned)x * (unsigned short)k + (unsigned)y * (unsigned short)m;
    s += (p & 65535) * (k >> 16) ^ (p >> 16) * x;
  }
  return s;
}""",
        {"mul": 1},
        4,
    ),
    "signs": Kernel(
        """int f(const short a[32], short k, short m) {
  int s = 0;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=2
    s += a[i] * k ^ (short)(a[i] + 7) * m ^ (short)(a[i] - k) * (short)(a[i] ^ m)
         ^ (short)s * (short)(a[i] >> 3);
  }
  return s;
}""",
        {"mul": 3},  # one of factors of 13 and 16 bits
        2,
    ),
    # 3 products in an iteration of 2 cycles, and one before the loop, which joins them.
    "outside": Kernel(
        """unsigned f(const unsigned a[32], unsigned k, unsigned n) {
  unsigned s = (n & 65535) * (k >> 16);
  for (unsigned i = 0; i < (n & 31); i++) {
#pragma HLS pipeline II=2
    unsigned x = a[i] & 65535, y = a[i] >> 16;
    unsigned z = x * (k & 65535) ^ y * (k & 65535);
    s += (z & 65535) * (z >> 16);
  }
  return s;
}""",
        {"mul": 2},
        2,
    ),
    "limits": Kernel(
        """unsigned f(const unsigned a[32], unsigned k, unsigned n) {
#pragma HLS allocation operation instances=xor limit=1
#pragma HLS allocation operation instances=add limit=2
#pragma HLS allocation operation instances=lshr limit=1
#pragma HLS allocation operation instances=icmp limit=1
#pragma HLS allocation operation instances=and limit=1
  unsigned s = k ^ n, t = 5;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=4
    unsigned x = a[i] ^ k, y = (a[i] >> (k & 31)) ^ n;
    t += x > y ? x & a[i] : y ^ t;
    s += (t >> (x & 31)) + (y & k) + (s > t);
  }
  return s ^ t;
}""",
        {"xor": 1, "add": 2, "lshr": 1, "icmp": 1, "and": 1},
        4,
    ),
    # Only the limit makes the interval longer.
    "longer": Kernel(
        """unsigned f(const unsigned a[32], unsigned k) {
#pragma HLS allocation operation instances=xor limit=1
  unsigned s = k;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=2
    unsigned x = a[i] ^ k, y = (x << 3 | 5) ^ x * 2;
    s += (y + x) ^ (a[i] >> 2);
  }
  return s;
}""",
        {"xor": 1},
        3,
    ),
    "two_loops": Kernel(
        """unsigned f(const unsigned a[16], unsigned b[16], unsigned k) {
#pragma HLS allocation operation instances=mul limit=1
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=2
    b[i] = (a[i] & 65535) * (k & 65535) + (a[i] >> 16) * (k >> 16);
  }
  unsigned s = 1;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=3
    s += (b[i] & 65535) * (k >> 16) ^ (b[i] >> 16) * (k & 65535);
  }
  return s;
}""",
        {"mul": 1},
        2,
    ),
    "ram": Kernel(
        """unsigned f(const unsigned char a[32], unsigned k) {
#pragma HLS allocation operation instances=add limit=1
  static unsigned short m[64] = {1, 2, 3};
#pragma HLS bind_storage variable=m type=ram_2p impl=lutram
  unsigned s = k;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=4
    unsigned at = a[i] + (s & 7), x = m[at & 63];
    m[a[i] & 63] = x * (k & 65535) + x;
    s += x * (k >> 16) ^ (unsigned)a[i] * m[(a[i] >> 1) & 63];
  }
  return s;
}""",
        {"add": 1},
        4,
    ),
    "function": Kernel(
        """unsigned f(unsigned a, unsigned b, unsigned c) {
#pragma HLS pipeline II=3
#pragma HLS allocation operation instances=xor limit=1
  unsigned p = (a & 65535) * (b & 65535), q = (a >> 16) * (b >> 16);
  unsigned r = (p & 65535) * (p >> 16), s = ((q ^ p) & 65535) * (c >> 16);
  return (r & 65535) * (s >> 16) + ((r >> 16) * (s & 65535) ^ b);
}""",
        {"mul": 3, "xor": 1},  # one of 16 bits
        3,
        10.0,
    ),
}


def units(compiled: Compiled) -> dict[str, int]:
    """Count the units of each kind, whatever their widths."""
    result: dict[str, int] = {}
    for name, count in compiled.report.functions[0].units:
        kind = name.split("_")[0]
        kind = "icmp" if kind in ("ult", "ule", "slt", "sle", "eq", "ne") else kind
        result[kind] = result.get(kind, 0) + count
    return result


def interval(compiled: Compiled) -> int | None:
    """Give the interval of the first loop, or of calls."""
    top = compiled.report.functions[0]
    return next((loop.ii for loop in top.loops if loop.ii is not None), top.interval)


def compare(
    compiled: Compiled, simulate: Callable[..., list], overlapped: Callable[..., list]
) -> None:
    """Compare hardware and interpreter on some calls at random."""
    rng = random.Random(11)
    face = compiled.interface
    given = [
        (
            {s.name: rng.getrandbits(s.width) for s in face.scalars},
            {a.port: rng.randbytes(a.depth * a.element_width // 8) for a in face.arrays},
        )
        for _ in range(4 if face.arrays else 20)
    ]
    machine = Machine(compiled.module, limit=100_000)
    wanted = [machine.call(*call) for call in given]
    runs = [simulate(compiled, given)]
    if compiled.report.functions[0].interval is not None:
        runs += [overlapped(compiled, given, pauses=pauses) for pauses in (False, True)]
    for results in runs:
        assert [got.value for got in results] == [call.value for call in wanted]
        for got, call in zip(results, wanted, strict=True):
            for array in face.arrays:
                assert got.arrays[array.port] == call.arrays[array.port]


@pytest.mark.parametrize("name", KERNELS)
def test_units_are_as_few_as_wanted(name: str, compile_c: Callable[..., Compiled]) -> None:
    kernel = KERNELS[name]
    compiled = compile_c(kernel.text, clock_ns=kernel.clock_ns)
    found = units(compiled)
    assert {kind: found.get(kind) for kind in kernel.units} == kernel.units
    assert interval(compiled) == kernel.ii


@pytest.mark.parametrize("share", [0.4, pytest.param(1.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", KERNELS)
def test_hardware_does_what_the_interpreter_does(
    name: str,
    share: float,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    simulate_overlapped: Callable[..., list],
) -> None:
    kernel = KERNELS[name]
    compiled = compile_c(kernel.text, clock_ns=share * kernel.clock_ns)
    compare(compiled, simulate, simulate_overlapped)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", KERNELS)
def test_any_legal_schedule_is_right(
    name: str,
    seed: int,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    simulate_overlapped: Callable[..., list],
    any_schedule: Callable[[random.Random], None],
) -> None:
    rng = random.Random(f"units {name} {seed}")
    any_schedule(rng)
    compiled = compile_c(KERNELS[name].text, clock_ns=rng.choice([5.0, 10.0, 20.0]))
    compare(compiled, simulate, simulate_overlapped)


@pytest.mark.parametrize(("name", "ii", "multipliers"), [("fir", 4, 2), ("complex", 3, 3)])
def test_programs_of_the_bench_share(
    name: str,
    ii: int,
    multipliers: int,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    simulate_overlapped: Callable[..., list],
) -> None:
    text = (Path(__file__).parents[2] / "bench" / "sharing" / f"{name}.c").read_text()
    compiled = compile_c(text, name)
    assert (units(compiled)["mul"], interval(compiled)) == (multipliers, ii)
    compare(compiled, simulate, simulate_overlapped)


def shown(compiled: Compiled) -> list[str]:
    """Give the warnings without the folder of the source."""
    return [re.sub(r"\S*/(?=t\.c)", "", str(warning)) for warning in compiled.warnings]


def test_limit_that_makes_the_interval_longer_is_named(compile_c: Callable[..., Compiled]) -> None:
    assert shown(compile_c(KERNELS["longer"].text)) == [
        "t.c:4: pipeline: II=2 wanted, II=3 reached: 3 operations xor an iteration "
        "(t.c:6, t.c:7), of which allocation allows 1 at once"
    ]


def test_interval_of_one_cycle_shares_nothing_and_says_so(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(KERNELS["longer"].text.replace("II=2", ""))
    assert interval(compiled) == 1
    assert shown(compiled) == [
        "t.c:2: allocation of xor in f: 3 units, 1 asked: with II=1 at t.c:4 none is shared; "
        "limit=1 needs II=3"
    ]


def test_loop_of_one_state_shares_nothing_with_others(compile_c: Callable[..., Compiled]) -> None:
    """It adds and compares in one cycle, in units of its own."""
    text = """unsigned f(unsigned a, unsigned k, unsigned n) {
#pragma HLS allocation operation instances=add limit=1
#pragma HLS allocation operation instances=icmp limit=1
  unsigned x = n + k;
  if (x > a) x = (x + n) >> 3;
  while (x < a) {
#pragma HLS pipeline II=1
    x = x + k | 1;
  }
  return x + n;
}"""
    compiled = compile_c(text, clock_ns=20.0)
    assert interval(compiled) == 1
    assert units(compiled)["add"] == 2
    assert shown(compiled) == [
        f"t.c:{line}: allocation of {name} in f: 2 units, 1 asked: with II=1 at t.c:6 none is "
        "shared; limit=1 needs II=2"
        for line, name in ((2, "add"), (3, "icmp"))
    ]


def test_products_share_only_where_that_is_smaller(compile_c: Callable[..., Compiled]) -> None:
    """A multiplier of two bits costs less than the choice of its factors."""
    text = """unsigned f(const unsigned a[32], unsigned k) {
  unsigned s = 0;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=2
    s += (a[i] & 3) * (k & 3) ^ (a[i] >> 2 & 3) * (k >> 2 & 3);
  }
  return s;
}"""
    assert units(compile_c(text))["mul"] == 2


def test_maximum_of_latency_keeps_products_apart(compile_c: Callable[..., Compiled]) -> None:
    text = KERNELS["products"].text
    lengths = []
    for line in ("", "#pragma HLS latency max=4\n"):
        compiled = compile_c(text.replace("    unsigned short", f"{line}    unsigned short"))
        (loop,) = compiled.report.functions[0].loops
        lengths.append((loop.iteration_max, units(compiled)["mul"]))
    assert lengths[0][0] > lengths[1][0] and lengths[0][1] < lengths[1][1] == 4


# The checks.

LOOP = """\
module @f
pragma "allocation instances=xor limit={limit} type=operation"
pragma "pipeline ii={ii}"
memory @a width 32 depth 16 lanes 1 base 64 port object "a"+0

function @f(%0:32) : 32 pragmas 0 {{
entry:
  jump loop
loop: pragmas 1
  %1:4 = phi [4'0x0 entry] [%8 loop]
  %2:32 = phi [%0 entry] [%7 loop]
  %3:32 = load @a %1
  %4:32 = xor %3 %0
  %5:32 = xor %3 %2
  %6:32 = or %4 %5
  %7:32 = xor %6 %0
  %8:4 = add %1 4'0x1
  %9:1 = eq %8 4'0xc
  branch %9 done loop
done:
  ret %7
}}
"""


def solved(limit: int) -> tuple[Schedule, Plan, list[Op]]:
    """Schedule for ECP5 at 20 ns; give the loop's plan and its three operations xor."""
    module = ir_text.parse_module(LOOP.format(limit=limit, ii=4 - limit))
    found = schedule_module.schedule_module(
        module, delay_model.load("ecp5"), 20.0, modulo.schedule_loop
    ).functions
    plan = found["f"].plans[found["f"].function.blocks[1]]
    assert plan.pipeline is not None and plan.ii == 4 - limit
    return found["f"], plan, [op for op in plan.block.ops if op.kind == "xor"]


@pytest.mark.parametrize(("limit", "phases"), [(1, [0, 1, 2]), (2, [0, 1, 1])])
def test_limit_holds_in_each_phase(limit: int, phases: list[int]) -> None:
    _, plan, ops = solved(limit)
    assert sorted(plan.state[op] % (4 - limit) for op in ops) == phases


def test_check_finds_two_operations_in_a_phase() -> None:
    found, plan, (first, second, _) = solved(1)
    plan.state[first] = plan.state[second]
    with pytest.raises(AssertionError) as caught:
        modulo.check(found.problems[plan.block], found.function, plan)
    assert str(caught.value) == f"loop: more than 1 xor in cycle {plan.state[second] % 3}"


def test_check_finds_a_unit_behind_another_one() -> None:
    found, plan, (first, _, last) = solved(2)
    assert plan.pipeline is not None
    plan.state[last] = plan.state[first]
    problem = replace(found.problems[plan.block], limits={"xor": 3})
    with pytest.raises(AssertionError) as caught:
        modulo.check(problem, found.function, plan)
    assert str(caught.value) == "loop: <xor:32  > hangs on a unit"


def test_checks_of_a_binding_find_a_unit_that_does_two_things(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, plan, (first, second, _) = solved(2)
    assert plan.state[first] == plan.state[second]
    model = delay_model.load("ecp5")
    right = binder.bind(found, model)
    bind_verify.verify(right, model)
    verify_pipeline.verify(right)
    monkeypatch.setattr(binder, "turn", lambda binding, op: op)
    monkeypatch.setattr(limits, "_MUX_LUT", 0.0)
    wrong = binder.bind(found, model)
    with pytest.raises(AssertionError) as caught:
        bind_verify.verify(wrong, model)
    assert str(caught.value) == "f loop_1: a unit does two things"
    with pytest.raises(AssertionError) as caught:
        verify_pipeline.verify(wrong)
    what = "a unit does <xor:32  > and <xor:32  > in one cycle"
    assert str(caught.value) == f"loop: {what}"


def test_check_finds_units_in_a_circle() -> None:
    found, plan, (_, second, _) = solved(1)
    binding = binder.bind(found, delay_model.load("ecp5"))
    other = next(op for op in plan.block.ops if op.kind == "or")
    assert plan.state[other] == plan.state[second]
    del binding.shared_by[second]
    binding.unit_of.update({second: 0, other: 0})
    pipe = next(iter(binding.pipes.values()))
    start = {op: state for state in pipe.times for op in state.ops}
    with pytest.raises(AssertionError) as caught:
        bind_verify._check_circles(binding, start)
    what = "hangs on itself through units that others share"
    assert str(caught.value) == f"f: <xor:32  > {what}"
