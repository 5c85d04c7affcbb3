# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128 and Ascon-Hash256 as quick as plain Python goes; `spec` is what it must agree with.

The five words are 64-bit integers in local variables, and the substitution is done on all bits of
a word at once. Some ten thousand short messages a second.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
_TWICE = 1 << 64 | 1  # a word times this is the word twice, of which a rotation is cut out
_CONSTANTS_12 = (0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B)
_CONSTANTS_8 = _CONSTANTS_12[4:]
_HASH_START = (
    *(0x9B1E5494E934D681, 0x4BC3A01E333751D2, 0xAE65396C6B34B81A),
    *(0x3C7FD4A4D56A4DB3, 0x1A5C464906C5976D),
)  # SP 800-232, 5.1: the state after the initial permutation

_State = tuple[int, int, int, int, int]


def _permute(constants: tuple[int, ...], s0: int, s1: int, s2: int, s3: int, s4: int) -> _State:
    """Apply a round for each constant."""
    for constant in constants:
        s0 ^= s4
        s4 ^= s3
        s2 ^= s1 ^ constant
        t0 = s0 ^ s2 & ~s1
        t1 = s1 ^ s3 & ~s2
        t2 = s2 ^ s4 & ~s3
        t3 = s3 ^ s0 & ~s4
        t4 = s4 ^ s1 & ~s0
        t1 ^= t0
        t0 ^= t4
        t3 ^= t2
        t2 ^= _MASK
        d = t0 * _TWICE
        s0 = t0 ^ (d >> 19 ^ d >> 28) & _MASK
        d = t1 * _TWICE
        s1 = t1 ^ (d >> 61 ^ d >> 39) & _MASK
        d = t2 * _TWICE
        s2 = t2 ^ (d >> 1 ^ d >> 6) & _MASK
        d = t3 * _TWICE
        s3 = t3 ^ (d >> 10 ^ d >> 17) & _MASK
        d = t4 * _TWICE
        s4 = t4 ^ (d >> 7 ^ d >> 41) & _MASK
    return s0, s1, s2, s3, s4


def _initialise(key: bytes, nonce: bytes, ad: bytes) -> _State:
    """Give the state before the first block of text."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    n0, n1 = int.from_bytes(nonce[:8], "little"), int.from_bytes(nonce[8:], "little")
    s0, s1, s2, s3, s4 = _permute(_CONSTANTS_12, 0x00001000808C0001, k0, k1, n0, n1)
    s3 ^= k0
    s4 ^= k1
    if ad:
        padded = ad + b"\x01" + bytes(15 - len(ad) % 16)
        for at in range(0, len(padded), 16):
            s0 ^= int.from_bytes(padded[at : at + 8], "little")
            s1 ^= int.from_bytes(padded[at + 8 : at + 16], "little")
            s0, s1, s2, s3, s4 = _permute(_CONSTANTS_8, s0, s1, s2, s3, s4)
    return s0, s1, s2, s3, s4 ^ 1 << 63


def _tag(key: bytes, s0: int, s1: int, s2: int, s3: int, s4: int) -> bytes:
    """Give the tag of the state after the last block of text."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    _, _, _, s3, s4 = _permute(_CONSTANTS_12, s0, s1, s2 ^ k0, s3 ^ k1, s4)
    return ((s4 ^ k1) << 64 | s3 ^ k0).to_bytes(16, "little")


def seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Encrypt; gives ciphertext and tag."""
    s0, s1, s2, s3, s4 = _initialise(key, nonce, ad)
    whole = len(message) // 16 * 16
    out = []
    for at in range(0, whole, 16):
        s0 ^= int.from_bytes(message[at : at + 8], "little")
        s1 ^= int.from_bytes(message[at + 8 : at + 16], "little")
        out.append((s1 << 64 | s0).to_bytes(16, "little"))
        s0, s1, s2, s3, s4 = _permute(_CONSTANTS_8, s0, s1, s2, s3, s4)
    last = (s1 << 64 | s0) ^ int.from_bytes(message[whole:] + b"\x01", "little")
    out.append(last.to_bytes(16, "little")[: len(message) - whole])
    return b"".join(out), _tag(key, last & _MASK, last >> 64, s2, s3, s4)


def open_(key: bytes, nonce: bytes, ad: bytes, ciphertext: bytes, tag: bytes) -> bytes | None:
    """Decrypt; None where the tag is wrong."""
    s0, s1, s2, s3, s4 = _initialise(key, nonce, ad)
    whole = len(ciphertext) // 16 * 16
    out = []
    for at in range(0, whole, 16):
        c0 = int.from_bytes(ciphertext[at : at + 8], "little")
        c1 = int.from_bytes(ciphertext[at + 8 : at + 16], "little")
        out.append(((s1 ^ c1) << 64 | s0 ^ c0).to_bytes(16, "little"))
        s0, s1, s2, s3, s4 = _permute(_CONSTANTS_8, c0, c1, s2, s3, s4)
    rest = ciphertext[whole:]
    stream = s1 << 64 | s0
    last = (stream ^ int.from_bytes(rest, "little")).to_bytes(16, "little")[: len(rest)]
    out.append(last)
    stream ^= int.from_bytes(last + b"\x01", "little")
    if _tag(key, stream & _MASK, stream >> 64, s2, s3, s4) != tag:
        return None
    return b"".join(out)


def hash256(message: bytes) -> bytes:
    """Hash; gives 32 bytes."""
    s0, s1, s2, s3, s4 = _HASH_START
    padded = message + b"\x01" + bytes(7 - len(message) % 8)
    for at in range(0, len(padded), 8):
        s0 ^= int.from_bytes(padded[at : at + 8], "little")
        s0, s1, s2, s3, s4 = _permute(_CONSTANTS_12, s0, s1, s2, s3, s4)
    out = s0.to_bytes(8, "little")
    for _ in range(3):
        s0, s1, s2, s3, s4 = _permute(_CONSTANTS_12, s0, s1, s2, s3, s4)
        out += s0.to_bytes(8, "little")
    return out
