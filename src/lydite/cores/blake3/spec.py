# SPDX-License-Identifier: Apache-2.0
"""BLAKE3 as its paper writes it: the reference that the cores of this folder are held to.

J. O'Connor, J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn: BLAKE3, one function, fast everywhere.
Section numbers are the paper's. Written to be read beside it, not to be fast. A chaining value is a
tuple of 8 words, a block one of 16, words are integers of 32 bits. Start reading at `_output_of`.
"""

from __future__ import annotations

from typing import NamedTuple

BLOCK_BYTES = 64
CHUNK_BYTES = 1024
KEY_BYTES = 32
ROUNDS = 7

# 2.2, table 1: the initial value of SHA-256.
IV = (
    *(0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A),
    *(0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19),
)
# 2.2, table 2: word i of the next round's block is word PERMUTATION[i] of this round's.
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
# 2.2, table 3.
CHUNK_START, CHUNK_END, PARENT, ROOT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
KEYED_HASH, DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL = 1 << 4, 1 << 5, 1 << 6

_MASK = 0xFFFFFFFF

Words = tuple[int, ...]


class Node(NamedTuple):
    """What the compression that ends a node takes, all but its counter where it is the root."""

    chaining: Words
    block: Words
    counter: int
    block_bytes: int
    flags: int


def _rotate(word: int, bits: int) -> int:
    """Rotate a word to the right."""
    return (word >> bits | word << (32 - bits)) & _MASK


def _g(v: list[int], places: tuple[int, int, int, int], x: int, y: int) -> None:
    """Mix two words of the block into four of the state (2.2)."""
    a, b, c, d = places
    v[a] = (v[a] + v[b] + x) & _MASK
    v[d] = _rotate(v[d] ^ v[a], 16)
    v[c] = (v[c] + v[d]) & _MASK
    v[b] = _rotate(v[b] ^ v[c], 12)
    v[a] = (v[a] + v[b] + y) & _MASK
    v[d] = _rotate(v[d] ^ v[a], 8)
    v[c] = (v[c] + v[d]) & _MASK
    v[b] = _rotate(v[b] ^ v[c], 7)


def mix(v: list[int], block: Words) -> None:
    """Apply one round: columns, then diagonals (2.2)."""
    for i in range(4):
        _g(v, (i, i + 4, i + 8, i + 12), block[2 * i], block[2 * i + 1])
    for i in range(4):
        diagonal = (i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12)
        _g(v, diagonal, block[2 * i + 8], block[2 * i + 9])


def compress(chaining: Words, block: Words, counter: int, block_bytes: int, flags: int) -> Words:
    """Compress a block; gives 16 words, of which the first 8 are a chaining value (2.2)."""
    v = [*chaining, *IV[:4], counter & _MASK, counter >> 32, block_bytes, flags]
    words = block
    for _ in range(ROUNDS):
        mix(v, words)
        words = tuple(words[place] for place in PERMUTATION)
    low = [v[i] ^ v[i + 8] for i in range(8)]
    return (*low, *(v[i + 8] ^ chaining[i] for i in range(8)))


def _words(data: bytes) -> Words:
    """Read words, lowest byte first (2.2)."""
    return tuple(int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4))


def _bytes(words: Words) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)


def _chaining_value(node: Node) -> Words:
    return compress(*node)[:8]


def _chunk(chunk: bytes, index: int, key: Words, mode: int) -> Node:
    """Compress all blocks of a chunk but the last (2.4)."""
    chaining = key
    starts = range(0, max(len(chunk), 1), BLOCK_BYTES)
    for start in starts:
        data = chunk[start : start + BLOCK_BYTES]
        flags = mode | (CHUNK_START if start == 0 else 0)
        flags |= CHUNK_END if start == starts[-1] else 0
        block = _words(data + bytes(BLOCK_BYTES - len(data)))
        node = Node(chaining, block, index, len(data), flags)
        if flags & CHUNK_END:
            return node
        chaining = _chaining_value(node)
    raise AssertionError("a chunk has a last block")


def _parent(left: Node, right: Node, key: Words, mode: int) -> Node:
    """Join two nodes (2.5)."""
    block = (*_chaining_value(left), *_chaining_value(right))
    return Node(key, block, 0, BLOCK_BYTES, mode | PARENT)


def _tree(message: bytes, first: int, key: Words, mode: int) -> Node:
    """Give the node above all chunks of a message, the first of them number `first` (2.1)."""
    if len(message) <= CHUNK_BYTES:
        return _chunk(message, first, key, mode)
    # The left subtree is full: as many chunks as fit, a power of two, and one byte right of it.
    chunks = 1 << (((len(message) - 1) // CHUNK_BYTES).bit_length() - 1)
    cut = chunks * CHUNK_BYTES
    left = _tree(message[:cut], first, key, mode)
    return _parent(left, _tree(message[cut:], first + chunks, key, mode), key, mode)


def _output_of(message: bytes, key: Words, mode: int, output_bytes: int) -> bytes:
    """Hash a message, and give so many bytes of the root's output (2.1, 2.6)."""
    root = _tree(message, 0, key, mode)
    output = b"".join(
        _bytes(compress(root.chaining, root.block, number, root.block_bytes, root.flags | ROOT))
        for number in range(-(-output_bytes // BLOCK_BYTES))
    )
    return output[:output_bytes]


def hash_(message: bytes, output_bytes: int) -> bytes:
    """Hash a message (2.3)."""
    return _output_of(message, IV, 0, output_bytes)


def keyed_hash(key: bytes, message: bytes, output_bytes: int) -> bytes:
    """Hash a message under a key of 32 bytes (2.3).

    Raises
    ------
    ValueError
        The key has another length.
    """
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    return _output_of(message, _words(key), KEYED_HASH, output_bytes)


def derive_key(context: bytes, material: bytes, output_bytes: int) -> bytes:
    """Derive a key from a context and key material (2.3)."""
    key = _words(_output_of(context, IV, DERIVE_KEY_CONTEXT, KEY_BYTES))
    return _output_of(material, key, DERIVE_KEY_MATERIAL, output_bytes)
