# SPDX-License-Identifier: Apache-2.0
"""Digests of our own code: a result made by other code is another result.

What code is meant is taken from the code itself, a module with all that it imports, or the text of
a class, so that nothing has to be listed, or remembered, by hand.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from lydite.base import digest, syntax

_PACKAGE = __name__.partition(".")[0]


def of(*parts: ModuleType | type) -> str:
    """Give the digest of modules, without what they import, and of classes, by their text."""
    return digest.of_value([_text(part) for part in parts])


def _text(part: ModuleType | type) -> str:
    if isinstance(part, type):
        return syntax.text_of(part)
    return digest.of_file(Path(str(part.__file__)))


@functools.cache
def of_imports(module: ModuleType) -> str:
    """Give the digest of a module and of all of this package that it imports when it is loaded."""
    found = imports(module.__name__)
    return digest.of_value([[name, digest.of_file(_path(name))] for name in found])


@functools.cache
def imports(name: str) -> tuple[str, ...]:
    """Give a module's name and those of all modules of this package that loading it loads, sorted.

    What stands inside functions, or is there for annotations only, is not loaded with it.
    """
    known: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        path = _path(name)
        # A package is loaded before what is in it.
        waiting += [name.rpartition(".")[0]] if "." in name else []
        for node in syntax.module(path.read_bytes()).body:
            if isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names if _ours(alias.name)]
            elif isinstance(node, ast.ImportFrom) and node.module and _ours(node.module):
                inside = [f"{node.module}.{alias.name}" for alias in node.names]
                waiting += [node.module, *(each for each in inside if _is_module(each))]
    return tuple(sorted(known))


def _ours(name: str) -> bool:
    return name.partition(".")[0] == _PACKAGE


@functools.cache
def _is_module(name: str) -> bool:
    parent, _, last = name.rpartition(".")
    folder = _path(parent).parent
    is_package = _path(parent).name == "__init__.py"
    return is_package and ((folder / f"{last}.py").exists() or (folder / last).is_dir())


@functools.cache
def _path(name: str) -> Path:
    loaded = sys.modules.get(name)
    origin = loaded.__file__ if loaded else None
    if origin is None:
        spec = importlib.util.find_spec(name)
        origin = spec.origin if spec else None
    assert origin is not None, f"{name} is a module of this package"
    return Path(origin)
