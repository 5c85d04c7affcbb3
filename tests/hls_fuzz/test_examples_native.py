# SPDX-License-Identifier: Apache-2.0
"""The examples of the HLS compiler are right as plain C, before any hardware is made of them."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import native
import pytest

from lydite.tools import compiler

EXAMPLES = Path(__file__).parents[2] / "examples" / "hls"
INDEX = tomllib.loads((EXAMPLES / "index.toml").read_text())
STRICT = "-std=c11 -O1 -fwrapv -Wall -Wextra -Wpedantic -Wconversion -Werror -Wno-unknown-pragmas"


def sources(name: str) -> list[str]:
    return [str(EXAMPLES / source) for source in INDEX[name]["sources"]]


def run(argv: list[str], folder: Path) -> None:
    # From a folder above its own Zig would build its library of C once more.
    done = subprocess.run(
        argv, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{argv}: {done.returncode}\n{done.stdout}{done.stderr}"


def test_index_names_every_example() -> None:
    folders = {path.parent.name for path in EXAMPLES.glob("*/*.c")}
    assert set(INDEX) == folders
    readme = (EXAMPLES / "README.md").read_text()
    for name, entry in INDEX.items():
        assert f"| [{name}]({entry['sources'][0]}) | `{entry['top']}` | {entry['what']} |" in readme


@pytest.mark.parametrize("name", INDEX)
def test_top_is_defined_and_named_in_the_head(name: str) -> None:
    text = (EXAMPLES / INDEX[name]["sources"][0]).read_text()
    top = INDEX[name]["top"]
    assert re.search(rf"^\w+ {top}\(", text, re.MULTILINE)
    head = " ".join(line.removeprefix("// ") for line in text.split("\n\n")[0].splitlines())
    assert f"function: {top}" in head


@pytest.mark.native
@pytest.mark.parametrize("name", INDEX)
def test_main_is_right_under_gcc_with_sanitizers(name: str, tmp_path: Path) -> None:
    program = str(tmp_path / name)
    sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    argv = [native.program("gcc"), *STRICT.split(), *sanitize, *sources(name), "-o", program]
    run(argv, tmp_path)
    run([program], tmp_path)


@pytest.mark.parametrize("name", INDEX)
def test_main_is_right_under_zig_cc(name: str, tmp_path: Path) -> None:
    program = str(tmp_path / name)
    zig = [*compiler.zig("c").argv, "-target", "x86_64-linux-musl"]
    run([*zig, *STRICT.split(), *sources(name), "-o", program], tmp_path)
    run([program], tmp_path)


ARITHMETIC = """
#include <stdio.h>
#include <string.h>
#define main example_main
#include "{source}"
#undef main

int main(void) {{
  uint64_t x = 88172645463325252ULL;
  for (long i = 0; i < 3000000; i++) {{
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    uint32_t a = (uint32_t)x, b = (uint32_t)(x >> 32);
    // Most pairs near each other in size, many with few bits set.
    if (i & 1) b = (b & 0x807fffff) | ((a & 0x7f800000) + ((b >> 9) % 64 << 23) - (32u << 23));
    if (i & 2) a &= 0xfffff000;
    if (i & 4) b &= 0xfffff000;
    if (i % 16 == 8) a &= 0x80ffffff, b &= 0xc0ffffff;
    float x1, y1, z1;
    uint32_t expected;
    memcpy(&x1, &a, 4);
    memcpy(&y1, &b, 4);
    z1 = x1 {operator} y1;
    memcpy(&expected, &z1, 4);
    if (z1 != z1) expected = 0x7fc00000;
    if ({top}(a, b) != expected) {{
      printf("%08x %08x: expected %08x got %08x\\n", a, b, expected, {top}(a, b));
      return 1;
    }}
  }}
  return 0;
}}
"""


@pytest.mark.parametrize(("name", "operator"), [("float32_add", "+"), ("float32_multiply", "*")])
def test_soft_float_agrees_with_this_machine(name: str, operator: str, tmp_path: Path) -> None:
    source = EXAMPLES / INDEX[name]["sources"][0]
    text = ARITHMETIC.format(source=source, operator=operator, top=INDEX[name]["top"])
    (tmp_path / "check.c").write_text(text)
    zig = [*compiler.zig("c").argv, "-O2", "-w", "-target", "x86_64-linux-musl"]
    run([*zig, str(tmp_path / "check.c"), "-o", str(tmp_path / "check")], tmp_path)
    run([str(tmp_path / "check")], tmp_path)
