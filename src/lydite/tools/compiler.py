# SPDX-License-Identifier: Apache-2.0
"""C and C++ compilers: those of the system, and the clang of the `ziglang` wheel, always there."""

from __future__ import annotations

import functools
import importlib.util
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from lydite.base import proc
from lydite.base.errors import ToolNotFound
from lydite.tools import tool
from lydite.tools.tool import Tool

# Language to (name, program) in the order of preference for building simulations.
_SYSTEM = {
    "c": (("gcc", "gcc"), ("clang", "clang")),
    "c++": (("g++", "g++"), ("clang++", "clang++")),
}


def zig(language: str) -> Tool:
    """Give the wheel's clang; `language` is `c` or `c++`."""
    version = tool.wheel_version("ziglang", "zig")
    return Tool(
        name="zig cc" if language == "c" else "zig c++",
        # `python -m ziglang` starts this, and takes as long as to compile a small file.
        argv=(_zig(), "cc" if language == "c" else "c++"),
        version=version,
        origin="wheel ziglang",
    )


@functools.cache
def _zig() -> str:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise ToolNotFound("zig", "its package has no files", "pip install ziglang")
    return str(Path(spec.origin).with_name("zig"))


def portable(argv: Sequence[str]) -> tuple[str, ...]:
    """Give a command as it can be run wherever the wheel is: Zig by its package, not its place."""
    by_place = importlib.util.find_spec("ziglang") is not None and argv[0] == _zig()
    return (sys.executable, "-m", "ziglang", *argv[1:]) if by_place else tuple(argv)


def all_found(language: str) -> tuple[Tool, ...]:
    """Give all compilers of a language that are here; the wheel's is last.

    Parameters
    ----------
    language : str
        `c` or `c++`.
    """
    found = [
        Tool(name=name, argv=(path,), version=_version(path), origin="native")
        for name, program in _SYSTEM[language]
        if (path := shutil.which(program)) and _works(path, language)
    ]
    return (*found, zig(language))


def find(language: str) -> Tool:
    """Give the first compiler of a language: the system's if there is one, else the wheel's."""
    for name, program in _SYSTEM[language]:
        if (path := shutil.which(program)) and _works(path, language):
            return Tool(name=name, argv=(path,), version=_version(path), origin="native")
    return zig(language)


def _version(path: str) -> str:
    first = proc.run([path, "--version"], timeout_s=30).output.partition("\n")[0]
    # Distributions add their own number; the compiler's is the last one of the line for gcc, the
    # first for clang, and the whole line keeps both apart.
    return re.sub(r"\s+", " ", first).strip()


def _works(path: str, language: str) -> bool:
    """Say whether a compiler gets through its own headers: a broken one must not be chosen."""
    header = "stdint.h" if language == "c" else "cstdint"
    try:
        check = proc.run(
            [path, "-x", language, "-fsyntax-only", "-"],
            stdin=f"#include <{header}>\nint main(void) {{ return 0; }}\n",
            timeout_s=30,
        )
    except ToolNotFound:
        return False
    return check.rc == 0


def errors(output: str) -> str:
    """Pick a compiler's errors, with file and line, out of its output."""
    return "\n".join(re.findall(r"^.*?\berror: .*$", output, re.MULTILINE)[:8])


def files_read(rules: str) -> list[str]:
    """Give the files that rules of make, as `-MM` prints them, say that sources are made of."""
    joined = re.findall(r"^[^\s:]+\.o: (.*)$", rules.replace("\\\n", " "), re.MULTILINE)
    words = (word for line in joined for word in re.findall(r"(?:\\.|[^\s\\])+", line))
    return [re.sub(r"\\(.)", r"\1", word) for word in words]
