# SPDX-License-Identifier: Apache-2.0
"""CubeHash16/32-256 (D. J. Bernstein, "CubeHash specification (2.B.1)", 2009), of whole bytes.

The state is 32 words of 32 bits, x[ijklm] of the document with i the highest bit of the index.
"""

from __future__ import annotations

ROUNDS, BLOCK_BYTES, DIGEST_BYTES = 16, 32, 32
_MASK = 0xFFFFFFFF
_State = list[int]


def _rotated(words: _State, count: int) -> _State:
    return [(x << count | x >> (32 - count)) & _MASK for x in words]


def _swapped(words: _State, bit: int) -> _State:
    """Exchange words whose indices differ in one bit."""
    return [words[i ^ bit] for i in range(16)]


def round_(state: _State) -> _State:
    """Give the state after a round: its ten steps, each on one half, x0 or x1."""
    x0, x1 = state[:16], state[16:]
    for rotation, swap0, swap1 in ((7, 8, 2), (11, 4, 1)):
        x1 = [(a + b) & _MASK for a, b in zip(x0, x1, strict=True)]
        x0 = _swapped(_rotated(x0, rotation), swap0)
        x0 = [a ^ b for a, b in zip(x0, x1, strict=True)]
        x1 = _swapped(x1, swap1)
    return x0 + x1


def initial() -> _State:
    """Give the initial state: the parameters, and ten times the rounds of a block."""
    state = [DIGEST_BYTES, BLOCK_BYTES, ROUNDS] + 29 * [0]
    for _ in range(10 * ROUNDS):
        state = round_(state)
    return state


INITIAL = initial()


def pad(message: bytes) -> bytes:
    """Give whole blocks: the message, a bit 1, and as few bits 0 as that takes."""
    marked = message + b"\x80"
    return marked + bytes(-len(marked) % BLOCK_BYTES)


def cubehash(message: bytes) -> bytes:
    """Give the 32 bytes of CubeHash16/32-256."""
    padded, state = pad(message), INITIAL
    for at in range(0, len(padded), BLOCK_BYTES):
        block = (padded[at + 4 * i : at + 4 * i + 4] for i in range(BLOCK_BYTES // 4))
        added = [a ^ int.from_bytes(b, "little") for a, b in zip(state[:8], block, strict=True)]
        state = added + state[8:]
        for _ in range(ROUNDS):
            state = round_(state)
    state = [*state[:-1], state[-1] ^ 1]
    for _ in range(10 * ROUNDS):
        state = round_(state)
    return b"".join(x.to_bytes(4, "little") for x in state[: DIGEST_BYTES // 4])
