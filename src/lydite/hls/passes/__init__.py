# SPDX-License-Identifier: Apache-2.0
"""Passes over the IR, one file each; `PIPELINE` is their order.

May import `contract` and `ir`. A pass changes a module in place and keeps what it computes.
`docs/hls.md` says how to add one. The verifier runs after each; the first line of its module's text
is what `lydite hls --passes` shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydite.hls.contract.options import Options
from lydite.hls.ir import text, verify
from lydite.hls.ir.module import Module
from lydite.hls.passes import (
    balance,
    carried_words,
    cfg,
    choose_memories,
    clean,
    conditional_sums,
    divide,
    forward_stores,
    hoist,
    ifconvert,
    loop_retiming,
    merge_exclusive_accesses,
    multiply,
    narrow,
    partition,
    predicate,
    select_operand,
    xor_trees,
)
from lydite.hls.passes.context import Context


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: its name, its function, and one sentence on what it does."""

    name: str
    run: Callable[[Module, Context], None]
    doc: str


PASSES = (
    Pass("cfg", cfg.run, cfg.DOC),
    Pass("clean", clean.run, clean.DOC),
    Pass("partition", partition.run, partition.DOC),
    Pass("forward", forward_stores.run, forward_stores.DOC),
    Pass("carried", carried_words.run, carried_words.DOC),
    Pass("ifconvert", ifconvert.run, ifconvert.DOC),
    Pass("predicate", predicate.run, predicate.DOC),
    Pass("divide", divide.run, divide.DOC),
    Pass("multiply", multiply.run, multiply.DOC),
    Pass("past", select_operand.run, select_operand.DOC),
    Pass("linear", xor_trees.run, xor_trees.DOC),
    Pass("balance", balance.run, balance.DOC),
    Pass("signs", conditional_sums.run, conditional_sums.DOC),
    Pass("ahead", loop_retiming.run, loop_retiming.DOC),
    Pass("narrow", narrow.run, narrow.DOC),
    Pass("memories", choose_memories.run, choose_memories.DOC),
    Pass("exclusive", merge_exclusive_accesses.run, merge_exclusive_accesses.DOC),
    Pass("hoist", hoist.run, hoist.DOC),
)

# The order in which they run; a name may stand twice.
PIPELINE = (
    "clean",
    "cfg",
    "narrow",
    "clean",
    "partition",
    "ifconvert",
    "predicate",
    "cfg",
    "forward",
    "carried",
    "narrow",
    "clean",
    "divide",
    "multiply",
    "past",
    "linear",
    "balance",
    "signs",
    "ahead",
    "narrow",
    "clean",
    "cfg",
    "clean",
    "memories",
    "exclusive",
    "hoist",
    "cfg",
)

BY_NAME = {item.name: item for item in PASSES}


def run(module: Module, context: Context, options: Options) -> tuple[tuple[str, str], ...]:
    """Improve a module in place; give its text after the passes that `dump_after` names."""
    dumps: list[tuple[str, str]] = []
    wanted = set(options.dump_after)
    for name in ("import", *PIPELINE):
        if name != "import":
            BY_NAME[name].run(module, context)
            if options.check:
                verify.verify(module, after=name)
        if wanted & {name, "all"}:
            dumps.append((name, text.print_module(module)))
    if not options.check:
        verify.verify(module, after="passes")
    return tuple(dumps)


__all__ = ["BY_NAME", "PASSES", "PIPELINE", "Context", "Pass", "run"]
