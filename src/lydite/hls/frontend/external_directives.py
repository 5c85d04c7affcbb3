# SPDX-License-Identifier: Apache-2.0
"""Directives given from outside of the source, matched with the places that the program has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.directives import Directive

_SHOWN = 30
# Of an entry: all functions, all loops.
EVERY = "*"


@dataclass(slots=True)
class Outside:
    """Entries by their numbers, and what of the program has been seen.

    Attributes
    ----------
    top : str
        The function that entries without one mean.
    entries : sequence of (int, Placed)
        With the numbers of their directives.
    """

    top: str
    entries: Sequence[tuple[int, Placed]] = ()
    functions: dict[str, None] = field(default_factory=dict)
    loops: dict[str, list[str]] = field(default_factory=dict)
    variables: dict[str, list[str]] = field(default_factory=dict)
    matched: set[int] = field(default_factory=set)

    def of(self, names: Iterable[str], *, written: bool) -> list[tuple[int, Placed]]:
        """Give the entries for a function of these names, what is meant for all first.

        That is for those that are `written` in the program, not for what the compiler adds.
        """
        known = {*names, EVERY} if written else {*names}
        found = [item for item in self.entries if (item[1].function or self.top) in known]
        return sorted(found, key=lambda item: (item[1].function != EVERY, item[1].loop != EVERY))

    def check(self, directives: Sequence[Directive]) -> None:
        """Refuse the entries that matched nothing.

        Raises
        ------
        InputError
            Names the known places.
        """
        for number, entry in self.entries:
            if number in self.matched:
                continue
            function = entry.function or self.top
            variable = entry.variable or getattr(directives[number], "variable", "")
            if function == EVERY or (entry.loop == EVERY and function in self.functions):
                what = f"place for {directives[number].kind}"
                raise _unknown(entry, what, self.functions)
            if function not in self.functions:
                raise _unknown(entry, f"function {function}", self.functions)
            if entry.loop:
                what = f"loop {entry.loop} in {function}"
                raise _unknown(entry, what, self.loops.get(function, ()))
            what = f"variable {variable} in {function}"
            raise _unknown(entry, what, self.variables.get(function, ()))


def _unknown(entry: Placed, what: str, known: Iterable[str]) -> InputError:
    names = list(dict.fromkeys(known))
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return InputError(entry.where, f"there is no {what}", f"known: {shown or 'none'}")


def joined(numbers: Iterable[int], directives: Sequence[Directive]) -> list[int]:
    """Give the directives of one place without those that one from outside replaces.

    Of several from outside the last holds.
    """
    listed = list(dict.fromkeys(numbers))
    last = {directives[n].slot(): n for n in listed if directives[n].outside}
    return [n for n in listed if last.get(directives[n].slot(), n) == n]
