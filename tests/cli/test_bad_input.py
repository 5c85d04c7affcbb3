# SPDX-License-Identifier: Apache-2.0
"""What the command line says to bad input: one message on stderr, an exit code, no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cli import main
from lydite.cores import catalog
from lydite.runs.record import Record
from lydite.runs.store import Store

Replace = Callable[[Path, str, str], None]
NAMES = ", ".join(primitive.name for primitive in catalog.primitives())
PRIMITIVES = f"  there are: {NAMES}; or name a core.toml"
ICE40 = (
    "  there are: ice40-lp1k, ice40-lp4k, ice40-lp8k, ice40-hx1k, ice40-hx4k, ice40-hx8k, "
    "ice40-up5k"
)
PARAMETER = (
    "  a value is a whole number (12, -3, 0x1f, 8'hff) or a text in quotes of its own, as in "
    "--param 'FILE=\"rom.hex\"'"
)
BENCH = "bench sha3-256 --no-software"
TESTBED = "testbed sha3-256/rtl --no-software"
FREQUENCY = "frequency crc-32/rtl"
UNPLACED = (
    "--target: nothing here places and routes Xilinx 7 series: it has no clock\n"
    "  `lydite bench` and `lydite run` give areas on it by synthesis alone; "
    "families with a clock: ecp5, ice40, nexus"
)
AREAS = (
    "nothing here places Xilinx 7 series: areas are of synthesis alone\n"
    "  leave it out, or name another --target"
)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("bench sha4", f"PRIMITIVE: no such primitive: 'sha4'\n{PRIMITIVES}"),
        (
            f"{BENCH} --target spartan",
            "--target: no such target: 'spartan'\n"
            "  families: ecp5, ice40, nexus, xc7, xcu; see `lydite list targets`",
        ),
        (
            f"{BENCH} --target ice40-hx9k",
            f"--target: no such part of Lattice iCE40: 'ice40-hx9k'\n{ICE40}",
        ),
        (f"{BENCH} --seeds 0", "--seeds: must be 1 to 10000, not 0"),
        (f"{BENCH} --seeds -1", "--seeds: must be 1 to 10000, not -1"),
        (f"{BENCH} --seeds 99999", "--seeds: must be 1 to 10000, not 99999"),
        (f"{BENCH} --freq-mhz 0", "--freq-mhz: must be above 0 and at most 2000, not 0"),
        (f"{BENCH} --freq-mhz -5", "--freq-mhz: must be above 0 and at most 2000, not -5"),
        (f"{BENCH} --freq-mhz nan", "--freq-mhz: must be above 0 and at most 2000, not nan"),
        (f"{BENCH} --freq-mhz inf", "--freq-mhz: must be above 0 and at most 2000, not inf"),
        (f"{BENCH} --freq-mhz 1e12", "--freq-mhz: must be above 0 and at most 2000, not 1e+12"),
        (f"{BENCH} --jobs 0", "--jobs: must be at least 1, not 0"),
        (f"{BENCH} --link-gbps 0", "--link-gbps: must be above 0, not 0"),
        (f"{BENCH} --link-gbps nan", "--link-gbps: must be above 0, not nan"),
        (f"{BENCH} --link-us -1", "--link-us: must be above 0, not -1"),
        (f"{FREQUENCY} --messages 0", "--messages: must be 1 to 100000, not 0"),
        (f"{FREQUENCY} --chips -1", "--chips: must be 0 to 1000, not -1"),
        (f"{FREQUENCY} --sigmas 1", "--sigmas: must be three numbers with commas, not '1'"),
        (f"{FREQUENCY} --sigmas 0,0.5,0", "--sigmas: must be 0 to 0.2, not 0.5 (region)"),
        (f"{FREQUENCY} --from-mhz 0.01", "--from-mhz: must be 0.1 to 10000, not 0.01"),
        (f"{FREQUENCY} --to-mhz nan", "--to-mhz: must be 0.1 to 10000, not nan"),
        (
            f"{FREQUENCY} --from-mhz 200 --to-mhz 100",
            "--from-mhz: must be below --to-mhz, 100, not 200",
        ),
        (
            f"{FREQUENCY} --target nexus-lifcl-40",
            "--target: routed netlists of Lattice Nexus cannot be simulated\n"
            "  those of ecp5, ice40 can",
        ),
        (f"{FREQUENCY} --target xc7a200t", UNPLACED),
        (
            "search crc-32/rtl --target xc7a200t",
            f"{UNPLACED}\n"
            "  or put vivado on PATH, which `--strategy minerva` then asks (docs/vivado.md)",
        ),
        (f"{TESTBED} --target xc7a200t --core-mhz routed", UNPLACED),
        ("accelerate sha3-256/rtl --slices 2 --target xc7a200t", UNPLACED),
        (f"{BENCH} --target xc7a200t --until-sure 95%", UNPLACED),
        (f"{BENCH} --target xc7a200t --freq-mhz 150", f"--freq-mhz: {AREAS}"),
        (f"{BENCH} --target xc7a200t --seeds 5", f"--seeds: {AREAS}"),
        (f"{BENCH} --target xc7a200t --place-option=--placer=sa", f"--place-option: {AREAS}"),
        (f"{TESTBED} --sizes 0", "--sizes: must be above 0, not 0"),
        (f"{TESTBED} --sizes=-5kB", "--sizes: must be above 0, not -5000"),
        (f"{TESTBED} --sizes 1,x", "--sizes: not a size: 'x'\n  as 10kB,1MB"),
        ("accelerate sha3-256/rtl --slices 1", "--slices: must be 2 to 64, not 1"),
        (
            "accelerate ascon-aead128/lwc --slices 2",
            "ascon-aead128/lwc: has the interface lwc\n"
            "  slices need AXI4-Stream, one call at once, and no registers that hold its fields",
        ),
        ("accelerate sha3-256/rtl --slices 2 --seeds 0", "--seeds: must be 1 to 10000, not 0"),
        (
            "accelerate sha3-256/rtl --slices 2 --out a.v",
            "a.v: is no folder\n  name another with --out",
        ),
        (
            "testbed aes-128/rtl --no-software --operation encrypt --sizes 10001",
            "--sizes: encrypt takes multiples of 16 bytes, not 10001\n"
            "  the nearest: 10000 or 10016",
        ),
        (
            f"{TESTBED} --operation seal",
            "--operation: no such operation: 'seal'\n  there are: hash",
        ),
        (f"{TESTBED} --core-mhz 0", "--core-mhz: must be 0.1 to 2000, not 0"),
        (f"{TESTBED} --core-mhz fast", "--core-mhz: not a frequency: 'fast'\n  in MHz, as 123.5"),
        (f"{TESTBED} --dma-mhz -1", "--dma-mhz: must be 0.1 to 2000, not -1"),
        (
            f"{TESTBED} --dma-mhz 1",
            "--core-mhz, --dma-mhz: one clock is 100 times the other\n  at most 50 times",
        ),
        (
            f"{TESTBED} --link usb",
            "--link: no such link: 'usb'\n  there are: axi-hp64, pcie1-x1, pcie2-x4, pcie3-x4, "
            "pcie3-x8, pcie4-x8, spi, uart",
        ),
        (
            "bench no/core.toml",
            "no/core.toml: cannot read a core description: No such file or directory",
        ),
        ("run no.v --top t", "no.v: no such file"),
        ("run a.v --top t --param W=x", f"--param: not NAME=VALUE: 'W=x'\n{PARAMETER}"),
        ("run a.v --top t -D 1", "-D: not NAME or NAME=VALUE: '1'"),
        ("run a.v --top t -I none", "-I: no such folder: none"),
        ("run a.v --top t;x", "--top: not a name of Verilog: 't;x'"),
        (
            "list runs --store b",
            "b: there is no store\n  commands that measure make one: bench, run, hls, characterise",
        ),
        (
            "list runs --store a.v",
            "a.v: there is no store\n"
            "  commands that measure make one: bench, run, hls, characterise",
        ),
    ],
)
def test_bad_input_is_one_message(
    command: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.v").write_text("module t; endmodule\n")
    assert main(command.split()) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"lydite: {message}\n")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "lydite: error: the following arguments are required: COMMAND"),
        (
            "frob",
            "lydite: error: argument COMMAND: invalid choice: 'frob' (choose from 'bench', "
            "'search', 'testbed', 'frequency', 'board', 'accelerate', 'reproduce', 'run', 'hls', "
            "'explore', 'new', 'search-keys', 'run-action', 'characterise', 'show', 'list', "
            "'bundle', 'replicate', 'store', 'doctor', 'completion')",
        ),
        (
            "accelerate sha3-256/rtl",
            "lydite accelerate: error: the following arguments are required: --slices",
        ),
        ("bench", "lydite bench: error: the following arguments are required: PRIMITIVE[/DESIGN]"),
        (
            f"{BENCH} --seeds three",
            "lydite bench: error: argument --seeds: not a whole number: 'three'",
        ),
        (
            f"{BENCH} --seeds 1.5",
            "lydite bench: error: argument --seeds: not a whole number: '1.5'",
        ),
        (
            f"{BENCH} --freq-mhz fast",
            "lydite bench: error: argument --freq-mhz: not a number: 'fast'",
        ),
        (f"{BENCH} --frob", "lydite: error: unrecognized arguments: --frob"),
        ("run", "lydite run: error: the following arguments are required: FILE"),
        (
            "list birds",
            "lydite list: error: argument what: invalid choice: 'birds' (choose from 'cores', "
            "'kat', 'targets', 'links', 'boards', 'studies', 'tools', 'runs')",
        ),
        ("show", "lydite show: error: the following arguments are required: KEY"),
    ],
)
def test_bad_usage_is_told_by_the_command(
    command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(command.split())
    shown = capsys.readouterr()
    assert raised.value.code == 2
    assert shown.out == ""
    assert shown.err.splitlines()[-1] == message


def test_no_such_design_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "sha3-256/tiny"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "lydite: DESIGN: no such design: 'sha3-256/tiny'"
    assert lines[1].startswith("  there are: sha3-256/rtl")


def test_folder_without_a_description_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"lydite: {tmp_path}/core.toml: cannot read a core description: No such file or directory\n"
    )


def test_broken_description_is_told_with_its_line(
    crc32: Path, replace: Replace, capsys: pytest.CaptureFixture[str]
) -> None:
    path = crc32 / "core.toml"
    replace(path, "schema = 2", "schema 2")
    assert main(["bench", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"lydite: {path}:2: not TOML: Expected '=' after a key in a key/value pair "
        "(at line 2, column 8)\n"
    )


def test_missing_native_tool_has_its_remedy(
    crc32: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["bench", str(crc32), "--native"]) == 3
    assert capsys.readouterr().err == (
        "lydite: nextpnr-ecp5: no nextpnr-ecp5 on PATH\n"
        "  install nextpnr-ecp5, or leave out --native\n"
    )


def test_key_that_begins_several_is_refused(
    store_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = [f"ab{number:062x}" for number in range(1, 9)]
    with Store(store_folder) as store:
        for key in keys:
            store.put(Record(key=key, kind="test", label="test", status="ok", inputs={}, result={}))
    assert main(["show", "AB"]) == 2
    some = ", ".join(key[:12] for key in keys[:6])
    assert capsys.readouterr().err == f"lydite: KEY: 'AB' begins 8 keys\n  such as {some}\n"


def test_store_that_is_none_is_refused(
    store_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store_folder.mkdir()
    (store_folder / "store.sqlite").write_text("no data base " * 100)
    assert main(["list", "runs"]) == 2
    assert capsys.readouterr().err == (
        f"lydite: {store_folder}/store.sqlite: the store cannot be used: file is not a database\n"
        "  name another folder with --store\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "code", "lines"),
    [
        (
            "32'hedb88320;",
            "32'hedb88320",
            2,
            ["    crc32: Yosys says", "      crc32.v:25: ERROR: syntax error, unexpected TOK_REG"],
        ),
        (
            "32'hedb88320",
            "32'hedb88321",
            5,
            [
                "    crc32, known answers, stalls none, message 1 (crc32.json: record 2): "
                "byte 0 of the output",
                "      expected 2639f4cb",
            ],
        ),
    ],
    ids=["syntax error", "wrong"],
)
def test_bad_design_is_told_and_nothing_of_it_is_measured(
    crc32: Path,
    replace: Replace,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    code: int,
    lines: list[str],
) -> None:
    replace(crc32 / "crc32.v", old, new)
    assert main(["bench", str(crc32), "--target", "ice40-hx1k", "--seeds", "2"]) == code
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1:5] == ["", "Failed", "  verify crc32/rtl", lines[0]]
    assert lines[1] in shown.out.splitlines()
    # On a busy machine a job is heard of while it runs. First the new store is told.
    told = [line.split()[:2] for line in shown.err.splitlines()[1:]]
    states = [state for state in told if state[0] != "running"]
    # Of a machine's first place and route the tool is compiled beside, whatever the design is.
    assert [state for state in states if state[1] != "compile"] == [
        *(["start", "verify"], ["failed", "verify"], ["skipped", "synthesis"]),
        *(["skipped", "netlist"], ["skipped", "placement"], ["skipped", "placement"]),
    ]


def test_program_without_main_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "f.c", tmp_path / "out"
    source.write_text("int f(int a) { return a + 1; }\n")
    assert main(["hls", str(source), "--top", "f", "--out", str(out)]) == 2
    assert f"{source}: no main\n" in capsys.readouterr().err
    assert not out.exists()
