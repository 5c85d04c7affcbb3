# SPDX-License-Identifier: Apache-2.0
"""The Keccak reference against NIST's known answers and against Python's own SHA-3."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cores.keccak import spec

KAT = Path(spec.__file__).parent / "kat"
HASHES: dict[str, Callable[[bytes], bytes]] = {
    "SHA3_224": spec.sha3_224,
    "SHA3_256": spec.sha3_256,
    "SHA3_384": spec.sha3_384,
    "SHA3_512": spec.sha3_512,
}
EXTENDABLE: dict[str, Callable[[bytes, int], bytes]] = {
    "SHAKE128": spec.shake128,
    "SHAKE256": spec.shake256,
}
RATE_BYTES = {
    "SHA3_224": 144,
    "SHA3_256": 136,
    "SHA3_384": 104,
    "SHA3_512": 72,
    "SHAKE128": 168,
    "SHAKE256": 136,
}
RECORD = re.compile(r"(?:Len|Outputlen) = (\d+)\nMsg = (\w+)\n(?:MD|Output) = (\w+)\n")


def records(name: str) -> list[tuple[bytes, bytes]]:
    """Read (message, output) of every record of a message file."""
    text = (KAT / f"{name}.rsp").read_text(encoding="ascii")
    found = RECORD.findall(text)
    assert len(found) == len(re.findall(r"^(?:MD|Output) = ", text, re.MULTILINE)) > 0
    return [
        (b"" if bits == "0" else bytes.fromhex(message), bytes.fromhex(output))
        for bits, message, output in found
    ]


def compute(name: str, message: bytes, output_bytes: int) -> bytes:
    """Run one of the six functions by the name of its vectors."""
    if name in HASHES:
        return HASHES[name](message)
    return EXTENDABLE[name](message, output_bytes)


@pytest.mark.parametrize("name", RATE_BYTES)
def test_short_messages_of_nist(name: str) -> None:
    for message, output in records(f"{name}ShortMsg"):
        assert compute(name, message, len(output)) == output, f"{len(message)} bytes"


@pytest.mark.parametrize("name", RATE_BYTES)
def test_shortest_long_message_of_nist(name: str) -> None:
    message, output = min(records(f"{name}LongMsg"), key=lambda record: len(record[0]))
    assert compute(name, message, len(output)) == output


@pytest.mark.parametrize("name", EXTENDABLE)
def test_output_lengths_of_nist(name: str) -> None:
    for message, output in records(f"{name}VariableOut"):
        assert compute(name, message, len(output)) == output, f"{len(output)} bytes"


@pytest.mark.parametrize("name", RATE_BYTES)
def test_block_boundaries_as_in_hashlib(name: str) -> None:
    rate_bytes = RATE_BYTES[name]
    for length in (0, 1, rate_bytes - 1, rate_bytes, rate_bytes + 1, 2 * rate_bytes - 1):
        message = bytes(i % 251 for i in range(length))
        digest = hashlib.new(name.lower().replace("shake", "shake_"), message)
        if name in EXTENDABLE:
            for output_bytes in (1, rate_bytes, rate_bytes + 1, 3 * rate_bytes):
                expected = digest.digest(output_bytes)  # type: ignore[call-arg]
                assert compute(name, message, output_bytes) == expected
        else:
            assert compute(name, message, 0) == digest.digest()


def test_round_constants_of_the_standard() -> None:
    assert spec.ROUND_CONSTANTS[0] == 0x0000000000000001
    assert spec.ROUND_CONSTANTS[1] == 0x0000000000008082
    assert spec.ROUND_CONSTANTS[23] == 0x8000000080008008


def test_padding_fills_whole_blocks() -> None:
    assert spec.pad(b"", 136, 0x06) == b"\x06" + bytes(134) + b"\x80"
    assert spec.pad(bytes(135), 136, 0x06) == bytes(135) + b"\x86"
    assert spec.pad(bytes(136), 136, 0x1F) == bytes(136) + b"\x1f" + bytes(134) + b"\x80"
