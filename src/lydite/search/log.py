# SPDX-License-Identifier: Apache-2.0
"""The log of a search: what it is of, each point asked, each result told, in their order.

One JSON object a line; the first one tells the version and what was searched. It is written line by
line, so that a search that is killed goes on from its log, with the same decisions. A last line
that was cut short by a kill is left out. An exploration has a log of another form
(`explore.log`), written and read here, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Generic, Self, TypeVar

import msgspec

from lydite.base import digest
from lydite.base.errors import InputError
from lydite.base.files import cannot_write, read_text
from lydite.search import objective, strategies
from lydite.search.objective import FMAX
from lydite.search.strategy import Budget, Parameters, Point, Result, Strategy
from lydite.targets.arms import Arm

VERSION = 1


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What a search is of.

    Attributes
    ----------
    proof : str
        `Subject.identity`: other sources or checks are another search.
    arms : tuple of Arm
        In their order, with their options.
    tools : tuple of str
        Names, versions and origins.
    common : tuple of str
        What all arms have in common, in words.
    objective : str
        By name.
    unit : str
        Of throughputs; empty where they are not known.
    """

    lydite_search: int = VERSION
    design: str
    target: str
    strategy: str
    seed: int
    parameters: Parameters
    proof: str
    arms: tuple[Arm, ...]
    tools: tuple[str, ...]
    common: tuple[str, ...]
    objective: str = FMAX.name
    unit: str = ""

    @property
    def name(self) -> str:
        """Digest of all but the budget, which may be raised."""
        text = msgspec.json.encode(self, order="sorted")
        return digest.of_bytes(text)

    def make(self, budget: Budget) -> Strategy:
        """Give the strategy as it was before its first point."""
        return strategies.make(
            self.strategy,
            self.arms,
            parameters=self.parameters,
            budget=budget,
            seed=self.seed,
            objective=objective.find(self.objective),
        )


class Asked(msgspec.Struct, frozen=True, tag="asked", tag_field="event"):
    """A call of `Strategy.ask`, with the budget that it had."""

    room: int
    points: tuple[Point, ...]
    budget: Budget


class Told(msgspec.Struct, frozen=True, tag="told", tag_field="event"):
    """A call of `Strategy.tell`."""

    result: Result


Event = Asked | Told
H = TypeVar("H", bound=msgspec.Struct)
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Form(Generic[H, E]):
    """What is in a log.

    Attributes
    ----------
    field : str
        Of the head: the version of the form.
    what : str
        What it is the log of, in messages.
    head : type
        What stands first.
    event : object
        The type of all else, as msgspec takes it.
    """

    field: str
    what: str
    head: type[H]
    event: Any
    version: int = VERSION


SEARCH: Form[Head, Event] = Form("lydite_search", "a search", Head, Event)


class Journal(Generic[H, E]):
    """A log of any form that is being written; a context manager.

    Parameters
    ----------
    path : Path
        Appended to where it is there, of the same head.

    Attributes
    ----------
    events : tuple
        What stood in it already.
    """

    def __init__(self, path: Path, head: H, form: Form[H, E]) -> None:
        self.path = path
        self.events: tuple[E, ...] = ()
        whole = b""
        if path.exists():
            found, self.events = read_as(path, form)
            if found != head:
                raise InputError(str(path), f"is the log of another {form.what.split()[-1]}")
            whole = _lines([found, *self.events])
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Without a last line that was cut short.
            aside = path.with_suffix(".new")
            aside.write_bytes(whole or _lines([head]))
            aside.replace(path)
            self._file: IO[bytes] = path.open("ab")
        except OSError as error:
            raise cannot_write(path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, event: E) -> None:
        """Write an event, to the disk."""
        try:
            self._file.write(_lines([event]))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self.path, error) from error


class Log(Journal[Head, Event]):
    """The log of a search that is being written."""

    def __init__(self, path: Path, head: Head) -> None:
        super().__init__(path, head, SEARCH)


def _lines(values: Sequence[Any]) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def read(path: Path) -> tuple[Head, tuple[Event, ...]]:
    """Read the log of a search, as `read_as`."""
    return read_as(path, SEARCH)


def read_as(path: Path, form: Form[H, E]) -> tuple[H, tuple[E, ...]]:
    """Read a log of a form.

    Raises
    ------
    InputError
        It is none, of a newer version, or damaged, with the line.
    """
    first, *rest = read_text(path, f"the log of {form.what}").split("\n")
    try:
        version = msgspec.json.decode(first)[form.field]
    except (msgspec.DecodeError, TypeError, KeyError) as error:
        raise InputError(f"{path}:1", f"not the log of {form.what}") from error
    if version != form.version:
        what = f"a log of version {version}; this Lydite reads version {form.version}"
        raise InputError(f"{path}:1", what, "read it with the Lydite that wrote it")
    # The last line has no end where the writer was killed.
    lines = [first, *rest[:-1]]
    decoded: list[Any] = []
    try:
        for line in lines:
            decoded.append(msgspec.json.decode(line, type=form.event if decoded else form.head))
    except msgspec.DecodeError as error:
        where = f"{path}:{len(decoded) + 1}"
        raise InputError(where, f"a damaged log: {error}") from error
    return decoded[0], tuple(decoded[1:])


def follow(path: Path, strategy: Strategy, events: Sequence[Event]) -> None:
    """Take a new strategy through the events of its log.

    Raises
    ------
    InputError
        It does not ask what the log has: another Lydite wrote it.
    """
    for number, event in enumerate(events, 2):
        if isinstance(event, Told):
            if event.result.point not in strategy.pending:
                raise InputError(f"{path}:{number}", "tells what was not asked")
            strategy.tell(event.result)
        else:
            strategy.budget = event.budget
            if strategy.ask(event.room) != event.points:
                what = f"{strategy.name} asks other points than the log has"
                raise InputError(f"{path}:{number}", what, "it was written by another version")
