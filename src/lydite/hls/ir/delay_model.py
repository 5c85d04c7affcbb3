# SPDX-License-Identifier: Apache-2.0
"""How long an operation takes and what it costs on a family: from its table in `targets/delays`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from lydite.base import InputError
from lydite.hls.contract.report import Area
from lydite.hls.ir.graph import WIRES, Op
from lydite.targets import DELAYS

_TABLE_OF = {
    "add": "add",
    "sub": "add",
    "mul": "multiply",
    "and": "logic",
    "or": "logic",
    "xor": "logic",
    "shl": "shift",
    "lshr": "shift",
    "ashr": "shift",
    "eq": "equal",
    "ne": "equal",
    "ult": "compare",
    "ule": "compare",
    "slt": "compare",
    "sle": "compare",
    "mux": "mux",
}
WIRING = WIRES | {"const", "param", "phi"}


@dataclass(frozen=True, slots=True)
class DelayModel:
    """Delays in nanoseconds and areas in LUTs of one family.

    Attributes
    ----------
    register_ns, setup_ns, lut_ns : float
        Clock to output, to the next clock edge, and one level of logic with its wire.
    bram_read_ns, bram_setup_ns, lutram_read_ns : float
        Of memories.
    lutram_depth : int
        Words of a distributed RAM cell.
    bram_bits : int
        Bits of a block RAM.
    true_dual_port : bool
        Whether both ports of a block RAM read and write.
    has_lutram : bool
        Whether logic cells can be RAM.
    dsp_width, dsp_threshold : int
        Bits of a hardware multiplier's operands; products narrower than the threshold are LUTs.
    """

    family: str
    register_ns: float
    setup_ns: float
    lut_ns: float
    bram_read_ns: float
    bram_setup_ns: float
    lutram_read_ns: float
    lutram_depth: int
    bram_bits: int
    true_dual_port: bool
    has_lutram: bool
    dsp_width: int
    dsp_threshold: int
    tables: Mapping[str, tuple[tuple[float, float], ...]]
    areas: Mapping[str, float]

    def delay_ns(self, op: Op) -> float:
        """Give the time from the last operand to the result of a combinational operation."""
        kind = op.kind
        if kind in WIRING:
            return 0.0
        args = op.args
        width = args[0].width if kind in ("eq", "ne", "ult", "ule", "slt", "sle") else op.width
        if kind in ("and", "or", "xor") and args[1].kind == "const":
            return 0.0 if kind == "xor" else self.lut_ns * 0.5
        if kind == "mul":
            width = max(significant(args[0]), significant(args[1]))
            if width < self.dsp_threshold or args[1].kind == "const":
                return (
                    self._constant_product(op)
                    if args[1].kind == "const"
                    else self.at("multiply", width)
                )
        return self.at(_TABLE_OF[kind], width)

    def _constant_product(self, op: Op) -> float:
        """Give the time of the additions that a product with a constant becomes."""
        terms = bin(op.args[1].attr).count("1")
        levels = max(1, math.ceil(math.log2(max(2, terms))))
        direct = self.at("multiply", max(significant(op.args[0]), significant(op.args[1])))
        return min(direct, levels * self.at("add", op.width))

    def at(self, table: str, width: float) -> float:
        """Read a table at a width."""
        points = self.tables[table]
        if width <= points[0][0]:
            return points[0][1]
        for (low, first), (high, second) in pairwise(points):
            if width <= high:
                return first + (second - first) * (width - low) / (high - low)
        (low, first), (high, second) = points[-2:]
        return second + (second - first) * (width - high) / (high - low)

    def select_ns(self, inputs: int) -> float:
        """Give the time of choosing one of several inputs by one-hot states."""
        if inputs <= 1:
            return 0.0
        return self.lut_ns * math.ceil(math.log2(inputs) / 2 + 0.5) * 0.75

    def area(self, op: Op) -> Area:
        """Give what an operation costs, registers apart."""
        kind, width = op.kind, op.width
        if kind in WIRING or kind in ("load", "store", "call", "divmod", "read", "write"):
            return Area()
        if kind == "mul":
            return self.multiplier_area(significant(op.args[0]), significant(op.args[1]), op)
        if kind in ("and", "or", "xor") and op.args[1].kind == "const":
            return Area()
        if kind in ("eq", "ne", "ult", "ule", "slt", "sle"):
            width = op.args[0].width
        factor = self.areas[_TABLE_OF[kind]]
        if kind in ("shl", "lshr", "ashr"):
            factor *= max(1.0, math.log2(max(2, width)) / 4)
        return Area(lut=math.ceil(width * factor))

    def multiplier_area(self, first: int, second: int, op: Op | None = None) -> Area:
        """Give what a product of two widths costs."""
        if op is not None and op.args[1].kind == "const":
            terms = bin(op.args[1].attr).count("1")
            return Area(lut=min(terms - 1, 8) * op.width)
        if min(first, second) < self.dsp_threshold or self.dsp_threshold > 64:
            return Area(lut=math.ceil(first * second * self.areas["multiply_lut"]))
        tiles = math.ceil(first / self.dsp_width) * math.ceil(second / self.dsp_width)
        return Area(lut=(tiles - 1) * self.dsp_width * 2, dsp=tiles)


def significant(op: Op) -> int:
    """Give the bits of a value that are not a copy of its sign or zero."""
    if op.kind in ("zext", "sext"):
        return op.args[0].width
    if op.kind == "const":
        return max(1, int(op.attr).bit_length())
    return op.width


@cache
def load(target: str) -> DelayModel:
    """Give the model of a target: a family's name, or one that begins with it.

    Raises
    ------
    InputError
        No family is known by that name.
    """
    families = sorted(path.stem for path in DELAYS.glob("*.toml"))
    family = next((name for name in families if target.lower().startswith(name)), None)
    if family is None:
        raise InputError("--target", f"unknown target {target}", f"known: {', '.join(families)}")
    return parse((DELAYS / f"{family}.toml").read_text(encoding="utf-8"))


def parse(text: str) -> DelayModel:
    """Read a table, as `targets/delays/<family>.toml` and `report.delays` have it."""
    data = tomllib.loads(text)
    memory, areas = data["memory"], data["area"]
    return DelayModel(
        family=data["family"],
        register_ns=data["register_ns"],
        setup_ns=data["setup_ns"],
        lut_ns=data["lut_ns"],
        bram_read_ns=memory["bram_read_ns"],
        bram_setup_ns=memory["bram_setup_ns"],
        lutram_read_ns=memory["lutram_read_ns"],
        lutram_depth=memory["lutram_depth"],
        bram_bits=memory["bram_bits"],
        true_dual_port=memory["true_dual_port"],
        has_lutram=memory["has_lutram"],
        dsp_width=areas["dsp_width"],
        dsp_threshold=areas["dsp_threshold"],
        tables={name: _points(table) for name, table in data["delay"].items()},
        areas={name: float(value) for name, value in areas.items()},
    )


def _points(table: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    points = tuple((float(width), float(delay)) for width, delay in table)
    assert list(points) == sorted(points), "delay tables are sorted by width"
    return points
