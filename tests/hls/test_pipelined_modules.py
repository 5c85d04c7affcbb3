# SPDX-License-Identifier: Apache-2.0
"""Pipelined functions that stay modules: calls of them overlap, and do what C does."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import rtl

from lydite import hls
from lydite.base import proc
from lydite.hls import Compiled, Machine, Options
from lydite.hls.contract import rtl_macro
from lydite.hls.contract.report import VerilogFile
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.graph import Block
from lydite.hls.schedule import modulo
from lydite.hls.schedule.module import schedule_module
from lydite.hls.schedule.problem import Schedule
from lydite.sim import cosim
from lydite.tools import yosys


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
    "modules that only functions have": Kernel(
        MIX
        + """static unsigned four(unsigned a) {
#pragma HLS pipeline
#pragma HLS inline off
  return mix(a, 3) + mix(a, 7) * mix(a ^ 5, mix(a, 4)) - mix(9, a);
}
"""
        + LOOP % (ONE % ("mix", 3), "  out[i] = four(a[i]); all ^= mix(out[i], i);"),
        2,
        {"mix": 1, "four": 2},
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


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3, 4))]
)
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
    compiled = compile_c(KERNELS[name].text, clock_ns=rng.choice([4.0, 10.0, 40.0]), std="c23")
    compare(compiled, simulate, seed)


# Streams, macros, tools.

FOLDER = Path(__file__).parent / "modules"


@pytest.mark.parametrize(
    ("shared", "ii"), [(0, 1), pytest.param(1, 2, marks=pytest.mark.slow)], ids=["own", "shared"]
)
def test_modules_stand_still_with_the_stages_that_they_span(
    shared: int, ii: int, tmp_path: Path
) -> None:
    options = Options(
        sources=(FOLDER / "streamed.c",), top="f", clock_ns=10.0, defines=(f"SHARED={shared}",)
    )
    compiled = hls.compile(options)
    assert intervals(compiled)[0] == ii
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert (result.calls, result.native_rc) == (4, 0)


@pytest.mark.slow
def test_processes_have_modules_of_their_own(tmp_path: Path) -> None:
    options = Options(sources=(FOLDER / "processes.c",), top="f", clock_ns=10.0)
    compiled = hls.compile(options)
    assert len(compiled.report.processes) == 2
    assert intervals(compiled)[1] == {"mix": 1, "mix_2": 1}
    cosim.run(options, compiled, tmp_path).check()


PRODUCT = """static unsigned product(unsigned a, unsigned b) { return a * b; }
static unsigned more(unsigned a) {
#pragma HLS pipeline
#pragma HLS inline off
  return product(a, a ^ 5) + product(a, 3);
}
"""


def test_module_may_call_a_macro_that_does_not_stand_still(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list]
) -> None:
    streamed = rtl_macro.load(Path(__file__).parent / "macros" / "streamed.toml")
    product = tuple(macro for macro in streamed if macro.function == "product")
    text = PRODUCT + LOOP % ("", "  out[i] = more(a[i]); all ^= more(out[i]);")
    compiled = compile_c(text, macros=product)
    assert intervals(compiled) == (1, {"more": 1})
    compare(compiled, simulate, 1)


@pytest.mark.parametrize("name", ["state that takes two cycles", "limited function of functions"])
def test_no_signal_is_unused(name: str, compile_c: Callable[..., Compiled], tmp_path: Path) -> None:
    compiled = compile_c(KERNELS[name].text)
    assert rtl.lint(compiled, tmp_path / "lint") == ""


def cells(compiled: Compiled, folder: Path) -> dict[str, int]:
    """Give the cells that synthesis for ECP5 makes."""
    folder.mkdir()
    for file in compiled.files:
        (folder / file.name).write_text(file.text)
    names = " ".join(file.name for file in compiled.files)
    script = f"read_verilog {names}\nsynth_ecp5 -top f\ntee -q -o stat.json stat -json\n"
    (folder / "s.ys").write_text(script)
    proc.run(yosys.command(yosys.find(), "s.ys"), cwd=folder).checked()
    found: dict[str, int] = json.loads((folder / "stat.json").read_text())["design"][
        "num_cells_by_type"
    ]
    return found


@pytest.mark.slow
def test_shared_module_halves_the_multipliers_at_the_same_interval(
    compile_c: Callable[..., Compiled], tmp_path: Path
) -> None:
    text = (FOLDER / "turned.c").read_text()
    shared, own = compile_c(text), compile_c(text.replace("#pragma HLS allocation", "// "))
    assert intervals(shared)[0] == intervals(own)[0] == 2
    less, more = cells(shared, tmp_path / "shared"), cells(own, tmp_path / "own")
    assert (less["MULT18X18D"], more["MULT18X18D"]) == (4, 8)
    assert less["LUT4"] + 2 * less["CCU2C"] < more["LUT4"] + 2 * more["CCU2C"]


# What cannot be had, and the checks.


def warned(compiled: Compiled) -> list[str]:
    return [re.sub(r"(^|[( ])[^\s(]*/(?=t\.c)", r"\1", str(item)) for item in compiled.warnings]


def test_modules_that_decide_the_interval_are_named(compile_c: Callable[..., Compiled]) -> None:
    text = KERNELS["two modules for five calls"].text
    assert warned(compile_c(text)) == [
        "t.c:9: pipeline: II=1 wanted, II=3 reached: 5 calls of mix an iteration (t.c:11, t.c:12), "
        "2 modules each of which takes one every cycle"
    ]
    text = KERNELS["wanted every third, taken every second"].text
    assert warned(compile_c(text)) == [
        "t.c:8: pipeline: II=3 wanted, II=4 reached: II=2 at least: 1 call of mix an iteration "
        "(t.c:10), a module that takes one every 2 cycles; mix takes a call every 2 cycles"
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "for (unsigned k = 0; k < (n & 7); k++) s += k * s;",
            "t.c:6: pipeline: g is not pipelined: a loop is not unrolled: its number of iterations "
            "is not known",
        ),
        (
            "s += 1000 / (n | 1);",
            "t.c:6: pipeline: g is not pipelined: it divides, which takes a number of cycles that "
            "holds the rest up",
        ),
        (
            "all[n & 3] += s;",
            "t.c:6: pipeline: g is not pipelined: it uses all, which f uses as well",
        ),
        (
            "s += b[n & 63];",
            "t.c:6: pipeline: g is not pipelined: it uses a, an array of the top function",
        ),
    ],
)
def test_reason_why_a_function_is_no_such_module(
    body: str, message: str, compile_c: Callable[..., Compiled]
) -> None:
    text = (
        "static unsigned all[4];\n"
        "static unsigned g(const unsigned b[64], unsigned n) {\n#pragma HLS inline off\n"
        "#pragma HLS pipeline\n  unsigned s = n * 3;\n"
        f"  {body}\n"
        "  return s; }\n"
        "unsigned f(const unsigned a[64], unsigned n) {\n"
        "  return g(a, n) + g(a, n + 1) + all[n & 3];\n}\n"
    )
    compiled = compile_c(text)
    assert warned(compiled) == [message]
    assert intervals(compiled) == (None, {})


def scheduled(text: str, compile_c: Callable[..., Compiled]) -> tuple[Schedule, Block]:
    """Give the schedule of `f`, and its first pipelined block."""
    found = compile_c(text).schedules["f"]
    return found, next(block for block, plan in found.plans.items() if plan.pipeline)


def test_check_finds_calls_that_meet_in_a_module(compile_c: Callable[..., Compiled]) -> None:
    schedule, block = scheduled(KERNELS["one module"].text, compile_c)
    plan = schedule.plans[block]
    first, second = (op for op in plan.state if op.kind == "call")
    modulo.check(schedule.problems[block], schedule.function, plan)
    assert (plan.state[second] - plan.state[first]) % 2 == 1
    plan.state[first] += 1
    plan = replace(plan, states=plan.states + 1)
    with pytest.raises(AssertionError) as caught:
        modulo.check(schedule.problems[block], schedule.function, plan)
    assert "mix" in str(caught.value) or "passes" in str(caught.value)


def test_check_finds_calls_between_intervals(compile_c: Callable[..., Compiled]) -> None:
    schedule, block = scheduled(KERNELS["every second cycle"].text, compile_c)
    plan = schedule.plans[block]
    assert plan.pipeline is not None and plan.ii == 6
    modulo.check(schedule.problems[block], schedule.function, plan)
    plan = replace(plan, pipeline=replace(plan.pipeline, ii=7))
    with pytest.raises(AssertionError) as caught:
        modulo.check(schedule.problems[block], schedule.function, plan)
    assert str(caught.value) == "for_body: calls of mix are no whole intervals apart"


def test_check_finds_arguments_that_are_read_too_early(
    compile_c: Callable[..., Compiled],
) -> None:
    schedule = compile_c(KERNELS["one module"].text).schedules["mix"]
    (block,) = schedule.function.blocks
    plan = schedule.plans[block]
    early = next(op for op in plan.state if set(op.args) & set(schedule.function.params))
    assert plan.state[early] == 1
    plan.state[early] = 0
    with pytest.raises(AssertionError) as caught:
        modulo.check(schedule.problems[block], schedule.function, plan)
    assert str(caught.value) == f"entry: {early} reads an argument in the first cycle"


def test_text_keeps_what_callers_know(compile_c: Callable[..., Compiled]) -> None:
    module = compile_c(KERNELS["limited function of functions"].text).module
    model = delay_model.load("ecp5")
    module = schedule_module(module, model, 10.0, modulo.schedule_loop).module
    again = ir_text.parse_module(ir_text.print_module(module))
    ir_verify.verify(again)
    found = {
        name: (f.is_pipelined, f.latency, f.interval, f.limit, f.stallable, f.shared)
        for name, f in again.functions.items()
        if f.is_pipelined
    }
    assert found == {"mix": (True, 5, 1, 1, True, True), "twice": (True, 12, 3, 0, True, False)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("f_tally_pipe.v", "tally_2_valid_q <= tally_2_start", "tally_2_valid_q <= 1'b1"),
        ("f_tally_pipe.v", "if (ap_enable) x_0_q <= arg0;", "x_0_q <= arg0;"),
        ("f.v", "tally_wait = ~", "tally_wait = 1'b0 & ~"),
    ],
)
def test_module_that_does_not_stand_still_is_found(
    file: str, old: str, new: str, tmp_path: Path
) -> None:
    options = Options(
        sources=(FOLDER / "streamed.c",), top="f", clock_ns=10.0, defines=("SHARED=0",)
    )
    compiled = hls.compile(options)
    (text,) = (item.text for item in compiled.files if item.name == file)
    assert old in text
    wrong = VerilogFile(file, text.replace(old, new))
    files = tuple(wrong if item.name == file else item for item in compiled.files)
    changed = replace(compiled, files=files)
    assert cosim.run(options, changed, tmp_path, timeout_cycles=5000).mismatch is not None


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("a module for each call", {"mix": 2}),
        ("two modules for five calls", {"mix": 2}),
        ("states and pipelines", {"mix": 1}),
        ("function of functions", {"mix": 7, "twice": 2}),
        ("limited function of functions", {"mix": 2, "twice": 1}),
        ("state below state", {"low": 1, "high": 1}),
    ],
)
def test_report_counts_modules(
    name: str, count: dict[str, int], compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(KERNELS[name].text)
    _, *others = compiled.report.functions
    assert {f.name: f.modules for f in others} == count
    text = "".join(file.text for file in compiled.files)
    assert text.count("f_mix_pipe u_") <= count.get("mix", 0)
