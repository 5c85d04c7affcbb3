# SPDX-License-Identifier: Apache-2.0
"""The AES reference and its quick twin against NIST's known answers, and against each other."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import ModuleType

import pytest

from lydite.cores.aes import fast, spec

KAT = Path(spec.__file__).parent / "kat"
# Records of each section of the files of CAVP.
CAVP = {
    "ECBGFSbox128": 7,
    "ECBKeySbox128": 21,
    "ECBVarKey128": 128,
    "ECBVarTxt128": 128,
    "ECBMMT128": 10,
}
BOTH = pytest.mark.parametrize("module", [spec, fast], ids=["spec", "fast"])
Record = dict[str, bytes]


def cavp(name: str) -> dict[str, list[Record]]:
    """Read a response file: records of the sections ENCRYPT and DECRYPT."""
    sections: dict[str, list[Record]] = {}
    section = ""
    for line in (KAT / f"{name}.rsp").read_text(encoding="ascii").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            sections[section] = []
        elif line.startswith("COUNT"):
            sections[section].append({})
        elif " = " in line:
            field, _, value = line.partition(" = ")
            sections[section][-1][field] = bytes.fromhex(value)
    return sections


def acvp() -> list[dict[str, str]]:
    """Read the tests of ACVP in counter mode that are whole bytes."""
    text = (KAT / "ACVP-AES-CTR-128.acvp.json").read_text(encoding="ascii")
    tests = [test for group in json.loads(text)["testGroups"] for test in group["tests"]]
    assert len(tests) == 50
    return [test for test in tests if test["payloadLen"] % 8 == 0]


@BOTH
@pytest.mark.parametrize("name", CAVP)
def test_blocks_of_nist(name: str, module: ModuleType) -> None:
    sections = cavp(name)
    assert {section: len(records) for section, records in sections.items()} == {
        "ENCRYPT": CAVP[name],
        "DECRYPT": CAVP[name],
    }
    for record in sections["ENCRYPT"]:
        assert module.encrypt(record["KEY"], record["PLAINTEXT"]) == record["CIPHERTEXT"]
    for record in sections["DECRYPT"]:
        assert module.decrypt(record["KEY"], record["CIPHERTEXT"]) == record["PLAINTEXT"]


def monte_carlo(module: ModuleType, records: list[Record], *, encrypts: bool) -> None:
    """Run chains of a thousand blocks (AESAVS, 6.4.1), each from its own record."""
    source, result = ("PLAINTEXT", "CIPHERTEXT") if encrypts else ("CIPHERTEXT", "PLAINTEXT")
    apply = module.encrypt if encrypts else module.decrypt
    for number, record in enumerate(records):
        block = record[source]
        for _ in range(1000):
            block = apply(record["KEY"], block)
        assert block == record[result], number
        if number + 1 < len(records):
            key = bytes(a ^ b for a, b in zip(record["KEY"], block, strict=True))
            assert (key, block) == (records[number + 1]["KEY"], records[number + 1][source])


@pytest.mark.parametrize("section", ["ENCRYPT", "DECRYPT"])
def test_a_chain_of_a_thousand_blocks_of_nist(section: str) -> None:
    monte_carlo(fast, cavp("ECBMCT128")[section][:1], encrypts=section == "ENCRYPT")


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("section", ["ENCRYPT", "DECRYPT"])
def test_all_chains_of_nist(section: str, module: ModuleType) -> None:
    records = cavp("ECBMCT128")[section]
    assert len(records) == 10
    monte_carlo(module, records, encrypts=section == "ENCRYPT")


@BOTH
def test_counter_mode_of_nist(module: ModuleType) -> None:
    tests = acvp()
    assert len(tests) == 32
    for test in tests:
        key, counter, plain, cipher = (
            bytes.fromhex(test[name]) for name in ("key", "iv", "pt", "ct")
        )
        assert len(plain) * 8 == test["payloadLen"]
        assert module.ctr(key, counter, plain) == cipher
        assert module.ctr(key, counter, cipher) == plain


@BOTH
def test_example_of_sp_800_38a(module: ModuleType) -> None:
    records = json.loads((KAT / "SP800-38A_F.5.json").read_text(encoding="ascii"))
    assert records
    for record in records:
        fields = {
            name: bytes.fromhex(value) for name, value in record.items() if name != "operation"
        }
        ciphertext = fields.pop("ciphertext")
        assert getattr(module, record["operation"])(*fields.values()) == ciphertext


def test_example_of_the_standard_round_by_round() -> None:
    # FIPS 197, appendix B.
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    keys = spec.key_expansion(key)
    assert bytes(keys[1]).hex() == "a0fafe1788542cb123a339392a6c7605"
    assert bytes(keys[10]).hex() == "d014f9a8c9ee2589e13f0cc8b6630ca6"
    state = spec.add_round_key(tuple(bytes.fromhex("3243f6a8885a308d313198a2e0370734")), keys[0])
    state = spec.sub_bytes(state)
    assert bytes(state).hex() == "d42711aee0bf98f1b8b45de51e415230"
    state = spec.shift_rows(state)
    assert bytes(state).hex() == "d4bf5d30e0b452aeb84111f11e2798e5"
    state = spec.mix_columns(state)
    assert bytes(state).hex() == "046681e5e0cb199a48f8d37a2806264c"


def test_steps_and_their_inverses() -> None:
    state = tuple(random.Random(197).randbytes(16))
    assert spec.inv_sub_bytes(spec.sub_bytes(state)) == state
    assert spec.inv_shift_rows(spec.shift_rows(state)) == state
    assert spec.inv_mix_columns(spec.mix_columns(state)) == state
    assert sorted(spec.SBOX) == list(range(256))


def test_both_agree_on_random_messages_and_undo_themselves() -> None:
    rng = random.Random(38)
    for length in [*range(40), 160, 161]:
        key, counter, message = rng.randbytes(16), rng.randbytes(16), rng.randbytes(length)
        ciphertext = spec.ctr(key, counter, message)
        assert len(ciphertext) == length
        assert fast.ctr(key, counter, message) == ciphertext
        assert spec.ctr(key, counter, ciphertext) == message
        blocks = rng.randbytes(16 * (length % 4))
        assert fast.encrypt(key, blocks) == spec.encrypt(key, blocks)
        assert fast.decrypt(key, blocks) == spec.decrypt(key, blocks)
        assert spec.decrypt(key, spec.encrypt(key, blocks)) == blocks


@BOTH
@pytest.mark.parametrize("counter", [2**128 - 1, 2**128 - 2, 2**32 - 1, 2**64 - 1, 2**96 - 1])
def test_counter_carries_through_all_of_its_bytes(module: ModuleType, counter: int) -> None:
    # Blocks of key stream are those of counters one by one.
    key = bytes(range(16))
    stream = module.ctr(key, counter.to_bytes(16, "big"), bytes(48))
    counters = [((counter + i) % 2**128).to_bytes(16, "big") for i in range(3)]
    assert stream == spec.encrypt(key, b"".join(counters))


@BOTH
def test_wrong_lengths_are_said(module: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^a key of AES-128 has 16 bytes, not 15$"):
        module.encrypt(bytes(15), bytes(16))
    with pytest.raises(ValueError, match=r"^a key of AES-128 has 16 bytes, not 24$"):
        module.decrypt(bytes(24), bytes(16))
    with pytest.raises(ValueError, match=r"^17 bytes are no whole blocks of 16$"):
        module.encrypt(bytes(16), bytes(17))
    with pytest.raises(ValueError, match=r"^a counter block has 16 bytes, not 12$"):
        module.ctr(bytes(16), bytes(12), bytes(1))
