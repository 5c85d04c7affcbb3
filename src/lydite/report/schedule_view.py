# SPDX-License-Identifier: Apache-2.0
"""Geometry of a schedule's drawings: where each bar, state and loop lies. Knows nothing of HTML.

An overview has all states of a function across, as high as their chains are long, with the loops
below. A chart of each block has its states across and its operations down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydite.hls.contract.report import BlockView, OpView, Timeline

_FAMILY_OF = {
    **dict.fromkeys(("add", "sub"), "add"),
    **dict.fromkeys(("mul", "divmod", "call"), "unit"),
    **dict.fromkeys(("load", "store"), "memory"),
    **dict.fromkeys(("slice", "concat", "zext", "sext"), "wire"),
}
# More operations than this are drawn but folded away, so that the page opens at once.
_OPEN_OPERATIONS = 400
_CHUNK = 50

# Pixels of the overview.
_WIDTH = 880
_CELL_MAX = 18
_CELL_MIN = 4
_GAP = 6
_BARS = 56
_NAMES = 16
_LOOP = 20
_LETTER = 6.2


@dataclass(frozen=True, slots=True)
class Row:
    """An operation: `left` and `length` of its bar in states of its block."""

    op: OpView
    index: int
    family: str
    left: str
    length: str
    state: str
    over: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A state of a chart."""

    name: str
    chain_ns: float
    share: str
    longest: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A way out of a block."""

    block: int
    name: str
    back: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """A block: rows in groups, so that a browser lays out only those in sight."""

    block: BlockView
    index: int
    depth: int
    columns: tuple[Column, ...]
    groups: tuple[tuple[Row, ...], ...]
    operations: int
    wires: int
    chain_ns: float
    longest: bool
    steps: tuple[Step, ...]
    unfolded: bool


@dataclass(frozen=True, slots=True)
class View:
    """The charts of a function; `budget` is the part of a clock period before the set-up time."""

    charts: tuple[Chart, ...]
    budget: str
    wires: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A state of an overview: a bar."""

    x: float
    width: float
    y: float
    height: float
    name: str
    chain_ns: float
    block: int
    column: int
    longest: bool
    waits: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A block of an overview, or a loop with the arrow from its end back to its start."""

    x: float
    width: float
    y: float
    text: str
    title: str
    block: int


@dataclass(frozen=True, slots=True)
class Overview:
    """All states of a function across."""

    width: float
    height: float
    top: float
    bottom: float
    cells: tuple[Cell, ...]
    blocks: tuple[Label, ...]
    loops: tuple[Label, ...]


def depths(timeline: Timeline) -> list[int]:
    """Give the depth of each loop: 1 for an outermost one."""
    result: list[int] = []
    for parent in timeline.parents:
        result.append(1 if parent < 0 else result[parent] + 1)
    return result


def worst_state(timeline: Timeline) -> int:
    """Give the first state with the longest chain of the function."""
    longest = max(state.chain_ns for state in timeline.states)
    return next(i for i, s in enumerate(timeline.states) if s.chain_ns == longest)


# Charts.


def view(timeline: Timeline) -> View:
    """Lay out the charts of a function."""
    depth = [*depths(timeline), 0]  # a block outside of all loops has loop -1: the last
    worst = worst_state(timeline)
    rows: dict[int, list[Row]] = {}
    for index, op in enumerate(timeline.ops):
        holder = timeline.states[op.state].block
        rows.setdefault(holder, []).append(_row(timeline, index, op))
    all_open = len(timeline.ops) <= _OPEN_OPERATIONS
    charts: list[Chart] = []
    for index, block in enumerate(timeline.blocks):
        own = rows.get(index, [])
        states = timeline.states[block.first : block.first + block.states]
        holds_worst = timeline.states[worst].block == index
        charts.append(
            Chart(
                block=block,
                index=index,
                depth=depth[block.loop],
                columns=tuple(
                    Column(
                        state.name,
                        state.chain_ns,
                        _number(min(1.0, state.chain_ns / timeline.clock_ns)),
                        block.first + column == worst,
                    )
                    for column, state in enumerate(states)
                ),
                groups=tuple(tuple(own[i : i + _CHUNK]) for i in range(0, len(own), _CHUNK)),
                operations=len(own),
                wires=sum(row.family == "wire" for row in own),
                chain_ns=max((state.chain_ns for state in states), default=0.0),
                longest=holds_worst,
                steps=tuple(
                    Step(target, timeline.blocks[target].name, target in block.backs)
                    for target in block.targets
                ),
                unfolded=bool(own) and (all_open or (holds_worst and len(own) <= _OPEN_OPERATIONS)),
            )
        )
    budget = 1 - timeline.setup_ns / timeline.clock_ns
    wires = sum(chart.wires for chart in charts)
    return View(tuple(charts), _number(budget), wires)


def _row(timeline: Timeline, index: int, op: OpView) -> Row:
    state = timeline.states[op.state]
    clock_ns = timeline.clock_ns
    column = op.state - timeline.blocks[state.block].first
    left = column + op.start_ns / clock_ns
    right = column + op.states - 1 + op.end_ns / clock_ns
    if op.waits:
        right = column + 1
    return Row(
        op=op,
        index=index,
        family=_FAMILY_OF.get(op.kind, "logic"),
        left=_number(left),
        length=_number(max(0.0, right - left)),
        state=state.name,
        over=op.end_ns > clock_ns - timeline.setup_ns + 1e-3,
    )


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


# The overview.


def overview(timeline: Timeline, loop_texts: Sequence[str]) -> Overview:
    """Lay out the overview of a function."""
    count = len(timeline.states)
    room = (_WIDTH - _GAP * len(timeline.blocks)) / count
    cell = max(_CELL_MIN, min(_CELL_MAX, room))
    depth = depths(timeline)
    deepest = max(depth, default=0)
    waiting = {op.state for op in timeline.ops if op.waits}
    worst = worst_state(timeline)
    cells: list[Cell] = []
    labels: list[Label] = []
    x = 1.0
    for index, block in enumerate(timeline.blocks):
        start = x
        for column in range(block.states):
            number = block.first + column
            state = timeline.states[number]
            height = _BARS * min(1.0, state.chain_ns / timeline.clock_ns)
            cells.append(
                Cell(
                    x=round(x, 2),
                    width=round(cell - 1, 2),
                    y=round(_BARS - height, 2),
                    height=round(height, 2),
                    name=state.name,
                    chain_ns=state.chain_ns,
                    block=index,
                    column=column,
                    longest=number == worst,
                    waits=number in waiting,
                )
            )
            x += cell
        labels.append(_label(start, x - 1 - start, _BARS + 12, block.name, block.name, index))
        x += _GAP
    return Overview(
        width=round(x, 2),
        height=_BARS + _NAMES + _LOOP * deepest + 2,
        top=round(_BARS * timeline.setup_ns / timeline.clock_ns, 2),
        bottom=_BARS,
        cells=tuple(cells),
        blocks=tuple(labels),
        loops=_loops(timeline, labels, loop_texts, x),
    )


def _label(x: float, width: float, y: float, text: str, title: str, block: int) -> Label:
    """Give a label whose text fits, or none of it."""
    letters = int(width / _LETTER)
    if len(text) > letters:
        text = text[: letters - 1] + "~" if letters > 3 else ""
    return Label(round(x, 2), round(width, 2), round(y, 2), text, title, block)


def _loops(
    timeline: Timeline, blocks: Sequence[Label], texts: Sequence[str], end: float
) -> tuple[Label, ...]:
    """Give the loops below the blocks, inner ones nearer; a text may run to the next loop."""
    depth = depths(timeline)
    deepest = max(depth, default=0)
    members: dict[int, list[int]] = {loop: [] for loop in range(len(depth))}
    for index, block in enumerate(timeline.blocks):
        loop = block.loop
        while loop >= 0:
            members[loop].append(index)
            loop = timeline.parents[loop]
    left = {loop: blocks[inside[0]].x for loop, inside in members.items()}
    result: list[Label] = []
    for loop, inside in members.items():
        last = blocks[inside[-1]]
        same = [left[other] for other in members if depth[other] == depth[loop]]
        room = min((x for x in same if x > left[loop]), default=end) - left[loop]
        y = _BARS + _NAMES + _LOOP * (deepest - depth[loop])
        text = _label(left[loop], room, y, texts[loop], texts[loop], inside[0])
        width = max(8.0, last.x + last.width - left[loop])
        result.append(Label(text.x, round(width, 2), text.y, text.text, text.title, inside[0]))
    return tuple(result)
