# SPDX-License-Identifier: Apache-2.0
"""Whether a `dependence` directive is to blame for a wrong call: the IR does not rely on any.

The interpreter runs the calls up to the wrong one. If it is right there, the hardware differs from
the IR by its schedule, and that relies on what the user said.
"""

from __future__ import annotations

from lydite.hls import Machine
from lydite.hls.compiled import Compiled
from lydite.sim.cosim.native import Recording


def blame(compiled: Compiled, recording: Recording, failed: int) -> str:
    """Give a note that names the directives that do not hold; empty if they are not to blame.

    Parameters
    ----------
    failed : int
        Number of the wrong call, from 0.
    """
    if not compiled.claims or not _right_without(compiled, recording, failed):
        return ""
    said = "; ".join(f"{claim.what} ({claim.where})" for claim in compiled.claims)
    return f"what this says does not hold: {said}; without it the call is right"


def _right_without(compiled: Compiled, recording: Recording, failed: int) -> bool:
    machine, face = Machine(compiled.module), compiled.interface
    for number, call in enumerate(recording.calls()):
        got = machine.call(
            call.scalars,
            {arg.port: call.before[arg.name] for arg in face.arrays if not arg.unused},
            {arg.port: call.streams[arg.name] for arg in face.streams if arg.direction == "in"},
        )
        if number < failed:
            continue
        same = not face.return_width or got.value == call.result
        for array in face.arrays:
            if not array.unused:
                after = call.after[array.name]
                same &= got.arrays[array.port][: len(after)] == after
        for stream in face.streams:
            if stream.direction == "out":
                same &= got.streams[stream.port] == call.streams[stream.name]
        return same
    return False
