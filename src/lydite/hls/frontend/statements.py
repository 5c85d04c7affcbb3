# SPDX-License-Identifier: Apache-2.0
"""Where statements begin and end in preprocessed C: what a `#pragma HLS` line needs to know.

A marker may stand between two statements as it is. Where one statement alone is the body of a loop
or a branch, it would become that body: marker and statement then go into braces together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from lydite.hls.contract.names import words

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[^\W\d]\w*|\d[\w.]*|::|[^\s\w"\']', re.DOTALL
)
_HEADS = words("for while if switch")
_OPEN, _CLOSE = words("( [ {"), words(") ] }")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a marker goes.

    Attributes
    ----------
    body : bool
        Whether it stands before the body of a loop or branch, which has no braces.
    line, column : int
        Of such a body, its end: index of the line, and the column behind its last character.
    """

    body: bool = False
    line: int = -1
    column: int = -1


def place(lines: Sequence[str], index: int) -> Place | None:
    """Say how a statement can be put at a line of its own; None if it cannot.

    Lines that begin with `#` are no code.
    """
    before = _statement_so_far(lines, index)
    following = _Scanner(lines, index + 1)
    if following.peek() == "else":
        return None
    if before in ([], ["{"], ["}"], [";"]) or _only_labels(before):
        return Place()
    if before[-1] not in ("else", "do") and not _ends_in_head(before):
        return None
    # Behind `do ... while (x)` nothing but a semicolon stands.
    if following.peek() in (";", "") or not following.statement():
        return None
    return Place(True, following.line, following.column)


def next_code(lines: Sequence[str], index: int) -> int:
    """Give the index of the next line of code behind a line."""
    later = range(index + 1, len(lines))
    return next((at for at in later if lines[at].strip() and _code(lines[at])), len(lines))


def _code(line: str) -> bool:
    return not line.lstrip().startswith("#")


def _statement_so_far(lines: Sequence[str], index: int) -> list[str]:
    """Give the tokens before a line, back to where the statement that they belong to begins."""
    found: list[str] = []
    depth = 0
    for at in range(index - 1, -1, -1):
        if not _code(lines[at]):
            continue
        for token in reversed(_TOKEN.findall(lines[at])):
            if depth == 0 and token in ("{", "}", ";"):
                return [*reversed(found)] if found else [token]
            if depth == 0 and token in ("(", "["):
                return [token, *reversed(found)]  # in the midst of an expression
            depth += (token in (")", "]")) - (token in ("(", "["))
            found.append(token)
    return [*reversed(found)]


def _only_labels(tokens: Sequence[str]) -> bool:
    """Whether tokens are labels: `again:`, `case 3:`, `default:`."""
    at = 0
    while at < len(tokens):
        if tokens[at] == "case":
            at = _behind_case(tokens, at)
        elif re.match(r"[^\W\d]", tokens[at]) and tokens[at + 1 : at + 2] == [":"]:
            at += 2
        else:
            return False
        if at < 0:
            return False
    return bool(tokens)


def _behind_case(tokens: Sequence[str], at: int) -> int:
    """Give the index behind the colon of a `case`; -1 if there is none."""
    depth = choices = 0
    for index in range(at, len(tokens)):
        token = tokens[index]
        depth += (token in _OPEN) - (token in _CLOSE)
        choices += token == "?"
        if token == ":" and depth == 0:
            if not choices:
                return index + 1
            choices -= 1
    return -1


def _ends_in_head(tokens: Sequence[str]) -> bool:
    """Whether a loop's or branch's head, and perhaps labels, stand last: `for (...)`."""
    end = len(tokens)
    while end and tokens[end - 1] != ")":
        end -= 1
    if end < len(tokens) and not _only_labels(tokens[end:]):
        return False
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (tokens[at] == ")") - (tokens[at] == "(")
        if depth == 0:
            word = tokens[at - 1] if at else ""
            return word in _HEADS or (word == "constexpr" and tokens[max(0, at - 2)] == "if")
    return False


class _Scanner:
    """Walks over the code behind a line; `line` and `column` are the end of the last token."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.source = (
            (match[0], number, match.end())
            for number in range(first, len(lines))
            if _code(lines[number])
            for match in _TOKEN.finditer(lines[number])
        )
        self.ahead: list[tuple[str, int, int]] = []
        self.line = self.column = -1

    def peek(self, ahead: int = 0) -> str:
        """Give a token that comes; empty behind the last one."""
        self.ahead += islice(self.source, max(0, ahead + 1 - len(self.ahead)))
        return self.ahead[ahead][0] if ahead < len(self.ahead) else ""

    def take(self) -> str:
        self.peek()
        token, self.line, self.column = self.ahead.pop(0)
        return token

    def statement(self) -> bool:
        """Walk over a statement; False if the text ends first."""
        while re.match(r"[^\W\d]", self.peek()) and self.peek(1) == ":":
            self.take()
            self.take()
        word = self.peek()
        if word == "case":
            return self.case() and self.statement()
        if word == "{":
            return self.group()
        if word in _HEADS:
            return self.head() and self.statement() and self.alternative(word)
        if word == "do":
            self.take()
            return self.statement() and self.peek() == "while" and self.expression()
        return self.expression()

    def head(self) -> bool:
        self.take()
        if self.peek() == "constexpr":
            self.take()
        return self.peek() == "(" and self.group()

    def alternative(self, word: str) -> bool:
        if word != "if" or self.peek() != "else":
            return True
        self.take()
        return self.statement()

    def case(self) -> bool:
        """Walk over `case 3:`, which may hold choices."""
        colons = 1
        while token := self.peek():
            if token in _OPEN and not self.group():
                return False
            if token not in _OPEN:
                self.take()
            colons += (token == "?") - (token == ":")
            if not colons:
                return True
        return False

    def group(self) -> bool:
        """Walk over what brackets of any kind hold, the opening one being next."""
        depth = 0
        while self.peek():
            token = self.take()
            depth += (token in _OPEN) - (token in _CLOSE)
            if depth <= 0:
                return depth == 0
        return False

    def expression(self) -> bool:
        """Walk to a semicolon outside of brackets."""
        while token := self.peek():
            if token in _CLOSE or (token in _OPEN and not self.group()):
                return False
            if token not in _OPEN and self.take() == ";":
                return True
        return False
