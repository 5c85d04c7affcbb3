# SPDX-License-Identifier: Apache-2.0
"""Programs in wheels of YoWASP: WebAssembly, which a first call compiles for this machine.

They write what they compiled into a cache folder, in place. A process that has the file mapped is
killed by that (SIGBUS), and one that starts meanwhile reads a part of it; so it is compiled into a
folder of its own here, and then renamed to where all look for it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import os
import shutil
import tempfile
from pathlib import Path

import platformdirs
from msgspec.structs import replace

from lydite.tools.tool import Tool

_CACHE = "YOWASP_CACHE_DIR"


def is_compiled(tool: Tool) -> bool:
    """Say whether a tool can start at once; one that is no WebAssembly always can."""
    return tool.origin == "native" or (_cache() / _place(tool)).exists()


def compiling(tool: Tool, folder: Path) -> Tool:
    """Give a tool that compiles itself into a folder, whatever there is in the cache."""
    return replace(tool, env={**tool.env, _CACHE: str(folder)})


def install(tool: Tool, folder: Path) -> bool:
    """Put what a tool has compiled into a folder to where all look for it.

    Returns
    -------
    bool
        Whether there was something.
    """
    made = folder / _place(tool)
    if not made.exists():
        return False
    target = _cache() / _place(tool)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent.parent, prefix="new-") as beside:
        copy = Path(beside) / target.name
        shutil.copyfile(made, copy)
        copy.replace(target)
    return True


def _cache() -> Path:
    default = platformdirs.user_cache_dir("YoWASP", appauthor=False)
    return Path(os.environ.get(_CACHE, default))


def _place(tool: Tool) -> Path:
    """Give where the wheel keeps a program that is compiled, in the cache."""
    module = tool.origin.removeprefix("wheel ").replace("-", "_")
    name = f"{tool.name}.wasm"
    return Path(module, name, _digest(module, name))


@functools.cache
def _digest(module: str, name: str) -> str:
    program = importlib.resources.files(module).joinpath(name)
    # The wheel names it by this, and nothing is secured by it.
    return hashlib.sha1(program.read_bytes(), usedforsecurity=False).hexdigest()
