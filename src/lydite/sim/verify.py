# SPDX-License-Identifier: Apache-2.0
"""Prove a design: known answers under all stalls, resets in mid-message, and its claims of cycles.

What a passed `verify` means: every vector of the primitive came out right, back to back, in every
mode of STALL_MODES; so did short ones over and over, messages around block boundaries, and many
random ones, against the specification in Python, where there is one; a reset at several moments
left no trace; and the cycles measured are the cycles that `core.toml` claims.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lydite.base.errors import CheckFailed
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.cores.kat import Chain, chains
from lydite.sim import elaborate, framing, random_messages, suites, timing
from lydite.sim.build import Effort, sources_of
from lydite.sim.framing import Job
from lydite.sim.random_messages import DEFAULT_SEED, RandomFailed, Tried
from lydite.sim.specification import Read
from lydite.sim.stream import BLOCKED, NO_STALLS, STALL_MODES, StreamModel
from lydite.sim.suites import Oracle
from lydite.sim.timing import Timing

_RANDOM_SEEDS = 3
_NOTHING_READ: Read = ()
# A few of the vectors: how many, and of how many blocks or bytes at most.
_SOME_MESSAGES, _SOME_BLOCKS, _SOME_BYTES = 8, 3, 512
# Of short messages in a row: how many at most, and in how many cycles without stalls; and where
# only a few of the vectors are run.
_IN_A_ROW, _ROW_CYCLES = 128, 20_000
_SOME_IN_A_ROW, _SOME_ROW_CYCLES = 48, 2_000


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What was shown of an operation.

    Attributes
    ----------
    timing : Timing
        Its cycles.
    vectors : int
        Its known answers.
    random_messages, random_words : int
        Random calls checked against the specification, and words of their outputs; 0 without one.
    """

    timing: Timing
    vectors: int
    random_messages: int
    random_words: int


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What was shown, and the cycles that were measured on the way.

    Attributes
    ----------
    vectors : int
        Known answers, each in every stall mode.
    vectors_digest : str
        Digest of the vectors files.
    modes : tuple of str
        Stall modes; `random` ran under several seeds.
    boundary_messages : int
        Calls checked against the specification, each in every mode: around block boundaries, under
        keys that change, undone, forged.
    forgeries : int
        Those of them that are forged.
    operations : tuple of Shown
        Each operation's part, in their order.
    proof_seed : int
        What the random messages follow from.
    chained : int
        Calls of Monte Carlo chains, each chain up to its first checkpoint.
    in_a_row : int
        Short calls one behind the other, in every mode: they fill what long ones never fill.
    resets : int
        Resets in mid-message after which the vectors came out right.
    specification : tuple of (str, str)
        Names and digests of what the specification read.
    simulated_cycles : int
        All cycles that were simulated.
    simulation_s : float
        Seconds that took, without building the model.
    """

    vectors: int
    vectors_digest: str
    modes: tuple[str, ...]
    boundary_messages: int
    forgeries: int
    operations: tuple[Shown, ...]
    proof_seed: int
    chained: int
    in_a_row: int
    resets: int
    specification: tuple[tuple[str, str], ...]
    simulated_cycles: int
    simulation_s: float


def open_model(
    design: Design,
    *,
    effort: Effort = "quick",
    wave: Path | None = None,
    ports_only: bool = False,
    shown: tuple[int, int] | None = None,
) -> StreamModel:
    """Build (if need be) and make the simulated model of a design; see `StreamModel`.

    Raises
    ------
    InputError
        The sources do not compile, or have not the ports of the interface.
    """
    sources = sources_of(design)
    face = framing.face(elaborate.ports(sources), design)
    return StreamModel(
        sources,
        face,
        clock=design.clock,
        reset=design.reset,
        effort=effort,
        wave=wave,
        ports_only=ports_only,
        shown=shown,
    )


def verify(design: Design, *, wave: Path | None = None, seed: int = DEFAULT_SEED) -> Verified:
    """Run all checks on a design.

    Parameters
    ----------
    seed : int
        Of the random messages.
    wave : Path, optional
        Where to leave a waveform of what fails, if anything does.

    Raises
    ------
    CheckFailed
        Something came out wrong; the message names vector, stall mode and first wrong byte.
    """
    with open_model(design) as model:
        try:
            return check(design, model, seed=seed)
        except CheckFailed as error:
            if wave is None:
                raise
            _leave_wave(design, wave, error, seed, model.window)
            raise error.drawn(wave) from None


def _leave_wave(
    design: Design, wave: Path, error: CheckFailed, seed: int, window: tuple[int, int]
) -> None:
    """Run again with a waveform, of the call that fails alone, or of few random messages."""
    shown = None if isinstance(error, RandomFailed) else window
    with open_model(design, wave=wave, shown=shown) as model:
        try:
            if isinstance(error, RandomFailed):
                error.replay(model)
            else:
                check(design, model, seed=seed)
        except CheckFailed:
            return


def check(
    design: Design, model: StreamModel, *, every: bool = True, seed: int | None = None
) -> Verified:
    """Run all checks on a model of a design.

    Parameters
    ----------
    every : bool
        All vectors; else a few, from the shortest to those of some blocks.
    seed : int, optional
        Of the random messages; none are run without one.

    Raises
    ------
    CheckFailed
        As `verify`.
    """
    started = time.monotonic()
    primitive = design.primitive
    operations = {name: primitive.operation(name) for name in design.operations}
    known = [
        framing.job_of(operations[vector.operation], vector)
        for vector in primitive.vectors()
        if vector.operation in operations
    ]
    shown: list[Shown] = []
    with Oracle(primitive, operations) as oracle:
        near, forged = suites.near(oracle, operations)
        if not every:
            known, near = ([*_some(jobs)] for jobs in (known, near))
            forged = sum(not job.accepted for job in near)
        for label, jobs in (("known answers", known), ("block boundaries", near)):
            _under_stalls(design, model, jobs, label)
        timings: list[Timing] = []
        for name in operations:
            timings.append(timing.measure(design, name, model, oracle))
            timing.hold(design, timings[-1])
        chained = sum(
            run_chain(design, chain, model=model, checkpoints=1)
            for chain in (primitive.chains() if every else ())
            if chain.operation in operations
        )
        in_a_row = _short_in_a_row(design, model, known, timings, every=every)
        resets = _reset_in_mid_message(design, model, known, timings, every=every)
        read = set(oracle.read())
        for one in timings:
            mine = [job for job in known if job.operation.name == one.operation]
            tried, more = Tried(0, 0), _NOTHING_READ
            if seed is not None:
                tried, more = _random_messages(design, model, seed, one, mine, oracle)
            read |= {*more, *oracle.read()}
            shown.append(
                Shown(
                    timing=one,
                    vectors=len(mine),
                    random_messages=tried.messages,
                    random_words=tried.words,
                )
            )
    return Verified(
        vectors=len(known),
        vectors_digest=primitive.vectors_digest,
        modes=tuple(stalls.name for stalls in STALL_MODES),
        boundary_messages=len(near),
        forgeries=forged,
        operations=tuple(shown),
        proof_seed=seed or 0,
        chained=chained,
        in_a_row=in_a_row,
        resets=resets,
        specification=tuple(sorted(read)),
        simulated_cycles=model.cycles,
        simulation_s=time.monotonic() - started,
    )


def _by_length(jobs: list[Job]) -> list[Job]:
    return sorted(jobs, key=lambda job: sum(map(len, job.inputs)))


def _short_in_a_row(
    design: Design, model: StreamModel, known: list[Job], timings: list[Timing], *, every: bool
) -> int:
    """Run the shortest calls over and over, so that outputs pile up wherever there is room."""
    each = min(one.cycles_per_message.mean for one in timings)
    most, cycles = (_IN_A_ROW, _ROW_CYCLES) if every else (_SOME_IN_A_ROW, _SOME_ROW_CYCLES)
    count = model.face.lanes * min(most, int(cycles / each) + 1)
    short = _by_length(known)[:3]
    _under_stalls(design, model, [short[n % len(short)] for n in range(count)], "short messages")
    return count


def _under_stalls(design: Design, model: StreamModel, jobs: list[Job], label: str) -> None:
    """Run calls back to back in every mode of stalls."""
    if not jobs:
        return
    calls = [framing.call(design, job) for job in jobs]
    for stalls in STALL_MODES:
        for index in range(_RANDOM_SEEDS if stalls.name == "random" else 1):
            run_seed = hashed(f"stalls {design.top}", index)
            model.run(calls, stalls=stalls, seed=run_seed, label=label)


def _some(jobs: list[Job]) -> list[Job]:
    """Give a few calls of each operation, of payloads all over a few blocks, and as many that are
    rejected.
    """
    groups: dict[tuple[str, bool], list[Job]] = {}
    for job in jobs:
        groups.setdefault((job.operation.name, job.accepted), []).append(job)
    return [few for group in groups.values() for few in _few(group)]


def _few(group: list[Job]) -> list[Job]:
    most = max(_SOME_BLOCKS * group[0].operation.block_bytes, _SOME_BYTES)
    short = [job for job in group if sum(map(len, job.inputs)) <= most]
    by_length = _by_length(short or group)
    last = len(by_length) - 1
    count = min(_SOME_MESSAGES, len(by_length))
    return [by_length[index * last // max(count - 1, 1)] for index in range(count)]


def _random_messages(
    design: Design,
    model: StreamModel,
    seed: int,
    measured: Timing,
    known: list[Job],
    oracle: Oracle,
) -> tuple[Tried, Read]:
    """Run random messages against the specification or its quick twin, which must agree with it;
    give what these read.
    """
    operation = design.primitive.operation(measured.operation)
    per_block = measured.cycles_per_block.mean if measured.cycles_per_block else 0
    cycles = (per_block, measured.cycles_per_message.mean)
    if not operation.fast and not oracle.knows(operation):
        return Tried(0, 0), ()
    with Oracle(design.primitive, [operation.name], fast=True) as answers:
        if operation.fast:
            random_messages.agree(operation, known, answers, oracle)
        tried = random_messages.run(design, operation, model, answers, seed=seed, cycles=cycles)
        return tried, answers.read()


def _reset_in_mid_message(
    design: Design, model: StreamModel, known: list[Job], timings: list[Timing], *, every: bool
) -> int:
    """Cut runs off by a reset: while long messages go in, while short ones come out, and while
    their outputs stand in all that can hold them, since nobody takes any.
    """
    lanes = model.face.lanes
    by_length = [framing.call(design, job) for job in _by_length(known)]
    short, long = by_length[:3], by_length[-3:]
    # Short ones first: a block that ends early shows what was left of the one that was cut off.
    after = [*short, long[-1]] * lanes
    work = max(
        one.latency_cycles.most + (one.cycles_per_block.most if one.cycles_per_block else 0)
        for one in timings
    )
    step = 3 if every else 6
    count = 0
    for what, cut_off, before, parts in (
        ("long", long, NO_STALLS, range(1, 40, step)),
        ("short", short * 4, NO_STALLS, range(2, 40, step)),
        ("blocked", short * 4, BLOCKED, (16, 32, 64)),
    ):
        for moment in sorted({max(int(work) * part // 16, 1) for part in parts}):
            told = f"reset at cycle {moment} of {what} messages"
            model.run(after, cut_off=cut_off * lanes, before=before, reset_at=moment, label=told)
            count += 1
    return count


def run_chain(
    design: Design, chain: Chain, *, model: StreamModel, checkpoints: int | None = None
) -> int:
    """Run a Monte Carlo chain (`cores.kat.chains`), whole or up to a checkpoint, and give the calls
    that it took.

    Raises
    ------
    CheckFailed
        A checkpoint is wrong.
    """
    count = 0

    def answer(
        name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]
    ) -> Mapping[str, bytes]:
        nonlocal count
        count += 1
        operation = design.primitive.operation(name)
        job = Job(
            operation=operation,
            inputs=tuple(inputs[field] for field in operation.input_names),
            outputs=tuple(map(bytes, lengths)),
        )
        return framing.answered(design, job, model.answer(framing.call(design, job)))

    for checkpoint, got in itertools.islice(chains.run(chain, answer), checkpoints):
        for name, right in checkpoint.fields.items():
            if name in got and got[name] != right:
                raise CheckFailed(right.hex(), got[name].hex(), checkpoint.where)
    return count
