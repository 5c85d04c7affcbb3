# SPDX-License-Identifier: Apache-2.0
"""What directives say of a loop's iterations holds for those, however loops are put together.

All that `dependence` says in these programs is true, so the hardware has to be right.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from collisions import spoilt

from lydite import hls
from lydite.hls import Compiled, Options
from lydite.hls.ir import memory_ports
from lydite.hls.ir.graph import Op
from lydite.hls.schedule import memory_order
from lydite.sim import cosim

NEST = """\
// Butterflies of a transform in place.
void f(int r[8]) {
FUNCTION
  for (unsigned length = 4; length >= 2; length >>= 1)
    for (unsigned start = 0; start < 8; start += 2 * length)
      for (unsigned j = start; j < start + length; j++) {
#pragma HLS pipeline
LOOP
        int t = r[j + length] * 17 * r[j + length];
        r[j + length] = r[j] - t;
        r[j] += t;
      }
}
"""
CLAIM = "#pragma HLS dependence variable=r inter false"


def nest(*, function: str = "", loop: str = "") -> str:
    return NEST.replace("FUNCTION", function).replace("LOOP", loop)


def said(compiled: Compiled) -> list[str]:
    return [str(warning).split(":", 1)[1] for warning in compiled.warnings if "dep" in warning.what]


def test_nest_stays_if_it_is_said_of_the_inner_loop_alone(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(nest(loop=CLAIM))
    assert len(compiled.report.functions[0].loops) == 3
    (warning,) = said(compiled)
    assert warning.startswith("8: dependence: it speaks of the inner loop, so the loops at ")


@pytest.mark.parametrize(
    "given",
    [{}, {"loop": f"{CLAIM}\n#pragma HLS loop_flatten"}, {"function": CLAIM}],
    ids=["nothing said", "asked for", "said of all loops"],
)
def test_nest_becomes_one_loop(given: dict[str, str], compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(nest(**given))
    assert len(compiled.report.functions[0].loops) == 1
    assert not said(compiled)


def test_nest_of_an_inlined_function_becomes_one_loop(compile_c: Callable[..., Compiled]) -> None:
    text = nest(function=CLAIM).replace("void f(", "static void g(")
    compiled = compile_c(f"{text}void f(int r[8]) {{ g(r); }}\n")
    assert len(compiled.report.functions[0].loops) == 1


ROWS = """\
unsigned f(const unsigned a[64], unsigned n, unsigned m) {
  unsigned s = 0, i = 0;
  do {
OUTER
    unsigned j = 0;
    do {
#pragma HLS pipeline
INNER
      s += a[(i * 8 + j) & 63] ^ j;
    } while (++j < m);
  } while (++i < n);
  return s;
}
"""


def rows(outer: str, inner: str = "") -> str:
    lines = [f"#pragma HLS {text}" if text else "" for text in (outer, inner)]
    return ROWS.replace("OUTER", lines[0]).replace("INNER", lines[1])


@pytest.mark.parametrize(
    ("outer", "inner", "most"),
    [
        ("loop_tripcount min=2 max=8", "loop_tripcount min=1 max=16", 128),
        ("", "loop_tripcount min=1 max=16", None),
        ("loop_tripcount min=2 max=8", "", None),
    ],
)
def test_iterations_of_a_nest_are_those_of_both_loops(
    outer: str, inner: str, most: int | None, compile_c: Callable[..., Compiled]
) -> None:
    [loop] = compile_c(rows(outer, inner)).report.functions[0].loops
    assert loop.trip_max == most


def test_what_runs_on_numbers_is_not_what_was_said(compile_c: Callable[..., Compiled]) -> None:
    text = rows("", "loop_tripcount min=1 max=16").replace("< n", "< 8").replace("< m", "< 4")
    [loop] = compile_c(text).report.functions[0].loops
    assert loop.trip_max == 32


def test_nest_stays_if_an_iteration_of_the_outer_loop_has_a_latency(
    compile_c: Callable[..., Compiled],
) -> None:
    outer, _ = compile_c(rows("latency min=30")).report.functions[0].loops
    assert outer.iteration_min == 30
    compiled = compile_c(rows("latency min=30", "loop_flatten"))
    [loop] = compiled.report.functions[0].loops
    assert loop.iteration_min < 30
    assert [w.what for w in compiled.warnings] == [
        "latency: no loop is left that it holds for: not honoured"
    ]


PROGRAMS = {
    "nest": nest(loop=CLAIM)
    + """
int main(void) {
  int r[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  f(r);
  f(r);
  return 0;
}
""",
    "merged": """\
void f(int a[17], int c[16], int n) {
#pragma HLS loop_merge
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=a inter false
    a[i + 1] = n * n * n + i;
  }
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    c[i] = a[i];
  }
}
int main(void) {
  int a[17] = {5}, c[16];
  f(a, c, 3);
  f(a, c, -7);
  return 0;
}
""",
    "distance in an unrolled loop": """\
void f(int a[36], const unsigned char at[36], int k) {
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=1
#pragma HLS unroll factor=2
#pragma HLS dependence variable=a inter true distance=3
    a[at[i + 3]] = a[at[i]] * k + i;
  }
}
int main(void) {
  int a[36];
  unsigned char at[36];
  for (int i = 0; i < 36; i++) a[i] = i, at[i] = (unsigned char)i;
  f(a, at, 5);
  f(a, at, 7);
  return 0;
}
""",
    "within an iteration of an unrolled loop": """\
int f(int a[36], const unsigned char at[36], int k) {
  int sum = 0;
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=1
#pragma HLS unroll factor=2
#pragma HLS dependence variable=a intra false
    a[at[i + 1]] = k * k + i;
    sum = sum * 3 + a[at[i]];
  }
  return sum;
}
int main(void) {
  int a[36];
  unsigned char at[36];
  for (int i = 0; i < 36; i++) a[i] = i, at[i] = (unsigned char)i;
  return f(a, at, 5) == 0 || f(a, at, 7) == 0;
}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_hardware_is_right_where_all_that_is_said_is_true(name: str, tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text(PROGRAMS[name])
    options = Options(sources=(source,), top="f")
    compiled = hls.compile(options)
    cosim.run(options, spoilt(compiled), tmp_path).check()
    assert bool(said(compiled)) == (name in ("nest", "merged"))


COLLISION = """\
static int words[300];
__attribute__((noinline)) int f(int at, int value) {
#pragma HLS bind_storage variable=words type=ram_t2p impl=bram
  const int was = words[at & 255];
  words[at & 255] = value;
  return was;
}
int main(void) {
  for (int i = 0; i < 20; i++) f(i % 5, i);
  return f(2, 1) != 17;
}
"""


def test_a_load_beside_a_store_of_its_word_would_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The check of the checks: RAM that is relied on, in a block and from iteration to iteration.
    source = tmp_path / "t.c"
    source.write_text(COLLISION)
    options = Options(sources=(source,), top="f")
    cosim.run(options, spoilt(hls.compile(options)), tmp_path).check()
    both = memory_order._distance

    def beside(first: Op, second: Op, ports: memory_ports.Ports) -> int | None:
        states = both(first, second, ports)
        return 0 if states and first.kind == "load" else states

    monkeypatch.setattr(memory_order, "_distance", beside)
    wrong = hls.compile(options)
    cosim.run(options, wrong, tmp_path).check()
    assert cosim.run(options, spoilt(wrong), tmp_path).mismatch is not None
