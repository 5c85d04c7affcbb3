# SPDX-License-Identifier: Apache-2.0
"""Reads the text of LLVM IR (LLVM 22) into `llvm_ast`.

llvmlite's own view of a module lacks predicates, phi edges, and debug records, and each look costs
a foreign call; the text has all, and its grammar is small. Attributes that do not change what an
instruction computes are skipped; poison-generating flags are ignored, since wrapping is a legal
choice of what they leave open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lydite.hls.frontend.llvm_ast import (
    Array,
    Block,
    Function,
    Global,
    Instruction,
    Module,
    Other,
    Param,
    Struct,
    Type,
)
from lydite.hls.frontend.llvm_lexer import BINARY, CASTS, FLAGS, FLOATS, Cursor, ParseError, unquote
from lydite.hls.frontend.llvm_text import plain

_LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')
_DBG_VALUE = re.compile(
    r"#dbg_value\((?:i\d+|ptr) %(\"[^\"]*\"|[\w.$-]+), !(\d+), !DIExpression\(([^)]*)\)"
)
_DBG_PLACE = re.compile(
    r"#dbg_(declare\(|value\()ptr %(\"[^\"]*\"|[\w.$-]+), !(\d+), !DIExpression\(([^)]*)\)"
)


def parse(text: str) -> Module:
    """Read a module."""
    return _Reader(text).module


class _Reader:
    """Reads the lines of a module in order."""

    def __init__(self, text: str) -> None:
        self.module = Module()
        self.named: dict[str, Type] = {}
        for name, body in re.findall(r"^(%\S+) = type (.*)$", text, re.MULTILINE):
            self.named[name] = body
        lines = iter(text.split("\n"))
        for line in lines:
            first = line[:1]
            if first == "@":
                self._global(line)
            elif line.startswith("define "):
                function = self._header(line[7:])
                self._body(function, lines)
            elif line.startswith("declare "):
                self._header(re.sub(r"^(?: ?!dbg !\d+)", "", line[8:]))
            elif first == "!" and line[1:2].isdigit():
                number, body = line[1:].split(" = ", 1)
                self.module.metadata[int(number)] = body

    def _global(self, line: str) -> None:
        name_text, body = line.split(" = ", 1)
        words = re.match(r"(?:[\w]+(?:\([^)]*\))? )*?(global|constant|alias|ifunc) ", body)
        if words is None:
            raise ParseError(f"cannot read global: {line[:120]}")
        if words[1] in ("alias", "ifunc"):
            raise ParseError(f"aliases are not supported: {line[:120]}")
        cursor = Cursor(body[words.end() :], self.named)
        type_ = cursor.type()
        declared = re.search(r"\b(?:external|extern_weak)\b", words[0]) is not None
        init = None if declared else cursor.operand(type_)
        tail = " ".join(cursor.tokens[cursor.at :])  # an initialiser may hold any text
        align = re.search(r", align (\d+)", tail)
        debug = re.search(r", !dbg !(\d+)", tail)
        name = unquote(name_text[1:])
        self.module.globals[name] = Global(
            name=name,
            type=type_,
            init=init,
            constant=words[1] == "constant",
            align=int(align[1]) if align else 1,
            debug=int(debug[1]) if debug else -1,
        )

    def _header(self, line: str) -> Function:
        before, at, after = line.partition("@")
        cursor = Cursor(at + after, self.named)
        name = unquote(cursor.next()[1:])
        # The return type is what stands last before the name.
        words = Cursor(re.sub(r'"[^"]*"(?:="[^"]*")?', "", before), self.named)
        result = _last_type(words)
        cursor.need("(")
        params: list[Param] = []
        varargs = False
        while not cursor.take(")"):
            if cursor.take("..."):
                varargs = True
                continue
            type_ = cursor.type()
            byval, sret, _ = cursor.skip_attributes()
            local = cursor.next()[1:] if cursor.peek()[:1] == "%" else ""
            params.append(Param(unquote(local), type_, byval, sret))
            cursor.take(",")
        debug = re.search(r" !dbg !(\d+)", after)
        function = Function(name, result, params, varargs, int(debug[1]) if debug else -1)
        self.module.functions[name] = function
        return function

    def _body(self, function: Function, lines: Iterator[str]) -> None:
        block = Block("")
        for line in lines:
            if line.startswith("  "):
                stripped = line.lstrip()
                if stripped.startswith("#dbg"):
                    found = _DBG_VALUE.match(stripped)
                    if found and (not found[3] or found[3].startswith("DW_OP_LLVM_fragment")):
                        function.names.setdefault(unquote(found[1]), int(found[2]))
                    place = _DBG_PLACE.match(stripped)
                    if place and (place[4] == "DW_OP_deref" or place[1][0] == "d"):
                        function.declared.setdefault(unquote(place[2]), int(place[3]))
                    continue
                if stripped.startswith("switch ") and not stripped.rstrip().endswith("]"):
                    parts = [line]
                    for more in lines:
                        parts.append(more)
                        if more.strip().startswith("]"):
                            break
                    line = " ".join(parts)
                if not block.name:
                    block.name = str(len(function.params))
                    function.blocks.append(block)
                block.code.append(_instruction(line, self.named))
            elif line.startswith("}"):
                return
            elif found := _LABEL.match(line):
                block = Block(unquote(found[1]))
                function.blocks.append(block)


def _last_type(cursor: Cursor) -> Type:
    result: Type = "void"
    while cursor.peek():
        token = cursor.peek()
        if (
            token in ("ptr", "void", "[", "{", "<{", "<")
            or token[0] == "%"
            or (token[0] == "i" and token[1:].isdigit())
            or token in FLOATS
        ):
            result = cursor.type()
        else:
            cursor.at += 1
            if cursor.peek() == "(":
                cursor.skip_group()
    return result


def _instruction(line: str, named: dict[str, Type]) -> Instruction:
    """Read one instruction."""
    cursor = Cursor(line, named)
    instruction = Instruction("")
    if cursor.peek()[:1] == "%" and cursor.tokens[cursor.at + 1] == "=":
        instruction.result = unquote(cursor.next()[1:])
        cursor.at += 1
    op = cursor.next()
    while op in FLAGS:
        op = cursor.next()
    while cursor.peek() in FLAGS:
        cursor.at += 1
    instruction.op = op
    _READERS.get(op, _read_unknown)(cursor, instruction)
    tokens = cursor.tokens
    for index in range(cursor.at, len(tokens) - 1):
        if tokens[index] == "!dbg":
            instruction.location = int(tokens[index + 1][1:])
        elif tokens[index] == "!llvm.loop":
            instruction.loop = int(tokens[index + 1][1:])
        elif tokens[index] == "align":
            instruction.align = int(tokens[index + 1])
    return instruction


def _read_unknown(cursor: Cursor, instruction: Instruction) -> None:
    instruction.detail = cursor.line.strip()


def _read_binary(cursor: Cursor, instruction: Instruction) -> None:
    instruction.type = cursor.type()
    first = cursor.operand(instruction.type)
    cursor.need(",")
    second = cursor.operand(instruction.type)
    instruction.args = [(instruction.type, first), (instruction.type, second)]


def _read_compare(cursor: Cursor, instruction: Instruction) -> None:
    instruction.detail = cursor.next()
    type_ = cursor.type()
    first = cursor.operand(type_)
    cursor.need(",")
    instruction.type = type_ if isinstance(type_, Other) else 1
    instruction.args = [(type_, first), (type_, cursor.operand(type_))]


def _read_cast(cursor: Cursor, instruction: Instruction) -> None:
    instruction.args = [cursor.typed()]
    cursor.need("to")
    instruction.type = cursor.type()


def _read_list(cursor: Cursor, instruction: Instruction) -> None:
    """Read typed operands divided by commas: select, freeze, insertvalue, extractvalue."""
    instruction.args = [cursor.typed()]
    indices: list[int] = []
    while cursor.take(","):
        if cursor.peek()[:1] == "!":
            break
        if cursor.peek().isdigit():
            indices.append(int(cursor.next()))
        else:
            instruction.args.append(cursor.typed())
    instruction.indices = tuple(indices)
    source = instruction.args[0][0]
    if instruction.op == "select":
        instruction.type = instruction.args[1][0]
    elif instruction.op == "extractvalue":
        for index in indices:
            if isinstance(source, Struct):
                source = source.fields[index]
            elif isinstance(source, Array):
                source = source.element
        instruction.type = source
    else:
        instruction.type = source


def _read_phi(cursor: Cursor, instruction: Instruction) -> None:
    instruction.type = cursor.type()
    while True:
        cursor.need("[")
        value = cursor.operand(instruction.type)
        cursor.need(",")
        instruction.args.append((instruction.type, value))
        instruction.labels.append(unquote(cursor.next()[1:]))
        cursor.need("]")
        if not cursor.take(",") or cursor.peek() != "[":
            return


def _read_gep(cursor: Cursor, instruction: Instruction) -> None:
    if cursor.peek() == "inrange":
        cursor.at += 1
        cursor.skip_group()
    instruction.type = "ptr"
    instruction.source = cursor.type()
    while cursor.take(","):
        if cursor.peek()[:1] == "!":
            return
        instruction.args.append(cursor.typed())


def _read_load(cursor: Cursor, instruction: Instruction) -> None:
    instruction.type = cursor.type()
    cursor.need(",")
    instruction.args = [cursor.typed()]


def _read_store(cursor: Cursor, instruction: Instruction) -> None:
    value = cursor.typed()
    cursor.need(",")
    instruction.args = [value, cursor.typed()]
    instruction.source = value[0]


def _read_alloca(cursor: Cursor, instruction: Instruction) -> None:
    instruction.type = "ptr"
    instruction.source = cursor.type()
    if (
        cursor.take(",")
        and cursor.peek() not in ("align", "addrspace")
        and (cursor.peek()[:1] != "!")
    ):
        instruction.args = [cursor.typed()]


def _read_branch(cursor: Cursor, instruction: Instruction) -> None:
    if cursor.take("label"):
        instruction.labels = [unquote(cursor.next()[1:])]
        return
    instruction.args = [cursor.typed()]
    for _ in range(2):
        cursor.need(",")
        cursor.need("label")
        instruction.labels.append(unquote(cursor.next()[1:]))


def _read_switch(cursor: Cursor, instruction: Instruction) -> None:
    instruction.args = [cursor.typed()]
    cursor.need(",")
    cursor.need("label")
    instruction.labels = [unquote(cursor.next()[1:])]
    cursor.need("[")
    while not cursor.take("]"):
        instruction.args.append(cursor.typed())
        cursor.need(",")
        cursor.need("label")
        instruction.labels.append(unquote(cursor.next()[1:]))


def _read_return(cursor: Cursor, instruction: Instruction) -> None:
    if not cursor.take("void"):
        instruction.args = [cursor.typed()]


def _read_call(cursor: Cursor, instruction: Instruction) -> None:
    while cursor.peek() in ("fastcc", "ccc", "coldcc", "tailcc", "cc"):
        if cursor.next() == "cc":
            cursor.at += 1
    cursor.skip_attributes()
    instruction.type = cursor.type()
    if cursor.peek() == "(":  # the function type of a variadic callee
        cursor.skip_group()
    if cursor.peek() == "asm":
        instruction.op = "asm"
        while cursor.peek()[:1] not in ('"', ""):
            cursor.at += 1
        instruction.detail = plain(cursor.next().strip('"'))
        return
    instruction.callee = cursor.operand("ptr")
    cursor.need("(")
    byvals: list[Type | None] = []
    aligns: list[int] = []
    while not cursor.take(")"):
        type_ = cursor.type()
        byval, _, align = cursor.skip_attributes()
        if type_ == Other("metadata"):
            while cursor.peek() not in (",", ")"):
                cursor.at += 1
        else:
            instruction.args.append((type_, cursor.operand(type_)))
            byvals.append(byval)
            aligns.append(align)
        cursor.take(",")
    instruction.byval = tuple(byvals)
    instruction.aligns = tuple(aligns)


_READERS: dict[str, Callable[[Cursor, Instruction], None]] = {
    **dict.fromkeys(BINARY, _read_binary),
    **dict.fromkeys(CASTS, _read_cast),
    **dict.fromkeys(("select", "freeze", "insertvalue", "extractvalue", "fneg"), _read_list),
    "icmp": _read_compare,
    "fcmp": _read_compare,
    "phi": _read_phi,
    "getelementptr": _read_gep,
    "load": _read_load,
    "store": _read_store,
    "alloca": _read_alloca,
    "br": _read_branch,
    "switch": _read_switch,
    "ret": _read_return,
    "call": _read_call,
    "unreachable": lambda _cursor, _instruction: None,
}
