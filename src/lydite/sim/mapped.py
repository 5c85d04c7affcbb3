# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as Verilog that simulates: the core alone, out of what place and route reads.

Each instance of a look-up table as a statement of its own would be compiled for minutes, and all of
them evaluated in each cycle. So the netlist becomes data: all logic is brought down to tables of at
most four inputs, in the order in which they depend on each other, and flip-flops to what they take;
`native/tables.h` evaluates those of which something has changed. Only block RAMs and multipliers
are instances, of the Verilog models in `targets.models`, and the module says when there are edges.

What an instance without a clock answers is known after the tables that make its inputs. What
follows from its answer is a further stage: to a simulator all of them as one would be a circle, to
be run around until nothing changes.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lydite.base.errors import InputError
from lydite.sim.build import NATIVE, Sources
from lydite.sim.cells import Instance, Lowered, Signal, State, Table, lower
from lydite.targets.models import FOLDER, Models
from lydite.tools.yosys import CORE, Port

ENGINE = NATIVE / "tables.h"
CORE_FILE = "core.sv"
TABLES_FILE = "core.cpp"
# Cells without a function, which Yosys leaves in its netlists.
_MARKS = ("$scopeinfo",)
_CONSTANTS = ("0", "1")
_OPENED = (
    '  import "DPI-C" function chandle lydite_open_tables();',
    '  import "DPI-C" function void lydite_close_tables(input chandle tables);',
    '  import "DPI-C" function int lydite_take(',
    "    input chandle tables, input int group, input bit clear);",
    "  chandle tables;",
    "  initial tables = lydite_open_tables();",
    "  final lydite_close_tables(tables);",
)


@dataclass(frozen=True)
class Mapped:
    """A core's netlist as Verilog.

    Attributes
    ----------
    text : str
        SystemVerilog with one module, of the core's name and ports.
    tables : str
        C++ with its tables, which the module calls.
    models : tuple of Path
        Verilog models that it has instances of.
    cells : mapping
        Cell type to how many of them the core has.
    """

    text: str
    tables: str
    models: tuple[Path, ...]
    cells: Mapping[str, int]

    def write(self, folder: Path, top: str) -> Sources:
        """Write it into a folder, as CORE_FILE and TABLES_FILE; give all of its sources."""
        files = {CORE_FILE: folder / CORE_FILE, TABLES_FILE: folder / TABLES_FILE}
        files[CORE_FILE].write_text(self.text)
        files[TABLES_FILE].write_text(self.tables)
        files |= {path.name: path for path in self.models}
        return Sources(files=files, top=top, parameters={})


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
    writer = _Writer(core, top)
    return Mapped(
        text=writer.text(),
        tables=writer.data(),
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
    """Writes the module and its tables: nets have numbers, as `native/tables.h` wants them."""

    def __init__(self, core: Core, top: str) -> None:
        self.core = core
        self.top = top
        self.inputs = core.inputs()
        self.instances = [cell.instance for cell in core.lowered if cell.instance is not None]
        tables = _ordered([table for cell in core.lowered for table in cell.tables])
        self.stage = _stages(tables, self.instances)
        self.tables = sorted(tables, key=lambda table: self.stage.get(table.output, 0))
        self.groups: dict[tuple[Signal, bool, Signal], list[State]] = {}
        for cell in core.lowered:
            if (state := cell.state) is not None:
                key = (state.clock, state.falling, state.clear)
                self.groups.setdefault(key, []).append(state)
        self.answered: dict[Signal, str] = {}
        given: list[dict[Signal, str]] = [dict(self.inputs)]
        given += ({} for _ in range(max(self.stage.values(), default=0)))
        for number, one in enumerate(self.instances):
            own = {net: f"o{number}[{index}]" for index, net in enumerate(one.outputs)}
            self.answered |= own
            if own:
                given[self.stage.get(one.outputs[0], 0)] |= own
        self.stages = [_Stage(number, nets) for number, nets in enumerate(given)]
        self.place: dict[Signal, int] = {"0": 0, "1": 1}
        self._number(net for stage in self.stages for net in stage.given)
        self.flop_net = len(self.place)
        self._number(state.q for group in self.groups.values() for state in group)
        self.table_net = len(self.place)
        self._number(table.output for table in self.tables)

    def _number(self, nets: Iterable[Signal]) -> None:
        for net in nets:
            assert net not in self.place, f"net {net} has one driver"
            self.place[net] = len(self.place)

    def _at(self, net: Signal) -> int:
        """Give the number of a net; what nothing drives reads 0, as the tools tie it."""
        return self.place.get(net, 0)

    def _wire(self, net: Signal) -> str:
        """Give an expression for a net outside of the tables; clocks must not wait for these."""
        if text := self.inputs.get(net) or self.answered.get(net):
            return text
        if self._at(net) < len(_CONSTANTS):
            return f"1'b{self._at(net)}"
        return self.stages[self.stage.get(net, 0)].shown(net)

    def text(self) -> str:
        """Give the module; whatever is seen of tables and flip-flops is known after it."""
        body = [*self._states(), *self._instances()]
        for port in self.core.ports:
            if port.direction == "output":
                bits = ", ".join(self._wire(net) for net in reversed(self.core.nets[port.name]))
                body.append(f"  assign \\{port.name} = {{{bits}}};")
        edges = " + ".join(f"t{number}" for number in range(len(self.groups))) or "0"
        for stage in self.stages:
            body += stage.settled(edges if stage.number == 0 else f"s{stage.number - 1}")
        imports = [row for stage in self.stages for row in stage.imported()]
        return "\n".join([*self._head(), *imports, *_OPENED, *body, "endmodule", ""])

    def _head(self) -> list[str]:
        ports = [
            f"  {port.direction} wire [{port.width - 1}:0] \\{port.name} "
            if port.width > 1
            else f"  {port.direction} wire \\{port.name} "
            for port in self.core.ports
        ]
        return [f"module \\{self.top} (", ",\n".join(ports), ");"]

    def _states(self) -> list[str]:
        """Give the edges of flip-flops, those of one clock and one clear together."""
        rows = []
        for number, (clock, falling, clear) in enumerate(self.groups):
            edge = "negedge" if falling else "posedge"
            rows.append(f"  wire clock{number} = {self._wire(clock)};")
            also, cleared = "", "1'b0"
            if clear != "0":
                cleared = f"clear{number}"
                rows.append(f"  wire {cleared} = {self._wire(clear)};")
                also = f" or posedge {cleared}"
            rows += [
                f"  int t{number} = 0;",
                f"  always_ff @({edge} clock{number}{also})"
                f" t{number} <= lydite_take(tables, {number}, {cleared});",
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

    def data(self) -> str:
        """Give the tables, to be written when the module is: it knows what is seen of them."""
        flops, group_ends = [], []
        for group in self.groups.values():
            flops += [f"{{{self._at(one.next)}, {one.init}, {one.value}}}" for one in group]
            group_ends.append(str(len(flops)))
        tables, table_ends = [], [0] * len(self.stages)
        for table in self.tables:
            nets = ", ".join(str(self._at(net)) for net in table.inputs)
            tables.append(f"{{{{{nets}}}, 0x{table.bits:04x}}}")
            table_ends[self.stage.get(table.output, 0)] += 1
        ins, end = len(_CONSTANTS), 0
        stages = []
        for stage in self.stages:
            end += table_ends[stage.number]
            outs = f"kOuts{stage.number}, {len(stage.seen)}"
            stages.append(f"{{{ins}, {len(stage.given)}, {outs}, {end}}}")
            ins += len(stage.given)
        rows = ['#include "tables.h"', "using lydite::Flop, lydite::Stage, lydite::Table;"]
        rows += _rows("Table", "kTables", tables) + _rows("Flop", "kFlops", flops)
        rows += _rows("uint32_t", "kGroupEnds", group_ends)
        for stage in self.stages:
            seen = [str(self._at(net)) for net in stage.seen]
            rows += _rows("uint32_t", f"kOuts{stage.number}", seen)
        rows += _rows("Stage", "kStages", stages)
        nets = f"{self.flop_net}, {self.table_net}, {len(self.place)}"
        rows += [
            f"static const lydite::Netlist kNetlist = {{{nets}, kTables, kFlops, kGroupEnds,",
            f"    {len(group_ends)}, kStages, {len(stages)}}};",
            "static lydite::Tables &of(void *tables) {",
            "  return *static_cast<lydite::Tables *>(tables);",
            "}",
            'extern "C" {',
            "void *lydite_open_tables() { return new lydite::Tables(kNetlist); }",
            "void lydite_close_tables(void *tables) { delete &of(tables); }",
            "int lydite_take(void *tables, int group, svBit clear) {",
            "  return of(tables).take(group, clear);",
            "}",
        ]
        for stage in self.stages:
            rows += [
                f"int lydite_settle{stage.number}(void *tables, int, const svBitVecVal *in,",
                "                   svBitVecVal *out) {",
                # Before `initial` there is nothing yet.
                f"  return tables ? of(tables).settle({stage.number}, in, out) : 0;",
                "}",
            ]
        return "\n".join([*rows, "}", ""])


@dataclass
class _Stage:
    """A stage: the nets that it is given, with the expression of each, and those seen outside."""

    number: int
    given: dict[Signal, str]
    seen: dict[Signal, int] = field(default_factory=dict)

    def shown(self, net: Signal) -> str:
        """Give the expression of a net outside."""
        return f"out{self.number}[{self.seen.setdefault(net, len(self.seen))}]"

    def imported(self) -> list[str]:
        """Give its function, and what it makes."""
        last = _width(len(self.seen)) - 1
        name = f"lydite_settle{self.number}"
        return [
            f'  import "DPI-C" function int {name}(input chandle tables, input int since,',
            f"    input bit [{_width(len(self.given)) - 1}:0] in, output bit [{last}:0] out);",
            f"  bit [{last}:0] out{self.number};",
            f"  int s{self.number};",
        ]

    def settled(self, before: str) -> list[str]:
        """Give what evaluates it whenever a net may be another."""
        spare = _width(len(self.given)) - len(self.given)
        bits = [f"{spare}'b0"] if spare else []
        bits += reversed(self.given.values())
        return [
            "  always_comb",
            f"    s{self.number} = lydite_settle{self.number}(tables, {before}, {{",
            ",\n".join(", ".join(bits[at : at + 8]) for at in range(0, len(bits), 8)),
            f"    }}, out{self.number});",
        ]


def _width(bits: int) -> int:
    """Give the bits of whole words, as functions of C take them."""
    return max(-(-bits // 32), 2) * 32


def _rows(kind: str, name: str, items: Sequence[str]) -> list[str]:
    """Give an array of C++; one more element, since none may be empty."""
    texts = [*items, "{}"]
    rows = (", ".join(texts[at : at + 8]) for at in range(0, len(texts), 8))
    return [f"static const {kind} {name}[] = {{", ",\n".join(rows), "};"]
