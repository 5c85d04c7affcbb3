# SPDX-License-Identifier: Apache-2.0
"""JH-256 as quick as plain Python goes; `spec` is what it must agree with.

A state is eight integers of 128 bits: bit k of all even elements, and of all odd ones. An element
stays where it is, but for exchanges in the odd half: after round r it is with the element whose
place differs from its own in bit r modulo 7, and after seven rounds all are in order again. The
constants of the rounds are reordered alike.
"""

from __future__ import annotations

from lydite.cores.jh import spec

_ALL = (1 << 128) - 1
_SWAPS = 7  # rounds after which all elements are in order


def _mask(distance: int) -> int:
    """Give ones in the places whose number has not `distance`, a power of two, in it."""
    block = ((1 << distance) - 1) << distance
    mask = 0
    for at in range(0, 128, 2 * distance):
        mask |= block << at
    return mask


_MASKS = [(1 << r, _mask(1 << r)) for r in range(_SWAPS)]


def _pack(bits: list[int]) -> int:
    """Give 128 bits as a number, the first one highest."""
    return int("".join(map(str, bits)), 2)


def _order() -> list[tuple[list[int], list[int]]]:
    """Give which element of the specification stands in each even and odd place, round by round."""
    even, odd = list(range(0, 256, 2)), list(range(1, 256, 2))
    found = []
    for r in range(spec.JH42_ROUNDS):
        found.append((even, odd))
        # Where the round of the specification puts what stands in an element.
        goes = {element: place for place, element in enumerate(spec.permute(list(range(256))))}
        distance = 1 << r % _SWAPS
        odd = [odd[place ^ distance] for place in range(128)]
        even, odd = [goes[e] for e in even], [goes[e] for e in odd]
    return found


_CONSTANTS = tuple(
    (_pack([constant[e] for e in even]), _pack([constant[e] for e in odd]))
    for constant, (even, odd) in zip(spec.CONSTANTS, _order(), strict=True)
)


def _substitute(x0: int, x1: int, x2: int, x3: int, c: int) -> tuple[int, int, int, int]:
    """Apply to bit k of the four words the S-box that bit k of c selects."""
    x3 ^= _ALL
    x0 ^= c & (x2 ^ _ALL)
    t = c ^ x0 & x1
    x0 ^= x2 & x3
    x3 ^= (x1 ^ _ALL) & x2
    x1 ^= x0 & x2
    x2 ^= x0 & (x3 ^ _ALL)
    x0 ^= x1 | x3
    x3 ^= x1 & x2
    return x0, x1 ^ t & x0, x2 ^ t, x3


def _compress(h: int, m: int, rounds: int) -> int:
    """Apply F_8 to a chain value of 1024 bits and a block of 512, first bit highest."""
    h ^= m << 512
    words = [h >> shift & _ALL for shift in range(896, -1, -128)]
    e0, o0, e1, o1, e2, o2, e3, o3 = words
    for r, (even, odd) in enumerate(_CONSTANTS):
        e0, e1, e2, e3 = _substitute(e0, e1, e2, e3, even)
        o0, o1, o2, o3 = _substitute(o0, o1, o2, o3, odd)
        if r == rounds:
            break
        o0 ^= e1
        o1 ^= e2
        o2 ^= e0 ^ e3
        o3 ^= e0
        e0 ^= o1
        e1 ^= o2
        e2 ^= o0 ^ o3
        e3 ^= o0
        distance, mask = _MASKS[r % _SWAPS]
        o0 = (o0 & mask) >> distance | o0 << distance & mask
        o1 = (o1 & mask) >> distance | o1 << distance & mask
        o2 = (o2 & mask) >> distance | o2 << distance & mask
        o3 = (o3 & mask) >> distance | o3 << distance & mask
    h = 0
    for word in (e0, o0, e1, o1, e2, o2, e3, o3):
        h = h << 128 | word
    return h ^ m


_IV = {rounds: _pack(value) for rounds, value in spec.IV.items()}


def _jh(message: bytes, rounds: int) -> bytes:
    """Hash a message; gives 32 bytes."""
    padded = spec.pad(message)
    h = _IV[rounds]
    for at in range(0, len(padded), spec.BLOCK_BYTES):
        h = _compress(h, int.from_bytes(padded[at : at + spec.BLOCK_BYTES], "big"), rounds)
    return (h & ((1 << 256) - 1)).to_bytes(32, "big")


def jh256(message: bytes) -> bytes:
    """Hash a message by JH-256 of round 2."""
    return _jh(message, spec.ROUNDS)


def jh256_round3(message: bytes) -> bytes:
    """Hash a message by JH-256 of round 3."""
    return _jh(message, spec.JH42_ROUNDS)
