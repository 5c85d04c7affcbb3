# SPDX-License-Identifier: Apache-2.0
"""Lets values and one-word memories share registers where copies join them: coalescing.

A phi takes another value on each edge, a store copies a value into a word, a load copies it back:
each needs two registers and the wires between unless both are one. Two may be one if neither is
written while the other is still to be read, or if that writing is the copy itself (Chaitin et al.,
"Register allocation via coloring", 1981). Time is counted in states; between two calls, in the idle
state, memories hold their contents and nothing else is alive.

Values that no copy joins never share: flip-flops cost less than the multiplexers before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lydite.hls.bind.binding import Binding, Pipe, Register, State
from lydite.hls.ir import cfg
from lydite.hls.ir.graph import STREAMING, Block, Memory, Op, Owner, full_store, is_word
from lydite.hls.schedule.problem import edge_values

# How much more a copy in a loop counts than one outside.
_LOOP_WEIGHT = 8
_IDLE = 0
# Bits of registers from which on it is worth something that no wire need tell them when to move.
_MANY = 1024


def assign(binding: Binding) -> dict[Owner, Register]:
    """Give the register of each argument, phi, kept value and one-word memory of a function."""
    flow = _Flow(binding)
    clashes = _clashes(flow)
    owners = flow.owners
    group = list(range(len(owners)))
    members = [1 << number for number in group]

    def root(number: int) -> int:
        while group[number] != number:
            group[number] = group[group[number]]
            number = group[number]
        return number

    for first, second in _copies(flow):
        into, other = sorted((root(first), root(second)))
        if into == other or owners[first].width != owners[second].width:
            continue
        if clashes[into] & members[other] or clashes[other] & members[into]:
            continue
        group[other] = into
        members[into] |= members[other]
        clashes[into] |= clashes[other]
    registers: dict[int, Register] = {}
    # A pipelined loop writes its phis at times of its own: they share with nothing.
    result: dict[Owner, Register] = {
        phi: Register(phi.width, [phi]) for block in binding.pipes for phi in block.phis()
    }
    for number, owner in enumerate(owners):
        register = registers.setdefault(root(number), Register(owner.width))
        register.owners.append(owner)
        result[owner] = register
    return result


def idle(binding: Binding) -> dict[State, frozenset[Register]]:
    """Give the registers that loops of one state have for themselves, where they are many."""
    loops = [state for state in binding.states if _is_loop(binding, state)]
    loops = [state for state in loops if sum(phi.width for phi in state.block.phis()) >= _MANY]
    if not loops:
        return {}
    flow = _Flow(binding)
    found = {state: frozenset(_only_here(flow, state)) for state in loops}
    return {
        state: registers
        for state, registers in found.items()
        if sum(register.width for register in registers) >= _MANY
    }


def _is_loop(binding: Binding, state: State) -> bool:
    """Whether a state is all of a loop, a cycle a turn."""
    waits = bool(state.waits_for) or any(op.kind in STREAMING for op in state.ops)
    alone = state.pipe is None and state is not binding.starts and state.last
    alone &= binding.first.get(state.block) is state
    return alone and not waits and state.block in state.block.targets


def _only_here(flow: _Flow, state: State) -> Iterator[Register]:
    """Walk the registers that bring values from turn to turn of a loop, and nothing else."""
    own = flow.state_number[state]
    elsewhere = flow.written[own]
    for number, alive in enumerate(flow.live_in):
        elsewhere |= alive if number != own else 0
    for phi in state.block.phis():
        register = flow.binding.storage[phi]
        if register.memory is None and not elsewhere & flow.set_of(register.owners):
            yield register


class _Flow:
    """The states as a graph, with what each reads and writes of the registers.

    States are numbered from 1 on, the idle one is 0; sets of owners are bits of an integer.
    """

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        function = binding.function
        words = {
            op.attr: None
            for op in function.ops()
            if op.kind in ("load", "store") and is_word(op.attr)
        }
        self.internal = binding.internal
        self.params = [param for param in function.params if param in binding.kept_params]
        self.without = {*binding.pipes, *binding.exits}
        phis = [phi for b in function.blocks if b not in self.without for phi in b.phis()]
        self.owners: list[Owner] = [*words, *self.params, *phis, *binding.registers]
        self.number = {owner: index for index, owner in enumerate(self.owners)}
        self.kept = set(binding.registers)
        self.words = self.set_of(words)
        self.state_number = {state: index for index, state in enumerate(binding.states, 1)}
        self.first = {block: self.state_number[state] for block, state in binding.first.items()}
        count = len(binding.states) + 1
        self.reads = [0] * count
        self.writes: list[list[Owner]] = [[] for _ in range(count)]
        self._stable_sources: dict[Op, int] = {}
        self._read_and_write()
        # On all ways out of a state.
        self.written = [self.set_of(owners) for owners in self.writes]
        self.live_in = self._liveness()

    def set_of(self, owners: Iterable[Owner]) -> int:
        """Give owners as a set."""
        result = 0
        for owner in owners:
            result |= 1 << self.number[owner]
        return result

    def phis(self, block: Block) -> int:
        """Give the phis of a block as a set."""
        return 0 if block in self.without else self.set_of(block.phis())

    def sources(self, value: Op, state: State) -> int:
        """Give the registers that a value's text names where a state reads it."""
        if value in self.internal:
            return 0
        own = self.number.get(value)
        binding = self.binding
        if own is not None and self._in_register(value, state):
            return 1 << own
        if value.kind == "const":
            return 0
        if value in binding.stable:
            if value not in self._stable_sources:
                found = 0
                for arg in value.args:
                    found |= self.sources(arg, state)
                self._stable_sources[value] = found
            return self._stable_sources[value]
        if binding.home[value] is state:
            return 0
        result = 0
        for arg in value.args:
            result |= self.sources(arg, state)
        return result

    def _in_register(self, value: Op, state: State) -> bool:
        if value.kind in ("param", "phi"):
            return value.kind == "phi" or state is not self.binding.starts
        return value.kind in ("call", "divmod") or self.binding.home[value] is not state

    def whole(self, value: Op, state: State) -> int | None:
        """Give the register that holds just this value at the end of a state, or gets it then."""
        if value in self.internal:
            return None
        own = self.number.get(value)
        if own is None and value.kind == "load" and is_word(value.attr):
            # Only on its wire: a copy of the word, unless the word changes in the same state.
            return None if _stores_to(state, value.attr) else self.number[value.attr]
        return own

    def read_behind(self, state: State, cycle: int) -> int:
        """Give the registers that a state reads later than in one of its cycles.

        All that is no call of a burst reads until the state ends.
        """
        result = self._read_at_end(state)
        for op in state.ops:
            if op not in state.turns or state.turns[op] > cycle:
                result |= self._read_by(op, state)
        return result

    def _read_by(self, op: Op, state: State) -> int:
        """Give the registers that an operation of a state reads."""
        result = 0
        for arg in op.args:
            result |= self.sources(arg, state)
        if op.kind == "load" and is_word(op.attr):
            result |= 1 << self.number[op.attr]
        return result

    def _read_at_end(self, state: State) -> int:
        """Give the registers that the end of a block reads, if a state is its last one."""
        result, block = 0, state.block
        if state.last and block.arg is not None:
            result |= self.sources(block.arg, state)
        for value in edge_values(block) if state.last else ():
            result |= self.sources(value, state)
        return result

    def _read_and_write(self) -> None:
        binding = self.binding
        for state, number in self.state_number.items():
            if state.pipe is not None:
                self._read_in_pipeline(state.pipe, number)
            for op in state.ops:
                self.reads[number] |= self._read_by(op, state)
                if op.kind == "store" and is_word(op.attr):
                    self.writes[number].append(op.attr)
            self.reads[number] |= self._read_at_end(state)
        for op in binding.registers:
            self.writes[self.state_number[binding.home[op]]].append(op)
        starts = _IDLE if binding.starts is None else self.state_number[binding.starts]
        self.writes[starts] += self.params

    def _read_in_pipeline(self, pipe: Pipe, number: int) -> None:
        """Enter what a pipelined loop reads and writes, at whatever time: words live through it."""
        for state in pipe.times:
            for op in state.ops:
                for arg in op.args:
                    self.reads[number] |= self.sources(arg, state)
                if op.kind in ("load", "store") and is_word(op.attr):
                    self.reads[number] |= 1 << self.number[op.attr]
                    if op.kind == "store":
                        self.writes[number].append(op.attr)

    def leaving(self, number: int) -> list[int]:
        """Give, for each way out of a state, the set of what is alive on it."""
        return [self.live_in[to] & ~made for to, made in self._ways[number]]

    def _liveness(self) -> list[int]:
        binding = self.binding
        entry = binding.function.blocks[0]
        self._ways: list[list[tuple[int, int]]] = [[(_IDLE, 0), (self.first[entry], 0)]]
        for state, number in self.state_number.items():
            if not state.last:
                self._ways.append([(number + 1, 0)])
            elif state.block.end == "ret":
                self._ways.append([(_IDLE, 0)])
            else:
                targets = dict.fromkeys(state.block.targets)
                self._ways.append([(self.first.get(t, _IDLE), self.phis(t)) for t in targets])
        partial = self._partial_stores()
        count = len(self._ways)
        self.live_in = [0] * count
        changed = True
        while changed:
            changed = False
            for number in range(count - 1, -1, -1):
                out = 0
                for way in self.leaving(number):
                    out |= way
                now = self.reads[number] | (out & ~(self.written[number] & ~partial[number]))
                if now != self.live_in[number]:
                    self.live_in[number] = now
                    changed = True
        return self.live_in

    def _partial_stores(self) -> list[int]:
        """Give, for each state, the words that some bits may survive in."""
        result = [0] * (len(self.state_number) + 1)
        for state, number in self.state_number.items():
            for op in state.ops:
                if op.kind == "store" and is_word(op.attr) and not full_store(op):
                    result[number] |= 1 << self.number[op.attr]
        return result


def _clashes(flow: _Flow) -> list[int]:
    """Give, for each owner, the set of those that may not share its register."""
    result = [0] * len(flow.owners)

    def clash(first: int, others: int) -> None:
        others &= ~(1 << first)
        result[first] |= others
        while others:
            low = others & -others
            result[low.bit_length() - 1] |= 1 << first
            others ^= low

    # Two memories are never one: each has contents of its own at power-up.
    for number in range(flow.words.bit_length()):
        clash(number, flow.words)
    states = [None, *flow.binding.states]
    for number, state in enumerate(states):
        alive = 0
        for way in flow.leaving(number):
            alive |= way
        for owner in flow.writes[number]:
            same = _same_at(flow, owner, state) if state is not None else 0
            clash(flow.number[owner], alive & ~same)
            if state is not None and owner in state.turns:
                # Its register takes a result of a burst before the state ends.
                clash(flow.number[owner], flow.read_behind(state, state.answered(owner)))
        if state is not None and state.last:
            _edge_clashes(flow, state, clash)
    return result


def _edge_clashes(flow: _Flow, state: State, clash: Callable[[int, int], None]) -> None:
    """Let each phi clash with what is alive where it gets its value, but for that value."""
    block = state.block
    written = flow.written[flow.state_number[state]]
    for target in dict.fromkeys(block.targets):
        if target in flow.without:
            continue
        alive = flow.live_in[flow.first[target]]
        for phi in target.phis():
            value = phi.args[phi.attr.index(block)]
            same = flow.whole(value, state)
            others = alive if same is None else alive & ~(1 << same)
            if same is not None and not written >> same & 1:
                # In one register with its value it is not written here: nothing else may be.
                others |= written
            clash(flow.number[phi], others)


def _same_at(flow: _Flow, owner: Owner, state: State) -> int:
    """Give the owners that hold the same value as one that is written at the end of a state."""
    result = 0
    if isinstance(owner, Memory):
        stores = _stores_to(state, owner)
        if len(stores) == 1 and full_store(stores[0]):
            value = flow.whole(stores[0].args[1], state)
            result |= 0 if value is None else 1 << value
        return result
    for op in state.ops:
        if op.kind == "store" and is_word(op.attr) and op.args[1] is owner and full_store(op):
            result |= 1 << flow.number[op.attr] if len(_stores_to(state, op.attr)) == 1 else 0
    if owner.kind == "load" and is_word(owner.attr) and not _stores_to(state, owner.attr):
        result |= 1 << flow.number[owner.attr]
    return result


def _stores_to(state: State, memory: Memory) -> list[Op]:
    return [op for op in state.ops if op.kind == "store" and op.attr is memory]


def _copies(flow: _Flow) -> list[tuple[int, int]]:
    """Give the pairs that copies join, those first that save most."""
    binding = flow.binding
    depth = {
        block: loop.depth for loop in cfg.find_loops(binding.function) for block in loop.blocks
    }
    weights: dict[tuple[int, int], int] = {}

    def copy(owner: Owner, value: Op, state: State) -> None:
        other = flow.whole(value, state)
        if other is not None and other != flow.number[owner]:
            pair = min(other, flow.number[owner]), max(other, flow.number[owner])
            weight = owner.width * _LOOP_WEIGHT ** depth.get(state.block, 0)
            weights[pair] = weights.get(pair, 0) + weight

    for state in binding.states:
        for op in state.ops:
            if op.kind == "store" and is_word(op.attr) and full_store(op):
                copy(op.attr, op.args[1], state)
            elif op.kind == "load" and is_word(op.attr) and op in flow.kept:
                copy(op.attr, op, state)
        if state.last:
            for target in dict.fromkeys(state.block.targets):
                for phi in target.phis() if target not in flow.without else ():
                    copy(phi, phi.args[phi.attr.index(state.block)], state)
    return sorted(weights, key=lambda pair: (-weights[pair], pair))
