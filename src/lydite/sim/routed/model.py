# SPDX-License-Identifier: Apache-2.0
"""What a routed netlist does, and when: gates between registers, each arc with its delay.

A node is the output of a cell. A gate's output at a time is a function of its inputs, each a fixed
delay earlier, wire and way through the cell together: pure transport delay, in which nothing is
swallowed and no event overtakes another of the same arc. The delays of place and route's file are
taken as they are, whole picoseconds.

Set-up is a delay, too: what a register is given is a function of its pins, each its set-up earlier,
sampled at the clock's edge. From there on, for a time, it must not change: the longest sum of
set-up and hold of its pins.

`builder` makes it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

# Bits of a product's operands that never change.
ZERO, ONE = -1, -2


@dataclass(frozen=True, slots=True)
class Arc:
    """A way from a node into a gate, and its delay in ps."""

    source: int
    delay_ps: int


@dataclass(frozen=True, slots=True)
class Gate:
    """A function of nodes; bit i of `bits` is its value at inputs of the number i."""

    output: int
    arcs: tuple[Arc, ...]
    bits: int


@dataclass(frozen=True, slots=True)
class Product:
    """A bit of the product of two operands of 18 bits.

    Attributes
    ----------
    operands : tuple of int
        Of each bit of both, the first one's lowest first: the place of its arc, or `ZERO`, `ONE`.
    signed : tuple of bool
        Whether each is a two's complement.
    """

    output: int
    arcs: tuple[Arc, ...]
    operands: tuple[int, ...]
    signed: tuple[bool, bool]
    bit: int


@dataclass(frozen=True, slots=True)
class Register:
    """A flip-flop: at the edge it takes the value of node `next`.

    Attributes
    ----------
    launch_ps : int
        From the edge to its output.
    hold_ps : int
        How long `next` must not change after the edge.
    """

    q: int
    next: int
    launch_ps: int
    hold_ps: int
    init: int
    cell: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A pin of a memory: at the edge it takes the value of a node, or is a constant (-1)."""

    node: int
    hold_ps: int
    constant: int = 0


@dataclass(frozen=True, slots=True)
class LutRam:
    """Sixteen bits of RAM in a look-up table.

    `write` are data, four bits of address, enable. The file has no delay from the write's edge to
    the output: what was written is taken to show with the slowest of the address' own arcs.
    """

    output: int
    arcs: tuple[Arc, ...]
    init: int
    write: tuple[Sample, ...]
    launch_ps: int
    cell: str


Step: TypeAlias = Gate | LutRam | Product


@dataclass(frozen=True, slots=True)
class BlockRam:
    """A block RAM: pins sampled at the edge, and nodes that it drives, with the time to each."""

    kind: str
    parameters: Mapping[str, str]
    inputs: Mapping[str, Sample]
    outputs: Mapping[str, tuple[int, int]]
    cell: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A pin that must not change for `least_ps` after the edge, set-up included on both sides."""

    arc: Arc
    least_ps: int
    cell: str
    pin: str


@dataclass(frozen=True)
class Model:
    """A routed netlist with its delays.

    Attributes
    ----------
    names : tuple of str
        Of each node, `cell/pin`.
    steps : tuple of Step
        In an order in which each stands after those that it reads.
    constants : mapping
        Nodes that never change, with their values.
    registers, blocks : tuple
        What else is clocked.
    holds : tuple of Hold
        What each sampled pin asks for.
    """

    names: tuple[str, ...]
    steps: tuple[Step, ...]
    constants: Mapping[int, int]
    registers: tuple[Register, ...]
    blocks: tuple[BlockRam, ...]
    holds: tuple[Hold, ...]

    @functools.cached_property
    def luts(self) -> tuple[LutRam, ...]:
        """RAM in logic."""
        return tuple(step for step in self.steps if isinstance(step, LutRam))

    @functools.cached_property
    def captures(self) -> tuple[tuple[int, int, str], ...]:
        """All samples: node, hold in ps, cell."""
        found = [(one.next, one.hold_ps, one.cell) for one in self.registers]
        for ram in self.luts:
            found += [(s.node, s.hold_ps, ram.cell) for s in ram.write if s.node >= 0]
        for block in self.blocks:
            found += [(s.node, s.hold_ps, block.cell) for s in block.inputs.values() if s.node >= 0]
        return tuple(found)

    @functools.cached_property
    def launches(self) -> tuple[tuple[int, int, str], ...]:
        """All that changes by the clock: node, delay from the edge in ps, cell."""
        found = [(one.q, one.launch_ps, one.cell) for one in self.registers]
        found += [(ram.output, ram.launch_ps, ram.cell) for ram in self.luts]
        for block in self.blocks:
            found += [(node, launch, block.cell) for node, launch in block.outputs.values()]
        return tuple(found)

    @functools.cached_property
    def register_of(self) -> Mapping[str, Register]:
        """Registers by their cells."""
        return {one.cell: one for one in self.registers}


def without_holds(model: Model) -> Model:
    """Give a model whose registers take what stands at the edge, however short it stands there."""
    registers = tuple(replace(one, hold_ps=0) for one in model.registers)
    return replace(model, registers=registers)
