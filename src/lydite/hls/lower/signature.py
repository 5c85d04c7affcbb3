# SPDX-License-Identifier: Apache-2.0
"""The arguments of the top function: what C says of them, what LLVM made of them.

A pointer argument needs a size: from its declaration, from `Options.depths`, from `depth=` of an
`interface` directive, or from the accesses if all are at constant places. Else it is refused, with
the remedy.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from dataclasses import dataclass

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.interface import Mode
from lydite.hls.contract.names import VERILOG_KEYWORDS
from lydite.hls.contract.options import Options
from lydite.hls.frontend import stream_calls
from lydite.hls.frontend.debug_info import VOID, CType, DebugInfo
from lydite.hls.frontend.llvm_ast import Function, Local, Number, size_of
from lydite.hls.frontend.llvm_lexer import constant_offset
from lydite.hls.frontend.program import Program
from lydite.hls.ir import graph as ir_graph
from lydite.hls.lower.memory_layout import Port

# Names that the emitted modules use themselves.
_OURS = re.compile(r"(?:ap_|own_|u_|ST_|mul\d|div\d|state_[qd]$)")
_KINDS = "|".join(
    sorted({"div", "mul", "macro", "skid", *ir_graph.BINARY, *ir_graph.SHIFTS, *ir_graph.COMPARES})
)
_SAYS = "start|done|quotient|remainder|arg[01]|result|made"
# Names of units and of what they say.
UNIT = re.compile(rf"(?:{_KINDS})\d+_(?:{_SAYS})|u_(?:{_KINDS})\d+(?:_\w+)?")


@dataclass(frozen=True, slots=True)
class TopArg:
    """One argument: `ports` of `TopArgs` has the memory of an array by its LLVM name.

    A stream is neither array nor scalar; what a handshake brings is no scalar either. A pointer to
    one scalar is an array of one element.
    """

    name: str
    port: str
    index: int
    llvm_name: str
    is_array: bool
    type: CType
    text: str
    c_bytes: int
    is_stream: bool = False
    is_pointer: bool = False
    protocol: Mode | None = None

    @property
    def is_scalar(self) -> bool:
        """Whether it is a value."""
        return not (self.is_array or self.is_stream or self.protocol)

    @property
    def stream_names(self) -> tuple[str, ...]:
        """What its streams may be called in a module: its own, or those of its handshakes."""
        if self.is_stream:
            return (self.port,)
        return (self.port, f"{self.port}_i", f"{self.port}_o") if self.protocol else ()


@dataclass(frozen=True, slots=True)
class TopArgs:
    """All arguments and the result."""

    args: tuple[TopArg, ...]
    ports: dict[str, Port]
    result: CType

    def scalar_types(self) -> dict[str, CType]:
        """Give the C type of each scalar argument by its LLVM name."""
        return {arg.llvm_name: arg.type for arg in self.args if arg.is_scalar}

    def streams(self) -> dict[str, str]:
        """Give the port name of each stream by its LLVM name."""
        return {arg.llvm_name: arg.port for arg in self.args if arg.is_stream}


def port_name(name: str, others: Collection[str] = ()) -> str:
    """Give the Verilog name for a C name: as it is, but no keyword, and none of the others."""
    clean = "".join(c if (c.isalnum() and c.isascii()) or c == "_" else "_" for c in name)
    if clean in VERILOG_KEYWORDS or _OURS.match(clean) or UNIT.fullmatch(clean):
        clean += "_"
    while clean in others:
        clean += "_"
    return clean


def drop_pointer(function: Function, debug: DebugInfo) -> list[Diagnostic]:
    """Let a top function that returns a pointer return nothing: no address has a meaning outside.

    What the pointer leads to is an argument, or stays inside.
    """
    if function.result != "ptr":
        return []
    function.result = "void"
    for block in function.blocks:
        if block.code[-1].op == "ret":
            block.code[-1].args = []
    what = "the pointer that the top function returns is dropped: hardware has no address to give"
    return [Diagnostic(debug.where(function.subprogram), what)]


def read(function: Function, program: Program, options: Options, debug: DebugInfo) -> TopArgs:
    """Describe the top function's arguments.

    Raises
    ------
    InputError
        One cannot be a port: a structure by value, a float, a pointer without a size.
    """
    where = debug.where(function.subprogram)
    types = debug.subprogram_types(function.subprogram)
    result = types[0] if types and function.result != "void" else VOID
    if any(param.sret for param in function.params):
        result = types[0]
    declared = {parameter.name: parameter for parameter in program.parameters}
    sizes = dict(program.sizes)
    nodes = _nodes(function, debug)
    args: list[TopArg] = []
    ports: dict[str, Port] = {}
    position = 0
    for param in function.params:
        if param.sret:
            ports[param.name] = Port("result", result.size, 0, where)
            arg = TopArg("result", "result", -1, param.name, True, result, result.name, result.size)
            args.append(arg)
            continue
        name, type_ = _declared(nodes.get(position, -1), position, param.name, debug, types)
        unnamed = param.name.isdigit()
        name = f"arg{position}" if unnamed else name
        text = declared[name].text if name in declared else f"{type_.name} {name}"
        arg = TopArg(
            name,
            port_name(name, [other.port for other in args]),
            position,
            param.name,
            param.type == "ptr",
            type_,
            text,
            type_.size,
        )
        coerced = param.name == f"{name}.coerce" and type_.kind == "integer"
        if param.name != name and not coerced and not unnamed:
            raise InputError(
                where, f"argument {name} is a structure by value", "pass a pointer to it"
            )
        if param.type == "ptr" and _is_stream(arg, sizes, where):
            arg = dataclasses.replace(arg, is_array=False, is_stream=True)
        elif param.type == "ptr":
            port = _array(function, arg, sizes, options, where, byval=param.byval is not None)
            ports[param.name] = port
            ports[param.name] = dataclasses.replace(port, variable=nodes.get(position, -1))
            arg = TopArg(name, arg.port, position, param.name, True, type_, text, port.size)
            single = port.element == port.size and "[" not in text
            arg = dataclasses.replace(arg, is_pointer=single)
        elif type_.kind != "integer":
            raise InputError(where, f"argument {name} has type {type_.name}", "use integers")
        args.append(arg)
        position += 1
    if not isinstance(function.result, int | str):
        raise InputError(
            where, f"the top function returns {result.name}", "return it through a pointer argument"
        )
    unknown = [name for name, _ in options.depths if name not in declared]
    if unknown:
        raise InputError("--depth", f"{options.top} has no argument {unknown[0]}")
    return TopArgs(tuple(args), ports, result)


def _is_stream(arg: TopArg, sizes: dict[str, int], where: str) -> bool:
    inner = arg.type.inner
    if inner is not None and inner.kind == "array" and inner.inner is not None:
        inner = inner.inner
    if inner is None or not inner.tag.startswith(stream_calls.TAG):
        return False
    if "[" in arg.text or arg.type.inner is not inner:
        raise InputError(
            where, f"argument {arg.name} is an array of streams", "pass each as its own argument"
        )
    return True


def _nodes(function: Function, debug: DebugInfo) -> dict[int, int]:
    """Give the debug variable of each parameter by its position."""
    nodes = debug.fields(function.subprogram).get("retainedNodes", "")
    listed = debug.operands(int(nodes[1:])) if nodes.startswith("!") else []
    positions = {number: int(debug.fields(number).get("arg", "0")) - 1 for number in listed}
    return {position: number for number, position in positions.items() if position >= 0}


def _declared(
    node: int, position: int, llvm_name: str, debug: DebugInfo, types: list[CType]
) -> tuple[str, CType]:
    """Give name and type of the C parameter at a position."""
    if node >= 0:
        return debug.fields(node).get("name", ""), debug.variable_type(node)
    if position + 1 < len(types):
        return llvm_name, types[position + 1]
    return llvm_name, CType("integer", "int", 4, 32, True)


def _array(
    function: Function,
    arg: TopArg,
    sizes: dict[str, int],
    options: Options,
    where: str,
    *,
    byval: bool,
) -> Port:
    pointed = (arg.type.inner if arg.type.kind == "pointer" else arg.type) or CType("void", "void")
    inner = (pointed.inner or pointed) if pointed.kind == "array" else pointed
    if inner.kind in ("pointer", "float", "other") and not byval:
        raise InputError(where, f"argument {arg.name} points to {inner.name}", "use integers")
    unit = inner.size or 1
    known = sizes.get(arg.name, 0)
    if known < 0:
        # Rows of `int (*p)[4]`; a reference stands for the array itself.
        size = -known * (unit if "&" in arg.text else pointed.size or 1)
    elif known:
        size = known
    elif byval:
        size = arg.type.size
    else:
        extent = _extent(function, arg.llvm_name)
        if extent is None:
            raise InputError(
                where,
                f"the size of argument {arg.name} is unknown ({arg.text})",
                f"declare it as an array, {_sized(arg, inner)}, or give the number of "
                f"{'rows' if pointed.kind == 'array' else 'elements'}: --depth {arg.name}=N, "
                f"or #pragma HLS interface ap_memory port={arg.name} depth=N",
            )
        size = -(-extent // unit) * unit
    element = inner.size if inner.kind == "integer" and inner.size in (1, 2, 4, 8) else 0
    return Port(arg.port, size, element, where)


def _sized(arg: TopArg, inner: CType) -> str:
    """Give the declaration of an argument as an array of N elements."""
    rows = re.search(rf"(?:\(\s*\*[^()]*\b{re.escape(arg.name)}\s*\)|\[\s*\])(\[.*)", arg.text)
    return f"{inner.name} {arg.name}[N]{rows[1] if rows else ''}"


def _extent(function: Function, name: str) -> int | None:
    """Give the bytes that a pointer reaches if all accesses are at constant places."""
    offsets = {name: 0}
    extent = 0
    changed = True
    uses = [code for block in function.blocks for code in block.code]
    while changed:
        changed = False
        for code in uses:
            touched = [v.name for _, v in code.args if isinstance(v, Local) and v.name in offsets]
            if not touched:
                continue
            pointer = code.args[-1][1] if code.op == "store" else code.args[0][1]
            if code.op == "getelementptr" and len(touched) == 1:
                step = constant_offset(code.source, [operand for _, operand in code.args[1:]])
                if step is None or not isinstance(pointer, Local):
                    return None
                total = offsets[touched[0]] + step
                if offsets.get(code.result) != total:
                    offsets[code.result] = total
                    changed = True
            elif code.op in ("load", "store") and isinstance(pointer, Local):
                if code.op == "store" and code.args[0][1] in [Local(n) for n in offsets]:
                    return None
                type_ = code.type if code.op == "load" else code.source
                extent = max(extent, offsets[pointer.name] + size_of(type_))
            elif code.op == "icmp" and any(isinstance(v, Number) for _, v in code.args):
                continue
            else:
                return None
    return extent
