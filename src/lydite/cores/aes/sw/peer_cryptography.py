# SPDX-License-Identifier: Apache-2.0
"""AES-128 as Python's users have it: package cryptography, which calls OpenSSL."""

import cryptography
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

VERSION = f"cryptography {cryptography.__version__} with {backend.openssl_version_text()}"


def encrypt(key: bytes, plaintext: bytes) -> bytes:
    context = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return bytes(context.update(plaintext) + context.finalize())


def decrypt(key: bytes, ciphertext: bytes) -> bytes:
    context = Cipher(algorithms.AES(key), modes.ECB()).decryptor()
    return bytes(context.update(ciphertext) + context.finalize())


def ctr(key: bytes, counter: bytes, message: bytes) -> bytes:
    context = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
    return bytes(context.update(message) + context.finalize())
