# SPDX-License-Identifier: Apache-2.0
"""Runs of a core at a clock, with every delay and glitch of its routed netlist: what goes wrong.

The simulation is C++ (`sim/native/timed.cpp`), compiled on first use, of as many runs at once as a
word of this machine's has bits. More runs are several batches, a thread each: they share delays
and no state. It may be called from several threads, each with a chip of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from lydite.base import interrupts
from lydite.base.errors import InputError
from lydite.sim import build
from lydite.sim.routed import static
from lydite.sim.routed.boundary import Boundary
from lydite.sim.routed.model import Gate, LutRam, Model, Product, Sample, Step
from lydite.sim.routed.stimulus import Stimulus
from lydite.tools.routed import ROUTED_FILE

SOURCE = build.NATIVE / "timed.cpp"
_WORDS = (1, 4, 8)
_PATH = 512
_MODES = {"NORMAL": 0, "WRITETHROUGH": 1, "READBEFOREWRITE": 2}
_NONE = Sample(-1, 0, 0)


class _Sample(ctypes.Structure):
    _fields_ = (
        ("node", ctypes.c_int32),
        ("hold", ctypes.c_int32),
        ("constant", ctypes.c_int32),
    )


_INTS = ctypes.POINTER(ctypes.c_int32)
_LONGS = ctypes.POINTER(ctypes.c_uint64)
_SAMPLES = ctypes.POINTER(_Sample)


class _Netlist(ctypes.Structure):
    _fields_ = (
        ("nodes", ctypes.c_int32),
        ("earliest", _INTS),
        ("latest", _INTS),
        ("steps", ctypes.c_int32),
        ("output", _INTS),
        ("first_arc", _INTS),
        ("ram", _INTS),
        ("bits", _LONGS),
        ("product", _INTS),
        ("product_setup", _INTS),
        ("source", _INTS),
        ("delay", _INTS),
        ("registers", ctypes.c_int32),
        ("q", _INTS),
        ("next", _INTS),
        ("launch", _INTS),
        ("hold", _INTS),
        ("init", _INTS),
        ("inputs", ctypes.c_int32),
        ("in_node", _INTS),
        ("in_launch", _INTS),
        ("outputs", ctypes.c_int32),
        ("out_node", _INTS),
        ("out_hold", _INTS),
        ("rams", ctypes.c_int32),
        ("ram_init", _INTS),
        ("ram_launch", _INTS),
        ("ram_write", _SAMPLES),
        ("blocks", ctypes.c_int32),
        ("block_kind", _INTS),
        ("block_setup", _INTS),
        ("block_in", _SAMPLES),
        ("block_out", _INTS),
        ("block_launch", _INTS),
        ("block_content", _LONGS),
    )


class _Run(ctypes.Structure):
    _fields_ = (
        ("period", ctypes.c_int32),
        ("cycles", ctypes.c_int32),
        ("runs", ctypes.c_int32),
        ("given", ctypes.c_char_p),
        ("right", ctypes.c_char_p),
        ("cared", ctypes.c_char_p),
        ("seed", ctypes.c_uint64),
        ("trace", ctypes.c_int32),
        ("halted", _INTS),
        ("wrong", _LONGS),
        ("seen", _INTS),
        ("events", ctypes.c_uint64),
        ("unsure", ctypes.c_uint64),
        ("failed_cycle", ctypes.c_int32),
        ("failed_run", ctypes.c_int32),
        ("failed_node", ctypes.c_int32),
        ("path_nodes", ctypes.c_int32),
        ("path_node", ctypes.c_int32 * _PATH),
        ("path_time", ctypes.c_int32 * _PATH),
    )


@dataclass(frozen=True, slots=True)
class Failure:
    """What fails first of all registers and memories.

    Attributes
    ----------
    run, cycle : int
        When.
    path : tuple of (int, int)
        Nodes and the times at which they change, in ps after an edge: from the register at which
        it begins to what is sampled too early. Times before the last edge but one are counted on.
    """

    run: int
    cycle: int
    path: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What came out at a clock.

    Attributes
    ----------
    wrong : tuple of (int, int)
        Run and number of each message that came out wrong.
    first_wrong : tuple of int
        Of each run the first cycle with a wrong output; -1 without one.
    events : int
        Times at which a node changed in some run.
    unsure : int
        Samples within a hold, which were random.
    seen : tuple of int
        Of each node the latest time after an edge at which it changed, in ps; -1 if it never did.
    failure : Failure, optional
        Where it was asked for.
    """

    wrong: tuple[tuple[int, int], ...]
    first_wrong: tuple[int, ...]
    events: int
    unsure: int
    seen: tuple[int, ...]
    failure: Failure | None = None


class Chip:
    """A routed core with the delays of one chip; a context manager.

    Parameters
    ----------
    model : Model
        The netlist with its delays.
    boundary : Boundary
        Which registers its ports are.
    stimulus : Stimulus
        What it is to be given.
    """

    def __init__(self, model: Model, boundary: Boundary, stimulus: Stimulus) -> None:
        self._model = model
        self._stimulus = stimulus
        words = next((n for n in _WORDS if 64 * n >= len(stimulus.runs)), _WORDS[-1])
        library = build.build_library(SOURCE, defines={"LYDITE_WORDS": str(words)})
        self._library = ctypes.CDLL(str(library))
        self._library.lydite_timed_open.restype = ctypes.c_void_p
        self._library.lydite_timed_open.argtypes = (ctypes.POINTER(_Netlist),)
        self._library.lydite_timed_close.argtypes = (ctypes.c_void_p,)
        self._library.lydite_timed_run_.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Run))
        self._words = words
        self._nodes = len(model.names)
        tables = _Tables(model, boundary, stimulus)
        self._netlist = tables.netlist
        self._tables = tables  # whose arrays the simulation reads
        #: Nodes on which an output of the core depends.
        self.nodes = tables.given | {step.output for step in tables.steps}
        self._sampled = tables.sampled()
        self._batches = [
            _Batch(stimulus, at, min(at + 64 * words, len(stimulus.runs)))
            for at in range(0, len(stimulus.runs), 64 * words)
        ]
        self._states = [
            self._library.lydite_timed_open(ctypes.byref(self._netlist)) for _ in self._batches
        ]

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Free it."""
        while self._states:
            self._library.lydite_timed_close(self._states.pop())

    def settled_ps(self, result: Result) -> int:
        """Give the time after an edge at which the last change of what is sampled was seen.

        At any period that is not shorter, and not shorter than half of the slowest path, a run that
        was right is right again: what a register samples is made of this edge's values over paths
        that are short enough and of those of the one before over the others, and by then the
        others make no difference. It is the same values as in that run, edge by edge.
        """
        latest = max((result.seen[node] for node in self._sampled), default=0)
        return max(latest, self._tables.launch_ps, -(-self._tables.longest_ps // 2))

    def run(
        self, period_ps: int, *, seed: int = 1, trace: bool = False, runs: int | None = None
    ) -> Result:
        """Run the stimulus at a clock.

        Parameters
        ----------
        period_ps : int
            Of the clock.
        seed : int
            Of samples within a hold.
        trace : bool
            Stop at the first register that fails, and tell its path.
        runs : int, optional
            Only so many of its runs, the first ones: what comes out of these is the same.

        Raises
        ------
        interrupts.Halted
            The plan was interrupted meanwhile.
        """
        counts = [
            len(batch.runs) if runs is None else min(len(batch.runs), runs - batch.first)
            for batch in self._batches
        ]
        given = [
            (
                state,
                batch,
                batch.run(
                    period_ps, seed, count, trace=trace, words=self._words, nodes=self._nodes
                ),
            )
            for state, batch, count in zip(self._states, self._batches, counts, strict=True)
            if count > 0
        ]
        with ThreadPoolExecutor(len(given)) as threads:
            for done in [threads.submit(self._simulate, state, run) for state, _, run in given]:
                done.result()
        interrupts.check()
        outcomes = [(batch, run, batch.wrong(run, self._words)) for _, batch, run in given]
        seen = [run.seen[: self._nodes] for _, run, _ in outcomes]
        failures = (batch.failure(run) for batch, run, _ in outcomes if trace)
        return Result(
            wrong=tuple(one for _, _, (found, _) in outcomes for one in found),
            first_wrong=tuple(one for _, _, (_, first) in outcomes for one in first),
            events=sum(run.events for _, run, _ in outcomes),
            unsure=sum(run.unsure for _, run, _ in outcomes),
            seen=tuple(map(max, zip(*seen, strict=True))),
            failure=next((one for one in failures if one is not None), None),
        )

    def _simulate(self, state: int, run: _Run) -> None:
        self._library.lydite_timed_run_(state, ctypes.byref(run))


class _Batch:
    """Runs that are simulated at once."""

    def __init__(self, stimulus: Stimulus, first: int, end: int) -> None:
        self.first = first
        self.runs = stimulus.runs[first:end]
        self.cycles = max(len(run.given) for run in self.runs)
        into = -(-sum(width for _, width in stimulus.inputs) // 8)
        out = -(-sum(width for _, width in stimulus.outputs) // 8)
        self.given = self._bytes([run.given for run in self.runs], into, last=True)
        self.right = self._bytes([run.right for run in self.runs], out, last=False)
        self.cared = self._bytes([run.cared for run in self.runs], out, last=False)

    def _bytes(self, rows: Sequence[Sequence[int]], width: int, *, last: bool) -> bytes:
        parts = []
        for row in rows:
            parts += [bits.to_bytes(width, "little") for bits in row]
            rest = row[-1].to_bytes(width, "little") if last else bytes(width)
            parts += [rest] * (self.cycles - len(row))
        return b"".join(parts)

    def run(
        self, period_ps: int, seed: int, count: int, *, trace: bool, words: int, nodes: int
    ) -> _Run:
        """Give what is asked of the first `count` runs."""
        run = _Run(period=period_ps, cycles=self.cycles, runs=count, seed=seed)
        run.given, run.right, run.cared = self.given, self.right, self.cared
        run.trace = trace
        run.halted = ctypes.pointer(interrupts.FLAG)
        run.seen = (ctypes.c_int32 * nodes)(*[-1] * nodes)
        run.wrong = (ctypes.c_uint64 * (self.cycles * words))()
        return run

    def failure(self, run: _Run) -> Failure | None:
        """Give what failed first, if anything did."""
        if run.failed_cycle < 0:
            return None
        path = tuple((run.path_node[i], run.path_time[i]) for i in range(run.path_nodes))
        return Failure(self.first + run.failed_run, run.failed_cycle, path[::-1])

    def wrong(self, run: _Run, words: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Give the messages that came out wrong, and of each run its first wrong cycle."""
        found = []
        count = run.runs
        first = [-1] * count
        last: dict[int, int] = {}
        for cycle in range(self.cycles):
            for word in range(words):
                mask = run.wrong[cycle * words + word]
                while mask:
                    lane = (mask & -mask).bit_length() - 1
                    mask &= mask - 1
                    at = 64 * word + lane
                    if at >= count:
                        continue
                    if first[at] < 0:
                        first[at] = cycle
                    ends = self.runs[at].ends
                    message = next(n for n, end in enumerate(ends) if cycle <= end)
                    if last.get(at) != message:
                        last[at] = message
                        found.append((self.first + at, message))
        return found, first


class _Tables:
    """The netlist as the simulation takes it, what no output of the core depends on left out."""

    def __init__(self, model: Model, boundary: Boundary, stimulus: Stimulus) -> None:
        self.model = model
        registers = model.register_of
        self.inputs = [
            registers[cell] if cell else None
            for name, width in stimulus.inputs
            for cell in _bits(boundary.inputs, name, width)
        ]
        self.outputs = [
            registers[cell] if cell not in ("0", "1") else None
            for name, width in stimulus.outputs
            for cell in _bits(boundary.outputs, name, width)
        ]
        self.given = {one.q for one in self.inputs if one is not None}
        self.steps, self.registers, self.luts, self.blocks = self._needed()
        self._kept: list[Any] = []
        self.netlist = self._netlist()

    def _needed(self) -> tuple[list[Step], list[Any], list[Any], list[Any]]:
        model = self.model
        steps = {step.output: step for step in model.steps}
        registers = {one.q: one for one in model.registers}
        blocks = {node: one for one in model.blocks for node, _ in one.outputs.values()}
        waiting = [one.next for one in self.outputs if one is not None]
        seen = set(self.given)
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in steps:
                waiting += [arc.source for arc in steps[node].arcs]
                step = steps[node]
                if isinstance(step, LutRam):
                    waiting += [pin.node for pin in step.write if pin.node >= 0]
            elif node in registers:
                waiting.append(registers[node].next)
            elif node in blocks:
                waiting += [pin.node for pin in blocks[node].inputs.values() if pin.node >= 0]
            else:
                what = f"nothing that is clocked drives {model.names[node]}"
                raise InputError(ROUTED_FILE, what, "a core behind registers is simulated")
        chosen = [step for step in model.steps if step.output in seen]
        clocked = [one for one in model.registers if one.q in seen and one.q not in self.given]
        luts = [step for step in chosen if isinstance(step, LutRam)]
        kept = [b for b in model.blocks if any(node in seen for node, _ in b.outputs.values())]
        return chosen, clocked, luts, kept

    def sampled(self) -> frozenset[int]:
        """Give the nodes that registers, memories and outputs take at an edge."""
        nodes = [one.next for one in (*self.registers, *self.outputs) if one is not None]
        nodes += [pin.node for ram in self.luts for pin in ram.write]
        nodes += [pin.node for block in self.blocks for pin in block.inputs.values()]
        return frozenset(node for node in nodes if node >= 0)

    def _ints(self, values: Sequence[int]) -> Any:
        array = (ctypes.c_int32 * max(len(values), 1))(*values)
        self._kept.append(array)
        return array

    def _longs(self, values: Sequence[int]) -> Any:
        array = (ctypes.c_uint64 * max(len(values), 1))(*values)
        self._kept.append(array)
        return array

    def _samples(self, pins: Sequence[Sample]) -> Any:
        array = (_Sample * max(len(pins), 1))(
            *(_Sample(p.node, p.hold_ps, p.constant) for p in pins)
        )
        self._kept.append(array)
        return array

    def _netlist(self) -> _Netlist:
        model = self.model
        timing = static.analyse(model)
        numbers = {ram.output: at for at, ram in enumerate(self.luts)}
        firsts = [0]
        for step in self.steps:
            firsts.append(firsts[-1] + len(step.arcs))
        arcs = [arc for step in self.steps for arc in step.arcs]
        net = _Netlist(nodes=len(model.names), steps=len(self.steps))
        net.earliest, net.latest = self._ints(timing.earliest), self._ints(timing.latest)
        self.longest_ps = max(timing.latest, default=0)
        launches = [one.launch_ps for one in (*self.registers, *self.inputs) if one is not None]
        launches += [launch for one in self.blocks for _, launch in one.outputs.values()]
        self.launch_ps = max((*launches, *(ram.launch_ps for ram in self.luts)), default=0)
        net.output = self._ints([step.output for step in self.steps])
        net.first_arc = self._ints(firsts)
        net.ram = self._ints([numbers.get(step.output, -1) for step in self.steps])
        products = [step for step in self.steps if isinstance(step, Product)]
        at_product = {step.output: at for at, step in enumerate(products)}
        net.product = self._ints([at_product.get(step.output, -1) for step in self.steps])
        net.product_setup = self._ints(
            [value for one in products for value in (one.bit, *one.signed, *one.operands)]
        )
        net.bits = self._longs([s.bits if isinstance(s, Gate) else 0 for s in self.steps])
        net.source = self._ints([arc.source for arc in arcs])
        net.delay = self._ints([arc.delay_ps for arc in arcs])
        self._clocked(net)
        net.inputs, net.outputs = len(self.inputs), len(self.outputs)
        net.in_node = self._ints([one.q if one else -1 for one in self.inputs])
        net.in_launch = self._ints([one.launch_ps if one else 0 for one in self.inputs])
        net.out_node = self._ints([one.next if one else -1 for one in self.outputs])
        net.out_hold = self._ints([one.hold_ps if one else 0 for one in self.outputs])
        net.rams = len(self.luts)
        net.ram_init = self._ints([ram.init for ram in self.luts])
        net.ram_launch = self._ints([ram.launch_ps for ram in self.luts])
        net.ram_write = self._samples([pin for ram in self.luts for pin in ram.write])
        self._memories(net)
        return net

    def _clocked(self, net: _Netlist) -> None:
        net.registers = len(self.registers)
        net.q = self._ints([one.q for one in self.registers])
        net.next = self._ints([one.next for one in self.registers])
        net.launch = self._ints([one.launch_ps for one in self.registers])
        net.hold = self._ints([one.hold_ps for one in self.registers])
        net.init = self._ints([one.init for one in self.registers])

    def _memories(self, net: _Netlist) -> None:
        kinds, setups, content, launches = [], [], [], []
        pins: list[Sample] = []
        outputs: list[int] = []
        for block in self.blocks:
            ebr = block.kind == "DP16KD"
            kinds.append(0 if ebr else 1)
            setup, words, named, shown = (_ebr if ebr else _ram40)(block.parameters)
            given = [block.inputs.get(name, _NONE) if name else _NONE for name in named]
            enables = ("WEA", "WEB") if ebr else ("WE", "WCLKE")
            written = [block.inputs[name] for name in enables]
            never = [pin.node < 0 and not pin.constant for pin in written]
            setups += [*setup, 0 if (all(never) if ebr else any(never)) else 1]
            if ebr and any(block.inputs[name] != _NONE for name in ("RSTA", "RSTB")):
                what = "a reset of its output is not simulated with its delays"
                raise InputError(f"cell {block.cell}", what)
            pins += [*given, *[_NONE] * (80 - len(given))]
            content += words
            here = [block.outputs.get(name, (-1, 0)) for name in shown]
            here += [(-1, 0)] * (36 - len(here))
            outputs += [node for node, _ in here]
            launches += [launch for _, launch in here]
        net.blocks = len(self.blocks)
        net.block_kind, net.block_setup = self._ints(kinds), self._ints(setups)
        net.block_in = self._samples(pins)
        net.block_out, net.block_launch = self._ints(outputs), self._ints(launches)
        net.block_content = self._longs(content)


def _bits(ports: Mapping[str, Sequence[str]], name: str, width: int) -> Sequence[str]:
    found = ports.get(name)
    if found is None or len(found) != width:
        raise InputError(ROUTED_FILE, f"the core has no port {name} of {width} bits in it")
    return found


def _number(parameters: Mapping[str, str], name: str, default: int) -> int:
    text = parameters.get(name)
    return default if text is None else int(text.replace("x", "0"), 2)


def _ebr(parameters: Mapping[str, str]) -> tuple[list[int], list[int], list[str], list[str]]:
    """Give widths and modes, content, and pins of a block RAM of ECP5."""
    setup = [_number(parameters, f"DATA_WIDTH_{port}", 18) for port in "AB"]
    setup += [_MODES[parameters.get(f"WRITEMODE_{port}", "NORMAL").strip()] for port in "AB"]
    content = 0
    for row in range(64):
        content |= _number(parameters, f"INITVAL_{row:02X}", 0) << 320 * row
    words = []
    for word in range(512):
        nines = (content >> 20 * (2 * word + k // 2) + 9 * (k % 2) & 0x1FF for k in range(4))
        words.append(sum(nine << 9 * k for k, nine in enumerate(nines)))
    named = [
        name
        for p in "AB"
        for name in (
            *(f"AD{p}{i}" for i in range(14)),
            *(f"DI{p}{i}" for i in range(18)),
            *(f"{pin}{p}" for pin in ("CE", "WE", "RST")),
            *(f"CS{p}{i}" for i in range(3)),
            *("", ""),
        )
    ]
    return [*setup, 0, 0, 0], words, named, [f"DO{p}{i}" for p in "AB" for i in range(18)]


def _ram40(parameters: Mapping[str, str]) -> tuple[list[int], list[int], list[str], list[str]]:
    """Give modes, content, and pins of a block RAM of iCE40."""
    setup = [_number(parameters, name, 0) for name in ("READ_MODE", "WRITE_MODE")]
    content = 0
    for row in range(16):
        content |= _number(parameters, f"INIT_{row:X}", 0) << 256 * row
    words = [content >> 16 * word & 0xFFFF for word in range(256)] + [0] * 256
    named = [*(f"RADDR_{i}" for i in range(11)), "RE", "RCLKE"]
    named += [*(f"WADDR_{i}" for i in range(11)), "WE", "WCLKE"]
    named += [*(f"MASK_{i}" for i in range(16)), *(f"WDATA_{i}" for i in range(16))]
    return [*setup, 0, 0, 0, 0, 0], words, named, [f"RDATA_{i}" for i in range(16)]
