# SPDX-License-Identifier: Apache-2.0
"""Joins the parts of a design in its top module: memories, functions, their requests."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.register_map import RegisterMap
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit.function import Body, FunctionEmitter, MemoryPort
from lydite.hls.emit.verilog import Signal, literal, span
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


@dataclass(slots=True)
class Port:
    direction: str
    width: int
    name: str
    register: bool = False
    signal: Signal | None = None


def module_text(head: str, what: str, name: str, ports: list[Port], lines: list[str]) -> str:
    """Write a module: a head, what it is, its ports, its body."""
    declared = []
    for index, port in enumerate(ports):
        kind = "reg " if port.register else "wire"
        before, after = port.signal.waiver if port.signal is not None else ("", "")
        comma = "," if index < len(ports) - 1 else ""
        declared.append(
            f"    {before}{port.direction:6} {kind} {span(port.width)}{port.name}{comma}{after}"
        )
    return "\n".join(
        [
            head,
            f"// {what}",
            "",
            "`default_nettype none",
            "",
            f"module {name} (",
            *declared,
            ");",
            "",
            *lines,
            "",
            "endmodule",
            "",
            "`default_nettype wire",
            "",
        ]
    )


# By number, whether a port of a memory reads and whether it writes.
MemoryPorts = dict[int, tuple[bool, bool]]


def memory_ports(emitters: dict[str, FunctionEmitter]) -> dict[str, MemoryPorts]:
    """Give, for each memory outside of functions, its ports and whether they read and write."""
    result: dict[str, MemoryPorts] = {}
    for emitter in emitters.values():
        for port in emitter.body.memory_ports:
            ports = result.setdefault(port.memory.name, {})
            reads, writes = ports.get(port.number, (False, False))
            ports[port.number] = (reads or port.reads, writes or port.writes)
    return result


def request_registers(emitter: FunctionEmitter, design: Design) -> list[str]:
    """Declare the requests that the top function itself makes."""
    lines: list[str] = []
    for port in emitter.body.memory_ports:
        memory, number = port.memory, port.number
        if memory.port and memory.name not in emitter.own:
            continue  # they are the module's own ports
        stem = emitter.stem(memory.name)
        lines.append(f"  reg {span(memory.index_width)}{stem}_address{number};")
        if port.enabled:
            lines.append(f"  reg {stem}_ce{number};")
        if port.writes:
            lines.append(f"  reg {span(memory.lanes)}{stem}_we{number};")
            lines.append(f"  reg {span(memory.width)}{stem}_d{number};")
    for stream in emitter.body.streams:
        stem = emitter.stem(stream.name)
        lines.append(f"  reg {stem}_{'put' if stream.writes else 'take'};")
        if stream.writes:
            lines.append(f"  reg {span(stream.width)}{stem}_beat;")
    for callee in emitter.body.callees:
        stem = emitter.stem(callee.name)
        for signal, width in call_signals(emitter, callee):
            lines.append(f"  reg {span(width)}{stem}_{signal};")
    return lines


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
) -> list[str]:
    """Join the requests of several functions for a port of a memory."""
    askers = _askers(emitters, design, memory, number)
    lines: list[str] = []
    signals = [("address", memory.index_width)]
    if MemoryPort(memory, number).enabled:
        signals.append(("ce", 1))
    if writes:
        signals += [("we", memory.lanes), ("d", memory.width)]
    for stem, port, top in askers:
        if top:
            continue
        for signal, width in signals:
            if signal in ("address", "ce") or port.writes:
                lines.append(f"  wire {span(width)}{stem}_{signal}{number};")
    shared = memory.name in emitters[design.module.top].own
    if shared:
        for signal, width in signals:
            terms = [
                f"{stem}_{signal}{number}"
                for stem, port, _ in askers
                if signal in ("address", "ce") or port.writes
            ]
            name = f"{memory.name}_{signal}{number}"
            word = "assign" if memory.port else f"wire {span(width)}".rstrip()
            lines.append(f"  {word} {name} = {' | '.join(terms)};")
    if reads and not memory.port:
        signal_use = Signal(f"{memory.name}_q{number}", memory.width)
        for emitter in emitters.values():
            found = emitter.body.inputs.get(signal_use.name)
            if found is not None:
                signal_use.used |= (
                    found.used
                    if emitter.function.name == design.module.top
                    else ((1 << memory.width) - 1)
                )
        before, after = signal_use.waiver
        lines.append(f"  {before}wire {span(memory.width)}{signal_use.name};{after}")
    return lines


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
        name = f"{memory.name}_q{number}"
        signal = Signal(name, memory.width)
        for emitter in emitters.values():
            found = emitter.body.inputs.get(name)
            if found is not None:
                full = emitter.function is not design.module.top_function
                signal.used |= (1 << memory.width) - 1 if full else found.used
        result.append(Port("input", memory.width, name, False, signal))
    return result


def idle_writes(memory: Memory, number: int, ports: dict[int, tuple[bool, bool]]) -> list[str]:
    """Tie the write side of an argument's port that only reads, beside one that writes."""
    if ports[number][1] or not any(writes for _, writes in ports.values()):
        return []
    return [
        f"  assign {memory.name}_we{number} = {literal(memory.lanes, 0)};",
        f"  assign {memory.name}_d{number} = {literal(memory.width, 0)};",
    ]


def memory_module(memory: Memory, ports: MemoryPorts) -> MemoryPorts:
    """Give the ports of a memory's module: of a ROM in copies, those of one copy."""
    return (
        dict(sorted(ports.items())[: ir_memory_ports.COPY_PORTS])
        if ir_memory_ports.is_copied(memory)
        else ports
    )


def memory_instance(design: Design, memory: Memory, ports: MemoryPorts) -> list[str]:
    """Instantiate a memory, or as many copies of a ROM as its ports need."""
    if not ir_memory_ports.is_copied(memory):
        return _instance_of(design, memory, f"u_{memory.name}", _pins(memory, ports))
    lines: list[str] = []
    rows = sorted(ports.items())
    for first in range(0, len(rows), ir_memory_ports.COPY_PORTS):
        pins = _pins(memory, dict(rows[first : first + ir_memory_ports.COPY_PORTS]), first)
        if len(rows) - first < len(memory_module(memory, ports)):
            address = literal(memory.index_width, 0)
            pins += [f".address1({address})", ".ce1(1'b0)", ".q1()"]
        lines += _instance_of(
            design, memory, f"u_{memory.name}_{first // ir_memory_ports.COPY_PORTS}", pins
        )
    return lines


def _pins(memory: Memory, ports: MemoryPorts, first: int = 0) -> list[str]:
    pins: list[str] = []
    for number, (reads, writes) in sorted(ports.items()):
        names = ["address"]
        if memory.kind in ("bram", "rom") or writes:
            names.append("ce")
        names += ["we", "d"] * writes + ["q"] * reads
        pins += [f".{name}{number - first}({memory.name}_{name}{number})" for name in names]
    return pins


def _instance_of(design: Design, memory: Memory, name: str, pins: Sequence[str]) -> list[str]:
    lines = [f"      {pin}" for pin in (".ap_clk(ap_clk)", *pins)]
    return [f"  {design.module.top}_{memory.name} {name} (", ",\n".join(lines), "  );"]


def join_calls(design: Design, emitters: dict[str, FunctionEmitter], callee: Function) -> list[str]:
    """Join the calls of several functions to one."""
    top = emitters[design.module.top]
    lines: list[str] = []
    terms: dict[tuple[str, int], list[str]] = {}
    for name, emitter in emitters.items():
        if callee not in emitter.body.callees:
            continue
        own = name == design.module.top
        stem = emitter.stem(callee.name) if own else f"{name}__{callee.name}"
        for said, width in call_signals(emitter, callee):
            terms.setdefault((said, width), []).append(f"{stem}_{said}")
            if not own:
                lines.append(f"  wire {span(width)}{stem}_{said};")
    if callee.name in top.own:
        for (said, width), asked in terms.items():
            lines.append(f"  wire {span(width)}{callee.name}_{said} = {' | '.join(asked)};")
    lines.append(f"  wire {callee.name}_done;")
    if not any(f"{callee.name}_done" in emitter.body.inputs for emitter in emitters.values()):
        lines.append(f"  wire unused_{callee.name}_done = &{{1'b0, {callee.name}_done}};")
    if callee.width:
        signal = Signal(f"{callee.name}_return", callee.width)
        for emitter in emitters.values():
            found = emitter.body.inputs.get(signal.name)
            if callee in emitter.body.callees and emitter is not top:
                signal.all()
            elif found is not None:
                signal.used |= found.used
        before, after = signal.waiver
        lines.append(f"  {before}wire {span(callee.width)}{signal.name};{after}")
    return lines


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
) -> list[str]:
    """Instantiate the module of a function other than the top one, where `emitters` ask it.

    `issued` says that pipelines start it elsewhere.
    """
    function = emitter.function
    body = Body() if function.is_pipelined else emitter.body
    turns = design.module.network
    name = function.name
    pins = [".ap_clk(ap_clk)", ".ap_rst(ap_rst)", f".ap_start({name}_start)"]
    pins.append(f".ap_done({name}_done)")
    if function.rewind is not None:
        pins += [f".ap_ready({name}_ready)", f".ap_idle({name}_rests)"]
    pins += [f".arg{index}({name}_arg{index})" for index in range(len(function.params))]
    if is_issued(emitters, function):
        pins += [f".ap_{signal}({name}_{signal})" for signal in ("issue", "wait")]
    elif issued:
        pins += [".ap_issue(1'b0)", ".ap_wait(1'b0)"]
    for macro in design.macros:
        if macro.function == name:
            pins += [f".{port.name}({port.name})" for port in macro.external]
    if function.width:
        pins.append(f".ap_return({name}_return)")
    for port in body.memory_ports:
        memory, number = port.memory.name, port.number
        signals = ["address"] + ["ce"] * port.enabled + ["we", "d"] * port.writes
        pins += [f".{memory}_{s}{number}({name}__{memory}_{s}{number})" for s in signals]
        if port.reads:
            seen = memory if turns is None else turns.side(port.memory, function)
            pins.append(f".{memory}_q{number}({seen}_q{number})")
    for stream in body.streams:
        for signal, _ in stream_signals(stream, asks=True):
            pins.append(f".{stream.name}_{signal}({name}__{stream.name}_{signal})")
        for signal, _ in stream_signals(stream, asks=False):
            pins.append(f".{stream.name}_{signal}({stream.name}_{signal})")
    for callee in body.callees:
        pins += [
            f".{callee.name}_{signal}({name}__{callee.name}_{signal})"
            for signal, _ in call_signals(emitter, callee)
        ]
        pins.append(f".{callee.name}_done({callee.name}_done)")
        if callee.width:
            pins.append(f".{callee.name}_return({callee.name}_return)")
    return [
        f"  {design.module.top}_{name} u_{name} (",
        *[f"      {pin}," for pin in pins[:-1]],
        f"      {pins[-1]}",
        "  );",
    ]


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
