# SPDX-License-Identifier: Apache-2.0
"""Files that are either whole or absent: written aside, synced, and renamed into place."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lydite.base import digest
from lydite.base.errors import InputError

# Bytes for which there must still be room after a run.
_PROBE = 1 << 18


def write_atomic(path: Path, data: bytes | str) -> None:
    """Write a file so that a reader, a kill or a full disk sees the old one or all of the new one.

    Raises
    ------
    InputError
        The folder cannot be written, or the disk is full; the old file, if any, is untouched.
    """
    raw = data.encode() if isinstance(data, str) else data
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes files that only the owner reads; results are meant to be read.
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise cannot_write(path, error) from error
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def write_all(folder: Path, found: Mapping[str, bytes], where: str) -> None:
    """Write files into a folder, under names that somebody else has given.

    Raises
    ------
    InputError
        A name leads out of the folder.
    """
    for name, data in found.items():
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise InputError(where, f"has a file whose name leads elsewhere: {name!r}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def check_writable(path: Path) -> None:
    """Refuse a file that `write_atomic` could not write, without a trace.

    Raises
    ------
    InputError
        It is a folder or no plain file, or its folder is not there and cannot be made, or takes no
        file.
    """
    if path.is_dir():
        raise InputError(str(path), "is a folder, not a file", "name a file in it")
    if path.exists() and not path.is_file():
        raise InputError(str(path), "is no plain file")
    folder = path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise cannot_write(path, error) from error


def contents(folder: Path) -> dict[str, tuple[int, str]]:
    """Give all files below a folder by their names there: sizes in bytes, and SHA-256."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, digest.of_file(path))
        for path in paths
    }


def settle(folder: Path) -> dict[str, tuple[int, str]]:
    """Bring all that programs wrote into a folder to the disk, and give its `contents`.

    Programs that do not look whether their writing succeeded leave files cut short behind a full
    disk or a limit, and say nothing.

    Raises
    ------
    OSError
        A file is as large as the system lets one be, or the disk takes no more: what was written
        may have been cut.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if limit != resource.RLIM_INFINITY and path.stat().st_size >= limit:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
    with tempfile.NamedTemporaryFile(dir=folder) as probe:
        probe.write(bytes(min(_PROBE, limit) if limit > 0 else _PROBE))
        probe.flush()
        os.fsync(probe.fileno())
    sync_folder(folder)
    return contents(folder)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def cannot_write(path: Path, error: OSError) -> InputError:
    """Give the error for a place that cannot be written, with the remedy that fits the cause."""
    return cannot_use(str(path), error, what="cannot write")


def cannot_use(place: str, error: OSError, *, what: str = "cannot use") -> InputError:
    """Give the error for a place that the system refuses, with the remedy that fits the cause."""
    if error.errno == errno.EFBIG:
        hint = "a limit on the size of files cut it: raise that (ulimit -f)"
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "the disk is full: free some space; what was finished is kept"
    elif error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        hint = "choose a folder that you may write to"
    else:
        hint = ""
    return InputError(place, f"{what}: {error.strerror or error}", hint)


def tail(path: Path, limit: int = 1 << 16) -> str:
    """Give the last whole lines of a file that may be growing; nothing if it is not there yet."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(stream.seek(0, os.SEEK_END) - limit, 0))
            cut = stream.tell() > 0
            text = stream.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    text = text.partition("\n")[2] if cut else text
    return text[: text.rfind("\n") + 1]


def read_text(path: Path, what: str) -> str:
    """Read a UTF-8 text file that the user named.

    Parameters
    ----------
    what : str
        What the file is, for the error: "a core description".

    Raises
    ------
    InputError
        The file is missing, is a folder, may not be read, or is not UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(str(path), f"cannot read {what}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(
            str(path), f"{what} is not UTF-8 text (byte {error.start})", "save it as UTF-8"
        ) from error
