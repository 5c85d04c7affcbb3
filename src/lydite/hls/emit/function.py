# SPDX-License-Identifier: Apache-2.0
"""Writes one bound function as the body of a Verilog module: controller, data path, requests.

Every operation is a wire with its C place behind it; a register takes its value in the state that
computes it, listed under that state, which reads better than one next-value signal for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from lydite.hls.bind.binding import Binding, State, rebuilt
from lydite.hls.contract.diagnostics import place
from lydite.hls.contract.names import Names
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit import apart, pipe_names
from lydite.hls.emit import memory as emit_memory
from lydite.hls.emit.pipe_names import PipeNames
from lydite.hls.emit.structure import Declare, Group, Net, Note, Offer, Plain
from lydite.hls.emit.verilog import literal
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import STREAMING, Function, Memory, Op, Stream

# What the signals of a pipeline end in.
_ENDS = ("_valid_q", "_phase_q", "_stop", "_leave", "_run", "_go", "_start", "_taken")
_NEEDS_NAME = frozenset(("slice", "sext"))


@dataclass(slots=True)
class MemoryPort:
    """A port of a memory as this function uses it."""

    memory: Memory
    number: int
    reads: bool = False
    writes: bool = False

    @property
    def enabled(self) -> bool:
        """Whether it has a `ce`: not where data follow the address without a clock."""
        return self.memory.kind != "lutram" or self.number == 1


@dataclass(slots=True)
class Body:
    """What a function's module needs from outside.

    Attributes
    ----------
    memory_ports : list of MemoryPort
        Accesses to memories that lie outside.
    callees : list of Function
        Functions that it starts.
    issued : list of Function
        Those of them, macros that calls share, that take calls one after the other: from pipelines
        and from bursts.
    dividers : list of int
        Widths of the divider units inside.
    names : Names
        All names used so far.
    streams : list of Stream
        Those that it accesses.
    holds : dict
        Name of the condition that ends each state that waits for streams or several calls, and its
        text where the name is not that of a signal.
    joined : dict
        Of each function that is called beside others: the names of the registers that say that it
        is over before them, and keep its result.
    turn : Net or None
        The register that counts the cycles of states with bursts, where there are such.
    """

    memory_ports: list[MemoryPort] = field(default_factory=list)
    callees: list[Function] = field(default_factory=list)
    issued: list[Function] = field(default_factory=list)
    dividers: list[int] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    streams: list[Stream] = field(default_factory=list)
    holds: dict[State, tuple[str, str]] = field(default_factory=dict)
    joined: dict[Function, tuple[str, str]] = field(default_factory=dict)
    turn: Net | None = None


class FunctionEmitter:
    """Writes one function.

    Parameters
    ----------
    binding : Binding
        What to write.
    names : Names
        Names that are taken: the ports of the module.
    param_ports : list of str
        Inputs that bring the arguments.
    own : frozenset of str
        Stems of requests that others make too: this function's get a prefix.
    top : bool
        Whether it is the top function.
    """

    def __init__(
        self,
        binding: Binding,
        names: Names,
        param_ports: list[str],
        own: frozenset[str] = frozenset(),
        *,
        top: bool = False,
    ) -> None:
        self.binding = binding
        self.ports = {p: Net(param_ports[p.attr], p.width) for p in binding.function.params}
        self.own = own
        self.top = top
        self.apart: frozenset[str] = frozenset()  # variables that `keep` names
        self.closed: dict[Op, str] = {}  # the modules that their values pass
        self.restarts = False  # at its end, without a cycle in between
        self.function = binding.function
        self.body = Body(names=names)
        self.wires: dict[Op, Net] = {}
        self.kept: dict[Op, Net] = {}
        self.registers = set(binding.registers)
        self.kept_at: dict[State, list[Op]] = {}
        self.needs_name: set[Op] = set()
        self.numbers: dict[Op, int] = {}
        self.state_names: dict[State, str] = {}
        self.pipes: dict[Op, pipe_names.PipeNames] = {}
        self.all_pipes: list[pipe_names.PipeNames] = []
        self.macros: Mapping[str, Macro] = {}
        self.issues: list[pipe_names.Issue] = []

    # Names.

    def prepare(self) -> None:
        """Name everything."""
        names = self.body.names
        for state in self.binding.states:
            first = state is self.binding.starts
            self.state_names[state] = "ST_IDLE" if first else names.give(f"ST_{state.name}")
        for op in self.function.params:
            self.numbers[op] = len(self.numbers)
        for op in self.function.ops():
            if op.width:
                self.numbers[op] = len(self.numbers)
            if op.kind in _NEEDS_NAME:
                self.needs_name.update(op.args)
        for op in self.function.ops():
            if op.width and op.kind != "phi":
                stem = f"{op.name or op.kind}_{self.numbers[op]}"
                self.wires[op] = Net(names.give(stem), op.width)
                if op.name in self.apart:
                    self.closed[op] = names.give(f"u_{stem}")
        self._name_registers()
        name_pipelines(self)
        for op in self.binding.registers:
            self.kept_at.setdefault(self.binding.home[op], []).append(op)
        self._collect()
        name_holds(self)

    def _name_registers(self) -> None:
        """Name each register after its memory, else after the first of its values with a C name."""
        for register in dict.fromkeys(self.binding.storage.values()):
            memory = register.memory
            values = [owner for owner in register.owners if isinstance(owner, Op)]
            if memory is not None:
                name = f"{memory.name}_mem"
            else:
                first = next((value for value in values if value.name), values[0])
                number = "" if first.kind == "param" else f"_{self.numbers[first]}"
                name = self.body.names.give(f"{first.name or first.kind}{number}_q")
            signal = Net(name, register.width)
            self.kept.update(dict.fromkeys(values, signal))

    def _collect(self) -> None:
        ports: dict[tuple[str, int], MemoryPort] = {}
        for op in self.function.ops():
            if op.kind == "call":
                issues = op in self.pipes or self.binding.home[op].pipe is not None
                if issues and not op.attr.shared:
                    continue  # it has a module of its own
                issues = issues or op in self.binding.home[op].turns
                if issues and op.attr not in self.body.issued:
                    self.body.issued.append(op.attr)
                if op.attr not in self.body.callees:
                    self.body.callees.append(op.attr)
            elif op.kind in ir_graph.STREAMING:
                if op.attr not in self.body.streams:
                    self.body.streams.append(op.attr)
            elif op in self.binding.port:
                key = (op.attr.name, self.binding.port[op])
                port = ports.setdefault(key, MemoryPort(op.attr, key[1]))
                port.reads |= op.kind == "load"
                port.writes |= op.kind == "store"
        self.body.memory_ports = [ports[key] for key in sorted(ports)]
        self.body.dividers = list(self.binding.divider_widths)

    def local_memories(self) -> list[Memory]:
        """Give the memories that live in this module, in order of first use."""
        found: dict[Memory, None] = {}
        for op in self.function.ops():
            if op.kind in ("load", "store") and op.attr.kind in ("registers", "lutrom"):
                found[op.attr] = None
        return list(found)

    # Reading values.

    def inline(self, op: Op) -> bool:
        """Whether an operation is written where it is used."""
        return (
            op.kind in ("slice", "zext")
            and op not in self.registers
            and op not in self.needs_name
            and not (op in self.pipes and self.pipes[op].is_kept(op))
        )

    def signal(self, op: Op, state: State) -> Net:
        """Give the signal that holds a value in a state."""
        if op in self.pipes:
            return pipe_signal(self, op, state)
        if op.kind == "param" and state is self.binding.starts:
            return self.ports[op]
        if op.kind in ("param", "phi"):
            return self.kept[op]
        if op in self.registers and (
            op.kind in ("call", "divmod") or self.binding.home[op] is not state
        ):
            return self.kept[op]
        there = op in self.binding.stable or self.binding.home[op] is state
        assert there, f"{op} is read in {state.name}, where it is not on its wire"
        return self.wires[op]

    def ref(self, op: Op, state: State) -> str:
        """Give the text for a value read in a state."""
        if op.kind == "const":
            return literal(op.width, op.attr)
        if self.inline(op):
            if op.kind == "slice":
                return self.bits(op.args[0], op.attr, op.width, state)
            inner = op.args[0]
            return f"{{{literal(op.width - inner.width, 0)}, {self.ref(inner, state)}}}"
        if self._rebuilt(op, state):
            return self.expression(op, state)
        return self.signal(op, state).name

    def _rebuilt(self, op: Op, state: State) -> bool:
        """Whether wiring is put together again, in another state than its own."""
        return (
            rebuilt(op)
            and op not in self.registers
            and op not in self.binding.stable
            and self.binding.home[op] is not state
            and not (op in self.pipes and self.pipes[op].is_kept(op))
        )

    def bits(self, op: Op, low: int, width: int, state: State) -> str:
        """Give the text for some bits of a value."""
        if op.kind == "const":
            return literal(width, op.attr >> low & ((1 << width) - 1))
        return self.signal(op, state).bits(low, width)

    # Parts of the module.

    def data_path(self) -> list[Group]:
        """Write a wire for every operation that something reads."""
        groups: list[Group] = []
        for block in self.function.blocks:
            named = [op for op in block.ops if op in self.wires and not self.inline(op)]
            offers = tuple(Offer(self.wires[op].name, partial(self._wire, op)) for op in named)
            groups.append(Group((Note(), Note(block.name)), offers))
        return groups

    def _wire(self, op: Op) -> tuple[Plain, ...]:
        """Write the wire of an operation."""
        nets = (self.wires[op],)
        if op.kind == "call" and op in self.pipes:
            return (Declare("wire", nets),)  # what makes it stands elsewhere
        # Else Yosys shares the reads of states that exclude each other, and paths lead through the
        # tables of several states.
        table = op.kind == "load" and op.attr.kind == "lutrom"
        value = self.expression(op, self.binding.home[op])
        if op in self.closed:
            return (
                Declare("wire", nets, note=place(op.where)),
                apart.instance(self.closed[op], self.wires[op], value),
            )
        return (Declare("wire", nets, value, place(op.where), "keep" if table else ""),)

    def expression(self, op: Op, state: State) -> str:
        """Give the right side of an operation's wire."""
        kind = op.kind
        if kind == "load":
            return self._load(op, state)
        if kind == "read":
            return f"{op.attr.name}_beat"
        if kind == "call" and len(state.waits_for) > 1 and op not in state.turns:
            over, value = self.body.joined[op.attr]
            return f"{over} ? {value} : {op.attr.name}_return"
        if kind == "call":
            return f"{op.attr.name}_return"
        if kind == "divmod":
            unit = self.binding.divider[op]
            return f"{{div{unit}_remainder, div{unit}_quotient}}"
        if op in self.binding.unit_of:
            return f"mul{self.binding.unit_of[op]}_result"
        if op in self.binding.shared_by:
            signal = self.unit_result(self.binding.shared.index(self.binding.shared_by[op]))
            return signal.bits(0, op.width)
        if kind == "slice":
            return self.bits(op.args[0], op.attr, op.width, state)
        args = [self.ref(arg, state) for arg in op.args]
        if kind == "concat":
            return f"{{{', '.join(args)}}}"
        if kind == "zext":
            return f"{{{literal(op.width - op.args[0].width, 0)}, {args[0]}}}"
        if kind == "sext":
            inner = op.args[0]
            sign = self.bits(inner, inner.width - 1, 1, state)
            if inner.width == 1:
                return f"{{{op.width}{{{sign}}}}}"
            return f"{{{{{op.width - inner.width}{{{sign}}}}}, {args[0]}}}"
        if kind == "mux":
            return f"{args[0]} ? {args[1]} : {args[2]}"
        if kind == "xor" and op.args[1] is ir_graph.const(op.width, -1):
            return f"~{args[0]}"
        if kind == "add" and op.args[1].kind == "const" and op.args[1].attr >> (op.width - 1):
            return f"{args[0]} - {literal(op.width, (1 << op.width) - op.args[1].attr)}"
        if kind == "sub" and op.args[0].kind == "const" and op.args[0].attr == 0:
            return f"-{args[1]}"
        signed = kind in ("slt", "sle", "ashr") or (
            kind == "mul" and any(arg.kind == "sext" for arg in op.args)
        )
        first = f"$signed({args[0]})" if signed else args[0]
        second = f"$signed({args[1]})" if signed and kind != "ashr" else args[1]
        return f"{first} {ir_graph.SIGNS[kind]} {second}"

    def unit_result(self, number: int) -> Net:
        """Give the result of a unit whose number directives limit."""
        unit = self.binding.shared[number]
        width = 1 if unit.kind in ir_graph.COMPARES else unit.width
        return Net(f"{unit.kind}{number}_result", width)

    def _load(self, op: Op, state: State) -> str:
        memory: Memory = op.attr
        if op in self.binding.port:
            number = self.binding.port[op]
            return f"{memory.name}_q{number}"
        if memory.depth == 1:
            return f"{memory.name}_mem"
        return emit_memory.word(memory, self.ref(op.args[0], state))

    def done(self, state: State) -> str:
        """Give the signal that ends a waiting state; empty for a state of one cycle."""
        return wait_done(self, state)

    def waits_for(self, callee: Function) -> bool:
        """Whether a state waits until a function says that it is done."""
        return any(
            op.kind == "call" and op.attr is callee and op not in state.turns
            for state in self.binding.states
            for op in state.waits_for
        )

    def stem(self, name: str) -> str:
        """Give what this function's request signals for a memory or function begin with."""
        return f"own_{name}" if name in self.own else name

    def joined(self, name: str) -> bool:
        """Whether the requests for something are joined with those of other functions."""
        return not self.top or name in self.own


def name_pipelines(emitter: FunctionEmitter) -> None:
    """Name what pipelined loops have."""
    names = emitter.body.names
    for pipe in emitter.binding.pipes.values():
        times = {pipe.plan.state[op] for op in pipe.block.ops if op.kind in STREAMING}
        ends = [*_ENDS, *(f"_go{time}" for time in times)]
        ends += [f"_answered{time}_q" for time in pipe.answer_times]
        stem = names.give(emitter.function.name if pipe.calls else pipe.block.name, ends)
        mine = PipeNames(pipe, stem)
        emitter.all_pipes.append(mine)
        mine.waits = sorted(times)
        label = emitter.state_names[pipe.state]
        for state in pipe.times:
            emitter.state_names[state] = label
        for op in pipe.values:
            if op.width and op not in emitter.binding.stable:
                emitter.pipes[op] = mine
        for op in pipe.values:
            _name_copies(emitter, mine, op)
            if op in pipe.bypasses:
                base = f"{op.name or op.kind}_{emitter.numbers[op]}"
                mine.bypasses[op] = Net(names.give(f"{base}_bypass"), op.width)


def _name_copies(emitter: FunctionEmitter, mine: PipeNames, op: Op) -> None:
    pipe, names = mine.pipe, emitter.body.names
    count = pipe.copies.get(op, 0)
    if count or op in pipe.in_phi:
        base = f"{op.name or op.kind}_{emitter.numbers[op]}"
        row: list[Net] = []
        if op in pipe.in_phi:
            row.append(emitter.kept[pipe.in_phi[op]])
        first = 2 if op.kind == "phi" else 1
        for number in range(len(row), count):
            suffix = "q" if first + number == 1 else f"q{first + number}"
            row.append(Net(names.give(f"{base}_{suffix}"), op.width))
        mine.copies[op] = row
    if op in pipe.in_phi or op in pipe.gated:
        mine.later[op] = mine.copies[op][0]
    elif op in pipe.kept:
        base = f"{op.name or op.kind}_{emitter.numbers[op]}"
        mine.later[op] = Net(names.give(f"{base}_last_q"), op.width)


def pipe_signal(emitter: FunctionEmitter, op: Op, state: State) -> Net:
    """Give the signal of a loop's value, in one of its cycles or after the loop."""
    mine = emitter.pipes[op]
    pipe = mine.pipe
    if state.pipe is not pipe or state is pipe.state:
        return mine.later[op]
    number = pipe.copy(op, state.time)
    if number:
        return mine.copies[op][number - 1]
    if op in pipe.held or pipe.passes_by(op, state.time):
        return mine.bypasses[op]
    return made_signal(emitter, op)


def made_signal(emitter: FunctionEmitter, op: Op) -> Net:
    """Give the signal that a value is on before it is in copies."""
    if op.kind == "param":
        return emitter.ports[op]
    return emitter.kept[op] if op.kind == "phi" else emitter.wires[op]


def wait_done(emitter: FunctionEmitter, state: State) -> str:
    """Give the signal that ends a waiting state; empty for a state of one cycle."""
    if state is emitter.binding.starts:
        return "ap_start"
    if len(state.waits_for) != 1:
        return emitter.body.holds[state][0]
    op = state.waits_for[0]
    if op.kind == "call":
        return f"{op.attr.name}_done"
    return f"div{emitter.binding.divider[op]}_done"


def name_holds(emitter: FunctionEmitter) -> None:
    """Name what ends the states that may wait for streams, or wait for several calls."""
    bursts = [state for state in emitter.binding.states if state.turns]
    if bursts:
        # It stays behind the last result while others are waited for.
        last = max(s.until + (len(s.turns) < len(s.waits_for)) for s in bursts)
        emitter.body.turn = Net(emitter.body.names.give("turn_q"), last.bit_length())
    for state in emitter.binding.states:
        if len(state.waits_for) > 1:
            emitter.body.holds[state] = _calls(emitter, state)
        elif not (state.pipe or state.waits_for or state is emitter.binding.starts):
            emitter.body.holds[state] = _streams(emitter, state)


def _calls(emitter: FunctionEmitter, state: State) -> tuple[str, str]:
    """Give name and text of the condition that all calls of a state are over."""
    names = emitter.body.names
    terms: list[str] = []
    if emitter.body.turn is not None and state.turns:
        name, width = emitter.body.turn.name, emitter.body.turn.width
        relation = "==" if len(state.turns) == len(state.waits_for) else ">="
        terms.append(f"({name} {relation} {literal(width, state.until)})")
    for op in (op for op in state.waits_for if op not in state.turns):
        callee: Function = op.attr
        if callee not in emitter.body.joined:
            over = names.give(f"{callee.name}_over_q")
            emitter.body.joined[callee] = over, names.give(f"{callee.name}_value_q")
        terms.append(f"({callee.name}_done | {emitter.body.joined[callee][0]})")
    return names.give(f"done_{state.name}"), " & ".join(terms)


def _streams(emitter: FunctionEmitter, state: State) -> tuple[str, str]:
    """Give name and text of the condition that all stream accesses of a state can go."""
    terms = []
    for op in state.ops:
        if op.kind not in STREAMING:
            continue
        suffix = "free" if op.kind == "write" else "valid"
        ready = f"{op.attr.name}_{suffix}"
        condition = op.args[-1]
        if condition.kind != "const":
            ready = f"({ready} | ~{emitter.ref(condition, state)})"
        terms.append(ready)
    if len(terms) < 2 and not any("|" in term for term in terms):
        return "".join(terms), ""
    return emitter.body.names.give(f"go_{state.name}"), " & ".join(terms)
