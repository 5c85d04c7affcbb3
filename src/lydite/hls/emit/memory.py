# SPDX-License-Identifier: Apache-2.0
"""Writes memories: modules for those with ports, arrays inside functions for the others."""

from __future__ import annotations

from lydite.hls.contract.diagnostics import place
from lydite.hls.emit.verilog import literal, span
from lydite.hls.ir.graph import Memory

_PER_LINE = 4
# Words of zero from which a loop writes them.
_TAIL = 1024
_STYLES = {
    # Else Yosys tries block RAM for reads that go to registers, in time that doubles with each.
    "lutrom": '(* rom_style = "logic" *) ',
    "bram": '(* ram_style = "block" *) ',
    "lutram": '(* ram_style = "distributed" *) ',
    "rom": '(* rom_style = "block" *) ',
}


def array(memory: Memory, *, headed: bool = True) -> list[str]:
    """Declare a memory that lives in its function's module: registers, or a table in logic.

    `headed` says whether a comment tells what it holds.
    """
    name = f"{memory.name}_mem"
    what = "table" if memory.kind == "lutrom" else "registers"
    where = f", {place(memory.where)}" if memory.where else ""
    shown = ", ".join(label for label, _ in memory.objects)
    lines = [f"  // {shown}: {what}{where}"] if headed else []
    if memory.depth == 1:
        lines.append(f"  reg {span(memory.width)}{name};")
        word = memory.init[0] if memory.init else 0
        return [*lines, f"  initial {name} = {literal(memory.width, word)};"]
    # A table is filled up to what an index can reach, so that no read is outside.
    size = 1 << memory.index_width if memory.kind == "lutrom" else memory.depth
    if _is_constant(memory):
        return lines + _constant(memory, name, size)
    style = _STYLES["lutrom"] if memory.kind == "lutrom" else ""
    lines.append(f"  {style}reg {span(memory.width)}{name} [0:{size - 1}];")
    return lines + contents(memory, name, size)


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


def _constant(memory: Memory, name: str, size: int) -> list[str]:
    """Write a table as one constant, the first word on top."""
    stride = _stride(memory)
    words = [*memory.init, *[0] * (size - len(memory.init))]
    lines = [f"  localparam {span(size * stride)}{name} = ~{{"]
    for at in range(0, size, _PER_LINE):
        group = [literal(stride, value) for value in words[at : at + _PER_LINE]]
        lines.append(f"    {', '.join(group)}{',' if at + _PER_LINE < size else '};'}")
    return lines


def contents(memory: Memory, name: str, size: int) -> list[str]:
    """Write what a memory holds at power-up."""
    # What follows what is given is zero: word by word only where that is short.
    given = len(memory.init)
    words = [*memory.init, *[0] * (size - given)] if size - given < _TAIL else memory.init
    if not given:
        words = ()
    lines = ["  initial begin"]
    for at in range(0, len(words), _PER_LINE):
        group = [
            f"{name}[{index}] = {literal(memory.width, words[index])};"
            for index in range(at, min(at + _PER_LINE, len(words)))
        ]
        lines.append("    " + " ".join(group))
    if len(words) < size:
        lines.insert(0, f"  integer {name}_i;")
        lines += [
            f"    for ({name}_i = {len(words)}; {name}_i < {size}; {name}_i = {name}_i + 1)",
            f"      {name}[{name}_i] = {literal(memory.width, 0)};",
        ]
    return [*lines, "  end"]


def module(memory: Memory, name: str, ports: dict[int, tuple[bool, bool]], head: str) -> str:
    """Give the module of a memory with ports.

    Parameters
    ----------
    ports : dict
        Whether each port reads, and writes.
    head : str
        First lines of the file.
    """
    shown = ", ".join(label for label, _ in memory.objects)
    timing = "in the cycle after ce" if memory.kind in ("bram", "rom") else "in the same cycle"
    lines = [
        head,
        f"// Memory of {shown}: {memory.depth} words of {memory.width} bits, {memory.kind}.",
        f"// Data come {timing}. Reset does not touch the contents.",
        "",
        "`default_nettype none",
        "",
        f"module {name} (",
        "    input  wire ap_clk,",
    ]
    declared: list[str] = []
    for number, (reads, writes) in sorted(ports.items()):
        used = "" if memory.kind in ("bram", "rom") or writes else None
        declared.append(f"    input  wire {span(memory.index_width)}address{number}")
        if used is not None:
            declared.append(f"    input  wire ce{number}")
        if writes:
            declared.append(f"    input  wire {span(memory.lanes)}we{number}")
            declared.append(f"    input  wire {span(memory.width)}d{number}")
        if reads:
            kind = "reg " if memory.kind in ("bram", "rom") else "wire"
            declared.append(f"    output {kind} {span(memory.width)}q{number}")
    lines += [line + "," for line in declared[:-1]] + [declared[-1], ");", ""]
    # What was asked for is not left to the taste of synthesis.
    style = _STYLES.get(memory.kind, "") if memory.storage else ""
    lines.append(f"  {style}reg {span(memory.width)}mem [0:{memory.depth - 1}];")
    lines += contents(memory, "mem", memory.depth)
    for number, (reads, writes) in sorted(ports.items()):
        lines += ["", *_port(memory, number, reads=reads, writes=writes)]
    return "\n".join([*lines, "", "endmodule", "", "`default_nettype wire", ""])


def _port(memory: Memory, number: int, *, reads: bool, writes: bool) -> list[str]:
    address, chosen = f"address{number}", f"ce{number}"
    lines: list[str] = []
    synchronous = memory.kind in ("bram", "rom")
    if reads and not synchronous:
        lines.append(f"  assign q{number} = mem[{address}];")
    if not writes and not (reads and synchronous):
        return lines
    lines += ["  always @(posedge ap_clk) begin", f"    if ({chosen}) begin"]
    if writes:
        each = memory.width // memory.lanes
        for lane in range(memory.lanes):
            part = f"[{lane * each + each - 1}:{lane * each}]" if memory.lanes > 1 else ""
            bit = f"[{lane}]" if memory.lanes > 1 else ""
            lines.append(f"      if (we{number}{bit}) mem[{address}]{part} <= d{number}{part};")
    if reads and synchronous:
        # Data after a write are not relied on: the port then keeps what it had.
        idle = f"if (we{number} == {literal(memory.lanes, 0)}) " if writes else ""
        lines.append(f"      {idle}q{number} <= mem[{address}];")
    return [*lines, "    end", "  end"]
