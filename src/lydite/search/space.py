# SPDX-License-Identifier: Apache-2.0
"""What is searched: one design on one target, under arms; which jobs a point of it is.

For families that nextpnr places; `search.steered` is for Vivado.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.runs import plan
from lydite.runs.kinds.hardware import Placement, Synthesis
from lydite.runs.plan import Implementation
from lydite.runs.record import Record
from lydite.search.backend import BackEnd
from lydite.targets.arms import Arm
from lydite.tools import nextpnr, options, yosys
from lydite.tools.tool import Tool


@dataclass(frozen=True)
class Space(BackEnd):
    """nextpnr behind Yosys: each run is a sample of its seed."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that decide what comes out."""
        native = self.settings.native
        placer = self.settings.target.family.placed().tool
        return (yosys.find(native=native), nextpnr.find(placer, native=native))

    @property
    def proven(self) -> str:
        """How much of each netlist is proven before it is placed."""
        return self.settings.prove_netlist

    @functools.cached_property
    def _planned(self) -> dict[Arm, Implementation]:
        return {}

    def implementation(self, arm: Arm) -> Implementation:
        """Plan an arm, once: its synthesis, its netlist's proof, one placement."""
        if arm not in self._planned:
            self._planned[arm] = self._plan(arm)
        return self._planned[arm]

    def _plan(self, arm: Arm) -> Implementation:
        settings = replace(
            self.settings,
            seeds=1,
            synthesis_options=(*self.settings.synthesis_options, *arm.synthesis),
            place_options=(*self.settings.place_options, *arm.place),
            map_ns=self.settings.map_ns if arm.map_ns is None else arm.map_ns,
            chains=self.settings.chains or arm.chains,
        )
        subject = self.subject(arm)
        return plan.implementation(
            subject.name, subject.sources, subject.clock, settings, proof=subject.proof
        )

    def shared(self, arm: Arm) -> Synthesis:
        """Plan the synthesis of an arm."""
        return self.implementation(arm).synthesis

    def size(self, shared: Record) -> float | None:
        """Give the equivalent slices of an arm's netlist."""
        return self.settings.target.family.equivalent_slices(shared.result["area"])

    def area(self, shared: Record, best: Record | None) -> Mapping[str, Any]:
        """Give the area of an arm's netlist."""
        area: Mapping[str, Any] = shared.result["area"]
        return area

    def placement(
        self,
        placed: Arm,
        seed: int,
        *,
        freq_mhz: float | None = None,
        mapped: Arm | None = None,
        timeout_s: float | None = None,
    ) -> Placement:
        """Plan one placement."""
        mapped = mapped or placed
        [placement] = self.implementation(mapped).placements
        freq_mhz = self.settings.freq_mhz if freq_mhz is None else freq_mhz
        return replace(
            placement,
            seed=hashed("placement", seed),
            freq_mhz=f"{freq_mhz:g}",
            options=(*self.settings.place_options, *placed.place),
            timeout_s=self.settings.timeout_s if timeout_s is None else timeout_s,
        )


def chosen(arms: Sequence[Arm], names: Sequence[str]) -> tuple[Arm, ...]:
    """Give the arms of the names, in their order; all where there are none.

    Raises
    ------
    InputError
        There is no such arm.
    """
    known = {arm.name: arm for arm in arms}
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"the nearest is {near[0]}" if near else f"there are: {', '.join(known)}"
            raise InputError("--arm", f"no such arm: {name!r}", hint)
    return tuple(known[name] for name in dict.fromkeys(names)) or tuple(arms)


def check_options(space: Space) -> None:
    """Refuse options, of arms and of all, that the tools here do not know.

    Raises
    ------
    InputError
        It names the arm or the option of the command, and the version of the tool.
    """
    settings = space.settings
    arms = [(f"arm {arm.name}", arm.place, arm.synthesis) for arm in space.arms]
    _check_place(
        settings, [("--place-option", settings.place_options), *((a, b) for a, b, _ in arms)]
    )
    _check_synthesis(
        settings, [("--synth-option", settings.synthesis_options), *((a, c) for a, _, c in arms)]
    )


def _check_place(settings: plan.Settings, given: Sequence[tuple[str, Sequence[str]]]) -> None:
    placer = nextpnr.find(settings.target.family.placed().tool, native=settings.native)
    told = f"{placer.name} {placer.version}"
    known = options.of_nextpnr(placer) if any(each for _, each in given) else {}
    for where, each in given:
        for option in each:
            flag, _, value = option.partition("=")
            if flag not in known:
                raise InputError(where, f"{told} knows no option {flag}")
            if known[flag] and value not in known[flag]:
                what = f"{told} knows no {flag} {value}"
                raise InputError(where, what, f"one of {', '.join(known[flag])}")


def _check_synthesis(settings: plan.Settings, given: Sequence[tuple[str, Sequence[str]]]) -> None:
    mapper = yosys.find(native=settings.native)
    command = settings.target.family.synthesis.command.split()[0]
    known = options.of_yosys(mapper, command) if any(each for _, each in given) else ()
    for where, each in given:
        for option in each:
            if (flag := option.split()[0]) not in known:
                what = f"{command} of yosys {mapper.version} knows no option {flag}"
                raise InputError(where, what)
