# SPDX-License-Identifier: Apache-2.0
"""The function of `spec.py` with half of the state in one number: quick enough for many messages.

It is used once it agrees with `spec.py` and with the known answers, which `verify` tries first.
"""

from __future__ import annotations

from lydite.cores.cubehash import spec


def _spread(word: int) -> int:
    """Give a number with this word in all 16 places."""
    return sum(word << 32 * i for i in range(16))


def _places(bit: int) -> int:
    """Give the mask of the words whose index lacks a bit."""
    return sum(0xFFFFFFFF << 32 * i for i in range(16) if not i & bit)


# Every second word, so that a sum has room for its carry.
_EVEN = _places(1)
_ODD = _EVEN << 32
# Of each half of a round: the rotation, its masks, and the two exchanges as shifts with masks.
_HALVES = tuple(
    (
        rotation,
        _spread((1 << 32) - (1 << rotation)),
        _spread((1 << rotation) - 1),
        (32 * swap0, _places(swap0)),
        (32 * swap1, _places(swap1)),
    )
    for rotation, swap0, swap1 in ((7, 8, 2), (11, 4, 1))
)


def _rounds(x0: int, x1: int, count: int) -> tuple[int, int]:
    for _ in range(count):
        for rotation, high, low, (shift0, mask0), (shift1, mask1) in _HALVES:
            even = (x0 & _EVEN) + (x1 & _EVEN) & _EVEN
            total = even | (x0 & _ODD) + (x1 & _ODD) & _ODD
            x0 = x0 << rotation & high | x0 >> (32 - rotation) & low
            x0 = ((x0 & mask0) << shift0 | x0 >> shift0 & mask0) ^ total
            x1 = (total & mask1) << shift1 | total >> shift1 & mask1
    return x0, x1


def _number(words: list[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(words))


_INITIAL = (_number(spec.INITIAL[:16]), _number(spec.INITIAL[16:]))


def cubehash(message: bytes) -> bytes:
    """Give the 32 bytes of CubeHash16/32-256."""
    padded = spec.pad(message)
    x0, x1 = _INITIAL
    for at in range(0, len(padded), spec.BLOCK_BYTES):
        x0 ^= int.from_bytes(padded[at : at + spec.BLOCK_BYTES], "little")
        x0, x1 = _rounds(x0, x1, spec.ROUNDS)
    x0, _ = _rounds(x0, x1 ^ 1 << 480, 10 * spec.ROUNDS)
    return x0.to_bytes(64, "little")[: spec.DIGEST_BYTES]
