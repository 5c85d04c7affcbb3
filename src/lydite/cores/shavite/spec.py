# SPDX-License-Identifier: Apache-2.0
"""SHAvite-3-256 as tweaked for round 2 (Biham, Dunkelman: "The SHAvite-3 Hash Function", 2009), of
whole bytes, without salt.

A block is the key of a Feistel cipher of twelve rounds of three rounds of AES each, whose text is
the chaining value. Words of 32 bits are little-endian; four of them are an AES state as FIPS 197
has it. Start reading at `shavite`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.cores.echo.spec import aes_round

BLOCK_BYTES, DIGEST_BYTES, ROUNDS, AES_ROUNDS = 64, 32, 12, 3
KEYS = ROUNDS * AES_ROUNDS  # of 128 bits
_STATE = 16  # bytes of one
_NO_KEY = bytes(_STATE)
# Words of the counter of bits that a subkey adds (3.1, with the tweak), by the subkey's number: 0
# is the lower half, 1 the upper one; the last one is complemented.
COUNTERS = {4: (0, 1, -1, -1), 14: (-1, 1, 0, -1), 21: (-1, -1, 1, 0), 31: (0, -1, -1, 1)}
_LAST = {4: 1, 14: 2, 21: 3, 31: 3}


def _xor(a: bytes, b: bytes) -> bytes:
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


def counter_of(number: int, bits: int) -> bytes:
    """Give what a subkey adds of the counter of bits: nothing but four of them."""
    words = [0, 0, 0, 0]
    for place, half in enumerate(COUNTERS.get(number, ())):
        if half >= 0:
            word = bits >> 32 * half & 0xFFFFFFFF
            words[place] = ~word & 0xFFFFFFFF if place == _LAST[number] else word
    return b"".join(word.to_bytes(4, "little") for word in words)


def subkeys(block: bytes, bits: int) -> list[bytes]:
    """Give the 36 subkeys of 128 bits (3.1): the block, then four made with AES, four without."""
    words = [block[at : at + 4] for at in range(0, BLOCK_BYTES, 4)]
    for number in range(4, KEYS):
        at = 4 * number
        if number // 4 % 2 == 1:
            turned = b"".join((*words[at - 15 : at - 12], words[at - 16]))
            key = _xor(aes_round(turned, _NO_KEY), b"".join(words[at - 4 : at]))
            key = _xor(key, counter_of(number, bits))
            words += [key[i : i + 4] for i in range(0, _STATE, 4)]
        else:
            for i in range(at, at + 4):
                words.append(_xor(words[i - 16], words[i - 3]))
    return [b"".join(words[at : at + 4]) for at in range(0, 4 * KEYS, 4)]


def compress(chain: bytes, block: bytes, bits: int) -> bytes:
    """Give the chaining value after a block (3.1).

    Parameters
    ----------
    bits : int
        Of the message up to the block's end; 0 of a block without any.
    """
    left, right = chain[:_STATE], chain[_STATE:]
    keys = subkeys(block, bits)
    for at in range(0, KEYS, AES_ROUNDS):
        mixed = _xor(right, keys[at])
        for key in (*keys[at + 1 : at + AES_ROUNDS], _NO_KEY):
            mixed = aes_round(mixed, key)
        left, right = right, _xor(left, mixed)
    return _xor(chain, left + right)


def blocks(message: bytes) -> Iterator[tuple[bytes, int]]:
    """Give the padded blocks (4.1), each with the number of bits up to its end."""
    tail = (8 * len(message)).to_bytes(8, "little") + (8 * DIGEST_BYTES).to_bytes(2, "little")
    marked = message + b"\x80"
    padded = marked + bytes(-(len(marked) + len(tail)) % BLOCK_BYTES) + tail
    for at in range(0, len(padded), BLOCK_BYTES):
        end = min(at + BLOCK_BYTES, len(message))
        yield padded[at : at + BLOCK_BYTES], 8 * end if end > at else 0


def initial() -> bytes:
    """Give the initial value (4.2): a block of the digest's size, behind one of zeros."""
    chain = compress(bytes(DIGEST_BYTES), bytes(BLOCK_BYTES), 0)
    return compress(chain, (8 * DIGEST_BYTES).to_bytes(BLOCK_BYTES, "little"), 0)


INITIAL = initial()


def digest_of(chain: bytes, padded: Sequence[tuple[bytes, int]]) -> bytes:
    """Give the chaining value after all blocks."""
    for block, bits in padded:
        chain = compress(chain, block, bits)
    return chain


def shavite(message: bytes) -> bytes:
    """Give the 32 bytes of SHAvite-3-256."""
    return digest_of(INITIAL, list(blocks(message)))
