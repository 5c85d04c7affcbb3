# SPDX-License-Identifier: Apache-2.0
"""The specification of a primitive in Python: its answers, and what decides them.

It runs in a process of its own (`spec_process`), which tells what it reads: the file itself, the
modules that it imports, tables that it opens. So what stands in a key is what was read, and a file
that was read later than that is found out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lydite.base import digest
from lydite.base.errors import InputError, ToolFailed
from lydite.base.proc import Dialogue
from lydite.cores import Primitive
from lydite.sim import spec_process

# Names and digests of files.
Read = tuple[tuple[str, str], ...]
# What dicts and sets do must not differ from run to run.
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}

# Question to what stands in a key, with the files that must still be the same.
_known: dict[tuple[object, ...], tuple[Mapping[Path, str], Mapping[str, Any]]] = {}


class Specification:
    """A specification that runs: (message, output bytes) to output; a context manager.

    Parameters
    ----------
    reference : str
        `FILE.py:FUNCTION`, below the primitive's folder.

    Raises
    ------
    InputError
        When called: the file cannot be run or has no such function, or the function raises.
    """

    def __init__(self, primitive: Primitive, reference: str) -> None:
        file, _, self._function = reference.partition(":")
        self._folder = primitive.folder
        self._path = primitive.folder / file
        self._takes_length = primitive.kind == "xof"
        argv = (sys.executable, "-P", "-m", spec_process.__name__)
        self._process = Dialogue(
            (*argv, str(self._path), self._function), env=_ENVIRONMENT, name=file
        )

    def __enter__(self) -> Specification:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.close()

    def __call__(self, message: bytes, length: int) -> bytes:
        """Give the output for a message; the length is that of the output."""
        return self.many([(message, length)])[0]

    def many(self, messages: Sequence[tuple[bytes, int]]) -> list[bytes]:
        """Give the outputs for messages and lengths: in one question, quicker than one by one."""
        calls = [(data.hex(), length if self._takes_length else None) for data, length in messages]
        answer = self._ask(calls=calls)
        outputs = [bytes.fromhex(text) for text in answer.get("outputs", ())]
        if "error" not in answer:
            return outputs
        what = str(answer["error"])
        if not what.startswith("cannot use "):
            length = len(messages[len(outputs)][0])
            what = f"{self._function} of {length} bytes raises {what}"
        raise InputError(str(self._path), what)

    def read(self) -> Read:
        """Give what it has read so far, by name, with digests.

        A file below the core's folder is called as it lies there, one of a Python package as in
        that; so names are the same on every machine.
        """
        named = ((_portable_name(path, self._folder), path) for path in self.files())
        return tuple(sorted((name, digest.of_file(path)) for name, path in named))

    def files(self) -> tuple[Path, ...]:
        """Give the files that it has read so far."""
        return tuple(map(Path, self._ask(read=0).get("read", ())))

    def _ask(self, **request: object) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = json.loads(self._process.ask(json.dumps(request)))
        except ToolFailed as error:
            what = f"{self._function} ends the Python that runs it"
            raise InputError(str(self._path), what, "a specification returns bytes") from error
        return answer


def _portable_name(path: Path, folder: Path) -> str:
    if path.is_relative_to(folder.resolve()):
        return path.relative_to(folder.resolve()).as_posix()
    for entry in sorted(map(Path, sys.path), key=lambda entry: -len(entry.parts)):
        if entry.is_absolute() and entry.parts[1:] and path.is_relative_to(entry.resolve()):
            return path.relative_to(entry.resolve()).as_posix()
    return path.name


def specification(primitive: Primitive) -> Specification | None:
    """Give the specification of a primitive; None without one."""
    return Specification(primitive, primitive.spec) if primitive.spec else None


def inputs(primitive: Primitive, reference: str) -> Mapping[str, Any]:
    """Give what decides the answers of a specification, `FILE.py:FUNCTION`: all that it reads when
    it is loaded and called, and a few answers. Nothing for an empty reference.

    The Python that runs it is not among it: one with which it answers otherwise is told by these.
    One that cannot be used is here by its file alone; what is wrong is told when it runs.
    """
    if not reference:
        return {}
    question = (primitive.folder, reference, primitive.kind, primitive.block_bytes)
    known = _known.get(question)
    # Asked once a process, as long as the files are the same: to start a Python takes time.
    if known is None or any(_digest(path) != value for path, value in known[0].items()):
        known = _known[question] = _ask(primitive, reference)
    return known[1]


def _ask(primitive: Primitive, reference: str) -> tuple[Mapping[Path, str], Mapping[str, Any]]:
    file, _, function = reference.partition(":")
    path = primitive.folder / file
    answers: list[str] = []
    try:
        with Specification(primitive, reference) as spec:
            lengths = (0, 1, primitive.block_bytes)
            outputs = spec.many([(bytes(n), primitive.output_bytes) for n in lengths])
            answers = [output.hex() for output in outputs]
            files, read = spec.files(), spec.read()
    except InputError:
        files, read = (path,), ((file, _digest(path)),)
    found = {"function": function, "read": [list(pair) for pair in read], "answers": answers}
    return {path: _digest(path) for path in files}, found


def _digest(path: Path) -> str:
    """Digest of a file, or nothing where there is none."""
    return digest.of_file(path) if path.is_file() else ""
