# SPDX-License-Identifier: Apache-2.0
"""What the program does that C leaves undefined is found, with line and value."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lydite.hls import Options
from lydite.hls.compiler import compile as compile_c
from lydite.hls.contract.directive_text import load as load_directives
from lydite.sim.cosim import sanitize

EXAMPLES = Path(__file__).parents[3] / "examples"
# Those that hand over arrays which nobody wrote, take streams, or have calls in thousands.
QUICK = ("hls/aes128", "hls/poly1305", "hls/divide64", "quality/blake3_compress", "streams/crc32")


def examples() -> dict[str, Options]:
    """Give what each example is compiled from."""
    found = {}
    for name, entry in tomllib.loads((EXAMPLES / "hls/index.toml").read_text()).items():
        sources = tuple(EXAMPLES / "hls" / source for source in entry["sources"])
        found[f"hls/{name}"] = Options(sources=sources, top=entry["top"])
    quality = EXAMPLES / "quality"
    for name, entry in tomllib.loads((quality / "index.toml").read_text()).items():
        directives = entry.get("directives")
        found[f"quality/{name}"] = Options(
            sources=(quality / entry["source"],),
            top=entry["top"],
            clock_ns=entry.get("clock_ns", 10.0),
            directives=load_directives(quality / directives) if directives else (),
        )
    for source in sorted((EXAMPLES / "streams").glob("*.c")):
        top = source.stem.removesuffix("_dataflow")
        found[f"streams/{source.stem}"] = Options(sources=(source,), top=top)
    return found


CASES = examples()
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


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in CASES],
)
def test_no_example_has_any(name: str, tmp_path: Path) -> None:
    options = CASES[name]
    assert sanitize.run(options, compile_c(options).interface, tmp_path) == ()
    # Both runs came to their end, with calls to compare.
    ends = [(tmp_path / f"sanitize_{fill}/found.txt").read_text() for fill in ("aa", "55")]
    counts = [text.count("call\t") for text in ends]
    assert counts[0] == counts[1] > 0


SHARED = """static const int T[4] = {1, 2, 3, 4};
static int pick(int i) { return T[i]; }
int top(int x) { return x + (pick(x) & 0); }
int main(void) { return pick(4) * 0 + top(2) - 2 + top(5) - 5; }
"""


def test_what_the_top_function_does_is_said_though_the_testbench_did_it_before(
    tmp_path: Path,
) -> None:
    path = tmp_path / "k.c"
    path.write_text(SHARED, encoding="utf-8")
    options = Options(sources=(path,), top="top")
    found = sanitize.run(options, compile_c(options).interface, tmp_path / "run")
    assert [(item.what, item.call) for item in found] == [
        ("index 5 of const int[4], which has 4 elements", 2),
        ("index 4 of const int[4], which has 4 elements", 0),
    ]


STREAM = """#include <lydite_stream.h>
LYDITE_STREAM(words, uint32_t)
void top(words *in, words *out) {
  words_beat beat = words_read(in);
  for (int i = 0; i < 2; i++) {
    words_beat answer;
    answer.keep = i ? 15 : 3;
    answer.last = i == 1;
    if (i == 0 || beat.data) answer.data = beat.data + 1;
    words_write(out, answer);
  }
}
int main(void) {
  words in = {0}, out = {0};
  for (uint32_t x = 2; x-- > 0;) {
    words_write(&in, (words_beat){.data = x, .keep = 15, .last = 1});
    top(&in, &out);
  }
  return words_count(&out) != 4;
}
"""


def test_what_goes_to_a_stream_is_looked_at(tmp_path: Path) -> None:
    assert [item[1] for item in findings(STREAM, tmp_path)] == [
        "unwritten: what call 2 of top gives, or a number that it takes, depends on what lay in a "
        "variable that was never written"
    ]
