# SPDX-License-Identifier: Apache-2.0
"""Reads a word from the phi that has it anyway.

Of an array in registers LLVM carries from turn to turn of a loop what constant indices read, and
leaves in memory what an index that depends on data reads: all words are kept twice. A load of a
memory of one word takes the phi instead, if on each way into the block the last store is of what
the phi takes there. Memories that nothing reads any more are dropped by `clean`.
"""

from __future__ import annotations

from collections.abc import Iterable

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.fold import evaluate
from lydite.hls.ir.graph import Block, Memory, Op, OpKind
from lydite.hls.ir.module import Module
from lydite.hls.passes.context import Context

_EXTENSIONS: tuple[OpKind, ...] = ("zext", "sext")

DOC = "read words that a phi has from the phi, and not from memory"


def run(module: Module, _: Context) -> None:
    """Do so in every function."""
    readers: dict[Memory, set[str]] = {}
    for function in module.functions.values():
        for op in function.ops():
            if op.kind in ("load", "store") and op.attr.depth == 1 and not op.attr.port:
                readers.setdefault(op.attr, set()).add(function.name)
    own = {memory for memory, names in readers.items() if len(names) == 1}
    for function in module.functions.values() if own else ():
        values: dict[Op, Op] = {}
        for block, sources in function.predecessors().items():
            _block(block, sources, own, values)
        ir_graph.replace(function, values)


def _block(block: Block, sources: list[Block], own: set[Memory], values: dict[Op, Op]) -> None:
    """Replace the loads of a block that come before the stores there."""
    # By what they take from a block before.
    phis: dict[Op, list[Op]] = {}
    for phi in block.phis():
        for arg in phi.args:
            if arg.kind != "const":
                phis.setdefault(arg, []).append(phi)
    stored: set[Memory] = set()
    for place, op in enumerate(block.ops if phis else ()):
        if op.kind == "store":
            stored.add(op.attr)
        elif op.kind == "load" and op.attr in own - stored:
            found_words = [(source, _last(source, op.attr)) for source in sources]
            words = {source: word for source, word in found_words if word is not None}
            for word in words.values() if len(words) == len(sources) else ():
                found = _same(phis.get(_inner(word), ()), words, op.width)
                if found is not None:
                    values[op] = found
                    if found.kind != "phi":
                        block.ops[place] = found
                    break


def _last(block: Block, memory: Memory) -> Op | None:
    """Give what a memory's word is at the end of a block, if a store there says so."""
    for op in reversed(block.ops):
        if op.kind == "store" and op.attr is memory:
            _, word, mask = op.args
            whole = mask.kind == "const" and mask.attr == (1 << mask.width) - 1
            return word if whole else None
    return None


def _inner(word: Op) -> Op:
    return word.args[0] if word.kind in _EXTENSIONS else word


def _same(phis: Iterable[Op], words: dict[Block, Op], width: int) -> Op | None:
    """Give a value that is, whatever block was before, the word stored there."""
    for phi in phis:
        args = list(zip(phi.args, phi.attr, strict=True))
        if all(words[source] is arg for arg, source in args):
            return phi
        for kind in _EXTENSIONS if phi.width < width else ():
            if all(_extends(kind, arg, words[source], width) for arg, source in args):
                return Op(kind, width, [phi])
    return None


def _extends(kind: OpKind, arg: Op, word: Op, width: int) -> bool:
    """Whether a word is a value with more bits in front."""
    if arg.kind == "const" and word.kind == "const":
        return bool(word.attr == evaluate(kind, width, [arg.attr], [arg.width], None))
    return word.kind == kind and word.args[0] is arg
