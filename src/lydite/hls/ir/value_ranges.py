# SPDX-License-Identifier: Apache-2.0
"""The largest number that each value can be: from its known bits, loop counters, and arithmetic."""

from __future__ import annotations

from lydite.hls.ir import cfg, induction
from lydite.hls.ir.graph import Op
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.module import Module

_DEPTH = 40


class Ranges:
    """Upper bounds of unsigned values of a module."""

    def __init__(self, module: Module) -> None:
        self._known = KnownBits(module)
        self._most: dict[Op, int] = {}
        for function in module.functions.values():
            for loop in cfg.find_loops(function):
                found = induction.counter(loop)
                if found is not None:
                    self._most[found.phi] = found.highest

    def high(self, op: Op, depth: int = _DEPTH) -> int:
        """Give a number that a value never exceeds."""
        if op.kind == "const":
            return int(op.attr)
        if op not in self._most:
            full = (1 << op.width) - 1
            limit = self._known.of(op).high(op.width)
            if depth:
                limit = min(limit, self._computed(op, depth - 1), full)
            self._most[op] = limit
        return self._most[op]

    def _computed(self, op: Op, depth: int) -> int:
        full = (1 << op.width) - 1
        kind = op.kind
        if kind not in ("add", "mul", "and", "or", "xor", "mux", "zext", "slice", "concat", "lshr"):
            return full
        args = [self.high(arg, depth) for arg in op.args]
        if kind == "concat":
            total = 0
            for arg, most in zip(op.args, args, strict=True):
                total = total << arg.width | most
            return total
        if kind == "slice":
            most = args[0] >> op.attr
        elif kind == "add":
            most = args[0] + args[1]
        elif kind == "mul":
            most = args[0] * args[1]
        elif kind == "and":
            return min(args)
        elif kind in ("or", "xor"):
            return int((1 << max(args).bit_length()) - 1)
        elif kind == "mux":
            return max(args[1:])
        elif kind == "lshr":
            shift = op.args[1]
            return args[0] >> shift.attr if shift.kind == "const" else args[0]
        else:
            return args[0]
        return most if most <= full else full
