# SPDX-License-Identifier: Apache-2.0
"""How large values of unoptimised LLVM IR may be, as far as is seen at once.

For indices: a constant, a masked or narrow value, the counter of a loop inside its test, and sums
and products of these. Where nothing is seen, nothing is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Code:
    """An instruction: its result, or an empty name; operation; operands; names among them."""

    result: str
    op: str
    rest: str
    names: list[str]


@dataclass(slots=True)
class Bounds:
    """Upper bounds in one function.

    Parameters
    ----------
    blocks : mapping
        Instructions by label, in order.
    slots : set of str
        Variables of one number, of which nobody takes the address.
    """

    blocks: Mapping[str, Sequence[Code]]
    slots: set[str]
    _made: dict[str, Code] = field(default_factory=dict)
    _loads: dict[str, int] = field(default_factory=dict)
    _starts: dict[str, int] = field(default_factory=dict)
    _strides: set[str] = field(default_factory=set)
    _steady: set[str] = field(default_factory=set)
    _known: dict[str, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._made = {c.result: c for block in self.blocks.values() for c in block if c.result}
        self._steady = self._counters()
        self._flow(self._steady)

    def of(self, value: str, depth: int = 0) -> int | None:
        """Give the largest number that a value may be; None: not seen, or it may be negative."""
        if re.fullmatch(r"\d+", value):
            return int(value)
        code = self._made.get(value)
        if code is None or depth > _DEEPEST:
            return None
        if code.op == "load":
            return self._loads.get(value)
        found = _OPERANDS.match(code.rest)
        if found is None:
            return None
        width = int(found[1])
        if code.op == "sub" and self._low(found[2]) < (self.of(found[3] or "") or 0):
            return None
        first = self.of(found[2], depth + 1)
        second = self.of(found[3], depth + 1) if found[3] else None
        result = _combined(code.op, width, first, second)
        return result if result is not None and result < 1 << 31 else None

    def _low(self, value: str) -> int:
        """Give the smallest number that a value that is not negative may be."""
        if re.fullmatch(r"\d+", value):
            return int(value)
        code = self._made.get(value)
        if code is None or code.op != "load":
            return 0
        return self._starts.get(code.names[-1], 0)

    def fills(self) -> dict[tuple[str, str], list[str]]:
        """Give the addresses, `getelementptr`, that a loop writes for every index from 0.

        By the edge that leaves the loop, as block and label: `for (i = 0; i < n; i++) a[i] = ...`,
        with the store in the first block of the body, and the indices bounded by n.
        """
        result: dict[tuple[str, str], list[str]] = {}
        for name, block in self.blocks.items():
            tested = self._test(block)
            if tested is None or self._starts.get(tested[0], 1) or tested[0] in self._strides:
                continue
            body, leave = successors(block[-1])
            fresh = [k.get(tested[0]) for k in self._arrivals(name)]
            if 0 not in fresh or len(fresh) != 2 or not self.blocks.get(body):
                continue
            counted = {
                c.result for c in self.blocks[body] if c.op == "load" and c.names == [tested[0]]
            }
            counted |= {
                c.result
                for c in self.blocks[body]
                if c.op in ("sext", "zext") and c.names[:1] and c.names[0] in counted
            }
            result[name, leave] = [
                c.names[-1]
                for c in self.blocks[body]
                if c.op == "store" and self._indexed(c.names[-1], counted, tested[1])
            ]
        return result

    def _indexed(self, address: str, counted: set[str], most: int) -> bool:
        """Whether an address is `a[i]` of an array that has as many words as `i` has values."""
        code = self._made.get(address)
        if code is None:
            return False
        found = re.search(r"\[(\d+) x i\d+\], ptr \S+, i64 0, i64 (\S+)$", code.rest)
        return found is not None and found[2] in counted and int(found[1]) == most + 1

    def _arrivals(self, name: str) -> list[dict[str, int]]:
        """Give what is known on each way into a block."""
        return [
            facts
            for source, known in self._known.items()
            for target, facts in self._edges(
                source, self._through(source, dict(known), self._steady), self._steady
            )
            if target == name
        ]

    def _counters(self) -> set[str]:
        """Give the variables that only get constants, and themselves and a constant more."""
        good = set(self.slots)
        for block in self.blocks.values():
            for code in block:
                slot = code.names[-1] if code.names else ""
                if code.op == "store" and slot in good:
                    found = re.match(r"i\d+ ([^,\s]+), ptr", code.rest)
                    if found is None or not self._steps(found[1], slot):
                        good.discard(slot)
                    elif found[1].isdecimal():
                        start = int(found[1])
                        self._starts[slot] = min(start, self._starts.get(slot, start))
        return good

    def _steps(self, value: str, slot: str) -> bool:
        if re.fullmatch(r"\d+", value):
            return True
        code = self._made.get(value)
        found = _OPERANDS.match(code.rest) if code is not None and code.op == "add" else None
        if found is None or not re.fullmatch(r"\d+", found[3] or ""):
            return False
        load = self._made.get(found[2])
        if found[3] != "1":
            self._strides.add(slot)
        return load is not None and load.op == "load" and load.names[-1:] == [slot]

    def _flow(self, counters: set[str]) -> None:
        """Carry what tests say of counters to where they are read."""
        first = next((name for name, block in self.blocks.items() if block), "")
        known: dict[str, dict[str, int]] = {first: {}}
        visits: dict[str, int] = {}
        ways = Counter(
            t for block in self.blocks.values() for c in block[-1:] for t in successors(c)
        )
        pending = [first]
        while pending:
            name = pending.pop()
            state = self._through(name, dict(known[name]), counters)
            for target, facts in self._edges(name, state, counters):
                old = known.get(target)
                new = facts
                if old is not None:
                    new = {s: max(b, facts[s]) for s, b in old.items() if s in facts}
                    if ways[target] > 1 and visits.get(target, 0) > _ROUNDS:
                        new = {s: b for s, b in new.items() if b == old[s]}
                if new != old:
                    known[target] = new
                    visits[target] = visits.get(target, 0) + 1
                    pending.append(target)
        self._known = known
        self._loads.clear()
        for name, facts in known.items():
            self._through(name, dict(facts), counters)

    def _through(self, name: str, state: dict[str, int], counters: set[str]) -> dict[str, int]:
        for code in self.blocks[name]:
            slot = code.names[-1] if code.names else ""
            if code.op == "load" and slot in state:
                self._loads[code.result] = state[slot]
            elif code.op == "load":
                self._loads.pop(code.result, None)
            elif code.op == "store" and slot in counters:
                found = re.match(r"i\d+ ([^,\s]+), ptr", code.rest)
                bound = self.of(found[1]) if found else None
                state.pop(slot, None)
                if bound is not None:
                    state[slot] = bound
        return state

    def _edges(
        self, name: str, state: dict[str, int], counters: set[str]
    ) -> list[tuple[str, dict[str, int]]]:
        """Give where a block goes, and what is known there."""
        if not self.blocks[name]:
            return []
        edges = [(target, dict(state)) for target in successors(self.blocks[name][-1])]
        tested = self._test(self.blocks[name])
        if tested is not None and tested[0] in counters:
            slot, most = tested
            edges[0][1][slot] = min(most, state.get(slot, most))
        return edges

    def _test(self, block: Sequence[Code]) -> tuple[str, int] | None:
        """Give the variable that a block tests, and the most that it is where the test holds."""
        if not block or block[-1].op != "br" or len(successors(block[-1])) != 2:
            return None
        test = self._made.get(block[-1].names[0])
        found = _TEST.match(test.rest) if test is not None and test.op == "icmp" else None
        load = self._made.get(found[2]) if found else None
        if found is None or load is None or load.op != "load" or load not in block:
            return None
        slot = load.names[-1]
        if any(c.op == "store" and c.names[-1:] == [slot] for c in block):
            return None
        return slot, int(found[3]) - (found[1][1:] == "lt")


_DEEPEST = 8
# Rounds after which a bound that still grows is given up.
_ROUNDS = 4
_OPERANDS = re.compile(
    r"(?:(?:nuw|nsw|nneg|exact|disjoint) )*i(\d+) ([^,\s]+)(?:, ([^,\s]+)| to i\d+)?$"
)
_TEST = re.compile(r"([su]l[te]) i\d+ (%[^,\s]+), (\d+)$")


def successors(code: Code) -> list[str]:
    """Give the labels that a branch may go to, without their percent sign."""
    if code.op not in ("br", "switch"):
        return []
    return [name.strip('"') for name in re.findall(r'label %("[^"]*"|[\w.$-]+)', code.rest)]


def _combined(op: str, width: int, first: int | None, second: int | None) -> int | None:
    """Give the largest result of an operation on values up to `first` and `second`."""
    whole = (1 << width) - 1
    if op == "zext":
        return whole if first is None else first
    if op in ("sext", "trunc"):
        return first if op == "trunc" or (first is not None and first <= whole >> 1) else None
    if op == "and" and (first is not None or second is not None):
        return min(bound for bound in (first, second) if bound is not None)
    if op == "urem" and second:
        return second - 1
    if op == "lshr" and second is not None:
        return (whole if first is None else first) >> second
    if first is None or second is None:
        return None
    if op == "sub":
        return first
    if op == "srem":
        return min(first, max(0, second - 1))
    if op in ("or", "xor"):
        return (1 << max(first, second).bit_length()) - 1
    return {"add": first + second, "mul": first * second, "sdiv": first, "udiv": first}.get(
        op, first << second if op == "shl" and second < 32 else None
    )
