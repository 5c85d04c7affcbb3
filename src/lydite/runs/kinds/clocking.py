# SPDX-License-Identifier: Apache-2.0
"""Which clock is measured, and what else there is: the figure is of one edge of one clock.

Registers on another edge have half a period for what comes from, and goes to, the measuring
wrapper; those on another clock are clocked by a register of the wrapper; what a clock that is made
inside moves, no figure of nextpnr's speaks of. So all of that is refused unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.base.errors import InputError
from lydite.tools.clocks import Clocks, Domain

_SHOWN = 4
_ONE = (
    "one edge of one clock is measured; --mixed-clocks takes them, and measures the registers of "
    "{clock} alone: paths between its two edges have half a period, those of other clocks no figure"
)


def choose(clocks: Clocks, where: str) -> str:
    """Give the port that clocks a module; empty for one without registers.

    Raises
    ------
    InputError
        There are several; or there are registers, and no port clocks any.
    """
    ports = clocks.ports
    if len(ports) > 1:
        told = "".join(f"\n  {_told(domain)}" for domain in clocks.domains)
        raise InputError(
            where,
            f"it has {len(ports)} clocks, {', '.join(ports)}:{told}",
            "name the one to measure with --clock, and add --mixed-clocks if others may stay",
        )
    if clocks.domains and not ports:
        told = "".join(f"\n  {_told(domain)}" for domain in clocks.domains)
        raise InputError(where, f"no input clocks its registers:{told}", "clock them by an input")
    return ports[0] if ports else ""


def others(clocks: Clocks, clock: str) -> tuple[str, ...]:
    """Say what the rising edge of a clock does not move, and where the clock is data."""
    told = [
        _told(domain)
        for domain in clocks.domains
        if (domain.clock, domain.edge, domain.derived) != (clock, "rising", False)
    ]
    read = [place for place in clocks.as_data if place.partition(" (")[0] == clock]
    if read and not any(domain.derived for domain in clocks.domains):
        told.append(f"read as data: {_some(read)}")
    return tuple(told)


def check(clocks: Clocks, clock: str, where: str, *, mixed: bool) -> None:
    """Refuse a module with latches, or of which one edge of one clock does not move everything.

    Parameters
    ----------
    mixed : bool
        Whether other clocks and edges were asked for. Latches cannot be mapped, nor timed.

    Raises
    ------
    InputError
        It names the registers, their clocks, and the way out.
    """
    latches = [_told(domain) for domain in clocks.domains if domain.edge == "level"]
    if latches:
        what = "".join(f"\n  {line}" for line in latches)
        remedy = "assign in every branch of the always block, or in one of a clock's edge"
        raise InputError(where, f"it has latches:{what}", remedy)
    told = others(clocks, clock)
    if told and not mixed:
        what = f"not everything is on the rising edge of {clock or 'a clock'}:"
        raise InputError(
            where, what + "".join(f"\n  {line}" for line in told), _ONE.format(clock=clock)
        )


def _told(domain: Domain) -> str:
    bits = f"{domain.bits} bit{'s' if domain.bits > 1 else ''}"
    kind = "latches, open by" if domain.edge == "level" else f"{domain.edge} edge of"
    return f"{kind} {domain.clock}, {bits}: {_some(domain.registers)}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
