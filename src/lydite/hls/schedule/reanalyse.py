# SPDX-License-Identifier: Apache-2.0
"""What another delay model says of a schedule that is there: its longest chain.

So two models can be held against one routed clock, without two pieces of hardware.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Op
from lydite.hls.schedule.problem import Plan, Problem, Schedule


def critical_ns(schedules: Mapping[str, Schedule], model: DelayModel) -> float:
    """Give the longest chain of any state in ns, set-up included, by a model.

    Under the model of the schedules that is the report's `critical_ns`, but for pipelined loops:
    of these, chains from one iteration into the next are not followed.
    """
    chains = (
        _block_ns(replace(schedule.problems[block], model=model), plan)
        for schedule in schedules.values()
        for block, plan in schedule.plans.items()
    )
    return max(chains, default=0.0) + model.setup_ns


def _block_ns(problem: Problem, plan: Plan) -> float:
    finish: dict[Op, float] = {}
    for op in problem.order:
        at = problem.model.register_ns
        for arg in op.args:
            if arg in finish and plan.state[arg] + problem.latency(arg) == plan.state[op]:
                at = max(at, finish[arg])
        late = problem.latency(op)
        finish[op] = problem.start_ns(op) if late else at + problem.delay_ns(op)
    return max(finish.values(), default=0.0)
