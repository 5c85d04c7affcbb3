# SPDX-License-Identifier: Apache-2.0
"""LLVM IR to the compiler's own: pointers become memories and indices, arguments become ports.

May import `contract`, `frontend` and `ir`. Start reading at `stage.run`; `translate` makes each
operation, `memory_layout` says which memory holds what, `signature` what the arguments are.
"""

from __future__ import annotations

from lydite.hls.lower.stage import Lowered, run

__all__ = ["Lowered", "run"]
