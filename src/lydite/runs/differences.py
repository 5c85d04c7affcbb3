# SPDX-License-Identifier: Apache-2.0
"""Where two results of one point differ, field by field; what is of a machine is left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

# Fields that differ from run to run: processor seconds of simulations.
TIMES = frozenset({"simulation_s"})
# Fields that differ from machine to machine: a netlist names Yosys' own files by the folder that
# Yosys is installed in. Its cells, and what is placed of it, are the same.
PLACES = frozenset({"netlist_sha256"})
_SHARE = re.compile(rb'(?<=["|])/[^"|]*/share/')


class Difference(msgspec.Struct, frozen=True):
    """A place in a result, as `area.lut4` or `trials[2]`, and what stands there in both.

    A field that only one of the two has is None in the other.
    """

    field: str
    before: Any
    now: Any


def differences(
    before: Any, now: Any, place: str = "", *, without: Collection[str] = TIMES
) -> Iterator[Difference]:
    """Give the places where two results, JSON-like, differ, in the order of the first.

    Parameters
    ----------
    without : collection of str
        Names of fields that are not compared, wherever they are.
    """
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys((*before, *now)):
            if name not in without:
                inner = f"{place}.{name}" if place else str(name)
                yield from differences(before.get(name), now.get(name), inner, without=without)
    elif _are_lists(before, now) and len(before) == len(now):
        for number, pair in enumerate(zip(before, now, strict=True)):
            yield from differences(*pair, f"{place}[{number}]", without=without)
    elif before != now:
        yield Difference(place, before, now)


def without_places(netlist: bytes) -> bytes:
    """Give a netlist as Yosys in any folder writes it: names of its own files begin with `+`."""
    return _SHARE.sub(b"+/", netlist)


def _are_lists(*values: Any) -> bool:
    return all(isinstance(value, list | tuple) for value in values)
