# SPDX-License-Identifier: Apache-2.0
"""Names the ends of timed paths as the Verilog does: registers, memories, instead of cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from lydite.tools.sdf import End


class Route(msgspec.Struct, frozen=True):
    """The slowest path between two registers or memories of a design, over all their bits.

    Attributes
    ----------
    source, sink : tuple of str
        Names that the netlist has for each: hierarchical, with dots, without an index; of a cell
        with many outputs its own name.
    delay_ns : float
        From clock edge to clock edge, set-up included.
    """

    source: tuple[str, ...]
    sink: tuple[str, ...]
    delay_ns: float


def names(netlist: str, top: str) -> Names:
    """Read what the cells of a flat netlist drive.

    Parameters
    ----------
    netlist : str
        JSON of Yosys, from which the placement was made.
    """
    return Names(json.loads(netlist)["modules"][top])


def routes(ends: Iterable[End], names: Names) -> tuple[Route, ...]:
    """Give the slowest of the given paths between each two registers, slowest first."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], float] = {}
    for end in ends:
        key = names.of(end.cells[0]), names.of(end.cell)
        found[key] = max(end.delay_ns, found.get(key, 0.0))
    rows = [Route(source, sink, delay) for (source, sink), delay in found.items()]
    return tuple(sorted(rows, key=lambda row: (-row.delay_ns, row.source, row.sink)))


class Names:
    """What the cells of a flat module drive.

    Yosys calls a net, or a cell, that has no name after the cell and its port next to it, or the
    net: `a_q_LUT4_D_Z`. Only the register itself is told by such a name, `a_q_TRELLIS_FF_Q_3`.
    """

    def __init__(self, module: Mapping[str, Any]) -> None:
        self._cells: Mapping[str, Any] = module["cells"]
        types = sorted({cell["type"] for cell in self._cells.values()})
        self._made = re.compile(rf"_(?:{'|'.join(map(re.escape, types))})_")
        self._nets: dict[int, list[str]] = {}
        for name, net in module["netnames"].items():
            if net["hide_name"] or self._made.search(name):
                continue
            for bit in net["bits"]:
                if isinstance(bit, int):
                    self._nets.setdefault(bit, []).append(name.partition("[")[0])
        self._behind = {
            bit: name
            for name, cell in self._cells.items()
            for bit in (
                cell["connections"].get("D", []) if cell["type"].startswith("SB_DFF") else []
            )
        }
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, cell: str) -> tuple[str, ...]:
        """Give the names of a cell's one output, or its own."""
        if cell not in self._known:
            self._known[cell] = self._find(cell)
        return self._known[cell]

    def _find(self, cell: str) -> tuple[str, ...]:
        cell = self.mapped(cell)
        if cell not in self._cells:
            return (cell,)
        entry = self._cells[cell]
        outputs = [
            (port, bit)
            for port, direction in entry["port_directions"].items()
            if direction == "output"
            for bit in entry["connections"][port]
        ]
        if len(outputs) != 1:
            return (cell,)
        port, bit = outputs[0]
        names = set(self._nets.get(bit, ()))
        stem, found, _ = cell.rpartition(f"_{entry['type']}_{port}")
        if found and not self._made.search(stem):
            names.add(stem.partition("[")[0])
        return tuple(sorted(names, key=lambda name: (len(name), name))) or (cell,)

    def mapped(self, cell: str) -> str:
        """Give the cell of the netlist that a placed cell, or a part of it, is."""
        while cell not in self._cells and "$" in cell[1:]:
            cell = cell.rpartition("$")[0]
        # nextpnr-ice40 calls a register's cell after the register, or after the table before it.
        alone = cell.removesuffix("_DFFLC")
        table = cell.removesuffix("_LC")
        if alone in self._cells:
            return alone
        return self._behind.get(self._output(table), cell) if table in self._cells else cell

    def _output(self, cell: str) -> int:
        bits = self._cells[cell]["connections"].get("O", [-1])
        return bits[0] if isinstance(bits[0], int) else -1
