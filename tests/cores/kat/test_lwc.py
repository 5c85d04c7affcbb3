# SPDX-License-Identifier: Apache-2.0
"""Files of NIST's Lightweight Cryptography contest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydite.cores import kat
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Refusal = Callable[..., str]
LACKS = "the file is cut short, or of another format"


def test_record_gives_a_call_that_seals_and_one_that_opens(
    data: Path, sealing: tuple[Operation, ...]
) -> None:
    read = kat.vectors(data / "lwc_aead.txt", "lwc", sealing, 5)
    assert read.records == 5
    assert [vector.operation for vector in read.vectors] == ["seal", "open"] * 5
    seal, unseal = read.vectors[6:8]
    assert seal.where == unseal.where == "lwc_aead.txt:24"
    assert {name: value.hex() for name, value in seal.fields.items()} == {
        "key": "000102030405060708090a0b0c0d0e0f",
        "nonce": "101112131415161718191a1b1c1d1e1f",
        "ad": "30313233343536",
        "message": "20",
        "ciphertext": "6e",
        "tag": "a1c5e8b4a7018f479fcd981511ba9ab5",
    }
    assert dict(unseal.fields) == dict(seal.fields)
    assert unseal.accepted


@pytest.mark.parametrize("index", [0, 1])
def test_primitive_may_seal_or_open_alone(
    data: Path, sealing: tuple[Operation, ...], index: int
) -> None:
    alone = sealing[index : index + 1]
    read = kat.vectors(data / "lwc_aead.txt", "lwc", alone, 5)
    assert [vector.operation for vector in read.vectors] == [alone[0].name] * 5


def test_ciphertext_without_a_tag_is_whole(data: Path, make: Make) -> None:
    shared = {"key": 16, "nonce": 16, "ad": None}
    operation = make("seal", {**shared, "message": None}, {"ciphertext": "message + 16"})
    read = kat.vectors(data / "lwc_aead.txt", "lwc", [operation], 5)
    assert read.vectors[0].fields["ciphertext"].hex() == "4f9c278211bec9316bf68f46ee8b2ec6"


def test_secret_number_of_caesar_is_read(data: Path, make: Make) -> None:
    inputs = {"key": 16, "nonce": 16, "secret_number": 16, "ad": None, "message": None}
    operation = make("seal", inputs, {"ciphertext": "message + 16", "tag": 16})
    read = kat.vectors(data / "lwc_nsec.txt", "lwc", [operation], 2)
    assert read.vectors[1].fields["secret_number"] == bytes(range(16))
    assert len(read.vectors[1].fields["ciphertext"]) == 17


def test_secret_number_without_a_field_is_refused(
    data: Path, refusal: Refusal, sealing: tuple[Operation, ...]
) -> None:
    told = refusal((data / "lwc_nsec.txt").read_text(), "lwc", sealing, 2)
    assert told.splitlines()[0] == "FILE:3: seal has no field for Nsec"


def test_hashes_are_read(data: Path, hashing: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "lwc_hash.txt", "lwc", hashing, 3)
    assert [vector.fields["message"].hex() for vector in read.vectors] == [
        "",
        "00",
        "000102030405060708",
    ]


def test_extendable_outputs_are_read(data: Path, make: Make) -> None:
    operation = make("hash", {"message": None}, {"output": None})
    read = kat.vectors(data / "lwc_xof.txt", "lwc", [operation], 2)
    assert {len(vector.fields["output"]) for vector in read.vectors} == {64}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True))
@pytest.mark.parametrize(("name", "count"), [("aead", 5), ("hash", 3), ("xof", 2)])
def test_file_cut_anywhere_is_refused(
    data: Path,
    refusal: Refusal,
    make: Make,
    sealing: tuple[Operation, ...],
    hashing: tuple[Operation, ...],
    name: str,
    count: int,
    where: float,
) -> None:
    text = (data / f"lwc_{name}.txt").read_text().rstrip()
    xof = (make("hash", {"message": None}, {"output": None}),)
    operations = {"aead": sealing, "hash": hashing, "xof": xof}[name]
    refusal(text[: int(where * len(text))], "lwc", operations, count)


AEAD = f"""\
Count = 1
Key = {"00" * 16}
Nonce = {"01" * 16}
PT = 02
AD =
CT = 03{"04" * 16}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("AD =\n", "", f"FILE:1: the record lacks AD\n  {LACKS}"),
        ("PT = 02\n", "", f"FILE:1: the record lacks PT\n  {LACKS}"),
        ("Count = 1\n", "", "FILE:1: Key before Count of a record"),
        (
            "03" + "04" * 16,
            "03" + "04" * 14,
            "FILE:1: CT has 15 bytes, the tag alone has 16\n"
            "  the file is cut short, or of another function",
        ),
        (
            "03" + "04" * 16,
            "04" * 16,
            "FILE: a.txt:1: ciphertext has 0 bytes, not 1\n"
            "  the file is cut short, or core.toml says a wrong length",
        ),
        (
            "01" * 16,
            "01" * 12,
            "FILE: a.txt:1: nonce has 12 bytes, not 16\n  the vectors are of another function",
        ),
        ("AD =", "AD = 0", "FILE:5: not whole bytes in hexadecimal: '0'"),
        (
            "AD =\n",
            "AD =\nZ = 01\n",
            "FILE:1: Z in a record of Key, Nonce, PT, AD, CT",
        ),
        (
            "AD =\n",
            "AD =\nTag = 01\n",
            "FILE:6: no such name in this format: Tag\n"
            "  a record has Count, Key, Nonce, PT, AD, CT, Nsec, Msg, MD, Z",
        ),
        (AEAD, "", "FILE: no record of the primitive's operations\n  see `format`"),
        (
            AEAD,
            "Count = 1\nMsg =\nMD = 00\n",
            "FILE:1: no operation of kind 'hash'\n  this record is of one",
        ),
    ],
)
def test_bad_file_is_refused(
    refusal: Refusal, sealing: tuple[Operation, ...], old: str, new: str, message: str
) -> None:
    assert AEAD.count(old) == 1
    assert refusal(AEAD.replace(old, new), "lwc", sealing, 1) == message


def test_record_of_another_primitive_is_refused(
    refusal: Refusal, hashing: tuple[Operation, ...]
) -> None:
    told = refusal(AEAD, "lwc", hashing, 1)
    assert told == "FILE:1: no operation of kind 'seal' or 'open'\n  this is of them"


def test_tag_without_a_length_is_refused(refusal: Refusal, make: Make) -> None:
    inputs = {"key": 16, "nonce": 16, "ad": None, "message": None}
    operation = make("seal", inputs, {"ciphertext": "message", "tag": None})
    assert refusal(AEAD, "lwc", [operation], 1) == (
        "FILE:1: tag of seal has no length\n"
        "  a tag whose length is not fixed cannot be told from the ciphertext"
    )


def test_digests_of_several_lengths_are_refused(refusal: Refusal, make: Make) -> None:
    operation = make("hash", {"message": None}, {"output": None})
    text = "Count = 1\nMsg =\nMD = 0001\nCount = 2\nMsg = 00\nMD = 00\n"
    told = refusal(text, "lwc", [operation], 2)
    assert told == "FILE:4: MD has 1 bytes, not 2 as before\n  the file is cut short"


def test_operations_that_cannot_be_told_apart_are_refused(
    refusal: Refusal, make: Make, sealing: tuple[Operation, ...]
) -> None:
    inputs = {"key": 16, "nonce": 16, "ad": None, "message": None}
    outputs = {"ciphertext": "message", "tag": 16}
    told = refusal(AEAD, "lwc", (*sealing, make("seal_a", inputs, outputs, kind="seal")), 1)
    assert told == "FILE:1: the record is of each of seal, seal_a\n  name their fields differently"
