# SPDX-License-Identifier: Apache-2.0
"""Reads expressions of the Verilog that is written: their width, and which bits of nets they read.

The operands of an operation must have its width, but for shifts (IEEE 1364-2005, 5.4): what is
written never relies on zeros that Verilog would put in front. Numbers have a width, but for indices
and counts of copies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_TOKEN = re.compile(r"\d+'[bdh][0-9a-f]+|\d+|\$?[A-Za-z_]\w*|>>>|<<|>>|[<>=!]=|&&|\|\||\+:|\S")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_NAMES = re.compile(r"(?<![\w'$])[A-Za-z_]\w*")
_END = ""
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>", ">>>"),
    ("+", "-"),
    ("*",),
)
_LEVEL = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_COMPARES = frozenset(_LEVELS[5] + _LEVELS[6])
_SHIFTS = frozenset(_LEVELS[7])
_LOGICAL = frozenset(("&&", "||"))


def names(text: str) -> list[str]:
    """Give the names in an expression."""
    return _NAMES.findall(text)


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name stands for: a net, an array of so many words, or a constant.

    `low` is the number of its lowest bit.
    """

    width: int
    low: int = 0
    words: int = 0
    constant: bool = False


@dataclass(slots=True)
class Scope:
    """The names of a module, and which bits of each were read so far.

    Attributes
    ----------
    module : str
        Its name, for messages.
    reads : dict
        Bits of nets that something reads, the lowest one as number 0; of arrays, those of words.
    """

    module: str
    symbols: Mapping[str, Symbol]
    reads: dict[str, int] = field(default_factory=dict)
    _widths: dict[str, int] = field(default_factory=dict)

    def width(self, text: str) -> int:
        """Give the width of an expression; what it reads counts as read.

        Raises
        ------
        AssertionError
            A name is not declared, bits are outside of a net, widths differ, or it is not one of
            the expressions that are written.
        """
        known = self._widths.get(text)
        if known is None:
            symbol = self.symbols.get(text)
            if symbol is not None and not symbol.words:
                known = symbol.width
                if not symbol.constant:
                    self.read(text, (1 << known) - 1)
            else:
                known = _Reader(self, text).all()
            self._widths[text] = known
        return known

    def read(self, name: str, mask: int) -> None:
        """Enter bits of a net as read."""
        self.reads[name] = self.reads.get(name, 0) | mask

    def target(self, text: str) -> tuple[str, int, int]:
        """Give name, bits and width of what an assignment writes; an index counts as read."""
        reader = _Reader(self, text)
        name, mask, width = reader.selected(reader.take())
        reader.end()
        return name, mask, width

    def targets(self, text: str) -> list[tuple[str, int, int]]:
        """Give name, bits and width of each part of what an output drives."""
        if not text.startswith("{"):
            return [self.target(text)]
        return [self.target(part) for part in text[1:-1].split(", ")]


class _Reader:
    """Reads one expression from its tokens, the innermost operation first."""

    def __init__(self, scope: Scope, text: str) -> None:
        self.scope = scope
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)
        self.tokens.append(_END)
        self.at = 0

    def fail(self, what: str) -> AssertionError:
        return AssertionError(f"{self.scope.module}: {what}: {self.text}")

    def take(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise self.fail(f"{self.tokens[self.at] or 'end'} for {token or 'end'}")
        self.at += 1

    def end(self) -> None:
        self.expect(_END)

    def all(self) -> int:
        width = self.choice()
        self.end()
        return width

    def choice(self) -> int:
        """Read an expression that may be a choice."""
        width = self.binary(0)
        if self.tokens[self.at] != "?":
            return width
        if width != 1:
            raise self.fail(f"condition of {width} bits")
        self.at += 1
        first = self.choice()
        self.expect(":")
        return self.same(first, self.choice(), "?:")

    def same(self, first: int, second: int, sign: str) -> int:
        if first != second:
            raise self.fail(f"{first} and {second} bits at {sign}")
        return first

    def binary(self, least: int) -> int:
        """Read operations that bind at least so strongly."""
        width = self.unary()
        while True:
            sign = self.tokens[self.at]
            level = _LEVEL.get(sign, -1)
            if level < least:
                return width
            self.at += 1
            second = self.binary(level + 1)
            if sign in _SHIFTS:
                continue
            width = self.same(width, second, sign)
            if sign in _LOGICAL and width != 1:
                raise self.fail(f"{sign} of {width} bits")
            if sign in _COMPARES:
                width = 1

    def unary(self) -> int:
        token = self.take()
        if token in ("~", "-"):
            return 1 if self._reduces() else self.unary()
        if token in ("&", "|", "^"):
            self.unary()
            return 1
        if token == "(":
            width = self.choice()
            self.expect(")")
            return width
        if token == "{":
            return self.braces()
        if token == "$signed":
            self.expect("(")
            width = self.choice()
            self.expect(")")
            return width
        size, quote, _ = token.partition("'")
        if quote and size:
            return int(size)
        name, mask, width = self.selected(token)
        if not self.scope.symbols[name].constant:
            self.scope.read(name, mask)
        return width

    def _reduces(self) -> bool:
        if self.tokens[self.at] not in ("&", "|", "^"):
            return False
        self.unary()
        return True

    def braces(self) -> int:
        """Read parts side by side, or copies of one."""
        if self.tokens[self.at].isdigit() and self.tokens[self.at + 1] == "{":
            count = int(self.take())
            self.at += 1
            width = count * self.braces()
            self.expect("}")
            return width
        width = self.choice()
        while self.tokens[self.at] == ",":
            self.at += 1
            width += self.choice()
        self.expect("}")
        return width

    def selected(self, name: str) -> tuple[str, int, int]:
        """Read a word of an array or bits of a net, behind its name: name, bits, width."""
        symbol = self.scope.symbols.get(name)
        if symbol is None:
            raise self.fail(f"{name or 'end'} is no net")
        if symbol.words:
            self.expect("[")
            self.index()
            self.expect("]")
        mask, width = (1 << symbol.width) - 1, symbol.width
        if self.tokens[self.at] == "[":
            self.at += 1
            low, width = self.part(symbol)
            mask = mask if low is None else ((1 << width) - 1) << low
        return name, mask, width

    def index(self) -> None:
        if self.tokens[self.at].isdigit():
            self.at += 1
        else:
            self.choice()

    def part(self, symbol: Symbol) -> tuple[int | None, int]:
        """Read a choice of bits: the lowest one, if it is fixed, and how many."""
        first = self.tokens[self.at]
        self.index()
        sign = self.take()
        if sign == "+:":
            width = int(self.take())
            self.expect("]")
            return None, width
        if not first.isdigit():
            return None, 1
        low = high = int(first)
        if sign == ":":
            low = int(self.take())
            self.expect("]")
        if not symbol.low <= low <= high < symbol.low + symbol.width:
            raise self.fail(f"bits {high} to {low} of {symbol.width}")
        return low - symbol.low, high - low + 1
