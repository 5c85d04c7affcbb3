# SPDX-License-Identifier: Apache-2.0
"""Stands in for Vivado in tests: `fake_vivado.py SETTINGS.json` and Vivado's own arguments.

It reads the script that it is given, demands all files that this names, and writes reports as
Vivado's: a sequence of steps has a highest clock in SETTINGS, whatever else is asked. It shows how
Lydite and Vivado speak with each other, and nothing of what Vivado finds.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

from vivado_reports import area_report, timing_report


def main() -> int:
    settings = json.loads(Path(sys.argv[1]).read_text())
    arguments = sys.argv[2:]
    if arguments == ["-version"]:
        print(f"Vivado v{settings['version']} (64-bit)\nSW Build 4029153 on Fri Oct 13 2023")
        return 0
    assert arguments == ["-mode", "batch", "-nojournal", "-nolog", "-source", "run.tcl"], arguments
    Path(".Xil").mkdir()
    lines = Path("run.tcl").read_text().splitlines()
    files = [words(line) for line in lines if line.startswith("read_verilog")]
    assert all(Path(name).exists() for names in files for name in names), files
    mode = settings["mode"]
    if mode == "hang":
        time.sleep(600)
    if mode in settings["errors"]:
        print(settings["errors"][mode])
        return 1
    steps = [line for line in lines if re.match(r"[a-z_]+_design( -directive|$)", line)]
    limit = settings["limits"].get("; ".join(steps), 0.0)
    if not limit:
        print("ERROR: [Place 30-640] Place Check : no way to place it")
        return 1
    [period] = re.findall(r"create_clock .*-period ([\d.]+) ", Path("clock.xdc").read_text())
    period_ps = round(1000 * float(period))
    wns_ns = (period_ps - int(1e6 / limit)) / 1000
    print("Starting Router Task")
    if mode != "silent":
        whs_ns = -0.31 if mode == "hold" else 0.05
        Path("timing.rpt").write_text(timing_report(wns_ns=wns_ns, whs_ns=whs_ns))
        Path("utilization.rpt").write_text(area_report(lut=int(limit)))
    return 0


def words(line: str) -> list[str]:
    """Give the words of a list of Tcl in which each odd character is escaped."""
    [inside] = re.findall(r"\[list (.*)\]$", line)
    return [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r"(?:\\.|[^\\ ])+", inside)]


if __name__ == "__main__":
    sys.exit(main())
