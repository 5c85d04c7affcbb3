# SPDX-License-Identifier: Apache-2.0
"""The independent check of shared registers: whatever reads a value finds it, on every path.

It knows nothing of liveness, by which `registers` shares them. It goes forward through the states
with one bit for each value and one-word memory: whether its register holds it for certain. A write
into a register takes the bits of all others that live there; at a join, only what holds on all ways
in holds. A copy within one register is no write, and holds if what is copied does. A register that
moves whatever the state (`Binding.idle`) holds what its loop brings to its next turn, and else what
a state has just written.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from lydite.hls.bind.binding import Binding, Register, State, within
from lydite.hls.ir.graph import Block, Memory, Op, Owner, full_store, is_word
from lydite.hls.schedule.problem import WAITING


def verify(binding: Binding) -> None:
    """Check the registers of a function.

    Raises
    ------
    AssertionError
        A register does not hold what a state reads, or gets two values at once; the message names
        function, state and value.
    """
    contents = _Contents(binding)
    held = contents.solve()
    for state in binding.states:
        for owner in contents.reads(state):
            assert held[state] >> contents.number[owner] & 1, (
                f"{binding.function.name} {state.name}: {_name(owner)} is read, and its register "
                "may hold something else"
            )
        contents.check_burst(state)


def _name(owner: Owner) -> str:
    return f"word {owner.name}" if isinstance(owner, Memory) else f"{owner}"


class _Contents:
    """What registers hold: sets of owners are bits of an integer."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.storage = binding.storage
        self.number = {owner: index for index, owner in enumerate(self.storage)}
        self.kept = set(binding.registers)
        self.mask: dict[Register, int] = {}
        for owner, register in self.storage.items():
            same = owner.width == register.width and owner in register.owners
            assert same, f"{binding.function.name}: {_name(owner)} does not fit its register"
            self.mask[register] = self.mask.get(register, 0) | 1 << self.number[owner]
        for register in self.mask:
            words = [owner for owner in register.owners if isinstance(owner, Memory)]
            assert len(words) < 2, f"{binding.function.name}: {_name(words[0])} shares with another"
        self.loops = {register: loop for loop, own in binding.idle.items() for register in own}
        self._seen: set[State] = set()
        self.internal = binding.internal
        self.made_in: dict[State, list[Op]] = {}
        for op in binding.registers:
            self.made_in.setdefault(binding.home[op], []).append(op)

    def _bit(self, owner: Owner) -> int:
        return 1 << self.number[owner]

    # What a state reads.

    def reads(self, state: State) -> Iterator[Owner]:
        """Walk the values and words that a state reads from registers."""
        for one in within(state):
            for op in one.ops:
                yield from self._read_by(op, one)
        yield from self._read_at_end(state)

    def _read_by(self, op: Op, state: State) -> Iterator[Owner]:
        if op.kind == "load" and is_word(op.attr):
            yield op.attr
        for arg in op.args:
            yield from self._registers_of(arg, state)

    def _read_at_end(self, state: State) -> Iterator[Owner]:
        if state.last:
            if state.block.arg is not None:
                yield from self._registers_of(state.block.arg, state)
            for target in state.block.targets:
                for value in self._given(state.block, target):
                    yield from self._registers_of(value, state)

    def _given(self, block: Block, target: Block) -> Iterator[Op]:
        """Walk what a block hands to the next one, or returns where that has no state."""
        for phi in target.phis():
            yield phi.args[phi.attr.index(block)]
        if target in self.binding.exits and target.arg is not None and target.arg not in target.ops:
            yield target.arg

    def _registers_of(self, value: Op, state: State) -> Iterator[Owner]:
        if value.kind == "const" or value in self.internal:
            return
        home = self.binding.home.get(value)
        if value.kind == "param" and state is self.binding.starts:
            return
        if value in self.storage and (home is not state or value.kind in WAITING):
            yield value
        elif value.kind == "param":
            raise AssertionError(
                f"{self.binding.function.name} {state.name}: {value} is read, which is not kept"
            )
        elif home is not state or value in self.binding.stable:
            for arg in value.args:
                yield from self._registers_of(arg, state)

    def check_burst(self, state: State) -> None:
        """Check that nothing reads a register that has taken a result of a burst."""
        end = max((state.until, *(state.turns.values())))
        for made, turn in state.turns.items():
            register = self.storage.get(made)
            came = turn + made.attr.latency
            readers = [op for op in state.ops if state.turns.get(op, end + 1) > came]
            read = [owner for op in readers for owner in self._read_by(op, state)]
            for owner in (*read, *self._read_at_end(state)):
                assert self.storage[owner] is not register, (
                    f"{self.binding.function.name} {state.name}: {_name(owner)} is read, and its "
                    f"register has {made} by then"
                )

    # What a state writes.

    def _source(self, value: Op, state: State) -> Owner | None:
        """Give what a copied value is read from, if that is a register as it stands."""
        home = self.binding.home.get(value)
        if value.kind == "param" and state is self.binding.starts:
            return None
        if value.kind == "load" and is_word(value.attr) and home is state:
            return value.attr  # type: ignore[no-any-return]
        if value in self.storage and (home is not state or value.kind in WAITING):
            return value
        return None

    def _always(self, state: State, before: int) -> tuple[int, dict[Register, Op]]:
        """Give what registers hold after the writes that a state makes on all ways."""
        after, written = before, dict[Register, Op]()

        def write(owner: Owner, value: Op) -> None:
            nonlocal after
            register = self.storage[owner]
            other = written.get(register)
            assert other in (None, value), (
                f"{self.binding.function.name} {state.name}: {_name(owner)} and another value are "
                "written into one register at once"
            )
            if other is None:
                after &= ~self.mask[register]
            written[register] = value
            after |= self._bit(owner)

        if state.pipe is not None:
            for op in (op for one in within(state) for op in one.ops):
                if op.kind == "store" and is_word(op.attr):
                    # At one time or other, if at all.
                    kept = before & self._bit(op.attr)
                    after = (after & ~self.mask[self.storage[op.attr]]) | kept
        if state is self.binding.starts:
            for param in self.binding.function.params:
                if param in self.storage:
                    write(param, param)
        copies: list[tuple[Owner, Owner]] = []
        for op in self.made_in.get(state, ()):
            source = self._source(op, state) if op.kind not in WAITING else None
            if source is not None and self.storage[source] is self.storage[op]:
                copies.append((op, source))
            else:
                write(op, op)
        for op in state.ops:
            if op.kind != "store" or not is_word(op.attr):
                continue
            source = self._source(op.args[1], state)
            if not full_store(op):
                kept = before & self._bit(op.attr)
                write(op.attr, op)
                after &= ~self._bit(op.attr) | kept
            elif source is not None and self.storage[source] is self.storage[op.attr]:
                copies.append((op.attr, source))
            else:
                write(op.attr, op.args[1])
        for owner, source in copies:
            if self.storage[owner] not in written and before & self._bit(source):
                after |= self._bit(owner)
        for register, loop in self.loops.items():
            if loop is not state and register not in written:
                after &= ~self.mask[register]
        return after, written

    def _on_edge(
        self, state: State, target: Block, before: int, after: int, written: dict[Register, Op]
    ) -> int:
        """Give what registers hold on an edge, where phis get their values last."""
        here: dict[Register, Op] = {}
        result = after
        copies: list[tuple[Op, Owner]] = []
        for phi in target.phis():
            value = phi.args[phi.attr.index(state.block)]
            register = self.storage[phi]
            source = self._source(value, state)
            if source is not None and self.storage[source] is register:
                copies.append((phi, source))
                continue
            assert here.get(register, value) is value, (
                f"{self.binding.function.name} {state.name}: {phi} and another phi are written "
                "into one register at once"
            )
            if register not in here and written.get(register) is not value:
                result &= ~self.mask[register]
            here[register] = value
            result |= self._bit(phi)
        for phi, source in copies:
            register = self.storage[phi]
            if register not in here and register not in written and before & self._bit(source):
                result |= self._bit(phi)
        for register, loop in self.loops.items():
            stays = state is loop and target is loop.block
            if not stays and register not in here and register not in written:
                result &= ~self.mask[register]
        return result

    # All states.

    def solve(self) -> dict[State, int]:
        """Give what registers hold when each state begins."""
        binding = self.binding
        function = binding.function
        everything = (1 << len(self.number)) - 1
        held = dict.fromkeys(binding.states, everything)
        idle = 0
        for owner in self.storage:
            idle |= self._bit(owner) if isinstance(owner, Memory) else 0
        entry = binding.first[function.blocks[0]]
        following = dict(zip(binding.states, binding.states[1:], strict=False))
        order = {state: index for index, state in enumerate(binding.states)}
        pending = [order[entry]]
        held[entry] &= self._start(idle)
        queued = {entry}
        while pending:
            state = binding.states[heapq.heappop(pending)]
            queued.discard(state)
            after, written = self._always(state, held[state])
            ways: list[tuple[State, int]] = []
            if not state.last:
                ways.append((following[state], after))
            else:
                targets = dict.fromkeys(state.block.targets)
                for target in targets:
                    if target not in binding.exits:
                        holds = self._on_edge(state, target, held[state], after, written)
                        ways.append((binding.first[target], holds))
                ends = not targets or any(target in binding.exits for target in targets)
                if ends and idle & ~after:
                    idle &= after
                    ways.append((entry, self._start(idle)))
            for to, holds in ways:
                first_time = to not in self._seen
                self._seen.add(to)
                if first_time or held[to] & ~holds:
                    held[to] &= holds
                    if to not in queued:
                        queued.add(to)
                        heapq.heappush(pending, order[to])
        return held

    def _start(self, idle: int) -> int:
        """Give what registers hold when a call begins: its arguments, and what was kept."""
        if self.binding.starts is not None:
            return idle
        taken: set[Register] = set()
        for param in self.binding.function.params:
            register = self.storage[param]
            assert register not in taken, f"{self.binding.function.name}: two arguments in one"
            taken.add(register)
            idle = (idle & ~self.mask[register]) | self._bit(param)
        return idle
