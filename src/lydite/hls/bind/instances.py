# SPDX-License-Identifier: Apache-2.0
"""Which modules stand for pipelined functions, and how many there are of each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from lydite.hls.bind.binding import Binding
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.ir.graph import Function
from lydite.hls.ir.module import Module


def called_modules(module: Module, bound: Container[str]) -> Iterator[Macro]:
    """Give what callers see of such functions, of those that are bound."""
    for name, function in module.functions.items():
        if name not in bound:
            continue
        base = function.replica_of or function
        if not base.is_pipelined:
            continue
        yield Macro(
            function=name,
            module=module_name(module, base),
            latency=base.latency,
            inputs=tuple(f"arg{index}" for index in range(len(base.params))),
            output="ap_return" if base.width else "",
            clock="ap_clk",
            reset="ap_rst",
            start="ap_start",
            done="",
            ii=base.interval,
            enable="ap_enable",
            stateful=base.stateful,
            external=(),
            texts=(),
            where=base.where,
        )


def copies(bindings: Mapping[str, Binding]) -> dict[Function, int]:
    """Count the modules of each such function."""
    result: dict[Function, int] = {}
    outside: set[Function] = set()
    for binding in list(bindings.values())[::-1]:  # callers first
        caller = binding.function
        inside: set[Function] = set()
        for block in caller.blocks:
            for op in block.ops:
                base = (op.attr.replica_of or op.attr) if op.kind == "call" else None
                if base is None or not base.is_pipelined:
                    continue
                times = result.get(caller, 1)
                if op.attr.shared or block not in binding.pipes:
                    seen = inside if caller.is_pipelined else outside
                    times = 0 if op.attr in seen else times
                    seen.add(op.attr)
                result[base] = result.get(base, 0) + times
    return result


def module_name(module: Module, function: Function) -> str:
    """Give the name of the Verilog module that computes a function."""
    return f"{module.top}_{function.name}_pipe"
