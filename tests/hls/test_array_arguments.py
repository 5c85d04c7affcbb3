# SPDX-License-Identifier: Apache-2.0
"""Arrays that pipelined functions are given go by value: hardware does what C does."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import pytest

from lydite.hls import Compiled, Machine

HEAD = "#pragma HLS pipeline\n#pragma HLS inline off\n"
LOOP = """unsigned f(const unsigned a[16], unsigned out[16]) {
%s
  unsigned all = 0;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
%s
  }
  return all;
}
"""
ROUND = f"""static void turn(unsigned v[4], unsigned k[2]) {{
{HEAD}  for (int i = 0; i < 4; i++) {{
    v[i] = (v[i] + k[i & 1]) * 5 ^ v[(i + 1) & 3] >> 3;
    k[i & 1] += v[i];
  }}
}}
"""
START = "  unsigned v[4] = {a[i], i, 3, a[i] ^ 9}, k[2] = {i, a[i]};\n"

# A program, and the interval of its loop or None, and the modules with theirs.
PROGRAMS: dict[str, tuple[str, int | None, dict[str, int]]] = {
    "rounds one behind the other": (
        ROUND + LOOP % ("", START + "  for (int r = 0; r < 3; r++) turn(v, k);\n"
        "  out[i] = v[0] ^ v[3]; all += k[0] ^ k[1] ^ v[1];"),
        1,
        {"turn": 1},
    ),
    "a module goes round": (
        ROUND + LOOP % ("#pragma HLS allocation function instances=turn limit=1",
        START + "  for (int r = 0; r < 3; r++) turn(v, k);\n"
        "  out[i] = v[0] ^ v[3]; all += k[0] ^ k[1] ^ v[1];"),
        3,
        {"turn": 1},
    ),
    "structures by value": (
        "typedef struct state { unsigned v[4]; unsigned short k[3]; } state;\n"
        f"static state turn(state s, unsigned n) {{\n{HEAD}"
        "  for (int i = 0; i < 4; i++) s.v[i] += s.k[i % 3] * n;\n"
        "  s.k[0] = s.v[1]; s.k[2] ^= s.k[1]; return s;\n}\n"
        + LOOP % ("", "  state s = {{a[i], 1, i, 2}, {a[i], i, 7}};\n"
        "  s = turn(turn(s, i), 3); out[i] = s.v[0] ^ s.k[2]; all ^= s.v[3] + s.k[0];"),
        1,
        {"turn": 1},
    ),
    "words that are stored on one way only": (
        f"static int some(unsigned v[3], unsigned n) {{\n{HEAD}"
        "  if (n & 1) { v[0] = n * 3; if (n & 2) { v[1] ^= v[0]; return 2; } }\n"
        "  else v[2] -= n;\n  return v[2] & 1;\n}\n"
        + LOOP % ("", "  unsigned v[3] = {i, a[i], 9};\n"
        "  int n = some(v, a[i]); n += some(v, i); out[i] = v[0] + v[1] * 3 + v[2]; all += n;"),
        1,
        {"some": 1},
    ),
    "a static array keeps its words": (
        f"static void next(unsigned s[2]) {{\n{HEAD}"
        "  unsigned t = s[0]; s[0] = s[1] ^ s[0] << 3; s[1] = t + 77;\n}\n"
        "unsigned f(const unsigned a[16], unsigned out[16]) {\n"
        "  static unsigned s[2] = {5, 6};\n  s[0] ^= a[0]; next(s); out[0] = s[0]; next(s);\n"
        "  out[1] = s[0]; return s[1];\n}\n",
        None,
        {"next": 1},
    ),
    "carried from turn to turn": (
        ROUND + LOOP % ("  unsigned v[4] = {1, 2, 3, 4}, k[2] = {a[0], 5};",
        "  k[0] ^= a[i]; turn(v, k); out[i] = v[2]; all ^= k[1];"),
        None,
        {"turn": 1},
    ),
    "bytes of a word": (
        f"static void mixed(unsigned char b[4], unsigned *w) {{\n{HEAD}"
        "  b[1] ^= b[0]; b[3] = *w; *w += b[2] << 8 | b[1];\n}\n"
        + LOOP % ("", "  union { unsigned w; unsigned char b[4]; } u = {a[i]}; unsigned w = i;\n"
        "  mixed(u.b, &w); out[i] = u.w; all += w;"),
        1,
        {"mixed": 1},
    ),
    "two callers": (
        ROUND + "static unsigned twice(unsigned v[4], unsigned k[2]) {\n#pragma HLS inline off\n"
        "  turn(v, k); turn(v, k); return v[0];\n}\n"
        "unsigned f(const unsigned a[16], unsigned out[16]) {\n"
        "  unsigned v[4] = {a[0], a[1], 7, 8}, k[2] = {a[2], 1};\n"
        "  out[0] = twice(v, k); turn(v, k); out[1] = v[3]; return twice(v, k) ^ k[1];\n}\n",
        None,
        {"turn": 1},
    ),
    "a function of such functions": (
        ROUND + f"static void four(unsigned v[4], unsigned k[2], unsigned n) {{\n{HEAD}"
        "  v[0] ^= n; turn(v, k); v[1] += n; turn(v, k);\n}\n"
        + LOOP % ("", START + "  four(v, k, i); out[i] = v[0] ^ k[0]; all += v[2];"),
        1,
        {"turn": 1, "four": 1},
    ),
    "read alone": (
        f"static unsigned sum(const unsigned v[4]) {{\n{HEAD}"
        "  return v[0] * 3 + v[1] + v[2] * v[3];\n}\n"
        + LOOP % ("", "  unsigned v[4] = {a[i], i, a[i] >> 3, 9};\n"
        "  out[i] = sum(v); v[2] = out[i]; all ^= sum(v);"),
        1,
        {"sum": 1},
    ),
    "written alone": (
        f"static void fill(unsigned v[3], unsigned n) {{\n{HEAD}"
        "  v[0] = n; v[1] = n * n; v[2] = ~n;\n}\n"
        + LOOP % ("", "  unsigned v[3]; fill(v, a[i]); out[i] = v[0] ^ v[1]; all += v[2];"),
        1,
        {"fill": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("clock_ns", [10.0, pytest.param(4.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_hardware_does_what_c_does(
    name: str,
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
    simulate: Callable[..., list],
) -> None:
    text, ii, modules = PROGRAMS[name]
    compiled = compile_c(text, clock_ns=clock_ns)
    top, *others = compiled.report.functions
    if clock_ns == 10.0:
        assert not [one for one in compiled.warnings if "is not pipelined" in str(one)]
        assert {one.name: one.interval for one in others if one.interval} == modules
        assert ii is None or [loop.ii for loop in top.loops] == [ii]
    function = native(text).f
    function.restype = ctypes.c_uint32
    rng = random.Random(name)
    calls = [rng.randbytes(64) for _ in range(5)]
    found = simulate(compiled, [({}, {"a": given, "out": bytes(64)}) for given in calls])
    machine = Machine(compiled.module)
    for given, got in zip(calls, found, strict=True):
        out = (ctypes.c_uint32 * 16)()
        value = function((ctypes.c_uint32 * 16).from_buffer_copy(given), out)
        inside = machine.call({}, {"a": given, "out": bytes(64)})
        assert value == got.value == inside.value
        assert bytes(out) == got.arrays["out"] == inside.arrays["out"]


@pytest.mark.parametrize("turns", ["16", "(int)a[0]"], ids=["some", "perhaps none"])
def test_words_that_are_values_leave_no_memory(
    turns: str, compile_c: Callable[..., Compiled]
) -> None:
    text = PROGRAMS["a module goes round"][0]
    compiled = compile_c(text.replace("int i = 0; i < 16", f"int i = 0; i < {turns}"))
    assert [memory.name for memory in compiled.report.memories if memory.kind != "port"] == []


@pytest.mark.parametrize(
    "body",
    ["v[n & 3] += n;", "for (int i = 0; i < 200; i++) v[i] += n;"],
    ids=["a place that depends on data", "too many words"],
)
def test_others_are_refused_as_before(body: str, compile_c: Callable[..., Compiled]) -> None:
    text = (
        f"static void g(unsigned v[200], unsigned n) {{\n{HEAD}  {body}\n}}\n"
        "unsigned f(unsigned n, unsigned m) {\n"
        "  unsigned v[200]; for (int i = 0; i < 200; i++) v[i] = i;\n"
        "  g(v, n); g(v, m); return v[n & 127] ^ v[m & 127];\n}\n"
    )
    [warning] = map(str, compile_c(text).warnings)
    assert warning.endswith("pipeline: g is not pipelined: it uses v, which f uses as well")
