# SPDX-License-Identifier: Apache-2.0
"""What goes into the compiler and what comes out: the contract with the layers above.

Everything here is plain immutable data. The ports that belong to it, as Vitis HLS names them:

* block protocol `ap_ctrl_hs`: `ap_clk`, `ap_rst` (synchronous, active high), `ap_start`, `ap_done`,
  `ap_idle`, `ap_ready`, and `ap_return` unless the function is void. Hold `ap_start` high with the
  scalar arguments stable until `ap_ready`; `ap_ready` and `ap_done` are high for the same one
  cycle, in which `ap_return` is valid;
* a scalar argument `n` is an input `n`, sampled in the cycle in which `ap_start` meets `ap_idle`;
* an array argument `a` is one or two `ap_memory` ports: `a_address0` (word address), `a_ce0`, and,
  where the hardware writes it, `a_we0` (one bit, or one bit a byte: `write_lanes`) and `a_d0`, and,
  where it reads it, `a_q0`, which must be valid in the cycle after `a_ce0` and hold until the next;
  the second port has 1 for 0. Word `i` holds bytes `i*n .. i*n+n-1` of the C array, little-endian,
  with `n = element_width / 8`. Addresses beyond the last word may be read, by a load that is made
  before it is known to be needed; they are never written by a program that stays in its arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from lydite.hls.directive_text import Placed
    from lydite.hls.ir import Module

Direction = Literal["in", "out", "inout"]


@dataclass(frozen=True, slots=True)
class Options:
    """One compilation.

    Attributes
    ----------
    sources : tuple of Path
        C or C++ files, linked as one program. The suffix tells the language.
    top : str
        Name of the function that becomes the hardware.
    clock_ns : float
        Target clock period in nanoseconds, above 0.
    target : str
        Family or device whose operator delays decide the schedule: `ecp5`, `ice40`, or any name
        that starts with one of them (`ecp5-85k`).
    include_dirs, defines : tuple
        As `-I` and `-D` of a C compiler; a definition is `NAME` or `NAME=VALUE`.
    std : str
        As `-std=`: `gnu89` to `c23`, `c++20`...; empty for the compiler's default of each language.
    depths : tuple of (str, int)
        Number of elements of pointer arguments whose declaration does not say it: `("buf", 64)`.
    dump_after : tuple of str
        Passes after which the IR is kept in `Compiled.dumps`; `"all"` for every pass.
    directives : tuple of Placed
        Directives from outside of the source, which win over those in it at the same place.
    check : bool
        Run the IR verifier after every pass, not only after import and before emission.
    """

    sources: tuple[Path, ...]
    top: str
    clock_ns: float = 10.0
    target: str = "ecp5"
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    std: str = ""
    depths: tuple[tuple[str, int], ...] = ()
    dump_after: tuple[str, ...] = ()
    directives: tuple[Placed, ...] = ()
    check: bool = True


@dataclass(frozen=True, slots=True)
class ScalarArg:
    """A scalar argument: an input port of its own name.

    Attributes
    ----------
    name : str
        Name in the C source and of the port (a Verilog keyword gets a trailing underscore: `port`).
    port : str
        Name of the port.
    index : int
        Position in the C parameter list, from 0.
    width : int
        Bits of the port: those of the C type (`_Bool` 1, `_BitInt(5)` 5, `uint8_t` 8).
    signed : bool
        Whether the C type is signed.
    c_type : str
        The type as the C source spells it.
    c_bytes : int
        `sizeof` the type.
    """

    name: str
    port: str
    index: int
    width: int
    signed: bool
    c_type: str
    c_bytes: int


@dataclass(frozen=True, slots=True)
class ArrayArg:
    """A pointer, array or reference argument: `ap_memory` ports named after it.

    Attributes
    ----------
    name : str
        Name in the C source.
    port : str
        Stem of the port names.
    index : int
        Position in the C parameter list, from 0; -1 for the hidden result of a function that
        returns a large struct.
    element_width : int
        Bits of a word of the port, a multiple of 8: the C element's, or for structs the widest word
        that all accesses agree on.
    depth : int
        Number of words.
    direction : str
        `in` if the hardware only reads, `out` if it only writes, else `inout`.
    ports : int
        1 or 2: how many `ap_memory` ports the hardware has for it.
    write_lanes : int
        Bits of `we0`: 1, or `element_width / 8` if the hardware writes single bytes of a word.
    c_type : str
        The parameter as the C source declares it: `const uint8_t key[16]`.
    c_bytes : int
        Bytes of the C object: at most `depth * element_width / 8`.
    unused : bool
        The hardware never touches it: it has no ports.
    """

    name: str
    port: str
    index: int
    element_width: int
    depth: int
    direction: Direction
    ports: int
    write_lanes: int
    c_type: str
    c_bytes: int
    unused: bool = False


@dataclass(frozen=True, slots=True)
class Interface:
    """The hardware's ports and the C function they stand for.

    Attributes
    ----------
    top : str
        Name of the Verilog top module, and of the C function.
    symbol : str
        Linker symbol of the C function in the native run: `top`, or its C++ mangling.
    args : tuple
        Scalars and arrays in C order.
    return_width : int
        Bits of `ap_return`; 0 for a void function, which has no such port.
    return_signed : bool
        Whether the result is signed.
    return_type : str
        The C type of the result.
    return_bytes : int
        `sizeof` the result; 0 for void.
    """

    top: str
    symbol: str
    args: tuple[ScalarArg | ArrayArg, ...]
    return_width: int
    return_signed: bool
    return_type: str
    return_bytes: int

    @property
    def scalars(self) -> tuple[ScalarArg, ...]:
        """The scalar arguments, in C order."""
        return tuple(arg for arg in self.args if isinstance(arg, ScalarArg))

    @property
    def arrays(self) -> tuple[ArrayArg, ...]:
        """The array arguments, in C order."""
        return tuple(arg for arg in self.args if isinstance(arg, ArrayArg))


@dataclass(frozen=True, slots=True)
class Warn:
    """Something the user should know; the hardware is right all the same.

    Attributes
    ----------
    where : str
        `file:line`, or empty.
    what : str
        What was found and what was done about it.
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


@dataclass(frozen=True, slots=True)
class VerilogFile:
    """One emitted file: one module, with the file's own name."""

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
    kind: str
    width: int
    depth: int
    ports: int
    banks: int = 1


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
        As in `lydite.hls.ir`; phis are registers and not among the operations.
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


@dataclass(frozen=True, slots=True)
class Compiled:
    """The result of a compilation.

    Attributes
    ----------
    files : tuple of VerilogFile
        One module each, the top module first; read them all together.
    interface : Interface
        The ports, and the C function they stand for.
    report : Report
        Latency, states, units, registers, memories, area estimate.
    warnings : tuple of Warn
        Notes for the user, in source order.
    dumps : tuple of (str, str)
        IR text after the passes that `Options.dump_after` names.
    module : Module
        The IR that was scheduled; `lydite.hls.interpret.Machine` runs it.
    source_digest : str
        SHA-256 over the preprocessed sources and the options that matter.
    timelines : tuple of Timeline
        The schedules for drawing, in the order of `Report.functions`.
    """

    files: tuple[VerilogFile, ...]
    interface: Interface
    report: Report
    warnings: tuple[Warn, ...]
    dumps: tuple[tuple[str, str], ...]
    module: Module = field(repr=False)
    source_digest: str
    timelines: tuple[Timeline, ...] = field(default=(), repr=False)

    @property
    def verilog(self) -> str:
        """All files in one text, the top module first."""
        return "\n".join(file.text for file in self.files)
