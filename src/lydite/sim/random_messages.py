# SPDX-License-Identifier: Apache-2.0
"""Random messages against the specification: what known answers and block boundaries do not meet.

A fault that shows in one output word of 65,536 is found with a probability of 99 % where that many
messages fit into the time: simulation is cheap, and a specification may have a quick twin (`fast`),
which must agree with it and with the known answers first. Everything follows from one seed.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from lydite.base.errors import CheckFailed, InputError
from lydite.base.seeds import hashed
from lydite.cores import Primitive
from lydite.sim.stream import NO_STALLS, STALL_MODES, Message, Stalls, StreamModel

# Messages and lengths of outputs to outputs.
Answers = Callable[[Sequence[tuple[bytes, int]]], Sequence[bytes]]
DEFAULT_SEED = 1
# One fault in so many output words is to be found, and 99.3 % are found with five times as many.
FAULT_WORDS = 65_536
_WORDS = 5 * FAULT_WORDS
_LEAST = 4096
_CHUNK = 4096
# A core of some hundred cycles a block is given fewer messages.
_CYCLES = 6_000_000
_SPECIFICATION_S = 20.0
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


def agree(primitive: Primitive, fast: Answers, spec: Answers | None) -> None:
    """Check that the quick twin of a specification answers what that, and the vectors, answer.

    Raises
    ------
    InputError
        They differ; the message says for what.
    """
    pairs = [(vector.message, vector.output, vector.where) for vector in primitive.vectors()]
    if spec is not None:
        draws = _draws(primitive, random.Random(hashed("twin", 0)))
        jobs = [next(draws) for _ in range(48)]
        pairs += [
            (data, output, f"{primitive.spec}, {len(data)} bytes")
            for (data, _), output in zip(jobs, spec(jobs), strict=True)
        ]
    answers = fast([(data, len(output)) for data, output, _ in pairs])
    for (_, output, where), answer in zip(pairs, answers, strict=True):
        if answer != output:
            raise InputError(
                str(primitive.folder / primitive.fast.partition(":")[0]),
                f"{primitive.fast} differs from {where}",
                "both are to be the same function",
            )


def run(
    primitive: Primitive,
    model: StreamModel,
    answers: Answers,
    *,
    seed: int,
    cycles: tuple[int, int],
    top: str,
) -> Tried:
    """Run random messages, most without stalls, some under random ones and a patient sink.

    Parameters
    ----------
    answers : callable
        The specification; it is given so many seconds, and messages end when they are over.
    cycles : tuple of int
        Cycles a block and cycles a message, as measured: they bound the number of messages.
    top : str
        For the seeds of stalls.

    Raises
    ------
    RandomFailed
        An output is wrong, or a rule of the stream is broken.
    """
    draws = _draws(primitive, random.Random(hashed(f"messages of {primitive.name}", seed)))
    count = _count(primitive, cycles, model.out_bytes)
    began = time.monotonic()
    tried = words = 0
    while tried < count and (tried < _LEAST or time.monotonic() - began < _SPECIFICATION_S):
        jobs = [next(draws) for _ in range(min(_CHUNK, count - tried))]
        chunk = [
            Message(data, output, f"{len(data)} bytes in, {length} out")
            for (data, length), output in zip(jobs, answers(jobs), strict=True)
        ]
        stalls = {3: _PATIENT, 7: _RANDOM}.get(tried // _CHUNK % 8, NO_STALLS)
        label = f"random messages from {tried} (--proof-seed {seed})"
        _chunk(model, chunk, stalls, hashed(f"stalls {top}", tried), label)
        tried += len(chunk)
        words += sum(_words(message.output, model.out_bytes) for message in chunk)
    return Tried(tried, words)


def _words(output: bytes, word_bytes: int) -> int:
    return max(1, -(-len(output) // word_bytes))


def _chunk(
    model: StreamModel, chunk: Sequence[Message], stalls: Stalls, seed: int, label: str
) -> None:
    try:
        model.run(chunk, stalls=stalls, seed=seed, label=label)
    except CheckFailed as error:
        raise _smallest(error, model, chunk, stalls, seed, label) from error


def _smallest(
    error: CheckFailed,
    model: StreamModel,
    chunk: Sequence[Message],
    stalls: Stalls,
    seed: int,
    label: str,
) -> RandomFailed:
    """Find a short run of messages, up to the one that failed, that fails, too."""
    end = model.failed + 1
    for length in (1, 2, 8, 64, 512):
        few = chunk[max(0, end - length) : end]
        told = f"{label}, {len(few)} of them alone"

        def replay(model: StreamModel, few: Sequence[Message] = few, told: str = told) -> object:
            return model.run(few, stalls=stalls, seed=seed, label=told)

        try:
            replay(model)
        except CheckFailed as shorter:
            return RandomFailed(shorter, replay)
    return RandomFailed(
        error, lambda model: model.run(chunk, stalls=stalls, seed=seed, label=label)
    )


def _scale(primitive: Primitive) -> int:
    return max(primitive.block_bytes, 16)


def _count(primitive: Primitive, cycles: tuple[int, int], word_bytes: int) -> int:
    """Give the number of messages that find what is to be found, or that fit into the time."""
    scale = _scale(primitive)
    # Of an xof three outputs in four are up to a quarter of a block, the others up to two blocks.
    mean_output = 11 * scale / 32 if primitive.kind == "xof" else float(primitive.output_bytes)
    wanted = _WORDS / max(1.0, mean_output / word_bytes)
    per_block, per_message = cycles
    each = per_message + per_block * (scale + mean_output) / primitive.block_bytes
    return max(_LEAST, min(math.ceil(wanted), int(_CYCLES / each)))


def _draws(primitive: Primitive, draw: random.Random) -> Iterator[tuple[bytes, int]]:
    """Give messages and output lengths: three in four of less than a block, a few long ones."""
    scale = _scale(primitive)
    while True:
        kind = draw.randrange(64)
        longest = scale - 1 if kind < 48 else 3 * scale if kind < 62 else _LONG_BLOCKS * scale
        data = _bytes(draw, draw.randint(0, longest))
        if primitive.kind == "xof":
            yield data, draw.randint(1, scale // 4 if kind % 4 else 2 * scale)
        else:
            yield data, primitive.output_bytes


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
