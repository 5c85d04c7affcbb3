# SPDX-License-Identifier: Apache-2.0
"""The functions of `spec.py` by Python's own library: quick enough for many random messages.

They are used once they agree with `spec.py` and with the known answers, which `verify` tries first.
"""

from __future__ import annotations

import hashlib


def sha3_224(message: bytes) -> bytes:
    """Give the 28 bytes of SHA3-224."""
    return hashlib.sha3_224(message).digest()


def sha3_256(message: bytes) -> bytes:
    """Give the 32 bytes of SHA3-256."""
    return hashlib.sha3_256(message).digest()


def sha3_384(message: bytes) -> bytes:
    """Give the 48 bytes of SHA3-384."""
    return hashlib.sha3_384(message).digest()


def sha3_512(message: bytes) -> bytes:
    """Give the 64 bytes of SHA3-512."""
    return hashlib.sha3_512(message).digest()


def shake128(message: bytes, output_bytes: int) -> bytes:
    """Give bytes of SHAKE128."""
    return hashlib.shake_128(message).digest(output_bytes)


def shake256(message: bytes, output_bytes: int) -> bytes:
    """Give bytes of SHAKE256."""
    return hashlib.shake_256(message).digest(output_bytes)
