# SPDX-License-Identifier: Apache-2.0
"""What a memory can do in a cycle, by its kind, and who accesses it."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Function, Memory, called
from lydite.hls.ir.module import Module


def limits(memory: Memory) -> tuple[int, int, int]:
    """Give the most accesses, reads and writes in one cycle that a memory's type allows."""
    return {
        "ram_1p": (1, 1, 1),
        "rom_1p": (1, 1, 0),
        "ram_s2p": (2, 1, 1),
        "ram_2p": (2, 2, 1),
        "rom_2p": (2, 2, 0),
    }.get(memory.type, (1 << 30, 1 << 30, 1 << 30))


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


def ports(memory: Memory, model: DelayModel) -> Ports:
    """Give what a memory can do in one cycle."""
    total, reads, writes = limits(memory)
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
