# SPDX-License-Identifier: Apache-2.0
"""What the compiler says about its result: interface, latency, states, units, memories, area."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lydite.hls.bind import instances, latency
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.banking import Bank, Direction, Split
from lydite.hls.contract.interface import ArrayArg, Interface, Mode, ScalarArg, StreamArg
from lydite.hls.contract.register_map import Register, RegisterMap, place
from lydite.hls.contract.report import Area, FunctionReport, MemoryReport, Report
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit import probes
from lydite.hls.frontend.program import Program
from lydite.hls.ir import memory_ports
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.dependence import Dependence
from lydite.hls.ir.graph import Function, Memory, Op, Stream
from lydite.hls.ir.module import Module
from lydite.hls.lower.port_protocols import Protocols
from lydite.hls.lower.signature import TopArg, TopArgs
from lydite.hls.passes import allocation

_OPERATORS = frozenset(("add", "sub", "mul", "shl", "lshr", "ashr"))


def summarise(
    module: Module,
    bindings: Mapping[str, Binding],
    model: DelayModel,
    clock_ns: float,
    macros: Sequence[Macro] = (),
) -> Report:
    """Describe a bound module."""
    functions: list[FunctionReport] = []
    known: dict[Function, tuple[int | None, int | None]] = {}
    area = Area()
    critical = 0.0
    copies = instances.copies(bindings)
    for name, binding in bindings.items():
        if binding.function.macro:
            macro = next(macro for macro in macros if macro.function == name)
            # One that says when it is done may take longer than it says here.
            most = None if macro.done else 1 + macro.latency
            known[binding.function] = (1 + macro.latency, most)
            continue
        timing = latency.of_function(binding, known, module.pragmas)
        timing = probes.together(module, binding.function, known, timing)
        known[binding.function] = (timing.minimum, timing.maximum)
        longest = max((p.critical_ns for p in binding.schedule.plans.values()), default=0.0)
        longest += model.setup_ns
        critical = max(critical, longest)
        for _ in range(copies.get(binding.function, 1)):
            area += _area(binding, model)
        functions.append(
            FunctionReport(
                name=name,
                where=binding.function.where,
                states=len(binding.states),
                latency_min=timing.minimum,
                latency_max=timing.maximum,
                units=_units(binding),
                register_bits=binding.register_bits + len(binding.states).bit_length(),
                critical_ns=round(longest, 3),
                loops=timing.loops,
                interval=_interval(binding),
                modules=copies.get(binding.function, 1),
            )
        )
    functions.reverse()
    shapes = _ports(bindings)
    rows = _memories(module, shapes)
    inside = {op.attr: copies[f] for f in copies for op in f.ops() if op.kind == "load"}
    for memory in module.memories.values():
        ports = shapes[memory][2] if memory in shapes else 0
        for _ in range(inside.get(memory, 1)):
            area += memory_area(memory, model, ports)
    longest = round(critical, 3)
    return Report(
        tuple(functions),
        rows,
        area,
        clock_ns,
        longest,
        family=model.family,
        processes=probes.processes(module, bindings),
        channels=probes.channels(module),
    )


def _interval(binding: Binding) -> int | None:
    """Give the cycles from a call to the next, where the function is pipelined."""
    if binding.calls is not None:
        trips = _iterations(binding.function)
        return binding.calls.ii * trips if trips else None
    entry = binding.schedule.plans[binding.function.blocks[0]]
    alone = len(binding.function.blocks) == 1 and entry.ii is not None
    return entry.states + (binding.starts is None) if alone else None


def _rewound(binding: Binding) -> int:
    """Give the interval of the iterations of a rewound loop; 0 if the function is none."""
    return binding.calls.ii if binding.calls and binding.function.rewind else 0


def _iterations(function: Function) -> int:
    """Give the iterations of a call of a rewound loop, 0 if they vary; 1 of other functions."""
    if function.rewind is None:
        return 1
    return Dependence(function.blocks[0], last=function.rewind.last).period or 0


def with_seconds(report: Report, seconds: Sequence[tuple[str, float]]) -> Report:
    """Add the measured compile times."""
    return replace(report, seconds=tuple(seconds))


def head(module: Module, report: Report, source_digest: str, pipeline: Sequence[str]) -> str:
    """Give the first lines of every file: what it was made of, and what came out."""
    top = report.functions[0]
    low, high = top.latency_min, top.latency_max
    cycles = f"{low}" if low == high and low is not None else f"{low or '?'} to {high or '?'}"
    return "\n".join(
        [
            f"// Made by Lydite from C, source digest {source_digest[:16]}; do not edit.",
            f"// Passes: {', '.join(pipeline)}.",
            f"// Schedule of {top.name}: {top.states} states, latency {cycles} cycles,"
            f" {report.critical_ns:.2f} of {report.clock_ns:.2f} ns.",
        ]
    )


def _units(binding: Binding) -> tuple[tuple[str, int], ...]:
    counts: Counter[str] = Counter()
    for unit in binding.units:
        counts[f"mul_{unit.shape.width}"] += 1
    problems = binding.schedule.problems.values()
    limits = {kind for problem in problems for kind in problem.limits}
    for shared in binding.shared:
        counts[f"{shared.kind}_{shared.width}"] += 1
    for op in binding.function.ops():
        if op in binding.unit_of or op in binding.shared_by:
            continue
        limited = op.kind in limits and allocation.kind_of(op) == op.kind
        variable = op.kind in _OPERATORS and op.args[1].kind != "const"
        if limited or variable:
            counts[f"{op.kind}_{op.width}"] += 1
        elif op.kind in ("add", "sub"):
            counts[f"add_{op.width}"] += 1
    for width in binding.divider_widths:
        counts[f"div_{width}"] += 1
    return tuple(sorted(counts.items()))


def _area(binding: Binding, model: DelayModel) -> Area:
    """Estimate a function: operations, registers with their multiplexers, controller."""
    total = Area()
    for op in binding.function.ops():
        if op not in binding.unit_of and op not in binding.shared_by:
            total += model.area(op)
    multiplexers = sum(_choice(op) for op in binding.function.ops())
    for shared in binding.shared:
        total += model.area(max((op for op, _ in shared.ops), key=lambda op: op.args[0].width))
        inputs = sum(len(known) - 1 for known in shared.sources)
        multiplexers += inputs * shared.width // 2
    for unit in binding.units:
        shape = unit.shape
        total += model.multiplier_area(shape.first, shape.second)
        multiplexers += (len(unit.ops) - 1) * (shape.first + shape.second) // 2
    for block in binding.function.blocks:
        for phi in block.phis():
            multiplexers += (len(phi.args) - 1) * phi.width
    accesses: Counter[Memory] = Counter(op.attr for op in binding.port)
    for memory, count in accesses.items():
        if count > 2:
            multiplexers += (count // 2 - 1) * (memory.index_width + memory.width // 2)
    states = len(binding.states)
    dividers = sum(4 * width for width in binding.divider_widths)
    control = states + states // 2
    return total + Area(
        lut=multiplexers + dividers + control,
        ff=binding.register_bits + states.bit_length() + 3 * sum(binding.divider_widths),
    )


def memory_area(memory: Memory, model: DelayModel, ports: int) -> Area:
    """Estimate a memory of so many ports."""
    bits = memory.width * memory.depth
    if memory.kind == "registers":
        return Area(lut=bits // 2, ff=bits)
    if memory.kind == "lutrom":
        return Area(lut=memory.width * max(1, math.ceil(memory.depth / 24)))
    if memory.kind == "lutram":
        return Area(lut=math.ceil(memory.width / 4) * 4 * math.ceil(memory.depth / 16))
    if memory.kind in ("bram", "rom"):
        copies = -(-ports // memory_ports.COPY_PORTS) if memory_ports.is_copied(memory) else 1
        return Area(bram=copies * max(1, math.ceil(bits / model.bram_bits)))
    return Area()


def _choice(op: Op) -> int:
    """Estimate the choice of a word of registers, where an index is no constant."""
    if op.kind not in ("load", "store") or op.attr.kind != "registers":
        return 0
    return 0 if op.args[0].kind == "const" else op.attr.width * op.attr.depth // 2


def _ports(bindings: Mapping[str, Binding]) -> dict[Memory, tuple[bool, bool, int]]:
    """Give, for each memory with ports, whether it is read, written, and how many ports it has."""
    result: dict[Memory, tuple[bool, bool, int]] = {}
    for binding in bindings.values():
        for op, number in binding.port.items():
            reads, writes, count = result.get(op.attr, (False, False, 0))
            is_load = op.kind == "load"
            result[op.attr] = (reads or is_load, writes or not is_load, max(count, number + 1))
    return result


def _memory(memory: Memory, shapes: Mapping[Memory, tuple[bool, bool, int]]) -> MemoryReport:
    count = shapes[memory][2] if memory in shapes else 0
    objects = tuple(name for name, _ in memory.objects)
    return MemoryReport(memory.name, objects, memory.kind, memory.width, memory.depth, count)


def _memories(
    module: Module, shapes: Mapping[Memory, tuple[bool, bool, int]]
) -> tuple[MemoryReport, ...]:
    """Describe the memories; the parts of one array in one line."""
    rows: dict[str, MemoryReport] = {}
    for memory in module.memories.values():
        row = _memory(memory, shapes)
        if not memory.array:
            rows[memory.name] = row
            continue
        known = rows.get(memory.array)
        depth, banks = (known.depth, known.banks) if known else (0, 0)
        rows[memory.array] = replace(
            row, name=memory.array, depth=depth + row.depth, banks=banks + 1
        )
    return tuple(rows.values())


def interface(
    module: Module,
    bindings: Mapping[str, Binding],
    top_args: TopArgs,
    program: Program,
    modes: Protocols,
    macros: Sequence[Macro] = (),
) -> Interface:
    """Describe the top module's ports."""
    shapes = _ports(bindings)
    args: list[ScalarArg | ArrayArg | StreamArg] = []
    widths = {param.name: param.width for param in module.top_function.params}
    for arg in top_args.args:
        if arg.protocol is not None:
            args.append(_handshaken(module, arg, arg.protocol))
        elif arg.is_array:
            args.append(_array_arg(module, arg, shapes))
        elif arg.is_stream:
            args.append(_stream_arg(module.streams.get(arg.port), arg))
        else:
            args.append(
                ScalarArg(
                    name=arg.name,
                    port=arg.port,
                    index=arg.index,
                    width=widths[arg.name],
                    signed=arg.type.signed,
                    c_type=arg.type.name,
                    c_bytes=arg.c_bytes,
                )
            )
    result = top_args.result
    top = bindings[module.top]
    return Interface(
        top=module.top,
        symbol=program.symbol,
        args=tuple(args),
        return_width=module.top_function.width,
        block=modes.block,
        handshakes=_handshakes(module, top_args),
        registers=registers(module, top_args, modes),
        external=tuple(port for macro in macros for port in macro.external),
        interval=_interval(top) or top.calls.ii if top.calls is not None else None,
        rewound=_rewound(top),
        return_signed=result.signed,
        return_type=result.name,
        return_bytes=result.size,
    )


def _handshaken(module: Module, arg: TopArg, protocol: Mode) -> ScalarArg | ArrayArg:
    """Describe an argument whose values come and go by handshakes."""
    found = [module.streams[name] for name in arg.stream_names if name in module.streams]
    width = found[0].bits if found else 8
    if not arg.is_array:
        return ScalarArg(
            name=arg.name,
            port=arg.port,
            index=arg.index,
            width=width,
            signed=arg.type.signed,
            c_type=arg.type.name,
            c_bytes=arg.c_bytes,
            protocol=protocol,
        )
    writes = {stream.writes for stream in found}
    return ArrayArg(
        name=arg.name,
        port=arg.port,
        index=arg.index,
        element_width=width,
        depth=-(-8 * arg.c_bytes // width),
        direction="inout" if len(writes) > 1 else "out" if True in writes else "in",
        ports=1,
        write_lanes=1,
        c_type=arg.text,
        c_bytes=arg.c_bytes,
        unused=not found,
        protocol=protocol,
    )


def registers(module: Module, top_args: TopArgs, modes: Protocols) -> RegisterMap | None:
    """Give the registers behind the bus; None if there is none."""
    if not modes.control and not modes.lite:
        return None
    top = module.top_function
    found: list[Register] = []
    if modes.control and top.width:
        found.append(Register("return", "ap_return", top.width, True))
    widths = {param.name: param.width for param in top.params}
    for arg in top_args.args:
        if arg.name not in modes.lite:
            continue
        if arg.is_scalar:
            found.append(Register(arg.name, arg.port, widths[arg.name], False))
        for name in () if arg.is_stream else arg.stream_names:
            stream = module.streams.get(name)
            if stream is not None and stream.protocol == "s_axilite":
                found.append(Register(arg.name, name, stream.bits, stream.writes))
    return place(modes.control, found)


def _handshakes(module: Module, top_args: TopArgs) -> tuple[StreamArg, ...]:
    """Describe the ports of arguments that are no streams and have a handshake."""
    result: list[StreamArg] = []
    for arg in top_args.args:
        for name in () if arg.is_stream else arg.stream_names:
            stream = module.streams.get(name)
            if stream is None or not stream.bits or stream.protocol == "s_axilite":
                continue
            result.append(
                StreamArg(
                    name=arg.name,
                    port=name,
                    index=arg.index,
                    direction="out" if stream.writes else "in",
                    data_bytes=0,
                    user_bits=0,
                    c_type=arg.text,
                    bits=stream.bits,
                    protocol=stream.protocol,
                    registers=stream.registers,
                    per_call=max(1, 8 * arg.c_bytes // stream.bits) if arg.is_array else 1,
                )
            )
    return tuple(result)


def _stream_arg(stream: Stream | None, arg: TopArg) -> StreamArg:
    return StreamArg(
        name=arg.name,
        port=arg.port,
        index=arg.index,
        direction="out" if stream is not None and stream.writes else "in",
        data_bytes=stream.data_bytes if stream is not None else 0,
        user_bits=stream.user_bits if stream is not None else 0,
        c_type=arg.text,
        unused=stream is None,
        registers=stream.registers if stream is not None else "both",
    )


def _array_arg(
    module: Module, arg: TopArg, shapes: Mapping[Memory, tuple[bool, bool, int]]
) -> ArrayArg:
    split = module.splits.get(arg.port)
    if split is not None:
        return _cut_arg(module, arg, split, shapes)
    memory = module.memories[arg.port]
    reads, writes, count = shapes.get(memory, (False, False, 0))
    return ArrayArg(
        name=arg.name,
        port=arg.port,
        index=arg.index,
        element_width=memory.width,
        depth=memory.depth,
        direction=_direction(reads, writes),
        ports=max(1, count),
        write_lanes=memory.lanes,
        c_type=arg.text,
        c_bytes=arg.c_bytes,
        unused=count == 0,
    )


def _cut_arg(
    module: Module, arg: TopArg, split: Split, shapes: Mapping[Memory, tuple[bool, bool, int]]
) -> ArrayArg:
    banks = []
    reads = writes = False
    for name, words in zip(split.banks, split.words(), strict=True):
        memory = module.memories[name]
        loads, stores, count = shapes.get(memory, (False, False, 0))
        reads, writes = reads or loads, writes or stores
        direction = _direction(loads, stores)
        shape = (name, memory.width, memory.depth, direction, max(1, count), memory.lanes)
        banks.append(Bank(*shape, count == 0, words))
    return ArrayArg(
        name=arg.name,
        port=arg.port,
        index=arg.index,
        element_width=split.width,
        depth=split.depth,
        direction=_direction(reads, writes),
        ports=max(bank.ports for bank in banks),
        write_lanes=banks[0].write_lanes // split.count("lane"),
        c_type=arg.text,
        c_bytes=arg.c_bytes,
        unused=all(bank.unused for bank in banks),
        banks=tuple(banks),
    )


def _direction(reads: bool, writes: bool) -> Direction:
    return "inout" if reads and writes else "out" if writes else "in"
