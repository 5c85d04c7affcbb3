# SPDX-License-Identifier: Apache-2.0
"""The directives of Vitis HLS, in one table: a class each, its fields the options.

Spelling and meaning are those of the Vitis HLS guide (UG1399, "HLS Pragmas"), but for `keep` and
`clock_uncertainty`; a class's docstring begins with the section. Keywords, options and words are
case-insensitive, a flag may stand alone or as `off=true`, and a word may stand without its option,
as older versions wrote it: `array_partition variable=a cyclic factor=2`. `directive_text` reads and
writes them; how one finds its place in the program is in `frontend.mark_pragmas` and
`frontend.attach_directives`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from lydite.hls.contract.diagnostics import Diagnostic

CORE = re.compile(r"(RAM|ROM)_(1P|2P|S2P|T2P|NP|1WNR)(?:_(BRAM|LUTRAM|URAM))?$", re.IGNORECASE)
# What older names of multipliers mean.
CORES = {"mul_lut": "fabric", "mul": "dsp", "muls": "dsp", "dsp48": "dsp"}
FUNCTION, LOOP, VARIABLE, PORT = "function", "loop", "variable", "port"

DirectiveKind: TypeAlias = Literal[
    "aggregate",
    "alias",
    "allocation",
    "array_map",
    "array_partition",
    "array_reshape",
    "bind_op",
    "bind_storage",
    "cache",
    "clock_uncertainty",
    "data_pack",
    "dataflow",
    "dependence",
    "disaggregate",
    "expression_balance",
    "function_instantiate",
    "interface",
    "inline",
    "keep",
    "latency",
    "loop_flatten",
    "loop_merge",
    "loop_number",
    "loop_tripcount",
    "occurrence",
    "performance",
    "pipeline",
    "protocol",
    "reset",
    "resource",
    "stable",
    "stream",
    "top",
    "unroll",
]

_D = TypeVar("_D", bound="Directive")


def _number(
    default: int = 0, *, least: int = 0, most: int = 0, name: str = "", bare: bool = False
) -> Any:
    """Declare an option that is a number from `least` to `most`; 0 is "not given", and no bound."""
    metadata = {"number": True, "least": least, "most": most, "name": name, "bare": bare}
    return field(default=default, metadata=metadata)


def _word(default: str, legal: str = "", *, name: str = "") -> Any:
    """Declare an option that is one of some words, or any name; such words may stand alone."""
    return field(default=default, metadata={"words": tuple(legal.split()), "name": name})


def _flag() -> Any:
    return field(default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """What all directives have.

    Attributes
    ----------
    kind, places, honoured, keeps, iterates : str, frozenset of str, bool, bool, bool
        Of the class: the keyword; where it may stand (`function`, `loop`, or naming a `variable` or
        `port`); whether this version obeys it; whether a function with it stays one unless it has
        `inline`; whether a loop with it must have iterations left.
    where : str
        `file:line`, or which entry of a file or of `Options.directives`.
    outside : bool
        Given outside of the source.
    """

    kind: ClassVar[DirectiveKind]
    keeps: ClassVar[bool] = False
    iterates: ClassVar[bool] = False
    places: ClassVar[frozenset[str]] = frozenset()
    honoured: ClassVar[bool] = False
    where: str = field(default="", metadata={"place": True})
    outside: bool = field(default=False, metadata={"place": True})

    def slot(self) -> tuple[object, ...]:
        """Say what of a place it decides: of two with one slot, that from outside wins."""
        return (self.kind,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(Directive):
    """pragma HLS aggregate: the fields of a structure as one word."""

    kind = "aggregate"
    places = frozenset((VARIABLE,))
    variable: str = _word("")
    compact: str = _word("auto", "bit byte none auto")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias(Directive):
    """pragma HLS alias: memory pointers that may overlap."""

    kind = "alias"
    places = frozenset((FUNCTION,))
    ports: str = _word("")
    distance: int = _number()
    offset: str = _word("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation(Directive):
    """pragma HLS allocation: at most `limit` units of an operation, or copies of a function."""

    kind = "allocation"
    places = frozenset((FUNCTION, LOOP))
    honoured = True
    iterates = True
    keeps = True
    instances: str = _word("")
    limit: int = _number(least=1)
    type: str = _word("function", "function operation core")

    def slot(self) -> tuple[object, ...]:
        return (self.kind, self.type, self.instances.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayMap(Directive):
    """pragma HLS array_map (before 2020.1): several arrays in one memory."""

    kind = "array_map"
    places = frozenset((VARIABLE,))
    variable: str = _word("")
    instance: str = _word("")
    offset: int = _number()
    mode: str = _word("horizontal", "horizontal vertical")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPartition(Directive):
    """pragma HLS array_partition: an array as several memories; `dim` 0 is all dimensions."""

    kind = "array_partition"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")
    type: str = _word("complete", "complete block cyclic")
    factor: int = _number(least=1)
    dim: int = _number(1)
    off: bool = _flag()

    def slot(self) -> tuple[object, ...]:
        return (self.kind, self.dim)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayReshape(Directive):
    """pragma HLS array_reshape: as array_partition, the parts side by side in one wider word."""

    kind = "array_reshape"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")
    type: str = _word("complete", "complete block cyclic")
    factor: int = _number(least=1)
    dim: int = _number(1)
    whole: bool = field(default=False, metadata={"name": "object"})
    off: bool = _flag()

    def slot(self) -> tuple[object, ...]:
        return (self.kind, self.dim)


@dataclass(frozen=True, slots=True, kw_only=True)
class BindOp(Directive):
    """pragma HLS bind_op: what computes a variable: a hardware multiplier, or logic."""

    kind = "bind_op"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")
    op: str = _word("", "mul add sub fadd fsub fdiv fexp flog fmul fsqrt frsqrt frecip dadd dmul")
    impl: str = _word("", "dsp fabric auto meddsp fulldsp maxdsp primitivedsp")
    latency: int = _number(-1, least=-1)

    def slot(self) -> tuple[object, ...]:
        return (self.kind, self.op)


_STORAGE = "fifo ram_1p ram_1wnr ram_2p ram_s2p ram_t2p rom_1p rom_2p rom_np"


@dataclass(frozen=True, slots=True, kw_only=True)
class BindStorage(Directive):
    """pragma HLS bind_storage: what kind of memory an array becomes, with which ports."""

    kind = "bind_storage"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")
    type: str = _word("", _STORAGE)
    impl: str = _word("auto", "bram bram_ecc lutram uram uram_ecc srl memory registers auto")
    latency: int = _number(-1, least=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache(Directive):
    """pragma HLS cache: a cache before a memory-mapped port."""

    kind = "cache"
    places = frozenset((PORT,))
    port: str = _word("")
    lines: int = _number()
    depth: int = _number()
    ways: int = _number()
    users: int = _number()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockUncertainty(Directive):
    """pragma HLS clock_uncertainty: what of the clock period a function leaves to wires.

    No pragma of Vitis, where `set_clock_uncertainty` in scripts says it of the whole design.
    The function's states are made for the period less `percent` of it.
    """

    kind = "clock_uncertainty"
    places = frozenset((FUNCTION,))
    honoured = True
    keeps = True
    percent: int = _number(least=1, most=90, bare=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPack(Directive):
    """pragma HLS data_pack (before 2020.1): the older aggregate."""

    kind = "data_pack"
    places = frozenset((VARIABLE,))
    variable: str = _word("")
    instance: str = _word("")
    level: str = _word("", "struct_level field_level")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataflow(Directive):
    """pragma HLS dataflow: the statements of a function or loop as processes side by side."""

    kind = "dataflow"
    places = frozenset((FUNCTION, LOOP))
    honoured = True
    iterates = True
    keeps = True
    disable_start_propagation: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence(Directive):
    """pragma HLS dependence: what the user knows of accesses to a variable in a loop."""

    kind = "dependence"
    places = frozenset((FUNCTION, LOOP, VARIABLE))
    honoured = True
    variable: str = _word("")
    class_: str = _word("", "array pointer", name="class")
    type: str = _word("inter", "inter intra")
    direction: str = _word("", "raw war waw")
    distance: int = _number(least=0)
    dependent: str = _word("true", "true false")

    def slot(self) -> tuple[object, ...]:
        return (self.kind, self.variable, self.type, self.direction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disaggregate(Directive):
    """pragma HLS disaggregate: the fields of a structure apart."""

    kind = "disaggregate"
    places = frozenset((VARIABLE,))
    variable: str = _word("")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionBalance(Directive):
    """pragma HLS expression_balance: whether sums and logic become trees."""

    kind = "expression_balance"
    places = frozenset((FUNCTION, LOOP))
    honoured = True
    keeps = True
    iterates = True
    off: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionInstantiate(Directive):
    """pragma HLS function_instantiate: a copy of a function for each value of an argument."""

    kind = "function_instantiate"
    places = frozenset((VARIABLE,))
    variable: str = _word("")


_MODES = """ap_none ap_stable ap_vld ap_ack ap_hs ap_ovld ap_memory bram ap_fifo axis s_axilite
    m_axi ap_ctrl_none ap_ctrl_hs ap_ctrl_chain"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface(Directive):
    """pragma HLS interface: the protocol of an argument of the top function, or of `return`."""

    kind = "interface"
    places = frozenset((PORT,))
    honoured = True
    mode: str = _word("", _MODES)
    port: str = _word("")
    bundle: str = _word("")
    name: str = _word("")
    register: bool = _flag()
    register_mode: str = _word("", "both forward reverse off")
    depth: int = _number()
    offset: str = _word("")
    latency: int = _number(-1, least=-1)
    clock: str = _word("")
    storage_type: str = _word("", _STORAGE)
    storage_impl: str = _word("", "auto bram uram")
    channel: str = _word("")
    max_widen_bitwidth: int = _number()
    max_read_burst_length: int = _number()
    max_write_burst_length: int = _number()
    num_read_outstanding: int = _number()
    num_write_outstanding: int = _number()
    interrupt: int = _number()
    direct_io: bool = _flag()
    side_channel: str = _word("", "true false auto")

    def slot(self) -> tuple[object, ...]:
        return (self.kind, self.port, self.mode == "s_axilite" and self.port != "return")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inline(Directive):
    """pragma HLS inline: a function into its callers, or (`recursive`) its callees into it."""

    kind = "inline"
    places = frozenset((FUNCTION,))
    honoured = True
    off: bool = _flag()
    recursive: bool = _flag()
    region: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep(Directive):
    """pragma HLS keep, which is ours: what makes a variable and what reads it is mapped apart.

    Its values pass modules of wires alone, which synthesis does not open (`keep_hierarchy`).
    """

    kind = "keep"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency(Directive):
    """pragma HLS latency: least and most cycles of a function or of a loop's iteration."""

    kind = "latency"
    places = frozenset((FUNCTION, LOOP))
    honoured = True
    iterates = True
    keeps = True
    min: int = _number()
    max: int = _number(-1, least=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopFlatten(Directive):
    """pragma HLS loop_flatten: a nest of loops as one loop."""

    kind = "loop_flatten"
    places = frozenset((LOOP,))
    honoured = True
    off: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopMerge(Directive):
    """pragma HLS loop_merge: the loops that follow each other in a scope as one."""

    kind = "loop_merge"
    places = frozenset((FUNCTION, LOOP))
    honoured = True
    keeps = True
    iterates = True
    force: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopTripcount(Directive):
    """pragma HLS loop_tripcount: iterations for the report."""

    kind = "loop_tripcount"
    places = frozenset((LOOP,))
    honoured = True
    min: int = _number(-1, least=0)
    max: int = _number(-1, least=0)
    avg: int = _number(-1, least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence(Directive):
    """pragma HLS occurrence: code that runs less often than the loop around it."""

    kind = "occurrence"
    places = frozenset((FUNCTION, LOOP))
    cycle: int = _number(least=1)
    off: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance(Directive):
    """pragma HLS performance: a wanted interval, and the rest left to the tool."""

    kind = "performance"
    places = frozenset((FUNCTION, LOOP))
    target_ti: int = _number()
    target_tl: int = _number()
    assume_ti: int = _number()
    unit: str = _word("cycle", "cycle sec")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline(Directive):
    """pragma HLS pipeline: a loop's or function's next round begins every `ii` cycles (0: best)."""

    kind = "pipeline"
    places = frozenset((FUNCTION, LOOP))
    honoured = True
    ii: int = _number(least=1, bare=True)
    off: bool = _flag()
    rewind: bool = _flag()
    enable_flush: bool = _flag()
    style: str = _word("", "stp frp flp")
    # The compiler's own: what is not reached is no news to anybody.
    unasked: bool = field(default=False, metadata={"place": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol(Directive):
    """pragma HLS protocol: a region whose cycles are as written."""

    kind = "protocol"
    places = frozenset((FUNCTION, LOOP))
    mode: str = _word("floating", "floating fixed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Directive):
    """pragma HLS reset: whether reset touches a static or global."""

    kind = "reset"
    places = frozenset((VARIABLE,))
    variable: str = _word("")
    off: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(Directive):
    """pragma HLS resource (before 2020.1): the older bind_storage and bind_op."""

    kind = "resource"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")
    core: str = _word("")
    latency: int = _number(-1, least=-1)


# The directives that say how an array is kept.
STORED = (ArrayPartition, ArrayReshape, BindStorage, Resource)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stable(Directive):
    """pragma HLS stable: an argument that does not change while a dataflow region runs."""

    kind = "stable"
    places = frozenset((VARIABLE,))
    variable: str = _word("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream(Directive):
    """pragma HLS stream: a stream between processes, or an array, as a FIFO of a depth."""

    kind = "stream"
    places = frozenset((VARIABLE,))
    honoured = True
    variable: str = _word("")
    type: str = _word("fifo", "fifo pipo shared unsync")
    depth: int = _number(least=1)
    dim: int = _number(1)
    off: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class Top(Directive):
    """pragma HLS top: a name for the top function."""

    kind = "top"
    places = frozenset((FUNCTION,))
    name: str = _word("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unroll(Directive):
    """pragma HLS unroll: copies of a loop's body; `factor` 0 is all iterations."""

    kind = "unroll"
    places = frozenset((LOOP,))
    honoured = True
    factor: int = _number(least=1, bare=True)
    skip_exit_check: bool = _flag()
    region: bool = _flag()
    off: bool = _flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopNumber(Directive):
    """No pragma: tells the loops of a program apart, and asks for nothing."""

    kind = "loop_number"
    places = frozenset((LOOP,))
    honoured = True


TABLE: tuple[type[Directive], ...] = (
    *(Aggregate, Alias, Allocation, ArrayMap, ArrayPartition, ArrayReshape, BindOp, BindStorage),
    *(Cache, ClockUncertainty, DataPack, Dataflow, Dependence, Disaggregate, ExpressionBalance),
    *(FunctionInstantiate,),
    *(Inline, Interface, Keep, Latency, LoopFlatten, LoopMerge, LoopTripcount, Occurrence),
    *(Performance, Pipeline, Protocol, Reset, Resource, Stable, Stream, Top, Unroll),
)
BY_KIND: dict[str, type[Directive]] = {item.kind: item for item in TABLE}


def of(numbers: Iterable[int], known: Sequence[Directive], kind: type[_D]) -> list[_D]:
    """Give the directives of a class among those that `numbers` say, in order."""
    return [found for n in numbers if isinstance(found := known[n], kind)]


def period_ns(clock_ns: float, numbers: Iterable[int], known: Sequence[Directive]) -> float:
    """Give what a function's states may take of the clock period: less its uncertainty."""
    percent = max((item.percent for item in of(numbers, known, ClockUncertainty)), default=0)
    return clock_ns * (100 - percent) / 100 if percent else clock_ns


def not_honoured(known: Iterable[Directive]) -> list[Diagnostic]:
    """Name the directives that this version only keeps."""
    return [
        Diagnostic(item.where, f"pragma HLS {item.kind} is not honoured yet")
        for item in known
        if not item.honoured
    ]
