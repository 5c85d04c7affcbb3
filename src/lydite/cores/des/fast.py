# SPDX-License-Identifier: Apache-2.0
"""The functions of `spec.py` on integers: some twenty thousand blocks, or keys, a second.

Halves are integers of 32 bits, bit 1 on top. A table has what an S-box and P make of six bits. A
permutation is a sum over bytes, each of which has a table; so are the keys of all rounds, which are
bits of the key in other places.
"""

from __future__ import annotations

import functools

from lydite.cores.des import spec

# Of each round, what goes into the eight S-boxes: a byte each.
_Keys = tuple[bytes, ...]
_Bytes = tuple[tuple[int, ...], ...]


def _by_bytes(table: tuple[int, ...]) -> _Bytes:
    """Give, for each byte of 64 bits, what its values become in a permutation."""
    to = {source - 1: len(table) - 1 - place for place, source in enumerate(table)}
    return tuple(
        tuple(
            sum(
                1 << to[8 * byte + bit]
                for bit in range(8)
                if value >> (7 - bit) & 1 and 8 * byte + bit in to
            )
            for value in range(256)
        )
        for byte in range(8)
    )


_IP, _INVERSE_IP, _PC_1 = map(_by_bytes, (spec.IP, spec.INVERSE_IP, spec.PC_1))


def _sp() -> tuple[tuple[int, ...], ...]:
    tables = []
    for i in range(8):
        table = []
        for value in range(64):
            bits = [0] * 48
            bits[6 * i : 6 * i + 6] = [value >> (5 - n) & 1 for n in range(6)]
            out = [0] * 32
            out[4 * i : 4 * i + 4] = spec.substitute(tuple(bits))[4 * i : 4 * i + 4]
            table.append(int("".join(map(str, spec.select(tuple(out), spec.P))), 2))
        tables.append(tuple(table))
    return tuple(tables)


_SP = _sp()


def _permute(data: bytes, tables: _Bytes) -> int:
    result = 0
    for byte, table in zip(data, tables, strict=True):
        result |= table[byte]
    return result


def _round_keys(key: bytes) -> bytes:
    """Give the keys of all rounds, one after the other."""
    chosen = _permute(key, _PC_1)
    bits = tuple(int(bit) for bit in f"{chosen:056b}")
    c, d = bits[:28], bits[28:]
    keys = b""
    for shift in spec.SHIFTS:
        c, d = c[shift:] + c[:shift], d[shift:] + d[:shift]
        text = "".join(map(str, spec.select(c + d, spec.PC_2)))
        keys += bytes(int(text[n : n + 6], 2) for n in range(0, 48, 6))
    return keys


def _by_key_bytes() -> _Bytes:
    """Give, for each byte of a key, what its values become in the keys of all rounds."""
    made = [int.from_bytes(_round_keys((1 << n).to_bytes(8, "big")), "big") for n in range(64)]
    return tuple(
        tuple(
            sum(made[56 - 8 * byte + bit] for bit in range(8) if value >> bit & 1)
            for value in range(256)
        )
        for byte in range(8)
    )


_SCHEDULE = _by_key_bytes()


@functools.lru_cache(maxsize=64)
def _schedule(key: bytes) -> _Keys:
    """Give the round keys."""
    size = 8 * len(spec.SHIFTS)
    found = _permute(key, _SCHEDULE).to_bytes(size, "big")
    return tuple(found[n : n + 8] for n in range(0, size, 8))


def _rounds(left: int, right: int, keys: _Keys) -> tuple[int, int]:
    s1, s2, s3, s4, s5, s6, s7, s8 = _SP
    for k1, k2, k3, k4, k5, k6, k7, k8 in keys:
        # The bits that E chooses stand side by side once the ends are repeated.
        wide = (right & 1) << 33 | right << 1 | right >> 31
        left, right = (
            right,
            left
            ^ s1[wide >> 28 ^ k1]
            ^ s2[wide >> 24 & 63 ^ k2]
            ^ s3[wide >> 20 & 63 ^ k3]
            ^ s4[wide >> 16 & 63 ^ k4]
            ^ s5[wide >> 12 & 63 ^ k5]
            ^ s6[wide >> 8 & 63 ^ k6]
            ^ s7[wide >> 4 & 63 ^ k7]
            ^ s8[wide & 63 ^ k8],
        )
    return right, left


def _through(passes: tuple[_Keys, ...], data: bytes) -> bytes:
    if len(data) % spec.BLOCK_BYTES:
        raise ValueError(f"{len(data)} bytes are no whole blocks of {spec.BLOCK_BYTES}")
    result = []
    for at in range(0, len(data), spec.BLOCK_BYTES):
        block = _permute(data[at : at + 8], _IP)
        left, right = block >> 32, block & 0xFFFFFFFF
        for keys in passes:
            left, right = _rounds(left, right, keys)
        block = left << 32 | right
        result.append(_permute(block.to_bytes(8, "big"), _INVERSE_IP).to_bytes(8, "big"))
    return b"".join(result)


def _passes(key: bytes) -> tuple[_Keys, ...]:
    """Give the round keys of each pass of an encryption."""
    if len(key) not in (8, 16, 24):
        raise ValueError(f"a key has 8, 16 or 24 bytes, not {len(key)}")
    schedules = [_schedule(key[i : i + 8]) for i in range(0, len(key), 8)]
    if len(schedules) == 1:
        return (schedules[0],)
    return (
        schedules[0],
        schedules[1][::-1],
        schedules[-1] if len(schedules) == 3 else schedules[0],
    )


def encrypt(key: bytes, plaintext: bytes) -> bytes:
    """Encrypt whole blocks, each by itself, under one key to three keys."""
    return _through(_passes(key), plaintext)


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """Decrypt whole blocks, each by itself."""
    return _through(tuple(keys[::-1] for keys in reversed(_passes(key))), ciphertext)


def ctr(key: bytes, counter: bytes, message: bytes) -> bytes:
    """Encrypt or decrypt bytes in counter mode, from a counter block on."""
    first, blocks = int.from_bytes(counter, "big"), -(-len(message) // spec.BLOCK_BYTES)
    counters = ((first + n) % (1 << 64) for n in range(blocks))
    stream = encrypt(key, b"".join(value.to_bytes(8, "big") for value in counters))
    return bytes(a ^ b for a, b in zip(message, stream, strict=False))


def search(
    first: bytes, last: bytes, plaintext: bytes, ciphertext: bytes, second: bytes, cipher2: bytes
) -> bytes | None:
    """Give the lowest key from first to last that encrypts both pairs; None if there is none."""
    for number in range(spec.number_of(first), spec.number_of(last) + 1):
        key = spec.key_of(number)
        if encrypt(key, plaintext) == ciphertext and encrypt(key, second) == cipher2:
            return key
    return None
