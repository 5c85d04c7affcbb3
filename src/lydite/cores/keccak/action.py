# SPDX-License-Identifier: Apache-2.0
"""The sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2) with all its modes.

The speed test is that of `speed`, the checksums are those of `cores.checksum`.
"""

from __future__ import annotations

from lydite.cores.checksum.fast import adler32 as adler32_fast
from lydite.cores.checksum.fast import crc32 as crc32_fast
from lydite.cores.checksum.spec import adler32, crc32
from lydite.cores.keccak.speed import plan, speed

__all__ = ["adler32", "adler32_fast", "crc32", "crc32_fast", "plan", "speed"]
