# SPDX-License-Identifier: Apache-2.0
"""Arrays that pipelined functions share with their callers, as arguments and results.

A pipelined function has its memories to itself, so that one that is given an array could not be
one. Where all its accesses are of words that are known, as those of `uint32_t v[16]` are once its
loops are unrolled, or of a structure by value, it needs no memory: the words that it reads are
arguments, those that it writes are parts of its result. Callers load them before a call and store
them after it; where one caller is all that is left of the memory's users, and knows its words, too,
words are values there as well, and there is no memory at all.

A word is known if its index is a constant, or a pointer that each call gives as a constant and a
distance; words of one call must then be different ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Memory, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import clean, pipelining

# Bits of all words that are passed so.
MAX_BITS = 4096


@dataclass(frozen=True, slots=True)
class _Place:
    """An index: bits from `low` on of a distance and, if there is one, the value of an argument."""

    param: Op | None
    distance: int
    low: int
    bits: int

    def index(self, params: Sequence[Op], args: Sequence[Op]) -> int | None:
        """Give it in a call; None where the argument is no constant."""
        value = self.distance
        if self.param is not None:
            arg = args[params.index(self.param)]
            if arg.kind != "const":
                return None
            value += arg.attr
        return value >> self.low & (1 << self.bits) - 1


# A memory and where a word is in it.
_Word: TypeAlias = tuple[Memory, _Place]


def _place(index: Op) -> _Place | None:
    """Give the place that an index is; None where it is none."""
    if index.kind == "const":
        return _Place(None, index.attr, 0, index.width)
    inner, low = (index.args[0], index.attr) if index.kind == "slice" else (index, 0)
    if inner.kind == "param":
        return _Place(inner, 0, low, index.width)
    if inner.kind == "add" and [arg.kind for arg in inner.args] == ["param", "const"]:
        return _Place(inner.args[0], inner.args[1].attr, low, index.width)
    return None


def run(module: Module) -> None:
    """Pass such arrays by value, of all functions that are to be pipelined."""
    wanted = [one for one in pipelining.wanted_modules(module) if _has_accesses(module, one)]
    if not wanted:
        return
    _know_places(module, wanted)
    passed: dict[Memory, None] = {}
    for function in wanted:
        memories = _shared(module, function)
        if memories:
            _pass_by_value(module, function, memories)
            passed |= dict.fromkeys(memories)
    for memory in passed:
        users = [one for one in module.functions.values() if any(_accesses(one, memory))]
        indices = (op.args[0] for one in users for op in _accesses(one, memory))
        if len(users) == 1 and all(
            one.kind == "const" and one.attr < memory.depth for one in indices
        ):
            _keep_as_values(users[0], memory)


def _has_accesses(module: Module, function: Function) -> bool:
    """Whether a function, or one that it reaches, accesses a memory."""
    return any(any(_accesses(one)) for one in module.callees_first(function))


def _know_places(module: Module, wanted: list[Function]) -> None:
    """Replace arguments of such functions that are the same constant in all calls: of pointers,
    whose places the front end did not know.
    """
    calls: dict[Function, list[Op]] = {}
    for function in module.functions.values():
        for op in function.ops():
            if op.kind == "call":
                calls.setdefault(op.attr, []).append(op)
    known: dict[Op, Op] = {}
    for function in reversed(module.callees_first()):
        mine = calls.get(function, [])
        for param, *args in zip(function.params, *(call.args for call in mine), strict=True):
            values = {known.get(arg, arg) for arg in args}
            if len(values) == 1 and (value := values.pop()).kind == "const":
                known[param] = value
        if function in wanted:
            ir_graph.replace(function, known)
            clean.clean(function)


def _shared(module: Module, function: Function) -> list[Memory]:
    """Give the memories that a function shares with its callers and can be given by value."""
    if cfg.find_loops(function):
        return []
    inner = {*module.callees_first(function)[:-1]}
    calls = [op for f in module.functions.values() for op in f.ops() if op.attr is function]
    written = module.written()
    found = []
    for memory in dict.fromkeys(op.attr for op in _accesses(function)):
        users = {f for f in module.functions.values() if any(_accesses(f, memory))}
        is_ours = memory in written and not memory.port and not users & inner
        if is_ours and len(users) > 1 and _are_known(function, calls, memory):
            found.append(memory)
    bits = sum(memory.width for memory, _ in _words(function, found))
    return found if bits <= MAX_BITS else []


def _accesses(function: Function, memory: Memory | None = None) -> Iterator[Op]:
    """Walk the loads and stores of a function, of one memory or of all."""
    for op in function.ops():
        if op.kind in ("load", "store") and memory in (None, op.attr):
            yield op


def _are_known(function: Function, calls: Iterable[Op], memory: Memory) -> bool:
    """Whether a function's words of a memory are known, and different ones, in all its calls."""
    places = {_place(op.args[0]) for op in _accesses(function, memory)}
    for call in calls:
        found = {None if one is None else one.index(function.params, call.args) for one in places}
        if len(found) < len(places) or any(n is None or n >= memory.depth for n in found):
            return False
    return True


def _words(function: Function, memories: Iterable[Memory]) -> dict[_Word, None]:
    """Give the words of memories that a function accesses, all of known places."""
    wanted = set(memories)
    return {word: None for op in _accesses(function) if op.attr in wanted if (word := _word(op))}


def _word(access: Op) -> _Word:
    """Give the word that an access is of."""
    place = _place(access.args[0])
    assert place is not None, "all places are known"
    return access.attr, place


def _pass_by_value(module: Module, function: Function, memories: list[Memory]) -> None:
    """Change a function and its calls."""
    words = _words(function, memories)
    stores = [op for op in _accesses(function) if op.kind == "store" and op.attr in memories]
    stored = list(dict.fromkeys(map(_word, stores)))
    given = {
        word: Op("param", word[0].width, name=word[0].name, where=function.where) for word in words
    }
    ends = _values(function, given)
    for block, values in ends.items():
        if block.end == "ret" and stored:
            build = Builder(block.ops)
            own = [block.arg] if block.arg is not None else []
            block.arg = build.concat(*reversed([*own, *(values[word] for word in stored)]))
    before = function.width
    function.width += sum(memory.width for memory, _ in stored)
    clean.clean(function)
    used = ir_graph.uses(function)
    read = [word for word, param in given.items() if used.get(param)]
    old = function.params
    kept = [number for number, param in enumerate(old) if used.get(param)]
    function.params = [old[number] for number in kept] + [given[word] for word in read]
    for number, param in enumerate(function.params):
        param.attr = number

    def change(op: Op, build: Builder) -> Op | None:
        """Load what the function reads, call it, store what it gives; give its own result."""
        args = [op.args[number] for number in kept]
        for memory, place in read:
            index = _index(memory, place.index(old, op.args))
            args.append(build.make("load", memory.width, [index], memory))
        call = build.make("call", function.width, args, function)
        low = before
        for memory, place in stored:
            value, mask = build.slice(call, low, memory.width), const(memory.lanes, -1)
            index = _index(memory, place.index(old, op.args))
            build.make("store", 0, [index, value, mask], memory)
            low += memory.width
        return build.slice(call, 0, before) if before else None

    for caller in module.functions.values():
        _change_calls(caller, function, change)


def _change_calls(
    caller: Function, function: Function, change: Callable[[Op, Builder], Op | None]
) -> None:
    """Put others in the place of the calls of a function."""
    values: dict[Op, Op] = {}
    for block in caller.blocks:
        if not any(op.attr is function for op in block.ops):
            continue
        old, block.ops = block.ops, []
        build = Builder(block.ops)
        for op in old:
            if op.attr is not function:
                block.ops.append(op)
                continue
            build.where, build.name = op.where, op.name
            result = change(op, build)
            if result is not None:
                values[op] = result
    ir_graph.replace(caller, values)


def _index(memory: Memory, index: int | None) -> Op:
    assert index is not None, "all places are known"
    return const(memory.index_width, index)


def _keep_as_values(function: Function, memory: Memory) -> None:
    """Make values of the words of a memory that one function alone accesses.

    Where it uses what a word was when it began, as of a static array, that is loaded then, and what
    the word is when it ends is stored.
    """
    loads: list[Op] = []
    build = Builder(loads)
    given = {
        word: build.make("load", memory.width, [_index(memory, word[1].distance)], memory)
        for word in _words(function, [memory])
    }
    ends = {b: values for b, values in _values(function, given).items() if b.end == "ret"}
    function.blocks[0].ops[:0] = loads
    # What is stored may be made of what other words were.
    kept: list[_Word] = []
    while True:
        live = clean.find_live(function, [values[w] for values in ends.values() for w in kept])
        found = [word for word, load in given.items() if load in live]
        if found == kept:
            break
        kept = found
    for block, values in ends.items():
        build.ops = block.ops
        for word in kept:
            index, mask = _index(memory, word[1].distance), const(memory.lanes, -1)
            build.make("store", 0, [index, values[word], mask], memory)
    clean.clean(function)


def _values(function: Function, given: Mapping[_Word, Op]) -> dict[Block, dict[_Word, Op]]:
    """Make values of accesses of words in a function.

    Parameters
    ----------
    given : mapping
        Words to what they are when it begins; all accesses of their memories are of these.

    Returns
    -------
    dict
        Block to what the words are at its end.
    """
    sources = function.predecessors()
    ends: dict[Block, dict[_Word, Op]] = {}
    joins: dict[Block, dict[_Word, Op]] = {}
    replaced: dict[Op, Op] = {}
    memories = {memory for memory, _ in given}
    for block in cfg.reverse_postorder(function):
        if block is function.blocks[0]:
            now = dict(given)
        elif len(sources[block]) == 1:
            now = dict(ends[sources[block][0]])
        else:
            now = {word: Op("phi", word[0].width, attr=[], name=word[0].name) for word in given}
            joins[block] = dict(now)
        old, block.ops = block.ops, []
        build = Builder(block.ops)
        for op in old:
            if op.kind == "load" and op.attr in memories:
                replaced[op] = now[_word(op)]
            elif op.kind == "store" and op.attr in memories:
                word = _word(op)
                build.where, build.name = op.where, op.attr.name
                value = replaced.get(op.args[1], op.args[1])
                now[word] = build.by_lanes(op.args[2], value, now[word])
            else:
                block.ops.append(op)
        ends[block] = now
    for block, phis in joins.items():
        for word, phi in phis.items():
            phi.attr = list(sources[block])
            phi.args = [ends[source][word] for source in sources[block]]
        block.ops[:0] = phis.values()
    ir_graph.replace(function, replaced)
    return ends
