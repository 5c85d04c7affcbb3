# SPDX-License-Identifier: Apache-2.0
"""Builds a model for a few thousand cycles: most of the time of `sim.build` goes into headers.

The same model and harness as `lydite.sim.build` makes, but not optimised, with Verilator's headers
precompiled once, and not kept.
"""

from __future__ import annotations

from pathlib import Path

from lydite.base import proc
from lydite.sim import build
from lydite.sim.cosim_verilog import Hardware
from lydite.tools import compiler, verilator
from lydite.tools.tool import Tool

FLAGS = (
    "-pthread",
    *("-std=c++20", "-fPIC", "-w", "-O0", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVL_TIME_CONTEXT"),
    *("-DVL_USER_FATAL", "-DVL_USER_STOP", "-DVL_USER_FINISH", "-DVM_TRACE=0"),
    f"-DLYDITE_MODEL={build.PREFIX}",
)
HEADER = """#include <array>
#include <memory>
#include <string>
#include <vector>
#include "verilated.h"
"""
RUNTIME = ("verilated.cpp", "verilated_threads.cpp")


def prepare() -> Path:
    """Compile headers and runtime, once, into the cache folder, and give that."""
    folder = build.cache_folder() / "fuzz"
    if (folder / "ready").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    simulator, cxx = verilator.find(), compiler.find("c++")
    include = verilator.include_folder(simulator)
    base = [*cxx.argv, *FLAGS, "-I", str(include), "-I", str(include / "vltstd")]
    header = folder / "fuzz.h"
    header.write_text(HEADER)
    argv = [*base, "-x", "c++-header", str(header), "-o", _precompiled(header, cxx)]
    proc.run(argv, timeout_s=600).checked()
    for name in RUNTIME:
        argv = [*base, "-c", str(include / name), "-o", str(folder / f"{name}.o")]
        proc.run(argv, timeout_s=600).checked()
    (folder / "ready").write_text("")
    return folder


def _precompiled(header: Path, cxx: Tool) -> str:
    """Give the name under which a compiler looks for a precompiled header."""
    return f"{header}.gch" if "g++" in cxx.name else f"{header}.pch"


def _include(header: Path, cxx: Tool) -> tuple[str, str]:
    """Give the options that include a header, precompiled."""
    if "g++" in cxx.name:
        return "-include", str(header)
    return "-include-pch", _precompiled(header, cxx)


def quick(hardware: Hardware, folder: Path) -> Path:
    """Give the shared library of a design."""
    prepared = prepare()
    work = folder / "model"
    work.mkdir(parents=True)
    sources = hardware.sources
    sources.copy_to(work)
    simulator, cxx = verilator.find(), compiler.find("c++")
    argv = verilator.translate_command(
        simulator, sources.verilog, sources.top, {}, prefix=build.PREFIX, folder="obj"
    )
    proc.run(argv, cwd=work, env=simulator.env, timeout_s=600).checked(pick=verilator.errors)
    (work / "model.h").write_text(f'#pragma once\n#include "obj/{build.PREFIX}.h"\n')
    unit = [f'#include "obj/{build.PREFIX}.h"', f'#include "{hardware.harness}"']
    unit += [f'#include "{path}"' for path in sorted((work / "obj").glob("*.cpp"))]
    (work / "all.cpp").write_text("\n".join(unit) + "\n")
    include = verilator.include_folder(simulator)
    argv = [
        *(*cxx.argv, *FLAGS, *_include(prepared / "fuzz.h", cxx)),
        *("-I", str(work), "-I", str(work / "obj"), "-I", str(build.NATIVE), "-I", str(include)),
        *("-I", str(include / "vltstd"), "-shared", "-o", str(work / "model.so")),
        *(str(work / "all.cpp"), *(str(prepared / f"{name}.o") for name in RUNTIME)),
        "-lm",
    ]
    proc.run(argv, timeout_s=600).checked(pick=compiler.errors)
    return work / "model.so"
