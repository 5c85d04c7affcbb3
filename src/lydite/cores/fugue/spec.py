# SPDX-License-Identifier: Apache-2.0
"""Fugue-256 of rounds 1 and 2 (Halevi, Hall, Jutla: "The Hash Function Fugue", 2009), of whole
bytes.

The state is 30 columns of four bytes, that of row 0 first. Words of 32 bits have their highest byte
first. Start reading at `fugue`.
"""

from __future__ import annotations

from collections.abc import Iterator

from lydite.cores.aes import spec as aes

COLUMNS, DIGEST_BYTES, WORD_BYTES = 30, 32, 4
# Of the final stage G: rounds like those of a word, and those behind them.
FIRST_ROUNDS, LAST_ROUNDS = 5, 13
# The last eight columns of the first state.
INITIAL = bytes.fromhex("e952bdde6671135fe0d4f668d2b0b594f96c621dfbf929de9149e89934f8c248")
# The matrix of Super-Mix is circulant; this is its first row.
MATRIX_ROW = (1, 4, 7, 1)
MATRIX = tuple(tuple(MATRIX_ROW[(k - i) % 4] for k in range(4)) for i in range(4))

Columns = list[bytes]
_MULTIPLES = {factor: bytes(aes.multiply(byte, factor) for byte in range(256)) for factor in (4, 7)}
_SBOX = bytes(aes.SBOX)


def _times(factor: int, byte: int) -> int:
    return byte if factor == 1 else _MULTIPLES[factor][byte]


def _add(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def super_mix(columns: Columns) -> Columns:
    """Mix four columns: M U + D M', of which row i is turned to the left by i.

    D is diagonal, and has for each row the sum of its bytes but that of the diagonal.
    """
    mixed = [[0] * 4 for _ in range(4)]
    for i in range(4):
        for j in range(4):
            value = 0
            for k in range(4):
                value ^= _times(MATRIX[i][k], columns[j][k])
                if k != i:
                    value ^= _times(MATRIX[j][i], columns[k][i])
            mixed[i][j] = value
    return [bytes(mixed[i][(i + j) % 4] for i in range(4)) for j in range(4)]


def smix(state: Columns) -> Columns:
    """Substitute the first four columns, and mix them."""
    return super_mix([column.translate(_SBOX) for column in state[:4]]) + state[4:]


def cmix(state: Columns) -> Columns:
    """Add columns 4, 5, 6 to columns 0, 1, 2 and 15, 16, 17."""
    state = list(state)
    for i in range(3):
        state[i] = _add(state[i], state[4 + i])
        state[15 + i] = _add(state[15 + i], state[4 + i])
    return state


def turn(state: Columns, count: int) -> Columns:
    """Turn the columns to the right."""
    return state[-count:] + state[:-count]


def subround(state: Columns) -> Columns:
    """Turn by three, CMIX, SMIX."""
    return smix(cmix(turn(state, 3)))


def absorb(state: Columns, word: bytes) -> Columns:
    """Take in a word (TIX), and apply two subrounds."""
    state = list(state)
    state[10] = _add(state[10], state[0])
    state[0] = word
    state[8] = _add(state[8], word)
    state[1] = _add(state[1], state[24])
    return subround(subround(state))


def finish(state: Columns) -> bytes:
    """Apply the final stage G; gives the digest."""
    for _ in range(2 * FIRST_ROUNDS):
        state = subround(state)
    for _ in range(LAST_ROUNDS):
        for place, count in ((15, 15), (16, 14)):
            state = list(state)
            for to in (4, place):
                state[to] = _add(state[to], state[0])
            state = smix(turn(state, count))
    for to in (4, 15):
        state[to] = _add(state[to], state[0])
    return b"".join(state[1:5] + state[15:19])


def words(message: bytes) -> Iterator[bytes]:
    """Give the words: the message, zeros up to a whole word, and its bits in 64 bits."""
    padded = message + bytes(-len(message) % WORD_BYTES) + (8 * len(message)).to_bytes(8, "big")
    for at in range(0, len(padded), WORD_BYTES):
        yield padded[at : at + WORD_BYTES]


def fugue(message: bytes) -> bytes:
    """Give the 32 bytes of Fugue-256."""
    state = [bytes(WORD_BYTES)] * (COLUMNS - 8)
    state += [INITIAL[at : at + WORD_BYTES] for at in range(0, len(INITIAL), WORD_BYTES)]
    for word in words(message):
        state = absorb(state, word)
    return finish(state)
