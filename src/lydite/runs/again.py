# SPDX-License-Identifier: Apache-2.0
"""Make a run again and compare: what a script of `replay` starts.

`python -m lydite.runs.again ARTEFACTS`, with `Asked` as JSON on stdin: the record, and those that
it rests on. It works in a folder of its own, says `equal: ...` and exits with 0, or `differs: ...`
with 5, and writes the same as JSON (`Found`) into the file that LYDITE_FOUND names, if it is set.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import CheckFailed, InputError, LyditeError, Told, ToolFailed, ToolNotFound
from lydite.runs import differences as comparing
from lydite.runs import rerun
from lydite.runs.differences import Difference
from lydite.runs.kinds import board, candidate
from lydite.runs.processors import copies
from lydite.runs.record import Record
from lydite.runs.rerun import Made, Rerun
from lydite.runs.reruns import rerun_proofs, rerun_times, rerun_tools
from lydite.tools import yosys

# Names the file that is told what came out.
FOUND = "LYDITE_FOUND"


@dataclass(frozen=True)
class Kind:
    """How a kind of run is made again.

    Attributes
    ----------
    make : callable
        Does it.
    uses : tuple of str
        Kinds of the runs whose artefacts or records it takes, of those that it rests on.
    keeps : str
        How the name of an artefact begins without which it cannot be made again: older ones did not
        keep it.
    beside : frozenset of str
        Fields of its result that are not compared, wherever they are in it: times of a machine and
        what follows from them, or what its artefacts do not tell.
    timed : bool
        Whether it measures this machine: its times are told beside those of then.
    tool : bool
        Whether it is made again by commands of its record: a failed one may have none.
    """

    make: Callable[[Rerun], Made]
    uses: tuple[str, ...] = ()
    keeps: str = ""
    beside: frozenset[str] = frozenset()
    timed: bool = False
    tool: bool = False


_FIGURES = ("median_ns", "best_ns", "worst_ns", "tsc_per_unit", "core_ghz", "tsc_ghz")
_BUILT = ("libraries", "version", "library", "compiler", "flags", "trials", "threads", "long_bytes")
_RATES = frozenset({"keys_per_s", "samples", "elapsed_keys_per_s"})
_SIZES = frozenset({"variant", "version", "threads", "median_ns", "best_ns", "samples"})
_SPONGE = frozenset({"variant", "seconds"})
_PLACED = ("synthesis", "placement", "verify")
_REQUEST, _CORES = candidate.REQUEST_FILE, f"{copies.FOLDER}/"
KINDS: dict[str, Kind] = {
    "compile": Kind(rerun_tools.compiled),
    # The registers that no clock of ours moves are told by its sources before it is mapped.
    "synthesis": Kind(rerun_tools.mapped, beside=frozenset({"unmeasured"}), tool=True),
    "placement": Kind(rerun_tools.placed, ("synthesis",), tool=True),
    "board-netlist": Kind(
        rerun_tools.board_mapped, ("verify",), board.BOARD_FILE, frozenset({"identity"}), tool=True
    ),
    "bitstream": Kind(rerun_tools.packed, ("board-netlist",), tool=True),
    "estimate": Kind(rerun_tools.estimated, keeps=_REQUEST),
    "cosimulation": Kind(rerun_tools.cosimulated, keeps=_REQUEST),
    "verify": Kind(rerun_proofs.proven),
    "netlist": Kind(rerun_proofs.netlist_proven, ("verify", "synthesis")),
    "routed": Kind(rerun_proofs.routed_proven, _PLACED),
    "frequency": Kind(rerun_proofs.frequency_found, (*_PLACED, "routed")),
    "messages": Kind(rerun_proofs.messages_measured, ("verify",)),
    "turns": Kind(rerun_proofs.turns_counted),
    "leakage": Kind(rerun_proofs.leakage_measured),
    "testbed": Kind(rerun_proofs.testbed),
    "key-search": Kind(rerun_proofs.keys_searched),
    "sponge-sim": Kind(rerun_times.sponge_simulated, keeps=_CORES),
    "software": Kind(
        rerun_times.software, beside=frozenset((*_FIGURES, *_BUILT)), timed=True, tool=True
    ),
    "search-rate": Kind(rerun_times.rate, keeps=_CORES, beside=_RATES, timed=True),
    "sizes": Kind(rerun_times.over_sizes, keeps=_CORES, beside=_SIZES, timed=True),
    "sponge-cpu": Kind(rerun_times.sponge_on_cpu, keeps=_CORES, beside=_SPONGE, timed=True),
}
# Kinds of runs that nothing makes again by itself, and why.
WITHOUT = {
    "wrapped": "it only prepares what Vivado implements",
    "implementation": "it needs Vivado, which nobody here has run",
    "replica": "it is a run of a bundle, made again: `lydite replicate` makes it",
}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A record, and those that it rests on as far as its kind uses them."""

    record: Record
    others: tuple[Record, ...] = ()


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came out of making a run again: where it differs, and in words what was compared."""

    differences: tuple[Difference, ...] = ()
    told: str = ""


def again(asked: Asked, artefacts: Path, work: Path) -> Found:
    """Make a run again: it must find what it found, or fail as it failed.

    Parameters
    ----------
    artefacts : Path
        Folder with artefacts by key.
    work : Path
        An empty folder.

    Raises
    ------
    LyditeError
        It cannot be made again here: a tool is not there or fails, or an artefact lacks.
    """
    record = asked.record
    kind = KINDS[record.kind]
    source = rerun.place(artefacts, record.key)
    if not source.is_dir():
        raise InputError(str(source), "its artefacts are not there")
    shutil.copytree(source, work, dirs_exist_ok=True)
    run = Rerun(record, work, artefacts, {other.kind: other for other in asked.others})
    try:
        made = kind.make(run)
    except LyditeError as failure:
        if _as_it_did(failure, record):
            return Found(told=f"it fails as it did:\n{failure}")
        if isinstance(failure, ToolNotFound | ToolFailed | rerun.Lacking):
            raise
        return Found(differences=(Difference("the run", record.error or "ok", str(failure)),))
    if record.status == "failed":
        return Found(differences=(Difference("the run", record.error, "ok"),))
    return _compared(run, kind, made, source)


def _compared(run: Rerun, kind: Kind, made: Made, source: Path) -> Found:
    """Hold files and result against the record; what older records do not have is not held.

    `source` has the files of then.
    """
    record, work = run.record, run.work
    found = [
        Difference(name, record.files[name][1], now)
        for name in made.files
        if (now := _digest(work / name)) != record.files[name][1]
        if now is None or name != yosys.NETLIST_FILE or not _is_same(source / name, work / name)
    ]
    result = {name: value for name, value in made.result.items() if name in record.result}
    # A netlist is compared as a file.
    without = kind.beside | comparing.TIMES | comparing.PLACES
    found += comparing.differences(record.result, result, without=without)
    told = "; ".join(part for part in (", ".join(made.files), made.told) if part)
    return Found(differences=tuple(found), told=told)


def _is_same(*netlists: Path) -> bool:
    return len({comparing.without_places(one.read_bytes()) for one in netlists}) == 1


def _digest(path: Path) -> str | None:
    return digest.of_file(path) if path.exists() else None


def _as_it_did(failure: LyditeError, record: Record) -> bool:
    """Say whether a record's error tells of a failure; a job says more of it than a check."""
    if record.status != "failed" or isinstance(failure, rerun.Lacking):
        return False
    if isinstance(failure, CheckFailed):
        return failure.at in record.error and failure.got in record.error
    # Their words name folders.
    if isinstance(failure, ToolFailed | Told):
        return failure.exit_code == record.exit_code
    return str(failure).splitlines() == record.error.splitlines()


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
    [artefacts] = (Path(one).absolute() for one in arguments)
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Asked)
    # Programs of the run name files of their folder from there.
    with tempfile.TemporaryDirectory(prefix="lydite-") as work, contextlib.chdir(work):
        return tell(lambda: again(asked, artefacts, Path(work).absolute()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
