# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as Verilog that simulates: the core alone, out of what place and route reads.

Each instance of a look-up table as a statement of its own would be compiled for minutes. So the
netlist becomes data: all logic is brought down to tables of at most four inputs, in the order in
which they depend on each other, and one loop evaluates them; a flip-flop is a table and a bit of
state. Only block RAMs and multipliers are instances, of the Verilog models in `targets.models`.

What an instance without a clock answers is known after the loop that makes its inputs. What follows
from its answer is a further stage, with a loop and an array of its own: to a simulator, which sees
whole arrays, one array would be a circle, to be run around until nothing changes.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lydite.base.errors import InputError
from lydite.sim.cells import Instance, Lowered, Signal, Table, lower
from lydite.targets.models import FOLDER, Models
from lydite.tools.yosys import CORE, Port

# Cells without a function, which Yosys leaves in its netlists.
_MARKS = ("$scopeinfo",)
_CONSTANTS = ("0", "1")


@dataclass(frozen=True)
class Mapped:
    """A core's netlist as Verilog.

    Attributes
    ----------
    text : str
        SystemVerilog with one module, of the core's name and ports.
    models : tuple of Path
        Verilog models that it has instances of.
    cells : mapping
        Cell type to how many of them the core has.
    """

    text: str
    models: tuple[Path, ...]
    cells: Mapping[str, int]


@dataclass
class Core:
    """The cells of a core, lowered, the nets of its ports, and further nets that a port drives."""

    ports: Sequence[Port]
    nets: dict[str, list[Signal]]
    lowered: list[Lowered] = field(default_factory=list)
    more: dict[Signal, str] = field(default_factory=dict)

    def inputs(self) -> dict[Signal, str]:
        """Give the nets that input ports drive, with the expression of each."""
        widths = {port.name: port for port in self.ports}
        found = {
            net: _bit(port, index)
            for port in self.ports
            if port.direction == "input"
            for index, net in enumerate(self.nets[port.name])
            if net not in _CONSTANTS
        }
        return found | {net: _bit(widths[name], 0) for net, name in self.more.items()}


def mapped(
    netlist: str, boundary: str, module: str, top: str, ports: Sequence[Port], models: Models
) -> Mapped:
    """Cut a core out of a mapped, flattened netlist.

    Parameters
    ----------
    netlist, boundary : str
        Yosys' JSON of the netlist, and of the cells around the core with the nets of its ports
        (`tools.yosys.NETLIST_FILE`, `BOUNDARY_FILE`).
    module, top : str
        The netlist's module; the core's.
    ports : sequence of Port
        The core's.

    Raises
    ------
    InputError
        A cell has no model, or not for what it is told to do; the message names it.
    """
    cells = json.loads(netlist)["modules"][module]["cells"]
    core = Core(ports, port_nets(cells, json.loads(boundary)["modules"][module], ports, top))
    outputs = [port.name for port in ports if port.direction == "output"]
    names = reached(cells, core.inputs(), [net for name in outputs for net in core.nets[name]])
    core.lowered += [lower(name, cells[name], models) for name in names]
    return written(core, top, [cells[name]["type"] for name in names], models)


def written(core: Core, top: str, kinds: Iterable[str], models: Models) -> Mapped:
    """Write a core as a module, of cells of such kinds."""
    counts: dict[str, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    used = {name for kind in counts for name in models.cells[kind].model}
    return Mapped(
        text=_Writer(core, top).text(),
        models=tuple(FOLDER / name for name in sorted(used)),
        cells=dict(sorted(counts.items())),
    )


def port_nets(
    cells: Mapping[str, Any], boundary: Mapping[str, Any], ports: Sequence[Port], top: str
) -> dict[str, list[Signal]]:
    """Find the nets of the core's ports in the netlist.

    In the netlist their names are gone. `boundary` was written just before, when they stood there;
    a net is the same net where it stands at the same pin of the same cell.
    """
    pins: dict[Signal, list[tuple[str, str, int]]] = {}
    for name, cell in boundary["cells"].items():
        for pin, bits in cell["connections"].items():
            for index, bit in enumerate(bits):
                pins.setdefault(bit, []).append((name, pin, index))
    found: dict[str, list[Signal]] = {}
    for port in ports:
        bits = boundary["netnames"][f"{CORE}.{port.name}"]["bits"]
        nets: list[Signal] = []
        for index, bit in enumerate(bits):
            here: list[Signal] = [
                cells[name]["connections"][pin][at]
                for name, pin, at in pins.get(bit, ())
                if pin in cells.get(name, {}).get("connections", {})
            ]
            if isinstance(bit, str):
                nets.append("1" if bit == "1" else "0")
            elif here:
                nets.append(here[0])
            elif port.direction == "input":
                nets.append(f"unused {port.name} {index}")  # no cell takes it
            else:
                raise InputError(
                    f"{top}: {port.name}[{index}]",
                    "this output is not to be found in the mapped netlist",
                    "the netlist that is placed cannot be proven",
                )
        found[port.name] = nets
    return found


def reached(
    cells: Mapping[str, Any], ends: Container[Signal], starts: Iterable[Signal]
) -> list[str]:
    """Give the cells on which nets depend, back to those of `ends`, in a fixed order."""
    driver = {
        bit: name
        for name, cell in cells.items()
        if cell["type"] not in _MARKS
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output"
        for bit in bits
    }
    waiting = list(starts)
    seen: dict[str, None] = {}
    while waiting:
        net = waiting.pop()
        name = driver.get(net)
        if net in ends or name is None or name in seen:
            continue
        seen[name] = None
        cell = cells[name]
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] != "output":
                waiting.extend(bits)
    return [name for name in cells if name in seen]


def _bit(port: Port, index: int) -> str:
    return f"\\{port.name} " + (f"[{index}]" if port.width > 1 else "")


def _ordered(tables: Sequence[Table]) -> list[Table]:
    """Put tables after those that they read.

    Raises
    ------
    InputError
        They read each other in a circle, which is how a latch is mapped.
    """
    made = {table.output: table for table in tables}
    state: dict[Signal, bool] = {}  # False: on the way; True: placed
    result: list[Table] = []
    for start in tables:
        stack = [start]
        while stack:
            table = stack[-1]
            if state.get(table.output):
                stack.pop()
                continue
            state[table.output] = False
            open_inputs = [made[net] for net in table.inputs if net in made and not state.get(net)]
            circle = [other for other in open_inputs if other.output in state]
            if circle:
                raise _circle(circle[0].cell, table.cell)
            if open_inputs:
                stack.extend(open_inputs)
            else:
                state[table.output] = True
                result.append(stack.pop())
    return result


def _stages(tables: Sequence[Table], instances: Sequence[Instance]) -> dict[Signal, int]:
    """Give the stage of each net that is not of the first: how many instances it comes through.

    Raises
    ------
    InputError
        Instances answer each other in a circle, without a clock.
    """
    through = [one for one in instances if one.through]
    result: dict[Signal, int] = {}
    for _ in range(len(through) + 2):
        before = dict(result)
        for table in tables:
            if stage := max((result.get(net, 0) for net in table.inputs), default=0):
                result[table.output] = stage
        for one in through:
            stage = 1 + max(result.get(net, 0) for net in one.through)
            result |= dict.fromkeys(one.outputs, stage)
        if result == before:
            return result
    raise _circle(through[0].model, "such cells")


def _circle(cell: str, through: str) -> InputError:
    return InputError(
        f"cell {cell}",
        f"a circle of logic without a flip-flop, through {through}",
        "a latch in the source is mapped so, and cannot be proven: make it a register",
    )


class _Writer:
    """Writes the module: an array of bits has the value of every net of its stage and before."""

    def __init__(self, core: Core, top: str) -> None:
        self.core = core
        self.top = top
        self.inputs = core.inputs()
        self.instances = [cell.instance for cell in core.lowered if cell.instance is not None]
        tables = _ordered([table for cell in core.lowered for table in cell.tables])
        self.stage = _stages(tables, self.instances)
        self.tables = sorted(tables, key=lambda table: self.stage.get(table.output, 0))
        self.last = max(self.stage.values(), default=0)
        self.groups: dict[tuple[Signal, bool, Signal], list[Lowered]] = {}
        for cell in core.lowered:
            if cell.state is not None:
                state = cell.state
                self.groups.setdefault((state.clock, state.falling, state.clear), []).append(cell)
        self.place: dict[Signal, int] = {"0": 0, "1": 1}
        sources: list[Signal] = [
            *self.inputs,
            *(cell.state.q for group in self.groups.values() for cell in group if cell.state),
        ]
        for stage in range(self.last + 1):
            sources += (bit for _, one in self._answers(stage) for bit in one.outputs)
            sources += (table.output for table in self._of_stage(stage))
        for net in sources:
            self.place.setdefault(net, len(self.place))

    def _answers(self, stage: int) -> list[tuple[int, Instance]]:
        """Give the instances, with their numbers, whose outputs are of a stage."""
        return [
            (number, one)
            for number, one in enumerate(self.instances)
            if one.outputs and self.stage.get(one.outputs[0], 0) == stage
        ]

    def _of_stage(self, stage: int) -> list[Table]:
        return [table for table in self.tables if self.stage.get(table.output, 0) == stage]

    def _at(self, net: Signal) -> int:
        """Give the place of a net; what nothing drives reads 0, as the tools tie it."""
        return self.place.get(net, 0)

    def _wire(self, net: Signal) -> str:
        """Give an expression for a net outside of the loop; clocks must not wait for the loop."""
        return self.inputs.get(net) or f"{_array(self.stage.get(net, 0))}[{self._at(net)}]"

    def text(self) -> str:
        count = max(len(self.place), 2)
        width = max((count - 1).bit_length(), 1)
        body = [
            *self._head(),
            *(f"  logic {_array(stage)} [0:{(1 << width) - 1}];" for stage in range(self.last + 1)),
            *self._constants(width),
            *self._states(width),
            *self._instances(),
            *(row for stage in range(self.last + 1) for row in self._loop(stage)),
        ]
        for port in self.core.ports:
            if port.direction == "output":
                bits = ", ".join(self._wire(net) for net in reversed(self.core.nets[port.name]))
                body.append(f"  assign \\{port.name} = {{{bits}}};")
        return "\n".join([*body, "endmodule", ""])

    def _head(self) -> list[str]:
        ports = [
            f"  {port.direction} wire [{port.width - 1}:0] \\{port.name} "
            if port.width > 1
            else f"  {port.direction} wire \\{port.name} "
            for port in self.core.ports
        ]
        return [f"module \\{self.top} (", ",\n".join(ports), ");"]

    def _constants(self, width: int) -> list[str]:
        """Give what the loop reads: of every table its bits and the places of its inputs."""
        if not self.tables:
            return []
        last = len(self.tables) - 1
        rows = [f"  localparam logic [15:0] TABLE [0:{last}] = '{{"]
        rows += [_columns(f"16'h{table.bits:04x}" for table in self.tables), "  };"]
        for index in range(4):
            rows.append(f"  localparam logic [{width - 1}:0] IN{index} [0:{last}] = '{{")
            places = (
                self._at(table.inputs[index]) if index < len(table.inputs) else 0
                for table in self.tables
            )
            rows += [_columns(f"{width}'d{place}" for place in places), "  };"]
        return rows

    def _states(self, width: int) -> list[str]:
        """Give the flip-flops, those of one clock and one clear together."""
        rows = []
        for number, ((clock, falling, clear), group) in enumerate(self.groups.items()):
            states = [cell.state for cell in group if cell.state is not None]
            count, last = len(states), len(states) - 1
            init = "".join(str(state.init) for state in reversed(states))
            edge = "negedge" if falling else "posedge"
            places = (f"{width}'d{self._at(state.next)}" for state in states)
            rows += [
                f"  logic q{number} [0:{last}], d{number} [0:{last}];",
                f"  localparam logic [{last}:0] INIT{number} = {count}'b{init};",
                f"  localparam logic [{width - 1}:0] NEXT{number} [0:{last}] = '{{",
                *(_columns(places), "  };"),
                f"  initial for (int i = 0; i < {count}; i++) q{number}[i] = INIT{number}[i];",
                f"  wire clock{number} = {self._wire(clock)};",
            ]
            copy = f"for (int i = 0; i < {count}; i++) d{number}[i] ="
            taken = f"{copy} {_array(self.last)}[NEXT{number}[i]];"
            also = ""
            if clear != "0":
                value = "".join(str(state.value) for state in reversed(states))
                rows.append(f"  localparam logic [{last}:0] CLEAR{number} = {count}'b{value};")
                rows.append(f"  wire clear{number} = {self._wire(clear)};")
                also = f" or posedge clear{number}"
                taken = f"if (clear{number}) {copy} CLEAR{number}[i];\n    else {taken}"
            rows += [
                f"  always_ff @({edge} clock{number}{also}) begin",
                *(f"    {taken}", f"    q{number} <= d{number};", "  end"),
            ]
        return rows

    def _instances(self) -> list[str]:
        rows = []
        for number, instance in enumerate(self.instances):
            if instance.outputs:
                rows.append(f"  wire [{len(instance.outputs) - 1}:0] o{number};")
            pins = []
            for pin, bits in instance.inputs.items():
                joined = ", ".join(self._wire(net) for net in reversed(bits))
                pins.append(f".{pin}({{{joined}}})")
            at = 0
            for pin, width in instance.widths.items():
                pins.append(f".{pin}(o{number}[{at + width - 1}:{at}])")
                at += width
            settings = ", ".join(f".{name}({value})" for name, value in instance.parameters.items())
            rows.append(f"  {instance.model} #({settings}) u{number} ({', '.join(pins)});")
        return rows

    def _loop(self, stage: int) -> list[str]:
        """Give what evaluates a stage: the nets before it, answers of instances, tables."""
        n = _array(stage)
        rows = ["  always_comb begin"]
        if stage:
            rows.append(f"    {n} = {_array(stage - 1)};")
        else:
            rows += ["    n[0] = 1'b0;", "    n[1] = 1'b1;"]
            rows += [f"    n[{self.place[net]}] = {text};" for net, text in self.inputs.items()]
            for number, group in enumerate(self.groups.values()):
                first = self.place[group[0].state.q] if group[0].state else 0
                rows.append(
                    f"    for (int i = 0; i < {len(group)}; i++) n[{first} + i] = q{number}[i];"
                )
        for number, one in self._answers(stage):
            rows.append(
                f"    for (int i = 0; i < {len(one.outputs)}; i++)"
                f" {n}[{self.place[one.outputs[0]]} + i] = o{number}[i];"
            )
        if tables := self._of_stage(stage):
            begin = self.tables.index(tables[0])
            at = self.place[tables[0].output] - begin
            ins = ", ".join(f"{n}[IN{index}[i]]" for index in reversed(range(4)))
            rows += [
                f"    for (int i = {begin}; i < {begin + len(tables)}; i++)",
                f"      {n}[{at} + i] = TABLE[i][{{{ins}}}];",
            ]
        return [*rows, "  end"]


def _array(stage: int) -> str:
    return f"n{stage or ''}"


def _columns(items: Iterable[str]) -> str:
    texts = list(items)
    return ",\n".join(", ".join(texts[at : at + 12]) for at in range(0, len(texts), 12))
