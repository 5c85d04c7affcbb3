# SPDX-License-Identifier: Apache-2.0
"""A file is the old one or all of the new one, whatever happens."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.base.files import cannot_write, read_text, tail, write_atomic


def test_writes_bytes_and_text(tmp_path: Path) -> None:
    write_atomic(tmp_path / "new" / "folder" / "a", b"\x00\xff")
    write_atomic(tmp_path / "b", "text")
    assert (tmp_path / "new" / "folder" / "a").read_bytes() == b"\x00\xff"
    assert (tmp_path / "b").read_text() == "text"


def test_others_may_read_it(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", "x")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


def test_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError) as raised:
        write_atomic(path, "new")
    assert str(raised.value) == (
        f"{path}: cannot write: No space left on device\n"
        "  the disk is full: free some space; what was finished is kept"
    )
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_kill_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from lydite.base.files import write_atomic\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_atomic(Path(sys.argv[1]), 'new')\n"
    )
    run = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert path.read_text() == "old"


def test_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "a"
    with pytest.raises(InputError) as raised:
        write_atomic(path, "new")
    assert str(raised.value) == f"{path}: cannot write: File exists"


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_remedy_of_a_folder_that_may_not_be_written(number: int) -> None:
    error = cannot_write(Path("x"), OSError(number, os.strerror(number)))
    text = f"x: cannot write: {os.strerror(number)}\n  choose a folder that you may write to"
    assert str(error) == text


def test_text_that_is_missing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(InputError) as raised:
        read_text(path, "a poem")
    assert str(raised.value) == f"{path}: cannot read a poem: No such file or directory"


def test_the_end_of_a_growing_file_is_read_in_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert tail(log) == ""
    log.write_text("one\ntwo\nthree\nhal")
    assert tail(log) == "one\ntwo\nthree\n"
    assert tail(log, 12) == "three\n"
    assert tail(log, 2) == ""
