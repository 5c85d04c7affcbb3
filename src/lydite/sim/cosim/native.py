# SPDX-License-Identifier: Apache-2.0
"""The native side of co-simulation: run the user's program and record the calls of one function."""

from __future__ import annotations

import dataclasses
import itertools
import re
import shutil
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lydite.base import InputError, ToolFailed, digest, files, proc
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg, StreamArg
from lydite.hls.contract.options import Options
from lydite.hls.frontend import clang
from lydite.sim import build, reads
from lydite.sim.beats import Beats
from lydite.sim.cosim import endings, wrapper
from lydite.sim.cosim import objects as cosim_objects
from lydite.sim.cosim import watch as cosim_watch
from lydite.sim.cosim.endings import LIMITS, Changed, Limits
from lydite.sim.cosim.objects import Objects
from lydite.sim.cosim.watch import Watch
from lydite.tools import compiler

ADDRESS_BYTES = 8
# As the front end has it.
_TARGET = "x86_64-linux-musl"
_BUILD_S = 600.0
_PADDING = 4096
# Of what the program prints, its end.
_KEPT_OUTPUT = 1 << 16


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
    rc : int or None
        Exit status of the program; None if it was ended for taking too long.
    by_value : frozenset of str
        Arguments that are structs by value: what the function does to its copy is not an output.
    output : str
        The end of what the program printed.
    beats : tuple of Beats
        Of each stream, in the order of `Interface.streams`, then of each of
        `Interface.handshakes`.
    notes : tuple of str
        What was not as it should be, though there are calls to compare.
    changed : tuple of Changed
        Variables that the top function uses and something else changed.
    """

    layout: Layout
    data: bytes
    rc: int | None
    by_value: frozenset[str]
    output: str
    beats: tuple[Beats, ...] = ()
    notes: tuple[str, ...] = ()
    changed: tuple[Changed, ...] = ()

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
    limits: Limits = LIMITS,
    watch: Watch | None = None,
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
    limits : Limits
        Where the program, or its record, is cut.
    watch : callable, optional
        Is told how far the program is, at times, in another thread.

    Raises
    ------
    InputError
        There is no `main`, it crashes, it reads an empty stream, or no call can be compared.
    """
    program = compile_program(options, interface, folder)
    path = folder / "calls.bin"
    for old in (path, *folder.glob("calls.bin.*")):
        old.unlink(missing_ok=True)
    progress = folder / "calls.bin.progress"
    endings.blank_progress(progress)
    room = shutil.disk_usage(folder).free // 2
    limits = dataclasses.replace(limits, record_bytes=min(limits.record_bytes, room))
    env = {"LYDITE_COSIM_RECORD": str(path), "LYDITE_COSIM_BYTES": str(limits.record_bytes)}
    if max_calls is not None:
        env["LYDITE_COSIM_CALLS"] = str(max_calls)
    rc: int | None = None
    with cosim_watch.of_native(progress, interface.top, watch):
        try:
            done = proc.run(
                [str(program.path), *arguments],
                env=env,
                timeout_s=limits.native_s,
                keep_bytes=_KEPT_OUTPUT,
            )
            rc, output = done.rc, done.output
        except ToolFailed as error:
            output = error.tail
    ended = endings.Ended(rc, output, endings.read_progress(progress), limits)
    ended.check(str(options.sources[0]), interface, arguments=program.arguments)
    cut, count = layout(interface), ended.progress.kept
    with path.open("rb") as file:
        data = file.read(count * cut.record_bytes)
    beats = _beats(interface, path, count)
    beats += tuple(_handshaken(arg, cut, data, count) for arg in interface.handshakes)
    # What goes by a handshake is compared there.
    by_value = program.by_value | {arg.name for arg in interface.handshakes}
    notes, changed = endings.remarks(folder / "calls.bin.remarks", interface, program.objects)
    notes = (*ended.notes(interface.top), *notes)
    return Recording(cut, data, rc, frozenset(by_value), output, beats, notes, changed)


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


@dataclass(frozen=True, slots=True)
class Program:
    """The program with the recorder in it.

    Attributes
    ----------
    path : Path
    by_value : frozenset of str
        As in `Recording`.
    objects : Objects
        By the numbers that the recorder has.
    arguments : bool
        Whether `main` looks at its arguments.
    """

    path: Path
    by_value: frozenset[str]
    objects: Objects
    arguments: bool


def compile_program(
    options: Options,
    interface: Interface,
    folder: Path,
    *,
    recorder: Path = build.NATIVE / "cosim_record.c",
    more: Sequence[str] = (),
    rewrite: Callable[[str], str] | None = None,
) -> Program:
    """Build the program with the recording wrapper in it.

    Parameters
    ----------
    recorder : Path
        C source of what the wrapper calls.
    more : sequence of str
        Flags beside those of every program.
    rewrite : function, optional
        What becomes of a file's LLVM IR, before the wrapper is put in.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    texts = list(_texts(options, folder, more))
    if rewrite is not None:
        texts = [rewrite(text) for text in texts]
    mains = [re.search(r"^define [^\n]*@main\(([^\n)]*)", text, re.MULTILINE) for text in texts]
    main = next((found for found in mains if found), None)
    if main is None:
        hint = (
            f"co-simulation needs a main that calls {options.top} and checks what it does; "
            "`lydite hls --no-cosim` does without"
        )
        raise InputError(", ".join(str(source) for source in options.sources), "no main", hint)
    texts, objects = cosim_objects.instrument(texts, interface.symbol)
    by_value: frozenset[str] | None = None
    modules = []
    for number, text in enumerate(texts):
        wrapped = None
        if by_value is None:
            wrapped = wrapper.wrap(text, interface, str(options.sources[number]))
        if wrapped is not None:
            text, by_value = wrapped
        modules.append(folder / f"native{number}.ll")
        modules[-1].write_text(text + _padding(number), encoding="utf-8")
    assert by_value is not None, "the compiler found the top function, so it is in one of the files"
    program = folder / "native"
    flags = ["-target", _TARGET, "-O1", "-w"]
    rest = [*flags, *map(str, modules), f"-I{clang.INCLUDE}"]
    rest += ["-x", "c", str(recorder), str(build.NATIVE / "cosim_objects.c"), "-o", str(program)]
    plus = any(clang.is_cxx(source) for source in options.sources)
    cxx = [str(build.NATIVE / "cosim_cxx.c")] if plus else []
    # By what goes in: programs are linked again for each change of directives, and are the same.
    beside = (recorder, build.NATIVE / "cosim_objects.c", *map(Path, cxx))
    known = build.cache_folder() / "native" / _digest(flags, modules, beside)
    if known.exists():
        shutil.copyfile(known, program)
        program.chmod(0o755)
    else:
        # Elsewhere Zig may build its libraries once more: see `sim.build`.
        done = proc.run([*compiler.zig("c").argv, *rest, *cxx], cwd=folder, timeout_s=_BUILD_S)
        if done.rc and plus:
            # Zig compiles the C++ library on its first use, for minutes: only where it is needed.
            done = proc.run([*compiler.zig("c++").argv, *rest], cwd=folder, timeout_s=_BUILD_S)
        done.checked()
        files.write_atomic(known, program.read_bytes())
    return Program(program, by_value, objects, main[1] != "")


def _digest(flags: Sequence[str], modules: Sequence[Path], beside: Sequence[Path]) -> str:
    """Give the digest of all that a program is linked of."""
    headers = reads.of_c(beside, [build.NATIVE, clang.INCLUDE])
    linked = [digest.of_file(path) for path in (*modules, *beside, *headers)]
    return digest.of_value([compiler.zig("c").identity, *flags, *linked])


def _padding(number: int) -> str:
    """Give variables that lie behind those of a file, so that a store beyond the end of its last
    one, which C leaves undefined, does not change the recorder.
    """
    zeros, data = f"@lydite.cosim.zeros.{number}", f"@lydite.cosim.data.{number}"
    kind = f"[{_PADDING} x i8]"
    return (
        f'\n{zeros} = global {kind} zeroinitializer\n{data} = global {kind} c"{"~" * _PADDING}"\n'
    )


def _texts(options: Options, folder: Path, more: Sequence[str]) -> Iterator[str]:
    """Compile the files of the program to LLVM IR."""
    # Zig turns assertions off where it optimises; what the user defines comes behind.
    flags = ["-UNDEBUG", *more, *clang.macros(options.defines, options.undefines)]
    flags += [f"-I{include}" for include in (*options.include_dirs, clang.INCLUDE)]
    for number, source in enumerate(options.sources):
        standard = []
        if options.std and ("++" in options.std) == clang.is_cxx(source):
            standard = [f"-std={options.std}"]
        path = folder / f"native{number}.ll"
        yield clang.compile_to_llvm(source, path, flags=[*flags, *standard])
