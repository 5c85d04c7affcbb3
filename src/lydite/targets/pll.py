# SPDX-License-Identifier: Apache-2.0
"""Clocks that the PLLs of ECP5 and iCE40 can make of a crystal, by their makers' formulas.

ECP5, EHXPLLL: Lattice FPGA-TN-02200 (sysCLOCK PLL/DLL), its limits FPGA-DS-02012, "sysCLOCK PLL
Timing". Output CLKOP closes the loop, the clock is output CLKOS, whose divider is free:

    pfd = crystal / CLKI_DIV     vco = pfd * CLKFB_DIV * CLKOP_DIV     clock = vco / CLKOS_DIV

iCE40, SB_PLL40 with simple feedback: FPGA-TN-02052 (sysCLOCK PLL), its limits FPGA-DS-02029:

    pfd = crystal / (DIVR + 1)   vco = pfd * (DIVF + 1)                clock = vco / 2**DIVQ

All numbers are exact: fractions of a MHz.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import msgspec

from lydite.base.errors import InputError

Kind = Literal["ecp5", "ice40"]


class Limits(msgspec.Struct, frozen=True):
    """What the makers allow: in MHz, the lowest and the highest."""

    crystal: tuple[int, int]
    pfd: tuple[int, int]
    vco: tuple[int, int]
    clock: tuple[int, int]


LIMITS: dict[Kind, Limits] = {
    # CLKI takes 8 MHz, but the phase detector no less than 10. The lowest CLKOS is 3.125 MHz; what
    # is fed back (CLKFB) is held to 8 to 400.
    "ecp5": Limits(crystal=(10, 400), pfd=(10, 400), vco=(400, 800), clock=(4, 400)),
    "ice40": Limits(crystal=(10, 133), pfd=(10, 133), vco=(533, 1066), clock=(16, 275)),
}
# FPGA-TN-02200, tables of the attributes: CLKI and outputs up to 128, the feedback up to 80.
_ECP5_INPUT, _ECP5_FEEDBACK, _ECP5_OUTPUT = 128, 80, 128
# FPGA-TN-02052: DIVR has four bits, DIVF seven, DIVQ three, of which 1 to 6 count.
_ICE40_DIVR, _ICE40_DIVF, _ICE40_DIVQ = range(16), range(128), range(1, 7)
# FPGA-TN-02052: FILTER_RANGE by the frequency at the phase detector, in MHz, below each.
_ICE40_FILTER = (17, 26, 44, 66, 101)


class Setting(msgspec.Struct, frozen=True):
    """How a PLL makes a clock.

    Attributes
    ----------
    kind : str
        Which PLL.
    parameters : tuple of (str, int)
        Of its cell, by name.
    pfd_mhz, vco_mhz, exact_mhz : Fraction
        At the phase detector, of the oscillator, of the clock.
    """

    kind: Kind
    parameters: tuple[tuple[str, int], ...]
    pfd_mhz: Fraction
    vco_mhz: Fraction
    exact_mhz: Fraction

    @property
    def mhz(self) -> float:
        """The clock in MHz, for people."""
        return float(self.exact_mhz)


@functools.lru_cache
def reachable(kind: Kind, crystal_mhz: Fraction) -> tuple[Setting, ...]:
    """Give a setting for each clock that a PLL can make, rising.

    Of several settings of one clock it is that with the quickest phase detector, whose clock is the
    steadiest, and the slowest oscillator.

    Raises
    ------
    InputError
        The crystal is out of the PLL's range.
    """
    limits = LIMITS[kind]
    if not _within(crystal_mhz, limits.crystal):
        low, high = limits.crystal
        what = f"the PLL takes {low} to {high} MHz, not {float(crystal_mhz):g}"
        raise InputError("clock_mhz", what)
    ways = _ecp5(crystal_mhz) if kind == "ecp5" else _ice40(crystal_mhz)
    best: dict[Fraction, Setting] = {}
    for one in ways:
        known = best.get(one.exact_mhz)
        if known is None or (-one.pfd_mhz, one.vco_mhz) < (-known.pfd_mhz, known.vco_mhz):
            best[one.exact_mhz] = one
    return tuple(best[clock] for clock in sorted(best))


def nearest(kind: Kind, crystal_mhz: Fraction, wanted_mhz: float) -> Setting:
    """Give the setting whose clock is nearest to one that is wanted, of two the slower.

    Raises
    ------
    InputError
        The crystal, or the clock that is wanted, is out of the PLL's range.
    """
    settings = reachable(kind, crystal_mhz)
    low, high = settings[0], settings[-1]
    if not low.exact_mhz <= wanted_mhz <= high.exact_mhz:
        what = f"the PLL makes {low.mhz:g} to {high.mhz:g} MHz, not {wanted_mhz:g}"
        raise InputError("--mhz", what)
    wanted = Fraction(wanted_mhz)
    at = bisect.bisect_left(settings, wanted, key=lambda one: one.exact_mhz)
    around = settings[max(at - 1, 0) : at + 1]
    return min(around, key=lambda one: abs(one.exact_mhz - wanted))


def _within(value: Fraction, limits: tuple[int, int]) -> bool:
    return limits[0] <= value <= limits[1]


def _ecp5(crystal: Fraction) -> Iterator[Setting]:
    limits = LIMITS["ecp5"]
    for divided in range(1, _ECP5_INPUT + 1):
        pfd = crystal / divided
        if not _within(pfd, limits.pfd):
            continue
        # The clock hangs on the product of both factors of the loop; the least CLKOP_DIV that does.
        loops: dict[int, tuple[int, int]] = {}
        for output in range(1, _ECP5_OUTPUT + 1):
            for feedback in range(1, _ECP5_FEEDBACK + 1):
                if _within(pfd * feedback * output, limits.vco) and (
                    8 <= pfd * feedback <= limits.clock[1]
                ):
                    loops.setdefault(feedback * output, (feedback, output))
        for product, (feedback, output) in loops.items():
            vco = pfd * product
            for last in range(1, _ECP5_OUTPUT + 1):
                clock = vco / last
                if _within(clock, limits.clock):
                    parameters = (
                        ("CLKI_DIV", divided),
                        ("CLKFB_DIV", feedback),
                        ("CLKOP_DIV", output),
                        ("CLKOS_DIV", last),
                    )
                    yield Setting("ecp5", parameters, pfd, vco, clock)


def _ice40(crystal: Fraction) -> Iterator[Setting]:
    limits = LIMITS["ice40"]
    for divr in _ICE40_DIVR:
        pfd = crystal / (divr + 1)
        if not _within(pfd, limits.pfd):
            continue
        filter_range = 1 + bisect.bisect_right(_ICE40_FILTER, pfd)
        for divf in _ICE40_DIVF:
            vco = pfd * (divf + 1)
            if not _within(vco, limits.vco):
                continue
            for divq in _ICE40_DIVQ:
                clock = vco / 2**divq
                if _within(clock, limits.clock):
                    parameters = (
                        ("DIVR", divr),
                        ("DIVF", divf),
                        ("DIVQ", divq),
                        ("FILTER_RANGE", filter_range),
                    )
                    yield Setting("ice40", parameters, pfd, vco, clock)
