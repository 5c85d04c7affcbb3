# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of C and the hardware made of it: the user's own `main` is the testbench.

May import what `sim` may, and `build`. Start reading at `compare.run`, which is all of it: `native`
records the program's calls, `verilog` replays them on the hardware, `differences` finds the first
value that differs.
"""

from __future__ import annotations

from lydite.sim.cosim.compare import TIMEOUT_CYCLES, Mismatch, Result, run

__all__ = ["TIMEOUT_CYCLES", "Mismatch", "Result", "run"]
