# SPDX-License-Identifier: Apache-2.0
"""Job of a loop's turns: how many a message takes, counted where its C runs natively.

A core that is one pipelined loop takes its interval for each turn, as long as its streams do not
make it wait: so turns tell its cycles of messages that are too large to be simulated.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, proc
from lydite.cores import Design
from lydite.runs.job import Job, Outcome, said
from lydite.runs.store import Store
from lydite.sim import reads
from lydite.tools import compiler

# In the work folder: the program and all that it includes.
FOLDER = "c"
_PROGRAM = "turns"
_TIMEOUT_S = 1800.0


class Took(msgspec.Struct, frozen=True, kw_only=True):
    """A message of a size.

    Attributes
    ----------
    digest : str
        What came out, in hexadecimal: it was the whole computation that was counted.
    """

    bytes: int
    turns: int
    digest: str


def count(work: Path, program: str, defines: Mapping[str, int], sizes: Sequence[int]) -> Outcome:
    """Compile and run a program in the folder of copies.

    Parameters
    ----------
    program : str
        File in C, of which there is a copy. It is given sizes as arguments, and prints a line for
        each: the size, turns and the output; on any doubt it fails.

    Raises
    ------
    ToolFailed
        It does not compile, or fails.
    """
    outcome, tool, folder = Outcome(), compiler.zig("c"), work / FOLDER
    name = Path(program).name
    macros = [f"-D{macro}={value}" for macro, value in sorted(defines.items())]
    # C for hardware has pragmas that no other compiler knows.
    argv = [*tool.argv, "-std=c11", "-O2", "-w", *macros, "-I.", name, "-o", _PROGRAM]
    made = proc.run(argv, cwd=folder, env=tool.env, timeout_s=_TIMEOUT_S, name=tool.name)
    outcome.add(made).checked(pick=compiler.errors)
    argv = [f"./{_PROGRAM}", *map(str, sizes)]
    ran = proc.run(argv, cwd=folder, timeout_s=_TIMEOUT_S, name=name)
    lines = [line.split() for line in outcome.add(ran).checked().splitlines()]
    (folder / _PROGRAM).unlink()
    found = [Took(bytes=int(size), turns=int(turns), digest=out) for size, turns, out in lines]
    assert [one.bytes for one in found] == list(sizes), "a line for each size"
    outcome.result = {"messages": msgspec.to_builtins(found)}
    return outcome


@dataclass(frozen=True)
class CountTurns(Job):
    """Count the turns of a design's loop on messages of some sizes.

    Attributes
    ----------
    program : str
        File in C in the design's folder, which includes the design's own and counts; see `count`.
    """

    design: Design
    program: str
    sizes: tuple[int, ...]
    kind = "turns"

    @property
    def label(self) -> str:
        return f"turns of {self.design.label}"

    @property
    def _defines(self) -> Mapping[str, int]:
        assert self.design.hls is not None, f"{self.design.label} has C"
        return self.design.hls.defines

    def _files(self) -> tuple[Path, ...]:
        # Imported here: the compiler is large, and only the place of its header is wanted.
        from lydite.hls.frontend.clang import INCLUDE

        program = self.design.folder / self.program
        return (program, *reads.of_c([program], [INCLUDE]))

    def inputs(self) -> Mapping[str, Any]:
        return {
            **said(self, without=("design",)),
            "sources": reads.digests(self._files()),
            "defines": dict(self._defines),
            "tools": [compiler.zig("c").identity],
            "method": code.of(sys.modules[__name__]),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        (work / FOLDER).mkdir()
        for path in self._files():
            shutil.copyfile(path, work / FOLDER / path.name)
        return count(work, self.program, self._defines, self.sizes)
