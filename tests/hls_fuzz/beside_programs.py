# SPDX-License-Identifier: Apache-2.0
"""Random C programs of calls that run side by side, or must not.

Helpers are modules that work on some of a few arrays for as long as their arguments say, and call
each other; some give a result. The top function calls them in straight lines, loops and branches,
with results of one as arguments of another.
"""

from __future__ import annotations

import random

_STEPS = (
    "{a}[{i}] = {a}[{j}] * 5 + x;",
    "{a}[{i}] ^= {b}[{j}] + {k};",
    "x += {a}[{i}] >> {s};",
    "x = (x ^ {b}[{i}]) * 2654435761u;",
    "if (x & {k}) {a}[{i}] = x; else x -= {b}[{j}];",
)


def program(seed: int) -> str:
    """Write a program; everything follows from the seed."""
    rnd = random.Random(f"lydite hls fuzz beside {seed}")
    arrays = [f"a{n}" for n in range(rnd.randrange(2, 6))]
    sizes = {name: rnd.choice((4, 8, 16, 32)) for name in arrays}
    lines = ["#include <stdint.h>"]
    lines += [f"static uint32_t {name}[{size}];" for name, size in sizes.items()]
    helpers: list[tuple[str, bool]] = []
    for number in range(rnd.randrange(2, 6)):
        helpers.append(_helper(rnd, lines, number, sizes, helpers))
    lines += ["uint32_t top(uint32_t x, uint32_t y) {", "  uint32_t z = x ^ 1;"]
    lines += _calls(rnd, helpers, depth=0)
    for name, size in sizes.items():
        lines.append(f"  for (unsigned i = 0; i < {size}; i++) z = z * 31 + {name}[i];")
    lines += ["  return x ^ y + z;", "}", "int main(void) {", "  uint32_t all = 0;"]
    lines += [
        f"  all ^= top({rnd.randrange(1 << 32)}u, {rnd.randrange(1 << 32)}u + all);"
        for _ in range(6)
    ]
    return "\n".join([*lines, "  return all == 1;", "}", ""])


def _helper(
    rnd: random.Random,
    lines: list[str],
    number: int,
    sizes: dict[str, int],
    before: list[tuple[str, bool]],
) -> tuple[str, bool]:
    """Write a helper; give its name, and whether it has a result."""
    gives = rnd.random() < 0.6
    mine = rnd.sample(sorted(sizes), rnd.choice((1, 1, 1, 2)))
    name = f"h{number}"
    lines.append(f"static {'uint32_t' if gives else 'void'} {name}(uint32_t x, uint32_t n) {{")
    lines.append("#pragma HLS inline off")
    lines.append(f"  for (unsigned i = 0; i < {rnd.choice(('(n & 15)', '(n & 3)', '9'))}; i++) {{")
    if rnd.random() < 0.4:
        lines.append("#pragma HLS pipeline")
    for _ in range(rnd.randrange(1, 4)):
        a, b = rnd.choice(mine), rnd.choice(mine)
        low = min(sizes[a], sizes[b]) - 1
        lines.append(
            "    "
            + rnd.choice(_STEPS).format(
                a=a,
                b=b,
                i=f"i & {low}",
                j=f"(i + {rnd.randrange(8)}) & {low}",
                k=rnd.randrange(1, 1 << 16),
                s=rnd.randrange(16),
            )
        )
    lines.append("  }")
    if before and rnd.random() < 0.3:
        other, has = rnd.choice(before)
        lines.append(f"  {'x ^= ' if has else ''}{other}(x, n >> 2);")
    lines += ["  return x ^ n;" if gives else f"  {mine[0]}[0] ^= x;", "}"]
    return name, gives


def _calls(rnd: random.Random, helpers: list[tuple[str, bool]], depth: int) -> list[str]:
    """Write calls in a row, in loops and branches."""
    pad = "  " * (depth + 1)
    lines: list[str] = []
    for _ in range(rnd.randrange(2, 7)):
        kind = rnd.random()
        if depth < 2 and kind < 0.12:
            inner = _calls(rnd, helpers, depth + 1)
            count = rnd.randrange(2, 4)
            lines += [f"{pad}for (int k{depth} = 0; k{depth} < {count}; k{depth}++) {{", *inner]
            lines.append(f"{pad}}}")
            continue
        if depth < 2 and kind < 0.2:
            inner = _calls(rnd, helpers, depth + 1)
            lines += [f"{pad}if (z & {rnd.randrange(1, 16)}) {{", *inner, f"{pad}}}"]
            continue
        name, has = rnd.choice(helpers)
        args = (
            f"{rnd.choice('xyz')} + {rnd.randrange(99)}, {rnd.choice('xyz')} >> {rnd.randrange(9)}"
        )
        into = f"{rnd.choice('xyz')} {rnd.choice(('=', '^=', '+='))} " if has else ""
        if has and rnd.random() < 0.3:
            other, also = rnd.choice(helpers)
            more = f" - {other}({rnd.choice('xyz')}, {rnd.choice('xyz')})" if also else ""
            lines.append(f"{pad}{into}{name}({args}){more};")
        else:
            lines.append(f"{pad}{into}{name}({args});")
    return lines
