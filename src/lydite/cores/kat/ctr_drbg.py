# SPDX-License-Identifier: Apache-2.0
"""The random generator of known answers of NIST's post-quantum contest.

CTR_DRBG with AES-256 without a derivation function (SP 800-90A, 10.2.1), as those files use it: no
personalization string, no additional input, no reseeding. It has its own AES (FIPS 197), since a
reader of files stands below the cores.
"""

from __future__ import annotations

from collections.abc import Sequence

_KEY_BYTES, _BLOCK_BYTES = 32, 16


class CtrDrbg:
    """A generator; each call of `random` is one request of SP 800-90A.

    Parameters
    ----------
    entropy : bytes
        The seed, of SEED_BYTES.
    """

    SEED_BYTES = _KEY_BYTES + _BLOCK_BYTES

    def __init__(self, entropy: bytes) -> None:
        assert len(entropy) == self.SEED_BYTES, len(entropy)
        self._key, self._counter = bytes(_KEY_BYTES), 0
        self._update(entropy)

    def random(self, count: int) -> bytes:
        """Give so many bytes (10.2.1.5.1)."""
        output = self._blocks(count)
        self._update(bytes(self.SEED_BYTES))
        return output

    def _update(self, data: bytes) -> None:
        """Take over new data (10.2.1.2)."""
        mask = self._blocks(self.SEED_BYTES)
        state = bytes(a ^ b for a, b in zip(mask, data, strict=True))
        self._key = state[:_KEY_BYTES]
        self._counter = int.from_bytes(state[_KEY_BYTES:], "big")

    def _blocks(self, count: int) -> bytes:
        round_keys = key_expansion(self._key)
        output = b""
        while len(output) < count:
            self._counter = (self._counter + 1) % (1 << 8 * _BLOCK_BYTES)
            output += cipher(self._counter.to_bytes(_BLOCK_BYTES, "big"), round_keys)
        return output[:count]


def _times_x(value: int) -> int:
    """Multiply by x in the field of FIPS 197, 4.2."""
    return value << 1 ^ (0x11B if value & 0x80 else 0)


def _sbox() -> bytes:
    """Compute the substitution (FIPS 197, 5.1.1): inverses from powers of the generator x + 1."""
    powers = [1]
    for _ in range(254):
        powers.append(powers[-1] ^ _times_x(powers[-1]))
    table = bytearray(256)
    for exponent, value in enumerate(powers):
        inverse = powers[-exponent % 255]
        bits = inverse * 0x101
        table[value] = (inverse ^ bits >> 7 ^ bits >> 6 ^ bits >> 5 ^ bits >> 4 ^ 0x63) & 0xFF
    table[0] = 0x63
    return bytes(table)


_SBOX = _sbox()
# The byte that ShiftRows puts at each place of a column-first state (5.1.2).
_SHIFTED = tuple((place + 4 * (place % 4)) % _BLOCK_BYTES for place in range(_BLOCK_BYTES))


def key_expansion(key: bytes) -> list[bytes]:
    """Give the round keys of a key of 16, 24 or 32 bytes (FIPS 197, 5.2)."""
    words = [key[at : at + 4] for at in range(0, len(key), 4)]
    length, constant = len(words), 1
    for number in range(length, 4 * (length + 7)):
        word = words[-1]
        if number % length == 0:
            word = (word[1:] + word[:1]).translate(_SBOX)
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = _times_x(constant)
        elif length > 6 and number % length == 4:
            word = word.translate(_SBOX)
        words.append(_xor(word, words[number - length]))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def cipher(block: bytes, round_keys: Sequence[bytes]) -> bytes:
    """Encrypt a block (FIPS 197, 5.1)."""
    state = _xor(block, round_keys[0])
    for round_key in round_keys[1:-1]:
        state = state.translate(_SBOX)
        state = b"".join(
            _mixed(*(state[place] for place in _SHIFTED[at : at + 4]))
            for at in range(0, _BLOCK_BYTES, 4)
        )
        state = _xor(state, round_key)
    state = state.translate(_SBOX)
    return _xor(bytes(state[place] for place in _SHIFTED), round_keys[-1])


def _mixed(a: int, b: int, c: int, d: int) -> bytes:
    """Mix a column (5.1.3)."""
    total = a ^ b ^ c ^ d
    pairs = ((a, b), (b, c), (c, d), (d, a))
    return bytes(first ^ total ^ _times_x(first ^ second) for first, second in pairs)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))
