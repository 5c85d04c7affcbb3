# SPDX-License-Identifier: Apache-2.0
"""Tables of the study of Dilithium2: percentages and cycles, theirs beside ours, and directions.

A direction is what a setting changes of the one that it adds to: more, less, or as much. That of
the report is confirmed where ours is the same. Both are of whole percentages of a part; where one
of two netlists is not there, ours are the compiler's estimates, and the table says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lydite import targets
from lydite.report.page import Prose, Section, Tabled
from lydite.report.table import Column, figure
from lydite.studies.dilithium2_settings import AREA, LATENCY, OWN, SETTINGS, Setting
from lydite.studies.study import Found, beside
from lydite.studies.theirs import Theirs

# What is mapped for: Verilog is compiled for the first, which is placed; of netlists of the last,
# the report's own part, directions are told.
TARGETS = ("ecp5-85k", "xc7-a200t")
# What those parts have: LFE5U-85F, FPGA-DS-02012, table 1.1; XC7A200T, DS180, table 4, block RAMs
# of 18 kbit. LUT are those of the family.
PARTS: Mapping[str, Mapping[str, int]] = {
    "ecp5-85k": {"lut": 83_640, "ff": 83_640, "bram": 208},
    "xc7-a200t": {"lut": 134_600, "ff": 269_200, "bram": 730},
}
# Records of the designers' file: as many as the report simulated, and all.
FEW, RECORDS = 2, 100
_UNITS = ("lut", "ff", "bram")
_WORDS = {-1: "less", 0: "as much", 1: "more"}

# Why ours goes the way it goes: by what the compiler's report says of units and memories.
_AREA_REASONS = {
    2: "absorbing stands in each caller: copies outweigh the ports that they save",
    3: "the transform stands five times, the permutation's callers twice and more",
    4: "the same hardware",
    5: "a 64-bit XOR is a LUT a bit, and so is each choice of its operands; results wait in FF",
    6: "as 5, with fewer states to wait in",
    7: "as 5; 20 are as many as one state needs",
    8: "as 5: the state's memory gives two lanes a cycle, so the limit is never met",
    9: "as 8",
    10: "inversions and ands are in the LUT of the XOR behind them: limits only add registers",
    11: "as 10",
    12: "as 10",
    13: "as 10",
    14: "as 10",
    15: "as 10",
    16: "lanes are chosen by a changing index wherever bytes go in and out, in each inlined copy",
    17: "the table is logic already; it was never a block RAM",
    18: "as 16",
    19: "a round a cycle: no result waits, and nothing is shared",
}
_LATENCY_REASONS = {
    2: "an iteration a cycle in place of two to four",
    3: "four butterflies in two cycles: ports of both memories are busy all the time",
    4: "the inverse transform gains; elsewhere copies of an iteration wait for two ports",
    5: "packing two coefficients a cycle; streams of words need no copies",
    6: "all loops of polynomials are at the speed of the memory's ports",
}

Row = Mapping[str, Any]
# Settings of which the report has none.
_OWN_ROWS: tuple[Row, ...] = tuple({"setting": one.name, "adds": one.adds} for one in OWN)


class Tables:
    """The tables of what was found."""

    def __init__(self, theirs: Theirs, found: Found) -> None:
        self._theirs, self._found = theirs, found
        self._area = theirs.named("area").records()
        self._latency = theirs.named("latency").records()

    def sections(self) -> tuple[Section, ...]:
        """Give all."""
        areas = [self._areas(target) for target in TARGETS]
        return (
            Section("Area", (*areas, Prose(self._weights()))),
            Section("Placed and routed", (self._placed(),)),
            Section("Directions of area", (self._directions(),)),
            Section("Latency", (self._latencies(),)),
        )

    # ---- what was measured ----

    def _mapped(self, setting: str, target: str) -> dict[str, float] | None:
        found = self._found.result(f"map {target} {setting}")
        if found is None:
            return None
        area: dict[str, float] = found["area"]
        [lut] = (area[unit] for unit in ("lut4", "lut6") if unit in area)
        return {**area, "lut": lut}

    def _estimated(self, setting: str) -> dict[str, float] | None:
        found = self._found.result(f"estimate {setting}")
        return found["area"] if found else None

    def _percent(self, area: Mapping[str, float] | None, unit: str, target: str) -> float | None:
        return 100 * area[unit] / PARTS[target][unit] if area else None

    def _cycles(self, setting: str) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """Give the co-simulations of few records and of all."""
        few, every = (self._found.result(f"cosim {n} {setting}") for n in (FEW, RECORDS))
        return few, every

    def _mean_of_two(self, setting: str) -> float | None:
        few, every = self._cycles(setting)
        ran = few or every
        return sum(ran["cycles"][:FEW]) / FEW if ran else None

    # ---- tables ----

    def _areas(self, target: str) -> Tabled:
        def ours(unit: str, row: Row) -> float | None:
            return self._percent(self._mapped(_name(row), target), unit, target)

        def esc(row: Row) -> float | None:
            area = self._mapped(_name(row), target)
            return targets.find(target).family.equivalent_slices(area) if area else None

        def theirs(column: str, row: Row) -> float | None:
            return float(row[column]) if column in row else None

        fields = [
            (Column("setting", "setting", _shown), lambda row: row["setting"]),
            (Column("adds", "adds"), lambda row: row["adds"]),
        ]
        for unit in _UNITS:
            fields += beside(
                unit,
                f"{unit.upper()} %",
                "{:.1f}".format,
                partial(theirs, f"{unit}_percent"),
                partial(ours, unit),
                smaller=True,
            )
        fields += beside("esc", "ESC", "{:.1f}".format, self._their_esc, esc, smaller=True)
        fields.append(
            (
                figure("lut_estimated", "LUT\nestimated", "{:,.0f}"),
                lambda row: (self._estimated(_name(row)) or {}).get("lut"),
            )
        )
        rows = [*self._area, *_OWN_ROWS]
        notes = (
            "theirs: of an xc7a200t, Vivado HLS' synthesis; ours: of the same settings on our C, "
            f"mapped by Yosys for {target}, the measuring wrapper left out",
            *(f"{one.name}: {one.deviates}" for one in AREA if one.deviates),
        )
        title = f"Utilisation, {target}"
        return self._found.table(f"area-{target}", title, fields, rows, notes)

    def _placed(self) -> Tabled:
        """Give the clocks of what was placed, and what a signature takes at them."""
        target = TARGETS[0]

        def ran(name: str, setting: Setting) -> float:
            found: dict[str, Any] = self._found.result(f"place {target} {setting.name}") or {}
            mhz: float = found["paths"]["core"]["fmax_mhz"] if name == "core" else found["fmax_mhz"]
            return mhz

        def lut(setting: Setting) -> float | None:
            area = self._mapped(setting.name, target)
            return area["lut"] if area else None

        def cycles(setting: Setting) -> float | None:
            """Of the setting, or of one for latency that is the same."""
            same = [one.name for one in (*LATENCY, *OWN) if one.files == setting.files]
            every = self._cycles(same[0])[1] if same else None
            return float(every["cycles_mean"]) if every else None

        def call_us(setting: Setting) -> float | None:
            count = cycles(setting)
            return None if count is None else count / ran("usable", setting)

        fields: tuple[tuple[Column, Callable[[Any], Any]], ...] = (
            (Column("setting", "setting"), lambda setting: setting.name),
            (figure("lut", "LUT4", "{:,.0f}"), lut),
            (figure("core_mhz", "MHz between\nregisters", "{:.1f}"), partial(ran, "core")),
            (figure("mhz", "MHz", "{:.1f}"), partial(ran, "usable")),
            (figure("cycles", "cycles, mean\n100 records", "{:,.0f}"), cycles),
            (figure("call_us", "us a\nsignature", "{:,.0f}"), call_us),
        )
        placed = [s for s in SETTINGS if self._found.result(f"place {target} {s.name}") is not None]
        notes = (
            "one seed; MHz: with paths from and to ports, at which calls are timed; area: the "
            "measuring wrapper left out",
        )
        title = f"Placed and routed, {target}"
        return self._found.table("placed", title, fields, placed, notes)

    def _their_esc(self, row: Row) -> float | None:
        if "lut_percent" not in row:
            return None
        slices = float(self._theirs.facts["slices"])
        # Each percentage is of all slices: the weights share these out to each kind by itself.
        return sum(float(row[f"{unit}_percent"]) for unit in _UNITS) / 100 * slices / 100

    def _weights(self) -> str:
        told = []
        for target in TARGETS:
            slices = targets.find(target).family.slices
            if slices is not None:
                told.append(
                    f"{target}: LUT {slices.lut4 or slices.lut6:g}, FF {slices.ff:g}, "
                    f"block RAM {slices.bram:g}, multiplier {slices.dsp:g}"
                )
        return (
            "Equivalent slice count in hundreds of slices. Theirs: LUT / 4 + FF / 8 + 46 a block "
            "RAM of 18 kbit, multipliers for nothing. Ours, weights by the same rule, with "
            f"multipliers: {'; '.join(told)}."
        )

    def _directions(self) -> Tabled:
        def areas(row: Row) -> tuple[str, str, list[dict[str, float] | None]]:
            """Give what they are, of which part, and both: of the report's own, if there are."""
            names = [f"area-{row['on']:g}", _name(row)]
            for target in reversed(TARGETS):
                mapped = [self._mapped(name, target) for name in names]
                if all(mapped):
                    return f"netlists, {target}", target, mapped
            made = [self._estimated(name) for name in names]
            return ("estimates" if all(made) else ""), TARGETS[0], made

        def change(unit: str, row: Row) -> int | None:
            _, target, found = areas(row)
            before, after = (self._percent(one, unit, target) for one in found)
            return None if before is None or after is None else round(after) - round(before)

        def their_change(unit: str, row: Row) -> int:
            before = self._theirs.named("area").number(f"{unit}_percent", setting=row["on"])
            return round(float(row[f"{unit}_percent"]) - before)

        fields: list[tuple[Column, Callable[[Any], Any]]] = [
            (Column("setting", "setting", _shown), lambda row: row["setting"]),
            (Column("on", "on", _shown), lambda row: row["on"]),
        ]
        for unit in _UNITS:
            fields += _compared(
                unit,
                f"{unit.upper()} %",
                "{:+d}",
                partial(their_change, unit),
                partial(change, unit),
            )
        fields += [
            (Column("by", "ours by"), lambda row: areas(row)[0] or None),
            (Column("why", "why ours"), lambda row: _AREA_REASONS[int(row["setting"])]),
        ]
        title = "What each setting changes, in percentages of the part"
        return self._found.table("directions", title, fields, self._area[1:])

    def _latencies(self) -> Tabled:
        def ran(which: str, row: Row) -> float | None:
            every = self._cycles(_name(row, "latency"))[1]
            return float(every[which]) if every else None

        def mean(row: Row) -> float | None:
            return self._mean_of_two(_name(row, "latency"))

        def change(row: Row) -> int | None:
            if row.get("on", row["setting"]) == row["setting"]:
                return None
            before, after = self._mean_of_two(f"latency-{row['on']:g}"), mean(row)
            return None if before is None or after is None else round(after - before)

        def their_change(row: Row) -> int | None:
            if "on" not in row or row["setting"] == row["on"]:
                return None
            before = self._theirs.named("latency").number("cycles", setting=row["on"])
            return round(float(row["cycles"]) - before)

        fields: tuple[tuple[Column, Callable[[Any], Any]], ...] = (
            (Column("setting", "setting", _shown), lambda row: row["setting"]),
            (Column("adds", "adds"), lambda row: row["adds"]),
            *beside(
                "mean",
                "cycles, two records",
                "{:,.0f}".format,
                lambda row: row.get("cycles"),
                mean,
                smaller=True,
            ),
            *_compared("change", "change", "{:+,d}", their_change, change),
            *(
                (figure(f"all_{name}", f"{head}\n100 records", "{:,.0f}"), partial(ran, which))
                for name, head, which in (
                    ("mean", "mean", "cycles_mean"),
                    ("least", "least", "cycles_min"),
                    ("most", "most", "cycles_max"),
                )
            ),
            (Column("why", "why ours"), lambda row: _LATENCY_REASONS.get(row["setting"])),
        )
        rows = [*self._latency, *_OWN_ROWS]
        notes = tuple(f"{one.name}: {one.deviates}" for one in LATENCY if one.deviates)
        title = "Cycles of a signature, co-simulated"
        return self._found.table("latency", title, fields, rows, notes)


def _name(row: Row, kind: str = "area") -> str:
    """Give the name of a setting."""
    number = row["setting"]
    return number if isinstance(number, str) else f"{kind}-{number:g}"


def _shown(setting: float | str) -> str:
    return setting if isinstance(setting, str) else f"{setting:g}"


def _compared(
    name: str,
    head: str,
    form: str,
    of_theirs: Callable[[Any], int | None],
    of_ours: Callable[[Any], int | None],
) -> tuple[tuple[Column, Callable[[Any], Any]], ...]:
    """Give three columns: their change, ours, and whether ours is the way theirs is."""

    def verdict(row: Any) -> str | None:
        signs = [(one > 0) - (one < 0) for one in (of_theirs(row), of_ours(row)) if one is not None]
        if len(signs) < 2:
            return None
        return "confirmed" if signs[0] == signs[1] else f"denied: {_WORDS[signs[1]]}"

    return (
        (figure(f"{name}_theirs", f"{head}\ntheirs", form), of_theirs),
        (figure(f"{name}_ours", f"{head}\nours", form), of_ours),
        (Column(f"{name}_verdict", "\nverdict"), verdict),
    )
