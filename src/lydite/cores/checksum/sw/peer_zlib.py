# SPDX-License-Identifier: Apache-2.0
"""Checksums as Python's users have them: zlib, and packages with the functions of zlib."""

import importlib
import importlib.metadata
import zlib

# core.toml defines them: 1 for CRC-32, 0 for Adler-32; which of the packages.
CRC: int
PACKAGE: int

# ISA-L (Intel) and zlib-ng are the quickest that the registry has.
_MODULE = ("zlib", "isal.isal_zlib", "zlib_ng.zlib_ng")[PACKAGE]  # noqa: F821
_CALLED = importlib.import_module(_MODULE)

if _CALLED is zlib:
    VERSION = f"zlib {zlib.ZLIB_RUNTIME_VERSION}"
else:
    _package = _MODULE.partition(".")[0]
    VERSION = f"{_package} {importlib.metadata.version(_package)}"


def _crc32(message: bytes) -> bytes:
    found: int = _CALLED.crc32(message)
    return found.to_bytes(4, "little")


def _adler32(message: bytes) -> bytes:
    found: int = _CALLED.adler32(message)
    return found.to_bytes(4, "big")


checksum = _crc32 if CRC else _adler32  # noqa: F821
