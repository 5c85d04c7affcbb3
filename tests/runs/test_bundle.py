# SPDX-License-Identifier: Apache-2.0
"""A bundle has all that its runs rest on, is the same bytes again, and is refused if it is not."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lydite.base import InputError, digest, files
from lydite.runs.record import Record
from lydite.runs.reruns import bundle
from lydite.runs.store import Store

A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


def put(store: Store, key: str, **values: Any) -> None:
    """Put a run with two artefacts."""
    with store.work_folder() as work:
        (work / "inner").mkdir()
        (work / "inner" / "file").write_text(f"of {key}")
        (work / "other").write_bytes(bytes(100_000))
        kept = files.contents(work)
        store.keep(key, work)
    fields = {"status": "ok", "inputs": {}, "result": {"mhz": 1.5}, "files": kept, **values}
    store.put(Record(key=key, kind="test", label=f"test {key[:2]}", **fields))


@pytest.fixture
def store(store_folder: Path) -> Path:
    """Give a store with a chain of runs, one that rests on nothing, and one that failed."""
    with Store(store_folder) as made:
        put(made, C)
        put(made, A, needs=(C,))
        put(made, B)
        put(made, D, status="failed", error="no way")
    return store_folder


@pytest.fixture
def packed(store: Path, tmp_path: Path) -> Path:
    path = tmp_path / "a.zip"
    with Store(store) as made:
        bundle.write(made, [A], path)
    return path


def test_bundle_has_what_its_runs_rest_on(store: Path, packed: Path, tmp_path: Path) -> None:
    found = bundle.read(packed)
    assert found.contents.keys == (A,)
    assert [record.key for record in found.contents.records] == [C, A]
    folder = tmp_path / "there"
    found.unpack(folder)
    with Store(store) as made:
        assert found.get(A) == made.get(A)
        for key in (A, C):
            assert files.contents(folder / "artefacts" / key[:2] / key) == (
                files.contents(made.artefacts(key))
            )


def test_same_runs_are_the_same_bytes(store: Path, packed: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    with Store(store) as made:
        first = bundle.write(made, [B, A], again)
        bytes_ = again.read_bytes()
        assert bundle.write(made, (A, B, A, C), again).digest != first.digest
        assert bundle.write(made, (A, B, A), again).digest == first.digest
    assert again.read_bytes() == bytes_ != packed.read_bytes()
    assert bundle.read(again).digest == first.digest


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (
            "e" * 64,
            "eeeeeeeeeeee: no run with this key is in the store\n  see `lydite list runs`",
        ),
        (
            D,
            "dddddddddddd: test dd: this run failed\n"
            "  only what ran whole is packed; the command that made it tries it again",
        ),
    ],
)
def test_what_did_not_run_is_not_packed(store: Path, tmp_path: Path, key: str, says: str) -> None:
    with Store(store) as made, pytest.raises(InputError) as raised:
        bundle.write(made, [key], tmp_path / "no.zip")
    assert str(raised.value) == says
    assert not (tmp_path / "no.zip").exists()


def test_what_was_removed_or_damaged_is_not_packed(store: Path, tmp_path: Path) -> None:
    with Store(store) as made:
        (made.artefacts(B) / "other").write_text("x")
        with pytest.raises(InputError, match="other: is not as it was kept"):
            bundle.write(made, [B], tmp_path / "no.zip")
        made.remove(C)
        with pytest.raises(InputError) as raised:
            bundle.write(made, [A], tmp_path / "no.zip")
    assert str(raised.value).startswith(
        "cccccccccccc: no run with this key is in the store, and test aa rests on it\n"
    )


def refused(path: Path) -> str:
    with pytest.raises(InputError) as raised:
        bundle.read(path)
    assert raised.value.exit_code == 2
    return str(raised.value).removeprefix(f"{path}: ").partition("\n")[0]


def test_every_cut_is_seen(packed: Path) -> None:
    whole = packed.read_bytes()
    for many in range(0, len(whole), max(len(whole) // 40, 1)):
        packed.write_bytes(whole[:many])
        assert refused(packed).startswith("is no bundle, or not all of it: ")


def test_every_changed_byte_of_a_file_is_seen(packed: Path) -> None:
    whole = packed.read_bytes()
    with zipfile.ZipFile(packed) as archive:
        spans = [
            (info.header_offset + 30 + len(info.filename), info.compress_size)
            for info in archive.infolist()
            if info.filename != "README.txt"
        ]
    for begin, size in spans:
        for place in range(begin, begin + size, max(size // 5, 1)):
            packed.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
            refused(packed)


def remade(
    packed: Path,
    change: Callable[[dict[str, Any]], None] = lambda contents: None,
    *,
    comment: str = "lydite bundle 1 sha256 {}",
    more: tuple[tuple[str, bytes], ...] = (),
    without: str = "\0",
    names: Callable[[str], str] = lambda name: name,
) -> Path:
    """Make a bundle as somebody might who knows its form, with right digests."""
    with zipfile.ZipFile(packed) as archive:
        held = [(name, archive.read(name)) for name in archive.namelist()]
    contents = msgspec.json.decode(dict(held)["bundle.json"])
    change(contents)
    text = msgspec.json.encode(contents)
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")  # two files of one name
        for name, data in (*held, *more):
            if without not in name:
                archive.writestr(names(name), text if name == "bundle.json" else data)
        archive.comment = comment.format(digest.of_bytes(text)).encode()
    packed.write_bytes(out.getvalue())
    return packed


@pytest.mark.parametrize(
    "name", ["../x", "/etc/x", "a/../../x", "a//x", "./x", "a\\..\\x", "c:/x", "x\n", "x\0y", ""]
)
def test_name_that_leads_out_is_refused(packed: Path, name: str) -> None:
    def lead(contents: dict[str, Any]) -> None:
        kept = contents["records"][0]["files"]
        kept[name] = kept.pop("other")

    shown = refused(remade(packed, lead, names=lambda old: old.replace("other", name)))
    assert shown == f"has a file whose name leads out of its folder: {name!r}"


@pytest.mark.parametrize("key", ["../../" + "a" * 58, "a" * 63, "A" * 64, ""])
def test_key_that_is_none_is_refused(packed: Path, key: str) -> None:
    shown = refused(remade(packed, lambda contents: contents["records"][0].update(key=key)))
    assert shown == f"has a record whose key is none: {key!r}"


def test_what_does_not_hold_together_is_refused(packed: Path) -> None:
    whole = packed.read_bytes()

    def first(**values: Any) -> Callable[[dict[str, Any]], None]:
        return lambda contents: contents["records"][0].update(values)

    cases: list[tuple[str, dict[str, Any]]] = [
        (
            "is a bundle of version 2; this Lydite reads version 1",
            {"comment": "lydite bundle 2 sha256 {}"},
        ),
        (
            "is no bundle, or not all of it: it is an archive of another kind",
            {"comment": "something else"},
        ),
        (
            "its bundle.json is not as it was packed",
            {"comment": f"lydite bundle 1 sha256 {'0' * 64}"},
        ),
        ("has a run that is failed: cccccccccccc", {"change": first(status="failed")}),
        (
            f"lacks a record that cccccccccccc rests on: {'f' * 64!r}",
            {"change": first(needs=["f" * 64])},
        ),
        (
            f"lacks a record that was asked for: {B!r}",
            {"change": lambda contents: contents.update(keys=[B])},
        ),
        ("has two records of one key", {"change": first(key=A)}),
        ("has a file that no record names: 'more'", {"more": (("more", b"x"),)}),
        (f"lacks a file: 'artefacts/cc/{C}/other'", {"without": f"{C}/other"}),
        ("has two files of one name", {"more": (("README.txt", b"x"),)}),
        (
            f"its artefacts/cc/{C}/other is not as it was packed",
            {"change": first(files={"other": [100_000, "0" * 64], "inner/file": [1, ""]})},
        ),
    ]
    for says, how in cases:
        packed.write_bytes(whole)
        assert refused(remade(packed, **how)) == says
    packed.write_bytes(whole)
    shown = refused(remade(packed, lambda contents: contents.update(keys=7)))
    assert shown.startswith("its bundle.json cannot be read: ")


def test_file_that_is_longer_than_it_says_is_not_read_on(packed: Path) -> None:
    def shorter(contents: dict[str, Any]) -> None:
        contents["records"][0]["files"]["other"] = [10, digest.of_bytes(bytes(10))]

    assert refused(remade(packed, shorter)).endswith("other is not as it was packed")


def test_name_that_is_a_file_and_a_folder_is_refused(packed: Path, tmp_path: Path) -> None:
    def both(contents: dict[str, Any]) -> None:
        kept = contents["records"][0]["files"]
        kept["inner"] = kept["other"]

    more = ((f"artefacts/cc/{C}/inner", bytes(100_000)),)
    found = bundle.read(remade(packed, both, more=more))
    with pytest.raises(InputError, match="is also a folder"):
        found.unpack(tmp_path / "there")


def test_other_files_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path) == "is a folder, not a bundle"
    assert refused(tmp_path / "gone") == "there is no such file"
    (tmp_path / "text").write_text("no archive")
    assert refused(tmp_path / "text") == ("is no bundle, or not all of it: File is not a zip file")
