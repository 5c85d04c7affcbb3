# SPDX-License-Identifier: Apache-2.0
"""Writes what a pipelined function that stays a module has inside, and its ports.

Its memories are its own, and so are the modules that its calls share: there may be several modules
of it, and each works whatever the rest of the program does.
"""

from __future__ import annotations

from lydite.hls.emit import pipe_names
from lydite.hls.emit import top as emit_top
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.top import Design, Port
from lydite.hls.emit.verilog import Signal, span


def ports(emitter: FunctionEmitter) -> list[Port]:
    """Give the ports of the module: none that tells when it is done."""
    function = emitter.function
    names = ("ap_clk", "ap_rst", "ap_start", pipe_names.ENABLE)
    result = [Port("input", 1, name) for name in names]
    for param in function.params:
        signal = emitter.ports[param]
        result.append(Port("input", param.width, signal.name, False, signal))
    if function.width:
        result.append(Port("output", function.width, "ap_return"))
    return result


def inside(
    design: Design, emitters: dict[str, FunctionEmitter], emitter: FunctionEmitter
) -> list[str]:
    """Declare requests and answers, and instantiate memories and modules that calls share."""
    lines = emit_top.request_registers(emitter, design)
    used = emit_top.memory_ports({emitter.function.name: emitter})
    for memory in design.module.memories.values():
        if memory.name not in used:
            continue
        for number, (reads, _) in sorted(used[memory.name].items()):
            if reads:
                lines.append(_wire(emitter, f"{memory.name}_q{number}", memory.width))
        lines += emit_top.memory_instance(design, memory, used[memory.name])
    for callee in emitter.body.callees:
        lines.append(f"  wire {callee.name}_done;")
        lines.append(f"  wire unused_{callee.name}_done = &{{1'b0, {callee.name}_done}};")
        if callee.width:
            lines.append(_wire(emitter, f"{callee.name}_return", callee.width))
        asking = {emitter.function.name: emitter}
        lines += emit_top.instance(design, asking, emitters[callee.name])
    return lines


def _wire(emitter: FunctionEmitter, name: str, width: int) -> str:
    signal = emitter.body.inputs.get(name) or Signal(name, width)
    before, after = signal.waiver
    return f"  {before}wire {span(width)}{name};{after}"
