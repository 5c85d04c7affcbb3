# SPDX-License-Identifier: Apache-2.0
"""The interpreter against the same C compiled for this machine: arithmetic, memory, pointers.

Programs that a compiler of ours once got wrong stand here, too, with what was wrong.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.hls import Compiled, Machine

FOLDER = Path(__file__).parent / "native"


def interesting(rng: random.Random, bits: int) -> int:
    """Give a random number that is often at a border."""
    plain, sparse = rng.getrandbits(bits), rng.getrandbits(bits) & rng.getrandbits(bits)
    top = 1 << (bits - 1)
    return rng.choice([plain, sparse, rng.getrandbits(6), 0, 1, 2 * top - 1, top, top - 1])


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


@pytest.mark.parametrize("clock_ns", [3.0, 8.0, 25.0])
def test_arithmetic(
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
) -> None:
    text = (FOLDER / "arithmetic.c").read_text()
    machine = Machine(compile_c(text, clock_ns=clock_ns).module)
    function = native(text).f
    function.restype = ctypes.c_uint64
    rng = random.Random(5)
    for _ in range(60):
        a, b = interesting(rng, 64), interesting(rng, 64)
        c, d = interesting(rng, 32), interesting(rng, 32)
        shift, e, q = (interesting(rng, bits) for bits in (8, 8, 13))
        out = (ctypes.c_uint64 * 16)()
        value = function(
            ctypes.c_uint64(a),
            ctypes.c_uint64(b),
            ctypes.c_int32(signed(c, 32)),
            ctypes.c_int32(signed(d, 32)),
            ctypes.c_uint8(shift),
            out,
            ctypes.c_int8(signed(e, 8)),
            ctypes.c_int16(signed(q, 13)),
        )
        scalars = {"a": a, "b": b, "c": c, "d": d, "sh": shift, "e": e, "q": q}
        result = machine.call(scalars)
        assert result.value == value, scalars
        assert result.arrays["out"] == bytes(out), scalars


@pytest.mark.parametrize(
    "name",
    [
        "barriers",
        "bit_fields",
        "builtins",
        "function_pointers",
        "misaligned",
        "memory_calls",
        "structures",
    ],
)
def test_program(
    name: str,
    compile_c: Callable[..., Compiled],
    native: Callable[[str], ctypes.CDLL],
) -> None:
    text = (FOLDER / f"{name}.c").read_text()
    machine = Machine(compile_c(text).module)
    function = native(text).f
    for n in range(40):
        out = (ctypes.c_int32 * 8)()
        value = function(n, out)
        result = machine.call({"n": n}, {"out": bytes(32)})
        assert result.value == value & 0xFFFFFFFF, n
        assert result.arrays["out"] == bytes(out), n
