# SPDX-License-Identifier: Apache-2.0
"""Turns the body of a loop, or of a function, that is to be pipelined into one block.

Short of divisions, loops inside, and calls that are not of macros, any body will do: branches that
meet again become multiplexers; where paths part for good (`break`, `goto`, `continue`) each block
is computed under the condition that it is reached (Allen, Kennedy, Porterfield, Warren 1983).
Stores are masked by that, loads are not, since a load has no effect. Several exits become one, with
a choice behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.hls.contract.names import free_name
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.graph import Block, Function, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import flatten, ifconvert, loop_merge, pipelining
from lydite.hls.passes.context import Context

DOC = "turn the bodies of pipelined loops and functions into one block"

_ALWAYS = const(1, 1)


def run(module: Module, context: Context) -> None:
    """Convert every loop and function that is to be pipelined and can be."""
    for function in module.functions.values():
        wanted = pipelining.read(function.pragmas, module.pragmas)
        if wanted is not None and pipelining.function_obstacle(module, function) is None:
            convert_function(function)
            continue
        loop_merge.run(function, module.pragmas, context.log, convert)
        done: set[Block] = set()
        flatten.rejoin(function, module.pragmas)
        while True:
            found = next(
                (
                    loop
                    for loop, _ in pipelining.wanted_loops(function, module.pragmas)
                    if loop.header not in done and pipelining.obstacle(function, loop) is None
                ),
                None,
            )
            if found is None:
                break
            done.add(found.header)
            convert(function, found)
            while flatten.flatten(function, found.header, module.pragmas, context.log):
                loops = cfg.find_loops(function)
                convert(function, next(item for item in loops if item.header is found.header))
        if done:
            ifconvert.run_on(function, context.model, context.period_ns(function, module))


def convert(function: Function, loop: Loop) -> None:
    """Make a loop without loops inside one block."""
    blocks = _short_ways(function, loop)
    if len(blocks) > 1 or not _is_simple(loop.header):
        _Converter(function, loop.header, blocks).run()


def convert_function(function: Function) -> None:
    """Make a function without loops one block, which ends with its return."""
    entry, last = function.blocks[0], one_return(function)
    if entry is last:
        return
    before = [block for block in function.blocks if block is not last]
    blocks = _short_ways(function, Loop(entry, before, []))
    if len(blocks) > 1 or entry.end != "jump":
        _Converter(function, entry, blocks, once=True).run()
    _merge_rows(function, entry, {entry, last})
    assert function.blocks == [entry], f"{function.name} is not one block"


def one_return(function: Function) -> Block:
    """Give the block that returns, in place of several."""
    ends = [block for block in function.blocks if block.end == "ret"]
    if len(ends) == 1:
        return ends[0]
    names = {block.name for block in function.blocks}
    name = free_name("return", names)
    last = Block(name, where=ends[-1].where)
    if function.width:
        values = [end.arg for end in ends if end.arg is not None]
        last.arg = Op("phi", function.width, values, attr=list(ends), where=last.where)
        last.ops.append(last.arg)
    for end in ends:
        end.end, end.arg, end.targets = "jump", None, [last]
    function.blocks.append(last)
    return last


def _is_simple(header: Block) -> bool:
    return header.end in ("jump", "branch") and header in header.targets


def _short_ways(function: Function, loop: Loop) -> list[Block]:
    """Take in the sides of branches that meet again, whatever their size; give what is left."""
    inside = set(loop.blocks)

    def is_side(side: Block) -> bool:
        return side in inside and not any(op.kind == "phi" for op in side.ops)

    changed = True
    while changed:
        changed = False
        predecessors = function.predecessors()
        for block in [b for b in function.blocks if b in inside]:
            if block not in inside or block.end != "branch":
                continue
            join = ifconvert.meeting(block, predecessors, is_side)
            if join is not None and join in inside and block in inside:
                sides = [t for t in block.targets if t is not join]
                ifconvert.absorb(block, join, sides)
                inside -= set(sides)
                function.blocks = [b for b in function.blocks if b not in sides]
                changed = True
                break
        changed |= _merge_rows(function, loop.header, inside)
    return [block for block in function.blocks if block in inside]


def _merge_rows(function: Function, header: Block, inside: set[Block]) -> bool:
    """Append a block to the only one before it, if that goes nowhere else."""
    predecessors = function.predecessors()
    for block in function.blocks:
        if block not in inside or block.end != "jump":
            continue
        target = block.targets[0]
        if target is header or target not in inside or predecessors[target] != [block]:
            continue
        ir_graph.replace(function, {phi: phi.args[0] for phi in target.phis()})
        block.ops += [op for op in target.ops if op.kind != "phi"]
        block.end, block.arg = target.end, target.arg
        block.targets, block.cases = target.targets, target.cases
        block.where = target.where or block.where
        for following in dict.fromkeys(block.targets):
            for phi in following.phis():
                phi.attr = [block if other is target else other for other in phi.attr]
        function.blocks.remove(target)
        inside.discard(target)
        return True
    return False


@dataclass(slots=True)
class _Edge:
    """An edge from a block of the loop, and the condition under which an iteration takes it.

    `unless_left` is that condition if the loop has not been left before.
    """

    source: Block
    target: Block
    condition: Op
    unless_left: Op


@dataclass(slots=True)
class _Converter:
    """Computes every block under its condition, in the head.

    With `once`, the blocks are no loop: all ways lead to one block behind them.
    """

    function: Function
    header: Block
    blocks: list[Block]
    once: bool = False
    build: Builder = field(default_factory=lambda: Builder([]))
    edges: list[_Edge] = field(default_factory=list)
    values: dict[Op, Op] = field(default_factory=dict)
    condition_of: dict[Block, Op] = field(default_factory=dict)
    unless_left: dict[Block, Op] = field(default_factory=dict)
    passed: dict[Block, set[Block]] = field(default_factory=dict)

    def run(self) -> None:
        header, inside = self.header, set(self.blocks)
        order = [b for b in cfg.reverse_postorder(self.function) if b in inside]
        assert order[0] is header, "a natural loop is entered at its head"
        where = next((b.where for b in order if header in b.targets and b.where), header.where)
        later = {block: block.ops for block in order[1:]}
        self.build.ops = header.ops
        for block in order:
            self.condition_of[block] = self._reached(block, order, left=True)
            self.unless_left[block] = self._reached(block, order, left=False)
            if block is not header:
                self._take_in(block, later[block])
            self._leave(block)
        backs = [edge for edge in self.edges if edge.target is header]
        exits = [edge for edge in self.edges if edge.target not in inside]
        for phi in header.phis():
            self._join(phi, backs, left=False)
        self._close(exits, where)
        ir_graph.replace(self.function, self.values)
        self.function.blocks = [b for b in self.function.blocks if b is header or b not in inside]

    def _reached(self, block: Block, order: list[Block], *, left: bool) -> Op:
        """Give the condition under which an iteration comes to a block.

        `left` is false for the condition given that the loop has not been left before.
        """
        if block is self.header:
            return _ALWAYS
        self.build.where, self.build.name = block.where, ""
        above = self._always_after(block, order, left=left)
        if above is not None:
            return (self.condition_of if left else self.unless_left)[above]
        result = const(1, 0)
        for edge in self.edges:
            if edge.target is block:
                taken = edge.condition if left else edge.unless_left
                result = self.build.binary("or", result, taken)
        return result

    def _always_after(self, block: Block, order: list[Block], *, left: bool) -> Block | None:
        """Give the first block before this one that all paths come from, and lead from to it."""
        before = order[: order.index(block)]
        inside = set(self.blocks)
        sure = {block}
        for other in reversed(before):
            stays = [t for t in other.targets if left or t in inside]
            if stays and all(target in sure for target in stays):
                sure.add(other)
        into = [edge.source for edge in self.edges if edge.target is block]
        for other in before:
            passed = all(other in self.passed[source] or source is other for source in into)
            if other in sure and passed:
                return other
        return None

    def _take_in(self, block: Block, ops: list[Op]) -> None:
        reached = self.condition_of[block]
        into = [edge for edge in self.edges if edge.target is block]
        for op in ops:
            self.build.where, self.build.name = op.where, op.name
            if op.kind == "phi":
                self.values[op] = self._chosen(op, into, left=False)
                continue
            if op.kind == "store":
                lanes = self.build.resize(reached, op.args[2].width, signed=True)
                op.args[2] = self.build.binary("and", op.args[2], lanes)
            elif op.kind in ir_graph.STREAMING:
                op.args[-1] = self.build.binary("and", op.args[-1], reached)
            elif op.kind == "call":
                ifconvert.guard(op, reached, self.build)
            self.build.ops.append(op)

    def _chosen(self, phi: Op, edges: list[_Edge], *, left: bool) -> Op:
        """Give the value of a phi, by the edge that is taken.

        No two edges are taken at once: edges with one value are one choice, and the value with
        most of them needs no condition.
        """
        args = {s: self._value(a) for s, a in zip(phi.attr, phi.args, strict=True)}
        self.build.where, self.build.name = phi.where, phi.name
        ways: dict[Op, list[Op]] = {}
        for edge in edges:
            taken = edge.condition if left else edge.unless_left
            ways.setdefault(args[edge.source], []).append(taken)
        most = max(map(len, ways.values()))
        rest = next(value for value, taken in reversed(ways.items()) if len(taken) == most)
        choices = [(self._any(taken), value) for value, taken in ways.items() if value is not rest]
        return self._tree(phi, choices, rest)

    def _any(self, conditions: list[Op]) -> Op:
        result = conditions[0]
        for condition in conditions[1:]:
            result = self.build.binary("or", result, condition)
        return result

    def _tree(self, phi: Op, choices: list[tuple[Op, Op]], rest: Op) -> Op:
        """Choose between values with exclusive conditions, and what is left."""
        if not choices:
            return rest
        if len(choices) < 3:
            result = rest
            for condition, value in reversed(choices):
                self.build.name = phi.name
                result = self.build.mux(condition, value, result)
            return result
        half = (len(choices) + 1) // 2
        first, second = choices[:half], choices[half:]
        one = self._tree(phi, first[:-1], first[-1][1])
        two = self._tree(phi, second, rest)
        self.build.name = ""
        some = self._any([condition for condition, _ in first])
        self.build.name = phi.name
        return self.build.mux(some, one, two)

    def _value(self, op: Op) -> Op:
        while op in self.values:
            op = self.values[op]
        return op

    def _leave(self, block: Block) -> None:
        """Enter the edges of a block, with their conditions."""
        into = [edge.source for edge in self.edges if edge.target is block]
        passed = [self.passed[source] | {source} for source in into]
        self.passed[block] = set.intersection(*passed) if passed else set()
        build = self.build
        build.where, build.name = block.where, ""
        for target in dict.fromkeys(block.targets):
            taken = self._taken(block, target)
            condition = build.binary("and", self.condition_of[block], taken)
            stays = {other for other in block.targets if other in self.blocks}
            # Where all other ways leave the loop, this one is taken unless it is left.
            sure = _ALWAYS if stays == {target} else taken
            unless_left = build.binary("and", self.unless_left[block], sure)
            self.edges.append(_Edge(block, target, condition, unless_left))

    def _taken(self, block: Block, target: Block) -> Op:
        build = self.build
        if block.end == "jump" or all(other is target for other in block.targets):
            return _ALWAYS
        assert block.arg is not None
        arg = self._value(block.arg)
        if block.end == "branch":
            return arg if target is block.targets[0] else build.invert(arg)
        hits = [
            build.compare("eq", arg, const(arg.width, case))
            for case, other in zip(block.cases, block.targets[1:], strict=True)
            if (other is target) != (target is block.targets[0])
        ]
        result = const(1, 0)
        for hit in hits:
            result = build.binary("or", result, hit)
        # Of the default: no case that goes elsewhere.
        return build.invert(result) if target is block.targets[0] else result

    def _join(self, phi: Op, edges: list[_Edge], *, left: bool) -> None:
        """Give a phi outside one value for all edges from the loop."""
        if not edges:
            return
        sources = {edge.source for edge in edges}
        value = self._chosen(phi, edges, left=left)
        kept = [
            (arg, source)
            for arg, source in zip(phi.args, phi.attr, strict=True)
            if source not in sources
        ]
        phi.args = [arg for arg, _ in kept] + [value]
        phi.attr = [source for _, source in kept] + [self.header]

    def _close(self, exits: list[_Edge], where: str) -> None:
        """End the head: go round, or leave, through a choice if there are several ways out."""
        header, build = self.header, self.build
        targets = list(dict.fromkeys(edge.target for edge in exits))
        build.where, build.name = where, ""
        header.where, header.cases = where, []
        stop = const(1, 0)
        for edge in exits:
            stop = build.binary("or", stop, edge.unless_left)
        for target in targets:
            edges = [edge for edge in exits if edge.target is target]
            for phi in target.phis():
                self._join(phi, edges, left=True)
        if not targets:
            header.end, header.arg, header.targets = "jump", None, [header]
            return
        if self.once:
            assert len(targets) == 1, f"{header.name}: {len(targets)} ways out"
            header.end, header.arg, header.targets = "jump", None, targets
            return
        leave = targets[0] if len(targets) == 1 else self._dispatch(exits, targets, where)
        header.end, header.arg, header.targets = "branch", stop, [leave, header]

    def _dispatch(self, exits: list[_Edge], targets: list[Block], where: str) -> Block:
        """Give a block that goes on to where the loop was left to."""
        build, header = self.build, self.header
        names = {block.name for block in self.function.blocks}
        name = free_name(f"{header.name}_exit", names)
        width = (len(targets) - 1).bit_length()
        number = const(width, 0)
        for edge in exits:
            chosen = targets.index(edge.target)
            if chosen:
                number = build.mux(edge.condition, const(width, chosen), number)
        block = Block(name, end="switch", arg=number, where=where)
        block.targets, block.cases = list(targets), list(range(1, len(targets)))
        if len(targets) == 2:
            block.end, block.targets, block.cases = "branch", targets[::-1], []
        for target in targets:
            for phi in target.phis():
                phi.attr = [block if source is header else source for source in phi.attr]
        self.function.blocks.insert(self.function.blocks.index(header) + 1, block)
        return block
