# SPDX-License-Identifier: Apache-2.0
"""Skein-512-256 as its designers submitted it ("The Skein Hash Function Family").

Versions 1.2, of round 2, and 1.3, of the final round, which has another constant in the key
schedule. Sequential hashing of whole bytes, no key, no tree. Written to be read beside the
document, not to be fast. Words are integers of 64 bits, read little-endian. Start reading at
`skein512`.
"""

from __future__ import annotations

BLOCK_BYTES = 64
ROUNDS = 72
# 3.3.2: the constant of the key schedule; version 1.3 names it C_240.
PARITY = 0x5555555555555555
PARITY_1_3 = 0x1BD11BDAA9FC1A22

# 3.3.1, tables 3 and 4: the permutation of the words, and the rotations, by rounds modulo 8.
PERMUTATION = (2, 1, 4, 7, 6, 5, 0, 3)
ROTATIONS = (
    *((46, 36, 19, 37), (33, 27, 14, 42), (17, 49, 36, 39), (44, 9, 54, 56)),
    *((39, 30, 34, 24), (13, 50, 10, 17), (25, 29, 39, 43), (8, 35, 56, 22)),
)
# 3.5.1, table 6: what a chain of blocks is for.
TYPE_CONFIGURATION, TYPE_MESSAGE, TYPE_OUTPUT = 4, 48, 63
SCHEMA = 0x133414853  # 3.5.2: "SHA3", version 1

_MASK = (1 << 64) - 1


def rotate_left(word: int, count: int) -> int:
    """Rotate a word of 64 bits to the left by 1 to 63."""
    return (word << count | word >> (64 - count)) & _MASK


def words(data: bytes) -> list[int]:
    """Give the words of a string of a multiple of eight bytes."""
    return [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]


def text(values: list[int]) -> bytes:
    """Give the bytes of words, the inverse of `words`."""
    return b"".join(value.to_bytes(8, "little") for value in values)


def subkey(key: list[int], tweak: list[int], index: int) -> list[int]:
    """Give subkey `index` of the extended key (9 words) and tweak (3 words), 3.3.2."""
    k = [key[(index + i) % 9] for i in range(8)]
    k[5] = (k[5] + tweak[index % 3]) & _MASK
    k[6] = (k[6] + tweak[(index + 1) % 3]) & _MASK
    k[7] = (k[7] + index) & _MASK
    return k


def threefish(key: list[int], tweak: list[int], block: list[int], parity: int) -> list[int]:
    """Encrypt eight words by Threefish-512 (3.3); the key has eight, the tweak two."""
    for word in key:
        parity ^= word
    key, tweak = [*key, parity], [*tweak, tweak[0] ^ tweak[1]]
    v = block
    for d in range(ROUNDS):
        if d % 4 == 0:
            v = [(a + k) & _MASK for a, k in zip(v, subkey(key, tweak, d // 4), strict=True)]
        f: list[int] = []
        for j in range(4):  # MIX, 3.3.1
            x = (v[2 * j] + v[2 * j + 1]) & _MASK
            f += [x, rotate_left(v[2 * j + 1], ROTATIONS[d % 8][j]) ^ x]
        v = [f[i] for i in PERMUTATION]
    last = subkey(key, tweak, ROUNDS // 4)
    return [(a + k) & _MASK for a, k in zip(v, last, strict=True)]


def ubi(chain: list[int], message: bytes, kind: int, parity: int) -> list[int]:
    """Chain the blocks of a message (3.4); an empty message is one block of zeros."""
    count = max(1, -(-len(message) // BLOCK_BYTES))
    padded = message + bytes(count * BLOCK_BYTES - len(message))
    for i in range(count):
        position = min((i + 1) * BLOCK_BYTES, len(message))
        first, final = i == 0, i == count - 1
        tweak = [position, final << 63 | first << 62 | kind << 56]
        block = words(padded[i * BLOCK_BYTES : (i + 1) * BLOCK_BYTES])
        encrypted = threefish(chain, tweak, block, parity)
        chain = [a ^ b for a, b in zip(encrypted, block, strict=True)]
    return chain


def skein512(message: bytes, output_bytes: int, parity: int = PARITY) -> bytes:
    """Hash a message by Skein-512; 1 to 64 bytes of output (3.5.4)."""
    configuration = text([SCHEMA, 8 * output_bytes, 0, 0])  # 3.5.2
    chain = ubi([0] * 8, configuration, TYPE_CONFIGURATION, parity)
    chain = ubi(chain, message, TYPE_MESSAGE, parity)
    return text(ubi(chain, bytes(8), TYPE_OUTPUT, parity))[:output_bytes]


def skein512_256(message: bytes) -> bytes:
    """Hash a message by version 1.2; gives 32 bytes."""
    return skein512(message, 32)


def skein512_256_round3(message: bytes) -> bytes:
    """Hash a message by version 1.3; gives 32 bytes."""
    return skein512(message, 32, PARITY_1_3)
