# SPDX-License-Identifier: Apache-2.0
"""Names the directives that did not come to where they are obeyed.

What is honoured at all is carried by a function, by a block that heads a loop or by a memory, or
LLVM has obeyed it. `frontend.preserve_loops` sees to those of loops on their way through LLVM; here
is the rest: functions that were inlined, variables that no array or operation bears any more, and
loops that later passes have lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import (
    CORES,
    PORT,
    BindOp,
    Dependence,
    Directive,
    Inline,
    Keep,
    LoopMerge,
    Pipeline,
    Resource,
    Stream,
)
from lydite.hls.frontend.program import Program
from lydite.hls.ir.module import Module


def of_functions(program: Program, symbols: Collection[str]) -> list[Diagnostic]:
    """Name the directives of functions that are none any more.

    Parameters
    ----------
    symbols : collection of str
        Linker symbols of the functions that are left.
    """
    return [
        warning
        for name, number in program.function_directives
        if name not in symbols and number not in program.ignored
        for warning in _of_function(program.directives[number], name in program.absorbed)
    ]


def of_variables(module: Module, ignored: Collection[int] = ()) -> list[Diagnostic]:
    """Name the directives of variables that an imported module does not carry."""
    named = {n for function in module.functions.values() for n in function.pragmas}
    stored = {n for memory in module.memories.values() for n in memory.pragmas}
    there = {
        name.rpartition(".")[2] for memory in module.memories.values() for name, _ in memory.objects
    }
    return [
        warning
        for number, item in enumerate(module.pragmas)
        if number not in ignored
        for warning in _of_variable(
            item, number in named, number in stored or _variable(item) not in there
        )
    ]


def _of_function(item: Directive, absorbed: bool) -> Iterator[Diagnostic]:
    """Name a directive of a function that was inlined; loops have got its `dependence`."""
    obeyed = isinstance(item, Inline | Dependence) or (isinstance(item, Pipeline) and item.off)
    if not item.honoured or item.places == {PORT} or obeyed:
        return
    if not absorbed:
        yield Diagnostic(item.where, f"{item.kind}: the function was inlined: not honoured")
    elif not isinstance(item, Pipeline | LoopMerge):
        what = f"{item.kind}: the function became part of what is pipelined: not honoured"
        yield Diagnostic(item.where, what)


def _of_variable(item: Directive, named: bool, stored: bool) -> Iterator[Diagnostic]:
    """Name a directive of a variable that is lost, or that means nothing here.

    `named` says that an operation bears the variable's name, `stored` that its array, if there is
    one, has the directive.
    """
    if isinstance(item, Resource):
        computed = item.core.lower() in CORES
        if not computed and not directives.CORE.match(item.core):
            yield Diagnostic(
                item.where, f"resource core={item.core}: no such core is known: ignored"
            )
            return
    elif isinstance(item, BindOp | Keep):
        computed = True
    elif isinstance(item, Stream) and item.type in ("shared", "unsync"):
        yield Diagnostic(item.where, f"stream type={item.type} is not made: ping-pong memories are")
        return
    else:
        computed = False
    variable = _variable(item)
    if computed and not named:
        what = f"{item.kind} variable={variable}: nothing that is left computes it: not honoured"
        yield Diagnostic(item.where, what)
    elif not computed and not stored and isinstance(item, directives.STORED):
        what = f"{item.kind} variable={variable}: lost on the way, not honoured"
        yield Diagnostic(item.where, what)


def _variable(item: Directive) -> str:
    return getattr(item, "variable", "")


def of_loops(module: Module) -> frozenset[int]:
    """Give the directives that blocks of a module carry."""
    blocks = (block for function in module.functions.values() for block in function.blocks)
    return frozenset(number for block in blocks for number in block.pragmas)


def gone(before: frozenset[int], module: Module) -> list[Diagnostic]:
    """Name the directives of loops that a module carried before, and does not any more."""
    after = of_loops(module)
    items = [module.pragmas[number] for number in sorted(before - after)]
    what = "no loop is left that it holds for: not honoured"
    return [
        Diagnostic(item.where, f"{item.kind}: {what}")
        for item in items
        if item.iterates or isinstance(item, Pipeline)
    ]
