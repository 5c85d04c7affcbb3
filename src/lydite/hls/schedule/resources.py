# SPDX-License-Identifier: Apache-2.0
"""What a cycle has only so much of: ports of memories, streams, units. Solvers and checks ask here.

A cycle is a state of the controller; in a pipeline, one modulo the interval. What holds beyond
counting (a call keeps a memory to itself, a limited operation hangs on no other one's result, calls
of one module keep its interval, few units are waited for at once) is for those who look at it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lydite.hls.ir.graph import STREAMING, Memory, Op, Stream
from lydite.hls.schedule.multipliers import Shape
from lydite.hls.schedule.problem import Problem

# What is limited: accesses to one of these, products of a shape, operations of a kind.
Owner: TypeAlias = Memory | Stream | Shape | str


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """What at most so many operations use in a cycle.

    Attributes
    ----------
    owner : Memory, Stream, Shape or str
        What it is of.
    limit : int
        Above 0, if anything uses it.
    ops : tuple of Op
        The operations of a block that use it, in program order.
    """

    owner: Owner
    limit: int
    ops: tuple[Op, ...]

    @property
    def name(self) -> str:
        """What a message calls it."""
        if isinstance(self.owner, Shape):
            return "mul"
        return self.owner if isinstance(self.owner, str) else self.owner.name

    @property
    def least_interval(self) -> int:
        """Cycles from an iteration to the next that it needs at least."""
        return -(-len(self.ops) // self.limit)

    def exceeded(self, cycle_of: Mapping[Op, Hashable]) -> Iterator[tuple[Hashable, list[Op]]]:
        """Give the cycles in which too many use it, with those that do."""
        found: dict[Hashable, list[Op]] = {}
        for op in self.ops:
            found.setdefault(cycle_of[op], []).append(op)
        yield from ((cycle, ops) for cycle, ops in found.items() if len(ops) > self.limit)


def of_states(problem: Problem) -> list[Resource]:
    """Give the resources of a block whose operations are in states."""
    flat = [resource for group in ports(problem) for resource in group]
    return [*flat, *streams(problem), *units(problem)]


def ports(problem: Problem) -> list[tuple[Resource, ...]]:
    """Give for each memory its ports: those that read, those that write, all of them last."""
    result: list[tuple[Resource, ...]] = []
    for memory, ops in _by(problem.order, ("load", "store")).items():
        assert isinstance(memory, Memory), f"{memory} is no memory"
        limit = problem.ports[memory]
        loads = tuple(op for op in ops if op.kind == "load")
        stores = tuple(op for op in ops if op.kind == "store")
        kinds = ((limit.reads, loads), (limit.writes, stores), (limit.total, tuple(ops)))
        result.append(tuple(Resource(memory, most, using) for most, using in kinds if using))
    return result


def streams(problem: Problem) -> list[Resource]:
    """Give the streams: each takes or gives one beat in a cycle."""
    return [Resource(item, 1, tuple(ops)) for item, ops in _by(problem.order, STREAMING).items()]


def units(problem: Problem) -> list[Resource]:
    """Give the units that are limited, by directive or by choice."""
    found: dict[Owner, list[Op]] = {}
    for op in problem.order if problem.limits or problem.multipliers else ():
        owner = problem.limited_kind(op) or problem.in_turn(op)
        if owner:
            found.setdefault(owner, []).append(op)
    return [Resource(owner, _most(problem, owner), tuple(ops)) for owner, ops in found.items()]


def by_op(resources: Iterable[Resource]) -> dict[Op, list[Resource]]:
    """Give the resources that each operation uses; those that use none are not there."""
    result: dict[Op, list[Resource]] = {}
    for resource in resources:
        for op in resource.ops:
            result.setdefault(op, []).append(resource)
    return result


def _most(problem: Problem, owner: Owner) -> int:
    if isinstance(owner, Shape):
        return problem.multipliers[owner]
    return problem.limits[str(owner)]


def _by(order: Iterable[Op], kinds: Iterable[str]) -> dict[Memory | Stream, list[Op]]:
    result: dict[Memory | Stream, list[Op]] = {}
    for op in order:
        if op.kind in kinds:
            result.setdefault(op.attr, []).append(op)
    return result
