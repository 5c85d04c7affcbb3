# SPDX-License-Identifier: Apache-2.0
"""The process in which a specification runs: `python -P -m lydite.sim.spec_process FILE FUNCTION`.

A Python of its own, so that what it loads is told by the interpreter itself, and neither the user's
variables nor what else is loaded has a part in it. Each line on stdin is a request in JSON, each
line on stdout an answer. `{"calls": [[[HEX, ...], LENGTH or null], ...]}` gives
`{"outputs": [[HEX, ...] or null, ...], "cpu_s": SECONDS}`, null of a call that is rejected;
`{"read": 0}` gives `{"read": [PATH, ...]}`; or there is `{"error": TEXT}`, with the calls before it
in `outputs`.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_opened: set[str] = set()
# What of the system is no file of the user's.
_SYSTEM = ("/proc/", "/sys/", "/dev/")


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what is opened for reading, loaded, or started."""
    if event in ("open", "ctypes.dlopen", "subprocess.Popen") and arguments:
        name = arguments[0]
        if isinstance(name, bytes):
            name = os.fsdecode(name)
        if isinstance(name, str):
            _opened.add(str(Path(name).absolute()))


class _Fresh(importlib.machinery.SourceFileLoader):
    """Compiles a source as it stands: kept bytecode is told from it by seconds and size alone."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _load(path: Path) -> ModuleType:
    """Load a file as Python loads a script: modules beside it can be imported."""
    folder = str(path.parent)
    inside = importlib.machinery.FileFinder.path_hook((_Fresh, [".py"]))

    def hook(entry: str) -> importlib.machinery.FileFinder:
        if not f"{entry}/".startswith(f"{folder}/"):
            raise ImportError
        return inside(entry)  # type: ignore[return-value]

    sys.path_hooks.insert(0, hook)
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(
        path.stem, path, loader=_Fresh(path.stem, str(path))
    )
    assert spec is not None and spec.loader is not None, f"{path} is a Python file"
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _read() -> list[str]:
    """Give the files that were read and are not Python's own, sorted."""
    modules = [module for name, module in sys.modules.items() if name not in _ours]
    files = [str(module.__file__) for module in modules if getattr(module, "__file__", None)]
    paths = {Path(name).resolve() for name in (*files, *_opened)}
    return sorted(str(path) for path in paths if path.is_file() and not _is_python(path))


def _is_python(path: Path) -> bool:
    """Whether a file belongs to Python itself, or to the system."""
    text = str(path)
    if text.endswith(".pyc") or text.startswith(_SYSTEM):
        return True
    names = sysconfig.get_paths()
    library = any(path.is_relative_to(Path(names[n]).resolve()) for n in ("stdlib", "platstdlib"))
    packages = {Path(names[n]).resolve() for n in ("purelib", "platlib")}
    return library and not any(
        path.is_relative_to(folder) or folder.name in path.parts for folder in packages
    )


def _serve(function: Callable[..., Any] | None, problem: str) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, object]
        if problem or function is None:
            answer = {"error": problem}
        elif "read" in request:
            answer = {"read": _read()}
        else:
            answer = _call(function, request["calls"])
        _answers.write(json.dumps(answer) + "\n")
        _answers.flush()


def _call(
    function: Callable[..., Any], calls: list[tuple[list[str], int | None]]
) -> dict[str, object]:
    outputs: list[list[str] | None] = []
    for values, length in calls:
        arguments = (*map(bytes.fromhex, values), *([length] if length is not None else []))
        # Whatever the user's code raises is told as a fault of that code.
        try:
            outputs.append(_texts(function(*arguments)))
        except Exception as error:
            return {"outputs": outputs, "error": repr(error)}
    return {"outputs": outputs, "cpu_s": time.process_time()}


def _texts(found: Any) -> list[str] | None:
    if found is None:
        return None
    return [bytes(value).hex() for value in (found if isinstance(found, tuple) else (found,))]


def main() -> None:
    """Load the function and answer requests until stdin ends."""
    path, name = Path(sys.argv[1]), sys.argv[2]
    sys.dont_write_bytecode = True
    sys.addaudithook(_hear)
    function, problem = None, ""
    try:
        function = getattr(_load(path), name)
    except Exception as error:
        problem = f"cannot use {name}: {error!r}"
    _serve(function, problem)


if __name__ == "__main__":
    # What the specification prints must not be taken for an answer.
    _answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _ours = frozenset(sys.modules)
    main()
