# SPDX-License-Identifier: Apache-2.0
"""One C program: native run against the compiler's interpreter against simulated hardware."""

from __future__ import annotations

import re
import sys
import time
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path

import icarus
import quick_build

from lydite import hls
from lydite.base import InputError, LyditeError, ToolFailed, digest
from lydite.hls.compiled import Compiled
from lydite.hls.contract.options import Options
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim import verilog as cosim_verilog
from lydite.sim.cosim.endings import Limits
from lydite.sim.cosim.native import Recording

sys.path.append(str(Path(__file__).parents[1] / "support"))

from collisions import spoilt

# Cycles per step of the interpreter above which the hardware hangs, and what any run may take.
CYCLES_PER_STEP = 300
CYCLES_AT_LEAST = 200_000
NATIVE_S = 2.0
# Replays from different power-up values, unless one is long.
POWER_UPS = 6
MANY_CYCLES = 100_000
# Lines of Verilog times blocks run by the interpreter, above which Icarus takes longer than g++
# takes to compile the model.
ICARUS_WORK = 40_000_000


@dataclass
class Outcome:
    """What became of a program.

    Attributes
    ----------
    status : str
        `pass`; `mismatch` (of values, or a hang of the hardware); `crash` (an exception that is no
        refusal, Verilog that does not compile); `refused` (with a reason); `skipped` (the program
        itself does not end in time).
    stage : str
        Where: `compile`, `native`, `interpreter`, `rtl`.
    detail : str
        The message.
    calls, cycles : int
        Calls compared, cycles simulated.
    simulator : str
        Which one ran the hardware; `known` if the same Verilog passed before.
    hardware : str
        Digest of the Verilog, comments apart.
    seconds : dict of str to float
        Time of each stage.
    undone : list of str
        What the compiler says of arrays that it does not cut as a directive asks.
    """

    status: str
    stage: str = ""
    detail: str = ""
    calls: int = 0
    cycles: int = 0
    simulator: str = ""
    hardware: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    undone: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Give plain data."""
        return asdict(self)


def check(
    options: Options, folder: Path, *, seed: int, simulator: str = "verilator", passed: str = ""
) -> Outcome:
    """Compile a program, run it in three ways, and compare all calls of its top function.

    `simulator` is `verilator`, or `icarus` for runs that are short. `passed` is the digest of
    hardware that another state of the compiler made of this program and that passed: the same
    hardware is not run again.
    """
    outcome = Outcome("pass")
    start = time.monotonic()

    def lap(stage: str) -> None:
        nonlocal start
        outcome.seconds[stage] = round(time.monotonic() - start, 3)
        start = time.monotonic()

    def ended(status: str, stage: str, detail: str) -> Outcome:
        outcome.status, outcome.stage, outcome.detail = status, stage, detail
        lap(stage)
        return outcome

    try:
        compiled = spoilt(hls.compile(options))
    except InputError as error:
        return ended("refused", "compile", str(error))
    except Exception:  # any other exception is what this program looks for
        return ended("crash", "compile", traceback.format_exc())
    lap("compile")
    outcome.hardware = _hardware(compiled)
    outcome.undone = [
        re.sub(r" of \S+ is not done: ", ": ", warning.what)
        for warning in compiled.warnings
        if " is not done: " in warning.what
    ]
    if outcome.hardware == passed:
        outcome.simulator = "known"
        return outcome
    try:
        recording = cosim_native.record(
            options, compiled.interface, folder, max_calls=1000, limits=Limits(native_s=NATIVE_S)
        )
    except InputError as error:
        return ended("skipped", "native", str(error))
    outcome.calls = len(recording)
    lap("native")
    try:
        steps, wrong = interpret(compiled, recording)
    except Exception:
        return ended("crash", "interpreter", traceback.format_exc())
    if wrong:
        return ended("mismatch", "interpreter", wrong)
    lap("interpreter")
    try:
        work = compiled.verilog.count("\n") * max(steps, 20)
        # The bench for Icarus waits for a call to end before it makes the next one.
        face = compiled.interface
        alone = face.interval is None and not face.rewound
        if simulator == "icarus" and alone and work < ICARUS_WORK and icarus.found():
            return simulate_icarus(compiled, recording, folder, outcome, seed, steps, ended)
        return simulate(compiled, recording, folder, outcome, seed, steps, ended)
    except (ToolFailed, LyditeError) as error:
        return ended("crash", "rtl", str(error))
    except Exception:
        return ended("crash", "rtl", traceback.format_exc())


def _hardware(compiled: Compiled) -> str:
    """Give a digest of the Verilog without comments and attributes, which mean nothing to it."""
    return digest.of_bytes(
        re.sub(r"//[^\n]*|/\*.*?\*/|\(\* .*? \*\) ", "", compiled.verilog).encode()
    )


def interpret(compiled: Compiled, recording: Recording) -> tuple[int, str]:
    """Run all calls in the interpreter; give its steps, and what is wrong or nothing."""
    machine = hls.Machine(compiled.module)
    arrays = [arg for arg in compiled.interface.arrays if not arg.unused]
    streams = compiled.interface.streams
    steps = 0
    for number, call in enumerate(recording.calls()):
        result = machine.call(
            call.scalars,
            {arg.port: call.before[arg.name] for arg in arrays},
            {arg.port: call.streams[arg.port] for arg in streams if arg.direction == "in"},
        )
        steps += result.steps
        width = compiled.interface.return_width
        if width:
            got = result.value & ((1 << width) - 1)
            if got != call.result:
                return steps, f"call {number + 1}: returns {got:#x}, not {call.result:#x}"
        for arg in streams:
            if arg.direction == "out" and result.streams[arg.port] != call.streams[arg.port]:
                return steps, f"call {number + 1}: beats of {arg.name} differ"
        for arg in arrays:
            after = call.after[arg.name]
            got_bytes = result.arrays[arg.port][: len(after)]
            if got_bytes != after and arg.name not in recording.by_value:
                at = next(i for i in range(len(after)) if got_bytes[i] != after[i])
                return steps, f"call {number + 1}: {arg.name} differs at byte {at}"
    return steps, ""


def simulate_icarus(  # type: ignore[no-untyped-def]
    compiled, recording, folder, outcome, seed, steps, ended
):
    """Replay all calls on the hardware in Icarus Verilog, or in Verilator if that takes long."""
    outcome.simulator = "icarus"
    hardware = cosim_verilog.Hardware(compiled, recording, folder, effort="quick")
    limit = max(CYCLES_AT_LEAST, CYCLES_PER_STEP * steps)
    try:
        wrong, outcome.cycles = icarus.replay(
            hardware, recording, folder, seed=seed, timeout_cycles=limit
        )
    except ToolFailed as error:
        if "past its time limit" not in str(error):
            raise
        return simulate(compiled, recording, folder, outcome, seed, steps, ended)
    return ended("mismatch", "rtl", wrong) if wrong else ended("pass", "rtl", "")


def simulate(  # type: ignore[no-untyped-def]
    compiled, recording, folder, outcome, seed, steps, ended
):
    """Replay all calls on the hardware."""
    outcome.simulator = "verilator"
    hardware = cosim_verilog.Hardware(compiled, recording, folder, effort="quick")
    library = quick_build.quick(hardware, folder)
    limit = max(CYCLES_AT_LEAST, CYCLES_PER_STEP * steps)
    for power_up in range(POWER_UPS):
        replay = hardware.replay(
            recording,
            seed=seed + power_up,
            gaps=power_up % 2 == 0,
            timeout_cycles=limit,
            library=library,
            stalls=power_up % 4 if recording.beats else 0,
        )
        outcome.cycles += replay.cycles
        if replay.failed is not None:
            detail = f"call {replay.failed + 1}: {replay.error or 'values differ'}"
            if power_up or depends_on_power_up(hardware, recording, library, limit):
                detail += ", depending on power-up values"
            return ended("mismatch", "rtl", detail)
        if outcome.cycles > MANY_CYCLES:
            break
    return ended("pass", "rtl", "")


def depends_on_power_up(
    hardware: cosim_verilog.Hardware, recording: Recording, library: Path, limit: int
) -> bool:
    """Whether the hardware is right from some power-up values and wrong from others."""
    runs = [
        hardware.replay(recording, seed=seed, gaps=False, timeout_cycles=limit, library=library)
        for seed in range(100, 108)
    ]
    return any(run.failed is None for run in runs)


def verdict_returned(text: str) -> str:
    """Make the checksum of a csmith program the return value of its main."""
    return re.sub(
        r"(platform_main_end\((.*), print_hash_value\);\s*)return 0;", r"\1return (int)(\2);", text
    )
