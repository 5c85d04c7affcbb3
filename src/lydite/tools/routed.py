# SPDX-License-Identifier: Apache-2.0
"""Reads the netlist that nextpnr writes after routing: the cells of the chip, not those of Yosys.

Cells come in the form of Yosys' JSON, so that one way lowers both. Place and route puts much into
a cell of a chip, and its parameters say what it is there; a kind of its own here names each use:
`TRELLIS_COMB_CCU2` is half of a carry slice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from lydite.base.errors import InputError

ROUTED_FILE = "routed.json"
_TOP = "top"
_BEL = re.compile(r"X(\d+)/Y(\d+)/")
_PORT = re.compile(r".*_IO$")
# Pins of these have multiplexers of constants before them, named after the pin.
_PIN_MUXES = ("DP16KD", "MULT18X18D", "MULT9X9D")


class Routed(msgspec.Struct, frozen=True):
    """A routed netlist.

    Attributes
    ----------
    cells : mapping
        By name: `type` (the kind), `parameters`, `port_directions`, `connections` to lists of one
        net each: a number, "0", "1", or "x" where nothing drives an input.
    pads : tuple of str
        Cells at the package's pins; they are in `cells`, too.
    drivers : mapping
        Net to the cell and pin that drive it.
    places : mapping
        Cell to the column and row of the grid in which it stands.
    """

    cells: Mapping[str, Mapping[str, Any]]
    pads: tuple[str, ...]
    drivers: Mapping[int, tuple[str, str]]
    places: Mapping[str, tuple[int, int]]


def read(text: str) -> Routed:
    """Read a file as nextpnr writes it.

    Raises
    ------
    InputError
        It is none, or a net has two drivers.
    """
    try:
        given: dict[str, Any] = json.loads(text)["modules"][_TOP]["cells"]
        cells = {name: _cell(name, cell) for name, cell in given.items()}
        places = {name: _place(cell["attributes"]) for name, cell in given.items()}
    except (ValueError, LookupError, TypeError) as error:
        what = f"is no netlist as nextpnr writes it ({type(error).__name__}: {error})"
        raise InputError(ROUTED_FILE, what) from error
    drivers: dict[int, tuple[str, str]] = {}
    for name, cell in cells.items():
        for pin, (bit,) in cell["connections"].items():
            if cell["port_directions"][pin] != "output" or not isinstance(bit, int):
                continue
            if bit in drivers:
                told = " and ".join(f"{a}/{b}" for a, b in (drivers[bit], (name, pin)))
                raise InputError(f"{ROUTED_FILE}: net {bit}", f"has two drivers: {told}")
            drivers[bit] = name, pin
    pads = tuple(name for name, cell in cells.items() if _PORT.match(cell["type"]))
    return Routed(cells, pads, drivers, places)


def _place(attributes: Mapping[str, str]) -> tuple[int, int]:
    match = _BEL.match(attributes.get("NEXTPNR_BEL", ""))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _cell(name: str, cell: Mapping[str, Any]) -> dict[str, Any]:
    directions = cell["port_directions"]
    connections: dict[str, list[int | str]] = {}
    for pin, bits in cell["connections"].items():
        if len(bits) > 1:
            raise InputError(f"{ROUTED_FILE}: cell {name}", f"pin {pin} has {len(bits)} bits")
        if bits:
            connections[pin] = list(bits)
        elif directions[pin] != "output":
            connections[pin] = ["x"]
    parameters = dict(cell["parameters"])
    if cell["type"] in _PIN_MUXES:
        _settle(name, parameters, connections)
    return {
        "type": _kind(cell, connections),
        "parameters": parameters,
        "port_directions": directions,
        "connections": connections,
    }


def _kind(cell: Mapping[str, Any], connections: Mapping[str, list[int | str]]) -> str:
    """Name what a cell is used as."""
    kind: str = cell["type"]
    if kind == "TRELLIS_COMB":
        mode = cell["parameters"].get("MODE", "LOGIC").strip()
        if mode != "LOGIC":
            return f"{kind}_{mode}"
        if any(connections.get(pin, ["x"]) != ["x"] for pin in ("FXA", "FXB")):
            return f"{kind}_L6MUX"
        return f"{kind}_PFUMX" if "OFX" in connections else kind
    if kind == "ICESTORM_LC" and int(cell["parameters"]["DFF_ENABLE"], 2):
        return f"{kind}_DFF"
    return kind


def _settle(name: str, parameters: dict[str, str], connections: dict[str, list[int | str]]) -> None:
    """Put the constants that multiplexers before pins give into the connections.

    `INV` before a pin that nothing drives, which reads 1, is how nextpnr writes a 0.
    """
    for pin in [*connections]:
        value = parameters.get(f"{pin}MUX", pin).strip()
        if pin.startswith("CLK"):
            continue  # what is inverted here is for the model to say
        parameters.pop(f"{pin}MUX", None)
        if value in ("0", "1"):
            connections[pin] = [value]
        elif value == "INV" and connections[pin] == ["x"]:
            connections[pin] = ["0"]
        elif value == pin:
            connections[pin] = ["1"] if connections[pin] == ["x"] else connections[pin]
        else:
            raise InputError(f"cell {name}", f"{pin}MUX = {value} is not simulated")
