# SPDX-License-Identifier: Apache-2.0
"""What a placement says of a core's clock: a figure for each class of paths, and whose it is.

The core's figure is of paths between its own registers. A path that begins or ends in the measuring
wrapper, at a port of the core, is told apart; one that is all the wrapper's counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from lydite.tools.nextpnr import Report
from lydite.tools.paths import CLASSES, Class, Path
from lydite.tools.routes import Names

# How far our sum of delays may lie from nextpnr's: it adds before it rounds to picoseconds.
_TOLERANCE = 0.002


def result(
    report: Report, classes: Mapping[Class, Path], names: Names, core: str, *, mixed: bool
) -> dict[str, Any] | None:
    """Give what a record tells of time; None if no path through the core is timed.

    `paths` has the slowest path of each class, `fmax_mhz` and `path_*` are of the slowest of these.
    Where our sum of nextpnr's delays is not its own figure, its figure stands alone.

    Parameters
    ----------
    mixed : bool
        Whether there are other clocks: nextpnr's figure may then be of one of them.
    """
    reported = _reported(report, names, core)
    slowest = min((path.fmax_mhz for path in classes.values()), default=0.0)
    if mixed:
        paths = dict(classes)
    elif abs(slowest - reported.fmax_mhz) <= _TOLERANCE * reported.fmax_mhz:
        # Of two that are equally slow, nextpnr's is the one that its log shows.
        paths = {**classes, reported.kind: reported}
    else:
        paths = {reported.kind: reported}
    of_core = {kind: paths[kind] for kind in CLASSES if kind in paths}
    if not of_core:
        return None
    worst = min(of_core.values(), key=lambda path: path.fmax_mhz)
    return {
        "fmax_mhz": worst.fmax_mhz,
        "path_kind": worst.kind,
        "path_from": worst.begin,
        "path_to": worst.end,
        "path_logic_ns": worst.logic_ns,
        "path_routing_ns": worst.routing_ns,
        "path_levels": worst.levels,
        "paths": {kind: msgspec.to_builtins(path) for kind, path in of_core.items()},
    }


def _reported(report: Report, names: Names, core: str) -> Path:
    """Give nextpnr's critical path with its class."""
    timing = report.timing
    begins, ends = (names.mapped(end.cell).startswith(core) for end in (timing.source, timing.sink))
    if begins or ends:
        kind: Class = "core" if begins and ends else "in" if ends else "out"
    else:
        through = any(cell.startswith(core) for cell in timing.cells[1:])
        kind = "through" if through else "wrapper"
    return Path(
        kind=kind,
        fmax_mhz=timing.fmax_mhz,
        begin=f"{timing.source.cell}.{timing.source.port}",
        end=f"{timing.sink.cell}.{timing.sink.port}",
        logic_ns=timing.logic_ns,
        routing_ns=timing.routing_ns,
        levels=timing.levels,
    )
