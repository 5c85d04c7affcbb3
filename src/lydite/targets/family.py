# SPDX-License-Identifier: Apache-2.0
"""FPGA families as data, and targets: one part of a family in one speed grade.

A family is one TOML file: parts, the flags that the tools need for them, what each cell of the
netlist occupies. To add a family, add its file (docs/targets.md).
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data

FOLDER = Path(__file__).parent
# One table of operator delays a family, made by `lydite characterise`; `hls.delay_model` reads it.
DELAYS = FOLDER / "delays"
AREA_UNITS = ("lut4", "lut6", "ff", "carry", "bram", "dsp")


class Synthesis(Data, frozen=True, kw_only=True):
    """How Yosys maps to a family.

    Attributes
    ----------
    command : str
        Its `synth_*` command with the flags that are always given.
    repair : str
        Yosys commands for the mapped, flattened netlist, where the mapping leaves something that
        place and route does not take.
    no_dsp : str
        Flag of the command that keeps it from hardware multipliers; empty if it takes none.
    """

    command: str
    repair: str = ""
    no_dsp: str = ""


class Memories(Data, frozen=True, kw_only=True):
    """What RAM a family has.

    Attributes
    ----------
    bram_bits : int
        Bits of one block RAM.
    true_dual_port : bool
        Whether both ports of a block RAM read and write.
    lutram_depth : int
        Words of one cell of RAM in logic; 0 if there are none.
    """

    bram_bits: int
    true_dual_port: bool
    lutram_depth: int


class Slices(Data, frozen=True, kw_only=True):
    """What one of each is worth in slices, for the equivalent slice count.

    The logic of a slice is shared out to its tables and to its flip-flops, each for itself, and all
    slices of the largest part to its block RAMs, and to its multipliers.
    """

    lut4: float = 0.0
    lut6: float = 0.0
    ff: float
    bram: float
    dsp: float = 0.0


class Placement(Data, frozen=True, kw_only=True):
    """How nextpnr places and routes a family.

    Attributes
    ----------
    tool : str
        The name after `nextpnr-`.
    flags : tuple of str
        Flags for every part.
    config_flag : str
        Flag that names the file of the routed configuration; its digest tells results apart.
    constraints_flag : str
        Flag that names a constraints file, for tools that want every pad placed.
    """

    tool: str
    flags: tuple[str, ...]
    config_flag: str
    constraints_flag: str = ""


class Part(Data, frozen=True, kw_only=True):
    """A device; `speeds` is empty where the family has no speed grades, else slowest first.

    In `flags`, which are nextpnr's, `{speed}` stands for the speed grade. `constraints` is the text
    of the constraints file, where the family has such a flag: it places the pads `clk`, `scan` and
    `fold` of the measuring wrapper.
    """

    name: str
    device: str
    flags: tuple[str, ...]
    speeds: tuple[str, ...] = ()
    synthesis_flags: tuple[str, ...] = ()
    constraints: str = ""


class Family(Data, frozen=True, kw_only=True):
    """An FPGA family as its data file describes it.

    Attributes
    ----------
    placement : Placement, optional
        How it is placed and routed; without it there are areas by synthesis alone, and no clock.
    cells : mapping
        Cell type (a shell pattern) to what one such cell occupies, in the units of AREA_UNITS.
    available : mapping
        Area unit to nextpnr's name for the resource, whose count the place and route report gives.
    models : str
        Whose models of cells it shares, if it has not its own (docs/targets.md).
    note : str
        What to know of its areas.
    memory : Memories, optional
        Its RAM; `lydite characterise` wants to know.
    slices : Slices, optional
        Weights of the equivalent slice count.
    speeds : mapping
        Speed grade to nextpnr's flags.
    untimed : tuple of str
        Cell types (shell patterns) through which nextpnr knows no delay.
    """

    schema: int
    name: str
    title: str
    synthesis: Synthesis
    cells: dict[str, dict[str, float]]
    part: tuple[Part, ...]
    placement: Placement | None = None
    available: dict[str, str] = msgspec.field(default_factory=dict)
    models: str = ""
    note: str = ""
    memory: Memories | None = None
    slices: Slices | None = None
    speeds: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    untimed: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """Units of its areas: AREA_UNITS without tables of a size that it has not."""
        used = {unit for weights in self.cells.values() for unit in weights}
        return tuple(unit for unit in AREA_UNITS if unit in used or not unit.startswith("lut"))

    @property
    def cell_models(self) -> str:
        """The name of the models of its cells (`targets.models`)."""
        return self.models or self.name

    def placed(self) -> Placement:
        """Give how it is placed and routed.

        Raises
        ------
        InputError
            It is not; the message says what there is.
        """
        if self.placement is None:
            clocked = ", ".join(one.name for one in families() if one.placement is not None)
            raise InputError(
                "--target",
                f"nothing here places and routes {self.title}: it has no clock",
                "`lydite bench` and `lydite run` give areas on it by synthesis alone; "
                f"families with a clock: {clocked}",
            )
        return self.placement

    def untimed_cells(self, cell_counts: Mapping[str, int]) -> dict[str, int]:
        """Give the cells that make a clock worthless, with their numbers."""
        return {
            cell: count
            for cell, count in sorted(cell_counts.items())
            if count and any(fnmatch.fnmatchcase(cell, pattern) for pattern in self.untimed)
        }

    def equivalent_slices(self, area: Mapping[str, float]) -> float | None:
        """Give the equivalent slice count of an area, in hundreds; None without weights.

        Parameters
        ----------
        area : mapping
            By the units of AREA_UNITS; carries are part of the logic.
        """
        if self.slices is None:
            return None
        weights: Mapping[str, float] = msgspec.structs.asdict(self.slices)
        return sum(weight * area.get(unit, 0.0) for unit, weight in weights.items()) / 100

    def area(self, cell_counts: Mapping[str, int]) -> dict[str, float]:
        """Give what cells occupy together, in every unit of the family.

        Cells that the family's file does not list (constants, wide multiplexers that come with
        their LUTs, pads) occupy nothing that is counted.
        """
        total = dict.fromkeys(self.units, 0.0)
        for cell, count in cell_counts.items():
            for pattern, weights in self.cells.items():
                if fnmatch.fnmatchcase(cell, pattern):
                    for unit, weight in weights.items():
                        total[unit] += weight * count
                    break
        return total


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a family in one speed grade: what a design is placed and routed on."""

    family: Family
    part: Part
    speed: str

    @property
    def name(self) -> str:
        """Canonical name, as `--target` takes it: `ecp5-85k-6`, `ice40-hx8k`."""
        return "-".join(filter(None, (self.family.name, self.part.name, self.speed)))

    @property
    def device(self) -> str:
        """The maker's name: `LFE5U-85F-6`."""
        return "-".join(filter(None, (self.part.device, self.speed)))

    @property
    def synthesis_command(self) -> str:
        """Yosys command that maps to the target, without `-top` and outputs."""
        return " ".join((self.family.synthesis.command, *self.part.synthesis_flags))

    @property
    def placement_flags(self) -> tuple[str, ...]:
        """Flags of nextpnr that choose part and speed grade."""
        family = self.family
        part = tuple(flag.replace("{speed}", self.speed) for flag in self.part.flags)
        return (*part, *family.speeds.get(self.speed, ()), *family.placed().flags)


def load_family(path: Path) -> Family:
    """Read a family's file.

    Raises
    ------
    InputError
        The file cannot be read or breaks the contract of docs/targets.md.
    """
    family = schema.load(path, Family, "a family description")
    if family.schema != 1:
        raise InputError(f"{path}: schema", f"version {family.schema} is not known", "this is 1")
    for cell, weights in family.cells.items():
        for unit in weights.keys() - set(AREA_UNITS):
            raise InputError(
                f"{path}: cells.{cell}", f"no such area unit: {unit}", "one of " + units_text()
            )
    for unit in family.available.keys() - set(AREA_UNITS):
        raise InputError(
            f"{path}: available", f"no such area unit: {unit}", "one of " + units_text()
        )
    names = [part.name for part in family.part]
    for part in family.part:
        if names.count(part.name) > 1:
            raise InputError(f"{path}: part.{part.name}", "stands twice", "names are unique")
        for speed in part.speeds:
            if speed not in family.speeds:
                raise InputError(f"{path}: part.{part.name}", f"speed grade {speed} has no flags")
    return family


def units_text() -> str:
    """Give the area units as one text, for messages."""
    return ", ".join(AREA_UNITS)


@functools.cache
def families() -> tuple[Family, ...]:
    """Give all families of the project, by name."""
    return tuple(load_family(path) for path in sorted(FOLDER.glob("*.toml")))


@functools.cache
def targets() -> tuple[Target, ...]:
    """Give all targets: families by name, parts as their file lists them, speed grades rising."""
    return tuple(
        Target(family=family, part=part, speed=speed)
        for family in families()
        for part in family.part
        for speed in part.speeds or ("",)
    )


def find(name: str, *, where: str = "--target") -> Target:
    """Give the target of a name, case ignored.

    Names are canonical (`ecp5-85k-6`), the maker's (`LFE5U-85F-6`), or either without the speed
    grade, which then is the slowest: figures without a grade must not flatter.

    Raises
    ------
    InputError
        There is no such family, part or speed grade; the message lists what is close or legal.
    """
    wanted = name.lower()
    for target in targets():
        slowest = target.speed == (target.part.speeds or ("",))[0]
        names = {target.name, target.device.lower()}
        if slowest:
            names |= {f"{target.family.name}-{target.part.name}", target.part.device.lower()}
        if wanted in names:
            return target
    for family in families():
        if wanted.startswith(family.name):
            parts = ", ".join(
                f"{family.name}-{part.name}"
                + (f"[-{'|'.join(part.speeds)}]" if part.speeds else "")
                for part in family.part
            )
            raise InputError(
                where, f"no such part of {family.title}: {name!r}", f"there are: {parts}"
            )
    known = ", ".join(family.name for family in families())
    raise InputError(
        where, f"no such target: {name!r}", f"families: {known}; see `lydite list targets`"
    )
