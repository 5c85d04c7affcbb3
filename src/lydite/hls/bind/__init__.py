# SPDX-License-Identifier: Apache-2.0
"""What a scheduled function is made of: states, registers, ports of memories, units.

May import `contract`, `ir`, `passes` and `schedule`. Start reading at `stage.run`, then `binding`,
the result, and `binder`. `verify`, `verify_registers` and `verify_pipeline` check it without what
made it.
"""

from __future__ import annotations

from lydite.hls.bind.stage import run

__all__ = ["run"]
