# SPDX-License-Identifier: Apache-2.0
"""Lays out a bound function for drawing: when operations start and end, the longest chains.

A chain ends at a register, at a memory's port, or at a unit that takes a request; a memory that
answers in the next state starts a new one there. What chooses the next state is not in a chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from lydite.hls.bind.binding import Binding, cycles
from lydite.hls.contract.report import BlockView, OpView, StateView, Timeline
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Op
from lydite.hls.schedule.problem import WAITING

_SIGNS = {**ir_graph.SIGNS, "divmod": "/%"}
_SIGNED = frozenset(("slt", "sle"))
_TEXT_LIMIT = 200
_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class _Part:
    """What of an operation lies in one state, by the state's number in the function."""

    op: Op
    state: int
    start_ns: float
    end_ns: float


# The parts of each operation: one, or two where a memory answers in the next state.
_Parts = Mapping[Op, tuple[_Part, ...]]


def draw_all(bindings: dict[str, Binding]) -> tuple[Timeline, ...]:
    """Draw the functions that become Verilog here, callers first."""
    own = (item for item in reversed(bindings.values()) if not item.function.macro)
    return tuple(draw(item) for item in own)


def draw(binding: Binding) -> Timeline:
    """Lay out one function."""
    blocks, parents = _blocks(binding)
    parts = _parts(binding, blocks)
    ends: dict[int, _Part] = {}
    for part in (part for pair in parts.values() for part in pair):
        if part.state not in ends or part.end_ns > ends[part.state].end_ns + _EPSILON:
            ends[part.state] = part
    chains = {state: _chain(end, parts) for state, end in ends.items()}
    last = max((end.end_ns for end in ends.values()), default=0.0)
    worst = next((s for s in sorted(ends) if ends[s].end_ns >= last - _EPSILON), -1)
    critical = {op for chain in chains.values() for op in chain}
    problem = next(iter(binding.schedule.problems.values()))
    block_of = [number for number, block in enumerate(blocks) for _ in range(block.states)]
    return Timeline(
        function=binding.function.name,
        clock_ns=problem.clock_ns,
        setup_ns=problem.model.setup_ns,
        parents=parents,
        states=tuple(
            StateView(
                name=state.name,
                block=block_of[number],
                chain_ns=round(ends[number].end_ns, 3) if number in ends else 0.0,
            )
            for number, state in enumerate(cycles(binding))
        ),
        blocks=blocks,
        ops=_ops(binding, parts, critical, frozenset(chains.get(worst, ()))),
    )


def _blocks(binding: Binding) -> tuple[tuple[BlockView, ...], tuple[int, ...]]:
    """Give the blocks, and for each loop the number of the one around it."""
    function = binding.function
    number = {block: index for index, block in enumerate(function.blocks)}
    # The order of `find_loops` is that of the report's loops.
    loops = cfg.find_loops(function)
    innermost = dict.fromkeys(function.blocks, -1)
    backs: dict[Block, list[int]] = {block: [] for block in function.blocks}
    for index, loop in enumerate(loops):
        for block in loop.blocks:
            innermost[block] = index
        for latch in loop.latches:
            backs[latch].append(number[loop.header])
    views: list[BlockView] = []
    first = 0
    for block in function.blocks:
        states = binding.schedule.plans[block].states
        views.append(
            BlockView(
                name=block.name,
                where=block.where,
                first=first,
                states=states,
                loop=innermost[block],
                end=block.end,
                targets=tuple(number[target] for target in dict.fromkeys(block.targets)),
                backs=tuple(backs[block]),
            )
        )
        first += states
    parents = tuple(loops.index(loop.parent) if loop.parent else -1 for loop in loops)
    return tuple(views), parents


def _parts(binding: Binding, blocks: Sequence[BlockView]) -> _Parts:
    result: dict[Op, tuple[_Part, ...]] = {}
    for view, block in zip(blocks, binding.function.blocks, strict=True):
        problem, plan = binding.schedule.problems[block], binding.schedule.plans[block]
        for op in problem.order:
            state, finish = plan.state[op], plan.finish_ns[op]
            start = problem.model.register_ns
            for arg in op.args:
                if arg in plan.state and plan.state[arg] + problem.latency(arg) == state:
                    start = max(start, plan.finish_ns[arg])
            late = problem.latency(op)
            end = start + problem.delay_ns(op) if late else finish
            made: tuple[_Part, ...] = (_Part(op, view.first + state, start, end),)
            if late and op.kind not in WAITING:
                made = (*made, _Part(op, view.first + state + late, 0.0, finish))
            result[op] = made
    return result


def _chain(end: _Part, parts: _Parts) -> list[Op]:
    """Follow a chain back from its end, each time to the first operand that comes last."""
    chain = [end.op]
    part: _Part | None = end
    while part is not None and part is parts[part.op][0]:
        state, start = part.state, part.start_ns
        before = (
            parts[arg][-1] for arg in part.op.args if arg in parts and arg.kind not in WAITING
        )
        part = next((p for p in before if p.state == state and p.end_ns >= start - _EPSILON), None)
        if part is not None:
            chain.append(part.op)
    return chain


def _ops(
    binding: Binding, parts: _Parts, critical: Set[Op], longest: Set[Op]
) -> tuple[OpView, ...]:
    name = _names(binding)
    position = {op: index for index, op in enumerate(parts)}
    order = sorted(parts, key=lambda op: (parts[op][0].state, parts[op][0].start_ns, position[op]))
    number = {op: index for index, op in enumerate(order)}
    return tuple(
        OpView(
            name=name[op],
            text=_text(op, name),
            kind=op.kind,
            width=op.width,
            state=parts[op][0].state,
            states=len(parts[op]),
            start_ns=round(parts[op][0].start_ns, 3),
            end_ns=round(parts[op][-1].end_ns, 3),
            waits=op.kind in WAITING,
            where=op.where,
            variable=op.name,
            args=tuple(dict.fromkeys(number[arg] for arg in op.args if arg in number)),
            critical=op in critical,
            longest=op in longest,
        )
        for op in order
    )


def _names(binding: Binding) -> dict[Op, str]:
    """Give the names of values, as the Verilog forms them: arguments, C name or kind and number."""
    function = binding.function
    names = {param: param.name or "arg" for param in function.params}
    number = len(names)
    for op in function.ops():
        if op.width:
            names[op] = f"{op.name or op.kind}_{number}"
            number += 1
        else:
            names[op] = op.kind
    return names


def _text(op: Op, names: Mapping[Op, str]) -> str:
    """Write an operation in the manner of C."""
    args = [_value(arg, names) for arg in op.args]
    if op.kind in _SIGNS:
        sign = f" {_SIGNS[op.kind]} ".join(args)
        text = f"signed {sign}" if op.kind in _SIGNED else sign
    elif op.kind == "mux":
        text = f"{args[0]} ? {args[1]} : {args[2]}"
    elif op.kind == "slice":
        top, low = op.attr + op.width - 1, op.attr
        text = f"{args[0]}[{top}:{low}]" if top > low else f"{args[0]}[{low}]"
    elif op.kind == "concat":
        text = "{" + ", ".join(args) + "}"
    elif op.kind in ("load", "store"):
        text = f"{op.attr.name}[{args[0]}]" + (f" = {args[1]}" if op.kind == "store" else "")
    elif op.kind in ("call", "read", "write"):
        called = op.attr.name if op.kind == "call" else f"{op.attr.name}.{op.kind}"
        shown = [arg for arg in args if op.kind == "call" or arg != "1"]
        text = f"{called}({', '.join(shown)})"
    else:
        text = f"{op.kind} {', '.join(args)}"
    return text if len(text) <= _TEXT_LIMIT else text[: _TEXT_LIMIT - 3] + "..."


def _value(op: Op, names: Mapping[Op, str]) -> str:
    if op.kind == "const":
        value: int = op.attr
        return f"{value}" if value < 10 else f"0x{value:x}"
    return names[op]
