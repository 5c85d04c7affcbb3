# SPDX-License-Identifier: Apache-2.0
"""Groestl-256 as quick as plain Python goes; `spec` is what it must agree with.

A column is an integer of 64 bits, row 0 lowest; a table has what each byte makes of its column.
"""

from __future__ import annotations

from lydite.cores.groestl import spec


def _tables() -> tuple[tuple[int, ...], ...]:
    """Give what SubBytes and MixBytes make of a column with but one byte, for each row of it."""
    found = []
    for row in range(8):
        factors = [spec.MATRIX[(row - i) % 8] for i in range(8)]
        found.append(
            tuple(
                sum(spec.MULTIPLES[factor][byte] << 8 * i for i, factor in enumerate(factors))
                for byte in spec.SBOX
            )
        )
    return tuple(found)


_TABLES = _tables()
_IV = (0, 0, 0, 0, 0, 0, 0, 1 << 48)  # 256 in the last bytes


def _rounds(x: list[int], constants: tuple[int, ...]) -> list[int]:
    """Apply a round for each constant, which is added to the first column."""
    t0, t1, t2, t3, t4, t5, t6, t7 = _TABLES
    for constant in constants:
        x[0] ^= constant
        y = x + x
        x = [
            t0[y[j] & 255]
            ^ t1[y[j + 1] >> 8 & 255]
            ^ t2[y[j + 2] >> 16 & 255]
            ^ t3[y[j + 3] >> 24 & 255]
            ^ t4[y[j + 4] >> 32 & 255]
            ^ t5[y[j + 5] >> 40 & 255]
            ^ t6[y[j + 6] >> 48 & 255]
            ^ t7[y[j + 7] >> 56]
            for j in range(8)
        ]
    return x


_P = tuple(range(spec.ROUNDS))
_Q = tuple((i ^ 255) << 56 for i in range(spec.ROUNDS))


def groestl256(message: bytes) -> bytes:
    """Hash a message; gives 32 bytes."""
    padded = spec.pad(message)
    h = list(_IV)
    for at in range(0, len(padded), spec.BLOCK_BYTES):
        q = [int.from_bytes(padded[k : k + 8], "little") for k in range(at, at + 64, 8)]
        p = _rounds([a ^ b for a, b in zip(h, q, strict=True)], _P)
        h = [a ^ b ^ c for a, b, c in zip(p, _rounds(q, _Q), h, strict=True)]
    output = [a ^ b for a, b in zip(_rounds(list(h), _P), h, strict=True)]
    return b"".join(word.to_bytes(8, "little") for word in output[4:])
