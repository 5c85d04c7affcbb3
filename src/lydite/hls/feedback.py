# SPDX-License-Identifier: Apache-2.0
"""Learns from timed paths: what the operations of a schedule took, against what the model said.

Each path is explained by a chain (`schedule.paths`). Where it took longer, its operations get
longer delays in proportion; where all chains of an operation took less, a shorter one. What no
chain explains, or lies in control and wires alone, teaches nothing: no schedule makes it faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lydite.hls.compiled import Compiled
from lydite.hls.contract.delay_factors import DelayFactors
from lydite.hls.ir.graph import WIRES, Function, Op, Owner
from lydite.hls.schedule import delay_factors
from lydite.hls.schedule.paths import Chain, Chains, Ends
from lydite.tools.routes import Route

# The measuring wrapper around the top module: its instance of it, and its own registers.
_CORE = "u_core"
_OUTSIDE = frozenset(("u_in", "u_out"))
# Changes below are noise, and so is what takes less time than this.
_LEAST_CHANGE = 0.02
_LEAST_NS = 0.2
_MOST, _LEAST = 4.0, 0.3


@dataclass(frozen=True, slots=True)
class Explained:
    """A timed path and the chain that is taken for it.

    Attributes
    ----------
    route : Route
    function : str
    chain : Chain or None
        None if no chain goes from its source to its sink.
    predicted_ns, routed_ns : float
        Both with set-up, and with the time that memories outside take in the prediction; 0
        without a chain.
    control : bool
        Whether it begins at the controller: then it may be faster than the rest of the chain.
    """

    route: Route
    function: str = ""
    chain: Chain | None = None
    predicted_ns: float = 0.0
    routed_ns: float = 0.0
    control: bool = False

    @property
    def blamed(self) -> tuple[Op, ...]:
        """The operations whose delays the path tells of."""
        return self.chain.ops if self.chain is not None else ()

    @property
    def ratio(self) -> float:
        """How much longer these took than predicted; 1 if they take next to no time."""
        if self.chain is None:
            return 1.0
        scaled_ns = self.chain.delay_ns - self.chain.fixed_ns
        if scaled_ns < _LEAST_NS:
            return 1.0
        late_ns = self.routed_ns - self.predicted_ns
        return max(scaled_ns + late_ns, _LEAST_NS) / scaled_ns


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a placement taught.

    Attributes
    ----------
    learnt : DelayFactors
        For the next compilation.
    changed : tuple of (Op, float, float)
        Operations whose factor is another one now: the old and the new one.
    explained : tuple of Explained
        All paths within the design, slowest first.
    """

    learnt: DelayFactors
    changed: tuple[tuple[Op, float, float], ...]
    explained: tuple[Explained, ...]


def learn(
    compiled: Compiled, routes: Iterable[Route], *, least_ns: float = 0.0, shorten: bool = False
) -> Lesson:
    """Learn from the slowest paths between registers of a placed design.

    Parameters
    ----------
    compiled : Compiled
        What was placed.
    least_ns : float
        Faster paths teach nothing; nor does it take more than the slowest one to teach.
    shorten : bool
        Whether delays may become shorter, too.
    """
    known = _known(compiled)
    explained = tuple(explain(compiled, routes))
    least_ns = min(least_ns, max((item.route.delay_ns for item in explained), default=0.0))
    seen: dict[Op, float] = {}
    function_of: dict[Op, Function] = {}
    for item in explained:
        if item.route.delay_ns < least_ns or (item.ratio < 1 and (item.control or not shorten)):
            continue
        for op in item.blamed:
            function_of[op] = compiled.schedules[item.function].function
            wanted = known[function_of[op]].get(op, 1.0) * item.ratio
            seen[op] = max(wanted, seen.get(op, 0.0))
    changed: list[tuple[Op, float, float]] = []
    for op, wanted in seen.items():
        old = known[function_of[op]].get(op, 1.0)
        new = round(min(max(wanted, _LEAST), _MOST), 3)
        if abs(new - old) < _LEAST_CHANGE * old:
            continue
        known[function_of[op]][op] = new
        changed.append((op, old, new))
    return Lesson(delay_factors.make(known), tuple(changed), explained)


def _known(compiled: Compiled) -> dict[Function, dict[Op, float]]:
    """Give the factors by which a schedule was made."""
    result: dict[Function, dict[Op, float]] = {}
    for schedule in compiled.schedules.values():
        factors: dict[Op, float] = {}
        for problem in schedule.problems.values():
            factors.update(problem.learnt)
        result[schedule.function] = factors
    return result


def explain(compiled: Compiled, routes: Iterable[Route]) -> Iterable[Explained]:
    """Explain each path that touches the design by a chain, as far as there is one."""
    chains = {name: Chains(schedule) for name, schedule in compiled.schedules.items()}
    setup_ns = next(
        problem.model.setup_ns
        for schedule in compiled.schedules.values()
        for problem in schedule.problems.values()
    )
    for route in routes:
        if all(name.partition(".")[0] in _OUTSIDE for name in route.source + route.sink):
            continue
        best = Explained(route)
        for name, of_function in chains.items():
            source, sink = (_ends(compiled, name, names) for names in (route.source, route.sink))
            if source is None or sink is None:
                continue
            chain = of_function.longest(source, sink)
            if chain is None:
                continue
            predicted_ns = chain.delay_ns + setup_ns
            if predicted_ns > best.predicted_ns:
                routed_ns = route.delay_ns + chain.outside_ns
                best = Explained(route, name, chain, predicted_ns, routed_ns, source.control)
        yield best


def _ends(compiled: Compiled, function: str, names: Sequence[str]) -> Ends | None:
    """Give what names of the netlist stand for in a function; None if nothing."""
    signals = compiled.signals.get(function)
    memories = {
        op.attr.name: op.attr
        for op in compiled.schedules[function].function.ops()
        if op.kind in ("load", "store")
    }
    owners: set[Owner] = set()
    control = outside = False
    for name in names:
        first, *inner = name.split(".")
        if first in _OUTSIDE:
            outside = True
        if first != _CORE or not inner:
            continue
        here = "" if function == compiled.module.top else f"u_{function}"
        if compiled.schedules[function].function.is_pipelined:
            here, inner = "", _in_pipe(function, inner)
            if not inner:
                continue
        if inner[0].startswith("u_") and inner[0][2:] in memories:
            owners.add(memories[inner[0][2:]])
        rest = inner[1:] if here and inner[0] == here else inner if not here else []
        if len(rest) != 1 or signals is None:
            continue
        control |= rest[0] in signals.control
        owners |= _parts(signals.owners.get(rest[0], ()))
    if not owners and not control and not outside:
        return None
    if outside and function != compiled.module.top and not owners and not control:
        memory_outside = any(memory.port for memory in memories.values())
        if not memory_outside:
            return None
    return Ends(frozenset(owners), control, outside)


def _in_pipe(function: str, path: Sequence[str]) -> list[str]:
    """Give what follows the instance of a pipelined function's module; empty if none is there."""
    name = re.escape(function)
    pattern = rf"(?:.*\.)?(?:u_macro\d+_{name}|u_{name}\.u_macro)\.(.+)"
    found = re.fullmatch(pattern, ".".join(path))
    return found[1].split(".") if found else []


def _parts(owners: Iterable[Owner]) -> set[Owner]:
    """Give what is held under a name: Yosys may call a register after wiring made of it."""
    found: set[Owner] = set()
    pending = list(owners)
    while pending:
        owner = pending.pop()
        if owner not in found:
            found.add(owner)
            pending += owner.args if isinstance(owner, Op) and owner.kind in WIRES else ()
    return found


def summary(changed: Iterable[tuple[Op, float, float]]) -> tuple[tuple[str, int, float], ...]:
    """Give kinds of operations with how many got another factor and their greatest change."""
    found: dict[str, list[float]] = {}
    for op, old, new in changed:
        found.setdefault(op.kind, []).append(new / old)
    rows = [
        (kind, len(items), max(items, key=lambda x: abs(x - 1))) for kind, items in found.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row[1], row[0])))


__all__ = ["Explained", "Lesson", "explain", "learn", "summary"]
