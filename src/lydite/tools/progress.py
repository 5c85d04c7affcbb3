# SPDX-License-Identifier: Apache-2.0
"""How far a tool's run has come, in words, by the end of what it has printed so far.

This decides no result, so that no placement has it in its key: to say more costs nobody hours, as
it would beside what runs a tool.
"""

from __future__ import annotations

import re


def of_nextpnr(output: str) -> str:
    """Say how far placing and routing by nextpnr has come.

    The clock is nextpnr's own estimate between placing and routing, where it stands in `output`.
    """
    clock = re.findall(r"^Info: Max frequency for clock .*?: ([\d.]+) MHz", output, re.MULTILINE)
    estimate = f"; estimate {clock[-1]} MHz" if clock else ""
    arcs = re.findall(r"^Info: +\d+ \|[\d |]*\| +(\d+)\|", output, re.MULTILINE)
    if arcs:
        return f"routing, {arcs[-1]} arcs left{estimate}"
    if "Routing.." in output:
        return f"routing{estimate}"
    steps = re.findall(
        r"^Info: +at (?:initial placer iter|iteration) #?(\d+).*?wirelen (?:= |solved = )?(\d+)",
        output,
        re.MULTILINE,
    )
    if steps:
        return f"placing, round {steps[-1][0]}, wire length {steps[-1][1]}"
    # The static placer goes on until too little lies over other cells, however long that takes.
    spread = re.findall(r"^Info: overlap: (.+)\n(?:.*\n)??Info: iter=(\d+)", output, re.MULTILINE)
    if spread:
        overlaps, rounds = spread[-1]
        worst = max(map(float, re.findall(r"=([\d.]+)%", overlaps)), default=0.0)
        return f"placing, round {rounds}, overlap {worst} %"
    return ""


def of_vivado(output: str) -> str:
    """Say how far a run of Vivado has come."""
    found = re.findall(r"^(Starting .*? Task|Phase [\d.]+ .*?)(?: \||$)", output, re.MULTILINE)
    return found[-1] if found else ""
