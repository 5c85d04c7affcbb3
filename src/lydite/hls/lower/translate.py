# SPDX-License-Identifier: Apache-2.0
"""From legalised LLVM IR to our IR: pointers become memories and word indices.

Values that C leaves undefined are fixed here, after `frontend.llvm_undefined` has kept LLVM from
drawing conclusions: undef and poison are 0, a shift takes the low bits of its amount, an access
outside of all objects reads 0 and writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.base import InputError
from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import BindOp, Directive, Keep, Resource
from lydite.hls.frontend import stream_calls, variable_directives
from lydite.hls.frontend.debug_info import CType, DebugInfo
from lydite.hls.frontend.llvm_ast import (
    Address,
    Aggregate,
    Array,
    Expression,
    Function,
    Instruction,
    Local,
    Module,
    Number,
    Operand,
    Struct,
    Type,
    field_offset,
    size_of,
    width_of,
)
from lydite.hls.frontend.program import Program
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import module as ir_module
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import CompareKind, Memory, Op, const
from lydite.hls.lower import intrinsics, loop_directives
from lydite.hls.lower.addressing import Accesses
from lydite.hls.lower.aggregates import Value, fields, inserted
from lydite.hls.lower.memory_layout import Layout, constant_value
from lydite.hls.lower.stream_ops import Streams

_COMPARE: dict[str, tuple[CompareKind, bool]] = {
    "eq": ("eq", False),
    "ne": ("ne", False),
    "ult": ("ult", False),
    "ule": ("ule", False),
    "ugt": ("ult", True),
    "uge": ("ule", True),
    "slt": ("slt", False),
    "sle": ("sle", False),
    "sgt": ("slt", True),
    "sge": ("sle", True),
}
_SAME = frozenset(("freeze", "bitcast", "addrspacecast"))
_RESIZE = frozenset(("trunc", "zext", "ptrtoint", "inttoptr", "ptrtoaddr"))


def import_module(
    source: Module,
    symbol: str,
    top: str,
    layout: Layout,
    debug: DebugInfo,
    *,
    scalars: Mapping[str, CType],
    program: Program,
) -> tuple[ir_module.Module, list[Diagnostic]]:
    """Translate all functions.

    Parameters
    ----------
    scalars : mapping
        C types of the top function's scalar arguments by their LLVM names.
    program : Program
        What the front end knows of directives.

    Raises
    ------
    InputError
        An instruction has no meaning in hardware.
    """
    module = ir_module.Module(top, {memory.name: memory for memory in layout.memories})
    warnings: list[Diagnostic] = []
    shells: dict[str, ir_graph.Function] = {}
    streams = Streams(layout)
    for name, function in source.functions.items():
        if not function.blocks:
            continue
        shown = top if name == symbol else _unique(debug.name(function.subprogram) or name, module)
        shell = ir_graph.Function(shown, where=debug.where(function.subprogram))
        shell.width = width_of(function.result)
        shells[name] = module.functions[shown] = shell
    for name in shells:
        reader = _FunctionImporter(source.functions, name, shells, layout, debug)
        reader.pragmas = program.directives
        reader.scalars = scalars if name == symbol else {}
        reader.top = name == symbol
        reader.streams = streams
        reader.run()
        warnings += reader.warnings
    module.pragmas = program.directives
    for name, number in program.function_directives:
        if name in shells:
            shells[name].pragmas += (number,)
    live = [(n, item) for n, item in enumerate(program.directives) if n not in program.ignored]
    warnings += directives.not_honoured(item for _, item in live)
    warnings += [
        Diagnostic(
            item.where,
            f"pragma HLS stream: {item.variable} is no stream between processes: ignored",
        )
        for n, item in live
        if isinstance(item, directives.Stream) and item.type == "fifo" and n not in layout.sized
    ]
    module.streams, notes = streams.all(shells[symbol].where)
    warnings += notes
    # Top first, the others as the source has them.
    order = sorted(module.functions, key=lambda name: name != top)
    module.functions = {name: module.functions[name] for name in order}
    return module, warnings


def _unique(name: str, module: ir_module.Module) -> str:
    clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in name).strip("_") or "f"
    result, number = clean, 1
    # Memories have their names by now, and a module of that name.
    while result in module.functions or result in module.memories or result == module.top:
        number += 1
        result = f"{clean}_{number}"
    return result


class _FunctionImporter:
    """Translates one function, block by block in an order in which definitions come first."""

    def __init__(
        self,
        sources: Mapping[str, Function],
        name: str,
        shells: Mapping[str, ir_graph.Function],
        layout: Layout,
        debug: DebugInfo,
    ) -> None:
        self.sources = sources
        self.source = source = sources[name]
        self.target = shells[name]
        self.shells = shells
        self.layout = layout
        self.debug = debug
        self.top = False
        self.streams = Streams(layout)
        self.pragmas: Sequence[Directive] = ()
        self.scalars: Mapping[str, CType] = {}
        self.warnings: list[Diagnostic] = []
        self.values: dict[str, Value] = {}
        self.blocks: dict[str, ir_graph.Block] = {}
        self.build = Builder([])
        self.accesses = Accesses(self.build, layout.width)
        self.head: list[Op] = []
        self.fallback = debug.where(source.subprogram) or source.name

    def run(self) -> None:
        self._params()
        names: set[str] = set()
        for block in self.source.blocks:
            clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in block.name)
            name = clean if clean and not clean[0].isdigit() else f"b{clean}"
            while name in names:
                name += "_"
            names.add(name)
            self.blocks[block.name] = ir_graph.Block(name)
        self.target.blocks = list(self.blocks.values())
        by_name = {block.name: block for block in self.source.blocks}
        for name, made in self.blocks.items():
            made.targets = [self.blocks[label] for label in by_name[name].code[-1].labels]
        origin = {made: by_name[name] for name, made in self.blocks.items()}
        for made in self.blocks.values():
            for code in origin[made].code:
                if code.op != "phi":
                    break
                self._declare_phi(code, made)
        order = cfg.reverse_postorder(self.target)
        for made in order:
            self.build.ops = made.ops
            for code in origin[made].code:
                if code.op != "phi":
                    self._instruction(code, made)
        self.warnings += loop_directives.attach_to_loops(
            self.source, self.blocks, order, self.debug, self.pragmas
        )
        live = set(order)
        self.target.blocks = [block for block in self.target.blocks if block in live]
        for made in self.target.blocks:
            for code in origin[made].code:
                if code.op != "phi":
                    break
                self._complete_phi(code)
        if self.target.blocks[0] in {t for b in self.target.blocks for t in b.targets}:
            entry = ir_graph.Block("start", end="jump", targets=[self.target.blocks[0]])
            self.target.blocks.insert(0, entry)
            for phi in entry.targets[0].phis():
                raise AssertionError(f"{phi} stands in an entry that is a loop's head")
        entry = self.target.blocks[0]
        entry.ops = self.head + entry.ops

    def _params(self) -> None:
        head = self.head
        for index, param in enumerate(self.source.params):
            if self.top and param.type == "ptr":
                address = self.layout.address[f"{self.source.name}({param.name})"]
                self.values[param.name] = const(64, address)
                continue
            width = width_of(param.type)
            type_ = self.scalars.get(param.name)
            # The port has the bits of the C type, though the ABI may pass a wider register.
            own = min(width, type_.width) if type_ is not None and type_.width else width
            position = len([p for p in self.source.params[:index] if not p.sret])
            unnamed = param.name.isdigit()
            shown = f"arg{position}" if unnamed else param.name.removesuffix(".coerce")
            op = Op("param", own, attr=len(self.target.params), name=shown)
            self.target.params.append(op)
            if own < width and type_ is not None:
                self.build.ops = head
                self.values[param.name] = self.build.resize(op, width, signed=type_.signed)
            else:
                self.build.ops = head
                self.values[param.name] = self._split(op, param.type)

    # Operands.

    def _where(self, code: Instruction) -> str:
        return self.debug.where(code.location)

    def _refuse(self, code: Instruction, what: str, hint: str = "") -> InputError:
        return InputError(self._where(code) or self.fallback, what, hint)

    def _value(self, type_: Type, operand: Operand) -> Value:
        if isinstance(operand, Local):
            return self.values[operand.name]
        if isinstance(type_, Struct | Array):
            items = (
                [item for _, item in operand.items]
                if isinstance(operand, Aggregate)
                else [Number(0)] * len(fields(type_))
            )
            pairs = zip(fields(type_), items, strict=True)
            return tuple(self._value(t, item) for t, item in pairs)
        if isinstance(operand, Expression):
            return self._expression(type_, operand)
        return const(width_of(type_), constant_value(type_, operand, self.layout.address))

    def _scalar(self, type_: Type, operand: Operand) -> Op:
        value = self._value(type_, operand)
        assert isinstance(value, Op), "a scalar is expected"
        return value

    def _expression(self, type_: Type, operand: Expression) -> Op:
        """Compute a constant expression as if it were an instruction."""
        if operand.op == "getelementptr":
            raise InputError(self.fallback, "address expression is not supported")
        args = list(operand.args)
        if operand.op in _RESIZE | _SAME:
            source = self._scalar(*args[0])
            return self.build.resize(source, width_of(type_))
        if operand.op in ir_graph.BINARY:
            return self.build.binary(operand.op, self._scalar(*args[0]), self._scalar(*args[1]))
        raise InputError(self.fallback, f"constant expression {operand.op} is not supported")

    def _split(self, op: Op, type_: Type) -> Value:
        """Take the fields of an aggregate out of its bits; the first field is lowest."""
        if not isinstance(type_, Struct | Array):
            return op
        parts: list[Value] = []
        low = 0
        for field_type in fields(type_):
            width = width_of(field_type)
            parts.append(self._split(self.build.slice(op, low, width), field_type))
            low += width
        return tuple(parts)

    def _joined(self, value: Value) -> Op:
        if isinstance(value, Op):
            return value
        return self.build.concat(*[self._joined(part) for part in reversed(value)])

    # Phis.

    def _declare_phi(self, code: Instruction, block: ir_graph.Block) -> None:
        def declare(type_: Type) -> Value:
            if isinstance(type_, Struct | Array):
                return tuple(declare(t) for t in fields(type_))
            op = Op("phi", width_of(type_), attr=[], where=self._where(code))
            op.name = self._variable(code)
            block.ops.append(op)
            return op

        self.values[code.result] = declare(code.type)

    def _complete_phi(self, code: Instruction) -> None:
        def complete(op: Value, value: Value, source: ir_graph.Block) -> None:
            if isinstance(op, Op):
                assert isinstance(value, Op)
                if source not in op.attr:
                    op.args.append(value)
                    op.attr.append(source)
                return
            assert isinstance(value, tuple)
            for inner, part in zip(op, value, strict=True):
                complete(inner, part, source)

        live = set(self.target.blocks)
        for (type_, operand), label in zip(code.args, code.labels, strict=True):
            if self.blocks[label] in live:
                value = self._value(type_, operand)
                complete(self.values[code.result], value, self.blocks[label])

    def _variable(self, code: Instruction) -> str:
        number = self.source.names.get(code.result, -1)
        if number >= 0 and self.pragmas:
            # What computes a variable is told by the variable's name in the function.
            for found in variable_directives.numbers(self.debug, number):
                if isinstance(self.pragmas[found], BindOp | Keep | Resource):
                    self.target.pragmas = tuple(dict.fromkeys([*self.target.pragmas, found]))
        return self.debug.name(number) if number >= 0 else ""

    # Instructions.

    def _instruction(self, code: Instruction, block: ir_graph.Block) -> None:
        build = self.build
        build.where = self._where(code)
        build.name = self._variable(code) if code.result else ""
        op = code.op
        if op in ("br", "switch", "ret"):
            self._terminator(code, block)
            return
        if op == "store":
            self._store(code)
            return
        value: Value
        if op == "load":
            value = self._load(code)
        elif op == "call":
            made = self._call(code)
            if made is None:
                return
            value = made
        else:
            value = self._compute(code)
        self.values[code.result] = value

    def _compute(self, code: Instruction) -> Value:
        op, build = code.op, self.build
        if op == "alloca":
            return const(64, self.layout.address[f"{self.source.name}/{code.result}"])
        if op == "getelementptr":
            return self._address(code)
        if op == "select":
            condition = self._scalar(*code.args[0])
            first, second = self._value(*code.args[1]), self._value(*code.args[2])
            return self._select(condition, first, second)
        if op == "extractvalue":
            value = self._value(*code.args[0])
            for index in code.indices:
                assert isinstance(value, tuple)
                value = value[index]
            return value
        if op == "insertvalue":
            return inserted(self._value(*code.args[0]), self._value(*code.args[1]), code.indices)
        if op in _SAME:
            return self._value(*code.args[0])
        args = [self._scalar(*arg) for arg in code.args]
        if op in ir_graph.BINARY:
            return build.binary(op, args[0], args[1])
        if op in ir_graph.SHIFTS:
            bits = max(1, (args[0].width - 1).bit_length())
            return build.shift(op, args[0], build.slice(args[1], 0, bits))
        if op == "icmp":
            kind, swap = _COMPARE[code.detail]
            first, second = args[::-1] if swap else args
            return build.compare(kind, first, second)
        if op in _RESIZE:
            return build.resize(args[0], width_of(code.type))
        if op == "sext":
            return build.resize(args[0], width_of(code.type), signed=True)
        if op in ("udiv", "urem", "sdiv", "srem"):
            return intrinsics.divide(build, op, args[0], args[1])
        raise self._refuse(code, f"LLVM instruction {op} is not supported")

    def _select(self, condition: Op, first: Value, second: Value) -> Value:
        if isinstance(first, Op):
            assert isinstance(second, Op)
            return self.build.mux(condition, first, second)
        assert isinstance(second, tuple)
        pairs = zip(first, second, strict=True)
        return tuple(self._select(condition, a, b) for a, b in pairs)

    def _address(self, code: Instruction) -> Op:
        build = self.build
        total = self._scalar(*code.args[0])
        current: Type = Array(0, code.source)
        offset = 0
        for type_, operand in code.args[1:]:
            if isinstance(current, Struct):
                assert isinstance(operand, Number)
                offset += field_offset(current, operand.value)
                current = current.fields[operand.value]
                continue
            assert isinstance(current, Array)
            current = current.element
            scale = size_of(current)
            index = build.resize(self._scalar(type_, operand), 64, signed=True)
            if index.kind == "const":
                offset += index.attr * scale
            else:
                scaled = build.binary("mul", index, const(64, scale))
                total = build.binary("add", total, scaled)
        return build.binary("add", total, const(64, offset))

    def _call(self, code: Instruction) -> Value | None:
        assert isinstance(code.callee, Address), "indirect calls are resolved before"
        name = code.callee.name
        if name.startswith("llvm."):
            args = [self._value(*arg) for arg in code.args]
            made: Value | None = intrinsics.call(self.build, name, args, width_of(code.type))
            if made is None:
                raise self._refuse(code, f"LLVM intrinsic {name} is not supported")
            return made
        if name.startswith(stream_calls.STEM):
            return self._stream(code, name)
        callee = self.shells[name]
        joined = [self._joined(self._value(*arg)) for arg in code.args]
        widths = [width_of(param.type) for param in self.sources[name].params]
        if [value.width for value in joined] != widths or callee.width != width_of(code.type):
            raise self._refuse(
                code,
                f"{callee.name} is called with other types than it is defined with",
                "declare it before the call, as it is defined",
            )
        op = Op("call", callee.width, joined, attr=callee, where=self.build.where)
        op.name = self.build.name
        self.build.ops.append(op)
        return self._split(op, code.type) if callee.width else None

    def _stream(self, code: Instruction, name: str) -> Value | None:
        kind, shape = stream_calls.of_call(name)
        beat = self._scalar(*code.args[1]) if kind == "write" else None
        address = self._scalar(*code.args[0])
        return self.streams.access(
            self.build,
            shape,
            beat,
            address,
            self.layout.solution.of(self.source.name, code.args[0][1]),
            self._where(code) or self.fallback,
        )

    def _terminator(self, code: Instruction, block: ir_graph.Block) -> None:
        block.where = self._where(code)
        if code.op == "ret":
            block.end = "ret"
            if code.args:
                block.arg = self._joined(self._value(*code.args[0]))
            return
        if code.op == "br" and not code.args:
            block.end = "jump"
            return
        block.arg = self._scalar(*code.args[0])
        if code.op == "br":
            block.end = "branch"
            if block.targets[0] is block.targets[1]:
                block.end, block.arg, block.targets = "jump", None, block.targets[:1]
            return
        block.end = "switch"
        block.cases = [
            constant_value(t, operand, self.layout.address) for t, operand in code.args[1:]
        ]

    # Memory.

    def _targets(self, code: Instruction) -> list[Memory]:
        found = self.layout.targets(self.source.name, code.args[-1][1])
        if not found:
            operand = code.args[-1][1]
            if isinstance(operand, Number) and operand.value:
                raise self._refuse(
                    code,
                    f"access to the fixed address {operand.value:#x}, where no object is",
                    "make the object an array, or an argument of the top function",
                )
            self.warnings.append(
                Diagnostic(
                    self._where(code) or self.fallback,
                    "access through a pointer that no object's address reaches: "
                    "it reads 0 and writes nothing",
                )
            )
        return found

    def _load(self, code: Instruction) -> Value:
        if isinstance(code.type, Struct | Array):
            raise self._refuse(code, "a load of a whole structure is not supported")
        address = self._scalar(*code.args[-1])
        targets = self._targets(code)
        return self.accesses.load(targets, address, width_of(code.type), code.align)

    def _store(self, code: Instruction) -> None:
        type_, operand = code.args[0]
        if isinstance(type_, Struct | Array):
            raise self._refuse(code, "a store of a whole structure is not supported")
        if self.layout.only_streams(self.source.name, code.args[-1][1]):
            return  # `= {0}` is an empty stream, which it is anyway
        value = self._scalar(type_, operand)
        address = self._scalar(*code.args[-1])
        self.accesses.store(self._targets(code), address, value, code.align)
