# SPDX-License-Identifier: Apache-2.0
"""The toy cipher of the tests, sealed and opened."""


def _tag(key: bytes, message: bytes) -> bytes:
    total = key[0]
    for byte in message:
        total = ((total << 1 | total >> 7) & 0xFF) ^ byte
    return bytes([total])


def seal(key, message):
    return bytes(byte ^ key[0] for byte in message), _tag(key, message)


def open_(key, ciphertext, tag):
    message = bytes(byte ^ key[0] for byte in ciphertext)
    return message if _tag(key, message) == tag else None


def shifted(key, shift, message):
    sealed, tag = seal(key, message)
    return bytes((byte + shift[0]) & 0xFF for byte in sealed), tag
