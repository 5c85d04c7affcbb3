# SPDX-License-Identifier: Apache-2.0
"""The routed netlist of a core as Verilog, without delays: what is left to prove after the mapped.

Packing, constants, carry chains, RAM in logic, and what stands before pins: all that place and
route made of the netlist of Yosys. The harness of sources runs it as it runs these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lydite.base.errors import InputError
from lydite.sim import mapped
from lydite.sim.cells import Lowered, Signal, lower
from lydite.sim.mapped import Core, Mapped
from lydite.sim.routed.boundary import Boundary
from lydite.targets.models import Models
from lydite.tools.routed import ROUTED_FILE, Routed
from lydite.tools.yosys import Port

# What models of registers call that which they take, before enable and reset.
DATA = "data"


def written(
    routed: Routed,
    boundary: Boundary,
    models: Models,
    top: str,
    ports: Sequence[Port],
    clock: str,
) -> Mapped:
    """Write the core of a routed netlist.

    Raises
    ------
    InputError
        A cell has no model, or not for what it is told to do; the message names it.
    """
    cells = routed.cells
    nets: dict[str, list[Signal]] = {clock: [f"port {clock}"]}
    takers: dict[str, Lowered] = {}
    for name, drivers in boundary.inputs.items():
        nets[name] = [
            driver_net(routed, models, cell) if cell else f"unused {name} {index}"
            for index, cell in enumerate(drivers)
        ]
    for name, ends in boundary.outputs.items():
        nets[name] = []
        for cell in ends:
            if cell in ("0", "1"):
                nets[name].append(cell)
                continue
            takers.setdefault(cell, _taken(cell, lower(cell, cells[cell], models)))
            nets[name].append(f"{cell}/{DATA}")
    core = Core(ports, nets, more=dict.fromkeys(boundary.clock_nets, clock))
    starts = [net for taken in takers.values() for table in taken.tables for net in table.inputs]
    names = mapped.reached(cells, core.inputs(), starts)
    for made in (*takers.values(), *(lower(name, cells[name], models) for name in names)):
        # A table may have its own output, through a carry, at a pin that it ignores.
        tables = tuple(table.reduced() for table in made.tables)
        core.lowered.append(replace(made, tables=tables))
    return mapped.written(core, top, [cells[name]["type"] for name in names], models)


def driver_net(routed: Routed, models: Models, cell: str) -> int:
    """Give the net that a register drives."""
    register = models.cells[routed.cells[cell]["type"]].register
    assert register is not None, "the boundary is of registers"
    (net,) = routed.cells[cell]["connections"][register.q]
    assert isinstance(net, int), "an output drives a net"
    return net


def _taken(cell: str, lowered: Lowered) -> Lowered:
    """Give the tables of a register of the wrapper before its own enable and reset."""
    tables = tuple(table for table in lowered.tables if table.name == DATA)
    if not tables:
        what = "does not say what the register takes"
        raise InputError(f"{ROUTED_FILE}: cell {cell}", what)
    return Lowered(tables)
