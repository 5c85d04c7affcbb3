# SPDX-License-Identifier: Apache-2.0
"""BMW-256 (D. Gligoroski et al., "Cryptographic Hash Function Blue Midnight Wish", version of
September 2009, as tweaked for round 2), of whole bytes.

H is the double pipe and M a block, both of sixteen words of 32 bits; Q is the quadruple pipe.
"""

from __future__ import annotations

from collections.abc import Sequence

BLOCK_BYTES, DIGEST_BYTES = 64, 32
_MASK = 0xFFFFFFFF
_Words = Sequence[int]

# Table 1.1: the pipe before the first block; 1.2: that of the last compression.
INITIAL = tuple(0x40414243 + 0x04040404 * i for i in range(16))
FINAL = tuple(0xAAAAAAA0 + i for i in range(16))

# Table 1.4: of each W the words of M xor H, with their signs.
W_TERMS = (
    ((5, 1), (7, -1), (10, 1), (13, 1), (14, 1)),
    ((6, 1), (8, -1), (11, 1), (14, 1), (15, -1)),
    ((0, 1), (7, 1), (9, 1), (12, -1), (15, 1)),
    ((0, 1), (1, -1), (8, 1), (10, -1), (13, 1)),
    ((1, 1), (2, 1), (9, 1), (11, -1), (14, -1)),
    ((3, 1), (2, -1), (10, 1), (12, -1), (15, 1)),
    ((4, 1), (0, -1), (3, -1), (11, -1), (13, 1)),
    ((1, 1), (4, -1), (5, -1), (12, -1), (14, -1)),
    ((2, 1), (5, -1), (6, -1), (13, 1), (15, -1)),
    ((0, 1), (3, -1), (6, 1), (7, -1), (14, 1)),
    ((8, 1), (1, -1), (4, -1), (7, -1), (15, 1)),
    ((8, 1), (0, -1), (2, -1), (5, -1), (9, 1)),
    ((1, 1), (3, 1), (6, -1), (9, -1), (10, 1)),
    ((2, 1), (4, 1), (7, 1), (10, 1), (11, 1)),
    ((3, 1), (5, -1), (8, 1), (11, -1), (12, -1)),
    ((12, 1), (4, -1), (6, -1), (9, -1), (13, 1)),
)
# Table 1.3: rotations r1 to r7; of s0 to s3 the shifts to the right and left and the rotations.
R = (3, 7, 13, 16, 19, 23, 27)
S = ((1, 3, 4, 19), (1, 2, 8, 23), (2, 1, 12, 25), (2, 2, 15, 29))
# Rounds of expand1; the other rounds of f1 are expand2.
EXPAND1_ROUNDS = 2
# Folding (table 1.5): of words 0 to 7 the shifts of XH and Q[16 + i], of 8 to 15 that of XL and the
# word of Q beside it; to the left where positive.
FOLD_LOW = ((5, -5), (-7, 8), (-5, 5), (-1, 5), (-3, 0), (6, -6), (-4, 6), (-11, 2))
FOLD_HIGH = ((8, 23), (-6, 16), (6, 17), (4, 18), (-3, 19), (-4, 20), (-7, 21), (-2, 22))


def _rotated(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def _shifted(word: int, count: int) -> int:
    return word << count & _MASK if count >= 0 else word >> -count


def _s(number: int, word: int) -> int:
    if number >= 4:
        return word >> (number - 3) ^ word
    right, left, first, second = S[number]
    turned = _rotated(word, first) ^ _rotated(word, second)
    return word >> right ^ word << left & _MASK ^ turned


def f0(m: _Words, h: _Words) -> list[int]:
    """Give the first half of the quadruple pipe."""
    x = [a ^ b for a, b in zip(m, h, strict=True)]
    w = [sum(sign * x[k] for k, sign in terms) & _MASK for terms in W_TERMS]
    return [_s(i % 5, w[i]) + h[(i + 1) % 16] & _MASK for i in range(16)]


def add_element(m: _Words, h: _Words, j: int) -> int:
    """Give what round j of f1 adds of the block and the pipe."""
    m0, m3, m10 = (_rotated(m[k % 16], k % 16 + 1) for k in (j, j + 3, j + 10))
    return (m0 + m3 - m10 + 0x05555555 * (j + 16) & _MASK) ^ h[(j + 7) % 16]


def f1(m: _Words, h: _Words, q: list[int]) -> list[int]:
    """Give the quadruple pipe of its first half."""
    for j in range(16):
        window = q[j:]
        if j < EXPAND1_ROUNDS:
            total = sum(_s((i + 1) % 4, word) for i, word in enumerate(window))
        else:
            total = sum(window[0:14:2])
            total += sum(map(_rotated, window[1:14:2], R))
            total += _s(4, window[14]) + _s(5, window[15])
        q = [*q, total + add_element(m, h, j) & _MASK]
    return q


def f2(m: _Words, q: _Words) -> list[int]:
    """Fold the quadruple pipe to the next double pipe."""
    xl = xh = 0
    for word in q[16:24]:
        xl ^= word
    for word in q[16:32]:
        xh ^= word
    h = []
    for i, (of_xh, of_q) in enumerate(FOLD_LOW):
        left = _shifted(xh, of_xh) ^ _shifted(q[16 + i], of_q) ^ m[i]
        h.append(left + (xl ^ q[24 + i] ^ q[i]) & _MASK)
    for i, (of_xl, beside) in enumerate(FOLD_HIGH):
        word = _rotated(h[(i + 4) % 8], 9 + i)
        left = xh ^ q[24 + i] ^ m[8 + i]
        h.append(word + left + (_shifted(xl, of_xl) ^ q[beside] ^ q[8 + i]) & _MASK)
    return h


def compress(m: _Words, h: _Words) -> list[int]:
    """Give the double pipe after a block."""
    return f2(m, f1(m, h, f0(m, h)))


def pad(message: bytes) -> bytes:
    """Give whole blocks: the message, a bit 1, bits 0, and its length in 64 bits."""
    marked = message + b"\x80"
    marked += bytes(-(len(marked) + 8) % BLOCK_BYTES)
    return marked + (8 * len(message)).to_bytes(8, "little")


def bmw(message: bytes) -> bytes:
    """Give the 32 bytes of BMW-256."""
    padded = pad(message)
    h: _Words = INITIAL
    for at in range(0, len(padded), BLOCK_BYTES):
        words = (padded[at + 4 * i : at + 4 * i + 4] for i in range(16))
        h = compress([int.from_bytes(word, "little") for word in words], h)
    return b"".join(word.to_bytes(4, "little") for word in compress(h, FINAL)[8:])
