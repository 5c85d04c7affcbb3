# SPDX-License-Identifier: Apache-2.0
"""Keeps LLVM from drawing conclusions from what C leaves undefined.

LLVM reasons that a program never does what C does not define: a loop that reads `A[8]` of eight
words must have ended before, so its test is dropped; a branch on a value that nobody wrote is never
reached. In hardware a read gives something and the program goes on, so these conclusions are taken
from it, on unoptimised IR: address arithmetic promises nothing of its object, arguments and results
may be unwritten, amounts of shifts are cut to the width, constants that clang could not compute
are 0, and what decides something (a branch, an index, a divisor, a length) is frozen where it may
depend on a value that was never written or lies outside of its array (`llvm_doubts`). Frozen means
that it is some number, the same for all who look.

What is known to be defined stays as LLVM likes it best, so that the hardware of correct programs is
as good as before.
"""

from __future__ import annotations

import re

from lydite.hls.frontend.llvm_doubts import Doubts, split_functions

_GEP = re.compile(r"= getelementptr (?:(?:inbounds|nusw|nuw) )+(?=[^\n]*, i\d+ %)")
_PROMISES = re.compile(r"\b(?:noundef|nonnull|dereferenceable(?:_or_null)?\(\d+\)) ")
_LOAD_PROMISES = re.compile(r", !(?:range|noundef|nonnull|dereferenceable|align) !\d+")
_SHIFT = re.compile(r"^(  \S+ = (shl|lshr|ashr)) i(\d+) (\S+), ([^,\s]+)(.*)$")
_BRANCH = re.compile(r"^(  (?:br|switch) )(i\d+) (%[^,\s]+)(,.*)$")
_DIVIDE = re.compile(r"^(  \S+ = [us](?:div|rem)(?: exact)? )(i\d+) (\S+), (%[^,\s]+)(.*)$")
_INDEX = re.compile(r", (i\d+) (%[^,\s)]+)")
_POISON = re.compile(r"\b(i\d+) poison\b")
_SECOND = re.compile(r"(?<=, )poison(?=,|$)")
_LENGTH = re.compile(r"^(  (?:tail )?call void @llvm\.mem.*, )(i64) (%[^,\s]+)(, i1 .*)$")


def without_promises(text: str, symbol: str) -> str:
    """Give a linked, unoptimised module that promises nothing which the program may break.

    Parameters
    ----------
    symbol : str
        The top function: its arguments are inputs of hardware, which have values.
    """
    doubts = Doubts(text, symbol, arrays=True)
    outside = Doubts(text, symbol, arrays=False)
    lines: list[str] = []
    for name, body in split_functions(text):
        if not name:
            lines += [_PROMISES.sub("", line) if line[:7] == "declare" else line for line in body]
            continue
        writer = _Writer(name, doubts, outside)
        head = body[0] if name == symbol else _PROMISES.sub("", body[0])
        lines.append(head)
        for line in body[1:]:
            writer.add(line)
        lines += writer.lines
    return "\n".join(lines)


class _Writer:
    """Writes the lines of one function; knows which of its values are in doubt."""

    def __init__(self, name: str, doubts: Doubts, outside: Doubts) -> None:
        self.doubtful = doubts.of(name)
        self.outside = outside.of(name)
        self.inputs = doubts.only_inputs(name)
        self.name, self.doubts = name, doubts
        self.lines: list[str] = []
        self.count = 0

    def add(self, line: str) -> None:
        """Write one line of the source, and ahead of it what it needs."""
        if not line.startswith("  ") or line.startswith("    #"):
            self.lines.append(line)
            return
        line = _LOAD_PROMISES.sub("", line)
        if "poison" in line:
            line = _SECOND.sub("0", _POISON.sub(r"\1 0", line.replace("[ poison,", "[ 0,")))
        if " = getelementptr " in line:
            line = self._address(line)
        elif found := _SHIFT.match(line):
            line = self._shift(line, found)
        elif found := _BRANCH.match(line):
            line = f"{found[1]}{found[2]} {self._frozen(found[2], found[3])}{found[4]}"
        elif found := _DIVIDE.match(line):
            divisor = self._frozen(found[2], found[4])
            line = f"{found[1]}{found[2]} {found[3]}, {divisor}{found[5]}"
        elif " call " in line or line.startswith("  call "):
            if found := _LENGTH.match(line):
                line = f"{found[1]}{found[2]} {self._frozen(found[2], found[3])}{found[4]}"
            line = _PROMISES.sub("", line)
        self.lines.append(line)

    def _new(self, operation: str) -> str:
        self.count += 1
        name = f"%lydite.defined.{self.count}"
        self.lines.append(f"  {name} = {operation}")
        return name

    def _frozen(self, kind: str, value: str) -> str:
        return self._new(f"freeze {kind} {value}") if value in self.doubtful else value

    def _address(self, line: str) -> str:
        base = re.search(r", ptr (\S+?),", line)
        if base is None or base[1] not in self.inputs:
            line = _GEP.sub("= getelementptr ", line)
        return _INDEX.sub(
            lambda m: f", {m[1]} {self._frozen(m[1], m[2]) if m[2] in self.outside else m[2]}", line
        )

    def _shift(self, line: str, found: re.Match[str]) -> str:
        """Take of an amount the bits that can count the places of the value."""
        width, amount = int(found[3]), found[5]
        mask = (1 << max(1, (width - 1).bit_length())) - 1
        if amount.isdecimal() or amount.startswith("-"):
            cut = int(amount) & mask
            if cut < width:
                return f"{found[1]} i{width} {found[4]}, {cut}{found[6]}"
        most = self.doubts.bound(self.name, amount)
        if most is not None and most < width:
            return found[0]
        if mask == width - 1:
            cut_amount = self._new(f"and i{width} {amount}, {mask}")
            return f"{found[1]} i{width} {found[4]}, {cut_amount}{found[6]}"
        return self._wide_shift(found, mask)

    def _wide_shift(self, found: re.Match[str], mask: int) -> str:
        """Shift in a power of two of bits, where all amounts have a meaning."""
        width, wide = int(found[3]), mask + 1
        extend = "sext" if found[2] == "ashr" else "zext"
        value = self._new(f"{extend} i{width} {found[4]} to i{wide}")
        amount = self._new(f"zext i{width} {found[5]} to i{wide}")
        amount = self._new(f"and i{wide} {amount}, {mask}")
        shifted = self._new(f"{found[2]} i{wide} {value}, {amount}")
        result = found[1].split(" = ")[0]
        return f"{result} = trunc i{wide} {shifted} to i{width}{found[6]}"
