# SPDX-License-Identifier: Apache-2.0
"""What a board gave at the clocks that were tried, and the boards that there are."""

from __future__ import annotations

from pathlib import Path

from lydite.report.table import Table, figure, of, plain
from lydite.runs.boards.board_search import Found
from lydite.runs.record import Record
from lydite.targets.boards import UNTRIED, Fitted
from lydite.tools import loader


def table(found: Found) -> Table:
    """Give the table of the clocks that were tried, in their order."""
    columns = (
        (figure("mhz", "MHz", "{:.4f}"), lambda row: row.mhz),
        (figure("measured_mhz", "by its\ncrystal", "{:.2f}"), lambda row: row.measured_mhz),
        (figure("wrong", "messages\nwrong"), lambda row: row.wrong),
        (figure("cycles", "cycles"), lambda row: row.cycles),
        (figure("repeated", "jobs\nrepeated"), lambda row: row.repeated),
    )
    title = f"Clocks of {found.design} on {found.board} ({found.part}): {found.tested}"
    return of(title, columns, found.tried, _notes(found))


def _notes(found: Found) -> list[str]:
    notes = []
    static_mhz = found.static_mhz or 0.0  # unknown where no bitstream was made
    if found.highest_right_mhz is not None and found.lowest_wrong_mhz is not None:
        gain = found.highest_right_mhz / static_mhz - 1
        notes.append(
            f"highest clock with all {found.messages} messages right: "
            f"{found.highest_right_mhz:.4f} MHz ({gain:+.1%} over static analysis); the PLL's next "
            f"clock, {found.lowest_wrong_mhz:.4f} MHz, is wrong"
        )
    if static_mhz:
        notes.append(_static(static_mhz, in_core=bool(found.static_in_core)))
    if found.left_out:
        notes.append(f"left out: {found.left_out} messages that are longer than the board's FIFOs")
    if found.placements > 1:
        notes.append(f"the clocks have {found.placements} placements, not one: figures mix them")
    notes.append(
        f"{found.stimulus} messages; every output compared with the specification. Boards are "
        f"{found.tested}: what is here was shown on simulated ones alone"
    )
    return notes


def _static(mhz: float, *, in_core: bool) -> str:
    where = (
        "its slowest path is the core's own"
        if in_core
        else "its slowest path is not of the core alone, but of what joins it to the UART: what "
        "fails first may be that"
    )
    return f"static analysis of the placed board: {mhz:.2f} MHz; {where}"


def bitstream(design: str, fitted: Fitted, record: Record, path: Path) -> Table:
    """Tell what a bitstream is, and what loads it."""
    result = record.result
    parameters = ", ".join(f"{name} {value}" for name, value in result["parameters"].items())
    rows = [
        ("clock", f"{result['mhz']:.4f} MHz, oscillator {result['vco_mhz']:.2f} MHz"),
        ("PLL", parameters),
        ("static", f"{result['static_mhz']:.2f} MHz"),
        ("bitstream", f"{path}, {result['bitstream_bytes']:,} bytes"),
        ("load it", " ".join([loader.NAME, *fitted.board.loader, str(path)])),
        ("UART", f"{fitted.board.uart}; {fitted.board.baud:,} baud, 8N1"),
    ]
    rows += [("note", fitted.board.note)] * bool(fitted.board.note)
    notes = (_static(result["static_mhz"], in_core=result["static_in_core"]),)
    title = f"{design} on {fitted.name} ({fitted.target.device}): {UNTRIED}"
    table = plain(title, ("what", "value"), rows)
    return Table(table.title, table.columns, table.rows, notes)
