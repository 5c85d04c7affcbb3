# SPDX-License-Identifier: Apache-2.0
"""Checksums as Python's users have them: zlib."""

import zlib

# core.toml defines it: 1 for CRC-32, 0 for Adler-32.
CRC: int

VERSION = f"zlib {zlib.ZLIB_RUNTIME_VERSION}"


def _crc32(message: bytes) -> bytes:
    return zlib.crc32(message).to_bytes(4, "little")


def _adler32(message: bytes) -> bytes:
    return zlib.adler32(message).to_bytes(4, "big")


checksum = _crc32 if CRC else _adler32  # noqa: F821
