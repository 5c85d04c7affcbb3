# SPDX-License-Identifier: Apache-2.0
"""Scripts for Vivado, and what is read out of its reports. Nobody here has run it: the reports are
ours, in the form that UG906 describes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from vivado_reports import NO_PATHS, area_report, timing_report

from lydite.base import ToolFailed, ToolNotFound
from lydite.tools import vivado
from lydite.tools.vivado import Area, Timing

Fake = Callable[[str, str], Path]
ARGV = ("vivado", "-mode", "batch")
STEPS = ("opt_design", "place_design -directive Explore", "phys_opt_design", "route_design")


def test_script_of_a_small_design() -> None:
    script = vivado.script(
        ["core.v", "lydite_measure.v"], "lydite_measure", "xc7a200tfbg484-1", core="u_core",
        steps=STEPS,
    )  # fmt: skip
    assert script == (
        "# Written by Lydite.\n"
        "set_param general.maxThreads 1\n"
        "create_project -in_memory -part xc7a200tfbg484-1\n"
        "read_verilog [list core.v]\n"
        "read_verilog [list lydite_measure.v]\n"
        "read_xdc clock.xdc\n"
        "synth_design -top lydite_measure -part xc7a200tfbg484-1 "
        "-verilog_define [list SYNTHESIS]\n"
        "opt_design\n"
        "place_design -directive Explore\n"
        "phys_opt_design\n"
        "route_design\n"
        "report_timing_summary -delay_type min_max -file timing.rpt\n"
        "report_utilization -cells [get_cells u_core] -file utilization.rpt\n"
    )


def test_script_with_includes_defines_options_and_odd_names() -> None:
    script = vivado.script(
        ["rtl/a b.v", "rtl/$x[0].sv", "rtl/{.v"],
        "lydite_measure",
        "xcku060-ffva1156-1-c",
        core="u_core",
        includes=["inc", "more inc"],
        defines={"WIDTH": "8", "TEXT": '"a;b"', "FAST": ""},
        synthesis=["-directive PerformanceOptimized", "-no_lc"],
        steps=STEPS,
    )
    lines = script.splitlines()
    assert lines[3:6] == [
        r"read_verilog [list rtl/a\ b.v]",
        r"read_verilog -sv [list rtl/\$x\[0\].sv]",
        r"read_verilog [list rtl/\{.v]",
    ]
    assert lines[7] == (
        "synth_design -top lydite_measure -part xcku060-ffva1156-1-c "
        r"-include_dirs [list inc more\ inc] "
        r"-verilog_define [list SYNTHESIS WIDTH=8 TEXT=\"a\;b\" FAST] "
        "-directive PerformanceOptimized -no_lc"
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("rtl/core.v", "rtl/core.v"),
        ("", "{}"),
        ("a b", r"a\ b"),
        ("a\nb", r"a\nb"),
        ("$a[b]{c}\\", r"\$a\[b\]\{c\}\\"),
        ("St\u00e4rke.v", "St\u00e4rke.v"),
    ],
)
def test_any_text_is_one_word_of_tcl(text: str, word: str) -> None:
    assert vivado.word(text) == word


@pytest.mark.parametrize(
    ("freq", "period", "text"),
    [
        ("200", 5000, "5.000"),
        ("300", 3333, "3.333"),
        ("243.9", 4100, "4.100"),
        ("269", 3717, "3.717"),
        ("0.5", 2_000_000, "2000.000"),
    ],
)
def test_a_period_is_never_longer_than_asked(freq: str, period: int, text: str) -> None:
    assert vivado.period_ps(freq) == period
    assert 10**6 / period >= float(freq)
    assert vivado.constraints(period) == (
        f"create_clock -name clk -period {text} [get_ports clk]\n"
    )


@pytest.mark.parametrize(
    ("wns", "whs", "wpws"),
    [(0.123, 0.05, 2.0), (-1.404, 0.02, 2.0), (0.2, -0.31, 2.0), (0.1, 0.1, -0.155)],
)
def test_timing_is_read(wns: float, whs: float, wpws: float) -> None:
    text = timing_report(wns_ns=wns, whs_ns=whs, wpws_ns=wpws)
    assert vivado.parse_timing(text, ARGV) == Timing(
        wns_ns=wns, tns_ns=min(wns, 0) * 3, whs_ns=whs, wpws_ns=wpws, endpoints=1234
    )


def test_timing_without_hold_paths_and_without_pulses_is_read() -> None:
    text = timing_report(wns_ns=0.5)
    lines = text.splitlines()
    [first] = [line for line in lines if line.startswith("    WNS(ns)")]
    cut = "\n".join(line[: first.index("WHS(ns)")] for line in lines)
    timing = vivado.parse_timing(cut, ARGV)
    assert (timing.wns_ns, timing.whs_ns, timing.wpws_ns) == (0.5, None, None)


def test_area_of_both_forms_is_read() -> None:
    expected = Area(lut=812, ff=1604, slices=301, bram_tiles=2.5, dsp=4)
    assert vivado.parse_area(area_report(), ARGV) == expected
    assert vivado.parse_area(area_report(ultrascale=True), ARGV) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (NO_PATHS, "no path is timed: the design has none from one register to another"),
        ("", "its timing.rpt cannot be read: it has no Design Timing Summary"),
        (
            timing_report(wns_ns=0.5).partition("    WNS(ns)")[0],
            "its timing.rpt cannot be read: it has no Design Timing Summary",
        ),
        (
            timing_report(wns_ns=0.5).replace("0.500", "soon "),
            "its timing.rpt cannot be read: its Design Timing Summary is another one: "
            "could not convert string to float: 'soon'",
        ),
    ],
    ids=("no paths", "empty", "cut", "no number"),
)
def test_timing_that_says_nothing_is_told(text: str, said: str) -> None:
    with pytest.raises(ToolFailed) as caught:
        vivado.parse_timing(text, ARGV)
    assert str(caught.value) == f"vivado ended without an error, but not with a result\n  {said}"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("Slice LUTs", "Slice LUTs or CLB LUTs"),
        ("Slice    ", "Slice or CLB"),
        ("Block RAM Tile", "Block RAM Tile"),
        ("DSPs", "DSPs"),
    ],
)
def test_area_without_a_table_is_told(row: str, said: str) -> None:
    lines = area_report().splitlines()
    text = "\n".join(line for line in lines if not line.startswith(f"| {row}"))
    with pytest.raises(ToolFailed) as caught:
        vivado.parse_area(text, ARGV)
    assert str(caught.value).endswith(f"its utilization.rpt cannot be read: it has no row {said}")


@pytest.mark.parametrize("first", ["Vivado v2017.4 (64-bit)", "vivado v2024.1.1 (64-bit)"])
def test_version_and_licence_server(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setenv("XILINXD_LICENSE_FILE", "2100@server")
    path = fake("vivado", f"[ $1 = -version ] && echo '{first}'; echo 'SW Build 1 on Mon'")
    found = vivado.find()
    version = first.split()[1][1:]
    assert found.identity == {"name": "vivado", "version": version, "origin": "native"}
    assert found.env["XILINXD_LICENSE_FILE"] == "2100@server"
    assert vivado.command(found) == (
        *(str(path), "-mode", "batch", "-nojournal", "-nolog", "-source", "run.tcl"),
    )


def test_missing_vivado_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert not vivado.is_here()
    with pytest.raises(ToolNotFound) as caught:
        vivado.find()
    assert str(caught.value) == (
        "vivado: no vivado on PATH\n"
        "  source its settings64.sh; without it there are areas, and no clock (docs/vivado.md)"
    )


OUTPUT = """\
Starting Placer Task
INFO: [Place 30-611] Multithreading enabled for place_design using a maximum of 1 CPUs
ERROR: [Common 17-345] A valid license was not found for feature 'Implementation'
ERROR: [Common 17-69] Command failed: This design has errors
"""


def test_errors_and_what_is_lacking_are_picked() -> None:
    assert vivado.errors(OUTPUT).count("\n") == 1
    assert vivado.lacking(OUTPUT) == (
        "ERROR: [Common 17-345] A valid license was not found for feature 'Implementation'"
    )
