# SPDX-License-Identifier: Apache-2.0
"""Control flow of a function: order of blocks, dominators, loops."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.ir.graph import Block, Function, Op


def reverse_postorder(function: Function) -> list[Block]:
    """Give the reachable blocks so that each comes after its predecessors, back edges apart."""
    seen = {function.blocks[0]}
    order: list[Block] = []
    stack = [(function.blocks[0], iter(function.blocks[0].targets))]
    while stack:
        block, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(target.targets)))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order


def immediate_dominators(function: Function) -> dict[Block, Block]:
    """Give the immediate dominator of each reachable block; the entry's is itself."""
    order = reverse_postorder(function)
    number = {block: index for index, block in enumerate(order)}
    predecessors = function.predecessors()
    result: dict[Block, Block] = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            best: Block | None = None
            for other in predecessors[block]:
                if other not in result:
                    continue
                if best is None:
                    best = other
                    continue
                first, second = best, other
                while first is not second:
                    while number[first] > number[second]:
                        first = result[first]
                    while number[second] > number[first]:
                        second = result[second]
                best = first
            assert best is not None, "reverse postorder visits a predecessor first"
            if result.get(block) is not best:
                result[block] = best
                changed = True
    return result


def dominator_spans(dominators: dict[Block, Block]) -> dict[Block, tuple[int, int]]:
    """Number the dominator tree: a block dominates those whose first number is in its span.

    `dominators` is what `immediate_dominators` gives; a span is a first number and the one behind
    the last.
    """
    children: dict[Block, list[Block]] = {}
    for block, above in dominators.items():
        if above is not block:
            children.setdefault(above, []).append(block)
    result: dict[Block, tuple[int, int]] = {}
    stack = [(next(iter(dominators)), -1)]
    count = 0
    while stack:
        block, first = stack.pop()
        if first >= 0:
            result[block] = (first, count)
            continue
        stack.append((block, count))
        count += 1
        stack += [(child, -1) for child in children.get(block, ())]
    return result


def dominates(spans: dict[Block, tuple[int, int]], first: Block, second: Block) -> bool:
    """Whether all ways to a reachable block lead through another, by `dominator_spans`."""
    low, high = spans[first]
    return low <= spans[second][0] < high


@dataclass(slots=True, eq=False)
class Loop:
    """A natural loop.

    Attributes
    ----------
    header : Block
        Its one entry.
    blocks : list of Block
        All blocks, inner loops' included, in function order.
    latches : list of Block
        Sources of its back edges.
    parent : Loop or None
        The next loop outside.
    """

    header: Block
    blocks: list[Block]
    latches: list[Block]
    parent: Loop | None = None

    @property
    def depth(self) -> int:
        """1 for an outermost loop."""
        return 1 + (self.parent.depth if self.parent else 0)


def find_loops(function: Function) -> list[Loop]:
    """Give the natural loops, outer before inner, else in order of their headers."""
    spans = dominator_spans(immediate_dominators(function))
    predecessors = function.predecessors()
    order = reverse_postorder(function)
    position = {block: index for index, block in enumerate(function.blocks)}
    loops: list[Loop] = []
    members: list[set[Block]] = []
    for header in order:
        latches = [b for b in predecessors[header] if b in spans and dominates(spans, header, b)]
        if not latches:
            continue
        inside = {header}
        pending = list(latches)
        while pending:
            block = pending.pop()
            if block not in inside:
                inside.add(block)
                pending += [p for p in predecessors[block] if p in spans]
        loops.append(Loop(header, sorted(inside, key=position.__getitem__), latches))
        members.append(inside)
    for loop in loops:
        pairs = zip(loops, members, strict=True)
        around = [item for item, inside in pairs if item is not loop and loop.header in inside]
        loop.parent = min(around, key=lambda other: len(other.blocks), default=None)
    return sorted(loops, key=lambda loop: loop.depth)


def loop_condition(block: Block) -> tuple[Op | None, bool]:
    """Give the test of a loop of one block, and whether it goes on when the test holds.

    The test is None for a loop that never ends, and for a function: calls go on for ever.
    """
    if block.end in ("jump", "ret"):
        return None, True
    assert block.end == "branch" and block.arg is not None, f"{block.name} is no loop of one block"
    return block.arg, block.targets[0] is block
