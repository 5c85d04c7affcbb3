# SPDX-License-Identifier: Apache-2.0
"""A job: one point to be evaluated. What it is made of decides its key; running it is apart.

Planning makes jobs and costs nothing; `execute` runs those that the store does not have.
"""

from __future__ import annotations

import dataclasses
import functools
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from lydite.base import digest, proc
from lydite.base.proc import Completed
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.tools import compiler
from lydite.tools.tool import Tool

# Raised when the meaning of a result changes, so that old records are not taken for new ones.
_KEY_VERSION = 2


def said(what: Any, *, without: Collection[str]) -> dict[str, Any]:
    """Give all fields of a job or a description but some, for a key: a new one is in it by itself.

    What is left out decides nothing, or stands in the key as what comes of it.
    """
    if isinstance(what, msgspec.Struct):
        names = what.__struct_fields__
    else:
        names = tuple(one.name for one in dataclasses.fields(what))
    assert set(without) <= set(names), f"{type(what).__name__} has not all of {without}"
    left = (name for name in names if name not in without)
    return {name: _exact(msgspec.to_builtins(getattr(what, name))) for name in left}


def _exact(value: Any) -> Any:
    """Give a value with the texts of its numbers that need not be whole: all their digits."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return {name: _exact(item) for name, item in value.items()}
    return [_exact(item) for item in value] if isinstance(value, list | tuple) else value


@dataclass
class Outcome:
    """What a job found, and what its tools took.

    Attributes
    ----------
    result : mapping
        JSON-like; units stand in the names.
    commands : list of tuple of str
        Command lines that were run.
    cpu_s : float
        Processor seconds of the tools.
    peak_kib : int
        Largest resident set of one process, in KiB.
    """

    result: dict[str, Any] = field(default_factory=dict)
    commands: list[tuple[str, ...]] = field(default_factory=list)
    cpu_s: float = 0.0
    peak_kib: int = 0

    def add(self, run: Completed) -> Completed:
        """Count a tool's run in."""
        self.commands.append(compiler.portable(run.argv))
        self.cpu_s += run.cpu_s
        self.peak_kib = max(self.peak_kib, run.peak_kib)
        return run

    def tool(
        self, tool: Tool, argv: Sequence[str], *, cwd: Path, log: str, timeout_s: float
    ) -> Completed:
        """Run a tool in the work folder, with its output in a file there."""
        return self.add(
            proc.run(
                argv, cwd=cwd, env=tool.env, log=cwd / log, timeout_s=timeout_s, name=tool.name
            )
        )


class Job(ABC):
    """One point. Subclasses are frozen dataclasses.

    Attributes
    ----------
    kind : str
        Kind of its record.
    alone : bool
        Whether nothing else may run beside it: times of software. It runs `here`, too.
    here : bool
        Whether it must run in the process that plans, not on a worker of a cluster: times of
        software are of the one machine on which all that they are set beside is measured.
    recorded : bool
        Whether its result is kept; one that only prepares the machine is not.
    planned_from : bool
        Whether more is planned from its artefacts: they are compared whole before it is taken for
        done.
    """

    kind: ClassVar[str]
    alone: ClassVar[bool] = False
    here: ClassVar[bool] = False
    recorded: ClassVar[bool] = True
    planned_from: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls.here = cls.here or cls.alone

    @property
    @abstractmethod
    def label(self) -> str:
        """The point in words, for progress and lists."""

    @property
    def announced(self) -> bool:
        """Whether its start is worth a line of progress."""
        return self.recorded

    @property
    def needs(self) -> tuple[Job, ...]:
        """Jobs whose records must be `ok` before this one runs."""
        return ()

    @property
    def reads(self) -> tuple[Job, ...]:
        """Jobs whose records and artefacts it reads when it runs: they go with it to a worker."""
        return self.needs

    @abstractmethod
    def inputs(self) -> Mapping[str, Any]:
        """Give all that decides the result."""

    @functools.cached_property
    def key(self) -> str:
        """Digest of kind and inputs, as they were when it was first asked for."""
        return self.key_of(self.inputs())

    def key_of(self, inputs: Mapping[str, Any]) -> str:
        """Give the key that the job has with these inputs."""
        return digest.of_value({"version": _KEY_VERSION, "kind": self.kind, "inputs": inputs})

    def holds(self, record: Record) -> bool:
        """Whether what a stored record depends on, and cannot be known before a run, still is."""
        return True

    def progress(self, work: Path) -> str:
        """Say how far the run in this folder has come; nothing where that is not known."""
        return ""

    @abstractmethod
    def run(self, work: Path, store: Store) -> Outcome:
        """Do it, in an empty folder whose files then become its artefacts.

        Raises
        ------
        LyditeError
            It failed; the record says why.
        """
