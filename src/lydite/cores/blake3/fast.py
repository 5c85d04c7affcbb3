# SPDX-License-Identifier: Apache-2.0
"""BLAKE3 as quick as plain Python goes; `spec` is what it must agree with.

The 16 words of the state are local variables, and the code of the seven rounds is written by this
file for Python's own compiler, so that no permutation is done when a block is hashed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from lydite.cores.blake3.spec import (
    DERIVE_KEY_CONTEXT,
    DERIVE_KEY_MATERIAL,
    IV,
    KEY_BYTES,
    KEYED_HASH,
    PARENT,
    PERMUTATION,
    ROOT,
    ROUNDS,
)

_Words = tuple[int, ...]
_Compress = Callable[[_Words, _Words, int, int, int], _Words]


def _written() -> str:
    """Write the compression as a function without loops."""
    lines = ["def compress(chaining, block, counter, length, flags):"]
    lines += [f" {', '.join(f'm{i}' for i in range(16))} = block"]
    lines += [f" {', '.join(f'v{i}' for i in range(8))} = chaining"]
    lines += [f" v{8 + i} = {IV[i]}" for i in range(4)]
    lines += [" v12, v13, v14, v15 = counter & M, counter >> 32, length, flags"]
    order = list(range(16))
    columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for _ in range(ROUNDS):
        for n, (a, b, c, d) in enumerate((*columns, *diagonals)):
            for word, first, second in ((order[2 * n], 16, 12), (order[2 * n + 1], 8, 7)):
                lines += [f" v{a} = v{a} + v{b} + m{word} & M"]
                lines += [f" v{d} ^= v{a}", f" v{d} = v{d} >> {first} | v{d} << {32 - first} & M"]
                lines += [f" v{c} = v{c} + v{d} & M", f" v{b} ^= v{c}"]
                lines += [f" v{b} = v{b} >> {second} | v{b} << {32 - second} & M"]
        order = [order[place] for place in PERMUTATION]
    low = ", ".join(f"v{i} ^ v{i + 8}" for i in range(8))
    high = ", ".join(f"v{i + 8} ^ chaining[{i}]" for i in range(8))
    return "\n".join([*lines, f" return ({low}, {high})"])


def _compiled() -> _Compress:
    names: dict[str, _Compress | int] = {"M": 0xFFFFFFFF}
    exec(compile(_written(), __file__, "exec"), names)
    found = names["compress"]
    assert not isinstance(found, int)
    return found


_compress = _compiled()


def _words(data: bytes) -> _Words:
    return struct.unpack(f"<{len(data) // 4}I", data)


def _output(message: bytes, key: _Words, mode: int, output_bytes: int) -> bytes:
    """Hash a message: a stack of subtrees without right siblings, joined as soon as they can be."""
    stack: list[_Words] = []
    last = max(len(message) - 1, 0) // 1024
    for index in range(last + 1):
        chunk = message[1024 * index : 1024 * (index + 1)]
        chaining, end = key, max(len(chunk) - 1, 0) // 64
        for number in range(end):
            block = _words(chunk[64 * number : 64 * (number + 1)])
            chaining = _compress(chaining, block, index, 64, mode | (not number))[:8]
        rest = chunk[64 * end :]
        node = (chaining, _words(rest + bytes(64 - len(rest))), index, len(rest))
        flags = mode | (not end) | 2
        if index == last:
            break
        value, joined = _compress(*node, flags)[:8], index + 1
        while joined & 1 == 0:
            value = _compress(key, (*stack.pop(), *value), 0, 64, mode | PARENT)[:8]
            joined >>= 1
        stack.append(value)
    while stack:
        node = (key, (*stack.pop(), *_compress(*node, flags)[:8]), 0, 64)
        flags = mode | PARENT
    chaining, block, _, length = node
    out = b"".join(
        word.to_bytes(4, "little")
        for number in range(-(-output_bytes // 64))
        for word in _compress(chaining, block, number, length, flags | ROOT)
    )
    return out[:output_bytes]


def hash_(message: bytes, output_bytes: int) -> bytes:
    """Hash a message."""
    return _output(message, IV, 0, output_bytes)


def keyed_hash(key: bytes, message: bytes, output_bytes: int) -> bytes:
    """Hash a message under a key of 32 bytes; ValueError of another length."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    return _output(message, _words(key), KEYED_HASH, output_bytes)


def derive_key(context: bytes, material: bytes, output_bytes: int) -> bytes:
    """Derive a key from a context and key material."""
    key = _words(_output(context, IV, DERIVE_KEY_CONTEXT, 32))
    return _output(material, key, DERIVE_KEY_MATERIAL, output_bytes)
