# SPDX-License-Identifier: Apache-2.0
"""Random loops whose next values come out of block RAM do what the interpreter does.

Values are read early, when only the memory's register has them, and late; ports are shared or not.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from lydite.hls import Compiled, Machine

_SEEDS = 60
_LEAVES = ("i", "n", "(k & 255)", "(k >> 8 & 255)", "(k >> 16 & 255)", "(k >> 24)")


def kernel(rng: random.Random) -> str:
    """Write a function `f` with one pipelined loop over walks through a table."""
    names = [f"x{number}" for number in range(rng.randint(1, 3))]
    table = ", ".join(str(rng.randrange(256)) for _ in range(256))

    def value(depth: int) -> str:
        if depth == 0:
            return rng.choice((*names, *names, *_LEAVES, str(rng.randrange(1, 99))))
        sign = rng.choice(("^", "^", "^", "+", "-", "*"))
        return f"({value(depth - 1)} {sign} {value(rng.randrange(depth))})"

    steps = [
        f"next{name} = table[({name} {rng.choice('^+')} {value(rng.choice((0, 0, 1, 2)))}) & 255];"
        for name in names
    ]
    sums = [
        rng.choice(
            (
                f"sum = sum * 3 + {value(rng.randint(0, 2))};",
                f"sum ^= {value(1)};",
                f"sum += table[{rng.choice((*_LEAVES, value(1)))} & 255];",
                f"b[i & 15] = {value(1)};",
            )
        )
        for _ in range(rng.randint(0, 2))
    ]
    sums.append(f"sum {rng.choice(('^=', '^=', '+='))} {rng.choice(names)};")
    rng.shuffle(sums)
    # Walks may take turns: what was looked up is another's next value.
    order = rng.sample(names, len(names))
    turns = [f"{one} = next{other};" for one, other in zip(names, order, strict=True)]
    body = [f"unsigned {', '.join(f'next{name}' for name in names)};", *steps, *sums, *turns]
    if rng.random() < 0.3:
        body.append(f"if ((sum & 63) == {rng.randrange(64)}) break;")
    left = " ^ ".join(["sum", *(f"{name} << 24" for name in names if rng.random() < 0.2)])
    kind = rng.choice(("rom_1p", "rom_2p", *["rom_np"] * 6))
    first = ", ".join(
        f"{name} = {rng.choice(('k & 255', str(rng.randrange(256))))}" for name in names
    )
    lines = "\n    ".join(body)
    return f"""static const unsigned char table[256] = {{{table}}};
unsigned f(unsigned k, unsigned char n, unsigned b[16]) {{
#pragma HLS bind_storage variable=table type={kind} impl=bram
  unsigned sum = 0, {first};
  for (unsigned i = 0; i < (n & 31); i++) {{
#pragma HLS pipeline II={rng.choice((1, 1, 1, 2, 3))}
    {lines}
  }}
  return {left};
}}
"""


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(n, marks=pytest.mark.slow) for n in range(6, _SEEDS))]
)
def test_walks_are_right(
    seed: int,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list],
    any_schedule: Callable[[random.Random], None],
) -> None:
    rng = random.Random(f"walks {seed}")
    text = kernel(rng)
    if rng.random() < 0.3:
        any_schedule(rng)
    compiled = compile_c(text, clock_ns=rng.choice((8.0, 10.0, 14.0, 20.0, 30.0)))
    machine = Machine(compiled.module, limit=10_000)
    calls = [({"k": rng.getrandbits(32), "n": n}, {"b": bytes(64)}) for n in (0, 1, 2, 9, 30)]
    for (scalars, arrays), got in zip(calls, simulate(compiled, calls), strict=True):
        wanted = machine.call(scalars, arrays)
        assert got.value == wanted.value, text
        assert all(got.arrays[port] == wanted.arrays[port] for port in got.arrays), text
