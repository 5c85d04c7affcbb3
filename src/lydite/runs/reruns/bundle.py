# SPDX-License-Identifier: Apache-2.0
"""A bundle: runs with all that they rest on, records and artefacts, in one file.

A ZIP archive whose folders are those of a store: `bundle.json` (`Contents`), `README.txt`, and
`artefacts/KK/KEY/NAME`. Its comment names the form, its version, and the SHA-256 of `bundle.json`,
which has the digests of all files: so one digest stands for the whole. bzip2, since there is one
program that all others follow: the same runs are the same bytes on every machine.

Whatever a bundle holds is somebody else's: names are checked before anything is written, and
nothing of it is run by reading.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

import lydite
from lydite.base import digest, files
from lydite.base.errors import InputError
from lydite.runs.record import Record
from lydite.runs.reruns import replay
from lydite.runs.store import Store

# Version of the form; raised when older programs would misread a bundle.
VERSION = 1
_CONTENTS = "bundle.json"
_README = "README.txt"
_COMMENT = "lydite bundle {version} sha256 {sha256}"
_TEXT = """\
Runs of Lydite {version}, with sources, options, seeds, versions of tools and results.

  lydite replicate FILE --published   shows the results, and runs nothing
  lydite replicate FILE               says what it would run, runs it, and compares
  unzip FILE                          bundle.json has the records, artefacts/ the files
"""
# Records of a whole laboratory are some megabytes.
_MOST_CONTENTS = 1 << 28
_PIECE = 1 << 20
_KEY = re.compile(r"[0-9a-f]{64}")
# All files of a bundle have one date: the first that ZIP has.
_DATE = (1980, 1, 1, 0, 0, 0)


class Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is in a bundle.

    Attributes
    ----------
    keys : tuple of str
        Of the runs that were asked for, sorted.
    records : tuple of Record
        Of these and of all that they rest on, which comes first.
    lydite : str
        Version that packed it.
    """

    keys: tuple[str, ...]
    records: tuple[Record, ...]
    lydite: str


@dataclass(frozen=True)
class Bundle:
    """A bundle that was read, and is whole; `digest` is of all of it, wherever it was packed."""

    path: Path
    contents: Contents
    digest: str

    def get(self, key: str) -> Record | None:
        """Give the record of a key, or None."""
        return next((one for one in self.contents.records if one.key == key), None)

    def unpack(self, folder: Path) -> None:
        """Write the artefacts below a folder, which is then as a store's.

        Raises
        ------
        InputError
            The file is no longer as it was read, or the folder cannot be written.
        """
        with _opened(self.path) as archive:
            for name, size, sha256 in _files(self.contents):
                place = folder / name
                try:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    with place.open("xb") as out:
                        _copy(archive, name, size, sha256, out)
                except (FileExistsError, NotADirectoryError) as error:
                    raise InputError(f"{self.path}: {name}", "is also a folder") from error


def write(store: Store, keys: Iterable[str], path: Path) -> Bundle:
    """Pack runs of a store, and what they rest on.

    Raises
    ------
    InputError
        One is not in the store, failed, or is damaged; or the file cannot be written.
    """
    asked = tuple(sorted(set(keys)))
    records = _gathered(store, asked)
    contents = Contents(keys=asked, records=records, lydite=lydite.__version__)
    text = msgspec.json.format(msgspec.json.encode(contents, order="deterministic"), indent=1)
    found = digest.of_bytes(text)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.comment = _COMMENT.format(version=VERSION, sha256=found).encode()
        _put(archive, _README, _TEXT.format(version=lydite.__version__).encode())
        _put(archive, _CONTENTS, text)
        for record in records:
            for name in sorted(record.files):
                data = store.read(record.key, name)
                _put(archive, f"{replay.artefacts(record.key)}/{name}", data)
    files.write_atomic(path, packed.getvalue())
    return Bundle(path, contents, found)


def _gathered(store: Store, keys: Iterable[str]) -> tuple[Record, ...]:
    """Give the records of runs and of all that they rest on, which comes first."""
    found: dict[str, Record] = {}

    def enter(key: str, why: str) -> None:
        if key in found:
            return
        record = store.get(key)
        if record is None:
            raise InputError(key[:12], *_missing(store, key, why))
        for other in sorted(set(record.needs) - {key}):
            enter(other, f", and {record.label} rests on it")
        found[key] = record

    for key in keys:
        enter(key, "")
    return tuple(found.values())


def _missing(store: Store, key: str, why: str) -> tuple[str, str]:
    """Say why a key has no record that can be packed, and what to do about it."""
    others = store.find(key)
    if not others:
        return f"no run with this key is in the store{why}", "see `lydite list runs`"
    last = others[-1]
    what = f"{last.label}: this run {'failed' if last.status == 'failed' else 'is damaged'}{why}"
    return what, "only what ran whole is packed; the command that made it tries it again"


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_BZIP2
    info.create_system = 3  # the same from every system
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, compresslevel=9)


def read(path: Path) -> Bundle:
    """Read a bundle and compare all of it with its digests.

    Raises
    ------
    InputError
        It is no bundle, of a newer version, damaged or cut; or it has a name that would lead out
        of the folder where it is unpacked.
    """
    with _opened(path) as archive:
        version, sha256 = _head(path, archive)
        if version > VERSION:
            what = f"is a bundle of version {version}; this Lydite reads version {VERSION}"
            raise InputError(str(path), what, "take a newer Lydite")
        text = archive.open(_CONTENTS).read(_MOST_CONTENTS)
        if digest.of_bytes(text) != sha256:
            raise _damaged(path, f"its {_CONTENTS} is not as it was packed")
        try:
            contents = msgspec.json.decode(text, type=Contents)
        except msgspec.DecodeError as error:
            raise _damaged(path, f"its {_CONTENTS} cannot be read: {error}") from error
        _check(path, contents)
        packed = tuple(_files(contents))
        names = [info.filename for info in archive.infolist()]
        wanted = {_CONTENTS, _README, *(name for name, _, _ in packed)}
        for odd in sorted(set(names) ^ wanted):
            has = "has a file that no record names" if odd in names else "lacks a file"
            raise _damaged(path, f"{has}: {odd!r}")
        if len(names) > len(wanted):
            raise _damaged(path, "has two files of one name")
        for name, size, sha256 in packed:
            _copy(archive, name, size, sha256, None)
    return Bundle(path, contents, digest.of_bytes(text))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; whatever is wrong with it, then or later, is an error that names it."""
    if not path.is_file():
        what = "is a folder, not a bundle" if path.is_dir() else "there is no such file"
        raise InputError(str(path), what, "`lydite bundle KEY...` makes one")
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, LookupError) as error:
        raise _damaged(path, f"is no bundle, or not all of it: {error}") from error
    except OSError as error:
        # bzip2's complaints have no number; those of a disk have one.
        if error.errno is not None:
            raise InputError(str(path), f"cannot be used: {error.strerror}") from error
        raise _damaged(path, f"is no bundle, or not all of it: {error}") from error
    except RuntimeError as error:  # as it says that a file wants a password, or is packed oddly
        raise _damaged(path, f"is no bundle: {error}") from error


def _head(path: Path, archive: zipfile.ZipFile) -> tuple[int, str]:
    pattern = _COMMENT.format(version=r"(\d{1,9})", sha256="([0-9a-f]{64})")
    found = re.fullmatch(pattern.encode(), archive.comment)
    if found is None:
        raise _damaged(path, "is no bundle, or not all of it: it is an archive of another kind")
    return int(found[1]), found[2].decode()


def _damaged(path: Path, what: str) -> InputError:
    return InputError(str(path), what, "fetch it again, or have it packed again")


def _check(path: Path, contents: Contents) -> None:
    """Refuse records that do not hold together, and names that lead elsewhere."""
    keys = [record.key for record in contents.records]
    for key in keys:
        if not _KEY.fullmatch(key):
            raise _damaged(path, f"has a record whose key is none: {key!r}")
    if len(set(keys)) < len(keys):
        raise _damaged(path, "has two records of one key")
    for record in contents.records:
        if record.status != "ok":
            raise _damaged(path, f"has a run that is {record.status}: {record.key[:12]}")
        for other in record.needs:
            if other not in keys:
                raise _damaged(path, f"lacks a record that {record.key[:12]} rests on: {other!r}")
        for name in record.files:
            if not _is_inside(name):
                raise _damaged(path, f"has a file whose name leads out of its folder: {name!r}")
    for key in contents.keys:
        if key not in keys:
            raise _damaged(path, f"lacks a record that was asked for: {key!r}")


def _is_inside(name: str) -> bool:
    """Whether a name is that of a file below a folder, on any system."""
    parts = name.split("/")
    return name.isprintable() and not (
        any(part in ("", ".", "..") for part in parts) or "\\" in name or ":" in parts[0]
    )


def _files(contents: Contents) -> Iterator[tuple[str, int, str]]:
    """Give the names of all artefacts, with their sizes in bytes and digests."""
    for record in contents.records:
        for name, (size, sha256) in record.files.items():
            yield f"{replay.artefacts(record.key)}/{name}", size, sha256


def _copy(
    archive: zipfile.ZipFile, name: str, size: int, sha256: str, out: IO[bytes] | None
) -> None:
    """Read a file, no more of it than there should be, and hold it against its digest."""
    hashed, left = hashlib.sha256(), size
    with archive.open(name) as stream:
        while data := stream.read(min(_PIECE, left + 1)):
            left -= len(data)
            if left < 0:
                break
            hashed.update(data)
            if out is not None:
                out.write(data)
    if left != 0 or hashed.hexdigest() != sha256:
        raise _damaged(Path(str(archive.filename)), f"its {name} is not as it was packed")
