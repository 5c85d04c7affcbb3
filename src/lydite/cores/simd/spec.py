# SPDX-License-Identifier: Apache-2.0
"""SIMD-256 as tweaked for round 2 (Leurent, Bouillaguet, Fouque: "SIMD Is a Message Digest", 2009),
of whole bytes.

The state is four rows of four words of 32 bits. A block is expanded by a transform over the
integers modulo 257; steps of a Feistel cipher take in pairs of its points. Start reading at `simd`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

BLOCK_BYTES, DIGEST_BYTES, POINTS, MODULUS = 64, 32, 128, 257
ALPHA = 139  # of order 128
_MASK = 0xFFFFFFFF
_POWERS = [pow(ALPHA, i, MODULUS) for i in range(POINTS)]
# The bytes of a block are the first inputs of the transform; of the others these are one.
ONES, FINAL_ONES = (127,), (127, 125)
# Factors of the inner code, and which eight pairs of points a step has: its number times eight is
# added to these two places, and twice the number of the word.
FACTORS = (185, 185, 233, 233)
PLACES = ((0, 1), (0, 1), (-128, -64), (-191, -127))
ORDER = (
    (4, 6, 0, 2, 7, 5, 3, 1),
    (15, 11, 12, 8, 9, 13, 10, 14),
    (17, 18, 23, 20, 22, 21, 16, 19),
    (30, 24, 25, 31, 27, 29, 28, 26),
)
ROTATIONS = ((3, 23, 17, 27), (28, 19, 22, 7), (29, 9, 15, 5), (4, 13, 10, 25))

State = list[list[int]]


def transform(block: bytes, *, final: bool) -> list[int]:
    """Give the points, from -128 to 128."""
    inputs = [*enumerate(block), *((place, 1) for place in (FINAL_ONES if final else ONES))]
    points = []
    for i in range(POINTS):
        value = sum(x * _POWERS[i * j % POINTS] for j, x in inputs) % MODULUS
        points.append(value if value <= 128 else value - MODULUS)
    return points


def words_of(points: Sequence[int], round_: int, step: int) -> list[int]:
    """Give the four words of a step: pairs of points times a factor, 16 bits each."""
    base = 8 * ORDER[round_][step]
    low, high = PLACES[round_]
    words = []
    for k in range(4):
        pair = points[base + low + 2 * k], points[base + high + 2 * k]
        halves = [FACTORS[round_] * point & 0xFFFF for point in pair]
        words.append(halves[0] | halves[1] << 16)
    return words


def _left(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def choose(x: int, y: int, z: int) -> int:
    """Give the bits of y where x has a one, else those of z."""
    return (y ^ z) & x ^ z


def majority(x: int, y: int, z: int) -> int:
    """Give the bits that two of three have."""
    return x & y | (x | y) & z


def step_of(state: State, words: Sequence[int], number: int, rotations: tuple[int, int]) -> State:
    """Apply a step, which is the number-th one of all."""
    a, b, c, d = state
    function = majority if number < 32 and number % 8 >= 4 else choose
    turned = [_left(word, rotations[0]) for word in a]
    new = []
    for n in range(4):
        total = (d[n] + words[n] + function(a[n], b[n], c[n])) & _MASK
        other = turned[n ^ (number % 3 + 1)]
        new.append((_left(total, rotations[1]) + other) & _MASK)
    return [new, turned, b, c]


def compress(chain: State, block: bytes, *, final: bool) -> State:
    """Give the chaining value after a block."""
    points = transform(block, final=final)
    words = [int.from_bytes(block[at : at + 4], "little") for at in range(0, BLOCK_BYTES, 4)]
    state = [[h ^ words[4 * i + j] for j, h in enumerate(row)] for i, row in enumerate(chain)]
    for number in range(36):
        # Behind four rounds the chaining value is taken in as words are.
        round_ = min(number // 8, 3)
        turns = ROTATIONS[round_]
        rotations = turns[number % 4], turns[(number + 1) % 4]
        added = words_of(points, round_, number % 8) if number < 32 else chain[number - 32]
        state = step_of(state, added, number, rotations)
    return state


def initial() -> State:
    """Give the first chaining value: what becomes of zeros with the name of the function."""
    return compress([[0] * 4] * 4, b"SIMD-256 v1.1".ljust(BLOCK_BYTES, b"\0"), final=False)


INITIAL = initial()


def blocks(message: bytes) -> Iterator[tuple[bytes, bool]]:
    """Give the blocks: the message with zeros, and as the final one the number of its bits."""
    for at in range(0, len(message), BLOCK_BYTES):
        yield message[at : at + BLOCK_BYTES].ljust(BLOCK_BYTES, b"\0"), False
    yield (8 * len(message)).to_bytes(BLOCK_BYTES, "little"), True


def simd(message: bytes) -> bytes:
    """Give the 32 bytes of SIMD-256."""
    chain = INITIAL
    for block, final in blocks(message):
        chain = compress(chain, block, final=final)
    return b"".join(word.to_bytes(4, "little") for row in chain[:2] for word in row)
