# SPDX-License-Identifier: Apache-2.0
"""Reader of the known answers of BLAKE3: what is read, and what is wrong in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.base import InputError
from lydite.cores import catalog
from lydite.cores.kat import blake3

PRIMITIVE = catalog.primitive("blake3")
CASE = {"input_len": 252, "hash": "00", "keyed_hash": "01", "derive_key": "02"}
GOOD = {"_comment": "", "key": "k" * 32, "context_string": "c", "cases": [CASE]}


def read(path: Path, content: Any) -> Any:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return blake3.read(path, PRIMITIVE.operations)


def test_a_case_is_a_call_of_each_operation(tmp_path: Path) -> None:
    vectors = read(tmp_path / "v.json", GOOD).vectors
    message = bytes([*range(251), 0])
    assert [(one.operation, one.fields) for one in vectors] == [
        ("hash", {"message": message, "output": b"\0"}),
        ("keyed_hash", {"key": b"k" * 32, "message": message, "output": b"\1"}),
        ("derive_key", {"context": b"c", "material": message, "output": b"\2"}),
    ]
    assert vectors[0].where == "v.json: case 1, 252 bytes"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("{", "not a vectors file of BLAKE3: Input data was truncated"),
        ("[]", "not a vectors file of BLAKE3: Expected `object`, got `array`"),
        (
            {**GOOD, "cases": [{"input_len": 1}]},
            "not a vectors file of BLAKE3: Object missing required field `hash` - at `$.cases[0]`",
        ),
        ({**GOOD, "cases": [{**CASE, "hash": "0"}]}, "not whole bytes in hexadecimal: '0'"),
        ({**GOOD, "cases": [{**CASE, "input_len": -1}]}, "must be 0 to 16777216, not -1"),
        ({**GOOD, "cases": [{**CASE, "input_len": 1 << 40}]}, "must be 0 to 16777216, not"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, content: Any, what: str) -> None:
    with pytest.raises(InputError) as told:
        read(tmp_path / "v.json", content)
    assert what in str(told.value)


def test_operations_of_another_primitive_are_refused(tmp_path: Path) -> None:
    other = catalog.primitive("crc-32")
    (tmp_path / "v.json").write_text(json.dumps(GOOD))
    with pytest.raises(InputError, match="no such operation in this format: 'checksum'"):
        blake3.read(tmp_path / "v.json", other.operations)
