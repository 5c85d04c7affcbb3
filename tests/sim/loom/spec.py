# SPDX-License-Identifier: Apache-2.0
"""The toy hash of `loom.v`."""

from __future__ import annotations


def digest(message: bytes) -> bytes:
    """Give the sum of a message: turned by five bits and added to, byte by byte."""
    value = 0x6C796469
    for byte in message:
        value = ((value << 5 | value >> 27) + byte) & 0xFFFFFFFF
    return value.to_bytes(4, "little")
