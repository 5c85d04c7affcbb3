# SPDX-License-Identifier: Apache-2.0
"""Bound functions to Verilog.

May import `contract`, `ir`, `schedule`, `bind`, and of `lower` what ports there are. Start reading
at `stage.run`, then `design`, which puts the modules together; `core` is the body of one, and
`function` names what is in it. All of them make what `structure` defines; `settle` leaves out what
nothing reads, `check` is the stage's verifier, `printer` writes the text.
"""

from __future__ import annotations

from lydite.hls.emit.stage import run
from lydite.hls.emit.top import Design

__all__ = ["Design", "run"]
