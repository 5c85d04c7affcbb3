# SPDX-License-Identifier: Apache-2.0
"""Families and targets: every file loads, names lead to parts, bad names and files are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lydite import targets
from lydite.base import InputError
from lydite.targets import AREA_UNITS, Target, family
from lydite.tools import nextpnr
from lydite.tools.tool import Tool

FILES = sorted(family.FOLDER.glob("*.toml"))

# The least that a family's file can be.
MINIMAL = """
schema = 1
name = "new"
title = "A new family"
[synthesis]
command = "synth_new"
[placement]
tool = "new"
flags = ["--always"]
config_flag = "--out"
[cells]
LUT4 = { lut4 = 1 }
"FF*" = { ff = 1 }
FFX = { ff = 5 }
MULT = { dsp = 0.5, lut4 = 2 }
[available]
lut4 = "LC"
[speeds]
"1" = []
"2" = ["--fast"]
[[part]]
name = "big"
device = "NEW-1"
flags = ["--device", "NEW-{speed}C"]
speeds = ["1", "2"]
[[part]]
name = "plain"
device = "NEW-P"
flags = []
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder of families in place of ours."""
    monkeypatch.setattr(family, "FOLDER", tmp_path)
    family.families.cache_clear()
    family.targets.cache_clear()
    yield tmp_path
    family.families.cache_clear()
    family.targets.cache_clear()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_family_file_loads(path: Path) -> None:
    loaded = family.load_family(path)
    assert loaded.name == path.stem
    assert loaded.part
    if loaded.placement is None:
        assert loaded.cell_models == "xilinx" and not loaded.available
        return
    assert {"lut4", "ff", "bram"} <= loaded.available.keys()
    assert bool(loaded.placement.constraints_flag) == any(part.constraints for part in loaded.part)


def test_issue_families_are_there() -> None:
    names = {target.name for target in targets.targets()}
    assert {
        *(f"ecp5-{size}-{speed}" for size in ("25k", "45k", "85k") for speed in "678"),
        *(f"ecp5-um-{size}-{speed}" for size in ("25k", "45k", "85k") for speed in "678"),
        *(f"ecp5-um5g-{size}-8" for size in ("25k", "45k", "85k")),
        *("ice40-hx1k", "ice40-hx8k", "ice40-lp1k", "ice40-lp8k", "ice40-up5k"),
        *("xc7-a200t", "xc7-z020", "xc7-vx485t", "xcu-ku060"),
        "nexus-lifcl-40-7",
    } <= names


def test_names_of_targets_are_unique() -> None:
    names = [name for target in targets.targets() for name in (target.name, target.device)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("target", targets.targets(), ids=lambda target: target.name)
def test_target_is_found_by_both_its_names(target: Target) -> None:
    assert targets.find(target.name) == target
    assert targets.find(target.device) == target
    assert targets.find(target.name.upper()) == target


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("ecp5-85k", "ecp5-85k-6"),
        ("LFE5U-85F", "ecp5-85k-6"),
        ("ecp5-um5g-85k", "ecp5-um5g-85k-8"),
        ("nexus-lifcl-40", "nexus-lifcl-40-7"),
        ("ice40-hx8k", "ice40-hx8k"),
    ],
)
def test_name_without_grade_is_the_slowest(name: str, canonical: str) -> None:
    assert targets.find(name).name == canonical


ICE40 = (
    "there are: ice40-lp1k, ice40-lp4k, ice40-lp8k, ice40-hx1k, ice40-hx4k, ice40-hx8k, ice40-up5k"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "spartan",
            "--target: no such target: 'spartan'\n"
            "  families: ecp5, ice40, nexus, xc7, xcu; see `lydite list targets`",
        ),
        (
            "",
            "--target: no such target: ''\n"
            "  families: ecp5, ice40, nexus, xc7, xcu; see `lydite list targets`",
        ),
        ("ice40-hx9k", f"--target: no such part of Lattice iCE40: 'ice40-hx9k'\n  {ICE40}"),
        ("ice40-hx8k-6", f"--target: no such part of Lattice iCE40: 'ice40-hx8k-6'\n  {ICE40}"),
        ("ice40", f"--target: no such part of Lattice iCE40: 'ice40'\n  {ICE40}"),
        (
            "nexus-lifcl-40-6",
            "--target: no such part of Lattice Nexus: 'nexus-lifcl-40-6'\n"
            "  there are: nexus-lifcl-40[-7|8|9], nexus-lfd2nx-40[-7|8|9]",
        ),
    ],
)
def test_no_such_target_lists_what_there_is(name: str, text: str) -> None:
    with pytest.raises(InputError) as raised:
        targets.find(name)
    assert str(raised.value) == text


def test_flags_of_a_target_name_part_and_grade() -> None:
    assert targets.find("ecp5-85k-7").placement_flags == (
        *("--85k", "--package", "CABGA381", "--speed", "7", "--lpf-allow-unconstrained"),
    )
    assert targets.find("nexus-lifcl-40-9").placement_flags == ("--device", "LIFCL-40-9BG400C")
    assert targets.find("ice40-up5k").synthesis_command == "synth_ice40 -device u -dsp"


def test_area_is_weighed_by_cell() -> None:
    area = targets.find("ecp5-85k").family.area(
        {"LUT4": 10, "CCU2C": 3, "TRELLIS_DPR16X4": 1, "MULT9X9D": 3, "VCC": 1, "PFUMX": 9}
    )
    assert area == {"lut4": 22.0, "ff": 0.0, "carry": 6.0, "bram": 0.0, "dsp": 1.5}


def test_area_has_every_unit() -> None:
    for entry in targets.families():
        tables = "lut6" if entry.placement is None else "lut4"
        assert tuple(entry.area({})) == tuple(
            unit for unit in AREA_UNITS if unit == tables or not unit.startswith("lut")
        )


def test_equivalent_slices_are_those_of_the_dilithium2_report() -> None:
    area = targets.find("xc7a200t").family.area(
        {"LUT6": 5, "LUT2": 2, "RAM64M": 1, "SRLC32E": 1, "FDRE": 16, "RAMB36E1": 1, "RAMB18E1": 1}
    )
    assert area == {"lut6": 12.0, "ff": 16.0, "carry": 0.0, "bram": 3.0, "dsp": 0.0}
    assert (
        targets.find("xcku060").family.equivalent_slices(area) == (12 / 4 + 16 / 8 + 3 * 46) / 100
    )


@pytest.mark.parametrize("name", ["xc7z020", "xcu-ku060"])
def test_a_family_that_nothing_places_has_no_clock(name: str) -> None:
    target = targets.find(name)
    with pytest.raises(InputError) as raised:
        target.family.placed()
    assert str(raised.value) == (
        f"--target: nothing here places and routes {target.family.title}: it has no clock\n"
        "  `lydite bench` and `lydite run` give areas on it by synthesis alone; "
        "families with a clock: ecp5, ice40, nexus"
    )


def test_a_family_is_added_by_its_file_alone(folder: Path) -> None:
    (folder / "new.toml").write_text(MINIMAL)
    assert [target.name for target in targets.targets()] == ["new-big-1", "new-big-2", "new-plain"]
    fast = targets.find("NEW-1-2")
    assert fast.placement_flags == ("--device", "NEW-2C", "--fast", "--always")
    tool = Tool(name="nextpnr-new", argv=("nextpnr-new",), version="1", origin="native")
    command = nextpnr.command(tool, fast, "n.json", seed=5, freq_mhz=12.5, options=("--x",))
    assert command == (
        *("nextpnr-new", "--device", "NEW-2C", "--fast", "--always"),
        *("--json", "n.json", "--seed", "5", "--freq", "12.5"),
        *("--timing-allow-fail", "--report", "report.json", "--out", "routed.config", "--x"),
    )


def test_first_pattern_that_fits_a_cell_counts(folder: Path) -> None:
    (folder / "new.toml").write_text(MINIMAL)
    area = targets.find("new-plain").family.area({"FFX": 2, "MULT": 1})
    assert (area["ff"], area["lut4"], area["dsp"]) == (2, 2, 0.5)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("schema = 1", "schema = 2", "{path}: schema: version 2 is not known\n  this is 1"),
        (
            "LUT4 = { lut4 = 1 }",
            "LUT4 = { lut5 = 1 }",
            "{path}: cells.LUT4: no such area unit: lut5\n"
            "  one of lut4, lut6, ff, carry, bram, dsp",
        ),
        (
            'lut4 = "LC"',
            'luts = "LC"',
            "{path}: available: no such area unit: luts\n  one of lut4, lut6, ff, carry, bram, dsp",
        ),
        (
            'speeds = ["1", "2"]',
            'speeds = ["1", "3"]',
            "{path}: part.big: speed grade 3 has no flags",
        ),
        ("flags = []\n", "", "{path}: part[1]: object missing required field `flags`"),
        (
            'tool = "new"',
            'tool = "new"\nprogram = "x"',
            "{path}: placement: object contains unknown field `program`\n"
            "  the fields are listed in the contract page of a family description",
        ),
        (
            'name = "plain"',
            'name = "big"',
            "{path}: part.big: stands twice\n  names are unique",
        ),
        (
            "LUT4 = { lut4 = 1 }",
            'LUT4 = { lut4 = "1" }',
            "{path}: cells[...][...]: expected `float`, got `str`",
        ),
        (
            "[cells]",
            "[cells",
            "{path}:11: not TOML: Expected ']' at the end of a table declaration"
            " (at line 11, column 7)",
        ),
    ],
)
def test_broken_family_file_is_refused(folder: Path, old: str, new: str, text: str) -> None:
    path = folder / "new.toml"
    assert MINIMAL.count(old) == 1
    path.write_text(MINIMAL.replace(old, new))
    with pytest.raises(InputError) as raised:
        targets.families()
    assert str(raised.value) == text.format(path=path)
