# SPDX-License-Identifier: Apache-2.0
"""Names what differs in a call's outputs, as C has it."""

from __future__ import annotations

import math
import re

from lydite.hls.contract.interface import Interface
from lydite.sim.cosim.native import ArrayField, Recording


def first(
    interface: Interface, recording: Recording, right: bytes, got: bytes
) -> tuple[str, str, str]:
    """Give variable, expected and got of the first wrong value: the result, else an array's."""
    cut = recording.layout
    wanted, given = right[cut.result :], got[cut.result :]
    if wanted != given:
        width, signed = interface.return_width, interface.return_signed
        return (
            "return value",
            _value(wanted, width, signed=signed),
            _value(given, width, signed=signed),
        )
    writable = [field for field in cut.arrays if field.arg.direction != "in"]
    for field in (*writable, *(f for f in cut.arrays if f not in writable)):
        wanted = right[field.out : field.out + field.bytes]
        given = got[field.out : field.out + field.bytes]
        if wanted == given or field.arg.name in recording.by_value:
            continue
        at = next(i for i in range(field.bytes) if wanted[i] != given[i])
        name, start, size = element(field, at)
        return (
            name,
            _value(wanted[start : start + size], 8 * size, signed=False),
            _value(given[start : start + size], 8 * size, signed=False),
        )
    raise AssertionError("the harness saw a difference")


def element(field: ArrayField, at: int) -> tuple[str, int, int]:
    """Give the C name of the element that byte `at` of an array lies in, and its bytes.

    Returns
    -------
    tuple of str, int, int
        Name with indices, first byte and number of bytes. Of an element larger than a word of the
        port, the word.
    """
    arg = field.arg
    word = arg.element_width // 8
    shape = [int(size) for size in re.findall(r"\[\s*(?:static\s+)?(\d+)\s*\]", arg.c_type)]
    brackets = arg.c_type.count("[")
    count = math.prod(shape)
    if not shape or len(shape) != brackets or arg.c_bytes % count:
        shape, size = [], word
    else:
        size = arg.c_bytes // count
    if not shape and arg.c_bytes <= word:
        return f"*{arg.name}", 0, min(arg.c_bytes, field.bytes)
    rest, indices = at // size, ""
    for length in reversed(shape[1:]):
        rest, index = divmod(rest, length)
        indices = f"[{index}]{indices}"
    name, start = f"{arg.name}[{rest}]{indices}", at // size * size
    if size > 8:
        inside = (at - start) // word * word
        return f"{name} at byte {inside}", start + inside, min(word, size - inside)
    return name, start, size


def _value(raw: bytes, width: int, *, signed: bool) -> str:
    """Give a value in hexadecimal and decimal."""
    value = int.from_bytes(raw, "little")
    decimal = value - (1 << width) if signed and value >> (width - 1) else value
    return f"0x{value:0{(width + 3) // 4}x} ({decimal})"


def overlap(recording: Recording, number: int) -> str:
    """Say which arrays of a call overlap, since that is no longer so in hardware."""
    base = number * recording.layout.record_bytes
    spans = []
    for field in recording.layout.arrays:
        raw = recording.data[base + field.offset : base + field.offset + 8]
        spans.append((int.from_bytes(raw, "little"), field))
    for i, (start, field) in enumerate(spans):
        for other_start, other in spans[i + 1 :]:
            if start < other_start + other.bytes and other_start < start + field.bytes:
                names = f"{field.arg.name} and {other.arg.name}"
                return f"{names} overlap in this call; in hardware each is a memory of its own"
    return ""
