# SPDX-License-Identifier: Apache-2.0
"""Makes the model of a routed netlist: of its cells, and the delays that place and route wrote.

Names of arcs that the file lacks, cells without a model, clocks other than one, falling edges and
asynchronous resets are refused, each with its place.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lydite.base.errors import InputError
from lydite.sim.cells import Lowered, Signal, State, Table, lower
from lydite.sim.routed.boundary import BUFFERS, MEMORY_CLOCKS, clock_nets
from lydite.sim.routed.model import (
    ONE,
    ZERO,
    Arc,
    BlockRam,
    Gate,
    Hold,
    LutRam,
    Model,
    Product,
    Register,
    Sample,
    Step,
)
from lydite.targets.models import Models
from lydite.tools.routed import ROUTED_FILE, Routed
from lydite.tools.sdf import DELAYS_FILE, Delays

MAX_INPUTS = 6
_CONSTANTS = ("0", "1")
# Pins of RAM in logic, the lowest bit of an address first.
_RAM_ADDRESS = ("D", "B", "C", "A")
# Clocks of block RAM, with what must be 1 for anything to happen.
_ENABLES = {"CLKA": "CEA", "CLKB": "CEB", "RCLK": "RE", "WCLK": "WE"}
_RAM_WRITE = ("WD", "WAD0", "WAD1", "WAD2", "WAD3", "WRE")
# The multiplier, and bits of an operand of it.
_MULTIPLIER, _OPERAND_BITS = "MULT18X18D", 18


def build(routed: Routed, delays: Delays, models: Models) -> Model:
    """Make the model of a routed netlist.

    Raises
    ------
    InputError
        It has what is not simulated; the message names it.
    """
    if delays.uneven:
        what = "another delay to rise than to fall"
        raise InputError(f"{DELAYS_FILE}:{delays.uneven[0]}", what, "such delays are not simulated")
    return _Builder(routed, delays, models).model()


def _ps(delay_ns: float) -> int:
    return round(1000 * delay_ns)


@dataclass
class _Builder:
    routed: Routed
    delays: Delays
    models: Models
    nodes: dict[Signal, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)
    holds: list[Hold] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wires = {sink: (source, _ps(ns)) for source, sink, ns in self.delays.wires}
        self.arcs: dict[tuple[str, str, str], int] = {}
        for (cell, pin), (_, out), ns in self.delays.arcs:
            self.arcs[cell, pin, out] = _ps(ns)
        self.clocks = set(clock_nets(self.routed, self.models))

    def model(self) -> Model:
        registers: list[Register] = []
        luts: list[LutRam] = []
        blocks: list[BlockRam] = []
        multipliers: list[str] = []
        for name, cell in self.routed.cells.items():
            kind = cell["type"]
            outputs = [
                pin
                for pin, bits in cell["connections"].items()
                if cell["port_directions"][pin] == "output"
            ]
            if name in self.routed.pads or not outputs or self._of_the_clock(cell):
                continue
            if kind == "TRELLIS_COMB_DPRAM":
                luts.append(self._lut_ram(name, cell))
            elif kind in MEMORY_CLOCKS:
                blocks.append(self._block(name, cell, outputs))
            elif kind == _MULTIPLIER:
                multipliers.append(name)
            else:
                lowered = lower(name, cell, self.models)
                if lowered.instance is not None:
                    what = f"{kind} is not simulated with its delays"
                    raise InputError(
                        f"cell {name}",
                        what,
                        "simulated are tables, carries, registers, memories, multipliers of ECP5",
                    )
                self._gates(name, cell, lowered, outputs)
                if lowered.state is not None:
                    registers.append(self._register(name, lowered))
        # These ask for nets that are constant, of gates that may stand anywhere.
        products = [one for name in multipliers for one in self._products(name)]
        return Model(
            names=tuple(self.names),
            steps=tuple(_ordered([*self.gates, *luts, *products], self.names)),
            constants=self.constants,
            registers=tuple(registers),
            blocks=tuple(blocks),
            holds=tuple(self.holds),
        )

    def _of_the_clock(self, cell: Mapping[str, Any]) -> bool:
        """Whether a cell only hands the clock on."""
        if cell["type"] not in BUFFERS:
            return False
        return cell["connections"].get(BUFFERS[cell["type"]][1], ["x"])[0] in self.clocks

    def _node(self, net: Signal) -> int:
        if net not in self.nodes:
            driver = self.routed.drivers.get(net) if isinstance(net, int) else None
            self.names.append("/".join(driver) if driver else str(net))
            self.nodes[net] = len(self.nodes)
        return self.nodes[net]

    def _wire(self, cell: str, pin: str, net: Signal) -> int:
        """Give the delay of the wire to a pin."""
        source, delay = self.wires.get((cell, pin), (None, 0))
        driver = self.routed.drivers.get(net) if isinstance(net, int) else None
        if source is None or source != driver:
            told = "/".join(driver) if driver else f"net {net}"
            raise InputError(DELAYS_FILE, f"no delay of the wire from {told} to {cell}/{pin}")
        return delay

    def _through(self, cell: str, pin: str, output: str) -> int:
        delay = self.arcs.get((cell, pin, output))
        if delay is None:
            raise InputError(DELAYS_FILE, f"no delay from {pin} to {output} of {cell}")
        return delay

    def _gate(self, output: Signal, ins: Iterable[tuple[Signal, int]], bits: int) -> int:
        """Add a gate of nets and delays; constants are folded into its table."""
        arcs: list[Arc] = []
        number = 0
        for net, delay in ins:
            if net in _CONSTANTS:
                bits = _cofactor(bits, number, value=net == "1")
                continue
            arcs.append(Arc(self._node(net), delay))
            number += 1
        node = self._node(output)
        size = 1 << number
        bits &= (1 << size) - 1
        if bits in (0, (1 << size) - 1):
            self.constants[node] = bits & 1
        self.gates.append(Gate(node, tuple(arcs), bits))
        return node

    def _gates(
        self, name: str, cell: Mapping[str, Any], lowered: Lowered, outputs: Sequence[str]
    ) -> None:
        tables = {table.name: table for table in lowered.tables}
        own = lowered.state.pin if lowered.state else ""
        for output in outputs:
            if output == own:
                continue
            if output not in tables:
                raise InputError(f"cell {name}", f"its model says nothing of {output}")
            pins, bits = _composed(output, tables, name)
            nets = _nets(tables)
            ins: list[tuple[Signal, int]] = []
            for at, pin in enumerate(pins):
                net = nets[pin]
                if net in _CONSTANTS:
                    ins.append((net, 0))
                elif (name, pin, output) in self.arcs or _depends(bits, at):
                    delay = self._wire(name, pin, net) + self._through(name, pin, output)
                    ins.append((net, delay))
                else:
                    ins.append(("0", 0))  # nextpnr knows that the table ignores it
            (bit,) = cell["connections"][output]
            self._gate(bit, ins, bits)

    def _register(self, name: str, lowered: Lowered) -> Register:
        state = lowered.state
        assert state is not None
        if state.falling:
            what = "a register of the clock's falling edge"
            raise InputError(f"cell {name}", what, "registers of its rising edge are simulated")
        if state.clear != "0":
            what = "a register with an asynchronous reset"
            raise InputError(f"cell {name}", what, "its moment has no clock to be measured against")
        launch = self._through(name, state.clock_pin, state.pin)
        return self._kept(name, lowered, state, launch)

    def _kept(self, name: str, lowered: Lowered, state: State, launch: int) -> Register:
        tables = {table.name: table for table in lowered.tables}
        q = self._node(state.q)
        hold = 0
        if state.next in _CONSTANTS:
            bits = int(state.next == "1")
            node = self._gate(f"{name}/next", (), bits)
            return Register(q, node, launch, 0, state.init, name)
        waiting = ["next"]
        node = -1
        while waiting:
            table = tables[waiting.pop()]
            ins: list[tuple[Signal, int]] = []
            for pin, net in zip(table.pins, table.inputs, strict=True):
                if net in _CONSTANTS or (net == state.q and pin == state.pin):
                    ins.append((net, 0))
                elif pin in tables:
                    ins.append((f"{name}/{pin}", 0))
                    waiting.append(pin)
                else:
                    delay, held = self._sampled(name, pin, net)
                    hold = max(hold, held)
                    ins.append((net, delay))
            made = self._gate(f"{name}/{table.name}", ins, table.bits)
            node = made if table.name == "next" else node
        return Register(q, node, launch, hold, state.init, name)

    def _sampled(self, cell: str, pin: str, net: Signal) -> tuple[int, int]:
        """Give the delay into a pin, and the sum of set-up and hold."""
        setup, hold = self.delays.setups.get((cell, pin)), self.delays.holds.get((cell, pin))
        if setup is None or hold is None:
            raise InputError(DELAYS_FILE, f"no set-up and hold of {cell}/{pin}, which has a wire")
        delay, least = self._wire(cell, pin, net) + _ps(setup), _ps(setup) + _ps(hold)
        self.holds.append(Hold(Arc(self._node(net), delay), least, cell, pin))
        return delay, least

    def _sample(self, name: str, pin: str, cell: Mapping[str, Any], default: int) -> Sample:
        (bit,) = cell["connections"].get(pin, ["x"])
        if not isinstance(bit, int):
            return Sample(-1, 0, default if bit in ("x", "z") else int(bit))
        delay, hold = self._sampled(name, pin, bit)
        node = self._gate(f"{name}/{pin}", [(bit, delay)], 2)
        return Sample(node, hold)

    def _clocked(self, name: str, cell: Mapping[str, Any]) -> None:
        """Refuse a memory whose clock is inverted."""
        for pin in MEMORY_CLOCKS[cell["type"]]:
            mux = cell["parameters"].get(f"{pin}MUX", pin).strip()
            if mux == "INV":
                what = "a memory of the clock's falling edge"
                raise InputError(f"cell {name}", what, "those of its rising edge are simulated")
        for which in ("NEG_CLK_R", "NEG_CLK_W"):
            if int(cell["parameters"].get(which, "0"), 2):
                what = "a memory of the clock's falling edge"
                raise InputError(f"cell {name}", what, "those of its rising edge are simulated")

    def _lut_ram(self, name: str, cell: Mapping[str, Any]) -> LutRam:
        lower(name, cell, self.models)  # what it is told to do is known
        self._clocked(name, cell)
        arcs = []
        for pin in _RAM_ADDRESS:
            (bit,) = cell["connections"].get(pin, ["x"])
            if not isinstance(bit, int):
                raise InputError(f"cell {name}", f"pin {pin}, of its address, has no wire")
            arcs.append((bit, self._wire(name, pin, bit) + self._through(name, pin, "F")))
        enable = cell["parameters"].get("WREMUX", "WRE").strip()
        if enable == "INV":
            raise InputError(f"cell {name}", "WREMUX = INV is not simulated with its delays")
        write = [self._sample(name, pin, cell, 1) for pin in _RAM_WRITE]
        if enable in _CONSTANTS:
            write[-1] = Sample(-1, 0, int(enable))
        (output,) = cell["connections"]["F"]
        init = int(cell["parameters"]["INITVAL"], 2)
        slowest = max(self._through(name, pin, "F") for pin in _RAM_ADDRESS)
        return LutRam(
            self._node(output),
            tuple(Arc(self._node(net), delay) for net, delay in arcs),
            init,
            tuple(write),
            slowest,
            name,
        )

    def _constant(self, net: Signal) -> int | None:
        """Give the value of a net that never changes."""
        if net in _CONSTANTS:
            return int(net == "1")
        return self.constants.get(self._node(net))

    def _products(self, name: str) -> list[Product]:
        """Make the outputs of a multiplier without registers."""
        cell = self.routed.cells[name]
        lower(name, cell, self.models)  # what it is told to do is known
        connections: Mapping[str, list[Signal]] = cell["connections"]
        told = {}
        for pin in ("SOURCEA", "SOURCEB", "SIGNEDA", "SIGNEDB"):
            (net,) = connections.get(pin, ["0"])
            value = self._constant("0" if net == "x" else net)
            if value is None or (value and pin.startswith("SOURCE")):
                what = f"{pin} that is not {0 if pin.startswith('SOURCE') else 'constant'}"
                raise InputError(f"cell {name}", f"{what} is not simulated with its delays")
            told[pin] = bool(value)
        pins = [f"{operand}{bit}" for operand in "AB" for bit in range(_OPERAND_BITS)]
        wires: list[tuple[str, Signal]] = []
        operands = []
        for pin in pins:
            (net,) = connections.get(pin, ["0"])
            value = self._constant("0" if net == "x" else net)
            if value is not None:
                operands.append(ONE if value else ZERO)
                continue
            operands.append(len(wires))
            wires.append((pin, net))
        found = []
        for output, bits in connections.items():
            if cell["port_directions"][output] != "output" or not bits:
                continue
            if not (output[0] == "P" and output[1:].isdecimal()):
                raise InputError(f"cell {name}", f"{output} is not simulated with its delays")
            arcs = tuple(
                Arc(self._node(net), self._wire(name, pin, net) + self._through(name, pin, output))
                for pin, net in wires
            )
            node = self._node(bits[0])
            signed = told["SIGNEDA"], told["SIGNEDB"]
            found.append(Product(node, arcs, tuple(operands), signed, int(output[1:])))
        return found

    def _block(self, name: str, cell: Mapping[str, Any], outputs: Sequence[str]) -> BlockRam:
        lower(name, cell, self.models)
        self._clocked(name, cell)
        clocks = MEMORY_CLOCKS[cell["type"]]
        default = self.models.cells[cell["type"]]
        inputs = {
            pin: self._sample(name, pin, cell, default.open_pin(pin) or 0)
            for pin, direction in cell["port_directions"].items()
            if direction != "output" and pin not in clocks
        }
        for pin, enable in _ENABLES.items():
            if enable in inputs and cell["connections"].get(pin, ["x"])[0] not in self.clocks:
                inputs[enable] = Sample(-1, 0, 0)  # a port without a clock does nothing
        launches = {}
        for pin in outputs:
            (bit,) = cell["connections"][pin]
            of = [self.arcs[name, c, pin] for c in clocks if (name, c, pin) in self.arcs]
            if not of:
                raise InputError(DELAYS_FILE, f"no delay from the clock to {pin} of {name}")
            launches[pin] = (self._node(bit), max(of))
        return BlockRam(cell["type"], dict(cell["parameters"]), inputs, launches, name)


def _nets(tables: Mapping[str, Table]) -> dict[str, Signal]:
    """Give the net of each pin that the tables of a cell read."""
    return {
        pin: net
        for table in tables.values()
        for pin, net in zip(table.pins, table.inputs, strict=True)
    }


def _composed(name: str, tables: Mapping[str, Table], cell: str) -> tuple[tuple[str, ...], int]:
    """Give a line of a model as one function of the cell's pins."""
    pins: dict[str, None] = {}

    def collect(line: str) -> None:
        for pin in tables[line].pins:
            if pin in tables:
                collect(pin)
            else:
                pins[pin] = None

    collect(name)
    if len(pins) > MAX_INPUTS:
        raise InputError(f"cell {cell}", f"{name} depends on {len(pins)} pins")
    functions = tuple((line, table.pins, table.bits) for line, table in tables.items())
    return tuple(pins), _flat(name, tuple(pins), functions)


@functools.cache
def _flat(
    name: str, pins: tuple[str, ...], functions: tuple[tuple[str, tuple[str, ...], int], ...]
) -> int:
    of = {line: (reads, bits) for line, reads, bits in functions}
    bits = 0
    for number in range(1 << len(pins)):
        values = {pin: number >> at & 1 for at, pin in enumerate(pins)}

        def value(pin: str, values: Mapping[str, int] = values) -> int:
            if pin in values:
                return values[pin]
            reads, table = of[pin]
            return table >> sum(value(one) << at for at, one in enumerate(reads)) & 1

        bits |= value(name) << number
    return bits


def _depends(bits: int, at: int) -> bool:
    """Whether a function depends on an input."""
    return _cofactor(bits, at, value=False) != _cofactor(bits, at, value=True)


def _cofactor(bits: int, at: int, *, value: bool) -> int:
    """Give the table of a function of which one input is a constant."""
    found, out = 0, 0
    for number in range(1 << MAX_INPUTS):
        if (number >> at & 1) == value:
            found |= (bits >> number & 1) << out
            out += 1
    return found


def _ordered(steps: Sequence[Step], names: Sequence[str]) -> list[Step]:
    """Put steps after those that they read.

    Raises
    ------
    InputError
        They read each other in a circle.
    """
    by_output = {step.output: step for step in steps}
    readers: dict[int, list[Step]] = {}
    waits = {}
    for step in steps:
        sources = {arc.source for arc in step.arcs if arc.source in by_output}
        waits[step.output] = len(sources)
        for source in sources:
            readers.setdefault(source, []).append(step)
    ready = deque(step for step in steps if not waits[step.output])
    found: list[Step] = []
    while ready:
        step = ready.popleft()
        found.append(step)
        for reader in readers.get(step.output, ()):
            waits[reader.output] -= 1
            if not waits[reader.output]:
                ready.append(reader)
    if len(found) != len(steps):
        # What waits, waits for something that waits: back from any, a circle is met.
        node = next(node for node, count in waits.items() if count)
        met: set[int] = set()
        while node not in met:
            met.add(node)
            arcs = by_output[node].arcs
            node = next(arc.source for arc in arcs if waits.get(arc.source))
        what = "a circle of logic without a register"
        raise InputError(ROUTED_FILE, f"{what}, through {names[node]}", "make it a register")
    return found
