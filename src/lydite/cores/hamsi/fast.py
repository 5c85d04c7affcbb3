# SPDX-License-Identifier: Apache-2.0
"""Hamsi-256 as quick as plain Python goes; `spec` is what it must agree with.

A row of the state is an integer of 128 bits, its first word lowest.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.cores.hamsi import spec

_ALL = (1 << 128) - 1
_LANES = sum(1 << 32 * i for i in range(4))


def _row(words: Sequence[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(words))


def _tables() -> list[list[tuple[int, int, int, int]]]:
    """Give what each byte of a word adds to the four rows."""
    found = []
    for place in range(4):
        single = []
        for bit in range(8):
            word = (1 << bit).to_bytes(1, "little").rjust(place + 1, b"\0").ljust(4, b"\0")
            rows = spec.concatenate(spec.expand(word), [0] * 8)
            single.append([_row(row) for row in rows])
        table = [(0, 0, 0, 0)]
        for byte in range(1, 256):
            low = byte & -byte
            a, b, c, d = table[byte ^ low]
            e, f, g, h = single[low.bit_length() - 1]
            table.append((a ^ e, b ^ f, c ^ g, d ^ h))
        found.append(table)
    return found


_TABLES = _tables()
_CONSTANTS = {
    final: [_row(row) for row in (spec.ALPHA_FINAL if final else spec.ALPHA)]
    for final in (False, True)
}
# Where bits of a word may be that was turned to the left, by the count.
_HIGH = {count: _LANES * (0xFFFFFFFF << count & 0xFFFFFFFF) for count in (1, 3, 5, 7, 13, 22)}


def _left(row: int, count: int) -> int:
    """Turn each word of a row."""
    high = _HIGH[count]
    return row << count & high | row >> (32 - count) & ~high & _ALL


def _round(rows: Sequence[int], constants: Sequence[int], counter: int) -> tuple[int, ...]:
    a, b, c, d = (row ^ constant for row, constant in zip(rows, constants, strict=True))
    a ^= counter << 32
    not_a = ~a & _ALL
    bc, sum_ab = b & c, a ^ b
    # The S-box, as sums of products.
    s0 = b ^ d ^ c & not_a
    s1 = sum_ab ^ c ^ bc & not_a ^ d & (a & ~b ^ c & not_a)
    s2 = sum_ab ^ d ^ bc ^ d & not_a & (b ^ c)
    s3 = _ALL ^ sum_ab ^ c ^ bc & a ^ b & d
    # Diagonals become columns, and are turned back.
    s1 = s1 >> 32 | s1 << 96 & _ALL
    s2 = s2 >> 64 | s2 << 64 & _ALL
    s3 = s3 >> 96 | s3 << 32 & _ALL
    s0 = _left(s0, 13)
    s2 = _left(s2, 3)
    s1 = _left(s1 ^ s0 ^ s2, 1)
    s3 = _left(s3 ^ s2 ^ s0 << 3 & _HIGH[3], 7)
    s0 = _left(s0 ^ s1 ^ s3, 5)
    s2 = _left(s2 ^ s3 ^ s1 << 7 & _HIGH[7], 22)
    return (
        s0,
        s1 << 32 & _ALL | s1 >> 96,
        s2 << 64 & _ALL | s2 >> 64,
        s3 << 96 & _ALL | s3 >> 32,
    )


def _compress(chain: tuple[int, int], word: bytes, *, final: bool) -> tuple[int, int]:
    expanded = [0, 0, 0, 0]
    for table, byte in zip(_TABLES, word, strict=True):
        for i, row in enumerate(table[byte]):
            expanded[i] ^= row
    upper, lower = chain
    half = (1 << 64) - 1
    rows: tuple[int, ...] = (
        expanded[0] | (upper & half) << 64,
        expanded[1] | upper >> 64,
        expanded[2] | (lower & half) << 64,
        expanded[3] | lower >> 64,
    )
    constants = _CONSTANTS[final]
    for counter in range(spec.FINAL_ROUNDS if final else spec.ROUNDS):
        rows = _round(rows, constants, counter)
    return upper ^ rows[0], lower ^ rows[2]


def hamsi(message: bytes) -> bytes:
    """Hash a message; gives 32 bytes."""
    chain = _row(spec.INITIAL[:4]), _row(spec.INITIAL[4:])
    *before, last = spec.words(message)
    for word in before:
        chain = _compress(chain, word, final=False)
    chain = _compress(chain, last, final=True)
    return b"".join(
        (half >> 32 * i & 0xFFFFFFFF).to_bytes(4, "big") for half in chain for i in range(4)
    )
