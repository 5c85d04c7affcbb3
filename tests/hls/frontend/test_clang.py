# SPDX-License-Identifier: Apache-2.0
"""The C compiler of the wheel: what it reads is what is there, whatever its cache has of before."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import hls
from lydite.hls import Machine, Options
from lydite.hls.frontend import program

SOURCE = '#include "h.h"\nint f(void) { return ANSWER; }\n'


def folder(path: Path, header: str = "#define ANSWER 7\n") -> Path:
    path.mkdir()
    (path / "k.c").write_text(SOURCE)
    if header:
        (path / "h.h").write_text(header)
    return path


def test_files_are_named_as_they_are_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = folder(tmp_path / "own")

    def read(source: Path) -> set[str]:
        return program.files_read(Options(sources=(source,), top="f"))

    monkeypatch.chdir(folder(tmp_path / "other"))
    assert read(Path("../own/k.c")) == {"../own/k.c", "../own/h.h"}
    assert read(own / "k.c") == {f"{own}/k.c", f"{own}/h.h"}
    monkeypatch.chdir(own)
    assert read(Path("k.c")) == {"k.c", "h.h"}


def test_header_that_came_before_the_one_found_so_far_is_read(tmp_path: Path) -> None:
    include = folder(tmp_path / "include")
    source = folder(tmp_path / "own", header="") / "k.c"
    options = Options(sources=(source,), top="f", include_dirs=(include,))
    assert Machine(hls.compile(options).module).call({}, {}).value == 7
    (source.parent / "h.h").write_text("#define ANSWER 9\n")
    assert Machine(hls.compile(options).module).call({}, {}).value == 9
