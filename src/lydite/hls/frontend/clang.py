# SPDX-License-Identifier: Apache-2.0
"""Runs the C compiler of the `ziglang` wheel: preprocess, compile to LLVM IR unoptimised.

The data model is LP64, that of the native run, so that `long`, `sizeof` and struct layout are the
same in the C that was tested and in the hardware. Signed and address overflow wraps, null is an
address as any other, loops may be endless, a function may end without a value, and no aliasing is
assumed from types: a program that breaks such a rule still has a meaning that hardware can keep.
What else C leaves undefined is the business of `llvm_undefined`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lydite.base import InputError, ToolFailed, proc
from lydite.tools import compiler

_CODE = (
    *("-target", "x86_64-linux-musl", "-S", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes"),
    *("-fwrapv", "-fwrapv-pointer", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"),
    *("-fno-finite-loops", "-fno-strict-return", "-fno-sanitize=all", "-fno-stack-protector"),
    *("-g", "-fno-discard-value-names"),
    # Else clang drops what a file's path has in common with the current folder.
    *("-Xclang", "-fdebug-compilation-dir=/"),
)
# Vector units that the target has and hardware has not: portable code takes what it has without.
# The native run is compiled so, too: what was tested is what is compiled.
_SCALAR = tuple(
    f"-U{name}" for name in ("__MMX__", "__SSE__", "__SSE2__", "__SSE_MATH__", "__SSE2_MATH__")
)
# Code is judged by the user's own compiler; what clang would warn of here is not our business.
_QUIET = ("-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int")
_PLUS = ("-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics")
# What stands for the headers of Vitis HLS.
_EXACT = "integers of any width are C23's _BitInt(N), in C++, too"
_STREAM = "streams are declared by lydite_stream.h: lydite hls --include-path has it"
_INSTEAD = {
    **dict.fromkeys(("ap_int.h", "ap_cint.h", "ap_fixed.h"), _EXACT),
    **dict.fromkeys(("hls_stream.h", "ap_axi_sdata.h", "hls_burst_maxi.h"), _STREAM),
}
_TIMEOUT_S = 120.0
# Headers for the user's sources: `lydite_stream.h`. After the user's own folders.
INCLUDE = Path(__file__).parent / "include"

CXX_SUFFIXES = frozenset((".cc", ".cpp", ".cxx", ".c++", ".C", ".ii"))


def is_cxx(source: Path) -> bool:
    """Whether a source is C++ by its suffix."""
    return source.suffix in CXX_SUFFIXES


def preprocess(
    source: Path, output: Path, *, flags: Sequence[str], include_dirs: Sequence[Path]
) -> str:
    """Give the preprocessed text of a source, line markers and pragmas included."""
    argv = [*_driver(source), "-E", "-target", "x86_64-linux-musl", *_SCALAR, *_QUIET]
    folders = [source.parent, *include_dirs]
    try:
        _run([*argv, *flags, *includes(include_dirs), str(source), "-o", str(output)], str(source))
    except InputError as error:
        raise InputError(_as_given(error.where, folders), error.what, error.hint) from None
    # Strings may hold bytes of any encoding: they go through as they are.
    text = output.read_text(encoding="utf-8", errors="surrogateescape")
    return _MARKER.sub(lambda match: match[1] + _as_given(match[2], folders), text)


def macros(defines: Sequence[str], undefines: Sequence[str]) -> list[str]:
    """Give the flags that define macros, and then forget some."""
    return [*(f"-D{text}" for text in defines), *(f"-U{name}" for name in undefines)]


def includes(include_dirs: Sequence[Path]) -> list[str]:
    """Give the flags by which a source finds headers and knows who compiles it."""
    return [*(f"-I{folder}" for folder in (*include_dirs, INCLUDE)), "-D__LYDITE__=1"]


_MARKER = re.compile(r'^(# \d+ ")([^"\n]+)', re.MULTILINE)
# A file that is entered; 3 marks headers of the system, `<` what is no file.
_ENTERED = re.compile(r'^# \d+ "([^"<\n][^"\n]*)"((?: \d)*)$', re.MULTILINE)


def files_read(text: str) -> list[str]:
    """Give the files of which a preprocessed text is made, without headers of the system."""
    return [match[1] for match in _ENTERED.finditer(text) if "3" not in match[2]]


def _as_given(path: str, folders: Sequence[Path]) -> str:
    """Name a file below one of the folders as the user named that: Zig makes some absolute."""
    for folder in sorted(folders, key=lambda folder: -len(folder.resolve().parts)):
        for start in (f"{folder.absolute()}/", f"{folder.resolve()}/"):
            if not folder.is_absolute() and path.startswith(start):
                return str(folder / path.removeprefix(start))
    return path.removeprefix("./")


def compile_to_llvm(source: Path, output: Path, *, flags: Sequence[str]) -> str:
    """Give the LLVM IR of a preprocessed source."""
    argv = [*_driver(source), *_CODE, *_SCALAR, *_QUIET, *flags, str(source), "-o", str(output)]
    _run(argv, str(source))
    return output.read_text(encoding="utf-8")


def _driver(source: Path) -> list[str]:
    # The library's headers ask what C++ has, so preprocessing needs the flags, too.
    if is_cxx(source):
        return [*compiler.zig("c++").argv, *_PLUS]
    return [*compiler.zig("c").argv]


def _run(argv: list[str], source: str) -> None:
    # Zig keeps what it made, with paths as they were given at first, and does not look for a header
    # that came since before the one it found: nothing of what was before is there.
    with tempfile.TemporaryDirectory(prefix="lydite-zig-") as cache:
        environment = {"ZIG_GLOBAL_CACHE_DIR": cache}
        result = proc.run(argv, timeout_s=_TIMEOUT_S, env=environment)
    if result.rc == 0:
        return
    lines = result.output.splitlines()
    errors = [line for line in lines if re.search(r"\b(?:fatal )?error:", line)]
    match = re.match(r"(.*?:\d+):(?:\d+:)? (?:fatal )?error: (.*)", errors[0]) if errors else None
    if match is None:
        raise ToolFailed(argv, result.rc, tail=proc.last_lines(result.output))
    more = f"and {len(errors) - 1} more errors" if len(errors) > 1 else ""
    missing = re.match(r"'([\w./]+)' file not found", match[2])
    hint = _INSTEAD.get(missing[1], "") if missing else ""
    raise InputError(match[1], f"clang: {match[2]}", hint or more)
