# SPDX-License-Identifier: Apache-2.0
"""Modules written by hand, in files that every design may have: their ports, by parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Literal

from lydite.hls.emit.check import Interface
from lydite.hls.emit.structure import Port

_PORT = re.compile(r"^    (input|output) +wire +(?:\[(\w+)-1:0\] )? *(\w+),?$", re.MULTILINE)


def interface(text: str) -> Interface:
    """Give the ports of such a module; the width of each is 1 or a parameter's value."""
    head = text[: text.index("\n);")]
    found = _PORT.findall(head)
    assert len(found) == len(re.findall(r"^    (?:in|out)put", head, re.MULTILINE)), head
    return partial(_ports, found)


def _ports(found: list[tuple[str, str, str]], parameters: Mapping[str, str]) -> Iterator[Port]:
    for direction, width, name in found:
        way: Literal["input", "output"] = "input" if direction == "input" else "output"
        yield Port(way, int(parameters[width]) if width else 1, name)
