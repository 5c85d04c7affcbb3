# SPDX-License-Identifier: Apache-2.0
"""The native side of co-simulation: run the user's program and record the calls of one function.

The top function is renamed in LLVM IR and a wrapper takes its name, so that calls from the same
file, static functions and C++ are caught alike, and no source is touched.
"""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lydite.base import InputError, ToolFailed, proc
from lydite.hls import clang
from lydite.hls.interface import ArrayArg, Interface, Options, ScalarArg, StreamArg
from lydite.hls.stubs import split_parameters
from lydite.sim import build
from lydite.sim.beats import Beats
from lydite.tools import compiler

_ORIGINAL = "lydite.cosim.original"
_DECLARATIONS = """
declare void @lydite_cosim_begin()
declare void @lydite_cosim_put(ptr, i64)
declare void @lydite_cosim_address(ptr)
declare void @lydite_cosim_end()
declare void @lydite_cosim_stream_begin(ptr, i32, i32, i32)
declare void @lydite_cosim_stream_end(ptr, i32)
"""
ADDRESS_BYTES = 8
# As the front end has it.
_TARGET = "x86_64-linux-musl"
_RUN_S = 600.0


@dataclass(frozen=True, slots=True)
class ScalarField:
    """Where a scalar argument stands in a record: `bytes` bytes at `offset`, little-endian."""

    arg: ScalarArg
    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class ArrayField:
    """Where an array argument stands: its address, then its bytes; `out`: in the outputs."""

    arg: ArrayArg
    offset: int
    out: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Layout:
    """One call in a record: a mark, inputs, outputs (arrays afterwards, then the result).

    Attributes
    ----------
    scalars, arrays : tuple
        In C order.
    in_bytes, out_bytes : int
        Lengths of the two parts.
    result, result_bytes : int
        Where the return value stands in the outputs.
    """

    scalars: tuple[ScalarField, ...]
    arrays: tuple[ArrayField, ...]
    in_bytes: int
    out_bytes: int
    result: int
    result_bytes: int

    @property
    def record_bytes(self) -> int:
        """Bytes of one call."""
        return self.in_bytes + self.out_bytes


def layout(interface: Interface) -> Layout:
    """Lay out the record of a function's calls."""
    scalars: list[ScalarField] = []
    arrays: list[ArrayField] = []
    offset, out = 1, 0
    for arg in interface.args:
        if isinstance(arg, StreamArg):
            continue
        if isinstance(arg, ScalarArg):
            size = (arg.width + 7) // 8
            scalars.append(ScalarField(arg, offset, size))
            offset += size
        else:
            size = min(arg.c_bytes, arg.depth * arg.element_width // 8)
            arrays.append(ArrayField(arg, offset, out, size))
            offset += ADDRESS_BYTES + size
            out += size
    result_bytes = (interface.return_width + 7) // 8
    return Layout(tuple(scalars), tuple(arrays), offset, out + result_bytes, out, result_bytes)


@dataclass(frozen=True, slots=True)
class Call:
    """One recorded call.

    Attributes
    ----------
    scalars : dict of str to int
        By name, signed as the C type is.
    before, after : dict of str to bytes
        Arrays by name, ahead of the call and behind it.
    result : int or None
        Unsigned; None for void.
    streams : dict of str to tuple of int
        By port, the beats that the call took from a stream or gave to it: from the lowest bit,
        data, keep, last, user.
    """

    scalars: dict[str, int]
    before: dict[str, bytes]
    after: dict[str, bytes]
    result: int | None
    streams: dict[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recording:
    """A native run.

    Attributes
    ----------
    layout : Layout
        How `data` is cut.
    data : bytes
        Whole calls, one after the other.
    rc : int
        Exit status of the program.
    cut : bool
        Whether the program ended inside a call of the top function.
    by_value : frozenset of str
        Arguments that are structs by value: what the function does to its copy is not an output.
    output : str
        What the program printed.
    beats : tuple of Beats
        Of each stream, in the order of `Interface.streams`, then of each of
        `Interface.handshakes`.
    """

    layout: Layout
    data: bytes
    rc: int
    cut: bool
    by_value: frozenset[str]
    output: str
    beats: tuple[Beats, ...] = ()

    def __len__(self) -> int:
        return len(self.data) // self.layout.record_bytes

    def call(self, number: int) -> Call:
        """Give call `number`, from 0."""
        cut, start = self.layout, number * self.layout.record_bytes
        out = start + cut.in_bytes
        scalars = {}
        for scalar in cut.scalars:
            raw = self.data[start + scalar.offset : start + scalar.offset + scalar.bytes]
            value = int.from_bytes(raw, "little")
            if scalar.arg.signed and value >> (scalar.arg.width - 1):
                value -= 1 << scalar.arg.width
            scalars[scalar.arg.name] = value
        before, after = {}, {}
        for array in cut.arrays:
            at = start + array.offset + ADDRESS_BYTES
            before[array.arg.name] = self.data[at : at + array.bytes]
            after[array.arg.name] = self.data[out + array.out : out + array.out + array.bytes]
        raw = self.data[out + cut.result : out + cut.out_bytes]
        streams = {item.arg.port: item.of_call(number) for item in self.beats}
        result = int.from_bytes(raw, "little") if raw else None
        return Call(scalars, before, after, result, streams)

    def calls(self) -> Iterator[Call]:
        """Give all calls in order."""
        return (self.call(number) for number in range(len(self)))


def record(
    options: Options,
    interface: Interface,
    folder: Path,
    *,
    arguments: Sequence[str] = (),
    max_calls: int | None = None,
    timeout_s: float = _RUN_S,
) -> Recording:
    """Compile the program, run it, and give the calls of its top function.

    Parameters
    ----------
    folder : Path
        Scratch folder; the program and its record stay there.
    arguments : sequence of str
        Command line of the program.
    max_calls : int, optional
        Calls after which no more are recorded; the program still runs to its end.
    timeout_s : float
        Seconds that the program may take.

    Raises
    ------
    InputError
        There is no `main`, it never calls the top function, it crashes, or it reads an empty
        stream.
    """
    program, by_value = _compile(options, interface, folder)
    path = folder / "calls.bin"
    for old in (path, *folder.glob("calls.bin.*")):
        old.unlink(missing_ok=True)
    env = {"LYDITE_COSIM_RECORD": str(path)}
    if max_calls is not None:
        env["LYDITE_COSIM_CALLS"] = str(max_calls)
    where = str(options.sources[0])
    try:
        done = proc.run([str(program), *arguments], env=env, timeout_s=timeout_s)
    except ToolFailed as error:
        what = f"the C program did not end within {timeout_s:.0f} s"
        raise InputError(where, what, "give its main less to do") from error
    data = path.read_bytes() if path.exists() else b""
    cut = layout(interface)
    count, rest = divmod(len(data), cut.record_bytes)
    if done.rc < 0 and (found := re.search(r"^lydite_stream: (.*)$", done.output, re.MULTILINE)):
        what = f"the C program stops in call {count + 1} of {options.top}: {found[1]}"
        raise InputError(where, what, "write to a stream what the function reads before its call")
    if done.rc < 0:
        what = f"the C program was killed by signal {-done.rc} after {count} calls of {options.top}"
        raise InputError(where, what, "run it under a debugger or with -fsanitize=address")
    if count == 0 and not rest:
        hint = "its calls are what is simulated; --top main takes the whole program"
        raise InputError(where, f"main never calls {options.top}", hint)
    beats = _beats(interface, path, count)
    data = data[: len(data) - rest]
    beats += tuple(_handshaken(arg, cut, data, count) for arg in interface.handshakes)
    # What goes by a handshake is compared there.
    by_value |= {arg.name for arg in interface.handshakes}
    return Recording(cut, data, done.rc, rest != 0, by_value, done.output, beats)


def _handshaken(arg: StreamArg, cut: Layout, data: bytes, calls: int) -> Beats:
    """Give the values of an argument that come or go by a handshake, from the record of calls."""
    scalars = {field.arg.name: field for field in cut.scalars}
    if arg.name in scalars:
        first, size = scalars[arg.name].offset, scalars[arg.name].bytes
    else:
        field = next(field for field in cut.arrays if field.arg.name == arg.name)
        outside = arg.direction == "out"
        first = cut.in_bytes + field.out if outside else field.offset + ADDRESS_BYTES
        size = field.bytes
    starts = range(first, calls * cut.record_bytes, cut.record_bytes)
    values = b"".join(data[start : start + size] for start in starts)
    return Beats(arg, values, tuple(arg.per_call * (call + 1) for call in range(calls)))


def _beats(interface: Interface, path: Path, calls: int) -> tuple[Beats, ...]:
    """Read what the recorder wrote of streams: a file each, and the numbers of beats by calls."""
    streams = interface.streams
    if not streams:
        return ()
    counts = struct.unpack(
        f"<{calls * len(streams)}Q",
        path.with_suffix(".bin.counts").read_bytes()[: 8 * calls * len(streams)],
    )
    return tuple(
        Beats(
            arg,
            path.with_suffix(f".bin.{number}").read_bytes(),
            tuple(itertools.accumulate(counts[number :: len(streams)])),
        )
        for number, arg in enumerate(streams)
    )


def _compile(options: Options, interface: Interface, folder: Path) -> tuple[Path, frozenset[str]]:
    """Build the program with the recording wrapper in it."""
    folder.mkdir(parents=True, exist_ok=True)
    flags = clang.macros(options.defines, options.undefines)
    flags += [f"-I{include}" for include in (*options.include_dirs, clang.INCLUDE)]
    by_value: frozenset[str] | None = None
    has_main = False
    modules = []
    for number, source in enumerate(options.sources):
        standard = []
        if options.std and ("++" in options.std) == clang.is_cxx(source):
            standard = [f"-std={options.std}"]
        path = folder / f"native{number}.ll"
        text = clang.compile_to_llvm(source, path, flags=[*flags, *standard])
        has_main |= re.search(r"^define [^\n]*@main\(", text, re.MULTILINE) is not None
        wrapped = _wrap(text, interface, str(source))
        if wrapped is not None and by_value is None:
            text, by_value = wrapped
            path.write_text(text, encoding="utf-8")
        modules.append(str(path))
    where = ", ".join(str(source) for source in options.sources)
    if not has_main:
        hint = (
            f"co-simulation needs a main that calls {options.top} and checks what it does; "
            "`lydite hls --no-cosim` does without"
        )
        raise InputError(where, "no main", hint)
    assert by_value is not None, "the compiler found the top function, so it is in one of the files"
    program = folder / "native"
    recorder = str(build.NATIVE / "cosim_record.c")
    rest = ["-target", _TARGET, "-O1", "-w", *modules, f"-I{clang.INCLUDE}"]
    rest += ["-x", "c", recorder, "-o", str(program)]
    done = proc.run([*compiler.zig("c").argv, *rest], timeout_s=_RUN_S)
    if done.rc and any(clang.is_cxx(source) for source in options.sources):
        # Zig compiles the C++ library on its first use, for minutes: only where it is needed.
        done = proc.run([*compiler.zig("c++").argv, *rest], timeout_s=_RUN_S)
    done.checked()
    return program, by_value


def _wrap(text: str, interface: Interface, source: str) -> tuple[str, frozenset[str]] | None:
    """Put the recording wrapper into a module; None if the top function is not in it."""
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
            before.append(f"call void @lydite_cosim_address(ptr %{_quoted(name)})")
            put = f"call void @lydite_cosim_put(ptr %{_quoted(name)}, i64 {size})"
            before.append(put)
            after.append(put)
            if " byval(" in text:
                by_value.add(arg.name)
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
