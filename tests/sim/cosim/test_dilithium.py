# SPDX-License-Identifier: Apache-2.0
"""Dilithium from C to hardware: the same calls natively and co-simulated."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from dilithium import INDEX, malformed, program

from lydite import hls
from lydite.base import InputError, proc
from lydite.cores.catalog import FOLDER
from lydite.hls.contract.options import Options
from lydite.sim import cosim
from lydite.sim.cosim.endings import Limits

CORE = FOLDER / "dilithium"
CALLS = Path(__file__).parents[3] / "bench" / "dilithium_calls.py"
# Cores: one for each operation, and one for all.
CORES = ("keygen", "sign", "verify", "all")
# Least and most cycles, over all records that are co-simulated.
CYCLES = {
    "keygen": (8_500, 11_500),
    "sign": (14_000, 1_000_000),
    # Malformed hints are rejected at once.
    "verify": (1_000, 40_000),
    "all": (1_000, 1_000_000),
}
# Signing is slow where the machine has other work.
LIMITS = Limits(replay_s=7200.0)
BOTH = pytest.mark.parametrize("primitive", list(INDEX))
ALL = pytest.mark.parametrize("core", CORES)
# The last has the C of the others.
LAST = [pytest.param(one, marks=() if one == "all" else pytest.mark.slow) for one in CORES]


def calls_of(folder: Path, *arguments: str) -> Path:
    """Write a file of calls."""
    path = folder / f"{'-'.join(arguments)}.txt"
    path.write_text(proc.run([sys.executable, str(CALLS), *arguments]).checked())
    return path


@pytest.mark.parametrize("core", LAST)
@BOTH
def test_core_gives_the_known_answers_natively(primitive: str, core: str, tmp_path: Path) -> None:
    built = program(CORE / "hls" / f"{core}.c", primitive, tmp_path)
    path = calls_of(tmp_path, primitive, core)
    assert proc.run([str(built), str(path)]).rc == 0
    # A wrong digit of an answer, a line cut off, no file.
    lines = path.read_text().splitlines()
    last = lines[-1]
    path.write_text("\n".join([*lines[:-1], last[:-1] + ("1" if last[-1] == "0" else "0"), ""]))
    assert proc.run([str(built), str(path)]).rc == 1
    path.write_text(last[: len(last) // 2])
    assert proc.run([str(built), str(path)]).rc == 1
    assert proc.run([str(built), str(tmp_path / "none")]).rc == 2


@pytest.mark.parametrize("core", LAST)
@BOTH
def test_malformed_calls_are_refused_natively(primitive: str, core: str, tmp_path: Path) -> None:
    built = program(CORE / "hls" / f"{core}.c", primitive, tmp_path)
    path = tmp_path / "malformed.txt"
    path.write_text("".join(f"{one}\n" for one in malformed(primitive, core)))
    assert proc.run([str(built), str(path)]).rc == 0
    # A right answer instead is seen.
    wrong, right = malformed(primitive, core)[0], malformed(primitive, "keygen")[-1]
    path.write_text(wrong.partition(">")[0] + ">" + right.partition(">")[2] + "\n")
    assert proc.run([str(built), str(path)]).rc == 1


@pytest.mark.parametrize(
    ("primitive", "core"),
    [
        pytest.param(one, core, marks=() if core == "keygen" else pytest.mark.slow)
        for one in INDEX
        for core in CORES
    ],
)
def test_malformed_calls_are_refused_by_the_core(primitive: str, core: str, tmp_path: Path) -> None:
    options = Options(
        sources=(CORE / "hls" / f"{core}.c",),
        top=f"dilithium_{core}",
        clock_ns=12.0,
        defines=(f"ML_DSA={INDEX[primitive]}",),
    )
    path, calls = tmp_path / "malformed.txt", malformed(primitive, core)
    path.write_text("".join(f"{one}\n" for one in calls))
    made = hls.compile(options)
    result = cosim.run(options, made, tmp_path, arguments=(str(path),), limits=LIMITS)
    result.check()
    assert (result.native_rc, result.calls) == (0, len(calls))


def compared(primitive: str, core: str, folder: Path, *arguments: str) -> cosim.Result:
    """Compile a core, and co-simulate calls."""
    options = Options(
        sources=(CORE / "hls" / f"{core}.c",),
        top=f"dilithium_{core}",
        clock_ns=12.0,
        defines=(f"ML_DSA={INDEX[primitive]}",),
    )
    path = calls_of(folder, primitive, core, *arguments)
    result = cosim.run(
        options,
        hls.compile(options),
        folder,
        arguments=(str(path),),
        limits=LIMITS,
    )
    result.check()
    assert result.native_rc == 0
    assert result.calls == len(path.read_text().splitlines())
    least, most = CYCLES[core]
    assert least < result.latency_min <= result.latency_max < most
    return result


def test_keygen_is_its_c(tmp_path: Path) -> None:
    compared("dilithium2", "keygen", tmp_path, "--first", "1")


@pytest.mark.slow
@ALL
@BOTH
def test_all_known_answers_are_those_of_the_c(primitive: str, core: str, tmp_path: Path) -> None:
    compared(primitive, core, tmp_path)


def test_directive_of_a_loop_that_is_not_there_is_refused() -> None:
    entry = hls.Placed(
        directive="unroll factor=2",
        function="keccak_f1600",
        loop="rounds",
        variable="",
        where="area.toml: entry 1",
    )
    source = CORE / "hls" / "keygen.c"
    with pytest.raises(InputError) as error:
        hls.compile(Options(sources=(source,), top="dilithium_keygen", directives=(entry,)))
    assert str(error.value).startswith("area.toml: entry 1: there is no loop rounds")
