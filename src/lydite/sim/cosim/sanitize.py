# SPDX-License-Identifier: Apache-2.0
"""Finds what C leaves undefined in a program, by running it natively under checks.

Clang puts its checks of UndefinedBehaviorSanitizer into the program; `native/sanitize.c` is what
they call. The program runs twice, its unwritten variables filled with 0xaa and with 0x55: a call of
the top function that is not the same in both depends on a bit of one of them. Both runs together
have a limit of time, beyond which what was found so far stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.base import ToolFailed, proc
from lydite.hls.contract.interface import Interface
from lydite.hls.contract.options import Options
from lydite.sim import build
from lydite.sim.cosim import native

# Not signed overflow: it wraps, in hardware as under -fwrapv.
_CHECKS = "array-bounds,object-size,shift,integer-divide-by-zero,null,unreachable,return,bool"
_FLAGS = (
    f"-fsanitize={_CHECKS}",
    f"-fsanitize-recover={_CHECKS.replace('unreachable,return,', '')}",
)
_FILLS = ("aa", "55")
_FILLED = re.compile(r"\bi(\d+) (-\d+)(?=, (?:ptr|i64) [^\n]*!annotation )")
_LIMIT_S = 20.0
_ADVICE = {
    "bounds": "hardware reads any number, and writes some word of the memory or none",
    "object": "hardware reads any number, and writes some word of the memory or none",
    "null": "hardware reads 0, or some word, and writes nothing of use",
    "shift": "hardware takes the low bits of the amount",
    "divide": "hardware gives all ones for a division by zero",
    "value": "hardware takes the lowest bit",
    "unreachable": "hardware does anything: the program promised that it does not come here",
    "return": "hardware returns some value",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something undefined that the program does.

    Attributes
    ----------
    where : str
        `file:line`; the first source where it is known by its effect only.
    kind : str
        `bounds`, `object`, `shift`, `divide`, `null`, `value`, `unreachable`, `return`, or
        `unwritten`.
    what : str
        With value and type.
    call : int
        In which call of the top function it is done first, from 1; 0 if by the testbench alone.
    """

    where: str
    kind: str
    what: str
    call: int

    @property
    def inside(self) -> bool:
        """Whether it is the top function, or what it calls, that does it; else the testbench."""
        return self.call > 0

    def __str__(self) -> str:
        side = "" if self.inside else " (in the testbench)"
        advice = f"; {_ADVICE[self.kind]}" if self.inside and self.kind in _ADVICE else ""
        return f"{self.where}: undefined C{side}: {self.what}{advice}"


def run(
    options: Options,
    interface: Interface,
    folder: Path,
    *,
    arguments: Sequence[str] = (),
    limit_s: float = _LIMIT_S,
) -> tuple[Finding, ...]:
    """Run the program under checks and give what they found, the top function's first.

    Raises
    ------
    InputError
        As `native.record` has it for programs that cannot be built.
    """
    found: dict[tuple[str, str, bool], Finding] = {}
    calls: list[list[list[str]]] = []
    for fill in _FILLS:
        own = folder / f"sanitize_{fill}"
        program = native.compile_program(
            options,
            interface,
            own,
            recorder=build.NATIVE / "sanitize.c",
            more=(*_FLAGS, "-ftrivial-auto-var-init=pattern"),
            rewrite=_other_fill if fill == "55" else None,
        )
        path = own / "found.txt"
        path.unlink(missing_ok=True)
        ended = True
        try:
            argv = [str(program.path), *arguments]
            proc.run(argv, env={"LYDITE_SANITIZE": str(path)}, timeout_s=limit_s / len(_FILLS))
        except ToolFailed:
            ended = False
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        lines = [line.split("\t") for line in text.split("\n")[:-1]]
        for fields in (f for f in lines if len(f) == 7 and f[0] != "call"):
            item = _finding(fields)
            # An access of which the index is known to be wrong is not said again.
            if item.kind != "object" or (item.where, "bounds", item.inside) not in found:
                found.setdefault((item.where, item.kind, item.inside), item)
        calls.append([fields[1:] for fields in lines if fields[0] == "call"])
        if not ended and not calls[-1]:
            break
    for number, (first, second) in enumerate(zip(*calls, strict=False) if len(calls) > 1 else ()):
        if any(map(_differs, first, second)):
            what = (
                f"what call {number + 1} of {interface.top} gives, or a number that it takes, "
                "depends on what lay in a variable that was never written"
            )
            item = Finding(str(options.sources[0]), "unwritten", what, number + 1)
            found[item.where, item.kind, True] = item
            break
    return tuple(sorted(found.values(), key=lambda item: (not item.inside, _order(item.where))))


def _differs(first: str, second: str) -> bool:
    """Whether sums tell that a value, or an array that was the same before, is not the same.

    An array that is handed over unwritten may stay so in part, which tells nothing.
    """
    before, after = first.split(":")
    if after == "0":
        return first != second
    return second.split(":")[0] == before and first != second


def _other_fill(text: str) -> str:
    """Turn over every bit of what clang fills unwritten variables with."""
    return _FILLED.sub(lambda found: f"i{found[1]} {~int(found[2])}", text)


def _order(where: str) -> tuple[str, int]:
    file, _, line = where.rpartition(":")
    return (file, int(line)) if line.isdecimal() else (where, 0)


def _finding(fields: Sequence[str]) -> Finding:
    """Put a line of the runtime into words."""
    kind, line, call, first, second, name, file = fields
    shown = name.strip("'")
    count = re.search(r"\[(\d+)\]", shown)
    words = {
        "bounds": f"index {first} of {shown}"
        + (f", which has {count[1]} elements" if count else ""),
        "object": f"an access to {shown} outside of its object",
        "null": f"an access to {shown} at null",
        "shift": f"{first} of type {shown} shifted by {second}",
        "divide": f"{first} divided by {second}",
        "value": f"a {shown} that holds {first}",
        "unreachable": "a place is reached that is said to be unreachable",
        "return": "a function that has a result ends without one",
    }
    return Finding(f"{file}:{line}", kind, words[kind], int(call))
