# SPDX-License-Identifier: Apache-2.0
"""Commands for nextpnr, and what is read out of its reports. Texts are nextpnr 0.11.1's, cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lydite import targets
from lydite.base import ToolFailed
from lydite.tools import nextpnr
from lydite.tools.nextpnr import PathEnd, Timing
from lydite.tools.tool import Tool

TOOL = Tool(name="nextpnr-ecp5", argv=("python", "-c"), version="1", origin="wheel x")
CLOCK = "$glbnet$clk$TRELLIS_IO_IN"


def hop(kind: str, delay: float, source: str, sink: str) -> dict[str, Any]:
    ends = [dict(zip(("cell", "port"), end.split("."), strict=True)) for end in (source, sink)]
    return {"type": kind, "delay": delay, "from": ends[0], "to": ends[1]}


PATH = [
    hop("clk-to-q", 0.5, "in_q.Q", "in_q.Q"),
    hop("routing", 1.0, "in_q.Q", "lut_a.D"),
    hop("logic", 0.25, "lut_a.D", "lut_a.F"),
    hop("routing", 0.75, "lut_a.F", "lut_b.C"),
    hop("logic", 0.25, "lut_b.C", "lut_b.F"),
    hop("routing", 1.25, "lut_b.F", "crc_q.DI"),
    hop("setup", 0.0, "crc_q.DI", "crc_q.DI"),
]
REPORT: dict[str, Any] = {
    "critical_paths": [
        {"from": "<async>", "to": f"posedge {CLOCK}", "path": [hop("source", 0, "pad.O", "pad.O")]},
        {"from": f"posedge {CLOCK}", "to": f"posedge {CLOCK}", "path": PATH},
        {"from": f"posedge {CLOCK}", "to": "<async>", "path": [hop("clk-to-q", 1, "x.Q", "x.Q")]},
    ],
    "fmax": {CLOCK: {"achieved": 250.0, "constraint": 100}},
    "utilization": {
        "DP16KD": {"available": 32, "used": 0},
        "TRELLIS_COMB": {"available": 24288, "used": 108},
    },
}
TOO_LARGE = """
Info: Device utilisation:
ERROR: Unable to place cell 'u_core.r_LC', no BELs remaining to implement cell type 'ICESTORM_LC'
0 warnings, 1 error
"""


def test_report_is_read() -> None:
    report = nextpnr.parse_report(json.dumps(REPORT), TOOL)
    assert report.clock == CLOCK
    assert report.utilization == {"DP16KD": (0, 32), "TRELLIS_COMB": (108, 24288)}
    assert report.timing == Timing(
        fmax_mhz=250.0,
        source=PathEnd("in_q", "Q"),
        sink=PathEnd("crc_q", "DI"),
        logic_ns=1.0,
        routing_ns=3.0,
        levels=2,
        cells=("in_q", "lut_a", "lut_b", "crc_q"),
    )


def test_slowest_clock_counts() -> None:
    both = json.loads(json.dumps(REPORT))
    both["fmax"]["other"] = {"achieved": 125.0, "constraint": 100}
    both["critical_paths"].append(
        {"from": "negedge other", "to": "negedge other", "path": PATH[:1]}
    )
    report = nextpnr.parse_report(json.dumps(both), TOOL)
    assert (report.clock, report.timing.fmax_mhz) == ("other", 125.0)


def test_path_between_two_edges_of_a_clock_counts() -> None:
    edges = json.loads(json.dumps(REPORT))
    edges["critical_paths"][1]["from"] = f"negedge {CLOCK}"
    report = nextpnr.parse_report(json.dumps(edges), TOOL)
    assert report.timing.levels == 2


def test_report_without_a_clock_is_a_failure() -> None:
    text = json.dumps({**REPORT, "fmax": {}})
    with pytest.raises(ToolFailed) as raised:
        nextpnr.parse_report(text, TOOL)
    assert str(raised.value) == (
        "nextpnr-ecp5 ended without an error, but not with a result\n"
        "  no clock found: the design has no path from one register to another"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        json.dumps(REPORT)[:300],
        json.dumps({**REPORT, "critical_paths": []}),
        json.dumps({**REPORT, "fmax": {CLOCK: {}}}),
    ],
    ids=["empty", "no fields", "cut short", "no path", "no figure"],
)
def test_report_cut_short_is_a_failure(text: str) -> None:
    with pytest.raises(ToolFailed) as raised:
        nextpnr.parse_report(text, TOOL)
    assert str(raised.value) == (
        "nextpnr-ecp5 ended without an error, but not with a result\n  its report cannot be read"
    )


def test_errors_are_picked() -> None:
    output = "Info: x\nERROR: one\nWarning: y\nterminate called\nAssertion failure: z\n"
    assert nextpnr.errors(output) == "ERROR: one\nterminate called\nAssertion failure: z"


def test_too_large_is_told_from_other_failures() -> None:
    assert nextpnr.too_large(TOO_LARGE)
    assert not nextpnr.too_large("ERROR: No package for pin\n")
    assert not nextpnr.too_large("Info: found no BELs at all to complain of\n")


def test_command_names_seed_part_report_and_pads() -> None:
    tool = Tool(name="nextpnr-nexus", argv=("nextpnr-nexus",), version="1", origin="native")
    target = targets.find("nexus-lifcl-40-8")
    command = nextpnr.command(
        tool, target, "n.json", seed=7, freq_mhz=100.0, options=("--router", "router2")
    )
    assert command == (
        *("nextpnr-nexus", "--device", "LIFCL-40-8BG400C", "--json", "n.json"),
        *("--seed", "7", "--freq", "100", "--timing-allow-fail", "--report", "report.json"),
        *("--fasm", "routed.config", "--pdc", "pads.constraints", "--router", "router2"),
    )
