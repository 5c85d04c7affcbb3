# SPDX-License-Identifier: Apache-2.0
"""Arms of families are many, one-line, and of their family; a user's own are checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import targets
from lydite.base import InputError
from lydite.targets import arms, vendor

ECP5, ICE40, XC7 = (targets.find(name).family for name in ("ecp5-25k", "ice40-hx1k", "xc7-z020"))


@pytest.mark.parametrize("family", targets.families(), ids=lambda family: family.name)
def test_a_family_has_many_arms_that_differ(family: targets.Family) -> None:
    found = arms.arms(family)
    assert len(found) >= 25
    first = found[0]
    assert (first.name, first.about) == (arms.DEFAULT, "the tools as they come")
    # Vivado's steps are named, too, without options.
    assert not [option for option in (*first.synthesis, *first.place) if "-" in option]
    assert len({(arm.synthesis, arm.place, arm.map_ns, arm.chains) for arm in found}) == len(found)
    assert len({arm.about for arm in found}) == len(found)


def test_xilinx_families_have_the_strategies_of_vivado_by_name() -> None:
    found = arms.arms(XC7)
    assert found == arms.arms(targets.find("xcu-ku060").family)
    by_name = {arm.name: arm for arm in found}
    assert by_name["Performance_ExplorePostRoutePhysOpt"].place == (
        "opt_design -directive Explore",
        "place_design -directive Explore",
        "phys_opt_design -directive Explore",
        "route_design -directive Explore -tns_cleanup",
        "phys_opt_design -directive Explore",
    )
    assert by_name["Flow_AreaOptimized_high"].synthesis == ("-directive AreaOptimized_high",)


def test_targets_of_vivado_are_targets() -> None:
    names = {target.name for target in targets.targets()}
    parts = vendor.parts("vivado")
    assert parts.keys() <= names
    for name, part in parts.items():
        target = targets.find(name)
        assert part.startswith(target.device.lower())
        assert vendor.vivado_part(target) == part
    assert vendor.vivado_part(targets.find("ecp5-25k")) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "place: not an implementation: nothing\n  in the order ORDER"),
        (
            'place = ["route_design", "place_design"]',
            "place: not an implementation: route_design, place_design\n  in the order ORDER",
        ),
        (
            'place = ["place_design -directive Explore; exec rm", "route_design"]',
            "place: not a command of Vivado's implementation: "
            "'place_design -directive Explore; exec rm'\n"
            '  as "place_design -directive Explore"',
        ),
        (
            'synthesis = ["-directive [exec rm]"]',
            "synthesis: not an option of synth_design: '-directive [exec rm]'\n"
            '  as "-flag" or "-flag value"',
        ),
        (
            'place = ["place_design", "route_design"]\nmap_ns = 4.0',
            "map_ns: Vivado's mapping follows the frequency asked for",
        ),
        (
            'place = ["place_design", "route_design"]\nchains = true',
            "chains: Vivado makes carry chains by itself",
        ),
    ],
)
def test_wrong_arms_of_vivado_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = own(tmp_path, HEAD.replace("ecp5", "xc7") + ARM + text)
    with pytest.raises(InputError) as caught:
        arms.arms(XC7, [path])
    order = (
        "opt_design, place_design, phys_opt_design, route_design, phys_opt_design; "
        "place and route once each"
    )
    assert str(caught.value) == f"{path}: arm.mine: " + message.replace("ORDER", order)


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
