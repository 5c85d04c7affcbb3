# SPDX-License-Identifier: Apache-2.0
"""BLAKE3 as Python's users have it: package blake3, its designers' Rust."""

import blake3

# core.toml defines it: 1 for all threads of the machine.
THREADS: int

VERSION = f"blake3 {blake3.__version__}"
_MOST = blake3.blake3.AUTO if THREADS else 1  # noqa: F821


def hash(message: bytes, output_bytes: int) -> bytes:
    output: bytes = blake3.blake3(message, max_threads=_MOST).digest(output_bytes)
    return output


def keyed_hash(key: bytes, message: bytes, output_bytes: int) -> bytes:
    output: bytes = blake3.blake3(message, key=key, max_threads=_MOST).digest(output_bytes)
    return output


def derive_key(context: bytes, material: bytes, output_bytes: int) -> bytes:
    # The package takes text; the operation any bytes.
    text = context.decode()
    output: bytes = blake3.blake3(material, derive_key_context=text, max_threads=_MOST).digest(
        output_bytes
    )
    return output
