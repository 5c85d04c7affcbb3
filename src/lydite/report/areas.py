# SPDX-License-Identifier: Apache-2.0
"""Areas by synthesis alone: what is known of a design on a family that nothing here places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from lydite.cores.operation import Operation
from lydite.report.table import Column, Table, figure, of
from lydite.runs.kinds import proofs
from lydite.runs.kinds.hardware import Synthesis
from lydite.runs.plan import HardwarePlan
from lydite.runs.record import Record

HEADS = {
    "lut4": "LUT4",
    "lut6": "LUT6",
    "ff": "FF",
    "carry": "carry",
    "bram": "BRAM",
    "dsp": "DSP",
}


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """What synthesis made of a module on a target.

    Attributes
    ----------
    target, device : str
        Our name and the maker's.
    area : mapping
        Unit of the family to count, of the module without the measuring wrapper.
    esc : float or None
        Equivalent slice count, in hundreds; None where the family has no weights.
    note : str
        What the family's file says of its areas.
    tools : tuple of str
        Name, version and origin of the tools.
    key : str
        Of the synthesis' record.
    """

    target: str
    device: str
    area: dict[str, float]
    esc: float | None
    note: str
    tools: tuple[str, ...]
    key: str


class AreaRow(msgspec.Struct, frozen=True, kw_only=True):
    """A design of a bench without a clock; attributes as of `bench.HardwareRow`."""

    design: str
    title: str
    mapped: Area
    cycles_per_block: float
    latency_cycles: float
    vectors: int
    stall_modes: tuple[str, ...]
    random_messages: int
    random_words: int
    proof_seed: int
    netlist_vectors: int
    proof_key: str
    netlist_key: str
    chained: int


def tools_of(*records: Record) -> tuple[str, ...]:
    """Name the tools of some records, each once, with version and origin."""
    tools = (tool for record in records for tool in record.inputs["tools"])
    return tuple(dict.fromkeys(f"{t['name']} {t['version']} ({t['origin']})" for t in tools))


def area(synthesis: Synthesis, records: Mapping[str, Record]) -> Area | None:
    """Read a synthesis out of its records; None if it did not end well."""
    record = records.get(synthesis.key)
    if record is None or record.status != "ok":
        return None
    family = synthesis.target.family
    counts = {unit: float(record.result["area"][unit]) for unit in family.units}
    return Area(
        target=synthesis.target.name,
        device=synthesis.target.device,
        area=counts,
        esc=family.equivalent_slices(counts),
        note=family.note.strip(),
        tools=tools_of(record),
        key=record.key,
    )


def row(operation: Operation, entry: HardwarePlan, records: Mapping[str, Record]) -> AreaRow | None:
    """Give the row of a design; None if it is not proven, or not mapped."""
    proven = of_proofs(operation, entry, records)
    mapped = area(entry.implementation.synthesis, records)
    if proven is None or mapped is None:
        return None
    return AreaRow(mapped=mapped, **proven)


def of_proofs(
    operation: Operation, entry: HardwarePlan, records: Mapping[str, Record]
) -> dict[str, Any] | None:
    """Give the fields that rows of designs have from their proofs; None if one did not end well."""
    proof = records.get(entry.proof.key)
    if proof is None or proof.status != "ok":
        return None
    netlist = None
    if entry.implementation.netlist is not None:
        netlist = records.get(entry.implementation.netlist.key)
        if netlist is None or netlist.status != "ok":
            return None
    shown = proofs.of_operation(proof, operation)
    return {
        "design": entry.design.name,
        "title": entry.design.title,
        "cycles_per_block": proofs.cycles_each(proof, operation),
        "latency_cycles": shown["timing"]["latency_cycles"]["mean"],
        "vectors": shown["vectors"],
        "stall_modes": tuple(proof.result["modes"]),
        "random_messages": shown["random_messages"],
        "random_words": shown["random_words"],
        "proof_seed": proof.result["proof_seed"],
        "netlist_vectors": proofs.of_operation(netlist, operation)["vectors"] if netlist else 0,
        "proof_key": proof.key,
        "netlist_key": netlist.key if netlist else "",
        "chained": proof.result["chained"],
    }


def table(
    rows: Sequence[AreaRow], *, primitive: str, operation: str, notes: Sequence[str]
) -> Table:
    """Give the table of a bench."""
    fields = (
        (Column("design", "design"), lambda one: one.design),
        (Column("primitive", ""), lambda one: primitive),
        (Column("operation", ""), lambda one: operation),
        (Column("target", ""), lambda one: one.mapped.target),
        (figure("cycles_per_block", "cycles\na block", "{:.6g}"), lambda one: one.cycles_per_block),
        (figure("latency_cycles", "cycles\nlatency", "{:.6g}"), lambda one: one.latency_cycles),
        *_counts(rows[0].mapped, lambda one: one.mapped),
        (figure("vectors", ""), lambda one: one.vectors),
        (figure("random_messages", ""), lambda one: one.random_messages),
        (figure("proof_seed", ""), lambda one: one.proof_seed),
        (Column("proof_key", ""), lambda one: one.proof_key),
        (figure("netlist_vectors", ""), lambda one: one.netlist_vectors),
        (Column("netlist_key", ""), lambda one: one.netlist_key),
        (Column("synthesis_key", ""), lambda one: one.mapped.key),
    )
    return of(_title(rows[0].mapped), fields, rows, (*_notes(rows[0].mapped), *notes))


def alone(name: str, mapped: Area, *, proof: str) -> Table:
    """Give the table of one module; `proof` says what has shown that it is right, if anything."""
    fields = ((Column("module", "module"), lambda _: name), *_counts(mapped, lambda one: one))
    return of(_title(mapped), fields, [mapped], (*_notes(mapped), proof))


def _title(mapped: Area) -> str:
    return f"Area: {mapped.device}, by synthesis alone"


def _notes(mapped: Area) -> tuple[str, ...]:
    esc = () if mapped.esc is None else ("ESC: equivalent slices, in hundreds (docs/targets.md)",)
    return (
        "no clock: nothing here places and routes this family",
        *((mapped.note,) if mapped.note else ()),
        *esc,
        f"tools: {'; '.join(mapped.tools)}",
    )


def _counts(
    first: Area, of_row: Callable[[Any], Area]
) -> tuple[tuple[Column, Callable[[Any], Any]], ...]:
    def of_unit(unit: str) -> Callable[[Any], float]:
        return lambda one: of_row(one).area[unit]

    counts = tuple((figure(unit, HEADS[unit], "{:g}"), of_unit(unit)) for unit in first.area)
    esc = Column("esc", "ESC", "{:.2f}".format, is_number=True, optional=True)
    return (*counts, (esc, lambda one: of_row(one).esc))
