# SPDX-License-Identifier: Apache-2.0
"""SHA-3 and SHAKE as Python's users have them: hashlib."""

import hashlib
import ssl

# core.toml defines these.
RATE_BYTES: int
SUFFIX: int

_SHA3 = SUFFIX == 0x06  # noqa: F821
_BITS = 4 * (200 - RATE_BYTES)  # noqa: F821
_new = getattr(hashlib, f"sha3_{_BITS}" if _SHA3 else f"shake_{_BITS}")

# A build of Python calls OpenSSL for these, or has code of its own.
VERSION = ssl.OPENSSL_VERSION if _new.__name__.startswith("openssl") else "Python's own"


def _digest(message: bytes) -> bytes:
    return bytes(_new(message).digest())


def _output(message: bytes, output_bytes: int) -> bytes:
    return bytes(_new(message).digest(output_bytes))


hash = _digest if _SHA3 else _output
