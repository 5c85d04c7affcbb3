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


# A signature is the message's bytes and the secret key, which is the public one turned round.
SIGNING = """
schema = 2
title = "Signatures"

[[primitive]]
name = "signatures"
title = "Signatures"
standard = "none"
kat = [{ file = "kat.json", format = "json", records = 1 }]

[[primitive.operation]]
name = "keygen"
inputs = [{ name = "seed", bytes = 3 }]
outputs = [{ name = "public_key", bytes = 2 }, { name = "secret_key", bytes = 2 }]
spec = "spec.py:keygen"

[[primitive.operation]]
name = "sign"
inputs = [
    { name = "secret_key", bytes = 2 },
    { name = "context", most = 5 },
    { name = "message" },
    { name = "random", bytes = 1 },
]
outputs = [{ name = "signature", bytes = 4 }]
keys = "keygen"
payload = "message"
block_bytes = 4
spec = "spec.py:sign"

[[primitive.operation]]
name = "verify"
inputs = [
    { name = "public_key", bytes = 2 },
    { name = "context", most = 5 },
    { name = "message" },
    { name = "signature", bytes = 4 },
]
outputs = []
rejects = true
inverse = "sign"
keys = "keygen"
payload = "message"
block_bytes = 4
spec = "spec.py:verify"
"""
SIGNER = """
import hashlib


def keygen(seed):
    key = hashlib.sha256(seed).digest()[:2]
    return key, key[::-1]


def tag(key, context, message, random):
    assert len(context) <= 5
    found = hashlib.sha256(key + bytes([len(context)]) + context + message + random).digest()
    return random + found[:3]


def sign(secret_key, context, message, random):
    return tag(secret_key[::-1], context, message, random)


def verify(public_key, context, message, signature):
    right = tag(public_key, context, message, signature[:1])
    return () if signature == right else None
"""


def test_keys_are_made_and_lengths_have_an_end(tmp_path: Path) -> None:
    (tmp_path / "core.toml").write_text(SIGNING)
    (tmp_path / "spec.py").write_text(SIGNER)
    (tmp_path / "kat.json").write_text("")
    [primitive] = load(tmp_path / "core.toml").primitives
    operations = {one.name: one for one in primitive.operations}
    with suites.Oracle(primitive, operations) as oracle:
        jobs, forged = suites.near(oracle, operations)
        made = {oracle.outputs(operations["keygen"], [((s,), None)])[0] for s in _seeds(jobs)}
    accepted = [one for one in jobs if one.operation.name == "verify" and one.accepted]
    # Verifying alone shows that keys are those of one call: signatures verify under them.
    assert len(accepted) > 20
    assert forged == sum(not one.accepted for one in jobs) > 20
    assert {len(one.inputs[1]) for one in accepted} == set(range(6))
    signing = [one for one in jobs if one.operation.name == "sign"]
    assert {len(one.inputs[1]) for one in signing} == set(range(6))
    # Keys change, and stay for two calls.
    keys = [one.inputs[0] for one in signing]
    assert len(keys) / 3 < len(set(keys)) < len(keys)
    assert made


def _seeds(jobs: list[suites.Job]) -> set[bytes]:
    return {one.inputs[0] for one in jobs if one.operation.name == "keygen"}
