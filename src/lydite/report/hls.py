# SPDX-License-Identifier: Apache-2.0
"""What the compiler made of a program, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from lydite.report.text import table

if TYPE_CHECKING:
    from lydite.hls import Compiled
    from lydite.hls.contract.report import ChannelReport, FunctionReport
    from lydite.sim.cosim import Result

# A program with many arrays has a file of each: more names than these say less than their number.
_NAMED = 12


def text(compiled: Compiled, cosimulated: Result | None, files: Sequence[str]) -> RenderableType:
    """Give the tables of a compilation and of its co-simulation.

    Parameters
    ----------
    cosimulated : Result or None
        None if that was not asked.
    files : sequence of str
        What was written: Verilog, and what describes it.
    """
    report = compiled.report
    functions = [
        [
            function.name,
            function.where,
            str(function.states),
            _range(function.latency_min, function.latency_max) + _every(function),
            str(function.register_bits),
            f"{function.critical_ns:.2f}",
            ", ".join(f"{count} {unit}" for unit, count in function.units) or "-",
        ]
        for function in report.functions
    ]
    loops = [
        [
            loop.name,
            loop.where,
            _range(loop.trip_min, loop.trip_max),
            _range(loop.iteration_min, loop.iteration_max),
            "-" if loop.ii is None else str(loop.ii),
        ]
        for function in report.functions
        for loop in function.loops
    ]
    memories = [
        [
            memory.name,
            memory.kind,
            f"{memory.depth} x {memory.width}",
            str(memory.ports),
            ", ".join(memory.objects),
        ]
        for memory in report.memories
    ]
    area = report.area
    columns = ["function", "source", ">states", ">latency", ">register bits", ">chain ns", "units"]
    parts: list[RenderableType] = [
        table(f"{compiled.interface.top} at {report.clock_ns:g} ns", columns, functions)
    ]
    if loops:
        columns = ["loop", "source", ">iterations", ">cycles each", ">II"]
        parts.append(table("Loops", columns, loops))
    if memories:
        columns = ["memory", "kind", ">words x bits", ">ports", "holds"]
        parts.append(table("Memories", columns, memories))
    if report.channels:
        fills = cosimulated.fills if cosimulated is not None else ()
        highest = {fill.channel: f"{fill.highest} of {fill.most}" for fill in fills}
        columns = ["channel", "kind", "from", "to", ">bits", ">depth", ">highest fill", "source"]
        parts.append(table("Dataflow", columns, [_channel(c, highest) for c in report.channels]))
    parts.append(
        Text(
            f"estimated before synthesis: {area.lut} LUT, {area.ff} FF, {area.bram} BRAM, "
            f"{area.dsp} DSP, longest chain {report.critical_ns:.2f} ns"
        )
    )
    parts.append(Text(f"written: {_written(files)}"))
    parts.append(_cosimulation(cosimulated))
    return Group(*parts)


def _written(files: Sequence[str]) -> str:
    """Give the names, or of many in one folder their number."""
    folders = {Path(file).parent for file in files}
    if len(files) > _NAMED and len(folders) == 1:
        return f"{folders.pop()}: {len(files)} files"
    return ", ".join(files)


def _channel(channel: ChannelReport, highest: Mapping[str, str]) -> list[str]:
    return [
        channel.label,
        channel.kind,
        channel.writer,
        channel.reader or "-",
        str(channel.width),
        str(channel.depth),
        highest.get(channel.name, "-"),
        channel.where or "-",
    ]


def _cosimulation(result: Result | None) -> Text:
    if result is None:
        return Text("not co-simulated", style="dim")
    calls = f"{result.calls} call{'s' if result.calls != 1 else ''}"
    right = f"{calls} before it as the C"
    if result.mismatch is not None:
        wrong = "is not as the C" if result.mismatch.blamed else "is wrong"
        return Text(f"co-simulation: call {result.mismatch.call} {wrong}; {right}", style="bold")
    if result.limit:
        return Text(f"co-simulation given up in call {result.calls + 1}; {right}", style="bold")
    low, high = result.interval_min, result.interval_max
    steady = "" if low is None else f"; a call every {_range(low, high)} cycles"
    return Text(
        f"co-simulated: {calls} as the C; latency {result.latency_min} to "
        f"{result.latency_max} cycles, mean {result.latency_mean:.1f}; {result.cycles} in all"
        f"{steady}"
    )


def _every(function: FunctionReport) -> str:
    """Say how often a pipelined function takes a call, and how many modules there are of it."""
    often = "" if function.interval is None else f", II={function.interval}"
    return often + (f", {function.modules} modules" if function.modules > 1 else "")


def _range(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return "varies"
    if low == high:
        return str(low)
    return f"{'?' if low is None else low} to {'?' if high is None else high}"
