# SPDX-License-Identifier: Apache-2.0
"""Decides what each memory becomes: registers, LUT RAM, block RAM, ROM in logic or block RAM.

By size, by how it is used, and by what the family has. The kind fixes the ports and when data come:
registers and memories in logic answer in the same cycle, block RAM and argument ports in the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lydite.hls import storage
from lydite.hls.delay_model import DelayModel
from lydite.hls.interface import Warn
from lydite.hls.ir import Function, Memory, Module, Op, called, const
from lydite.hls.ir import replace as replace_values

DOC = "choose registers, RAM or ROM for each memory; take registers apart into words"

# Bits and words up to which a memory is kept in each kind.
_REGISTER_WORDS = 4
_REGISTER_BITS_CONSTANT_INDEX = 4096
_REGISTER_BITS_NO_LUTRAM = 256
_LUTRAM_WORDS = 64
_LUTRAM_BITS = 2048
_LUTROM_WORDS = 64
_LUTROM_BITS = 4096

# Ports of one copy of a ROM that is copied: what a block RAM has.
COPY_PORTS = 2
# Ports that read or write at once; `None` is as many as wanted.
_UNLIMITED = 1 << 30


@dataclass(frozen=True, slots=True)
class Ports:
    """What a memory can do in one cycle.

    Attributes
    ----------
    total, reads, writes : int
        Accesses in one cycle: of both kinds together, and of each.
    latency : int
        Cycles from address to data: 0 or 1.
    """

    total: int
    reads: int
    writes: int
    latency: int


@dataclass(frozen=True, slots=True)
class Use:
    """How the program uses a memory."""

    functions: tuple[str, ...]
    constant_index: bool
    loads: int
    stores: int


def uses(module: Module) -> dict[Memory, Use]:
    """Count the accesses to every memory."""
    functions: dict[Memory, list[str]] = {m: [] for m in module.memories.values()}
    constant = dict.fromkeys(module.memories.values(), True)
    counts = {m: [0, 0] for m in module.memories.values()}
    for function in module.callees_first():
        for op in function.ops():
            if op.kind in ("load", "store"):
                memory = op.attr
                if function.name not in functions[memory]:
                    functions[memory].append(function.name)
                constant[memory] &= op.args[0].kind == "const"
                counts[memory][op.kind == "store"] += 1
    return {
        memory: Use(tuple(functions[memory]), constant[memory], *counts[memory])
        for memory in module.memories.values()
    }


def decide(module: Module, model: DelayModel) -> list[Warn]:
    """Set the kind of every memory; memories without accesses are removed, argument ports kept.

    Registers that only constant indices reach become memories of one word each, which `registers`
    can let other values share. Gives what directives asked and did not get.
    """
    warnings: list[Warn] = []
    reached = set(module.callees_first())
    module.functions = {f.name: f for f in module.functions.values() if f in reached}
    for memory, use in uses(module).items():
        item = storage.wanted(memory, module.pragmas)
        if item is not None and use.functions:
            storage.apply(memory, item, model, use=use, warnings=warnings)
        if memory.port:
            memory.kind = "port"
        elif not use.functions:
            del module.memories[memory.name]
        else:
            memory.kind = memory.storage or _kind(memory, use, model)
            if memory.kind == "registers" and memory.depth > 1 and use.constant_index:
                _split(module, memory, module.functions[use.functions[0]])
    return warnings


def _split(module: Module, memory: Memory, function: Function) -> None:
    """Replace a memory by one of a single word for each of its words."""
    others = [other for other in module.memories.values() if other is not memory]
    taken = {other.name for other in others}
    parts: list[Memory] = []
    for index in range(memory.depth):
        name = f"{memory.name}_{index}"
        while name in taken:
            name += "_"
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


def _kind(memory: Memory, use: Use, model: DelayModel) -> str:
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


def ports(memory: Memory, model: DelayModel) -> Ports:
    """Give what a memory can do in one cycle."""
    total, reads, writes = storage.limits(memory)
    most = _ports(memory, model)
    reads, writes = min(reads, most.reads), min(max(writes, 1), most.writes)
    return Ports(min(total, most.total), reads, writes, most.latency)


def _ports(memory: Memory, model: DelayModel) -> Ports:
    if memory.kind in ("registers", "lutrom"):
        return Ports(_UNLIMITED, _UNLIMITED, _UNLIMITED, 0)
    if memory.kind == "lutram":
        return Ports(2, 1, 1, 0)
    if memory.kind == "bram" and not model.true_dual_port:
        return Ports(2, 1, 1, 1)
    if is_copied(memory):
        return Ports(_UNLIMITED, _UNLIMITED, 1, 1)
    return Ports(2, 2, 2, 1)


def is_copied(memory: Memory) -> bool:
    """Whether a memory is a ROM of which there are as many as its reads at once need."""
    return memory.kind == "rom" and memory.type == "rom_np"


def read_ns(memory: Memory, model: DelayModel, *, constant_index: bool) -> float:
    """Give the time from index to data of a memory that answers in the same cycle."""
    if memory.kind == "registers":
        return 0.0 if constant_index else model.select_ns(memory.depth) + model.lut_ns * 0.5
    if memory.kind == "lutrom":
        return model.lut_ns * (1 + max(0, memory.index_width - 4) / 2)
    return model.lutram_read_ns + model.select_ns(-(-memory.depth // model.lutram_depth))


def footprint(module: Module) -> dict[Function, frozenset[Memory]]:
    """Give the memories with ports that each function, or one that it calls, touches."""
    result: dict[Function, frozenset[Memory]] = {}
    for function in module.callees_first():
        found: set[Memory] = set()
        for op in function.ops():
            if op.kind in ("load", "store"):
                found.add(op.attr)
            elif (callee := called(op)) is not None:
                found |= result[callee]
        result[function] = frozenset(found)
    return result
