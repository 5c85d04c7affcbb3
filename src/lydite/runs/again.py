# SPDX-License-Identifier: Apache-2.0
"""What a script of `replay` asks of Python: compare what came out of a run made again.

`python -m lydite.runs.again WHAT [PLACE]`, with the record's side as JSON on stdin.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lydite import cores
from lydite.base import digest
from lydite.base.errors import CheckFailed, LyditeError, ToolFailed, ToolNotFound
from lydite.runs import compilation, netlist, timing, wrapper
from lydite.runs.differences import Difference, differences
from lydite.runs.measuring import Answer
from lydite.sim import verify
from lydite.sim.random_messages import DEFAULT_SEED
from lydite.tools import nextpnr, paths, routes, sdf, yosys
from lydite.tools.tool import Tool

# Names the file that is told what came out.
FOUND = "LYDITE_FOUND"


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came out of making a run again: where it differs, and in words what was compared."""

    differences: tuple[Difference, ...] = ()
    told: str = ""


def made(folder: Path, expected: dict[str, Any]) -> Found:
    """Compare what tools wrote into a folder with a record: files by digests, and its result.

    Parameters
    ----------
    expected : dict
        `kind` and `result` of the record, `mixed` clocks, `files` by name to their digests.
    """
    files: dict[str, str] = expected["files"]
    found = [
        Difference(name, value, now)
        for name, value in files.items()
        if (now := _digest(folder / name)) != value
    ]
    result, told = _results(folder, expected)
    # Only what is in these files: the rest of a record comes from before the tool ran.
    before = {name: expected["result"].get(name) for name in result}
    found += differences(before, result)
    return Found(differences=tuple(found), told=f"{', '.join(files)}{told}")


def _digest(path: Path) -> str | None:
    return digest.of_file(path) if path.exists() else None


def _results(folder: Path, expected: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Give what the files of a run say, as a record has it, and a figure of it in words."""
    match expected["kind"]:
        case "compile":
            report = msgspec.json.decode((folder / compilation.REPORT_FILE).read_bytes())
            return report["summary"], ""
        case "synthesis":
            stat = (folder / yosys.STAT_FILE).read_text()
            return {"cells": yosys.parse_cells(stat, exclude=wrapper.TOP)}, ""
        case _:
            result = _placed(folder, mixed=expected["mixed"])
            return result, f"; {result['fmax_mhz']:.2f} MHz"


def _placed(folder: Path, *, mixed: bool) -> dict[str, Any]:
    """Give what a record of a placement has of its clock and of what it uses."""
    tool = Tool(name="nextpnr", argv=("nextpnr",), version="", origin="")
    report = nextpnr.parse_report((folder / nextpnr.REPORT_FILE).read_text(), tool)
    names = routes.names((folder / yosys.NETLIST_FILE).read_text(), wrapper.TOP)
    delays = sdf.parse((folder / sdf.DELAYS_FILE).read_text())
    classes = paths.classify(delays, names, wrapper.CORE)
    clock = timing.result(report, classes, names, wrapper.CORE, mixed=mixed)
    found = {**(clock or {"fmax_mhz": 0.0}), "utilization": report.utilization}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))
    return plain


def prove(path: Path, expected: dict[str, Any]) -> Found:
    """Prove the one design of a core again, and compare with what came out before."""
    seed = expected.get("proof_seed", DEFAULT_SEED)
    return again(
        lambda: msgspec.to_builtins(verify.verify(cores.load(path).designs[0], seed=seed)),
        expected,
    )


def prove_netlist(path: Path, expected: dict[str, Any]) -> Found:
    """Prove the netlist beside a core again, and compare with what came out before."""
    family, every = expected.pop("family"), expected["every"]
    return again(
        lambda: netlist.prove(cores.load(path).designs[0], path.parent, family, every=every),
        expected,
    )


def _proven(found: dict[str, Any]) -> str:
    return f"{found['vectors']} known answers, {found['simulated_cycles']} cycles simulated"


def again(
    does: Callable[[], dict[str, Any]],
    expected: dict[str, Any],
    told: Callable[[dict[str, Any]], str] = _proven,
) -> Found:
    """Do a run again: it must find what it found, or fail as it failed.

    Parameters
    ----------
    expected : dict
        What it found, and its `error`.
    told : callable
        Says in words what was found.

    Raises
    ------
    ToolNotFound, ToolFailed
        It cannot be done here.
    """
    error = expected.pop("error")
    try:
        # As it stands in a record.
        found = msgspec.json.decode(msgspec.json.encode(does()))
    except LyditeError as failure:
        if _is_told(failure, error):
            return Found(told=f"it fails as it did:\n{failure}")
        if isinstance(failure, ToolNotFound | ToolFailed):
            raise
        return Found(differences=(Difference("the proof", error or "a proof", str(failure)),))
    if error:
        return Found(differences=(Difference("the proof", error, "a proof"),))
    before = {name: expected.get(name) for name in found}
    return Found(differences=tuple(differences(before, found)), told=told(found))


def _is_told(failure: LyditeError, error: str) -> bool:
    """Say whether a record's error tells of a failure; a job says more of it than a check."""
    if isinstance(failure, CheckFailed):
        return failure.at in error and failure.got in error
    return str(failure).splitlines() == error.splitlines()


def measured(path: Path, expected: dict[str, Any]) -> Found:
    """Compare a measurement of software: its answers must be right again; times are told.

    Raises
    ------
    CheckFailed
        A known answer came out wrong.
    """
    answer = msgspec.json.decode(path.read_bytes(), type=Answer)
    if answer.failed is not None:
        raise CheckFailed(*answer.failed)
    assert answer.measured is not None, "it measured, or failed"
    told = []
    for times, before in zip(answer.measured.operations, expected["operations"], strict=True):
        what = f"{expected['long_bytes']} bytes" if times.long_1 else "one block"
        now = times.compared.median_ns
        then = (before["long_1"] or before["block_1"])["median_ns"]
        told.append(f"a call of {what} took {now:.0f} ns, {then:.0f} ns then ({now / then:.2f})")
    return Found(told=f"its answers; {'; '.join(told)}")


def tell(does: Callable[[], Found]) -> int:
    """Print what making a run again gives, write it for who asked, and give the exit code."""
    try:
        found = does()
    except LyditeError as error:
        print(error)
        return error.exit_code
    if FOUND in os.environ:
        Path(os.environ[FOUND]).write_bytes(msgspec.json.encode(found))
    for one in found.differences:
        print(CheckFailed(str(one.before), str(one.now), f"differs: {one.field}"))
    if found.differences:
        return CheckFailed.exit_code
    print(f"equal: {found.told}")
    return 0


def main(arguments: Sequence[str]) -> int:
    """Do what a script asks, and give the exit code."""
    what, *rest = arguments
    expected = msgspec.json.decode(sys.stdin.buffer.read())
    does = {"made": made, "prove": prove, "netlist": prove_netlist, "measured": measured}[what]
    return tell(lambda: does(Path(*rest), expected))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
