# SPDX-License-Identifier: Apache-2.0
"""Where a core begins and ends in its routed netlist: at the registers of the measuring wrapper.

Nets inside of the chip's cells have no name any more, registers do. Each input of the core is a
register of the wrapper, and so is each output; cycle by cycle what the former are given goes
through the core to the latter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydite.base.errors import InputError
from lydite.sim import mapped
from lydite.targets.models import Models
from lydite.tools import yosys
from lydite.tools.routed import ROUTED_FILE, Routed
from lydite.tools.routes import Names
from lydite.tools.yosys import Port

# Cells that hand a net on to the chip's own wires.
BUFFERS = {
    "DCCA": ("CLKI", "CLKO"),
    "SB_GB": ("USER_SIGNAL_TO_GLOBAL_BUFFER", "GLOBAL_BUFFER_OUTPUT"),
}
# Pins by which memories are clocked.
MEMORY_CLOCKS = {
    "TRELLIS_COMB_DPRAM": ("WCK",),
    "DP16KD": ("CLKA", "CLKB"),
    "ICESTORM_RAM": ("RCLK", "WCLK"),
}


@dataclass(frozen=True)
class Boundary:
    """The registers around a core.

    Attributes
    ----------
    inputs : mapping
        Input port, without the clock, to the cell that drives each bit; empty where nothing in the
        core reads it.
    outputs : mapping
        Output port to the cell that takes each bit; "0" or "1" where it is constant.
    clock_nets : tuple of int
        The nets on which the one clock reaches registers and memories.
    """

    inputs: Mapping[str, tuple[str, ...]]
    outputs: Mapping[str, tuple[str, ...]]
    clock_nets: tuple[int, ...]


def find(
    routed: Routed,
    models: Models,
    mapping: tuple[str, str],
    module: str,
    top: str,
    ports: Sequence[Port],
    clock: str,
) -> Boundary:
    """Find a core.

    Parameters
    ----------
    mapping : tuple of str
        Yosys' JSON of the netlist that was placed, and of the boundary in it
        (`tools.yosys.NETLIST_FILE`, `BOUNDARY_FILE`).
    module, top : str
        The netlist's module; the core's.
    clock : str
        The core's port.

    Raises
    ------
    InputError
        There is no clock, or more than one; or a port is not there.
    """
    netlist, around = (json.loads(text)["modules"][module] for text in mapping)
    cells = netlist["cells"]
    nets = mapped.port_nets(cells, around, ports, top)
    names = Names(netlist)
    placed = {names.mapped(name): name for name in _registers(routed, models)}
    drivers, takers = _wrapper(cells, mapped_core=f"{yosys.CORE}.")
    inputs, outputs = {}, {}
    for port in ports:
        if port.name == clock:
            continue
        if port.direction == "input":
            found = (placed.get(drivers.get(net, ""), "") for net in nets[port.name])
            inputs[port.name] = tuple(found)
            continue
        bits = []
        for index, net in enumerate(nets[port.name]):
            cell = str(net) if net in ("0", "1") else placed.get(takers.get(net, ""), "")
            if not cell:
                what = "no register of the measuring wrapper takes this output"
                raise InputError(f"{ROUTED_FILE}: {top}: {port.name}[{index}]", what)
            bits.append(cell)
        outputs[port.name] = tuple(bits)
    return Boundary(inputs, outputs, clock_nets(routed, models))


def _registers(routed: Routed, models: Models) -> list[str]:
    return [
        name
        for name, cell in routed.cells.items()
        if (model := models.cells.get(cell["type"])) is not None and model.register is not None
    ]


def _wrapper(
    cells: Mapping[str, Any], *, mapped_core: str
) -> tuple[dict[int | str, str], dict[int | str, str]]:
    """Give the wrapper's registers by the net that each drives, and by that which it takes."""
    drivers: dict[int | str, str] = {}
    takers: dict[int | str, str] = {}
    for name, cell in cells.items():
        pins = cell["connections"]
        if name.startswith(mapped_core) or "Q" not in pins:
            continue
        drivers[pins["Q"][0]] = name
        for pin in ("D", "DI", "M"):
            for bit in pins.get(pin, ()):
                # Of two registers that take the same net any will do.
                takers.setdefault(bit, name)
    return drivers, takers


def clock_nets(routed: Routed, models: Models) -> tuple[int, ...]:
    """Give the nets of the one clock.

    Raises
    ------
    InputError
        There is none, more than one, or one that is made inside of the chip.
    """
    roots: dict[str, tuple[str, set[int]]] = {}
    for name, cell in routed.cells.items():
        model = models.cells.get(cell["type"])
        pins = MEMORY_CLOCKS.get(cell["type"], ())
        if model is not None and model.register is not None:
            pins = (model.register.clock,)
        for pin in pins:
            bit = cell["connections"].get(pin, ["x"])[0]
            if isinstance(bit, int) and not _constant(routed, root := _root(routed, bit)):
                roots.setdefault(root, (name, set()))[1].add(bit)
    if len(roots) != 1:
        told = "; ".join(f"{root} clocks {name}" for root, (name, _) in sorted(roots.items()))
        what = f"{len(roots)} clocks: {told}" if roots else "nothing in it is clocked"
        raise InputError(ROUTED_FILE, what, "a core with one clock is simulated")
    ((root, (name, nets)),) = roots.items()
    if root not in routed.pads:
        what = f"the clock of {name} is made inside, by {root}"
        raise InputError(ROUTED_FILE, what, "a clock that comes in by a port is simulated")
    return tuple(sorted(nets))


def _constant(routed: Routed, name: str) -> bool:
    """Whether a cell reads nothing: the clock of a port that is not used."""
    cell = routed.cells.get(name)
    return (
        cell is not None
        and name not in routed.pads
        and all(
            bits == ["x"]
            for pin, bits in cell["connections"].items()
            if cell["port_directions"][pin] == "input"
        )
    )


def _root(routed: Routed, net: int) -> str:
    """Give the cell behind a clock, past buffers."""
    name, _ = routed.drivers.get(net, ("a net that nothing drives", ""))
    while name in routed.cells and routed.cells[name]["type"] in BUFFERS:
        given, _ = BUFFERS[routed.cells[name]["type"]]
        (bit,) = routed.cells[name]["connections"].get(given, ["x"])
        name, _ = routed.drivers.get(bit, ("a net that nothing drives", ""))
    return name
