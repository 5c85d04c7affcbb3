# SPDX-License-Identifier: Apache-2.0
"""Random C programs whose states give one module several calls at once.

Helpers are pipelined modules of words, at intervals of one to four cycles, some with state, and
functions of states that have modules in common with the top function or not. Rows of calls take
words of registers and of memory; some need results of the same row, most do not.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

_STEPS = (
    "{x} = {x} * {y} + {k};",
    "{x} ^= {y} >> {s};",
    "{x} = ({x} << {s}) - ({y} ^ {k});",
    "{x} += table[({y} >> {s}) & 15];",
    "if ({y} & {k}) {x} = ~{x}; else {x} -= {y};",
)
_STATE = ("kept += x;", "kept = kept * 3 ^ y;", "if (x & 8) kept++;", "x ^= kept;")


@dataclass(frozen=True)
class _Helper:
    name: str
    module: bool


def program(seed: int) -> str:
    """Write a program; everything follows from the seed."""
    rnd = random.Random(f"lydite hls fuzz bursts {seed}")
    lines = ["#include <stdint.h>", "static const uint32_t table[16] = {"]
    lines += ["  " + ", ".join(f"{rnd.getrandbits(32)}u" for _ in range(16)) + "};"]
    lines += ["static uint32_t words[32];"]
    helpers = [_module(rnd, lines, number) for number in range(rnd.randrange(1, 4))]
    for number in range(rnd.randrange(3)):
        helpers.append(_states(rnd, lines, number, helpers))
    limits = [
        f"#pragma HLS allocation instances={helper.name} limit={rnd.randrange(1, 3)} function"
        for helper in helpers
        if helper.module and rnd.random() < 0.4
    ]
    lines += ["uint32_t top(uint32_t a[16], uint32_t x, uint32_t y) {", *limits]
    lines += ["  uint32_t z = x ^ 1, v[4] = {x, y, x + y, 9};"]
    lines += _rows(rnd, helpers, depth=0)
    lines += ["  for (unsigned i = 0; i < 32; i++) z = z * 31 + words[i];"]
    lines += ["  return x ^ y + z + v[0] + v[1] + v[2] + v[3];", "}", "int main(void) {"]
    lines += ["  uint32_t a[16], all = 0;", "  for (int i = 0; i < 16; i++) a[i] = i * 0x10441u;"]
    lines += [
        f"  all ^= top(a, {rnd.getrandbits(32)}u, {rnd.getrandbits(32)}u + all) + a[all & 15];"
        for _ in range(6)
    ]
    return "\n".join([*lines, "  return all == 1;", "}", ""])


def _module(rnd: random.Random, lines: list[str], number: int) -> _Helper:
    """Write a pipelined module."""
    name = f"m{number}"
    lines.append(f"static uint32_t {name}(uint32_t x, uint32_t y) {{")
    lines.append(f"#pragma HLS pipeline{rnd.choice(('', '', ' II=1', ' II=2', ' II=4'))}")
    lines.append("#pragma HLS inline off")
    if rnd.random() < 0.4:
        lines.append("#pragma HLS allocation operation instances=mul limit=1")
    if rnd.random() < 0.3:
        lines.append(f"#pragma HLS latency min={rnd.randrange(1, 16)}")
    if rnd.random() < 0.35:
        lines.append("  static uint32_t kept;")
        lines += [f"  {line}" for line in rnd.sample(_STATE, 3)]
        lines.append("  y ^= kept;")
    lines += [f"  {_step(rnd, 'xy')}" for _ in range(rnd.randrange(1, 5))]
    lines += ["  return x ^ y;", "}"]
    return _Helper(name, True)


def _step(rnd: random.Random, names: str) -> str:
    given = {"k": rnd.randrange(1, 1 << 16), "s": rnd.randrange(1, 16)}
    return rnd.choice(_STEPS).format(x=rnd.choice(names), y=rnd.choice(names), **given)


def _states(rnd: random.Random, lines: list[str], number: int, helpers: list[_Helper]) -> _Helper:
    """Write a function of states, which may call modules, in a row as well."""
    name = f"h{number}"
    lines.append(f"static uint32_t {name}(uint32_t x, uint32_t y) {{")
    lines += ["#pragma HLS inline off", "  uint32_t z = y;"]
    lines.append(f"  for (unsigned i = 0; i < (y & {rnd.choice((3, 7, 15))}); i++) {{")
    if rnd.random() < 0.5:
        modules = [helper for helper in helpers if helper.module]
        lines += _row(rnd, rnd.choice(modules), ("x", "y", "z", "i"), "xz", "    ")
    else:
        lines.append(f"    x += words[(i + {rnd.randrange(32)}) & 31] ^ z;")
        lines.append(f"    {_step(rnd, 'xz')}")
        if rnd.random() < 0.5:
            lines.append("    words[i] = x;")
    lines += ["  }", "  return x - z;", "}"]
    return _Helper(name, False)


def _row(
    rnd: random.Random, helper: _Helper, sources: tuple[str, ...], targets: str, pad: str
) -> list[str]:
    """Write several calls of one helper; results are put where they go behind the last one."""
    count = rnd.randrange(2, 9) if helper.module else 1
    names = [f"r{number}" for number in range(count)]
    lines = [f"{pad}{{"]
    for number, name in enumerate(names):
        first, second = rnd.choice(sources), rnd.choice(sources)
        if number and rnd.random() < 0.2:
            first = rnd.choice(names[:number])
        second += f" {rnd.choice('+^-')} {rnd.randrange(99)}u" if rnd.random() < 0.5 else ""
        lines.append(f"{pad}  const uint32_t {name} = {helper.name}({first}, {second});")
        if rnd.random() < 0.1:
            lines.append(f"{pad}  words[{name} & 31] = {rnd.choice(targets)};")
    lines += [f"{pad}  {rnd.choice(targets)} {rnd.choice(('=', '^=', '+='))} {n};" for n in names]
    return [*lines, f"{pad}}}"]


def _rows(rnd: random.Random, helpers: list[_Helper], depth: int) -> list[str]:
    """Write rows of calls, beside each other, in loops and branches."""
    pad = "  " * (depth + 1)
    lines: list[str] = []
    sources = ("x", "y", "z", "v[0]", "v[1]", "v[3]", "a[3]", "a[x & 15]", "words[y & 31]", "a[7]")
    for _ in range(rnd.randrange(2, 5)):
        kind = rnd.random()
        inner = _rows(rnd, helpers, depth + 1) if depth < 2 and kind < 0.3 else []
        if inner and kind < 0.15:
            count = rnd.randrange(2, 4)
            lines += [f"{pad}for (int k{depth} = 0; k{depth} < {count}; k{depth}++) {{", *inner]
            lines.append(f"{pad}}}")
        elif inner:
            lines += [f"{pad}if (z & {rnd.randrange(1, 16)}) {{", *inner, f"{pad}}}"]
        elif kind < 0.4:
            helper = rnd.choice([helper for helper in helpers if helper.module])
            lines += [f"{pad}for (unsigned i = 0; i < 7; i++) {{", "#pragma HLS pipeline"]
            lines += [f"{pad}  v[i & 3] ^= {helper.name}(a[i], z + i);"]
            # Several in an iteration need modules of their own, beside the one that bursts go to.
            for number in range(rnd.choice((0, 0, 1, 2))):
                lines.append(f"{pad}  words[i] += {helper.name}(z - i, {number}u ^ i);")
            lines.append(f"{pad}}}")
        else:
            first, second = rnd.choice(helpers), rnd.choice(helpers)
            lines += _row(rnd, first, sources, "xyz", pad)
            if rnd.random() < 0.4:
                lines += _row(rnd, second, ("x", "y", "v[2]", "a[9]"), "xz", pad)
            if rnd.random() < 0.4:
                lines.append(f"{pad}v[{rnd.randrange(4)}] ^= x; a[z & 15] = y;")
    return lines
