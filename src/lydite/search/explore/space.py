# SPDX-License-Identifier: Apache-2.0
"""What an exploration may choose: knobs, made of the loops, arrays and functions of a program.

A knob is a place and its choices, the first of which changes nothing: what the source says, and
what the compiler does by itself. A point is a choice for each knob. Choices that mean nothing
beside the others (loops inside of a pipelined one are unrolled whatever they are told) are taken
back to the first one, so that what is the same is one point.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from lydite.base.errors import InputError
from lydite.hls.contract.directive_text import Placed
from lydite.hls.places import Array, Loop, Places

KINDS = ("clock", "pipeline", "unroll", "partition", "inline", "allocation")
# A choice for each knob, in their order.
Point = tuple[str, ...]
AS_WRITTEN = ""
# Instructions as written that one loop's body may become, beyond which it is no hardware.
_LARGEST = 20_000
_INTERVALS = ("pipeline", "pipeline II=2", "pipeline II=4")
_FACTORS = (2, 4, 8)
_BANKS = (2, 4, 8)
# An array of more elements is not taken apart into registers, a table of more not into logic.
_MOST_REGISTERS = 64
_MOST_ENTRIES = 256
_LIMITS = (1, 2, 4)
# Operations of a kind in a function from which sharing them is worth a try.
_MANY = 4


class Knob(msgspec.Struct, frozen=True, kw_only=True):
    """A place, and what it may be told.

    Attributes
    ----------
    kind : str
        One of KINDS.
    function, loop, variable : str
        The place, as a file of directives has it; all empty for the clock.
    choices : tuple of str
        Directives; several of one choice have a semicolon between them. Of the clock, periods in
        nanoseconds.
    """

    kind: str
    function: str = ""
    loop: str = ""
    variable: str = ""
    choices: tuple[str, ...]

    @property
    def place(self) -> str:
        """The place in words."""
        return "/".join(filter(None, (self.function, self.loop, self.variable))) or "clock"


@dataclass(frozen=True)
class Space:
    """The knobs of a program.

    Attributes
    ----------
    places : Places
        What they were made of.
    base : tuple of Placed
        Directives that all points have, unless a knob says something else in their place.
    """

    places: Places
    knobs: tuple[Knob, ...]
    base: tuple[Placed, ...] = ()

    @property
    def first(self) -> Point:
        """The point that changes nothing."""
        return tuple(knob.choices[0] for knob in self.knobs)

    @property
    def size(self) -> int:
        """How many points there are, those that mean the same counted each."""
        return math.prod(len(knob.choices) for knob in self.knobs)

    def clock_ns(self, point: Point) -> float:
        """Give the clock period that a point is scheduled for."""
        return float(next(c for k, c in zip(self.knobs, point, strict=True) if k.kind == "clock"))

    def directives(self, point: Point) -> tuple[Placed, ...]:
        """Give all directives of a point, those of the base first."""
        chosen = self.chosen(point)
        taken = {_slot(one) for one in chosen}
        return (*(one for one in self.base if _slot(one) not in taken), *chosen)

    def chosen(self, point: Point) -> tuple[Placed, ...]:
        """Give the directives that a point adds."""
        return tuple(
            Placed(text, knob.function, knob.loop, knob.variable, where="explored")
            for knob, choice in zip(self.knobs, point, strict=True)
            if knob.kind != "clock" and choice
            for text in choice.split("; ")
        )

    def normal(self, point: Point) -> Point:
        """Give the point without the choices that mean nothing beside the others."""
        told = {
            (knob.kind, knob.function, knob.loop): choice
            for knob, choice in zip(self.knobs, point, strict=True)
            if knob.kind in ("pipeline", "unroll", "inline")
        }
        void = self._void(told)
        return tuple(
            knob.choices[0] if (knob.kind, knob.function, knob.loop) in void else choice
            for knob, choice in zip(self.knobs, point, strict=True)
        )

    def _void(self, told: Mapping[tuple[str, str, str], str]) -> set[tuple[str, str, str]]:
        """Give the places that are told something for nothing."""
        void: set[tuple[str, str, str]] = set()
        absorbed: list[str] = []
        for loop in self.places.loops:
            place = (loop.function, loop.name)
            if told.get(("unroll", *place)) == "unroll":
                void.add(("pipeline", *place))
            elif _begins(told.get(("pipeline", *place), "")):
                inner = self._within(loop)
                void |= {(kind, one.function, one.name) for one in inner for kind in KINDS}
                absorbed += (name for one in (loop, *inner) for name in one.calls)
        for routine in self.places.routines:
            if _begins(told.get(("inline", routine.name, ""), "")):
                void |= {
                    (kind, loop.function, loop.name)
                    for loop in self.places.loops
                    if loop.function == routine.name
                    for kind in KINDS
                }
                absorbed += routine.calls
        seen: set[str] = set()
        while absorbed:
            name = absorbed.pop()
            # One that stays a module of its own is told for itself.
            if name in seen or told.get(("inline", name, ""), "").startswith("inline off"):
                continue
            seen.add(name)
            inside = [loop for loop in self.places.loops if loop.function == name]
            void |= {(kind, name, loop.name) for loop in inside for kind in KINDS}
            absorbed += self.places.routine(name).calls
        return void

    def _within(self, loop: Loop) -> list[Loop]:
        found: list[Loop] = []
        for one in self.places.inner(loop):
            found += (one, *self._within(one))
        return found

    def words(self, point: Point) -> str:
        """Say what a point is told beyond the first one, the clock apart."""
        said: dict[str, list[str]] = {}
        for knob, choice in zip(self.knobs, point, strict=True):
            if choice != knob.choices[0] and knob.kind != "clock":
                place = knob.place.removeprefix(f"{self.places.top}/")
                said.setdefault(place, []).append(choice)
        return "; ".join(f"{place}: {', '.join(told)}" for place, told in said.items())


def _begins(choice: str) -> bool:
    """Whether a choice pipelines what it is told to."""
    return any(
        text.startswith("pipeline") and text != "pipeline off" for text in choice.split("; ")
    )


def _slot(one: Placed) -> tuple[str, str, str, str]:
    """Give what only one directive can say in one place, as far as knobs go."""
    words = one.directive.split()
    shared = next((word for word in words if word.startswith("instances=")), "")
    return (one.function, one.loop, one.variable, f"{words[0].lower()} {shared}".strip())


def make(
    places: Places,
    clocks_ns: Sequence[float],
    *,
    kinds: Collection[str] = KINDS,
    ports: bool = False,
    base: Iterable[Placed] = (),
) -> Space:
    """Give the space of a program.

    Parameters
    ----------
    clocks_ns : sequence of float
        Periods to choose among, the first of which is that of the first point.
    kinds : collection of str
        Knobs to have; without `clock`, only the first period counts.
    ports : bool
        Whether arguments of the top function may be cut, which changes its ports.
    base : iterable of Placed
        Directives of all points.

    Raises
    ------
    InputError
        There is nothing to choose.
    """
    periods = tuple(f"{value:g}" for value in dict.fromkeys(clocks_ns))
    knobs = [Knob(kind="clock", choices=periods if "clock" in kinds else periods[:1])]
    made = _Maker(places, ports=ports)
    for kind, given in (
        ("inline", made.routines),
        ("pipeline", made.pipelines),
        ("unroll", made.unrolls),
        ("partition", made.arrays),
        ("allocation", made.limits),
    ):
        knobs += (knob for knob in given() if kind in kinds)
    if all(len(knob.choices) < 2 for knob in knobs):
        told = ", ".join(kinds)
        what = f"there is nothing to explore in {places.top}: no choice of {told}"
        hint = "--ports cuts its array arguments, too" if not ports else ""
        raise InputError("--knobs", what, hint or "give several clocks: --clock-ns 7,10")
    # Directives of the top function may be given without its name: here all have it.
    named = tuple(
        Placed(one.directive, one.function or places.top, one.loop, one.variable, one.where)
        for one in base
    )
    return Space(places, tuple(knobs), named)


class _Maker:
    """Makes knobs of places."""

    def __init__(self, places: Places, *, ports: bool) -> None:
        self.places = places
        self.ports = ports

    @functools.cache  # noqa: B019 - as short-lived as what it belongs to
    def _flat(self, function: str) -> int | None:
        """Give the instructions of a function with all loops unrolled; None without bounds."""
        routine = self.places.routine(function)
        own = [
            self._flat_loop(loop, once=False)
            for loop in self.places.loops
            if loop.function == function and not loop.outer
        ]
        inside = {name for loop in self.places.loops if loop.function == function
                  for name in loop.calls}  # fmt: skip
        called = [self._flat(name) for name in routine.calls if name not in inside]
        parts = [routine.size, *own, *called]
        return None if None in parts else sum(part or 0 for part in parts)

    def _flat_loop(self, loop: Loop, *, once: bool) -> int | None:
        """Give the instructions of a loop, or of one round, with all inside of it unrolled."""
        parts: list[int | None] = [loop.size]
        parts += (self._flat_loop(one, once=False) for one in self.places.inner(loop))
        parts += (self._flat(name) for name in loop.calls)
        if None in parts or (loop.trips is None and not once):
            return None
        return sum(part or 0 for part in parts) * (1 if once else loop.trips or 1)

    def routines(self) -> Iterator[Knob]:
        """Functions that are called: inlined, kept apart, pipelined as a whole."""
        for routine in self.places.routines:
            if routine.name == self.places.top:
                continue
            choices = [AS_WRITTEN, "inline", "inline off"]
            whole = self._flat(routine.name)
            if whole is not None and whole <= _LARGEST:
                choices.append("inline off; pipeline")
            yield Knob(kind="inline", function=routine.name, choices=tuple(choices))

    def pipelines(self) -> Iterator[Knob]:
        """Loops as pipelines, where all inside can be unrolled."""
        for loop in self.places.loops:
            body = self._flat_loop(loop, once=True)
            if body is not None and body <= _LARGEST:
                choices = (AS_WRITTEN, *_INTERVALS, "pipeline off")
                yield Knob(kind="pipeline", function=loop.function, loop=loop.name, choices=choices)

    def unrolls(self) -> Iterator[Knob]:
        """Copies of the bodies of loops."""
        for loop in self.places.loops:
            body, trips = self._flat_loop(loop, once=True), loop.trips
            # Loops inside without a bound stay loops, in each copy.
            size = loop.size if body is None else body
            factors = [n for n in _FACTORS if trips is None or n < trips]
            choices = [AS_WRITTEN, "unroll off"]
            choices += (f"unroll factor={n}" for n in factors if n * size <= _LARGEST)
            if trips is not None and body is not None and trips * body <= _LARGEST:
                choices.append("unroll")
            yield Knob(
                kind="unroll", function=loop.function, loop=loop.name, choices=tuple(choices)
            )

    def arrays(self) -> Iterator[Knob]:
        """Arrays cut into banks, or into registers, and wider words."""
        seen: set[tuple[str, str]] = set()
        for array in self.places.arrays:
            place = (array.function, array.name)
            if (array.is_argument and not self.ports) or place in seen:
                continue
            seen.add(place)
            choices = (AS_WRITTEN, *_cuts(array))
            if len(choices) > 1:
                yield Knob(
                    kind="partition",
                    function=array.function,
                    variable=array.name,
                    choices=choices,
                )

    def limits(self) -> Iterator[Knob]:
        """Operations that share units."""
        for routine in self.places.routines:
            for kind, count in routine.operations:
                least = 2 if kind == "mul" else _MANY
                limits = [n for n in _LIMITS if n < count]
                if count >= least and limits:
                    text = f"allocation operation instances={kind} limit="
                    choices = (AS_WRITTEN, *(f"{text}{n}" for n in limits))
                    yield Knob(kind="allocation", function=routine.name, choices=choices)


def _cuts(array: Array) -> Iterator[str]:
    """Give the ways to cut an array: by each dimension, and all of a small one."""
    for at, count in enumerate(array.dims, 1):
        dim = f" dim={at}" if len(array.dims) > 1 else ""
        for banks in _BANKS:
            if banks < count:
                yield f"array_partition cyclic factor={banks}{dim}"
        if count > 2:
            yield f"array_reshape cyclic factor=2{dim}"
        if len(array.dims) > 1 and count <= _MOST_REGISTERS:
            yield f"array_partition complete{dim}"
    if array.words <= (_MOST_ENTRIES if array.is_constant else _MOST_REGISTERS):
        yield f"array_partition complete{' dim=0' if len(array.dims) > 1 else ''}"
