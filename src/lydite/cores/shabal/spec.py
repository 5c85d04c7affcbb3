# SPDX-License-Identifier: Apache-2.0
"""Shabal-256 as its designers submitted it (Bresson et al., "Shabal, a Submission to NIST").

Messages of whole bytes. Written to be read beside the document, not to be fast. Words are integers
of 32 bits, read little-endian. Start reading at `shabal256`.
"""

from __future__ import annotations

from dataclasses import dataclass

BLOCK_BYTES = 64
DIGEST_BITS = 256
FINAL_ROUNDS = 3

_MASK = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class State:
    """The words A (12), B and C (16 each), and the counter W of 64 bits."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    c: tuple[int, ...]
    w: int


def rotate_left(word: int, count: int) -> int:
    """Rotate a word of 32 bits to the left by 1 to 31."""
    return (word << count | word >> (32 - count)) & _MASK


def words(block: bytes) -> list[int]:
    """Give the sixteen words of a block."""
    return [int.from_bytes(block[at : at + 4], "little") for at in range(0, BLOCK_BYTES, 4)]


def permute(state: State, m: list[int]) -> State:
    """Apply the keyed permutation P to A and B; C and M are its keys."""
    a, c = list(state.a), state.c
    b = [rotate_left(word, 17) for word in state.b]
    for step in range(48):
        i, x = step % 16, step % 12
        v = 5 * rotate_left(a[(x + 11) % 12], 15) & _MASK
        u = 3 * (a[x] ^ v ^ c[(8 - i) % 16]) & _MASK
        a[x] = u ^ b[(i + 13) % 16] ^ (b[(i + 9) % 16] & ~b[(i + 6) % 16]) ^ m[i]
        b[i] = rotate_left(b[i], 1) ^ ~a[x] & _MASK
    for step in range(36):
        a[step % 12] = (a[step % 12] + c[(step + 3) % 16]) & _MASK
    return State(tuple(a), tuple(b), c, state.w)


def count(state: State) -> State:
    """Add the counter to A[0] and A[1]."""
    a = (state.a[0] ^ state.w & _MASK, state.a[1] ^ state.w >> 32, *state.a[2:])
    return State(a, state.b, state.c, state.w)


def absorb(state: State, m: list[int]) -> State:
    """Add a block to B, the counter to A, and apply P."""
    b = tuple((x + y) & _MASK for x, y in zip(state.b, m, strict=True))
    return permute(count(State(state.a, b, state.c, state.w)), m)


def message_round(state: State, m: list[int]) -> State:
    """Absorb a block, subtract it from C, exchange B and C, and count on."""
    state = absorb(state, m)
    c = tuple((x - y) & _MASK for x, y in zip(state.c, m, strict=True))
    return State(state.a, c, state.b, (state.w + 1) % 2**64)


def initial() -> State:
    """Give the state after the two blocks of the prefix, which name the length of the digest."""
    state = State((0,) * 12, (0,) * 16, (0,) * 16, 2**64 - 1)
    for first in (DIGEST_BITS, DIGEST_BITS + 16):
        state = message_round(state, [first + i for i in range(16)])
    return state


IV = initial()


def pad(message: bytes) -> bytes:
    """Append a one and zeros, up to whole blocks."""
    return message + b"\x80" + bytes(-(len(message) + 1) % BLOCK_BYTES)


def shabal256(message: bytes) -> bytes:
    """Hash a message; gives 32 bytes, the last words of C."""
    state = IV
    padded = pad(message)
    last = len(padded) - BLOCK_BYTES
    for at in range(0, last, BLOCK_BYTES):
        state = message_round(state, words(padded[at : at + BLOCK_BYTES]))
    m = words(padded[last:])
    state = absorb(state, m)
    for _ in range(FINAL_ROUNDS):
        # The block that would be subtracted from C is added again where it has become B.
        state = permute(count(State(state.a, state.c, state.b, state.w)), m)
    # The last exchange would make a C of this B.
    return b"".join(word.to_bytes(4, "little") for word in state.b[16 - DIGEST_BITS // 32 :])
