# SPDX-License-Identifier: Apache-2.0
"""Finds what clocks the registers, memories and latches of a module, in Yosys' own cells.

The module is flat and not yet mapped, so that one table of cells serves all families, and registers
have the names that the source gives them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

Edge = Literal["rising", "falling", "level"]
_REGISTERS = re.compile(r"\$(?:dff|dffe|adff|adffe|sdff|sdffe|sdffce|aldff|aldffe|dffsr|dffsre)$")
# Cells of a netlist that Yosys wrote as Verilog: the clock's polarity is the first letter.
_GATES = re.compile(r"\$_(?:S|AL)?DFF(?:CE|SRE?|E)?_([NP])")
_LATCHES = re.compile(r"\$(?:a?dlatch(?:sr)?|sr)$|\$_(?:DLATCH|SR)")
_MEMORIES = re.compile(r"\$mem(?:rd|wr)(?:_v2)?$")
_INVERTERS = {"$not": "A", "$logic_not": "A", "$_NOT_": "A"}
_BUFFERS = {"$pos": "A", "$buf": "A", "$_BUF_": "A"}
# What only tells a simulator something.
_SILENT = re.compile(r"\$(?:print|check|assert|assume|cover|scopeinfo)$")


class Domain(msgspec.Struct, frozen=True, kw_only=True):
    """Registers that one edge of one clock moves.

    Attributes
    ----------
    clock : str
        An input port; or, where `derived`, what makes the clock, in words.
    edge : str
        `rising`, `falling`; `level` for latches.
    derived : bool
        Whether the clock is made inside: gated, divided, a constant.
    registers : tuple of str
        Registers and memories, each with its place in the source.
    bits : int
        Bits that they hold; of memories only the ports are counted.
    """

    clock: str
    edge: Edge
    derived: bool
    registers: tuple[str, ...]
    bits: int


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """What clocks a module.

    Attributes
    ----------
    domains : tuple of Domain
        The largest first.
    as_data : tuple of str
        Where an input port that is a clock is read as data, too.
    """

    domains: tuple[Domain, ...]
    as_data: tuple[str, ...]

    @property
    def ports(self) -> tuple[str, ...]:
        """Input ports that clock something, that of the most bits first."""
        edges = [d for d in self.domains if not d.derived and d.edge != "level"]
        return tuple(dict.fromkeys(domain.clock for domain in edges))


def find(module: Mapping[str, Any]) -> Clocks:
    """Give the clocks of a flat module, as Yosys writes it in JSON."""
    return _Finder(module).clocks()


class _Finder:
    def __init__(self, module: Mapping[str, Any]) -> None:
        self._cells: Mapping[str, Mapping[str, Any]] = module["cells"]
        self._inputs = {
            bit: name
            for name, port in module["ports"].items()
            if port["direction"] == "input"
            for bit in port["bits"]
        }
        self._names: dict[int, str] = {}
        for name, net in module["netnames"].items():
            if not net["hide_name"]:
                for bit in net["bits"]:
                    self._names.setdefault(bit, name)
        self._drivers = {
            bit: name
            for name, cell in self._cells.items()
            for port, direction in cell["port_directions"].items()
            if direction == "output"
            for bit in cell["connections"][port]
        }

    def clocks(self) -> Clocks:
        registers: dict[tuple[str, Edge, bool], list[str]] = defaultdict(list)
        bits: dict[tuple[str, Edge, bool], int] = defaultdict(int)
        for cell, port, edge, width in self._clocked():
            clock, derived, inverted = self._root(self._cells[cell]["connections"][port][0])
            if inverted and edge != "level":
                edge = "falling" if edge == "rising" else "rising"
            key = (clock, edge, derived)
            registers[key].append(self._register(cell))
            bits[key] += width
        domains = [
            Domain(
                clock=c, edge=e, derived=d, registers=tuple(dict.fromkeys(names)), bits=bits[key]
            )
            for key, names in registers.items()
            for c, e, d in [key]
        ]
        domains.sort(key=lambda d: (-d.bits, d.clock, d.edge))
        return Clocks(domains=tuple(domains), as_data=self._as_data(domains))

    def _clocked(self) -> Iterator[tuple[str, str, Edge, int]]:
        """Give cell, clock port, edge and bits of all that is clocked."""
        for name, cell in self._cells.items():
            kind, parameters = cell["type"], cell["parameters"]
            width = len(cell["connections"].get("Q", cell["connections"].get("DATA", ())))
            if _REGISTERS.match(kind):
                yield name, "CLK", _edge(parameters["CLK_POLARITY"]), width
            elif gate := _GATES.match(kind):
                yield name, "C", _edge("01"[gate[1] == "P"]), width
            elif _MEMORIES.match(kind):
                if int(parameters["CLK_ENABLE"], 2):
                    yield name, "CLK", _edge(parameters["CLK_POLARITY"]), width
            elif _LATCHES.match(kind):
                enables = ("EN", "E", "SET", "S")
                yield name, next(p for p in enables if p in cell["connections"]), "level", width

    def _root(self, bit: int | str) -> tuple[str, bool, bool]:
        """Give the clock behind a bit, whether it is made inside, and whether it is inverted."""
        inverted = False
        seen: set[int | str] = set()
        while bit not in self._inputs and bit in self._drivers and bit not in seen:
            seen.add(bit)
            cell = self._cells[self._drivers[bit]]
            kind = cell["type"]
            through = _INVERTERS.get(kind) or _BUFFERS.get(kind)
            if through is None or len(cell["connections"][through]) != 1:
                break
            inverted ^= kind in _INVERTERS
            bit = cell["connections"][through][0]
        if bit in self._inputs:
            return self._inputs[bit], False, inverted
        return self._made(bit), True, inverted

    def _made(self, bit: int | str) -> str:
        """Say what drives a clock that is no input."""
        if isinstance(bit, str):
            return f"the constant {bit}"
        name = self._names.get(bit, "")
        driver = self._drivers.get(bit)
        if driver is None:
            return f"{name or 'a net'}, which nothing drives"
        kind = self._cells[driver]["type"]
        if _REGISTERS.match(kind) or _GATES.match(kind):
            return f"the register {self._register(driver)}"
        where = _place(self._cells[driver])
        return f"the logic of {name}{f' ({where})' if where else ''}" if name else f"logic {where}"

    def _register(self, cell: str) -> str:
        """Give a register's name and its place."""
        entry = self._cells[cell]
        if "MEMID" in entry["parameters"]:
            name = entry["parameters"]["MEMID"].lstrip("\\")
        else:
            outputs = entry["connections"].get("Q", entry["connections"].get("DATA", ()))
            names = [self._names[bit] for bit in outputs if bit in self._names]
            name = names[0] if names else cell
        where = _place(entry)
        return f"{name} ({where})" if where else name

    def _as_data(self, domains: list[Domain]) -> tuple[str, ...]:
        clocks = {d.clock for d in domains if not d.derived and d.edge != "level"}
        bits = {bit: name for bit, name in self._inputs.items() if name in clocks}
        pins = {(cell, port) for cell, port, _, _ in self._clocked()}
        found = []
        for name, cell in self._cells.items():
            if cell["type"] in _INVERTERS or cell["type"] in _BUFFERS:
                continue  # what they drive is a clock, or is said to be made of one
            for port, direction in cell["port_directions"].items():
                if direction != "input" or (name, port) in pins or _SILENT.match(cell["type"]):
                    continue
                read = next((bits[b] for b in cell["connections"][port] if b in bits), "")
                if read:
                    where = _place(cell)
                    found.append(f"{read} ({where})" if where else read)
        return tuple(dict.fromkeys(found))


def _edge(polarity: str) -> Edge:
    return "rising" if int(polarity, 2) else "falling"


def _place(cell: Mapping[str, Any]) -> str:
    """Give `file:line` of a cell."""
    source: str = cell["attributes"].get("src", "").partition("|")[0]
    return re.sub(r"\.\d+(?:-\d+\.\d+)?$", "", source)
