# SPDX-License-Identifier: Apache-2.0
"""Files of CAVP's block ciphers: AES and triple DES."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydite.base import InputError
from lydite.cores import kat
from lydite.cores.kat import Read
from lydite.cores.kat.ctr_drbg import cipher, key_expansion
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Open = Callable[..., Read]
Refusal = Callable[..., str]
Pair = Callable[..., tuple[Operation, ...]]
IV = """\
[ENCRYPT]

COUNT = 0
KEY = 00000000000000000000000000000000
IV = 01010101010101010101010101010101
PLAINTEXT = 02
CIPHERTEXT = 03
"""


@pytest.fixture(scope="session")
def pair(make: Make) -> Pair:
    """Give a function that makes a cipher and its inverse."""

    def _pair(key: int, block: int | None = None) -> tuple[Operation, ...]:
        return (
            make(
                "encrypt",
                {"key": key, "plaintext": block},
                {"ciphertext": block or "plaintext"},
            ),
            make(
                "decrypt",
                {"key": key, "ciphertext": block},
                {"plaintext": block or "ciphertext"},
            ),
        )

    return _pair


def test_sections_are_of_their_operations(data: Path, pair: Pair) -> None:
    read = kat.vectors(data / "aes_ecb.rsp", "cavp-cipher", pair(16), 5)
    assert [vector.operation for vector in read.vectors] == ["encrypt"] * 3 + ["decrypt"] * 2
    assert [vector.where for vector in read.vectors[::4]] == ["aes_ecb.rsp:5", "aes_ecb.rsp:27"]
    for vector in read.vectors:
        fields = vector.fields
        keys = key_expansion(fields["key"])
        blocks = [
            fields["plaintext"][at : at + 16] for at in range(0, len(fields["plaintext"]), 16)
        ]
        assert b"".join(cipher(block, keys) for block in blocks) == fields["ciphertext"]


def test_section_without_its_operation_is_left_out(data: Path, pair: Pair) -> None:
    read = kat.vectors(data / "aes_ecb.rsp", "cavp-cipher", pair(16)[:1], 3, 2)
    assert read.reasons == {"[DECRYPT]: no operation of kind 'decrypt'": 2}
    assert [one.where for one in read.skipped] == ["aes_ecb.rsp:22", "aes_ecb.rsp:27"]


def test_messages_of_several_blocks_are_left_out_where_one_is_taken(data: Path, pair: Pair) -> None:
    read = kat.vectors(data / "aes_ecb.rsp", "cavp-cipher", pair(16, 16), 4, 1)
    assert read.reasons == {"plaintext is of several blocks, encrypt takes one": 1}


@pytest.mark.parametrize("length", [8, 16, 24])
def test_single_key_stands_for_all_three(data: Path, pair: Pair, length: int) -> None:
    read = kat.vectors(data / "des_keys.rsp", "cavp-cipher", pair(length, 8), 4)
    assert {vector.fields["key"] for vector in read.vectors} == {b"\1" * length}


@pytest.mark.parametrize(("option", "lengths"), [("1", (8, 16, 24)), ("2", (16, 24)), ("3", (24,))])
def test_three_keys_are_shortened_where_they_are_equal(
    data: Path, pair: Pair, option: str, lengths: tuple[int, ...]
) -> None:
    path = data / f"des_mmt{option}.rsp"
    first = path.read_text().split("KEY1 = ")[1][:16]
    for length in (8, 16, 24):
        if length in lengths:
            read = kat.vectors(path, "cavp-cipher", pair(length), 2)
            assert len(read.vectors[0].fields["key"]) == length
            assert read.vectors[0].fields["key"].hex()[:16] == first
        else:
            with pytest.raises(InputError) as raised:
                kat.vectors(path, "cavp-cipher", pair(length), 2)
            assert str(raised.value) == (
                f"{path}:5: KEY1, KEY2, KEY3 cannot be put in {length} bytes\n"
                "  they are other keys than the operation takes"
            )


@pytest.mark.parametrize("field", ["iv", "counter"])
def test_iv_is_read(tmp_path: Path, make: Make, field: str) -> None:
    path = tmp_path / "a.rsp"
    path.write_text(IV)
    operation = make(
        "ctr",
        {"key": 16, field: 16, "message": None},
        {"ciphertext": "message"},
        kind="encrypt",
    )
    [vector] = kat.vectors(path, "cavp-cipher", [operation], 1).vectors
    assert dict(vector.fields) == {
        "key": bytes(16),
        field: b"\1" * 16,
        "message": b"\2",
        "ciphertext": b"\3",
    }


def test_chain_of_aes_is_read(data: Path, pair: Pair) -> None:
    forth, back = kat.chains_of(data / "aes_mct.rsp", "cavp-cipher-mct", pair(16, 16), 4).chains
    assert (forth.rule, forth.steps, forth.text, forth.key) == ("cipher", 1000, "plaintext", "key")
    assert (back.operation, back.text) == ("decrypt", "ciphertext")
    assert {name: value.hex() for name, value in forth.start.items()} == {
        "key": "139a35422f1d61de3c91787fe0507afd",
        "plaintext": "b9145a768b7dc489a096b546f43b231f",
    }
    assert [{name: value.hex() for name, value in p.fields.items()} for p in back.checkpoints] == [
        {"plaintext": "b613b87085fed1bb87f07a574e6d2879"},
        {"plaintext": "5541d7bf6d25c55c0c2296acba756e9e"},
    ]


def test_chain_of_des_is_read(data: Path, pair: Pair) -> None:
    found = kat.chains_of(data / "des_monte3.rsp", "cavp-cipher-mct", pair(24, 8)[:1], 2, 2)
    [chain] = found.chains
    assert (chain.rule, chain.steps, chain.output_range) == ("tdes", 10_000, (8, 8))
    assert found.reasons == {"[DECRYPT]: no operation of kind 'decrypt'": 2}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True))
@pytest.mark.parametrize(
    ("name", "form", "key", "records"),
    [
        ("aes_ecb.rsp", "cavp-cipher", 16, 5),
        ("aes_mct.rsp", "cavp-cipher-mct", 16, 4),
        ("des_mmt3.rsp", "cavp-cipher", 24, 2),
        ("des_monte3.rsp", "cavp-cipher-mct", 24, 4),
    ],
)
def test_file_cut_anywhere_is_refused(
    data: Path,
    pair: Pair,
    refusal: Refusal,
    name: str,
    form: str,
    key: int,
    records: int,
    where: float,
) -> None:
    text = (data / name).read_text().rstrip()
    refusal(text[: int(where * len(text))], form, pair(key), records)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "[ENCRYPT]",
            "[ENCIPHER]",
            "FILE:3: a record in section 'ENCIPHER'\n  sections are [ENCRYPT] and [DECRYPT]",
        ),
        (
            "[ENCRYPT]",
            "",
            "FILE:3: a record in section ''\n  sections are [ENCRYPT] and [DECRYPT]",
        ),
        (
            "KEY = 00000000000000000000000000000000\n",
            "",
            "FILE:3: the record lacks KEY1\n  the file is cut short, or of another format",
        ),
        (
            "CIPHERTEXT = 03\n",
            "",
            "FILE:3: the record lacks CIPHERTEXT\n  the file is cut short, or of another format",
        ),
        (
            "CIPHERTEXT = 03",
            "CIPHERTEXT =",
            "FILE:3: PLAINTEXT and CIPHERTEXT are not of the same length\n"
            "  the file is cut short, or of another format",
        ),
        (
            "CIPHERTEXT = 03",
            "CIPHERTEXT = 3",
            "FILE:7: not whole bytes in hexadecimal: '3'",
        ),
        ("COUNT = 0\n", "", "FILE:3: KEY before COUNT of a record"),
        ("IV = ", "KEY = ", "FILE:5: a second KEY in a record"),
        (
            "IV = ",
            "TWEAK = ",
            "FILE:5: no such name in this format: TWEAK\n"
            "  a record has COUNT, KEY, KEYs, KEY1, KEY2, KEY3, IV, PLAINTEXT, CIPHERTEXT",
        ),
        (
            "IV = 01010101010101010101010101010101\n",
            "",
            "FILE:3: no value for counter of encrypt\n"
            "  fields may be named so: KEY: key; PLAINTEXT: plaintext or message; "
            "CIPHERTEXT: ciphertext",
        ),
        (
            "KEY = 00",
            "KEY = ",
            "FILE: a.txt:3: key has 15 bytes, not 16\n  the vectors are of another function",
        ),
        (
            "KEY = 00000000000000000000000000000000",
            "KEYs = 000000000000",
            "FILE:3: KEYs has 6 bytes, not 8",
        ),
        (
            "KEY = 00000000000000000000000000000000",
            "KEY1 = 0000000000000000\nKEY2 = 0000000000000000",
            "FILE:3: the record lacks KEY3\n  the file is cut short, or of another format",
        ),
    ],
)
def test_bad_record_is_refused(
    refusal: Refusal, make: Make, old: str, new: str, message: str
) -> None:
    operation = make(
        "encrypt", {"key": 16, "counter": 16, "plaintext": None}, {"ciphertext": "plaintext"}
    )
    assert IV.count(old) == 1
    assert refusal(IV.replace(old, new), "cavp-cipher", [operation], 1) == message


def test_iv_without_a_field_is_refused(refusal: Refusal, pair: Pair) -> None:
    assert refusal(IV, "cavp-cipher", pair(16), 1) == (
        "FILE:3: encrypt has no field for IV\n"
        "  fields may be named so: KEY: key; IV: iv or counter; "
        "PLAINTEXT: plaintext or message; CIPHERTEXT: ciphertext"
    )


def test_chain_is_of_ecb_alone(refusal: Refusal, pair: Pair) -> None:
    told = refusal(IV, "cavp-cipher-mct", pair(16), 1)
    assert told == "FILE:3: a Monte Carlo record with IV\n  this format is of ECB alone"


def test_chain_that_lacks_a_record_is_refused(data: Path, refusal: Refusal, pair: Pair) -> None:
    text = (data / "aes_mct.rsp").read_text().replace("PLAINTEXT = d7", "PLAINTEXT = d8")
    assert refusal(text, "cavp-cipher-mct", pair(16, 16), 4) == (
        "FILE:10: PLAINTEXT is not the CIPHERTEXT of the record before\n"
        "  a record is lacking, or this is no Monte file"
    )


def counter_mode(make: Make, name: str = "ctr") -> Operation:
    inputs = {"key": 16, "counter": 16, "message": None}
    return make(name, inputs, {"ciphertext": "message"}, kind="encrypt")


def test_operations_of_a_kind_are_told_apart_by_their_fields(
    tmp_path: Path, data: Path, make: Make, pair: Pair
) -> None:
    operations = (*pair(16), counter_mode(make))
    read = kat.vectors(data / "aes_ecb.rsp", "cavp-cipher", operations, 5)
    assert {vector.operation for vector in read.vectors} == {"encrypt", "decrypt"}
    path = tmp_path / "a.rsp"
    path.write_text(IV)
    [vector] = kat.vectors(path, "cavp-cipher", operations, 1).vectors
    assert vector.operation == "ctr"


def test_operations_that_cannot_be_told_apart_are_refused(refusal: Refusal, make: Make) -> None:
    two = [counter_mode(make), counter_mode(make, "gctr")]
    told = refusal(IV, "cavp-cipher", two, 1)
    assert told == "FILE:3: the record is of each of ctr, gctr\n  name their fields differently"


def test_record_of_none_of_several_operations_is_refused(refusal: Refusal, make: Make) -> None:
    two = [counter_mode(make), counter_mode(make, "gctr")]
    text = "".join(line for line in IV.splitlines(keepends=True) if "IV" not in line)
    told = refusal(text, "cavp-cipher", two, 1)
    assert told == "FILE:3: no value for counter of ctr; no value for counter of gctr"


@pytest.mark.parametrize("form", ["cavp-cipher", "cavp-cipher-mct"])
def test_file_without_a_record_is_refused(refusal: Refusal, pair: Pair, form: str) -> None:
    told = refusal("[ENCRYPT]\n", form, pair(16), 1)
    assert told == "FILE: no record of the primitive's operations\n  see `format`"


def test_count_tells_what_was_left_out(data: Path, refusal: Refusal, pair: Pair) -> None:
    text = (data / "aes_ecb.rsp").read_text()
    assert refusal(text, "cavp-cipher", pair(16)[:1], 5) == (
        "FILE: 3 records where core.toml says 5 "
        "(left out: 2 [DECRYPT]: no operation of kind 'decrypt')\n"
        "  the file is cut short, or core.toml counts wrong"
    )
    assert refusal(text, "cavp-cipher", pair(16)[:1], 3) == (
        "FILE: 2 records left out where core.toml says 0 "
        "(left out: 2 [DECRYPT]: no operation of kind 'decrypt')\n"
        "  say so with `skipped`, or take another file"
    )
