# SPDX-License-Identifier: Apache-2.0
"""The sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2) with all its modes.

The speed test is that of `speed`, the checksums are those of `cores.checksum`, SHA-3 and SHAKE
those of `spec`.
"""

from __future__ import annotations

from lydite.cores.checksum.fast import adler32 as adler32_fast
from lydite.cores.checksum.fast import crc32 as crc32_fast
from lydite.cores.checksum.spec import adler32, crc32
from lydite.cores.keccak.fast import sha3_224 as sha3_224_fast
from lydite.cores.keccak.fast import sha3_256 as sha3_256_fast
from lydite.cores.keccak.fast import sha3_384 as sha3_384_fast
from lydite.cores.keccak.fast import sha3_512 as sha3_512_fast
from lydite.cores.keccak.fast import shake128 as shake128_fast
from lydite.cores.keccak.fast import shake256 as shake256_fast
from lydite.cores.keccak.spec import sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256
from lydite.cores.keccak.speed import plan, speed

__all__ = [
    "adler32",
    "adler32_fast",
    "crc32",
    "crc32_fast",
    "plan",
    "sha3_224",
    "sha3_224_fast",
    "sha3_256",
    "sha3_256_fast",
    "sha3_384",
    "sha3_384_fast",
    "sha3_512",
    "sha3_512_fast",
    "shake128",
    "shake128_fast",
    "shake256",
    "shake256_fast",
    "speed",
]
