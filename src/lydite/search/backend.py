# SPDX-License-Identifier: Apache-2.0
"""What a search needs of the tools that it searches over: which jobs a point of it is.

There are two: `Space`, nextpnr, where a run is a sample of its seed, and `Steered`, Vivado, where
it follows from the frequency asked for.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from msgspec.structs import replace

from lydite.base import digest
from lydite.cores import Design
from lydite.cores.operation import Operation
from lydite.runs.kinds import proofs
from lydite.runs.kinds.hardware import Placement, Synthesis, Verify
from lydite.runs.kinds.vivado import Implement, Wrap
from lydite.runs.plan import Settings
from lydite.runs.record import Record
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
    operation : Operation, optional
        What its throughput is of: the first that it does.
    unit : str
        Of its throughput at 1 MHz, for tables; empty where that is not known.
    """

    name: str
    sources: Sources
    clock: str
    proof: Verify | None = None
    operation: Operation | None = None
    unit: str = ""

    @classmethod
    def of(
        cls, design: Design, *, unit: str = "", proof_seed: int = random_messages.DEFAULT_SEED
    ) -> Self:
        """Give a design, its C compiled, if it has some."""
        operation = design.primitive.operation(design.operations[0])
        sources, proof = build.sources_of(design), Verify(design, proof_seed)
        return cls(design.label, sources, design.clock, proof, operation, unit)

    def per_cycle(self, proof: Record | None) -> float | None:
        """Give the bytes of a long message, or the calls, a cycle, from the record of its proof."""
        if self.operation is None or proof is None or proof.status != "ok":
            return None
        return (self.operation.block_bytes or 1) / proofs.cycles_each(proof, self.operation)

    @property
    def identity(self) -> str:
        """Key of its proof; without one the digest of what is placed, and a word before it."""
        if self.proof is not None:
            return self.proof.key
        return UNPROVEN + digest.of_value([self.sources.digest, self.clock])


def arms(subjects: Sequence[str], options: Sequence[Arm]) -> tuple[Arm, ...]:
    """Give what a search over subjects chooses among: of several each arm for each, `DESIGN:ARM`.

    Parameters
    ----------
    subjects : sequence of str
        Their names; what is behind the last slash tells them apart.
    """
    if len(subjects) == 1:
        return tuple(options)
    designs = [name.rpartition("/")[2] for name in subjects]
    return tuple(replace(arm, name=f"{design}:{arm.name}") for design in designs for arm in options)


# Begins the identity of a subject without proof.
UNPROVEN = "unproven "


@dataclass(frozen=True)
class BackEnd(ABC):
    """Subjects on a target, and the arms that a search may choose among.

    Attributes
    ----------
    subjects : tuple of Subject
        At least one.
    settings : Settings
        What all arms have in common: their options come after these.
    options : tuple of Arm
        Those of tools; the first one is where a search begins.
    """

    subjects: tuple[Subject, ...]
    settings: Settings
    options: tuple[Arm, ...]

    @functools.cached_property
    def _of(self) -> dict[Arm, Subject]:
        """Each arm with its subject."""
        crossed = arms([subject.name for subject in self.subjects], self.options)
        each = (subject for subject in self.subjects for _ in self.options)
        return dict(zip(crossed, each, strict=True))

    @property
    def arms(self) -> tuple[Arm, ...]:
        """What points choose among, as `arms` has them."""
        return tuple(self._of)

    @property
    def proofs(self) -> tuple[Verify, ...]:
        """The proofs of the subjects' sources, of those that have one."""
        return tuple(one.proof for one in self.subjects if one.proof is not None)

    @property
    def name(self) -> str:
        """The subjects in words."""
        first, *more = (subject.name for subject in self.subjects)
        return ", ".join((first, *(name.rpartition("/")[2] for name in more)))

    def subject(self, arm: Arm) -> Subject:
        """Give the subject of an arm."""
        return self._of[arm]

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
