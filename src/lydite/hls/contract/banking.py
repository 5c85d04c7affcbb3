# SPDX-License-Identifier: Apache-2.0
"""How a memory is cut into banks and lanes: which place each of its words goes to.

The index of a word is a number of mixed radix: a dimension of the array for each digit, or parts of
one. A digit either stays part of the index (`keep`), or chooses a bank, or a lane of a wider word.
A cyclic partition by f makes a dimension of n two digits, n/f kept and f for the bank; a block
partition the other way round; a complete one a single digit for the bank. Where f does not divide
n, the dimension stays one digit of n, which is then cut for itself (`part`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, TypeVar

Role = Literal["keep", "bank", "lane"]
Direction = Literal["in", "out", "inout"]


@dataclass(frozen=True, slots=True)
class Bank:
    """A part of an argument array with `ap_memory` ports of its own.

    Attributes
    ----------
    port : str
        Stem of the port names: `a_0`.
    width, depth : int
        Bits and number of its words: a multiple of the array's `element_width`.
    direction, ports, write_lanes, unused
        As `ArrayArg` has them.
    words : tuple of tuple of int
        For each of its words the words of the array that are side by side in it, the lowest first;
        -1 for none.
    """

    port: str
    width: int
    depth: int
    direction: Direction
    ports: int
    write_lanes: int
    unused: bool
    words: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Digit:
    """A digit of an index: how many values it has, and what it chooses, or digits of its own."""

    size: int
    role: Role = "keep"
    parts: tuple[Digit, ...] = ()

    @property
    def leaves(self) -> tuple[Digit, ...]:
        """The digits without parts."""
        return tuple(leaf for part in self.parts for leaf in part.leaves) or (self,)


def simplified(digits: Sequence[Digit]) -> tuple[Digit, ...]:
    """Merge neighbours that are kept, and drop digits of one value."""
    result: list[Digit] = []
    for digit in digits:
        if digit.size == 1 and not digit.parts:
            continue
        last = result[-1] if result else digit
        plain = not digit.parts and not last.parts and digit.role == last.role == "keep"
        if result and plain:
            result[-1] = Digit(last.size * digit.size)
        else:
            result.append(digit)
    return tuple(result)


_T = TypeVar("_T")


def taken_apart(
    index: _T, digits: Sequence[Digit], divide: Callable[[_T, int], tuple[_T, _T]]
) -> Iterator[tuple[Digit, _T]]:
    """Give the leaves of an index, outermost first, with their values.

    `divide` gives quotient and remainder of a value by a number; it is never asked for more than
    one digit holds, since the outermost takes what is left.
    """
    values: list[_T] = []
    rest = index
    for digit in reversed(digits[1:]):
        rest, value = divide(rest, digit.size)
        values.append(value)
    values.append(rest)
    for digit, value in zip(digits, reversed(values), strict=True):
        if digit.parts:
            yield from taken_apart(value, digit.parts, divide)
        else:
            yield digit, value


def number(leaves: Sequence[tuple[Digit, int]], role: Role) -> int:
    """Put the digits of one role together."""
    result = 0
    for digit, value in leaves:
        if digit.role == role:
            result = result * digit.size + value
    return result


@dataclass(frozen=True, slots=True)
class Split:
    """A memory that has become several, or one with wider words.

    Attributes
    ----------
    name : str
        What it was called.
    width, depth : int
        Bits and number of its words.
    digits : tuple of Digit
        Of a word's index, outermost first.
    banks : tuple of str
        Names of the memories that it became.
    """

    name: str
    width: int
    depth: int
    digits: tuple[Digit, ...]
    banks: tuple[str, ...] = ()

    def count(self, role: Role) -> int:
        """Give how many banks, or lanes, or words of a bank there are at most."""
        return prod(
            leaf.size for digit in self.digits for leaf in digit.leaves if leaf.role == role
        )

    def place(self, index: int) -> tuple[int, int, int]:
        """Give bank, word and lane of a word."""
        if not self.digits:
            return 0, 0, 0
        leaves = list(taken_apart(index, self.digits, divmod))
        return number(leaves, "bank"), number(leaves, "keep"), number(leaves, "lane")

    def words(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Give, for each bank, word and lane, the word that is there; -1 for padding."""
        lanes = self.count("lane")
        found = [self.place(index) for index in range(self.depth)]
        sizes = [0] * self.count("bank")
        for bank, word, _ in found:
            sizes[bank] = max(sizes[bank], word + 1)
        result = [[[-1] * lanes for _ in range(max(1, size))] for size in sizes]
        for index, (bank, word, lane) in enumerate(found):
            result[bank][word][lane] = index
        return tuple(tuple(tuple(lanes) for lanes in bank) for bank in result)


def as_text(digits: Sequence[Digit]) -> str:
    """Give digits in one line: `keep 4 bank 2`, `part 5 ( keep 3 bank 2 )`."""
    words = []
    for digit in digits:
        if digit.parts:
            words.append(f"part {digit.size} ( {as_text(digit.parts)} )")
        else:
            words.append(f"{digit.role} {digit.size}")
    return " ".join(words)


def from_text(text: str) -> tuple[Digit, ...]:
    """Read back what `as_text` wrote."""
    tokens = iter(re.findall(r"\w+|[()]", text))

    def read() -> tuple[Digit, ...]:
        result: list[Digit] = []
        for word in tokens:
            if word == ")":
                break
            size = int(next(tokens))
            if word == "part":
                next(tokens)
                result.append(Digit(size, "keep", read()))
            elif word == "bank" or word == "lane" or word == "keep":
                result.append(Digit(size, word))
            else:
                raise ValueError(f"unknown word {word}")
        return tuple(result)

    return read()
