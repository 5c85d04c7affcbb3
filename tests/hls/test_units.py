# SPDX-License-Identifier: Apache-2.0
"""Limits of units, kinds of memories, what computes a product, and how long it may take."""

from __future__ import annotations

import ctypes
import json
import re
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lydite.base import proc
from lydite.hls import Compiled, Machine, Placed
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import verify as schedule_verify
from lydite.hls.schedule.problem import Plan, Problem
from lydite.tools import yosys


def shown(compiled: Compiled) -> list[str]:
    """Give the warnings without the folder of the source."""
    return [re.sub(r"\S*/(?=t\.c)", "", str(warning)) for warning in compiled.warnings]


TEXT = """\
module @f
pragma "allocation instances=xor limit={limit} type=operation"

function @f(%0:32, %1:32, %2:32) : 32 pragmas 0 {{
entry:
  %3:32 = xor %0 %1
  %4:32 = xor %1 %2
  %5:32 = xor %0 %2
  %6:32 = add %3 %4
  %7:32 = xor %6 %5
  ret %7
}}
"""


def solve(limit: int) -> tuple[Problem, Plan]:
    module = ir_text.parse_module(TEXT.format(limit=limit))
    found = schedule_module.schedule_module(module, delay_model.load("ecp5"), 40.0).functions["f"]
    block = found.function.blocks[0]
    return found.problems[block], found.plans[block]


@pytest.mark.parametrize(("limit", "states"), [(1, 4), (2, 3), (3, 2), (9, 2)])
def test_a_state_has_at_most_so_many_operations(limit: int, states: int) -> None:
    """The last one takes a sum of others, and so a state of its own."""
    problem, plan = solve(limit)
    assert plan.states == states
    kinds = [plan.state[op] for op in problem.order if op.kind == "xor"]
    assert max(kinds.count(state) for state in kinds) <= limit


@pytest.mark.parametrize(
    ("limit", "number", "state", "message"),
    [
        (2, 2, 0, "entry: 3 operations xor in state 0"),
        (9, 4, 0, "entry: <xor:32  > hangs on a unit"),
    ],
)
def test_check_finds_what_is_past_the_limit(
    limit: int, number: int, state: int, message: str
) -> None:
    problem, plan = solve(limit)
    plan.state[problem.order[number]] = state
    plan.finish_ns[problem.order[number]] = 39.0
    with pytest.raises(AssertionError) as caught:
        schedule_verify.verify(problem, plan)
    assert str(caught.value) == message


MIXED = """\
#include <stdint.h>
uint32_t f(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  uint32_t s = 0;
  for (int i = 0; i < 10; i++) {
    uint32_t x = a ^ b, y = c ^ d, z = (a & c) + (b & d);
    a = x + (y << 3); b = y ^ z; c = z + x * a; d = (a ^ (c >> (b & 31))) & ~b;
    if (d > c) s += (a ^ d) * b;
  }
  return s ^ a;
}
"""


@pytest.mark.parametrize(
    ("name", "limit"), [("xor", 1), ("and", 1), ("add", 1), ("add", 2), ("mul", 1)]
)
def test_units_are_as_few_as_asked(
    name: str, limit: int, compile_c: Callable[..., Compiled]
) -> None:
    placed = Placed(f"allocation operation instances={name} limit={limit}")
    # At a slow clock no product is split into smaller ones of other widths.
    plain = compile_c(MIXED, clock_ns=60.0)
    limited = compile_c(MIXED, directives=(placed,), clock_ns=60.0)
    assert limited.warnings == ()
    units = dict(limited.report.functions[0].units)
    assert 1 <= sum(n for unit, n in units.items() if unit.split("_")[0] == name) <= limit
    arguments = {"a": 3, "b": 0x12345678, "c": 99, "d": 0xFFFF0000}
    values = {Machine(each.module).call(arguments).value for each in (plain, limited)}
    assert len(values) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "allocation operation instances=frob limit=1",
            "allocation of frob: no such operation: ignored; known: add, and, ashr, div, icmp, "
            "lshr, mul, not, or, rem, sdiv, shl, srem, sub, udiv, urem, xor",
        ),
        (
            "allocation instances=g limit=1 function",
            "allocation of g: there is no such function: ignored",
        ),
        (
            "allocation core instances=DSP limit=1",
            "allocation of DSP: cores are not known by name: ignored",
        ),
    ],
)
def test_limits_of_nothing_are_named(
    line: str, message: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(f"int f(int n) {{\n#pragma HLS {line}\n  return n; }}\n")
    assert shown(compiled) == [f"t.c:2: {message}"]


def test_units_of_other_widths_are_said(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(short a, short b, int n) {\n  return (a >> (n & 15)) ^ (n >> (b & 15)); }\n"
    placed = Placed("allocation operation instances=ashr limit=1")
    assert shown(compile_c(text, directives=(placed,))) == [
        "Options.directives: allocation of ashr in f: 2 units, 1 asked: "
        "one serves operations of one width and kind only"
    ]


def test_one_copy_of_a_function_when_it_is_limited(compile_c: Callable[..., Compiled]) -> None:
    text = (
        (
            "static int g(int x) { return x * x + (x >> 3); }\n"
            "int f(int a, int b) {\n{}  return g(a) ^ g(b); }}\n"
        )
        .replace("{ return x", "{{ return x")
        .replace("(x >> 3); }", "(x >> 3); }}")
    )
    text = text.replace("int b) {", "int b) {{")
    limited = compile_c(text.format("#pragma HLS allocation instances=g limit=1 function\n"))
    assert [f.name for f in compile_c(text.format("")).report.functions] == ["f"]
    assert [f.name for f in limited.report.functions] == ["f", "g"]


KECCAK = """\
#include <stdint.h>
typedef uint16_t lane;
static const lane rc[20] = {
    0x0001, 0x8082, 0x808A, 0x8000, 0x808B, 0x0001, 0x8081, 0x8009, 0x008A, 0x0088,
    0x8009, 0x000A, 0x808B, 0x008B, 0x8089, 0x8003, 0x8002, 0x0080, 0x800A, 0x000A};
static lane rol(lane x, unsigned n) { return n ? (lane)(x << n | x >> (16 - n)) : x; }
void keccak(lane a[25]) {
  static const uint8_t r[25] = {0,  1,  14, 12, 11, 4, 12, 6,  7, 4, 3,  10, 11,
                                9, 7, 9, 13, 15, 5, 8,  2,  2, 13, 8, 14};
  lane s[25];
  for (int i = 0; i < 25; i++) s[i] = a[i];
  for (int k = 0; k < 20; k++) {
    lane b[25], c[5];
    for (int x = 0; x < 5; x++) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
    for (int x = 0; x < 5; x++) {
      lane d = c[(x + 4) % 5] ^ rol(c[(x + 1) % 5], 1);
      for (int y = 0; y < 5; y++) s[x + 5 * y] ^= d;
    }
    for (int x = 0; x < 5; x++)
      for (int y = 0; y < 5; y++)
        b[y + 5 * ((2 * x + 3 * y) % 5)] = rol(s[x + 5 * y], r[x + 5 * y]);
    for (int y = 0; y < 5; y++)
      for (int x = 0; x < 5; x++)
        s[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
    s[0] ^= rc[k];
  }
  for (int i = 0; i < 25; i++) a[i] = s[i];
}
"""


def luts(compiled: Compiled, folder: Path) -> int:
    """Give the LUTs that synthesis for ECP5 makes, carry chains included."""
    folder.mkdir()
    for file in compiled.files:
        (folder / file.name).write_text(file.text)
    names = [file.name for file in compiled.files]
    (folder / "s.ys").write_text(
        f"read_verilog {' '.join(names)}\nsynth_ecp5 -top {compiled.interface.top}\n"
        "tee -q -o stat.json stat -json\n"
    )

    proc.run(yosys.command(yosys.find(), "s.ys"), cwd=folder).checked()
    return lut_count((folder / "stat.json").read_text())


def lut_count(text: str) -> int:

    cells: Mapping[str, int] = json.loads(text)["design"]["num_cells_by_type"]
    return cells.get("LUT4", 0) + 2 * cells.get("CCU2C", 0)


def test_limits_cut_luts_and_cost_cycles_on_keccak(
    compile_c: Callable[..., Compiled], tmp_path: Path
) -> None:
    limited = tuple(
        Placed(f"allocation operation instances={name} limit={limit}")
        for name, limit in (("xor", 2), ("not", 1), ("and", 1))
    )
    designs = [compile_c(KECCAK, "keccak", directives=given) for given in ((), limited)]
    data = bytes(range(50))
    after = [Machine(each.module).call({}, {"a": data}).arrays["a"] for each in designs]
    assert after[0] == after[1] != data
    areas = [luts(each, tmp_path / f"{n}") for n, each in enumerate(designs)]
    cycles = [each.report.functions[0].latency_max or 0 for each in designs]
    assert areas[1] < areas[0] / 2, areas
    assert cycles[1] > 2 * cycles[0], cycles


def test_complete_partition_of_the_state_takes_block_ram_away(
    compile_c: Callable[..., Compiled],
) -> None:
    limited = (Placed("allocation operation instances=xor limit=2"),)
    cut = tuple(Placed("array_partition complete", variable=name) for name in ("s", "b", "c"))
    designs = [
        compile_c(KECCAK, "keccak", directives=given, target="ice40")
        for given in (limited, (*limited, *cut))
    ]
    data = bytes(range(50))
    after = [Machine(each.module).call({}, {"a": data}).arrays["a"] for each in designs]
    assert after[0] == after[1] != data
    assert [each.report.area.bram for each in designs] == [2, 0]
    cycles = [each.report.functions[0].latency_max or 0 for each in designs]
    assert cycles[1] < cycles[0]


def test_complete_partition_of_the_round_constants_takes_block_ram_away(
    compile_c: Callable[..., Compiled],
) -> None:
    text = KECCAK.replace(
        "lane s[25];", "lane s[25];\n#pragma HLS bind_storage variable=rc impl=bram"
    )
    cut = (Placed("array_partition complete", variable="rc"),)
    designs = [compile_c(text, "keccak", directives=given) for given in ((), cut)]
    assert [each.report.area.bram for each in designs] == [1, 0]
    assert shown(designs[1]) == ["t.c:11: bind_storage of rc: it is cut completely, and so logic"]
    data = bytes(range(50))
    after = [Machine(each.module).call({}, {"a": data}).arrays["a"] for each in designs]
    assert after[0] == after[1] != data


def test_unroll_and_pipeline_halve_the_latency(compile_c: Callable[..., Compiled]) -> None:
    loops = {at: f"loop_{at}" for at, line in enumerate(KECCAK.split("\n"), 1) if "for (" in line}
    [rounds] = [at for at in loops if "int k" in KECCAK.split("\n")[at - 1]]
    state = (Placed("array_partition complete", variable="s"),)
    rolled = tuple(Placed("unroll off", loop=name) for name in loops.values())
    inside = [name for at, name in loops.items() if at != rounds]
    unrolled = tuple(Placed("unroll", loop=name) for name in inside)
    pipelined = (Placed("pipeline", loop=loops[rounds]),)
    designs = [
        compile_c(KECCAK, "keccak", directives=(*state, *given))
        for given in (rolled, unrolled, pipelined)
    ]
    data = bytes(range(50))
    after = [Machine(each.module).call({}, {"a": data}).arrays["a"] for each in designs]
    assert after[0] == after[1] == after[2] != data
    base, *fast = [each.report.functions[0].latency_max or 0 for each in designs]
    assert base and all(cycles <= base / 2 for cycles in fast), (base, fast)


# Kinds of memories.

STORED = """\
static int g[256];
int f(int n, const int t[64]) {{
  static const short c[512] = {{1, 2, 3}};
#pragma HLS {}
  g[n & 255] += n;
  return g[(n >> 8) & 255] + c[n & 511] + t[n & 63] + t[(n + 1) & 63];
}}
"""


@pytest.mark.parametrize(
    ("line", "name", "kind", "ports"),
    [
        ("bind_storage variable=g type=ram_2p impl=lutram", "g", "lutram", 2),
        ("bind_storage variable=g type=ram_1p impl=bram", "g", "bram", 1),
        ("bind_storage variable=g type=ram_s2p", "g", "bram", 2),
        ("bind_storage variable=g type=ram_t2p impl=registers", "g", "registers", 0),
        ("resource variable=g core=RAM_1P_BRAM", "g", "bram", 1),
        ("resource variable=g core=RAM_2P_LUTRAM", "g", "lutram", 2),
        ("bind_storage variable=c type=rom_1p impl=lutram", "f_c", "lutrom", 0),
        ("bind_storage variable=c type=rom_1p impl=bram", "f_c", "rom", 1),
        ("bind_storage variable=t type=ram_1p", "t", "port", 1),
    ],
)
def test_a_memory_becomes_what_is_asked(
    line: str, name: str, kind: str, ports: int, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(STORED.format(line))
    assert shown(compiled) == []
    memory = next(m for m in compiled.report.memories if m.name == name)
    assert (memory.kind, memory.ports) == (kind, ports)


@pytest.mark.parametrize(
    ("line", "target", "reason"),
    [
        ("variable=g type=rom_1p", "ecp5", "of g: it is written, so that it is no rom_1p"),
        ("variable=g type=ram_2p impl=uram", "ecp5", "of g: ecp5 has no uram"),
        ("variable=g type=ram_2p impl=lutram", "ice40", "of g: ice40 has no lutram"),
        ("variable=g type=fifo", "ecp5", "of g: an array is no fifo; write a stream"),
        ("variable=g type=ram_1wnr", "ecp5", "of g: ram_1wnr becomes ram_2p"),
        (
            "variable=g type=ram_2p impl=bram latency=3",
            "ecp5",
            "of g: latency=3 is not made; data come after 1 cycles",
        ),
    ],
)
def test_a_memory_that_cannot_be_is_named(
    line: str, target: str, reason: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(STORED.format(f"bind_storage {line}"), target=target)
    assert shown(compiled) == [f"t.c:4: bind_storage {reason}"]


COPIED = """\
static const unsigned short c[64] = {9, 8, 7, 5, 3, 1, 2, 4, 6, 11, 13, 17, 19, 23};
unsigned f(unsigned n, const unsigned a[16]) {
#pragma HLS bind_storage variable=c type=rom_np impl=bram
  unsigned s = c[n & 15] + c[n >> 4 & 15] * 2;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=1
    unsigned v = a[i];
    s += c[v & 15] ^ c[v >> 3 & 63] << 2 ^ c[v >> 6 & 63] << 4;
    s ^= c[v >> 9 & 63] << 6 ^ c[n + v & 63];
  }
  return s;
}
"""


def test_a_rom_is_copied_for_as_many_reads_as_are_wanted(
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
    simulate: Callable[..., list[Any]],
) -> None:
    compiled = compile_c(COPIED)
    assert shown(compiled) == []
    loop = next(plan for plan in compiled.schedules["f"].plans.values() if plan.pipeline)
    assert loop.ii == 1
    assert compiled.report.area.bram == 3  # five reads a cycle, two ports a copy
    function = native(COPIED).f
    function.restype = ctypes.c_uint
    data = struct.pack("<16I", *(i * 2654435761 % 2**32 for i in range(1, 17)))
    numbers = (0, 1, 77, 255)
    done = simulate(compiled, [({"n": number}, {"a": data}) for number in numbers])
    assert [call.value for call in done] == [function(number, data) for number in numbers]


# Products.


def test_a_product_is_logic_when_asked(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "long f(int a, int b, unsigned c, unsigned d) {{\n  long p = (long)a * b;\n{}"
        "  return p ^ ((unsigned long)c * d);\n}}\n"
    )
    plain = compile_c(text.format(""))
    logic = compile_c(text.format("#pragma HLS bind_op variable=p op=mul impl=fabric\n"))
    assert logic.report.area.dsp < plain.report.area.dsp
    for a, b in ((3, 5), (-3, 5), (-(1 << 31), -(1 << 31)), (0x7FFFFFFF, -1)):
        arguments = {"a": a, "b": b, "c": a, "d": b}
        values = {Machine(each.module).call(arguments).value for each in (plain, logic)}
        assert len(values) == 1


def test_a_small_product_is_no_hardware_multiplier(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "int f(signed char a, signed char b) {\n  int p = a * b;\n"
        "#pragma HLS bind_op variable=p op=mul impl=dsp latency=2\n  return p + 1; }\n"
    )
    model = delay_model.load("ecp5")
    compiled = compile_c(text)
    head = "t.c:3: bind_op of p: "
    expected = [f"{head}latency=2 is not made; a product has none"]
    if model.dsp_threshold > 8:
        limit = model.dsp_threshold
        expected.append(f"{head}a product of 8 bits is logic; multipliers begin at {limit} bits")
    assert shown(compiled) == expected


def test_kept_variables_pass_modules_that_mapping_leaves_closed(
    compile_c: Callable[..., Compiled],
) -> None:
    text = (
        "unsigned f(unsigned a, unsigned b) {\n  unsigned v[2];\n"
        "#pragma HLS keep variable=v\n  v[0] = a ^ b; v[1] = a & b;\n"
        "  return (v[0] + v[1]) ^ (v[0] | v[1] << 1); }\n"
    )
    compiled = compile_c(text)
    assert shown(compiled) == []
    [file] = [file for file in compiled.files if file.name == "f.v"]
    kept = [line for line in file.text.splitlines() if line.startswith("  ) u_v_")]
    assert len(kept) == file.text.count("lydite_keep #(") == 2
    assert [file.name for file in compiled.files] == ["f.v", "lydite_keep.v"]


def test_a_kept_variable_and_a_function_may_want_one_name(
    compile_c: Callable[..., Compiled],
) -> None:
    text = (
        "static unsigned v_2(unsigned x) {\n#pragma HLS inline off\n"
        "  unsigned s = 0;\n  for (unsigned i = 0; i < (x & 7); i++) s += s ^ x;\n  return s; }\n"
        "unsigned f(unsigned a, unsigned b) {\n  unsigned v = a ^ b;\n"
        "#pragma HLS keep variable=v\n  return v_2(v & a) + v; }\n"
    )
    [file] = [file for file in compile_c(text).files if file.name == "f.v"]
    instances = re.findall(r"^  (?:\w+ |\) )(u_\w+) \($", file.text, re.MULTILINE)
    assert "u_v_2" in instances and len(set(instances)) == len(instances) == 2


def test_a_kept_variable_of_which_nothing_is_left_is_named(
    compile_c: Callable[..., Compiled],
) -> None:
    text = "int f(int a) {\n  int v = 3;\n#pragma HLS keep variable=v\n  return a + v; }\n"
    what = "t.c:3: keep variable=v: nothing that is left computes it: not honoured"
    assert shown(compile_c(text)) == [what]


# Time.


def test_latency_is_lengthened_and_checked(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "static int g(int x) {\n#pragma HLS latency min=7 max=9\n  return x * 3 + 1; }\n"
        "int f(int n) {\n#pragma HLS latency min=100 max=20\n  int s = n;\n"
        "l: for (int i = 0; i < 50; i++) {\n#pragma HLS latency min=4 max=3\n"
        "    s += (s << 3) ^ i; }\n"
        "  return s ^ g(s); }\n"
    )
    compiled = compile_c(text)
    functions = {f.name: f for f in compiled.report.functions}
    assert (functions["g"].latency_min, functions["g"].latency_max) == (7, 7)
    assert functions["f"].loops[0].iteration_min == 4
    low, high = functions["f"].latency_min, functions["f"].latency_max
    assert low == high and low is not None and low > 200
    assert shown(compiled) == [
        "t.c:8: latency max=3 of an iteration of l: it takes up to 4",
        f"t.c:5: latency max=20 of f: it takes up to {high}",
    ]


def test_expressions_stay_as_written_when_asked(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(int a, int b, int c, int d) {{\n{}  return ((a + b) + c) + d; }}\n"
    off = "#pragma HLS expression_balance off\n"
    chains = [compile_c(text.format(line)).report.critical_ns for line in ("", off)]
    assert chains[0] < chains[1]


@pytest.mark.parametrize(("line", "cycles"), [("", 5), ("#pragma HLS latency max=4", 4)])
def test_a_maximum_gives_products_units_of_their_own(
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list[Any]],
    line: str,
    cycles: int,
) -> None:
    text = f"""
#include <stdint.h>
uint32_t f(uint16_t a, uint16_t b, uint16_t c, uint16_t d) {{
{line}
  uint32_t x = (uint32_t)a * b + 7u;
  uint32_t y = (uint32_t)(uint16_t)x * c + 9u;
  return (uint32_t)(uint16_t)y * d + 11u;
}}
"""
    compiled = compile_c(text, clock_ns=9.0)
    assert compiled.report.functions[0].latency_max == cycles
    assert compiled.warnings == ()
    (call,) = simulate(compiled, [({"a": 300, "b": 500, "c": 7, "d": 9}, {})])
    x = (300 * 500 + 7) & 0xFFFF
    y = (x * 7 + 9) & 0xFFFF
    assert (call.value, call.cycles) == (y * 9 + 11, cycles)
