# SPDX-License-Identifier: Apache-2.0
"""What a module of hardware consists of, before it is text: ports, nets, processes, instances.

A module is a list of items in the order in which they are printed, which means nothing. Nor does
the order of statements in a process: where several write one net, either their conditions exclude
each other or a `Priority` says which one wins. Expressions are Verilog text; what they read, and
their widths, follow from the text and the module's declarations (`expression`), so that nothing
needs to be recorded beside it.

An `Offer` is made only if something reads the net that it is about; `settle` makes those and leaves
out the others. Then `check` finds what is wrong, and `printer` writes the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Generic, Literal, TypeVar

CLOCK = "ap_clk"


@dataclass(frozen=True, slots=True)
class Net:
    """A wire or a register, with the number of its lowest bit.

    One of one bit may be a `vector`, whose bits have numbers all the same.
    """

    name: str
    width: int
    low: int = 0
    vector: bool = False

    def bits(self, low: int, width: int) -> str:
        """Give the text of some of its bits."""
        if width == self.width:
            return self.name
        if width == 1:
            return f"{self.name}[{low}]"
        return f"{self.name}[{low + width - 1}:{low}]"


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a module.

    Attributes
    ----------
    register : bool
        Whether a process drives it.
    padding : int
        Upper bits of an input that carry nothing.
    waiver : tuple of str
        A rule of the linter that it breaks, and why.
    optional : bool
        Whether it may be left unconnected.
    """

    direction: Literal["input", "output"]
    width: int
    name: str
    register: bool = False
    padding: int = 0
    waiver: tuple[str, str] | None = None
    optional: bool = False


class Form(Enum):
    """How a branch looks: behind its head, in the lines below, or between `begin` and `end`."""

    INLINE = auto()
    BELOW = auto()
    BLOCK = auto()


@dataclass(frozen=True, slots=True)
class Write:
    """Gives a net, some of its bits or a word of an array a value."""

    target: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class If:
    """Statements under a condition of one bit, and others where it does not hold.

    A condition that is alone in the others is printed as `else if`, unless it is `nested`.
    """

    condition: str
    then: Body
    otherwise: Body = ()
    form: Form = Form.BLOCK
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Arm:
    """Statements for some values of a case's subject."""

    labels: tuple[str, ...]
    body: Body
    note: str = ""
    form: Form = Form.BLOCK


@dataclass(frozen=True, slots=True)
class Case:
    """A choice by the value of an expression; `default` is for values that no arm names."""

    subject: str
    arms: tuple[Arm, ...]
    default: Body = ()


@dataclass(frozen=True, slots=True)
class Priority:
    """Levels of statements: what a later one writes counts, whatever earlier ones write."""

    levels: tuple[Body, ...]


Statement = Write | If | Case | Priority
Body = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A comment; an empty one is an empty line."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """A named number."""

    name: str
    width: int
    value: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Declare:
    """Nets of one width, with what drives a wire that is alone.

    Attributes
    ----------
    observed : bool
        Simulation looks at it, and nothing else needs to.
    """

    kind: Literal["wire", "reg"]
    nets: tuple[Net, ...]
    value: str = ""
    note: str = ""
    attribute: str = ""
    observed: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """Drives a net, or some of its bits."""

    target: str
    value: str


@dataclass(frozen=True, slots=True)
class Initial:
    """What a register holds at power-up."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Array:
    """Words of memory, with what they hold at power-up: zero behind the given ones.

    At most `ports` processes write it.
    """

    net: Net
    depth: int
    words: tuple[int, ...]
    attribute: str = ""
    ports: int = 1

    @property
    def index(self) -> str:
        """Name of the variable that counts words at power-up."""
        return f"{self.net.name}_i"


@dataclass(frozen=True, slots=True)
class Table:
    """Words as one constant, inverted, the first one on top, each in `stride` bits."""

    name: str
    stride: int
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Process:
    """Statements at each rising edge of `CLOCK`, or whenever something that they read changes."""

    body: Body
    clocked: bool = True
    form: Form = Form.BLOCK


@dataclass(frozen=True, slots=True)
class Pin:
    """A connection; an `optional` one is left open if the net does not exist."""

    port: str
    text: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Instance:
    """A module inside."""

    module: str
    name: str
    pins: tuple[Pin, ...]
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """Items that are made if something reads a net."""

    net: str
    make: Callable[[], tuple[Plain, ...]]


@dataclass(frozen=True, slots=True)
class Group:
    """Offers under a common head, which is there if any of them is made."""

    head: tuple[Note, ...]
    offers: tuple[Offer, ...]


Plain = Note | Constant | Declare | Assign | Initial | Array | Table | Process | Instance
Item = Plain | Offer | Group
Kind = TypeVar("Kind", bound=Item)


@dataclass(frozen=True, slots=True)
class Module(Generic[Kind]):
    """A module: comments at its head, ports, items in the order of the text."""

    name: str
    head: tuple[str, ...]
    ports: tuple[Port, ...]
    items: tuple[Kind, ...]


def wire(name: str, width: int, value: str = "", note: str = "") -> Declare:
    """Declare a wire, with what drives it, if that is an expression."""
    return Declare("wire", (Net(name, width),), value, note)


def reg(name: str, width: int, note: str = "") -> Declare:
    """Declare a register, or what a process without a clock gives."""
    return Declare("reg", (Net(name, width),), "", note)


def unread(name: str, *read: str) -> Declare:
    """Read what nothing else reads."""
    return wire(f"unused_{name}" if name else "unused", 1, f"&{{1'b0, {', '.join(read)}}}")


def pins(**texts: str) -> tuple[Pin, ...]:
    """Give pins by the names of their ports."""
    return tuple(Pin(port, text) for port, text in texts.items())


def statements(body: Body) -> Iterator[Statement]:
    """Walk all statements, also those within others."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from statements(statement.then)
            yield from statements(statement.otherwise)
        elif isinstance(statement, Case):
            for arm in statement.arms:
                yield from statements(arm.body)
            yield from statements(statement.default)
        elif isinstance(statement, Priority):
            for level in statement.levels:
                yield from statements(level)
