# SPDX-License-Identifier: Apache-2.0
"""Pipelined functions that stay modules: to their callers they are as RTL macros are.

A function with `pipeline`, other than the top one, that was not inlined becomes a module of fixed
latency that takes a call every `interval` cycles, and that stands still when it is told to. For
that it must have its memories to itself; tables are copied. One that keeps state has one module.
One without has a module for each call in a pipeline, or as many as `allocation function` allows.

Arguments are kept in its first cycle and the result comes from a register, so that nothing of it
is in a chain of its callers. Calls that share a module start whole intervals apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Allocation, Dataflow
from lydite.hls.contract.names import free_name
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Function, Memory, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining


def mark(module: Module) -> list[Diagnostic]:
    """Mark the functions that become such modules, and name those that were to and cannot."""
    warnings: list[Diagnostic] = []
    for function in pipelining.wanted_modules(module):
        found = _obstacle(module, function)
        if found is not None:
            where, why = found
            what = f"pipeline: {function.name} is not pipelined: {why}"
            warnings.append(Diagnostic(where or function.where, what))
            continue
        written = module.written()
        stateful = any(
            op.attr in written if op.kind == "load" else op.kind == "store" or _keeps(op)
            for op in function.ops()
        )
        become(function, stateful=stateful, limit=0 if stateful else _limit(module, function))
        _copy_tables(module, function)
    return warnings


def become(function: Function, *, stateful: bool, limit: int) -> None:
    """Make a function such a module: until it is scheduled, one that takes a call every cycle."""
    function.is_pipelined = function.stallable = True
    function.latency = function.interval = 1
    function.stateful, function.limit = stateful, limit


def _keeps(op: Op) -> bool:
    return op.kind == "call" and bool(op.attr.stateful)


def _obstacle(module: Module, function: Function) -> tuple[str, str] | None:
    """Give the place and the reason why a function cannot be such a module; None if it can."""
    found = pipelining.body_obstacle(function)
    if found is not None:
        return found
    written = module.written()
    others = [other for other in module.callees_first() if other is not function]
    for op in function.ops():
        if op.kind in ir_graph.STREAMING:
            return op.where, f"it uses the stream {op.attr.name}"
        if op.kind in ("load", "store"):
            memory: Memory = op.attr
            label = next((name for name, _ in memory.objects), memory.name)
            if memory.port:
                return op.where, f"it uses {label}, an array of the top function"
            user = _user(others, memory)
            if memory in written and user is not None:
                return op.where, f"it uses {label}, which {user.name} uses as well"
        elif op.kind == "call" and op.attr.stateful:
            if op.attr.macro:
                return op.where, f"it calls {op.attr.name}, an RTL macro with state"
            user = next((f for f in others if any(o.attr is op.attr for o in f.ops())), None)
            if user is not None:
                what = f"{op.attr.name}, which keeps state and is called by {user.name} as well"
                return op.where, f"it calls {what}"
    return _in_dataflow(module, function, others)


def _user(others: Iterable[Function], memory: Memory) -> Function | None:
    return next((f for f in others if any(op.attr is memory for op in f.ops())), None)


def _in_dataflow(
    module: Module, function: Function, others: Iterable[Function]
) -> tuple[str, str] | None:
    """Find the dataflow region of which a function is a process."""
    for other in others:
        numbers = [*other.pragmas, *(n for block in other.blocks for n in block.pragmas)]
        regions = any(isinstance(module.pragmas[number], Dataflow) for number in numbers)
        if regions and any(op.attr is function for op in other.ops()):
            return function.where, f"it is called by {other.name}, where dataflow is asked for"
    return None


def _limit(module: Module, function: Function) -> int:
    """Give the modules that a function may have by `allocation`; 0 for any number.

    Copies of one C function for several processes are functions of one place.
    """
    result = 0
    for item in module.pragmas:
        if isinstance(item, Allocation) and item.type == "function":
            named = module.functions.get(item.instances)
            if named is not None and named.where == function.where:
                result = min(item.limit, result or item.limit)
    return result


def _copy_tables(module: Module, function: Function) -> None:
    """Give a function tables of its own: its modules, and the rest, read them at once."""
    others = [other for other in module.functions.values() if other is not function]
    copies: dict[Memory, Memory] = {}
    for op in function.ops():
        if op.kind != "load" or (op.attr not in copies and _user(others, op.attr) is None):
            continue
        memory: Memory = op.attr
        if memory not in copies:
            name = free_name(f"{memory.name}_{function.name}", module.memories)
            copies[memory] = module.memories[name] = replace(memory, name=name)
        op.attr = copies[memory]


def are_several(module: Module) -> bool:
    """Whether `distribute` may change what a module means to the interpreter."""
    return any(function.limit > 1 for function in module.functions.values())


def distribute(module: Module) -> None:
    """Give functions that may have several modules so many, and each call in a pipeline one.

    What stands for further modules has no body. Calls take turns in the order of the program, so
    that each module has as few as can be.
    """
    for function in module.callees_first():
        _drop_idle(function)
        blocks = list(pipelining.pipelined_blocks(function, module.pragmas))
        if pipelining.pipelined_function(module, function) is not None:
            blocks = function.blocks
        for block in blocks:
            turns: dict[Function, int] = {}
            for op in block.ops:
                if op.kind != "call" or op.attr.limit < 2:
                    continue
                base: Function = op.attr
                turn = turns.get(base, 0)
                turns[base] = turn + 1
                op.attr = _module_of(module, base, turn % base.limit)


def _drop_idle(function: Function) -> None:
    """Drop calls without state whose results nobody reads."""
    uses = ir_graph.uses(function)
    for block in function.blocks:
        block.ops = [
            op
            for op in block.ops
            if op.kind != "call" or not op.attr.is_pipelined or op.attr.stateful or uses.get(op)
        ]


def _module_of(module: Module, base: Function, number: int) -> Function:
    """Give the function that stands for one of several modules."""
    others = [base, *(f for f in module.functions.values() if f.replica_of is base)]
    if number < len(others):
        return others[number]
    name = free_name(f"{base.name}_{number + 1}", module.functions)
    result = const(base.width, 0) if base.width else None
    made = Function(name, width=base.width, where=base.where, macro=True, stallable=True)
    made.params = [Op("param", p.width, attr=p.attr, name=p.name) for p in base.params]
    made.blocks = [Block("entry", arg=result, where=base.where)]
    made.limit, made.interval, made.replica_of = base.limit, base.interval, base
    module.functions[name] = made
    return made
