# SPDX-License-Identifier: Apache-2.0
"""Pragma lines before bodies without braces are obeyed, and change nothing else."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.frontend import mark_pragmas, statements

MARK = "#pragma HLS unroll factor=2\n"

FOR = "for (int i = 0; i < 8; i++)\n"
# Bodies of `int f(int a[8], int n)`; @ is a pragma line.
BODIES = {
    "for": FOR + "@  s += a[i] * i;\n",
    "several lines": (
        "for (int i = 0;\n     i < 8;\n     i++)\n@  s +=\n    a[i]\n    * i;\n  s ^= 5;\n"
    ),
    "while": "int i = 8;\n  while (i--)\n@  s = s * 3 + a[i];\n",
    "do": "int i = 8;\n  do\n@  s = s * 3 + a[--i];\n  while (i);\n",
    "nested": FOR + "  for (int j = 0; j < i; j++)\n@    s += a[j] ^ i;\n  s++;\n",
    "both": FOR + "@  for (int j = 0; j < i; j++)\n@    s += a[j] ^ i;\n  s++;\n",
    "two": FOR + "@\n#pragma HLS loop_tripcount max=8\n  s += a[i] * i;\n",
    "if in it": FOR + "@  if (a[i] & 1) s += a[i]; else s ^= i;\n  s += 7;\n",
    "chain": (
        f"{FOR}@  if (a[i] & 1)\n    s += a[i];\n"
        "  else if (a[i] & 2) {\n    s ^= i;\n  } else\n    s--;\n  s += 7;\n"
    ),
    "switch in it": (
        f"{FOR}@  switch (a[i] & 3) {{\n  case 0: s++;\n  case 2 ? 1 : 2: s += 3; break;\n"
        "  default: s ^= 9;\n  }\n  s += 7;\n"
    ),
    "label": FOR + "  again:\n@  s += a[i] * i;\n  if (s < 0) s = 1;\n",
    "do in it": FOR + "@  do s += i | 1; while (s & 1);\n  s += 7;\n",
    "text": FOR + "@  s += \";}{\"[i & 3] + ')' + (a[i] ? '\\'' : '\"');\n  s += 7;\n",
    "value": FOR + "@  s += ({ int t = a[i]; t *= t; t; });\n  s += 7;\n",
    "pragma": FOR + '  _Pragma("HLS unroll factor=2") s += a[i] * i;\n  s += 7;\n',
}


def source(body: str, mark: str) -> str:
    return f"int f(int a[8], int n) {{\n  int s = n;\n  {body.replace('@', mark)}  return s;\n}}\n"


@pytest.mark.parametrize("name", BODIES)
def test_body_without_braces_is_obeyed_and_means_the_same(
    name: str, compile_c: Callable[..., Compiled], native: Callable[[str], ctypes.CDLL]
) -> None:
    text = source(BODIES[name], MARK)
    plain = text.replace(MARK, "").replace('_Pragma("HLS unroll factor=2")', "")
    compiled = compile_c(text)
    assert compiled.warnings == ()
    marked, found, _ = mark_pragmas.mark(text, "t.c", 0)
    assert marked.count("{") == marked.count("}")
    assert len(found) == text.count("#pragma")
    library = native(plain)
    for n in range(5):
        given = [n * 7 - 9, 5, -n, 3 << n, 2, 1 - n, 77, 4]
        array = (ctypes.c_int32 * 8)(*given)
        result = Machine(compiled.module).call({"n": n}, {"a": bytes(array)})
        assert result.value == library.f(array, n) & 0xFFFFFFFF


def test_unroll_before_a_body_without_braces_unrolls(compile_c: Callable[..., Compiled]) -> None:
    text = f"int f(int a[8]) {{\n  int s = 0;\n  {FOR}@    s += a[i];\n  return s;\n}}\n"
    trips = [
        [loop.trip_max for loop in compile_c(text.replace("@", mark)).report.functions[0].loops]
        for mark in ("#pragma HLS unroll off\n", "#pragma HLS unroll factor=2\n")
    ]
    assert trips == [[8], [4]]
    assert compile_c(text.replace("@", "#pragma HLS unroll\n")).report.functions[0].loops == ()


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n) {\n  int s = (n)\n@  + 1;\n  return s;\n}\n",
        "int f(int n) {\n  if (n) n++;\n@  else n--;\n  return n;\n}\n",
        "int f(int n) {\n  do n--; while (n > 5)\n@  ;\n  return n;\n}\n",
        "int f(int n) {\n  int s = n ? 1 :\n@  2;\n  return s;\n}\n",
        "int f(int n) {\n  for (int i = 0; i < 4;\n@  i++) n += i;\n  return n;\n}\n",
        "int g(int,\n@  int);\nint f(int n) {\n  return n;\n}\n",
    ],
)
def test_line_where_no_statement_can_stand_is_named(
    text: str, compile_c: Callable[..., Compiled]
) -> None:
    line = text[: text.index("@")].count("\n") + 1
    compiled = compile_c(text.replace("@", MARK))
    shown = [re.sub(r"\S*/(?=t\.c)", "", str(warning)) for warning in compiled.warnings]
    assert shown == [
        f"t.c:{line}: misplaced pragma HLS unroll: ignored; "
        "write it as a line of its own inside the braces of its loop or function"
    ]


def test_marker_that_does_not_compile_leaves_the_braces(compile_c: Callable[..., Compiled]) -> None:
    text = f"int f(int a[8], int n) {{\n  {FOR}@    n += a[i];\n  return n + 1;\n}}\n"
    compiled = compile_c(text.replace("@", "#pragma HLS array_partition variable=b\n"))
    assert [warning.what for warning in compiled.warnings] == [
        "pragma HLS array_partition: there is no variable b here: ignored"
    ]
    assert Machine(compiled.module).call({"n": 3}, {"a": bytes(32)}).value == 4


def test_statement_ends_where_c_says() -> None:
    lines = ["for (;;)", "#pragma HLS pipeline", '  x = f(");");  y();', "}"]
    assert statements.place(lines, 1) == statements.Place(True, 2, 14)
    assert statements.place(["x;", "", "y;"], 1) == statements.Place()
