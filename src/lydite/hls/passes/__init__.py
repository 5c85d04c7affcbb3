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
    cfg,
    choose_memories,
    clean,
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


def _plain(run: Callable[[Module], None]) -> Callable[[Module, Context], None]:
    return lambda module, context: run(module)


PASSES = (
    Pass("cfg", _plain(cfg.run), cfg.DOC),
    Pass("clean", _plain(clean.run), clean.DOC),
    Pass("partition", lambda m, c: partition.run(m, c.log), partition.DOC),
    Pass("forward", _plain(forward_stores.run), forward_stores.DOC),
    Pass("ifconvert", lambda m, c: ifconvert.run(m, c.model, c.clock_ns), ifconvert.DOC),
    Pass("predicate", lambda m, c: predicate.run(m, c.model, c.clock_ns, c.log), predicate.DOC),
    Pass("divide", _plain(divide.run), divide.DOC),
    Pass("multiply", multiply.run, multiply.DOC),
    Pass("past", lambda m, c: select_operand.run(m, c.model, c.clock_ns), select_operand.DOC),
    Pass("linear", lambda m, c: xor_trees.run(m, c.model), xor_trees.DOC),
    Pass("balance", lambda m, c: balance.run(m, c.model), balance.DOC),
    Pass("ahead", lambda m, c: loop_retiming.run(m, c.model, c.clock_ns), loop_retiming.DOC),
    Pass("narrow", _plain(narrow.run), narrow.DOC),
    Pass(
        "memories",
        lambda m, c: c.log.add(*choose_memories.decide(m, c.model)),
        choose_memories.DOC,
    ),
    Pass(
        "exclusive",
        lambda m, c: merge_exclusive_accesses.run(m, c.model),
        merge_exclusive_accesses.DOC,
    ),
    Pass("hoist", _plain(hoist.run), hoist.DOC),
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
    "narrow",
    "clean",
    "divide",
    "multiply",
    "past",
    "linear",
    "balance",
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
