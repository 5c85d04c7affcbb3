# SPDX-License-Identifier: Apache-2.0
"""Writes stores to memories that lie in their function's module: registers."""

from __future__ import annotations

from lydite.hls.bind.binding import State
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Form, If, Write
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Memory, Op, is_word


def local_store(emitter: FunctionEmitter, op: Op, state: State) -> tuple[Write | If, ...]:
    """Write what a store does in a state."""
    memory: Memory = op.attr
    index, word, mask = op.args
    target = f"{memory.name}_mem"
    if memory.depth > 1:
        target += f"[{emitter.ref(index, state)}]"
    if mask.kind == "const" and mask.attr == (1 << memory.lanes) - 1:
        text = copied(emitter, word, state)
        return (Write(target, text),) if text != target else ()
    if memory.lanes == 1:
        moves = (Write(target, emitter.ref(word, state)),)
        return (If(emitter.ref(mask, state), moves, form=Form.INLINE),)
    each = memory.width // memory.lanes
    stores: list[Write | If] = []
    for lane in range(memory.lanes):
        if mask.kind == "const" and not mask.attr >> lane & 1:
            continue
        part = f"{target}[{lane * each + each - 1}:{lane * each}]"
        move = Write(part, _named_bits(emitter, word, lane * each, each, state))
        if mask.kind == "const":
            stores.append(move)
        else:
            condition = _named_bits(emitter, mask, lane, 1, state)
            stores.append(If(condition, (move,), form=Form.INLINE))
    return tuple(stores)


def _named_bits(emitter: FunctionEmitter, op: Op, low: int, width: int, state: State) -> str:
    """Give bits of a value that may be written in place."""
    if emitter.inline(op):
        inner = op.args[0]
        if op.kind == "slice":
            return _named_bits(emitter, inner, op.attr + low, width, state)
        if low >= inner.width:
            return literal(width, 0)
        count = min(width, inner.width - low)
        text = _named_bits(emitter, inner, low, count, state)
        return text if count == width else f"{{{literal(width - count, 0)}, {text}}}"
    return emitter.bits(op, low, width, state)


def copied(emitter: FunctionEmitter, op: Op, state: State) -> str:
    """Give the text of a value that is copied; a word loaded in the state is the word."""
    made = emitter.binding.home.get(op) is state
    if made and op.kind == "load" and is_word(op.attr):
        return f"{op.attr.name}_mem"
    return emitter.ref(op, state)
