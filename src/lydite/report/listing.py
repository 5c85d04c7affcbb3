# SPDX-License-Identifier: Apache-2.0
"""What there is: cores, known answers, targets, tools, runs, and where things are kept."""

from __future__ import annotations

import datetime
import fnmatch
import functools
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.base.errors import InputError, LyditeError, ToolNotFound
from lydite.cores import catalog
from lydite.report.table import Column, Table, plain
from lydite.runs import postgres, shared
from lydite.runs.evaluation import machine
from lydite.runs.processors.software import cpu_features
from lydite.runs.record import Record
from lydite.sim.build import cache_folder
from lydite.targets import families, vendor
from lydite.targets.boards import UNTRIED
from lydite.targets.boards import boards as all_boards
from lydite.targets.family import Family
from lydite.targets.links import links as all_links
from lydite.tools import compiler, nextpnr, verilator, vivado, yosys, yowasp
from lydite.tools.tool import Tool

MISSING = "missing"
# Processor features that decide which software of the catalogue can run.
_SHOWN_FEATURES = ("avx2", "bmi1", "avx512f", "avx512vl")


def cores() -> Table:
    """List the catalogue: designs and software of every primitive."""
    rows = []
    for core in catalog.cores():
        for primitive in core.primitives:
            entries = [
                *(("design", d.name, d.title) for d in core.designs if d.primitive == primitive),
                *(("software", s.name, s.title) for s in core.software if s.primitive == primitive),
            ]
            rows += [(primitive.name, *entry) for entry in entries]
    return plain("Cores", ("primitive", "kind", "name", "what"), rows)


def kat() -> Table:
    """List the files of known answers, how many records are used, and which are not, and why."""
    rows = []
    for primitive in catalog.primitives():
        for entry in primitive.kat_files:
            read = primitive.read(entry)
            why = "; ".join(f"{count} {reason}" for reason, count in read.reasons.items())
            counts = (f"{read.records}", f"{len(read.skipped)}")
            rows.append((primitive.name, Path(entry.file).name, entry.format, *counts, why))
    columns = ("primitive", "file", "format", ">records", ">left out", "why")
    return plain("Known answers", columns, rows)


def targets() -> Table:
    """List the parts of all families."""
    rows = [
        (
            f"{family.name}-{part.name}",
            part.device,
            " ".join(part.speeds) or "-",
            _title(family, f"{family.name}-{part.name}"),
        )
        for family in families()
        for part in family.part
    ]
    return plain("Targets", ("target", "device", "speed grades", "family"), rows)


def _title(family: Family, target: str) -> str:
    """Say what a family is, and where a clock comes from if nothing that is pinned places it."""
    if family.placement:
        return family.title
    clocked = target in vendor.parts("vivado")
    return f"{family.title}, areas alone" + (
        "; a clock where Vivado is (not run by us)" if clocked else ""
    )


def links() -> Table:
    """List the links that testbeds model."""
    rows = [
        (one.name, one.title, f"{one.mbyte_per_s:g}", f"{8 * one.word_bytes}", one.source)
        for one in all_links()
    ]
    return plain("Links", ("link", "what", ">MB/s each way", ">bits of a word", "source"), rows)


def boards() -> Table:
    """List the boards that bitstreams can be made for."""
    rows = [
        (
            one.name,
            one.board.title,
            one.target.device,
            f"{float(one.board.crystal_mhz):g}",
            f"{one.settings[0].mhz:g} to {one.settings[-1].mhz:g}",
            f"{len(one.settings)}",
            one.board.uart,
            UNTRIED,
        )
        for one in all_boards()
    ]
    columns = ("board", "what", "part", ">crystal MHz", ">clocks MHz", ">clocks", "UART")
    table = plain("Boards", columns, rows)
    # The same of all: for programs a column, for people a line.
    return Table(table.title, (*table.columns, Column("tested", "")), table.rows, (UNTRIED,))


def tools() -> Table:
    """List the tools that runs use by default, found or not, and the compilers."""
    seeking: list[tuple[str, Callable[[], Tool]]] = [
        ("yosys", yosys.find),
        ("verilator", verilator.find),
    ]
    seeking += [
        (f"nextpnr-{name}", functools.partial(nextpnr.find, name))
        for name in sorted({one.placement.tool for one in families() if one.placement})
    ]
    rows = []
    for name, find in seeking:
        try:
            tool = find()
        except ToolNotFound as error:
            rows.append((name, MISSING, "", error.remedy))
            continue
        note = ""
        if name.startswith("nextpnr") and not yowasp.is_compiled(tool):
            note = "its first call compiles it for this machine, once"
        rows.append((name, tool.version, tool.origin, note))
    rows += [*_vivado(), *_compilers()]
    return plain("Tools", ("tool", "version", "origin", "note"), rows)


def _vivado() -> list[tuple[str, str, str, str]]:
    """Vivado may be missing: all but the clock of the families that it alone places is without."""
    use = "clocks on Xilinx' parts; not run by us (docs/vivado.md)"
    try:
        tool = vivado.find()
    except LyditeError:
        what = "tells no version" if vivado.is_here() else "not there"
        return [("vivado", what, "", f"optional: {use}")]
    return [(tool.name, tool.version, tool.origin, use)]


def _compilers() -> list[tuple[str, str, str, str]]:
    rows = []
    for language, use in (("c++", "simulations"), ("c", "software")):
        chosen = compiler.find(language)
        for tool in compiler.all_found(language):
            note = f"{use} are built with it" if tool == chosen else ""
            if language == "c":
                note = "software is tried with it"
            rows.append((tool.name, tool.version, tool.origin, note))
    return rows


def places(store: Path | str) -> Table:
    """List what of the machine matters: processor, features, folders and the room they have."""
    has = cpu_features()
    folder = shared.folder_of(store) if isinstance(store, str) else store
    named = f"{postgres.shown(store)}, beside it " if isinstance(store, str) else ""
    rows = [
        ("python", sys.version.split()[0]),
        ("processor", machine()),
        ("features", " ".join(f for f in _SHOWN_FEATURES if f in has) or "none of those used"),
        ("store", f"{named}{folder} ({_room(folder)})"),
        ("cache", f"{cache_folder()} ({_room(cache_folder())})"),
    ]
    return plain("Machine", ("what", "value"), rows)


def _room(folder: Path) -> str:
    while not folder.exists():
        folder = folder.parent
    return f"{shutil.disk_usage(folder).free / 1e9:.1f} GB free"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which runs are to be listed; what is empty lets all through.

    Attributes
    ----------
    kind, status : str
        As in the list.
    target : str
        Name or beginning of the name of a target: `ecp5`, `ecp5-25k`.
    label : str
        What the label must contain; with `*`, `?` or `[`, a pattern for all of it.
    since : str
        Date, or date and time, ISO 8601, in UTC unless it says otherwise.
    limit : int
        The newest so many; 0 for all.
    """

    kind: str = ""
    status: str = ""
    target: str = ""
    label: str = ""
    since: str = ""
    limit: int = 0


def select(records: Sequence[Record], wanted: Wanted) -> tuple[Record, ...]:
    """Give the records that are wanted, in their order.

    Raises
    ------
    InputError
        A date or a limit cannot be understood.
    """
    since = _moment(wanted.since)
    if wanted.limit < 0:
        raise InputError("--limit", f"must be at least 1, not {wanted.limit}")
    pattern = wanted.label if any(c in wanted.label for c in "*?[") else f"*{wanted.label}*"
    found = [
        record
        for record in records
        if (not wanted.kind or record.kind == wanted.kind)
        and (not wanted.status or record.status == wanted.status)
        and f" on {wanted.target}" in f"{record.label} on "
        and fnmatch.fnmatchcase(record.label.removeprefix(record.kind + " "), pattern)
        and (since is None or datetime.datetime.fromisoformat(record.started_utc) >= since)
    ]
    return tuple(found[-wanted.limit :])


def _moment(text: str) -> datetime.datetime | None:
    if not text:
        return None
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        hint = "as 2026-11-22 or 2026-11-22T09:30"
        raise InputError("--since", f"no date: {text!r}", hint) from None
    return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)


def runs(records: Sequence[Record]) -> Table:
    """List records, oldest first, with the figure that matters most of each."""
    rows = [
        (
            record.key[:12],
            record.kind,
            record.status,
            record.label.removeprefix(record.kind + " "),
            headline(record),
            f"{record.wall_s:.1f}",
            record.started_utc,
        )
        for record in records
    ]
    columns = (
        *(Column(name, name) for name in ("key", "kind", "status", "what", "figure")),
        Column("wall_s", "wall_s", is_number=True, rank=1),
        # Its zone stands in the name; like a figure it is not folded.
        Column("started_utc", "started_utc", _bare, is_number=True, rank=2),
    )
    return Table("Runs", columns, tuple(rows))


def _bare(moment: str) -> str:
    return moment.partition("+")[0]


def headline(record: Record) -> str:
    """Give the figure of a record that matters most; of one that failed, why."""
    result = record.result
    if record.status != "ok":
        return (record.error.splitlines() or [""])[0]
    match record.kind:
        case "compile":
            return f"{result['area']['lut']:g} LUT estimated"
        case "verify":
            cycles = [one["timing"]["cycles_per_block"] for one in result["operations"]]
            return ", ".join(f"{one['mean']:g} cycles a block" for one in cycles if one)
        case "synthesis":
            area = result["area"]
            return next(
                f"{area[unit]:g} {unit.upper()}" for unit in ("lut4", "lut6") if unit in area
            )
        case "netlist" | "routed":
            return f"{result['vectors']} vectors"
        case "bitstream":
            return f"{result['static_mhz']:.2f} MHz (static), at {result['mhz']:.2f}"
        case "frequency":
            return f"{result['simulated_mhz']:.1f} MHz (simulated)"
        case "replica":
            return str(result["verdict"])
        case "implementation":
            return f"{result['fmax_mhz']:.2f} MHz ({result['asked_mhz']:g} asked)"
        case "placement":
            return f"{result['fmax_mhz']:.2f} MHz ({result['path_kind']})"
        case "software" if result["available"]:
            rates = [
                result["long_bytes"] * 1000 / one["long_1"]["median_ns"]
                for one in result["operations"]
                if one["long_1"]
            ]
            return ", ".join(f"{rate:.0f} MB/s" for rate in rates)
        case _:
            return ""
