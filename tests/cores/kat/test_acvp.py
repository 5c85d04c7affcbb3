# SPDX-License-Identifier: Apache-2.0
"""Files of NIST's ACVP."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lydite.cores import kat
from lydite.cores.kat.acvp import FORMS, NAMES
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Refusal = Callable[..., str]
MERGE = "merge prompt and expectedResults of the vector set, test by test"
PUBLIC, SECRET, SIGNATURE = 1312, 2560, 2420


def suite(**test: Any) -> dict[str, Any]:
    """Give a set of one test of Ascon that opens: record 2 of lwc_aead.txt."""
    return {
        "algorithm": "Ascon",
        "mode": "AEAD128",
        "testGroups": [
            {
                "tgId": 1,
                "testType": "AFT",
                "direction": "decrypt",
                "tests": [
                    {
                        "tcId": 7,
                        "key": "000102030405060708090A0B0C0D0E0F",
                        "nonce": "101112131415161718191A1B1C1D1E1F",
                        "ad": "30",
                        "adLen": 8,
                        "ct": "",
                        "payloadLen": 0,
                        "tag": "CCCB674FE18A09A285D6AB11B35675C0",
                        "tagLen": 128,
                        "pt": "",
                        "testPassed": True,
                        **test,
                    }
                ],
            }
        ],
    }


@pytest.fixture(scope="session")
def counter(make: Make) -> tuple[Operation, ...]:
    inputs = {"key": 16, "counter": 16}
    return (
        make("encrypt", {**inputs, "message": None}, {"ciphertext": "message"}),
        make("decrypt", {**inputs, "ciphertext": None}, {"message": "ciphertext"}),
    )


def test_every_name_has_fields() -> None:
    for form in FORMS.values():
        assert {*form.inputs, *form.outputs} <= NAMES.keys()
        assert form.bits.keys() <= {*form.inputs, *form.outputs}


def test_texts_of_whole_bytes_are_read(data: Path, counter: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "acvp_aes_ctr.json", "acvp", counter, 6, 2)
    assert [len(vector.fields["message"]) for vector in read.vectors] == [14, 16, 32, 12, 16, 32]
    assert [vector.operation for vector in read.vectors] == ["encrypt"] * 3 + ["decrypt"] * 3
    assert read.vectors[0].fields["counter"].hex().endswith("00000001")
    assert read.reasons == {"pt is not whole bytes": 1, "ct is not whole bytes": 1}


def test_direction_without_an_operation_is_left_out(
    data: Path, counter: tuple[Operation, ...]
) -> None:
    read = kat.vectors(data / "acvp_aes_ctr.json", "acvp", counter[:1], 3, 5)
    assert read.reasons["no operation of kind 'decrypt'"] == 3


def test_hashes_of_whole_bytes_are_read(data: Path, hashing: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "acvp_ascon_hash.json", "acvp", hashing, 3, 2)
    assert [len(vector.fields["message"]) for vector in read.vectors] == [8, 1, 0]
    assert read.reasons == {"msg is not whole bytes": 2}


def test_real_tests_of_ascon_are_left_out_with_reasons(
    data: Path, sealing: tuple[Operation, ...], refusal: Refusal
) -> None:
    text = (data / "acvp_ascon_aead.json").read_text()
    told = refusal(text, "acvp", sealing, 12)
    assert told.startswith("FILE: no record of the primitive's operations (left out: ")
    assert "tag is not whole bytes" in told


def take_one(path: Path, operations: tuple[Operation, ...], text: dict[str, Any]) -> kat.Read:
    path.write_text(json.dumps(text))
    return kat.READERS["acvp"](path, operations)


def test_test_that_passed_is_accepted(tmp_path: Path, sealing: tuple[Operation, ...]) -> None:
    [vector] = take_one(tmp_path / "a.json", sealing, suite()).vectors
    assert (vector.operation, vector.accepted, vector.where) == ("open", True, "a.json: tcId 7")
    assert vector.fields["ad"] == b"0"
    assert vector.fields["message"] == b""


def test_test_that_did_not_pass_is_rejected(tmp_path: Path, sealing: tuple[Operation, ...]) -> None:
    text = suite(testPassed=False)
    del text["testGroups"][0]["tests"][0]["pt"]
    [vector] = take_one(tmp_path / "a.json", sealing, text).vectors
    assert not vector.accepted
    assert "message" not in vector.fields


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ({"tag": "CCCB674F00", "tagLen": 36}, "tag is not whole bytes"),
        ({"tag": "CCCB674F", "tagLen": 32}, "tag is not of 16 bytes"),
        ({"ad": "30", "adLen": 7}, "ad is not whole bytes"),
        ({"secondKey": "00" * 16}, "open has no field for secondKey"),
    ],
)
def test_what_no_operation_takes_is_left_out(
    tmp_path: Path, sealing: tuple[Operation, ...], test: dict[str, Any], why: str
) -> None:
    read = take_one(tmp_path / "a.json", sealing, suite(**test))
    assert [(one.where, one.why) for one in read.skipped] == [("a.json: tcId 7", why)]
    assert read.vectors == ()


def test_second_key_is_read_where_there_is_a_field(tmp_path: Path, make: Make) -> None:
    inputs = {"key": 16, "second_key": 16, "nonce": 16, "ad": None, "ciphertext": None, "tag": 16}
    masked = make("open", inputs, {"message": "ciphertext"}, rejects=True)
    [vector] = take_one(tmp_path / "a.json", (masked,), suite(secondKey="01" * 16)).vectors
    assert vector.fields["second_key"] == b"\1" * 16


def test_other_types_of_tests_are_left_out(tmp_path: Path, sealing: tuple[Operation, ...]) -> None:
    text = suite()
    text["testGroups"][0]["testType"] = "MCT"
    read = take_one(tmp_path / "a.json", sealing, text)
    assert read.reasons == {"a test of type MCT": 1}


def test_keys_are_generated(data: Path, make: Make) -> None:
    operation = make("keygen", {"seed": 32}, {"public_key": PUBLIC, "secret_key": SECRET})
    [vector] = kat.vectors(data / "acvp_ml_dsa_keygen.json", "acvp", [operation], 1).vectors
    assert vector.fields["seed"].hex().startswith("7194b13c95231010")


def test_messages_are_signed_in_a_context(data: Path, make: Make) -> None:
    inputs = {"secret_key": SECRET, "message": None, "context": None, "random": 32}
    operation = make("sign", inputs, {"signature": SIGNATURE})
    read = kat.vectors(data / "acvp_ml_dsa_siggen.json", "acvp", [operation], 2, 3)
    assert [vector.fields["random"] == bytes(32) for vector in read.vectors] == [True, False]
    assert read.reasons == {
        "the message was hashed before": 1,
        "sign has no field for mu": 1,
        "no value for context of sign": 1,
    }


def test_deterministic_signing_needs_no_random_bytes(data: Path, make: Make) -> None:
    inputs = {"sk": SECRET, "message": None, "ctx": None}
    operation = make("sign", inputs, {"signature": SIGNATURE})
    read = kat.vectors(data / "acvp_ml_dsa_siggen.json", "acvp", [operation], 1, 4)
    assert read.reasons["sign has no field for rnd"] == 1


def test_operations_of_a_kind_are_told_apart_by_their_fields(data: Path, make: Make) -> None:
    operations = [
        make("sign", {"sk": SECRET, "message": None}, {"signature": SIGNATURE}),
        make("sign_mu", {"sk": SECRET, "mu": 64}, {"signature": SIGNATURE}, kind="sign"),
    ]
    read = kat.vectors(data / "acvp_ml_dsa_siggen.json", "acvp", operations, 2, 3)
    assert [vector.operation for vector in read.vectors] == ["sign_mu", "sign"]
    why = "sign has no field for context; sign_mu has no field for message"
    assert read.reasons[why] == 2


def test_operations_that_cannot_be_told_apart_are_refused(
    data: Path, refusal: Refusal, make: Make
) -> None:
    lengths = {"sk": SECRET, "mu": 64}, {"signature": SIGNATURE}
    operations = [make(name, *lengths, kind="sign") for name in ("sign", "sign_again")]
    text = (data / "acvp_ml_dsa_siggen.json").read_text()
    told = refusal(text, "acvp", operations, 1, 4)
    assert told.splitlines()[0].endswith(": the record is of each of sign, sign_again")


def test_signatures_are_verified(data: Path, make: Make) -> None:
    inputs = {"public_key": PUBLIC, "message": None, "context": None, "signature": SIGNATURE}
    operation = make("verify", inputs, {}, rejects=True)
    read = kat.vectors(data / "acvp_ml_dsa_sigver.json", "acvp", [operation], 2, 3)
    assert sorted(vector.accepted for vector in read.vectors) == [False, True]


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ({"testPassed": "yes"}, "FILE: tcId 7: testPassed: must be true or false"),
        ({"key": 1}, "FILE: tcId 7: key: must be a text in hexadecimal"),
        ({"key": "0"}, "FILE: tcId 7: key: not whole bytes in hexadecimal: '0'"),
        (
            {"adLen": 16},
            "FILE: tcId 7: ad: adLen is 16 bits, the value has 8\n  the value is cut short",
        ),
        (
            {"adLen": "8"},
            "FILE: tcId 7: ad: adLen is '8' bits, the value has 8\n  the value is cut short",
        ),
        ({"salt": ""}, "FILE: tcId 7: no such value in this format: salt"),
        (
            {"pt": "00", "payloadLen": 8},
            "FILE: tcId 7: ct: payloadLen is 8 bits, the value has 0\n  the value is cut short",
        ),
    ],
)
def test_bad_test_is_refused(
    refusal: Refusal, sealing: tuple[Operation, ...], test: dict[str, Any], message: str
) -> None:
    assert refusal(json.dumps(suite(**test)), "acvp", sealing, 1) == message


@pytest.mark.parametrize("name", ["pt", "key", "tag"])
def test_test_that_lacks_a_value_is_refused(
    refusal: Refusal, sealing: tuple[Operation, ...], name: str
) -> None:
    text = suite()
    del text["testGroups"][0]["tests"][0][name]
    told = refusal(json.dumps(text), "acvp", sealing, 1)
    assert told == f"FILE: tcId 7: the test lacks {name}\n  {MERGE}"


def test_verification_without_a_result_is_refused(data: Path, refusal: Refusal, make: Make) -> None:
    text = json.loads((data / "acvp_ml_dsa_sigver.json").read_text())
    del text["testGroups"][0]["tests"][0]["testPassed"]
    inputs = {"public_key": PUBLIC, "message": None, "context": None, "signature": SIGNATURE}
    told = refusal(json.dumps(text), "acvp", [make("verify", inputs, {}, rejects=True)], 2, 3)
    number = text["testGroups"][0]["tests"][0]["tcId"]
    assert told == f"FILE: tcId {number}: the test lacks testPassed\n  {MERGE}"


def test_function_that_is_not_known_is_refused(
    refusal: Refusal, sealing: tuple[Operation, ...]
) -> None:
    text = {**suite(), "algorithm": "Grain"}
    told = refusal(json.dumps(text), "acvp", sealing, 1)
    assert told.splitlines()[0] == "FILE: no function known by 'Grain AEAD128 decrypt'"


def test_file_cut_short_is_refused(refusal: Refusal, sealing: tuple[Operation, ...]) -> None:
    told = refusal(json.dumps(suite())[:-40], "acvp", sealing, 1)
    assert told == f"FILE: not an ACVP file: Input data was truncated\n  {MERGE}"
