# SPDX-License-Identifier: Apache-2.0
"""Puts a wrapper that records each call in the top function's place, for `native`.

The top function is renamed in LLVM IR and the wrapper takes its name, so that calls from the same
file, static functions and C++ are caught alike, and no source is touched. What it calls is in
`native/cosim_record.c`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lydite.base import InputError
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg, StreamArg
from lydite.hls.frontend.library_stubs import split_parameters

_ORIGINAL = "lydite.cosim.original"
_DECLARATIONS = """
declare void @lydite_cosim_begin()
declare void @lydite_cosim_put(ptr, i64)
declare void @lydite_cosim_address(ptr)
declare void @lydite_cosim_array(ptr, i64, i32)
declare void @lydite_cosim_after(ptr, i64, i32)
declare void @lydite_cosim_end()
declare void @lydite_cosim_stream_begin(ptr, i32, i32, i32)
declare void @lydite_cosim_stream_end(ptr, i32)
"""


def wrap(text: str, interface: Interface, source: str) -> tuple[str, frozenset[str]] | None:
    """Put the recording wrapper into a module; None if the top function is not in it.

    Returns
    -------
    tuple of str and frozenset
        The module, and the arguments that are structs by value.
    """
    symbol = interface.symbol
    pattern = rf"^define (?P<head>[^@\n]*)@{re.escape(symbol)}\((?P<rest>[^\n]*)\{{$"
    line = re.search(pattern, text, re.MULTILINE)
    if line is None:
        return None
    parameters, tail = split_parameters(line["rest"])
    tail = tail.strip() + " "
    head = line["head"].split()
    while head and head[0] in _LINKAGE:
        head.pop(0)
    returns = " ".join(head)
    found = re.search(r"(\{.*\}|\[.*\]|<.*>|\S+)$", returns)
    assert found is not None, "an LLVM function has a return type"
    kind = found[0]
    group = re.search(r"#\d+", tail)
    attributes = group[0] if group else ""
    before, after, by_value = _recording(parameters, interface, source)
    width = interface.return_width
    call = f'call {returns} @"{_ORIGINAL}"({", ".join(parameters)})'
    if kind == "void":
        middle, end = [call], "ret void"
        if width and " sret(" in parameters[0]:
            place = parameters[0].split()[-1]
            after += _put_memory("result", place, width)
    else:
        middle = [f"%lydite.result = {call}"]
        bits = width if kind.startswith("{") else 0
        if width:  # a pointer is dropped
            after += _put_value("result", kind, "%lydite.result", (width + 7) // 8, bits)
        end = f"ret {kind} %lydite.result"
    body = ["call void @lydite_cosim_begin()", *before, *middle, *after]
    body += ["call void @lydite_cosim_end()", end]
    linkage = "internal " if "internal" in line["head"].split() else ""
    wrapper = f"define {linkage}{returns} @{symbol}({', '.join(parameters)}) {attributes} {{\n"
    wrapper += "".join(f"  {statement}\n" for statement in body) + "}\n"
    original = f'define internal {returns} @"{_ORIGINAL}"({", ".join(parameters)}) '
    original += re.sub(r"\bcomdat\b(\([^)]*\))?", "", tail) + "{"
    text = text[: line.start()] + original + text[line.end() :]
    return text + "\n" + wrapper + _DECLARATIONS, by_value


_LINKAGE = frozenset(
    (
        *("dso_local", "internal", "private", "linkonce", "linkonce_odr", "weak", "weak_odr"),
        *("hidden", "protected", "default", "available_externally", "fastcc", "ccc"),
        *("local_unnamed_addr", "unnamed_addr"),
    )
)


def _recording(
    parameters: Sequence[str], interface: Interface, source: str
) -> tuple[list[str], list[str], frozenset[str]]:
    """Give the statements that record arguments ahead of the call and behind it."""
    groups = _groups(parameters)
    hidden = [group for group in groups if " sret(" in group[0][1]]
    plain = [group for group in groups if group not in hidden]
    before: list[str] = []
    after: list[str] = []
    by_value: set[str] = set()
    for position, arg in enumerate(interface.args):
        wanted = hidden if arg.index < 0 else plain
        if not wanted:
            what = f"parameter {arg.name} of {interface.top} is passed in a way not known here"
            raise InputError(source, what, "co-simulation takes integers, pointers and structs")
        own = wanted.pop(0)
        name, text = own[0]
        if isinstance(arg, StreamArg):
            if not arg.unused:
                number = interface.streams.index(arg)
                shape = f"i32 {number}, i32 {arg.data_bytes}, i32 {arg.user_bits}"
                address = f"ptr %{_quoted(name)}"
                before.append(f"call void @lydite_cosim_stream_begin({address}, {shape})")
                after.append(f"call void @lydite_cosim_stream_end({address}, i32 {number})")
        elif isinstance(arg, ArrayArg) and text.startswith("ptr"):
            size = min(arg.c_bytes, arg.depth * arg.element_width // 8)
            place = f"ptr %{_quoted(name)}, i64 {size}"
            if " byval(" in text:
                by_value.add(arg.name)
                before.append(f"call void @lydite_cosim_address(ptr %{_quoted(name)})")
                before.append(f"call void @lydite_cosim_put({place})")
                after.append(before[-1])
            else:
                place += f", i32 {interface.arrays.index(arg)}"
                before.append(f"call void @lydite_cosim_array({place})")
                after.append(f"call void @lydite_cosim_after({place})")
        elif isinstance(arg, ScalarArg) and " byval(" in text:
            before += _put_memory(str(position), f"%{_quoted(name)}", arg.width)
        elif isinstance(arg, ScalarArg):
            before += _put_parts(str(position), own, arg.width)
        else:
            what = f"parameter {arg.name} of {interface.top} is passed as {text.split()[0]}"
            raise InputError(source, what, "pass a pointer to it")
    return before, after, frozenset(by_value)


def _groups(parameters: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Give name and text of LLVM parameters, those of one C parameter together, in C order."""
    groups: list[list[tuple[str, str]]] = []
    stem = ""
    for number, text in enumerate(parameters):
        found = re.search(r'%("[^"]*"|[\w.$-]+)$', text)
        name = found[1].strip('"') if found else str(number)
        parts = re.fullmatch(r"(.*)\.coerce\d+", name)
        if parts and parts[1] == stem:
            groups[-1].append((name, text))
        else:
            groups.append([(name, text)])
        stem = parts[1] if parts else ""
    return groups


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[\w.$-]+", name) else f'"{name}"'


def _put_parts(label: str, parts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Record a value of `width` bits that is passed in one or more integers."""
    statements: list[str] = []
    for number, (name, text) in enumerate(parts):
        kind = text.split()[0]
        bits = int(kind.removeprefix("i")) if re.fullmatch(r"i\d+", kind) else 64
        # Above an integer of more than one register, the ABI says nothing of its other bits.
        own = width if len(parts) > 1 and width < bits else 0
        take = min((width + 7) // 8, (bits + 7) // 8)
        statements += _put_value(f"{label}.{number}", kind, f"%{_quoted(name)}", take, own)
        width = max(0, width - bits)
    return statements


def _put_value(label: str, kind: str, value: str, size: int, bits: int = 0) -> list[str]:
    """Record the low bytes of one LLVM value; with `bits`, only so many of its bits."""
    if size <= 0:
        return []
    slot = f"%lydite.slot.{label}"
    statements = []
    if match := re.fullmatch(r"i(\d+)", kind):
        own = int(match[1])
        if own % 8:
            whole = f"i{own + 7 & ~7}"
            statements.append(f"%lydite.whole.{label} = zext {kind} {value} to {whole}")
            kind, value = whole, f"%lydite.whole.{label}"
    statements += [
        f"{slot} = alloca {kind}, align 16",
        f"store {kind} {value}, ptr {slot}",
    ]
    if bits:
        return statements + _put_memory(label, slot, bits)
    return [*statements, f"call void @lydite_cosim_put(ptr {slot}, i64 {size})"]


def _put_memory(label: str, place: str, bits: int) -> list[str]:
    """Record an integer that lies in memory, without what stands above its bits."""
    size = (bits + 7) // 8
    if bits % 8 == 0:
        return [f"call void @lydite_cosim_put(ptr {place}, i64 {size})"]
    stem, kind = f"%lydite.bits.{label}", f"i{8 * size}"
    return [
        f"{stem}.read = load {kind}, ptr {place}, align 1",
        f"{stem}.kept = and {kind} {stem}.read, {(1 << bits) - 1}",
        f"{stem} = alloca {kind}, align 16",
        f"store {kind} {stem}.kept, ptr {stem}, align 1",
        f"call void @lydite_cosim_put(ptr {stem}, i64 {size})",
    ]
