# SPDX-License-Identifier: Apache-2.0
"""JH-256 as its designer submitted it (Wu, "The Hash Function JH"), in rounds 2 and 3.

In round 2 35 rounds and a layer of S-boxes, in round 3 (JH42) 42 rounds. Messages of whole bytes.
Written to be read beside the document, not to be fast. A state is a list of 256 elements of four
bits; of a string of bits the first is the most significant one. Start reading at `jh`.
"""

from __future__ import annotations

BLOCK_BYTES = 64
DIGEST_BITS = 256
ROUNDS = 35  # a layer of S-boxes follows
JH42_ROUNDS = 42  # none does

# 2.1 (S-boxes): S0 and S1; a bit of the round constant selects one for each element.
SBOX = (
    (9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14),
    (3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8),
)
# The constant of round 0: the fraction of the square root of 2.
FIRST_CONSTANT = 0x6A09E667F3BCC908B2FB1366EA957D3E3ADEC17512775099DA2F590B0667322A


def bits(value: int, count: int) -> list[int]:
    """Give the bits of a number, the most significant one first."""
    return [value >> (count - 1 - i) & 1 for i in range(count)]


def double(a: int) -> int:
    """Multiply an element of GF(2^4) by 2; the polynomial is x^4 + x + 1."""
    return (a << 1 ^ (0x13 if a & 8 else 0)) & 15


def substitute(elements: list[int], constant: list[int]) -> list[int]:
    """Apply to each element the S-box that its bit of the constant selects."""
    return [SBOX[bit][a] for a, bit in zip(elements, constant, strict=True)]


def transform(a: int, b: int) -> tuple[int, int]:
    """Apply the linear transformation L to two elements."""
    d = b ^ double(a)
    return a ^ double(d), d


def permute(elements: list[int]) -> list[int]:
    """Apply the permutation P_d: pi, then P', then phi."""
    swapped = list(elements)
    for i in range(0, len(elements), 4):  # pi
        swapped[i + 2], swapped[i + 3] = elements[i + 3], elements[i + 2]
    first, second = swapped[0::2], swapped[1::2]  # P'
    for i in range(0, len(second), 2):  # phi
        second[i], second[i + 1] = second[i + 1], second[i]
    return first + second


def round_(elements: list[int], constant: list[int]) -> list[int]:
    """Apply a round R_d: S-boxes, L on pairs of elements, P_d."""
    v = substitute(elements, constant)
    w: list[int] = []
    for i in range(0, len(v), 2):
        w += transform(v[i], v[i + 1])
    return permute(w)


def constants() -> list[list[int]]:
    """Give the bits of the constants of all rounds: each is R_6 of the one before."""
    none = [0] * 64
    elements = [FIRST_CONSTANT >> (252 - 4 * i) & 15 for i in range(64)]
    found = []
    for _ in range(JH42_ROUNDS):
        found.append([bit for element in elements for bit in bits(element, 4)])
        elements = round_(elements, none)
    return found


CONSTANTS = constants()


def group(a: list[int]) -> list[int]:
    """Gather 1024 bits into 256 elements."""
    q = []
    for i in range(128):
        q.append(a[i] << 3 | a[i + 256] << 2 | a[i + 512] << 1 | a[i + 768])
        q.append(a[i + 128] << 3 | a[i + 384] << 2 | a[i + 640] << 1 | a[i + 896])
    return q


def ungroup(q: list[int]) -> list[int]:
    """Give the 1024 bits of 256 elements, the inverse of `group`."""
    halves = [q[0::2], q[1::2]]
    return [a >> (3 - k) & 1 for k in range(4) for half in halves for a in half]


def bijection(a: list[int], rounds: int) -> list[int]:
    """Apply E_8 to 1024 bits."""
    q = group(a)
    for constant in CONSTANTS[:rounds]:
        q = round_(q, constant)
    if rounds == ROUNDS:
        q = substitute(q, CONSTANTS[ROUNDS])
    return ungroup(q)


def compress(h: list[int], block: bytes, rounds: int) -> list[int]:
    """Apply the compression function F_8 to 1024 bits and a block of 64 bytes."""
    m = bits(int.from_bytes(block, "big"), 512)
    a = bijection([x ^ y for x, y in zip(h, m + [0] * 512, strict=True)], rounds)
    return [x ^ y for x, y in zip(a, [0] * 512 + m, strict=True)]


def initial(rounds: int) -> list[int]:
    """Give F_8 of the digest's length in the first 16 bits, and of a block of zeros."""
    return compress(bits(DIGEST_BITS, 16) + [0] * 1008, bytes(BLOCK_BYTES), rounds)


# The initial values, by rounds.
IV = {rounds: initial(rounds) for rounds in (ROUNDS, JH42_ROUNDS)}


def pad(message: bytes) -> bytes:
    """Append a one, zeros, and the bits of the message in 128 bits: at least 64 bytes in all."""
    zeros = bytes(47 + -len(message) % BLOCK_BYTES)
    return message + b"\x80" + zeros + (8 * len(message)).to_bytes(16, "big")


def jh(message: bytes, rounds: int) -> bytes:
    """Hash a message; gives 32 bytes, the last of the chain value."""
    h = IV[rounds]
    padded = pad(message)
    for at in range(0, len(padded), BLOCK_BYTES):
        h = compress(h, padded[at : at + BLOCK_BYTES], rounds)
    value = int("".join(map(str, h[1024 - DIGEST_BITS :])), 2)
    return value.to_bytes(DIGEST_BITS // 8, "big")


def jh256(message: bytes) -> bytes:
    """Hash a message by JH-256 of round 2."""
    return jh(message, ROUNDS)


def jh256_round3(message: bytes) -> bytes:
    """Hash a message by JH-256 of round 3."""
    return jh(message, JH42_ROUNDS)
