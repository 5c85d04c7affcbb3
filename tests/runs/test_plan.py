# SPDX-License-Identifier: Apache-2.0
"""Keys of points: equal for equal content on every machine, different for any difference."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lydite import targets
from lydite.base import InputError
from lydite.cores import load, select
from lydite.runs import plan
from lydite.runs.plan import Settings

Replace = Callable[[Path, str, str], None]
ECP5 = targets.find("ecp5-12k")


def keys(folder: Path, **changes: Any) -> list[str]:
    """Give the keys of a bench of the example: proof, synthesis, placement."""
    settings = Settings(**{"target": ECP5, "seeds": 1, **changes})
    [selection] = select(str(folder))
    [hardware] = plan.bench(selection, settings).hardware
    placed = hardware.implementation
    return [hardware.proof.key, placed.synthesis.key, placed.placements[0].key]


def changed(before: list[str], after: list[str]) -> list[bool]:
    """Say which of proof, synthesis, placement have another key."""
    return [a != b for a, b in zip(before, after, strict=True)]


def test_equal_content_elsewhere_has_equal_keys(crc32: Path, tmp_path: Path) -> None:
    shutil.copytree(crc32, tmp_path / "other" / "place")
    assert keys(crc32) == keys(tmp_path / "other" / "place")


def test_keys_do_not_depend_on_the_order_of_sets(crc32: Path) -> None:
    script = (
        "import sys\nfrom lydite import cores, targets\nfrom lydite.runs import plan\n"
        "s = plan.Settings(target=targets.find('ecp5-12k'), seeds=1)\n"
        "for one in cores.select(sys.argv[1]):\n"
        "    print(*(job.key for job in plan.bench(one, s).jobs))\n"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", script, str(crc32)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    proof, _, placement = keys(crc32)
    [text] = shown
    assert text.split()[::2] == [proof, placement]  # between them stands the netlist's proof


# What is replaced in which file, and whether proof, synthesis and placement are then others.
ALL, PROOF = [True, True, True], [True, False, False]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("crc32.v", "crc_q[7:0]", "crc_q[7: 0]", ALL),
        ("core.toml", 'top = "crc32"', 'top = "crc32"\nparameters = { X = 1 }', ALL),
        ("core.toml", '"1 + 4"', '"1 + 5"', PROOF),
        ("core.toml", '"1 + 4"', '"5"', [False, False, False]),
        ("core.toml", '"1 + 4"', '["25 / 5", "1 + 4"]', [False, False, False]),
        ("core.toml", 'title = "a byte', 'title = "one byte', [False, False, False]),
        ("core.toml", "[[primitive.operation]]", "constants = { x = 1 }\n{}", PROOF),
        ("core.toml", "block_bytes = 1", "block_bytes = 2", PROOF),
        ("core.toml", "block_bytes = 1", "block_bytes = 1\npadding_bytes = 1", PROOF),
        ("core.toml", 'payload = "message"', 'kind = "compute"\n{}', PROOF),
        ("core.toml", '"message" }]', '"message", multiple = 1 }]', [False, False, False]),
        ("core.toml", '"message" }]', '"message", bytes = 8 }]', PROOF),
        ("core.toml", '"1 + 4" }', '"1 + 4", total_cycles = "N + 4" }', PROOF),
        ("core.toml", '"1 + 4" }', '["1 + 4", 6] }', PROOF),
        ("core.toml", 'top = "crc32"', '{}\nrelease = "unverified"', PROOF),
        ("core.toml", 'top = "crc32"', '{}\noperations = ["hash"]', [False, False, False]),
        (
            "core.toml",
            'top = "crc32"',
            '{}\nstreams = [{ port = "s_axis", fields = ["message"], user = "2" }, '
            '{ port = "m_axis", fields = ["output"] }]',
            PROOF,
        ),
        ("core.toml", 'top = "crc32"', 'top = "crc32"\nreset = "clear"', PROOF),
        ("core.toml", 'top = "crc32"', 'top = "crc32"\nclock = "ck"', ALL),
        ("kat/crc32.json", '"ad550a19"', '"ad550a18"', PROOF),
        ("spec.py", "Give the CRC-32", "Tell the CRC-32", PROOF),
    ],
)
def test_any_change_of_content_changes_the_key(
    crc32: Path, replace: Replace, file: str, old: str, new: str, expected: list[bool]
) -> None:
    before = keys(crc32)
    replace(crc32 / file, old, new.replace("{}", old))
    assert changed(before, keys(crc32)) == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # Parts of one family are mapped alike: one netlist serves all.
        ({"target": targets.find("ecp5-25k")}, [False, False, True]),
        ({"target": targets.find("ecp5-12k-7")}, [False, False, True]),
        ({"target": targets.find("ice40-hx8k")}, [False, True, True]),
        ({"synthesis_options": ("-dff",)}, [False, True, True]),
        ({"place_options": ("--router", "router2")}, [False, False, True]),
        ({"freq_mhz": 101.0}, [False, False, True]),
        ({"freq_mhz": 100.0}, [False, False, False]),
    ],
)
def test_any_setting_changes_the_key(
    crc32: Path, change: dict[str, Any], expected: list[bool]
) -> None:
    assert changed(keys(crc32), keys(crc32, **change)) == expected


def test_tool_and_its_version_change_the_key(crc32: Path, fake: Callable[[str, str], Path]) -> None:
    before = keys(crc32)
    fake("nextpnr-ecp5", "echo '(Version nextpnr-0.11.1.0.post826)'")
    fake("yosys", "echo 'Yosys 0.70'")
    native = keys(crc32, native=True)
    assert changed(before, native) == [False, True, True]
    fake("nextpnr-ecp5", "echo '(Version nextpnr-0.12)'")
    assert changed(native, keys(crc32, native=True)) == [False, False, True]


def test_what_a_cell_occupies_changes_the_key_of_the_synthesis(
    crc32: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = keys(crc32)
    monkeypatch.setitem(ECP5.family.cells, "CCU2C", {"lut4": 3.0, "carry": 2.0})
    assert changed(before, keys(crc32)) == [False, True, True]


def test_seeds_give_placements_of_one_synthesis(crc32: Path) -> None:
    [selection] = select(str(crc32))
    [hardware] = plan.bench(selection, Settings(target=ECP5, seeds=20)).hardware
    placements = hardware.implementation.placements
    assert len({job.key for job in placements}) == len({job.seed for job in placements}) == 20
    assert {job.synthesis.key for job in placements} == {hardware.implementation.synthesis.key}
    few = plan.bench(selection, Settings(target=ECP5, seeds=2)).hardware[0].implementation
    assert few.placements == placements[:2]


def test_nothing_is_placed_before_it_is_proven(crc32: Path) -> None:
    [selection] = select(str(crc32))
    [hardware] = plan.bench(selection, Settings(target=ECP5)).hardware
    assert hardware.implementation.synthesis.needs == (hardware.proof,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seeds": 0}, "--seeds: must be 1 to 10000, not 0"),
        ({"seeds": -1}, "--seeds: must be 1 to 10000, not -1"),
        ({"seeds": 10_001}, "--seeds: must be 1 to 10000, not 10001"),
        ({"freq_mhz": 0.0}, "--freq-mhz: must be above 0 and at most 2000, not 0"),
        ({"freq_mhz": -5.0}, "--freq-mhz: must be above 0 and at most 2000, not -5"),
        ({"freq_mhz": math.nan}, "--freq-mhz: must be above 0 and at most 2000, not nan"),
        ({"freq_mhz": math.inf}, "--freq-mhz: must be above 0 and at most 2000, not inf"),
        ({"freq_mhz": 1e9}, "--freq-mhz: must be above 0 and at most 2000, not 1e+09"),
        ({"map_ns": 0.0}, "--map-ns: must be above 0, not 0"),
    ],
)
def test_absurd_settings_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        Settings(**{"target": ECP5, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("names", "top", "clock", "message"),
    [
        (("a.v", "no.v"), "top", "clk", "{folder}/no.v: no such file"),
        (("a.v", "sub"), "top", "clk", "{folder}/sub: no such file"),
        (("a.v", "sub/../a.v"), "top", "clk", "{folder}/a.v: the file is named twice"),
        (
            ("a.vhd",),
            "top",
            "clk",
            "{folder}/a.vhd: VHDL cannot be read\n  make Verilog of it: "
            "ghdl synth --std=08 --out=verilog {folder}/a.vhd -e ENTITY > a.v",
        ),
        (
            ("measure_in.v",),
            "top",
            "clk",
            "{folder}/measure_in.v: measure_in.v is a file of the measuring wrapper\n  rename it",
        ),
        (("a.vh",), "top", "clk", "a.vh: no Verilog among the files\n  its suffix is .v or .sv"),
        (("a.v",), "to p", "clk", "--top: not a name of Verilog: 'to p'"),
        (("a.v",), "top", "c;k", "--clock: not a name of Verilog: 'c;k'"),
    ],
)
def test_bad_files_and_names_are_refused(
    tmp_path: Path, names: tuple[str, ...], top: str, clock: str, message: str
) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.v", "a.vh", "sub/a.v", "a.vhd", "measure_in.v"):
        (tmp_path / name).write_text("")
    files = tuple(tmp_path / name for name in names)
    with pytest.raises(InputError) as raised:
        plan.run(files, top, clock, {}, Settings(target=ECP5))
    assert str(raised.value) == message.format(folder=tmp_path)


TREE = """module inner (input ck, d, output reg q); always @(posedge ck) q <= d; endmodule
module outer #(parameter N = 1) (input tick, d, output q);
  generate if (N == 0) no_such_module u_no (); endgenerate
  inner u_inner (.ck(tick), .d(d), .q(q));
endmodule
"""


def test_top_and_clock_are_found_where_they_are_not_given(tmp_path: Path) -> None:
    path = tmp_path / "tree.v"
    path.write_text(TREE)
    found = plan.run((path,), "", "", {}, Settings(target=ECP5, seeds=1)).synthesis
    assert (found.sources.top, found.clock, found.label) == (
        *("outer", "tick", "synthesis outer on ecp5-12k-6"),
    )
    given = plan.run((path,), "outer", "tick", {}, Settings(target=ECP5, seeds=1)).synthesis
    assert given.key == found.key


def test_several_tops_are_told(tmp_path: Path) -> None:
    path = tmp_path / "two.v"
    path.write_text(TREE + TREE.replace("outer", "other").partition("endmodule\n")[2])
    with pytest.raises(InputError) as raised:
        plan.run((path,), "", "", {}, Settings(target=ECP5))
    assert str(raised.value) == (
        "two.v: 2 modules are in no other: other, outer\n  name the one to implement with --top"
    )


def test_parameter_that_is_needed_to_read_a_module_asks_for_its_name(tmp_path: Path) -> None:
    path = tmp_path / "rom.v"
    path.write_text(
        'module rom #(parameter F = "none.hex") (input ck, input [1:0] a, output reg q);\n'
        "reg m [0:3]; initial $readmemh(F, m); always @(posedge ck) q <= m[a];\nendmodule\n"
    )
    (tmp_path / "bits.hex").write_text("0 1 1 0\n")
    parameters = {"F": "bits.hex"}
    with pytest.raises(InputError, match="name the module with --top, so that --param reaches"):
        plan.run((path,), "", "", parameters, Settings(target=ECP5))
    made = plan.run((path,), "rom", "", parameters, Settings(target=ECP5)).synthesis
    assert (made.clock, set(made.sources.files)) == ("ck", {"rom.v", "bits.hex"})


def test_software_that_this_processor_cannot_run_is_left_out(crc32: Path) -> None:
    path = crc32 / "core.toml"
    path.write_text(
        path.read_text() + '\n[[software]]\nname = "far"\ntitle = "far"\nrole = "single"\n'
        'primitives = ["crc32"]\nsources = ["crc32.v"]\ncpu = ["no-such-feature", "fpu"]\n'
    )
    core = load(path)
    [selection] = select(str(path))
    made = plan.bench(selection, Settings(target=ECP5))
    assert made.software == ()
    assert made.left_out == ((core.software[0], ("no-such-feature",)),)
    assert plan.bench(selection, Settings(target=ECP5), software=False).left_out == ()


def test_more_seeds_come_after_those_that_there_are(crc32: Path) -> None:
    settings = Settings(target=targets.find("ice40-hx1k"), seeds=2)
    [selection] = select(str(crc32))
    found = plan.bench(selection, settings, software=False)
    longer = plan.more_seeds(found, {"rtl": 3}, most=4)
    first, more = (one.hardware[0].implementation.placements for one in (found, longer))
    assert (len(first), len(more)) == (2, 4)
    assert [job.key for job in more[:2]] == [job.key for job in first]
    wanted = plan.bench(selection, Settings(target=settings.target, seeds=4), software=False)
    assert [job.key for job in longer.jobs] == [job.key for job in wanted.jobs]
    assert plan.more_seeds(longer, {"rtl": 3}, most=4) == longer
    assert plan.more_seeds(longer, {}, most=9) == longer
