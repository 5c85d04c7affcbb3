# SPDX-License-Identifier: Apache-2.0
"""The specification of an operation in Python: its answers, and what decides them.

It runs in a process of its own (`spec_process`), which tells what it reads: the file itself, the
modules that it imports, tables that it opens. So what stands in a key is what was read, and a file
that was read later than that is found out.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lydite.base import digest
from lydite.base.errors import InputError, ToolFailed
from lydite.base.proc import Dialogue
from lydite.cores import Primitive
from lydite.cores.operation import Operation
from lydite.sim import spec_process

# Names and digests of files.
Read = tuple[tuple[str, str], ...]
Outputs = tuple[bytes, ...]
# What dicts and sets do must not differ from run to run.
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}

# Question to what stands in a key, with the files that must still be the same.
_known: dict[tuple[object, ...], tuple[Mapping[Path, str], Mapping[str, Any]]] = {}


class Specification:
    """The specification of an operation, running: inputs to outputs; a context manager.

    Parameters
    ----------
    reference : str
        `FILE.py:FUNCTION`, below the primitive's folder. The function takes the inputs in their
        order, and then the length of the output that each call chooses, if there is one; it gives
        bytes, a tuple of them for several outputs, or None where it rejects.

    Raises
    ------
    InputError
        When called: the file cannot be run or has no such function, or the function raises.
    """

    def __init__(self, primitive: Primitive, operation: Operation, reference: str) -> None:
        file, _, self._function = reference.partition(":")
        self._folder = primitive.folder
        self._path = primitive.folder / file
        self.operation = operation
        #: Seconds of processor time that it has taken.
        self.cpu_s = 0.0
        argv = (sys.executable, "-P", "-m", spec_process.__name__)
        self._process = Dialogue(
            (*argv, str(self._path), self._function), env=_ENVIRONMENT, name=file
        )

    def __enter__(self) -> Specification:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.close()

    def many(self, calls: Sequence[tuple[Sequence[bytes], int | None]]) -> list[Outputs | None]:
        """Give the outputs of calls: in one question, quicker than one by one.

        Parameters
        ----------
        calls : sequence
            Inputs, and the length of the output that each call chooses, if there is one.
        """
        takes = self.operation.free is not None
        asked = [([v.hex() for v in values], n if takes else None) for values, n in calls]
        answer = self._ask(calls=asked)
        outputs = [
            None if found is None else tuple(map(bytes.fromhex, found))
            for found in answer.get("outputs", ())
        ]
        if "error" in answer:
            what = str(answer["error"])
            if not what.startswith("cannot use "):
                sizes = " and ".join(str(len(value)) for value in calls[len(outputs)][0])
                what = f"{self._function} of {sizes} bytes raises {what}"
            raise InputError(str(self._path), what)
        self.cpu_s = float(answer["cpu_s"])
        self._check(calls, outputs)
        return outputs

    def _check(
        self,
        calls: Sequence[tuple[Sequence[bytes], int | None]],
        outputs: Sequence[Outputs | None],
    ) -> None:
        """Refuse outputs that are none of the operation."""
        # Of thousands of calls few differ in their lengths.
        lengths_of = functools.cache(self.operation.output_lengths)
        for (values, chosen), found in zip(calls, outputs, strict=True):
            if found is None and not self.operation.rejects:
                what = f"{self._function} gives None: {self.operation.name} does not reject"
                raise InputError(str(self._path), what, "say rejects = true, or give outputs")
            if found is None:
                continue
            lengths = lengths_of(tuple(map(len, values)), chosen)
            if tuple(map(len, found)) == lengths:
                continue
            got, wanted = (" and ".join(map(str, n)) for n in (map(len, found), lengths))
            sizes = " and ".join(str(len(value)) for value in values)
            what = f"{self._function} of {sizes} bytes gives {got} bytes, not {wanted}"
            raise InputError(str(self._path), what, "as the outputs in core.toml say")

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


def inputs(primitive: Primitive, operation: Operation, reference: str) -> Mapping[str, Any]:
    """Give what decides the answers of a specification, `FILE.py:FUNCTION`: all that it reads when
    it is loaded and called, and a few answers. Nothing for an empty reference.

    The Python that runs it is not among it: one with which it answers otherwise is told by these.
    One that cannot be used is here by its file alone; what is wrong is told when it runs.
    """
    if not reference:
        return {}
    question = (primitive.folder, reference, operation)
    known = _known.get(question)
    # Asked once a process, as long as the files are the same: to start a Python takes time.
    if known is None or any(_digest(path) != value for path, value in known[0].items()):
        known = _known[question] = _ask(primitive, operation, reference)
    return known[1]


def _ask(
    primitive: Primitive, operation: Operation, reference: str
) -> tuple[Mapping[Path, str], Mapping[str, Any]]:
    file, _, function = reference.partition(":")
    path = primitive.folder / file
    answers: list[str] = []
    try:
        with Specification(primitive, operation, reference) as spec:
            multiple = max([1, *(f.multiple for f in operation.inputs)])
            sizes = {0, multiple, operation.block_bytes}
            measured = operation.free.measured if operation.free else None
            calls = [(list(map(bytes, operation.lengths(n))), measured) for n in sorted(sizes)]
            outputs = spec.many(calls)
            answers = ["" if o is None else b"".join(o).hex() for o in outputs]
            files, read = spec.files(), spec.read()
    except InputError:
        files, read = (path,), ((file, _digest(path)),)
    found = {"function": function, "read": [list(pair) for pair in read], "answers": answers}
    return {path: _digest(path) for path in files}, found


def _digest(path: Path) -> str:
    """Digest of a file, or nothing where there is none."""
    return digest.of_file(path) if path.is_file() else ""
