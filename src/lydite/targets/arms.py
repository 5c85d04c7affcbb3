# SPDX-License-Identifier: Apache-2.0
"""Arms: named sets of options of synthesis and of place and route, `arms/FAMILY.toml` each.

Families that share the models of their cells share arms, too: `arms/xilinx.toml`, whose arms are
Vivado's strategies. They are what a search chooses among. A user's own file has the same form and
adds to them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.targets.family import FOLDER, Family

DEFAULT = "default"
_SCHEMA = 1
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# Vivado's strategies have its own names.
_VIVADO_NAME = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_OPTIONS = r"(?: -[a-z][a-z_]*(?: [\w.]+)?)*"
_STEP = re.compile(
    rf"(opt_design|power_opt_design|place_design|phys_opt_design|route_design){_OPTIONS}",
    re.ASCII,
)
# In the order that Vivado takes them (UG904, 2).
_STEPS = re.compile(
    r"(opt_design )*(power_opt_design )?place_design (power_opt_design )?(phys_opt_design )*"
    r"route_design (phys_opt_design )*"
)


class Arm(Data, frozen=True, kw_only=True):
    """A set of options.

    Attributes
    ----------
    name, about : str
        On the command line; one line that says what it does.
    synthesis : tuple of str
        More flags of the family's `synth_*` command, or of Vivado's synth_design, a flag with its
        value in one text.
    place : tuple of str
        More flags of nextpnr, each `--flag` or `--flag=value`; or Vivado's commands after
        synthesis, with their options, in their order.
    map_ns : float, optional
        Delay between registers in ns that is fast enough for mapping.
    chains : bool
        Whether each addition gets a carry chain of its own; see `tools.yosys.synthesis_script`.
    """

    name: str
    about: str
    synthesis: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    map_ns: float | None = None
    chains: bool = False


def mapping_words(map_ns: float | None, *, chains: bool) -> tuple[str, ...]:
    """Give what mapping is told beside flags, each as one word."""
    told = () if map_ns is None else (f"map_ns={map_ns:g}",)
    return (*told, "chains") if chains else told


class _File(Data, frozen=True, kw_only=True):
    schema: int
    family: str
    arm: tuple[Arm, ...]


def load(path: Path, family: Family) -> tuple[Arm, ...]:
    """Read a file of arms.

    Raises
    ------
    InputError
        It cannot be read, is of another family or version, or an arm is not as docs/search.md has
        it.
    """
    file = schema.load(path, _File, "a file of arms")
    if file.schema != _SCHEMA:
        what = f"version {file.schema} is not known"
        raise InputError(f"{path}: schema", what, f"this is {_SCHEMA}")
    if file.family not in (family.name, family.cell_models):
        what = f"these are arms of {file.family}, and the target is of {family.name}"
        raise InputError(f"{path}: family", what)
    for arm in file.arm:
        _check(arm, f"{path}: arm.{arm.name}", family)
    _unique(file.arm, str(path))
    return file.arm


def arms(family: Family, own: Sequence[Path] = ()) -> tuple[Arm, ...]:
    """Give the arms of a family, `default` first, and those of a user's own files after them.

    Raises
    ------
    InputError
        As of `load`; or a name stands twice.
    """
    shipped = FOLDER / "arms" / f"{family.cell_models}.toml"
    found = load(shipped, family) if shipped.exists() else (Arm(name=DEFAULT, about="no options"),)
    for path in own:
        found += load(path, family)
        _unique(found, str(path))
    return found


def _unique(found: Sequence[Arm], where: str) -> None:
    names = [arm.name for arm in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{where}: arm.{name}", "stands twice", "names are unique")


def _check(arm: Arm, where: str, family: Family) -> None:
    if family.placement is None:
        _check_vivado(arm, where)
    else:
        _check_nextpnr(arm, where)
    if arm.chains and family.placement is None:
        raise InputError(where, "chains: Vivado makes carry chains by itself")
    if arm.map_ns is not None:
        if not (math.isfinite(arm.map_ns) and arm.map_ns > 0):
            raise InputError(where, f"map_ns must be above 0, not {arm.map_ns:g}")
        if family.placement is None:
            raise InputError(where, "map_ns: Vivado's mapping follows the frequency asked for")


def _check_nextpnr(arm: Arm, where: str) -> None:
    if not _NAME.fullmatch(arm.name):
        raise InputError(where, "a name has small letters, digits and single hyphens")
    for option in arm.place:
        if not re.fullmatch(r"--[a-z0-9][a-z0-9-]*(?:=\S+)?", option):
            what = f"place: not an option of nextpnr: {option!r}"
            raise InputError(where, what, "as --flag or --flag=value")
    for option in arm.synthesis:
        if not re.fullmatch(r"-[a-z0-9][a-z0-9_-]*(?: [^\s;\"]+)?", option):
            what = f"synthesis: not an option of Yosys: {option!r}"
            raise InputError(where, what, 'as "-flag" or "-flag value"')


def _check_vivado(arm: Arm, where: str) -> None:
    if not _VIVADO_NAME.fullmatch(arm.name):
        raise InputError(where, "a name has letters, digits and single hyphens or underscores")
    check_synth_design(arm.synthesis, f"{where}: synthesis")
    for step in arm.place:
        if not _STEP.fullmatch(step):
            what = f"place: not a command of Vivado's implementation: {step!r}"
            raise InputError(where, what, 'as "place_design -directive Explore"')
    if not _STEPS.fullmatch("".join(f"{step.split()[0]} " for step in arm.place)):
        what = f"place: not an implementation: {', '.join(arm.place) or 'nothing'}"
        order = "opt_design, place_design, phys_opt_design, route_design, phys_opt_design"
        raise InputError(where, what, f"in the order {order}; place and route once each")


def check_synth_design(options: Sequence[str], where: str) -> None:
    """Refuse what is not an option of Vivado's synth_design.

    Raises
    ------
    InputError
        It is of another form: `-flag` or `-flag value`.
    """
    for option in options:
        if not re.fullmatch(r"-[a-z][a-z_]*(?: [\w.]+)?", option, re.ASCII):
            what = f"not an option of synth_design: {option!r}"
            raise InputError(where, what, 'as "-flag" or "-flag value"')
