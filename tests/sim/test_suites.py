# SPDX-License-Identifier: Apache-2.0
"""Which calls follow from operations."""

from __future__ import annotations

from pathlib import Path

from lydite.cores import load
from lydite.sim import suites

DESCRIPTION = """
schema = 2
title = "Sums"

[[primitive]]
name = "sums"
title = "Sums"
standard = "none"
kat = [{ file = "kat.json", format = "json", records = 1 }]

[[primitive.operation]]
name = "encrypt"
inputs = [{ name = "key", bytes = 1 }, { name = "plaintext" }]
outputs = [{ name = "ciphertext", bytes = "plaintext" }]
inverse = "decrypt"
payload = "plaintext"
block_bytes = 4
spec = "spec.py:encrypt"

[[primitive.operation]]
name = "decrypt"
inputs = [{ name = "key", bytes = 1 }, { name = "ciphertext" }]
outputs = [{ name = "plaintext", bytes = "ciphertext" }]
inverse = "encrypt"
payload = "ciphertext"
block_bytes = 4
spec = "spec.py:decrypt"
"""
SPECIFICATION = """
def encrypt(key, plaintext):
    return bytes((byte + key[0]) & 0xFF for byte in plaintext)


def decrypt(key, ciphertext):
    return bytes((byte - key[0]) & 0xFF for byte in ciphertext)
"""


def test_operations_that_undo_each_other_are_tried_both_ways(tmp_path: Path) -> None:
    (tmp_path / "core.toml").write_text(DESCRIPTION)
    (tmp_path / "spec.py").write_text(SPECIFICATION)
    (tmp_path / "kat.json").write_text("")
    [primitive] = load(tmp_path / "core.toml").primitives
    operations = {one.name: one for one in primitive.operations}
    with suites.Oracle(primitive, operations) as oracle:
        jobs, _ = suites.near(oracle, operations)
    for name, other in (("encrypt", "decrypt"), ("decrypt", "encrypt")):
        given = {(one.inputs, *one.outputs) for one in jobs if one.operation.name == name}
        undone = {
            ((one.inputs[0], *one.outputs), one.inputs[1])
            for one in jobs
            if one.operation.name == other
        }
        # All calls of one are the other's, turned round: those at the boundaries of both.
        assert given == undone
