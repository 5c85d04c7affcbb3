# SPDX-License-Identifier: Apache-2.0
"""What is a module of its own in hardware: RTL macros, pipelined functions, processes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.ir import verify
from lydite.hls.ir.module import Module
from lydite.hls.passes import (
    array_arguments,
    dataflow,
    pipelined_functions,
    rtl_macros,
    verify_network,
)


def mark(module: Module, macros: Sequence[Macro], log: Diagnostics) -> None:
    """Mark the functions that become such modules; before all passes.

    Raises
    ------
    InputError
        The program has no such function as a macro is for.
    """
    rtl_macros.mark(module, macros)
    array_arguments.run(module)
    log.add(*pipelined_functions.mark(module))
    verify.verify(module, after="import")


def split(
    module: Module,
    macros: Sequence[Macro],
    log: Diagnostics,
    *,
    free_running: bool,
    ignored: Collection[int] = (),
) -> Module:
    """Give a module's hardware; after all passes.

    Parameters
    ----------
    free_running : bool
        Whether the top function begins anew without being asked.
    ignored : collection of int
        Numbers of directives that have no place.

    Returns
    -------
    Module
        A copy if anything is split off, else the one given.

    Raises
    ------
    InputError
        A stream inside is not between two processes of a region.
    """
    if macros or pipelined_functions.are_several(module):
        module = rtl_macros.separate(module)
    module, notes = dataflow.separate(module, restarts=free_running, ignored=ignored)
    log.add(*notes)
    pipelined_functions.distribute(module)
    verify_network.verify(module, restarts=free_running)
    return module
