# SPDX-License-Identifier: Apache-2.0
"""What goes into the compiler."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydite.hls.contract.delay_factors import DelayFactors
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.effort import Effort
from lydite.hls.contract.rtl_macro import Macro


@dataclass(frozen=True, slots=True)
class Options:
    """One compilation.

    Attributes
    ----------
    sources : tuple of Path
        C or C++ files, linked as one program. The suffix tells the language.
    top : str
        Name of the function that becomes the hardware.
    clock_ns : float
        Target clock period in nanoseconds, above 0.
    target : str
        Family or device whose operator delays decide the schedule: `ecp5`, `ice40`, or any name
        that starts with one of them (`ecp5-85k`).
    include_dirs, defines, undefines : tuple
        As `-I`, `-D` and then `-U` of a C compiler; a definition is `NAME` or `NAME=VALUE`.
    std : str
        As `-std=`: `gnu89` to `c23`, `c++20`...; empty for the compiler's default of each language.
    depths : tuple of (str, int)
        Number of elements of pointer arguments whose declaration does not say it: `("buf", 64)`.
        An element is what the pointer points to: a row of `int (*m)[4]`, a structure.
    dump_after : tuple of str
        Passes after which the IR is kept in `Compiled.dumps`; `"all"` for every pass.
    directives : tuple of Placed
        Directives from outside of the source, which win over those in it at the same place.
    macros : tuple of Macro
        Functions of the program that are Verilog modules in hardware.
    learnt : DelayFactors or None
        What placements have taught about the operations' delays.
    effort : str
        What becomes of loops and arrays that no directive speaks of: with `area` they stay as they
        are; with `balanced` and `speed` loops are pipelined and unrolled, and arrays kept in
        registers, where that pays.
    check : bool
        Run the IR verifier after every pass, not only after import and before emission.
    """

    sources: tuple[Path, ...]
    top: str
    clock_ns: float = 10.0
    target: str = "ecp5"
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = ""
    depths: tuple[tuple[str, int], ...] = ()
    dump_after: tuple[str, ...] = ()
    directives: tuple[Placed, ...] = ()
    macros: tuple[Macro, ...] = ()
    learnt: DelayFactors | None = None
    effort: Effort = "area"
    check: bool = True
