# SPDX-License-Identifier: Apache-2.0
"""The one way of data: who may import whom, read from the source.

Each rule is one test of all files, which are parsed once.
"""

from __future__ import annotations

import ast
import functools
import graphlib
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
    ("studies",),
    ("cli",),
)
# The rooms of a package, each with those that it may import; modules that are in none may import
# all, and be imported by `BESIDE` alone.
ROOMS: dict[str, dict[str, tuple[str, ...]]] = {
    "hls": {
        "contract": (),
        "frontend": ("contract",),
        "ir": ("contract",),
        "lower": ("contract", "frontend", "ir"),
        "passes": ("contract", "ir"),
        "schedule": ("contract", "ir", "passes"),
        "bind": ("contract", "ir", "passes", "schedule"),
        "emit": ("contract", "ir", "lower", "schedule", "bind"),
    },
    "runs": {
        "generated": (),
        "boards": (),
        "processors": (),
        "kinds": ("generated", "processors"),
        "clusters": ("processors",),
        "reruns": ("kinds", "processors"),
    },
}
# Packages of which rooms may import what is in none of them: a job and its record are of all kinds.
BESIDE = ("runs",)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def ids(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Give all of a file that may say something about imports or programs."""
    kinds = (ast.Import, ast.ImportFrom, ast.Attribute, *FUNCTIONS)
    return tuple(node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, kinds))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Give (line, dotted name) of all that is imported from this project."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name == "lydite" or name.startswith("lydite."):
                yield node.lineno, name


def inside_functions(path: Path) -> list[int]:
    """Give the lines of imports inside functions."""
    found = nodes(path)
    functions = [node for node in found if isinstance(node, FUNCTIONS)]
    spans = [(node.lineno, node.end_lineno or node.lineno) for node in functions]
    lines = [node.lineno for node in found if isinstance(node, ast.Import | ast.ImportFrom)]
    return [line for line in lines if any(first <= line <= last for first, last in spans)]


def test_every_package_has_its_place() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= RANK.keys(), "a new package needs its place in LAYERS"


def test_a_package_imports_only_what_stands_left_of_it() -> None:
    for path in FILES:
        own = path.relative_to(SOURCE).parts[0]
        if own not in RANK:  # lydite/__init__.py, lydite/__main__.py
            continue
        for line, name in imports(path):
            parts = name.split(".")
            if len(parts) > 1 and parts[1] in RANK:
                legal = parts[1] == own or RANK[parts[1]] < RANK[own]
                assert legal, f"{path}:{line}: {own} may not import {name}"


def files_of(package: str) -> list[Path]:
    return [path for path in FILES if path.is_relative_to(SOURCE / package)]


@pytest.mark.parametrize("package", ROOMS)
def test_a_room_imports_only_those_it_stands_on(package: str) -> None:
    rooms = ROOMS[package]
    for path in files_of(package):
        own = path.relative_to(SOURCE / package).parts[0]
        if own not in rooms:
            assert path.parent == SOURCE / package, f"{own} needs its place in ROOMS"
            continue
        for line, name in imports(path):
            parts = name.split(".")
            if parts[1:2] == [package]:
                room = parts[2] if len(parts) > 2 else ""
                legal = room in (own, *rooms[own]) or (
                    package in BESIDE and room not in ("", *rooms)
                )
                assert legal, f"{path}:{line}: {own} may not import {name}"


@pytest.mark.parametrize("package", ROOMS)
def test_modules_of_a_package_with_rooms_import_each_other_in_no_circle(package: str) -> None:
    """Imports for annotations count: who needs a type needs the idea."""
    paths = {dotted(path): path for path in files_of(package)}
    # A package's head is loaded before what is in it, and may name it all.
    modules = {name: path for name, path in paths.items() if path.name != "__init__.py"}
    after = {
        name: {
            found
            for _, target in imports(path)
            if (found := target if target in modules else target.rpartition(".")[0]) in modules
        }
        for name, path in modules.items()
    }
    try:
        graphlib.TopologicalSorter(after).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" < ".join(error.args[1]))


def test_folders_of_tests_are_those_of_sources() -> None:
    """What concerns several modules stands in the folder of all of them."""
    tests = Path(__file__).parent
    # Pages, and programs for the compiler that are made up, are of no package.
    others = {tests / "docs", tests / "hls_fuzz"}
    folders = {path.parent for path in tests.rglob("test_*.py")} - others
    assert [str(one) for one in folders if not (SOURCE / one.relative_to(tests)).is_dir()] == []


def test_imports_are_absolute() -> None:
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom):
                place = f"{path}:{node.lineno}"
                assert node.level == 0, f"{place}: a relative import"
                assert all(alias.name != "*" for alias in node.names), f"{place}: a star"


def test_imports_stand_at_the_top_but_in_commands() -> None:
    for path in FILES:
        name = ids(path)
        if name.startswith("cli/") or name == "base/optional.py":
            continue
        lines = path.read_text().splitlines()
        for number in inside_functions(path):
            # An exception says why in its place, above the first of several.
            while lines[number - 2].lstrip().startswith("from "):
                number -= 1
            assert "# Imported here: " in lines[number - 2], f"{path}:{number}"


def test_only_proc_starts_programs() -> None:
    starts = [
        f"{path}:{line}: {name}"
        for path in FILES
        if ids(path) != "base/proc.py"
        for line, name in programs(path)
    ]
    assert starts == []


def programs(path: Path) -> Iterator[tuple[int, str]]:
    """Give (line, name) of what a file may start programs with."""
    for node in nodes(path):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"{node.value.id}.{node.attr}"]
        for name in names:
            if name.split(".")[0] == "subprocess" or name in ("os.system", "os.popen"):
                yield node.lineno, name
