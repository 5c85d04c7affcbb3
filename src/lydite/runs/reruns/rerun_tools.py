# SPDX-License-Identifier: Apache-2.0
"""Runs of tools, made again by their own commands: compile, map, place, pack."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import digest
from lydite.runs.kinds import apart, board, candidate, compilation, timing, wrapper
from lydite.runs.kinds.candidate import Estimated, Proven, Request
from lydite.runs.rerun import NEXTPNR, Made, Rerun, plain
from lydite.targets import pll
from lydite.targets.boards import Board
from lydite.tools import nextpnr, packer, paths, routed, routes, sdf, yosys


def compiled(run: Rerun) -> Made:
    """Compile the copies of the C again."""
    names = (*run.result.get("files", ()), compilation.REPORT_FILE)
    for name in names:
        (run.work / name).unlink(missing_ok=True)
    request = (run.work / compilation.REQUEST_FILE).read_bytes()
    module, answer = compilation.__name__, compilation.REPORT_FILE
    apart.ask(module, request, run.work, answer=answer, timeout_s=None)
    report = msgspec.json.decode((run.work / answer).read_bytes())
    return Made(report["summary"], files=names)


def mapped(run: Rerun) -> Made:
    """Map again, and count cells."""
    names = (yosys.NETLIST_FILE, yosys.STAT_FILE)
    run.command(run.record.commands[-1], *names)
    cells = yosys.parse_cells((run.work / yosys.STAT_FILE).read_text(), exclude=wrapper.TOP)
    area = _area(cells, run.inputs["cells"], run.result["area"])
    return Made({"cells": cells, "area": area, **_netlist(run.work)}, files=names)


def _area(
    cells: Mapping[str, int], weights: Mapping[str, Mapping[str, str]], units: Iterable[str]
) -> dict[str, float]:
    """Give what cells occupy together, by the weights that stood in the run's key."""
    total = dict.fromkeys(units, 0.0)
    for cell, count in cells.items():
        one = next((w for name, w in weights.items() if fnmatch.fnmatchcase(cell, name)), {})
        for unit, weight in one.items():
            total[unit] = total.get(unit, 0.0) + float(weight) * count
    return total


def _netlist(work: Path) -> dict[str, Any]:
    return {"netlist_sha256": digest.of_file(work / yosys.NETLIST_FILE)}


def placed(run: Rerun) -> Made:
    """Place and route again, and read what a record has of clocks and of what is used."""
    names = (nextpnr.CONFIG_FILE, nextpnr.REPORT_FILE)
    run.take("synthesis", yosys.NETLIST_FILE)
    run.command(run.record.commands[-1], *names)
    report = nextpnr.parse_report((run.work / nextpnr.REPORT_FILE).read_text(), NEXTPNR)
    named = routes.names((run.work / yosys.NETLIST_FILE).read_text(), wrapper.TOP)
    delays = sdf.parse((run.work / sdf.DELAYS_FILE).read_text())
    classes = paths.classify(delays, named, wrapper.CORE)
    mixed = bool(run.others["synthesis"].inputs.get("mixed_clocks"))
    clock = timing.result(report, classes, named, wrapper.CORE, mixed=mixed)
    found = {
        **(clock or {"fmax_mhz": 0.0}),
        "utilization": report.utilization,
        "config_sha256": digest.of_file(run.work / nextpnr.CONFIG_FILE),
    }
    if "routes" in run.result:
        found["routes"] = msgspec.to_builtins(routes.routes(sdf.ends(delays), named))
    return Made(plain(found), files=names, told=f"{found['fmax_mhz']:.2f} MHz")


def board_mapped(run: Rerun) -> Made:
    """Prove a design on its simulated board again, and map both."""
    run.command(run.record.commands[-1], yosys.NETLIST_FILE)
    kept = _netlist(run.work)
    run.take("verify")
    proven = board.prove(run.design(), _board(run), run.inputs["name"], run.inputs["seed"])
    told = f"{proven['simulated_messages']} messages over the UART"
    return Made({**proven, **kept}, files=(yosys.NETLIST_FILE,), told=told)


def _board(run: Rerun) -> Board:
    return msgspec.json.decode((run.work / board.BOARD_FILE).read_bytes(), type=Board)


def packed(run: Rerun) -> Made:
    """Place, route and pack a board's netlist again."""
    run.take("board-netlist", yosys.NETLIST_FILE)
    netlist = run.work / yosys.NETLIST_FILE
    given, parameters = netlist.read_bytes(), run.inputs["parameters"]
    netlist.write_text(board.configured(given, parameters))
    [bitstream] = (
        run.work / name for name in map(packer.file, ("ecppack", "icepack"))
        if name in run.record.files
    )  # fmt: skip
    names = (nextpnr.CONFIG_FILE, nextpnr.REPORT_FILE, bitstream.name)
    place, pack = run.record.commands
    run.command(place, *names, routed.ROUTED_FILE)
    run.command(pack)
    setting = _setting(run, parameters)
    found = {
        "mhz": setting.mhz,
        "vco_mhz": float(setting.vco_mhz),
        "parameters": parameters,
        **board.found(run.work, given, bitstream),
    }
    return Made(plain(found), files=names, told=f"{found['static_mhz']:.2f} MHz")


def _setting(run: Rerun, parameters: Mapping[str, int]) -> pll.Setting:
    """Give the setting of a board's PLL that has these parameters."""
    run.take("board-netlist", board.BOARD_FILE)
    described = _board(run)
    kind: pll.Kind = "ecp5" if "--lpf" in run.inputs["arguments"] else "ice40"
    known = pll.reachable(kind, described.crystal_mhz)
    return next(one for one in known if dict(one.parameters) == parameters)


def estimated(run: Rerun) -> Made:
    """Compile a kernel under directives again."""
    found = _asked(run, Estimated)
    names = [str(candidate.FOLDER / name) for name in found["files"]]
    return Made(found, files=tuple(names), told=f"hardware {found['hardware'][:8]}")


def cosimulated(run: Rerun) -> Made:
    """Prove the hardware of a kernel again."""
    found = _asked(run, Proven)
    return Made(found, told=f"{found['calls']} calls, {found['cycles_mean']:g} cycles each")


def _asked(run: Rerun, kind: type[Estimated] | type[Proven]) -> dict[str, Any]:
    path = run.work / candidate.REQUEST_FILE
    request = msgspec.json.decode(path.read_bytes(), type=Request)
    for written in (run.work / name for name in run.record.files if "/" not in name):
        if written.suffix == ".json" and written != path:
            written.unlink()
    for name in run.result.get("files", ()):
        (run.work / candidate.FOLDER / name).unlink()
    if not request.prove and (run.work / candidate.FOLDER).is_dir():
        (run.work / candidate.FOLDER).rmdir()
    return plain(candidate.ask(request, run.work, kind).result)
