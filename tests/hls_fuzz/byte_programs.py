# SPDX-License-Identifier: Apache-2.0
"""Random C programs whose tables are bytes and strings, with random directives.

How a compiler's front end reads constants is what goes wrong, if anything does: so tables are
written as string literals with every spelling of a character, as lists, and as both in one; they
have all 256 values, what looks like an escape behind a backslash, NULs inside, tails of zeros,
elements of 8, 16 and 32 bits, two dimensions, structures around them, and pointers to them. All
are read at variable places, and handed to functions of the C library.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from directive_programs import DirectiveGenerator
from vocabulary import STANDARD, Array, Scope, Type

CHAR, UCHAR = Type("char", 8, True), Type("unsigned char", 8, False)
BYTES = (CHAR, CHAR, UCHAR, Type("signed char", 8, True), *STANDARD[:2])
# Literals with a prefix, and what their elements may be declared as.
_WIDE = (("L", Type("wchar_t", 32, True)), ("u", Type("char16_t", 16, False)))
_WIDER = (*_WIDE, ("U", Type("char32_t", 32, False)))
_SIMPLE = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 39: "'", 63: "?"}
_AFTER_BACKSLASH = b'00125c7fFxnrtu"\\'
_WORDS = ("", "a", "if", "zero", "The quick", "\\n", "%d\\00", "path\\to\\22", 'say "hi"', "??/")


@dataclass(frozen=True)
class Piece:
    """A table of bytes: how to write it, its length, and whether it holds a 0 before its end."""

    text: str
    length: int
    ends: bool


def spelled(data: list[int], prefix: str, dice: random.Random) -> str:
    """Write a string literal, each character in one of the ways there are."""
    parts, hexadecimal = [f'{prefix}"'], False
    for value in data:
        pick = dice.random()
        hexadecimal_before, hexadecimal = hexadecimal, False
        plain = chr(value) if 32 <= value < 127 else ""
        if hexadecimal_before and (plain in "0123456789abcdefABCDEF" or dice.random() < 0.2):
            parts.append(f'" {prefix}"')  # the escape before would go on
        if plain and plain not in '"\\' and pick < 0.7:
            parts.append(plain)
        elif value in _SIMPLE and pick < 0.8:
            parts.append("\\" + _SIMPLE[value])
        elif plain == "\\" and pick < 0.8:
            parts.append("\\\\")
        elif value < 512 and pick < 0.9:
            parts.append(f"\\{value:03o}")
        else:
            parts.append(f"\\x{value:x}" if pick < 0.95 else f"\\x{value:04X}")
            hexadecimal = True
    return "".join([*parts, '"'])


class ByteGenerator(DirectiveGenerator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.dice = random.Random(f"lydite hls directives of bytes {seed}")
        self.random = random.Random(f"lydite hls bytes {seed}")
        self.density = self.dice.choice((0.0, 0.3, 0.6))
        self.max_trips = self.random.choice((8, 30, 60))
        self.exact = False
        self.pieces: list[Piece] = []
        self.elements: list[tuple[str, tuple[int, ...]]] = []

    def contents(self, most: int = 256) -> list[int]:
        """Choose the bytes of a table."""
        length = min(most, self.random.choice((1, 2, 3, 5, 8, 12, 16, 16, 31, 64)))
        pick = self.random.randrange(8)
        if pick == 0 and most >= 256:
            values = list(range(256))
            if self.chance(0.5):
                self.random.shuffle(values)
            return values
        if pick == 1:
            pairs = ((92, self.random.choice(_AFTER_BACKSLASH)) for _ in range(length))
            return [value for pair in pairs for value in pair][:most]
        if pick == 2:
            return [ord(char) for char in self.random.choice(_WORDS)][:most]
        if pick == 3:
            return [0] * self.random.randrange(length) + [self.random.randrange(256)]
        if pick == 4:
            return [self.random.randrange(256)] * length
        if pick == 5:
            return [self.random.choice((0, 92, 34, 48, 255, 128, 127, 10)) for _ in range(length)]
        return [self.random.randrange(256) for _ in range(length)]

    def written(self, data: list[int], kind: Type, prefix: str = "") -> str:
        """Write the initialiser of an array of bytes."""
        if self.chance(0.6):
            text = spelled(data, prefix, self.random)
            return f"{{{text}}}" if self.chance(0.1) else text
        if kind.width == 8 and self.chance(0.2):
            listed = [f"[{at}] = (char){value}" for at, value in enumerate(data) if value]
            self.random.shuffle(listed)
        elif kind.width == 8 and kind.signed:
            listed = [str(value - 256 * (value > 127)) for value in data]
        else:
            listed = [f"{value:#x}" for value in data]
        return "{" + ", ".join(listed or ["0"]) + "}"

    def tables(self, scope: Scope) -> None:
        """Write constant tables of every shape."""
        self.lines += ["#include <ctype.h>", "#include <uchar.h>", "#include <wchar.h>"]
        shapes = (self.flat, self.flat, self.wide, self.rows, self.pointers, self.structures)
        for shape in self.random.sample(shapes, self.random.randrange(1, 5)):
            shape(scope)
        if self.chance(0.4):
            super().tables(scope)

    def flat(self, scope: Scope) -> None:
        """Write a table of bytes."""
        kind, data = self.random.choice(BYTES), self.contents()
        table = Array(self.name("rom"), kind, (self.room(data),), writable=False)
        text = self.written(data, kind)
        # The length of a literal is its own, with the 0 at its end.
        measured = text.startswith('"') and table.shape[0] == len(data) + 1
        brackets = "" if measured else table.shape[0]
        self.lines.append(f"static const {kind.name} {table.name}[{brackets}] = {text};")
        self.known(table, data, scope)

    def room(self, data: list[int]) -> int:
        """Choose the length of an array that holds some bytes: as many, one more, or a tail."""
        extra = self.random.choice((0, 1, 1, 1, 2, 7, 40))
        return max(1, len(data) + extra)

    def known(self, table: Array, data: list[int], scope: Scope) -> None:
        """Let a table be read."""
        scope.arrays.append(table)
        if table.type.width == 8:
            ends = 0 in data or table.shape[0] > len(data)
            self.pieces.append(Piece(f"(const char *){table.name}", table.shape[0], ends))

    def wide(self, scope: Scope) -> None:
        """Write a table of wide characters."""
        prefix, kind = self.random.choice(_WIDER)
        data = self.contents()
        top = (1 << kind.width - kind.signed) - 1
        for at in range(len(data)):
            if self.chance(0.3):
                data[at] = self.random.choice((self.random.getrandbits(16), top, 0x5C5C)) & top
        table = Array(self.name("rom"), kind, (self.room(data),), writable=False)
        text = self.written(data, kind, prefix)
        self.lines.append(f"static const {kind.name} {table.name}[{table.shape[0]}] = {text};")
        scope.arrays.append(table)

    def rows(self, scope: Scope) -> None:
        """Write a table of two dimensions."""
        kind, rows = self.random.choice(BYTES), self.random.choice((2, 3, 4, 5))
        width = self.random.choice((2, 4, 6, 16))
        data = [self.contents(width) for _ in range(rows - self.random.randrange(2))]
        table = Array(self.name("rom"), kind, (rows, width), writable=False)
        texts = ", ".join(self.written(row, kind) for row in data)
        head = f"static const {kind.name} {table.name}"
        self.lines.append(f"{head}[{rows}][{width}] = {{{texts}}};")
        scope.arrays.append(table)
        for at, row in enumerate(data[:2]):
            ends = 0 in row or len(row) < width
            self.pieces.append(Piece(f"(const char *){table.name}[{at}]", width, ends))

    def pointers(self, scope: Scope) -> None:
        """Write a table of pointers to strings, some of which are tables."""
        name, texts, least = self.name("names"), [], 300
        for _ in range(self.random.choice((2, 3, 4, 8))):
            ended = [piece for piece in self.pieces if piece.ends and piece.length < 20]
            if ended and self.chance(0.25):
                piece = self.random.choice(ended)
                texts.append(piece.text)
                least = min(least, piece.length)
                continue
            data = self.contents(20)
            texts.append(spelled(data, "", self.random))
            least = min(least, len(data) + 1)
        head = f"static const char *const {name}"
        self.lines.append(f"{head}[{len(texts)}] = {{{', '.join(texts)}}};")
        self.elements.append((f"{name}[{{}}][{{}}]", (len(texts), least)))
        self.pieces.append(Piece(f"{name}[{{{len(texts)}}}]", least, ends=True))

    def structures(self, scope: Scope) -> None:
        """Write a table of structures with strings and numbers in them."""
        tag, name = self.name("t"), self.name("row")
        kind, width = self.random.choice(BYTES), self.random.choice((1, 3, 5, 8))
        number, size = self.random.choice(STANDARD), self.random.choice((2, 3, 4, 7))
        fields = [f"{kind.name} s[{width}]", f"{number.name} n"]
        turned = self.chance(0.5)
        rows = []
        for _ in range(size - self.random.randrange(2)):
            texts = [self.written(self.contents(width), kind), self.constant(number)]
            if self.chance(0.2):
                texts = [f".s = {texts[0]}", f".n = {texts[1]}"]
            elif turned:
                texts.reverse()
            rows.append(f"{{{', '.join(texts)}}}")
        if turned:
            fields.reverse()
        self.lines.append(f"struct {tag} {{ {'; '.join(fields)}; }};")
        self.lines.append(f"static const struct {tag} {name}[{size}] = {{{', '.join(rows)}}};")
        self.elements += [(f"{name}[{{}}].s[{{}}]", (size, width)), (f"{name}[{{}}].n", (size,))]
        self.pieces.append(Piece(f"(const char *){name}[{{{size}}}].s", width, ends=False))

    def array(self, stem: str) -> Array:
        """Choose an array, often of characters."""
        made = super().array(stem)
        if self.chance(0.4):
            made.type = self.random.choice(BYTES)
        return made

    def leaf(self, scope: Scope) -> str:
        """Write a variable, an element or a constant."""
        if self.elements and self.chance(0.2):
            text, shape = self.random.choice(self.elements)
            return text.format(*(self.index(size, scope, 1) for size in shape))
        if self.chance(0.06):
            data = self.contents(16) or [65]
            return f"{spelled(data, '', self.random)}[{self.index(len(data) + 1, scope, 1)}]"
        if self.pieces and self.chance(0.06):
            return self.library(scope)
        return super().leaf(scope)

    def piece(self, scope: Scope, *, ends: bool) -> tuple[str, int]:
        """Choose a string, one with an end if it must have one."""
        fitting = [piece for piece in self.pieces if piece.ends or not ends]
        if not fitting or self.chance(0.1):
            data = self.contents(16)
            return spelled(data, "", self.random), len(data) + 1
        piece = self.random.choice(fitting)
        if "{" not in piece.text:
            return piece.text, piece.length
        before, _, rest = piece.text.partition("{")
        size, _, after = rest.partition("}")
        return before + self.index(int(size), scope, 0) + after, piece.length

    def library(self, scope: Scope) -> str:
        """Write a call of a function of the C library, or of what a character is."""
        pick = self.random.randrange(7)
        if scope.trips > self.max_trips // 4 or pick == 0:
            what = self.random.choice(("digit", "upper", "alpha", "space", "xdigit", "print"))
            value = super().leaf(scope)
            return f"(is{what}((unsigned char)({value})) != 0)"
        one, length = self.piece(scope, ends=pick < 5)
        two, other = self.piece(scope, ends=pick < 4)
        if pick == 1:
            return f"strlen({one})"
        if pick == 2:
            return f"(strcmp({one}, {two}) > 0)"
        if pick == 3:
            return f"(strstr({one}, {two}) != 0)"
        if pick == 4:
            return f"(strchr({one}, (int)({super().leaf(scope)})) != 0)"
        count = self.random.randrange(min(length, other) + 1)
        call = f"memcmp({one}, {two}, {count})" if pick == 5 else f"memchr({one}, 92, {count})"
        return f"({call} {'< 0' if pick == 5 else '!= 0'})"

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement."""
        if depth > 0 and self.pieces and self.chance(0.2):
            shapes = (self.scan, self.copy)
            return self.random.choice(shapes)(scope)
        return super().statement(scope, depth)

    def scan(self, scope: Scope) -> list[str]:
        """Write a loop over the bytes of a table, up to a bound or the end of the string."""
        text, length = self.piece(scope, ends=False)
        found = self.target(scope)
        most = min(length, 4 * self.max_trips // scope.trips)
        if found is None or most < 2:
            return self.assignment(scope)
        start, name = self.random.randrange(length - most + 1), self.name("i")
        end = f"{start + most} && ({text})[{name}]" if self.chance(0.4) else str(start + most)
        head = f"for (unsigned {name} = {start}; {name} < {end}; {name}++)"
        byte = self.random.choice((f"({text})[{name}]", f"(unsigned char)({text})[{name}]"))
        how = self.random.choice(("^", "+", "= 31 *", "-"))
        value = f"{found[0]} {how}= {byte};" if "=" not in how else ""
        value = value or f"{found[0]} = ({found[0]}) * 31u + {byte};"
        if self.chance(0.3):
            value = f"if ({byte} == ({super().leaf(scope)})) {{ {value} break; }}"
        return self.braced(head, [value])

    def copy(self, scope: Scope) -> list[str]:
        """Write a copy of a part of a table."""
        to = [a for a in scope.arrays if a.writable and a.type.width == 8 and len(a.shape) == 1]
        to = [a for a in to if a.type.name != "_Bool"]
        text, length = self.piece(scope, ends=False)
        if not to or scope.trips > self.max_trips:
            return self.scan(scope)
        array = self.random.choice(to)
        count = self.random.randrange(1, min(length, array.shape[0]) + 1)
        start = self.random.randrange(length - count + 1)
        if self.chance(0.2):
            start_text = self.index(length - count + 1, scope, 1)
            return [f"memcpy({array.name}, ({text}) + ({start_text}), {count});"]
        copy = self.random.choice(("memcpy", "memcpy", "strncpy"))
        cast = "(char *)" * (copy == "strncpy")
        return [f"{copy}({cast}{array.name}, ({text}) + {start}, {count});"]


def program(seed: int) -> str:
    """Give the program of a seed."""
    return ByteGenerator(seed).program()
