# SPDX-License-Identifier: Apache-2.0
"""Joins the parts of a design in its top module: memories, functions, their requests."""

from __future__ import annotations

import collections
from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.register_map import RegisterMap
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit.function import Body, FunctionEmitter, MemoryPort
from lydite.hls.emit.memory import Uses
from lydite.hls.emit.structure import Assign, Instance, Item, Port, pins, reg, unread, wire
from lydite.hls.emit.verilog import literal
from lydite.hls.ir import memory_ports as ir_memory_ports
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Function, Memory, Stream
from lydite.hls.ir.module import Module
from lydite.hls.lower.port_protocols import Protocols
from lydite.hls.lower.signature import TopArgs


@dataclass(frozen=True, slots=True)
class Design:
    """All that emission needs."""

    module: Module
    bindings: dict[str, Binding]
    model: DelayModel
    top_args: TopArgs
    head: str
    protocols: Protocols = field(default_factory=Protocols)
    registers: RegisterMap | None = None
    macros: tuple[Macro, ...] = ()


# Of memories by name: of their ports by number, whether each reads and whether it writes.
AllUses = dict[str, dict[int, tuple[bool, bool]]]


def memory_ports(emitters: dict[str, FunctionEmitter]) -> AllUses:
    """Give, for each memory outside of functions, its ports and whether they read and write."""
    result: AllUses = {}
    for emitter in emitters.values():
        for port in emitter.body.memory_ports:
            ports = result.setdefault(port.memory.name, {})
            reads, writes = ports.get(port.number, (False, False))
            ports[port.number] = (reads or port.reads, writes or port.writes)
    return result


def request_registers(emitter: FunctionEmitter, design: Design) -> list[Item]:
    """Declare the requests that the top function itself makes."""
    items: list[Item] = []
    for port in emitter.body.memory_ports:
        memory, number = port.memory, port.number
        if memory.port and memory.name not in emitter.own:
            continue  # they are the module's own ports
        stem = emitter.stem(memory.name)
        items += [reg(f"{stem}_{word}{number}", width) for word, width in _asked(port)]
    for stream in emitter.body.streams:
        stem = emitter.stem(stream.name)
        items += [reg(f"{stem}_{word}", width) for word, width in stream_signals(stream, asks=True)]
    for callee in emitter.body.callees:
        stem = emitter.stem(callee.name)
        items += [reg(f"{stem}_{word}", width) for word, width in call_signals(emitter, callee)]
    return items


def _asked(port: MemoryPort) -> list[tuple[str, int]]:
    """Give names and widths of what a function says to a port of a memory."""
    memory = port.memory
    signals = [("address", memory.index_width)] + [("ce", 1)] * port.enabled
    return signals + [("we", memory.lanes), ("d", memory.width)] * port.writes


def function_memory_ports(port: MemoryPort) -> list[Port]:
    """Give the ports of a function's module for one of a memory."""
    name, number = port.memory.name, port.number
    ports = [Port("output", width, f"{name}_{word}{number}", True) for word, width in _asked(port)]
    return ports + [Port("input", port.memory.width, f"{name}_q{number}")] * port.reads


def call_signals(emitter: FunctionEmitter, callee: Function) -> list[tuple[str, int]]:
    """Give names and widths of what a function says to one that it calls."""
    signals = [("start", 1)]
    signals += [(f"arg{index}", param.width) for index, param in enumerate(callee.params)]
    return signals + [("issue", 1), ("wait", 1)] * (callee in emitter.body.issued)


def _askers(
    emitters: dict[str, FunctionEmitter], design: Design, memory: Memory, number: int
) -> list[tuple[str, MemoryPort, bool]]:
    """Give all functions that use a port, the top one first: stem of signals, use, whether top."""
    result: list[tuple[str, MemoryPort, bool]] = []
    for name, emitter in emitters.items():
        for port in emitter.body.memory_ports:
            if port.memory is memory and port.number == number:
                top = name == design.module.top
                stem = emitter.stem(memory.name) if top else f"{name}__{memory.name}"
                result.append((stem, port, top))
    return result


def join_memory(
    design: Design,
    emitters: dict[str, FunctionEmitter],
    memory: Memory,
    number: int,
    *,
    reads: bool,
    writes: bool,
) -> list[Item]:
    """Join the requests of several functions for a port of a memory."""
    askers = _askers(emitters, design, memory, number)
    items: list[Item] = []
    signals = _asked(MemoryPort(memory, number, writes=writes))
    for stem, port, top in askers:
        for signal, width in signals if not top else ():
            if signal in ("address", "ce") or port.writes:
                items.append(wire(f"{stem}_{signal}{number}", width))
    shared = memory.name in emitters[design.module.top].own
    for signal, width in signals if shared else ():
        terms = [
            f"{stem}_{signal}{number}"
            for stem, port, _ in askers
            if signal in ("address", "ce") or port.writes
        ]
        name, text = f"{memory.name}_{signal}{number}", " | ".join(terms)
        items.append(Assign(name, text) if memory.port else wire(name, width, text))
    if reads and not memory.port:
        items.append(wire(f"{memory.name}_q{number}", memory.width))
    return items


def top_ports(
    design: Design, memory: Memory, number: int, emitters: dict[str, FunctionEmitter]
) -> list[Port]:
    """Give the `ap_memory` ports of an argument: every port can do what any of them does."""
    top = emitters[design.module.top]
    ports = memory_ports(emitters)[memory.name]
    reads = any(reads for reads, _ in ports.values())
    writes = any(writes for _, writes in ports.values())
    own = memory.name not in top.own
    result = [
        Port("output", memory.index_width, f"{memory.name}_address{number}", own),
        Port("output", 1, f"{memory.name}_ce{number}", own),
    ]
    if writes:
        here = own and ports[number][1]
        result.append(Port("output", memory.lanes, f"{memory.name}_we{number}", here))
        result.append(Port("output", memory.width, f"{memory.name}_d{number}", here))
    if reads:
        result.append(Port("input", memory.width, f"{memory.name}_q{number}"))
    return result


def idle_writes(memory: Memory, number: int, uses: Uses) -> list[Item]:
    """Tie the write side of an argument's port that only reads, beside one that writes."""
    if uses[number][1] or not any(writes for _, writes in uses.values()):
        return []
    return [
        Assign(f"{memory.name}_we{number}", literal(memory.lanes, 0)),
        Assign(f"{memory.name}_d{number}", literal(memory.width, 0)),
    ]


def memory_module(memory: Memory, uses: Uses) -> Uses:
    """Give the ports of a memory's module: of a ROM in copies, those of one copy."""
    if not ir_memory_ports.is_copied(memory):
        return uses
    return dict(sorted(uses.items())[: ir_memory_ports.COPY_PORTS])


def memory_instances(design: Design, memory: Memory, uses: Uses) -> list[Item]:
    """Instantiate a memory, or as many copies of a ROM as its ports need."""
    module = f"{design.module.top}_{memory.name}"
    if not ir_memory_ports.is_copied(memory):
        return [Instance(module, f"u_{memory.name}", pins(**_ends(memory, uses)))]
    items: list[Item] = []
    rows = sorted(uses.items())
    for first in range(0, len(rows), ir_memory_ports.COPY_PORTS):
        ends = _ends(memory, dict(rows[first : first + ir_memory_ports.COPY_PORTS]), first)
        if len(rows) - first < len(memory_module(memory, uses)):
            ends |= {"address1": literal(memory.index_width, 0), "ce1": literal(1, 0), "q1": ""}
        name = f"u_{memory.name}_{first // ir_memory_ports.COPY_PORTS}"
        items.append(Instance(module, name, pins(**ends)))
    return items


def _ends(memory: Memory, uses: Uses, first: int = 0) -> dict[str, str]:
    """Give the connections of a memory's module whose first port is the one of a number."""
    ends = {"ap_clk": "ap_clk"}
    for number, (reads, writes) in sorted(uses.items()):
        words = ["address"]
        if memory.kind in ("bram", "rom") or writes:
            words.append("ce")
        words += ["we", "d"] * writes + ["q"] * reads
        ends |= {f"{word}{number - first}": f"{memory.name}_{word}{number}" for word in words}
    return ends


def join_calls(
    design: Design, emitters: dict[str, FunctionEmitter], callee: Function
) -> list[Item]:
    """Join the calls of several functions to one."""
    top = emitters[design.module.top]
    items: list[Item] = []
    terms: dict[tuple[str, int], list[str]] = {}
    for name, emitter in emitters.items():
        if callee not in emitter.body.callees:
            continue
        own = name == design.module.top
        stem = emitter.stem(callee.name) if own else f"{name}__{callee.name}"
        for said, width in call_signals(emitter, callee):
            terms.setdefault((said, width), []).append(f"{stem}_{said}")
            if not own:
                items.append(wire(f"{stem}_{said}", width))
    if callee.name in top.own:
        for (said, width), asked in terms.items():
            items.append(wire(f"{callee.name}_{said}", width, " | ".join(asked)))
    items.append(wire(f"{callee.name}_done", 1))
    if not any(emitter.waits_for(callee) for emitter in emitters.values()):
        items.append(unread(f"{callee.name}_done", f"{callee.name}_done"))
    if callee.width:
        items.append(wire(f"{callee.name}_return", callee.width))
    return items


def stream_signals(stream: Stream, *, asks: bool) -> tuple[tuple[str, int], ...]:
    """Give names and widths of what a function says to a stream, or hears of it."""
    if stream.writes:
        return (("put", 1), ("beat", stream.width)) if asks else (("free", 1),)
    return (("take", 1),) if asks else (("valid", 1), ("beat", stream.width))


def outside(emitters: dict[str, FunctionEmitter]) -> dict[str, FunctionEmitter]:
    """Leave out pipelined functions that stay modules: what they ask, they have inside."""
    return {
        name: emitter for name, emitter in emitters.items() if not emitter.function.is_pipelined
    }


def is_issued(emitters: dict[str, FunctionEmitter], function: Function) -> bool:
    """Whether a pipeline starts a function, which is a macro that calls share."""
    return any(function in emitter.body.issued for emitter in emitters.values())


def instance(
    design: Design,
    emitters: dict[str, FunctionEmitter],
    emitter: FunctionEmitter,
    *,
    issued: bool = False,
) -> Instance:
    """Instantiate the module of a function other than the top one, where `emitters` ask it.

    `issued` says that pipelines start it elsewhere.
    """
    function = emitter.function
    body = Body() if function.is_pipelined else emitter.body
    name = function.name
    ends = {"ap_clk": "ap_clk", "ap_rst": "ap_rst"}
    ends |= {"ap_start": f"{name}_start", "ap_done": f"{name}_done"}
    if function.rewind is not None:
        ends |= {"ap_ready": f"{name}_ready", "ap_idle": f"{name}_rests"}
    ends |= {f"arg{index}": f"{name}_arg{index}" for index in range(len(function.params))}
    if is_issued(emitters, function):
        ends |= {f"ap_{signal}": f"{name}_{signal}" for signal in ("issue", "wait")}
    elif issued:
        ends |= {"ap_issue": literal(1, 0), "ap_wait": literal(1, 0)}
    for macro in design.macros:
        if macro.function == name:
            ends |= {port.name: port.name for port in macro.external}
    if function.width:
        ends["ap_return"] = f"{name}_return"
    for port in body.memory_ports:
        ends |= _memory_ends(design, function, port)
    for stream in body.streams:
        for signal, _ in stream_signals(stream, asks=True):
            ends[f"{stream.name}_{signal}"] = f"{name}__{stream.name}_{signal}"
        for signal, _ in stream_signals(stream, asks=False):
            ends[f"{stream.name}_{signal}"] = f"{stream.name}_{signal}"
    for callee in body.callees:
        for signal, _ in call_signals(emitter, callee):
            ends[f"{callee.name}_{signal}"] = f"{name}__{callee.name}_{signal}"
        for signal in ("done", *["return"] * bool(callee.width)):
            ends[f"{callee.name}_{signal}"] = f"{callee.name}_{signal}"
    return Instance(f"{design.module.top}_{name}", f"u_{name}", pins(**ends))


def _memory_ends(design: Design, function: Function, port: MemoryPort) -> dict[str, str]:
    """Give the connections of a function's module to a port of a memory."""
    memory, number = port.memory.name, port.number
    ends = {
        f"{memory}_{word}{number}": f"{function.name}__{memory}_{word}{number}"
        for word, _ in _asked(port)
    }
    if port.reads:
        turns = design.module.network
        seen = memory if turns is None else turns.side(port.memory, function)
        ends[f"{memory}_q{number}"] = f"{seen}_q{number}"
    return ends


def check_ports(ports: list[Port], where: str) -> None:
    """Refuse ports of one name: those of arguments are called after them and what they say."""
    counts = collections.Counter(port.name for port in ports)
    name, count = counts.most_common(1)[0]
    if count > 1:
        raise InputError(
            where,
            f"two ports of the hardware would be called {name}",
            "rename one of the arguments that they belong to",
        )
