# SPDX-License-Identifier: Apache-2.0
"""Chains of exclusive ors become trees, and products of few digits adders, without a difference."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.passes import multiply

WORDS = 32


def chain(rng: random.Random, directive: str) -> str:
    """Give a function whose loop computes a random sum modulo 2 of bits, in many steps."""
    steps = []
    for _ in range(rng.randint(20, 40)):
        number, bit, left = rng.getrandbits(32), rng.randrange(32), rng.randint(1, 31)
        steps.append(
            rng.choice(
                (
                    f"x = x >> {left} ^ ({number}u & (0u - (x & 1)));",
                    f"x = x << {left} | x >> {32 - left};",
                    f"x ^= x << {left};",
                    f"if (x & {1 << bit}u) x ^= {number}u;",
                    f"x ^= (x >> {bit} & 1) == 0 ? {number}u : 0;",
                    f"x = (x & {number}u) ^ (a[i] & {~number & 0xFFFFFFFF}u);",
                    f"x ^= a[i] >> {bit};",
                    # No sum modulo 2.
                    f"x += {number}u;" if rng.random() < 0.3 else f"x ^= ~a[i] << {bit};",
                )
            )
        )
    body = "\n    ".join(steps)
    return f"""unsigned f(const unsigned a[{WORDS}], unsigned x) {{
  for (int i = 0; i < {WORDS}; i++) {{
#pragma HLS {directive}
    {body}
  }}
  return x;
}}"""


@pytest.mark.parametrize("seed", range(8))
def test_random_chain_does_what_c_does(
    seed: int, compile_c: Callable[..., Compiled], native: Callable[[str], ctypes.CDLL]
) -> None:
    rng = random.Random(f"linear {seed}")
    text = chain(rng, "pipeline")
    compiled = compile_c(text)
    run = native(text).f
    run.restype, run.argtypes = ctypes.c_uint32, [ctypes.c_char_p, ctypes.c_uint32]
    for _ in range(3):
        data, start = rng.randbytes(4 * WORDS), rng.getrandbits(32)
        got = Machine(compiled.module).call({"x": start}, {"a": data})
        assert got.value == run(data, start)


CRC = """unsigned f(unsigned crc, const unsigned long a[16]) {
  for (int i = 0; i < 16; i++) {
#pragma HLS DIRECTIVE
    for (int k = 0; k < 64; k++) {
      crc ^= (unsigned)(a[i] >> k & 1);
      crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    }
  }
  return crc;
}"""


def test_a_crc_that_is_to_stay_as_written_is_no_tree(compile_c: Callable[..., Compiled]) -> None:
    text = CRC.replace("DIRECTIVE", "pipeline II=1\n#pragma HLS expression_balance off")
    [loop] = compile_c(text, clock_ns=8.0).report.functions[0].loops
    assert loop.ii is not None and loop.ii > 1


def test_crc_of_eight_bytes_is_one_tree(compile_c: Callable[..., Compiled]) -> None:
    [loop] = (
        compile_c(CRC.replace("DIRECTIVE", "pipeline II=1"), clock_ns=8.0).report.functions[0].loops
    )
    assert loop.ii == 1


# Each byte is the sum of all before it: trees of their own would be eight times as many sums.
SHARED = """void f(const unsigned char a[16], unsigned char b[16]) {
#pragma HLS array_partition variable=a complete
#pragma HLS array_partition variable=b complete
  for (int k = 0; k < 4; k++) {
#pragma HLS pipeline II=1
    unsigned char sum = k;
    for (int i = 0; i < 16; i++) {
      sum ^= a[i];
      b[i] = b[i] >> 1 ^ sum;
    }
  }
}"""


def test_chains_that_share_their_sums_stay_where_half_a_clock_holds_them(
    compile_c: Callable[..., Compiled],
) -> None:
    for clock_ns, stay in ((40.0, True), (4.0, False)):
        (_, before), (_, after) = compile_c(
            SHARED, clock_ns=clock_ns, dump_after=("multiply", "linear")
        ).dumps
        assert "xor" in before and (before == after) == stay, clock_ns


def test_chain_stays_where_no_pipeline_is(compile_c: Callable[..., Compiled]) -> None:
    text = CRC.replace("DIRECTIVE", "unroll factor=1")
    (_, before), (_, after) = compile_c(text, dump_after=("multiply", "linear")).dumps
    assert "xor" in before and before == after


@pytest.mark.parametrize("number", [*range(-70, 70), 8380417, 58728449, 0x7FFFFFFF, -0x80000000])
def test_digits_make_the_number_with_no_two_in_a_row(number: int) -> None:
    digits = multiply._digits(number)
    assert sum(digit << place for place, digit in digits) == number
    places = [place for place, _ in digits]
    assert all(b - a > 1 for a, b in itertools.pairwise(places))


PRODUCT = """void f(const TYPE a[16], RESULT b[16]) {
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=1
    b[i] = (RESULT)a[i] * (RESULT)NUMBER;
  }
}"""


@pytest.mark.parametrize("number", [8380417, 58728449, -3, -8388609, 65535, 2147483647])
@pytest.mark.parametrize(
    ("wide", "result"), [("int", "long"), ("unsigned", "long"), ("int", "int")]
)
def test_product_of_few_digits_needs_no_multiplier(
    number: int, wide: str, result: str, compile_c: Callable[..., Compiled]
) -> None:
    text = PRODUCT.replace("TYPE", wide).replace("RESULT", result).replace("NUMBER", f"{number}")
    compiled = compile_c(text, clock_ns=8.0)
    assert compiled.report.area.dsp == 0
    assert compiled.report.functions[0].loops[0].ii == 1
    rng = random.Random(f"{number} {wide}")
    edges = [0, 1, 2**31 - 1, 2**31, 2**32 - 1]
    values = [*edges, *[rng.getrandbits(32) for _ in range(16 - len(edges))]]
    data = b"".join(value.to_bytes(4, "little") for value in values)
    size = 8 if result == "long" else 4
    got = Machine(compiled.module).call({}, {"a": data, "b": bytes(16 * size)}).arrays["b"]
    for index, value in enumerate(values):
        signed = value - (1 << 32) if wide == "int" and value >> 31 else value
        expected = signed * number % (1 << 8 * size)
        assert int.from_bytes(got[size * index : size * (index + 1)], "little") == expected


SCALED = """int f(int a, int b) {
#pragma HLS PLACE
  return a * NUMBER + b;
}"""


@pytest.mark.parametrize("number", [8380417, 3, -5, 96, 1 << 20])
@pytest.mark.parametrize("place", ["inline off", "pipeline"])
def test_three_digits_are_adders_in_states_and_in_pipelined_functions(
    number: int, place: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(SCALED.replace("PLACE", place).replace("NUMBER", f"{number}"))
    assert compiled.report.area.dsp == 0
    for a, b in [(0, 5), (1, 0), (-1, 7), (2**31 - 1, 1), (-(2**31), -1), (12345, -54321)]:
        got = Machine(compiled.module).call({"a": a % 2**32, "b": b % 2**32}).value
        assert got == (a * number + b) % 2**32
