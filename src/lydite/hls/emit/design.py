# SPDX-License-Identifier: Apache-2.0
"""Puts a design into Verilog files: one module a function or memory, joined in the top.

The top function's module holds the other functions' modules and all memories that they share. Since
a program is in one place at a time, requests of several functions for one memory, or one callee,
are joined by an or: who has nothing to ask says 0.
"""

from __future__ import annotations

from lydite.hls.bind import instances
from lydite.hls.contract.diagnostics import place
from lydite.hls.contract.names import Names
from lydite.hls.contract.register_map import RegisterMap
from lydite.hls.contract.report import VerilogFile
from lydite.hls.emit import (
    axi_lite,
    axi_stream,
    call_pipeline,
    controller,
    macro_calls,
    macro_wrapper,
    pipelined_module,
    stall,
    unique_names,
)
from lydite.hls.emit import divider as emit_divider
from lydite.hls.emit import fifo as emit_fifo
from lydite.hls.emit import memory as emit_memory
from lydite.hls.emit import network as emit_network
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit import requests as emit_requests
from lydite.hls.emit import top as emit_top
from lydite.hls.emit import transfers as emit_transfers
from lydite.hls.emit.function import Body, FunctionEmitter, MemoryPort
from lydite.hls.emit.top import Design, Port
from lydite.hls.emit.verilog import Signal, literal, span
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import memory_ports
from lydite.hls.ir.graph import Function, Op


def prepare(design: Design) -> dict[str, FunctionEmitter]:
    """Name everything: an emitter for each function, the top one first."""
    order = design.module.callees_first()
    return {function.name: _emitter(design, function, order) for function in reversed(order)}


def emit(
    design: Design, emitters: dict[str, FunctionEmitter] | None = None
) -> tuple[VerilogFile, ...]:
    """Give all files, the top module first; `emitters` are those of `prepare`, if called before."""
    order = design.module.callees_first()
    others = [function for function in order if function is not design.module.top_function]
    emitters = prepare(design) if emitters is None else emitters
    pipes = [_pipe_module(design, emitters, emitters[f.name]) for f in others if f.is_pipelined]
    others = [f for f in others if not (f.macro or f.is_pipelined) or _is_called(emitters, f)]
    texts = [_sub_module(design, emitters, emitters[function.name]) for function in others]
    files = [_top_module(design, emitters, others)]
    files += texts + pipes
    ports = emit_top.memory_ports(emitters)
    for memory in design.module.memories.values():
        if memory.kind in ("bram", "rom", "lutram"):
            name = f"{design.module.top}_{memory.name}"
            made = emit_top.memory_module(memory, ports[memory.name])
            text = emit_memory.module(memory, name, made, _short(design.head))
            files.append(VerilogFile(f"{name}.v", text))
    for macro in design.macros:
        files += [VerilogFile(name, text) for name, text in macro.texts]
    if design.registers is not None:
        files.append(_control_module(design, design.registers))
    if any(stream.protocol == "axis" for stream in design.module.streams.values()):
        files.append(VerilogFile(f"{axi_stream.NAME}.v", axi_stream.module()))
    if any(macro_calls.skids(emitter) for emitter in emitters.values()):
        files.append(VerilogFile(f"{macro_calls.NAME}.v", macro_calls.module()))
    if design.module.network is not None and design.module.network.processes:
        files.append(VerilogFile(f"{emit_fifo.NAME}.v", emit_fifo.module()))
    if any(emitter.body.dividers for emitter in emitters.values()):
        files.append(VerilogFile(f"{emit_divider.NAME}.v", emit_divider.module()))
    return tuple(files)


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
    emitter.restarts = top and design.protocols.block == "ap_ctrl_none" and not function.params
    emitter.macros = {macro.function: macro for macro in design.macros}
    names.taken |= {port.name for macro in design.macros for port in macro.external}
    emitter.prepare()
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


def _core(emitter: FunctionEmitter, *, reports: bool = True) -> list[str]:
    """Write controller and data path of a function."""
    calls = emitter.binding.calls is not None
    lines = [] if calls else _states(emitter)
    memories = emitter.local_memories()
    shown: set[str] = set()
    for memory in memories:
        lines += emit_memory.array(memory, headed=not memory.array or memory.array not in shown)
        shown.add(memory.array)
    emitter.issues = macro_calls.find(emitter)
    requests = _requests(emitter)
    control = [] if calls else _controller(emitter)
    control += _transfers(emitter, guarded=any(m.kind == "registers" for m in memories))
    results = _results(emitter, reports=reports)
    pipelines = emit_pipeline.control(emitter)
    holds = stall.lines(emitter)
    data = emitter.data_path()
    pipelines += macro_calls.lines(emitter)
    registers = _registers(emitter)
    return lines + registers + data + holds + pipelines + requests + control + results


def _states(emitter: FunctionEmitter) -> list[str]:
    """Declare the states."""
    binding = emitter.binding
    apart = binding.starts is None
    width = max(1, (len(binding.states) - (not apart)).bit_length())
    lines = [f"  localparam {span(width)}ST_IDLE = {literal(width, 0)};"] if apart else []
    for number, state in enumerate(binding.states, int(apart)):
        name = emitter.state_names[state]
        ops = state.ops if state.pipe is None else state.block.ops
        where = place(next((op.where for op in ops if op.where), ""))
        note = f"  // {where}" if where else ""
        lines.append(f"  localparam {span(width)}{name} = {literal(width, number)};{note}")
    return [*lines, "", f"  reg {span(width)}state_q, state_d;"]


def _controller(emitter: FunctionEmitter) -> list[str]:
    """Write how states follow each other."""
    return [
        "",
        "  always @* begin",
        "    state_d = state_q;",
        "    case (state_q)",
        *controller.next_state(emitter, "ST_IDLE"),
        "      default: state_d = ST_IDLE;",
        "    endcase",
        "  end",
        "",
        "  always @(posedge ap_clk) begin",
        "    if (ap_rst) state_q <= ST_IDLE;",
        "    else state_q <= state_d;",
        "  end",
    ]


def _transfers(emitter: FunctionEmitter, *, guarded: bool) -> list[str]:
    """Write what registers of data take; where there are memories, not in reset."""
    transfers = emit_transfers.transfers(emitter, "ST_IDLE")
    if not transfers:
        return []
    each = "each state" if emitter.binding.calls is None else "each cycle of a call"
    lines = ["", f"  // What {each} keeps; registers of data are not reset."]
    if guarded:
        # The state that power-up leaves is not known before the first edge in reset.
        lines.append("  // Memories keep their contents in it.")
    lines.append("  always @(posedge ap_clk) begin")
    if emitter.binding.calls is not None:
        if guarded:
            inner = [f"  {line}" for line in transfers]
            transfers = ["    if (~ap_rst) begin", *inner, "    end"]
        return [*lines, *transfers, *call_pipeline.resets(emitter), "  end"]
    lines.append("    if (~ap_rst) case (state_q)" if guarded else "    case (state_q)")
    return [*lines, *transfers, "      default: ;", "    endcase", "  end"]


def _registers(emitter: FunctionEmitter) -> list[str]:
    lines = [""]
    for register in dict.fromkeys(emitter.binding.storage.values()):
        if register.memory is not None:
            continue
        values = [owner for owner in register.owners if isinstance(owner, Op)]
        signal = emitter.kept[values[0]]
        before, after = signal.waiver
        names = dict.fromkeys(value.name for value in values if value.name)
        note = f"  // {', '.join(names)}" if names and values[0].kind != "param" else ""
        lines.append(f"  {before}reg {span(signal.width)}{signal.name};{after}{note}")
    lines += emit_pipeline.registers(emitter)
    return lines if len(lines) > 1 else []


def _requests(emitter: FunctionEmitter) -> list[str]:
    lines: list[str] = []
    groups = [emit_requests.memory(emitter, port) for port in emitter.body.memory_ports]
    groups += [emit_requests.call(emitter, callee) for callee in emitter.body.callees]
    groups += [emit_requests.stream(emitter, stream) for stream in emitter.body.streams]
    for unit, width in enumerate(emitter.body.dividers):
        lines += ["", f"  reg div{unit}_start;", f"  wire div{unit}_done;"]
        lines.append(f"  reg {span(width)}div{unit}_arg0, div{unit}_arg1;")
        groups.append(emit_requests.divider(emitter, unit))
        lines += _divider(unit, width)
    for number in range(len(emitter.binding.units)):
        lines += emit_requests.multiplier(emitter, number)
    for number in range(len(emitter.binding.shared)):
        lines += emit_requests.unit(emitter, number)
    for group in groups:
        lines += ["", "  always @* begin", *group, "  end"]
    return lines


def _divider(unit: int, width: int) -> list[str]:
    count = max(1, (width - 1).bit_length())
    return [
        f"  wire {span(width)}div{unit}_quotient, div{unit}_remainder;",
        f"  {emit_divider.NAME} #(",
        f"      .WIDTH({width}),",
        f"      .COUNT({count})",
        f"  ) u_div{unit} (",
        "      .ap_clk(ap_clk),",
        "      .ap_rst(ap_rst),",
        f"      .start_i(div{unit}_start),",
        f"      .dividend_i(div{unit}_arg0),",
        f"      .divisor_i(div{unit}_arg1),",
        f"      .done_o(div{unit}_done),",
        f"      .quotient_o(div{unit}_quotient),",
        f"      .remainder_o(div{unit}_remainder)",
        "  );",
    ]


def _results(emitter: FunctionEmitter, *, reports: bool) -> list[str]:
    """Write `ap_done` and `ap_return`."""
    if emitter.top and not reports:
        return []
    returns = controller.returns(emitter)
    if emitter.function.is_pipelined:
        return ["", f"  assign ap_return = {returns[0].value};"] if returns[0].value else []
    done = [_braced(item.done) if len(returns) > 1 else item.done for item in returns]
    lines = ["", f"  assign ap_done = {' | '.join(done) if done else literal(1, 0)};"]
    width = emitter.function.width
    if not width:
        return lines
    if not returns:
        return [*lines, f"  assign ap_return = {literal(width, 0)};"]
    if len({item.value for item in returns}) == 1:
        return [*lines, f"  assign ap_return = {returns[0].value};"]
    chain = "\n".join(f"      {_braced(item.chosen)} ? {item.value} :" for item in returns[:-1])
    return [*lines, "  assign ap_return =", chain, f"      {returns[-1].value};"]


def _braced(text: str) -> str:
    return f"({text})" if "&" in text else text


def _sub_module(
    design: Design, emitters: dict[str, FunctionEmitter], emitter: FunctionEmitter
) -> VerilogFile:
    """Write the module of a function that another one starts."""
    function = emitter.function
    body = Body() if function.is_pipelined else emitter.body
    if function.macro or function.is_pipelined:
        macro = next(macro for macro in design.macros if macro.function == function.name)
        issued = emit_top.is_issued(emitters, function)
        core = list(macro_wrapper.wrapper(macro, issued=issued))
        more = [Port("input", 1, "ap_issue"), Port("input", 1, "ap_wait")] * issued
        more += [Port(port.direction, port.width, port.name) for port in macro.external]
    else:
        core, more = _core(emitter), []
        if function.rewind is not None:
            core += call_pipeline.process(emitter)
            more = [Port("output", 1, "ap_ready"), Port("output", 1, "ap_idle")]
    ports = [
        Port("input", 1, "ap_clk"),
        Port("input", 1, "ap_rst"),
        Port("input", 1, "ap_start"),
        Port("output", 1, "ap_done"),
    ]
    ports += [
        Port("input", param.width, name)
        for param, name in ((p, emitter.ports[p].name) for p in function.params)
    ]
    ports += more
    if function.width:
        ports.append(Port("output", function.width, "ap_return"))
    for port in body.memory_ports:
        ports += _memory_ports(port, emitter)
    for stream in body.streams:
        ports += axi_stream.inner_ports(emitter, stream)
    for callee in body.callees:
        for signal, width in emit_top.call_signals(emitter, callee):
            ports.append(Port("output", width, f"{callee.name}_{signal}", True))
        name = f"{callee.name}_done"
        done = _input(emitter, name, 1) if callee in emitter.body.issued else None
        ports.append(Port("input", 1, name, False, done))
        if callee.width:
            name = f"{callee.name}_return"
            ports.append(
                Port("input", callee.width, name, False, _input(emitter, name, callee.width))
            )
    name = f"{design.module.top}_{function.name}"
    what = f"Function {function.name}, {place(function.where)}." if function.where else "Function."
    return VerilogFile(f"{name}.v", emit_top.module_text(design.head, what, name, ports, core))


def _pipe_module(
    design: Design, emitters: dict[str, FunctionEmitter], emitter: FunctionEmitter
) -> VerilogFile:
    """Write a pipelined function that stays a module, with all that it asks inside."""
    function = emitter.function
    core = _core(emitter)
    core = pipelined_module.inside(design, emitters, emitter) + core
    name = instances.module_name(design.module, function)
    where = f", {place(function.where)}" if function.where else ""
    every = f"takes a call every {function.interval} cycles"
    what = (
        f"Pipelined function {function.name}{where}: {every.replace(' 1 cycles', ' cycle')}, "
        f"and answers {function.latency} later."
    )
    return VerilogFile(
        f"{name}.v",
        emit_top.module_text(design.head, what, name, pipelined_module.ports(emitter), core),
    )


def _input(emitter: FunctionEmitter, name: str, width: int) -> Signal:
    return emitter.body.inputs.get(name) or Signal(name, width)


def _memory_ports(port: MemoryPort, emitter: FunctionEmitter) -> list[Port]:
    memory, number = port.memory, port.number
    result = [Port("output", memory.index_width, f"{memory.name}_address{number}", True)]
    if port.enabled:
        result.append(Port("output", 1, f"{memory.name}_ce{number}", True))
    if port.writes:
        result.append(Port("output", memory.lanes, f"{memory.name}_we{number}", True))
        result.append(Port("output", memory.width, f"{memory.name}_d{number}", True))
    if port.reads:
        name = f"{memory.name}_q{number}"
        result.append(Port("input", memory.width, name, False, _input(emitter, name, memory.width)))
    return result


def _top_module(
    design: Design, emitters: dict[str, FunctionEmitter], others: list[Function]
) -> VerilogFile:
    """Write the module of the top function, with everything inside."""
    top = design.module.top_function
    emitter = emitters[top.name]
    controlled = design.protocols.block != "ap_ctrl_none"
    core = _core(emitter, reports=controlled)
    ports = [Port("input", 1, name) for name in ("ap_clk", "ap_rst")]
    if controlled:
        ports.append(Port("input", 1, "ap_start"))
        ports += [Port("output", 1, name) for name in ("ap_done", "ap_idle", "ap_ready")]
    scalars = [arg for arg in design.top_args.args if arg.is_scalar]
    for arg, param in zip(scalars, top.params, strict=True):
        signal = emitter.ports[param] if emitter.binding.starts is not None else None
        ports.append(Port("input", param.width, arg.port, False, signal))
    if top.width and controlled:
        ports.append(Port("output", top.width, "ap_return"))
    everybody, emitters = emitters, emit_top.outside(emitters)
    used = emit_top.memory_ports(emitters)
    joins: list[str] = []
    network = design.module.network
    for memory in design.module.memories.values():
        if network is not None and network.buffer_of(memory) is not None:
            continue
        for number, (reads, writes) in sorted(used.get(memory.name, {}).items()):
            joins += emit_top.join_memory(
                design, emitters, memory, number, reads=reads, writes=writes
            )
            if memory.port:
                ports += emit_top.top_ports(design, memory, number, emitters)
                joins += emit_top.idle_writes(memory, number, used[memory.name])
        if memory.kind in ("bram", "rom", "lutram") and memory.name in used:
            joins += emit_top.memory_instance(design, memory, used[memory.name])
    for stream in design.module.streams.values():
        if not stream.role:
            ports += axi_stream.ports(stream)
            joins += axi_stream.join(design, emitters, stream)
    joins += emit_network.channels(design, emitters, used)
    processes = [item.function for item in network.processes] if network is not None else []
    for function in others:
        if (function.is_pipelined or function.macro) and not _is_called(emitters, function):
            continue  # only functions call it that have it inside
        if function not in processes:
            joins += emit_top.join_calls(design, emitters, function)
        found = [macro for macro in design.macros if macro.function == function.name]
        for port in (port for macro in found for port in macro.external):
            ports.append(Port(port.direction, port.width, port.name))
        issued = emit_top.is_issued(everybody, function)
        joins += emit_top.instance(design, emitters, everybody[function.name], issued=issued)
    lines = core
    declared = emit_top.request_registers(emitter, design)
    if controlled:
        idle, ready = "(state_q == ST_IDLE)", "ap_done"
        if emitter.binding.calls is not None:
            idle, ready = call_pipeline.idle(emitter), call_pipeline.taken(emitter)
        lines += ["", f"  assign ap_idle = {idle};", f"  assign ap_ready = {ready};"]
    else:
        declared = ["  wire ap_start = 1'b1;", *declared]
        lines = call_pipeline.without_taken(emitter, lines)
    if design.registers is not None:
        inside = {port.name for port in axi_lite.inner_ports(design.registers)}
        ports = [port for port in ports if port.name not in inside]
        ports += axi_lite.bus_ports(design.registers)
        declared = axi_lite.instance(top.name, design.registers) + declared
    emit_top.check_ports(ports, top.where)
    what = f"Function {top.name}, {place(top.where)}: block protocol {design.protocols.block}."
    text = emit_top.module_text(design.head, what, top.name, ports, declared + joins + lines)
    return VerilogFile(f"{top.name}.v", text)


def _control_module(design: Design, registers: RegisterMap) -> VerilogFile:
    text = axi_lite.module(design.module.top, registers, _short(design.head))
    return VerilogFile(f"{axi_lite.name(design.module.top)}.v", text)
