# SPDX-License-Identifier: Apache-2.0
"""The files of a design, those included that the HLS compiler makes.

Verilog made of C is kept in the user's cache folder under the digest of the C, the options, the
compiler's own files and the versions of the wheels it stands on; it can be deleted at any time.
"""

from __future__ import annotations

import functools
import importlib.metadata
import tomllib
from collections.abc import Iterator
from pathlib import Path

import lydite
from lydite import targets
from lydite.base import code, digest
from lydite.base.files import write_atomic
from lydite.cores import Design
from lydite.sim import reads
from lydite.sim.build import Sources, cache_folder
from lydite.targets import DELAYS

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
            "macros": reads.digests(_macro_files(design)),
            "said": {name: repr(value) for name, value in said.items()},
            "compiler": _compiler_digest(),
        }
    )
    folder = cache_folder() / "hls" / key
    if not (folder / _INDEX).exists():
        _compile(design, tuple(sources), headers, folder)
    return folder


def _macro_files(design: Design) -> Iterator[Path]:
    """Give the files of a design's macros, and the Verilog that each names."""
    assert design.hls is not None
    for name in design.hls.macros:
        path = design.folder / name
        yield path
        for macro in tomllib.loads(path.read_text(encoding="utf-8")).get("macro", ()):
            yield from (path.parent / source for source in macro.get("sources", ()))


def _compile(
    design: Design, sources: tuple[Path, ...], headers: tuple[Path, ...], folder: Path
) -> None:
    # Imported here: a design in Verilog needs no compiler, and planning must stay quick.
    from lydite.hls import Options, compile
    from lydite.hls.contract import directive_text, rtl_macro
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
        macros=tuple(one for name in hls.macros for one in rtl_macro.load(design.folder / name)),
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
