# SPDX-License-Identifier: Apache-2.0
"""Makes what something in a module reads, and leaves out what nothing does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lydite.hls.emit import expression
from lydite.hls.emit.structure import (
    Assign,
    Case,
    Declare,
    Group,
    If,
    Instance,
    Item,
    Module,
    Offer,
    Plain,
    Process,
    Write,
    statements,
)


def settle(module: Module[Item]) -> Module[Plain]:
    """Make all offers that are read, and what these read in turn; nothing else.

    An optional pin is left open where the net that it names was not made.
    """
    waiting: dict[str, list[Offer]] = {}
    todo: list[str] = []
    for item in module.items:
        if isinstance(item, Group):
            for offer in item.offers:
                waiting.setdefault(offer.net, []).append(offer)
        elif isinstance(item, Offer):
            waiting.setdefault(item.net, []).append(item)
        else:
            todo += _reads(item)
    made: dict[int, tuple[Plain, ...]] = {}
    while todo:
        for offer in waiting.pop(todo.pop(), ()):
            made[id(offer)] = items = offer.make()
            for plain in items:
                todo += _reads(plain)
    there: list[Plain] = []
    for item in module.items:
        if isinstance(item, Group):
            found = [made[id(offer)] for offer in item.offers if id(offer) in made]
            there += item.head if found else ()
            there += [plain for items in found for plain in items]
        elif isinstance(item, Offer):
            there += made.get(id(item), ())
        else:
            there.append(item)
    return Module(module.name, module.head, module.ports, tuple(_connected(there, module)))


def _connected(items: list[Plain], module: Module[Item]) -> Iterator[Plain]:
    """Leave optional pins open whose net does not exist."""
    known = {port.name for port in module.ports}
    known |= {net.name for item in items if isinstance(item, Declare) for net in item.nets}
    for item in items:
        if isinstance(item, Instance) and any(pin.optional for pin in item.pins):
            pins = (
                replace(pin, text="") if pin.optional and pin.text not in known else pin
                for pin in item.pins
            )
            item = replace(item, pins=tuple(pins))
        yield item


def _reads(item: Plain) -> Iterator[str]:
    """Give the names in what an item reads, and in pins, whichever way these lead."""
    for text in _texts(item):
        yield from expression.names(text)


def _texts(item: Plain) -> Iterator[str]:
    if isinstance(item, Declare | Assign):
        yield item.value
    elif isinstance(item, Instance):
        yield from (pin.text for pin in item.pins if not pin.optional)
    elif isinstance(item, Process):
        for statement in statements(item.body):
            if isinstance(statement, Write):
                yield statement.target.partition("[")[2]
                yield statement.value
            elif isinstance(statement, If):
                yield statement.condition
            elif isinstance(statement, Case):
                yield statement.subject
