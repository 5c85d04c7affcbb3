# SPDX-License-Identifier: Apache-2.0
"""The job that makes a run of a bundle again, and says where it differs.

It is a run as any other: kept in the store, so that the same command goes on where it was. What is
somebody else's stays apart: no record of a bundle gets into the store.
"""

from __future__ import annotations

import importlib.metadata
import platform
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

import lydite
from lydite.base import code, digest, proc
from lydite.base.errors import ToolFailed, ToolNotFound
from lydite.runs import again
from lydite.runs.evaluation import machine
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.reruns import replay
from lydite.runs.reruns.bundle import Bundle
from lydite.runs.store import Store
from lydite.tools import compiler, nextpnr, verilator, yosys

KIND = "replica"
# Kinds that measure this machine: what they find is told beside, never held against them.
TIMED = frozenset(name for name, kind in again.KINDS.items() if kind.timed)
SCRIPT_FILE = "replay.sh"
LOG_FILE = "replay.log"
FOUND_FILE = "found.json"
MISSING = "missing"

Verdict = Literal["equal", "differs", "measured here"]


@dataclass(frozen=True)
class Replica(Job):
    """Make a run of a bundle again.

    Attributes
    ----------
    record : Record
        The run, as it was published.
    script : str
        What `replay` makes of it.
    timeout_s : float
        Seconds after which all of it is given up.
    """

    record: Record
    script: str
    timeout_s: float
    kind = KIND
    # Its bundle is unpacked here.
    here = True

    @property
    def label(self) -> str:
        return f"{KIND} {self.record.label}"

    def inputs(self) -> Mapping[str, Any]:
        text = msgspec.json.encode(self.record, order="deterministic")
        return {
            "of": self.record.key,
            "record": digest.of_bytes(text),
            "here": here(self.record),
            "lydite": lydite.__version__,
            "comparison": code.of_imports(again),
            "python": platform.python_version(),
            "machine": machine() if self.record.kind in TIMED else "",
        }

    def run(self, work: Path, store: Store) -> Outcome:
        (work / SCRIPT_FILE).write_text(self.script)
        env = {"TMPDIR": str(work), again.FOUND: str(work / FOUND_FILE)}
        outcome, log = Outcome(), work / LOG_FILE
        argv = ("sh", SCRIPT_FILE)
        run = proc.run(argv, cwd=work, env=env, log=log, timeout_s=self.timeout_s)
        outcome.add(run)
        if not (work / FOUND_FILE).exists():
            raise ToolFailed(argv, run.rc, log=log, tail=proc.last_lines(run.output))
        found = msgspec.json.decode((work / FOUND_FILE).read_bytes(), type=again.Found)
        timed = self.record.kind in TIMED
        verdict: Verdict = "differs" if found.differences else "measured here" if timed else "equal"
        outcome.result = {"verdict": verdict, **msgspec.to_builtins(found)}
        return outcome


class TimedReplica(Replica):
    """The same of what measures time: nothing runs beside it."""

    alone = True


def replica(bundle: Bundle, record: Record, folder: Path, timeout_s: float) -> Replica:
    """Plan to make a run again, of a bundle that is unpacked in a folder.

    Raises
    ------
    InputError
        There is no way to: no tool was started, or the kind has no script.
    """
    made: Callable[..., Replica] = TimedReplica if record.kind in TIMED else Replica
    text = replay.script(record, shlex.quote(str(folder)), bundle.get)
    return made(record, text, timeout_s)


def tools(record: Record) -> dict[str, str]:
    """Give the tools and wheels that a record names, with their versions."""
    named = {str(tool["name"]): _version(tool) for tool in record.inputs.get("tools", ())}
    wheels = record.inputs.get("compiler", {}).get("wheels", ())
    return named | {str(name): str(version) for name, version in wheels}


def here(record: Record) -> dict[str, str]:
    """Give the versions that the same tools have here."""
    named = {str(tool["name"]): _here(tool) for tool in record.inputs.get("tools", ())}
    wheels = record.inputs.get("compiler", {}).get("wheels", ())
    return named | {str(name): _wheel(str(name)) for name, _ in wheels}


def _version(tool: Mapping[str, str]) -> str:
    return f"{tool['version']} ({tool['origin']})"


def _here(tool: Mapping[str, str]) -> str:
    name, native = str(tool["name"]), tool["origin"] == "native"
    try:
        if name == "verilator":
            return _version(verilator.find().identity)
        if name == "yosys":
            return _version(yosys.find(native=native).identity)
        if name.startswith("nextpnr-"):
            family = name.removeprefix("nextpnr-")
            return _version(nextpnr.find(family, native=native).identity)
    except ToolNotFound:
        return MISSING
    found = [one for one in compiler.all_found("c") if one.name == name]
    return _version(found[0].identity) if found else MISSING


def _wheel(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return MISSING


# Files of a run that are programs, by their endings: what they are, and how they are run.
_CODE = {
    ".py": "Python, run as it is",
    ".c": "C, compiled and run",
    ".h": "C, compiled and run",
    ".v": "Verilog, simulated as a compiled program, or mapped",
    ".sv": "Verilog, simulated as a compiled program, or mapped",
    ".ys": "scripts of Yosys, which can start programs",
}


def would_run(records: Sequence[Record]) -> Iterator[str]:
    """Say what making runs again would run: how many of which kind, programs, and whose code."""
    for kind, count in Counter(record.kind for record in records).items():
        yield f"{count} {kind}"
    programs = Counter(argv[0] for record in records for argv in record.commands if argv)
    if programs:
        yield "programs named by its records: " + ", ".join(sorted(programs))
    files: dict[str, set[str]] = {}
    for record in records:
        for name in record.files:
            if (how := _CODE.get(Path(name).suffix)) is not None:
                files.setdefault(how, set()).add(Path(name).name)
    for how, names in files.items():
        some = sorted(names)
        more = f" and {len(some) - 4} more" if len(some) > 4 else ""
        yield f"{how}: {', '.join(some[:4])}{more}"
