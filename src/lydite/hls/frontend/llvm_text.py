# SPDX-License-Identifier: Apache-2.0
"""Strings and floating-point numbers as LLVM's text has them."""

from __future__ import annotations

import re
import struct

_ESCAPE = re.compile(rb"\\(?:\\|([0-9A-Fa-f]{2}))")


def unescape(text: str) -> bytes:
    """Give the bytes of a string that stood between quotes.

    LLVM writes a backslash as two, and each byte that is a quote or cannot be printed as a
    backslash and two hexadecimal digits. Each backslash is read once: what it stood before is not
    looked at again.
    """
    return _ESCAPE.sub(
        lambda found: b"\\" if found[1] is None else bytes.fromhex(found[1].decode()),
        text.encode(errors="surrogateescape"),
    )


def plain(text: str) -> str:
    """Give the text of a string that stood between quotes, or of a word without."""
    return unescape(text).decode(errors="replace") if "\\" in text else text


# Bytes of what has no value here, but a place in tables that integers may read.
FLOAT_BYTES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}


def float_bits(kind: str, token: str) -> int:
    """Give the bits of a floating-point constant.

    LLVM writes `float` and `double` in decimal where that is exact, else both as the bits of a
    `double`; the others as their own bits, after a letter.
    """
    if not token.startswith("0x"):
        value = float(token)
        return int.from_bytes(struct.pack("<f" if kind == "float" else "<d", value), "little")
    if kind == "fp128":  # the lower half stands first
        return int(token[19:] + token[3:19], 16)
    if kind not in ("float", "double"):
        return int(token[3:], 16)
    bits = int(token[2:], 16)
    if kind == "double":
        return bits
    if bits >> 52 & 0x7FF == 0x7FF:  # packing would make a quiet NaN of any
        return bits >> 63 << 31 | 0xFF << 23 | (bits & ((1 << 52) - 1)) >> 29
    packed = struct.pack("<f", struct.unpack("<d", struct.pack("<Q", bits))[0])
    return int.from_bytes(packed, "little")
