# SPDX-License-Identifier: Apache-2.0
"""Writes memories: modules for those with ports, arrays inside functions for the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.hls.contract.diagnostics import place
from lydite.hls.emit import check, printer
from lydite.hls.emit.settle import settle
from lydite.hls.emit.structure import (
    Array,
    Assign,
    Body,
    Form,
    If,
    Initial,
    Item,
    Module,
    Net,
    Note,
    Port,
    Process,
    Table,
    Write,
    reg,
)
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Memory

_STYLES = {
    # Else Yosys tries block RAM for reads that go to registers, in time that doubles with each.
    "lutrom": 'rom_style = "logic"',
    "bram": 'ram_style = "block"',
    "lutram": 'ram_style = "distributed"',
    "rom": 'rom_style = "block"',
}
# A word that is read as it is written is never looked at: schedules keep a load of RAM and a store
# that may be of one word a cycle apart. Else Yosys makes the old word of a register and a table a
# bit where a family's block RAM does not say what comes out.
_APART = "no_rw_check"
# Whether each port of a memory reads, and writes.
Uses = Mapping[int, tuple[bool, bool]]


def array(memory: Memory, *, headed: bool = True) -> list[Item]:
    """Declare a memory that lives in its function's module: registers, or a table in logic.

    `headed` says whether a comment tells what it holds.
    """
    name = f"{memory.name}_mem"
    what = "table" if memory.kind == "lutrom" else "registers"
    where = f", {place(memory.where)}" if memory.where else ""
    shown = ", ".join(label for label, _ in memory.objects)
    items: list[Item] = [Note(f"{shown}: {what}{where}")] if headed else []
    if memory.depth == 1:
        word = memory.init[0] if memory.init else 0
        return [*items, reg(name, memory.width), Initial(name, literal(memory.width, word))]
    # A table is filled up to what an index can reach, so that no read is outside.
    size = 1 << memory.index_width if memory.kind == "lutrom" else memory.depth
    if _is_constant(memory):
        words = (*memory.init, *[0] * (size - len(memory.init)))
        return [*items, Table(name, _stride(memory), words)]
    style = _STYLES["lutrom"] if memory.kind == "lutrom" else ""
    return [*items, Array(Net(name, memory.width), size, tuple(memory.init), style)]


def word(memory: Memory, index: str) -> str:
    """Give the text that reads a memory of more than one word in its function's module."""
    name = f"{memory.name}_mem"
    if not _is_constant(memory):
        return f"{name}[{index}]"
    stride = _stride(memory)
    zeros = f", {literal(stride.bit_length() - 1, 0)}" if stride > 1 else ""
    return f"~{name}[{{~{index}{zeros}}} +: {memory.width}]"


def _is_constant(memory: Memory) -> bool:
    """Whether directives ask for a table in logic.

    Written as an array, it is a memory with a port for each read to synthesis, and Yosys makes
    registers before and behind it those of the ports: copies of an index, or a block RAM. As a
    constant, index and word inverted, it is logic, which is mapped with what is around it.
    """
    return memory.kind == "lutrom" and memory.storage == "lutrom"


def _stride(memory: Memory) -> int:
    """Give the bits from a word of a constant to the next one: a power of two."""
    return 1 << (memory.width - 1).bit_length()


def module(memory: Memory, name: str, uses: Uses, head: str) -> Module[Item]:
    """Give the module of a memory with ports; `head` is the first line of its file."""
    shown = ", ".join(label for label, _ in memory.objects)
    timing = "in the cycle after ce" if memory.kind in ("bram", "rom") else "in the same cycle"
    lines = (
        head,
        f"// Memory of {shown}: {memory.depth} words of {memory.width} bits, {memory.kind}.",
        f"// Data come {timing}. Reset does not touch the contents.",
    )
    # What was asked for is not left to the taste of synthesis.
    attributes = [_STYLES[memory.kind]] if memory.storage and memory.kind in _STYLES else []
    writers = sum(writes for _, writes in uses.values())
    if memory.kind == "bram" and writers and any(reads for reads, _ in uses.values()):
        attributes.append(_APART)
    net, style = Net("mem", memory.width), ", ".join(attributes)
    items: list[Item] = [Array(net, memory.depth, tuple(memory.init), style, writers)]
    for number, (reads, writes) in sorted(uses.items()):
        items += [Note(), *_port(memory, number, reads=reads, writes=writes)]
    return Module(name, lines, tuple(_ports(memory, uses)), tuple(items))


def text(memory: Memory, name: str, uses: Uses, head: str) -> str:
    """Give the file of such a module, by itself."""
    made = settle(module(memory, name, uses, head))
    return printer.text(made, check.verify([made], {})[name])


def _ports(memory: Memory, uses: Uses) -> Iterator[Port]:
    synchronous = memory.kind in ("bram", "rom")
    yield Port("input", 1, "ap_clk")
    for number, (reads, writes) in sorted(uses.items()):
        yield Port("input", memory.index_width, f"address{number}")
        if synchronous or writes:
            yield Port("input", 1, f"ce{number}")
        if writes:
            yield Port("input", memory.lanes, f"we{number}")
            yield Port("input", memory.width, f"d{number}")
        if reads:
            yield Port("output", memory.width, f"q{number}", synchronous)


def _port(memory: Memory, number: int, *, reads: bool, writes: bool) -> Iterator[Item]:
    address, chosen = f"address{number}", f"ce{number}"
    synchronous = memory.kind in ("bram", "rom")
    if reads and not synchronous:
        yield Assign(f"q{number}", f"mem[{address}]")
    moves: list[Write | If] = []
    each = memory.width // memory.lanes
    for lane in range(memory.lanes if writes else 0):
        part = f"[{lane * each + each - 1}:{lane * each}]" if memory.lanes > 1 else ""
        bit = f"[{lane}]" if memory.lanes > 1 else ""
        store: Body = (Write(f"mem[{address}]{part}", f"d{number}{part}"),)
        moves.append(If(f"we{number}{bit}", store, form=Form.INLINE))
    if reads and synchronous:
        given: Write | If = Write(f"q{number}", f"mem[{address}]")
        if writes:
            # Data after a write are not relied on: the port then keeps what it had.
            idle = f"we{number} == {literal(memory.lanes, 0)}"
            given = If(idle, (given,), form=Form.INLINE)
        moves.append(given)
    if moves:
        yield Process((If(chosen, tuple(moves)),))
