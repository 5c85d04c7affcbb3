# SPDX-License-Identifier: Apache-2.0
"""Groestl-256 as its designers submitted it (Gauravaram et al., "Groestl, a SHA-3 candidate").

The version of rounds 1 and 2, called Groestl-0 since the final round changed the constants and
ShiftBytes of Q. Messages of whole bytes. Written to be read beside the document, not to be fast. A
state is 8 columns of 8 bytes each, the bytes of a block in order. Start reading at `groestl256`.
"""

from __future__ import annotations

BLOCK_BYTES = 64
ROUNDS = 10

Columns = list[list[int]]


def multiply(a: int, b: int) -> int:
    """Multiply in GF(2^8); the polynomial is that of AES, 0x11b."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def substitution() -> tuple[int, ...]:
    """Give the S-box of AES (FIPS 197, 5.1.1): the inverse, and an affine transformation."""
    table = [0x63]
    for a in range(1, 256):
        inverse = next(b for b in range(1, 256) if multiply(a, b) == 1)
        twice = inverse << 8 | inverse
        rotated = inverse ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4
        table.append((rotated ^ 0x63) & 0xFF)
    return tuple(table)


SBOX = substitution()
MULTIPLES = {factor: tuple(multiply(a, factor) for a in range(256)) for factor in (2, 3, 4, 5, 7)}
# 3.4.4: MixBytes multiplies each column by the circulant matrix with this first row.
MATRIX = (2, 2, 3, 4, 5, 3, 5, 7)


def columns(block: bytes) -> Columns:
    """Give the eight columns of a block (3.4.1)."""
    return [list(block[at : at + 8]) for at in range(0, BLOCK_BYTES, 8)]


def add(a: Columns, b: Columns) -> Columns:
    """Add two states."""
    return [[x ^ y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


def shift_bytes(state: Columns) -> Columns:
    """Move row i to the left by i (3.4.3)."""
    return [[state[(j + i) % 8][i] for i in range(8)] for j in range(8)]


def mix_bytes(state: Columns) -> Columns:
    """Multiply each column by the matrix (3.4.4)."""
    mixed = []
    for column in state:
        new = []
        for i in range(8):
            value = 0
            for j in range(8):
                value ^= MULTIPLES[MATRIX[(j - i) % 8]][column[j]]
            new.append(value)
        mixed.append(new)
    return mixed


def permute(state: Columns, *, q: bool) -> Columns:
    """Apply P or Q (3.4)."""
    for i in range(ROUNDS):
        state = [list(column) for column in state]
        if q:  # 3.4.1
            state[0][7] ^= i ^ 0xFF
        else:
            state[0][0] ^= i
        state = [[SBOX[byte] for byte in column] for column in state]  # 3.4.2
        state = mix_bytes(shift_bytes(state))
    return state


def compress(h: Columns, block: bytes) -> Columns:
    """Give the chain value after a block (3.2)."""
    m = columns(block)
    return add(add(permute(add(h, m), q=False), permute(m, q=True)), h)


def pad(message: bytes) -> bytes:
    """Append a one, zeros, and the number of blocks in 64 bits (3.5)."""
    zeros = bytes(-(len(message) + 9) % BLOCK_BYTES)
    blocks = (len(message) + 9 + len(zeros)) // BLOCK_BYTES
    return message + b"\x80" + zeros + blocks.to_bytes(8, "big")


def groestl256(message: bytes) -> bytes:
    """Hash a message; gives 32 bytes (3.1, 3.3)."""
    h = columns((256).to_bytes(BLOCK_BYTES, "big"))
    padded = pad(message)
    for at in range(0, len(padded), BLOCK_BYTES):
        h = compress(h, padded[at : at + BLOCK_BYTES])
    output = add(permute(h, q=False), h)
    return b"".join(bytes(column) for column in output)[32:]
