# SPDX-License-Identifier: Apache-2.0
"""Files of NIST's SHA-3 contest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydite.cores import kat
from lydite.cores.operation import Operation

Refusal = Callable[..., str]
MESSAGES = f"""\
# ShortMsgKAT_256.txt

Len = 0
Msg = 00
MD = {"01" * 32}

Len = 5
Msg = 48
MD = {"02" * 32}

Len = 16
Msg = 41FB
MD = {"03" * 32}
"""
CHAIN = f"""\
Seed = {"00" * 128}

j = 0
MD = {"01" * 32}

j = 1
MD = {"02" * 32}
"""
TURNS = "a Monte file has Seed, and after it j and MD in turn"
LACKS = "the file is cut short, or of another format"


def test_messages_are_read(data: Path, hashing: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "contest.txt", "contest", hashing, 4)
    assert [vector.fields["message"].hex() for vector in read.vectors] == [
        "",
        "cc",
        "41fb",
        "82e192e4043ddcd12ecf52969d0f807eed",
    ]
    assert read.vectors[1].fields["digest"].hex().startswith("5748b75afe2f")
    assert read.vectors[1].where == "contest.txt:7"


def test_messages_that_are_not_whole_bytes_are_left_out(
    tmp_path: Path, hashing: tuple[Operation, ...]
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(MESSAGES)
    read = kat.vectors(path, "contest", hashing, 2, 1)
    assert [vector.fields["message"].hex() for vector in read.vectors] == ["", "41fb"]
    assert [(one.where, one.why) for one in read.skipped] == [("a.txt:7", "Msg is not whole bytes")]


def test_chain_is_read(data: Path, hashing: tuple[Operation, ...]) -> None:
    [chain] = kat.chains_of(data / "contest_mct.txt", "contest-mct", hashing, 2).chains
    assert (chain.rule, chain.steps, chain.text) == ("contest", 1000, "message")
    assert len(chain.start["message"]) == 128
    assert chain.output_range == (32, 32)
    assert [point.where for point in chain.checkpoints] == [
        "contest_mct.txt:6",
        "contest_mct.txt:9",
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True))
@pytest.mark.parametrize(("form", "skipped"), [("contest", 1), ("contest-mct", 0)])
def test_file_cut_anywhere_is_refused(
    refusal: Refusal, hashing: tuple[Operation, ...], form: str, skipped: int, where: float
) -> None:
    text = (MESSAGES if form == "contest" else CHAIN).rstrip()
    refusal(text[: int(where * len(text))], form, hashing, 2, skipped)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Len = 16\n", "", "FILE:11: a second Msg in a record"),
        ("Msg = 41FB\n", "", f"FILE:11: the record lacks Msg\n  {LACKS}"),
        ("Msg = 41FB", "Msg = 41", "FILE:11: Len is 16 bits, the message has 8"),
        ("Msg = 00", "Msg =", "FILE:3: Len is 0 bits, the message has 0"),
        ("Msg = 48", "Msg = 4800", "FILE:7: Len is 5 bits, the message has 16"),
        (
            "03" * 32,
            "03" * 31,
            "FILE: a.txt:11: digest has 31 bytes, not 32\n"
            "  the file is cut short, or core.toml says a wrong length",
        ),
        (
            "Msg = 48",
            "Text = 48",
            "FILE:8: no such name in this format: Text\n  a record has Len, Msg, MD",
        ),
    ],
)
def test_bad_messages_are_refused(
    refusal: Refusal, hashing: tuple[Operation, ...], old: str, new: str, message: str
) -> None:
    assert MESSAGES.count(old) == 1
    assert refusal(MESSAGES.replace(old, new), "contest", hashing, 2, 1) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("00" * 128, "00" * 127, "FILE:1: Seed has 127 bytes, not 128"),
        ("Seed", "Seeds", f"FILE:1: Seeds out of its place\n  {TURNS}"),
        (f"Seed = {'00' * 128}\n", "", f"FILE:2: j out of its place\n  {TURNS}"),
        ("j = 1\n", "", f"FILE:6: MD out of its place\n  {TURNS}"),
        ("j = 1", "j = 2", "FILE:6: j is 2, not 1\n  a record is lacking"),
        (f"MD = {'01' * 32}\n", "", f"FILE:5: j out of its place\n  {TURNS}"),
        (
            f"MD = {'02' * 32}\n",
            "",
            "FILE: the last record is not whole\n  the file is cut short",
        ),
        (
            "02" * 32,
            "02" * 31,
            "FILE: a.txt:7: digest has 31 bytes, not 32\n"
            "  the file is cut short, or core.toml says a wrong length",
        ),
    ],
)
def test_bad_chain_is_refused(
    refusal: Refusal, hashing: tuple[Operation, ...], old: str, new: str, message: str
) -> None:
    assert CHAIN.count(old) == 1
    assert refusal(CHAIN.replace(old, new), "contest-mct", hashing, 2) == message


def test_file_without_a_record_is_refused(refusal: Refusal, hashing: tuple[Operation, ...]) -> None:
    told = refusal("# nothing\n", "contest", hashing, 2)
    assert told == "FILE: no record of the primitive's operations\n  see `format`"
    told = refusal(CHAIN.split("\n\n")[0] + "\n", "contest-mct", hashing, 2)
    assert told == "FILE: the last record is not whole\n  the file is cut short"
