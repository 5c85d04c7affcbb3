# SPDX-License-Identifier: Apache-2.0
"""Turn Verilog and a C++ harness into a shared library, once for equal content.

Verilator translates, the C++ compiler compiles the model and the harness as one unit, and links
Verilator's own runtime. Nearly all of that unit is headers of C++ and of the runtime, for seconds:
they are compiled ahead, once per compiler and flags, and the runtime is. All is kept in the user's
cache folder under the digest of everything that went in, and can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs

from lydite.base import digest, files, proc
from lydite.base.errors import InputError
from lydite.cores import Design
from lydite.cores.primitive import find_file
from lydite.sim import reads
from lydite.tools import compiler, verilator, yosys
from lydite.tools.tool import Tool

VERILOG = (".v", ".sv")
NATIVE = Path(__file__).parent / "native"
PREFIX = "Vmodel"
_RUNTIME = ("verilated.cpp", "verilated_threads.cpp")
_RUNTIME_TRACE = (*_RUNTIME, "verilated_vcd_c.cpp")
_HEADER = """#include <array>
#include <memory>
#include <string>
#include <vector>
#include "verilated.h"
"""
# Zig traps on undefined behaviour by default; the other flags are Verilator's own for the runtime.
_FLAGS = (
    *("-std=c++20", "-fPIC", "-fno-sanitize=undefined", "-g0", "-w"),
    # Models have classes of one name; what of them can be seen outside, as constants of a class
    # can, would be taken from the library that this process loaded first.
    "-fvisibility=hidden",
    *("-DVM_COVERAGE=0", "-DVM_SC=0", "-DVL_TIME_CONTEXT"),
    *("-DVL_USER_FATAL", "-DVL_USER_STOP", "-DVL_USER_FINISH"),
)
# Zig builds its C++ library, for a minute, for each set of flags of a link: all have the same. It
# does so, and builds C's, again for each folder above its own that a link is run in: they are run
# where their files are.
_LINK = ("-shared", "-fPIC", "-fno-sanitize=undefined", "-O1", "-g0", "-s", "-pthread", "-lm")
# How much the compiler works on a model, by how long the model will run.
Effort = Literal["once", "quick", "long"]
EFFORT: dict[Effort, tuple[str, ...]] = {
    "once": ("-O0",),
    "quick": ("-O1",),
    "long": ("-O3", "-march=native"),
}
TIMEOUT_S = 1800.0


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """Files of a design, the top module, and what is told to the tools that read them.

    Attributes
    ----------
    files : mapping
        Name under which tools see a file (relative, in the order of reading) to where it is. Files
        that are no Verilog by their suffix are there to be included or loaded; those of C++ have
        the functions that the Verilog imports, and may include headers of NATIVE.
    top : str
        Top module.
    parameters : mapping
        Its parameters: numbers, also as text with a size (`8'hff`), and texts, without quotes.
    includes : tuple of str
        Folders, under their names, in which files to be included are looked for, beside that of the
        file that includes them.
    defines : mapping
        Macros; an empty text for one without a value.
    """

    files: Mapping[str, Path]
    top: str
    parameters: Mapping[str, int | str]
    includes: tuple[str, ...] = ()
    defines: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Digest of names, contents, all that the tools are told, and of what else files name."""
        told = {
            "includes": list(self.includes),
            "defines": dict(self.defines),
            "outside": reads.digests(self.outside),
        }
        return digest.of_value(
            {
                "files": [[name, digest.of_file(path)] for name, path in self.files.items()],
                "top": self.top,
                "parameters": dict(self.parameters),
                # What is not said has no part.
                **{name: value for name, value in told.items() if value},
            }
        )

    @property
    def outside(self) -> tuple[Path, ...]:
        """Files that are not given, but named by absolute paths in those that are, or beside."""
        texts = (*self.parameters.values(), *self.defines.values())
        return reads.of_verilog(self.files.values(), [str(text) for text in texts])

    @property
    def verilog(self) -> list[str]:
        """Names of the files that tools read by themselves."""
        return [name for name in self.files if Path(name).suffix in VERILOG]

    @property
    def native(self) -> list[str]:
        """Names of the files of C++."""
        return [name for name in self.files if Path(name).suffix == ".cpp"]

    def copy_to(self, folder: Path) -> None:
        """Copy all files into a work folder, under their names."""
        for name, path in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)


def sources_of(design: Design) -> Sources:
    """Give the files of a design whose C, if it has some, has been compiled."""
    assert (design.hls is None) == (design.made is None), f"{design.label}: compile its C first"
    files = {name: find_file(design.folder, name) for name in design.sources} | dict(
        design.made or {}
    )
    return Sources(files=files, top=design.top, parameters=design.parameters)


def cache_folder() -> Path:
    """Give the folder of compiled models; `LYDITE_CACHE` moves it."""
    given = os.environ.get("LYDITE_CACHE")
    folder = given or platformdirs.user_cache_dir("lydite", appauthor=False)
    return Path(folder).absolute()


def digest_of_harness(harness: Path) -> str:
    """Digest of a harness and of the headers that it includes."""
    # One that is made for a design lies elsewhere than the headers.
    headers = reads.of_c([harness], [NATIVE])
    return digest.of_value([digest.of_file(path) for path in (harness, *headers)])


def build_model(
    sources: Sources,
    harness: Path,
    *,
    defines: Mapping[str, str],
    effort: Effort = "quick",
    trace: bool = False,
) -> Path:
    """Give the shared library of a model and its harness, building it if it is not there.

    Parameters
    ----------
    harness : Path
        C++ file that includes `model.h`, may include headers of `NATIVE`, and defines the
        functions to be called.
    defines : mapping
        Macros for the harness.
    effort : str
        `once` for thousands of cycles, `quick` for runs of seconds, `long` where compiling longer
        pays.
    trace : bool
        Whether the model can write a waveform.

    Raises
    ------
    ToolFailed
        Verilator or the compiler refuse; the message has their error lines.
    """
    simulator, cxx = verilator.find(), compiler.find("c++")
    flags = (*_FLAGS, f"-DVM_TRACE={int(trace)}", *EFFORT[effort])
    macros = {"LYDITE_MODEL": PREFIX, **defines}
    key = digest.of_value(
        {
            "sources": sources.digest,
            "harness": digest_of_harness(harness),
            "headers": [digest_of_harness(sources.files[name]) for name in sources.native],
            "defines": macros,
            "translate": _translate_argv(simulator, sources, trace=trace)[len(simulator.argv) :],
            "flags": [flags, _LINK],
            "tools": [simulator.identity, cxx.identity],
            "machine": _machine(cxx) if effort != "long" else _instructions(),
        }
    )
    library = cache_folder() / "models" / f"{key}.so"
    if library.exists():
        return library
    runtime = _runtime(simulator, cxx, trace=trace)
    with _work_folder(library) as work:
        if library.exists():
            return library
        sources.copy_to(work)
        _as_yosys_reads(work)
        _translate(simulator, sources, work, trace=trace)
        _write_unit(harness, sources, work)
        more = [f"-D{name}={value}" for name, value in sorted(macros.items())]
        more += [f"-I{folder}" for folder in (work, work / "obj", NATIVE)]
        _compile(simulator, cxx, (*flags, *more), work, header=_header(simulator, cxx, flags))
        objects = (str(work / "all.o"), *map(str, runtime))
        argv = (*cxx.argv, *objects, *_LINK, "-o", str(work / "model.so"))
        proc.run(argv, cwd=work, timeout_s=TIMEOUT_S, name=cxx.name).checked(pick=compiler.errors)
        (work / "model.so").replace(library)
    return library


def build_library(source: Path, *, defines: Mapping[str, str]) -> Path:
    """Give the shared library of one file of C++ without a model, for this machine.

    Raises
    ------
    ToolFailed
        The compiler refuses.
    """
    cxx = compiler.find("c++")
    flags = (*_FLAGS, "-O3", "-march=native")
    key = digest.of_value(
        {
            "source": digest.of_file(source),
            "defines": dict(defines),
            "flags": [flags, _LINK],
            "tools": [cxx.identity],
            "machine": _instructions(),
        }
    )
    library = cache_folder() / "libraries" / f"{key}.so"
    if library.exists():
        return library
    with _work_folder(library) as work:
        if library.exists():
            return library
        macros = [f"-D{name}={value}" for name, value in sorted(defines.items())]
        made = str(work / "library.o")
        argv = (*cxx.argv, *flags, *macros, "-c", str(source), "-o", made)
        proc.run(argv, timeout_s=TIMEOUT_S, name=cxx.name).checked(pick=compiler.errors)
        argv = (*cxx.argv, made, *_LINK, "-o", str(work / "library.so"))
        proc.run(argv, cwd=work, timeout_s=TIMEOUT_S, name=cxx.name).checked(pick=compiler.errors)
        (work / "library.so").replace(library)
    return library


def _write_unit(harness: Path, sources: Sources, work: Path) -> None:
    """Write the unit of translation: the harness, then the model, then what that imports."""
    unit = [f'#include "obj/{PREFIX}.h"', "#pragma GCC visibility push(default)"]
    unit += [f'#include "{harness}"', "#pragma GCC visibility pop"]
    unit += [f'#include "{path}"' for path in sorted((work / "obj").glob("*.cpp"))]
    unit += [f'#include "{work / name}"' for name in sources.native]
    (work / "model.h").write_text(f'#pragma once\n#include "obj/{PREFIX}.h"\n')
    (work / "all.cpp").write_text("\n".join(unit) + "\n")


def _as_yosys_reads(work: Path) -> None:
    """Take out of all Verilog what Yosys would not read."""
    for path in work.rglob("*"):
        if path.is_file() and b"translate_off" in path.read_bytes():
            path.write_text(
                yosys.as_read(path.read_text(errors="surrogateescape")), errors="surrogateescape"
            )


def _machine(cxx: Tool) -> str:
    """Say what machine code of a compiler may not be run on another."""
    # Zig takes the instructions of this machine unasked.
    return _instructions() if cxx.origin != "native" else ""


def _instructions() -> str:
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return ""
    lines = info.read_text().splitlines()
    return next((line for line in lines if line.startswith("flags")), "")


def _translate_argv(simulator: Tool, sources: Sources, *, trace: bool) -> tuple[str, ...]:
    return verilator.translate_command(
        simulator,
        sources.verilog,
        sources.top,
        sources.parameters,
        includes=sources.includes,
        defines=sources.defines,
        prefix=PREFIX,
        folder="obj",
        trace=trace,
    )


def _translate(simulator: Tool, sources: Sources, work: Path, *, trace: bool) -> None:
    argv = _translate_argv(simulator, sources, trace=trace)
    run = proc.run(argv, cwd=work, env=simulator.env, timeout_s=TIMEOUT_S, name="verilator")
    run.checked(pick=verilator.errors)
    listed = (work / "obj" / f"{PREFIX}__ver.d").read_text()
    models = {path: path.read_text() for path in sorted((work / "obj").glob("*.cpp"))}
    loaded = {name for text in models.values() for name in verilator.files_loaded(text)}
    reads.check(
        (*verilator.files_read(listed), *sorted(loaded)),
        sources.outside,
        folder=work,
        own=Path(simulator.env["VERILATOR_ROOT"]),
        where=sources.top,
    )
    # A model loads its memories whenever and from wherever it is run: from copies that stay.
    copies = {name: str(_kept(_loaded(name, sources, work))) for name in sorted(loaded)}
    for path, text in models.items() if copies else ():
        path.write_text(verilator.load_instead(text, copies))


def _loaded(name: str, sources: Sources, work: Path) -> Path:
    """Find a file that a model loads: by its name, or beside the source that names it, as Yosys."""
    if (work / name).is_file():
        return work / name
    ends = [given for given in sources.files if f"/{given}".endswith(f"/{name}")]
    if len(ends) == 1:
        return work / ends[0]
    what = f"{len(ends)} files of that name" if ends else "which is not there"
    raise InputError(
        sources.top, f"loads a memory from {name}, {what}", "list one such file beside the sources"
    )


def _kept(path: Path) -> Path:
    """Keep a file in the cache folder, under its digest."""
    copy = cache_folder() / "tables" / digest.of_file(path)
    if not copy.exists():
        files.write_atomic(copy, path.read_bytes())
    return copy


def _compile(simulator: Tool, cxx: Tool, flags: Sequence[str], work: Path, *, header: Path) -> None:
    """Compile the unit of a model, which begins with the header."""
    ahead = ("-include", str(header))
    argv = [*cxx.argv, *flags, *_include(simulator), *ahead, "-c", str(work / "all.cpp")]
    argv += ["-o", str(work / "all.o")]
    run = proc.run(argv, timeout_s=TIMEOUT_S, name=cxx.name)
    compiled = header.with_name(f"{header.name}.gch")
    if run.rc and str(compiled) in run.output:
        # What it was made of has moved or changed since: the text does, and the next one renews it.
        compiled.unlink(missing_ok=True)
        run = proc.run(argv, timeout_s=TIMEOUT_S, name=cxx.name)
    run.checked(pick=compiler.errors)


def _include(simulator: Tool) -> tuple[str, ...]:
    include = verilator.include_folder(simulator)
    return (f"-I{include}", f"-I{include / 'vltstd'}")


def _header(simulator: Tool, cxx: Tool, flags: Sequence[str]) -> Path:
    """Give the header that units begin with; compilers find it compiled, beside it."""
    include = verilator.include_folder(simulator)
    key = digest.of_value(
        {
            "header": _HEADER,
            "flags": list(flags),
            "tools": [simulator.identity, cxx.identity, *cxx.argv],
            # Unlike objects, what is compiled ahead refers to the files that it was made of.
            "folder": [str(include), (include / "verilated.h").stat().st_mtime_ns],
            "machine": _machine(cxx),
        }
    )
    header = cache_folder() / "runtime" / key / "model_begins.h"
    compiled = header.with_name(f"{header.name}.gch")
    if compiled.exists():
        return header
    with _work_folder(header) as work:
        if compiled.exists():
            return header
        files.write_atomic(header, _HEADER)
        # Else each unit makes what the headers' inline functions need of templates.
        more = () if "g++" in cxx.name else ("-fpch-instantiate-templates",)
        argv = [*cxx.argv, *flags, *more, *_include(simulator), "-x", "c++-header", str(header)]
        argv += ["-o", str(work / "header")]
        run = proc.run(argv, timeout_s=TIMEOUT_S, name=cxx.name)
        run.checked(pick=compiler.errors)
        (work / "header").replace(compiled)
    return header


def _runtime(simulator: Tool, cxx: Tool, *, trace: bool) -> list[Path]:
    """Give the object files of Verilator's runtime, compiled on first use."""
    objects = []
    for name in _RUNTIME_TRACE if trace else _RUNTIME:
        flags = (*_FLAGS, "-O1", f"-DVM_TRACE={int(trace)}")
        key = digest.of_value(
            {
                "file": name,
                "flags": flags,
                "tools": [simulator.identity, cxx.identity],
                "machine": _machine(cxx),
            }
        )
        target = cache_folder() / "runtime" / f"{key}.o"
        objects.append(target)
        if target.exists():
            continue
        with _work_folder(target) as work:
            if target.exists():
                continue
            source = verilator.include_folder(simulator) / name
            argv = [*cxx.argv, *flags, *_include(simulator), "-c", str(source)]
            argv += ["-o", str(work / "out.o")]
            run = proc.run(argv, timeout_s=TIMEOUT_S, name=cxx.name)
            run.checked(pick=compiler.errors)
            (work / "out.o").replace(target)
    return objects


@contextlib.contextmanager
def _work_folder(target: Path) -> Iterator[Path]:
    """Give a scratch folder on the disk of `target`, gone afterwards.

    Who comes second to a target waits, and finds it made.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            (target.parent / f".lock-{target.stem[:2]}").open("w") as lock,
            tempfile.TemporaryDirectory(dir=target.parent, prefix=".build-") as folder,
        ):
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield Path(folder)
    except OSError as error:
        raise files.cannot_write(target, error) from error
