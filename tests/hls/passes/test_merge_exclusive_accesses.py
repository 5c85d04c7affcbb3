# SPDX-License-Identifier: Apache-2.0
"""Accesses of which never more than one counts share a port, and all is as in C."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import pytest

from lydite.hls import Compiled, Machine

WORDS = 64


def program(rng: random.Random) -> str:
    """Give a loop that accesses an array in banks at several places; some may meet, some never."""
    banks = rng.choice((2, 4))
    count = rng.randint(2, banks)
    steps = [str(rng.randint(0, 3)) for _ in range(count)]
    if rng.random() < 0.6:  # no two in one bank
        steps = [str(step) for step in rng.sample(range(banks), count)]
    turn = rng.choice(("n", "n * 3", "(n >> 1)", "(n ^ n >> 2)", "(unsigned)m * n"))
    lines = []
    for k, step in enumerate(steps):
        place = f"a[({turn} + {step}) % {banks}][(n * {rng.randint(1, 5)} + {k}) % W]"
        lines.append(f"const unsigned x{k} = {place};")
    for k, step in enumerate(steps):
        place = f"a[({turn} + {step}) % {banks}][(n + {rng.randint(0, 9)}) % W]"
        value = f"x{k} * {rng.randint(1, 9)} + x{rng.randrange(count)}"
        guard = rng.choice(("", "", f"if (n & {1 << rng.randrange(3)}) ", f"if (x{k} & 1) "))
        lines.append(f"{guard}{place} = {value};")
    body = "\n    ".join(lines)
    ends = rng.choice(("n < 40", "n < (m & 63)"))
    return f"""#define W ({WORDS} / {banks})
void f(unsigned a[{banks}][W], unsigned char m) {{
#pragma HLS array_partition variable=a complete dim=1
  for (unsigned n = 0; {ends}; n++) {{
#pragma HLS pipeline II=1
    {body}
  }}
}}"""


@pytest.mark.parametrize("seed", range(8))
def test_random_loop_does_what_c_does(
    seed: int, compile_c: Callable[..., Compiled], native: Callable[[str], ctypes.CDLL]
) -> None:
    rng = random.Random(f"exclusive {seed}")
    text = program(rng)
    compiled = compile_c(text)
    run = native(text).f
    run.restype, run.argtypes = None, [ctypes.c_char_p, ctypes.c_uint8]
    for _ in range(3):
        data, m = rng.randbytes(4 * WORDS), rng.getrandbits(8)
        expected = ctypes.create_string_buffer(data, len(data))
        run(expected, m)
        got = Machine(compiled.module).call({"m": m}, {"a": data})
        assert got.arrays["a"] == expected.raw


ROUND = """void f(unsigned a[4][16], unsigned char m) {
#pragma HLS array_partition variable=a complete dim=1
  for (unsigned n = 0; n < 64; n++) {
#pragma HLS pipeline II=1
    for (unsigned k = 0; k < 4; k++) a[(n + k) % 4][(n / 4 + 5 * k) % 16] += LAST;
  }
}"""


def test_four_accesses_in_four_banks_need_one_port_each(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(ROUND.replace("LAST", "m"))
    loads = [op for op in compiled.module.top_function.ops() if op.kind == "load"]
    assert len(loads) == 4


@pytest.mark.parametrize(("last", "loads"), [("", 2), ("w[n & 7] = sum;", 4)])
def test_choice_by_what_the_loop_writes_would_hold_it_up(
    last: str, loads: int, compile_c: Callable[..., Compiled]
) -> None:
    text = """unsigned f(const unsigned a[2][16], unsigned char w[64]) {
#pragma HLS array_partition variable=a complete dim=1
#pragma HLS bind_storage variable=a type=ram_1p
  unsigned sum = 0;
  for (unsigned n = 0; n < 64; n++) {
#pragma HLS pipeline II=1
    sum = sum * 3 + a[w[n] & 1][n % 16] - a[~w[n] & 1][n / 4] * 5;
    LAST
  }
  return sum;
}"""
    compiled = compile_c(text.replace("LAST", last))
    ops = compiled.module.top_function.ops()
    found = [op for op in ops if op.kind == "load" and op.attr.name.startswith("a_")]
    assert len(found) == loads
