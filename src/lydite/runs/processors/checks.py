# SPDX-License-Identifier: Apache-2.0
"""Checksums of a message and known answers of SHA-3 and SHAKE, on the processor or simulated.

The software is the quickest here by trial; what is simulated must give what it gives.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from lydite.base.errors import CheckFailed
from lydite.cores import Design, Primitive, catalog
from lydite.runs.processors import libraries
from lydite.runs.processors.loaded import Library
from lydite.runs.processors.software import missing_features
from lydite.sim import framing
from lydite.sim.verify import open_model

_TRIAL = bytes(range(256)) * 256


def _single(name: str) -> dict[str, Library]:
    """Give the variants of a primitive that run here and work on one message at a time."""
    return {
        one.name: libraries.load(one)
        for one in catalog.software(name)
        if one.role == "single" and not missing_features(one)
    }


def checksum(name: str, message: bytes, *, on: Design | None) -> dict[str, Any]:
    """Give the checksum of a message in hexadecimal, as a number is written, and what it took.

    Parameters
    ----------
    on : Design, optional
        The sponge action, to be simulated; without, on the processor.

    Raises
    ------
    CheckFailed
        The simulated core gives another one than the software.
    """
    operation = catalog.primitive(name).operation("checksum")
    found_here = _single(name)
    best = libraries.quickest(found_here, lambda one: one.run(operation, [((_TRIAL,), None)]))
    began = time.perf_counter()
    [outputs] = found_here[best].run(operation, [((message,), None)])
    seconds = time.perf_counter() - began
    assert outputs is not None, "nothing is rejected"
    # RFC 1952 has the lowest byte first, RFC 1950 the highest.
    order = slice(None, None, -1) if name == "crc-32" else slice(None)
    found: dict[str, Any] = {"checksum": outputs[0][order].hex(), "bytes": len(message)}
    if on is None:
        return {**found, "variant": best, "seconds": seconds}
    wanted = on.primitive.operation(name.replace("-", ""))
    job = framing.Job(operation=wanted, inputs=(message,), outputs=outputs, where="the message")
    with open_model(on) as model:
        [took_cycles] = model.run([framing.call(on, job)], label=name)
    return {**found, "cycles": took_cycles.last_out + 1 - took_cycles.first_in}


def known_answers(families: Sequence[str], *, on: Design | None) -> dict[str, Any]:
    """Try all known answers of SHA-3 (`sha3`) and SHAKE (`shake`), and say how many there were.

    Parameters
    ----------
    on : Design, optional
        The sponge action, to be simulated; without, all software of one message on the processor.

    Raises
    ------
    CheckFailed
        One came out wrong.
    """
    found: dict[str, Any] = {
        "where": f"{on.label}, simulated" if on else "software, on this machine"
    }
    for primitive in catalog.primitives():
        if not primitive.name.startswith(tuple(families)):
            continue
        if on is None:
            _try(primitive)
        else:
            _simulate(primitive, on)
        found[primitive.name] = f"{len(primitive.vectors())} known answers are right"
    return found


def _simulate(primitive: Primitive, design: Design) -> None:
    """Run the known answers of a function through the mode that the action has for it."""
    mode = design.primitive.operation(primitive.name.replace("-", "_"))
    jobs = [framing.job_of(primitive.operation("hash"), vector) for vector in primitive.vectors()]
    calls = [framing.call(design, msgspec.structs.replace(job, operation=mode)) for job in jobs]
    with open_model(design) as model:
        model.run(calls, label=primitive.name)


def _try(primitive: Primitive) -> None:
    operation = primitive.operation("hash")
    for variant, library in _single(primitive.name).items():
        for vector in primitive.vectors():
            inputs = tuple(vector.fields[name] for name in operation.input_names)
            right = tuple(vector.fields[name] for name in operation.output_names)
            [got] = library.run(operation, [(inputs, operation.chosen(right))])
            if got != right:
                told = got[0].hex() if got else "nothing"
                raise CheckFailed(right[0].hex(), told, f"{variant}, {vector.where}")
