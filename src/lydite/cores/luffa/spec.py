# SPDX-License-Identifier: Apache-2.0
"""Luffa-256 v2 (C. De Canniere, H. Sato, D. Watanabe, "Hash Function Luffa: Specification", version
2.0.1, 2009), of whole bytes.

The state is three blocks of eight words of 32 bits. A block is also 32 elements of a ring of degree
8, whose coefficients are the bits of one place in its words.
"""

from __future__ import annotations

BLOCK_BYTES, DIGEST_BYTES, STEPS = 32, 32, 8
_MASK = 0xFFFFFFFF
_Block = list[int]

# Version 2 has another substitution than version 1.
SBOX = (13, 14, 0, 1, 5, 10, 7, 6, 11, 3, 9, 12, 15, 8, 2, 4)

INITIAL = (
    (
        0x6D251E69, 0x44B051E0, 0x4EAA6FB4, 0xDBF78465,
        0x6E292011, 0x90152DF4, 0xEE058139, 0xDEF610BB,
    ),
    (
        0xC3B44B95, 0xD9D2F256, 0x70EEE9A0, 0xDE099FA3,
        0x5D9B0557, 0x8FC944B3, 0xCF1CCF0E, 0x746CD581,
    ),
    (
        0xF7EFC89D, 0x5DBA5781, 0x04016CE5, 0xAD659C05,
        0x0306194F, 0x666D1836, 0x24AA230A, 0x8B264AE7,
    ),
)  # fmt: skip

# Of each permutation and step, what is added to the words 0 and 4.
CONSTANTS = (
    (
        (0x303994A6, 0xE0337818), (0xC0E65299, 0x441BA90D), (0x6CC33A12, 0x7F34D442),
        (0xDC56983E, 0x9389217F), (0x1E00108F, 0xE5A8BCE6), (0x7800423D, 0x5274BAF4),
        (0x8F5B7882, 0x26889BA7), (0x96E1DB12, 0x9A226E9D),
    ),
    (
        (0xB6DE10ED, 0x01685F3D), (0x70F47AAE, 0x05A17CF4), (0x0707A3D4, 0xBD09CACA),
        (0x1C1E8F51, 0xF4272B28), (0x707A3D45, 0x144AE5CC), (0xAEB28562, 0xFAA7AE2B),
        (0xBACA1589, 0x2E48F1C1), (0x40A46F3E, 0xB923C704),
    ),
    (
        (0xFC20D9D2, 0xE25E72C1), (0x34552E25, 0xE623BB72), (0x7AD8818F, 0x5C58A4A4),
        (0x8438764A, 0x1E38E2E7), (0xBB6DE032, 0x78E38B9D), (0xEDB780C8, 0x27586719),
        (0xD9847356, 0x36EDA57F), (0xA2C78434, 0x703AACE7),
    ),
)  # fmt: skip


def _rotated(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def _added(*blocks: _Block) -> _Block:
    first, *others = blocks
    for other in others:
        first = [a ^ b for a, b in zip(first, other, strict=True)]
    return first


def doubled(block: _Block) -> _Block:
    """Multiply by x in the ring, modulo x^8 + x^4 + x^3 + x + 1."""
    top = block[7]
    return [word ^ (top if k in (1, 3, 4) else 0) for k, word in enumerate([top, *block[:7]])]


def inject(state: list[_Block], message: _Block) -> list[_Block]:
    """Add a block of the message to the state (3.3)."""
    total = doubled(_added(*state))
    result = []
    for block in state:
        result.append(_added(block, total, message))
        message = doubled(message)
    return result


def sub_crumb(words: _Block) -> _Block:
    """Substitute the four bits of each place; bit i of an entry is of word i (3.4.1)."""
    found = [0, 0, 0, 0]
    for place in range(32):
        value = SBOX[sum((word >> place & 1) << i for i, word in enumerate(words))]
        found = [word | (value >> i & 1) << place for i, word in enumerate(found)]
    return found


def mix_word(left: int, right: int) -> tuple[int, int]:
    """Mix two words (3.4.2)."""
    right ^= left
    left = _rotated(left, 2) ^ right
    right = _rotated(right, 14) ^ left
    left = _rotated(left, 10) ^ right
    return left, _rotated(right, 1)


def permute(number: int, block: _Block) -> _Block:
    """Apply one of the permutations Q0, Q1, Q2, with the tweak before it (3.4)."""
    a = [*block[:4], *(_rotated(word, number) for word in block[4:])]
    for constants in CONSTANTS[number]:
        low = sub_crumb(a[:4])
        # The upper half begins with its second word.
        b5, b6, b7, b4 = sub_crumb([*a[5:], a[4]])
        pairs = [mix_word(x, y) for x, y in zip(low, (b4, b5, b6, b7), strict=True)]
        a = [x for x, _ in pairs] + [y for _, y in pairs]
        a[0] ^= constants[0]
        a[4] ^= constants[1]
    return a


def round_(state: list[_Block], message: _Block) -> list[_Block]:
    """Take in a block of eight words."""
    return [permute(number, block) for number, block in enumerate(inject(state, message))]


def pad(message: bytes) -> bytes:
    """Give whole blocks: the message, a bit 1, and as few bits 0 as that takes."""
    marked = message + b"\x80"
    return marked + bytes(-len(marked) % BLOCK_BYTES)


def luffa(message: bytes) -> bytes:
    """Give the 32 bytes of Luffa-256."""
    padded = pad(message)
    state = [list(block) for block in INITIAL]
    for at in range(0, len(padded), BLOCK_BYTES):
        words = (padded[at + 4 * i : at + 4 * i + 4] for i in range(8))
        state = round_(state, [int.from_bytes(word, "big") for word in words])
    state = round_(state, [0] * 8)
    return b"".join(word.to_bytes(4, "big") for word in _added(*state))
