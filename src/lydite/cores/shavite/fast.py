# SPDX-License-Identifier: Apache-2.0
"""SHAvite-3-256 as quick as plain Python goes; `spec` is what it must agree with.

An AES state is four integers of 32 bits; a table has what each byte makes of its column.
"""

from __future__ import annotations

import struct

from lydite.cores.echo.spec import aes_round
from lydite.cores.shavite import spec

Words = tuple[int, int, int, int]


def _tables() -> tuple[tuple[int, ...], ...]:
    """Give what a round of AES makes of a state with but one byte, for each row of a column."""
    found = []
    # Of zeros every byte becomes this one, which MixColumns keeps.
    rest = int.from_bytes(aes_round(bytes(16), bytes(16))[:4], "little")
    for row in range(4):
        entries = []
        for byte in range(256):
            # ShiftRows moves row r of column r to column 0.
            state = bytearray(16)
            state[5 * row] = byte
            column = int.from_bytes(aes_round(bytes(state), bytes(16))[:4], "little")
            entries.append(column ^ rest)
        found.append(tuple(entries))
    found[0] = tuple(entry ^ rest for entry in found[0])
    return tuple(found)


_T0, _T1, _T2, _T3 = _tables()


def _aes(a: int, b: int, c: int, d: int) -> Words:
    return (
        _T0[a & 255] ^ _T1[b >> 8 & 255] ^ _T2[c >> 16 & 255] ^ _T3[d >> 24],
        _T0[b & 255] ^ _T1[c >> 8 & 255] ^ _T2[d >> 16 & 255] ^ _T3[a >> 24],
        _T0[c & 255] ^ _T1[d >> 8 & 255] ^ _T2[a >> 16 & 255] ^ _T3[b >> 24],
        _T0[d & 255] ^ _T1[a >> 8 & 255] ^ _T2[b >> 16 & 255] ^ _T3[c >> 24],
    )


def _subkeys(block: bytes, bits: int) -> list[int]:
    k = list(struct.unpack("<16I", block))
    for at in range(16, 144, 4):
        if at // 16 % 2 == 1:
            a, b, c, d = _aes(k[at - 15], k[at - 14], k[at - 13], k[at - 16])
            k += [a ^ k[at - 4], b ^ k[at - 3], c ^ k[at - 2], d ^ k[at - 1]]
            if at // 4 in spec.COUNTERS:
                added = struct.unpack("<4I", spec.counter_of(at // 4, bits))
                for i, word in enumerate(added):
                    k[at + i] ^= word
        else:
            for i in range(at, at + 4):
                k.append(k[i - 16] ^ k[i - 3])
    return k


def shavite(message: bytes) -> bytes:
    """Hash a message; gives 32 bytes."""
    h = struct.unpack("<8I", spec.INITIAL)
    for block, bits in spec.blocks(message):
        k = _subkeys(block, bits)
        left, right = h[:4], h[4:]
        for at in range(0, 144, 12):
            a, b, c, d = right
            for i in range(at, at + 12, 4):
                a, b, c, d = _aes(a ^ k[i], b ^ k[i + 1], c ^ k[i + 2], d ^ k[i + 3])
            left, right = right, (left[0] ^ a, left[1] ^ b, left[2] ^ c, left[3] ^ d)
        h = tuple(a ^ b for a, b in zip(h, left + right, strict=True))
    return struct.pack("<8I", *h)
