# SPDX-License-Identifier: Apache-2.0
"""What a search needs of the tools that it searches over: which jobs a point of it is.

There are two: `Space`, nextpnr, where a run is a sample of its seed, and `Steered`, Vivado, where
it follows from the frequency asked for.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydite.cores import Design
from lydite.runs.hardware import Placement, Synthesis, Verify
from lydite.runs.plan import Settings
from lydite.runs.record import Record
from lydite.runs.vivado import Implement, Wrap
from lydite.sim import random_messages
from lydite.targets.arms import Arm
from lydite.tools.tool import Tool


@dataclass(frozen=True)
class BackEnd(ABC):
    """A design on a target, and the arms that a search may choose among.

    Attributes
    ----------
    design : Design
        Its C compiled, if it has some.
    settings : Settings
        What all arms have in common: their options come after these.
    arms : tuple of Arm
        The first one is where a search begins.
    """

    design: Design
    settings: Settings
    arms: tuple[Arm, ...]
    proof_seed: int = random_messages.DEFAULT_SEED

    @functools.cached_property
    def proof(self) -> Verify:
        """The proof of the design's source; one, since its key reads much."""
        return Verify(self.design, self.proof_seed)

    def arm(self, name: str) -> Arm:
        """Give the arm of a name."""
        return next(arm for arm in self.arms if arm.name == name)

    @property
    @abstractmethod
    def tools(self) -> tuple[Tool, ...]:
        """The tools that decide what comes out."""

    @property
    @abstractmethod
    def proven(self) -> str:
        """How much of each netlist is proven before it is placed: `some`, `all`, `none`."""

    @abstractmethod
    def shared(self, arm: Arm) -> Synthesis | Wrap:
        """Plan what all points of an arm begin with; its result has a `netlist_sha256`."""

    @abstractmethod
    def placement(
        self,
        placed: Arm,
        seed: int,
        *,
        freq_mhz: float | None = None,
        mapped: Arm | None = None,
        timeout_s: float | None = None,
    ) -> Placement | Implement:
        """Plan the run of a point; its result has `fmax_mhz` and `config_sha256`.

        Parameters
        ----------
        seed : int
            Index of a hashed seed, at least 0.
        freq_mhz : float, optional
            Frequency to ask for; that of the settings by default.
        mapped : Arm, optional
            The arm whose netlist is placed, where another has the same.
        """

    @abstractmethod
    def size(self, shared: Record) -> float | None:
        """Give the area that counts, from the record of what an arm shares: hundreds of equivalent
        slices; None where it is not known before a run.
        """

    @abstractmethod
    def area(self, shared: Record, best: Record | None) -> Mapping[str, Any]:
        """Give the area of the core under an arm, from records of what it shares and its best."""
