# SPDX-License-Identifier: Apache-2.0
"""Whatever C calls its things, no two of them have one name in the Verilog."""

from __future__ import annotations

import collections
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import InputError
from lydite.hls import Compiled, Machine, Options
from lydite.sim import cosim

WORD = re.compile(r"[A-Za-z_]\w*")
DECLARED = re.compile(
    r"(?:input|output)? *(?:wire|reg|integer|localparam)\b *(?:signed)? *(?:\[[^\]]*\])? *"
)


def declared(text: str) -> list[str]:
    """Give what a module's text declares: ports, signals, constants, instances."""
    names: list[str] = []
    for line in re.sub(r"\(\*.*?\*\)|/\*.*?\*/|//[^\n]*", "", text).split("\n"):
        stripped = line.strip()
        head = re.match(DECLARED, stripped)
        if head is not None and head[0]:
            rest = re.sub(r"=.*", "", stripped[head.end() :])
            names += WORD.findall(re.sub(r"\[[^\]]*\]", "", rest))
        elif found := re.match(r"(?:\w+ |\) )(u_\w+) \($", stripped):
            names.append(found[1])
    return names


def twice(compiled: Compiled) -> list[str]:
    """Give the names that stand for two things: in a module, or as modules."""
    found = []
    for file in compiled.files:
        counts = collections.Counter(declared(file.text))
        assert len(counts) > 3, "what is declared has been read"
        found += [f"{file.name}: {name}" for name, count in counts.items() if count > 1]
    modules = collections.Counter(file.name.lower() for file in compiled.files)
    return found + [name for name, count in modules.items() if count > 1]


# Arrays of 600 words are block RAM, and modules of their own.
PROGRAM = """
#include <stdint.h>
#define STEP(F, A) \\
  __attribute__((noinline)) static uint32_t F(uint32_t n) { \\
    uint32_t s = n; \\
    for (uint32_t i = 0; i < n % 7u; i++) { A[(n + i) % 600u] += s; s = A[(s + i) % 600u] + i; } \\
    return s; \\
  }
static uint32_t g__a[600], a[600], a__a[600], own_a[600], div0[600], K[600], k[600];
static uint32_t control_s_axi[600];
STEP(g, a) STEP(g__g, g__a) STEP(g__a__b, own_a) STEP(ap, div0) STEP(h, K) STEP(H, k)
STEP(own_g, a__a) STEP(g_start, control_s_axi)
uint32_t f(uint32_t n, uint32_t g_done, uint32_t h_arg0, uint32_t K_address0, uint32_t reg,
           uint32_t reg_) {
  uint32_t s = g(n) + g__g(n) + g__a__b(n) + ap(n) + h(n) + H(n);
  g__a[n % 600u] ^= s;
  a[s % 600u] += n;
  s += own_g(s) + g_start(s) + s / (n + 1u);
  own_a[n % 600u] = s;
  K[s % 600u] ^= g_done + h_arg0 * 3u + K_address0 * 5u;
  return s + g__g(n + 1) + g(n + 2) + h(s) + K[n % 600u] + k[n % 600u] + reg * 7u + reg_ * 11u;
}
int main(void) {
  uint32_t s = 1;
  for (uint32_t n = 0; n < 20; n++) s = f(n * 37u + s % 5u, s, n, s ^ n, n * 3u, s / 3u);
  return s == 0;
}
"""


def test_names_that_meet_are_kept_apart_in_hardware(tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text(PROGRAM)
    options = Options(sources=(source,), top="f")
    compiled = hls.compile(options)
    assert twice(compiled) == []
    assert {scalar.name: scalar.port for scalar in compiled.interface.scalars} == {
        "n": "n",
        "g_done": "g_done",
        "h_arg0": "h_arg0",
        "K_address0": "K_address0",
        "reg": "reg_",
        "reg_": "reg__",
    }
    result = cosim.run(options, compiled, tmp_path / "cosim")
    result.check()
    assert result.calls == 20


def test_constant_tables_of_cxx_functions(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "struct S { static unsigned at(unsigned i) {\n"
        "  static const unsigned t[3] = {7, 8, 9};\n"
        f"  static const unsigned big[300] = {{{', '.join(map(str, range(300)))}}};\n"
        "  return t[i % 3] + big[i % 300]; } };\n"
        "__attribute__((noinline)) static unsigned g(unsigned i) { return S::at(i * 5); }\n"
        "unsigned f(unsigned i) { return S::at(i) + g(i) + S::at(i + 1); }\n"
    )
    compiled = compile_c(text, name="t.cpp")
    assert twice(compiled) == []
    expected = sum((7, 8, 9)[i % 3] + i % 300 for i in (1000, 5000, 1001))
    assert Machine(compiled.module).call({"i": 1000}).value == expected


def test_label_of_a_pipeline_named_like_a_function(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "__attribute__((noinline)) static int g(int n) { return n > 4 ? n / 3 : n * n; }\n"
        "int f(int a[64], int n) {\n  int s = g(n);\n"
        "g: g_start: for (int i = 0; i < n; i++) {\n#pragma HLS pipeline\n"
        "    s ^= a[i & 63] * i;\n  }\n"
        "  return s + g(s);\n}\n"
    )
    assert twice(compile_c(text)) == []


def test_banks_of_an_argument_do_not_meet_another_one(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "int f(int a[8], int a_0[4], int a_1, int n) {\n"
        "#pragma HLS array_partition variable=a cyclic factor=2\n"
        "  int s = a_1;\n  for (int i = 0; i < n; i++) s += a[i & 7] * a_0[i & 3];\n"
        "  return s;\n}\n"
    )
    compiled = compile_c(text)
    assert twice(compiled) == []
    ports = {a.name: [b.port for b in a.banks] or [a.port] for a in compiled.interface.arrays}
    assert ports == {"a": ["a_0_", "a_1_"], "a_0": ["a_0"]}


def test_two_ports_of_one_name_are_refused(compile_c: Callable[..., Compiled]) -> None:
    with pytest.raises(InputError) as caught:
        compile_c("int f(int a[4], int a_address0) { return a[a_address0 & 3]; }\n")
    shown = re.sub(r"\S*/(?=t\.c)", "", str(caught.value))
    assert shown == (
        "t.c:1: two ports of the hardware would be called a_address0\n"
        "  rename one of the arguments that they belong to"
    )
