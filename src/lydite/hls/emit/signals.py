# SPDX-License-Identifier: Apache-2.0
"""What the names in the Verilog stand for: registers and wires of values, memories, control.

So what tools say of a netlist is said of operations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.ir.graph import Op, Owner


@dataclass(slots=True)
class Signals:
    """The names of one function's module.

    Attributes
    ----------
    owners : dict
        Register or wire to the values and memories that it holds, one after the other.
    control : set of str
        Registers of the controller and of pipelined loops' control.
    """

    owners: dict[str, tuple[Owner, ...]] = field(default_factory=dict)
    control: set[str] = field(default_factory=set)

    def add(self, name: str, *owners: Owner) -> None:
        """Enter a name."""
        self.owners[name] = tuple(dict.fromkeys((*self.owners.get(name, ()), *owners)))


def of(emitters: Mapping[str, FunctionEmitter]) -> dict[str, Signals]:
    """Give the names of each function that was written."""
    return {name: _of(emitter) for name, emitter in emitters.items()}


def _of(emitter: FunctionEmitter) -> Signals:
    found = Signals(control={"state_q"})
    for register in dict.fromkeys(emitter.binding.storage.values()):
        values = [owner for owner in register.owners if isinstance(owner, Op)]
        if values:
            found.add(emitter.kept[values[0]].name, *register.owners)
        if register.memory is not None:
            found.add(f"{register.memory.name}_mem", *register.owners)
    for memory in emitter.local_memories():
        found.add(f"{memory.name}_mem", memory)
    for op, mine in emitter.pipes.items():
        for signal in mine.copies.get(op, ()):
            found.add(signal.name, op)
        if op in mine.later:
            found.add(mine.later[op].name, op)
        found.control |= {f"{mine.stem}_valid_q", f"{mine.stem}_phase_q"}
    takers: dict[Op, list[Owner]] = {}
    for phi in (op for op in emitter.function.ops() if op.kind == "phi"):
        for value in phi.args:
            takers.setdefault(value, []).append(phi)
    for op, signal in emitter.wires.items():
        # Yosys moves registers behind memories, and calls them after the wire before them.
        found.add(signal.name, op, *takers.get(op, ()))
    for param, signal in emitter.ports.items():
        found.add(signal.name, param)
    for block in emitter.function.blocks:
        if block.end == "ret" and block.arg is not None:
            found.add("ap_return", block.arg)
    return found
