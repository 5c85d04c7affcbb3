# SPDX-License-Identifier: Apache-2.0
"""A family's operator table as the TOML file that `hls.delay_model` reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.runs.characterise import Table
from lydite.runs.operators import CHAIN_WIDTH

_METHOD = """\
# Delays are nanoseconds from operand to result, one wire included; a table is [width, ns] points,
# straight lines between them. Areas are LUT4 for one bit unless said. Each point is a design of
# its own: copies of the operator (about 128 bits of them; one product, one memory) between
# registers, mapped, placed and routed under every seed; times are medians over the seeds.
# Chains of 1 to 8 tables of four inputs give the line T0 + n * lut_ns; T0, a path without logic,
# is register_ns + setup_ns, and is taken off every operator's time. Real designs are larger and
# their wires longer: docs/hls-clock.md has predicted and routed clocks of whole programs."""


def toml(found: Table) -> str:
    """Give the file's text."""
    memory = found.target.family.memory
    assert memory is not None, "a family without it has no table"
    title = found.target.family.title
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f"# Operator delays and areas of the {title}, made by `lydite characterise`.",
        "#",
        f"# Part: {found.target.device}. Date: {found.date}. Hashed seeds: {found.seeds}"
        + (f"; placements that failed: {found.lost}." if found.lost else "."),
        *(f"# Tool: {tool}." for tool in found.tools),
        "#",
        *_METHOD.splitlines(),
        "",
        f'family = "{found.target.family.name}"',
        *_row("register_ns", found.register_ns, "clock to output of a flip-flop"),
        *_row("setup_ns", found.setup_ns, "to a flip-flop, the wire before it included"),
        *_row("lut_ns", found.lut_ns, "one LUT4 and its wire"),
        "lut_inputs = 4",
        "",
        "[memory]",
        *_row("bram_read_ns", found.bram_read_ns, "clock to output, without output register"),
        *_row("bram_setup_ns", found.bram_setup_ns, "to an address, the wire before it included"),
        *_row("lutram_read_ns", found.lutram_read_ns, "address to data"),
        f"lutram_depth = {max(1, memory.lutram_depth)}        # words of one cell",
        f"bram_bits = {memory.bram_bits}",
        f"true_dual_port = {str(memory.true_dual_port).lower()}",
        f"has_lutram = {str(memory.lutram_depth > 0).lower()}",
        "",
        "[delay]",
        *(f"{kind} = {_points(points)}" for kind, points in found.delay.items()),
        "",
        *_areas(found.area),
        "",
        f"# Operators of {CHAIN_WIDTH} bits in a row: [how many, ns]. The scheduler adds up;",
        "# where a row is faster than its sum, logic merged or carries ran at once.",
        "[chain]",
        *(f"{kind} = {_points(points)}" for kind, points in found.chain.items()),
        "",
    ]
    return "\n".join(lines)


def _row(name: str, value: float, what: str) -> list[str]:
    return [f"{name} = {value:.2f}".ljust(25) + f"# {what}"]


def _points(points: Sequence[tuple[int, float]]) -> str:
    return "[" + ", ".join(f"[{width}, {delay:.2f}]" for width, delay in points) + "]"


def _areas(area: Mapping[str, float]) -> list[str]:
    notes = {
        "shift": "a bit and a level of log2(width)/4",
        "multiply_lut": "a bit times a bit, where no DSP is used",
        "dsp_width": "widest measured product in one DSP",
        "dsp_threshold": "narrowest measured product in a DSP",
    }
    lines = ["[area]"]
    for name, value in area.items():
        text = f"{name} = {value:g}" if name.startswith("dsp") else f"{name} = {value:.2f}"
        lines.append(f"{text.ljust(24)} # {notes[name]}" if name in notes else text)
    return lines
