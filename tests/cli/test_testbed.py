# SPDX-License-Identifier: Apache-2.0
"""`lydite testbed` on the example: tables, JSON, a page, and a run made again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cli import main, testbed
from lydite.cores import catalog
from lydite.runs.kinds import testbed as runs
from lydite.sim.testbed.measure import Setting
from lydite.targets import links

Capture = pytest.CaptureFixture[str]
Replace = Callable[[Path, str, str], None]
QUICK = ("--no-software", "--sizes", "1kB,20kB")


def test_tables_tell_what_is_measured_and_what_is_modelled(crc32: Path, capsys: Capture) -> None:
    page = crc32 / "page.html"
    argv = ["testbed", str(crc32), *QUICK, "--core-mhz", "90"]
    assert main([*argv, "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "Testbed: crc32/rtl, core at 90 MHz (as asked), DMA at 100 MHz" in shown
    assert "measured, by simulation of the whole: core, FIFOs, clock crossings" in shown
    assert "modelled: memory, link and host (UG585" in shown
    assert "configuration, modelled: LFE5U-85F, 1,927,699 bytes through slave SPI" in shown
    text = page.read_text()
    for title in ("Overhead over the size", "Where the time goes"):
        assert title in text
    assert text.count("<svg") >= 2
    # What is stored is not run again, and gives the same.
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    [table] = found["testbeds"]
    assert [row["bytes"] for row in table["rows"]] == [1_000, 20_000]
    for row in table["rows"]:
        parts = row["to_device_ns"] + row["compute_ns"] + row["from_device_ns"]
        assert parts == pytest.approx(row["hardware_ns"])
        assert row["ratio"] == pytest.approx(row["hardware_ns"] / row["claim_ns"])
        assert row["configuration_ns"] == pytest.approx(1_927_699 / 7.5e6 * 1e9)
    key = table["rows"][0]["key"]
    assert main(["show", key, "--replay"]) == 0
    script = capsys.readouterr().out
    again = subprocess.run(["sh"], input=script, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stdout + again.stderr
    assert again.stdout.startswith("equal: ")


def test_the_usual_sizes_are_whole_calls_of_every_design() -> None:
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("axi-hp64"))
    designs = [
        design for primitive in catalog.primitives() for design in catalog.designs(primitive.name)
    ]
    assert len(designs) > 200
    for design in designs:
        for name, sizes in testbed._sizes(None, design, design.operations).items():
            assert len(sizes) == 5
            assert 10_000 <= sizes[0] < 20_000
            runs.check(design, (name,), sizes, setting)


def test_a_core_that_is_not_proven_is_not_measured(
    crc32: Path, replace: Replace, capsys: Capture
) -> None:
    replace(crc32 / "crc32.v", "32'hedb88320", "32'hedb88321")
    assert main(["testbed", str(crc32), *QUICK]) == 5
    shown = capsys.readouterr()
    assert "verify crc32/rtl" in shown.out
    assert "us end" not in shown.out
