# SPDX-License-Identifier: Apache-2.0
"""Builds a model for a few thousand cycles, which is not kept: programs come by the thousand."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from lydite.sim import build
from lydite.sim.cosim.verilog import Hardware


def quick(hardware: Hardware, folder: Path) -> Path:
    """Give the shared library of a design, in a folder that the caller deletes."""
    mine = folder / "model.so"
    while not mine.exists():
        made = build.build_model(hardware.sources, hardware.harness, defines={}, effort="once")
        # Who has the same design at the same time may have been faster.
        with contextlib.suppress(FileNotFoundError):
            shutil.move(made, mine)
    return mine
