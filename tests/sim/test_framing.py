# SPDX-License-Identifier: Apache-2.0
"""Calls as packets: the values of registers stand where the harness looks for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cores import load
from lydite.sim import framing
from lydite.sim.framing import Job

Replace = Callable[[Path, str, str], None]

OPERATIONS = """
[[primitive.operation]]
name = "encrypt"
inputs = [{ name = "key", bytes = 2 }, { name = "tweak", bytes = 1 }, { name = "message" }]
outputs = [{ name = "output", bytes = "message" }]
payload = "message"
block_bytes = 1

[[primitive.operation]]
name = "hash"
inputs = [{ name = "tweak", bytes = 1 }, { name = "message" }]
outputs = [{ name = "output", bytes = 4 }]
payload = "message"
block_bytes = 1

"""


@pytest.mark.parametrize(
    ("name", "inputs", "registers"),
    [
        ("encrypt", (b"ab", b"c", b"text"), b"abc"),
        # This one has no key: its register holds anything, and the next one its own value.
        ("hash", (b"c", b"text"), b"\0\0c"),
    ],
)
def test_register_of_a_field_that_an_operation_lacks_moves_no_other(
    crc32: Path, replace: Replace, name: str, inputs: tuple[bytes, ...], registers: bytes
) -> None:
    path = crc32 / "core.toml"
    text = path.read_text()
    begin, end = text.index("[[primitive.operation]]"), text.index("[[design]]")
    path.write_text(text[:begin] + OPERATIONS + text[end:])
    replace(
        path,
        'top = "crc32"',
        'top = "crc32"\nregisters = { key_i = "key", tweak_i = "tweak" }\n'
        "claims.encrypt = { cycles_per_block = 1 }",
    )
    [design] = load(path).designs
    operation = design.primitive.operation(name)
    job = Job(operation=operation, inputs=inputs, outputs=(b"1234",))
    made = framing.call(design, job)
    assert made.registers == registers
    assert [[packet.data for packet in packets] for packets in made.inputs] == [[b"text"]]
