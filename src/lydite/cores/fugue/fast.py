# SPDX-License-Identifier: Apache-2.0
"""Fugue-256 as quick as plain Python goes; `spec` is what it must agree with.

A column is an integer of 32 bits, row 0 lowest; the columns stand in a list that is turned.
"""

from __future__ import annotations

from lydite.cores.aes import spec as aes
from lydite.cores.fugue import spec

# What a byte in row k of column j makes of the four columns of Super-Mix, behind the S-box.
_TABLES = [
    [
        sum(
            int.from_bytes(column, "little") << 32 * n
            for n, column in enumerate(
                spec.super_mix(
                    [bytes(s if (i, r) == (j, k) else 0 for r in range(4)) for i in range(4)]
                )
            )
        )
        for s in aes.SBOX
    ]
    for j in range(4)
    for k in range(4)
]
_MASK = 0xFFFFFFFF


def _smix(s: list[int]) -> None:
    mixed = 0
    value = s[0] | s[1] << 32 | s[2] << 64 | s[3] << 96
    for table, byte in zip(_TABLES, value.to_bytes(16, "little"), strict=True):
        mixed ^= table[byte]
    s[:4] = (mixed & _MASK, mixed >> 32 & _MASK, mixed >> 64 & _MASK, mixed >> 96)


def _subround(s: list[int]) -> None:
    s[:0] = s[27:]
    del s[30:]
    a, b, c = s[4:7]
    s[0] ^= a
    s[1] ^= b
    s[2] ^= c
    s[15] ^= a
    s[16] ^= b
    s[17] ^= c
    _smix(s)


def fugue(message: bytes) -> bytes:
    """Hash a message; gives 32 bytes."""
    initial = spec.INITIAL
    s = [0] * 22 + [int.from_bytes(initial[at : at + 4], "little") for at in range(0, 32, 4)]
    for word in spec.words(message):
        value = int.from_bytes(word, "little")
        s[10] ^= s[0]
        s[0] = value
        s[8] ^= value
        s[1] ^= s[24]
        _subround(s)
        _subround(s)
    for _ in range(2 * spec.FIRST_ROUNDS):
        _subround(s)
    for _ in range(spec.LAST_ROUNDS):
        for place, count in ((15, 15), (16, 14)):
            s[4] ^= s[0]
            s[place] ^= s[0]
            s = s[-count:] + s[:-count]
            _smix(s)
    s[4] ^= s[0]
    s[15] ^= s[0]
    return b"".join(column.to_bytes(4, "little") for column in s[1:5] + s[15:19])
