# SPDX-License-Identifier: Apache-2.0
"""The files of a design, those included that the HLS compiler makes.

Verilog made of C is kept in the user's cache folder under the digest of the C, the options, the
compiler's own files and the versions of the wheels it stands on; it can be deleted at any time.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
from pathlib import Path
from typing import TYPE_CHECKING

import lydite
from lydite import targets
from lydite.base import code, digest
from lydite.base.files import write_atomic
from lydite.cores import Design
from lydite.sim import reads
from lydite.sim.build import Sources, cache_folder
from lydite.targets import DELAYS

if TYPE_CHECKING:
    from lydite.hls.contract.rtl_macro import Macro

_WHEELS = ("ziglang", "llvmlite")
# Written last: its presence says that the other files are whole.
_INDEX = "index"
# What of a design's C is a file, or names one.
_AS_FILES = ("sources", "includes", "directives", "macros")


def sources_of(design: Design) -> Sources:
    """Give the files of a design, compiling its C first if it has some.

    Raises
    ------
    InputError, ToolFailed
        As `lydite.hls.compile`.
    """
    files = {name: design.folder / name for name in design.sources}
    if design.hls is not None:
        folder = _compiled(design)
        files |= {name: folder / name for name in (folder / _INDEX).read_text().split()}
    return Sources(files=files, top=design.top, parameters=design.parameters)


def _compiled(design: Design) -> Path:
    assert design.hls is not None
    hls = design.hls
    sources = [design.folder / name for name in hls.sources]
    listed = [design.folder / name for name in hls.includes]
    headers = tuple(dict.fromkeys((*listed, *reads.of_c([*sources, *listed], ()))))
    # Whatever a design can say of its C decides what comes out.
    said = {name: getattr(hls, name) for name in hls.__struct_fields__ if name not in _AS_FILES}
    key = digest.of_value(
        {
            "sources": reads.digests(sources),
            "headers": reads.digests(headers),
            "directives": reads.digests(design.folder / name for name in hls.directives),
            "macros": [repr(dataclasses.replace(one, where="")) for one in macros_of(design)],
            "said": {name: repr(value) for name, value in said.items()},
            "compiler": _compiler_digest(),
        }
    )
    folder = cache_folder() / "hls" / key
    if not (folder / _INDEX).exists():
        _compile(design, tuple(sources), headers, folder)
    return folder


def macros_of(design: Design) -> tuple[Macro, ...]:
    """Give the functions of a design in C that are Verilog modules.

    Raises
    ------
    InputError
        As `lydite.hls.contract.rtl_macro.load`.
    """
    if design.hls is None or not design.hls.macros:
        return ()
    # Imported here: a design without macros needs no compiler.
    from lydite.hls.contract import rtl_macro

    return tuple(one for name in design.hls.macros for one in rtl_macro.load(design.folder / name))


def _compile(
    design: Design, sources: tuple[Path, ...], headers: tuple[Path, ...], folder: Path
) -> None:
    # Imported here: a design in Verilog needs no compiler, and planning must stay quick.
    from lydite.hls import Options, compile
    from lydite.hls.contract import directive_text
    from lydite.hls.frontend import clang
    from lydite.hls.frontend import program as frontend_program

    assert design.hls is not None
    hls = design.hls
    outside = [directive_text.load(design.folder / name) for name in hls.directives]
    options = Options(
        sources=sources,
        top=hls.top,
        clock_ns=hls.clock_ns,
        target=hls.target,
        defines=tuple(f"{name}={value}" for name, value in sorted(hls.defines.items())),
        std=hls.std,
        directives=tuple(placed for file in outside for placed in file),
        macros=macros_of(design),
    )
    compiled = compile(options)
    reads.check(
        sorted(frontend_program.files_read(options)),
        (*sources, *headers),
        folder=clang.INCLUDE,
        where=str(sources[0]),
    )
    for file in compiled.files:
        write_atomic(folder / file.name, file.text)
    write_atomic(folder / _INDEX, "".join(f"{file.name}\n" for file in compiled.files))


@functools.cache
def _compiler_digest() -> str:
    """Digest of all that the compiler is made of."""
    folder = Path(lydite.__file__).parent / "hls"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return digest.of_value(
        {
            "files": [[str(path.relative_to(folder)), digest.of_file(path)] for path in files],
            # What it stands on: errors and seeds, the tables' reader.
            "beside": [code.of_imports(module) for module in (digest, targets)],
            "delays": reads.digests(sorted(DELAYS.glob("*.toml"))),
            "wheels": [[name, importlib.metadata.version(name)] for name in _WHEELS],
        }
    )
