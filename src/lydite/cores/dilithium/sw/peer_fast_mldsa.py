# SPDX-License-Identifier: Apache-2.0
"""ML-DSA-44 in Rust as Python's users have it: package fast-mldsa.

Its signatures are deterministic, or hedged by bytes of its own: `sign` is for `random` of zeros.
"""

from importlib.metadata import version

from fast_mldsa import MlDsa44
from fast_mldsa.rust import SigningKey, VerificationKey

VERSION = f"fast-mldsa {version('fast-mldsa')}"


def keygen(seed: bytes) -> tuple[bytes, ...]:
    public_key, secret_key = MlDsa44.key_gen(seed)
    return public_key.to_bytes(), bytes(secret_key.to_bytes())


def sign(secret_key: bytes, context: bytes, message: bytes, random: bytes) -> tuple[bytes, ...]:
    if any(random):
        raise ValueError("random: fast-mldsa takes none but zeros")
    return (SigningKey.from_bytes(secret_key).sign(message, context, True),)


def verify(
    public_key: bytes, context: bytes, message: bytes, signature: bytes
) -> tuple[bytes, ...] | None:
    try:
        right = VerificationKey.from_bytes(public_key).verify(signature, message, context)
    except ValueError:
        return None
    return () if right else None
