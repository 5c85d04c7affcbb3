# SPDX-License-Identifier: Apache-2.0
"""Dilithium from C to hardware: the same calls natively and co-simulated."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import InputError, proc
from lydite.cores.catalog import FOLDER
from lydite.hls.contract.options import Options
from lydite.hls.frontend.clang import INCLUDE
from lydite.sim import cosim
from lydite.sim.cosim.endings import Limits

CORE = FOLDER / "dilithium"
CALLS = Path(__file__).parents[3] / "bench" / "dilithium_calls.py"
INDEX = {"dilithium2": 0, "ml-dsa-44": 1}
OPERATIONS = ("keygen", "sign", "verify")
# Least and most cycles, over all records that are co-simulated.
CYCLES = {"keygen": (30_000, 45_000), "sign": (60_000, 1_500_000), "verify": (30_000, 50_000)}
BOTH = pytest.mark.parametrize("primitive", list(INDEX))
ALL = pytest.mark.parametrize("operation", OPERATIONS)


def calls_of(folder: Path, *arguments: str) -> Path:
    """Write a file of calls."""
    path = folder / f"{'-'.join(arguments)}.txt"
    path.write_text(proc.run([sys.executable, str(CALLS), *arguments]).checked())
    return path


def program(source: Path, primitive: str, folder: Path) -> Path:
    """Build the C of a core natively."""
    found = folder / f"{primitive}-{source.stem}"
    argv = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-std=c11",
        "-O1",
        f"-DML_DSA={INDEX[primitive]}",
    ]
    proc.run([*argv, f"-I{INCLUDE}", str(source), "-o", str(found)]).checked()
    return found


@ALL
@BOTH
def test_core_gives_the_known_answers_natively(
    primitive: str, operation: str, tmp_path: Path
) -> None:
    built = program(CORE / "hls" / f"{operation}.c", primitive, tmp_path)
    path = calls_of(tmp_path, primitive, operation)
    assert proc.run([str(built), str(path)]).rc == 0
    # A wrong digit of an answer, a line cut off, no file.
    lines = path.read_text().splitlines()
    last = lines[-1]
    path.write_text("\n".join([*lines[:-1], last[:-1] + ("1" if last[-1] == "0" else "0"), ""]))
    assert proc.run([str(built), str(path)]).rc == 1
    path.write_text(last[: len(last) // 2])
    assert proc.run([str(built), str(path)]).rc == 1
    assert proc.run([str(built), str(tmp_path / "none")]).rc == 2


def compared(primitive: str, operation: str, folder: Path, *arguments: str) -> cosim.Result:
    """Compile a core, and co-simulate calls."""
    options = Options(
        sources=(CORE / "hls" / f"{operation}.c",),
        top=f"dilithium_{operation}",
        clock_ns=12.0,
        defines=(f"ML_DSA={INDEX[primitive]}",),
    )
    path = calls_of(folder, primitive, operation, *arguments)
    result = cosim.run(
        options,
        hls.compile(options),
        folder,
        arguments=(str(path),),
        limits=Limits(seconds=3000.0),
    )
    result.check()
    assert result.native_rc == 0
    assert result.calls == len(path.read_text().splitlines())
    least, most = CYCLES[operation]
    assert least < result.latency_min <= result.latency_max < most
    return result


def test_keygen_is_its_c(tmp_path: Path) -> None:
    compared("dilithium2", "keygen", tmp_path, "--first", "1")


@pytest.mark.slow
@ALL
@BOTH
def test_all_known_answers_are_those_of_the_c(
    primitive: str, operation: str, tmp_path: Path
) -> None:
    compared(primitive, operation, tmp_path)


def test_directive_of_a_loop_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no loop 'rounds' in keccak_f1600"):
        hls.compile(
            Options(
                sources=(CORE / "hls" / "keygen.c",),
                top="dilithium_keygen",
                directives=(
                    hls.Placed(function="keccak_f1600", loop="rounds", text="unroll factor=2"),
                ),
            )
        )
