# SPDX-License-Identifier: Apache-2.0
"""When each operation happens: a state of the controller, or a cycle of a pipeline.

May import `contract`, `ir` and `passes`. Start reading at `stage.run`, then `problem`, the
statement and the answer; `module` goes through the functions, `list_scheduler` solves ordinary
blocks and `modulo` pipelines. `verify` checks the schedules without their solvers.
"""

from __future__ import annotations

from lydite.hls.schedule.stage import run

__all__ = ["run"]
