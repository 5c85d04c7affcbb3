# SPDX-License-Identifier: Apache-2.0
"""ML-DSA-44 as Python's users have it: package cryptography, which calls OpenSSL 3.5 or later.

Verification alone: its private keys are seeds, and its signatures are hedged by bytes of its own.
"""

import cryptography
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

VERSION = f"cryptography {cryptography.__version__} with {backend.openssl_version_text()}"


def verify(
    public_key: bytes, context: bytes, message: bytes, signature: bytes
) -> tuple[bytes, ...] | None:
    try:
        key = MLDSA44PublicKey.from_public_bytes(public_key)
        key.verify(signature, message, context)
    except (InvalidSignature, ValueError):
        return None
    return ()
