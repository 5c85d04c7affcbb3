# SPDX-License-Identifier: Apache-2.0
"""What a core takes end to end: an operation on so many bytes, from the host's first access to the
last.

Every output is compared with the specification's. The core has run in the same testbed before, on
short calls and forgeries, under random traffic on all ports, phases and jitter of both clocks.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lydite.base.errors import CheckFailed, InputError
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.cores.operation import Operation
from lydite.sim import framing, suites, verify
from lydite.sim.framing import Job
from lydite.sim.stream import PATIENCE_CYCLES, Call
from lydite.sim.suites import Inputs, Oracle
from lydite.sim.testbed import model, registers, wrapper
from lydite.sim.testbed.model import Access, Clocks, Kind, Ran, TestbedModel
from lydite.sim.testbed.wrapper import Wrapped
from lydite.targets.links import Link

MIN_MHZ, MAX_MHZ, MAX_RATIO = 0.1, 2000.0, 50.0
# Cycles of both clocks that a simulation may take: some minutes.
MAX_CYCLES = 400_000_000
# Jobs of which the last two tell the time of a job when the next one is set up meanwhile.
_QUEUED = 3
# Of the proof: calls of an operation, runs under phases and jitter of their own.
_PROOF_CALLS, _PROOF_RUNS = 8, 4
_PS_PER_US = 1_000_000


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What surrounds the core.

    Attributes
    ----------
    core_mhz, dma_mhz : float
        Clocks.
    traffic : bool
        Whether all sides pause at random while time is measured, too.
    seed : int
        Of these pauses, and of the payloads.
    """

    core_mhz: float
    dma_mhz: float
    link: Link
    traffic: bool = False
    seed: int = 1

    @property
    def clocks(self) -> Clocks:
        """Both clocks, a third of a period of the DMA's apart."""
        dma = round(_PS_PER_US / self.dma_mhz)
        return Clocks(dma_ps=dma, core_ps=round(_PS_PER_US / self.core_mhz), core_phase_ps=dma // 3)


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What a size took. Times are of one job, in nanoseconds.

    Attributes
    ----------
    bytes, calls, blocks : int
        Of the payload of a job, its calls, and blocks of one of them.
    alone_cycles : int
        What the core takes alone, fed without a pause.
    hardware_ns : float
        From the host's first access to the last, nothing else being done.
    queued_ns : float
        From job to job, where the host sets up the next while one runs.
    to_device_ns, compute_ns, from_device_ns : float
        Parts of `hardware_ns`: until the core has its first word, and all time for which it waits
        for input; the core's own time; waits for its outputs to be taken, and all after its last.
    timer_cycles : int
        Of the DMA's clock, by the testbed's own timer: without the host.
    starved_cycles, blocked_cycles : int
        Of the core, as `model.Ran`.
    core_cycles, dma_cycles : int
        Simulated, over all runs.
    proof_jobs : int
        Jobs that were compared before, under random traffic.
    proof_rejected : int
        Those of them that had to be rejected.
    simulation_s : float
        Processor seconds of the simulation of time.
    """

    bytes: int
    calls: int
    blocks: int
    alone_cycles: int
    hardware_ns: float
    queued_ns: float
    to_device_ns: float
    compute_ns: float
    from_device_ns: float
    timer_cycles: int
    starved_cycles: int
    blocked_cycles: int
    core_cycles: int
    dma_cycles: int
    proof_jobs: int
    proof_rejected: int
    simulation_s: float


def check(setting: Setting) -> None:
    """Refuse clocks that no testbed has.

    Raises
    ------
    InputError
        One is 0, or they are too far apart.
    """
    for option, mhz in (("--core-mhz", setting.core_mhz), ("--dma-mhz", setting.dma_mhz)):
        if not MIN_MHZ <= mhz <= MAX_MHZ:
            raise InputError(option, f"must be {MIN_MHZ:g} to {MAX_MHZ:g}, not {mhz:g}")
    ratio = max(setting.core_mhz / setting.dma_mhz, setting.dma_mhz / setting.core_mhz)
    if ratio > MAX_RATIO:
        what = f"one clock is {ratio:.0f} times the other"
        raise InputError("--core-mhz, --dma-mhz", what, f"at most {MAX_RATIO:g} times")


def unit_of(operation: Operation) -> int:
    """Give the bytes that any size of payload is a multiple of: those of a call, where all calls
    are of one length.
    """
    payload = [field for field in operation.inputs if field.name == operation.payload]
    if operation.has_blocks:
        return payload[0].multiple
    return max(sum(field.bytes or 0 for field in payload or operation.inputs), 1)


def calls_of(operation: Operation, size: int, lanes: int = 1) -> tuple[int, int]:
    """Give how many calls a payload of so many bytes makes, and the bytes of one.

    Parameters
    ----------
    lanes : int
        Calls that the core has at once: so many are made of one length.

    Raises
    ------
    InputError
        It cannot be cut into such; the message names the nearest that can.
    """
    if size < 1:
        raise InputError("--sizes", f"must be above 0, not {size}")
    unit = unit_of(operation) * lanes
    calls = lanes if operation.has_blocks else size // unit * lanes
    if size % unit:
        below = size - size % unit
        near = f"{below} or {below + unit}" if below else f"{unit}"
        told = f", {lanes} calls at once," if lanes > 1 else ""
        what = f"{operation.name}{told} takes multiples of {unit} bytes, not {size}"
        raise InputError("--sizes", what, f"the nearest: {near}")
    return calls, size // calls


def check_size(operation: Operation, size: int, setting: Setting, lanes: int = 1) -> None:
    """Refuse a size that cannot be cut into calls, or that the link alone takes too long for.

    Raises
    ------
    InputError
        The message names what can be done.
    """
    calls_of(operation, size, lanes)
    seconds = (1 + _QUEUED) * size / (setting.link.mbyte_per_s * 1e6)
    cycles = seconds * (setting.core_mhz + setting.dma_mhz) * 1e6
    if cycles > MAX_CYCLES:
        most = int(size * MAX_CYCLES / cycles)
        what = f"{size} bytes take {cycles:.2g} cycles of simulation over {setting.link.name}"
        raise InputError("--sizes", what, f"up to {most} bytes, or a lower clock")


def claimed(design: Design, operation: str, *, calls: int, blocks: int) -> float | None:
    """Give the cycles that a design claims for calls of so many blocks each, back to back, the most
    of a range; None if it claims too little, as a core that has several calls at once does.
    """
    if design.interleaved > 1:
        return None

    def claim(name: str) -> float | None:
        bounds = design.claim(operation, name, blocks=blocks)
        return None if bounds is None else float(bounds[1])

    one = claim("total_cycles")
    if one is None and (latency := claim("latency_cycles")) is not None:
        per_block = claim("cycles_per_block")
        if blocks == 1 or per_block is not None:
            one = latency + (blocks - 1) * (per_block or 0)
    if calls == 1 or one is None:
        return one
    each = claim("cycles_per_message")
    return None if each is None else one + (calls - 1) * each


def measure(
    design: Design, name: str, size: int, setting: Setting, *, wave: Path | None = None
) -> Measured:
    """Measure an operation on a payload of so many bytes.

    Parameters
    ----------
    wave : Path, optional
        Where to leave a waveform of the end of a run that fails.

    Raises
    ------
    InputError
        The size or a clock is none, there is no specification, or the run would take too long.
    CheckFailed
        An output is wrong, or none comes; the message names word and cycle.
    """
    check(setting)
    operation = design.primitive.operation(name)
    lanes = design.interleaved
    check_size(operation, size, setting, lanes)
    calls, each = calls_of(operation, size, lanes)
    with Oracle(design.primitive, [name], fast=True) as oracle:
        if not oracle.knows(operation):
            what = f"{name} has no specification: its outputs could not be compared"
            raise InputError(str(design.primitive.folder), what)
        # Each of the calls that are there at once has a payload of its own.
        given = [_inputs(operation, each, setting.seed, calls, lane) for lane in range(lanes)]
        jobs = oracle.accepted(operation, given)
    return measure_jobs(design, name, jobs * (calls // lanes), setting, size=size, wave=wave)


def measure_jobs(
    design: Design,
    name: str,
    jobs: Sequence[Job],
    setting: Setting,
    *,
    size: int,
    silent_cycles: int = 0,
    wave: Path | None = None,
) -> Measured:
    """Measure calls of an operation whose answers are known, as one job of the testbed.

    Parameters
    ----------
    jobs : sequence of Job
        The calls, back to back.
    size : int
        Bytes of all their payloads.
    silent_cycles : int
        For which the core may work without a transfer, beside what is usual and it claims.

    Raises
    ------
    InputError
        A clock is none, or the run would take too long.
    CheckFailed
        As of `measure`.
    """
    check(setting)
    operation = design.primitive.operation(name)
    wrapped = wrapper.wrap(design, setting.link.word_bytes)
    with Oracle(design.primitive, [name], fast=True) as oracle:
        proof = _proof(oracle, operation, design.interleaved)
    bench = _Bench(design, wrapped, setting, wave, silent_cycles)
    bench.prove(_grouped([framing.call(design, one) for one in proof], design.interleaved))
    calls = [framing.call(design, one) for one in jobs]
    started = time.process_time()
    first, times = bench.run([calls], "one job")
    _, ends = bench.run([calls] * _QUEUED, "jobs queued")
    took = time.process_time() - started
    with verify.open_model(design) as alone:
        silent = wrapped.core.silent_cycles + silent_cycles
        cycles = alone.cycles_of(calls, patience=PATIENCE_CYCLES + silent)
    own = max(one.last_out for one in cycles) - min(one.first_in for one in cycles) + 1
    begin, end = times[0], times[-1]
    inside, outside = _split(first, begin, end, own, setting.clocks.core_ps)
    return Measured(
        bytes=size,
        calls=len(calls),
        blocks=_blocks(operation, size // len(calls)),
        alone_cycles=own,
        hardware_ns=(end - begin) / 1000,
        queued_ns=(ends[-1] - ends[-2]) / 1000,
        to_device_ns=(end - begin - inside - outside) / 1000,
        compute_ns=inside / 1000,
        from_device_ns=outside / 1000,
        timer_cycles=first.values[-2] | first.values[-1] << 32,
        starved_cycles=first.starved_cycles,
        blocked_cycles=first.blocked_cycles,
        core_cycles=bench.core_cycles,
        dma_cycles=bench.dma_cycles,
        proof_jobs=len(proof) * _PROOF_RUNS,
        proof_rejected=sum(not one.accepted for one in proof) * _PROOF_RUNS,
        simulation_s=took,
    )


def _blocks(operation: Operation, payload: int) -> int:
    block = operation.block_bytes or payload
    return -(-(payload + operation.padding_bytes) // block)


def _inputs(operation: Operation, payload: int, seed: int, calls: int, lane: int) -> Inputs:
    """Give random inputs; other fields than the payload are as short as may be."""
    told = f"testbed {operation.name} {payload} {calls}" + (f" {lane}" if lane else "")
    source = random.Random(hashed(told, seed))
    lengths = operation.lengths(payload)
    chosen = operation.free.measured if operation.free else None
    return tuple(source.randbytes(length) for length in lengths), chosen


def _proof(oracle: Oracle, operation: Operation, lanes: int) -> list[Job]:
    """Give a few short calls, and forgeries of them."""
    near = suites.near_boundaries(oracle, operation)
    few = near[:: max(len(near) // max(_PROOF_CALLS, 2 * lanes), 1)]
    forged = suites.forgeries(oracle, operation, few[:2])
    return suites.mixed([few, forged])


def _grouped(calls: Sequence[Call], lanes: int) -> list[Sequence[Call]]:
    """Give jobs of some calls: of each lane's one after the other two in a job, if there are."""
    many = 1 if lanes == 1 else 2 * lanes
    return [calls[at : at + many] for at in range(0, len(calls), many)]


def _split(ran: Ran, begin: int, end: int, own: int, core_ps: int) -> tuple[int, int]:
    """Give the ps of computing, and those from it to the end, of one job."""
    worked = ran.last_out_ps - ran.first_in_ps
    inside = min(worked, (own - 1) * core_ps)
    stuck = min(ran.blocked_cycles * core_ps, worked - inside)
    return inside, stuck + end - ran.last_out_ps


class _Bench:
    """A testbed with what surrounds it; counts the cycles that are simulated."""

    def __init__(
        self,
        design: Design,
        wrapped: Wrapped,
        setting: Setting,
        wave: Path | None,
        silent_cycles: int,
    ) -> None:
        self.design, self.wrapped, self.setting, self.wave = design, wrapped, setting, wave
        self.silent_cycles = silent_cycles
        self.core_cycles = self.dma_cycles = 0

    def prove(self, jobs: Sequence[Sequence[Call]]) -> None:
        """Run jobs under random traffic, phases and jitter, and doubt at the crossings."""
        plain = self.setting.clocks
        for index in range(_PROOF_RUNS):
            source = random.Random(hashed(f"testbed {self.design.top}", index))
            clocks = msgspec.structs.replace(
                plain,
                dma_phase_ps=source.randrange(plain.dma_ps),
                core_phase_ps=source.randrange(plain.core_ps),
                jitter_ps=min(plain.dma_ps, plain.core_ps) // 8,
            )
            self._simulate(
                jobs,
                clocks,
                label=f"random traffic {index}",
                seed=source.getrandbits(63),
                proof=True,
            )

    def run(self, jobs: Sequence[Sequence[Call]], label: str) -> tuple[Ran, list[int]]:
        """Run jobs and give the times of the marks: the start, and the end of each job."""
        ran, steps = self._simulate(jobs, self.setting.clocks, label, self.setting.seed)
        marks = [v for step, v in zip(steps, ran.values, strict=True) if step.kind == Kind.MARK]
        return ran, marks

    def _simulate(
        self,
        jobs: Sequence[Sequence[Call]],
        clocks: Clocks,
        label: str,
        seed: int,
        *,
        proof: bool = False,
    ) -> tuple[Ran, list[Access]]:
        steps = host(self.wrapped, jobs, delay=7 if proof else 0)
        where = f"{self.design.label}, testbed, {label}"
        link = self.setting.link
        wave_to = 0

        def once(wave: Path | None) -> Ran:
            nonlocal wave_to
            with TestbedModel(self.wrapped, wave=wave, doubt=proof) as testbed:
                try:
                    return testbed.run(
                        *(jobs, clocks, link),
                        accesses=steps,
                        label=where,
                        traffic=proof or self.setting.traffic,
                        seed=seed,
                        wave_to=wave_to,
                        silent_cycles=self.silent_cycles,
                    )
                finally:
                    wave_to = testbed.ended
                    self.core_cycles += testbed.ended

        try:
            ran = once(None)
        except CheckFailed as error:
            if self.wave is None:
                raise
            with_wave = error
            try:
                once(self.wave)
            except CheckFailed as again:
                with_wave = again
            raise with_wave.drawn(self.wave) from None
        self.dma_cycles += ran.dma_cycles
        return ran, steps


def host(wrapped: Wrapped, jobs: Sequence[Sequence[Call]], *, delay: int = 0) -> list[Access]:
    """Give what the host does: two jobs are under way at most, the next set up while one runs.

    Its marks are the time before the first access, and those after each job; last it reads the
    timer.
    """
    steps = [*model.enable(), Access(Kind.MARK)]
    waiting = 0
    for number, calls in enumerate(jobs):
        if waiting == 2:
            steps += [*model.collect(wrapped), Access(Kind.MARK)]
            waiting -= 1
        steps += [*model.arguments(wrapped, calls, number, delay=delay), model.start()]
        waiting += 1
    for _ in range(waiting):
        steps += [*model.collect(wrapped), Access(Kind.MARK)]
    timer = registers.offset(wrapped.registers, "timer")
    return [*steps, Access(Kind.READ, timer), Access(Kind.READ, timer + 4)]
