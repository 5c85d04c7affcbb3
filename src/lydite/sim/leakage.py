# SPDX-License-Identifier: Apache-2.0
"""Cycles of calls under one fixed secret and under random ones, in a seeded random order.

Every call runs alone, from reset and without stalls, and its answer is compared with the
specification's. What statistics are made of the cycles is not said here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.cores.dilithium import secrets as dilithium
from lydite.cores.operation import Operation
from lydite.sim import framing
from lydite.sim.suites import Inputs, Oracle
from lydite.sim.verify import open_model

MAX_CALLS = 10_000
# Bytes of a public field of any length.
_PUBLIC_BYTES = 33


@dataclass(frozen=True)
class Method:
    """How calls are drawn whose inputs are not simply bytes.

    Attributes
    ----------
    inputs : callable
        Of the operation's name and the draws of secrets and of what is public: inputs.
    loops : callable
        Of the name, inputs and outputs: rounds of a loop that may depend on secrets.
    """

    inputs: Callable[[str, random.Random, random.Random], tuple[bytes, ...]]
    loops: Callable[[str, tuple[bytes, ...], tuple[bytes, ...]], int]


METHODS: Mapping[str, Method] = {"dilithium2": Method(dilithium.inputs, dilithium.loops)}


class Timed(msgspec.Struct, frozen=True, kw_only=True):
    """Calls in their order.

    Attributes
    ----------
    fixed : tuple of bool
        Whether a call had the fixed secret.
    cycles : tuple of int
        From the first beat taken to the last one given, both ends counted.
    loops : tuple of int
        Rounds of the scheme's own loop; zeros where it has none.
    """

    fixed: tuple[bool, ...]
    cycles: tuple[int, ...]
    loops: tuple[int, ...]


def measure(
    design: Design, name: str, *, secrets: tuple[str, ...], calls: int, part: int, seed: int
) -> Timed:
    """Run calls of an operation.

    Parameters
    ----------
    secrets : tuple of str
        The inputs that are secret; ignored where the primitive has a method of its own.
    part : int
        Which calls of this seed: each part has others, and the same fixed secret.

    Raises
    ------
    InputError
        There are too many calls or too few, no such secret, or no specification.
    CheckFailed
        An answer is wrong, or a rule of the streams is broken.
    """
    operation = design.primitive.operation(name)
    check(design, operation, secrets, calls)
    method = METHODS.get(design.primitive.name)
    source = random.Random(hashed(f"secrets of {name}, seed {seed}", part))
    order = [bool(source.getrandbits(1)) for _ in range(calls)]
    drawn: list[Inputs] = []
    for fixed in order:
        # The fixed secret is drawn anew each time, from the same seed.
        secret = random.Random(hashed(f"the secret of {name}", seed)) if fixed else source
        if method is not None:
            drawn.append((method.inputs(name, secret, source), None))
        else:
            drawn.append((_inputs(operation, secrets, secret, source), _chosen(operation)))
    with Oracle(design.primitive, [name], fast=True) as oracle, open_model(design) as model:
        jobs = oracle.jobs(operation, drawn)
        cycles = []
        for number, job in enumerate(jobs):
            [took] = model.run([framing.call(design, job)], label=f"call {number}")
            cycles.append(took.last_out - took.first_in + 1)
    loops = tuple(method.loops(name, job.inputs, job.outputs) if method else 0 for job in jobs)
    return Timed(fixed=tuple(order), cycles=tuple(cycles), loops=loops)


def check(design: Design, operation: Operation, secrets: tuple[str, ...], calls: int) -> None:
    """Refuse what cannot be measured.

    Raises
    ------
    InputError
        The message says what can be.
    """
    where = design.label
    if not 1 <= calls <= MAX_CALLS:
        raise InputError(where, f"{calls} calls of a part", f"1 to {MAX_CALLS}")
    known = ", ".join(operation.input_names)
    for one in secrets:
        if one not in operation.input_names:
            raise InputError(where, f"{operation.name} takes no {one!r}", f"it takes: {known}")
    if not secrets:
        raise InputError(where, f"no input of {operation.name} is secret", f"it takes: {known}")
    if not operation.spec:
        what = f"{operation.name} has no specification: its answers could not be compared"
        raise InputError(where, what)


def _inputs(
    operation: Operation, secrets: tuple[str, ...], secret: random.Random, public: random.Random
) -> tuple[bytes, ...]:
    lengths = operation.lengths(_PUBLIC_BYTES if operation.payload else 0)
    return tuple(
        (secret if name in secrets else public).randbytes(length)
        for name, length in zip(operation.input_names, lengths, strict=True)
    )


def _chosen(operation: Operation) -> int | None:
    return operation.free.measured if operation.free else None
