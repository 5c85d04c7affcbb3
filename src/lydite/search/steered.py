# SPDX-License-Identifier: Apache-2.0
"""The back end that is steered by frequency: a design on a target that Vivado implements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydite.base.errors import InputError
from lydite.runs.kinds.vivado import Implement, Wrap
from lydite.runs.record import Record
from lydite.search.backend import BackEnd
from lydite.search.strategy import Strategy
from lydite.targets import Target
from lydite.targets.arms import Arm, check_synth_design
from lydite.targets.vendor import vivado_part
from lydite.tools import vivado
from lydite.tools.tool import Tool


@dataclass(frozen=True)
class Steered(BackEnd):
    """Vivado: a run follows from the frequency asked for, and a seed has no part in it."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Vivado alone: Yosys tells ports, and decides nothing."""
        return (vivado.find(),)

    @property
    def proven(self) -> str:
        """Of Vivado's netlists, none."""
        return "none"

    def shared(self, arm: Arm) -> Wrap:
        """Plan the measuring wrapper: it is the same for all arms."""
        subject = self.subject(arm)
        return Wrap(
            subject.name,
            subject.sources,
            subject.clock,
            subject.proof,
            native=self.settings.native,
            mixed_clocks=self.settings.mixed_clocks,
        )

    def placement(
        self,
        placed: Arm,
        seed: int,
        *,
        freq_mhz: float | None = None,
        mapped: Arm | None = None,
        timeout_s: float | None = None,
    ) -> Implement:
        """Plan a run of Vivado, from synthesis on."""
        freq_mhz = self.settings.freq_mhz if freq_mhz is None else freq_mhz
        return Implement(
            self.shared(placed),
            self.settings.target,
            f"{freq_mhz:g}",
            options=(*self.settings.synthesis_options, *placed.synthesis),
            steps=placed.place,
            timeout_s=self.settings.timeout_s if timeout_s is None else timeout_s,
        )

    def size(self, shared: Record) -> float | None:
        """Of Vivado it is known after a run alone."""
        return None

    def area(self, shared: Record, best: Record | None) -> Mapping[str, Any]:
        """Give the area of the best run: each has its own."""
        area: Mapping[str, Any] = {} if best is None else best.result["area"]
        return area


def serves(target: Target) -> bool:
    """Say whether a target without open place and route is one of Vivado's, and that is here."""
    is_open = target.family.placement is not None
    return not is_open and bool(vivado_part(target)) and vivado.is_here()


def check_target(target: Target) -> None:
    """Refuse a target that neither nextpnr nor Vivado places here.

    Raises
    ------
    InputError
        It says what there is, and whether Vivado would help.
    """
    try:
        target.family.placed()
    except InputError as error:
        if not vivado_part(target):
            raise
        remedy = "or put vivado on PATH, which `--strategy minerva` then asks (docs/vivado.md)"
        raise InputError(error.where, error.what, f"{error.hint}\n  {remedy}") from error


def check(
    strategy: type[Strategy], given: Mapping[str, bool], synthesis_options: Sequence[str]
) -> None:
    """Refuse what has no meaning for Vivado.

    Parameters
    ----------
    given : mapping
        Option of the command line that Vivado is not told to whether it was given.
    synthesis_options : sequence of str
        More options of synth_design.

    Raises
    ------
    InputError
        It names the option.
    """
    if not strategy.asks_frequency:
        what = f"{strategy.name} asks for no frequency, and Vivado's results follow from it alone"
        raise InputError("--strategy", what, "minerva, binary and sweep do")
    for option in (name for name, wanted in given.items() if wanted):
        hint = "leave it out: an arm says how Vivado implements, a strategy for which frequency"
        raise InputError(option, "has no meaning for Vivado", hint)
    check_synth_design(synthesis_options, "--synth-option")
