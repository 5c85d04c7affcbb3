# SPDX-License-Identifier: Apache-2.0
"""Decides what each memory becomes: registers, LUT RAM, block RAM, ROM in logic or block RAM.

By size, by how it is used, and by what the family has. The kind fixes the ports and when data come:
registers and memories in logic answer in the same cycle, block RAM and argument ports in the next.
"""

from __future__ import annotations

from dataclasses import replace

from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.names import free_name
from lydite.hls.contract.report import MemoryKind
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Function, Memory, Op, const
from lydite.hls.ir.graph import replace as replace_values
from lydite.hls.ir.memory_ports import Use, uses
from lydite.hls.ir.module import Module
from lydite.hls.passes import bind_storage
from lydite.hls.passes.context import Context

DOC = "choose registers, RAM or ROM for each memory; take registers apart into words"

# Bits and words up to which a memory is kept in each kind.
_REGISTER_WORDS = 4
_REGISTER_BITS_CONSTANT_INDEX = 4096
_REGISTER_BITS_NO_LUTRAM = 256
_LUTRAM_WORDS = 64
_LUTRAM_BITS = 2048
_LUTROM_WORDS = 64
_LUTROM_BITS = 4096


def run(module: Module, context: Context) -> None:
    """Decide, and say what could not be as it was asked for."""
    context.log.add(*decide(module, context.model))


def decide(module: Module, model: DelayModel) -> list[Diagnostic]:
    """Set the kind of every memory; memories without accesses are removed, argument ports kept.

    Registers that only constant indices reach become memories of one word each, which
    `bind.registers` can let other values share. Gives what directives asked and did not get.
    """
    log = Diagnostics()
    reached = set(module.callees_first())
    module.functions = {f.name: f for f in module.functions.values() if f in reached}
    for memory, use in uses(module).items():
        item = bind_storage.wanted(memory, module.pragmas)
        if item is not None and use.functions:
            bind_storage.apply(memory, item, model, use=use, log=log)
        if memory.port:
            memory.kind = "port"
        elif not use.functions:
            del module.memories[memory.name]
        else:
            memory.kind = memory.storage or _kind(memory, use, model)
            if memory.kind == "registers" and memory.depth > 1 and use.constant_index:
                _split(module, memory, module.functions[use.functions[0]])
    return list(log)


def _split(module: Module, memory: Memory, function: Function) -> None:
    """Replace a memory by one of a single word for each of its words."""
    others = [other for other in module.memories.values() if other is not memory]
    taken = {other.name for other in others}
    parts: list[Memory] = []
    for index in range(memory.depth):
        name = free_name(f"{memory.name}_{index}", taken)
        taken.add(name)
        part = replace(memory, name=name, depth=1, init=memory.init[index : index + 1])
        part.base += index * memory.width // 8
        part.array = memory.array or memory.name
        parts.append(part)
    zero = const(1, 0)
    outside: dict[Op, Op] = {}
    for block in function.blocks:
        kept = []
        for op in block.ops:
            if op.attr is memory:
                index = op.args[0].attr
                if index >= memory.depth:
                    if op.kind == "load":
                        outside[op] = const(op.width, 0)
                    continue
                op.attr, op.args[0] = parts[index], zero
            kept.append(op)
        block.ops = kept
    replace_values(function, outside)
    read = {op.attr for op in function.ops() if op.kind == "load"}
    unread = set(parts) - read
    for block in function.blocks:
        block.ops = [op for op in block.ops if op.kind != "store" or op.attr not in unread]
    module.memories = {other.name: other for other in others}
    module.memories |= {part.name: part for part in parts if part in read}


def _kind(memory: Memory, use: Use, model: DelayModel) -> MemoryKind:
    bits = memory.width * memory.depth
    if memory.constant:
        small = memory.depth <= _LUTROM_WORDS or bits <= _LUTROM_BITS
        return "lutrom" if small else "rom"
    local = len(use.functions) == 1
    if local and (
        memory.depth <= _REGISTER_WORDS
        or (use.constant_index and bits <= _REGISTER_BITS_CONSTANT_INDEX)
        or (not model.has_lutram and bits <= _REGISTER_BITS_NO_LUTRAM)
    ):
        return "registers"
    if memory.depth == 1:
        return "lutram"
    if model.has_lutram and memory.depth <= _LUTRAM_WORDS and bits <= _LUTRAM_BITS:
        return "lutram"
    return "bram"
