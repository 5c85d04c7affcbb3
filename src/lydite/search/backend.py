# SPDX-License-Identifier: Apache-2.0
"""What a search needs of the tools that it searches over: which jobs a point of it is.

There are two: `Space`, nextpnr, where a run is a sample of its seed, and `Steered`, Vivado, where
it follows from the frequency asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from lydite.base import digest
from lydite.cores import Design
from lydite.runs.hardware import Placement, Synthesis, Verify
from lydite.runs.plan import Settings
from lydite.runs.record import Record
from lydite.runs.vivado import Implement, Wrap
from lydite.sim import build, random_messages
from lydite.sim.build import Sources
from lydite.targets.arms import Arm
from lydite.tools.tool import Tool


@dataclass(frozen=True)
class Subject:
    """What is searched: a design of a core, or Verilog of which no answers are known.

    Attributes
    ----------
    clock : str
        Its clock port; empty for one without.
    proof : Verify, optional
        Of its source. One object, since its key reads much.
    """

    name: str
    sources: Sources
    clock: str
    proof: Verify | None = None

    @classmethod
    def of(cls, design: Design, proof_seed: int = random_messages.DEFAULT_SEED) -> Self:
        """Give a design, its C compiled, if it has some."""
        sources = build.sources_of(design)
        return cls(design.label, sources, design.clock, Verify(design, proof_seed))

    @property
    def identity(self) -> str:
        """Key of its proof; without one the digest of what is placed, and a word before it."""
        if self.proof is not None:
            return self.proof.key
        return UNPROVEN + digest.of_value([self.sources.digest, self.clock])


# Begins the identity of a subject without proof.
UNPROVEN = "unproven "


@dataclass(frozen=True)
class BackEnd(ABC):
    """A subject on a target, and the arms that a search may choose among.

    Attributes
    ----------
    settings : Settings
        What all arms have in common: their options come after these.
    arms : tuple of Arm
        The first one is where a search begins.
    """

    subject: Subject
    settings: Settings
    arms: tuple[Arm, ...]

    @property
    def proof(self) -> Verify | None:
        """The proof of the subject's source."""
        return self.subject.proof

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
