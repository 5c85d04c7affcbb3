# SPDX-License-Identifier: Apache-2.0
"""ECHO-256 (R. Benadjila et al., "SHA-3 Proposal: ECHO", version 1.5, 2009), of whole bytes,
without salt.

The state is sixteen words of 128 bits, AES states as FIPS 197 has them, in four columns of four;
the first column is the chaining variable, the others are the block.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.cores.aes import spec as aes

BLOCK_BYTES, DIGEST_BYTES, ROUNDS = 192, 32, 8
_WORD = 16  # bytes

_SBOX = bytes(aes.SBOX)
# 2 and 3 times a byte in the field of FIPS 197, 4.2.
_TWICE = bytes(aes.multiply(byte, 2) for byte in range(256))
_THRICE = bytes(_TWICE[byte] ^ byte for byte in range(256))
# Where the byte of a place comes from in ShiftRows (FIPS 197, 5.1.2).
_SHIFTED = tuple((4 * (i // 4 + i % 4) + i % 4) % _WORD for i in range(_WORD))


def _xor(*words: bytes) -> bytes:
    total = 0
    for word in words:
        total ^= int.from_bytes(word, "little")
    return total.to_bytes(_WORD, "little")


def _mixed(a: bytes, b: bytes, c: bytes, d: bytes) -> bytes:
    """Give 2 a + 3 b + c + d of each byte, a row of MixColumns (FIPS 197, 5.1.3)."""
    return _xor(a.translate(_TWICE), b.translate(_THRICE), c, d)


def _mix_columns(rows: Sequence[bytes]) -> list[bytes]:
    return [_mixed(*(rows[(i + k) % 4] for k in range(4))) for i in range(4)]


def aes_round(word: bytes, key: bytes) -> bytes:
    """Give a word after a round of AES (FIPS 197, 5.1)."""
    substituted = word.translate(_SBOX)
    shifted = bytes(substituted[i] for i in _SHIFTED)
    rows = [shifted[i::4] + bytes(_WORD - 4) for i in range(4)]
    columns = bytes(byte for place in zip(*_mix_columns(rows), strict=True) for byte in place)
    return _xor(columns[:_WORD], key)


def big_round(words: Sequence[bytes], counter: int) -> list[bytes]:
    """Give the state after BIG.SubWords, BIG.ShiftRows and BIG.MixColumns (2.2)."""
    keys = ((counter + i).to_bytes(_WORD, "little") for i in range(16))
    salt = bytes(_WORD)
    w = [aes_round(aes_round(x, key), salt) for x, key in zip(words, keys, strict=True)]
    w = [w[i] for i in _SHIFTED]
    return [x for column in range(4) for x in _mix_columns(w[4 * column : 4 * column + 4])]


def compress(chain: Sequence[bytes], block: bytes, bits: int) -> list[bytes]:
    """Give the chaining variable after a block.

    Parameters
    ----------
    bits : int
        Of the message up to the block's end; 0 of a block without any.
    """
    start = [*chain, *(block[i : i + _WORD] for i in range(0, BLOCK_BYTES, _WORD))]
    words = start
    for round_ in range(ROUNDS):
        words = big_round(words, bits + 16 * round_)
    return [_xor(*start[i::4], *words[i::4]) for i in range(4)]


def blocks(message: bytes) -> list[tuple[bytes, int]]:
    """Give the padded blocks (3.2), each with the number of bits up to its end."""
    tail = (8 * DIGEST_BYTES).to_bytes(2, "little") + (8 * len(message)).to_bytes(16, "little")
    marked = message + b"\x80"
    padded = marked + bytes(-(len(marked) + len(tail)) % BLOCK_BYTES) + tail
    found = []
    for at in range(0, len(padded), BLOCK_BYTES):
        end = min(at + BLOCK_BYTES, len(message))
        found.append((padded[at : at + BLOCK_BYTES], 8 * end if end > at else 0))
    return found


def echo(message: bytes) -> bytes:
    """Give the 32 bytes of ECHO-256."""
    chain = [(8 * DIGEST_BYTES).to_bytes(_WORD, "little")] * 4
    for block, bits in blocks(message):
        chain = compress(chain, block, bits)
    return b"".join(chain[:2])
