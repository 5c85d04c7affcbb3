# SPDX-License-Identifier: Apache-2.0
"""Hamsi-256 of rounds 1 and 2 (Kucuk: "The Hash Function Hamsi", 2009), of whole bytes.

A state is sixteen words of 32 bits, four rows of four; half of it is a word of the message,
expanded by a linear code over GF(4), half the chaining value. Start reading at `hamsi`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

DIGEST_BYTES, WORD_BYTES = 32, 4
ROUNDS, FINAL_ROUNDS = 3, 6  # of a word, and of the last one
_MASK = 0xFFFFFFFF

# What the code (128, 16, 70) makes of a one in each element of a word: the first byte's elements
# first, in each byte the lowest one. The bits of the element 1, and behind them those of the next
# power of the generator, w.
CODE = tuple(
    tuple(int(word, 16) for word in row.split())
    for row in (
        "74951000 5a2b467e 88fd1d2b 1ee68292 cba90000 90273769 bbdcf407 d0f4af61",
        "e92a2000 b4578cfc 11fa3a57 3dc90524 97530000 204f6ed3 77b9e80f a1ec5ec1",
        "121b4000 5b17d9e8 8dfacfab ce36cc72 e6570000 4bb33a25 848598ba 1041003e",
        "e4788000 859673c1 b5fb2452 29cc5edf 045f0000 9c4a93c9 62fc79d0 731ebdc2",
        "b7a40100 8a1f31d8 8589d8ab e6c46464 734c0000 956fa7d6 a29d1297 6ee56854",
        "a7b80200 1f128433 60e5f9f2 9e147576 ee260000 124b683e 80c2d68f 3bf3ab2c",
        "8f3e0400 0d9dc877 6fc548e1 898d2cd6 14bd0000 2fba37ff 6a72e5bb 247febe6",
        "de320800 288350fe 71852ac7 a6bf9f96 e18b0000 5459887d bf1283d3 1b666a73",
        "515c0010 40f372fb fce72602 71575061 2e390000 64dd6689 3cd406fc b1f490bc",
        "a2b80020 81e7e5f6 f9ce4c04 e2afa0c0 5c720000 c9bacd12 79a90df9 63e92178",
        "4dce0040 3b5bec7e 36656ba8 23633a05 78ab0000 a0cd5a34 5d5ca0f7 727784cb",
        "5bd20080 450f18ec c2c46c55 f362b233 39a60000 4ab753eb d14e094b b772b42b",
        "c04e0001 33b9c010 ae0ebb05 b5a4c63b c8f10000 0b2de782 6bf648a4 539cbdbf",
        "88230002 5fe7a7b3 99e585aa 8d75f7f1 51ac0000 25e30f14 79e22a4c 1298bd46",
        "d0080004 8c768f77 9dc5b050 af4a29da 6ba90000 40ebf9aa 98321c3d 76acc733",
        "a8ae0008 2079397d fe739301 b8a92831 171c0000 b26e3344 9e6a837e 58f8485f",
    )
)
# "versiteit Leuven, Departement El", of the designer's address.
INITIAL = tuple(
    int.from_bytes(b"versiteit Leuven, Departement El"[at : at + 4], "big")
    for at in range(0, 32, WORD_BYTES)
)
# Added to the state in each round of P, and of the last permutation.
ALPHA = (
    (0xFF00F0F0, 0xCCCCAAAA, 0xF0F0CCCC, 0xFF00AAAA),
    (0xF0F0CCCC, 0xAAAAFF00, 0xCCCCFF00, 0xAAAAF0F0),
    (0xCCCCAAAA, 0xFF00F0F0, 0xFF00AAAA, 0xF0F0CCCC),
    (0xAAAAFF00, 0xF0F0CCCC, 0xAAAAF0F0, 0xCCCCFF00),
)
ALPHA_FINAL = (
    (0xCAF9639C, 0x0FF0F9C0, 0x639C0FF0, 0xCAF9F9C0),
    (0x639C0FF0, 0xF9C0CAF9, 0x0FF0CAF9, 0xF9C0639C),
    (0x0FF0F9C0, 0xCAF9639C, 0xCAF9F9C0, 0x639C0FF0),
    (0xF9C0CAF9, 0x639C0FF0, 0xF9C0639C, 0x0FF0CAF9),
)
# An S-box of Serpent, whose lowest bit is row 0.
SBOX = (8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2)

Rows = list[list[int]]


def expand(word: bytes) -> list[int]:
    """Give the eight words that the code makes of one."""
    value = int.from_bytes(word, "little")
    expanded = [0] * 8
    for bit in range(32):
        if value >> bit & 1:
            one = CODE[bit // 2]
            # w times (a, b), of which b are the bits of w: (b, a + b).
            row = [*one[4:], *(a ^ b for a, b in zip(one[:4], one[4:], strict=True))]
            for i, added in enumerate(row if bit % 2 else one):
                expanded[i] ^= added
    return expanded


def concatenate(m: Sequence[int], c: Sequence[int]) -> Rows:
    """Give the state of an expanded word and the chaining value."""
    return [
        [m[0], m[1], c[0], c[1]],
        [c[2], c[3], m[2], m[3]],
        [m[4], m[5], c[4], c[5]],
        [c[6], c[7], m[6], m[7]],
    ]


def substitute(rows: Rows) -> Rows:
    """Apply the S-box to the bits in one place of the four rows."""
    new = [[0] * 4 for _ in range(4)]
    for column in range(4):
        words = [row[column] for row in rows]
        for index, output in enumerate(SBOX):
            places = _MASK  # those whose four bits are the index
            for row, word in enumerate(words):
                places &= word if index >> row & 1 else ~word
            for row in range(4):
                if output >> row & 1:
                    new[row][column] |= places
    return new


def _left(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def diffuse(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Apply L, that of Serpent, to four words."""
    a = _left(a, 13)
    c = _left(c, 3)
    b = _left(b ^ a ^ c, 1)
    d = _left(d ^ c ^ (a << 3 & _MASK), 7)
    a = _left(a ^ b ^ d, 5)
    c = _left(c ^ d ^ (b << 7 & _MASK), 22)
    return a, b, c, d


def round_of(rows: Rows, constants: Sequence[Sequence[int]], counter: int) -> Rows:
    """Add constants and the number of the round, substitute, and mix the diagonals."""
    rows = [
        [a ^ b for a, b in zip(row, alpha, strict=True)]
        for row, alpha in zip(rows, constants, strict=True)
    ]
    rows[0][1] ^= counter
    rows = substitute(rows)
    for j in range(4):
        diagonal = diffuse(*(rows[i][(i + j) % 4] for i in range(4)))
        for i in range(4):
            rows[i][(i + j) % 4] = diagonal[i]
    return rows


def compress(chain: Sequence[int], word: bytes, *, final: bool) -> list[int]:
    """Give the chaining value after a word, which may be the last one."""
    rows = concatenate(expand(word), chain)
    for counter in range(FINAL_ROUNDS if final else ROUNDS):
        rows = round_of(rows, ALPHA_FINAL if final else ALPHA, counter)
    return [a ^ b for a, b in zip(chain, rows[0] + rows[2], strict=True)]


def words(message: bytes) -> Iterator[bytes]:
    """Give the words: the message, a one, zeros up to a whole word, and its bits in 64 bits."""
    marked = message + b"\x80"
    padded = marked + bytes(-len(marked) % WORD_BYTES) + (8 * len(message)).to_bytes(8, "big")
    for at in range(0, len(padded), WORD_BYTES):
        yield padded[at : at + WORD_BYTES]


def hamsi(message: bytes) -> bytes:
    """Give the 32 bytes of Hamsi-256."""
    chain: Sequence[int] = INITIAL
    *before, last = words(message)
    for word in before:
        chain = compress(chain, word, final=False)
    chain = compress(chain, last, final=True)
    return b"".join(word.to_bytes(4, "big") for word in chain)
