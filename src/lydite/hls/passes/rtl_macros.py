# SPDX-License-Identifier: Apache-2.0
"""Which functions of a module are RTL macros, and a copy of it without their bodies.

`contract.rtl_macro` says what a macro is.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.base import InputError
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.ir import clone
from lydite.hls.ir.graph import Block, const
from lydite.hls.ir.module import Module


def mark(module: Module, macros: Sequence[Macro]) -> None:
    """Mark the functions of an imported module that are macros.

    Raises
    ------
    InputError
        The program has no such function, or it takes other arguments than the macro has ports.
    """
    for macro in macros:
        function = module.functions.get(macro.function)
        if function is None or function is module.top_function:
            known = [name for name in module.functions if name != module.top]
            hint = f"functions are: {', '.join(known) or 'none'}"
            what = f"the hardware calls no function {macro.function}"
            raise InputError(macro.where, what, hint)
        if len(function.params) != len(macro.inputs):
            what = f"{len(macro.inputs)} inputs for {len(function.params)} arguments"
            raise InputError(f"{macro.where}: inputs", what, function.where)
        if bool(function.width) != bool(macro.output):
            what = "given for a void function" if macro.output else "missing"
            raise InputError(f"{macro.where}: output", what, function.where)
        function.macro = True
        function.stateful = macro.stateful
        if macro.ii:
            function.latency, function.interval = macro.latency, macro.ii
            function.stallable = bool(macro.enable) and macro.latency > 0


def separate(module: Module) -> Module:
    """Give a copy in which macros have no body, nor what only their bodies use."""
    copy = clone.module(module)
    for function in copy.functions.values():
        if function.macro:
            result = const(function.width, 0) if function.width else None
            function.blocks = [Block("entry", arg=result, where=function.where)]
    reached = copy.callees_first()
    copy.functions = {name: f for name, f in copy.functions.items() if f in reached}
    used = {op.attr for f in reached for op in f.ops() if op.kind in ("load", "store")}
    copy.memories = {n: m for n, m in copy.memories.items() if m.port or m in used}
    return copy
