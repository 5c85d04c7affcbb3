# SPDX-License-Identifier: Apache-2.0
"""The tables of a bench: which columns they have, how figures are shown, and the notes below."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lydite.base.units import digits, si
from lydite.report import areas, orders
from lydite.report.areas import AreaRow
from lydite.report.bench import BenchTable, Comparison, HardwareRow, SoftwareRow
from lydite.report.implemented import Implemented
from lydite.report.page import short
from lydite.report.table import Column, Table, figure, of
from lydite.sim.random_messages import FAULT_WORDS, probability

Fields = tuple[tuple[Column, Callable[[Any], Any]], ...]


def _four(name: str, head: str) -> Column:
    return Column(name, head, lambda value: digits(value, 4), is_number=True)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def hardware(found: BenchTable) -> Table:
    """Give the designs: cycles, clock, area, throughput; areas alone where there is no clock."""
    if found.areas:
        return areas.table(
            found.areas,
            primitive=found.primitive,
            operation=found.operation,
            notes=_proven(found.areas),
        )

    def implemented(row: HardwareRow) -> Implemented:
        return row.implemented

    fewest, most = _fewest_and_most_seeds(found.hardware)
    uneven = fewest < most
    fields: Fields = (
        (Column("design", "design"), lambda row: row.design),
        (Column("primitive", ""), lambda row: found.primitive),
        (Column("operation", ""), lambda row: found.operation),
        (Column("target", ""), lambda row: implemented(row).target),
        (figure("cycles_per_block", "cycles\na block", "{:.6g}"), lambda row: row.cycles_per_block),
        (figure("cycles_per_message", "", "{:.6g}"), lambda row: row.cycles_per_message),
        (figure("latency_cycles", "cycles\nlatency", "{:.6g}"), lambda row: row.latency_cycles),
        (figure("seeds", "\nseeds" if uneven else ""), lambda row: implemented(row).seeds),
        (figure("seeds_asked", ""), lambda row: implemented(row).seeds_asked),
        *_clocks(
            implemented,
            found.hardware,
            median="MHz\nmedian",
            best="" if uneven else "MHz\nbest",
            worst="",
        ),
        # Best of as many for all: that of more seeds is higher by chance alone.
        (
            figure("fmax_best_of_fewest_mhz", f"MHz\nbest of {fewest}" * uneven, "{:.1f}"),
            lambda row: max(one.fmax_mhz for one in implemented(row).samples[:fewest]),
        ),
        *_area(implemented, line="\n"),
        (_four("rate", f"\n{found.unit}"), lambda row: row.rate),
        (_four("rate_low", ""), lambda row: row.rate_low),
        (_four("rate_high", ""), lambda row: row.rate_high),
        (figure("latency_ns", "ns for\n1 block", "{:.0f}"), lambda row: row.latency_ns),
        (_four("rate_per_klut", f"{found.unit}\na kLUT"), lambda row: row.rate_per_klut),
        (figure("vectors", ""), lambda row: row.vectors),
        (figure("random_messages", ""), lambda row: row.random_messages),
        (figure("proof_seed", ""), lambda row: row.proof_seed),
        (Column("proof_key", ""), lambda row: row.proof_key),
        (figure("netlist_vectors", ""), lambda row: row.netlist_vectors),
        (Column("netlist_key", ""), lambda row: row.netlist_key),
        (Column("synthesis_key", ""), lambda row: implemented(row).keys[0]),
    )
    if not found.hardware:
        return of("Hardware", fields, ())
    first = found.hardware[0].implemented
    told = f"{fewest} to {most} hashed seeds" if uneven else seeds_text(first)
    title = f"Hardware: {first.device}, {told}"
    return of(title, fields, found.hardware, _hardware_notes(found))


def _fewest_and_most_seeds(rows: Sequence[HardwareRow]) -> tuple[int, int]:
    counts = [row.implemented.seeds for row in rows]
    return min(counts, default=0), max(counts, default=0)


def blocks(found: BenchTable) -> str:
    """Say how large the blocks of a payload are, behind a comma; nothing of one without."""
    size = found.block_bytes
    return f", blocks of {size} byte{'s' * (size > 1)}" if size else ""


def _hardware_notes(found: BenchTable) -> list[str]:
    tools = found.hardware[0].implemented.tools
    return [
        *(note for each in found.hardware for note in _path_notes(each)),
        *_interleaved(found.hardware),
        *_intervals(found),
        *orders.told(found.orders),
        *_proven(found.hardware),
        f"tools: {'; '.join(tools)}",
    ]


def _proven(rows: Sequence[HardwareRow | AreaRow]) -> list[str]:
    """Say what designs were proven with before anything was measured."""
    row = rows[0]
    return [
        f"proven first: {row.vectors} known answers, {_on_netlists(rows)}, each under stalls "
        f"{', '.join(row.stall_modes)}; resets in mid-message"
        + (f"; {row.chained} steps of Monte Carlo chains" if row.chained else ""),
        *_random(rows),
    ]


def _interleaved(rows: Sequence[HardwareRow]) -> list[str]:
    """Name designs of which a figure is that of several calls at once."""
    told = [f"{row.design} {row.interleaved}" for row in rows if row.interleaved > 1]
    what = "cycles a block and rates are of all of them together, the latency of one alone"
    return [f"calls at once, told apart by tid: {', '.join(told)}; {what}"] if told else []


def _intervals(found: BenchTable) -> list[str]:
    """Say between which rates the medians lie, of designs with more than one seed."""
    told = [
        f"{row.design} {digits(row.rate_low, 4)} to {digits(row.rate_high, 4)} {found.unit}"
        for row in found.hardware
        if row.implemented.seeds > 1
    ]
    how = "bootstrap over the seeds, no wider than their range"
    return [f"medians lie within, 95 %: {', '.join(told)} ({how})"] if told else []


def _random(rows: Sequence[HardwareRow | AreaRow]) -> list[str]:
    """Say how many random messages designs were proven with, and what that finds."""
    if not rows[0].random_messages:
        return ["no random messages: the primitive has no specification (spec) in Python"]
    least = min(rows, key=lambda row: row.random_words)
    more = "" if len(rows) == 1 else f", {least.design} the fewest"
    found = 100 * probability(least.random_words)
    return [
        f"then {least.random_messages} random messages (seed {least.proof_seed}) against the "
        f"specification{more}: a fault in one output word of {FAULT_WORDS} is found with "
        f"{found:.0f} %"
    ]


def _path_notes(row: HardwareRow) -> list[str]:
    placed = row.implemented
    notes = [f"critical path, {row.design}: {critical_path(placed)}"]
    if placed.usable_median_mhz < placed.fmax_median_mhz or placed.path_kind != "core":
        notes.append(f"{row.design}, {ports(placed)}; rates and ns are at that clock")
    return notes


def _on_netlists(rows: Sequence[HardwareRow | AreaRow]) -> str:
    """Say how many of the known answers the mapped netlists passed."""
    counts = [row.netlist_vectors for row in rows]
    if not any(counts):
        return "none of them on the mapped netlist"
    fewest, most = min(counts), max(counts)
    told = f"{most if fewest == most else f'{fewest} to {most}'} of them on the mapped netlist"
    if all(isinstance(row, HardwareRow) and row.routed_proven for row in rows):
        return f"{told} and on each routed one, too"
    return f"{told}, too"


def seeds(found: BenchTable) -> Table:
    """Give each placement of each design: one clock a seed."""
    samples = [(row, sample) for row in found.hardware for sample in row.implemented.samples]
    fields: Fields = (
        (Column("design", "design"), lambda item: item[0].design),
        (Column("primitive", ""), lambda item: found.primitive),
        (Column("target", ""), lambda item: item[0].implemented.target),
        (Column("seed", "seed"), lambda item: item[1].seed),
        (figure("fmax_mhz", "MHz", "{:.2f}"), lambda item: item[1].fmax_mhz),
        (Column("key", "key", short), lambda item: item[1].key),
    )
    return of("Placements", fields, samples)


def software(found: BenchTable) -> Table:
    """Give the variants of software on this machine."""
    threads = f"{found.software[0].threads if found.software else 0} thr."
    cycles = "cycles\na byte" if found.unit == "MB/s" else "cycles\na call"

    def rate(name: str, head: str) -> Column:
        return Column(name, head, si, is_number=True, optional=True)

    fields: Fields = (
        (Column("variant", "variant"), lambda row: row.variant),
        (Column("primitive", ""), lambda row: found.primitive),
        (figure("lanes", "at\nonce"), lambda row: row.lanes),
        (figure("cycles_per_byte", cycles, "{:.2f}"), lambda row: row.cycles_per_byte),
        (_four("rate_1", f"{found.unit}\n1 thr."), lambda row: row.rate_1),
        (Column("spread", "\nspread", _percent, is_number=True), lambda row: row.spread),
        (_four("rate_all", f"{found.unit}\n{threads}"), lambda row: row.rate_all),
        (
            rate("permutations_per_s_1", "perm/s\n1 thr."),
            lambda row: row.permutations_per_s_1 or None,
        ),
        (
            rate("permutations_per_s_all", f"perm/s\n{threads}"),
            lambda row: row.permutations_per_s_all or None,
        ),
        (figure("block_ns", "ns for\n1 block", "{:.0f}"), lambda row: row.block_ns),
        (Column("build", "fastest build"), _build),
        (figure("threads", ""), lambda row: row.threads),
        (Column("compiler", ""), lambda row: row.compiler),
        (Column("machine", ""), lambda row: row.machine),
        (Column("key", ""), lambda row: row.key),
    )
    if not found.software:
        return of("Software", fields, ())
    title = f"Software: {found.software[0].machine}"
    return of(title, fields, found.software, _software_notes(found))


def _software_notes(found: BenchTable) -> list[str]:
    versions = [f"{row.variant} is {row.version}" for row in found.software if row.version]
    compilers = dict.fromkeys(row.compiler for row in found.software)
    return [
        f"medians; messages of {found.long_bytes} bytes; core at "
        f"{found.software[0].core_ghz:.2f} GHz; each build passed the known answers first",
        "; ".join([*compilers, *versions]),
    ]


def _build(row: SoftwareRow) -> str:
    if not row.flags:
        return row.compiler
    compiler = "zig cc" if row.compiler.startswith("zig") else row.compiler.split(" ")[0]
    return f"{compiler} {row.flags}"


def comparisons(found: BenchTable) -> Table:
    """Give each design against the best software."""

    def ratio(name: str, head: str) -> Column:
        return Column(name, head, lambda value: f"{digits(value)} x", is_number=True)

    def wins(name: str, head: str) -> Column:
        return Column(name, head, is_number=True, absent="never")

    def sides(row: Comparison) -> str:
        return f"{row.design} / {row.variant}, {row.threads} thr."

    is_long = found.unit == "MB/s"
    fields: Fields = (
        (Column("sides", "hardware / software"), sides),
        (Column("primitive", ""), lambda row: found.primitive),
        (Column("design", ""), lambda row: row.design),
        (Column("variant", ""), lambda row: row.variant),
        (figure("threads", ""), lambda row: row.threads),
        (ratio("throughput_ratio", "through-\nput"), lambda row: row.throughput_ratio),
        (ratio("latency_ratio", "speed,\n1 block"), lambda row: row.latency_ratio),
        (figure("instances_to_match", "cores to\nmatch"), lambda row: row.instances_to_match),
        (figure("instances_that_fit", "cores\nthat fit"), lambda row: row.instances_that_fit),
        (
            wins("wins_from_messages", "wins from,\n1 block" if is_long else "wins\nfrom"),
            lambda row: row.wins_from_messages,
        ),
    )
    if is_long:
        long = wins("wins_from_long_messages", f"wins from,\n{found.long_bytes} B")
        fields = (*fields, (long, lambda row: row.wins_from_long_messages))
    link = found.link
    notes = (
        "above 1 x the hardware is faster; 'cores that fit' divides the part's resources by "
        "the core's, it was not placed",
        f"'wins from': {'messages' if is_long else 'calls'} in a batch, over a link modelled with "
        f"{link.gbit_per_s:g} Gb/s each way and {link.round_trip_us:g} us there and back, no "
        "configuration",
    )
    return of("One core against the best software", fields, found.comparisons, notes)


TABLES: Mapping[str, Callable[[BenchTable], Table]] = MappingProxyType(
    {"hardware": hardware, "seeds": seeds, "software": software, "comparisons": comparisons}
)


def csv(name: str, benches: Sequence[BenchTable]) -> str:
    """Give one of TABLES, of one bench or several, as comma-separated values."""
    made = [TABLES[name](found) for found in benches]
    rows = tuple(row for one in made for row in one.rows)
    return dataclasses.replace(made[0], rows=rows).csv()


def implementation(name: str, placed: Implemented, *, proof: str) -> Table:
    """Give the table of one design; `proof` says what has shown that it is right, if anything."""
    fields: Fields = (
        (Column("module", "module"), lambda _: name),
        *_clocks(_itself, [placed], median="MHz median", best="MHz best", worst="MHz worst"),
        *_area(lambda row: row),
    )
    tools = "; ".join(placed.tools)
    notes = (f"critical path: {critical_path(placed)}", ports(placed), f"tools: {tools}", proof)
    return of(f"{placed.device}, {seeds_text(placed)}", fields, [placed], notes)


def _itself(placed: Implemented) -> Implemented:
    return placed


def _clocks(
    of_row: Callable[[Any], Implemented], rows: Sequence[Any], *, median: str, best: str, worst: str
) -> Fields:
    """Give the clocks; of which paths they are is drawn where one is not of the core's own."""
    mixed = any(of_row(row).path_kind != "core" for row in rows)
    return (
        (figure("fmax_median_mhz", median, "{:.1f}"), lambda row: of_row(row).fmax_median_mhz),
        (figure("fmax_best_mhz", best, "{:.1f}"), lambda row: of_row(row).fmax_best_mhz),
        (figure("fmax_worst_mhz", worst, "{:.1f}"), lambda row: of_row(row).fmax_worst_mhz),
        (Column("path_kind", "paths" if mixed else ""), lambda row: of_row(row).path_kind),
        (figure("usable_median_mhz", ""), lambda row: of_row(row).usable_median_mhz),
    )


def _area(of_row: Callable[[Any], Implemented], *, line: str = "") -> Fields:
    def of_unit(unit: str) -> Callable[[Any], float]:
        return lambda row: of_row(row).area[unit]

    # Families that are placed have tables of four inputs.
    units = [unit for unit in areas.HEADS if unit != "lut6"]
    return tuple((figure(unit, line + areas.HEADS[unit], "{:g}"), of_unit(unit)) for unit in units)


def seeds_text(placed: Implemented) -> str:
    """Say over how many seeds figures are."""
    lost = placed.seeds_asked - placed.seeds
    plural = "s" if placed.seeds > 1 else ""
    return f"{placed.seeds} hashed seed{plural}" + (f" ({lost} more failed)" if lost else "")


# What a path is told to end in that does not end in the core.
_WRAPPERS = " (a register of the measuring wrapper)"
_KINDS = {"in": "from inputs", "out": "to outputs", "through": "from inputs to outputs"}


def critical_path(placed: Implemented) -> str:
    """Give the critical path of the median run in words."""
    total = placed.path_logic_ns + placed.path_routing_ns
    share = 100 * placed.path_logic_ns / total
    return (
        f"{placed.path_from}{_WRAPPERS * (placed.path_kind in ('in', 'through'))} to "
        f"{placed.path_to}{_WRAPPERS * (placed.path_kind in ('out', 'through'))}: "
        f"{total:.2f} ns, {share:.0f} % logic in "
        f"{placed.path_levels} levels, {100 - share:.0f} % routing{_doubt(placed)}"
    )


def ports(placed: Implemented) -> str:
    """Say what clock the paths at the ports allow, and whose figure the table has."""
    told = [f"{_KINDS[kind]} {mhz:.1f} MHz" for kind, mhz in placed.kinds.items() if kind in _KINDS]
    if not told:
        return "at the ports: not told apart from the core's own paths"
    text = f"at the ports, with registers next to them: {', '.join(told)}"
    if placed.path_kind != "core":
        text += "; the figure is theirs: there is no path between two registers of the core"
    elif placed.usable_median_mhz < placed.fmax_median_mhz:
        text += f"; all together allow {placed.usable_median_mhz:.1f} MHz"
    if placed.unmeasured:
        text += "".join(f"\nnot on its rising edge: {one}" for one in placed.unmeasured)
    return text


def _doubt(placed: Implemented) -> str:
    """Say why a clock is not to be believed, if so."""
    if not placed.untimed:
        return ""
    cells = ", ".join(f"{count} {cell}" for cell, count in placed.untimed.items())
    return f"; warning: the clock is not to be believed, no delay is known through {cells}"
