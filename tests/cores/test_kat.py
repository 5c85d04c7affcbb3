# SPDX-License-Identifier: Apache-2.0
"""Vectors files are read whole, or refused: a file cut short is never a shorter test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.base import InputError
from lydite.cores import catalog, kat
from lydite.cores.kat import Vector

MESSAGES = """\
#  CAVS 19.0
#  "SHA3-256 ShortMsg" information for "SHA3AllBytes1-28-16"

[L = 32]

Len = 0
Msg = 00
MD = a7ffc6f8

Len = 16
Msg = e9b1
MD = f0d04dd1
"""
VARIABLE = """\
[Tested for Output of byte-oriented messages]
[Input Length = 16]
COUNT = 0
Outputlen = 16
Msg = 84e9
Output = 8599

COUNT = 1
Outputlen = 24
Msg = d4d6
Output = 2ece17
"""
CHAIN = """\
[Minimum Output Length (bits) = 125]

[Maximum Output Length (bits) = 1120]

Msg = c8b310cb97efa3855434998fa81c7674

COUNT = 0
Outputlen = 24
Output = fe8c47

COUNT = 1
Outputlen = 16
Output = 0ed1
"""
SHORT = "the file is cut short, or core.toml counts wrong"


def refusal(path: Path, text: str, records: int = 2, *, read: object = kat.read_messages) -> str:
    """Give the message with which a file of this text is refused."""
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read(path, records)  # type: ignore[operator]
    return str(raised.value).replace(str(path), "FILE")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.rsp"


def test_messages_are_read_with_their_place(path: Path) -> None:
    path.write_text(MESSAGES)
    assert kat.read_messages(path, 2) == (
        Vector(b"", bytes.fromhex("a7ffc6f8"), "a.rsp:8"),
        Vector(bytes.fromhex("e9b1"), bytes.fromhex("f0d04dd1"), "a.rsp:12"),
    )


def test_outputs_of_free_length_are_read(path: Path) -> None:
    path.write_text(VARIABLE)
    assert [vector.output.hex() for vector in kat.read_messages(path, 2)] == ["8599", "2ece17"]


def test_chain_is_read_with_its_range(path: Path) -> None:
    path.write_text(CHAIN)
    chain = kat.read_chain(path, 2)
    assert chain.seed.hex() == "c8b310cb97efa3855434998fa81c7674"
    assert [vector.output.hex() for vector in chain.checkpoints] == ["fe8c47", "0ed1"]
    assert chain.output_range == (16, 140)


def test_chain_of_a_hash_has_one_length(path: Path) -> None:
    path.write_text("[L = 16]\nSeed = 0102\nCOUNT = 0\nMD = 0304\n")
    assert kat.read_chain(path, 1).output_range == (2, 2)


@given(st.integers(0, len(MESSAGES.rstrip()) - 1))
def test_messages_cut_anywhere_are_refused(
    tmp_path_factory: pytest.TempPathFactory, end: int
) -> None:
    refusal(tmp_path_factory.mktemp("cut") / "a.rsp", MESSAGES[:end])


@given(st.integers(0, len(VARIABLE.rstrip()) - 1))
def test_outputs_of_free_length_cut_anywhere_are_refused(
    tmp_path_factory: pytest.TempPathFactory, end: int
) -> None:
    refusal(tmp_path_factory.mktemp("cut") / "a.rsp", VARIABLE[:end])


@given(st.integers(0, len(CHAIN.rstrip()) - 1))
def test_chain_cut_anywhere_is_refused(tmp_path_factory: pytest.TempPathFactory, end: int) -> None:
    refusal(tmp_path_factory.mktemp("cut") / "a.rsp", CHAIN[:end], read=kat.read_chain)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("MD = f0d04dd1\n", "", "FILE: the last record has no output\n  the file is cut short"),
        ("MD = f0d04dd1", "MD = f0d04d", "FILE:12: Outputlen is 32 bits, Output has 24"),
        (
            "MD = f0d04dd1",
            "MD = f0d04dd",
            "FILE:12: not whole bytes in hexadecimal: 'f0d04dd'",
        ),
        ("Msg = e9b1", "Msg = e9x1", "FILE:11: not whole bytes in hexadecimal: 'e9x1'"),
        ("Msg = e9b1", "Msg = e9", "FILE:12: Len is 16 bits, the message has 8"),
        ("Len = 16", "Len = 12", "FILE:12: Len is 12 bits, the message has 16"),
        ("Len = 16", "Len = two", "FILE:10: not a number: 'two'"),
        ("Msg = e9b1\n", "", "FILE:11: an output without a message before it"),
        ("Len = 16", "<html>", "FILE:10: not a line of a CAVP file: '<html>'"),
        (
            "Len = 16\nMsg = e9b1\nMD = f0d04dd1\n",
            "",
            f"FILE: 1 records where core.toml says 2\n  {SHORT}",
        ),
        (
            "Len = 0\n",
            "Msg = 01\nMD = 01020304\n\nLen = 0\n",
            f"FILE: 3 records where core.toml says 2\n  {SHORT}",
        ),
    ],
)
def test_bad_messages_are_refused(path: Path, old: str, new: str, message: str) -> None:
    assert MESSAGES.count(old) == 1
    assert refusal(path, MESSAGES.replace(old, new)) == message


def test_output_of_another_length_than_told_is_refused(path: Path) -> None:
    text = VARIABLE.replace("2ece17", "2ece")
    assert refusal(path, text) == "FILE:11: Outputlen is 24 bits, Output has 16"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "FILE: no seed or no outputs\n  this is not a whole Monte file"),
        ("Seed = 01\n", "FILE: no seed or no outputs\n  this is not a whole Monte file"),
        ("Seed = 01\nMD = 02\n", f"FILE: 1 records where core.toml says 2\n  {SHORT}"),
        (
            CHAIN.replace("0ed1", "0e"),
            "FILE:13: Outputlen is 16 bits, Output has 8",
        ),
    ],
)
def test_bad_chain_is_refused(path: Path, text: str, message: str) -> None:
    assert refusal(path, text, read=kat.read_chain) == message


def test_json_is_read(path: Path) -> None:
    path.write_text('[{"message": "", "output": "00"}, {"message": "0102", "output": "ff"}]')
    assert kat.read_json(path, 2) == (
        Vector(b"", b"\x00", "a.rsp: record 1"),
        Vector(b"\x01\x02", b"\xff", "a.rsp: record 2"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "FILE: not a JSON vectors file: Input data was truncated"),
        ('[{"message": "', "FILE: not a JSON vectors file: Input data was truncated"),
        ("{}", "FILE: not a JSON vectors file: Expected `array`, got `object`"),
        (
            '[{"message": "00"}]',
            "FILE: not a JSON vectors file: Object missing required field `output` - at `$[0]`",
        ),
        (
            '[{"message": "00", "output": "00", "len": 1}]',
            "FILE: not a JSON vectors file: Object contains unknown field `len` - at `$[0]`",
        ),
        (
            '[{"message": "00", "output": "00"}, {"message": "0", "output": ""}]',
            "FILE: record 2: not whole bytes in hexadecimal: '0'",
        ),
        ('[{"message": "", "output": ""}]', f"FILE: 1 records where core.toml says 2\n  {SHORT}"),
    ],
)
def test_bad_json_is_refused(path: Path, text: str, message: str) -> None:
    assert refusal(path, text, read=kat.read_json) == message


def test_missing_file_is_refused(path: Path) -> None:
    with pytest.raises(InputError) as raised:
        kat.read_messages(path, 1)
    assert str(raised.value) == f"{path}: cannot read a vectors file: No such file or directory"


@pytest.mark.parametrize("primitive", catalog.primitives(), ids=lambda primitive: primitive.name)
def test_our_vectors_are_whole(primitive: catalog.Primitive) -> None:
    records = {
        form: sum(entry.records for entry in primitive.kat_files if entry.format == form)
        for form in ("cavp-messages", "json")
    }
    assert len(primitive.vectors()) == sum(records.values())
    assert json.dumps(primitive.vectors_digest)
    for chain in primitive.chains():
        assert len(chain.checkpoints) == 100
