# SPDX-License-Identifier: Apache-2.0
"""Runs the C compiler of the `ziglang` wheel: preprocess, compile to LLVM IR unoptimised.

The data model is LP64, that of the native run, so that `long`, `sizeof` and struct layout are the
same in the C that was tested and in the hardware. Signed overflow wraps; no aliasing is assumed
from types, since a program that breaks that rule still has a meaning that the hardware can keep.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from lydite.base import InputError, ToolFailed, proc

_CODE = (
    *("-target", "x86_64-linux-musl", "-S", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes"),
    # Zig defines NDEBUG where it optimises: the asserts of a program's main are its checks.
    "-UNDEBUG",
    *("-fwrapv", "-fno-strict-aliasing", "-fno-sanitize=all", "-fno-stack-protector"),
    *("-g", "-fno-discard-value-names"),
    # Else clang drops what a file's path has in common with the current folder.
    *("-Xclang", "-fdebug-compilation-dir=/"),
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
    argv = [*_driver(source), "-E", "-target", "x86_64-linux-musl", *_QUIET]
    folders = [source.parent, *include_dirs]
    try:
        _run([*argv, *flags, *includes(include_dirs), str(source), "-o", str(output)], str(source))
    except InputError as error:
        raise InputError(_as_given(error.where, folders), error.what, error.hint) from None
    # Strings may hold bytes of any encoding: they go through as they are.
    text = output.read_text(encoding="utf-8", errors="surrogateescape")
    return _MARKER.sub(lambda match: match[1] + _as_given(match[2], folders), text)


def includes(include_dirs: Sequence[Path]) -> list[str]:
    """Give the flags by which a source finds headers and knows who compiles it."""
    return [*(f"-I{folder}" for folder in (*include_dirs, INCLUDE)), "-D__LYDITE__=1"]


_MARKER = re.compile(r'^(# \d+ ")([^"\n]+)', re.MULTILINE)


def _as_given(path: str, folders: Sequence[Path]) -> str:
    """Name a file below one of the folders as the user named that: Zig makes some absolute."""
    for folder in sorted(folders, key=lambda folder: -len(folder.resolve().parts)):
        for start in (f"{folder.absolute()}/", f"{folder.resolve()}/"):
            if not folder.is_absolute() and path.startswith(start):
                return str(folder / path.removeprefix(start))
    return path.removeprefix("./")


def compile_to_llvm(source: Path, output: Path, *, flags: Sequence[str]) -> str:
    """Give the LLVM IR of a preprocessed source."""
    argv = [*_driver(source), *_CODE, *_QUIET, *flags, str(source), "-o", str(output)]
    _run(argv, str(source))
    return output.read_text(encoding="utf-8")


def _driver(source: Path) -> list[str]:
    # The library's headers ask what C++ has, so preprocessing needs the flags, too.
    return [sys.executable, "-m", "ziglang", *(["c++", *_PLUS] if is_cxx(source) else ["cc"])]


def _run(argv: list[str], source: str) -> None:
    result = proc.run(argv, timeout_s=_TIMEOUT_S)
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
