# SPDX-License-Identifier: Apache-2.0
"""AES-128 as FIPS 197 writes it, of whole blocks and in the counter mode of SP 800-38A.

The reference that the cores of this folder are held to. Written to be read beside the standards,
not to be fast: some hundred blocks a second. A state is a tuple of 16 bytes in the order of the
input, so that s[r, c] of the standard stands at `4 * c + r` (FIPS 197, 3.4); a round key is one,
too. Start reading at `cipher`.
"""

from __future__ import annotations

BLOCK_BYTES = 16
KEY_BYTES = 16
ROUNDS = 10  # Nr (FIPS 197, 5, table 3)
KEY_WORDS = 4  # Nk

State = tuple[int, ...]


def multiply(a: int, b: int) -> int:
    """Multiply in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, 4.2)."""
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
    return product


def _sbox_of(value: int) -> int:
    """Give an entry of the S-box: inverse in GF(2^8), then an affine map (FIPS 197, 5.1.1)."""
    inverse = next((b for b in range(256) if multiply(value, b) == 1), 0)
    result = 0
    for i in range(8):
        bit = 0x63 >> i & 1
        for distance in (0, 4, 5, 6, 7):
            bit ^= inverse >> (i + distance) % 8 & 1
        result |= bit << i
    return result


SBOX = tuple(_sbox_of(value) for value in range(256))
INV_SBOX = tuple(SBOX.index(value) for value in range(256))  # FIPS 197, 5.3.2


def sub_bytes(state: State) -> State:
    """Put each byte through the S-box (FIPS 197, 5.1.1)."""
    return tuple(SBOX[byte] for byte in state)


def inv_sub_bytes(state: State) -> State:
    """Undo `sub_bytes` (FIPS 197, 5.3.2)."""
    return tuple(INV_SBOX[byte] for byte in state)


def shift_rows(state: State) -> State:
    """Move row r to the left by r columns (FIPS 197, 5.1.2)."""
    return tuple(state[4 * ((c + r) % 4) + r] for c in range(4) for r in range(4))


def inv_shift_rows(state: State) -> State:
    """Undo `shift_rows` (FIPS 197, 5.3.1)."""
    return tuple(state[4 * ((c - r) % 4) + r] for c in range(4) for r in range(4))


def _times_columns(state: State, factors: tuple[int, ...]) -> State:
    """Multiply each column by the matrix whose first column is `factors` and that is circulant."""
    result = []
    for c in range(4):
        column = state[4 * c : 4 * c + 4]
        for r in range(4):
            terms = [multiply(byte, factors[(r - i) % 4]) for i, byte in enumerate(column)]
            result.append(terms[0] ^ terms[1] ^ terms[2] ^ terms[3])
    return tuple(result)


def mix_columns(state: State) -> State:
    """Multiply each column by the matrix of FIPS 197, 5.1.3."""
    return _times_columns(state, (0x02, 0x01, 0x01, 0x03))


def inv_mix_columns(state: State) -> State:
    """Undo `mix_columns` (FIPS 197, 5.3.3)."""
    return _times_columns(state, (0x0E, 0x09, 0x0D, 0x0B))


def add_round_key(state: State, round_key: State) -> State:
    """Add a round key, which undoes itself (FIPS 197, 5.1.4)."""
    return tuple(a ^ b for a, b in zip(state, round_key, strict=True))


def key_expansion(key: bytes) -> tuple[State, ...]:
    """Give the eleven round keys (FIPS 197, 5.2)."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key of AES-128 has {KEY_BYTES} bytes, not {len(key)}")
    words = [tuple(key[4 * i : 4 * i + 4]) for i in range(KEY_WORDS)]
    constant = 1
    for i in range(KEY_WORDS, KEY_WORDS * (ROUNDS + 1)):
        word = words[i - 1]
        if i % KEY_WORDS == 0:
            rotated = word[1:] + word[:1]
            word = tuple(SBOX[byte] for byte in rotated)
            word = (word[0] ^ constant, *word[1:])
            constant = multiply(constant, 2)
        words.append(tuple(a ^ b for a, b in zip(words[i - KEY_WORDS], word, strict=True)))
    return tuple(
        tuple(byte for word in words[4 * n : 4 * n + 4] for byte in word) for n in range(ROUNDS + 1)
    )


def cipher(block: State, round_keys: tuple[State, ...]) -> State:
    """Encrypt one block (FIPS 197, 5.1, algorithm 1)."""
    state = add_round_key(block, round_keys[0])
    for n in range(1, ROUNDS):
        state = add_round_key(mix_columns(shift_rows(sub_bytes(state))), round_keys[n])
    return add_round_key(shift_rows(sub_bytes(state)), round_keys[ROUNDS])


def inv_cipher(block: State, round_keys: tuple[State, ...]) -> State:
    """Decrypt one block (FIPS 197, 5.3, algorithm 3)."""
    state = add_round_key(block, round_keys[ROUNDS])
    for n in range(ROUNDS - 1, 0, -1):
        state = inv_sub_bytes(inv_shift_rows(state))
        state = inv_mix_columns(add_round_key(state, round_keys[n]))
    return add_round_key(inv_sub_bytes(inv_shift_rows(state)), round_keys[0])


def _blocks(data: bytes) -> list[State]:
    """Cut bytes into blocks, the last of which may be short."""
    return [tuple(data[i : i + BLOCK_BYTES]) for i in range(0, len(data), BLOCK_BYTES)]


def _whole_blocks(data: bytes) -> list[State]:
    """Cut bytes into blocks, of which none may be short."""
    if len(data) % BLOCK_BYTES:
        raise ValueError(f"{len(data)} bytes are no whole blocks of {BLOCK_BYTES}")
    return _blocks(data)


def encrypt(key: bytes, plaintext: bytes) -> bytes:
    """Encrypt whole blocks, each by itself (SP 800-38A, 6.1)."""
    round_keys = key_expansion(key)
    return b"".join(bytes(cipher(block, round_keys)) for block in _whole_blocks(plaintext))


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """Decrypt whole blocks, each by itself (SP 800-38A, 6.1)."""
    round_keys = key_expansion(key)
    return b"".join(bytes(inv_cipher(block, round_keys)) for block in _whole_blocks(ciphertext))


def next_counter(counter: State) -> State:
    """Add one to a block, modulo 2^128: B.1 of SP 800-38A with m = 128, first byte on top."""
    value = (int.from_bytes(bytes(counter), "big") + 1) % (1 << 8 * BLOCK_BYTES)
    return tuple(value.to_bytes(BLOCK_BYTES, "big"))


def ctr(key: bytes, counter: bytes, message: bytes) -> bytes:
    """Encrypt or decrypt bytes in counter mode, from a counter block on (SP 800-38A, 6.5)."""
    if len(counter) != BLOCK_BYTES:
        raise ValueError(f"a counter block has {BLOCK_BYTES} bytes, not {len(counter)}")
    round_keys = key_expansion(key)
    state = tuple(counter)
    result = bytearray()
    for block in _blocks(message):
        # Of the last block of key stream the first bytes only (SP 800-38A, 6.5, MSB).
        result += bytes(a ^ b for a, b in zip(block, cipher(state, round_keys), strict=False))
        state = next_counter(state)
    return bytes(result)
