# SPDX-License-Identifier: Apache-2.0
"""Kernels with directives: right as plain C, and as fast as their index explains.

Placing them is the business of bench/hls_quality.py.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import native
import pytest

from lydite import targets
from lydite.base import CheckFailed, InputError
from lydite.hls.frontend import clang
from lydite.runs.plan import Settings

ROOT = Path(__file__).parents[2]
STRICT = "-std=c11 -O1 -fwrapv -Wall -Wextra -Wpedantic -Wconversion -Werror -Wno-unknown-pragmas"
# Co-simulated by default; the others with --slow.
QUICK = ("keccak_f1600",)


def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hls_quality", ROOT / "bench/hls_quality.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BENCH = bench()
KERNELS = BENCH.kernels()
CASES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in KERNELS]


@pytest.mark.parametrize("name", CASES)
def test_cycles_are_those_that_the_index_explains(name: str, tmp_path: Path) -> None:
    settings = Settings(target=targets.find("ecp5-85k"))
    case = BENCH.prepare(name, KERNELS[name], settings, tmp_path, place=False)
    assert BENCH.complaints(case) == []


@pytest.mark.native
@pytest.mark.parametrize("name", KERNELS)
def test_main_is_right_under_gcc(name: str, tmp_path: Path) -> None:
    program = str(tmp_path / name)
    source = str(BENCH.FOLDER / KERNELS[name].source)
    argv = [native.program("gcc"), *STRICT.split(), f"-I{clang.INCLUDE}", source, "-o", program]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run([program], check=False, timeout=60).returncode == 0


def test_index_names_every_file() -> None:
    named = {kernel.source for kernel in KERNELS.values()}
    assert {path.name for path in BENCH.FOLDER.glob("*.c")} == {n for n in named if "/" not in n}


def test_cycles_of_equal_calls_are_those_of_the_slowest() -> None:
    assert BENCH.cycles_of("k", (1,), (27, 26, 27)) == BENCH.Cycles(27, 27)
    assert BENCH.cycles_of("k", (4,), (40, 44)) == BENCH.Cycles(11, 11)


def test_cycles_of_unequal_calls_are_what_a_unit_more_costs() -> None:
    assert BENCH.cycles_of("k", (3, 1, 6), (14, 12, 17)) == BENCH.Cycles(1, 12)


def test_units_that_cost_differently_are_no_interval() -> None:
    with pytest.raises(CheckFailed, match=r"equal cycles for each unit more"):
        BENCH.cycles_of("k", (1, 2, 3), (10, 12, 13))


def test_units_of_other_calls_than_main_makes_are_refused() -> None:
    with pytest.raises(InputError, match=r"k: units of 2 calls, main makes 3"):
        BENCH.cycles_of("k", (1, 2), (10, 12, 13))
