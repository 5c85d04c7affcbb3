# SPDX-License-Identifier: Apache-2.0
"""Gives each call in a dataflow region functions of its own, in legalised LLVM IR.

What processes run side by side cannot share: a function that several of them reach, or that the
rest of the program calls as well, is copied. Pointers are resolved after this, so that each copy
knows the streams and arrays of its own process.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Collection, Iterator

from lydite.hls.contract.directives import Dataflow
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.llvm_ast import Address, Block, Function, Instruction, Module
from lydite.hls.frontend.program import Program


def isolate(
    module: Module, symbol: str, program: Program, debug: DebugInfo, kept: Collection[str] = ()
) -> Program:
    """Copy functions in place; gives the program with the directives of the copies.

    `kept` are C names of functions of which there is one: RTL macros.
    """
    if not any(isinstance(item, Dataflow) for item in program.directives):
        return program
    single = {name for name, f in module.functions.items() if debug.name(f.subprogram) in kept}
    directives = list(program.function_directives)
    done: set[str] = set()
    pending = [symbol]
    while pending:
        name = pending.pop(0)
        if name in done:
            continue
        done.add(name)
        function = module.functions[name]
        if _has_region(function, program, directives, debug):
            calls = list(_calls(function, module))
            for number, call in enumerate(calls):
                for old, new in _own(module, call, calls[number + 1 :], single).items():
                    directives += [(new, n) for known, n in directives if known == old]
        pending += [_callee(call) for call in _calls(function, module)]
    return dataclasses.replace(program, function_directives=tuple(directives))


def _has_region(
    function: Function, program: Program, directives: list[tuple[str, int]], debug: DebugInfo
) -> bool:
    numbers = [number for name, number in directives if name == function.name]
    for block in function.blocks:
        loop = block.code[-1].loop
        for node in debug.operands(loop) if loop >= 0 else ():
            found = re.match(r'!\{!"lydite.pragma", i32 (\d+)', debug.text(node))
            if found:
                numbers.append(int(found[1]))
    return any(isinstance(program.directives[number], Dataflow) for number in numbers)


def _callee(call: Instruction) -> str:
    assert isinstance(call.callee, Address), "indirect calls are resolved before"
    return call.callee.name


def _calls(function: Function, module: Module) -> Iterator[Instruction]:
    """Walk the calls of functions that have a body."""
    for block in function.blocks:
        for code in block.code:
            if code.op == "call" and isinstance(code.callee, Address):
                callee = module.functions.get(code.callee.name)
                if callee is not None and callee.blocks:
                    yield code


def _own(
    module: Module, call: Instruction, later: list[Instruction], single: set[str]
) -> dict[str, str]:
    """Give a call functions of its own; the copies by the names of what was copied.

    `later` are calls that will get copies: what they share with this one is this one's. Of the
    functions `single` there are no copies.
    """
    members = {name: None for name in _closure(module, [_callee(call)]) if name not in single}
    outside: Counter[str] = Counter()
    for name, function in module.functions.items():
        if name not in members:
            outside.update(_callee(other) for other in _calls(function, module))
    outside.subtract(_callee(other) for other in (call, *later))
    made: dict[str, str] = {}
    for name in _closure(module, [name for name in members if outside[name] > 0]):
        if name in single:
            continue
        number = 2
        while f"{name}.{number}" in module.functions:
            number += 1
        made[name] = f"{name}.{number}"
        module.functions[made[name]] = _copy(module.functions[name], made[name])
    mine = [made.get(name, name) for name in members]
    for inner in [call, *(c for name in mine for c in _calls(module.functions[name], module))]:
        inner.callee = Address(made.get(_callee(inner), _callee(inner)))
    return made


def _closure(module: Module, names: list[str]) -> dict[str, None]:
    """Give functions with all that they call."""
    found: dict[str, None] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = None
            pending += [_callee(inner) for inner in _calls(module.functions[name], module)]
    return found


def _copy(function: Function, name: str) -> Function:
    blocks = [
        Block(block.name, [_instruction(code) for code in block.code]) for block in function.blocks
    ]
    return dataclasses.replace(
        function,
        name=name,
        blocks=blocks,
        params=list(function.params),
        names=dict(function.names),
        declared=dict(function.declared),
    )


def _instruction(code: Instruction) -> Instruction:
    return dataclasses.replace(code, args=list(code.args), labels=list(code.labels))
