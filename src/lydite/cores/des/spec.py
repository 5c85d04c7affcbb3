# SPDX-License-Identifier: Apache-2.0
"""DES and Triple DES as FIPS 46-3 and SP 800-67 write them, of whole blocks; and the key search.

The reference that the cores of this folder are held to. Written to be read beside the standards,
not to be fast. A block, or a part of one, is a tuple of bits in the standard's order: bit 1 first.
Tables stand as the standard prints them, row by row. Start reading at `cipher`.
"""

from __future__ import annotations

BLOCK_BYTES = 8
KEY_BYTES = 8
ROUNDS = 16
KEY_BITS = 56  # without parity

Bits = tuple[int, ...]

# Initial permutation.
# fmt: off
IP = (
    58, 50, 42, 34, 26, 18, 10, 2,
    60, 52, 44, 36, 28, 20, 12, 4,
    62, 54, 46, 38, 30, 22, 14, 6,
    64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9, 1,
    59, 51, 43, 35, 27, 19, 11, 3,
    61, 53, 45, 37, 29, 21, 13, 5,
    63, 55, 47, 39, 31, 23, 15, 7,
)
# fmt: on

# Its inverse.
# fmt: off
INVERSE_IP = (
    40, 8, 48, 16, 56, 24, 64, 32,
    39, 7, 47, 15, 55, 23, 63, 31,
    38, 6, 46, 14, 54, 22, 62, 30,
    37, 5, 45, 13, 53, 21, 61, 29,
    36, 4, 44, 12, 52, 20, 60, 28,
    35, 3, 43, 11, 51, 19, 59, 27,
    34, 2, 42, 10, 50, 18, 58, 26,
    33, 1, 41, 9, 49, 17, 57, 25,
)
# fmt: on

# Bit selection table.
# fmt: off
E = (
    32, 1, 2, 3, 4, 5,
    4, 5, 6, 7, 8, 9,
    8, 9, 10, 11, 12, 13,
    12, 13, 14, 15, 16, 17,
    16, 17, 18, 19, 20, 21,
    20, 21, 22, 23, 24, 25,
    24, 25, 26, 27, 28, 29,
    28, 29, 30, 31, 32, 1,
)
# fmt: on

# Permutation behind the S-boxes.
# fmt: off
P = (
    16, 7, 20, 21,
    29, 12, 28, 17,
    1, 15, 23, 26,
    5, 18, 31, 10,
    2, 8, 24, 14,
    32, 27, 3, 9,
    19, 13, 30, 6,
    22, 11, 4, 25,
)
# fmt: on

# Permuted choice 1: C, then D.
# fmt: off
PC_1 = (
    57, 49, 41, 33, 25, 17, 9,
    1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27,
    19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15,
    7, 62, 54, 46, 38, 30, 22,
    14, 6, 61, 53, 45, 37, 29,
    21, 13, 5, 28, 20, 12, 4,
)
# fmt: on

# Permuted choice 2.
# fmt: off
PC_2 = (
    14, 17, 11, 24, 1, 5,
    3, 28, 15, 6, 21, 10,
    23, 19, 12, 4, 26, 8,
    16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55,
    30, 40, 51, 45, 33, 48,
    44, 49, 39, 56, 34, 53,
    46, 42, 50, 36, 29, 32,
)
# fmt: on

# Left shifts before each round.
SHIFTS = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)

# S1 to S8, a row a line: the first and the last bit of six choose the row, the others the column.
# fmt: off
SBOXES = (
    (
        (14,  4, 13,  1,  2, 15, 11,  8,  3, 10,  6, 12,  5,  9,  0,  7),
        ( 0, 15,  7,  4, 14,  2, 13,  1, 10,  6, 12, 11,  9,  5,  3,  8),
        ( 4,  1, 14,  8, 13,  6,  2, 11, 15, 12,  9,  7,  3, 10,  5,  0),
        (15, 12,  8,  2,  4,  9,  1,  7,  5, 11,  3, 14, 10,  0,  6, 13),
    ),
    (
        (15,  1,  8, 14,  6, 11,  3,  4,  9,  7,  2, 13, 12,  0,  5, 10),
        ( 3, 13,  4,  7, 15,  2,  8, 14, 12,  0,  1, 10,  6,  9, 11,  5),
        ( 0, 14,  7, 11, 10,  4, 13,  1,  5,  8, 12,  6,  9,  3,  2, 15),
        (13,  8, 10,  1,  3, 15,  4,  2, 11,  6,  7, 12,  0,  5, 14,  9),
    ),
    (
        (10,  0,  9, 14,  6,  3, 15,  5,  1, 13, 12,  7, 11,  4,  2,  8),
        (13,  7,  0,  9,  3,  4,  6, 10,  2,  8,  5, 14, 12, 11, 15,  1),
        (13,  6,  4,  9,  8, 15,  3,  0, 11,  1,  2, 12,  5, 10, 14,  7),
        ( 1, 10, 13,  0,  6,  9,  8,  7,  4, 15, 14,  3, 11,  5,  2, 12),
    ),
    (
        ( 7, 13, 14,  3,  0,  6,  9, 10,  1,  2,  8,  5, 11, 12,  4, 15),
        (13,  8, 11,  5,  6, 15,  0,  3,  4,  7,  2, 12,  1, 10, 14,  9),
        (10,  6,  9,  0, 12, 11,  7, 13, 15,  1,  3, 14,  5,  2,  8,  4),
        ( 3, 15,  0,  6, 10,  1, 13,  8,  9,  4,  5, 11, 12,  7,  2, 14),
    ),
    (
        ( 2, 12,  4,  1,  7, 10, 11,  6,  8,  5,  3, 15, 13,  0, 14,  9),
        (14, 11,  2, 12,  4,  7, 13,  1,  5,  0, 15, 10,  3,  9,  8,  6),
        ( 4,  2,  1, 11, 10, 13,  7,  8, 15,  9, 12,  5,  6,  3,  0, 14),
        (11,  8, 12,  7,  1, 14,  2, 13,  6, 15,  0,  9, 10,  4,  5,  3),
    ),
    (
        (12,  1, 10, 15,  9,  2,  6,  8,  0, 13,  3,  4, 14,  7,  5, 11),
        (10, 15,  4,  2,  7, 12,  9,  5,  6,  1, 13, 14,  0, 11,  3,  8),
        ( 9, 14, 15,  5,  2,  8, 12,  3,  7,  0,  4, 10,  1, 13, 11,  6),
        ( 4,  3,  2, 12,  9,  5, 15, 10, 11, 14,  1,  7,  6,  0,  8, 13),
    ),
    (
        ( 4, 11,  2, 14, 15,  0,  8, 13,  3, 12,  9,  7,  5, 10,  6,  1),
        (13,  0, 11,  7,  4,  9,  1, 10, 14,  3,  5, 12,  2, 15,  8,  6),
        ( 1,  4, 11, 13, 12,  3,  7, 14, 10, 15,  6,  8,  0,  5,  9,  2),
        ( 6, 11, 13,  8,  1,  4, 10,  7,  9,  5,  0, 15, 14,  2,  3, 12),
    ),
    (
        (13,  2,  8,  4,  6, 15, 11,  1, 10,  9,  3, 14,  5,  0, 12,  7),
        ( 1, 15, 13,  8, 10,  3,  7,  4, 12,  5,  6, 11,  0, 14,  9,  2),
        ( 7, 11,  4,  1,  9, 12, 14,  2,  0,  6, 10, 13, 15,  3,  5,  8),
        ( 2,  1, 14,  7,  4, 10,  8, 13, 15, 12,  9,  0,  3,  5,  6, 11),
    ),
)
# fmt: on


def bits_of(data: bytes) -> Bits:
    """Give the bits of bytes, the most significant one of the first byte first."""
    return tuple(byte >> (7 - i) & 1 for byte in data for i in range(8))


def bytes_of(bits: Bits) -> bytes:
    """Undo `bits_of`."""
    return bytes(_number(bits[i : i + 8]) for i in range(0, len(bits), 8))


def _number(bits: Bits) -> int:
    value = 0
    for bit in bits:
        value = value << 1 | bit
    return value


def select(bits: Bits, table: tuple[int, ...]) -> Bits:
    """Give the bits that a table names, counted from 1."""
    return tuple(bits[place - 1] for place in table)


def _add(a: Bits, b: Bits) -> Bits:
    return tuple(x ^ y for x, y in zip(a, b, strict=True))


def key_schedule(key: bytes) -> tuple[Bits, ...]:
    """Give K1 to K16 (FIPS 46-3, appendix 1, KS). Parity bits are not looked at."""
    chosen = select(bits_of(key), PC_1)
    c, d = chosen[:28], chosen[28:]
    keys = []
    for shift in SHIFTS:
        c, d = c[shift:] + c[:shift], d[shift:] + d[:shift]
        keys.append(select(c + d, PC_2))
    return tuple(keys)


def substitute(bits: Bits) -> Bits:
    """Put 48 bits through the S-boxes (FIPS 46-3, The Cipher Function f)."""
    result: Bits = ()
    for i, sbox in enumerate(SBOXES):
        six = bits[6 * i : 6 * i + 6]
        value = sbox[_number((six[0], six[5]))][_number(six[1:5])]
        result += tuple(value >> (3 - n) & 1 for n in range(4))
    return result


def f(right: Bits, key: Bits) -> Bits:
    """Compute the cipher function (FIPS 46-3, The Cipher Function f)."""
    return select(substitute(_add(select(right, E), key)), P)


def cipher(block: bytes, round_keys: tuple[Bits, ...]) -> bytes:
    """Encrypt one block, or, with the round keys in reverse order, decrypt one (FIPS 46-3)."""
    bits = select(bits_of(block), IP)
    left, right = bits[:32], bits[32:]
    for key in round_keys:
        left, right = right, _add(left, f(right, key))
    return bytes_of(select(right + left, INVERSE_IP))


def _keys_of(key: bytes) -> tuple[tuple[Bits, ...], ...]:
    """Give the round keys of each pass of an encryption (SP 800-67, 3.1, 3.2): one key is DES; of
    two, K3 is K1. The second pass of three decrypts.
    """
    if len(key) not in (KEY_BYTES, 2 * KEY_BYTES, 3 * KEY_BYTES):
        raise ValueError(f"a key has 8, 16 or 24 bytes, not {len(key)}")
    schedules = [key_schedule(key[i : i + 8]) for i in range(0, len(key), 8)]
    if len(schedules) == 1:
        return (schedules[0],)
    return (
        schedules[0],
        schedules[1][::-1],
        schedules[-1] if len(schedules) == 3 else schedules[0],
    )


def _blocks(data: bytes) -> list[bytes]:
    """Cut whole blocks."""
    if len(data) % BLOCK_BYTES:
        raise ValueError(f"{len(data)} bytes are no whole blocks of {BLOCK_BYTES}")
    return [data[i : i + BLOCK_BYTES] for i in range(0, len(data), BLOCK_BYTES)]


def _through(passes: tuple[tuple[Bits, ...], ...], data: bytes) -> bytes:
    result = b""
    for block in _blocks(data):
        for round_keys in passes:
            block = cipher(block, round_keys)
        result += block
    return result


def encrypt(key: bytes, plaintext: bytes) -> bytes:
    """Encrypt whole blocks, each by itself (SP 800-38A, 6.1), under one key to three keys."""
    return _through(_keys_of(key), plaintext)


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """Decrypt whole blocks, each by itself: all passes backwards (SP 800-67, 3.1)."""
    return _through(tuple(keys[::-1] for keys in reversed(_keys_of(key))), ciphertext)


def ctr(key: bytes, counter: bytes, message: bytes) -> bytes:
    """Encrypt or decrypt bytes in counter mode, from a counter block on (SP 800-38A, 6.5), which
    is counted as a whole, modulo 2^64 (B.1, m = 64).
    """
    if len(counter) != BLOCK_BYTES:
        raise ValueError(f"a counter block has {BLOCK_BYTES} bytes, not {len(counter)}")
    first = int.from_bytes(counter, "big")
    result = b""
    for at in range(0, len(message), BLOCK_BYTES):
        value = (first + at // BLOCK_BYTES) % (1 << 8 * BLOCK_BYTES)
        stream = encrypt(key, value.to_bytes(BLOCK_BYTES, "big"))
        # Of the last block of key stream the first bytes only (6.5, MSB).
        part = message[at : at + BLOCK_BYTES]
        result += bytes(a ^ b for a, b in zip(part, stream, strict=False))
    return result


# ---- the search for a key ----


def number_of(key: bytes) -> int:
    """Give a key without parity as a number, byte 1 on top."""
    return _number(tuple(bit for byte in key for bit in bits_of(bytes([byte]))[:7]))


def key_of(number: int) -> bytes:
    """Give the key of a number, each byte with odd parity (FIPS 46-3)."""
    sevens = [number >> (49 - 7 * i) & 127 for i in range(8)]
    return bytes(seven << 1 | (seven.bit_count() + 1) % 2 for seven in sevens)


def search(
    first: bytes, last: bytes, plaintext: bytes, ciphertext: bytes, second: bytes, cipher2: bytes
) -> bytes | None:
    """Give the lowest key from first to last that encrypts both pairs; None if there is none.

    Keys are in the order of their bits without parity, which is not looked at.
    """
    for number in range(number_of(first), number_of(last) + 1):
        key = key_of(number)
        if encrypt(key, plaintext) == ciphertext and encrypt(key, second) == cipher2:
            return key
    return None


def plant(first: bytes, plaintext: bytes, plaintext2: bytes) -> tuple[bytes, bytes, bytes]:
    """Give a search of up to 16 keys: the last one, and ciphertexts under one of them, or, where
    bit 8 of the second plaintext is 1, the second one of no key.
    """
    start = number_of(first)
    end = min(start + plaintext[7] % 16, (1 << KEY_BITS) - 1)
    key = key_of(start + plaintext2[7] % (end - start + 1))
    second = encrypt(key, plaintext2)
    if plaintext2[0] & 1:
        second = bytes([second[0] ^ 1]) + second[1:]
    return key_of(end), encrypt(key, plaintext), second
