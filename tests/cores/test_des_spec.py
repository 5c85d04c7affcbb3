# SPDX-License-Identifier: Apache-2.0
"""The DES reference and its quick twin against NIST's and Rivest's known answers."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from lydite.cores import catalog
from lydite.cores.des import fast, spec
from lydite.cores.kat import chains

BOTH = pytest.mark.parametrize("module", [spec, fast], ids=["spec", "fast"])
CIPHERS = {"des": 516, "tdes-2key": 520, "tdes-3key": 540}
# FIPS 74 and SP 800-67, 3.3.2: keys whose round keys are all the same.
WEAK = ("0101010101010101", "fefefefefefefefe", "1f1f1f1f0e0e0e0e", "e0e0e0e0f1f1f1f1")
SEMI_WEAK = (
    ("01fe01fe01fe01fe", "fe01fe01fe01fe01"),
    ("1fe01fe00ef10ef1", "e01fe01ff10ef10e"),
    ("01e001e001f101f1", "e001e001f101f101"),
    ("1ffe1ffe0efe0efe", "fe1ffe1ffe0efe0e"),
    ("011f011f010e010e", "1f011f010e010e01"),
    ("e0fee0fef1fef1fe", "fee0fee0fef1fef1"),
)


@pytest.mark.parametrize("name", CIPHERS)
@BOTH
def test_known_answers(name: str, module: ModuleType) -> None:
    one = catalog.primitive(name)
    vectors = one.vectors()
    assert len(vectors) == CIPHERS[name]
    for vector in vectors[:: 1 if module is fast else 7]:
        operation = one.operation(vector.operation)
        inputs = [vector.fields[field] for field in operation.input_names]
        [output] = operation.output_names
        assert getattr(module, vector.operation)(*inputs) == vector.fields[output], vector.where


def test_rivests_chain_is_one() -> None:
    calls = [v for v in catalog.primitive("des").vectors() if v.where.startswith("rivest")]
    block = bytes.fromhex("9474b8e8c73bca7d")
    for number, vector in enumerate(calls):
        assert vector.operation == ("decrypt" if number % 2 else "encrypt")
        block = getattr(fast, vector.operation)(block, block)
    assert (len(calls), block.hex()) == (16, "1b1a2ddb4c642438")


@pytest.mark.slow
@pytest.mark.parametrize("name", CIPHERS)
def test_all_chains_of_nist(name: str) -> None:
    one = catalog.primitive(name)
    found = one.chains()
    assert [(chain.operation, len(chain.checkpoints)) for chain in found] == [
        ("encrypt", 12),
        ("decrypt", 12),
    ]
    for chain in found:
        operation = one.operation(chain.operation)
        [output] = operation.output_names

        def answer(name: str, inputs: dict[str, bytes], lengths: object) -> dict[str, bytes]:
            given = [inputs[field] for field in operation.input_names]  # noqa: B023
            return {output: getattr(fast, name)(*given)}  # noqa: B023

        for checkpoint, got in chains.run(chain, answer):
            assert got[output] == checkpoint.fields[output], checkpoint.where


def test_both_agree_and_undo_themselves() -> None:
    rng = random.Random(46)
    for length in (8, 16, 24):
        for blocks in range(4):
            key, data = rng.randbytes(length), rng.randbytes(8 * blocks)
            ciphertext = spec.encrypt(key, data)
            assert fast.encrypt(key, data) == ciphertext
            assert spec.decrypt(key, ciphertext) == fast.decrypt(key, ciphertext) == data


@BOTH
def test_counters_are_counted_as_a_whole(module: ModuleType) -> None:
    key = bytes(range(16))
    stream = module.encrypt(key, b"\xff" * 8 + bytes(8) + bytes(7) + b"\1")
    for length in (0, 1, 8, 17, 24):
        message = bytes(range(length))
        wanted = bytes(a ^ b for a, b in zip(message, stream, strict=False))
        assert module.ctr(key, b"\xff" * 8, message) == wanted


def test_a_counter_is_a_block() -> None:
    with pytest.raises(ValueError, match=r"^a counter block has 8 bytes, not 7$"):
        spec.ctr(bytes(8), bytes(7), b"")


@BOTH
def test_parity_is_not_looked_at(module: ModuleType) -> None:
    key = bytes.fromhex("133457799bbcdff1")
    wrong = bytes(byte ^ 1 for byte in key)
    assert module.encrypt(wrong, b"8 bytes.") == module.encrypt(key, b"8 bytes.")
    assert spec.key_of(spec.number_of(wrong)) == key


@BOTH
def test_weak_keys_undo_themselves_and_semi_weak_ones_each_other(module: ModuleType) -> None:
    for key in map(bytes.fromhex, WEAK):
        assert module.encrypt(key, module.encrypt(key, b"8 bytes.")) == b"8 bytes."
        assert spec.key_of(spec.number_of(key)) == key
    for one, other in SEMI_WEAK:
        ciphertext = module.encrypt(bytes.fromhex(one), b"8 bytes.")
        assert module.encrypt(bytes.fromhex(other), ciphertext) == b"8 bytes."


@BOTH
def test_wrong_lengths_are_said(module: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^a key has 8, 16 or 24 bytes, not 7$"):
        module.encrypt(bytes(7), bytes(8))
    with pytest.raises(ValueError, match=r"^9 bytes are no whole blocks of 8$"):
        module.decrypt(bytes(8), bytes(9))


@BOTH
def test_search_finds_the_lowest_key_of_its_range(module: ModuleType) -> None:
    for vector in catalog.primitive("des-search").vectors()[:: 1 if module is fast else 9]:
        inputs = list(vector.fields.values())[:6]
        assert module.search(*inputs) == vector.fields.get("key"), vector.where
