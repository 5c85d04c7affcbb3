# SPDX-License-Identifier: Apache-2.0
"""A key has all that decides a result, wherever it stands: no file is read whose content it lacks.

Each case changes one file that a run reads and that no list names, or makes a run read a file that
its key cannot have; nothing of it may pass for what was measured before.
"""

from __future__ import annotations

import dataclasses
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lydite import targets
from lydite.base import InputError, code
from lydite.cores import load
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.job import said
from lydite.runs.kinds.hardware import Placement, Synthesis, Verify
from lydite.runs.plan import Settings
from lydite.runs.processors import software
from lydite.runs.processors.software import MeasureSoftware
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim import build, elaborate
from lydite.sim.build import Sources
from lydite.sim.stream import HARNESS
from lydite.tools import compiler

Replace = Callable[[Path, str, str], None]
TARGET = targets.find("ecp5-12k")


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Give a folder that is no part of the core's."""
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def proof(folder: Path) -> Verify:
    return Verify(load(folder / "core.toml").designs[0])


def synthesis(folder: Path) -> Synthesis:
    design = load(folder / "core.toml").designs[0]
    return plan.implementation("x", build.sources_of(design), "clk", Settings(TARGET)).synthesis


def changed_by(folder: Path, change: Callable[[], object]) -> list[bool]:
    """Say whether a change changes the keys of the proof and of the synthesis."""
    before = proof(folder).key, synthesis(folder).key
    change()
    return [proof(folder).key != before[0], synthesis(folder).key != before[1]]


def test_number_of_known_answers_is_in_the_key_of_a_proof(crc32: Path, replace: Replace) -> None:
    change = lambda: replace(crc32 / "core.toml", "records = 4", "records = 5")  # noqa: E731
    assert changed_by(crc32, change) == [True, False]


# What stands in files beside the specification, how that reads them, and what is then changed.
BESIDE = {
    "another function of it": ({}, "def table():\n    return 0\n", ("spec.py", "n 0", "n 1")),
    "module": ({"tables.py": "A = 0\n"}, "import tables\n", ("tables.py", "0", "1")),
    "module of a package": (
        {"inner/__init__.py": "", "inner/deep.py": "A = 0\n"},
        "from inner import deep\n",
        ("inner/deep.py", "0", "1"),
    ),
    "table": (
        {"table.txt": "0"},
        "from pathlib import Path\nT = Path(__file__).with_name('table.txt').read_text()\n",
        ("table.txt", "0", "1"),
    ),
    "table read by the function": (
        {"table.txt": "0"},
        "import pathlib\ndef f():\n    return pathlib.Path(__file__).parent.joinpath('table.txt')"
        ".read_bytes()\n",
        ("table.txt", "0", "1"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "head", "change"), BESIDE.values(), ids=BESIDE)
def test_what_a_specification_reads_is_in_the_key(
    crc32: Path, replace: Replace, files: dict[str, str], head: str, change: tuple[str, str, str]
) -> None:
    for name, text in files.items():
        (crc32 / name).parent.mkdir(exist_ok=True)
        (crc32 / name).write_text(text)
    spec = crc32 / "spec.py"
    call = "    f()\n" if "def f()" in head else ""
    spec.write_text(
        f"{head}import zlib\ndef crc32(message):\n{call}"
        "    return zlib.crc32(message).to_bytes(4, 'little')\n"
    )
    name, old, new = change
    assert changed_by(crc32, lambda: replace(crc32 / name, old, new)) == [True, False]


def answers_of(folder: Path) -> list[str]:
    """Give the answers of the one specification of a core that stand in its key."""
    [spec, no_quick_twin] = proof(folder).inputs()["specification"]
    assert no_quick_twin == {}
    answers: list[str] = spec["answers"]
    return answers


def test_specification_edited_within_a_second_is_read_again(crc32: Path, replace: Replace) -> None:
    # Python takes kept bytecode for the same if seconds and size are.
    (crc32 / "tables.py").write_text("A = 0\n")
    replace(crc32 / "spec.py", "import zlib", "import zlib\nfrom tables import A")
    replace(crc32 / "spec.py", "zlib.crc32(message)", "(zlib.crc32(message) ^ A)")
    answers = answers_of(crc32)
    (crc32 / "tables.py").write_text("A = 1\n")
    assert answers_of(crc32) != answers


def test_specifications_with_modules_of_one_name_do_not_mix(crc32: Path, tmp_path: Path) -> None:
    replace_in = crc32 / "spec.py"
    replace_in.write_text("from tables import A\ndef crc32(message):\n    return bytes([A] * 4)\n")
    (crc32 / "tables.py").write_text("A = 1\n")
    other = tmp_path / "other"
    shutil.copytree(crc32, other)
    (other / "tables.py").write_text("A = 2\n")
    shown = [answers_of(folder)[0] for folder in (crc32, other)]
    assert shown == ["01010101", "02020202"]


def test_specification_that_reads_more_later_fails_with_its_name(
    crc32: Path, replace: Replace, store: Store
) -> None:
    (crc32 / "late.txt").write_text("x")
    late = "    if len(message) > 5: open(__file__.replace('spec.py', 'late.txt')).close()\n"
    replace(crc32 / "spec.py", "    return zlib", f"{late}    return zlib")
    [record] = execute([proof(crc32)], store, parallel=1).values()
    assert (record.status, record.exit_code) == ("failed", 2)
    assert record.error == (
        f"{crc32 / 'late.txt'}: reads late.txt only for some messages, or it was changed "
        "meanwhile\n  a specification opens its files when it is loaded: they stand in the key"
    )


VERILOG = {
    "include": '`include "{0}/a.vh"',
    "include in an include": '`include "{0}/b.vh"',
    "table": 'reg [7:0] t[0:1]; initial $readmemh("{0}/a.vh", t);',
    "parameter": 'localparam T = "{0}/a.vh"; reg [7:0] t[0:1]; initial $readmemh(T, t);',
}


@pytest.mark.parametrize("text", VERILOG.values(), ids=VERILOG)
def test_file_that_verilog_names_from_elsewhere_is_in_the_key(
    crc32: Path, replace: Replace, outside: Path, text: str
) -> None:
    (outside / "a.vh").write_text("// 0\n")
    (outside / "b.vh").write_text(f'`include "{outside}/a.vh"\n')
    replace(crc32 / "crc32.v", "  reg        giving_q;", "  reg giving_q;\n" + text.format(outside))
    assert changed_by(crc32, lambda: (outside / "a.vh").write_text("// 1\n")) == [True, True]


def verilog(folder: Path, body: str) -> Sources:
    path = folder / "top.v"
    path.write_text(f"module top (input clk, output reg [7:0] q);\n{body}\nendmodule\n")
    return Sources(files={"top.v": path}, top="top", parameters={})


def test_yosys_may_not_read_what_no_source_names(tmp_path: Path, outside: Path) -> None:
    body = f'reg [7:0] t[0:1]; initial $readmemh({{"{outside}", "/a.hex"}}, t);'
    (outside / "a.hex").write_text("0 1")
    with pytest.raises(InputError) as raised:
        elaborate.ports(verilog(tmp_path, body))
    assert str(raised.value) == (
        f'$readmem: the name of its file is put together: {{"{outside}"\n  give it as one text'
    )


def test_verilator_may_not_read_what_no_source_names(tmp_path: Path, outside: Path) -> None:
    (outside / "a.hex").write_text("0 1")
    body = f'reg [7:0] t[0:1]; initial $readmemh({{"{outside}", "/a.hex"}}, t);'
    with pytest.raises(InputError) as raised:
        build.build_model(
            verilog(tmp_path, f"{body} always @(posedge clk) q <= t[0];"), HARNESS, defines={}
        )
    assert str(raised.value) == (
        f"top: reads {outside}/a.hex, which no source names as it stands\n"
        "  name the file where it is read, or put it beside the sources and list it there"
    )


def test_simulation_may_not_open_files_of_its_own(tmp_path: Path) -> None:
    body = 'integer f; initial begin f = $fopen("x.txt", "r"); q = f[7:0]; end'
    with pytest.raises(InputError) as raised:
        build.build_model(verilog(tmp_path, body), HARNESS, defines={})
    assert str(raised.value).startswith("$fopen, $readmem: it opens a file whose name is not fixed")


def test_file_that_an_option_names_is_in_the_key(crc32: Path, outside: Path) -> None:
    path = outside / "more.sdc"
    path.write_text("a")
    settings = Settings(TARGET, seeds=1, place_options=(f"--sdc={path}",))
    sources = build.sources_of(load(crc32 / "core.toml").designs[0])

    def placement() -> tuple[str, str]:
        [job] = plan.implementation("x", sources, "clk", settings).placements
        return job.key, str(job.inputs())

    before, inputs = placement()
    assert str(outside) not in inputs
    path.write_text("b")
    assert placement()[0] != before


SOFTWARE = """
[[software]]
name = "c"
title = "C"
role = "single"
primitives = ["crc32"]
sources = ["crc32.c"]
flags = ["-O1{flags}"]
"""


def measured(folder: Path, text: str, flags: str = "") -> MeasureSoftware:
    path = folder / "core.toml"
    if "[[software]]" not in path.read_text():
        path.write_text(path.read_text() + SOFTWARE.replace("{flags}", flags))
    (folder / "crc32.c").write_text(text)
    return MeasureSoftware(load(path).software[0])


@pytest.fixture
def one_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "_compilers", lambda: (compiler.find("c"),))


@pytest.mark.usefixtures("one_compiler")
@pytest.mark.parametrize("way", ["absolute", "by a flag", "beside", "in a folder beside"])
def test_header_of_software_is_in_the_key(crc32: Path, outside: Path, way: str) -> None:
    place = {"beside": crc32, "in a folder beside": crc32 / "in"}.get(way, outside)
    place.mkdir(exist_ok=True)
    (place / "h.h").write_text("#define A 1\n")
    name = {"absolute": f"{place}/h.h", "in a folder beside": "in/h.h"}.get(way, "h.h")
    flags = f" -I{outside}" if way == "by a flag" else ""
    text = f'#include "{name}"\nint a = A;\n'
    before = measured(crc32, text, flags).key
    (place / "h.h").write_text("#define A 2\n")
    assert measured(crc32, text, flags).key != before


@pytest.mark.usefixtures("one_compiler")
def test_header_that_software_names_by_a_macro_is_found_out(crc32: Path, store: Store) -> None:
    (crc32 / "h.h").write_text("#define A 1\n")
    job = measured(crc32, f'#define H "{crc32}/h.h"\n#include H\nint a = A;\n')
    [record] = execute([job], store, parallel=1).values()
    assert record.error.startswith(f"crc32/c: reads {crc32}/h.h, which no source names")


@pytest.mark.usefixtures("one_compiler")
def test_header_above_the_core_is_refused(crc32: Path) -> None:
    (crc32.parent / "h.h").write_text("#define A 1\n")
    with pytest.raises(InputError) as raised:
        measured(crc32, '#include "../h.h"\nint a = A;\n').key  # noqa: B018
    assert str(raised.value) == (
        f"{crc32}: c: includes {crc32}/../h.h, which lies outside of the core's folder\n"
        "  put it into the folder"
    )


def test_source_that_changes_while_a_job_runs_is_a_failure(
    crc32: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = proof(crc32)

    def run(job: Verify, work: Path, store: Store) -> object:
        (crc32 / "crc32.v").write_text("// another\n")
        return software.Outcome(result={})

    monkeypatch.setattr(Verify, "run", run)
    record: Record
    [record] = execute([job], store, parallel=1).values()
    assert record.error == (
        "verify crc32/rtl: a file that it is made of was changed while it ran\n  run it again"
    )


def test_no_path_of_this_machine_is_in_a_key(crc32: Path) -> None:
    sources = build.sources_of(load(crc32 / "core.toml").designs[0])
    placements = plan.implementation("x", sources, "clk", Settings(TARGET, seeds=1)).placements
    shown = str([job.inputs() for job in (proof(crc32), synthesis(crc32), *placements)])
    for place in (crc32, Path(sys.prefix), Path(software.__file__).parents[3], Path.home()):
        assert str(place) not in shown


# What synthesis and placement can be told beside their design: what of it decides, and what not.
DECIDES = {
    "clock": "ap_clk",
    "options": ("-nobram",),
    "map_ns": 4.0,
    "chains": True,
    "mixed_clocks": True,
    "target": targets.find("ice40-hx8k"),
}
LEFT = {"name": "y", "timeout_s": 1.0}
PLACED = {"seed": 7, "freq_mhz": "50", "options": ("--placer", "sa"), "routes": True}


@pytest.mark.parametrize("name", [*DECIDES, *LEFT])
def test_what_a_synthesis_is_told_is_in_its_key_if_it_decides(crc32: Path, name: str) -> None:
    job = synthesis(crc32)
    changed = dataclasses.replace(job, **{name: (DECIDES | LEFT)[name]})
    assert (changed.key != job.key) == (name in DECIDES)


@pytest.mark.parametrize("name", [*PLACED, "timeout_s", "synthesis"])
def test_what_a_placement_is_told_is_in_its_key_if_it_decides(crc32: Path, name: str) -> None:
    job = Placement(synthesis(crc32), seed=1, freq_mhz="100")
    other = dataclasses.replace(job.synthesis, clock="ap_clk")
    changed = dataclasses.replace(
        job, **{name: {**PLACED, "timeout_s": 1.0, "synthesis": other}[name]}
    )
    assert (changed.key != job.key) == (name != "timeout_s")


def test_a_field_that_a_job_gains_is_in_its_key_by_itself() -> None:
    @dataclasses.dataclass(frozen=True)
    class Gained:
        name: str
        effort: float = 0.1

    assert said(Gained("x"), without=("name",)) == {"effort": "0.1"}
    with pytest.raises(AssertionError):
        said(Gained("x"), without=("nme",))


@pytest.mark.parametrize("module", ["nextpnr", "vivado", "progress"])
def test_what_places_and_what_tells_of_it_is_in_no_key_of_a_proof(module: str) -> None:
    assert f"lydite.tools.{module}" not in code.imports("lydite.sim.verify")
