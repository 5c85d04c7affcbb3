# SPDX-License-Identifier: Apache-2.0
"""`loop_merge`: one loop of several that does what they do; or the reason why not."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Callable

import pytest

from lydite.hls import Compiled, Machine
from lydite.hls.contract.interface import ArrayArg

HEAD = "unsigned f(unsigned a[16], unsigned b[16], unsigned c[16], unsigned n) {\n"
PIPELINE = "#pragma HLS pipeline\n"
MERGED = {
    "elementwise": """#pragma HLS loop_merge
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    b[i] = a[i] * 3 + i;
  }
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    c[i] = b[i] ^ a[15 - i];
  }
  return 0;
}""",
    "three": """#pragma HLS loop_merge
  unsigned s = 1, t = n, u = 5;
  for (int i = 0; i < 12; i++) {
#pragma HLS pipeline
    s = s * 5 + a[i];
  }
  for (int j = 11; j >= 0; j--) {
#pragma HLS pipeline
    t ^= b[j] + j;
  }
  for (int k = 0; k < 24; k += 2) {
#pragma HLS pipeline
    if (k & 4) c[k >> 1] = n; else u += k ^ n;
  }
  return s + 3 * t + 7 * u;
}""",
    "behind": """#pragma HLS loop_merge
  for (int i = 1; i < 16; i++) {
#pragma HLS pipeline
    a[i] = n * i;
  }
  for (int i = 1; i < 16; i++) {
#pragma HLS pipeline
    c[i] = a[i - 1];
  }
  return a[3];
}""",
    "equal_bounds": """#pragma HLS loop_merge
  unsigned s = 0, t = 7;
  for (unsigned i = 0; i < (n & 15); i++) {
#pragma HLS pipeline
    s += a[i];
  }
  for (unsigned i = 0; i < (n & 15); i++) {
#pragma HLS pipeline
    t = t * 3 ^ b[i];
  }
  return s ^ t;
}""",
    "within": """
  unsigned s = 0;
  for (unsigned k = 0; k < (n & 3); k++) {
#pragma HLS loop_merge
    unsigned t = k;
    for (int i = 0; i < 8; i++) {
#pragma HLS pipeline
      b[i] = a[i] + k;
    }
    for (int i = 0; i < 8; i++) {
#pragma HLS pipeline
      t = t * 7 + b[i];
    }
    s ^= t;
  }
  return s;
}""",
}


def compare(compiled: Compiled, native: Callable[..., int], seed: int) -> list[tuple[dict, dict]]:
    """Compare interpreter and C; give the calls."""
    rng = random.Random(seed)
    machine = Machine(compiled.module)
    native.restype = ctypes.c_uint32
    calls = []
    for _ in range(6):
        arrays = {port: rng.randbytes(64) for port in "abc"}
        scalars = {"n": rng.getrandbits(32)}
        calls.append((scalars, arrays))
        buffers = {port: ctypes.create_string_buffer(data, 64) for port, data in arrays.items()}
        args = [buffers[port] for port in "abc"]
        value = native(*args, ctypes.c_uint32(scalars["n"]))
        got = machine.call(scalars, arrays)
        assert got.value == value
        for arg in compiled.interface.args:
            if isinstance(arg, ArrayArg) and not arg.unused:
                assert got.arrays[arg.port] == buffers[arg.port].raw
    return calls


@pytest.mark.parametrize("name", MERGED)
def test_loops_become_one(
    name: str,
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
    simulate: Callable[..., list],
) -> None:
    text = HEAD + MERGED[name]
    compiled = compile_c(text)
    loops = compiled.report.functions[0].loops
    assert len([loop for loop in loops if loop.ii is not None]) == 1
    assert not [w for w in compiled.warnings if "loop_merge" in str(w)]
    calls = compare(compiled, native(text).f, 4)
    machine = Machine(compiled.module)
    for call, got in zip(calls, simulate(compiled, calls), strict=True):
        wanted = machine.call(*call)
        assert got.value == wanted.value
        for arg in compiled.interface.arrays:
            assert arg.unused or got.arrays[arg.port] == wanted.arrays[arg.port]


def test_merged_loop_takes_the_cycles_of_one(compile_c: Callable[..., Compiled]) -> None:
    text = HEAD + MERGED["elementwise"]
    apart = compile_c(text.replace("#pragma HLS loop_merge\n", "")).report.functions[0]
    merged = compile_c(text).report.functions[0]
    assert apart.latency_max is not None and merged.latency_max is not None
    assert apart.latency_max - merged.latency_max >= 14


@pytest.mark.parametrize(
    ("first", "between", "second", "why"),
    [
        (
            "b[i] = a[i];",
            "",
            "c[i] = b[i + 1];",
            "a load of b in the second would come before a store in a later iteration of the "
            "first (t.c:6, t.c:11)",
        ),
        ("c[i] = a[i + 1];", "", "a[i] = n;", ""),
        (
            "c[i] = a[i];",
            "",
            "a[i + 1] = n;",
            "a store of a in the second would come before a load in a later iteration of the "
            "first (t.c:6, t.c:11)",
        ),
        ("s += a[i];", "", "b[i] = s;", "the second needs s (t.c:6), which the first computes"),
        (
            "b[i] = a[i];",
            "c[15] = n;",
            "b[i] ^= 3;",
            "something stands between them: store (t.c:8)",
        ),
        ("b[i] = a[i];", "", "if (i > 10) break; c[i] = n;", "they run 14 and 11 times"),
    ],
)
def test_reason_why_loops_stay_apart(
    first: str, between: str, second: str, why: str, compile_c: Callable[..., Compiled]
) -> None:
    loop = "  for (int i = 0; i < 14; i++) {\n#pragma HLS pipeline\n    "
    text = (
        f"{HEAD}#pragma HLS loop_merge\n  unsigned s = n;\n{loop}{first}\n  }}\n{between}\n"
        f"{loop}{second}\n  }}\n  return s;\n}}\n"
    )
    compiled = compile_c(text)
    found = [re.sub(r"^\S*/(?=t\.c)", "", str(w)) for w in compiled.warnings]
    found = [text for text in found if "loop_merge" in text]
    if not why:
        assert not found and len(compiled.report.functions[0].loops) == 1
        return
    (message,) = found
    assert message.startswith("t.c:2: loop_merge: the loops at t.c:")
    assert message.endswith(f" stay apart: {why}")
    forced = compile_c(text.replace("loop_merge", "loop_merge force"))
    moved = "would come before" in why
    assert len(forced.report.functions[0].loops) == (1 if moved else 2)


def random_loops(seed: int) -> str:
    """Write a function with two or three loops over the same arrays, in random orders."""
    rng = random.Random(f"loop_merge {seed}")
    trips = rng.randrange(5, 14)

    def index() -> str:
        return rng.choice(
            [
                f"i + {rng.randrange(3)}",
                f"i + {rng.randrange(3)}",
                f"{trips + 1} - i",
                f"i * {rng.choice((3, 5, 7))} & 15",
                f"{rng.randrange(16)}",
            ]
        )

    def statement() -> str:
        value = f"{rng.choice('abc')}[{index()}] {rng.choice('+^-')} n * {rng.randrange(1, 9)}"
        if rng.random() < 0.3:
            return f"if (i & {rng.choice((1, 2, 4))}) {rng.choice('abc')}[{index()}] = {value};"
        return f"{rng.choice('abc')}[{index()}] {rng.choice(('=', '=', '^='))} {value};"

    loops = [
        f"  for (int i = 0; i < {trips}; i++) {{\n{PIPELINE}"
        + "".join(f"    {statement()}\n" for _ in range(rng.choice((1, 1, 2))))
        + "  }\n"
        for _ in range(rng.choice((2, 2, 3)))
    ]
    return f"{HEAD}#pragma HLS loop_merge\n{''.join(loops)}  return a[3] ^ b[5] ^ c[7];\n}}\n"


@pytest.mark.parametrize(
    "seeds", [range(8), pytest.param(range(8, 200), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_random_loops_do_what_c_does(
    seeds: range, compile_c: Callable[..., Compiled], native: Callable[[str], ctypes.CDLL]
) -> None:
    merged = apart = 0
    texts = {seed: random_loops(seed).replace("f(", f"f{seed}(", 1) for seed in seeds}
    library = native("\n".join(texts.values()))
    for seed, text in texts.items():
        compiled = compile_c(text, f"f{seed}", name=f"t{seed}.c")
        compare(compiled, getattr(library, f"f{seed}"), seed)
        loops = [loop for loop in compiled.report.functions[0].loops if loop.ii is not None]
        merged += len(loops) < text.count("for (")
        apart += any("stay apart" in str(w) for w in compiled.warnings)
    assert merged > len(seeds) // 8 and apart > len(seeds) // 8
