# SPDX-License-Identifier: Apache-2.0
"""What travels between who plans and a worker of a cluster: a job with what it reads, an answer.

A job is told by its fields, and made anew where it arrives, so that tools are found and files are
read there. A path inside this package or the store is told from there; any other stands for itself,
and must be on a disk that all machines see.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import pickle
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

import lydite
from lydite.base import digest, files
from lydite.base.errors import CheckFailed, InputError
from lydite.runs.differences import differences
from lydite.runs.job import Job
from lydite.runs.record import Record
from lydite.runs.store import Store

_PACKAGE = Path(lydite.__file__).absolute().parent
# Netlists are a tenth of their size so; a higher level takes longer and gains little.
_LEVEL = 1
# How many differences between two machines are told.
_TOLD = 4
_LONGEST = 60


class Packed(msgspec.Struct, frozen=True):
    """A record with its artefacts by their names, compressed."""

    record: Record
    files: dict[str, bytes]

    def unpack(self, folder: Path, where: str) -> None:
        """Write the artefacts into a folder.

        Raises
        ------
        CheckFailed
            They are not those of the record.
        """
        found = {name: zlib.decompress(data) for name, data in self.files.items()}
        told = {name: (len(data), digest.of_bytes(data)) for name, data in found.items()}
        if told != self.record.files:
            names = {name for name, _ in set(told.items()) ^ set(self.record.files.items())}
            what = f"the files of {self.record.label}, as sent"
            raise CheckFailed(what, f"others: {', '.join(sorted(names))}", where)
        files.write_all(folder, found, where)


class Parcel(msgspec.Struct, frozen=True):
    """A job on its way to a worker.

    Attributes
    ----------
    job : bytes
        The job, to be read by `unpack`.
    key : str
        That of the job where it was planned.
    inputs : Any
        What that key is made of.
    reads : tuple of Packed
        What the job reads in the store.
    """

    job: bytes
    key: str
    inputs: Any
    reads: tuple[Packed, ...]

    def unpack(self, store: Store) -> Job:
        """Make the job, with what it reads in a store of the worker.

        Raises
        ------
        InputError
            It would be another job here: tools, code or files differ, or are not there.
        """
        for one in self.reads:
            with store.work_folder() as folder:
                one.unpack(folder, "what came with the job")
                store.keep(one.record.key, folder)
            store.put(one.record)
        try:
            job = _Unpickler(io.BytesIO(self.job), store).load()
            assert isinstance(job, Job), "only jobs are sent"
            inputs = _plain(job.inputs())
        except OSError as error:
            what = f"cannot be read: {error.strerror or error}"
            hint = "files of your own must be on a disk that all machines see, at the same path"
            raise InputError(str(error.filename), what, hint) from error
        if job.key != self.key:
            differ = _told(self.inputs, inputs) or ["a file was changed meanwhile"]
            more = f" and {len(differ) - _TOLD} more" if len(differ) > _TOLD else ""
            what = f"would not be the same: {'; '.join(differ[:_TOLD])}{more}"
            hint = "install the same versions on all machines, or end that worker"
            raise InputError(job.label, what, hint)
        return job


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker says.

    Attributes
    ----------
    worker : str
        Its address.
    made : Packed, optional
        What came of the job; a failure, too. None if the worker did not take it.
    folder : str
        The worker's store, which errors in the record may name.
    refused : str
        Why it did not take the job.
    exit_code : int
        That of the refusal.
    """

    worker: str
    made: Packed | None = None
    folder: str = ""
    refused: str = ""
    exit_code: int = 0


def pack(job: Job, store: Store) -> bytes:
    """Give a job with all that it reads."""
    stream = io.BytesIO()
    pickler = _Pickler(stream, store)
    pickler.dump(job)
    read = [needed.key for needed in job.reads if needed.recorded]
    keys = dict.fromkeys((*read, *sorted(pickler.keys)))
    made = Parcel(
        job=stream.getvalue(),
        key=job.key,
        inputs=_plain(job.inputs()),
        reads=tuple(_kept(store, key) for key in keys),
    )
    return msgspec.msgpack.encode(made)


def packed(record: Record, folder: Path) -> Packed:
    """Give a record with its artefacts, which lie in a folder."""
    found = {name: (folder / name).read_bytes() for name in record.files}
    return Packed(record, {name: zlib.compress(data, _LEVEL) for name, data in found.items()})


def _kept(store: Store, key: str) -> Packed:
    record = store.get(key)
    assert record is not None, "what a job reads is there before it runs"
    return _packed(msgspec.json.encode(record), store.artefacts(key))


# Many placements read one netlist.
@functools.lru_cache(maxsize=8)
def _packed(body: bytes, folder: Path) -> Packed:
    return packed(msgspec.json.decode(body, type=Record), folder)


def _plain(inputs: Mapping[str, Any]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(dict(inputs)))


def _told(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Say in what a job differs between two machines: of tools by their names."""
    tools = [{one["name"]: one for one in each.get("tools", ())} for each in (there, here)]
    before, now = ({name: each[name] for name in each if name != "tools"} for each in (there, here))
    pairs = [
        (name, _version(tools[0].get(name)), _version(tools[1].get(name)))
        for name in dict.fromkeys((*tools[0], *tools[1]))
    ]
    pairs += [(one.field, _short(one.before), _short(one.now)) for one in differences(before, now)]
    return [f"{name} is {found}, not {asked}" for name, asked, found in pairs if asked != found]


def _version(tool: Mapping[str, str] | None) -> str:
    return "not there" if tool is None else f"{tool['version']} ({tool['origin']})"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


class _Pickler(pickle.Pickler):
    """Tells jobs by their fields, and paths from where they are.

    Attributes
    ----------
    keys : set of str
        Of runs in whose artefacts a path leads.
    """

    def __init__(self, stream: io.BytesIO, store: Store) -> None:
        super().__init__(stream)
        self.keys: set[str] = set()
        self._artefacts = store.folder.absolute() / "artefacts"

    def persistent_id(self, value: object) -> tuple[str, str] | None:
        if not isinstance(value, Path):
            return None
        path = value.absolute()
        if path.is_relative_to(self._artefacts):
            inner = path.relative_to(self._artefacts)
            self.keys.add(inner.parts[1])
            return "artefacts", inner.as_posix()
        if path.is_relative_to(_PACKAGE):
            return "package", path.relative_to(_PACKAGE).as_posix()
        return "disk", str(path)

    def reducer_override(self, value: object) -> Any:
        if isinstance(value, MappingProxyType):
            return MappingProxyType, (dict(value),)
        if isinstance(value, Job):
            fields = dataclasses.fields(value)  # type: ignore[arg-type]
            told = {one.name: getattr(value, one.name) for one in fields if one.init}
            return _made, (type(value), told)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    """Reads what `_Pickler` told."""

    def __init__(self, stream: io.BytesIO, store: Store) -> None:
        super().__init__(stream)
        self._roots = {
            "artefacts": store.folder.absolute() / "artefacts",
            "package": _PACKAGE,
            "disk": Path("/"),
        }

    def persistent_load(self, told: tuple[str, str]) -> Path:
        root, inner = told
        return self._roots[root] / inner


def _made(kind: type[Job], fields: dict[str, Any]) -> Job:
    return kind(**fields)
