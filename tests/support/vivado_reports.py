# SPDX-License-Identifier: Apache-2.0
"""Reports in the form of Vivado's, as UG906 describes it, with figures of ours."""

from __future__ import annotations

_RULE = "-" * 96
_HEADS = (
    ("WNS(ns)", "TNS(ns)", "TNS Failing Endpoints", "TNS Total Endpoints"),
    ("WHS(ns)", "THS(ns)", "THS Failing Endpoints", "THS Total Endpoints"),
    ("WPWS(ns)", "TPWS(ns)", "TPWS Failing Endpoints", "TPWS Total Endpoints"),
)


def _group(worst: float | None, failing: int, total: int) -> list[str]:
    if worst is None:
        return ["NA"] * 4
    missed = min(worst, 0.0)
    return [f"{worst:.3f}", f"{missed * failing:.3f}", f"{failing if missed else 0}", f"{total}"]


def timing_report(
    *, wns_ns: float | None, whs_ns: float | None = 0.05, wpws_ns: float | None = 2.0
) -> str:
    """Give a report of report_timing_summary; None for what no path has."""
    groups = (_group(wns_ns, 3, 1234), _group(whs_ns, 3, 1234), _group(wpws_ns, 3, 600))
    names = [name for head in _HEADS for name in head]
    values = [value for group in groups for value in group]
    widths = [max(len(name), 7) for name in names]
    lines = (names, ["-" * len(name) for name in names], values)
    table = [
        "    "
        + "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        + "  "
        for line in lines
    ]
    met = all(value is None or value >= 0 for value in (wns_ns, whs_ns, wpws_ns))
    end = "All user specified timing constraints are met." if met else (
        "Timing constraints are not met."
    )  # fmt: skip
    return "\n".join(
        [
            _RULE,
            "| Tool Version : Vivado v.2023.2 (lin64)",
            "| Design       : lydite_measure",
            "| Design State : Routed",
            _RULE,
            "",
            "Timing Summary Report",
            "",
            _RULE,
            "| Design Timing Summary",
            "| ---------------------",
            _RULE,
            "",
            *table,
            "",
            "",
            end,
            "",
            _RULE,
            "| Intra Clock Table",
            "| -----------------",
            _RULE,
            "",
            "Clock             WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints",
            "-----             -------      -------  ---------------------  -------------------",
            "clk                99.000        0.000                      0                    1",
            "",
        ]
    )


NO_PATHS = timing_report(wns_ns=None, whs_ns=None, wpws_ns=None)


def area_report(
    lut: int = 812,
    ff: int = 1604,
    slices: int = 301,
    bram_tiles: float = 2.5,
    dsp: int = 4,
    *,
    ultrascale: bool = False,
) -> str:
    """Give a report of report_utilization, as of the 7 series or of UltraScale, newer releases."""
    kind = "CLB" if ultrascale else "Slice"
    block = "CLB" if ultrascale else "Slice"
    tables = (
        (
            f"1. {kind} Logic",
            ((f"{kind} LUTs*", lut), ("  LUT as Logic", lut - 4), (f"{kind} Registers", ff)),
        ),
        (
            f"2. {kind} Logic Distribution",
            ((block, slices), ("  SLICEL", slices - 1), ("LUT as Logic", lut - 4)),
        ),
        (
            "3. Memory" if not ultrascale else "3. BLOCKRAM",
            (("Block RAM Tile", bram_tiles), ("  RAMB36/FIFO*", int(bram_tiles)), ("  RAMB18", 1)),
        ),
        ("4. DSP" if not ultrascale else "4. ARITHMETIC", (("DSPs", dsp), ("  DSP48E1 only", dsp))),
    )
    more = ultrascale  # since 2021 there is one column more
    lines = ["| Design       : lydite_measure", "", "Utilization Design Information", ""]
    for title, rows in tables:
        columns = ("Site Type", "Used", "Fixed", *(("Prohibited",) * more), "Available", "Util%")
        width = max(len(name) for name, _ in rows) + 1
        rule = "+" + "-" * (width + 2) + "+" + "".join("-" * 12 + "+" for _ in columns[1:])
        lines += [title, "-" * len(title), "", rule]
        texts = [
            columns,
            *((name, f"{count:g}", *("0",) * (len(columns) - 2)) for name, count in rows),
        ]
        for place, fields in enumerate(texts):
            cells = "".join(f" {field:>10} |" for field in fields[1:])
            lines.append(f"| {fields[0]:<{width}} |{cells}")
            if place == 0:
                lines.append(rule)
        lines += [rule, "* Warning! LUT value is adjusted to account for LUT combining.", ""]
    return "\n".join(lines)
