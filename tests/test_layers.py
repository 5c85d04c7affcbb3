# SPDX-License-Identifier: Apache-2.0
"""The one way of data: who may import whom, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "lydite"
FILES = sorted(SOURCE.rglob("*.py"))
# Left may not import right; packages of one tuple may not import each other.
LAYERS = (
    ("base",),
    ("targets", "cores"),
    ("tools",),
    ("hls",),
    ("sim",),
    ("runs",),
    ("search",),
    ("report",),
    ("cli",),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def ids(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give (line, dotted name) of all that is imported from this project."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name == "lydite" or name.startswith("lydite."):
                yield node.lineno, name


def inside_functions(tree: ast.AST) -> Iterator[int]:
    """Give the lines of imports inside functions."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield node.lineno


def test_every_package_has_its_place() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= RANK.keys(), "a new package needs its place in LAYERS"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_a_package_imports_only_what_stands_left_of_it(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0]
    if own not in RANK:  # lydite/__init__.py, lydite/__main__.py
        return
    for line, name in imports(ast.parse(path.read_text())):
        parts = name.split(".")
        if len(parts) > 1 and parts[1] in RANK:
            legal = parts[1] == own or RANK[parts[1]] < RANK[own]
            assert legal, f"{path}:{line}: {own} may not import {name}"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_imports_are_absolute(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            assert all(alias.name != "*" for alias in node.names), f"{path}:{node.lineno}: a star"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_imports_stand_at_the_top_but_in_commands(path: Path) -> None:
    name = ids(path)
    if name.startswith("cli/") or name == "base/optional.py":
        return
    lines = path.read_text().splitlines()
    for number in inside_functions(ast.parse(path.read_text())):
        # An exception says why in its place.
        assert "# Imported here: " in lines[number - 2], f"{path}:{number}"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_only_proc_starts_programs(path: Path) -> None:
    if ids(path) == "base/proc.py":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"{node.value.id}.{node.attr}"]
        for name in names:
            programs = name.split(".")[0] == "subprocess" or name in ("os.system", "os.popen")
            assert not programs, f"{path}:{node.lineno}: {name}"
