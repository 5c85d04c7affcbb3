# SPDX-License-Identifier: Apache-2.0
"""Programs of the kind that people write, each in a manner of its own, with their answers.

The second line of a program says which function is the hardware, and what else its user would say:
another file, the standard, and which pointers are to one structure. `main` calls it, and
holds what comes out against the answers that stand there: test vectors of standards, or numbers
that another program made. So the native run proves the answers, and the interpreter and the
hardware must give what the native run gave, call by call.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from lydite import hls
from lydite.hls.contract.options import Options
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim import verilog as cosim_verilog

FOLDER = Path(__file__).parent / "people"
sys.path.insert(0, str(Path(__file__).parents[1] / "hls_fuzz"))

import check  # noqa: E402 (found in the line before)
import quick_build  # noqa: E402

HEADS = {
    path: dict(re.findall(r"(top|with|std|depth): ([\w.+=]+)", path.read_text()[:120]))
    for path in sorted(FOLDER.glob("*.c*"))
}
PROGRAMS = [path for path, head in HEADS.items() if "top" in head]


def options_of(path: Path) -> Options:
    head = HEADS[path]
    more = (FOLDER / head["with"],) if "with" in head else ()
    depths = tuple((name, 1) for name in head.get("depth", "").split("+") if name)
    return Options(sources=(path, *more), top=head["top"], std=head.get("std", ""), depths=depths)


def test_there_are_forty_programs() -> None:
    assert len(PROGRAMS) >= 40
    others = {head["with"] for head in HEADS.values() if "with" in head}
    assert {path.name for path in HEADS} == {path.name for path in PROGRAMS} | others


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_program_gives_its_answers_natively_in_the_interpreter_and_as_hardware(
    path: Path, tmp_path: Path
) -> None:
    options = options_of(path)
    compiled = hls.compile(options)
    recording = cosim_native.record(options, compiled.interface, tmp_path)
    assert recording.rc == 0, "an answer is wrong before any hardware is made"
    calls = list(recording.calls())
    assert len(calls) >= 3
    seen = {(call.result, *call.after.values()) for call in calls}
    assert len(seen) >= 3, "a program that always gives the same shows little"
    steps, wrong = check.interpret(compiled, recording)
    assert wrong == ""
    hardware = cosim_verilog.Hardware(compiled, recording, tmp_path, effort="quick")
    library = quick_build.quick(hardware, tmp_path)
    for seed in range(3):
        replay = hardware.replay(
            recording,
            seed=seed,
            gaps=seed > 0,
            timeout_cycles=max(check.CYCLES_AT_LEAST, check.CYCLES_PER_STEP * steps),
            library=library,
        )
        assert (replay.failed, replay.error) == (None, "")
