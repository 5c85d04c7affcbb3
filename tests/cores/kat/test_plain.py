# SPDX-License-Identifier: Apache-2.0
"""Vectors as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cores import kat
from lydite.cores.kat import Vector
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Refusal = Callable[..., str]
HINT = "a record is {field: hex of each field, operation: its name, if there are several}"
SHORT = "the file is cut short, or core.toml counts wrong"


@pytest.fixture(scope="session")
def single(make: Make) -> tuple[Operation, ...]:
    return (make("hash", {"message": None}, {"output": 1}),)


def test_records_are_read(tmp_path: Path, single: tuple[Operation, ...]) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"message": "", "output": "00"}, {"message": "0102", "output": "ff"}]')
    assert kat.vectors(path, "json", single, 2).vectors == (
        Vector(
            operation="hash",
            fields={"message": b"", "output": b"\x00"},
            where="a.json: record 1",
        ),
        Vector(
            operation="hash",
            fields={"message": b"\x01\x02", "output": b"\xff"},
            where="a.json: record 2",
        ),
    )


def test_rejected_call_has_no_outputs(tmp_path: Path, sealing: tuple[Operation, ...]) -> None:
    path = tmp_path / "a.json"
    record = {
        "operation": "open",
        "accepted": False,
        "key": "00" * 16,
        "nonce": "00" * 16,
        "ad": "",
        "ciphertext": "01",
        "tag": "00" * 16,
    }
    path.write_text(json.dumps([record]))
    [vector] = kat.vectors(path, "json", sealing, 1).vectors
    assert not vector.accepted
    assert vector.operation == "open"
    assert "message" not in vector.fields


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "FILE: not a JSON vectors file: Input data was truncated"),
        ('[{"message": "', "FILE: not a JSON vectors file: Input data was truncated"),
        ("{}", "FILE: not a JSON vectors file: Expected `array`, got `object`"),
        ("[]", "FILE: no record of the primitive's operations\n  see `format`"),
        ('[{"message": "00"}]', f"FILE: record 1: lacks output\n  {HINT}"),
        (
            '[{"message": "00", "output": "00", "len": "1"}]',
            f"FILE: record 1: has len\n  {HINT}",
        ),
        (
            '[{"message": "00", "output": "00", "operation": "mac"}]',
            f"FILE: record 1: no such operation: 'mac'\n  {HINT}",
        ),
        (
            '[{"message": "00", "output": "00", "accepted": "no"}]',
            "FILE: record 1: accepted: must be true or false",
        ),
        (
            '[{"message": "00", "output": "00"}, {"message": "0", "output": ""}]',
            "FILE: record 2: message: not whole bytes in hexadecimal: '0'",
        ),
        (
            '[{"message": "00", "output": "0001"}, {"message": "00", "output": "00"}]',
            "FILE: a.txt: record 1: output has 2 bytes, not 1\n"
            "  the file is cut short, or core.toml says a wrong length",
        ),
        (
            '[{"message": "00", "accepted": false}, {"message": "00", "output": "00"}]',
            "FILE: a.txt: record 1: to be rejected by hash, which never rejects\n"
            "  core.toml says so with `rejects`",
        ),
        ('[{"message": "", "output": "01"}]', f"FILE: 1 records where core.toml says 2\n  {SHORT}"),
    ],
)
def test_bad_file_is_refused(
    refusal: Refusal, single: tuple[Operation, ...], text: str, message: str
) -> None:
    assert refusal(text, "json", single, 2) == message


def test_operation_must_be_named_where_there_are_several(
    refusal: Refusal, sealing: tuple[Operation, ...]
) -> None:
    told = refusal('[{"key": "00"}]', "json", sealing, 1)
    assert told == f"FILE: record 1: no such operation: ''\n  {HINT}"
