# SPDX-License-Identifier: Apache-2.0
"""Files of the form of project Wycheproof."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lydite.cores import kat
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Refusal = Callable[..., str]


def toy_seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Compute the function of wycheproof_aead.json: masks and a tag, all of SHA-256."""
    blocks = range(len(message) // 32 + 1)
    mask = b"".join(hashlib.sha256(key + nonce + bytes([block])).digest() for block in blocks)
    ciphertext = bytes(a ^ b for a, b in zip(message, mask, strict=False))
    head = key + nonce + len(ad).to_bytes(8, "little") + ad
    return ciphertext, hashlib.sha256(head + ciphertext).digest()[:16]


@pytest.fixture(scope="session")
def toy(make: Make) -> tuple[Operation, ...]:
    shared = {"key": 16, "nonce": 12, "ad": None}
    return (
        make("seal", {**shared, "message": None}, {"ciphertext": "message", "tag": 16}),
        make(
            "open",
            {**shared, "ciphertext": None, "tag": 16},
            {"message": "ciphertext"},
            rejects=True,
        ),
    )


@pytest.fixture
def suite(data: Path) -> dict[str, Any]:
    """Give the tests of authenticated encryption, to be broken."""
    found: dict[str, Any] = json.loads((data / "wycheproof_aead.json").read_text())
    return found


def test_valid_tests_seal_and_open_and_invalid_ones_do_not_open(
    data: Path, toy: tuple[Operation, ...]
) -> None:
    read = kat.vectors(data / "wycheproof_aead.json", "wycheproof", toy, 3, 3)
    assert [(one.where, one.operation, one.accepted) for one in read.vectors] == [
        ("wycheproof_aead.json: tcId 1", "seal", True),
        ("wycheproof_aead.json: tcId 1", "open", True),
        ("wycheproof_aead.json: tcId 2", "seal", True),
        ("wycheproof_aead.json: tcId 2", "open", True),
        ("wycheproof_aead.json: tcId 3", "open", False),
    ]
    for vector in read.vectors:
        fields = vector.fields
        message = fields.get("message", b"abc")
        ciphertext, tag = toy_seal(fields["key"], fields["nonce"], fields["ad"], message)
        assert fields["ciphertext"] == ciphertext
        assert (fields["tag"] == tag) is vector.accepted
    assert "message" not in read.vectors[-1].fields


def test_what_is_left_out_is_told(data: Path, toy: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "wycheproof_aead.json", "wycheproof", toy, 3, 3)
    assert [(one.where, one.why) for one in read.skipped] == [
        ("wycheproof_aead.json: tcId 4", "acceptable: both answers are right"),
        ("wycheproof_aead.json: tcId 5", "key is not of 16 bytes"),
        ("wycheproof_aead.json: tcId 6", "nonce is not of 12 bytes"),
    ]


def test_primitive_that_only_seals_has_nothing_to_reject(
    data: Path, toy: tuple[Operation, ...]
) -> None:
    read = kat.vectors(data / "wycheproof_aead.json", "wycheproof", toy[:1], 2, 4)
    assert [vector.operation for vector in read.vectors] == ["seal", "seal"]
    assert read.skipped[0].why == "no operation of kind 'open'"


def test_ciphers_are_read(data: Path, make: Make) -> None:
    inputs = {"key": 16, "counter": 16}
    operations = (
        make("encrypt", {**inputs, "plaintext": None}, {"ciphertext": "plaintext"}),
        make("decrypt", {**inputs, "ciphertext": None}, {"plaintext": "ciphertext"}),
    )
    read = kat.vectors(data / "wycheproof_ctr.json", "wycheproof", operations, 1, 1)
    assert [vector.operation for vector in read.vectors] == ["encrypt", "decrypt"]
    assert read.vectors[0].fields["counter"].hex() == "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
    assert read.reasons == {"decrypt never rejects": 1}


def test_encryption_without_a_nonce_is_read(
    tmp_path: Path, suite: dict[str, Any], make: Make
) -> None:
    """The tag is a part of the ciphertext then."""
    group = suite["testGroups"][0]
    group["type"] = "DaeadTest"
    for test in group["tests"]:
        del test["iv"]
        test["ct"] += test.pop("tag")
    suite.update(testGroups=[group], numberOfTests=len(group["tests"]))
    path = tmp_path / "a.json"
    path.write_text(json.dumps(suite))
    inputs = {"key": 16, "ad": None, "message": None}
    operation = make("seal", inputs, {"ciphertext": "message + 16"})
    assert kat.vectors(path, "wycheproof", [operation], 2, 2).records == 2


def test_published_file_is_read(data: Path, sealing: tuple[Operation, ...]) -> None:
    """Its first record is that of the designers, too."""
    read = kat.vectors(data / "wycheproof_ascon.json", "wycheproof", sealing, 3)
    assert [(one.operation, one.accepted) for one in read.vectors] == [
        ("seal", True),
        ("open", True),
        ("seal", True),
        ("open", True),
        ("open", False),
    ]
    lwc = kat.vectors(data / "lwc_aead.txt", "lwc", sealing, 5)
    assert read.vectors[0].fields == lwc.vectors[0].fields


def change(suite: dict[str, Any], what: str) -> None:
    """Break a suite in one place."""
    group = suite["testGroups"][0]
    test = group["tests"][0]
    match what:
        case "fewer":
            del group["tests"][0]
        case "type":
            group["type"] = "MacTest"
        case "result":
            test["result"] = "perhaps"
        case "hex":
            test["ct"] = "0"
        case "longer":
            test["ct"] = "00"
        case "empty":
            suite.update(testGroups=[], numberOfTests=0)
        case name:
            del test[name]


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("fewer", "FILE: 5 tests where numberOfTests says 6\n  the file is cut short"),
        (
            "type",
            "FILE: no such type of tests: 'MacTest'\n  of AeadTest, DaeadTest, IndCpaTest",
        ),
        (
            "result",
            "FILE: not a Wycheproof file: Invalid enum value 'perhaps' - at "
            "`$.testGroups[0].tests[0].result`",
        ),
        ("hex", "FILE: tcId 1: ct: not whole bytes in hexadecimal: '0'"),
        (
            "longer",
            "FILE: a.txt: tcId 1: ciphertext has 1 bytes, not 0\n"
            "  the file is cut short, or core.toml says a wrong length",
        ),
        ("aad", "FILE: tcId 1: the test lacks aad\n  a test of type AeadTest has it"),
        (
            "tcId",
            "FILE: not a Wycheproof file: Object missing required field `tcId` - at "
            "`$.testGroups[0].tests[0]`",
        ),
        ("empty", "FILE: no record of the primitive's operations\n  see `format`"),
    ],
)
def test_bad_file_is_refused(
    suite: dict[str, Any],
    refusal: Refusal,
    toy: tuple[Operation, ...],
    what: str,
    message: str,
) -> None:
    change(suite, what)
    assert refusal(json.dumps(suite), "wycheproof", toy, 3, 3) == message


def test_file_cut_short_is_refused(
    suite: dict[str, Any], refusal: Refusal, toy: tuple[Operation, ...]
) -> None:
    text = json.dumps(suite)
    told = refusal(text[: len(text) // 2], "wycheproof", toy, 3, 3)
    assert told == "FILE: not a Wycheproof file: Input data was truncated"
