# SPDX-License-Identifier: Apache-2.0
"""What a testbed found, read out of its records: an accelerator end to end, beside software."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from lydite.base.units import bytes_text, digits, si
from lydite.cores.operation import Operation
from lydite.report.failures import Failure, failures
from lydite.report.table import Column, Table, figure, of
from lydite.runs.kinds.testbed import MeasureTestbed
from lydite.runs.processors.software import MeasureSoftware
from lydite.runs.record import Record
from lydite.sim.testbed.measure import claimed
from lydite.targets import Target
from lydite.targets.links import Configuration, configuration

# Sizes from which the accelerator is faster: all that is asked, without configuration, the core.
VIEWS = ("total", "without configuration", "compute only")
_VIEW_HEADS = {
    "total": "speed-up\ntotal",
    "loaded": "without con-\nfiguration",
    "compute": "compute\nonly",
}


class Software(msgspec.Struct, frozen=True, kw_only=True):
    """A variant's time, by two measured sizes: `call_ns` for a call, `byte_ns` for each byte."""

    variant: str
    call_ns: float
    byte_ns: float
    key: str

    def time_ns(self, calls: int, size: int) -> float:
        """Give the time for so many bytes in so many calls."""
        return calls * self.call_ns + size * self.byte_ns


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One size. Times are of one job, in nanoseconds; None where something is not known.

    Attributes
    ----------
    calls : int
        Of the job, each with an equal part of the bytes.
    claim_ns : float, optional
        What the design claims, the most of a range, at the clock of the core.
    ratio : float, optional
        `hardware_ns` over it.
    configuration_ns : float, optional
        Of loading the whole part: modelled.
    speedups : tuple of float
        Best software over hardware, of each of VIEWS; None where it is not known.
    """

    bytes: int
    calls: int
    claim_ns: float | None
    hardware_ns: float
    ratio: float | None
    rate_mbyte_per_s: float
    queued_ns: float
    queued_mbyte_per_s: float
    configuration_ns: float | None
    to_device_ns: float
    compute_ns: float
    from_device_ns: float
    best_ns: float | None
    reference_ns: float | None
    speedups: tuple[float | None, ...]
    proof_jobs: int
    proof_rejected: int
    key: str


class TestbedTable(msgspec.Struct, frozen=True, kw_only=True):
    """All sizes of an operation.

    Attributes
    ----------
    at_once : int
        Calls that the design has at once.
    wins_from : tuple, optional
        Of each of VIEWS the bytes from which the accelerator is faster than the best software; see
        the function.
    """

    __test__ = False  # no test of pytest

    design: str
    operation: str
    at_once: int
    link: str
    link_title: str
    link_source: str
    core_mhz: float
    clock_from: str
    dma_mhz: float
    part: str
    configured: str
    best: str
    reference: str
    software_keys: tuple[str, ...]
    wins_from: tuple[int | None, ...] | None
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]


def tables(
    jobs: Sequence[MeasureTestbed],
    software: Sequence[MeasureSoftware],
    records: Mapping[str, Record],
    target: Target,
    clock_from: str,
) -> tuple[TestbedTable, ...]:
    """Make a table for each operation.

    Parameters
    ----------
    target : Target
        The part that is configured.
    clock_from : str
        Where the core's clock comes from, in words.
    """
    found = []
    for name in dict.fromkeys(job.operation for job in jobs):
        mine = [job for job in jobs if job.operation == name]
        found.append(_table(mine, software, records, target, clock_from))
    return tuple(found)


def _table(
    jobs: Sequence[MeasureTestbed],
    software: Sequence[MeasureSoftware],
    records: Mapping[str, Record],
    target: Target,
    clock_from: str,
) -> TestbedTable:
    first = jobs[0]
    design, setting = first.proof.design, first.setting
    operation = design.primitive.operation(first.operation)
    variants = _software(operation, software, records, design.interleaved)
    ended = [r for job in jobs if (r := records.get(job.key)) and r.status == "ok"]
    most = max((r.result for r in ended), key=lambda one: one["bytes"], default=None)
    payload = (most["calls"], most["bytes"]) if most else (1, 1)
    best = min(variants, key=lambda pair: pair[1].time_ns(*payload), default=(None, None))[1]
    reference = next((one for role, one in variants if role == "reference"), None)
    loaded = configuration(target.part.device)
    rows = [_row(first, r, loaded, target, best, reference) for r in ended]
    return TestbedTable(
        design=design.label,
        operation=operation.name if len(design.primitive.operations) > 1 else "",
        at_once=design.interleaved,
        link=setting.link.name,
        link_title=setting.link.title,
        link_source=setting.link.source,
        core_mhz=setting.core_mhz,
        clock_from=clock_from,
        dma_mhz=setting.dma_mhz,
        part=target.part.device,
        configured=_configured(loaded, target),
        best=best.variant if best else "",
        reference=reference.variant if reference else "",
        software_keys=tuple(one.key for one in (best, reference) if one),
        wins_from=wins_from(rows, best),
        rows=tuple(rows),
        failures=failures(records),
    )


def _configured(loaded: Configuration | None, target: Target) -> str:
    if loaded is None:
        return ""
    size = loaded.devices[target.part.device]
    return f"{size:,} bytes through {loaded.port}, {loaded.mbyte_per_s:g} MB/s ({loaded.source})"


def _software(
    operation: Operation,
    jobs: Sequence[MeasureSoftware],
    records: Mapping[str, Record],
    at_once: int,
) -> list[tuple[str, Software]]:
    """Give the times of variants that work on no more calls at once than there are, with their
    roles.
    """
    found: list[tuple[str, Software]] = []
    for job in jobs:
        record = records.get(job.key)
        if record is None or record.status != "ok" or not record.result["available"]:
            continue
        result: dict[str, Any] = record.result
        times = {one["operation"]: one for one in result["operations"]}.get(operation.name)
        if times is None or result["lanes"] > at_once:
            continue
        # Of several calls at once a call's part.
        one = times["block_1" if result["lanes"] == 1 else "blocks_1"]["median_ns"]
        slope, short = 0.0, operation.one_block_bytes
        if times["long_1"]:
            slope = (times["long_1"]["median_ns"] - one) / (result["long_bytes"] - short)
        made = Software(
            variant=job.software.name,
            call_ns=one - short * slope,
            byte_ns=slope,
            key=record.key,
        )
        found.append((job.software.role, made))
    return found


def _row(
    job: MeasureTestbed,
    record: Record,
    loaded: Configuration | None,
    target: Target,
    best: Software | None,
    reference: Software | None,
) -> Row:
    one = record.result
    size, calls, took = one["bytes"], one["calls"], one["hardware_ns"]
    counts = {"calls": calls, "blocks": one["blocks"]}
    cycles = claimed(job.proof.design, job.operation, **counts)
    claim = None if cycles is None else 1000 * cycles / job.setting.core_mhz
    load = None
    if loaded is not None:
        load = 1000 * loaded.devices[target.part.device] / loaded.mbyte_per_s
    views = (None if load is None else load + took, took, one["compute_ns"])
    quick = best.time_ns(calls, size) if best else None
    return Row(
        bytes=size,
        calls=calls,
        claim_ns=claim,
        hardware_ns=took,
        ratio=None if claim is None else took / claim,
        rate_mbyte_per_s=1000 * size / took,
        queued_ns=one["queued_ns"],
        queued_mbyte_per_s=1000 * size / one["queued_ns"],
        configuration_ns=load,
        to_device_ns=one["to_device_ns"],
        compute_ns=one["compute_ns"],
        from_device_ns=one["from_device_ns"],
        best_ns=quick,
        reference_ns=reference.time_ns(calls, size) if reference else None,
        speedups=tuple(quick / v if quick and v else None for v in views),
        proof_jobs=one["proof_jobs"],
        proof_rejected=one["proof_rejected"],
        key=record.key,
    )


def wins_from(rows: Sequence[Row], best: Software | None) -> tuple[int | None, ...] | None:
    """Give the bytes from which hardware is faster, in each of VIEWS, by straight lines of both
    through the least and the largest size.

    Returns
    -------
    tuple of int or None
        None in it: never, or the view is not known. None for all: no software, or only one size.
    """
    low = min(rows, key=lambda row: row.bytes, default=None)
    high = max(rows, key=lambda row: row.bytes, default=None)
    if best is None or low is None or high is None or low.bytes == high.bytes:
        return None
    begin_ns = best.time_ns(low.calls, low.bytes)
    byte_ns = (best.time_ns(high.calls, high.bytes) - begin_ns) / (high.bytes - low.bytes)
    call_ns = begin_ns - byte_ns * low.bytes

    def wins(low_ns: float, high_ns: float, load_ns: float | None = 0.0) -> int | None:
        slope = (high_ns - low_ns) / (high.bytes - low.bytes)
        if load_ns is None or slope >= byte_ns:
            return None
        begin = load_ns + low_ns - slope * low.bytes
        return max(1, math.ceil((begin - call_ns) / (byte_ns - slope)))

    return (
        wins(low.hardware_ns, high.hardware_ns, low.configuration_ns),
        wins(low.hardware_ns, high.hardware_ns),
        wins(low.compute_ns, high.compute_ns),
    )


def _us(name: str, head: str) -> Column:
    return Column(name, head, lambda value: digits(value / 1000, 4), is_number=True)


def _times(name: str, head: str) -> Column:
    return Column(name, head, lambda value: f"{digits(value)} x", is_number=True)


def _size() -> Column:
    return Column("bytes", "payload", bytes_text, is_number=True)


def end_to_end(found: TestbedTable) -> Table:
    """Give time and throughput of each size beside the claim and software."""
    rate = Column("rate_mbyte_per_s", "MB/s", lambda v: digits(v, 4), is_number=True)
    # A column without a head is not drawn.
    claims = "claims" if any(row.claim_ns is not None for row in found.rows) else ""
    queued = Column("queued_mbyte_per_s", "MB/s\nqueued", lambda v: digits(v, 4), is_number=True)
    fields = (
        (_size(), lambda row: row.bytes),
        (_us("claim_ns", claims and "us\nclaimed"), lambda row: row.claim_ns),
        (_us("hardware_ns", "us\nend to end"), lambda row: row.hardware_ns),
        (figure("ratio", claims and "over the\nclaim", "{:.3f}"), lambda row: row.ratio),
        (rate, lambda row: row.rate_mbyte_per_s),
        (_us("queued_ns", "us\nqueued"), lambda row: row.queued_ns),
        (queued, lambda row: row.queued_mbyte_per_s),
        (_us("best_ns", found.best and f"us\n{found.best}"), lambda row: row.best_ns),
        (
            _us("reference_ns", found.reference and f"us\n{found.reference}"),
            lambda row: row.reference_ns,
        ),
        (_times("speedup", found.best and "speed-\nup"), lambda row: row.speedups[1]),
    )
    return of(_title(found), fields, found.rows, _notes(found))


def parts(found: TestbedTable) -> Table:
    """Give where the time goes, and the speed-up of each view."""
    load = found.configured
    fields = (
        (_size(), lambda row: row.bytes),
        (_us("configuration_ns", load and "us con-\nfiguration"), lambda row: row.configuration_ns),
        (_us("to_device_ns", "us to\ndevice"), lambda row: row.to_device_ns),
        (_us("compute_ns", "us\ncompute"), lambda row: row.compute_ns),
        (_us("from_device_ns", "us from\ndevice"), lambda row: row.from_device_ns),
        *(
            # A column without a head is not drawn.
            (_times(f"speedup_{name}", found.best and head), lambda row, n=n: row.speedups[n])
            for n, (name, head) in enumerate(_VIEW_HEADS.items())
        ),
    )
    return of("Where the time goes", fields, found.rows, _wins_notes(found))


def _title(found: TestbedTable) -> str:
    told = f" {found.operation}" if found.operation else ""
    clocks = f"core at {found.core_mhz:g} MHz ({found.clock_from}), DMA at {found.dma_mhz:g} MHz"
    return f"Testbed: {found.design}{told}, {clocks}, {found.link_title}"


def _notes(found: TestbedTable) -> list[str]:
    notes = [
        "measured, by simulation of the whole: core, FIFOs, clock crossings, job registers and "
        "their bus, each word of the DMA's streams; every output compared",
        f"modelled: memory, link and host ({found.link_source})",
        "end to end: from the host's first access to a register to its last, one job alone; "
        "queued: from job to job, the next set up while one runs (double buffering)",
    ]
    if found.at_once > 1:
        notes.append(
            f"{found.at_once} calls at once, told apart by tid: each has a channel of the DMA and "
            "an equal part of the payload; a job begins when the one before has ended"
        )
    if found.rows:
        row = found.rows[0]
        rejected = f", {row.proof_rejected} of them to be rejected" if row.proof_rejected else ""
        notes.append(
            f"run before: {row.proof_jobs} short jobs{rejected}, under random traffic on all "
            "streams, phases and jitter of both clocks"
        )
    if found.best:
        notes.append(
            "software: one thread here, measured at one block and at a long message, between and "
            "beyond them by a straight line"
        )
    return notes


def _wins_notes(found: TestbedTable) -> list[str]:
    notes = [
        "to the device: until the core has its first word, and its waits for input; from it: its "
        "waits for outputs to be taken, and all after its last; compute: the rest, as long as the "
        "core takes alone",
    ]
    if found.configured:
        notes.append(f"configuration, modelled: {found.part}, {found.configured}")
    else:
        notes.append(f"configuration: no figures for {found.part}")
    if found.wins_from is not None:
        told = [
            f"{view} {'never' if size is None else f'from {si(size, chr(66))}'}"
            for view, size in zip(VIEWS, found.wins_from, strict=True)
            if view != VIEWS[0] or found.configured
        ]
        notes.append(f"faster than {found.best}: {', '.join(told)}")
    return notes
