# SPDX-License-Identifier: Apache-2.0
"""Data files that are wrong are refused with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.base import InputError, schema
from lydite.base.schema import Data


class Inner(Data, frozen=True, kw_only=True):
    name: str
    sizes: tuple[int, ...] = ()


class Outer(Data, frozen=True, kw_only=True):
    title: str
    inner: tuple[Inner, ...] = ()
    table: dict[str, Inner] = {}  # noqa: RUF012 - msgspec copies defaults


def test_a_file_becomes_a_record(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('title = "x"\n[[inner]]\nname = "n"\nsizes = [1, 2]\n')
    expected = Outer(title="x", inner=(Inner(name="n", sizes=(1, 2)),))
    assert schema.load(path, Outer, "a thing") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'title = "x"\ntitle = "y"\n',
            "{path}:2: not TOML: Cannot overwrite a value (at line 2, column 12)",
        ),
        (
            'title = "x"\n\ninner = [\n',
            "{path}: not TOML: Invalid value (at end of document)",
        ),
        ("", "{path}: object missing required field `title`"),
        ("title = 3", "{path}: title: expected `str`, got `int`"),
        (
            'title = "x"\nspeed = 3',
            "{path}: object contains unknown field `speed`\n"
            "  the fields are listed in the contract page of a thing",
        ),
        (
            'title = "x"\n[[inner]]\nname = "a"\n[[inner]]\nname = "b"\nsizes = [1, "2"]',
            "{path}: inner[1].sizes[1]: expected `int`, got `str`",
        ),
        (
            'title = "x"\n[[inner]]\nname = "a"\nsize = 1',
            "{path}: inner[0]: object contains unknown field `size`\n"
            "  the fields are listed in the contract page of a thing",
        ),
        (
            'title = "x"\n[table.a]\nname = true',
            "{path}: table[...].name: expected `str`, got `bool`",
        ),
    ],
)
def test_bad_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        schema.load(path, Outer, "a thing")
    assert str(raised.value) == message.format(path=path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with pytest.raises(InputError) as raised:
        schema.load(path, Outer, "a thing")
    assert str(raised.value) == f"{path}: cannot read a thing: No such file or directory"


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        schema.load(tmp_path, Outer, "a thing")
    assert str(raised.value) == f"{tmp_path}: cannot read a thing: Is a directory"


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b'title = "\xff"')
    with pytest.raises(InputError) as raised:
        schema.load(path, Outer, "a thing")
    assert str(raised.value) == f"{path}: a thing is not UTF-8 text (byte 9)\n  save it as UTF-8"
