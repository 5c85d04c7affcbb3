# SPDX-License-Identifier: Apache-2.0
"""A directive of an array that does not reach it is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lydite.hls import Compiled
from lydite.hls.contract.directives import ArrayPartition
from lydite.hls.ir.graph import Memory
from lydite.hls.ir.module import Module
from lydite.hls.lower import lost_directives


def test_directive_that_no_array_carries_is_named() -> None:
    module = Module("f", pragmas=(ArrayPartition(where="k.c:3", variable="b"),))
    module.memories["b"] = Memory("b", 16, 25, objects=(("f.b", 0),))
    assert [str(warning) for warning in lost_directives.of_variables(module)] == [
        "k.c:3: array_partition variable=b: lost on the way, not honoured"
    ]
    module.memories["b"].pragmas = (0,)
    assert lost_directives.of_variables(module) == []


def test_array_that_is_gone_needs_no_directive() -> None:
    module = Module("f", pragmas=(ArrayPartition(where="k.c:3", variable="b"),))
    assert lost_directives.of_variables(module) == []


# LLVM would leave the loop from the branch, and lose the loop's end with what stands there.
LAST = """void f(unsigned a[16], unsigned n) {
  unsigned x = 0;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    for (int j = 0; j < 2; j++) x = x << 1 ^ n;
    if (i == 15) {
      for (int j = 0; j < 2; j++) a[j] = x;
    }
  }
}
"""


def test_pipeline_of_a_loop_that_stores_in_its_last_iteration(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(LAST)
    [loop] = compiled.report.functions[0].loops
    assert (loop.trip_max, loop.ii) == (16, 1)
    assert compiled.warnings == ()


@pytest.mark.parametrize("mode", ["ap_fifo", "ap_hs", "axis"])
def test_an_array_that_comes_word_by_word_is_not_cut(
    mode: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(
        "unsigned f(const unsigned a[16]) {\n"
        f"#pragma HLS interface {mode} port=a\n"
        "#pragma HLS array_partition variable=a cyclic factor=2\n"
        "  unsigned s = 0;\n"
        "  for (int i = 0; i < 16; i++) s += a[i];\n"
        "  return s;\n"
        "}\n"
    )
    (warning,) = compiled.warnings
    assert str(warning).endswith(
        f"t.c:3: array_partition of a: it is {mode}, which moves word by word"
    )


def test_a_pipeline_of_what_is_no_loop_does_not_reach_the_function(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(
        "unsigned f(const unsigned a[16], unsigned n) {\n"
        "  unsigned s = 0;\n"
        "  for (unsigned i = 0; i < n; i++) {\n"
        "#pragma HLS pipeline II=1\n"
        "    s += a[i & 15];\n"
        "    break;\n"
        "  }\n"
        "  return s;\n"
        "}\n"
    )
    (warning,) = compiled.warnings
    assert str(warning).endswith(
        "t.c:4: pipeline: what the braces here hold runs once at most: nothing to overlap"
    )
    assert all(plan.ii is None for plan in compiled.schedules["f"].plans.values())


DO_IN_DO = """unsigned f(const unsigned a[16], unsigned n) {
  unsigned s = 0, i = 0;
  do {
    do {
#pragma HLS DIRECTIVE
      s += a[i & 15];
      i++;
    } while (s & 1);
  } while (i < n);
  return s;
}
"""
DO_IN_WHILE = DO_IN_DO.replace("  do {\n    do", "  while (i < n) {\n    do").replace(
    "  } while (i < n);", "  }"
)
TWO_IN_DO = DO_IN_DO.replace(
    "  } while (i < n);",
    "    do {\n      s ^= a[i++ & 15];\n    } while (s & 2);\n  } while (i < n);",
)
ONCE = """void f(unsigned a[16], unsigned n) {
  for (int i = 0; i < 1; i++) {
#pragma HLS DIRECTIVE
    for (unsigned j = 0; j < n; j++) a[j & 15] += n;
    for (unsigned j = 0; j < n; j++) a[j & 15] ^= n;
  }
}
"""
REGION = """static void g(const unsigned a[8], unsigned t[8]) {
#pragma HLS inline off
  for (int i = 0; i < 8; i++) t[i] = a[i] * 3;
}
static void h(const unsigned t[8], unsigned b[8]) {
#pragma HLS inline off
  for (int i = 0; i < 8; i++) b[i] = t[i] ^ 5;
}
void f(const unsigned a[8], unsigned b[8]) {
  for (int i = 0; i < 1; i++) {
#pragma HLS dataflow
    unsigned t[8];
    g(a, t);
    h(t, b);
  }
}
"""
FOUR = """unsigned f(const unsigned a[16], unsigned n) {
  unsigned s = 0;
  for (int i = 0; i < 4; i++) {
#pragma HLS DIRECTIVE
    s += a[i] ^ n;
  }
  return s;
}
"""
IN_PIPELINE = """static unsigned g(unsigned a, unsigned n) {
#pragma HLS DIRECTIVE
  unsigned s = a;
  for (int i = 0; i < 3; i++) s = s * 3 + n;
  return s;
}
unsigned f(const unsigned a[16], unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++) {
#pragma HLS pipeline
    s ^= g(a[i & 15], i);
  }
  return s;
}
"""
DATA = b"".join((i * 77 + 3).to_bytes(4, "little") for i in range(16))


@pytest.mark.parametrize("text", [DO_IN_DO, DO_IN_WHILE, TWO_IN_DO], ids=["do", "while", "two"])
def test_a_loop_that_llvm_joins_with_the_one_around_keeps_its_pipeline(
    text: str, compile_c: Callable[..., Compiled], simulate: Callable[..., list[Any]]
) -> None:
    plain = simulate(compile_c(text), [({"n": n}, {"a": DATA}) for n in (0, 1, 20)])
    compiled = compile_c(text.replace("DIRECTIVE", "pipeline"))
    assert compiled.warnings == ()
    assert [loop.ii for loop in compiled.report.functions[0].loops if loop.ii] == [1]
    found = simulate(compiled, [({"n": n}, {"a": DATA}) for n in (0, 1, 20)])
    assert [call.value for call in found] == [call.value for call in plain]


def test_a_loop_that_runs_once_keeps_its_latency(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list[Any]]
) -> None:
    call = ({"n": 3}, {"a": DATA})
    [plain] = simulate(compile_c(ONCE), [call])
    compiled = compile_c(ONCE.replace("DIRECTIVE", "latency min=40"))
    [slow] = simulate(compiled, [call])
    assert compiled.warnings == ()
    assert slow.cycles >= 40 > plain.cycles
    assert slow.arrays == plain.arrays


def test_a_dataflow_region_that_runs_once_stays_one(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list[Any]]
) -> None:
    compiled = compile_c(REGION)
    assert compiled.warnings == ()
    assert len(compiled.report.processes) == 2
    [call] = simulate(compiled, [({}, {"a": DATA[:32], "b": bytes(32)})])
    words = [(i * 77 + 3) * 3 ^ 5 for i in range(8)]
    assert call.arrays["b"] == b"".join(word.to_bytes(4, "little") for word in words)


@pytest.mark.parametrize("directive", ["latency min=9", "expression_balance off"])
def test_a_short_loop_is_not_unrolled_under_what_its_iterations_are_told(
    directive: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(FOUR.replace("DIRECTIVE", directive))
    assert compiled.warnings == ()
    assert [loop.trip_max for loop in compiled.report.functions[0].loops] == [4]


@pytest.mark.parametrize(
    "text, directive, said",
    [
        (DO_IN_DO, "unroll", "t.c:5: loop not unrolled: it was joined with the one around"),
        (
            FOUR.replace("DIRECTIVE", "unroll\n#pragma HLS DIRECTIVE"),
            "latency min=9",
            "t.c:5: latency: the loop was unrolled, or runs once: not honoured",
        ),
        (
            IN_PIPELINE,
            "latency min=9",
            "t.c:2: latency: the function became part of what is pipelined: not honoured",
        ),
        (FOUR, "loop_merge", ""),
        (FOUR, "unroll", ""),
        (FOUR, "unroll factor=2", ""),
        (ONCE, "pipeline", ""),
        (
            ONCE.replace("i < 1", "i < 0"),
            "latency min=9",
            "t.c:3: latency: no loop is left that it holds for: not honoured",
        ),
        (IN_PIPELINE, "pipeline", ""),
        (IN_PIPELINE, "inline", ""),
        (
            IN_PIPELINE,
            "array_partition variable=n",
            "t.c:2: pragma HLS array_partition: variable=n is no array: ignored",
        ),
        (
            IN_PIPELINE,
            "resource variable=n core=AddSub_DSP",
            "t.c:2: resource core=AddSub_DSP: no such core is known: ignored",
        ),
        (
            IN_PIPELINE,
            "stream variable=n type=shared",
            "t.c:2: stream type=shared is not made: ping-pong memories are",
        ),
        (
            FOUR.replace("i < 4", "s != n").replace(
                "n;\n  }", "n;\n    if (s == 7) return i;\n  }"
            ),
            "unroll factor=2",
            "t.c:4: loop not unrolled: its number of iterations is not known, or too large",
        ),
    ],
)
def test_what_is_not_obeyed_is_said_with_its_line(
    text: str, directive: str, said: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(text.replace("DIRECTIVE", directive))
    found = [str(warning) for warning in compiled.warnings]
    assert [text[text.rindex("t.c:") :] for text in found] == [said] * bool(said)


def test_a_loop_that_does_nothing_goes_with_its_directive(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(
        "unsigned f(const unsigned a[16], unsigned n) {\n"
        "  unsigned s = 0;\n"
        "  for (int i = 0; i < 16; i++) {\n"
        "#pragma HLS pipeline\n"
        "    s += a[i];\n"
        "  }\n"
        "  return n;\n"
        "}\n"
    )
    assert compiled.warnings == ()
    assert compiled.report.functions[0].loops == ()


def test_what_the_top_function_does_not_reach_is_not_named(
    compile_c: Callable[..., Compiled],
) -> None:
    unused = IN_PIPELINE.replace("f(const", "unused(const").replace("DIRECTIVE", "top name=x")
    compiled = compile_c(unused + "unsigned f(unsigned n) { return n; }\n")
    assert compiled.warnings == ()


def test_dependence_of_a_function_that_is_inlined_holds_for_its_loops(
    compile_c: Callable[..., Compiled],
) -> None:
    text = """static void g(unsigned a[64], const unsigned b[64], unsigned n) {
CLAIM
  for (unsigned i = 0; i < n; i++) {
#pragma HLS pipeline
    a[b[i & 63] & 63] += i;
  }
}
void f(unsigned a[64], const unsigned b[64], unsigned n) {
  g(a, b, n);
}
"""
    claim = "#pragma HLS dependence variable=a inter false"
    plain, told = (compile_c(text.replace("CLAIM", said)) for said in ("", claim))
    [slow], [fast] = plain.report.functions[0].loops, told.report.functions[0].loops
    assert (fast.ii or 0) < (slow.ii or 0)
