# SPDX-License-Identifier: Apache-2.0
"""Streams in co-simulation: what `verilog` puts into the harness for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydite.hls.contract.interface import StreamArg
from lydite.sim.beats import Beats


@dataclass(frozen=True, slots=True)
class Signal:
    """A port of the wrapper: ours, the hardware's, and its bits."""

    name: str
    port: str
    width: int
    direction: str


def fields(arg: StreamArg) -> list[tuple[str, int, int]]:
    """Give name, lowest bit in a beat and width of what a beat consists of."""
    if arg.bits:
        return [("data", 0, arg.bits)]
    size = arg.data_bytes
    fields = [("tdata", 0, 8 * size), ("tkeep", 8 * size, size), ("tlast", 9 * size, 1)]
    return fields + [("tuser", 9 * size + 1, arg.user_bits)] * bool(arg.user_bits)


def signals(number: int, arg: StreamArg) -> list[Signal]:
    """Give the ports of a stream or handshake, the `number`th that has some."""
    there, back = ("output", "input") if arg.direction == "out" else ("input", "output")
    data, valid, ready = arg.ports
    shapes = [(name, f"{arg.port}_{name}", width, there) for name, _, width in fields(arg)]
    if arg.bits:
        width = (arg.bits + 7) // 8 * 8 if arg.protocol == "axis" else arg.bits
        shapes = [("data", data, width, there)]
    shapes += [("valid", valid, 1, there)] * bool(valid) + [("ready", ready, 1, back)] * bool(ready)
    return [Signal(f"x{number}_{name}", port, width, way) for name, port, width, way in shapes]


def constants(streams: Sequence[StreamArg]) -> list[str]:
    """Give the shapes of all streams and handshakes."""
    rows = []
    for arg in streams:
        _, valid, ready = arg.ports
        flags = (
            *(arg.direction == "out", valid, ready),
            *(arg.protocol == "axis", arg.answers_from_register),
        )
        shown = ", ".join("true" if flag else "false" for flag in flags)
        beat_bytes = (arg.beat_bits + 7) // 8
        rows.append(f'{{"{arg.name}", {beat_bytes}, {shown}, {arg.spare_beats}}}')
    return [
        f"constexpr std::array<Shape, {len(streams)}> kStreams = {{{{{', '.join(rows)}}}}};",
    ]


def accesses(streams: Sequence[StreamArg]) -> list[str]:
    """Give the members of the harness that touch the ports of streams and handshakes."""
    drive: list[str] = []
    get: list[str] = []
    put: list[str] = []
    ask: list[str] = []
    for number, arg in enumerate(streams):
        stem, beat = f"top_->x{number}", f"streams_[{number}].beat"
        writes = arg.direction == "out"
        _, valid, ready = arg.ports
        ours, theirs = (ready, valid) if writes else (valid, ready)
        names = ("ready", "valid") if writes else ("valid", "ready")
        put += [f"case {number}: {stem}_{names[0]} = high; break;"] * bool(ours)
        ask += [f"case {number}: return {stem}_{names[1]};"] * bool(theirs)
        if writes:
            get.append(f"std::memset({beat}, 0, sizeof {beat});")
        for name, low, width in fields(arg):
            port = f"{stem}_{name}"
            if low == 0:
                size = (width + 7) // 8
                if writes:
                    get += [f"get({beat}, {port}, {size});", f"cut({beat}, {width});"]
                else:
                    drive.append(f"put({port}, {beat}, {size}, {width});")
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
        "    default: return true;",
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
    for name, low, width in fields(beats.arg):
        mask = (1 << width) - 1
        wanted, given = right >> low & mask, value >> low & mask
        if wanted != given:
            digits = (width + 3) // 4
            shown = f"{beats.arg.name}, beat {place + 1}: {name}"
            if beats.arg.bits:
                alone = beats.arg.per_call == 1
                shown = beats.arg.name if alone else f"{beats.arg.name}[{place}]"
            return shown, f"0x{wanted:0{digits}x}", f"0x{given:0{digits}x}"
    raise AssertionError("the harness saw a difference")
