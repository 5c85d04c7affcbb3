# SPDX-License-Identifier: Apache-2.0
"""The rules of style that a machine can check.

Each rule is one test of all files: as many tests as there are files take longer than the reading.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import compiled
import pytest

from lydite.base import proc
from lydite.cores import Design, catalog, load
from lydite.cores.catalog import FOLDER
from lydite.sim.board import wrapper as board
from lydite.sim.build import VERILOG, sources_of
from lydite.sim.testbed import wrapper
from lydite.targets import boards
from lydite.tools import verilator

ROOT = Path(__file__).resolve().parent.parent
OURS = ("src", "tests", "examples", "docs", "bench")
TEXTS = (".py", ".v", ".sv", ".c", ".h", ".cpp", ".toml", ".md")
FILES = sorted(
    path
    for folder in OURS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in TEXTS and "__pycache__" not in path.parts
)
# C of strangers, in habits that are not ours, which the compiler must take.
STRANGERS = ROOT / "tests" / "hls" / "people"
SOURCES = [path for path in FILES if path.suffix not in (".toml", ".md")]


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def has_its_licence(path: Path) -> bool:
    lines = path.read_text().splitlines()
    mark = "#" if path.suffix == ".py" else "//"
    head = lines[1] if lines[0].startswith("#!") else lines[0]
    if STRANGERS in path.parents and head.startswith("/*"):  # C of 1988 has no other comments
        mark, head = "//", "//" + head.removeprefix("/*").removesuffix(" */")
    return head == f"{mark} SPDX-License-Identifier: Apache-2.0"


def not_plain(path: Path) -> Iterator[str]:
    """Give what is not as it should be in a text, with its place."""
    raw = path.read_bytes()
    if b"\r" in raw:
        yield f"{ids(path)}: a carriage return"
    if b"\t" in raw and STRANGERS not in path.parents:
        yield f"{ids(path)}: a tab"
    if not raw.endswith(b"\n"):
        yield f"{ids(path)}: no end of its last line"
    is_prose = path.suffix == ".md"  # which shows what a terminal shows, and has tables
    # Ruff counts the columns of Python.
    is_counted = path.suffix not in (".md", ".py") and STRANGERS not in path.parents
    for number, line in enumerate(raw.decode().splitlines(), 1):
        place = f"{ids(path)}:{number}"
        if line != line.rstrip():
            yield f"{place}: white space at the end"
        if not is_prose and not line.isascii():
            yield f"{place}: not ASCII"
        if is_counted and len(line) > 100:
            yield f"{place}: {len(line)} columns"


@pytest.mark.parametrize(
    "arguments",
    [("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)],
    ids=lambda arguments: " ".join(arguments),
)
def test_checker_finds_nothing(arguments: tuple[str, ...]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_sources_begin_with_their_licence() -> None:
    assert [ids(path) for path in SOURCES if not has_its_licence(path)] == []


def test_texts_are_plain() -> None:
    assert [each for path in FILES for each in not_plain(path)] == []


def test_what_is_not_plain_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "a.v"
    path.write_bytes(b"a \n\tb\r\n" + "\u00e9\n".encode() + b"x" * 101)
    assert list(not_plain(path)) == [
        "a.v: a carriage return",
        "a.v: a tab",
        "a.v: no end of its last line",
        "a.v:1: white space at the end",
        "a.v:3: not ASCII",
        "a.v:4: 101 columns",
    ]
    assert not has_its_licence(path)


def lint(sources: list[Path], top: str, parameters: dict[str, int], folder: Path) -> list[str]:
    """Give the first lines of Verilator's findings."""
    tool = verilator.find()
    verilog = [str(path) for path in sources if path.suffix in VERILOG]
    argv = verilator.lint_command(tool, verilog, top, parameters)
    # Verilator looks for what a file includes in the folder that it is run in.
    argv += tuple(f"-I{path.parent}" for path in sources if path.suffix not in VERILOG)
    output = proc.run(argv, cwd=folder, env=tool.env, timeout_s=120).output
    found = [line for line in output.splitlines() if line.startswith("%")]
    # The command line gives parameters as numbers of 32 bits, whatever their width.
    given = re.compile(rf"WIDTHTRUNC.* '({'|'.join(parameters)})' expects \d+ bits on the Initial ")
    found = [line for line in found if not (parameters and given.search(line))]
    return [line for line in found if not line.startswith("%Error: Exiting due to")]


# What the compiler makes of C takes longer to make than to be read; many engines are one, again,
# and so are checksums of many bytes at once.
LONG = (
    *(f"des-search/rtl-{engines}" for engines in (4, 8, 12, 16, 20, 24)),
    *("sponge-action/rtl-x2", "sponge-action/rtl-x8", "crc-32/rtl-16", "crc-32/rtl-32"),
    *("blake3/rtl-pipe-ecp5", "tdes-2key/rtl-pipe", "tdes-3key/rtl-pipe"),
)
DESIGNS = [
    pytest.param(
        one,
        id=one.label,
        marks=compiled.marks(one) if one.hls is not None or one.label in LONG else (),
    )
    for one in (
        *(design for core in catalog.cores() for design in core.designs),
        *load(ROOT / "examples" / "crc32" / "core.toml").designs,
    )
]


@pytest.mark.parametrize("design", DESIGNS)
def test_rtl_is_lint_clean(design: Design, tmp_path: Path) -> None:
    sources = [*sources_of(compiled.design(design)).files.values()]
    assert lint(sources, design.top, dict(design.parameters), tmp_path) == []


COMMON_RTL = sorted((FOLDER / "common" / "rtl").glob("*.v"))
# What PLLs are made of stands in no file of ours.
PLL_CELLS = ROOT / "tests" / "support" / "pll_cells.v"


@pytest.mark.parametrize("path", COMMON_RTL, ids=ids)
@pytest.mark.parametrize("width", [1, 7])
def test_common_rtl_is_lint_clean(path: Path, width: int, tmp_path: Path) -> None:
    text = path.read_text()
    given = {name: width for name in ("WIDTH", "USER_BITS") if f"parameter {name}" in text}
    assert lint([*COMMON_RTL, PLL_CELLS], path.stem, given, tmp_path) == []


def test_a_testbed_is_lint_clean(tmp_path: Path) -> None:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    sources = wrapper.wrap(design, 8).sources
    files = [path for path in sources.files.values() if path.suffix in VERILOG]
    assert lint(files, sources.top, {}, tmp_path) == []


@pytest.mark.parametrize("name", ["hx8k", "icebreaker", "ulx3s-12f", "ecpix5-45f"])
def test_a_board_is_lint_clean(name: str, tmp_path: Path) -> None:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    fitted = boards.find(name)
    sources = board.wrap(design, fitted.board).sources
    top = tmp_path / f"{board.TOP}.v"
    top.write_text(board.top(fitted))
    files = [path for path in sources.files.values() if path.suffix in VERILOG]
    files += [board.PLLS[fitted.kind], PLL_CELLS, top]
    assert lint(files, board.TOP, {}, tmp_path) == []


def test_verilog_files_have_one_module_of_their_name() -> None:
    for path in sorted(FOLDER.rglob("*.v")):
        lines = path.read_text().splitlines()
        modules = [line.split()[1].strip("(") for line in lines if line.startswith("module ")]
        assert modules == [path.stem], ids(path)
        assert "`default_nettype none" in lines, ids(path)
        assert lines[-1] == "`default_nettype wire", ids(path)
