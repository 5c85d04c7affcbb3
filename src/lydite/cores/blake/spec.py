# SPDX-License-Identifier: Apache-2.0
"""BLAKE-32 and BLAKE-256 as their designers submitted them ("SHA-3 proposal BLAKE").

Aumasson, Henzen, Meier, Phan, section 2.1: BLAKE-32 of round 2 has ten rounds, BLAKE-256, its name
in the final round, fourteen. No salt. Messages of whole bytes. Written to be read beside the
document, not to be fast. Words are integers of 32 bits, read big-endian. Start reading at `blake`.
"""

from __future__ import annotations

BLOCK_BYTES = 64

# 2.1.1: the initial value is that of SHA-256, the constants are the first digits of pi.
IV = (
    *(0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A),
    *(0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19),
)
CONSTANTS = (
    *(0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
    *(0xA4093822, 0x299F31D0, 0x082EFA98, 0xEC4E6C89),
    *(0x452821E6, 0x38D01377, 0xBE5466CF, 0x34E90C6C),
    *(0xC0AC29B7, 0xC97C50DD, 0x3F84D5B5, 0xB5470917),
)
# 2.1.1: the permutations of the words of a block, one a round; behind the last the first again.
SIGMA = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
# 2.1.2: the words of the state that G_0 to G_7 work on, first columns, then diagonals.
QUARTERS = (
    *((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
    *((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),
)

_MASK = (1 << 32) - 1


def rotate_right(word: int, count: int) -> int:
    """Rotate a word of 32 bits to the right by 1 to 31."""
    return (word >> count | word << (32 - count)) & _MASK


def words(data: bytes) -> list[int]:
    """Give the words of a string of a multiple of four bytes (2.1.1: big-endian)."""
    return [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]


def mix(v: list[int], i: int, m: list[int], sigma: tuple[int, ...]) -> None:
    """Apply G_i of a round to the state, in place (2.1.2)."""
    a, b, c, d = QUARTERS[i]
    first, second = sigma[2 * i], sigma[2 * i + 1]
    v[a] = (v[a] + v[b] + (m[first] ^ CONSTANTS[second])) & _MASK
    v[d] = rotate_right(v[d] ^ v[a], 16)
    v[c] = (v[c] + v[d]) & _MASK
    v[b] = rotate_right(v[b] ^ v[c], 12)
    v[a] = (v[a] + v[b] + (m[second] ^ CONSTANTS[first])) & _MASK
    v[d] = rotate_right(v[d] ^ v[a], 8)
    v[c] = (v[c] + v[d]) & _MASK
    v[b] = rotate_right(v[b] ^ v[c], 7)


def compress(h: tuple[int, ...], block: bytes, counter: int, rounds: int) -> tuple[int, ...]:
    """Give the chain value after a block (2.1.2); the salt is zero.

    Parameters
    ----------
    h : tuple of int
        Eight words.
    block : bytes
        64 bytes.
    counter : int
        Bits of the message up to and with this block, those of the padding not counted; 0 for a
        block without bits of the message.
    rounds : int
        10 or 14.
    """
    low, high = counter & _MASK, counter >> 32
    counts = (low, low, high, high)
    v = [*h, *CONSTANTS[:4], *(a ^ t for a, t in zip(CONSTANTS[4:8], counts, strict=True))]
    m = words(block)
    for round_index in range(rounds):
        for i in range(8):
            mix(v, i, m, SIGMA[round_index % len(SIGMA)])
    return tuple(h[i] ^ v[i] ^ v[i + 8] for i in range(8))


def pad(message: bytes) -> bytes:
    """Append a one, zeros, a one, and the bits of the message in 64 bits (2.1.3)."""
    marks = bytearray(1 + -(len(message) + 9) % BLOCK_BYTES)
    marks[0] |= 0x80
    marks[-1] |= 0x01  # both ones in one byte where but one is left
    return message + marks + (8 * len(message)).to_bytes(8, "big")


def blake(message: bytes, rounds: int) -> bytes:
    """Hash a message; gives 32 bytes (2.1.3, 2.1.4)."""
    h: tuple[int, ...] = IV
    padded = pad(message)
    for at in range(0, len(padded), BLOCK_BYTES):
        counter = 8 * min(at + BLOCK_BYTES, len(message)) if at < len(message) else 0
        h = compress(h, padded[at : at + BLOCK_BYTES], counter, rounds)
    return b"".join(word.to_bytes(4, "big") for word in h)


def blake32(message: bytes) -> bytes:
    """Hash a message by BLAKE-32."""
    return blake(message, 10)


def blake256(message: bytes) -> bytes:
    """Hash a message by BLAKE-256."""
    return blake(message, 14)
