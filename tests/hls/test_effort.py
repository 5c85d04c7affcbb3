# SPDX-License-Identifier: Apache-2.0
"""Loops and arrays that no directive speaks of: what each effort makes of them, and if right."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rtl import Call, RtlCall

from lydite.base import InputError
from lydite.hls import Compiled, Machine, effort
from lydite.hls.bind import expected
from lydite.hls.contract import directive_text
from lydite.hls.contract.effort import EFFORTS, Effort
from lydite.hls.contract.report import Area
from lydite.hls.frontend import number_loops
from lydite.hls.ir import delay_model
from lydite.hls.ir.text import parse_module, print_module
from lydite.hls.schedule import modulo
from lydite.hls.schedule.module import schedule_module

SUM = """unsigned f(const unsigned a[64], unsigned char n) {
  unsigned s = 7;
  for (int i = 0; i < (n & 63); i++) s += a[i] * 5 ^ s >> 3;
  return s;
}"""
# A table of a byte a word, read bit by bit: wires, once the loops are gone.
SHUFFLE = """static const unsigned char from[32] = {
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 0, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25};
unsigned f(unsigned x) {
  unsigned y = 0;
  for (int i = 0; i < 32; i++) y |= (x >> from[i] & 1) << i;
  return y;
}"""
# A window of words that a pipelined loop reads at four places.
WINDOW = """unsigned f(const unsigned a[16], unsigned k) {
  unsigned w[16], s = k;
  for (int i = 0; i < 16; i++) w[i] = a[i];
  for (int t = 0; t < 80; t++) {
    if (t >= 16) w[t & 15] ^= w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15];
    s = (s << 5 | s >> 27) + w[t & 15];
  }
  return s;
}"""
# One that ends early, with a store on some ways, inside of one that LLVM cannot count.
SEARCH = """int f(const unsigned char a[32], unsigned char b[32], unsigned char key) {
  int found = 0;
  while (key) {
    int i;
    for (i = 0; i < 32; i++) {
      if (a[i] == (key & 31)) { b[i] = key; break; }
      if (a[i] & 1) continue;
      found += b[(i + key) & 31] & 3;
    }
    found = found * 3 + i;
    key >>= 1;
  }
  return found;
}"""
# A division inside, and a helper that is called twice.
HELPER = """static unsigned sum(const unsigned char *p, unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++) s = s * 31 + p[i];
  return s;
}
unsigned f(const unsigned char a[32], unsigned char n, unsigned char d) {
  unsigned q = 0;
  for (int i = 0; i < 3; i++) q += a[i] / (d | 1);
  return q + sum(a, n & 15) + sum(a + 16, d & 15);
}"""
# What the last iterations leave is what the first ones read: in place, and kept over calls.
STATE = """static unsigned short kept[24];
unsigned short f(unsigned short x, unsigned char at) {
  for (int r = 0; r < 6; r++)
    for (int i = 0; i < 23; i++) kept[i] = kept[i + 1] + (x ^ i * r);
  kept[at % 24] += x;
  return kept[(at + 1) % 24];
}"""
# A pipelined function, of which there are two modules.
FUNCTION = """static unsigned mix(unsigned x) {
#pragma HLS inline off
#pragma HLS pipeline II=1
  return (x * 2654435761u ^ x >> 7) * 40503u;
}
unsigned f(const unsigned a[16], unsigned char n) {
#pragma HLS allocation function instances=mix limit=2
  unsigned s = 1;
  for (int i = 0; i < (n & 15); i++) {
#pragma HLS pipeline II=1
    s ^= mix(a[i] + i) + mix(a[i] ^ n);
  }
  return s;
}"""
PROGRAMS = {
    "sum": SUM,
    "shuffle": SHUFFLE,
    "window": WINDOW,
    "search": SEARCH,
    "helper": HELPER,
    "state": STATE,
    "function": FUNCTION,
}


@pytest.mark.parametrize("how", ["balanced", "speed"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_hardware_computes_what_the_program_says(
    name: str,
    how: Effort,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list[RtlCall]],
    random_calls: Callable[..., list[Call]],
    native: Callable[[str], ctypes.CDLL],
) -> None:
    compiled = compile_c(PROGRAMS[name], effort=how, clock_ns=8.0)
    given = random_calls(compiled, 5, 12)
    results = simulate(compiled, given)
    function = native(PROGRAMS[name]).f
    function.restype = ctypes.c_uint32
    bits = (1 << compiled.interface.return_width) - 1
    for number, ((scalars, arrays), got) in enumerate(zip(given, results, strict=True)):
        held = {port: ctypes.create_string_buffer(data, len(data)) for port, data in arrays.items()}
        # Scalars stand behind arrays in all of these.
        wanted = function(*held.values(), *scalars.values())
        assert got.value == wanted & bits, f"call {number}"
        for array in compiled.interface.arrays:
            assert got.arrays[array.port] == held[array.port].raw, f"call {number}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_any_legal_schedule_of_its_pipelines_is_right(
    name: str,
    compile_c: Callable[..., Compiled],
    any_schedule: Callable[[random.Random], None],
    random_calls: Callable[..., list[Call]],
) -> None:
    """The IR that comes out computes what that of `area` does, whatever was decided by chance."""
    plain = compile_c(PROGRAMS[name], effort="area")
    any_schedule(random.Random(3))
    other = compile_c(PROGRAMS[name], effort="speed")
    one, two = Machine(plain.module), Machine(other.module)
    contents = random_calls(plain, 7, 1)[0][1]
    for scalars, _ in random_calls(plain, 7, 6):
        first, second = one.call(scalars, contents), two.call(scalars, contents)
        assert (first.value, first.arrays) == (second.value, second.arrays)
        contents = {**contents, **first.arrays}


def of_loops(compiled: Compiled) -> list[int | None]:
    """Give the intervals of all loops."""
    return [loop.ii for function in compiled.report.functions for loop in function.loops]


def cycles(compiled: Compiled) -> int:
    """Give the most cycles that a call takes."""
    most = compiled.report.functions[0].latency_max
    assert most is not None
    return most


def test_area_leaves_a_program_as_it_is(compile_c: Callable[..., Compiled]) -> None:
    """No number is given to any loop, and the Verilog is that of no word about it."""
    plain, said = compile_c(WINDOW), compile_c(WINDOW, effort="area")
    assert plain.files == said.files
    assert of_loops(said) == [None]
    assert not any("loop_number" in str(item) for item in said.module.pragmas)


def test_what_comes_out_can_be_printed_and_read(compile_c: Callable[..., Compiled]) -> None:
    """The numbers that loops had meanwhile are gone, those of directives are what they were."""
    text = WINDOW.replace("w[16], s = k;", "w[16], s = k;\n#pragma HLS expression_balance off")
    made = compile_c(text, effort="balanced").module
    printed = print_module(made)
    assert "loop_number" not in printed
    assert print_module(parse_module(printed)) == printed
    assert [item.kind for item in made.pragmas] == [
        *("expression_balance", "pipeline", "bind_storage")
    ]
    assert made.top_function.pragmas == (0,)


def test_an_innermost_loop_is_pipelined(compile_c: Callable[..., Compiled]) -> None:
    assert of_loops(compile_c(SUM, effort="area")) == [None]
    [ii] = of_loops(compile_c(SUM, effort="balanced"))
    assert ii == 1


def test_a_short_loop_becomes_wires(compile_c: Callable[..., Compiled]) -> None:
    made = compile_c(SHUFFLE, effort="balanced")
    assert of_loops(made) == []
    assert cycles(made) <= 2
    assert made.report.area.lut < compile_c(SHUFFLE, effort="area").report.area.lut


def test_a_small_array_becomes_registers_where_its_port_bounds_a_loop(
    compile_c: Callable[..., Compiled],
) -> None:
    plain, made = compile_c(WINDOW), compile_c(WINDOW, effort="balanced")
    assert {m.name: m.kind for m in plain.report.memories}["w"] == "lutram"
    assert {m.name: m.kind for m in made.report.memories}["w"] == "registers"
    assert of_loops(made) == [1]
    assert cycles(made) < cycles(plain) / 3


def test_what_is_not_reached_is_no_news(compile_c: Callable[..., Compiled]) -> None:
    """Nobody asked for these pipelines: no warning says what their intervals could be."""
    for text in PROGRAMS.values():
        assert compile_c(text, effort="speed").warnings == compile_c(text).warnings


@pytest.mark.parametrize("line", ["pipeline off", "unroll off", "pipeline II=5", "latency min=3"])
def test_a_loop_that_a_directive_speaks_of_stays_as_it_says(
    line: str, compile_c: Callable[..., Compiled]
) -> None:
    text = SUM.replace("i++) s", f"i++) {{\n#pragma HLS {line}\ns").replace(">> 3;", ">> 3; }")
    assert text.count("}") == 2
    plain, made = compile_c(text), compile_c(text, effort="speed")
    assert of_loops(made) == of_loops(plain)
    assert cycles_or_none(made) == cycles_or_none(plain)


def cycles_or_none(compiled: Compiled) -> tuple[int | None, int | None]:
    top = compiled.report.functions[0]
    return top.latency_min, top.latency_max


def test_a_loop_around_a_pipeline_is_not_decided_for(compile_c: Callable[..., Compiled]) -> None:
    text = """unsigned f(const unsigned char a[64]) {
  unsigned s = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS loop_flatten off
    for (int j = 0; j < 8; j++) {
#pragma HLS pipeline II=2
      s = s * 3 + a[8 * i + j];
    }
  }
  return s;
}"""
    assert of_loops(compile_c(text, effort="speed")) == of_loops(compile_c(text))


def test_accesses_of_two_streams_keep_their_order(compile_c: Callable[..., Compiled]) -> None:
    """A partner may give its next input only when it has got the output before."""
    text = """#include <lydite_stream.h>
void f(lydite_stream32 *in, lydite_stream32 *out, unsigned char n) {
  for (int i = 0; i < n; i++) lydite_stream32_write(out, lydite_stream32_read(in));
}"""
    assert of_loops(compile_c(text, effort="speed")) == [None]


def test_programs_with_processes_stay_as_they_are(compile_c: Callable[..., Compiled]) -> None:
    text = """static void put(const unsigned char a[64], unsigned char b[64]) {
  for (int i = 0; i < 64; i++) b[i] = a[i] * 3;
}
static void take(const unsigned char b[64], unsigned char c[64]) {
  for (int i = 0; i < 64; i++) c[i] = b[i] + 1;
}
void f(const unsigned char a[64], unsigned char c[64]) {
#pragma HLS dataflow
  unsigned char b[64];
  put(a, b);
  take(b, c);
}"""
    plain, made = compile_c(text), compile_c(text, effort="speed")
    assert of_loops(made) == of_loops(plain)


def test_speed_is_not_slower_and_area_not_larger(compile_c: Callable[..., Compiled]) -> None:
    """By the compiler's own measures, which is what decides."""
    for name in ("window", "shuffle", "state"):
        made = {how: compile_c(PROGRAMS[name], effort=how) for how in EFFORTS}
        taken = [cycles(made[how]) for how in EFFORTS]
        assert taken == sorted(taken, reverse=True), name
        plain, balanced = (made[how].report.area for how in ("area", "balanced"))
        product = taken[1] * effort.worth(balanced)
        assert product <= 1.15 * taken[0] * effort.worth(plain), name


def test_the_same_program_gives_the_same_hardware(compile_c: Callable[..., Compiled]) -> None:
    assert compile_c(SEARCH, effort="speed").files == compile_c(SEARCH, effort="speed").files


def test_the_effort_is_part_of_what_the_digest_is_of(compile_c: Callable[..., Compiled]) -> None:
    assert len({compile_c(SUM, effort=how).source_digest for how in EFFORTS}) == 3


def test_worth_counts_flip_flops_that_no_table_has_beside_it() -> None:
    assert effort.worth(Area(lut=100, ff=30, bram=1, dsp=2)) == 100 + 200 + 160
    assert effort.worth(Area(lut=10, ff=30)) == 30


LLVM = """define void @f() {
  br i1 %x, label %a, label %b, !llvm.loop !3
}
!1 = !{}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.mustprogress"}
!7 = distinct !{!7}
"""


def test_loops_get_numbers_behind_those_of_directives() -> None:
    text, made = number_loops.mark(LLVM, [], [])
    assert [item.kind for item in made] == ["loop_number"]
    assert "!3 = distinct !{!3, !4, !8}\n" in text
    assert '!8 = !{!"lydite.pragma", i32 0}\n' in text
    assert "!7 = distinct !{!7}\n" in text  # no loop has that


def test_loops_to_copy_are_told_to_llvm() -> None:
    text, _ = number_loops.mark(LLVM, [], [0])
    assert "!3 = distinct !{!3, !4, !8, !9}\n" in text
    assert '!9 = !{!"llvm.loop.unroll.full"}\n' in text


IR = """module @f
function @f(%0:8 "n") : 8 {
entry:
  jump head
head:
  %1:8 = phi [8'0x0 entry] [%2 head]
  %2:8 = add %1 8'0x1
  %3:1 = eq %2 8'0xa
  branch %3 done head
done:
  %4:1 = eq %0 8'0x3
  branch %4 one two
one:
  %5:8 = mul %0 %2
  jump two
two:
  %6:8 = phi [%5 one] [%2 done]
  ret %6
}
"""


def test_cycles_are_expected_by_loops_and_even_branches() -> None:
    module = parse_module(IR)
    model = delay_model.load("ecp5")
    [plan] = schedule_module(module, model, 10.0, modulo.schedule_loop).functions.values()
    states = {block.name: plan.plans[block].states for block in plan.function.blocks}
    found = expected.of_function(plan, {}, ())
    assert list(found.loops.values()) == [10.0 * states["head"]]
    rest = states["entry"] + states["done"] + states["one"] / 2 + states["two"]
    assert found.cycles == 10 * states["head"] + rest


def written(folder: Path, texts: Sequence[str]) -> list[Path]:
    """Write files of directives."""
    paths = [folder / f"{number}.toml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def test_a_file_of_directives_may_say_the_effort(tmp_path: Path) -> None:
    entry = '[[directives]]\ndirective = "inline off"\nfunction = "g"\n'
    paths = written(tmp_path, [entry, f'effort = "speed"\n{entry}', 'effort = "speed"\n'])
    assert directive_text.effort_of(paths) == "speed"
    assert directive_text.effort_of(paths[:1]) is None
    assert [len(directive_text.load(path)) for path in paths] == [1, 1, 0]


def test_an_effort_that_is_none_is_refused(tmp_path: Path) -> None:
    [path] = written(tmp_path, ['effort = "most"\n'])
    with pytest.raises(InputError) as caught:
        directive_text.effort_of([path])
    assert str(caught.value) == (f"{path}: effort = 'most' is none\n  known: area, balanced, speed")


def test_two_files_must_not_say_different_efforts(tmp_path: Path) -> None:
    paths = written(tmp_path, ['effort = "area"\n', 'effort = "speed"\n'])
    with pytest.raises(InputError) as caught:
        directive_text.effort_of(paths)
    assert str(caught.value) == (
        f"{paths[1]}: effort is speed here, and area in {paths[0]}\n  say it in one file"
    )
