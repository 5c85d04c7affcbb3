# SPDX-License-Identifier: Apache-2.0
"""Runs the IR: each function becomes a Python function; state is kept from call to call.

The interpreter and the hardware give the same answer for every program, also where C gives none;
`graph` says what that answer is. Blocks are counted, so that cycles follow from a schedule.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lydite.base import CheckFailed, InputError
from lydite.hls.contract.banking import Split
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Function, Memory, Op
from lydite.hls.ir.module import Module

# More runs of one block than any test needs: a program that does not end.
_DEFAULT_LIMIT = 50_000_000


@dataclass(frozen=True, slots=True)
class CallResult:
    """What one call of the top function did.

    Attributes
    ----------
    value : int or None
        The result as an unsigned number; None for void.
    arrays : dict
        Contents of every argument array after the call, as C bytes.
    streams : dict
        Beats that the call gave to each stream that it writes, as `ir.Stream.width` has their bits.
    steps : int
        Blocks that were run.
    """

    value: int | None
    arrays: dict[str, bytes]
    steps: int
    streams: dict[str, tuple[int, ...]] = field(default_factory=dict)


class Machine:
    """A module that can be called again and again.

    Parameters
    ----------
    module : Module
        Verified IR.
    limit : int
        Runs of any one block after which a program counts as endless.
    """

    def __init__(self, module: Module, *, limit: int = _DEFAULT_LIMIT) -> None:
        self.module = module
        self.limit = limit
        self.memories: dict[str, list[int]] = {}
        self.counts: dict[str, list[int]] = {}
        # Beats that wait, for a stream that is read; that were given, for one that is written.
        self.streams: dict[str, deque[int]] = {name: deque() for name in module.streams}
        # Those from function to function, with the most that ever waited.
        self.inside = {name: _Queue() for name, s in module.streams.items() if s.depth}
        self.streams.update(self.inside)
        self.reset()
        self._functions: dict[str, Callable[..., Any]] = {}
        for function in module.callees_first():
            self._functions[function.name] = _compile(function, self)

    def reset(self) -> None:
        """Put every memory back to its contents at power-up, and block counts to 0."""
        for memory in self.module.memories.values():
            words = list(memory.init) + [0] * ((1 << memory.index_width) - len(memory.init))
            # Functions hold on to their lists: change them in place.
            self.memories.setdefault(memory.name, words)[:] = words
        for beats in self.streams.values():
            beats.clear()
        for function in self.module.functions.values():
            zeros = [0] * len(function.blocks)
            self.counts.setdefault(function.name, zeros)[:] = zeros

    def call(
        self,
        scalars: Mapping[str, int],
        arrays: Mapping[str, bytes] | None = None,
        streams: Mapping[str, Sequence[int]] | None = None,
    ) -> CallResult:
        """Call the top function.

        Parameters
        ----------
        scalars : mapping
            Value of each scalar argument by its name; negative ones are taken modulo their width.
        arrays : mapping, optional
            Bytes of argument arrays by port name; those not given are zero, short ones are filled
            up.
        streams : mapping, optional
            Beats by port name, for streams that are read: they wait behind those that earlier calls
            left.

        Raises
        ------
        CheckFailed
            The program does not end within the limit, or reads an empty stream.
        """
        ports = self._ports()
        cut = {name: s for name, s in self.module.splits.items() if s.banks[0] in ports}
        given_arrays = dict(arrays or {})
        for name, split in cut.items():
            given_arrays |= _scattered(split, given_arrays.pop(name, b""))
        for name, memory in ports.items():
            _fill(self.memories[name], memory, given_arrays.get(name, b""))
        for name, beats in (streams or {}).items():
            self.streams[name].extend(beats)
        for name in self._written():
            self.streams[name].clear()
        top = self.module.top_function
        given = [scalars[param.name] & ((1 << param.width) - 1) for param in top.params]
        before = sum(map(sum, self.counts.values()))
        value = self._functions[top.name](*given)
        after = {name: _bytes(self.memories[name], memory) for name, memory in ports.items()}
        for name, split in cut.items():
            after[name] = _gathered(split, [after.pop(bank) for bank in split.banks])
        steps = sum(map(sum, self.counts.values())) - before
        written = {name: tuple(self.streams[name]) for name in self._written()}
        return CallResult(value if top.width else None, after, steps, written)

    def _written(self) -> list[str]:
        streams = self.module.streams.items()
        return [name for name, stream in streams if stream.writes and not stream.depth]

    def _ports(self) -> dict[str, Memory]:
        return {name: m for name, m in self.module.memories.items() if m.port}


def _scattered(split: Split, data: bytes) -> dict[str, bytes]:
    """Give the bytes of each bank of an array."""
    unit = split.width // 8
    whole = data.ljust(split.depth * unit, b"\0")
    return {
        bank: b"".join(
            whole[index * unit : (index + 1) * unit] if index >= 0 else bytes(unit)
            for word in words
            for index in word
        )
        for bank, words in zip(split.banks, split.words(), strict=True)
    }


def _gathered(split: Split, banks: list[bytes]) -> bytes:
    """Give the bytes of an array from those of its banks."""
    unit = split.width // 8
    result = bytearray(split.depth * unit)
    for data, words in zip(banks, split.words(), strict=True):
        places = [index for word in words for index in word]
        for at, index in enumerate(places):
            if index >= 0:
                result[index * unit : (index + 1) * unit] = data[at * unit : (at + 1) * unit]
    return bytes(result)


def _fill(words: list[int], memory: Memory, data: bytes) -> None:
    unit = memory.width // 8
    size = memory.depth * unit
    if len(data) > size:
        raise InputError(memory.name, f"{len(data)} bytes given for an array of {size} bytes")
    whole = data.ljust(size, b"\0")
    words[: memory.depth] = [
        int.from_bytes(whole[at : at + unit], "little") for at in range(0, size, unit)
    ]


def _bytes(words: list[int], memory: Memory) -> bytes:
    unit = memory.width // 8
    return b"".join(word.to_bytes(unit, "little") for word in words[: memory.depth])


class _Queue(deque[int]):
    """Beats that wait, and the most that there were."""

    highest = 0

    def append(self, beat: int) -> None:
        super().append(beat)
        self.highest = max(self.highest, len(self))


class LaneMasks(dict[int, int]):
    """For each write mask, the bits of a word that it lets through; found when first asked for."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._lanes = memory.lanes
        self._each = memory.width // memory.lanes

    def __missing__(self, mask: int) -> int:
        full = (1 << self._each) - 1
        result = sum(full << (n * self._each) for n in range(self._lanes) if mask >> n & 1)
        self[mask] = result
        return result


def _compile(function: Function, machine: Machine) -> Callable[..., Any]:
    """Give a Python function that runs one of ours."""
    writer = _Writer(function)
    source = writer.write()
    scope: dict[str, Any] = {
        "C": machine.counts[function.name],
        "LIMIT": machine.limit,
        "endless": _endless,
        "where": function.name,
    }
    for name, memory in writer.memories.items():
        scope[name] = machine.memories[memory.name]
        if memory.lanes > 1:
            scope[f"X{name}"] = LaneMasks(memory)
    for name, stream in writer.streams.items():
        scope[name] = _reader(stream, machine) if name[0] == "r" else machine.streams[stream].append
    for name, callee in writer.callees.items():
        scope[name] = machine._functions[callee.name]
    exec(compile(source, f"<lydite {function.name}>", "exec"), scope)
    return scope["run"]  # type: ignore[no-any-return]


def _reader(stream: str, machine: Machine) -> Callable[[], int]:
    beats = machine.streams[stream]

    def read() -> int:
        if not beats:
            raise CheckFailed(f"a beat on {stream}", "none is left", "interpreting a read")
        return beats.popleft()

    return read


def _endless(function: str) -> None:
    raise CheckFailed("a program that ends", "one that runs on", f"interpreting {function}")


class _Writer:
    """Writes the Python text of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.lines: list[str] = []
        self.names: dict[Op, str] = {}
        self.memories: dict[str, Memory] = {}
        self.callees: dict[str, Function] = {}
        self.streams: dict[str, str] = {}
        self.memory_names: dict[Memory, str] = {}
        self.number = {block: index for index, block in enumerate(function.blocks)}
        for op in [*function.params, *function.ops()]:
            self.names[op] = f"v{len(self.names)}"
        self.headers = {loop.header for loop in cfg.find_loops(function)}

    def value(self, op: Op) -> str:
        return str(op.attr) if op.kind == "const" else self.names[op]

    def write(self) -> str:
        params = ", ".join(self.names[param] for param in self.function.params)
        self.lines = [f"def run({params}):", " b = 0", " while 1:"]
        self._tree(self.function.blocks, 2)
        return "\n".join(self.lines)

    def _tree(self, blocks: list[Block], depth: int) -> None:
        """Find the block to run by halving."""
        if len(blocks) == 1:
            self._block(blocks[0], depth)
            return
        middle = len(blocks) // 2
        self.lines.append(f"{' ' * depth}if b < {self.number[blocks[middle]]}:")
        self._tree(blocks[:middle], depth + 1)
        self.lines.append(f"{' ' * depth}else:")
        self._tree(blocks[middle:], depth + 1)

    def _block(self, block: Block, depth: int) -> None:
        pad = " " * depth
        number = self.number[block]
        self.lines.append(f"{pad}C[{number}] += 1")
        if block in self.headers:
            self.lines.append(f"{pad}if C[{number}] > LIMIT: endless(where)")
        for op in block.ops:
            if op.kind != "phi":
                self.lines += [pad + line for line in self._operation(op)]
        if block.end == "ret":
            self.lines.append(f"{pad}return {self.value(block.arg) if block.arg else 0}")
            return
        if block.end == "jump":
            self._edge(block, block.targets[0], depth)
            return
        assert block.arg is not None
        if block.end == "branch":
            self.lines.append(f"{pad}if {self.value(block.arg)}:")
            self._edge(block, block.targets[0], depth + 1)
            self.lines.append(f"{pad}else:")
            self._edge(block, block.targets[1], depth + 1)
            return
        word = "if"
        for case, target in zip(block.cases, block.targets[1:], strict=True):
            self.lines.append(f"{pad}{word} {self.value(block.arg)} == {case}:")
            self._edge(block, target, depth + 1)
            word = "elif"
        if block.cases:
            self.lines.append(f"{pad}else:")
        self._edge(block, block.targets[0], depth + bool(block.cases))

    def _edge(self, source: Block, target: Block, depth: int) -> None:
        pad = " " * depth
        moves = [
            (self.names[phi], self.value(phi.args[phi.attr.index(source)])) for phi in target.phis()
        ]
        moves = [(to, value) for to, value in moves if to != value]
        if moves:
            left = ", ".join(to for to, _ in moves)
            right = ", ".join(value for _, value in moves)
            self.lines.append(f"{pad}{left} = {right}")
        self.lines.append(f"{pad}b = {self.number[target]}")

    def _memory(self, memory: Memory) -> str:
        if memory not in self.memory_names:
            name = f"m{len(self.memory_names)}"
            self.memory_names[memory] = name
            self.memories[name] = memory
        return self.memory_names[memory]

    def _operation(self, op: Op) -> list[str]:
        if op.kind == "store":
            return self._store(op)
        if op.kind in ir_graph.STREAMING:
            name = f"{'w' if op.kind == 'write' else 'r'}_{op.attr.name}"
            self.streams[name] = op.attr.name
            if op.kind == "read":
                return [f"{self.names[op]} = {name}() if {self.value(op.args[0])} else 0"]
            return [f"if {self.value(op.args[1])}: {name}({self.value(op.args[0])})"]
        if op.kind == "call":
            name = f"f_{op.attr.name}"
            self.callees[name] = op.attr
            count = len(op.attr.params)
            args = ", ".join(self.value(arg) for arg in op.args[:count])
            asked = ir_graph.condition(op)
            happens = "" if asked is None else f" if {self.value(asked)} else 0"
            return [f"{self.names[op]} = {name}({args}){happens}"]
        return [f"{self.names[op]} = {self._expression(op)}"]

    def _store(self, op: Op) -> list[str]:
        memory: Memory = op.attr
        name = self._memory(memory)
        index, word, mask = (self.value(arg) for arg in op.args)
        guards = []
        if memory.depth < 1 << memory.index_width:
            guards.append(f"{index} < {memory.depth}")
        if memory.lanes == 1:
            if op.args[2].kind != "const":
                guards.append(mask)
            elif not op.args[2].attr:
                return []
            action = f"{name}[{index}] = {word}"
        else:
            action = (
                f"{name}[{index}] = {name}[{index}] & ~X{name}[{mask}] | {word} & X{name}[{mask}]"
            )
        return [f"if {' and '.join(guards)}: {action}" if guards else action]

    def _expression(self, op: Op) -> str:
        kind, width = op.kind, op.width
        args = [self.value(arg) for arg in op.args]
        mask = (1 << width) - 1
        if kind in ("and", "or", "xor"):
            return f"{args[0]} {ir_graph.SIGNS[kind]} {args[1]}"
        if kind in ("add", "sub", "mul"):
            return f"{args[0]} {ir_graph.SIGNS[kind]} {args[1]} & {mask}"
        if kind == "shl":
            return f"({args[0]} << {args[1]} & {mask} if {args[1]} < {width} else 0)"
        if kind == "lshr":
            return f"{args[0]} >> {args[1]}"
        if kind == "ashr":
            return f"{_signed(args[0], width)} >> {args[1]} & {mask}"
        if kind in ir_graph.COMPARES:
            if kind[0] == "s":
                sign = 1 << (op.args[0].width - 1)
                args = [f"({arg} ^ {sign})" for arg in args]
            return f"1 if {args[0]} {ir_graph.SIGNS[kind]} {args[1]} else 0"
        if kind == "mux":
            return f"{args[1]} if {args[0]} else {args[2]}"
        if kind == "slice":
            shifted = f"{args[0]} >> {op.attr}" if op.attr else args[0]
            return f"{shifted} & {mask}" if op.attr + width < op.args[0].width else shifted
        if kind == "concat":
            return self._concat(op, args)
        if kind == "zext":
            return args[0]
        if kind == "sext":
            return f"{_signed(args[0], op.args[0].width)} & {mask}"
        if kind == "divmod":
            half = op.args[0].width
            first, second = args
            zero = f"{first} << {half} | {(1 << half) - 1}"
            return f"({first} % {second} << {half} | {first} // {second} if {second} else {zero})"
        assert kind == "load", f"{kind} cannot be interpreted"
        return f"{self._memory(op.attr)}[{args[0]}]"

    def _concat(self, op: Op, args: list[str]) -> str:
        low = op.width
        terms = []
        for arg, text in zip(op.args, args, strict=True):
            low -= arg.width
            if arg.kind == "const" and arg.attr == 0:
                continue
            terms.append(f"{text} << {low}" if low else text)
        return " | ".join(terms) or "0"


def _signed(text: str, width: int) -> str:
    sign = 1 << (width - 1)
    return f"(({text} ^ {sign}) - {sign})"
