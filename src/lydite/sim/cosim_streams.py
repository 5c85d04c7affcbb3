# SPDX-License-Identifier: Apache-2.0
"""Streams in co-simulation: what `cosim_verilog` puts into the harness for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydite.hls import emit_stream
from lydite.hls.interface import StreamArg
from lydite.sim.cosim_native import Beats


@dataclass(frozen=True, slots=True)
class Signal:
    """A port of the wrapper: ours, the hardware's, and its bits."""

    name: str
    port: str
    width: int
    direction: str


def _fields(arg: StreamArg) -> list[tuple[str, int, int]]:
    """Give name, lowest bit in a beat and width of what a beat consists of."""
    size = arg.data_bytes
    fields = [("tdata", 0, 8 * size), ("tkeep", 8 * size, size), ("tlast", 9 * size, 1)]
    return fields + [("tuser", 9 * size + 1, arg.user_bits)] * bool(arg.user_bits)


def signals(number: int, arg: StreamArg) -> list[Signal]:
    """Give the ports of a stream, the `number`th that has some."""
    there, back = ("output", "input") if arg.direction == "out" else ("input", "output")
    shapes = [(name, width, there) for name, _, width in _fields(arg)]
    shapes += [("tvalid", 1, there), ("tready", 1, back)]
    return [
        Signal(f"x{number}_{name}", f"{arg.port}_{name}", width, direction)
        for name, width, direction in shapes
    ]


def constants(streams: Sequence[StreamArg]) -> list[str]:
    """Give the shapes of all streams."""
    rows = ", ".join(
        f'{{"{arg.name}", {arg.data_bytes}, {arg.user_bits}, {(arg.beat_bits + 7) // 8}, '
        f"{'true' if arg.direction == 'out' else 'false'}}}"
        for arg in streams
    )
    return [
        f"constexpr std::array<Shape, {len(streams)}> kStreams = {{{{{rows}}}}};",
        f"constexpr uint64_t kSpareBeats = {emit_stream.CAPACITY};",
    ]


def accesses(streams: Sequence[StreamArg]) -> list[str]:
    """Give the members of the harness that touch the ports of streams."""
    drive, get, put, ask = [], [], [], []
    for number, arg in enumerate(streams):
        stem, beat = f"top_->x{number}", f"streams_[{number}].beat"
        writes = arg.direction == "out"
        put.append(f"case {number}: {stem}_{'tready' if writes else 'tvalid'} = high; break;")
        ask.append(f"case {number}: return {stem}_{'tvalid' if writes else 'tready'};")
        if writes:
            get.append(f"std::memset({beat}, 0, sizeof {beat});")
        for name, low, width in _fields(arg):
            port = f"{stem}_{name}"
            if name == "tdata" and writes:
                get.append(f"get({beat}, {port}, {width // 8});")
            elif name == "tdata":
                drive.append(f"put({port}, {beat}, {width // 8}, {width});")
            elif writes:
                get.append(f"put_bits({beat}, {low}, {width}, {port});")
            else:
                drive.append(f"set_bits({port}, bits_of({beat}, {low}, {width}));")
    return [
        "void drive_streams() {",
        *(f"  {line}" for line in drive),
        "}",
        "void get_beats() {",
        *(f"  {line}" for line in get),
        "}",
        "void set(size_t number, bool high) {",
        "  switch (number) {",
        *(f"    {line}" for line in put),
        "    default: (void)high;",
        "  }",
        "}",
        "bool answer(size_t number) const {",
        "  switch (number) {",
        *(f"    {line}" for line in ask),
        "    default: return false;",
        "  }",
        "}",
    ]


def difference(beats: Beats, call: int, index: int, value: int) -> tuple[str, str, str]:
    """Give variable, expected and got of a wrong beat: `out, beat 3: tlast`.

    Parameters
    ----------
    call, index : int
        The call that gives it, and its number among those of all calls.
    value : int
        What the hardware gave.
    """
    right = beats.beat(index)
    place = index - (beats.ends[call - 1] if call else 0)
    for name, low, width in _fields(beats.arg):
        mask = (1 << width) - 1
        wanted, given = right >> low & mask, value >> low & mask
        if wanted != given:
            digits = (width + 3) // 4
            shown = f"{beats.arg.name}, beat {place + 1}: {name}"
            return shown, f"0x{wanted:0{digits}x}", f"0x{given:0{digits}x}"
    raise AssertionError("the harness saw a difference")
