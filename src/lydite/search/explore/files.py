# SPDX-License-Identifier: Apache-2.0
"""A point as a file of directives, which `lydite hls --directives` takes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from lydite.search.explore.engine import Result
from lydite.search.explore.space import Space


def text(space: Space, found: Result, title: str, command: Sequence[str]) -> str:
    """Give the file: what the point came to, how to go on with it, and its directives.

    Parameters
    ----------
    command : sequence of str
        Words of the command that compiles it.
    """
    known = found.figures
    assert known is not None and found.proven, "only what is right is written"
    lines = [
        f"# Point {title} of an exploration: {known.latency_ns:g} ns a call, {known.cycles:g} "
        f"cycles at {known.period_ns:g} ns,",
        f"# {known.lut} LUT, {known.ff} FF, {known.bram} BRAM, {known.dsp} DSP by estimate; "
        "co-simulated.",
        f"# {shlex.join(command)}",
        "",
        'effort = "area"',
    ]
    placed = space.directives(found.point)
    if not placed:
        # A list without an entry is one, too.
        return "\n".join([*lines, "directives = []", ""])
    for one in placed:
        lines += ["", "[[directives]]"]
        fields = (("function", one.function), ("loop", one.loop), ("variable", one.variable))
        # A text of JSON is one of TOML.
        lines += [f"{name} = {json.dumps(value)}" for name, value in fields if value]
        lines.append(f"directive = {json.dumps(one.directive)}")
    return "\n".join([*lines, ""])
