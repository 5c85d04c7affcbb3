# SPDX-License-Identifier: Apache-2.0
"""What is placed and routed to learn a family's delays: operators between registers, in Verilog.

A `Point` is one operator at one width, several times in a row if asked (`chain`), and as often side
by side as makes a design of some hundred bits: the slowest of many copies is what a clock must
wait for, and wires are those of a placement with neighbours.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lydite.base import digest
from lydite.base.files import write_atomic
from lydite.hls.emit import memory as emit_memory
from lydite.hls.ir.graph import Memory
from lydite.sim.build import Sources, cache_folder

TOP = "lydite_operator"
WIDTHS = (2, 4, 8, 16, 32, 64)
# Products are measured at both sides of the edges of hardware multipliers, too.
MULTIPLY_WIDTHS = (4, 8, 10, 16, 18, 32, 64)
# Widest product whose placement takes seconds where there are no hardware multipliers.
MULTIPLY_LUT_MOST = 32
CHAIN_WIDTH = 32
LUT_CHAINS = (1, 2, 4, 8)
MULTIPLY_LUT_WIDTH = 8
PRODUCT_WIDTH = 32
BRAM = (512, 16)
LUTRAM = (16, 8)
_BITS = 128
# Next value `v` out of the last one; `x`, `y`, `z` are inputs that no other step has.
STEPS = {
    "add": "v + x",
    "logic": "v ^ x",
    "mux": "s ? v : x",
    # No step and a part of the next fit in one table, not even of five inputs: `v` with any one
    # input has at least three different columns, and one wire tells only two apart.
    "lut": "(v & ((x & y) ^ z)) | (~v & ((y | z) ^ x))",
}
_ENDS = {"compare": "v < x", "equal": "v == x", "shift": "v << s", "multiply": "v * x"}
_CHAINS = (("add", 2), ("add", 4), ("logic", 2), ("logic", 4), ("logic", 8), ("mux", 2), ("mux", 4))


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement.

    Attributes
    ----------
    kind : str
        A table of the delay model, or `lut`, `bram`, `lutram`, `product_into_bram`.
    width : int
        Bits of an operand.
    chain : int
        Operators in a row.
    dsp : bool
        Whether the tools may take hardware multipliers.
    """

    kind: str
    width: int
    chain: int = 1
    dsp: bool = True

    @property
    def copies(self) -> int:
        """How often it stands side by side."""
        single = self.kind in ("multiply", "bram", "lutram", "product_into_bram")
        return 1 if single else max(1, _BITS // (self.width * self.chain))

    @property
    def label(self) -> str:
        """The point in words."""
        more = f" x {self.chain}" if self.chain > 1 else ""
        return f"{self.kind} of {self.width} bits{more}" + ("" if self.dsp else " without DSP")

    @property
    def clock(self) -> str:
        """Clock port of its module, or empty."""
        return "ap_clk" if "ram" in self.kind else ""


def points(widths: tuple[int, ...], *, has_lutram: bool, has_dsp: bool) -> tuple[Point, ...]:
    """Give all points of a family.

    Parameters
    ----------
    widths : tuple of int
        Bits, at least 2, rising.
    has_lutram, has_dsp : bool
        Whether there is RAM in logic cells, and whether the tools take hardware multipliers.
    """
    found = [Point("lut", CHAIN_WIDTH, chain) for chain in LUT_CHAINS]
    for kind in ("add", "compare", "equal", "logic", "mux", "shift"):
        found += [Point(kind, width) for width in widths]
    products = {*MULTIPLY_WIDTHS, *widths} & set(range(4, max(widths) + 1))
    most = max(widths) if has_dsp else MULTIPLY_LUT_MOST
    found += [Point("multiply", width) for width in sorted(products) if width <= most]
    if has_dsp:
        found.append(Point("multiply", MULTIPLY_LUT_WIDTH, dsp=False))
    found += [Point(kind, CHAIN_WIDTH, chain) for kind, chain in _CHAINS]
    found += [Point("bram", BRAM[1]), Point("product_into_bram", PRODUCT_WIDTH)]
    if has_lutram:
        found.append(Point("lutram", LUTRAM[1]))
    # What is measured anyway must be there, whatever widths are asked for.
    found += [Point(kind, CHAIN_WIDTH) for kind in ("add", "logic", "mux")]
    found += [Point("multiply", width) for width in (PRODUCT_WIDTH, MULTIPLY_LUT_WIDTH)]
    return tuple(dict.fromkeys(found))


def sources(point: Point) -> Sources:
    """Give the files of a point; they are kept in the cache folder under their digest."""
    files = {"operator.v": _verilog(point)}
    if point.kind in ("bram", "product_into_bram", "lutram"):
        kind: Literal["bram", "lutram"] = "lutram" if point.kind == "lutram" else "bram"
        depth, width = LUTRAM if kind == "lutram" else BRAM
        memory = Memory("memory", width, depth, kind=kind)
        head = "// SPDX-License-Identifier: Apache-2.0"
        files["memory.v"] = emit_memory.text(memory, "memory", {0: (True, True)}, head)
    paths: dict[str, Path] = {}
    for name, text in files.items():
        path = cache_folder() / "operators" / f"{digest.of_bytes(text.encode())}.v"
        if not path.exists():
            write_atomic(path, text)
        paths[name] = path
    return Sources(files=paths, top=TOP, parameters={})


def _verilog(point: Point) -> str:
    """Give the module of a point: all copies, each with inputs of its own."""
    if point.kind in ("bram", "lutram"):
        return _ram_verilog(*(BRAM if point.kind == "bram" else LUTRAM))
    if point.kind == "product_into_bram":
        return _product_verilog()
    select = max(1, math.ceil(math.log2(point.width))) if point.kind == "shift" else 1
    result = {"compare": 1, "equal": 1, "multiply": 2 * point.width}.get(point.kind, point.width)
    step = (STEPS | _ENDS)[point.kind]
    widths = dict.fromkeys("xyz", point.width) | {"s": select}
    used = {name: size for name, size in widths.items() if re.search(rf"\b{name}\b", step)}
    steps = point.copies * point.chain
    ports = [f"input [{point.copies * point.width - 1}:0] a"]
    ports += [f"input [{steps * size - 1}:0] {name}" for name, size in used.items()]
    ports += [f"output [{point.copies * result - 1}:0] q"]
    lines = [f"module {TOP} ({', '.join(ports)});"]
    for copy in range(point.copies):
        value = f"a[{_slice(copy, point.width)}]"
        for number in range(copy * point.chain, (copy + 1) * point.chain):
            names = {name: f"{name}[{_slice(number, size)}]" for name, size in used.items()}
            names["v"] = value
            text = re.sub(r"\b[vxyzs]\b", lambda found: names[found[0]], step)  # noqa: B023
            value = f"v{number}"
            lines.append(f"  wire [{result - 1}:0] {value} = {text};")
        lines.append(f"  assign q[{_slice(copy, result)}] = {value};")
    return "\n".join([*lines, "endmodule", ""])


def _slice(index: int, width: int) -> str:
    return f"{index * width + width - 1}:{index * width}"


def _ram_verilog(depth: int, width: int) -> str:
    address = (depth - 1).bit_length()
    return (
        f"module {TOP} (input ap_clk, input [{address - 1}:0] address, input ce, input we,\n"
        f"    input [{width - 1}:0] d, output [{width - 1}:0] q);\n"
        "  memory u_memory (.ap_clk(ap_clk), .address0(address), .ce0(ce), .we0(we), .d0(d),"
        " .q0(q));\nendmodule\n"
    )


def _product_verilog() -> str:
    """Give a product whose top bits are the address of a block RAM: a path that ends there."""
    depth, width = BRAM
    bits, address = PRODUCT_WIDTH, (depth - 1).bit_length()
    return (
        f"module {TOP} (input ap_clk, input [{bits - 1}:0] a, input [{bits - 1}:0] x, input we,\n"
        f"    input [{width - 1}:0] d, output [{width - 1}:0] q);\n"
        f"  wire [{2 * bits - 1}:0] product = a * x;\n"
        f"  memory u_memory (.ap_clk(ap_clk), .address0(product[{2 * bits - 1}:"
        f"{2 * bits - address}]), .ce0(1'b1), .we0(we), .d0(d), .q0(q));\nendmodule\n"
    )
