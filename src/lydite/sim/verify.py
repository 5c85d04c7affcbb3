# SPDX-License-Identifier: Apache-2.0
"""Prove a design: known answers under all stalls, resets in mid-message, and its claims of cycles.

What a passed `verify` means: every vector of the primitive came out right, back to back, in every
mode of STALL_MODES; so did messages around block boundaries, and many random ones, against the
specification in Python, where there is one; a reset at several moments left no trace; and the
cycles measured are the cycles that `core.toml` claims.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import msgspec

from lydite.base.errors import CheckFailed
from lydite.base.seeds import hashed
from lydite.cores import Design, Primitive
from lydite.cores.kat import Chain
from lydite.sim import elaborate, random_messages
from lydite.sim.generate import sources_of
from lydite.sim.random_messages import DEFAULT_SEED, RandomFailed, Tried
from lydite.sim.specification import Read, Specification, specification
from lydite.sim.stream import (
    STALL_MODES,
    Message,
    StreamModel,
    StreamPorts,
    stream_ports,
)

# Blocks of the two messages whose difference gives the steady state.
_SHORT_BLOCKS, _LONG_BLOCKS = 6, 18
_RANDOM_SEEDS = 3
_NOTHING_READ: Read = ()
# A few of the vectors: how many, and of how many blocks or bytes at most.
_SOME_MESSAGES, _SOME_BLOCKS, _SOME_BYTES = 8, 3, 512


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
        Messages checked against the specification, each in every mode.
    random_messages, random_words : int
        Random messages checked against it, and words of their outputs; 0 without a specification.
    proof_seed : int
        What the random messages follow from.
    resets : int
        Resets in mid-message after which the vectors came out right.
    cycles_per_block : int
        Cycles from block to block in the steady state of a long message.
    cycles_per_message : int
        Cycles from message to message, for messages of one block, back to back.
    latency_cycles : int
        Cycles from the first beat taken to the last beat given, one block, both ends counted.
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
    random_messages: int
    random_words: int
    proof_seed: int
    resets: int
    cycles_per_block: int
    cycles_per_message: int
    latency_cycles: int
    specification: tuple[tuple[str, str], ...]
    simulated_cycles: int
    simulation_s: float


def open_model(design: Design, *, effort: str = "quick", wave: Path | None = None) -> StreamModel:
    """Build (if need be) and make the simulated model of a design.

    Raises
    ------
    InputError
        The sources do not compile, or have not the ports of the interface.
    """
    sources = sources_of(design)
    ports: StreamPorts = stream_ports(
        elaborate.ports(sources), design.clock, design.reset, where=f"{design.label}: {design.top}"
    )
    return StreamModel(
        sources, ports, clock=design.clock, reset=design.reset, effort=effort, wave=wave
    )


def verify(design: Design, *, wave: Path | None = None, seed: int = DEFAULT_SEED) -> Verified:
    """Run all checks on a design.

    Parameters
    ----------
    seed : int
        Of the random messages.
    wave : Path, optional
        Where to leave a waveform of the failing run, if one fails.

    Raises
    ------
    CheckFailed
        Something came out wrong; the message names vector, stall mode and first wrong byte.
    """
    try:
        with open_model(design) as model:
            return check(design, model, seed=seed)
    except CheckFailed as error:
        if wave is None:
            raise
        _leave_wave(design, wave, error, seed)
        raise error.drawn(wave) from None


def _leave_wave(design: Design, wave: Path, error: CheckFailed, seed: int) -> None:
    """Run again with a waveform; it ends where the run fails, and has few random messages."""
    with open_model(design, wave=wave) as model:
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
    known = [Message(v.message, v.output, v.where) for v in primitive.vectors()]
    near, read = _boundary_messages(primitive)
    if not every:
        known, near = (_some(messages, primitive.block_bytes) for messages in (known, near))
    for stalls in STALL_MODES:
        for index in range(_RANDOM_SEEDS if stalls.name == "random" else 1):
            run_seed = hashed(f"stalls {design.top}", index)
            model.run(known, stalls=stalls, seed=run_seed, label="known answers")
            if near:
                model.run(near, stalls=stalls, seed=run_seed, label="block boundaries")
    resets = _reset_in_mid_message(design, model, known)
    per_block, per_message, latency = measure(design, model)
    for claim, claimed, measured in (
        ("cycles_per_block", design.cycles_per_block, per_block),
        ("latency_cycles", design.latency_cycles, latency),
        ("cycles_per_message", design.cycles_per_message, per_message),
    ):
        if claimed is not None and claimed != measured:
            raise CheckFailed(
                f"{claimed} as core.toml claims", f"{measured} measured", f"{design.label}: {claim}"
            )
    tried, more = Tried(0, 0), _NOTHING_READ
    if seed is not None:
        tried, more = _random_messages(design, model, seed, (per_block, per_message))
    return Verified(
        vectors=len(known),
        vectors_digest=primitive.vectors_digest,
        modes=tuple(stalls.name for stalls in STALL_MODES),
        boundary_messages=len(near),
        random_messages=tried.messages,
        random_words=tried.words,
        proof_seed=seed or 0,
        resets=resets,
        cycles_per_block=per_block,
        cycles_per_message=per_message,
        latency_cycles=latency,
        specification=tuple(sorted({*read, *more})),
        simulated_cycles=model.cycles,
        simulation_s=time.monotonic() - started,
    )


def _some(messages: list[Message], block_bytes: int) -> list[Message]:
    """Give a few of the messages, of lengths all over a few blocks."""
    most = max(_SOME_BLOCKS * block_bytes, _SOME_BYTES)
    short = [message for message in messages if len(message.data) <= most]
    by_length = sorted(short or messages, key=lambda message: len(message.data))
    last = len(by_length) - 1
    count = min(_SOME_MESSAGES, len(by_length))
    return [by_length[index * last // max(count - 1, 1)] for index in range(count)]


def _boundary_messages(primitive: Primitive) -> tuple[list[Message], Read]:
    """Give messages of every length around the ends of the first three blocks, and what the
    specification read for them.
    """
    spec = specification(primitive)
    if spec is None:
        return [], ()
    block = primitive.block_bytes
    lengths = sorted(
        {max(blocks * block + offset, 0) for blocks in (0, 1, 2) for offset in range(-9, 10)}
    )
    # Outputs of one byte to several blocks, in step with the messages, where the length is free.
    outputs = [
        1 + (37 * index) % (3 * block) if primitive.kind == "xof" else primitive.output_bytes
        for index in range(len(lengths))
    ]
    with spec:
        jobs = [(_pattern(length), output) for length, output in zip(lengths, outputs, strict=True)]
        messages = [
            Message(data, answer, f"{len(data)} bytes in, {output} out")
            for (data, output), answer in zip(jobs, spec.many(jobs), strict=True)
        ]
        return messages, spec.read()


def _random_messages(
    design: Design, model: StreamModel, seed: int, cycles: tuple[int, int]
) -> tuple[Tried, Read]:
    """Run random messages against the specification or its quick twin, which must agree with it;
    give what these read.
    """
    primitive = design.primitive
    with contextlib.ExitStack() as stack:
        spec, fast = (
            stack.enter_context(Specification(primitive, reference)) if reference else None
            for reference in (primitive.spec, primitive.fast)
        )
        answers = fast or spec
        if answers is None:
            return Tried(0, 0), ()
        if fast is not None:
            random_messages.agree(primitive, fast.many, spec.many if spec else None)
        tried = random_messages.run(
            primitive, model, answers.many, seed=seed, cycles=cycles, top=design.top
        )
        return tried, answers.read()


def _pattern(length: int) -> bytes:
    """Give a message in which every byte differs from its neighbours in a fixed way."""
    return bytes((7 + 11 * i + (i >> 8)) & 0xFF for i in range(length))


def _reset_in_mid_message(design: Design, model: StreamModel, known: list[Message]) -> int:
    """Cut runs off by a reset while a message goes in, is worked on, and comes out."""
    by_length = sorted(known, key=lambda message: len(message.data))
    longest = by_length[-3:]
    # Short ones first: a block that ends early shows what was left of the one that was cut off.
    after = [*by_length[:3], longest[-1]]
    work = design.cycles_per_block + design.latency_cycles
    moments = sorted({max(work * part // 16, 1) for part in range(1, 40, 3)})
    for moment in moments:
        model.run(after, cut_off=longest, reset_at=moment, label=f"reset at cycle {moment}")
    return len(moments)


def measure(design: Design, model: StreamModel) -> tuple[int, int, int]:
    """Measure cycles a block, cycles a one-block message, and latency, without stalls.

    Raises
    ------
    CheckFailed
        The core has no steady state: blocks take different numbers of cycles on average.
    """
    primitive = design.primitive
    output = primitive.output_bytes
    one = primitive.one_block_bytes

    def last_beats(lengths: list[int]) -> list[int]:
        jobs = [(_pattern(length), output) for length in lengths]
        return [cycles.last_out + 1 for cycles in model.cycles_of(jobs)]

    more = (_LONG_BLOCKS - _SHORT_BLOCKS) * primitive.block_bytes
    short_length = one + (_SHORT_BLOCKS - 1) * primitive.block_bytes
    [short], [long] = last_beats([short_length]), last_beats([short_length + more])
    per_block, rest = divmod(long - short, _LONG_BLOCKS - _SHORT_BLOCKS)
    if rest:
        raise CheckFailed(
            "a whole number of cycles for each block",
            f"{long - short} cycles for {_LONG_BLOCKS - _SHORT_BLOCKS} blocks",
            f"{design.label}: steady state",
        )
    ends = last_beats([one] * _LONG_BLOCKS)
    per_message = max(
        b - a for a, b in zip(ends[_SHORT_BLOCKS:], ends[_SHORT_BLOCKS + 1 :], strict=False)
    )
    [latency] = last_beats([one])
    return per_block, per_message, latency


def run_chain(design: Design, chain: Chain, *, model: StreamModel) -> int:
    """Run a Monte Carlo chain (SHA3VS 6.2.3, 6.3.3) and give the messages that it took.

    Raises
    ------
    CheckFailed
        A checkpoint is wrong.
    """
    primitive = design.primitive
    low, high = chain.output_range
    message, length = chain.seed, high
    count = 0
    for checkpoint in chain.checkpoints:
        for _ in range(1000):
            output = model.answer(message, length)
            count += 1
            if primitive.kind == "hash":
                message = output
            else:
                message = output[:16].ljust(16, b"\0")
                length = low + int.from_bytes(output[-2:], "big") % (high - low + 1)
        if output != checkpoint.output:
            raise CheckFailed(checkpoint.output.hex(), output.hex(), checkpoint.where)
    return count
