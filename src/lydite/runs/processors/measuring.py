# SPDX-License-Identifier: Apache-2.0
"""Prove the software of a primitive, and measure it, in a process of its own.

Times come from a loop in C (`cores/common/sw/measure.c`), or, of what people call from Python, from
one in Python. This module is that process, `python -m lydite.runs.processors.measuring`, with a
request on stdin and the answer on stdout; `software` is the job that builds what it measures.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import CheckFailed
from lydite.cores.kat import Vector
from lydite.cores.operation import Operation
from lydite.runs.processors.loaded import Figure, Inputs, Library, Module, Timer, Variant

# A measurement is this many samples of at least this long: enough to tell the median from a burst
# of other work on the machine.
SAMPLES = 15
SAMPLE_NS = 20_000_000
_QUICK_SAMPLES = 5
_QUICK_NS = 4_000_000
# Long enough that padding and the last block are below 1 % of the work, short enough to stay in a
# second-level cache with eight messages at once.
LONG_BYTES = 16384


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs of a call that the variant cannot make itself, since it lacks the operation that makes
    the keys, or what is accepted.

    Attributes
    ----------
    operation : str
        The operation that is called.
    payload_bytes : int
        Bytes of its payload.
    inputs : tuple of bytes
        In its order.
    """

    operation: str
    payload_bytes: int
    inputs: tuple[bytes, ...]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the measuring process is asked.

    Attributes
    ----------
    library, timer : str
        Paths of the variant, a library or a Python file, and of the compiled `measure.c`.
    operations : tuple of Operation
        Those that it has.
    makers : tuple of Operation
        Those that make the keys of an operation, and what it accepts.
    given : tuple of Given
        Inputs of the operations for which the variant lacks one of these.
    vectors : tuple of Vector
        Known answers to pass first; empty if they were passed.
    threads : int
        Threads for the measurement with all of them.
    defines : dict
        Numbers that a variant in Python finds under these names.
    quick : bool
        Only compare: few short samples, one thread, the first operation.
    samples, sample_ns : int
        How many samples a time is taken from, each at least so long, where not only compared.
    """

    library: str
    timer: str
    operations: tuple[Operation, ...]
    makers: tuple[Operation, ...] = ()
    given: tuple[Given, ...] = ()
    vectors: tuple[Vector, ...]
    threads: int
    defines: dict[str, int] = msgspec.field(default_factory=dict)
    quick: bool
    samples: int = SAMPLES
    sample_ns: int = SAMPLE_NS


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """Times of an operation; the unit of a figure is one call.

    Attributes
    ----------
    operation : str
        Its name.
    long_1, long_all : Figure or None
        A payload of LONG_BYTES, one thread and all threads; none without a payload of any length.
    block_1 : Figure
        A payload of one block, alone: a batch of one call.
    blocks_1, blocks_all : Figure or None
        Payloads of one block, many in a batch.
    """

    operation: str
    long_1: Figure | None = None
    long_all: Figure | None = None
    block_1: Figure
    blocks_1: Figure | None = None
    blocks_all: Figure | None = None

    @property
    def compared(self) -> Figure:
        """What decides between builds."""
        return self.long_1 or self.block_1


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What it answers.

    Attributes
    ----------
    available : bool
        False where the variant calls a library that is not here; the rest is then empty.
    version : str
        Of that library.
    lanes : int
        Calls that the variant works on at once.
    operations : tuple of Times
        Each operation's.
    permutation_1, permutation_all : Figure or None
        One permutation, as many states at once as the variant has lanes.
    core_ghz : float
        Clock of the core, measured beside.
    tsc_ghz : float
        Rate of the time stamp counter; 0 where there is none.
    libraries : tuple of (str, str)
        Shared libraries of the system, and Python's modules of a variant in Python, that were
        loaded, with digests: they decide, too.
    """

    available: bool
    version: str = ""
    lanes: int = 1
    operations: tuple[Times, ...] = ()
    permutation_1: Figure | None = None
    permutation_all: Figure | None = None
    core_ghz: float = 0.0
    tsc_ghz: float = 0.0
    libraries: tuple[tuple[str, str], ...] = ()


def _on_all(threads: int, measure: Callable[[], Figure | None]) -> Figure | None:
    """Measure in several threads at once; the unit is then what all do together."""
    with ThreadPoolExecutor(threads) as pool:
        figures = [future.result() for future in [pool.submit(measure) for _ in range(threads)]]
    found = [figure for figure in figures if figure is not None]
    if len(found) != threads:
        return None

    def together(times: Sequence[float]) -> float:
        return 1 / sum(1 / each for each in times)

    return Figure(
        median_ns=together([figure.median_ns for figure in found]),
        best_ns=together([figure.best_ns for figure in found]),
        worst_ns=together([figure.worst_ns for figure in found]),
        tsc_per_unit=together([figure.tsc_per_unit or 1.0 for figure in found]),
    )


def _loaded(request: Request) -> Variant:
    if request.library.endswith(".py"):
        return Module(request.library, request.defines)
    return Library(request.library)


# Bytes of a state that lydite_permute is given: the largest that a primitive here has.
STATE_BYTES = 200


def measure(request: Request) -> Measured:
    """Prove a built variant and measure it, in this process.

    Raises
    ------
    CheckFailed
        A known answer comes out wrong.
    """
    variant = _loaded(request)
    if not variant.available:
        return Measured(available=False)
    for operation in request.operations:
        known = [vector for vector in request.vectors if vector.operation == operation.name]
        variant.prove(operation, known, Path(request.library).name)
    timer = Timer(
        request.timer,
        samples=_QUICK_SAMPLES if request.quick else request.samples,
        sample_ns=_QUICK_NS if request.quick else request.sample_ns,
    )
    calls = _Calls(variant, request)
    if request.quick:
        times = _times(variant, timer, request.operations[0], calls, threads=0)
        return Measured(available=True, lanes=variant.lanes, operations=(times,))
    core_ghz, tsc_ghz = timer.clock()
    lanes = variant.lanes
    return Measured(
        available=True,
        version=variant.version,
        lanes=lanes,
        operations=tuple(
            _times(variant, timer, operation, calls, threads=request.threads)
            for operation in request.operations
        ),
        permutation_1=timer.permute(variant, STATE_BYTES, lanes),
        permutation_all=_on_all(
            request.threads, lambda: timer.permute(variant, STATE_BYTES, lanes)
        ),
        core_ghz=core_ghz,
        tsc_ghz=tsc_ghz,
        libraries=(*_libraries(), *((path, digest.of_file(Path(path))) for path in variant.files)),
    )


def payloads(operation: Operation) -> tuple[int, ...]:
    """Give the bytes of payloads that an operation is timed with."""
    long = (LONG_BYTES,) if operation.has_blocks else ()
    return (*long, operation.one_block_bytes)


def filler(length: int) -> bytes:
    """Give bytes of a payload that is timed."""
    return bytes(i * 7 & 0xFF for i in range(length))


class _Calls:
    """Calls to be timed: such as the operation accepts."""

    def __init__(self, variant: Variant, request: Request) -> None:
        self._variant = variant
        self._operations = {one.name: one for one in (*request.operations, *request.makers)}
        self._given = {(one.operation, one.payload_bytes): one.inputs for one in request.given}

    def of(self, operation: Operation, payload_bytes: int, count: int) -> list[Inputs]:
        """Give calls with payloads of so many bytes."""
        chosen = operation.free.measured if operation.free else None
        if (inputs := self._given.get((operation.name, payload_bytes))) is not None:
            return [(inputs, chosen)] * count
        keys: dict[str, bytes] = {}
        for maker in operation.makers:
            keys |= self._named(self._operations[maker], payload_bytes, keys)
        return [(_inputs(operation, payload_bytes, keys), chosen)] * count

    def _named(
        self, other: Operation, payload_bytes: int, keys: Mapping[str, bytes]
    ) -> dict[str, bytes]:
        """Give the fields of a call of another operation that rejects nothing."""
        values = _inputs(other, payload_bytes, keys)
        [made] = self._variant.run(other, [(values, None)])
        assert made is not None, f"{other.name} rejects nothing"
        return other.named(values, made)


def _inputs(operation: Operation, payload_bytes: int, keys: Mapping[str, bytes]) -> list[bytes]:
    """Give inputs with keys in their places."""
    named = zip(operation.input_names, operation.lengths(payload_bytes), strict=True)
    return [keys[name] if name in keys else filler(length) for name, length in named]


def _times(
    variant: Variant, timer: Timer, operation: Operation, calls: _Calls, *, threads: int
) -> Times:
    """Measure an operation; with no threads only what decides between builds."""
    lanes = variant.lanes
    *long_bytes, block_bytes = payloads(operation)
    long = [call for size in long_bytes for call in calls.of(operation, size, lanes)]
    one = calls.of(operation, block_bytes, 1)
    long_1 = timer.run(variant, operation, long) if long else None
    block_1 = timer.run(variant, operation, one)
    if not threads:
        return Times(operation=operation.name, long_1=long_1, block_1=block_1)
    many = one * (8 * lanes)
    return Times(
        operation=operation.name,
        long_1=long_1,
        block_1=block_1,
        blocks_1=timer.run(variant, operation, many),
        long_all=_on_all(threads, lambda: timer.run(variant, operation, long)) if long else None,
        blocks_all=_on_all(threads, lambda: timer.run(variant, operation, many)),
    )


def _libraries() -> tuple[tuple[str, str], ...]:
    """Give the shared libraries in this process and their digests, where the system tells."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().splitlines() if maps.exists() else []
    paths = {line.split(maxsplit=5)[5] for line in lines if line.count("/")}
    found = (p for p in sorted(paths) if re.fullmatch(r".*/(lib|ld-)[^/]*\.so[^/]*", p))
    own = (sys.prefix, sys.base_prefix + "/lib/python")
    files = (Path(name) for name in found if not name.startswith(own))
    return tuple((str(path), digest.of_file(path)) for path in files if path.is_file())


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What goes back over stdout: a result, or what was expected, got, and where."""

    measured: Measured | None = None
    failed: tuple[str, str, str] | None = None


def main() -> None:
    """Answer one request."""
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    try:
        answer = Answer(measured=measure(request))
    except CheckFailed as error:
        answer = Answer(failed=(error.expected, error.got, error.at))
    sys.stdout.buffer.write(msgspec.json.encode(answer))


def thread_count() -> int:
    """Give the processors that this process may use."""
    return len(os.sched_getaffinity(0))


if __name__ == "__main__":
    main()
