# SPDX-License-Identifier: Apache-2.0
"""The tokens of a line of LLVM IR, and what they make: types, operands, constant expressions."""

from __future__ import annotations

import re

from lydite.hls.contract.names import words
from lydite.hls.frontend.llvm_ast import (
    Address,
    Aggregate,
    Array,
    Bytes,
    Expression,
    Local,
    Number,
    Operand,
    Other,
    Struct,
    Type,
    field_offset,
    size_of,
)
from lydite.hls.frontend.llvm_text import float_bits, plain, unescape

_TOKEN = re.compile(
    r'[%@$](?:"[^"]*"|[\w.$-]+)|c?"[^"]*"|![\w.]*|#\d+|0x[KLMHR]?[0-9A-Fa-f]+|-?\d+(?:\.\d+(?:e[+-]\d+)?)?'
    r"|[A-Za-z_][\w.]*|\.\.\.|<\{|\}>|[(){}\[\]<>,=*:|]"
)
BINARY = words(
    """add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem"""
)
CASTS = words(
    """trunc zext sext ptrtoint inttoptr bitcast addrspacecast ptrtoaddr fptoui fptosi uitofp
    sitofp fptrunc fpext"""
)
FLAGS = words(
    """nuw nsw exact disjoint nneg inbounds nusw samesign tail musttail notail volatile atomic
    fast nnan ninf nsz arcp contract afn reassoc inrange"""
)
FLOATS = words("half bfloat float double fp128 x86_fp80 ppc_fp128")


class ParseError(Exception):
    """The text is not what this reader expects: a defect of ours, not of the user's program."""


class Cursor:
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
                known = self.named[token] = Cursor(known, self.named).type()
            return Other(token) if known is None else known
        if token in FLOATS:
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
            return Local(unquote(token[1:]))
        if token[0] == "@":
            return Address(unquote(token[1:]))
        if token[0] in "-0123456789":
            if isinstance(type_, Other):
                return Number(float_bits(type_.text, token))
            assert isinstance(type_, int), self.line
            return Number(int(token) & ((1 << type_) - 1))
        if token == "true":
            return Number(1)
        if token in ("false", "null", "undef", "poison", "zeroinitializer", "none"):
            return Number(0)
        if token[:2] == 'c"':
            return Bytes(unescape(token[2:-1]))
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
        while self.peek() in FLAGS:
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
    FLOATS
    | CASTS
    | BINARY
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


def unquote(name: str) -> str:
    """Give a name as the source has it."""
    return plain(name[1:-1]) if name.startswith('"') else name
