# SPDX-License-Identifier: Apache-2.0
"""Which iterations of a loop of one block may touch the same word: exact where indices are known.

The calls of a pipelined function are iterations, too: whatever an index is made of may be another
value in each, and is the same value within one.

An index is split into loop-invariant values, a multiple of the iteration number, and a part that
follows from counters with constant starts, which is run on numbers (as `induction` does), whatever
its form: nests made one loop, bit-reversed and strided orders included. All sums are modulo the
width of the index, as in hardware. What cannot be split is taken to meet in every iteration.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from lydite.hls.ir import cfg
from lydite.hls.ir.fold import evaluate
from lydite.hls.ir.graph import STREAMING, Block, Op

# Iterations times operations that are run on numbers, for one loop.
_MAX_WORK = 400_000
_MAX_TRIPS = 1 << 14
# Operations that no number is known of.
_UNKNOWN = STREAMING | {"phi", "load", "store", "call", "divmod"}


@dataclass(slots=True)
class _Form:
    """An index modulo 2**width: constant + step * iteration + run[iteration] + invariants."""

    width: int
    constant: int = 0
    step: int = 0
    run: list[int] | None = None
    invariants: dict[Hashable, int] = field(default_factory=dict)

    def add(self, other: _Form, factor: int = 1) -> None:
        size = 1 << self.width
        self.constant = (self.constant + factor * other.constant) % size
        self.step = (self.step + factor * other.step) % size
        for op, count in other.invariants.items():
            total = (self.invariants.get(op, 0) + factor * count) % size
            if total:
                self.invariants[op] = total
            else:
                self.invariants.pop(op, None)
        if other.run is not None:
            mine = self.run or [0] * len(other.run)
            self.run = [(a + factor * b) % size for a, b in zip(mine, other.run, strict=True)]


class Dependence:
    """Answers for one loop of one block.

    Parameters
    ----------
    block : Block
        Ends with a branch to itself, or with the return of a function.
    read_after : iterable of Op
        Values of it that are read after the loop.
    calls : bool
        Whether it is a function, and iterations are its calls.
    last : Op, optional
        Of a rewound loop, the iterations of all calls: whether one is the last of a call. What is
        not a constant may then be another value in each call.

    Attributes
    ----------
    trips : int or None
        Iterations that were run on numbers; None if that cannot be.
    period : int or None
        Those of one call, of a rewound loop; else as `trips`.
    """

    def __init__(
        self,
        block: Block,
        read_after: Iterable[Op] = (),
        *,
        calls: bool = False,
        last: Op | None = None,
    ) -> None:
        self.block = block
        self.calls = calls
        self.last = last
        # What is read otherwise than by operations of the block.
        self._kept: set[Op | None] = {block.arg, last, *read_after}
        self.inside = set(block.ops)
        self.trips: int | None = None
        self.period: int | None = None
        self.runs: dict[Op, list[int]] = {}
        self._forms: dict[tuple[Op, int], _Form | None] = {}
        self._users: dict[Op, list[Op]] = {}
        for op in block.ops:
            for arg in op.args:
                self._users.setdefault(arg, []).append(op)
        self._enumerate()

    def between(self, first: Op, second: Op, at_least: int) -> int | None:
        """Give the least distance at which two accesses may touch the same word.

        As `least` for their indices, but for iterations in which one of them surely does nothing: a
        store whose mask is 0, a load whose value is not chosen, as with an array in banks.
        """
        if self.calls:
            return self._between_calls(first.args[0], second.args[0], at_least)
        if self.trips is not None:
            forms = [self._form(op.args[0], op.args[0].width) for op in (first, second)]
            one, two = forms
            if one is not None and two is not None and one.invariants == two.invariants:
                return _earliest(
                    self._where_active(first, self._values(one)),
                    self._where_active(second, self._values(two)),
                    at_least,
                )
        return self.least(first.args[0], second.args[0], at_least)

    def words(self, op: Op) -> tuple[dict[Hashable, int], list[int | None]] | None:
        """Give the indices of an access in all iterations, beside invariants; None if not known.

        None in the list is for iterations in which it surely does nothing.
        """
        if self.trips is None:
            return None
        form = self._form(op.args[0], op.args[0].width)
        if form is None:
            return None
        return form.invariants, self._where_active(op, self._values(form))

    def _between_calls(self, first: Op, second: Op, at_least: int) -> int | None:
        one, two = self._form(first, first.width), self._form(second, second.width)
        assert one is not None and two is not None, "of a function, all has a form"
        size = 1 << first.width
        gap = (one.constant - two.constant) % size
        shares = set(one.invariants) | set(two.invariants)
        if at_least == 0:
            # Within a call, what both are made of is one value.
            ends = one.invariants, two.invariants
            parts = [ends[0].get(op, 0) - ends[1].get(op, 0) for op in shares]
            if gap % math.gcd(size, *parts) == 0:
                return 0
        parts = [*one.invariants.values(), *two.invariants.values()]
        return 1 if gap % math.gcd(size, *parts) == 0 else None

    def never_both(self, first: Op, second: Op) -> bool:
        """Whether of two accesses at most one does something in any iteration."""
        one, two = dict(self.conditions(first)), self.conditions(second)
        if any(one.get(condition, holds) != holds for condition, holds in two):
            return True
        if self.trips is None:
            return False
        nothing = [0] * self.trips
        pairs = zip(
            self._where_active(first, nothing), self._where_active(second, nothing), strict=True
        )
        return all(a is None or b is None for a, b in pairs)

    def _where_active(self, op: Op, values: list[int]) -> list[int | None]:
        result: list[int | None] = list(values)
        for condition, holds in self.conditions(op):
            run = self.runs.get(condition)
            if run is not None:
                result = [
                    v if bool(on) == holds else None for v, on in zip(result, run, strict=True)
                ]
        return result

    def conditions(self, op: Op) -> list[tuple[Op, bool]]:
        """Give values of one bit with what they must be for an access to matter."""
        if op.kind == "load":
            return self._chosen_if(op)
        found: list[tuple[Op, bool]] = []
        pending = [op.args[2]]
        while pending:
            mask = pending.pop()
            if mask.kind == "and" or (mask.kind == "sext" and mask.args[0].width == 1):
                pending += mask.args
            elif mask.width == 1:
                found.append((mask, True))
        return found

    def _chosen_if(self, load: Op) -> list[tuple[Op, bool]]:
        """Give the conditions of the multiplexers that a value goes through, if nothing else."""
        found: list[tuple[Op, bool]] = []
        op = load
        while len(users := self._users.get(op, [])) == 1 and op not in self._kept:
            mux = users[0]
            if mux.kind != "mux" or mux.args[0] is op or mux.args[1] is mux.args[2]:
                break
            found.append((mux.args[0], mux.args[1] is op))
            op = mux
        return found

    def least(self, first: Op, second: Op, at_least: int) -> int | None:
        """Give the least distance at which two indices may be equal.

        Parameters
        ----------
        first, second : Op
            Indices of one width, the second as many iterations later as the result says.
        at_least : int
            Smallest distance that counts: 0 or 1.

        Returns
        -------
        int or None
            None if they never are.
        """
        one, two = self._form(first, first.width), self._form(second, second.width)
        if one is not None and two is not None:
            return self._meet(one, two, at_least)
        if first.kind == second.kind and first.kind in ("zext", "sext"):
            if first.args[0].width == second.args[0].width:
                return self.least(first.args[0], second.args[0], at_least)
        elif _same_parts(first, second):
            return self._by_parts(first, second, at_least)
        return at_least

    def _by_parts(self, first: Op, second: Op, at_least: int) -> int | None:
        """Compare concatenations part by part: all must be equal at once."""
        found = at_least
        for one, two in zip(first.args, second.args, strict=True):
            distance = self.least(one, two, at_least)
            if distance is None:
                return None
            found = max(found, distance)
        return found

    def _meet(self, first: _Form, second: _Form, at_least: int) -> int | None:
        if first.invariants != second.invariants:
            return self._by_divisor(first, second, at_least)
        if self.trips is not None:
            return _earliest(self._values(first), self._values(second), at_least)
        if first.run is not None or second.run is not None:
            return at_least
        size = 1 << first.width
        if first.step != second.step:
            return self._by_divisor(first, second, at_least)
        return _solve(first.step, (first.constant - second.constant) % size, size, at_least)

    def _by_divisor(self, first: _Form, second: _Form, at_least: int) -> int | None:
        """Tell indices apart by what divides all that they are made of."""
        if first.run is not None or second.run is not None:
            return at_least
        parts = [first.step, second.step, 1 << first.width]
        counts = set(first.invariants) | set(second.invariants)
        parts += [first.invariants.get(op, 0) - second.invariants.get(op, 0) for op in counts]
        return None if (first.constant - second.constant) % math.gcd(*parts) else at_least

    def _values(self, form: _Form) -> list[int]:
        assert self.trips is not None
        run = form.run or [0] * self.trips
        size = 1 << form.width
        return [(form.constant + form.step * i + run[i]) % size for i in range(self.trips)]

    # Indices as forms.

    def _form(self, op: Op, width: int) -> _Form | None:
        """Give the low bits of a value as a form; None if it has none."""
        key = (op, width)
        if key not in self._forms:
            self._forms[key] = None  # what depends on itself, other than by counting, has none
            form = self._new_form(op, width)
            if form is None and self.calls:
                form = _Form(width, invariants={op: 1})
            self._forms[key] = form
        return self._forms[key]

    def _new_form(self, op: Op, width: int) -> _Form | None:
        result = _Form(width)
        if op.kind == "const":
            result.constant = op.attr % (1 << width)
        elif op not in self.inside:
            if self.last is not None:
                return None
            result.invariants[op] = 1
        elif op in self.runs:
            result.run = [value % (1 << width) for value in self.runs[op]]
        elif op.kind == "phi":
            return self._counter(op, width)
        elif op.kind in ("add", "sub"):
            sign = 1 if op.kind == "add" else -1
            return self._sum(width, [(op.args[0], 1), (op.args[1], sign)])
        elif op.kind == "mul" and op.args[1].kind == "const":
            return self._sum(width, [(op.args[0], op.args[1].attr)])
        elif op.kind == "slice":
            return self._upper(op, width)
        elif op.kind == "concat":
            return self._shifted(op, width)
        elif op.kind in ("zext", "sext") and op.args[0].width >= width:
            return self._form(op.args[0], width)
        else:
            return None
        return result

    def _sum(self, width: int, terms: Iterable[tuple[Op, int]]) -> _Form | None:
        result = _Form(width)
        for arg, factor in terms:
            form = self._form(arg, width)
            if form is None:
                return None
            result.add(form, factor)
        return result

    def _upper(self, op: Op, width: int) -> _Form | None:
        """Drop low bits that only the invariant part has: nothing is carried out of them."""
        low: int = op.attr
        form = self._form(op.args[0], low + width)
        if form is None or low == 0:
            return form
        part = (1 << low) - 1
        if form.step & part or any(value & part for value in form.run or ()):
            return None
        run = None if form.run is None else [value >> low for value in form.run]
        result = _Form(width, form.constant >> low, form.step >> low, run)
        if any(count & part for count in form.invariants.values()):
            rest = (low, form.constant & part, frozenset(form.invariants.items()))
            result.invariants[rest] = 1
        else:
            result.invariants = {k: count >> low for k, count in form.invariants.items()}
        return result

    def _shifted(self, op: Op, width: int) -> _Form | None:
        """Take apart a value above constant bits: it counts in steps."""
        if len(op.args) != 2 or op.args[1].kind != "const":
            return None
        low = op.args[1].width
        result = _Form(width, op.args[1].attr % (1 << width))
        if width > low:
            form = self._form(op.args[0], width - low)
            if form is None:
                return None
            wide = _Form(width, form.constant, form.step, form.run, dict(form.invariants))
            result.add(wide, 1 << low)
        return result

    def _counter(self, phi: Op, width: int) -> _Form | None:
        """Give the form of a phi that steps by a constant."""
        at = phi.attr.index(self.block)
        if len(phi.args) != 2:
            return None
        step = self._step(phi.args[at], phi, width)
        if step is None:
            return None
        start = phi.args[1 - at]
        result = _Form(width, step=step % (1 << width))
        if start.kind == "const":
            result.constant = start.attr % (1 << width)
        else:
            result.invariants[start] = 1
        return result

    def _step(self, op: Op, phi: Op, width: int) -> int | None:
        """Give what is added to a phi in an iteration, modulo the width."""
        if op is phi:
            return 0
        if op.kind in ("add", "sub") and op.args[1].kind == "const" and op in self.inside:
            inner = self._step(op.args[0], phi, width)
            sign = 1 if op.kind == "add" else -1
            return None if inner is None else inner + sign * op.args[1].attr
        low = op.kind == "slice" and op.attr == 0 and op.width >= width
        if low or (op.kind in ("zext", "sext") and op.args[0].width >= width):
            return self._step(op.args[0], phi, width)
        return None

    # What can be run on numbers.

    def _enumerate(self) -> None:
        """Run all that follows from counters with constant starts, if the test does too."""
        known = self._closed()
        test, goes_on = cfg.loop_condition(self.block)
        if self.last is not None:
            test, goes_on = self.last, False
        # All calls of a rewound loop are alike on numbers, but for what the first one begins with.
        calls = 1 if self.last is None else 3
        if test is None or not known or (test not in known and test.kind != "const"):
            return
        order = [op for op in self.block.ops if op in known and op.kind != "phi"]
        phis = [op for op in self.block.phis() if op in known]
        wanted = self._index_parts(known)
        limit = min(calls * _MAX_TRIPS, _MAX_WORK // max(1, len(order)))
        values: dict[Op, int] = {}
        for phi in phis:
            values[phi] = next(
                a.attr for a, s in zip(phi.args, phi.attr, strict=True) if s is not self.block
            )
        runs: dict[Op, list[int]] = {op: [] for op in wanted}
        for trips in range(1, limit + 1):
            for op in order:
                args = [a.attr if a.kind == "const" else values[a] for a in op.args]
                values[op] = evaluate(op.kind, op.width, args, [a.width for a in op.args], op.attr)
            for op, run in runs.items():
                run.append(values[op])
            if bool(test.attr if test.kind == "const" else values[test]) != goes_on:
                self.period = self.period or trips
                calls -= 1
                if not calls:
                    self.trips, self.runs = trips, runs
                    return
            backs = [phi.args[phi.attr.index(self.block)] for phi in phis]
            following = [b.attr if b.kind == "const" else values[b] for b in backs]
            values.update(zip(phis, following, strict=True))

    def _closed(self) -> set[Op]:
        """Give the operations that depend on nothing but phis with constant starts."""
        known: set[Op] = set()
        for phi in self.block.phis():
            starts = [a for a, s in zip(phi.args, phi.attr, strict=True) if s is not self.block]
            if len(starts) == 1 and starts[0].kind == "const":
                known.add(phi)
        changed = True
        while changed:
            changed = False
            inside = {op for op in self.block.ops if op.kind == "phi" and op in known}
            for op in self.block.ops:
                if op.kind in _UNKNOWN or not op.width:
                    continue
                if all(arg.kind == "const" or arg in inside for arg in op.args):
                    inside.add(op)
            for phi in list(self.block.phis()):
                if phi in known:
                    back = phi.args[phi.attr.index(self.block)]
                    if back.kind != "const" and back not in inside:
                        known.discard(phi)
                        changed = True
            if not changed:
                known = inside
        return known

    def _index_parts(self, known: set[Op]) -> set[Op]:
        """Give the known operations that indices are made of."""
        result: set[Op] = set()
        pending = [op.args[0] for op in self.block.ops if op.kind in ("load", "store")]
        seen: set[Op] = set()
        while pending:
            op = pending.pop()
            if op in seen or op not in self.inside:
                continue
            seen.add(op)
            if op in known:
                result.add(op)
            # Parts of known ones are asked for, too: zext and concat are compared part by part.
            pending += op.args if op.kind != "phi" else []
        for op in self.block.ops:
            if op.kind in ("load", "store"):
                result.update(item for item, _ in self.conditions(op) if item in known)
        return result


def _same_parts(first: Op, second: Op) -> bool:
    return first.kind == second.kind == "concat" and [a.width for a in first.args] == [
        a.width for a in second.args
    ]


def _earliest(
    first: Sequence[int | None], second: Sequence[int | None], at_least: int
) -> int | None:
    """Give the least distance at which a later element of the second equals one of the first."""
    last: dict[int | None, int] = {}
    best: int | None = None
    for index, value in enumerate(second):
        if index >= at_least:
            last[first[index - at_least]] = index - at_least
        if value is not None and value in last:
            distance = index - last[value]
            best = distance if best is None else min(best, distance)
    return best


def _solve(step: int, gap: int, size: int, at_least: int) -> int | None:
    """Give the least d with `step * d == gap` modulo a power of two."""
    divisor = math.gcd(step, size)
    if gap % divisor:
        return None
    period = size // divisor
    if period == 1:
        return at_least
    least = gap // divisor * pow(step // divisor, -1, period) % period
    return least if least >= at_least else least + period
