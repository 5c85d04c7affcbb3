# SPDX-License-Identifier: Apache-2.0
"""What the program does that C leaves undefined is found, with line and value."""

from __future__ import annotations

from pathlib import Path

from lydite.hls import Options
from lydite.hls.compiler import compile as compile_c
from lydite.sim import sanitize

UNDEFINED = """#include <stdint.h>
static int m[64];
static const int A[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int top(int x, int n, int d) {
  int s = 0, u;
  for (int i = 0; i < 64; i++) m[i] = A[i];
  for (int i = 0; i < 8; i++) s += m[i] << n;
  if (x > 100) u = 1;
  s += 0x7fffffff + x;
  return s + (u & 1);
}
int main(void) {
  int w[2] = {0};
  int i = 2;
  w[0] += w[i] & 0;
  return top(3, 33, 4) == 7;
}
"""
DEFINED = """#include <string.h>
static const unsigned char T[4] = {0xaa, 0x55, 3, 4};
unsigned top(const unsigned char *in, unsigned n, unsigned char *out) {
  out[0] = 0xaa, out[1] = 0x55;
  unsigned sum = 1u << 31, m[4];
  for (unsigned i = 0; i < n; i++) m[i & 3] = in[i] ^ T[i & 3], sum += m[i & 3] * 0x9e3779b9u;
  return sum;
}
int main(void) {
  unsigned char in[8] = {1, 2, 3};
  unsigned char out[4];  // handed over unwritten, and left so in part
  return top(in, 8, out) == 0;
}
"""


def findings(source: str, tmp_path: Path, **more: int) -> list[tuple[str, str, bool]]:
    path = tmp_path / "k.c"
    path.write_text(source, encoding="utf-8")
    options = Options(sources=(path,), top="top", depths=tuple(more.items()))
    found = sanitize.run(options, compile_c(options).interface, tmp_path / "run")
    return [
        (item.where.removeprefix(f"{tmp_path}/"), f"{item.kind}: {item.what}", item.inside)
        for item in found
    ]


def test_each_kind_is_said_once_with_line_and_value(tmp_path: Path) -> None:
    assert findings(UNDEFINED, tmp_path) == [
        (
            "k.c",
            "unwritten: what call 1 of top gives, or a number that it takes, depends on what lay "
            "in a variable that was never written",
            True,
        ),
        ("k.c:6", "bounds: index 8 of const int[8], which has 8 elements", True),
        ("k.c:7", "shift: 1 of type int shifted by 33", True),
        ("k.c:15", "bounds: index 2 of int[2], which has 2 elements", False),
    ]


def test_a_defined_program_has_none(tmp_path: Path) -> None:
    assert findings(DEFINED, tmp_path, **{"in": 8, "out": 4}) == []
