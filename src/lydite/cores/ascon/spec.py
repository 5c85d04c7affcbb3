# SPDX-License-Identifier: Apache-2.0
"""Ascon as NIST SP 800-232 writes it: the reference that the cores of this folder are held to.

Byte-oriented inputs only, tags of 128 bits, no nonce masking. Written to be read beside the
standard, not to be fast. A state is a tuple of the five words S0 to S4, integers of 64 bits; bytes
and words are converted in little-endian order (appendix A). Start reading at `seal`.
"""

from __future__ import annotations

WORD_BITS = 64
RATE_BYTES = 16  # of Ascon-AEAD128; Ascon-Hash256 has half of it
HASH_RATE_BYTES = 8
DIGEST_BYTES = 32
IV_AEAD128 = 0x00001000808C0001  # 4.1
IV_HASH256 = 0x0000080100CC0002  # 5.1

# 3.2: const_0 to const_15. Ascon-p[rounds] has the last `rounds` of them.
CONSTANTS = (
    *(0x3C, 0x2D, 0x1E, 0x0F, 0xF0, 0xE1, 0xD2, 0xC3),
    *(0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B),
)
# 3.4: the two rotations to the right of each word.
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))

_MASK = (1 << WORD_BITS) - 1

State = tuple[int, int, int, int, int]


def _rotate_right(word: int, offset: int) -> int:
    """Move bit i to bit i - offset (mod 64)."""
    return (word >> offset | word << (WORD_BITS - offset)) & _MASK


def add_constant(state: State, constant: int) -> State:
    """Add the constant of a round to S2 (SP 800-232, 3.2)."""
    s0, s1, s2, s3, s4 = state
    return s0, s1, s2 ^ constant, s3, s4


def substitute(state: State) -> State:
    """Apply the substitution to bit j of the five words, for each j (SP 800-232, 3.3)."""
    x0, x1, x2, x3, x4 = state
    return (
        x4 & x1 ^ x3 ^ x2 & x1 ^ x2 ^ x1 & x0 ^ x1 ^ x0,
        x4 ^ x3 & x2 ^ x3 & x1 ^ x3 ^ x2 & x1 ^ x2 ^ x1 ^ x0,
        x4 & x3 ^ x4 ^ x2 ^ x1 ^ _MASK,
        x4 & x0 ^ x4 ^ x3 & x0 ^ x3 ^ x2 ^ x1 ^ x0,
        x4 & x1 ^ x4 ^ x3 ^ x1 & x0 ^ x1,
    )


def diffuse(state: State) -> State:
    """Add two rotations of itself to each word (SP 800-232, 3.4)."""
    return tuple(  # type: ignore[return-value]
        word ^ _rotate_right(word, first) ^ _rotate_right(word, second)
        for word, (first, second) in zip(state, ROTATIONS, strict=True)
    )


def permute(state: State, rounds: int) -> State:
    """Apply Ascon-p[rounds], 1 to 16 rounds (SP 800-232, 3)."""
    for constant in CONSTANTS[16 - rounds :]:
        state = diffuse(substitute(add_constant(state, constant)))
    return state


def words(data: bytes) -> tuple[int, ...]:
    """Give the words of a byte string whose length is a multiple of 8."""
    return tuple(int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8))


def text(*values: int) -> bytes:
    """Give the bytes of words, the inverse of `words`."""
    return b"".join(value.to_bytes(8, "little") for value in values)


def add(state: State, data: bytes, at: int = 0) -> State:
    """Add bytes to the state from byte `at` on; words that `data` does not reach stay."""
    whole = bytes(at) + data + bytes(40 - at - len(data))
    mixed = tuple(a ^ b for a, b in zip(state, words(whole), strict=True))
    return mixed  # type: ignore[return-value]


def pad(data: bytes, rate_bytes: int) -> bytes:
    """Append a one and zeros, up to whole blocks (SP 800-232, algorithm 2)."""
    return data + b"\x01" + bytes(-(len(data) + 1) % rate_bytes)


def blocks(data: bytes, rate_bytes: int) -> list[bytes]:
    """Cut a padded string into blocks."""
    return [data[at : at + rate_bytes] for at in range(0, len(data), rate_bytes)]


def initialise(key: bytes, nonce: bytes, ad: bytes) -> State:
    """Give the state before the first block of text (SP 800-232, 4.1.1: both first phases).

    Raises
    ------
    ValueError
        If key or nonce have not 16 bytes.
    """
    if len(key) != 16 or len(nonce) != 16:
        raise ValueError("key and nonce have 16 bytes")
    state: State = (IV_AEAD128, *words(key), *words(nonce))  # type: ignore[assignment]
    state = add(permute(state, 12), key, 24)
    if ad:
        for block in blocks(pad(ad, RATE_BYTES), RATE_BYTES):
            state = permute(add(state, block), 8)
    return add(state, text(1 << 63), 32)


def finalise(state: State, key: bytes) -> bytes:
    """Give the tag of the state after the last block of text (SP 800-232, 4.1.1)."""
    state = permute(add(state, key, 16), 12)
    return text(*add(state, key, 24)[3:])


def seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Encrypt by Ascon-AEAD128 (SP 800-232, 4.1.1, algorithm 3).

    Parameters
    ----------
    key, nonce : bytes
        16 bytes each.
    ad, message : bytes
        Any length.

    Returns
    -------
    tuple of bytes
        The ciphertext, as long as the message, and the tag of 16 bytes.
    """
    state = initialise(key, nonce, ad)
    ciphertext = b""
    padded = blocks(pad(message, RATE_BYTES), RATE_BYTES)
    for block in padded:
        state = add(state, block)
        ciphertext += text(*state[:2])
        if block is not padded[-1]:
            state = permute(state, 8)
    return ciphertext[: len(message)], finalise(state, key)


def open_(key: bytes, nonce: bytes, ad: bytes, ciphertext: bytes, tag: bytes) -> bytes | None:
    """Decrypt by Ascon-AEAD128 (SP 800-232, 4.1.2, algorithm 4); None where the tag is wrong."""
    state = initialise(key, nonce, ad)
    message = b""
    rest = ciphertext
    while len(rest) >= RATE_BYTES:
        block, rest = rest[:RATE_BYTES], rest[RATE_BYTES:]
        message += text(*add(state, block)[:2])
        state = permute((*words(block), *state[2:]), 8)  # type: ignore[arg-type]
    # The last, incomplete block: its bytes replace those of the state, the padding is added.
    stream = text(*state[:2])[: len(rest)]
    last = bytes(a ^ b for a, b in zip(stream, rest, strict=True))
    message += last
    state = add(state, pad(last, RATE_BYTES))
    return message if finalise(state, key) == tag else None


def hash256(message: bytes) -> bytes:
    """Hash by Ascon-Hash256 (SP 800-232, 5.1, algorithm 5); gives 32 bytes."""
    state = permute((IV_HASH256, 0, 0, 0, 0), 12)
    for block in blocks(pad(message, HASH_RATE_BYTES), HASH_RATE_BYTES):
        state = permute(add(state, block), 12)
    digest = text(state[0])
    while len(digest) < DIGEST_BYTES:
        state = permute(state, 12)
        digest += text(state[0])
    return digest
