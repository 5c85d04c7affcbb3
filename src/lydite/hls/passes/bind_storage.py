# SPDX-License-Identifier: Apache-2.0
"""What `bind_storage`, and the older `resource core=`, make of a memory: its kind and its ports.

The types are those of the Vitis guide (UG1399, "pragma HLS bind_storage"): RAM_1P has one port for
either, RAM_S2P one that reads and one that writes, RAM_2P one that reads and one for either,
RAM_T2P two for either; a ROM only reads. What the family or the program does not allow is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.directives import CORE, BindStorage, Directive, Resource
from lydite.hls.contract.report import MemoryKind
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Memory
from lydite.hls.ir.memory_ports import Use

# Bits up to which registers are made when they are asked for.
MAX_REGISTER_BITS = 16384
# Types whose ports are not alike: one that serves alone is the first.
_FIXED = ("ram_s2p", "ram_2p")
_ABSENT = ("uram", "uram_ecc", "bram_ecc", "srl")


def wanted(memory: Memory, known: Sequence[Directive]) -> BindStorage | None:
    """Give the directive of a memory; the last, if there are several."""
    found: BindStorage | None = None
    for number in memory.pragmas:
        item = known[number]
        if isinstance(item, BindStorage):
            found = item
        elif isinstance(item, Resource) and (match := CORE.match(item.core)):
            found = BindStorage(
                variable=item.variable,
                type=f"{match[1]}_{match[2]}".lower(),
                impl=(match[3] or "auto").lower(),
                latency=item.latency,
                where=item.where,
            )
    return found


def apply(
    memory: Memory,
    item: BindStorage,
    model: DelayModel,
    *,
    use: Use,
    log: Diagnostics,
) -> None:
    """Set `storage` and `type` of a memory as far as the directive can be met."""

    def refuse(what: str) -> None:
        head = f"bind_storage of {item.variable}"
        log.add(Diagnostic(item.where, f"{head}: {what}"))

    if len(memory.objects) > 1:
        names = ", ".join(name for name, _ in memory.objects)
        refuse(f"{names} share a memory; it is that of all of them")
    if item.type.startswith("rom") and not memory.constant:
        refuse(f"it is written, so that it is no {item.type}")
    elif item.type == "fifo":
        refuse("an array is no fifo; write a stream")
    elif item.type == "ram_1wnr":
        refuse("ram_1wnr becomes ram_2p")
        memory.type = "ram_2p"
    else:
        memory.type = item.type
    if memory.port and memory.type in _FIXED and not (use.loads and use.stores):
        memory.type = memory.type if use.loads > 1 and memory.type == "ram_2p" else "ram_1p"
    if item.impl in _ABSENT:
        refuse(f"{model.family} has no {item.impl}")
    elif item.impl not in ("auto", "memory") and not memory.port:
        reason = _unfit(memory, item.impl, model, local=len(use.functions) == 1)
        if reason:
            refuse(reason)
        else:
            memory.storage = _kind(memory, item.impl)
    usual = 1 if memory.port or memory.storage in ("bram", "rom") else 0
    if item.latency > usual:
        refuse(f"latency={item.latency} is not made; data come after {usual} cycles")


def _unfit(memory: Memory, impl: str, model: DelayModel, *, local: bool) -> str:
    """Say why a memory cannot become what is asked, or nothing."""
    bits = memory.width * memory.depth
    if impl == "bram" and memory.storage == "lutrom":
        return "it is cut completely, and so logic"
    if impl == "lutram" and not memory.constant and not model.has_lutram:
        return f"{model.family} has no lutram"
    if impl == "registers" and not memory.constant:
        if not local:
            return "several functions use it; registers belong to one"
        if bits > MAX_REGISTER_BITS:
            return f"{bits} bits are too many for registers; the limit is {MAX_REGISTER_BITS}"
    return ""


def _kind(memory: Memory, impl: str) -> MemoryKind:
    if memory.constant:
        return "rom" if impl == "bram" else "lutrom"
    return next(kind for kind in get_args(MemoryKind) if kind == impl)
