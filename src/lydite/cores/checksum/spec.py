# SPDX-License-Identifier: Apache-2.0
"""CRC-32 (ISO/IEC 13239, 4.2.5.3; RFC 1952, 8) and Adler-32 (RFC 1950, 8.2), as they are written.

Bytes of a CRC are in the order of RFC 1952, 2.3.1, the lowest first; those of an Adler-32 in that
of RFC 1950, 2.2, the highest first.
"""

from __future__ import annotations

CHECKSUM_BYTES = 4
# The polynomial of the CRC, x**32 apart, bit 31 - i for x**i: bytes come lowest bit first.
POLYNOMIAL = 0xEDB88320
# The largest prime below 2**16.
MODULUS = 65521


def crc32(message: bytes) -> bytes:
    """Give the CRC-32 of a message."""
    remainder = 0xFFFFFFFF
    for byte in message:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (POLYNOMIAL if remainder & 1 else 0)
    return (remainder ^ 0xFFFFFFFF).to_bytes(CHECKSUM_BYTES, "little")


def adler32(message: bytes) -> bytes:
    """Give the Adler-32 of a message: the sum of its bytes, and the sum of these sums."""
    s1, s2 = 1, 0
    for byte in message:
        s1 = (s1 + byte) % MODULUS
        s2 = (s2 + s1) % MODULUS
    return (s2 * 65536 + s1).to_bytes(CHECKSUM_BYTES, "big")
