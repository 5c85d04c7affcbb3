# SPDX-License-Identifier: Apache-2.0
"""Puts a design into Verilog files: one module a function or memory, joined in the top.

The top function's module holds the other functions' modules and all memories that they share. Since
a program is in one place at a time, requests of several functions for one memory, or one callee,
are joined by an or: who has nothing to ask says 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls import emit_divider, emit_memory
from lydite.hls.bind import Binding
from lydite.hls.emit_function import FunctionEmitter, MemoryPort
from lydite.hls.interface import VerilogFile
from lydite.hls.ir import Function, Memory, Module
from lydite.hls.topargs import TopArgs
from lydite.hls.verilog import Names, Signal, literal, place, span


@dataclass(frozen=True, slots=True)
class Design:
    """All that emission needs."""

    module: Module
    bindings: dict[str, Binding]
    top_args: TopArgs
    head: str


@dataclass(slots=True)
class _Port:
    direction: str
    width: int
    name: str
    register: bool = False
    signal: Signal | None = None


def emit(design: Design) -> tuple[VerilogFile, ...]:
    """Give all files, the top module first."""
    order = design.module.callees_first()
    others = [function for function in order if function is not design.module.top_function]
    emitters = {function.name: _emitter(design, function, order) for function in reversed(order)}
    texts = [_sub_module(design, emitters[function.name]) for function in others]
    files = [_top_module(design, emitters, others)]
    files += texts
    ports = memory_ports(emitters)
    for memory in design.module.memories.values():
        if memory.kind in ("bram", "rom", "lutram"):
            name = f"{design.module.top}_{memory.name}"
            text = emit_memory.module(memory, name, ports[memory.name], _short(design.head))
            files.append(VerilogFile(f"{name}.v", text))
    if any(emitter.body.dividers for emitter in emitters.values()):
        files.append(VerilogFile(f"{emit_divider.NAME}.v", emit_divider.module()))
    return tuple(files)


def _short(head: str) -> str:
    return head.split("\n", 1)[0]


def memory_ports(emitters: dict[str, FunctionEmitter]) -> dict[str, dict[int, tuple[bool, bool]]]:
    """Give, for each memory outside of functions, its ports and whether they read and write."""
    result: dict[str, dict[int, tuple[bool, bool]]] = {}
    for emitter in emitters.values():
        for port in emitter.body.memory_ports:
            ports = result.setdefault(port.memory.name, {})
            reads, writes = ports.get(port.number, (False, False))
            ports[port.number] = (reads or port.reads, writes or port.writes)
    return result


def _emitter(design: Design, function: Function, order: list[Function]) -> FunctionEmitter:
    """Prepare a function's emitter, with the names that its surroundings need taken."""
    names = Names()
    names.taken |= {"ap_clk", "ap_rst", "ap_start", "ap_done", "ap_idle", "ap_ready", "ap_return"}
    names.taken |= {"state_q", "state_d", "ST_IDLE", emit_divider.NAME}
    top = function is design.module.top_function
    scalars = [arg for arg in design.top_args.args if not arg.is_array]
    if top:
        ports = [arg.port for arg in scalars]
    else:
        ports = [f"arg{index}" for index in range(len(function.params))]
    names.taken |= set(ports)
    for memory in design.module.memories.values():
        stems = [memory.name, f"own_{memory.name}"]
        stems += [f"{other.name}__{memory.name}" for other in order]
        names.taken |= {
            f"{stem}_{signal}{number}"
            for stem in stems
            for signal in ("address", "ce", "we", "d", "q")
            for number in (0, 1)
        }
        names.taken |= {f"{memory.name}_mem", f"{memory.name}_mem_i", f"u_{memory.name}"}
    for callee in order:
        stems = [callee.name, f"own_{callee.name}"]
        stems += [f"{other.name}__{callee.name}" for other in order]
        for stem in stems:
            names.taken |= {f"{stem}_start", f"{stem}_done", f"{stem}_return"}
            names.taken |= {f"{stem}_arg{index}" for index in range(len(callee.params))}
        names.taken.add(f"u_{callee.name}")
    binding = design.bindings[function.name]
    for unit in range(len(binding.divider_widths)):
        names.taken |= {
            f"div{unit}_{signal}"
            for signal in ("start", "done", "quotient", "remainder", "arg0", "arg1")
        } | {f"u_div{unit}"}
    for unit in range(len(binding.units)):
        names.taken |= {f"mul{unit}_{signal}" for signal in ("arg0", "arg1", "result")}
    own = _shared(design, function) if top else frozenset()
    emitter = FunctionEmitter(binding, names, ports, own)
    emitter.prepare()
    return emitter


def _shared(design: Design, top: Function) -> frozenset[str]:
    """Give the memories and functions that another function than the top one asks, too."""
    result: set[str] = set()
    for name, binding in design.bindings.items():
        if name != top.name:
            result |= {op.attr.name for op in binding.port}
            result |= {op.attr.name for op in binding.function.ops() if op.kind == "call"}
    return frozenset(result)


def _core(emitter: FunctionEmitter) -> list[str]:
    """Write controller and data path of a function."""
    binding = emitter.binding
    width = max(1, len(binding.states).bit_length())
    lines = [f"  localparam {span(width)}ST_IDLE = {literal(width, 0)};"]
    for number, state in enumerate(binding.states, 1):
        name = emitter.state_names[state]
        where = place(next((op.where for op in state.ops if op.where), ""))
        note = f"  // {where}" if where else ""
        lines.append(f"  localparam {span(width)}{name} = {literal(width, number)};{note}")
    lines += ["", f"  reg {span(width)}state_q, state_d;"]
    memories = emitter.local_memories()
    for memory in memories:
        lines += emit_memory.array(memory)
    requests = _requests(emitter)
    control = [
        "",
        "  always @* begin",
        "    state_d = state_q;",
        "    case (state_q)",
        *emitter.next_state("ST_IDLE"),
        "      default: state_d = ST_IDLE;",
        "    endcase",
        "  end",
        "",
        "  always @(posedge ap_clk) begin",
        "    if (ap_rst) state_q <= ST_IDLE;",
        "    else state_q <= state_d;",
        "  end",
    ]
    transfers = emitter.transfers("ST_IDLE")
    if transfers:
        control += [
            "",
            "  // What each state keeps; registers of data are not reset.",
            "  always @(posedge ap_clk) begin",
            "    case (state_q)",
            *transfers,
            "      default: ;",
            "    endcase",
            "  end",
        ]
    results = _results(emitter)
    data = emitter.data_path()
    registers = _registers(emitter)
    return lines + registers + data + requests + control + results


def _registers(emitter: FunctionEmitter) -> list[str]:
    lines = [""]
    for op, signal in emitter.kept.items():
        before, after = signal.waiver
        note = f"  // {op.name}" if op.name and op.kind != "param" else ""
        lines.append(f"  {before}reg {span(signal.width)}{signal.name};{after}{note}")
    return lines if len(lines) > 1 else []


def _requests(emitter: FunctionEmitter) -> list[str]:
    lines: list[str] = []
    groups = [emitter.requests(port) for port in emitter.body.memory_ports]
    groups += [emitter.call_requests(callee) for callee in emitter.body.callees]
    for unit, width in enumerate(emitter.body.dividers):
        lines += ["", f"  reg div{unit}_start;", f"  wire div{unit}_done;"]
        lines.append(f"  reg {span(width)}div{unit}_arg0, div{unit}_arg1;")
        groups.append(emitter.divider_requests(unit))
        lines += _divider(unit, width)
    for number in range(len(emitter.binding.units)):
        lines += emitter.multiplier(number)
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


def _results(emitter: FunctionEmitter) -> list[str]:
    """Write `ap_done` and `ap_return`."""
    states = emitter.returns()
    done = []
    for state in states:
        text = f"(state_q == {emitter.state_names[state]})"
        wait = emitter.done(state)
        done.append(f"{text} & {wait}" if wait else text)
    lines = ["", f"  assign ap_done = {' | '.join(done) if done else literal(1, 0)};"]
    width = emitter.function.width
    if not width:
        return lines
    values = []
    for state in states:
        assert state.block.arg is not None, "the verifier checked it"
        values.append((emitter.state_names[state], emitter.ref(state.block.arg, state)))
    if len(values) == 1:
        return [*lines, f"  assign ap_return = {values[0][1]};"]
    if not values:
        return [*lines, f"  assign ap_return = {literal(width, 0)};"]
    chain = "\n".join(f"      (state_q == {name}) ? {value} :" for name, value in values[:-1])
    return [*lines, "  assign ap_return =", chain, f"      {values[-1][1]};"]


def _sub_module(design: Design, emitter: FunctionEmitter) -> VerilogFile:
    """Write the module of a function that another one starts."""
    function = emitter.function
    core = _core(emitter)
    ports = [
        _Port("input", 1, "ap_clk"),
        _Port("input", 1, "ap_rst"),
        _Port("input", 1, "ap_start"),
        _Port("output", 1, "ap_done"),
    ]
    ports += [
        _Port("input", param.width, name)
        for param, name in zip(function.params, emitter.param_ports, strict=True)
    ]
    if function.width:
        ports.append(_Port("output", function.width, "ap_return"))
    for port in emitter.body.memory_ports:
        ports += _memory_ports(port, emitter)
    for callee in emitter.body.callees:
        ports.append(_Port("output", 1, f"{callee.name}_start", True))
        for index, param in enumerate(callee.params):
            ports.append(_Port("output", param.width, f"{callee.name}_arg{index}", True))
        ports.append(_Port("input", 1, f"{callee.name}_done"))
        if callee.width:
            name = f"{callee.name}_return"
            ports.append(
                _Port("input", callee.width, name, False, _input(emitter, name, callee.width))
            )
    name = f"{design.module.top}_{function.name}"
    what = f"Function {function.name}, {place(function.where)}." if function.where else "Function."
    return VerilogFile(f"{name}.v", _module(design.head, what, name, ports, core))


def _input(emitter: FunctionEmitter, name: str, width: int) -> Signal:
    return emitter.body.inputs.get(name) or Signal(name, width)


def _memory_ports(port: MemoryPort, emitter: FunctionEmitter) -> list[_Port]:
    memory, number = port.memory, port.number
    result = [_Port("output", memory.index_width, f"{memory.name}_address{number}", True)]
    if port.enabled:
        result.append(_Port("output", 1, f"{memory.name}_ce{number}", True))
    if port.writes:
        result.append(_Port("output", memory.lanes, f"{memory.name}_we{number}", True))
        result.append(_Port("output", memory.width, f"{memory.name}_d{number}", True))
    if port.reads:
        name = f"{memory.name}_q{number}"
        result.append(
            _Port("input", memory.width, name, False, _input(emitter, name, memory.width))
        )
    return result


def _module(head: str, what: str, name: str, ports: list[_Port], lines: list[str]) -> str:
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


def _top_module(
    design: Design, emitters: dict[str, FunctionEmitter], others: list[Function]
) -> VerilogFile:
    """Write the module of the top function, with everything inside."""
    top = design.module.top_function
    emitter = emitters[top.name]
    core = _core(emitter)
    ports = [_Port("input", 1, name) for name in ("ap_clk", "ap_rst", "ap_start")]
    ports += [_Port("output", 1, name) for name in ("ap_done", "ap_idle", "ap_ready")]
    scalars = [arg for arg in design.top_args.args if not arg.is_array]
    for arg, param in zip(scalars, top.params, strict=True):
        ports.append(_Port("input", param.width, arg.port))
    if top.width:
        ports.append(_Port("output", top.width, "ap_return"))
    used = memory_ports(emitters)
    joins: list[str] = []
    for memory in design.module.memories.values():
        for number, (reads, writes) in sorted(used.get(memory.name, {}).items()):
            joins += _join_memory(design, emitters, memory, number, reads=reads, writes=writes)
            if memory.port:
                ports += _top_ports(design, memory, number, emitters)
                joins += _idle_writes(memory, number, used[memory.name])
        if memory.kind in ("bram", "rom", "lutram"):
            joins += _memory_instance(design, memory, used[memory.name])
    for function in others:
        joins += _join_calls(design, emitters, function)
        joins += _instance(design, emitters[function.name])
    lines = [*core, "", "  assign ap_idle = (state_q == ST_IDLE);", "  assign ap_ready = ap_done;"]
    declared = _request_registers(emitter, design)
    what = f"Function {top.name}, {place(top.where)}: block protocol ap_ctrl_hs."
    text = _module(design.head, what, top.name, ports, declared + joins + lines)
    return VerilogFile(f"{top.name}.v", text)


def _request_registers(emitter: FunctionEmitter, design: Design) -> list[str]:
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
    for callee in emitter.body.callees:
        stem = emitter.stem(callee.name)
        lines.append(f"  reg {stem}_start;")
        for index, param in enumerate(callee.params):
            lines.append(f"  reg {span(param.width)}{stem}_arg{index};")
    return lines


def _askers(
    emitters: dict[str, FunctionEmitter], design: Design, memory: Memory, number: int
) -> list[tuple[str, MemoryPort]]:
    """Give the signal stems of all functions that use a port, the top one first."""
    result: list[tuple[str, MemoryPort]] = []
    for name, emitter in emitters.items():
        for port in emitter.body.memory_ports:
            if port.memory is memory and port.number == number:
                top = name == design.module.top
                stem = emitter.stem(memory.name) if top else f"{name}__{memory.name}"
                result.append((stem, port))
    return result


def _join_memory(
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
    for stem, port in askers:
        if "__" not in stem:
            continue
        for signal, width in signals:
            if signal in ("address", "ce") or port.writes:
                lines.append(f"  wire {span(width)}{stem}_{signal}{number};")
    shared = memory.name in emitters[design.module.top].own
    if shared:
        for signal, width in signals:
            terms = [
                f"{stem}_{signal}{number}"
                for stem, port in askers
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


def _top_ports(
    design: Design, memory: Memory, number: int, emitters: dict[str, FunctionEmitter]
) -> list[_Port]:
    """Give the `ap_memory` ports of an argument: every port can do what any of them does."""
    top = emitters[design.module.top]
    ports = memory_ports(emitters)[memory.name]
    reads = any(reads for reads, _ in ports.values())
    writes = any(writes for _, writes in ports.values())
    own = memory.name not in top.own
    result = [
        _Port("output", memory.index_width, f"{memory.name}_address{number}", own),
        _Port("output", 1, f"{memory.name}_ce{number}", own),
    ]
    if writes:
        here = own and ports[number][1]
        result.append(_Port("output", memory.lanes, f"{memory.name}_we{number}", here))
        result.append(_Port("output", memory.width, f"{memory.name}_d{number}", here))
    if reads:
        name = f"{memory.name}_q{number}"
        signal = Signal(name, memory.width)
        for emitter in emitters.values():
            found = emitter.body.inputs.get(name)
            if found is not None:
                full = emitter.function is not design.module.top_function
                signal.used |= (1 << memory.width) - 1 if full else found.used
        result.append(_Port("input", memory.width, name, False, signal))
    return result


def _idle_writes(memory: Memory, number: int, ports: dict[int, tuple[bool, bool]]) -> list[str]:
    """Tie the write side of an argument's port that only reads, beside one that writes."""
    if ports[number][1] or not any(writes for _, writes in ports.values()):
        return []
    return [
        f"  assign {memory.name}_we{number} = {literal(memory.lanes, 0)};",
        f"  assign {memory.name}_d{number} = {literal(memory.width, 0)};",
    ]


def _memory_instance(
    design: Design, memory: Memory, ports: dict[int, tuple[bool, bool]]
) -> list[str]:
    pins = [".ap_clk(ap_clk)"]
    for number, (reads, writes) in sorted(ports.items()):
        names = ["address"]
        if memory.kind in ("bram", "rom") or writes:
            names.append("ce")
        names += ["we", "d"] * writes + ["q"] * reads
        pins += [f".{name}{number}({memory.name}_{name}{number})" for name in names]
    return [
        f"  {design.module.top}_{memory.name} u_{memory.name} (",
        *[f"      {pin}," for pin in pins[:-1]],
        f"      {pins[-1]}",
        "  );",
    ]


def _join_calls(
    design: Design, emitters: dict[str, FunctionEmitter], callee: Function
) -> list[str]:
    """Join the calls of several functions to one."""
    top = emitters[design.module.top]
    lines: list[str] = []
    stems: list[str] = []
    for name, emitter in emitters.items():
        if callee not in emitter.body.callees:
            continue
        if name == design.module.top:
            stems.append(emitter.stem(callee.name))
            continue
        stem = f"{name}__{callee.name}"
        stems.append(stem)
        lines.append(f"  wire {stem}_start;")
        for index, param in enumerate(callee.params):
            lines.append(f"  wire {span(param.width)}{stem}_arg{index};")
    if callee.name in top.own:
        lines.append(f"  wire {callee.name}_start = {' | '.join(f'{s}_start' for s in stems)};")
        for index, param in enumerate(callee.params):
            terms = " | ".join(f"{stem}_arg{index}" for stem in stems)
            lines.append(f"  wire {span(param.width)}{callee.name}_arg{index} = {terms};")
    lines.append(f"  wire {callee.name}_done;")
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


def _instance(design: Design, emitter: FunctionEmitter) -> list[str]:
    """Instantiate the module of a function other than the top one."""
    function = emitter.function
    name = function.name
    pins = [".ap_clk(ap_clk)", ".ap_rst(ap_rst)", f".ap_start({name}_start)"]
    pins.append(f".ap_done({name}_done)")
    pins += [f".arg{index}({name}_arg{index})" for index in range(len(function.params))]
    if function.width:
        pins.append(f".ap_return({name}_return)")
    for port in emitter.body.memory_ports:
        memory, number = port.memory.name, port.number
        signals = ["address"] + ["ce"] * port.enabled + ["we", "d"] * port.writes
        pins += [f".{memory}_{s}{number}({name}__{memory}_{s}{number})" for s in signals]
        if port.reads:
            pins.append(f".{memory}_q{number}({memory}_q{number})")
    for callee in emitter.body.callees:
        pins.append(f".{callee.name}_start({name}__{callee.name}_start)")
        pins += [
            f".{callee.name}_arg{index}({name}__{callee.name}_arg{index})"
            for index in range(len(callee.params))
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
