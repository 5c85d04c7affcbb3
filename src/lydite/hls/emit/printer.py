# SPDX-License-Identifier: Apache-2.0
"""Writes a module as Verilog-2005.

What no item says follows from the whole: nets of which some bits have no reader say so to linters.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.emit.structure import (
    CLOCK,
    Arm,
    Array,
    Assign,
    Body,
    Case,
    Constant,
    Declare,
    Form,
    If,
    Initial,
    Instance,
    Module,
    Net,
    Note,
    Plain,
    Port,
    Priority,
    Process,
    Statement,
    Table,
    Write,
)
from lydite.hls.emit.verilog import literal, span

_PER_LINE = 4
# Words of zero from which a loop writes them.
_TAIL = 1024


def text(module: Module[Plain], reads: Mapping[str, int]) -> str:
    """Give the text of a module's file; `reads` are the bits of each net that something reads."""
    ports = [_port(port, reads, last=port is module.ports[-1]) for port in module.ports]
    items = [line for item in module.items for line in lines(item, reads)]
    text = [*module.head, "", "`default_nettype none", "", f"module {module.name} (", *ports]
    text += [");", "", *(f"  {line}" if line else "" for line in items), "", "endmodule", ""]
    return "\n".join([*text, "`default_nettype wire", ""])


def _note(text: str) -> str:
    return f"  // {text}" if text else ""


def _waiver(rule: str, reason: str) -> tuple[str, str]:
    """Give what goes before and after a declaration that breaks a rule of the linter."""
    return f"/* verilator lint_off {rule} */ ", f" /* verilator lint_on {rule} */  // {reason}"


def _unread(name: str, width: int, reads: Mapping[str, int]) -> tuple[str, str]:
    """Give what goes before and after a declaration if some of its bits are never read."""
    found = reads.get(name, 0)
    if found == (1 << width) - 1 or name.startswith("unused"):
        return "", ""
    return _waiver("UNUSEDSIGNAL", "some bits have no reader" if found else "no reader")


def _port(port: Port, reads: Mapping[str, int], *, last: bool) -> str:
    before, after = "", ""
    if port.waiver is not None:
        before, after = _waiver(*port.waiver)
    elif port.direction == "input":
        own = reads.get(port.name, 0) & ((1 << port.width - port.padding) - 1)
        before, after = _unread(port.name, port.width, {port.name: own})
    kind = "reg " if port.register else "wire"
    comma = "" if last else ","
    return f"    {before}{port.direction:6} {kind} {span(port.width)}{port.name}{comma}{after}"


def lines(item: Plain, reads: Mapping[str, int]) -> list[str]:
    """Give the lines of an item, without the margin of the module."""
    match item:
        case Note(text):
            return [f"// {text}" if text else ""]
        case Constant(name, width, value, note):
            return [f"localparam {span(width)}{name} = {literal(width, value)};{_note(note)}"]
        case Declare():
            return _declaration(item, reads)
        case Assign(target, value):
            return f"assign {target} ={'' if value[0] == chr(10) else ' '}{value};".split("\n")
        case Initial(name, value):
            return [f"initial {name} = {value};"]
        case Array():
            return _array(item)
        case Table():
            return _table(item)
        case Process():
            return _process(item)
        case Instance():
            return _instance(item)


def _range(net: Net) -> str:
    if net.low or net.vector:
        return f"[{net.low + net.width - 1}:{net.low}] "
    return span(net.width)


def _declaration(item: Declare, reads: Mapping[str, int]) -> list[str]:
    shown = f"{item.kind} {_range(item.nets[0])}{', '.join(net.name for net in item.nets)}"
    shown += f" = {item.value};" if item.value else ";"
    if item.observed:
        off, on = (f"/* verilator lint_{word} UNUSEDSIGNAL */" for word in ("off", "on"))
        return [off, f"{shown}{_note(item.note)}", on]
    waivers = [_unread(net.name, net.width, reads) for net in item.nets]
    before, after = next(filter(any, waivers), ("", ""))
    attribute = f"(* {item.attribute} *) " if item.attribute else ""
    return f"{attribute}{before}{shown}{after}{_note(item.note)}".split("\n")


def _array(item: Array) -> list[str]:
    """Declare a memory, and write what it holds at power-up."""
    name, width = item.net.name, item.net.width
    attribute = f"(* {item.attribute} *) " if item.attribute else ""
    lines = [f"{attribute}reg {span(width)}{name} [0:{item.depth - 1}];"]
    # What follows what is given is zero: word by word only where that is short.
    given = len(item.words)
    short = given and item.depth - given < _TAIL
    words = [*item.words, *[0] * (item.depth - given)] if short else item.words
    moves: list[str] = []
    for at in range(0, len(words), _PER_LINE):
        group = [
            f"{name}[{index}] = {literal(width, words[index])};"
            for index in range(at, min(at + _PER_LINE, len(words)))
        ]
        moves.append("  " + " ".join(group))
    if len(words) < item.depth:
        count = item.index
        lines.append(f"integer {count};")
        moves += [
            f"  for ({count} = {len(words)}; {count} < {item.depth}; {count} = {count} + 1)",
            f"    {name}[{count}] = {literal(width, 0)};",
        ]
    return [*lines, "initial begin", *moves, "end"]


def _table(item: Table) -> list[str]:
    size = len(item.words)
    lines = [f"localparam {span(size * item.stride)}{item.name} = ~{{"]
    for at in range(0, size, _PER_LINE):
        group = [literal(item.stride, value) for value in item.words[at : at + _PER_LINE]]
        lines.append(f"  {', '.join(group)}{',' if at + _PER_LINE < size else '};'}")
    return lines


def _instance(item: Instance) -> list[str]:
    lines = [f"{item.module} {item.name} ("]
    if item.parameters:
        values = ",\n".join(f"    .{name}({value})" for name, value in item.parameters)
        lines = [f"{item.module} #(", *values.split("\n"), f") {item.name} ("]
    pins = ",\n".join(f"    .{pin.port}({pin.text})" for pin in item.pins)
    return [*lines, *pins.split("\n"), ");"]


def _process(item: Process) -> list[str]:
    sign = "<=" if item.clocked else "="
    head = f"always @(posedge {CLOCK})" if item.clocked else "always @*"
    return _branch(f"{head} ", item.body, sign, item.form)


def _branch(head: str, body: Body, sign: str, form: Form, note: str = "") -> list[str]:
    """Write statements behind what they depend on, which ends in a space."""
    lines = _body(body, sign)
    if form is Form.BLOCK:
        return [f"{head}begin{_note(note)}", *_indented(lines), "end"]
    if form is Form.BELOW:
        return [f"{head.rstrip()}{_note(note)}", *_indented(lines)]
    return [f"{head}{lines[0]}", *lines[1:]]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _body(body: Body, sign: str) -> list[str]:
    return [line for statement in body for line in _statement(statement, sign)]


def _statement(statement: Statement, sign: str) -> list[str]:
    match statement:
        case Write(target, value, note):
            return f"{target} {sign} {value};{_note(note)}".split("\n")
        case Priority(levels):
            return [line for level in levels for line in _body(level, sign)]
        case If():
            return _if(statement, sign)
        case Case(subject, arms, default):
            lines = [line for arm in arms for line in _arm(arm, sign)]
            form = Form.BLOCK if len(default) > 1 else Form.INLINE
            lines += _arm(Arm(("default",), default, form=form), sign)
            return [f"case ({subject})", *_indented(lines), "endcase"]


def _if(item: If, sign: str) -> list[str]:
    lines = _branch(f"if ({item.condition}) ", item.then, sign, item.form)
    if not item.otherwise:
        return lines
    chained = len(item.otherwise) == 1 and isinstance(item.otherwise[0], If) and not item.nested
    form = Form.INLINE if chained else item.form
    rest = _branch("else ", item.otherwise, sign, form)
    if item.form is Form.BLOCK:
        return [*lines[:-1], f"end {rest[0]}", *rest[1:]]
    return lines + rest


def _arm(arm: Arm, sign: str) -> list[str]:
    head = f"{', '.join(arm.labels)}: "
    if not arm.body:
        return [f"{head};"]
    return _branch(head, arm.body, sign, arm.form, arm.note)
