# SPDX-License-Identifier: Apache-2.0
"""Random programs, and all that were wrong once: native run, interpreter and hardware agree."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import native
import pytest

from lydite.hls.contract.options import Options

HERE = Path(__file__).parent
REGRESS = sorted((HERE / "regress").glob("*.c"))
sys.path.insert(0, str(HERE))

import check  # noqa: E402 (found in the line before)
import dataflow_programs  # noqa: E402
import directive_programs  # noqa: E402
import fuzz as fuzz_program  # noqa: E402
import generate  # noqa: E402
import reduce  # noqa: E402


def fuzz(folder: Path, *arguments: str) -> dict[str, object]:
    """Run the command line, and give its summary."""
    summary = folder / "summary.json"
    argv = [sys.executable, str(HERE / "fuzz.py"), *arguments, "--json", str(summary)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert summary.exists(), done.stdout + done.stderr
    return json.loads(summary.read_text())  # type: ignore[no-any-return]


def options_in(path: Path, clock_ns: float) -> tuple[Options, dict[str, str]]:
    """Give the options of a program, and all that the line after its licence says.

    `// top: main, std: c23, target: ice40`; `refused: TEXT` there says that the compiler must
    refuse the program, with that text.
    """
    text = path.read_text()
    second = text.splitlines()[1]
    told = dict(re.findall(r"(\w+): ([^,]+)", second)) if second.startswith("// ") else {}
    csmith = "csmith.h" in text
    options = Options(
        sources=(path,),
        top=told.get("top", "top"),
        clock_ns=clock_ns,
        target=told.get("target", "ecp5"),
        include_dirs=(Path("/usr/include/csmith"),) if csmith else (),
        std="" if csmith else told.get("std", "c23"),
    )
    return options, told


@pytest.mark.parametrize("path", REGRESS, ids=lambda path: path.stem)
@pytest.mark.parametrize("clock_ns", [4.0, pytest.param(12.0, marks=pytest.mark.slow)])
def test_program_that_was_wrong_once(path: Path, clock_ns: float, tmp_path: Path) -> None:
    options, told = options_in(path, clock_ns)
    outcome = check.check(options, tmp_path, seed=1)
    if "refused" in told:
        assert outcome.status == "refused"
        assert told["refused"] in outcome.detail
    else:
        assert (outcome.status, outcome.detail) == ("pass", "")


@pytest.mark.native
@pytest.mark.parametrize("kind", ["own", "directives", "branches", "dataflow"])
def test_no_unknown_value_decides(kind: str, tmp_path: Path) -> None:
    """Icarus shows what hangs on a register that was not written; Verilator tries random values."""
    native.program("iverilog")
    for seed in range(900_011, 900_015):
        path = fuzz_program.write_program(kind, seed, tmp_path / str(seed))
        options = fuzz_program.options_of(kind, seed, path)
        outcome = check.check(options, tmp_path / f"{seed}.work", seed=seed, simulator="icarus")
        assert (outcome.status, outcome.detail) == ("pass", ""), seed


def test_a_few_random_programs_agree(tmp_path: Path) -> None:
    summary = fuzz(tmp_path, "--seeds", "900001..900003", "--kinds", "own", "--jobs", "2")
    assert summary["wrong"] == []
    assert summary["programs"] == 3


def test_a_few_random_programs_with_directives_agree(tmp_path: Path) -> None:
    summary = fuzz(tmp_path, "--seeds", "900001..900002", "--kinds", "directives", "--jobs", "2")
    assert summary["wrong"] == []
    assert summary["programs"] == 2


def test_a_few_random_programs_of_branches_agree(tmp_path: Path) -> None:
    summary = fuzz(tmp_path, "--seeds", "900001..900002", "--kinds", "branches", "--jobs", "2")
    assert summary["wrong"] == []
    assert summary["counts"] == {"branches pass": 2}


def test_a_few_random_programs_with_dataflow_agree(tmp_path: Path) -> None:
    summary = fuzz(tmp_path, "--seeds", "900001..900003", "--kinds", "dataflow", "--jobs", "2")
    assert summary["wrong"] == []
    assert summary["counts"] == {"dataflow pass": 3}


def test_a_few_random_programs_with_units_in_pipelines_agree(tmp_path: Path) -> None:
    summary = fuzz(tmp_path, "--seeds", "900001..900002", "--kinds", "units", "--jobs", "2")
    assert summary["wrong"] == []
    assert summary["counts"] == {"units pass": 2}


@pytest.mark.parametrize("effort", ["balanced", pytest.param("speed", marks=pytest.mark.slow)])
def test_a_few_random_programs_agree_with_each_effort(effort: str, tmp_path: Path) -> None:
    """Seeds whose loops become pipelines, copies, and arrays in registers."""
    summary = fuzz(
        tmp_path, "--seeds", "900004..900005", "--kinds", "own,bytes", "--effort", effort
    )
    assert summary["wrong"] == []
    assert summary["programs"] == 4


def test_random_programs_of_the_kinds_that_users_write_agree(tmp_path: Path) -> None:
    """Seed 7 of `arrays` gives two functions words, seed 1 of `macros` starts modules while power
    comes up; the others are quick ones.
    """
    for kind, seed in (
        ("arrays", 7),
        ("beside", 7),
        ("bursts", 1),
        ("bytes", 9),
        ("structs", 5),
        ("claims", 26),
        ("macros", 1),
        ("cxx", 4),
    ):
        folder = tmp_path / kind
        folder.mkdir()
        summary = fuzz(folder, "--seeds", f"{seed}", "--kinds", kind)
        assert summary["counts"] == {f"{kind} pass": 1}, summary["wrong"]


def test_marks_of_each_kind_stand_in_random_programs() -> None:
    marks = {
        "bytes": ("\\\\", "\\x", 'u"', "*const names", "strcmp(", "memcpy("),
        "structs": ("union ", "__attribute__((packed))", "#pragma HLS array_partition variable=s"),
        "claims": ("#pragma HLS dependence", "distance=", "intra", "unroll factor", "for (int j"),
        "macros": ("return (",),
        "cxx": (
            "template <",
            "constexpr",
            "std::array",
            "[&]",
            "for (auto",
            "operator",
            "namespace",
        ),
    }
    for kind, wanted in marks.items():
        made = [fuzz_program.files_of(kind, seed) for seed in range(24)]
        assert made[7] == fuzz_program.files_of(kind, 7) != made[8]
        texts = [next(iter(files.values())) for files in made]
        for mark in wanted:
            assert sum(mark in text for text in texts) >= 3, (kind, mark)
    described = "".join(fuzz_program.files_of("macros", seed)[".toml"] for seed in range(24))
    for mark in (
        'kind = "external"',
        'done = "done_o"',
        'enable = "ce_i"',
        "ii = 3",
        "latency = 0",
    ):
        assert mark in described, mark


def test_channels_of_all_kinds_stand_in_random_programs_with_dataflow() -> None:
    texts = [dataflow_programs.program(seed) for seed in range(40)]
    assert texts[7] == dataflow_programs.program(7) != texts[8]
    for mark in ("#pragma HLS stream variable=c", "for (int k = 0;", "uint32_t c0;", "relay"):
        assert sum(mark in text for text in texts) >= 3, mark


def test_directives_stand_in_most_random_programs_of_that_kind() -> None:
    texts = [directive_programs.program(seed) for seed in range(40)]
    assert texts[7] == directive_programs.program(7) != texts[8]
    for kind in ("array_partition", "array_reshape", "bind_storage", "allocation", "unroll"):
        assert sum(f"#pragma HLS {kind}" in text for text in texts) >= 10, kind


@pytest.mark.slow
def test_four_minutes_of_random_programs_agree(tmp_path: Path) -> None:
    jobs = str(os.cpu_count() or 1)
    summary = fuzz(tmp_path, "--seeds", "910000..990000", "--minutes", "4", "--jobs", jobs)
    assert summary["wrong"] == []
    assert int(str(summary["programs"])) > 20


def test_generated_programs_follow_from_the_seed() -> None:
    assert generate.program(7) == generate.program(7)
    assert generate.program(7) != generate.program(8)


def test_reducer_keeps_what_matters() -> None:
    class Stub(reduce.Judge):
        def verdict(self, text: str) -> str:
            self.trials += 1
            balanced = text.count("{") == text.count("}") and text.count("(") == text.count(")")
            return "mismatch" if balanced and "bug" in text and "int main" in text else "other"

    text = "int a;\nint b;\nint main(void) {\n  if (a) {\n    bug((1 + 2));\n  }\n  b = 3;\n}\n"
    judge = Stub(Options(sources=(), top="top"), 1)
    small = reduce.reduce(text, judge, float("inf"))
    assert "bug" in small and "int b" not in small and "if" not in small
