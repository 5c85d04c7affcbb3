# SPDX-License-Identifier: Apache-2.0
"""Directives as text: the line behind `#pragma HLS`, and the file of those given from outside."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import BY_KIND, Directive
from lydite.hls.contract.effort import EFFORTS, Effort
from lydite.hls.contract.names import words

_OPTION = re.compile(r"([A-Za-z_]\w*)\s*=\s*(\([^)]*\)|[^\s,]+)|([^\s,]+)")
_TRUE, _FALSE = words("true 1 on yes"), words("false 0 no")
# What must be said for a directive to mean anything.
_NEEDED = ("variable", "instances", "port", "limit")


def parse(
    line: str, where: str, *, outside: bool = False
) -> tuple[Directive | None, tuple[Diagnostic, ...]]:
    """Read what stands after `#pragma HLS`.

    Returns
    -------
    Directive or None
        None if it is unknown, or says something that has no meaning.
    tuple of Diagnostic
        Why it is None, and the options that are ignored.
    """
    pairs = _OPTION.findall(line)
    kind = next((word.lower() for key, _, word in pairs if word), "")
    if kind not in BY_KIND:
        return None, (Diagnostic(where, f"unknown pragma HLS {kind}: ignored"),)
    pairs.remove(("", "", next(word for key, _, word in pairs if word)))
    reader = _Reader(BY_KIND[kind], where)
    for key, value, word in pairs:
        if key:
            reader.option(key, value)
        else:
            reader.bare(word)
    reader.needed()
    if reader.wrong:
        return None, tuple(reader.warnings)
    made = BY_KIND[kind](where=where, outside=outside, **reader.values)
    return made, tuple(reader.warnings)


class _Reader:
    """Takes the words of one directive."""

    def __init__(self, kind: type[Directive], where: str) -> None:
        self.kind = kind.kind
        self.where = where
        self.fields = {
            option_name(f): f for f in dataclasses.fields(kind) if "place" not in f.metadata
        }
        self.values: dict[str, Any] = {}
        self.warnings: list[Diagnostic] = []
        self.wrong = False

    def option(self, key: str, value: str) -> None:
        found = self.fields.get(key.lower())
        if found is None:
            self.unknown(key)
        elif found.metadata.get("number"):
            self.number(found, value)
        elif found.default is False:
            if value.lower() not in _TRUE | _FALSE:
                self.refuse(f"{option_name(found)}={value} is neither true nor false")
            self.values[found.name] = value.lower() in _TRUE
        else:
            legal = found.metadata["words"]
            if legal and value.lower() not in legal:
                self.refuse(f"{option_name(found)}={value} is none of {', '.join(legal)}")
            self.values[found.name] = value.lower() if legal else value

    def bare(self, word: str) -> None:
        low = word.lower()
        found = self.fields.get(low)
        if found is not None and found.default is False:
            self.values[found.name] = True
            return
        for item in self.fields.values():
            if low in item.metadata.get("words", ()) or (
                item.metadata.get("bare") and re.fullmatch(r"\d+", word)
            ):
                self.option(option_name(item), word)
                return
        self.unknown(word)

    def number(self, found: dataclasses.Field[Any], value: str) -> None:
        least = found.metadata["least"]
        try:
            self.values[found.name] = number = int(value.strip("()"), 0)
        except ValueError:
            self.refuse(f"{option_name(found)}={value} is not a number")
            return
        most = found.metadata["most"]
        if number < least:
            self.refuse(f"{option_name(found)}={value} is below {least}")
        elif most and number > most:
            self.refuse(f"{option_name(found)}={value} is above {most}")

    def needed(self) -> None:
        optional = self.kind == "dependence"
        for name in _NEEDED:
            if name in self.fields and name not in self.values and not optional:
                self.refuse(f"{name}= is missing")

    def unknown(self, word: str) -> None:
        known = ", ".join(self.fields) or "no options"
        what = f"pragma HLS {self.kind}: unknown option {word}: ignored; it knows {known}"
        self.warnings.append(Diagnostic(self.where, what))

    def refuse(self, what: str) -> None:
        self.wrong = True
        self.warnings.append(Diagnostic(self.where, f"pragma HLS {self.kind}: {what}: ignored"))


def option_name(item: dataclasses.Field[Any]) -> str:
    """Give the name of an option as it is written."""
    return item.metadata.get("name") or item.name


def text(directive: Directive) -> str:
    """Give a directive in one canonical line: `unroll factor=4`."""
    parts: list[str] = [directive.kind]
    for item in dataclasses.fields(directive):
        value = getattr(directive, item.name)
        if "place" in item.metadata or value == item.default:
            continue
        parts.append(option_name(item) if value is True else f"{option_name(item)}={value}")
    return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Placed:
    """A directive given outside of the source.

    Attributes
    ----------
    directive : str
        As it stands behind `#pragma HLS`: `unroll factor=2`. `variable=` may be left to `variable`.
    function : str
        C name of the function where it would stand; empty for the top function, `*` for all.
    loop : str
        Label of the loop, `loop_<line>`, its number among those of the function, from 1 in the
        order of the source, or `*` for all; empty for none.
    variable : str
        Name of the variable, in that function or global; empty for none.
    where : str
        What a message calls it: file and entry.
    """

    directive: str
    function: str = ""
    loop: str = ""
    variable: str = ""
    where: str = "Options.directives"

    def parsed(self) -> Directive:
        """Give the directive.

        Raises
        ------
        InputError
            It is unknown, malformed, or cannot stand at such a place.
        """
        line = self.directive
        if self.variable and not re.search(r"\bvariable\s*=", line, re.IGNORECASE):
            line += f" variable={self.variable}"
        made, warnings = parse(line, self.where, outside=True)
        if warnings or made is None:
            raise InputError(self.where, warnings[0].what.removesuffix(": ignored"))
        place = "loop" if self.loop else "function"
        if self.loop and place not in made.places:
            places = " or ".join(sorted(made.places))
            raise InputError(self.where, f"{made.kind} concerns a {places}, not a loop")
        if not self.loop and made.places == {"loop"}:
            raise InputError(self.where, f"{made.kind} concerns a loop", 'add loop = "label"')
        return made


_KEYS = ("directive", "function", "loop", "variable")


def effort_of(paths: Iterable[Path]) -> Effort | None:
    """Give what files of directives say of `effort`; None if none does.

    Raises
    ------
    InputError
        A file cannot be read, it says what no effort is, or two say different things.
    """
    found: dict[Effort, Path] = {}
    for path in paths:
        said = _read(path).get("effort")
        if said is None:
            continue
        effort = next((each for each in EFFORTS if each == said), None)
        if effort is None:
            raise InputError(
                str(path), f"effort = {said!r} is none", f"known: {', '.join(EFFORTS)}"
            )
        found.setdefault(effort, path)
    if len(found) > 1:
        (one, first), (two, second), *_ = found.items()
        what = f"effort is {two} here, and {one} in {first}"
        raise InputError(str(second), what, "say it in one file")
    return next(iter(found), None)


def load(path: Path) -> tuple[Placed, ...]:
    """Read a TOML file whose `directives` is a list of tables with the fields of `Placed`.

    It may say `effort`, too: see `effort_of`.

    Raises
    ------
    InputError
        It cannot be read, or an entry has an unknown key.
    """
    data = _read(path)
    entries = data.get("directives", [] if "effort" in data else None)
    if set(data) - {"directives", "effort"} or not isinstance(entries, list):
        raise InputError(
            str(path),
            "a file of directives is one list",
            'write [[directives]], then function = "f" and directive = "unroll factor=2"',
        )
    result: list[Placed] = []
    for number, entry in enumerate(entries, 1):
        where = f"{path}: entry {number}"
        if not isinstance(entry, dict) or any(not isinstance(v, str) for v in entry.values()):
            raise InputError(where, "an entry is a table of texts")
        unknown = sorted(set(entry) - set(_KEYS))
        if unknown or "directive" not in entry:
            what = f"unknown key {unknown[0]}" if unknown else "there is no directive"
            raise InputError(where, what, f"known: {', '.join(_KEYS)}")
        result.append(Placed(**entry, where=where))
    return tuple(result)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(str(path), f"no TOML: {error}") from error
