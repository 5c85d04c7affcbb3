# SPDX-License-Identifier: Apache-2.0
"""What the core must answer: zlib's CRC-32, least significant byte first."""

import zlib


def crc32(message: bytes) -> bytes:
    """Give the CRC-32 of a message."""
    return zlib.crc32(message).to_bytes(4, "little")
