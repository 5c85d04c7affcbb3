# SPDX-License-Identifier: Apache-2.0
"""The text form of the IR: a printer, and a parser that reads back exactly what was printed.

    module @f
    memory @a width 32 depth 16 lanes 1 port in objects "a"+0 where "k.c:3"
    function @f(%0:32 "n") : 32 where "k.c:3" {
    entry:
      %1:4 "i" = slice %0 from 0 ; "k.c:5"
      %2:32 = load @a %1 ; "k.c:5"
      %3:32 = add %2 32'0x3 ; "k.c:6"
      ret %3 ; "k.c:7"
    }

Values are numbered in order; a constant is its width and hexadecimal value. Names in quotes are the
C variables, the text after `;` is the place in the source.
"""

from __future__ import annotations

import re

from lydite.hls.contract import banking, directive_text
from lydite.hls.contract.banking import Split
from lydite.hls.contract.directives import Directive
from lydite.hls.contract.interface import HANDSHAKES, REGISTERS
from lydite.hls.ir.graph import (
    BLOCK_ENDS,
    KINDS,
    Block,
    BlockEnd,
    Function,
    Memory,
    Op,
    Stream,
    const,
)
from lydite.hls.ir.module import Module


def print_module(module: Module) -> str:
    """Give the text of a module."""
    lines = [f"module @{module.top}"]
    lines += [_pragma(directive) for directive in module.pragmas]
    lines += [_split(split) for split in module.splits.values()]
    lines += [_memory(memory) for memory in module.memories.values()]
    lines += [_stream(stream) for stream in module.streams.values()]
    for function in module.functions.values():
        lines += _function(function)
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _pragma(directive: Directive) -> str:
    words = ["pragma", _quote(directive_text.text(directive))]
    if directive.where:
        words.append(f"where {_quote(directive.where)}")
    return " ".join(words + ["outside"] * directive.outside)


def _split(split: Split) -> str:
    banks = " ".join(f"@{name}" for name in split.banks)
    digits = banking.as_text(split.digits)
    return f"split @{split.name} width {split.width} depth {split.depth} banks {banks} : {digits}"


def _memory(memory: Memory) -> str:
    words = [f"memory @{memory.name} width {memory.width} depth {memory.depth}"]
    words.append(f"lanes {memory.lanes} base {memory.base}")
    words += ["port"] * memory.port + ["const"] * memory.constant
    if memory.kind:
        words.append(f"kind {memory.kind}")
    if memory.array:
        words.append(f"of {memory.array}")
    words += [f"object {_quote(name)}+{offset}" for name, offset in memory.objects]
    if memory.where:
        words.append(f"where {_quote(memory.where)}")
    if memory.shape:
        words.append("shape " + ",".join(map(str, memory.shape)))
    if memory.storage:
        words.append(f"storage {memory.storage}")
    if memory.type:
        words.append(f"type {memory.type}")
    words += ["part"] * memory.part
    if memory.pragmas:
        words.append("pragmas " + ",".join(map(str, memory.pragmas)))
    if memory.init:
        words.append("init " + " ".join(f"{word:x}" for word in memory.init))
    return " ".join(words)


def _stream(stream: Stream) -> str:
    direction = "out" if stream.writes else "in"
    text = f"stream @{stream.name} {direction} data {stream.data_bytes} user {stream.user_bits}"
    if stream.bits:
        text += f" bits {stream.bits} protocol {stream.protocol}"
    if stream.registers != "both":
        text += f" registers {stream.registers}"
    if stream.depth:
        text += f" depth {stream.depth}"
    return f"{text} where {_quote(stream.where)}" if stream.where else text


def _function(function: Function) -> list[str]:
    number: dict[Op, int] = {param: index for index, param in enumerate(function.params)}
    for op in function.ops():
        if op.width:
            number[op] = len(number)

    def value(op: Op) -> str:
        return f"{op.width}'0x{op.attr:x}" if op.kind == "const" else f"%{number[op]}"

    def named(op: Op) -> str:
        return f"%{number[op]}:{op.width}" + (f" {_quote(op.name)}" if op.name else "")

    params = ", ".join(named(param) for param in function.params)
    head = f"function @{function.name}({params}) : {function.width}" + " macro" * function.macro
    if function.interval:
        head += f" latency {function.latency} interval {function.interval}"
        head += " stateful" * function.stateful + " stands" * function.stallable
        head += " piped" * function.is_pipelined
        head += f" limit {function.limit}" if function.limit else ""
    if function.where:
        head += f" where {_quote(function.where)}"
    if function.pragmas:
        head += " pragmas " + ",".join(map(str, function.pragmas))
    lines = ["", head + " {"]
    for block in function.blocks:
        pragmas = " pragmas " + ",".join(map(str, block.pragmas)) if block.pragmas else ""
        loop = f" loop {_quote(block.loop)}" if block.loop else ""
        lines.append(f"{block.name}:{loop}{pragmas}")
        for op in block.ops:
            text = f"  {named(op)} = {op.kind}" if op.width else f"  {op.kind}"
            if op.kind in ("load", "store", "call", "read", "write"):
                text += f" @{op.attr.name}"
            if op.kind == "phi":
                pairs = zip(op.args, op.attr, strict=True)
                text += "".join(f" [{value(arg)} {source.name}]" for arg, source in pairs)
            else:
                text += "".join(f" {value(arg)}" for arg in op.args)
            if op.kind == "slice":
                text += f" from {op.attr}"
            lines.append(text + _place(op.where))
        text = f"  {block.end}" + (f" {value(block.arg)}" if block.arg is not None else "")
        for index, target in enumerate(block.targets):
            case = f" 0x{block.cases[index - 1]:x}" if block.end == "switch" and index else ""
            text += f"{case} {target.name}"
        lines.append(text + _place(block.where))
    lines.append("}")
    return lines


def _place(where: str) -> str:
    return f" ; {_quote(where)}" if where else ""


class TextError(ValueError):
    """The text is not IR; the message has line number and line."""


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\d+\'0x[0-9a-f]+|[%@][\w.$-]*|[\w.$-]+|[^\s]')


def parse_module(text: str) -> Module:
    """Read a module from its text.

    Raises
    ------
    TextError
        The text is malformed. (Whether it makes sense is for `verify` to say.)
    """
    return _Parser(text).module


class _Parser:
    """Reads line by line; values and blocks may be used before they are defined."""

    def __init__(self, text: str) -> None:
        self.module = Module("")
        self.function: Function | None = None
        self.block: Block | None = None
        self.values: dict[str, Op] = {}
        self.blocks: dict[str, Block] = {}
        self.pending: list[tuple[Op, list[str]]] = []
        self.ends: list[tuple[Block, str]] = []
        self.calls: list[tuple[Op, str]] = []
        pragmas: list[Directive] = []
        for number, line in enumerate(text.split("\n"), 1):
            tokens = _TOKEN.findall(line)
            if not tokens:
                continue
            try:
                if tokens[0] == "pragma":
                    pragmas.append(_directive(tokens))
                else:
                    self._line(tokens)
            except (KeyError, IndexError, ValueError) as error:
                raise TextError(f"line {number}: {line.strip()}: {error}") from error
        self.module.pragmas = tuple(pragmas)
        for op, name in self.calls:
            if name not in self.module.functions:
                raise TextError(f"call of an unknown function @{name}")
            op.attr = self.module.functions[name]

    def _line(self, tokens: list[str]) -> None:
        first = tokens[0]
        if self.function is None:
            if first == "module":
                self.module.top = tokens[1][1:]
            elif first == "split":
                self._split(tokens)
            elif first == "memory":
                self._memory(tokens)
            elif first == "stream":
                self._stream(tokens)
            elif first == "function":
                self._begin(tokens)
            else:
                raise ValueError("expected module, pragma, memory, stream or function")
        elif first == "}":
            self._finish()
        elif len(tokens) > 1 and tokens[1] == ":" and first[0] not in "%@":
            self.block = self._block(first)
            self.function.blocks.append(self.block)
            if tokens[2:3] == ["loop"]:
                self.block.loop = _unquote(tokens[3])
            if "pragmas" in tokens:
                self.block.pragmas = _numbers(tokens[tokens.index("pragmas") + 1 :])
        else:
            self._operation(tokens)

    def _split(self, tokens: list[str]) -> None:
        colon = tokens.index(":")
        digits = banking.from_text(" ".join(tokens[colon + 1 :]))
        banks = tuple(token[1:] for token in tokens[7:colon])
        split = Split(tokens[1][1:], int(tokens[3]), int(tokens[5]), digits, banks)
        self.module.splits[split.name] = split

    def _memory(self, tokens: list[str]) -> None:
        memory = Memory(tokens[1][1:], 0, 0)
        objects: list[tuple[str, int]] = []
        at = 2
        while at < len(tokens):
            word = tokens[at]
            if word in ("width", "depth", "lanes", "base"):
                setattr(memory, word, int(tokens[at + 1]))
                at += 2
            elif word == "shape":
                end = at + 1
                while end < len(tokens) and (tokens[end] == "," or tokens[end].isdigit()):
                    end += 1
                memory.shape = _numbers(tokens[at + 1 : end])
                at = end
            elif word in ("storage", "type"):
                setattr(memory, word, tokens[at + 1])
                at += 2
            elif word == "part":
                memory.part = True
                at += 1
            elif word in ("port", "const"):
                setattr(memory, "constant" if word == "const" else "port", True)
                at += 1
            elif word in ("kind", "of"):
                setattr(memory, "array" if word == "of" else "kind", tokens[at + 1])
                at += 2
            elif word == "object":
                objects.append((_unquote(tokens[at + 1]), int(tokens[at + 3])))
                at += 4
            elif word == "where":
                memory.where = _unquote(tokens[at + 1])
                at += 2
            elif word == "pragmas":
                end = tokens.index("init") if "init" in tokens else len(tokens)
                memory.pragmas = _numbers(tokens[at + 1 : end])
                at = end
            elif word == "init":
                memory.init = tuple(int(item, 16) for item in tokens[at + 1 :])
                at = len(tokens)
            else:
                raise ValueError(f"unknown word {word}")
        memory.objects = tuple(objects)
        self.module.memories[memory.name] = memory

    def _stream(self, tokens: list[str]) -> None:
        if tokens[2] not in ("in", "out") or (tokens[3], tokens[5]) != ("data", "user"):
            raise ValueError("expected a direction, data and user")
        stream = Stream(tokens[1][1:], int(tokens[4]), int(tokens[6]), tokens[2] == "out")
        rest = tokens[7:]
        if rest[:1] == ["bits"]:
            stream.bits = int(rest[1])
            stream.protocol = next(name for name in HANDSHAKES if name == rest[3])
            rest = rest[4:]
        if rest[:1] == ["registers"]:
            stream.registers = next(name for name in REGISTERS if name == rest[1])
            rest = rest[2:]
        if rest[:1] == ["depth"]:
            stream.depth = int(rest[1])
            rest = rest[2:]
        stream.where = _unquote(rest[1]) if rest else ""
        self.module.streams[stream.name] = stream

    def _begin(self, tokens: list[str]) -> None:
        function = Function(tokens[1][1:])
        self.values, self.blocks, self.pending, self.ends = {}, {}, [], []
        at = 3
        while tokens[at] != ")":
            if tokens[at] == ",":
                at += 1
                continue
            param = Op("param", int(tokens[at + 2]), attr=len(function.params))
            self.values[tokens[at]] = param
            function.params.append(param)
            at += 3
            if tokens[at][0] == '"':
                param.name = _unquote(tokens[at])
                at += 1
        function.width = int(tokens[at + 2])
        rest = tokens[at + 3 :]
        function.macro = "macro" in rest
        function.stateful, function.stallable = "stateful" in rest, "stands" in rest
        if "interval" in rest:
            function.latency = int(rest[rest.index("latency") + 1])
            function.interval = int(rest[rest.index("interval") + 1])
            function.is_pipelined = "piped" in rest
        if "limit" in rest:
            function.limit = int(rest[rest.index("limit") + 1])
        if "where" in rest:
            function.where = _unquote(rest[rest.index("where") + 1])
        if "pragmas" in rest:
            function.pragmas = _numbers(rest[rest.index("pragmas") + 1 : -1])
        self.function = function

    def _block(self, name: str) -> Block:
        if name not in self.blocks:
            self.blocks[name] = Block(name)
        return self.blocks[name]

    def _operation(self, tokens: list[str]) -> None:
        assert self.block is not None
        where = ""
        if len(tokens) > 2 and tokens[-2] == ";":
            where = _unquote(tokens[-1])
            tokens = tokens[:-2]
        at = width = 0
        name = ""
        if tokens[0][0] == "%":
            width = int(tokens[2])
            at = 3
            if tokens[at][0] == '"':
                name = _unquote(tokens[at])
                at += 1
            if tokens[at] != "=":
                raise ValueError("expected =")
            at += 1
        kind, rest = tokens[at], tokens[at + 1 :]
        if kind in BLOCK_ENDS:
            self._end(kind, rest, where)
            return
        if kind not in KINDS:
            raise ValueError(f"unknown operation {kind}")
        op = Op(kind, width, name=name, where=where)
        if at:
            self.values[tokens[0]] = op
        if op.kind in ("load", "store"):
            op.attr = self.module.memories[rest.pop(0)[1:]]
        elif op.kind in ("read", "write"):
            op.attr = self.module.streams[rest.pop(0)[1:]]
        elif op.kind == "call":
            self.calls.append((op, rest.pop(0)[1:]))
        elif op.kind == "slice":
            op.attr = int(rest[2])
            rest = rest[:1]
        elif op.kind == "phi":
            op.attr = [self._block(name) for name in rest[2::4]]
            rest = rest[1::4]
        self.pending.append((op, rest))
        self.block.ops.append(op)

    def _end(self, kind: BlockEnd, rest: list[str], where: str) -> None:
        block = self.block
        assert block is not None
        block.end, block.where = kind, where
        if kind in ("branch", "switch") or (kind == "ret" and rest):
            self.ends.append((block, rest.pop(0)))
        if kind == "switch":
            block.targets = [self._block(name) for name in rest[::2]]
            block.cases = [int(case, 16) for case in rest[1::2]]
        else:
            block.targets = [self._block(name) for name in rest]

    def _value(self, text: str) -> Op:
        if text[0] == "%":
            if text not in self.values:
                raise ValueError(f"no value {text}")
            return self.values[text]
        width, value = text.split("'0x")
        return const(int(width), int(value, 16))

    def _finish(self) -> None:
        assert self.function is not None
        for op, names in self.pending:
            op.args = [self._value(name) for name in names]
        for block, name in self.ends:
            block.arg = self._value(name)
        missing = set(self.blocks.values()) - set(self.function.blocks)
        if missing:
            raise ValueError(f"no block {min(block.name for block in missing)}")
        self.module.functions[self.function.name] = self.function
        self.function = self.block = None


def _numbers(tokens: list[str]) -> tuple[int, ...]:
    return tuple(int(token) for token in tokens if token != ",")


def _directive(tokens: list[str]) -> Directive:
    where = _unquote(tokens[tokens.index("where") + 1]) if "where" in tokens else ""
    made, warnings = directive_text.parse(
        _unquote(tokens[1]), where, outside=tokens[-1] == "outside"
    )
    if made is None:
        raise ValueError(warnings[0].what)
    return made


def _unquote(text: str) -> str:
    if text[:1] != '"':
        raise ValueError(f"expected a quoted text, found {text}")
    return re.sub(r"\\(.)", r"\1", text[1:-1])
