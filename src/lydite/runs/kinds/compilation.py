# SPDX-License-Identifier: Apache-2.0
"""Job of C: compile a design's C to Verilog, once for all designs and targets that have it.

The compiler runs in a process of its own: this module is that process, `python -m
lydite.runs.kinds.compilation WORK [FOLDER]`, with a request on stdin, the C in FOLDER (else in its
copy in WORK), and the products in WORK. So compilations run beside each other, an interrupt ends
them, and what the compiler switches for a whole process (the collector of garbage, where stderr
leads) is switched in its own.

Keys of later jobs follow from the Verilog that comes out, not from the key of this job: whoever
improves the compiler has nothing proven or placed again whose hardware stays as it was. So a plan
is made in two waves (`runs.plan`): what is to be compiled, then, of what that made, all else.
"""

from __future__ import annotations

import functools
import importlib.metadata
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

import lydite
from lydite import targets
from lydite.base import code, digest
from lydite.cores import Design
from lydite.cores.design import Hls
from lydite.runs.job import Job, Outcome
from lydite.runs.kinds import apart
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim import reads
from lydite.targets import DELAYS

DEFAULT_TIMEOUT_S = 1800.0
# Of the work folder: the sources as they were, what was asked, what is to be known of the hardware.
SOURCES = Path("c")
REQUEST_FILE = "request.json"
REPORT_FILE = "report.json"
_WHEELS = ("ziglang", "llvmlite")
# What of a design's C is a file, or names one.
_AS_FILES = ("sources", "includes", "directives", "macros")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the compiling process is asked.

    Attributes
    ----------
    hls : Hls
        The C, its files relative to the design's folder.
    headers : tuple of str
        What the sources include, relative to that folder, too: they may read nothing else.
    copy : str
        Where the copy of that folder is in the work folder.
    """

    hls: Hls
    headers: tuple[str, ...]
    copy: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a record has of the hardware, as its compiler sees it.

    Attributes
    ----------
    files : tuple of str
        Verilog, the top module first.
    source_digest : str
        As it stands in the files.
    latency_cycles : tuple
        The least and the greatest of a call; None where there is no bound.
    critical_ns : float
        The longest chain of operations, by the family's table.
    area : mapping
        The estimate.
    warnings : tuple of str
        What the user should know.
    """

    files: tuple[str, ...]
    source_digest: str
    latency_cycles: tuple[int | None, int | None]
    critical_ns: float
    area: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Compile(Job):
    """Compile the C of a design that has some."""

    design: Design
    timeout_s: float = DEFAULT_TIMEOUT_S
    kind = "compile"
    planned_from = True

    @property
    def _hls(self) -> Hls:
        assert self.design.hls is not None, f"{self.design.label} has C"
        return self.design.hls

    @property
    def label(self) -> str:
        hls = self._hls
        return f"compile {hls.top} for {hls.clock_ns:g} ns on {hls.target}"

    def _sources(self) -> list[Path]:
        return [self.design.folder / name for name in self._hls.sources]

    def _headers(self) -> tuple[Path, ...]:
        """Give what the sources include, and what the description lists beside."""
        sources = self._sources()
        listed = [self.design.folder / name for name in self._hls.includes]
        return tuple(dict.fromkeys((*listed, *reads.of_c([*sources, *listed], ()))))

    def _directives(self) -> list[Path]:
        return [self.design.folder / name for name in self._hls.directives]

    def _macros(self) -> list[Path]:
        """Give the files of functions that are Verilog, and that Verilog."""
        files = [self.design.folder / name for name in self._hls.macros]
        if not files:
            return []
        # Imported here: a design without macros needs nothing of the compiler to be planned.
        from lydite.hls.contract import rtl_macro

        return [*files, *(path for file in files for path in rtl_macro.sources(file))]

    def inputs(self) -> Mapping[str, Any]:
        hls = self._hls
        # Whatever a design can say of its C decides what comes out.
        said = {name: getattr(hls, name) for name in hls.__struct_fields__ if name not in _AS_FILES}
        return {
            "sources": reads.digests(self._sources()),
            "headers": reads.digests(self._headers()),
            "directives": reads.digests(self._directives()),
            "macros": reads.digests(self._macros()),
            "said": {name: repr(value) for name, value in said.items()},
            "compiler": compiler(),
            "code": code.of(sys.modules[__name__]),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        folder, headers = self.design.folder, self._headers()
        request = Request(
            hls=self._hls,
            headers=tuple(os.path.relpath(path, folder) for path in headers),
            copy=_copy(
                [*self._sources(), *headers, *self._directives(), *self._macros()], folder, work
            ),
        )
        text = msgspec.json.encode(request)
        (work / REQUEST_FILE).write_bytes(text)
        # The originals are compiled, since errors name them; who compiles again has the copies.
        run = apart.ask(__name__, text, work, folder, answer=REPORT_FILE, timeout_s=self.timeout_s)
        report = msgspec.json.decode((work / REPORT_FILE).read_bytes(), type=dict[str, Any])
        summary = msgspec.convert(report["summary"], Summary)
        outcome = Outcome(result=msgspec.to_builtins(summary))
        outcome.add(run)
        return outcome


def _copy(paths: Sequence[Path], folder: Path, work: Path) -> str:
    """Copy files, their places relative to each other kept; say where `folder` is then."""
    plain = [Path(os.path.normpath(path.absolute())) for path in paths]
    home = Path(os.path.normpath(folder.absolute()))
    root = Path(os.path.commonpath([home, *(path.parent for path in plain)]))
    for path in plain:
        target = work / SOURCES / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    inside = SOURCES / home.relative_to(root)
    (work / inside).mkdir(parents=True, exist_ok=True)
    return str(inside)


@functools.cache
def compiler() -> dict[str, Any]:
    """Give all that the compiler is made of, and what it stands on."""
    folder = Path(lydite.__file__).parent / "hls"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {
        "files": digest.of_value(
            [[str(path.relative_to(folder)), digest.of_file(path)] for path in files]
        ),
        # Errors and seeds, the tables' reader.
        "beside": [code.of_imports(module) for module in (digest, targets)],
        "delays": reads.digests(sorted(DELAYS.glob("*.toml"))),
        "wheels": [[name, importlib.metadata.version(name)] for name in _WHEELS],
    }


def compiled(design: Design, record: Record, store: Store) -> Design:
    """Give a design with the Verilog that its compilation left in the store."""
    folder = store.artefacts(record.key).absolute()
    files = {name: folder / name for name in record.result["files"]}
    return msgspec.structs.replace(design, made=files)


def compile_into(work: Path, folder: Path, request: Request) -> None:
    """Compile what is asked of the files in a folder, with the products in the work folder.

    Raises
    ------
    InputError
        The program cannot become hardware, or reads what stands in no key.
    ToolFailed, ToolNotFound
        As `lydite.hls.compile`.
    """
    # Imported here: who plans needs no compiler, and must stay quick.
    from lydite import hls
    from lydite.hls.contract import directive_text, rtl_macro
    from lydite.hls.frontend import clang, program

    said = request.hls
    outside = [directive_text.load(folder / name) for name in said.directives]
    options = hls.Options(
        sources=tuple(folder / name for name in said.sources),
        top=said.top,
        clock_ns=said.clock_ns,
        target=said.target,
        defines=tuple(f"{name}={value}" for name, value in sorted(said.defines.items())),
        std=said.std,
        directives=tuple(placed for file in outside for placed in file),
        macros=tuple(one for name in said.macros for one in rtl_macro.load(folder / name)),
        # A design says what it wants: whatever the compiler learns to do with loops that nothing is
        # said of, its hardware stays as it was proven and published.
        effort=directive_text.effort_of(folder / name for name in said.directives) or "area",
    )
    made = hls.compile(options)
    reads.check(
        sorted(program.files_read(options)),
        (*options.sources, *(folder / name for name in request.headers)),
        folder=clang.INCLUDE,
        where=str(options.sources[0]),
    )
    for file in made.files:
        (work / file.name).write_text(file.text)
    top = made.report.functions[0]
    summary = Summary(
        files=tuple(file.name for file in made.files),
        source_digest=made.source_digest,
        latency_cycles=(top.latency_min, top.latency_max),
        critical_ns=made.report.critical_ns,
        area=msgspec.to_builtins(made.report.area),
        warnings=tuple(map(str, made.warnings)),
    )
    # Without how long each stage took, and where the sources lie: the same C gives the same file.
    told = {"interface": made.interface, "report": replace(made.report, seconds=())}
    text = msgspec.json.encode(_inside(msgspec.to_builtins({"summary": summary, **told}), folder))
    (work / REPORT_FILE).write_bytes(msgspec.json.format(text))


def _inside(value: Any, folder: Path) -> Any:
    """Name places in files of a folder from there."""
    if isinstance(value, str):
        return value.removeprefix(f"{folder}/")
    if isinstance(value, dict):
        return {name: _inside(item, folder) for name, item in value.items()}
    return [_inside(item, folder) for item in value] if isinstance(value, list | tuple) else value


def main(arguments: Sequence[str]) -> int:
    """Do what stdin asks, and give the exit code."""
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    work, *given = map(Path, arguments)
    folder = given[0] if given else work / request.copy
    return apart.serve(lambda: compile_into(work, folder, request), work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
