# SPDX-License-Identifier: Apache-2.0
"""Files of CAVP's hashes are read whole, or refused: a file cut short is never a shorter test."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydite.base import InputError
from lydite.cores import kat
from lydite.cores.kat import Read, Vector
from lydite.cores.keccak import spec
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Open = Callable[..., Read]
Refusal = Callable[..., str]
KECCAK = Path(spec.__file__).parent / "kat"
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


@pytest.fixture(scope="session")
def short_hash(make: Make) -> tuple[Operation, ...]:
    return (make("hash", {"message": None}, {"digest": 4}),)


@pytest.fixture(scope="session")
def xof(make: Make) -> tuple[Operation, ...]:
    return (make("hash", {"message": None}, {"output": None}),)


def test_messages_are_read_with_their_place(
    tmp_path: Path, short_hash: tuple[Operation, ...]
) -> None:
    path = tmp_path / "a.rsp"
    path.write_text(MESSAGES)
    read = kat.vectors(path, "cavp-messages", short_hash, 2)
    assert read.records == 2
    assert read.vectors == (
        Vector(
            operation="hash",
            fields={"message": b"", "digest": bytes.fromhex("a7ffc6f8")},
            where="a.rsp:8",
        ),
        Vector(
            operation="hash",
            fields={"message": bytes.fromhex("e9b1"), "digest": bytes.fromhex("f0d04dd1")},
            where="a.rsp:12",
        ),
    )


def test_outputs_of_free_length_are_read(tmp_path: Path, xof: tuple[Operation, ...]) -> None:
    path = tmp_path / "a.rsp"
    path.write_text(VARIABLE)
    read = kat.vectors(path, "cavp-messages", xof, 2)
    assert [vector.fields["output"].hex() for vector in read.vectors] == ["8599", "2ece17"]


def test_chain_is_read_with_its_range(tmp_path: Path, xof: tuple[Operation, ...]) -> None:
    path = tmp_path / "a.rsp"
    path.write_text(CHAIN)
    [chain] = kat.chains_of(path, "cavp-chain", xof, 2).chains
    assert (chain.rule, chain.steps, chain.text, chain.key) == ("xof", 1000, "message", "")
    assert chain.start["message"].hex() == "c8b310cb97efa3855434998fa81c7674"
    assert [point.fields["output"].hex() for point in chain.checkpoints] == ["fe8c47", "0ed1"]
    assert chain.output_range == (16, 140)


def test_chain_of_a_hash_has_one_length(tmp_path: Path, make: Make) -> None:
    path = tmp_path / "a.rsp"
    path.write_text("[L = 16]\nSeed = 0102\nCOUNT = 0\nMD = 0304\n")
    two = (make("hash", {"message": None}, {"digest": 2}),)
    [chain] = kat.chains_of(path, "cavp-chain", two, 1).chains
    assert chain.rule == "hash"
    assert chain.output_range == (2, 2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
@pytest.mark.parametrize("text", (MESSAGES, VARIABLE, CHAIN), ids=("hash", "xof", "chain"))
def test_file_cut_anywhere_is_refused(
    text: str,
    refusal: Refusal,
    short_hash: tuple[Operation, ...],
    xof: tuple[Operation, ...],
    data: st.DataObject,
) -> None:
    end = data.draw(st.integers(0, len(text.rstrip()) - 1))
    form = "cavp-chain" if text is CHAIN else "cavp-messages"
    refusal(text[:end], form, short_hash if text is MESSAGES else xof, 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("MD = f0d04dd1\n", "", "FILE: the last record has no output\n  the file is cut short"),
        ("MD = f0d04dd1", "MD = f0d04d", "FILE:12: Outputlen is 32 bits, Output has 24"),
        ("MD = f0d04dd1", "MD =", "FILE:12: Outputlen is 32 bits, Output has 0"),
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
def test_bad_messages_are_refused(
    refusal: Refusal, short_hash: tuple[Operation, ...], old: str, new: str, message: str
) -> None:
    assert MESSAGES.count(old) == 1
    assert refusal(MESSAGES.replace(old, new), "cavp-messages", short_hash, 2) == message


def test_output_of_another_length_than_told_is_refused(
    refusal: Refusal, xof: tuple[Operation, ...]
) -> None:
    text = VARIABLE.replace("2ece17", "2ece")
    told = refusal(text, "cavp-messages", xof, 2)
    assert told == "FILE:11: Outputlen is 24 bits, Output has 16"


@pytest.mark.parametrize("form", ["cavp-messages", "cavp-chain"])
def test_digest_of_another_length_than_the_operation_is_refused(
    refusal: Refusal, make: Make, form: str
) -> None:
    longer = (make("hash", {"message": None}, {"digest": 8}),)
    text = MESSAGES if form == "cavp-messages" else "Seed = 01\nMD = 01020304\nMD = 01020304\n"
    place = "a.txt:8" if form == "cavp-messages" else "a.txt:2"
    assert refusal(text, form, longer, 2) == (
        f"FILE: {place}: digest has 4 bytes, not 8\n"
        "  the file is cut short, or core.toml says a wrong length"
    )


@pytest.mark.parametrize("count", [0, 2])
def test_primitive_must_have_one_hash(refusal: Refusal, make: Make, count: int) -> None:
    some = [make(f"h{n}", {"message": None}, {"digest": 4}, kind="hash") for n in range(count)]
    assert refusal(MESSAGES, "cavp-messages", some, 2) == (
        f"FILE: {count} operations of the primitive are hashes of one message\n"
        "  this format is of a primitive with just one"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "FILE: no seed or no outputs\n  this is not a whole Monte file"),
        ("Seed = 01\n", "FILE: no seed or no outputs\n  this is not a whole Monte file"),
        ("Seed = 01\nOutput = 02\n", f"FILE: 1 records where core.toml says 2\n  {SHORT}"),
        (CHAIN.replace("0ed1", "0e"), "FILE:13: Outputlen is 16 bits, Output has 8"),
    ],
)
def test_bad_chain_is_refused(
    refusal: Refusal, xof: tuple[Operation, ...], text: str, message: str
) -> None:
    assert refusal(text, "cavp-chain", xof, 2) == message


def test_file_without_a_record_is_refused(refusal: Refusal, xof: tuple[Operation, ...]) -> None:
    told = refusal("# nothing\n", "cavp-messages", xof, 2)
    assert told == "FILE: no record of the primitive's operations\n  see `format`"


def test_missing_file_is_refused(tmp_path: Path, xof: tuple[Operation, ...]) -> None:
    path = tmp_path / "a.rsp"
    with pytest.raises(InputError) as raised:
        kat.vectors(path, "cavp-messages", xof, 1)
    assert str(raised.value) == f"{path}: cannot read a vectors file: No such file or directory"


@pytest.mark.parametrize("path", sorted(KECCAK.glob("*.rsp")), ids=lambda path: path.stem)
def test_files_of_nist_are_whole(path: Path, make: Make, take: Open) -> None:
    free = path.name.startswith("SHAKE")
    length = None if free else int(path.name[5:8]) // 8
    operation = make("hash", {"message": None}, {"output": length})
    form = "cavp-chain" if "Monte" in path.name else "cavp-messages"
    count = len(re.findall(r"^(?:MD|Output) = ", path.read_text(), re.MULTILINE))
    assert take(path, form, [operation], count).records == count > 0
