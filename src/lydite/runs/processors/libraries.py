# SPDX-License-Identifier: Apache-2.0
"""The catalogue's software as libraries to be called: compiled once, and the quickest by trial."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Mapping

from lydite.base import digest, proc
from lydite.base.errors import ToolFailed
from lydite.cores import Software
from lydite.runs.processors.loaded import Library
from lydite.runs.processors.software import headers
from lydite.sim.build import cache_folder
from lydite.tools import compiler

_TRIALS = 3


def load(software: Software) -> Library:
    """Give a variant, compiled once by the first compiler that takes one of its sets of flags."""
    return _loaded(software, most=1)[0]


def load_every(software: Software) -> list[Library]:
    """Give a variant by each compiler and each of its sets of flags that are taken."""
    return _loaded(software, most=None)


def _loaded(software: Software, *, most: int | None) -> list[Library]:
    sources = [software.folder / name for name in software.sources]
    read = [[path.name, digest.of_file(path)] for path in (*sources, *headers(software))]
    defines = [f"-D{name}={value}" for name, value in sorted(software.defines.items())]
    made: list[Library] = []
    failed: ToolFailed | None = None
    for tool, flags in itertools.product(compiler.all_found("c"), software.flags):
        argv = [*tool.argv, "-std=c11", "-fPIC", "-shared", *flags.split(), *defines]
        argv += [*map(str, sources), "-ldl"]
        key = digest.of_value([argv, tool.identity, read])
        path = cache_folder() / "software" / f"{key}.so"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            # Another process may build the same: a name of its own, then one step.
            new = path.with_suffix(f".{threading.get_native_id()}")
            argv = [*argv, "-o", str(new)]
            try:
                run = proc.run(argv, cwd=path.parent, env=tool.env, name=tool.name)
                run.checked(pick=compiler.errors)
            except ToolFailed as error:
                failed = error
                continue
            new.replace(path)
        made.append(Library(str(path)))
        if len(made) == most:
            break
    if not made:
        assert failed is not None, "there is always the wheel's compiler"
        raise failed
    return made


def quickest(libraries: Mapping[str, Library], call: Callable[[Library], object]) -> str:
    """Name the library that is the quickest here with a call, the best of some trials of each."""
    times: dict[str, float] = {}
    for name, library in libraries.items():
        for _ in range(_TRIALS):
            began = time.perf_counter()
            call(library)
            took = time.perf_counter() - began
            times[name] = min(times.get(name, took), took)
    return min(times, key=lambda name: times[name])
