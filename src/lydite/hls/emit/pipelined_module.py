# SPDX-License-Identifier: Apache-2.0
"""Writes what a pipelined function that stays a module has inside, and its ports.

Its memories are its own, and so are the modules that its calls share: there may be several modules
of it, and each works whatever the rest of the program does.
"""

from __future__ import annotations

from lydite.hls.emit import pipe_names
from lydite.hls.emit import top as emit_top
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Item, Port, unread, wire
from lydite.hls.emit.top import Design


def ports(emitter: FunctionEmitter) -> list[Port]:
    """Give the ports of the module: none that tells when it is done."""
    function = emitter.function
    names = ("ap_clk", "ap_rst", "ap_start", pipe_names.ENABLE)
    result = [Port("input", 1, name) for name in names]
    result += [Port("input", param.width, emitter.ports[param].name) for param in function.params]
    if function.width:
        result.append(Port("output", function.width, "ap_return"))
    return result


def inside(
    design: Design, emitters: dict[str, FunctionEmitter], emitter: FunctionEmitter
) -> list[Item]:
    """Declare requests and answers, and instantiate memories and modules that calls share."""
    items = emit_top.request_registers(emitter, design)
    used = emit_top.memory_ports({emitter.function.name: emitter})
    for memory in design.module.memories.values():
        if memory.name not in used:
            continue
        for number, (reads, _) in sorted(used[memory.name].items()):
            if reads:
                items.append(wire(f"{memory.name}_q{number}", memory.width))
        items += emit_top.memory_instances(design, memory, used[memory.name])
    for callee in emitter.body.callees:
        items.append(wire(f"{callee.name}_done", 1))
        items.append(unread(f"{callee.name}_done", f"{callee.name}_done"))
        if callee.width:
            items.append(wire(f"{callee.name}_return", callee.width))
        asking = {emitter.function.name: emitter}
        items.append(emit_top.instance(design, asking, emitters[callee.name]))
    return items
