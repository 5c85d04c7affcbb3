# SPDX-License-Identifier: Apache-2.0
"""Job of software: build a variant with every compiler and set of flags, keep the fastest, measure.

The record names the compiler and the flags that won, and the times of those that lost.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest, proc
from lydite.base.errors import CheckFailed, InputError, ToolFailed
from lydite.base.proc import Completed
from lydite.cores import Software
from lydite.cores.catalog import FOLDER
from lydite.cores.operation import Operation
from lydite.runs.evaluation import machine
from lydite.runs.job import Job, Outcome, said
from lydite.runs.processors import measuring
from lydite.runs.processors.measuring import Answer, Given, Measured, Request
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim import reads, specification
from lydite.sim.suites import Oracle
from lydite.tools import compiler
from lydite.tools.tool import Tool

COMMON = FOLDER / "common" / "sw"
_TIMEOUT_S = 600.0
# Of software: what it is called and where it lies, what it is to others, the processor that it
# needs; and what stands in the key as the files and operations themselves.
_SOFTWARE_ELSEWHERE = (
    *("folder", "name", "title", "role", "cpu"),
    *("primitive", "operations", "includes"),
)
_PYTHON = sys.version.partition(" ")[0]
# Zig's clang traps on undefined behaviour by default; the code is tested with sanitizers apart.
_ALWAYS = ("-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-sanitize=undefined")
_TIMER_FLAGS = ("-O2",)
# In the work folder: the copy of the core, the compiled timer, what the measuring process is asked.
_CORE = "core"
_COMMON = "common/sw"
TIMER = "measure.so"
REQUEST_FILE = "request.json"


@functools.cache
def cpu_features() -> frozenset[str]:
    """Give this processor's features, as /proc/cpuinfo names them; empty on other systems."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return frozenset()
    for line in info.read_text().splitlines():
        if line.startswith("flags"):
            return frozenset(line.partition(":")[2].split())
    return frozenset()


def missing_features(software: Software) -> tuple[str, ...]:
    """Give the processor features that a variant needs and this machine lacks."""
    return tuple(feature for feature in software.cpu if feature not in cpu_features())


def _digest(path: Path) -> str:
    return digest.of_file(path) if path.is_file() else ""


@functools.cache
def _compilers() -> tuple[Tool, ...]:
    return compiler.all_found("c")


def headers(software: Software) -> tuple[Path, ...]:
    """Give what the sources of a variant include, and what its description lists beside."""
    folder = software.folder
    listed = [folder / name for name in software.includes]
    words = " ".join(software.flags).split()
    given = [word.removeprefix("-I") for word in words if word.startswith("-I")]
    places = [COMMON, *(folder / name for name in given if name)]
    sources = [folder / name for name in software.sources]
    return (*listed, *reads.of_c([*sources, *listed], places))


@dataclass(frozen=True)
class MeasureSoftware(Job):
    """Measure one variant on this machine; it runs when nothing else does."""

    software: Software
    kind = "software"
    alone = True

    @property
    def label(self) -> str:
        return f"software {self.software.label}"

    def inputs(self) -> Mapping[str, Any]:
        software, primitive = self.software, self.software.primitive
        files = self._files()
        return {
            "files": [[name, digest.of_file(path)] for name, path in files.items()],
            "outside": reads.digests(self._outside()),
            "software": said(software, without=_SOFTWARE_ELSEWHERE),
            # Times of a peer in Python have Python's own in them.
            "python": sys.version if software.python else "",
            "operations": [msgspec.to_builtins(one) for one in self._operations()],
            "vectors": primitive.vectors_digest,
            # What makes keys, and what is accepted, for those that cannot.
            "specifications": [
                specification.inputs(primitive, maker, maker.spec)
                for one in self._operations()
                for maker in self._lacking(one)
            ],
            "method": [code.of_imports(measuring), code.of(type(self))],
            "tools": [tool.identity for tool in _compilers()],
            "machine": machine(),
            "features": sorted(cpu_features()),
        }

    def _operations(self) -> tuple[Operation, ...]:
        return tuple(map(self.software.primitive.operation, self.software.operations))

    def _lacking(self, operation: Operation) -> list[Operation]:
        """Give the operations that make keys of this one, or what it accepts, and are not there."""
        primitive, own = self.software.primitive, self.software.operations
        return [primitive.operation(name) for name in operation.makers if name not in own]

    @functools.cached_property
    def _given(self) -> tuple[Given, ...]:
        """The inputs that the variant cannot make, by the specification: once for all builds."""
        found: list[Given] = []
        for one in filter(self._lacking, self._operations()):
            with Oracle(self.software.primitive, [one.name]) as oracle:
                if not oracle.knows(one):
                    lacks = ", ".join(maker.name for maker in self._lacking(one))
                    what = f"has no {lacks}, and neither has a specification"
                    hint = f"without it there is nothing to call {one.name} with"
                    raise InputError(f"{self.software.folder}: {self.software.name}", what, hint)
                chosen = one.free.measured if one.free else None
                for size in measuring.payloads(one):
                    filler = tuple(map(measuring.filler, one.lengths(size)))
                    [job] = oracle.accepted(one, [(filler, chosen)])
                    given = Given(operation=one.name, payload_bytes=size, inputs=job.inputs)
                    found.append(given)
        return tuple(found)

    def _files(self) -> dict[str, Path]:
        """Give the files that are compiled, from their names in the work folder."""
        folder = self.software.folder
        # As they lie in the catalogue, since a core of ours names them from its own folder.
        found = {f"{_COMMON}/{path.name}": path for path in sorted(COMMON.iterdir())}
        own = (*self.software.sources, *filter(None, [self.software.python]))
        found |= {f"{_CORE}/{name}": folder / name for name in own}
        for path in headers(self.software):
            plain = Path(os.path.normpath(path))
            if plain.is_relative_to(COMMON):
                continue
            if plain.is_relative_to(folder):
                found[f"{_CORE}/{plain.relative_to(folder)}"] = path
            elif path.is_relative_to(folder):
                what = f"includes {path}, which lies outside of the core's folder"
                raise InputError(f"{folder}: {self.software.name}", what, "put it into the folder")
        return found

    def _outside(self) -> list[Path]:
        """Give the headers that are named by absolute paths: they are compiled where they lie."""
        inside = (self.software.folder, COMMON)
        found = {path: Path(os.path.normpath(path)) for path in headers(self.software)}
        return [p for p, plain in found.items() if not any(map(plain.is_relative_to, inside))]

    def holds(self, record: Record) -> bool:
        """Whether the libraries that a variant called are still the same."""
        loaded = record.result.get("libraries", [])
        return all(_digest(Path(path)) == value for path, value in loaded)

    def run(self, work: Path, store: Store) -> Outcome:
        outcome = Outcome()
        for name, path in self._files().items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, work / name)
        timer = work / TIMER
        self._compile(outcome, compiler.find("c"), _TIMER_FLAGS, [f"../{_COMMON}/measure.c"], timer)
        if self.software.python:
            path = work / _CORE / self.software.python
            return self._measured(outcome, path, timer, compiler=f"Python {_PYTHON}", flags="")
        trials: list[dict[str, Any]] = []
        best: tuple[float, Path, dict[str, Any]] | None = None
        for tool in _compilers():
            for flags in self.software.flags:
                trial: dict[str, Any] = {
                    "compiler": f"{tool.name} {tool.version}",
                    "flags": flags,
                }
                trials.append(trial)
                library = work / f"variant{len(trials)}.so"
                sources = self.software.sources
                try:
                    self._compile(outcome, tool, flags.split(), sources, library)
                except ToolFailed as error:
                    trial["error"] = error.tail
                    continue
                measured = self._measure(library, timer, quick=True)
                if not measured.available:
                    outcome.result = {"available": False}
                    return outcome
                [times] = measured.operations
                if times.long_1 is not None:
                    trial["long_1_median_ns"] = times.long_1.median_ns
                trial["block_1_median_ns"] = times.block_1.median_ns
                if best is None or times.compared.best_ns < best[0]:
                    best = (times.compared.best_ns, library, trial)
        if best is None:
            raise ToolFailed(
                ("cc",), 1, tail="no compiler accepts it:\n" + str(trials[0].get("error", ""))
            )
        _, library, winner = best
        named = {name: str(winner[name]) for name in ("compiler", "flags")}
        return self._measured(outcome, library, timer, trials=trials, **named)

    def _measured(self, outcome: Outcome, path: Path, timer: Path, **more: Any) -> Outcome:
        """Prove and measure what is built, all of it."""
        measured = self._measure(path, timer, quick=False)
        outcome.result = {
            **msgspec.to_builtins(measured),
            "library": str(path.relative_to(timer.parent)),
            "trials": [],
            **more,
            "threads": measuring.thread_count(),
            "long_bytes": measuring.LONG_BYTES,
        }
        if not measured.available:
            outcome.result = {"available": False}
        return outcome

    def _compile(
        self, outcome: Outcome, tool: Tool, flags: Sequence[str], sources: Sequence[str], out: Path
    ) -> None:
        """Compile a library; names are relative to the copy of the core, so that it can be done
        again from the artefacts.
        """
        defines = (f"-D{name}={value}" for name, value in sorted(self.software.defines.items()))
        argv = [*tool.argv, *_ALWAYS, *flags, *defines, "-I", f"../{_COMMON}", *sources]

        def run(*more: str) -> Completed:
            cwd = out.parent / _CORE
            return proc.run(
                [*argv, *more], cwd=cwd, env=tool.env, timeout_s=_TIMEOUT_S, name=tool.name
            )

        outcome.add(run("-o", f"../{out.name}", "-ldl")).checked(pick=compiler.errors)
        listed = compiler.files_read(run("-MM").checked(pick=compiler.errors))
        reads.check(
            (f"{_CORE}/{name}" if not name.startswith("/") else name for name in listed),
            self._outside(),
            folder=out.parent,
            where=self.software.label,
        )

    def _measure(self, library: Path, timer: Path, *, quick: bool) -> Measured:
        primitive, operations = self.software.primitive, self._operations()
        known = tuple(v for v in primitive.vectors() if v.operation in self.software.operations)
        request = Request(
            library=str(library),
            timer=str(timer),
            operations=operations,
            makers=tuple(primitive.operation(name) for one in operations for name in one.makers),
            given=self._given,
            vectors=() if quick else known,
            threads=measuring.thread_count(),
            defines=dict(self.software.defines),
            quick=quick,
            samples=measuring.SAMPLES,
            sample_ns=measuring.SAMPLE_NS,
        )
        if not quick:
            # For who measures again from the artefacts.
            kept = msgspec.structs.replace(
                request,
                library=f"./{library.relative_to(timer.parent)}",
                timer=f"./{timer.name}",
            )
            (timer.parent / REQUEST_FILE).write_bytes(msgspec.json.encode(kept))
        argv = (sys.executable, "-m", measuring.__name__)
        text = msgspec.json.encode(request).decode()
        run = proc.run(argv, stdin=text, timeout_s=_TIMEOUT_S, name=Path(library).name)
        output = run.checked()
        answer = msgspec.json.decode(output, type=Answer)
        if answer.failed is not None:
            raise CheckFailed(*answer.failed)
        assert answer.measured is not None
        return answer.measured
