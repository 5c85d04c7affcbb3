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

from lydite.hls.llvm_ast import (
    Address,
    Aggregate,
    Array,
    Block,
    Bytes,
    Expression,
    Function,
    Global,
    Instruction,
    Local,
    Module,
    Number,
    Operand,
    Other,
    Param,
    Struct,
    Type,
    field_offset,
    size_of,
)
from lydite.hls.words import words

_TOKEN = re.compile(
    r'[%@$](?:"[^"]*"|[\w.$-]+)|c?"[^"]*"|![\w.]*|#\d+|-?\d+(?:\.\d+(?:e[+-]\d+)?)?'
    r"|[A-Za-z_][\w.]*|\.\.\.|<\{|\}>|[(){}\[\]<>,=*:|]"
)
_LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')
_DBG_VALUE = re.compile(
    r"#dbg_value\((?:i\d+|ptr) %(\"[^\"]*\"|[\w.$-]+), !(\d+), !DIExpression\(([^)]*)\)"
)
_BINARY = words(
    """add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem"""
)
_CASTS = words(
    """trunc zext sext ptrtoint inttoptr bitcast addrspacecast ptrtoaddr fptoui fptosi uitofp
    sitofp fptrunc fpext"""
)
_FLAGS = words(
    """nuw nsw exact disjoint nneg inbounds nusw samesign tail musttail notail volatile atomic
    fast nnan ninf nsz arcp contract afn reassoc inrange"""
)
_FLOATS = words("half bfloat float double fp128 x86_fp80 ppc_fp128")


class ParseError(Exception):
    """The text is not what this reader expects: a defect of ours, not of the user's program."""


def parse(text: str) -> Module:
    """Read a module."""
    return _Reader(text).module


class _Cursor:
    """The tokens of one line."""

    __slots__ = ("at", "line", "named", "tokens")

    def __init__(self, line: str, named: dict[str, Type]) -> None:
        self.line = line
        self.tokens = _TOKEN.findall(line)
        self.tokens.append("")
        self.at = 0
        self.named = named

    def peek(self) -> str:
        return self.tokens[self.at]  # type: ignore[no-any-return]

    def next(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token  # type: ignore[no-any-return]

    def take(self, token: str) -> bool:
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def need(self, token: str) -> None:
        if not self.take(token):
            raise ParseError(f"expected {token!r}, found {self.peek()!r} in: {self.line.strip()}")

    def skip_group(self) -> None:
        """Skip a parenthesised group, whose opening stands next."""
        depth = 0
        while True:
            token = self.next()
            depth += (token == "(") - (token == ")")
            if depth == 0 or token == "":
                return

    def skip_attributes(self) -> tuple[Type | None, bool, int]:
        """Skip parameter or return attributes; give byval's type, whether sret, and alignment."""
        byval: Type | None = None
        sret = False
        align = 1
        while True:
            token = self.peek()
            if (
                token[:1].isalpha()
                and token[1:2] != '"'
                and token not in ("ptr", "void", "label", "metadata", "null")
            ):
                if token in _WORDS or (token[0] == "i" and token[1:].isdigit()):
                    return byval, sret, align
                self.at += 1
                if token == "align" and self.peek() != "(":
                    align = int(self.next())
                elif self.peek() == "(":
                    if token == "byval":
                        self.at += 1
                        byval = self.type()
                        self.need(")")
                    else:
                        sret = sret or token == "sret"
                        self.skip_group()
            elif token[:1] == '"':
                self.at += 1
                if self.take("="):
                    self.at += 1
            else:
                return byval, sret, align

    def type(self) -> Type:
        token = self.next()
        if token[0] == "i" and token[1:].isdigit():
            return int(token[1:])
        if token in ("ptr", "void"):
            if self.peek() == "addrspace":
                self.at += 1
                self.skip_group()
            return token
        if token == "[":
            count = int(self.next())
            self.need("x")
            element = self.type()
            self.need("]")
            return Array(count, element)
        if token in ("{", "<{"):
            closing = "}" if token == "{" else "}>"
            fields: list[Type] = []
            while not self.take(closing):
                fields.append(self.type())
                self.take(",")
            return Struct(tuple(fields), token == "<{")
        if token == "<":
            lanes = self.next()
            self.need("x")
            if lanes == "vscale":
                self.at += 2
            element = self.type()
            self.need(">")
            return Other(f"vector <{lanes} x {element}>")
        if token[0] == "%":
            known = self.named.get(token)
            if isinstance(known, str) and known != "ptr":  # not read yet: types refer forward
                known = self.named[token] = _Cursor(known, self.named).type()
            return Other(token) if known is None else known
        if token in _FLOATS:
            return Other(token)
        if token in ("label", "metadata", "token", "opaque", "x86_amx"):
            return Other(token)
        raise ParseError(f"unknown type {token!r} in: {self.line.strip()}")

    def typed(self) -> tuple[Type, Operand]:
        type_ = self.type()
        self.skip_attributes()
        return type_, self.operand(type_)

    def operand(self, type_: Type) -> Operand:
        token = self.next()
        if token[0] == "%":
            return Local(_unquote(token[1:]))
        if token[0] == "@":
            return Address(_unquote(token[1:]))
        if token[0] in "-0123456789":
            if isinstance(type_, Other):
                return Number(0)
            assert isinstance(type_, int), self.line
            return Number(int(token) & ((1 << type_) - 1))
        if token == "true":
            return Number(1)
        if token in ("false", "null", "undef", "poison", "zeroinitializer", "none"):
            return Number(0)
        if token[:2] == 'c"':
            return Bytes(_decode(token[2:-1]))
        if token in ("[", "{", "<{", "<"):
            closing = {"[": "]", "{": "}", "<{": "}>", "<": ">"}[token]
            items: list[tuple[Type, Operand]] = []
            while not self.take(closing):
                items.append(self.typed())
                self.take(",")
            return Aggregate(tuple(items))
        return self.expression(token, type_)

    def expression(self, op: str, type_: Type) -> Operand:
        """Read a constant expression; addresses with a fixed offset are folded."""
        while self.peek() in _FLAGS:
            self.at += 1
            if self.peek() == "(" and self.tokens[self.at - 1] == "inrange":
                self.skip_group()
        if op == "blockaddress":
            self.skip_group()
            return Expression(op, type_, ())
        if op in ("dso_local_equivalent", "no_cfi"):
            return self.operand(type_)
        self.need("(")
        source = self.type() if op == "getelementptr" else "void"
        if op == "getelementptr":
            self.need(",")
        args = [self.typed()]
        while self.take(","):
            args.append(self.typed())
        if self.take("to"):
            target = self.type()
            self.need(")")
            inner = args[0][1]
            if op in ("ptrtoint", "inttoptr", "bitcast", "addrspacecast") and (
                target in (64, "ptr")
            ):
                return inner
            return Expression(op, target, tuple(args))
        self.need(")")
        if op == "getelementptr":
            offset = constant_offset(source, [operand for _, operand in args[1:]])
            base = args[0][1]
            if offset is not None and isinstance(base, Address):
                return Address(base.name, base.offset + offset)
            if offset is not None and isinstance(base, Number):
                return Number((base.value + offset) & (2**64 - 1))
        return Expression(op, type_, tuple(args))


_WORDS = (
    _FLOATS
    | _CASTS
    | _BINARY
    | words(
        """true false undef poison zeroinitializer none getelementptr blockaddress icmp asm token
    dso_local_equivalent no_cfi splat"""
    )
)


def constant_offset(source: Type, indices: list[Operand]) -> int | None:
    """Give the byte offset of a getelementptr with constant indices, or None."""
    offset = 0
    current: Type = Array(0, source)
    for index in indices:
        if not isinstance(index, Number):
            return None
        # Indices of arrays are signed 64-bit (or narrower, in which case small and positive).
        value = index.value - (1 << 64) if index.value >> 63 else index.value
        if isinstance(current, Struct):
            offset += field_offset(current, value)
            current = current.fields[value]
        elif isinstance(current, Array):
            offset += value * size_of(current.element)
            current = current.element
        else:
            raise ParseError(f"cannot index {current}")
    return offset


def _unquote(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name


def _decode(text: str) -> bytes:
    return re.sub(
        rb"\\([0-9A-Fa-f]{2})",
        lambda match: bytes([int(match[1], 16)]),
        text.encode("latin-1"),
    ).replace(b"\\\\", b"\\")


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
        cursor = _Cursor(body[words.end() :], self.named)
        type_ = cursor.type()
        declared = re.search(r"\b(?:external|extern_weak)\b", words[0]) is not None
        init = None if declared else cursor.operand(type_)
        tail = body[words.end() :]
        align = re.search(r", align (\d+)", tail)
        debug = re.search(r", !dbg !(\d+)", tail)
        name = _unquote(name_text[1:])
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
        cursor = _Cursor(at + after, self.named)
        name = _unquote(cursor.next()[1:])
        # The return type is what stands last before the name.
        words = _Cursor(re.sub(r'"[^"]*"(?:="[^"]*")?', "", before), self.named)
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
            params.append(Param(_unquote(local), type_, byval, sret))
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
                        function.names.setdefault(_unquote(found[1]), int(found[2]))
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
                block = Block(_unquote(found[1]))
                function.blocks.append(block)


def _last_type(cursor: _Cursor) -> Type:
    result: Type = "void"
    while cursor.peek():
        token = cursor.peek()
        if (
            token in ("ptr", "void", "[", "{", "<{", "<")
            or token[0] == "%"
            or (token[0] == "i" and token[1:].isdigit())
            or token in _FLOATS
        ):
            result = cursor.type()
        else:
            cursor.at += 1
            if cursor.peek() == "(":
                cursor.skip_group()
    return result


def _instruction(line: str, named: dict[str, Type]) -> Instruction:
    """Read one instruction."""
    cursor = _Cursor(line, named)
    instruction = Instruction("")
    if cursor.peek()[:1] == "%" and cursor.tokens[cursor.at + 1] == "=":
        instruction.result = _unquote(cursor.next()[1:])
        cursor.at += 1
    op = cursor.next()
    while op in _FLAGS:
        op = cursor.next()
    while cursor.peek() in _FLAGS:
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


def _read_unknown(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.detail = cursor.line.strip()


def _read_binary(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.type = cursor.type()
    first = cursor.operand(instruction.type)
    cursor.need(",")
    second = cursor.operand(instruction.type)
    instruction.args = [(instruction.type, first), (instruction.type, second)]


def _read_compare(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.detail = cursor.next()
    type_ = cursor.type()
    first = cursor.operand(type_)
    cursor.need(",")
    instruction.type = type_ if isinstance(type_, Other) else 1
    instruction.args = [(type_, first), (type_, cursor.operand(type_))]


def _read_cast(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.args = [cursor.typed()]
    cursor.need("to")
    instruction.type = cursor.type()


def _read_list(cursor: _Cursor, instruction: Instruction) -> None:
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


def _read_phi(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.type = cursor.type()
    while True:
        cursor.need("[")
        value = cursor.operand(instruction.type)
        cursor.need(",")
        instruction.args.append((instruction.type, value))
        instruction.labels.append(_unquote(cursor.next()[1:]))
        cursor.need("]")
        if not cursor.take(",") or cursor.peek() != "[":
            return


def _read_gep(cursor: _Cursor, instruction: Instruction) -> None:
    if cursor.peek() == "inrange":
        cursor.at += 1
        cursor.skip_group()
    instruction.type = "ptr"
    instruction.source = cursor.type()
    while cursor.take(","):
        if cursor.peek()[:1] == "!":
            return
        instruction.args.append(cursor.typed())


def _read_load(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.type = cursor.type()
    cursor.need(",")
    instruction.args = [cursor.typed()]


def _read_store(cursor: _Cursor, instruction: Instruction) -> None:
    value = cursor.typed()
    cursor.need(",")
    instruction.args = [value, cursor.typed()]
    instruction.source = value[0]


def _read_alloca(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.type = "ptr"
    instruction.source = cursor.type()
    if (
        cursor.take(",")
        and cursor.peek() not in ("align", "addrspace")
        and (cursor.peek()[:1] != "!")
    ):
        instruction.args = [cursor.typed()]


def _read_branch(cursor: _Cursor, instruction: Instruction) -> None:
    if cursor.take("label"):
        instruction.labels = [_unquote(cursor.next()[1:])]
        return
    instruction.args = [cursor.typed()]
    for _ in range(2):
        cursor.need(",")
        cursor.need("label")
        instruction.labels.append(_unquote(cursor.next()[1:]))


def _read_switch(cursor: _Cursor, instruction: Instruction) -> None:
    instruction.args = [cursor.typed()]
    cursor.need(",")
    cursor.need("label")
    instruction.labels = [_unquote(cursor.next()[1:])]
    cursor.need("[")
    while not cursor.take("]"):
        instruction.args.append(cursor.typed())
        cursor.need(",")
        cursor.need("label")
        instruction.labels.append(_unquote(cursor.next()[1:]))


def _read_return(cursor: _Cursor, instruction: Instruction) -> None:
    if not cursor.take("void"):
        instruction.args = [cursor.typed()]


def _read_call(cursor: _Cursor, instruction: Instruction) -> None:
    while cursor.peek() in ("fastcc", "ccc", "coldcc", "tailcc", "cc"):
        if cursor.next() == "cc":
            cursor.at += 1
    cursor.skip_attributes()
    instruction.type = cursor.type()
    if cursor.peek() == "(":  # the function type of a variadic callee
        cursor.skip_group()
    if cursor.peek() == "asm":
        instruction.op = "asm"
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


_READERS: dict[str, Callable[[_Cursor, Instruction], None]] = {
    **dict.fromkeys(_BINARY, _read_binary),
    **dict.fromkeys(_CASTS, _read_cast),
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
