# SPDX-License-Identifier: Apache-2.0
"""What simulation at rising clocks found, read out of its records: beside static analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from lydite.report.table import Column, Table, figure, of
from lydite.runs.kinds.frequency import FindFrequency
from lydite.runs.record import Record
from lydite.sim.routed import chips


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A search on a placement.

    Attributes
    ----------
    chip : int
        0 for the delays of the file, else the number of an invented chip.
    static_mhz, simulated_mhz : float
        By static analysis of these delays; the highest clock at which all messages came out right.
    gain : float
        How much the latter is above the former, as a share.
    wrong_above : int
        Messages that are wrong 0.1 MHz above.
    result : mapping
        All of the record's.
    """

    seed: str
    chip: int
    static_mhz: float
    simulated_mhz: float
    gain: float
    messages: int
    wrong_above: int
    result: Mapping[str, Any]
    key: str


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """All searches of a design."""

    design: str
    part: str
    stimulus: str
    column: str
    sigmas: tuple[float, float, float]
    rows: tuple[Row, ...]


def found(jobs: Sequence[FindFrequency], records: Mapping[str, Record]) -> Found:
    """Read the searches of a design; those that failed are left out."""
    rows = []
    for job in jobs:
        record = records.get(job.key)
        if record is None or record.status != "ok":
            continue
        result = record.result
        rows.append(
            Row(
                seed=f"{job.proof.placement.seed:x}",
                chip=job.asked.chip,
                static_mhz=result["static_mhz"],
                simulated_mhz=result["simulated_mhz"],
                gain=result["gain"],
                messages=result["messages"],
                wrong_above=result["wrong_above"],
                result=result,
                key=record.key,
            )
        )
    first = jobs[0]
    sigmas = first.asked.sigmas
    return Found(
        design=first.proof.proof.design.label,
        part=first.proof.placement.target.device,
        stimulus=first.asked.stimulus,
        column=first.asked.column,
        sigmas=(sigmas.chip, sigmas.region, sigmas.cell),
        rows=tuple(rows),
    )


def table(found: Found) -> Table:
    """Give the table of the searches, with what there is to say of each."""
    columns = (
        (Column("seed", "seed"), lambda row: row.seed),
        (Column("chip", "chip", _chip), lambda row: row.chip),
        (figure("static_mhz", "static\nMHz", "{:.2f}"), lambda row: row.static_mhz),
        (figure("simulated_mhz", "simulated\nMHz", "{:.1f}"), lambda row: row.simulated_mhz),
        (figure("gain", "gain", "{:+.1%}"), lambda row: row.gain),
        (figure("messages", "messages\nright"), lambda row: row.messages),
        (figure("wrong_above", "wrong at\n0.1 MHz more"), lambda row: row.wrong_above),
        (Column("key", ""), lambda row: row.key),
    )
    title = f"Simulated clocks of {found.design}, {found.part}, {found.stimulus} messages"
    return of(title, columns, found.rows, _notes(found))


def _chip(value: int) -> str:
    return "as the file" if not value else f"{value} ({chips.SOURCE})"


def _notes(found: Found) -> list[str]:
    notes = [
        f"simulated, not measured: the {found.column} delays that nextpnr writes, every glitch; a "
        "register whose input changes within its set-up and hold takes a random bit (seeded)"
    ]
    if any(row.chip for row in found.rows):
        told = ", ".join(f"{100 * value:g} %" for value in found.sigmas)
        notes.append(f"chips: {chips.SOURCE} sigmas of chip, region, cell: {told}")
    for row in found.rows[:1]:
        result = row.result
        vendor = ", ".join(f"{name} {mhz:.1f}" for name, mhz in result["vendor_mhz"].items())
        notes.append(f"static analysis by the columns of the vendor's delays: {vendor} MHz")
        notes += _first(result)
        growth = ", ".join(f"{count:g}: {mhz:.1f}" for count, mhz in result["growth"])
        notes.append(f"MHz as messages grow: {growth}")
        for one in result["excited"]:
            notes.append(
                f"paths of {one['kind']} within 5 % of the slowest: {one['near']}, of which "
                f"{one['excited']} are ever excited so late"
            )
        if result["right_above_mhz"]:
            again = ", ".join(f"{mhz:.1f}" for mhz in result["right_above_mhz"])
            notes.append(f"failures do not stay: right again at {again} MHz")
        else:
            notes.append("failures begin there and stay, at all clocks tried above")
    return notes


def _first(result: Mapping[str, Any]) -> list[str]:
    first = result["first_path"]
    if first is None:
        return ["what fails first changes so late that its path is not told"]
    named = "static analysis names it" if first["named"] else "static analysis names another"
    return [
        f"fails first: {first['cells'][0]} to {first['cells'][-1]}, {first['delay_ps']} ps "
        f"({first['kind']}); {named}: its end is number {first['static_rank']} of "
        f"{first['static_ends']}, {first['end_static_ps']} ps"
    ]
