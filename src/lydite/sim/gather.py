# SPDX-License-Identifier: Apache-2.0
"""Gathers the files of a design that a user names: what they include and load, in an order to read.

Tools work in a folder of their own. There files keep their places relative to each other, so that
two of one name do not meet, and what includes by a relative path still finds it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lydite.base.errors import InputError
from lydite.sim.build import VERILOG, Sources

_VHDL = (".vhd", ".vhdl")
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_INCLUDE = re.compile(r'`include\s*"([^"\n]+)"')
_TEXT = re.compile(r'"([^"\\\n]{1,200})"')
_PACKAGE = re.compile(r"\bpackage\s+(?:automatic\s+|static\s+)?(\w+)\s*;")
_NAME = re.compile(r"[A-Za-z_]\w*")


def gather(
    files: Sequence[Path],
    *,
    top: str,
    parameters: Mapping[str, int | str],
    includes: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
) -> Sources:
    """Give the sources of a design.

    Files that these include, or name in a text (as `$readmemh` does), are looked for beside the
    file that names them, in `includes`, and among `files`.

    Parameters
    ----------
    files : sequence of Path
        Verilog, read in this order but for packages, which come before what uses them; and other
        files that it includes or loads.
    includes : sequence of Path
        Folders with files to include.

    Raises
    ------
    InputError
        A file or folder is missing, stands twice, or is VHDL; or there is no Verilog.
    """
    _check(files, includes)
    paths = [Path(os.path.abspath(path)) for path in files]  # noqa: PTH100  links stay
    found = _Found(paths, [Path(os.path.abspath(path)) for path in includes])  # noqa: PTH100
    for path in paths:
        found.follow(path)
    for value in parameters.values():
        if isinstance(value, str):
            found.data(value, paths[0].parent)
    names = found.names()
    ordered = _packages_first([path for path in paths if path.suffix in VERILOG])
    rest = [path for path in names if path not in ordered]
    return Sources(
        files={names[path]: path for path in (*ordered, *rest)},
        top=top,
        parameters=dict(parameters),
        includes=found.include_names(names),
        defines=dict(defines or {}),
    )


def _check(files: Sequence[Path], includes: Sequence[Path]) -> None:
    for path in files:
        if not path.is_file():
            raise InputError(str(path), "no such file")
    for path in files:
        if sum(path.samefile(other) for other in files) > 1:
            raise InputError(str(path), "the file is named twice")
        if path.suffix.lower() in _VHDL:
            raise InputError(
                str(path),
                "VHDL cannot be read",
                f"make Verilog of it: ghdl synth --std=08 --out=verilog {path} -e ENTITY > "
                f"{path.with_suffix('.v').name}",
            )
    for folder in includes:
        if not folder.is_dir():
            raise InputError("-I", f"no such folder: {folder}")
    if not any(path.suffix in VERILOG for path in files):
        names = ", ".join(path.name for path in files)
        raise InputError(names, "no Verilog among the files", "its suffix is .v or .sv")


def _code(path: Path) -> str:
    """Give a file's text without comments."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(str(path), f"cannot read it: {error.strerror}") from error
    return _COMMENT.sub(lambda match: match[1] or " ", text)


@dataclass
class _Found:
    """Files that were found, and how."""

    given: list[Path]
    folders: list[Path]
    beside: dict[Path, None] = field(default_factory=dict)  # at their places
    below: dict[Path, Path] = field(default_factory=dict)  # by a folder of includes
    more: dict[Path, None] = field(default_factory=dict)  # folders that nobody named

    def follow(self, path: Path) -> None:
        """Take a file, and all that it includes or loads."""
        self.beside.setdefault(path)
        self._read(path)

    def _read(self, path: Path) -> None:
        code = _code(path)
        included = _INCLUDE.findall(code)
        for name in included:
            self._take(name, path.parent, include=True)
        for name in _TEXT.findall(code):
            if name not in included:
                self.data(name, path.parent)

    def data(self, name: str, folder: Path) -> None:
        """Take the file that a text names, if it names one."""
        if "." in name and not name.startswith("/"):
            self._take(name, folder, include=False)

    def _take(self, name: str, folder: Path, *, include: bool) -> None:
        for path, below in self._places(name, folder):
            if not path.is_file():
                continue
            if path in self.beside or path in self.below:
                return
            if below is None:
                self.beside[path] = None
            else:
                self.below[path] = below
            if include:
                self._read(path)
            return
        for path in self.given:
            if path.name == Path(name).name and include:
                # It was named so that it would be found.
                self.more.setdefault(path.parent)

    def _places(self, name: str, folder: Path) -> Iterator[tuple[Path, Path | None]]:
        """Give where a file may lie, in the order of the tools."""
        yield Path(os.path.normpath(folder / name)), None
        for below in self.folders:
            yield Path(os.path.normpath(below / name)), below

    def _root(self) -> Path:
        return Path(os.path.commonpath([path.parent for path in self.beside]))

    def names(self) -> dict[Path, str]:
        """Give each file its name for the tools."""
        root = self._root()
        names = {path: path.relative_to(root).as_posix() for path in self.beside}
        for path, below in self.below.items():
            relative = os.path.relpath(path, below)
            names.setdefault(path, f"{self._folder_name(below)}/{relative}".removeprefix("./"))
        return names

    def _folder_name(self, folder: Path) -> str:
        """Give a folder of includes its name: its place, if it has one that a script can hold."""
        root = self._root()
        if folder.is_relative_to(root):
            name = folder.relative_to(root).as_posix()
            if not re.search(r"[^\w./+-]", name):
                return name
        return f"lydite_include_{self.folders.index(folder)}"

    def include_names(self, names: Mapping[Path, str]) -> tuple[str, ...]:
        """Give the names of the folders that hold something to include."""
        used = [self._folder_name(f) for f in self.folders if f in self.below.values()]
        used += [str(Path(names[p]).parent) for p in self.given if p.parent in self.more]
        return tuple(dict.fromkeys(used))


def _packages_first(paths: Sequence[Path]) -> list[Path]:
    """Put files with packages before those that use them; else the order stays."""
    codes = {path: _code(path) for path in paths}
    holder = {name: path for path in paths for name in _PACKAGE.findall(codes[path])}
    if not holder:
        return list(paths)
    used = re.compile(rf"\b({'|'.join(map(re.escape, holder))})\s*::")
    ordered: dict[Path, None] = {}
    open_: set[Path] = set()

    def place(path: Path) -> None:
        if path in ordered or path in open_:
            return
        open_.add(path)
        for name in dict.fromkeys(used.findall(codes[path])):
            place(holder[name])
        ordered[path] = None

    for path in paths:
        place(path)
    return list(ordered)


def define(text: str) -> tuple[str, str]:
    """Read `NAME` or `NAME=VALUE` of a macro.

    Raises
    ------
    InputError
        It is neither, or a tool's command line cannot hold the value.
    """
    name, _, value = text.partition("=")
    if not _NAME.fullmatch(name):
        raise InputError("-D", f"not NAME or NAME=VALUE: {text!r}")
    if re.search(r'[\s"\\;#]', value):
        raise InputError(
            "-D",
            f"a value with white space, a quote, a backslash, ; or #: {text!r}",
            "write `define in a file, and name that file first",
        )
    return name, value


def parameter(text: str) -> tuple[str, int | str]:
    r"""Read `NAME=VALUE` of a parameter: a number, one of Verilog's with a size, a quoted text.

    Raises
    ------
    InputError
        It is none of these.
    """
    name, _, value = text.partition("=")
    try:
        if _NAME.fullmatch(name):
            return name, int(value, 0)
    except ValueError:
        pass
    sized = re.fullmatch(r"-?\d+'s?(?:[dD]\d+|[hH][\da-fA-F]+|[oO][0-7]+|[bB][01]+)", value)
    quoted = re.fullmatch(r'"[^"\\\n]*"', value)
    if not _NAME.fullmatch(name) or not (sized or quoted):
        raise InputError(
            "--param",
            f"not NAME=VALUE: {text!r}",
            "a value is a whole number (12, -3, 0x1f, 8'hff) or a text in quotes of its own, as "
            "in --param 'FILE=\"rom.hex\"'",
        )
    return name, value[1:-1] if quoted else value
