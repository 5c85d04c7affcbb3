# SPDX-License-Identifier: Apache-2.0
"""Jobs of a C kernel under directives: what the compiler makes of it, and whether that is right.

`Estimate` compiles, and keeps the Verilog with the compiler's figures; `Cosimulate` proves the
hardware against the program's own `main`, and measures its cycles. The key of a proof has the
hardware, not the directives: those that come to the same hardware have one proof.

Both are processes of their own: this module is that process, `python -m lydite.runs.kinds.candidate
WORK`, with a request on stdin. So they run beside each other, and an interrupt or a limit of time
ends them with all that they started.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import CheckFailed
from lydite.hls.contract import rtl_macro
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.options import Options
from lydite.runs.job import Job, Outcome
from lydite.runs.kinds import apart, compilation
from lydite.runs.store import Store
from lydite.sim import build, cosim, reads
from lydite.sim.cosim.endings import Limits
from lydite.tools import verilator

FOLDER = Path("verilog")
# Copies of what is read, and the request of these, for who asks again.
SOURCES = Path("c")
REQUEST_FILE = "request.json"
_ANSWER_FILE = "answer.json"
_MIB = 1 << 20
_RECORD_BYTES = 256 * _MIB
_CALLS_KEPT = 1000
# What of the options goes its own way, or decides nothing.
_APART = (
    *("sources", "include_dirs", "directives", "macros", "clock_ns"),
    *("check", "dump_after", "learnt"),
)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the process is asked, in plain values.

    Attributes
    ----------
    sources, include_dirs, macros : tuple of str
        Absolute paths, or such from the work folder; of the last, files that describe some.
    headers : tuple of str
        All that the sources may read beside.
    root : str
        Folder in which all of them are: what is told of them is told from there.
    directives : tuple
        The four texts of each `Placed`.
    said : mapping
        All else of `Options`, as far as it is not the default.
    prove : str
        Digest of the hardware that is to be proven; empty to estimate only.
    arguments : tuple of str
        Of the program's `main`; those that are files in the work folder are named from there.
    max_cycles : int
        Of one call.
    timeout_s : float
        Of the native run and of the simulation.
    """

    sources: tuple[str, ...]
    headers: tuple[str, ...]
    include_dirs: tuple[str, ...]
    macros: tuple[str, ...]
    root: str
    directives: tuple[tuple[str, str, str, str], ...]
    said: dict[str, Any]
    prove: str = ""
    arguments: tuple[str, ...] = ()
    max_cycles: int = cosim.TIMEOUT_CYCLES
    timeout_s: float = compilation.DEFAULT_TIMEOUT_S

    def options(self, work: Path) -> Options:
        """What is compiled, in a work folder."""
        return Options(
            sources=tuple(work / name for name in self.sources),
            include_dirs=tuple(work / name for name in self.include_dirs),
            macros=tuple(one for name in self.macros for one in rtl_macro.load(work / name)),
            directives=tuple(Placed(*words, where="explored") for words in self.directives),
            **{name: _frozen(value) for name, value in self.said.items()},
        )

    def told(self, texts: Iterable[object], work: Path) -> tuple[str, ...]:
        """Give what is told of the files, wherever they lie."""
        return tuple(str(text).replace(f"{work / self.root}/", "") for text in texts)


def _argument_in(work: Path, text: str) -> str:
    """Give an argument of `main`: of a file in a work folder, where that is."""
    return str(work / text) if (work / text).is_file() else text


def _frozen(value: Any) -> Any:
    """Give a value of JSON with tuples for its lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class Estimated(msgspec.Struct, frozen=True, kw_only=True):
    """What the compiler says of a kernel under directives.

    Attributes
    ----------
    files : tuple of str
        Verilog in `FOLDER`, the top module first.
    hardware : str
        Digest of the Verilog without comments, and of the ports.
    latency_cycles : tuple
        The least and the greatest of a call; None where there is no bound.
    critical_ns : float
        The longest chain of operations.
    area : mapping
        The estimate: lut, ff, bram, dsp.
    warnings : tuple of str
        Among them which directives are not met.
    """

    files: tuple[str, ...]
    hardware: str
    latency_cycles: tuple[int | None, int | None]
    critical_ns: float
    area: Mapping[str, int]
    warnings: tuple[str, ...]


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """What co-simulation measured: of one call, and how many calls were right.

    Attributes
    ----------
    cycles : tuple of int
        Of each of the first calls, at most 1,000.
    """

    cycles_mean: float
    cycles_min: int
    cycles_max: int
    calls: int
    notes: tuple[str, ...]
    cycles: tuple[int, ...] = ()


@dataclass(frozen=True)
class Kernel:
    """A C program with a top function, and how it is proven.

    Attributes
    ----------
    options : Options
        Without directives from outside.
    arguments : tuple of str
        Of the program's `main`.
    macro_files : tuple of Path
        Functions that are Verilog modules.
    """

    options: Options
    arguments: tuple[str, ...] = ()
    max_cycles: int = cosim.TIMEOUT_CYCLES
    macro_files: tuple[Path, ...] = ()
    timeout_s: float = compilation.DEFAULT_TIMEOUT_S

    def request(self, clock_ns: float, directives: Sequence[Placed], prove: str = "") -> Request:
        """Give what a process is asked."""
        options = self.options
        return Request(
            sources=tuple(str(path.absolute()) for path in options.sources),
            headers=tuple(str(path.absolute()) for path in self.headers),
            include_dirs=tuple(str(path.absolute()) for path in options.include_dirs),
            macros=tuple(str(path.absolute()) for path in self.macro_files),
            root=str(self.root),
            directives=tuple(
                (one.directive, one.function, one.loop, one.variable) for one in directives
            ),
            said={**self.said, "clock_ns": clock_ns},
            prove=prove,
            arguments=self.arguments if prove else (),
            max_cycles=self.max_cycles,
            timeout_s=self.timeout_s,
        )

    @property
    def said(self) -> dict[str, Any]:
        """All of the options that is no file, no directive and no default: new ones by themselves.

        The clock period is a point's own.
        """
        fields = (one for one in dataclasses.fields(self.options) if one.name not in _APART)
        return {
            one.name: value
            for one in fields
            if (value := getattr(self.options, one.name)) != one.default
        }

    @property
    def headers(self) -> tuple[Path, ...]:
        """Files that the sources include."""
        return reads.of_c(self.options.sources, self.options.include_dirs)

    @property
    def macros(self) -> tuple[Path, ...]:
        """Files of functions that are Verilog modules, and these."""
        modules = (path for file in self.macro_files for path in rtl_macro.sources(file))
        return (*self.macro_files, *modules)

    @property
    def files(self) -> tuple[Path, ...]:
        """All that is read, by absolute paths."""
        named = (path for text in self.arguments if (path := Path(text)).is_file())
        read = (*self.options.sources, *self.headers, *self.macros, *named)
        return tuple(dict.fromkeys(map(_plain, read)))

    @property
    def root(self) -> Path:
        """The folder in which all of them are, and those in which headers are looked for."""
        folders = (*map(_plain, self.options.include_dirs), *(path.parent for path in self.files))
        return Path(os.path.commonpath(folders))

    def inputs(self) -> dict[str, Any]:
        """Give all that the program is made of, for a key."""
        return {
            "sources": reads.digests(self.options.sources),
            "headers": reads.digests(self.headers),
            "macros": reads.digests(self.macros),
            "said": {name: repr(value) for name, value in self.said.items()},
            "compiler": compilation.compiler(),
        }


@dataclass(frozen=True)
class Estimate(Job):
    """Compile a kernel under directives."""

    kernel: Kernel
    clock_ns: float
    directives: tuple[Placed, ...]
    kind = "estimate"
    planned_from = True

    @property
    def label(self) -> str:
        told = f"{len(self.directives)} directives"
        return f"estimate {self.kernel.options.top}, {self.clock_ns:g} ns, {told}"

    @property
    def announced(self) -> bool:
        return False

    def inputs(self) -> Mapping[str, Any]:
        return {
            **self.kernel.inputs(),
            "clock_ns": repr(self.clock_ns),
            "directives": _told(self.directives),
            "code": code.of(sys.modules[__name__]),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        request = self.kernel.request(self.clock_ns, self.directives)
        _keep(self.kernel, request, work)
        return ask(request, work, Estimated)


@dataclass(frozen=True)
class Cosimulate(Job):
    """Prove the hardware of an estimate, whose record says what `hardware` it is."""

    estimate: Estimate
    hardware: str
    kind = "cosimulation"

    @property
    def label(self) -> str:
        return f"co-simulation of {self.estimate.kernel.options.top}, {self.hardware[:8]}"

    @property
    def announced(self) -> bool:
        return False

    def inputs(self) -> Mapping[str, Any]:
        kernel = self.estimate.kernel
        return {
            **kernel.inputs(),
            "hardware": self.hardware,
            "arguments": list(map(_argument, kernel.arguments)),
            "max_cycles": kernel.max_cycles,
            "harness": [code.of_imports(cosim), reads.digests(_harness())],
            "simulator": verilator.find().identity,
        }

    def run(self, work: Path, store: Store) -> Outcome:
        one = self.estimate
        request = one.kernel.request(one.clock_ns, one.directives, self.hardware)
        _keep(one.kernel, request, work)
        return ask(request, work, Proven)


def _harness() -> list[Path]:
    """Give the C and C++ that co-simulation is made with, and no other harness."""
    own = [*sorted(build.NATIVE.glob("cosim*.c*")), build.NATIVE / "sanitize.c"]
    return [*own, *reads.of_c(own, [build.NATIVE])]


def _argument(text: str) -> str | list[str]:
    """Give an argument of `main` for a key: of a file what is in it, not where it lies."""
    path = Path(text)
    return ["file", digest.of_file(path)] if path.is_file() else text


def _told(directives: Sequence[Placed]) -> list[list[str]]:
    return [[one.directive, one.function, one.loop, one.variable] for one in directives]


def _keep(kernel: Kernel, request: Request, work: Path) -> None:
    """Copy what a request names, with the same request of the copies: for who asks it again."""
    for path in kernel.files:
        target = work / SOURCES / path.relative_to(kernel.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for folder in request.include_dirs:
        (work / _copied(folder, kernel.root)).mkdir(parents=True, exist_ok=True)
    copies: dict[str, Any] = {
        name: tuple(_copied(text, kernel.root) for text in getattr(request, name))
        for name in ("sources", "headers", "include_dirs", "macros")
    }
    copies["arguments"] = tuple(
        _copied(text, kernel.root) if Path(text).is_file() else text for text in request.arguments
    )
    kept = msgspec.structs.replace(request, root=str(SOURCES), **copies)
    (work / REQUEST_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(kept)))


def _plain(path: Path) -> Path:
    """Give an absolute path without dots; links stay what they are."""
    return Path(os.path.normpath(path.absolute()))


def _copied(text: str, root: Path) -> str:
    """Give where the copy of a file or folder is, from the work folder."""
    return str(SOURCES / _plain(Path(text)).relative_to(root))


def ask(request: Request, work: Path, kind: type[Estimated] | type[Proven]) -> Outcome:
    """Have a process do what is asked, and give its answer.

    Raises
    ------
    Told
        What it raised.
    ToolFailed
        It crashed, or ran past its time.
    """
    # The parts of a co-simulation have limits of their own, and say so.
    timeout_s = request.timeout_s * (3 if request.prove else 1)
    text = msgspec.json.encode(request)
    run = apart.ask(__name__, text, work, answer=_ANSWER_FILE, timeout_s=timeout_s)
    answer = msgspec.json.decode((work / _ANSWER_FILE).read_bytes(), type=kind)
    outcome = Outcome(result=msgspec.to_builtins(answer))
    outcome.add(run)
    return outcome


def hardware_of(texts: Sequence[str], interface: Any) -> str:
    """Give the digest of Verilog without comments, and of what is known of its ports."""
    plain = [re.sub(r"//.*", "", text) for text in texts]
    return digest.of_value([plain, msgspec.json.encode(interface).decode()])


def answer(request: Request, work: Path) -> Estimated | Proven:
    """Do what is asked.

    Raises
    ------
    LyditeError
        The kernel cannot become hardware so, or that is not the C.
    """
    # Imported here: who plans needs no compiler, and must stay quick.
    from lydite import hls
    from lydite.hls.frontend import clang, program

    options = request.options(work)
    made = hls.compile(replace(options, check=False))
    hardware = hardware_of([file.text for file in made.files], made.interface)
    if not request.prove:
        reads.check(
            sorted(program.files_read(options)),
            (*options.sources, *(work / name for name in request.headers)),
            folder=clang.INCLUDE,
            where=str(options.sources[0]),
        )
        (work / FOLDER).mkdir()
        for file in made.files:
            (work / FOLDER / file.name).write_text(file.text)
        top = made.report.functions[0]
        return Estimated(
            files=tuple(file.name for file in made.files),
            hardware=hardware,
            latency_cycles=(top.latency_min, top.latency_max),
            critical_ns=made.report.critical_ns,
            area=msgspec.to_builtins(made.report.area),
            warnings=request.told(made.warnings, work),
        )
    assert hardware == request.prove, "the compiler repeats itself"
    scratch = work / "cosim"
    scratch.mkdir()
    limits = Limits(request.timeout_s, _RECORD_BYTES, request.timeout_s)
    found = cosim.run(
        options,
        made,
        scratch,
        arguments=tuple(_argument_in(work, text) for text in request.arguments),
        timeout_cycles=request.max_cycles,
        limits=limits,
    )
    found.check()
    if found.native_rc:
        at = f"{options.top}: the program's own main, run natively"
        raise CheckFailed("exit status 0", str(found.native_rc), at)
    _tidy(scratch)
    return Proven(
        cycles_mean=found.latency_mean,
        cycles_min=found.latency_min,
        cycles_max=found.latency_max,
        calls=found.calls,
        notes=request.told(found.notes, work),
        cycles=found.latencies[:_CALLS_KEPT],
    )


def _tidy(scratch: Path) -> None:
    """Remove what a proof that held is no longer needed for: megabytes a point."""
    for path in sorted(scratch.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    scratch.rmdir()


def main(arguments: Sequence[str]) -> int:
    """Do what stdin asks, and give the exit code."""
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    [work] = map(Path, arguments)

    def do() -> None:
        found = answer(request, work)
        (work / _ANSWER_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(found)))

    return apart.serve(do, work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
