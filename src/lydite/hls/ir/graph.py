# SPDX-License-Identifier: Apache-2.0
"""The compiler's own IR: SSA over bit vectors of exact width, with memories, blocks and calls.

There are no pointers: `lower.translate` has resolved each access to a memory and a word index. A
module is memories and functions; a function is a list of blocks, the entry first; a block is a list
of operations, phis first, and a terminator. Every operation is total: what C leaves undefined has
one fixed value here, the same in the interpreter and in the hardware.

The graph is mutable, against the house rule for data, because passes rewrite it thousands of times
a second; `verify` runs between passes instead. `docs/hls.md` has the reference of the text form.
Only an index beyond a memory's depth, which no C program with a meaning depends on, is not the
same everywhere: the interpreter reads 0, the hardware anything, but for a table in logic, which
gives 0, too. What is written there changes no word of the memory.

| kind | arguments | result |
|---|---|---|
| const, param | - | `attr` is the value, or the position |
| add sub mul and or xor | a, b of the result's width | wraps |
| shl lshr ashr | a of the result's width, amount of any | larger amounts shift all out |
| eq ne ult ule slt sle | a, b of one width | 1 bit |
| mux | condition of 1 bit, a, b | a if the condition holds, else b |
| slice | a | `width` bits of a from bit `attr` on |
| concat | a, b, ... | a is most significant |
| zext sext | a | wider |
| divmod | a, b of one width w | 2w bits: remainder above quotient; by zero: a above all ones |
| phi | one for each predecessor | `attr` is the list of these blocks |
| load | index | word of memory `attr` |
| store | index, word, mask | no result; mask has one bit a lane; beyond the depth nothing |
| call | arguments | result of function `attr`, if it has one |
| read | condition of 1 bit | next beat of stream `attr` if the condition holds, else anything |
| write | beat, condition of 1 bit | no result; given to stream `attr` if the condition holds |

Accesses of one stream keep their order. One that meets an empty or full stream waits; where its
condition does not hold, it neither waits nor has an effect, and the interpreter reads 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args
from weakref import WeakValueDictionary

from lydite.hls.contract.interface import MAX_KEEP_BITS, Handshake, Registers
from lydite.hls.contract.report import MemoryKind

BinaryKind: TypeAlias = Literal["add", "sub", "mul", "and", "or", "xor"]
ShiftKind: TypeAlias = Literal["shl", "lshr", "ashr"]
CompareKind: TypeAlias = Literal["eq", "ne", "ult", "ule", "slt", "sle"]
WireKind: TypeAlias = Literal["slice", "concat", "zext", "sext"]
StreamKind: TypeAlias = Literal["read", "write"]
# No operations: what the problem of a loop has beside them (`schedule.modulo_problem`).
NodeKind: TypeAlias = Literal["move", "decide", "out", "start", "result"]
OpKind: TypeAlias = Literal[
    BinaryKind,
    ShiftKind,
    CompareKind,
    WireKind,
    StreamKind,
    NodeKind,
    "const",
    "param",
    "mux",
    "divmod",
    "phi",
    "load",
    "store",
    "call",
]
StreamRole: TypeAlias = Literal["", "into", "out", "start", "idle", "result"]
BlockEnd: TypeAlias = Literal["jump", "branch", "switch", "ret"]

BINARY: frozenset[OpKind] = frozenset(get_args(BinaryKind))
SHIFTS: frozenset[OpKind] = frozenset(get_args(ShiftKind))
COMPARES: frozenset[OpKind] = frozenset(get_args(CompareKind))
COMMUTATIVE: frozenset[OpKind] = frozenset(("add", "mul", "and", "or", "xor", "eq", "ne"))
STREAMING: frozenset[OpKind] = frozenset(get_args(StreamKind))
# As C and Verilog write them; `>>>` is Verilog's.
SIGNS: dict[OpKind, str] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "and": "&",
    "or": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "ult": "<",
    "ule": "<=",
    "slt": "<",
    "sle": "<=",
    "shl": "<<",
    "lshr": ">>",
    "ashr": ">>>",
}
WIRES: frozenset[OpKind] = frozenset(get_args(WireKind))
# Wiring that can be put together again wherever its parts are, and so is not kept in registers.
REBUILT: frozenset[OpKind] = frozenset(("concat", "zext", "sext"))
EFFECTS: frozenset[OpKind] = frozenset(("store", "call", *STREAMING))
_NODES: frozenset[OpKind] = frozenset(get_args(NodeKind))
KINDS: frozenset[OpKind] = frozenset(get_args(OpKind)) - _NODES
BLOCK_ENDS: frozenset[BlockEnd] = frozenset(get_args(BlockEnd))


class Op:
    """An operation and the value that it defines.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    width : int
        Bits of the result; 0 if there is none.
    args : list of Op
        Operands.
    attr : object
        What the kind needs beside operands; see the module's table.
    name : str
        C variable that the value belongs to; may be empty.
    where : str
        `file:line`; may be empty.
    """

    __slots__ = ("__weakref__", "args", "attr", "kind", "name", "where", "width")

    def __init__(
        self,
        kind: OpKind,
        width: int,
        args: list[Op] | None = None,
        *,
        attr: Any = None,
        name: str = "",
        where: str = "",
    ) -> None:
        self.kind = kind
        self.width = width
        self.args: list[Op] = args if args is not None else []
        self.attr = attr
        self.name = name
        self.where = where

    def __repr__(self) -> str:
        return f"<{self.kind}:{self.width} {self.name or ''} {self.where}>"


_constants: WeakValueDictionary[tuple[int, int], Op] = WeakValueDictionary()


def const(width: int, value: int) -> Op:
    """Give the constant of a width and value; equal ones are the same object, and immutable."""
    value &= (1 << width) - 1
    key = (width, value)
    found = _constants.get(key)
    if found is None:
        found = _constants[key] = Op("const", width, attr=value)
    return found


@dataclass(slots=True, eq=False)
class Memory:
    """A memory object: one array, or several that an access may not tell apart.

    Attributes
    ----------
    name : str
        Unique in the module.
    width, depth : int
        Bits of a word (a multiple of 8, or any width when `lanes` is 1), and words.
    lanes : int
        Parts of a word that can be written alone; 1 or `width / 8`.
    init : tuple of int
        Contents at power-up; missing words are 0.
    port : bool
        An argument of the top function: the memory is outside, reached by `ap_memory` ports.
    constant : bool
        Never written.
    base : int
        Byte address of word 0 in the flat address space that pointers are numbers of.
    objects : tuple of (str, int)
        C objects in it and their byte offsets.
    kind : str
        `registers`, `lutram`, `bram`, `rom`, `lutrom`, `port`, or empty before the pass `memories`
        decides.
    where : str
        `file:line` of the definition.
    array : str
        Name of the memory that this one is a part of, if that was taken apart.
    pragmas : tuple of int
        Numbers of the directives of its objects in `Module.pragmas`.
    shape : tuple of int
        Dimensions of the one C array that fills it, whose elements are words or several; else ().
    storage : str
        The kind that it must become; empty to let the pass choose.
    type : str
        What ports it must have, as `bind_storage` calls it: `ram_1p`; empty for those of its kind.
    part : bool
        One of the banks of an array, or an array with wider words.
    """

    name: str
    width: int
    depth: int
    lanes: int = 1
    init: tuple[int, ...] = ()
    port: bool = False
    constant: bool = False
    base: int = 0
    objects: tuple[tuple[str, int], ...] = ()
    kind: MemoryKind = ""
    where: str = ""
    array: str = ""
    pragmas: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    storage: MemoryKind = ""
    type: str = ""
    part: bool = False

    @property
    def index_width(self) -> int:
        """Bits of a word index: at least 1."""
        return max(1, (self.depth - 1).bit_length())


Owner: TypeAlias = Op | Memory


@dataclass(slots=True, eq=False)
class Stream:
    """A stream argument of the top function: beats in order; or one inside, from writer to reader.

    Attributes
    ----------
    name : str
        Stem of its ports; unique in the module, among memories too.
    data_bytes, user_bits : int
        Of a beat: bytes of data, 1 to 64, with a keep bit each, and bits of user, 0 to 64.
    writes : bool
        Whether the program writes it; else it reads it.
    where : str
        `file:line` of the first access.
    bits : int
        If not 0, beats have so many bits of data and nothing else: values of another argument than
        a stream, given or taken by a handshake.
    protocol : str
        Of the ports: `axis`, `ap_fifo`, `ap_hs`, `ap_vld`, `ap_ack`, `ap_none`.
    registers : str
        Of a stream of protocol `axis`: `both`, `forward`, `reverse`, `off`.
    depth : int
        Beats that a stream inside holds in hardware, where it is both read and written; 0 for one
        with ports.
    role : str
        What a stream without ports is once `dataflow` has made processes: `into` or `out` of a
        FIFO, or `start`, `idle` or `result` of the process `process`; else empty.
    """

    name: str
    data_bytes: int
    user_bits: int = 0
    writes: bool = False
    where: str = ""
    bits: int = 0
    protocol: Handshake = "axis"
    registers: Registers = "both"
    depth: int = 0
    role: StreamRole = ""
    process: Function | None = None

    @property
    def width(self) -> int:
        """Bits of a beat: from the lowest, data, keep, last, user; or `bits` of data alone."""
        if self.bits:
            return self.bits
        return 8 * self.data_bytes + self.keep_bits + 1 + self.user_bits

    @property
    def keep_bits(self) -> int:
        """Keep bits of a beat: one a byte, but none beyond those that C has."""
        return min(self.data_bytes, MAX_KEEP_BITS)


@dataclass(slots=True, eq=False)
class Block:
    """A basic block.

    Attributes
    ----------
    name : str
        Unique in the function.
    ops : list of Op
        Phis first, then in an order in which definitions come before uses.
    end : str
        `jump`, `branch` (argument 1 bit; first target if it holds), `switch` (first target is the
        default, the others belong to `cases`), or `ret` (argument is the result, if any).
    arg : Op or None
        Argument of the terminator.
    targets : list of Block
        Successors; may repeat.
    cases : list of int
        Values of a switch.
    where : str
        `file:line` of the terminator.
    pragmas : tuple of int
        If the block heads a loop: numbers of the loop's directives in `Module.pragmas`.
    loop : str
        If it does, and the loop has one: its C label.
    """

    name: str
    ops: list[Op] = field(default_factory=list)
    end: BlockEnd = "ret"
    arg: Op | None = None
    targets: list[Block] = field(default_factory=list)
    cases: list[int] = field(default_factory=list)
    where: str = ""
    pragmas: tuple[int, ...] = ()
    loop: str = ""

    def phis(self) -> Iterator[Op]:
        """Walk the phis."""
        for op in self.ops:
            if op.kind != "phi":
                return
            yield op


@dataclass(frozen=True, slots=True)
class Rewind:
    """Where calls begin and end in a loop that is all calls of a function: see `rewind`.

    Attributes
    ----------
    first, last : Op
        1 bit: an iteration is the first, the last of a call.
    resets : tuple of Op
        Phis that must begin with their constant after a reset.
    """

    first: Op
    last: Op
    resets: tuple[Op, ...]


@dataclass(slots=True, eq=False)
class Function:
    """A function: `width` is that of its result, 0 for none.

    A `macro` is a Verilog module in hardware; its blocks say what it computes. If `interval` is not
    0, it takes a call every so many cycles, and answers after `latency` clock edges; a call of it
    may have one more argument, the condition under which it happens, if it is `stateful`.
    One that is `stallable` can be made to stand still. With `rewind`, its one block is a loop of
    the iterations of all its calls, and the block's `arg` the result in the last one of each.

    One that `is_pipelined` stays a module (`passes.pipelined_functions`): as a macro to its
    callers, of which the blocks are made. If `limit` is not 0, there are at most so many modules
    for all calls, else, without state, one for each call in a pipeline. `replica_of` is the
    function for some of whose calls it is one more module.
    """

    name: str
    params: list[Op] = field(default_factory=list)
    width: int = 0
    blocks: list[Block] = field(default_factory=list)
    where: str = ""
    pragmas: tuple[int, ...] = ()
    macro: bool = False
    latency: int = 0
    interval: int = 0
    stateful: bool = False
    stallable: bool = False
    rewind: Rewind | None = None
    is_pipelined: bool = False
    limit: int = 0
    replica_of: Function | None = None

    @property
    def shared(self) -> bool:
        """Whether one module serves all its calls in pipelines."""
        return self.stateful or self.limit > 0

    @property
    def takes_turns(self) -> bool:
        """Whether calls start whole intervals apart: what they share goes by the interval."""
        return (self.is_pipelined or self.replica_of is not None) and self.interval > 1

    def ops(self) -> Iterator[Op]:
        """Walk all operations, block by block."""
        for block in self.blocks:
            yield from block.ops

    def predecessors(self) -> dict[Block, list[Block]]:
        """Give the distinct predecessors of each block, in block order."""
        result: dict[Block, list[Block]] = {block: [] for block in self.blocks}
        for block in self.blocks:
            for target in dict.fromkeys(block.targets):
                result[target].append(block)
        return result


def called(op: Op) -> Function | None:
    """Give the function that an operation calls, or starts or waits for as a process."""
    if op.kind == "call":
        return op.attr  # type: ignore[no-any-return]
    if op.kind in STREAMING:
        return op.attr.process  # type: ignore[no-any-return]
    return None


def condition(call: Op) -> Op | None:
    """Give the condition of a call in a pipeline; None if it always happens."""
    return next(iter(call.args[len(call.attr.params) :]), None)


def uses(function: Function) -> dict[Op, int]:
    """Count the uses of each value, by operations and terminators."""
    count: dict[Op, int] = {}
    for block in function.blocks:
        count_uses(block, count, 1)
    return count


def count_uses(block: Block, count: dict[Op, int], times: int) -> None:
    """Add the uses of values in a block to a count, so many times each."""
    for op in block.ops:
        for arg in op.args:
            count[arg] = count.get(arg, 0) + times
    if block.arg is not None:
        count[block.arg] = count.get(block.arg, 0) + times


def replace(function: Function, values: dict[Op, Op]) -> None:
    """Replace values everywhere in a function; chains of replacements are followed."""
    if not values:
        return

    def final(op: Op) -> Op:
        while op in values:
            op = values[op]
        return op

    for block in function.blocks:
        for op in block.ops:
            args = op.args
            for index, arg in enumerate(args):
                if arg in values:
                    args[index] = final(arg)
        if block.arg is not None and block.arg in values:
            block.arg = final(block.arg)


def is_word(memory: Memory) -> bool:
    """Whether a memory is one register of its function."""
    return memory.kind == "registers" and memory.depth == 1


def full_store(op: Op) -> bool:
    """Whether a store surely writes every bit of its word."""
    mask = op.args[2]
    return mask.kind == "const" and mask.attr == (1 << op.attr.lanes) - 1
