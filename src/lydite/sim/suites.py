# SPDX-License-Identifier: Apache-2.0
"""Which calls show that a design is right, beside its known answers: chosen by operation.

Lengths around block boundaries, keys that change from call to call, what the inverse gives, and
forgeries of it. The right answers are the specification's.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lydite.base.errors import InputError
from lydite.cores import Primitive
from lydite.cores.operation import Field, Operation
from lydite.sim.framing import Job
from lydite.sim.specification import Outputs, Read, Specification

# Inputs of a call, and the length of the output that it chooses, if there is one.
Inputs = tuple[tuple[bytes, ...], int | None]
# Bytes before and after the ends of blocks that are tried.
_NEAR = range(-9, 10)


class Oracle:
    """The specifications of some operations, running; a context manager.

    Parameters
    ----------
    fast : bool
        Use the quick twins, where there are some.
    """

    def __init__(
        self, primitive: Primitive, operations: Iterable[str], *, fast: bool = False
    ) -> None:
        self.primitive = primitive
        named = [primitive.operation(name) for name in operations]
        helpers = [primitive.operation(other) for one in named for other in one.makers]
        references = {
            operation.name: (operation, (fast and operation.fast) or operation.spec)
            for operation in (*named, *helpers)
        }
        self._references = {name: pair for name, pair in references.items() if pair[1]}
        self._running: dict[str, Specification] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def knows(self, operation: Operation) -> bool:
        """Whether calls of an operation can be made that it accepts, with their answers."""
        return all(name in self._references for name in (operation.name, *operation.makers))

    def outputs(self, operation: Operation, calls: Sequence[Inputs]) -> list[Outputs | None]:
        """Give the outputs of calls; None of those that are rejected."""
        if operation.name not in self._running:
            one, reference = self._references[operation.name]
            running = Specification(self.primitive, one, reference)
            self._running[operation.name] = self._stack.enter_context(running)
        return self._running[operation.name].many(calls)

    def jobs(self, operation: Operation, calls: Sequence[Inputs]) -> list[Job]:
        """Give calls with their answers."""
        found = self.outputs(operation, calls)
        return [
            job(operation, inputs, chosen, outputs)
            for (inputs, chosen), outputs in zip(calls, found, strict=True)
        ]

    def accepted(self, operation: Operation, calls: Sequence[Inputs]) -> list[Job]:
        """Give calls that are accepted, of these lengths: keys are made, and where an operation
        rejects, inputs are made by its inverse. A search may also find nothing.
        """
        pairs = self._keys(operation, calls)
        if not operation.rejects:
            keyed = zip(calls, pairs, strict=True)
            return self.jobs(operation, [(_with(operation, i, pair), n) for (i, n), pair in keyed])
        other = self.primitive.operation(operation.inverse)
        given = [
            _given(other, operation, inputs, pair)
            for (inputs, _), pair in zip(calls, pairs, strict=True)
        ]
        made = self.outputs(other, [(values, None) for values in given])
        inputs = []
        for values, outputs, pair in zip(given, made, pairs, strict=True):
            assert outputs is not None, f"{other.name} makes what {operation.name} takes"
            known = {**pair, **other.named(values, outputs)}
            inputs.append((tuple(known[name] for name in operation.input_names), None))
        jobs = self.jobs(operation, inputs)
        if operation.forgeable and not all(one.accepted for one in jobs):
            what = f"{operation.spec} rejects what {other.spec} gives"
            raise InputError(str(self.primitive.folder), what, "one of them is wrong")
        return jobs

    def _keys(self, operation: Operation, calls: Sequence[Inputs]) -> list[dict[str, bytes]]:
        """Give, for each call, what the operation that makes its keys takes and gives: seeds are
        the beginnings of the inputs in whose place the keys come.
        """
        if not operation.keys:
            return [{} for _ in calls]
        maker = self.primitive.operation(operation.keys)
        seeds: list[tuple[bytes, ...]] = []
        for inputs, _ in calls:
            known = dict(zip(operation.input_names, inputs, strict=True))
            left = itertools.cycle(b"".join(known.get(name, b"") for name in maker.output_names))
            seeds.append(tuple(bytes(itertools.islice(left, f.bytes)) for f in maker.inputs))
        made = self.outputs(maker, [(values, None) for values in seeds])
        pairs = zip(seeds, made, strict=True)
        return [maker.named(values, outputs or ()) for values, outputs in pairs]

    @property
    def cpu_s(self) -> float:
        """Seconds of processor time that the specifications have taken."""
        return sum(one.cpu_s for one in self._running.values())

    def read(self) -> Read:
        """Give what the specifications have read so far, with digests."""
        return tuple(sorted({pair for one in self._running.values() for pair in one.read()}))


def _with(
    operation: Operation, inputs: Sequence[bytes], pair: Mapping[str, bytes]
) -> tuple[bytes, ...]:
    """Give inputs with keys in their places."""
    named = zip(operation.input_names, inputs, strict=True)
    return tuple(pair.get(name, value) for name, value in named)


def _given(
    other: Operation, operation: Operation, inputs: Sequence[bytes], pair: Mapping[str, bytes]
) -> tuple[bytes, ...]:
    """Give inputs of an inverse: keys, those that both have, and for others the payload, or, where
    there is none, or the length is fixed, as many bytes of the inputs, in their order.
    """
    known = {**dict(zip(operation.input_names, inputs, strict=True)), **pair}
    left = itertools.cycle(b"".join(inputs))
    return tuple(
        known[field.name]
        if field.name in known
        else known[operation.payload]
        if operation.payload and field.bytes is None
        else bytes(itertools.islice(left, field.bytes))
        for field in other.inputs
    )


def job(
    operation: Operation, inputs: tuple[bytes, ...], chosen: int | None, outputs: Outputs | None
) -> Job:
    """Give a call with its answer; None: it is rejected."""
    sizes = tuple(map(len, inputs))
    accepted = outputs is not None
    if outputs is None:
        outputs = tuple(map(bytes, operation.output_lengths(sizes, chosen)))
    return Job(
        operation=operation,
        inputs=inputs,
        outputs=outputs,
        accepted=accepted,
        where=_told(operation.name, sizes, sum(map(len, outputs)), accepted),
    )


# Random messages are told for failures, which are few, and of few lengths.
@functools.lru_cache(4096)
def _told(name: str, sizes: tuple[int, ...], out: int, accepted: bool) -> str:
    told = " and ".join(f"{size} bytes" for size in sizes) + f" in, {out} out"
    if not accepted:
        told += ", to be rejected"
    return f"{name}: {told}" if len(sizes) > 1 else told


def pattern(length: int, salt: int = 0) -> bytes:
    """Give bytes of which every one differs from its neighbours in a fixed way."""
    return bytes((7 + 101 * salt + 11 * i + (i >> 8)) & 0xFF for i in range(length))


def near_boundaries(oracle: Oracle, operation: Operation) -> list[Job]:
    """Give calls with payloads of every length around the ends of the first three blocks, the same
    of other inputs of any length, and a key that changes with every second call.
    """
    if not oracle.knows(operation):
        return []
    calls = [
        _call(operation, lengths, index)
        for index, lengths in enumerate(dict.fromkeys(_lengths(operation)))
    ]
    return oracle.accepted(operation, calls)


def _lengths(operation: Operation) -> Iterator[tuple[int, ...]]:
    block = operation.block_bytes or 1
    ends = sorted({max(n * block + offset, 0) for n in (0, 1, 2) for offset in _NEAR})
    for field in operation.inputs:
        if field.bytes is None:
            for length in ends:
                # Another input of any length is empty, or a bit more than a block.
                other = 0 if field.name == operation.payload else (length * 5) % (2 * block + 1)
                if length <= _most(field):
                    yield _lengths_with(operation, field, length, other)
    if all(field.bytes is not None for field in operation.inputs):
        yield tuple(field.bytes or 0 for field in operation.inputs)


def _most(field: Field) -> float:
    return math.inf if field.most is None else field.most


def _lengths_with(operation: Operation, field: Field, length: int, other: int) -> tuple[int, ...]:
    lengths = (
        each.bytes
        if each.bytes is not None
        else length
        if each.name == field.name
        else int(min(other, _most(each)))
        for each in operation.inputs
    )
    return tuple(n - n % each.multiple for n, each in zip(lengths, operation.inputs, strict=True))


def _call(operation: Operation, lengths: Sequence[int], index: int) -> Inputs:
    inputs = tuple(
        # A key stays for two calls.
        pattern(length, index // 2 + number if field.bytes is not None else number)
        for number, (field, length) in enumerate(zip(operation.inputs, lengths, strict=True))
    )
    if operation.free is None:
        return inputs, None
    # Outputs of one byte to several blocks, in step with the inputs.
    return inputs, 1 + (37 * index) % (3 * max(operation.block_bytes, 1))


def round_trips(
    oracle: Oracle, operation: Operation, other: Operation, jobs: Sequence[Job]
) -> list[Job]:
    """Give calls of `other`, whose inverse is `operation`, that undo calls of that."""
    if not oracle.knows(other):
        return []
    calls: list[Inputs] = []
    for one in jobs:
        known = operation.named(one.inputs, one.outputs)
        calls.append((tuple(known[name] for name in other.input_names), None))
    undone = oracle.jobs(other, calls)
    for back, one in zip(undone, jobs, strict=True):
        known = dict(zip(operation.input_names, one.inputs, strict=True))
        given = dict(zip(other.output_names, back.outputs, strict=True))
        wrong = [name for name in given if name in known and known[name] != given[name]]
        if wrong:
            what = f"{other.spec} does not give back {', '.join(wrong)} of {operation.spec}"
            raise InputError(str(oracle.primitive.folder), what, f"for {one.where}")
    return undone


def forgeries(oracle: Oracle, operation: Operation, jobs: Sequence[Job]) -> list[Job]:
    """Give calls that differ from accepted ones in a bit of each input in turn: to be rejected."""
    if not operation.forgeable:
        return []
    calls = [(forged, None) for number, one in enumerate(jobs) for forged in _forged(one, number)]
    made = oracle.jobs(operation, calls)
    for one in made:
        if one.accepted:
            what = f"{operation.spec} accepts a forgery of {one.where}"
            raise InputError(str(oracle.primitive.folder), what, "a specification rejects it")
    return made


def _forged(one: Job, number: int) -> Iterator[tuple[bytes, ...]]:
    for place, value in enumerate(one.inputs):
        if value:
            bit = (number * 37 + place * 11) % (8 * len(value))
            yield (*one.inputs[:place], flipped(value, bit), *one.inputs[place + 1 :])


def flipped(value: bytes, bit: int) -> bytes:
    """Give bytes of which one bit is another."""
    number = int.from_bytes(value, "little") ^ (1 << bit)
    return number.to_bytes(len(value), "little")


def mixed(groups: Sequence[Sequence[Job]]) -> list[Job]:
    """Give the calls of all groups, one of each in turn: nothing may be left of the one before."""
    rounds = itertools.zip_longest(*groups)
    return [one for row in rounds for one in row if one is not None]


def near(oracle: Oracle, operations: Mapping[str, Operation]) -> tuple[list[Job], int]:
    """Give all calls of a design's operations but the known answers, and how many are forgeries."""
    groups: list[list[Job]] = []
    forged = 0
    for operation in operations.values():
        jobs = near_boundaries(oracle, operation)
        groups.append(jobs)
        undoing = (o for o in operations.values() if o.inverse == operation.name and not o.rejects)
        # Where each undoes the other, both ways are tried.
        if jobs and (other := next(undoing, None)):
            groups.append(round_trips(oracle, operation, other, jobs))
        wrong = forgeries(oracle, operation, jobs[:: max(len(jobs) // 12, 1)])
        forged += len(wrong)
        groups.append(wrong)
    return mixed(groups), forged
