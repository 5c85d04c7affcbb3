# SPDX-License-Identifier: Apache-2.0
"""What `allocation` says of operations: which ones count, and how many units there may be.

Operations of one bit, which are control, and logic with a constant are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Allocation, Directive, of
from lydite.hls.ir.graph import COMPARES, SHIFTS, Function, Op

# Divisions have one unit of each width anyway.
_SEQUENTIAL = frozenset(("sdiv", "udiv", "srem", "urem", "div", "rem"))
KINDS = frozenset(("add", "sub", "mul", "and", "or", "xor", "not", "icmp", "shl", "lshr", "ashr"))


def kind_of(op: Op) -> str:
    """Give the limited kind that an operation is of; empty if it is free."""
    kind = op.kind
    if kind in COMPARES:
        return "icmp" if op.args[0].width > 1 and op.args[1].kind != "const" else ""
    if op.width == 1:
        return ""
    constant = len(op.args) > 1 and op.args[1].kind == "const"
    if kind == "xor" and constant and op.args[1].attr == (1 << op.width) - 1:
        return "not"
    if kind in ("and", "or", "xor", "mul") or kind in SHIFTS:
        return "" if constant else kind
    return kind if kind in ("add", "sub") else ""


def limits(function: Function, known: tuple[Directive, ...]) -> dict[str, int]:
    """Give the limits of a function's kinds: its own, and those of its loops."""
    result: dict[str, int] = {}
    numbers = [*function.pragmas, *(n for block in function.blocks for n in block.pragmas)]
    for item in of(numbers, known, Allocation):
        name = item.instances.lower()
        if item.type == "operation" and name in KINDS:
            result[name] = min(item.limit, result.get(name, item.limit))
    return result


def unknown(known: Iterable[Directive]) -> list[Diagnostic]:
    """Name the directives that limit operations that there are not."""
    result: list[Diagnostic] = []
    for item in known:
        if not isinstance(item, Allocation):
            continue
        head = f"allocation of {item.instances}"
        if item.type == "operation" and item.instances.lower() not in KINDS | _SEQUENTIAL:
            listed = ", ".join(sorted(KINDS | _SEQUENTIAL))
            result.append(
                Diagnostic(item.where, f"{head}: no such operation: ignored; known: {listed}")
            )
        elif item.type == "core":
            result.append(Diagnostic(item.where, f"{head}: cores are not known by name: ignored"))
    return result


def counts(ops: Iterable[Op], limit: Mapping[str, int]) -> dict[str, int]:
    """Count the operations of the limited kinds."""
    result: dict[str, int] = {}
    for op in ops if limit else ():
        kind = kind_of(op)
        if kind in limit:
            result[kind] = result.get(kind, 0) + 1
    return result
