# SPDX-License-Identifier: Apache-2.0
"""The functions of `spec.py` by tables: some ten thousand blocks a second.

A column is an integer with its first byte on top. A table has what S-box and MixColumns make of a
byte of row 0; those of the other rows are the same rotated (FIPS 197, 5.1.1 to 5.1.3). Decryption
is that of the equivalent inverse cipher (5.3.5), whose round keys went through InvMixColumns.
"""

from __future__ import annotations

import functools

from lydite.cores.aes import spec

_Words = tuple[int, int, int, int]
_Tables = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]

_SBOX = bytes(spec.SBOX)
_INV_SBOX = bytes(spec.INV_SBOX)


def _tables(sbox: bytes, factors: tuple[int, int, int, int]) -> _Tables:
    """Give the columns that a byte of each row becomes, for all values of the byte."""
    of_rows = []
    for row in range(4):
        turned = factors[-row:] + factors[:-row] if row else factors
        of_rows.append(
            tuple(
                int.from_bytes(bytes(spec.multiply(value, factor) for factor in turned), "big")
                for value in sbox
            )
        )
    return (of_rows[0], of_rows[1], of_rows[2], of_rows[3])


_ENCRYPT = _tables(_SBOX, (2, 1, 1, 3))
_DECRYPT = _tables(_INV_SBOX, (14, 9, 13, 11))


def _words(block: bytes) -> _Words:
    """Cut a block into columns."""
    value = int.from_bytes(block, "big")
    mask = 0xFFFFFFFF
    return (value >> 96, value >> 64 & mask, value >> 32 & mask, value & mask)


@functools.lru_cache(maxsize=64)
def _encryption_keys(key: bytes) -> tuple[_Words, ...]:
    """Expand a key (FIPS 197, 5.2)."""
    if len(key) != spec.KEY_BYTES:
        raise ValueError(f"a key of AES-128 has {spec.KEY_BYTES} bytes, not {len(key)}")
    a, b, c, d = _words(key)
    keys = [(a, b, c, d)]
    constant = 1
    for _ in range(spec.ROUNDS):
        a ^= _SBOX[d >> 16 & 255] << 24 | _SBOX[d >> 8 & 255] << 16
        a ^= _SBOX[d & 255] << 8 | _SBOX[d >> 24] ^ constant << 24
        b ^= a
        c ^= b
        d ^= c
        keys.append((a, b, c, d))
        constant = spec.multiply(constant, 2)
    return tuple(keys)


def _unmixed(word: int) -> int:
    """Put a column through InvMixColumns: the tables' S-box is undone first."""
    t0, t1, t2, t3 = _DECRYPT
    return (
        t0[_SBOX[word >> 24]]
        ^ t1[_SBOX[word >> 16 & 255]]
        ^ t2[_SBOX[word >> 8 & 255]]
        ^ t3[_SBOX[word & 255]]
    )


@functools.lru_cache(maxsize=64)
def _decryption_keys(key: bytes) -> tuple[_Words, ...]:
    """Expand a key for the equivalent inverse cipher, last round key first (FIPS 197, 5.3.5)."""
    first, *between, last = _encryption_keys(key)
    unmixed = [
        (_unmixed(a), _unmixed(b), _unmixed(c), _unmixed(d)) for a, b, c, d in reversed(between)
    ]
    return (last, *unmixed, first)


def _encrypt_block(keys: tuple[_Words, ...], block: int) -> int:
    """Encrypt one block, its first byte on top."""
    t0, t1, t2, t3 = _ENCRYPT
    a, b, c, d = keys[0]
    a ^= block >> 96
    b ^= block >> 64 & 0xFFFFFFFF
    c ^= block >> 32 & 0xFFFFFFFF
    d ^= block & 0xFFFFFFFF
    for e, f, g, h in keys[1:-1]:
        a, b, c, d = (
            t0[a >> 24] ^ t1[b >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[d & 255] ^ e,
            t0[b >> 24] ^ t1[c >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[a & 255] ^ f,
            t0[c >> 24] ^ t1[d >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[b & 255] ^ g,
            t0[d >> 24] ^ t1[a >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[c & 255] ^ h,
        )
    return _last_round(_SBOX, keys[-1], (a, b, c, d), (1, 2, 3))


def _decrypt_block(keys: tuple[_Words, ...], block: int) -> int:
    """Decrypt one block, its first byte on top."""
    t0, t1, t2, t3 = _DECRYPT
    a, b, c, d = keys[0]
    a ^= block >> 96
    b ^= block >> 64 & 0xFFFFFFFF
    c ^= block >> 32 & 0xFFFFFFFF
    d ^= block & 0xFFFFFFFF
    for e, f, g, h in keys[1:-1]:
        a, b, c, d = (
            t0[a >> 24] ^ t1[d >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[b & 255] ^ e,
            t0[b >> 24] ^ t1[a >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[c & 255] ^ f,
            t0[c >> 24] ^ t1[b >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[d & 255] ^ g,
            t0[d >> 24] ^ t1[c >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[a & 255] ^ h,
        )
    return _last_round(_INV_SBOX, keys[-1], (a, b, c, d), (3, 2, 1))


def _last_round(sbox: bytes, key: _Words, state: _Words, shifts: tuple[int, int, int]) -> int:
    """Finish without MixColumns; `shifts` says from how many columns on rows 1 to 3 come."""
    result = 0
    for column in range(4):
        word = sbox[state[column] >> 24] << 24
        word |= sbox[state[(column + shifts[0]) % 4] >> 16 & 255] << 16
        word |= sbox[state[(column + shifts[1]) % 4] >> 8 & 255] << 8
        word |= sbox[state[(column + shifts[2]) % 4] & 255]
        result = result << 32 | word ^ key[column]
    return result


def _blocks(data: bytes) -> list[int]:
    """Cut whole blocks, first byte on top."""
    if len(data) % spec.BLOCK_BYTES:
        raise ValueError(f"{len(data)} bytes are no whole blocks of {spec.BLOCK_BYTES}")
    return [int.from_bytes(data[i : i + 16], "big") for i in range(0, len(data), 16)]


def encrypt(key: bytes, plaintext: bytes) -> bytes:
    """Encrypt whole blocks, each by itself (SP 800-38A, 6.1)."""
    keys = _encryption_keys(key)
    return b"".join(_encrypt_block(keys, block).to_bytes(16, "big") for block in _blocks(plaintext))


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """Decrypt whole blocks, each by itself (SP 800-38A, 6.1)."""
    keys = _decryption_keys(key)
    return b"".join(
        _decrypt_block(keys, block).to_bytes(16, "big") for block in _blocks(ciphertext)
    )


def ctr(key: bytes, counter: bytes, message: bytes) -> bytes:
    """Encrypt or decrypt bytes in counter mode, from a counter block on (SP 800-38A, 6.5)."""
    if len(counter) != spec.BLOCK_BYTES:
        raise ValueError(f"a counter block has {spec.BLOCK_BYTES} bytes, not {len(counter)}")
    keys = _encryption_keys(key)
    count = -(-len(message) // 16)
    first = int.from_bytes(counter, "big")
    stream = 0
    for i in range(count):
        stream = stream << 128 | _encrypt_block(keys, (first + i) % (1 << 128))
    # The key stream's last bytes are not used if the last block is short.
    stream >>= 8 * (16 * count - len(message))
    return (int.from_bytes(message, "big") ^ stream).to_bytes(len(message), "big")
