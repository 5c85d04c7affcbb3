# SPDX-License-Identifier: Apache-2.0
"""The tables of a bench: hardware, software, and the two set against each other.

Rates are of what the operation works on: megabytes of its payload a second (1 MB = 10**6 bytes),
or, where it has none, millions of calls or of keys. A hardware rate is
block bytes x clock / cycles a block, with the median over the seeds of the clock that all paths
through the core allow, those at its ports included: one seed is a sample.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from lydite.cores.operation import Operation
from lydite.report import areas, orders
from lydite.report.areas import AreaRow
from lydite.report.failures import Failure, failures
from lydite.report.implemented import Implemented, implemented
from lydite.report.orders import Order
from lydite.runs.kinds import proofs
from lydite.runs.plan import BenchPlan, HardwarePlan
from lydite.runs.record import Record
from lydite.search.statistics import median_interval


class HardwareRow(msgspec.Struct, frozen=True, kw_only=True):
    """A design of the bench.

    Attributes
    ----------
    random_messages, random_words, proof_seed : int
        Random messages that it was proven with, words of their outputs, and the seed.
    rate_low, rate_high : float
        Between which the median rate lies, 95 % (bootstrap over the seeds; no more than their
        range).
    latency_cycles : int
        First beat taken to last beat given, message of one block.
    rate : float
        Long messages, at the median clock.
    latency_ns : float
        One block, at the median clock.
    rate_per_klut : float
        Throughput over area: a thousand LUT4.
    netlist_vectors : int
        Known answers that the mapped netlist passed, too; 0 if it was not proven.
    routed_proven : int
        Placements whose routed netlists passed as many, too; 0 if none was to.
    netlist_key : str
        Key of that proof; empty if it was not.
    chained : int
        Steps of Monte Carlo chains that the proof has.
    interleaved : int
        Calls that the design has at once: figures of blocks are of all of them together.
    """

    design: str
    title: str
    vectors: int
    stall_modes: tuple[str, ...]
    random_messages: int
    random_words: int
    proof_seed: int
    cycles_per_block: float
    cycles_per_message: float
    latency_cycles: float
    simulated_cycles: int
    implemented: Implemented
    rate: float
    rate_low: float
    rate_high: float
    latency_ns: float
    rate_per_klut: float
    proof_key: str
    netlist_vectors: int
    netlist_key: str
    routed_proven: int = 0
    chained: int = 0
    interleaved: int = 1


class SoftwareRow(msgspec.Struct, frozen=True, kw_only=True):
    """A variant of the software on this machine; medians, with the relative spread of the samples.

    Attributes
    ----------
    rate_1, rate_all : float
        Long messages, one thread and all threads.
    spread : float
        (worst - best) / median of the samples of `rate_1`.
    cycles_per_byte : float
        Core cycles (not those of the time stamp counter) a byte, one thread.
    permutations_per_s_1, permutations_per_s_all : float
        Inner function alone; 0 where it cannot be called.
    block_ns : float
        A message of one block, alone.
    blocks_per_s_all : float
        Messages of one block, many at once, all threads.
    """

    variant: str
    title: str
    role: str
    lanes: int
    threads: int
    version: str
    compiler: str
    flags: str
    rate_1: float
    rate_all: float
    spread: float
    cycles_per_byte: float
    permutations_per_s_1: float
    permutations_per_s_all: float
    block_ns: float
    blocks_per_s_all: float
    core_ghz: float
    machine: str
    key: str


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """What joins a host to an accelerator: modelled, not measured.

    Attributes
    ----------
    gbit_per_s : float
        Payload rate, in each direction, in Gb/s.
    round_trip_us : float
        Time that a batch of messages spends on the way there and back, whatever its size.
    """

    gbit_per_s: float = 32.0
    round_trip_us: float = 5.0


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One design against one variant of the software; ratios are hardware over software.

    Attributes
    ----------
    throughput_ratio : float
        Long messages; above 1 the hardware is faster.
    latency_ratio : float
        Time of one block, software over hardware; above 1 the hardware answers sooner.
    instances_to_match : int
        Copies of the core that together have the software's rate.
    instances_that_fit : int
        Copies whose LUT4 and block RAM and DSP the part has: a bound, not a placement.
    wins_from_messages : int or None
        Messages of one block in a batch from which one core, link included, is done first; None if
        it never is.
    wins_from_long_messages : int or None
        The same for long messages; None where an operation has none.
    """

    design: str
    variant: str
    threads: int
    throughput_ratio: float
    latency_ratio: float
    instances_to_match: int
    instances_that_fit: int
    wins_from_messages: int | None
    wins_from_long_messages: int | None


class BenchTable(msgspec.Struct, frozen=True, kw_only=True):
    """All that a bench found of one operation.

    Attributes
    ----------
    operation : str
        Its name; empty where the primitive has but one.
    unit : str
        Of rates: `MB/s`, `M keys/s`, `M calls/s`.
    areas : tuple of AreaRow
        In place of `hardware` on a target that is not placed here.
    orders : tuple of Order
        How sure the order of each two designs is.
    """

    primitive: str
    title: str
    standard: str
    operation: str
    unit: str
    block_bytes: int
    one_block_bytes: int
    long_bytes: int
    link: Link
    hardware: tuple[HardwareRow, ...]
    software: tuple[SoftwareRow, ...]
    comparisons: tuple[Comparison, ...]
    left_out: tuple[Failure, ...]
    failures: tuple[Failure, ...]
    orders: tuple[Order, ...] = ()
    areas: tuple[AreaRow, ...] = ()

    @property
    def heading(self) -> str:
        """Title of the primitive, and of several operations which one."""
        return f"{self.title}: {self.operation}" if self.operation else self.title


def bench(plan: BenchPlan, records: Mapping[str, Record], link: Link) -> tuple[BenchTable, ...]:
    """Make the tables of a bench out of its records: one for each operation that a design has.

    Parameters
    ----------
    records : mapping
        Key to record, as `runs.execute` gives it.
    """
    operations = [
        operation
        for operation in plan.primitive.operations
        if any(operation.name in entry.design.operations for entry in plan.hardware)
        or not plan.hardware
    ]
    return tuple(_table(plan, records, link, operation) for operation in operations)


def _table(
    plan: BenchPlan, records: Mapping[str, Record], link: Link, operation: Operation
) -> BenchTable:
    primitive = plan.primitive
    hardware = [
        row
        for entry in plan.hardware
        if operation.name in entry.design.operations
        and (row := _hardware(operation, entry, records))
    ]
    results = [(job.software, records.get(job.key)) for job in plan.software]
    software = [
        _software(variant.name, variant.title, variant.role, operation, record)
        for variant, record in results
        if record is not None and record.status == "ok" and record.result["available"]
        if operation.name in variant.operations
    ]
    long_bytes = max(
        (int(r.result["long_bytes"]) for _, r in results if r and "long_bytes" in r.result),
        default=0,
    )
    left_out = [
        Failure(label=f"software {variant.label}", error="this processor lacks " + ", ".join(lacks))
        for variant, lacks in plan.left_out
    ]
    left_out += [
        Failure(label=record.label, error="the library that it calls is not on this machine")
        for _, record in results
        if record is not None and record.status == "ok" and not record.result["available"]
    ]
    return BenchTable(
        primitive=primitive.name,
        title=primitive.title,
        standard=primitive.standard,
        operation=operation.name if len(primitive.operations) > 1 else "",
        unit=rate_unit(operation),
        block_bytes=operation.block_bytes,
        one_block_bytes=operation.one_block_bytes,
        long_bytes=long_bytes,
        link=link,
        hardware=tuple(hardware),
        software=tuple(software),
        comparisons=tuple(
            _compare(operation, design, variant, link, long_bytes)
            for design in hardware
            for variant in opponents(software)
        ),
        left_out=tuple(left_out),
        failures=failures(records),
        orders=orders.orders({row.design: rates(row) for row in hardware}),
        areas=tuple(
            one
            for entry in plan.hardware
            if operation.name in entry.design.operations and not entry.implementation.placements
            if (one := areas.row(operation, entry, records))
        ),
    )


def rates(row: HardwareRow) -> list[float]:
    """Give the rate of a design under each of its seeds."""
    placed = row.implemented
    return [row.rate * one.usable_mhz / placed.usable_median_mhz for one in placed.samples]


def rate_unit(operation: Operation) -> str:
    """Give the unit of an operation's rates."""
    if operation.payload:
        return "MB/s"
    return "M keys/s" if operation.kind == "search" else "M calls/s"


def opponents(software: Sequence[SoftwareRow]) -> list[SoftwareRow]:
    """Give the software that hardware is set against: the fastest for one message, and in all.

    The reference and slower variants stand in the table of the software only: a ratio to them says
    nothing.
    """
    singles = [row for row in software if row.lanes == 1]
    chosen: dict[str, SoftwareRow] = {}
    for candidates, key in (
        (singles, lambda row: row.rate_1),
        (software, lambda row: row.rate_all),
    ):
        if candidates:
            best = max(candidates, key=key)
            chosen[best.variant] = best
    return list(chosen.values())


def _hardware(
    operation: Operation, entry: HardwarePlan, records: Mapping[str, Record]
) -> HardwareRow | None:
    proven = areas.of_proofs(operation, entry, records)
    placed = implemented(entry.implementation, records)
    if proven is None or placed is None:
        return None
    routed = [records.get(job.key) for job in entry.implementation.routed]
    if any(record is None or record.status != "ok" for record in routed):
        return None
    proof = records[entry.proof.key]
    timing = proofs.of_operation(proof, operation)["timing"]
    a_mhz = (operation.block_bytes or 1) / proven["cycles_per_block"]
    rate = a_mhz * placed.usable_median_mhz
    low, high = median_interval([a_mhz * one.usable_mhz for one in placed.samples])
    return HardwareRow(
        **proven,
        cycles_per_message=timing["cycles_per_message"]["mean"],
        simulated_cycles=proof.result["simulated_cycles"],
        implemented=placed,
        rate=rate,
        rate_low=low,
        rate_high=high,
        latency_ns=1000 * proven["latency_cycles"] / placed.usable_median_mhz,
        rate_per_klut=1000 * rate / placed.area["lut4"] if placed.area["lut4"] else math.inf,
        routed_proven=len(routed),
        interleaved=entry.design.interleaved,
    )


def _software(
    name: str, title: str, role: str, operation: Operation, record: Record
) -> SoftwareRow:
    found: dict[str, Any] = record.result
    times = next(one for one in found["operations"] if one["operation"] == operation.name)
    # Without a payload of any length many calls of one block say how fast it is.
    long_1 = times["long_1"] or times["blocks_1"]
    long_all = times["long_all"] or times["blocks_all"]
    size = found["long_bytes"] if times["long_1"] else operation.block_bytes or 1
    megabytes = size * 1000  # bytes a nanosecond to MB/s

    def per_second(figure: dict[str, float] | None) -> float:
        return 1e9 / figure["median_ns"] if figure else 0.0

    return SoftwareRow(
        variant=name,
        title=title,
        role=role,
        lanes=found["lanes"],
        threads=found["threads"],
        version=found["version"],
        compiler=found["compiler"],
        flags=found["flags"],
        rate_1=megabytes / long_1["median_ns"],
        rate_all=megabytes / long_all["median_ns"],
        spread=(long_1["worst_ns"] - long_1["best_ns"]) / long_1["median_ns"],
        cycles_per_byte=long_1["median_ns"] * found["core_ghz"] / size,
        permutations_per_s_1=per_second(found["permutation_1"]),
        permutations_per_s_all=per_second(found["permutation_all"]),
        block_ns=times["block_1"]["median_ns"],
        blocks_per_s_all=per_second(times["blocks_all"]),
        core_ghz=found["core_ghz"],
        machine=record.machine,
        key=record.key,
    )


def _compare(
    operation: Operation, design: HardwareRow, variant: SoftwareRow, link: Link, long_bytes: int
) -> Comparison:
    fmax_hz = design.implemented.usable_median_mhz * 1e6
    area, available = design.implemented.area, design.implemented.available
    fit = min(
        (int(available[unit] // area[unit]) for unit in available if area.get(unit)), default=0
    )
    block = operation.block_bytes or 1
    blocks = math.ceil((long_bytes + operation.padding_bytes) / block)

    def wins_from(message_bytes: int, cycles: float, software_s: float) -> int | None:
        inputs = operation.lengths(message_bytes)
        # The link moves both ways at once.
        most = max(sum(inputs), sum(operation.output_lengths(inputs)))
        moved = most * 8 / (link.gbit_per_s * 1e9)
        # In a long batch transfers and work overlap: the slower of the two decides.
        each = max(moved, cycles / fmax_hz)
        if each >= software_s:
            return None
        return math.ceil(link.round_trip_us * 1e-6 / (software_s - each))

    return Comparison(
        design=design.design,
        variant=variant.variant,
        threads=variant.threads,
        throughput_ratio=design.rate / variant.rate_all,
        latency_ratio=variant.block_ns / design.latency_ns,
        instances_to_match=math.ceil(variant.rate_all / design.rate),
        instances_that_fit=fit,
        wins_from_messages=wins_from(
            operation.one_block_bytes, design.cycles_per_message, 1 / variant.blocks_per_s_all
        ),
        wins_from_long_messages=wins_from(
            long_bytes, blocks * design.cycles_per_block, long_bytes / (variant.rate_all * 1e6)
        )
        if operation.payload
        else None,
    )
