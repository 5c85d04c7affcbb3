# SPDX-License-Identifier: Apache-2.0
"""Random messages against the specification: what known answers and block boundaries do not meet.

A fault that shows in one output word of 65,536 is found with a probability of 99 % where that many
messages fit into the time: simulation is cheap, and a specification may have a quick twin (`fast`),
which must agree with it and with the known answers first. Everything follows from one seed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence

import msgspec

from lydite.base.errors import CheckFailed, InputError
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.cores.operation import Field, Operation
from lydite.sim.framing import Job, call
from lydite.sim.stream import NO_STALLS, STALL_MODES, Call, Stalls, StreamModel
from lydite.sim.suites import Inputs, Oracle, flipped

DEFAULT_SEED = 1
# One fault in so many output words is to be found, and 99.3 % are found with five times as many.
FAULT_WORDS = 65_536
_WORDS = 5 * FAULT_WORDS
_LEAST = 4096
_CHUNK = 4096
# A core of some hundred cycles a block is given fewer messages; one for which even the least number
# would take longer than _SLOW_CYCLES, as signing does, as many as fit into _CYCLES, or a few.
_CYCLES = 6_000_000
_SLOW_CYCLES = 48_000_000
_FEW = 16
_SPECIFICATION_S = 10.0
_RANDOM = next(stalls for stalls in STALL_MODES if stalls.name == "random")
_PATIENT = next(stalls for stalls in STALL_MODES if stalls.name == "patient")
# Longest message, in blocks; a block counts as 16 bytes at least.
_LONG_BLOCKS = 16


class Tried(msgspec.Struct, frozen=True):
    """How many messages were run, and how many words of output were compared."""

    messages: int
    words: int


class RandomFailed(CheckFailed):
    """A random message came out wrong; a run of few messages shows it again.

    Attributes
    ----------
    replay : callable
        Runs them on a model of the same design.
    """

    def __init__(self, error: CheckFailed, replay: Callable[[StreamModel], object]) -> None:
        super().__init__(error.expected, error.got, error.at)
        self.replay = replay


def probability(words: int) -> float:
    """Give the probability with which a fault in one word of FAULT_WORDS shows in some words."""
    return -math.expm1(words * math.log1p(-1 / FAULT_WORDS))


def agree(operation: Operation, known: Sequence[Job], fast: Oracle, spec: Oracle) -> None:
    """Check that the quick twin of a specification answers what that, and the vectors, answer.

    Parameters
    ----------
    known : sequence of Job
        The vectors of the operation.

    Raises
    ------
    InputError
        They differ; the message says for what.
    """
    jobs = list(known)
    if spec.knows(operation):
        draws = _draws(operation, random.Random(hashed("twin", 0)))
        jobs += spec.accepted(operation, [next(draws) for _ in range(48)])
    calls = [(job.inputs, operation.chosen(job.outputs)) for job in jobs]
    answers = fast.outputs(operation, calls)
    for number, (job, answer) in enumerate(zip(jobs, answers, strict=True)):
        if answer != (job.outputs if job.accepted else None):
            where = job.where if number < len(known) else f"{operation.spec}, {job.where}"
            raise InputError(
                str(spec.primitive.folder / operation.fast.partition(":")[0]),
                f"{operation.fast} differs from {where}",
                "both are to be the same function",
            )


def run(
    design: Design,
    operation: Operation,
    model: StreamModel,
    oracle: Oracle,
    *,
    seed: int,
    cycles: tuple[float, float],
) -> Tried:
    """Run random messages, most without stalls, some under random ones and a patient sink.

    Parameters
    ----------
    oracle : Oracle
        The specification; it is given so many seconds of a processor, and messages end after.
    cycles : tuple of float
        Cycles a block and cycles a message, as measured: they bound the number of messages.

    Raises
    ------
    RandomFailed
        An output is wrong, or a rule of the stream is broken.
    """
    primitive = design.primitive
    several = f" {operation.name}" if len(primitive.operations) > 1 else ""
    draw = random.Random(hashed(f"messages of {primitive.name}{several}", seed))
    draws = _draws(operation, draw)
    word_bytes = model.face.sources[0].bytes
    # The operations of a design share the time.
    shares = len(design.operations)
    count = _count(operation, cycles, word_bytes, shares)
    began = oracle.cpu_s
    tried = words = 0
    least = min(_LEAST, count)
    while tried < count and (tried < least or oracle.cpu_s - began < _SPECIFICATION_S / shares):
        calls = [next(draws) for _ in range(min(_CHUNK, count - tried))]
        jobs = _with_forgeries(operation, oracle.accepted(operation, calls), oracle, draw)
        chunk = [call(design, job) for job in jobs]
        stalls = {3: _PATIENT, 7: _RANDOM}.get(tried // _CHUNK % 8, NO_STALLS)
        label = f"random messages from {tried} (--proof-seed {seed})"
        _chunk(model, chunk, stalls, hashed(f"stalls {design.top}", tried), label)
        tried += len(chunk)
        words += sum(_words(sum(map(len, job.outputs)), word_bytes) for job in jobs)
    return Tried(tried, words)


def _with_forgeries(
    operation: Operation, jobs: list[Job], oracle: Oracle, draw: random.Random
) -> list[Job]:
    """Put a wrong bit into one call in four, where an operation rejects."""
    if not operation.forgeable:
        return jobs
    places = [number for number in range(len(jobs)) if draw.randrange(4) == 0]
    calls = []
    for number in places:
        inputs = list(jobs[number].inputs)
        field = draw.choice([n for n, value in enumerate(inputs) if value])
        inputs[field] = flipped(inputs[field], draw.randrange(8 * len(inputs[field])))
        calls.append((tuple(inputs), None))
    for number, forged in zip(places, oracle.jobs(operation, calls), strict=True):
        jobs[number] = forged
    return jobs


def _words(output_bytes: int, word_bytes: int) -> int:
    return max(1, -(-output_bytes // word_bytes))


def _chunk(
    model: StreamModel, chunk: Sequence[Call], stalls: Stalls, seed: int, label: str
) -> None:
    try:
        model.run(chunk, stalls=stalls, seed=seed, label=label)
    except CheckFailed as error:
        raise _smallest(error, model, chunk, stalls, seed, label) from error


def _smallest(
    error: CheckFailed,
    model: StreamModel,
    chunk: Sequence[Call],
    stalls: Stalls,
    seed: int,
    label: str,
) -> RandomFailed:
    """Find a short run of messages, up to the one that failed, that fails, too."""
    end = model.failed + 1
    for length in (1, 2, 8, 64, 512):
        few = chunk[max(0, end - length) : end]
        told = f"{label}, {len(few)} of them alone"

        def replay(model: StreamModel, few: Sequence[Call] = few, told: str = told) -> object:
            return model.run(few, stalls=stalls, seed=seed, label=told)

        try:
            replay(model)
        except CheckFailed as shorter:
            return RandomFailed(shorter, replay)
    return RandomFailed(
        error, lambda model: model.run(chunk, stalls=stalls, seed=seed, label=label)
    )


def _scale(operation: Operation) -> int:
    return max(operation.block_bytes, 16)


def _count(operation: Operation, cycles: tuple[float, float], word_bytes: int, shares: int) -> int:
    """Give the number of messages that find what is to be found, or that fit into the time."""
    scale = _scale(operation)
    # Of outputs of free length three in four are up to a quarter of a block, the others up to two.
    # Three payloads in four are of less than a block.
    typical = operation.output_lengths(operation.lengths(scale))
    mean_output = 11 * scale / 32 if operation.free else float(sum(typical))
    wanted = _WORDS / max(1.0, mean_output / word_bytes)
    per_block, per_message = cycles
    blocks = (scale + mean_output) / operation.block_bytes if operation.block_bytes else 0.0
    each = per_message + per_block * blocks
    fitting = int(_CYCLES / shares / each)
    if _LEAST * each > _SLOW_CYCLES:
        return max(_FEW, fitting)
    return max(_LEAST, min(math.ceil(wanted), fitting))


def _draws(operation: Operation, draw: random.Random) -> Iterator[Inputs]:
    """Give inputs and output lengths: three payloads in four of less than a block, a few long."""
    scale = _scale(operation)
    while True:
        kind = draw.randrange(64)
        longest = scale - 1 if kind < 48 else 3 * scale if kind < 62 else _LONG_BLOCKS * scale
        inputs = tuple(
            _bytes(draw, field.bytes)
            if field.bytes is not None
            else _any_length(draw, longest, field)
            for field in operation.inputs
        )
        if operation.free is not None:
            yield inputs, draw.randint(1, scale // 4 if kind % 4 else 2 * scale)
        else:
            yield inputs, None


def _any_length(draw: random.Random, longest: int, field: Field) -> bytes:
    length = draw.randint(0, longest if field.most is None else min(longest, field.most))
    return _bytes(draw, -(-length // field.multiple) * field.multiple)


def _bytes(draw: random.Random, length: int) -> bytes:
    """Give a message: one in eight is not of random bytes, but of few, or of many equal, bits."""
    kind = draw.randrange(32)
    if kind == 0:
        return bytes(length)
    if kind == 1:
        return b"\xff" * length
    if kind == 2:
        return draw.randbytes(1) * length
    if kind == 3 and length:
        return (1 << draw.randrange(8 * length)).to_bytes(length, "little")
    return draw.randbytes(length)
