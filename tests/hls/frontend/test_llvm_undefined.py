# SPDX-License-Identifier: Apache-2.0
"""What C leaves undefined decides nothing else of a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.hls import Options
from lydite.hls.compiler import compile as compile_c
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.frontend import program as frontend_program
from lydite.hls.frontend.llvm_doubts import Doubts
from lydite.hls.ir.interpret import Machine

# Of each: the function, and what it gives for x = 3, where the undefined value does not matter.
CASES = {
    "read_behind_a_local_array": (
        """int top(int x) {
          int A[8], m[64], s = 0;
          for (int i = 0; i < 8; i++) A[i] = i * x;
          for (int i = 0; i < 64; i++) m[i] = A[i];
          for (int i = 0; i < 64; i++) if (i < 8 && m[i] > 3) s += m[i];
          return s; }""",
        81,
    ),
    "read_behind_a_table": (
        """static const int A[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        static int m[64];
        int top(int x) {
          int s = 0;
          for (int i = 0; i < 64; i++) m[i] = A[i];
          for (int i = 0; i < 8; i++) s += m[i] * x;
          return s; }""",
        108,
    ),
    "read_ahead_of_the_test": (
        """static const int A[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        int top(int x) {
          int s = 0;
          for (int i = 0; ; i++) { int a = A[i]; if (i >= 8) break; s += a * x; }
          return s; }""",
        108,
    ),
    "branch_on_what_is_behind": (
        """static const int A[4] = {1, 2, 3, 4};
        int top(int x) {
          int s = 0;
          for (int i = 0; i < 6; i++) { if (A[i] > 2) { if (i < 4) s += A[i] * x; } }
          return s; }""",
        21,
    ),
    "index_from_behind": (
        """static const unsigned char A[4] = {1, 2, 3, 0};
        static const int T[4] = {10, 20, 30, 40};
        int top(int x) {
          int s = 0;
          for (int i = 0; i < 6; i++) { int t = T[A[i]]; if (i < 4) s += t * x; }
          return s; }""",
        300,
    ),
    "branch_on_an_unwritten_variable": (
        """int top(int x) {
          int u, s = x;
          if (x > 100) u = x;
          if (u > 7) s += x > 100;
          return s; }""",
        3,
    ),
    "unwritten_argument": (
        """static int pick(int u, int x) { return x > 100 ? u : x; }
        int top(int x) { int u; return pick(u, x); }""",
        3,
    ),
    "branch_on_a_word_not_written": (
        """int top(int x) {
          int m[8], s = 0;
          for (int i = 0; i < 4; i++) m[i] = x + i;
          for (int i = 0; i < 8; i++) if (m[i] > 4) if (i < 4) s += m[i];
          return s; }""",
        11,
    ),
    "write_behind_a_local_array": (
        """int top(int x) {
          int A[8] = {0}, s = 0;
          for (int i = 0; i < 12; i++) if (i != 9 || x != 4) A[i & 15] = i < 8 ? x : A[i & 7];
          for (int i = 0; i < 8; i++) s += A[i];
          return s; }""",
        24,
    ),
    "no_value_at_the_end": (
        "static int f(int x) { if (x > 5) return 1; }\nint top(int x) { f(x); return x; }",
        3,
    ),
    "null_is_tested_late": (
        "static int f(const int *p) { int a = *p; return p ? a : 9; }\n"
        "int top(int x) { return f(&x) + f((const int *)0) - 9; }",
        3,
    ),
    "sum_that_overflows": ("int top(int x) { int a = 0x7ffffffd + x; return a > 0 ? 1 : 2; }", 2),
    "constants_shifted_too_far": ("int top(int x) { int a = 1 << 40; return x ? x : a; }", 3),
}


def machine(source: str, tmp_path: Path) -> Machine:
    path = tmp_path / "k.c"
    path.write_text(source, encoding="utf-8")
    return Machine(compile_c(Options(sources=(path,), top="top")).module, limit=10_000)


@pytest.mark.parametrize("name", CASES)
def test_what_is_undefined_decides_nothing_else(name: str, tmp_path: Path) -> None:
    source, expected = CASES[name]
    assert machine(source, tmp_path).call({"x": 3}).value == expected


@pytest.mark.parametrize("width", [8, 13, 24, 32, 48, 64])
def test_shifts_take_the_low_bits_of_their_amount(width: int, tmp_path: Path) -> None:
    kind = f"unsigned _BitInt({width})"
    source = f"""typedef unsigned long long big;
    big top(unsigned x, unsigned n) {{
      {kind} v = ({kind})(x * 0x9e3779b97f4a7c15u);
      return (big)({kind})(v << n) ^ ~(big)({kind})(v >> n);
    }}"""
    mask, bits = (1 << width) - 1, (width - 1).bit_length()
    value = 5 * 0x9E3779B97F4A7C15 & mask
    made = machine(source, tmp_path)
    for amount in (0, 1, width - 1, width, width + 3, 100):
        low = amount & ((1 << bits) - 1)
        expected = (value << low & mask) ^ ~(value >> low) & (1 << 64) - 1
        assert made.call({"x": 5, "n": amount}).value == expected, amount


def test_what_is_seen_to_be_defined_is_not_in_doubt(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        """static const int T[8] = {3, 1, 4, 1, 5, 9, 2, 6};
        int top(const int in[8], int n) {
          int s[8], sum = 0;
          for (int i = 0; i < 8; i++) s[i] = in[i] ^ T[i];
          for (int i = 0; i < 8; i++) if (s[T[i] & 7] > n) sum += T[s[(i + 3) % 8] & 7];
          return sum; }""",
        encoding="utf-8",
    )
    program = frontend_program.build(Options(sources=(path,), top="top"), Diagnostics())
    assert Doubts(program.types, "top", arrays=True).of("top") == set()
    assert "freeze" not in program.types
