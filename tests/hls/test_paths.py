# SPDX-License-Identifier: Apache-2.0
"""Places are named by the paths that the user gave, wherever the files and the current folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import hls
from lydite.base import InputError
from lydite.hls import Options

SOURCE = '#include "twice.h"\n#include "more.h"\nint f(int n) {\n  return twice(n) + more(n);\n}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a" / "inc").mkdir(parents=True)
    (tmp_path / "a" / "k.c").write_text(SOURCE)
    (tmp_path / "a" / "twice.h").write_text("static int twice(int n) {\n  return n / 3;\n}\n")
    (tmp_path / "a" / "inc" / "more.h").write_text("static int more(int n) {\n  return n / 5;\n}\n")
    return tmp_path


def places(source: Path, include: Path) -> set[str]:
    compiled = hls.compile(Options(sources=(source,), top="f", include_dirs=(include,)))
    function = compiled.module.top_function
    return {op.where for op in function.ops() if op.where} | {function.where}


@pytest.mark.parametrize("cwd", [".", "a", "/"])
def test_absolute_paths_stay_absolute(
    cwd: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / cwd)
    found = places(folder / "a" / "k.c", folder / "a" / "inc")
    assert found == {
        f"{folder}/a/k.c:3",
        f"{folder}/a/k.c:4",
        f"{folder}/a/twice.h:2",
        f"{folder}/a/inc/more.h:2",
    }


@pytest.mark.parametrize(
    ("cwd", "source", "include", "prefix"),
    [(".", "a/k.c", "a/inc", "a/"), ("a", "k.c", "inc", ""), ("a/inc", "../k.c", ".", "../")],
)
def test_relative_paths_stay_as_given(
    cwd: str,
    source: str,
    include: str,
    prefix: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder / cwd)
    found = places(Path(source), Path(include))
    more = "more.h:2" if include == "." else f"{include}/more.h:2"
    assert found == {f"{prefix}k.c:3", f"{prefix}k.c:4", f"{prefix}twice.h:2", more}


@pytest.mark.parametrize(("cwd", "source"), [(".", "a/k.c"), ("a", "k.c"), ("/", "")])
def test_errors_of_clang_name_the_path_as_given(
    cwd: str, source: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(source) if source else folder / "a" / "k.c"
    monkeypatch.chdir(folder / cwd)
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(path,), top="f"))
    assert caught.value.where == f"{path}:2"
    (folder / "a" / "k.c").write_text("int f(int n) {\n  return n + ;\n}\n")
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(path,), top="f"))
    assert caught.value.where == f"{path}:2"
