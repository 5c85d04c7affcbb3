# SPDX-License-Identifier: Apache-2.0
"""Checks that a module is well formed: widths, dominance, phis, terminators, references.

Runs after import, after every pass and before emission. A failure is a defect of the compiler, so
it is an assertion, with the place in the message.
"""

from __future__ import annotations

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Function, Memory, Op, Stream
from lydite.hls.ir.module import Module


def verify(module: Module, *, after: str = "") -> None:
    """Check a whole module.

    Raises
    ------
    AssertionError
        Something is malformed; the message names function, block, operation and `after`.
    """
    try:
        assert module.top in module.functions, f"no top function {module.top}"
        for name, memory in module.memories.items():
            _check_memory(name, memory)
        for name, stream in module.streams.items():
            _check_stream(module, name, stream)
        for name, function in module.functions.items():
            assert name == function.name, f"function {function.name} is listed as {name}"
            _check_function(module, function)
        _check_calls(module)
    except AssertionError as error:
        raise AssertionError(
            f"IR is malformed{f' after {after}' if after else ''}: {error}"
        ) from None


def _check_memory(name: str, memory: Memory) -> None:
    assert name == memory.name, f"memory {memory.name} is listed as {name}"
    assert memory.width > 0 and memory.depth > 0, f"memory {name} is empty"
    assert memory.lanes >= 1 and memory.width % memory.lanes == 0, f"lanes of memory {name}"
    assert len(memory.init) <= memory.depth, f"memory {name} has more contents than words"
    limit = 1 << memory.width
    assert all(0 <= word < limit for word in memory.init), f"contents of memory {name}"


def _check_stream(module: Module, name: str, stream: Stream) -> None:
    assert name == stream.name, f"stream {stream.name} is listed as {name}"
    assert name not in module.memories, f"stream {name} is also a memory"
    most = 64 if not stream.depth else 1 << 30
    assert 1 <= stream.data_bytes <= most or stream.bits, f"bytes of stream {name}"
    assert 0 <= stream.user_bits <= 64, f"user bits of stream {name}"


def _check_function(module: Module, function: Function) -> None:
    place = f"@{function.name}"
    assert function.blocks, f"{place} has no blocks"
    known = set(function.blocks)
    assert len(known) == len(function.blocks), f"{place} lists a block twice"
    names = {block.name for block in function.blocks}
    assert len(names) == len(function.blocks), f"{place} has two blocks of one name"
    predecessors: dict[Block, list[Block]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for target in dict.fromkeys(block.targets):
            assert target in known, f"{place} {block.name}: jumps out of the function"
            predecessors[target].append(block)
    assert not predecessors[function.blocks[0]], f"{place}: the entry has a predecessor"
    home: dict[Op, tuple[Block, int]] = {}
    for index, param in enumerate(function.params):
        assert param.kind == "param" and param.attr == index, f"{place}: parameter {index}"
        assert param.width > 0, f"{place}: parameter {index} has no width"
        home[param] = (function.blocks[0], -1)
    for block in function.blocks:
        for position, op in enumerate(block.ops):
            assert op not in home, f"{place} {block.name}: {op} stands twice"
            home[op] = (block, position)
    dominators = cfg.immediate_dominators(function)
    assert len(dominators) == len(function.blocks), f"{place} has unreachable blocks"
    spans = cfg.dominator_spans(dominators)
    for block in function.blocks:
        _check_block(module, function, block, home, spans, predecessors[block])


def _check_block(
    module: Module,
    function: Function,
    block: Block,
    home: dict[Op, tuple[Block, int]],
    spans: dict[Block, tuple[int, int]],
    predecessors: list[Block],
) -> None:
    place = f"@{function.name} {block.name}"
    body = False
    for position, op in enumerate(block.ops):
        if op.kind == "phi":
            assert not body, f"{place} {op}: phi after other operations"
            _check_phi(op, home, spans, predecessors, place)
            continue
        body = True
        assert op.kind in ir_graph.KINDS and op.kind not in ("const", "param"), (
            f"{place} {op}: kind"
        )
        for arg in op.args:
            if arg.kind == "const":
                continue
            assert arg in home, f"{place} {op}: {arg} is not in the function"
            other, index = home[arg]
            defined = index < position if other is block else cfg.dominates(spans, other, block)
            assert defined, f"{place} {op}: {arg} is used before it is defined"
        _check_op(module, op, place)
    _check_end(function, block, home, spans, place)


def _check_phi(
    op: Op,
    home: dict[Op, tuple[Block, int]],
    spans: dict[Block, tuple[int, int]],
    predecessors: list[Block],
    place: str,
) -> None:
    edges = set(op.attr)
    assert len(op.attr) == len(op.args), f"{place} {op}: edges and values differ in number"
    assert len(edges) == len(op.attr), f"{place} {op}: an edge stands twice"
    assert edges == set(predecessors), f"{place} {op}: edges are not the predecessors"
    for arg, source in zip(op.args, op.attr, strict=True):
        assert arg.width == op.width, f"{place} {op}: width of {arg}"
        if arg.kind != "const":
            assert arg in home, f"{place} {op}: {arg} is not in the function"
            defined = cfg.dominates(spans, home[arg][0], source)
            assert defined, f"{place} {op}: {arg} undefined"


def _check_op(module: Module, op: Op, place: str) -> None:
    kind, width = op.kind, op.width
    widths = [arg.width for arg in op.args]
    if kind in ir_graph.BINARY:
        assert widths == [width, width] and width > 0, f"{place} {op}: widths {widths}"
    elif kind in ir_graph.SHIFTS:
        assert len(widths) == 2 and widths[0] == width > 0 < widths[1], (
            f"{place} {op}: widths {widths}"
        )
    elif kind in ir_graph.COMPARES:
        assert len(widths) == 2 and widths[0] == widths[1] > 0, f"{place} {op}: widths {widths}"
        assert width == 1, f"{place} {op}: a comparison has one bit"
    elif kind == "mux":
        assert widths == [1, width, width] and width > 0, f"{place} {op}: widths {widths}"
    elif kind == "slice":
        assert len(widths) == 1 and width > 0, f"{place} {op}: widths {widths}"
        assert op.attr >= 0 and op.attr + width <= widths[0], f"{place} {op}: bits from {op.attr}"
    elif kind == "concat":
        assert len(widths) >= 1 and sum(widths) == width and all(widths), f"{place} {op}: {widths}"
    elif kind in ("zext", "sext"):
        assert len(widths) == 1 and 0 < widths[0] < width, f"{place} {op}: widths {widths}"
    elif kind == "divmod":
        assert len(widths) == 2 and widths[0] == widths[1] > 0, f"{place} {op}: widths {widths}"
        assert width == 2 * widths[0], f"{place} {op}: a division has two results"
    elif kind in ("load", "store"):
        memory: Memory = op.attr
        assert module.memories.get(memory.name) is memory, f"{place} {op}: foreign memory"
        expected = [memory.index_width]
        if kind == "load":
            assert width == memory.width, f"{place} {op}: width of a word"
        else:
            expected += [memory.width, memory.lanes]
            assert width == 0 and not memory.constant, f"{place} {op}: store to {memory.name}"
        assert widths == expected, f"{place} {op}: widths {widths}, expected {expected}"
    elif kind in ir_graph.STREAMING:
        stream: Stream = op.attr
        assert module.streams.get(stream.name) is stream, f"{place} {op}: foreign stream"
        fits = stream.depth > 0 or stream.writes == (kind == "write")
        assert fits, f"{place} {op}: direction of {stream.name}"
        expected = [stream.width, 1] if kind == "write" else [1]
        assert widths == expected, f"{place} {op}: widths {widths}, expected {expected}"
        assert width == (0 if kind == "write" else stream.width), f"{place} {op}: width of a beat"
    else:
        assert kind == "call", f"{place} {op}: unknown kind"
        callee: Function = op.attr
        assert module.functions.get(callee.name) is callee, f"{place} {op}: foreign function"
        expected = [p.width for p in callee.params]
        conditional = callee.interval > 0 and widths == [*expected, 1]
        assert widths == expected or conditional, f"{place} {op}: arguments {widths}"
        assert width == callee.width, f"{place} {op}: width of the result"


def _check_end(
    function: Function,
    block: Block,
    home: dict[Op, tuple[Block, int]],
    spans: dict[Block, tuple[int, int]],
    place: str,
) -> None:
    arg, count = block.arg, len(block.targets)
    if arg is not None and arg.kind != "const":
        assert arg in home, f"{place}: argument of {block.end} undefined"
        defined = cfg.dominates(spans, home[arg][0], block)
        assert defined, f"{place}: argument of {block.end} undefined"
    if block.end == "jump":
        assert count == 1 and arg is None, f"{place}: jump"
    elif block.end == "branch":
        assert count == 2 and arg is not None and arg.width == 1, f"{place}: branch"
    elif block.end == "switch":
        assert arg is not None and count == len(block.cases) + 1, f"{place}: switch"
        assert len(set(block.cases)) == len(block.cases), f"{place}: a case stands twice"
        assert all(0 <= case < 1 << arg.width for case in block.cases), f"{place}: case too wide"
    else:
        assert block.end == "ret" and count == 0, f"{place}: end {block.end}"
        assert (arg.width if arg else 0) == function.width, f"{place}: width of the result"


def _check_calls(module: Module) -> None:
    """Refuse recursion: callees must come before callers in some order."""
    done: set[Function] = set()
    active: list[Function] = []

    def visit(function: Function) -> None:
        assert function not in active, f"@{function.name} calls itself"
        if function in done:
            return
        active.append(function)
        for op in function.ops():
            if op.kind == "call":
                visit(op.attr)
        active.pop()
        done.add(function)

    for function in module.functions.values():
        visit(function)
