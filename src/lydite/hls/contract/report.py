# SPDX-License-Identifier: Apache-2.0
"""What the compiler tells of its result: latency, states, units, memories, schedules for drawing.

Everything here is plain immutable data. Arguments and ports are in `interface`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# What a memory becomes: empty before that is decided; `port` is an argument's, outside.
MemoryKind: TypeAlias = Literal["", "registers", "lutram", "bram", "rom", "lutrom", "port"]
ChannelKind: TypeAlias = Literal["FIFO", "ping-pong", "result"]


@dataclass(frozen=True, slots=True)
class VerilogFile:
    """One emitted file: one module, with the file's own name; or a document."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Area:
    """An estimate of resources, before synthesis."""

    lut: int = 0
    ff: int = 0
    bram: int = 0
    dsp: int = 0

    def __add__(self, other: Area) -> Area:
        return Area(
            self.lut + other.lut,
            self.ff + other.ff,
            self.bram + other.bram,
            self.dsp + other.dsp,
        )


@dataclass(frozen=True, slots=True)
class LoopReport:
    """A loop: where, how often, how long.

    Attributes
    ----------
    name : str
        The C label, or `loop_<line>`.
    where : str
        `file:line` of its head.
    depth : int
        1 for an outermost loop.
    trip_min, trip_max : int or None
        Iterations, where known (by analysis or by `loop_tripcount`).
    iteration_min, iteration_max : int or None
        Cycles of one iteration; None where it holds something of unbounded length.
    ii : int or None
        Cycles from the start of an iteration to that of the next, of a pipelined loop: n iterations
        then take `(n - 1) * ii + iteration_max` cycles.
    """

    name: str
    where: str
    depth: int
    trip_min: int | None
    trip_max: int | None
    iteration_min: int | None
    iteration_max: int | None
    ii: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """A memory: its shape and what it became.

    Attributes
    ----------
    name : str
        Name in the Verilog.
    objects : tuple of str
        The C objects in it.
    kind : str
        `registers`, `lutram`, `bram`, `rom` (block RAM), `lutrom` (logic) or `port` (an argument).
    width, depth, ports : int
        Bits of a word, words, ports.
    banks : int
        Parts with ports of their own.
    """

    name: str
    objects: tuple[str, ...]
    kind: MemoryKind
    width: int
    depth: int
    ports: int
    banks: int = 1


@dataclass(frozen=True, slots=True)
class ChannelReport:
    """What lies between two processes of a dataflow region.

    Attributes
    ----------
    name : str
        As in the Verilog; the C variable it holds is `label`.
    kind : str
        `FIFO` of a stream, `ping-pong` memory, `result` of a process on its way.
    width, depth : int
        Bits of a beat or word; beats, or words of each of two copies.
    writer, reader : str
        Functions; empty for a FIFO that nobody reads.
    where : str
        `file:line`, or empty.
    fill : str
        Signal in the top module: beats that wait, copies that are full.
    fill_bits, most : int
        Its bits, and what it is at most.
    """

    name: str
    label: str
    kind: ChannelKind
    width: int
    depth: int
    writer: str
    reader: str
    where: str
    fill: str
    fill_bits: int
    most: int


@dataclass(frozen=True, slots=True)
class WaitReport:
    """A state of a process that ends only when a stream has a beat, or room for one.

    `stream` is a channel's name, or an argument's, and `ready` the signal in the top module that
    says of an argument that it is so, else empty.
    """

    state: int
    stream: str
    writes: bool
    where: str
    ready: str


@dataclass(frozen=True, slots=True)
class ProcessReport:
    """A call of a dataflow region that runs by itself.

    Attributes
    ----------
    name, where : str
        Function, and `file:line` of the call.
    busy : str
        Signal in the top module: a start waits, or is worked on.
    members : tuple of (str, int, tuple of WaitReport)
        The function and what runs for it: name, bits of its state, and where it may wait. State 0
        is the idle one.
    """

    name: str
    where: str
    busy: str
    members: tuple[tuple[str, int, tuple[WaitReport, ...]], ...]


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """One Verilog module that a C function became.

    Attributes
    ----------
    name : str
        Module name.
    where : str
        `file:line` of the C definition.
    states : int
        States of its controller, without the idle state.
    latency_min, latency_max : int or None
        Cycles from the one that takes `ap_start` to the one that shows `ap_done`, that one
        included; None where it depends on data in a way that has no static bound.
    units : tuple of (str, int)
        Operators after sharing: `("mul_32", 1)`.
    register_bits : int
        Bits of registers, the state included.
    critical_ns : float
        The longest chain of any state by the delay model.
    interval : int or None
        Cycles from a call to the next, of a function that was to be pipelined, or whose loop
        rewinds equally often in all calls.
    modules : int
        How many there are of it: more than one only of pipelined functions.
    """

    name: str
    where: str
    states: int
    latency_min: int | None
    latency_max: int | None
    units: tuple[tuple[str, int], ...]
    register_bits: int
    critical_ns: float
    loops: tuple[LoopReport, ...] = ()
    interval: int | None = None
    modules: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """What the compiler knows about its result, before synthesis; delays are those of `family`."""

    functions: tuple[FunctionReport, ...]
    memories: tuple[MemoryReport, ...]
    area: Area
    clock_ns: float
    critical_ns: float
    seconds: tuple[tuple[str, float], ...] = ()
    family: str = ""
    processes: tuple[ProcessReport, ...] = ()
    channels: tuple[ChannelReport, ...] = ()


@dataclass(frozen=True, slots=True)
class OpView:
    """An operation where the schedule has it.

    Attributes
    ----------
    name : str
        As its wire is called in the Verilog; the kind for one without a result.
    text : str
        What it computes, in the manner of C: `h_12 + 0x9`.
    kind : str
        As in `lydite.hls.ir.graph`; phis are registers and not among the operations.
    width : int
        Bits of the result; 0 if there is none.
    state : int
        State in which it starts: index in `Timeline.states`.
    states : int
        States that it takes: 2 for a memory that answers in the next one.
    start_ns, end_ns : float
        Times after the clock edge: of the start in its first state, of the end in its last.
    waits : bool
        A call or a division: it holds its state until the unit is done, and the end is the
        request's.
    where : str
        `file:line`, or empty.
    variable : str
        C variable that the value belongs to, or empty.
    args : tuple of int
        Operands computed in the same function: indices in `Timeline.ops`.
    critical : bool
        On the longest chain of a state.
    longest : bool
        On the longest chain of the function.
    """

    name: str
    text: str
    kind: str
    width: int
    state: int
    states: int
    start_ns: float
    end_ns: float
    waits: bool
    where: str
    variable: str
    args: tuple[int, ...]
    critical: bool
    longest: bool


@dataclass(frozen=True, slots=True)
class StateView:
    """A state of the controller: `chain_ns` is where its longest chain ends, without set-up."""

    name: str
    block: int
    chain_ns: float


@dataclass(frozen=True, slots=True)
class BlockView:
    """A basic block: states that follow each other.

    Attributes
    ----------
    name : str
    where : str
        `file:line` of its end, or empty.
    first, states : int
        Index of its first state, and how many.
    loop : int
        Innermost loop that it belongs to: index in `FunctionReport.loops`; -1 for none.
    end : str
        `jump`, `branch`, `switch` or `ret`.
    targets : tuple of int
        Blocks that may follow, each once.
    backs : tuple of int
        Those of them that head a loop which this block repeats.
    """

    name: str
    where: str
    first: int
    states: int
    loop: int
    end: str
    targets: tuple[int, ...]
    backs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The schedule of one function, for drawing.

    Attributes
    ----------
    function : str
        Name as in its `FunctionReport`.
    clock_ns, setup_ns : float
        Clock period, and the end of it at which values must be ready.
    parents : tuple of int
        For each of `FunctionReport.loops` the next loop outside, -1 for none.
    states, blocks, ops : tuple
        In order; operations by state, then start.
    """

    function: str
    clock_ns: float
    setup_ns: float
    parents: tuple[int, ...]
    states: tuple[StateView, ...]
    blocks: tuple[BlockView, ...]
    ops: tuple[OpView, ...]

    @property
    def critical_ns(self) -> float:
        """The longest chain of any state, set-up included."""
        return max(state.chain_ns for state in self.states) + self.setup_ns
