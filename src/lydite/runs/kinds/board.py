# SPDX-License-Identifier: Apache-2.0
"""Jobs that make bitstreams: a core joined to a board's UART, proven, mapped, placed and packed.

Clocks of one search differ in the PLL's parameters alone: they are set in the mapped netlist, and
the placement has the same seed. That it comes out the same is told, and looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest, files
from lydite.base.errors import CheckFailed, InputError, ToolFailed
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds.hardware import DEFAULT_TIMEOUT_S, DESIGN_FREE, LOG_FILE, Prepare, Verify
from lydite.runs.store import Store
from lydite.sim import build, framing
from lydite.sim.board import link, records, simulated, wrapper
from lydite.sim.board.simulated import SimulatedBoard
from lydite.sim.routed import stimulus
from lydite.targets.boards import Board, Fitted
from lydite.targets.pll import Setting
from lydite.tools import nextpnr, packer, progress, routed, verilator, yosys
from lydite.tools.tool import Tool

TOP_FILE = f"{wrapper.TOP}.v"
CONSTRAINTS_FILE = "board.constraints"
# The board, as `targets.boards.Board`.
BOARD_FILE = "board.json"
_CONSTRAINTS_FLAGS = {"ecp5": "--lpf", "ice40": "--pcf"}
# Cells of PLLs, and their pins that give the core's clock.
_PLL_CELLS = {
    "EHXPLLL": "CLKOS",
    "SB_PLL40_CORE": "PLLOUTGLOBAL",
    "SB_PLL40_2_PAD": "PLLOUTGLOBALB",
}
# Bits that a parameter has in a netlist of Yosys.
_WIDTHS = {"DIVR": 4, "DIVF": 7, "DIVQ": 3, "FILTER_RANGE": 3}
# Of the proof by simulation: messages, cycles of a bit of the UART, clocks.
_MESSAGES, _DIVIDER, _CRYSTAL_MHZ, _CORE_MHZ = 8, 4, 100.0, 73.0
SEED = hashed("board", 0)


@dataclass(frozen=True)
class MapBoard(Job):
    """Join a design to a board's UART, prove that by simulation over the UART, and map it."""

    proof: Verify
    fitted: Fitted
    timeout_s: float = DEFAULT_TIMEOUT_S
    kind = "board-netlist"

    @property
    def label(self) -> str:
        return f"board {self.proof.design.label} on {self.fitted.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof,)

    def _script(self, on_board: wrapper.OnBoard) -> str:
        return yosys.board_script(
            on_board.sources.verilog,
            wrapper.INNER,
            [wrapper.PLLS[self.fitted.kind].name, TOP_FILE],
            wrapper.TOP,
            self.fitted.target,
            includes=on_board.sources.includes,
            defines=on_board.sources.defines,
            defer=yosys.has_text(self.proof.design.parameters),
        )

    def inputs(self) -> Mapping[str, Any]:
        design = self.proof.design
        on_board = wrapper.wrap(design, self.fitted.board)
        return {
            "proof": self.proof.key,
            "design": said(design, without=DESIGN_FREE),
            "sources": on_board.sources.digest,
            "top": wrapper.top(self.fitted),
            "seed": self.proof.seed,
            "name": self.fitted.name,
            "pll": digest.of_file(wrapper.PLLS[self.fitted.kind]),
            "script": self._script(on_board),
            "harness": build.digest_of_harness(simulated.HARNESS),
            "code": [code.of(type(self), link, records, simulated, stimulus)],
            "tools": [yosys.find().identity, verilator.find().identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        design, board = self.proof.design, self.fitted.board
        # For who proves it again from the artefacts.
        (work / BOARD_FILE).write_bytes(msgspec.json.encode(board))
        proven = prove(design, board, self.fitted.name, self.proof.seed)
        on_board = wrapper.wrap(design, board)
        on_board.sources.copy_to(work)
        pll = wrapper.PLLS[self.fitted.kind]
        (work / pll.name).write_bytes(pll.read_bytes())
        (work / TOP_FILE).write_text(wrapper.top(self.fitted))
        (work / "synthesis.ys").write_text(self._script(on_board))
        outcome = Outcome()
        tool = yosys.find()
        argv = yosys.command(tool, "synthesis.ys")
        outcome.tool(tool, argv, cwd=work, log="synthesis.log", timeout_s=self.timeout_s).checked(
            log=work / "synthesis.log", pick=yosys.errors
        )
        yosys.check_netlist((work / yosys.NETLIST_FILE).read_bytes())
        outcome.result = {
            **proven,
            "identity": f"{on_board.identity:08x}",
            "netlist_sha256": digest.of_file(work / yosys.NETLIST_FILE),
        }
        return outcome


def prove(design: Design, board: Board, name: str, seed: int) -> dict[str, Any]:
    """Run a few messages, drawn by a seed, through the simulated board, over its UART.

    Raises
    ------
    CheckFailed
        One comes out wrong.
    """
    on_board = wrapper.wrap(design, board, divider=_DIVIDER)
    jobs = stimulus.jobs(design, "random", _MESSAGES, seed)
    groups, left_out = records.groups(on_board, [framing.call(design, job) for job in jobs])
    with SimulatedBoard(on_board, _CRYSTAL_MHZ, _CORE_MHZ) as simulation:
        line = link.Link(simulation, on_board, where=f"simulated {name}")
        line.check(_CORE_MHZ, _CRYSTAL_MHZ)
        ran = line.run(groups)
    if ran.first is not None:
        place = f"message {ran.wrong[0]}, on the simulated board, over its UART"
        raise CheckFailed(*ran.first, place)
    return {"simulated_messages": len(jobs) - left_out, "simulated_cycles": ran.cycles}


@dataclass(frozen=True)
class Bitstream(Job):
    """Place, route and pack the netlist of a board with one setting of its PLL."""

    netlist: MapBoard
    setting: Setting
    seed: int = SEED
    timeout_s: float = DEFAULT_TIMEOUT_S
    kind = "bitstream"

    @property
    def label(self) -> str:
        mapped = self.netlist
        return f"bitstream {mapped.proof.design.label} on {mapped.fitted.name}, {self._mhz} MHz"

    @property
    def _mhz(self) -> str:
        return f"{self.setting.mhz:.4f}".rstrip("0").rstrip(".")

    @property
    def _tool(self) -> Tool:
        return nextpnr.find(self.netlist.fitted.target.family.placed().tool)

    @property
    def needs(self) -> tuple[Job, ...]:
        packs = packer.find(self.netlist.fitted.board.packer)
        return (self.netlist, Prepare(self._tool), Prepare(packs))

    def _arguments(self) -> tuple[str, ...]:
        fitted = self.netlist.fitted
        placement = fitted.target.family.placed()
        return (
            *fitted.flags,
            *("--json", yosys.NETLIST_FILE, "--seed", str(self.seed)),
            *("--timing-allow-fail", "--report", nextpnr.REPORT_FILE),
            *(placement.config_flag, nextpnr.CONFIG_FILE, "--write", routed.ROUTED_FILE),
            *(_CONSTRAINTS_FLAGS[fitted.kind], CONSTRAINTS_FILE),
        )

    def inputs(self) -> Mapping[str, Any]:
        fitted = self.netlist.fitted
        return {
            "netlist": self.netlist.key,
            "parameters": dict(self.setting.parameters),
            "arguments": self._arguments(),
            "constraints": fitted.constraints,
            "code": code.of(type(self), nextpnr),
            "tools": [self._tool.identity, packer.find(fitted.board.packer).identity],
        }

    def progress(self, work: Path) -> str:
        return progress.of_nextpnr(files.tail(work / LOG_FILE))

    def run(self, work: Path, store: Store) -> Outcome:
        fitted = self.netlist.fitted
        given = store.read(self.netlist.key, yosys.NETLIST_FILE)
        (work / yosys.NETLIST_FILE).write_text(configured(given, dict(self.setting.parameters)))
        (work / CONSTRAINTS_FILE).write_text(fitted.constraints)
        tool = self._tool
        argv = (*tool.argv, *self._arguments())
        outcome = Outcome()
        run = outcome.tool(tool, argv, cwd=work, log=LOG_FILE, timeout_s=self.timeout_s)
        if run.rc != 0 and nextpnr.too_large(run.output):
            what = f"the design and what joins it to the UART are too large for {fitted.name}"
            hint = (
                f"nextpnr says: {nextpnr.errors(run.output)}\n  choose a board with a larger part"
            )
            raise InputError("--board", what, hint)
        run.checked(log=work / LOG_FILE, pick=nextpnr.errors)
        pack = packer.find(fitted.board.packer)
        argv = packer.command(pack, nextpnr.CONFIG_FILE)
        outcome.tool(pack, argv, cwd=work, log="pack.log", timeout_s=self.timeout_s).checked()
        bitstream = work / packer.file(pack.name)
        if not bitstream.exists():
            raise ToolFailed(argv, 0, name=pack.name, tail=f"it wrote no {bitstream.name}")
        outcome.result = {
            "mhz": self.setting.mhz,
            "vco_mhz": float(self.setting.vco_mhz),
            "parameters": dict(self.setting.parameters),
            **found(work, given, bitstream),
        }
        for name in (yosys.NETLIST_FILE, routed.ROUTED_FILE):
            (work / name).unlink()  # large, and made again from the netlist in a minute
        return outcome


def found(work: Path, netlist: bytes, bitstream: Path) -> dict[str, Any]:
    """Give what the tools wrote of a placed board, as a record has it."""
    return {
        **static(json.loads((work / nextpnr.REPORT_FILE).read_text()), core_clock(netlist)),
        "placed_sha256": placed(json.loads((work / routed.ROUTED_FILE).read_text())),
        "bitstream_sha256": digest.of_file(bitstream),
        "bitstream_bytes": bitstream.stat().st_size,
    }


def configured(netlist: bytes, setting: Mapping[str, int]) -> str:
    """Give a mapped netlist with the parameters of its PLL set."""
    found = json.loads(netlist)
    parameters = _pll(found)["parameters"]
    for name, value in setting.items():
        assert name in parameters, f"the PLL has no {name}"
        parameters[name] = f"{value:0{_WIDTHS.get(name, 32)}b}"
    return json.dumps(found)


def _pll(netlist: Mapping[str, Any]) -> dict[str, Any]:
    cells = netlist["modules"][wrapper.TOP]["cells"].values()
    [found] = (cell for cell in cells if cell["type"] in _PLL_CELLS)
    cell: dict[str, Any] = found
    return cell


def core_clock(netlist: bytes) -> frozenset[str]:
    """Give all names of the net of the core's clock: placers take any of them."""
    found = json.loads(netlist)
    cell = _pll(found)
    bits = cell["connections"][_PLL_CELLS[cell["type"]]]
    nets = found["modules"][wrapper.TOP]["netnames"]
    return frozenset(name for name, net in nets.items() if net["bits"] == bits)


def static(report: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Read the core's clock out of nextpnr's report, and whether its slowest path is in the core.

    Parameters
    ----------
    names : collection of str
        Of the net of that clock; nextpnr puts `$glbnet$` before it, or `$` or `_$` and more behind.

    Raises
    ------
    CheckFailed
        It has none.
    """
    clocks = {
        name: one
        for name, one in report["fmax"].items()
        if re.sub(r"_?\$.*", "", name.removeprefix("$glbnet$")) in names
    }
    if len(clocks) != 1:
        raise CheckFailed("one clock of the core", ", ".join(report["fmax"]), "nextpnr's report")
    [(clock, one)] = clocks.items()
    path = next(
        entry["path"]
        for entry in report["critical_paths"]
        if {entry[end].partition(" ")[2] for end in ("from", "to")} == {clock}
    )
    ends = (path[0]["from"]["cell"], path[-1]["to"]["cell"])
    others = [float(o["achieved"]) for name, o in report["fmax"].items() if name != clock]
    return {
        "static_mhz": float(one["achieved"]),
        "static_in_core": all(cell.startswith(wrapper.CORE) for cell in ends),
        "static_ends": list(ends),
        "bridge_mhz": min(others, default=None),
        "utilization": {
            name: [entry["used"], entry["available"]]
            for name, entry in report["utilization"].items()
            if entry["used"]
        },
    }


def placed(netlist: Mapping[str, Any]) -> str:
    """Digest of where cells are and how nets run, whatever the cells are set to."""
    [module] = (one for one in netlist["modules"].values() if "NEXTPNR_BEL" in json.dumps(one))
    cells = {n: c["attributes"].get("NEXTPNR_BEL", "") for n, c in module["cells"].items()}
    nets = {n: c["attributes"].get("ROUTING", "") for n, c in module["netnames"].items()}
    return digest.of_value({"cells": cells, "nets": nets})


def plan(proof: Verify, fitted: Fitted, setting: Setting, timeout_s: float) -> Bitstream:
    """Plan a bitstream; settings of one board share its netlist.

    Raises
    ------
    InputError
        The design cannot be joined to a board.
    """
    return Bitstream(MapBoard(proof, fitted, timeout_s), setting, timeout_s=timeout_s)
