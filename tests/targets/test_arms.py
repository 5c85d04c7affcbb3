# SPDX-License-Identifier: Apache-2.0
"""Arms of families are many, one-line, and of their family; a user's own are checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import targets
from lydite.base import InputError
from lydite.targets import arms

ECP5, ICE40 = targets.find("ecp5-25k").family, targets.find("ice40-hx1k").family


PLACED = [family for family in targets.families() if family.placement is not None]


@pytest.mark.parametrize("family", PLACED, ids=lambda family: family.name)
def test_a_family_has_many_arms_that_differ(family: targets.Family) -> None:
    found = arms.arms(family)
    assert len(found) >= 25
    assert found[0] == arms.Arm(name=arms.DEFAULT, about="the tools as they come")
    assert len({(arm.synthesis, arm.place, arm.map_ns) for arm in found}) == len(found)
    assert len({arm.about for arm in found}) == len(found)


HEAD = 'schema = 1\nfamily = "ecp5"\n'
ARM = '[[arm]]\nname = "mine"\nabout = "mine"\n'


def own(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_own_arms_come_after_those_of_the_family(tmp_path: Path) -> None:
    path = own(tmp_path, HEAD + ARM + 'synthesis = ["-dff"]\nplace = ["--placer=sa"]\nmap_ns = 4.0')
    assert arms.arms(ECP5, [path])[:-1] == arms.arms(ECP5)
    assert arms.arms(ECP5, [path])[-1].map_ns == 4.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "PATH: object missing required field `arm`"),
        (HEAD.replace("1", "2") + ARM, "PATH: schema: version 2 is not known\n  this is 1"),
        (
            HEAD.replace("ecp5", "ice40") + ARM,
            "PATH: family: these are arms of ice40, and the target is of ecp5",
        ),
        (HEAD + ARM + ARM, "PATH: arm.mine: stands twice\n  names are unique"),
        (
            HEAD + ARM.replace('"mine"', '"static"', 1),
            "PATH: arm.static: stands twice\n  names are unique",
        ),
        (
            HEAD + ARM.replace('"mine"', '"My arm"', 1),
            "PATH: arm.My arm: a name has small letters, digits and single hyphens",
        ),
        (
            HEAD + ARM + 'place = ["--placer sa"]',
            "PATH: arm.mine: place: not an option of nextpnr: '--placer sa'\n"
            "  as --flag or --flag=value",
        ),
        (
            HEAD + ARM + 'synthesis = ["-dff; shell rm"]',
            "PATH: arm.mine: synthesis: not an option of Yosys: '-dff; shell rm'\n"
            '  as "-flag" or "-flag value"',
        ),
        (HEAD + ARM + "map_ns = 0.0", "PATH: arm.mine: map_ns must be above 0, not 0"),
        (HEAD + ARM + "map_ns = nan", "PATH: arm.mine: map_ns must be above 0, not nan"),
    ],
)
def test_wrong_arms_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = own(tmp_path, text)
    with pytest.raises(InputError) as caught:
        arms.arms(ECP5, [path])
    assert str(caught.value) == message.replace("PATH", str(path))


def test_mapping_that_cannot_be_told_is_refused(tmp_path: Path) -> None:
    path = own(tmp_path, HEAD.replace("ecp5", "ice40") + ARM + "map_ns = 4.0")
    with pytest.raises(
        InputError, match="Yosys maps to Lattice iCE40 by abc, which cannot be told"
    ):
        arms.arms(ICE40, [path])
