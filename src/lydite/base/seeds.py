# SPDX-License-Identifier: Apache-2.0
"""Seeds that have nothing to do with each other.

Small consecutive seeds start related sequences in generators that are seeded directly (nextpnr's
xorshift is one), so seed i of a stream is a hash of the stream's name and i.
"""

from __future__ import annotations

import hashlib


def hashed(stream: str, index: int, *, bits: int = 63) -> int:
    """Give seed `index` of a named stream, at least 1 and below 2**bits."""
    raw = hashlib.sha256(f"lydite seed {stream} {index}".encode()).digest()
    return int.from_bytes(raw[:8], "big") % ((1 << bits) - 1) + 1
