# SPDX-License-Identifier: Apache-2.0
"""Looks into a dataflow design in co-simulation: how full its channels are, and who waits for whom.

The wrapper around the hardware collects states and fills in one port, `flow`, and the highest fill
of each channel in another, `highest`. Where a call does not end, they say why.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydite.base import CheckFailed
from lydite.hls import Machine
from lydite.hls.compiled import Compiled
from lydite.hls.contract.diagnostics import place
from lydite.hls.contract.report import ChannelReport, ProcessReport, WaitReport
from lydite.sim.cosim.native import Recording


@dataclass(frozen=True, slots=True)
class Fill:
    """The highest fill of a channel in a run: beats, or copies that were full, of `most`."""

    channel: str
    highest: int
    most: int


def probes(compiled: Compiled) -> list[tuple[str, int]]:
    """Give the signals that are looked at, from the top module, with their bits."""
    report = compiled.report
    found = [(c.fill, c.fill_bits) for c in report.channels if c.fill]
    for process in report.processes:
        found.append((process.busy, 1))
        for name, bits, waits in process.members:
            found.append((f"u_{name}.state_q", bits))
            found += [(wait.ready, 1) for wait in waits if wait.ready]
    return list(dict.fromkeys(found))


def wrapper(compiled: Compiled) -> tuple[list[str], list[str]]:
    """Give ports and lines of the wrapper module; none for a design without processes."""
    signals = probes(compiled)
    if not compiled.report.processes:
        return [], []
    instance = f"u_{compiled.interface.top}"
    bits = sum(width for _, width in signals)
    parts = ", ".join(f"{instance}.{name}" for name, _ in reversed(signals))
    lines = [f"  assign flow = {{{parts}}};"]
    filled = [c for c in compiled.report.channels if c.fill]
    high = sum(c.fill_bits for c in filled)
    for number, channel in enumerate(filled):
        register = f"highest{number}"
        lines += [
            f"  reg [{channel.fill_bits - 1}:0] {register} = 0;",
            f"  always @(posedge ap_clk) if (!ap_rst && {instance}.{channel.fill} > {register})",
            f"    {register} <= {instance}.{channel.fill};",
        ]
    together = ", ".join(f"highest{n}" for n in reversed(range(len(filled)))) or "1'b0"
    lines.append(f"  assign highest = {{{together}}};")
    ports = [
        f"    output wire [{bits - 1}:0] flow",
        f"    output wire [{max(high, 1) - 1}:0] highest",
    ]
    return ports, lines


def sizes(compiled: Compiled) -> tuple[int, int]:
    """Give the bytes of both ports; 0 for none."""
    if not compiled.report.processes:
        return 0, 0
    bits = sum(width for _, width in probes(compiled))
    high = sum(c.fill_bits for c in compiled.report.channels if c.fill)
    return (bits + 7) // 8, (max(high, 1) + 7) // 8


def accesses(compiled: Compiled) -> list[str]:
    """Give the member of the harness that reads both ports."""
    if not compiled.report.processes:
        return ["void get_flow() {}"]
    return [
        "void get_flow() {",
        "  get(job_->flow, top_->flow, kFlowBytes);",
        "  get(job_->highest, top_->highest, kHighestBytes);",
        "}",
    ]


def fills(compiled: Compiled, highest: bytes) -> tuple[Fill, ...]:
    """Read the highest fills."""
    number, low = int.from_bytes(highest, "little"), 0
    result = []
    for channel in compiled.report.channels:
        if channel.fill:
            mask = (1 << channel.fill_bits) - 1
            result.append(Fill(channel.name, number >> low & mask, channel.most))
            low += channel.fill_bits
    return tuple(result)


def blocked(compiled: Compiled, flow: bytes, recording: Recording, failed: int) -> list[str]:
    """Say which processes wait for what, in a call that does not end.

    Parameters
    ----------
    flow : bytes
        The port, where it was given up.
    failed : int
        Number of the call, from 0.
    """
    number, low = int.from_bytes(flow, "little"), 0
    values: dict[str, int] = {}
    for name, bits in probes(compiled):
        values[name] = number >> low & ((1 << bits) - 1)
        low += bits
    channels = {channel.name: channel for channel in compiled.report.channels}
    lines: list[str] = []
    full: dict[str, None] = {}
    for process in compiled.report.processes:
        if values[process.busy]:
            lines += _process(process, channels, values, full)
    if full:
        lines += _remedy(compiled, [channels[name] for name in full], recording, failed)
    return lines


def _process(
    process: ProcessReport,
    channels: dict[str, ChannelReport],
    values: dict[str, int],
    full: dict[str, None],
) -> list[str]:
    """Say what one process waits for."""
    shown = f"{process.name} ({place(process.where)})"
    lines: list[str] = []
    for name, _, waits in process.members:
        state = values[f"u_{name}.state_q"]
        if state == 0 and name == process.name:
            lines += _unstarted(process.name, shown, channels, values)
        for wait in waits:
            if wait.state == state:
                lines += _wait(wait, shown, channels, values, full)
    return list(dict.fromkeys(lines)) or [f"{shown} runs, and waits for no stream"]


def _unstarted(
    name: str, shown: str, channels: dict[str, ChannelReport], values: dict[str, int]
) -> list[str]:
    lines = []
    for channel in channels.values():
        if channel.kind == "FIFO":
            continue
        level = values[channel.fill]
        if channel.reader == name and level == 0:
            lines.append(f"{shown} waits to start until {channel.writer} has given {channel.label}")
        if channel.writer == name and level == channel.most:
            lines.append(f"{shown} waits to start until {channel.reader} has taken {channel.label}")
    return lines


def _wait(
    wait: WaitReport,
    shown: str,
    channels: dict[str, ChannelReport],
    values: dict[str, int],
    full: dict[str, None],
) -> list[str]:
    verb = "write to" if wait.writes else "read"
    head = f"{shown} waits at {place(wait.where)} to {verb} {wait.stream}"
    channel = channels.get(wait.stream)
    if channel is None:
        ready = values.get(wait.ready, 1)
        return [] if ready else [f"{head}, an argument of the top function"]
    level = values.get(channel.fill, 0)
    if wait.writes and channel.fill and level == channel.most:
        full[channel.name] = None
        return [f"{head}, which is full ({level} of {channel.most})"]
    if not wait.writes and level == 0:
        return [f"{head}, which is empty (0 of {channel.most})"]
    return []


def _remedy(
    compiled: Compiled, full: list[ChannelReport], recording: Recording, failed: int
) -> list[str]:
    """Say how deep the FIFOs that are full are in C."""
    highest = _highest(compiled, recording, failed)
    return [
        f"remedy: a deeper FIFO: `#pragma HLS stream variable={channel.label} "
        f"depth={max(highest.get(channel.name, 0), channel.depth + 1)}` holds all that C puts into "
        "it before it is read"
        for channel in full
    ]


def _highest(compiled: Compiled, recording: Recording, failed: int) -> dict[str, int]:
    """Give the most beats that wait in each stream inside, one call after the other."""
    machine, face = Machine(compiled.module), compiled.interface
    for number, call in enumerate(recording.calls()):
        if number > failed:
            break
        try:
            machine.call(
                call.scalars,
                {arg.port: call.before[arg.name] for arg in face.arrays if not arg.unused},
                {arg.port: call.streams[arg.name] for arg in face.streams if arg.direction == "in"},
            )
        except CheckFailed:
            break
    return {name: queue.highest for name, queue in machine.inside.items()}
