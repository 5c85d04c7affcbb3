# SPDX-License-Identifier: Apache-2.0
"""The log of an exploration, in the manner of a search's: `search.log` writes and reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import InputError
from lydite.search.explore.engine import Engine, Result
from lydite.search.explore.space import Knob, Point
from lydite.search.log import Form

# Of the form, and of the rules by which the engine asks: those of another never go on, and what
# they proved is in the store. 2: crosses of neighbours.
VERSION = 2


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What an exploration is of.

    Attributes
    ----------
    first : str
        Key of the estimate of the first point: sources, options and compiler stand in it.
    knobs : tuple of Knob
        In their order.
    sampler : str
        With the version of what draws.
    """

    lydite_exploration: int = VERSION
    top: str
    target: str
    first: str
    knobs: tuple[Knob, ...]
    objectives: tuple[str, ...]
    sampler: str
    seed: int

    @property
    def name(self) -> str:
        """Digest of all but the budget, which may be raised."""
        return digest.of_bytes(msgspec.json.encode(self, order="sorted"))


class Asked(msgspec.Struct, frozen=True, tag="asked", tag_field="event"):
    """A call of `Engine.ask`."""

    room: int
    points: tuple[Point, ...]


class Told(msgspec.Struct, frozen=True, tag="told", tag_field="event"):
    """A call of `Engine.tell`; `at_s` is of a clock that runs while the exploration does."""

    result: Result
    at_s: float


Event = Asked | Told
EXPLORATION: Form[Head, Event] = Form("lydite_exploration", "an exploration", Head, Event, VERSION)


def follow(path: Path, engine: Engine, events: Sequence[Event]) -> float:
    """Take a new engine through the events of its log; give the seconds that they took.

    Raises
    ------
    InputError
        It does not ask what the log has: another Lydite wrote it.
    """
    seconds = 0.0
    for number, event in enumerate(events, 2):
        if isinstance(event, Told):
            if event.result.point not in engine.pending:
                raise InputError(f"{path}:{number}", "tells what was not asked")
            engine.tell(event.result)
            seconds = event.at_s
        elif engine.ask(event.room) != event.points:
            what = "the engine asks other points than the log has"
            raise InputError(f"{path}:{number}", what, "it was written by another version")
    return seconds
