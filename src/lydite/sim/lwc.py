# SPDX-License-Identifier: Apache-2.0
"""Calls as words of the hardware API for lightweight cryptography of George Mason University.

J.-P. Kaps et al., Hardware API for Lightweight Cryptography, v1.2.0: words of 32 bits, a field's
first byte in bits 31:24; instructions, segment headers, a status. Each call activates its key.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from lydite.base.errors import InputError

WORD_BYTES = 4
# Instructions, and what comes back: bits 31:28.
ENCRYPT, DECRYPT, LOAD_KEY, ACTIVATE_KEY, HASH = 0x2, 0x3, 0x4, 0x7, 0x8
SUCCESS, FAILURE = 0xE, 0xF
# Types of segments.
AD, PLAINTEXT, CIPHERTEXT, MESSAGE, TAG, DIGEST, KEY, NONCE = 1, 4, 5, 7, 8, 9, 0xC, 0xD
# Bits of a header: end of input (what follows is empty, or a tag), end of type, last segment.
_EOI, _EOT, _LAST = 1 << 26, 1 << 25, 1 << 24
# Bytes of a segment that others of its type follow: whole blocks, within 16 bits.
SEGMENT_BYTES = 65520

_NAMES = {
    KEY: ("key",),
    NONCE: ("nonce", "iv"),
    AD: ("ad",),
    PLAINTEXT: ("message", "plaintext"),
    CIPHERTEXT: ("ciphertext",),
    MESSAGE: ("message",),
    TAG: ("tag",),
    DIGEST: ("digest", "output", "hash"),
}


def frame(
    kind: str,
    fields: Mapping[str, bytes],
    outputs: Mapping[str, bytes],
    *,
    accepted: bool = True,
) -> tuple[bytes, bytes, bytes]:
    """Give the words that a call puts on PDI and SDI, and those that must come from DO.

    Parameters
    ----------
    kind : str
        Kind of the operation: `seal`, `open` or `hash`.
    fields, outputs : mapping
        Inputs and outputs by their names. Of a rejected call the outputs are not looked at; `mask`
        says which bytes of DO count.

    Returns
    -------
    tuple of bytes
        Big-endian words. DO ends with the status, at which `do_last` is to be set.

    Raises
    ------
    InputError
        The API has no such operation, or a field is missing.
    """
    if kind == "hash":
        message = _field(fields, MESSAGE)
        pdi = _instruction(HASH) + _segments(MESSAGE, message, eoi=bool(message), last=True)
        do = _segments(DIGEST, _field(outputs, DIGEST), last=True)
        return pdi, b"", do + _instruction(SUCCESS)
    if kind not in ("seal", "open"):
        raise InputError(f"lwc: {kind}", "no operation of the API", "it has seal, open and hash")
    opens = kind == "open"
    nonce, ad = _field(fields, NONCE), _field(fields, AD)
    text = _field(fields, CIPHERTEXT if opens else PLAINTEXT)
    pdi = _instruction(ACTIVATE_KEY) + _instruction(DECRYPT if opens else ENCRYPT)
    pdi += _segments(NONCE, nonce, eoi=not ad and not text)
    pdi += _segments(AD, ad, eoi=bool(ad) and not text)
    sdi = _instruction(LOAD_KEY) + _segments(KEY, _field(fields, KEY), eoi=True, last=True)
    if not opens:
        pdi += _segments(PLAINTEXT, text, eoi=bool(text), last=True)
        do = _segments(CIPHERTEXT, _field(outputs, CIPHERTEXT))
        do += _segments(TAG, _field(outputs, TAG), last=True)
        return pdi, sdi, do + _instruction(SUCCESS)
    pdi += _segments(CIPHERTEXT, text, eoi=bool(text))
    pdi += _segments(TAG, _field(fields, TAG), last=True)
    message = _field(outputs, PLAINTEXT) if accepted else bytes(len(text))
    do = _segments(PLAINTEXT, message, last=True)
    return pdi, sdi, do + _instruction(SUCCESS if accepted else FAILURE)


def mask(
    kind: str,
    fields: Mapping[str, bytes],
    outputs: Mapping[str, bytes],
    *,
    accepted: bool = True,
) -> bytes:
    """Give for each byte of DO 1 where it counts, 0 where it is text whose tag is wrong."""
    do = frame(kind, fields, outputs, accepted=accepted)[2]
    if accepted:
        return b"\x01" * len(do)
    text = _field(fields, CIPHERTEXT)
    counts = b"".join(b"\x01" * 4 + bytes(len(part) + -len(part) % 4) for part, _ in _parts(text))
    return counts + b"\x01" * 4


def _field(values: Mapping[str, bytes], kind: int) -> bytes:
    for name in _NAMES[kind]:
        if name in values:
            return values[name]
    raise InputError("lwc: fields", f"no {' or '.join(_NAMES[kind])}", "the API needs one")


def _instruction(code: int) -> bytes:
    return struct.pack(">I", code << 28)


def _parts(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Cut a field into segments, each with whether it is the last one."""
    for at in range(0, max(len(data), 1), SEGMENT_BYTES):
        yield data[at : at + SEGMENT_BYTES], at + SEGMENT_BYTES >= len(data)


def _segments(kind: int, data: bytes, *, eoi: bool = False, last: bool = False) -> bytes:
    """Give the segments of a field; `eoi` and `last` are those of the last one."""
    words = b""
    for part, ends in _parts(data):
        flags = (_EOT | _EOI * eoi | _LAST * last) if ends else 0
        words += struct.pack(">I", kind << 28 | flags | len(part))
        words += part + bytes(-len(part) % 4)
    return words
