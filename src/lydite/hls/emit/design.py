# SPDX-License-Identifier: Apache-2.0
"""Puts a design into Verilog files: one module a function or memory, joined in the top.

The top function's module holds the other functions' modules and all memories that they share. Since
a program is in one place at a time, requests of several functions for one memory, or one callee,
are joined by an or: who has nothing to ask says 0.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from lydite.hls.bind import instances
from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import place
from lydite.hls.contract.directives import Keep
from lydite.hls.contract.names import Names
from lydite.hls.contract.register_map import RegisterMap
from lydite.hls.contract.report import VerilogFile
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit import (
    apart,
    axi_lite,
    axi_stream,
    call_pipeline,
    check,
    library,
    macro_calls,
    macro_wrapper,
    pipelined_module,
    printer,
    unique_names,
)
from lydite.hls.emit import divider as emit_divider
from lydite.hls.emit import fifo as emit_fifo
from lydite.hls.emit import memory as emit_memory
from lydite.hls.emit import network as emit_network
from lydite.hls.emit import top as emit_top
from lydite.hls.emit.check import Interface
from lydite.hls.emit.core import core
from lydite.hls.emit.function import Body, FunctionEmitter
from lydite.hls.emit.settle import settle
from lydite.hls.emit.structure import Assign, Instance, Item, Module, Note, Plain, Port, wire
from lydite.hls.emit.top import Design
from lydite.hls.emit.verilog import literal
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import memory_ports
from lydite.hls.ir.graph import Function

# Modules written by hand, by name: those that a design has instances of are among its files.
_LIBRARY = {
    **axi_stream.MODULES,
    macro_calls.NAME: macro_calls.module(),
    emit_fifo.NAME: emit_fifo.module(),
    emit_divider.NAME: emit_divider.module(),
    apart.NAME: apart.module(),
}


def prepare(design: Design) -> dict[str, FunctionEmitter]:
    """Name everything: an emitter for each function, the top one first."""
    order = design.module.callees_first()
    return {function.name: _emitter(design, function, order) for function in reversed(order)}


def emit(
    design: Design, emitters: dict[str, FunctionEmitter] | None = None
) -> tuple[VerilogFile, ...]:
    """Give all files, the top module first; `emitters` are those of `prepare`, if called before."""
    found = prepare(design) if emitters is None else emitters
    modules = [settle(module) for module in _modules(design, found)]
    control = settle(_control_module(design, design.registers)) if design.registers else None
    inside = modules if control is None else [*modules, control]
    reads = check.verify(inside, _interfaces(design, {module.name for module in inside}))
    files = [_file(module, reads) for module in modules]
    files += [VerilogFile(*named) for macro in design.macros for named in macro.texts]
    if control is not None:
        files.append(_file(control, reads))
    used = {each.module for m in inside for each in m.items if isinstance(each, Instance)}
    files += [VerilogFile(f"{name}.v", text) for name, text in _LIBRARY.items() if name in used]
    return tuple(files)


def _file(module: Module[Plain], reads: Mapping[str, Mapping[str, int]]) -> VerilogFile:
    return VerilogFile(f"{module.name}.v", printer.text(module, reads[module.name]))


def _modules(design: Design, emitters: dict[str, FunctionEmitter]) -> Iterator[Module[Item]]:
    """Give the modules of functions and memories, that of the top function first."""
    order = design.module.callees_first()
    others = [function for function in order if function is not design.module.top_function]
    called = [f for f in others if not (f.macro or f.is_pipelined) or _is_called(emitters, f)]
    yield _top_module(design, emitters, called)
    for function in called:
        yield _sub_module(design, emitters, emitters[function.name])
    for function in others:
        if function.is_pipelined:
            yield _pipe_module(design, emitters, emitters[function.name])
    uses = emit_top.memory_ports(emitters)
    for memory in design.module.memories.values():
        if memory.kind in ("bram", "rom", "lutram"):
            name = f"{design.module.top}_{memory.name}"
            made = emit_top.memory_module(memory, uses[memory.name])
            yield emit_memory.module(memory, name, made, _short(design.head))


def _interfaces(design: Design, known: Container[str]) -> dict[str, Interface]:
    """Give the ports of modules that are not written here: of the library, and of macros."""
    found = {name: library.interface(text) for name, text in _LIBRARY.items()}
    ports: dict[str, dict[str, Port]] = {}
    for macro in design.macros:
        if macro.module not in known:
            told = {port.name: port for port in _macro_ports(design, macro)}
            first = ports.setdefault(macro.module, told)
            # Two macros may use one module, and not all of its ports.
            for name in first.keys() ^ told.keys():
                first[name] = replace((first | told)[name], optional=True)
    return found | {name: partial(_told, tuple(each.values())) for name, each in ports.items()}


def _told(ports: tuple[Port, ...], _: Mapping[str, str]) -> tuple[Port, ...]:
    return ports


def _macro_ports(design: Design, macro: Macro) -> Iterator[Port]:
    """Give the ports that a macro says its module has."""
    function = design.module.functions[macro.function]
    for name in (macro.clock, macro.reset, macro.start, macro.enable):
        if name:
            yield Port("input", 1, name)
    for name, param in zip(macro.inputs, function.params, strict=True):
        yield Port("input", param.width, name)
    if macro.output:
        yield Port("output", function.width, macro.output)
    if macro.done:
        yield Port("output", 1, macro.done)
    for port in macro.external:
        yield Port(port.direction, port.width, port.port)


def _is_called(emitters: dict[str, FunctionEmitter], function: Function) -> bool:
    """Whether a macro has a module that calls share: not one of which each has its own."""
    return any(function in emitter.body.callees for emitter in emitters.values())


def _short(head: str) -> str:
    return head.split("\n", 1)[0]


def _emitter(design: Design, function: Function, order: list[Function]) -> FunctionEmitter:
    """Prepare a function's emitter, with the names that its surroundings need taken."""
    names = Names()
    names.taken |= unique_names.FIXED | {emit_divider.NAME}
    top = function is design.module.top_function
    scalars = [arg for arg in design.top_args.args if arg.is_scalar]
    if top:
        ports = [arg.port for arg in scalars]
    else:
        ports = [f"arg{index}" for index in range(len(function.params))]
    names.taken |= set(ports)
    functions = [other.name for other in order]
    for memory in design.module.memories.values():
        names.taken |= unique_names.of_memory(memory.name, functions)
        if memory_ports.is_copied(memory):
            names.taken |= unique_names.of_copies(memory.name)
    for callee in order:
        names.taken |= unique_names.of_function(callee.name, functions, len(callee.params))
    for stream in design.module.streams.values():
        names.taken |= axi_stream.names(stream, functions)
    binding = design.bindings[function.name]
    for unit in range(len(binding.divider_widths)):
        names.taken |= {
            f"div{unit}_{signal}"
            for signal in ("start", "done", "quotient", "remainder", "arg0", "arg1")
        } | {f"u_div{unit}"}
    for unit in range(len(binding.units)):
        names.taken |= {f"mul{unit}_{signal}" for signal in ("arg0", "arg1", "result")}
    for unit, item in enumerate(binding.shared):
        names.taken |= {f"{item.kind}{unit}_{word}" for word in ("arg0", "arg1", "result")}
    names.taken |= emit_network.names(design.module.network)
    own = _shared(design, function) if top else frozenset()
    emitter = FunctionEmitter(binding, names, ports, own, top=top)
    wanted = directives.of(function.pragmas, design.module.pragmas, Keep)
    emitter.apart = frozenset(item.variable for item in wanted)
    emitter.restarts = top and design.protocols.block == "ap_ctrl_none" and not function.params
    emitter.macros = {macro.function: macro for macro in design.macros}
    names.taken |= {port.name for macro in design.macros for port in macro.external}
    emitter.prepare()
    emitter.issues = macro_calls.find(emitter)
    return emitter


def _shared(design: Design, top: Function) -> frozenset[str]:
    """Give the memories and functions that another function than the top one asks, too."""
    result: set[str] = set()
    for name, binding in design.bindings.items():
        if name != top.name and not binding.function.is_pipelined:
            result |= {op.attr.name for op in binding.port}
            asked = ("call", *ir_graph.STREAMING)
            result |= {op.attr.name for op in binding.function.ops() if op.kind in asked}
    return frozenset(result)


def _sub_module(
    design: Design, emitters: dict[str, FunctionEmitter], emitter: FunctionEmitter
) -> Module[Item]:
    """Write the module of a function that another one starts."""
    function = emitter.function
    body = Body() if function.is_pipelined else emitter.body
    items: list[Item]
    more: list[Port] = []
    if function.macro or function.is_pipelined:
        macro = next(macro for macro in design.macros if macro.function == function.name)
        issued = emit_top.is_issued(emitters, function)
        items = list(macro_wrapper.wrapper(macro, issued=issued))
        more = [Port("input", 1, "ap_issue"), Port("input", 1, "ap_wait")] * issued
        more += [Port(port.direction, port.width, port.name) for port in macro.external]
    else:
        items = core(emitter)
        if function.rewind is not None:
            items += call_pipeline.process(emitter)
            more = [Port("output", 1, "ap_ready"), Port("output", 1, "ap_idle")]
    ports = [Port("input", 1, name) for name in ("ap_clk", "ap_rst", "ap_start")]
    ports.append(Port("output", 1, "ap_done"))
    ports += [Port("input", param.width, emitter.ports[param].name) for param in function.params]
    ports += more
    if function.width:
        ports.append(Port("output", function.width, "ap_return"))
    for port in body.memory_ports:
        ports += emit_top.function_memory_ports(port)
    for stream in body.streams:
        ports += axi_stream.inner_ports(stream)
    for callee in body.callees:
        for signal, width in emit_top.call_signals(emitter, callee):
            ports.append(Port("output", width, f"{callee.name}_{signal}", True))
        ports.append(Port("input", 1, f"{callee.name}_done"))
        if callee.width:
            ports.append(Port("input", callee.width, f"{callee.name}_return"))
    name = f"{design.module.top}_{function.name}"
    what = f"Function {function.name}, {place(function.where)}." if function.where else "Function."
    return _module(design.head, what, name, ports, items)


def _pipe_module(
    design: Design, emitters: dict[str, FunctionEmitter], emitter: FunctionEmitter
) -> Module[Item]:
    """Write a pipelined function that stays a module, with all that it asks inside."""
    function = emitter.function
    items = pipelined_module.inside(design, emitters, emitter) + core(emitter)
    name = instances.module_name(design.module, function)
    where = f", {place(function.where)}" if function.where else ""
    every = f"takes a call every {function.interval} cycles"
    what = (
        f"Pipelined function {function.name}{where}: {every.replace(' 1 cycles', ' cycle')}, "
        f"and answers {function.latency} later."
    )
    return _module(design.head, what, name, pipelined_module.ports(emitter), items)


def _module(
    head: str, what: str, name: str, ports: list[Port], items: Sequence[Item]
) -> Module[Item]:
    return Module(name, (head, f"// {what}"), tuple(ports), tuple(items))


def _top_module(
    design: Design, emitters: dict[str, FunctionEmitter], others: list[Function]
) -> Module[Item]:
    """Write the module of the top function, with everything inside."""
    top = design.module.top_function
    emitter = emitters[top.name]
    controlled = design.protocols.block != "ap_ctrl_none"
    ports = _own_ports(design, emitter, controlled=controlled)
    more, joins = _around(design, emitters, others)
    ports += more
    declared = emit_top.request_registers(emitter, design)
    last: list[Item] = []
    if controlled:
        idle, ready = "(state_q == ST_IDLE)", "ap_done"
        if emitter.binding.calls is not None:
            idle, ready = call_pipeline.idle(emitter), call_pipeline.taken(emitter)
        last = [Note(), Assign("ap_idle", idle), Assign("ap_ready", ready)]
    else:
        declared = [wire("ap_start", 1, literal(1, 1)), *declared]
    if design.registers is not None:
        inside = {port.name for port in axi_lite.inner_ports(design.registers)}
        ports = [port for port in ports if port.name not in inside]
        ports += axi_lite.bus_ports(design.registers)
        declared = axi_lite.instance(top.name, design.registers) + declared
    emit_top.check_ports(ports, top.where)
    what = f"Function {top.name}, {place(top.where)}: block protocol {design.protocols.block}."
    items = [*declared, *joins, *core(emitter, reports=controlled), *last]
    return _module(design.head, what, top.name, ports, items)


def _own_ports(design: Design, emitter: FunctionEmitter, *, controlled: bool) -> list[Port]:
    """Give the top module's ports for the block protocol, arguments and result."""
    top = design.module.top_function
    ports = [Port("input", 1, name) for name in ("ap_clk", "ap_rst")]
    if controlled:
        ports.append(Port("input", 1, "ap_start"))
        ports += [Port("output", 1, name) for name in ("ap_done", "ap_idle", "ap_ready")]
    scalars = [arg for arg in design.top_args.args if arg.is_scalar]
    ports += [
        Port("input", param.width, arg.port) for arg, param in zip(scalars, top.params, strict=True)
    ]
    if top.width and controlled:
        ports.append(Port("output", top.width, "ap_return"))
    return ports


def _around(
    design: Design, emitters: dict[str, FunctionEmitter], others: list[Function]
) -> tuple[list[Port], list[Item]]:
    """Join memories, streams, processes and functions with the top function; give more ports."""
    ports: list[Port] = []
    items: list[Item] = []
    outside = emit_top.outside(emitters)
    used = emit_top.memory_ports(outside)
    network = design.module.network
    for memory in design.module.memories.values():
        if network is not None and network.buffer_of(memory) is not None:
            continue
        for number, (reads, writes) in sorted(used.get(memory.name, {}).items()):
            items += emit_top.join_memory(
                design, outside, memory, number, reads=reads, writes=writes
            )
            if memory.port:
                ports += emit_top.top_ports(design, memory, number, outside)
                items += emit_top.idle_writes(memory, number, used[memory.name])
        if memory.kind in ("bram", "rom", "lutram") and memory.name in used:
            items += emit_top.memory_instances(design, memory, used[memory.name])
    for stream in design.module.streams.values():
        if not stream.role:
            ports += axi_stream.ports(stream)
            items += axi_stream.join(design, outside, stream)
    items += emit_network.channels(design, outside, used)
    processes = [item.function for item in network.processes] if network is not None else []
    for function in others:
        if (function.is_pipelined or function.macro) and not _is_called(outside, function):
            continue  # only functions call it that have it inside
        if function not in processes:
            items += emit_top.join_calls(design, outside, function)
        found = [macro for macro in design.macros if macro.function == function.name]
        for port in (port for macro in found for port in macro.external):
            ports.append(Port(port.direction, port.width, port.name))
        issued = emit_top.is_issued(emitters, function)
        items.append(emit_top.instance(design, outside, emitters[function.name], issued=issued))
    return ports, items


def _control_module(design: Design, registers: RegisterMap) -> Module[Item]:
    what = "// Registers behind an AXI4-Lite port: see the page of registers."
    return axi_lite.module(design.module.top, registers, (_short(design.head), what))
