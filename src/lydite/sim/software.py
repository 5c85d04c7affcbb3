# SPDX-License-Identifier: Apache-2.0
"""Build the software of a primitive, prove it, and measure it.

Every variant in C is tried with every compiler that is here and every set of flags that its
description lists, since the best choice differs from code to code; the fastest one counts and is
named. Times come from a loop in C (`cores/common/sw/measure.c`), or, of what people call from
Python, from one in Python, in a process of its own: this module is that process, `python -m
lydite.sim.software`, with a request on stdin and the answer on stdout.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import statistics
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import digest
from lydite.base.errors import CheckFailed
from lydite.cores.kat import Vector
from lydite.cores.operation import Operation

# A measurement is this many samples of at least this long: enough to tell the median from a burst
# of other work on the machine.
_SAMPLES = 15
_SAMPLE_NS = 20_000_000
_QUICK_SAMPLES = 5
_QUICK_NS = 4_000_000
# Long enough that padding and the last block are below 1 % of the work, short enough to stay in a
# second-level cache with eight messages at once.
LONG_BYTES = 16384
# measure.h: core cycles of one call of the clock loop.
_CLOCK_CYCLES = 3000


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A measured time with its spread.

    Attributes
    ----------
    median_ns, best_ns, worst_ns : float
        Nanoseconds of one unit of work, over the samples.
    tsc_per_unit : float
        Cycles of the time stamp counter for one unit, median.
    """

    median_ns: float
    best_ns: float
    worst_ns: float
    tsc_per_unit: float


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the measuring process is asked.

    Attributes
    ----------
    library, timer : str
        Paths of the variant, a library or a Python file, and of the compiled `measure.c`.
    operations : tuple of Operation
        Those that it has.
    inverses : tuple of Operation
        Those that make what an operation accepts, and its keys.
    vectors : tuple of Vector
        Known answers to pass first; empty if they were passed.
    threads : int
        Threads for the measurement with all of them.
    defines : dict
        Numbers that a variant in Python finds under these names.
    quick : bool
        Only compare: few short samples, one thread, the first operation.
    """

    library: str
    timer: str
    operations: tuple[Operation, ...]
    inverses: tuple[Operation, ...] = ()
    vectors: tuple[Vector, ...]
    threads: int
    defines: dict[str, int] = msgspec.field(default_factory=dict)
    quick: bool


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


class _Sample(ctypes.Structure):
    _fields_ = (("calls", ctypes.c_uint64), ("ns", ctypes.c_uint64), ("tsc", ctypes.c_uint64))


class _Batch(ctypes.Structure):
    _fields_ = (
        ("count", ctypes.c_size_t),
        ("in_", ctypes.POINTER(ctypes.c_char_p)),
        ("in_bytes", ctypes.POINTER(ctypes.c_size_t)),
        ("out", ctypes.POINTER(ctypes.c_void_p)),
        ("out_bytes", ctypes.POINTER(ctypes.c_size_t)),
        ("verdict", ctypes.c_void_p),
    )


# Inputs of a call, and the length of the output that it chooses, if there is one.
Inputs = tuple[Sequence[bytes], int | None]


class Batch:
    """Calls of one operation with fields of the same lengths, as C takes them."""

    def __init__(self, operation: Operation, calls: Sequence[Inputs]) -> None:
        first, chosen = calls[0]
        self.count = len(calls)
        self.lengths = operation.output_lengths([len(value) for value in first], chosen)
        sizes = [len(value) for value in first]
        self._inputs = [b"".join(inputs[n] for inputs, _ in calls) for n in range(len(first))]
        self._outputs = [
            ctypes.create_string_buffer(max(length * self.count, 1)) for length in self.lengths
        ]
        self._verdict = ctypes.create_string_buffer(self.count) if operation.rejects else None
        outputs = [ctypes.addressof(out) for out in self._outputs]
        self.c = _Batch(
            count=self.count,
            in_=(ctypes.c_char_p * len(first))(*self._inputs),
            in_bytes=(ctypes.c_size_t * len(first))(*sizes),
            out=(ctypes.c_void_p * max(len(outputs), 1))(*outputs),
            out_bytes=(ctypes.c_size_t * max(len(outputs), 1))(*self.lengths),
            verdict=ctypes.addressof(self._verdict) if self._verdict else None,
        )

    def results(self) -> list[tuple[bytes, ...] | None]:
        """Give the outputs of each call after the batch has run; None of those rejected."""
        raw = [out.raw for out in self._outputs]
        verdict = self._verdict.raw if self._verdict else b"\1" * self.count
        return [
            tuple(
                data[k * length : (k + 1) * length]
                for data, length in zip(raw, self.lengths, strict=True)
            )
            if verdict[k]
            else None
            for k in range(self.count)
        ]


class Variant(ABC):
    """Software that is there to be proven and measured.

    Attributes
    ----------
    available : bool
        False where it calls a library that is not here.
    lanes : int
        Calls that it works on at once.
    version : str
        Of the library that it calls; empty if there is none.
    permute_address : ctypes.c_void_p or None
        Address of lydite_permute, if the variant has one.
    files : tuple of str
        What it has loaded beside shared libraries of the system: they decide, too.
    """

    available: bool
    lanes: int
    version: str = ""
    permute_address: ctypes.c_void_p | None = None
    files: tuple[str, ...] = ()

    @abstractmethod
    def run(self, operation: Operation, calls: Sequence[Inputs]) -> list[tuple[bytes, ...] | None]:
        """Give the outputs of calls with fields of the same lengths, run as one batch; None of
        those that are rejected.

        Raises
        ------
        CheckFailed
            It has no such operation.
        """

    @abstractmethod
    def time(
        self, timer: _Timer, operation: Operation, calls: Sequence[Inputs]
    ) -> Callable[[ctypes.Array[_Sample]], None]:
        """Give what fills samples with the times of a batch."""

    def prove(self, operation: Operation, vectors: Sequence[Vector], name: str) -> None:
        """Check known answers, each alone and beside different calls, in every lane.

        Raises
        ------
        CheckFailed
            An output is wrong.
        """
        for vector in vectors:
            inputs = [vector.fields[field] for field in operation.input_names]
            right = None
            chosen = None
            if vector.accepted:
                right = tuple(vector.fields[field] for field in operation.output_names)
                chosen = operation.chosen(right)
            [alone] = self.run(operation, [(inputs, chosen)])
            if alone != right:
                raise CheckFailed(_shown(right), _shown(alone), f"{name}: {vector.where}")
            count = self.lanes + 1  # one more than a group, so that a group is not full
            others: list[Inputs] = [
                ([bytes(byte ^ (i % 255 + 1) for byte in value) for value in inputs], chosen)
                for i in range(count)
            ]
            others[count // 2] = (inputs, chosen)
            singly = [self.run(operation, [call])[0] for call in others]
            if self.run(operation, others) != singly:
                raise CheckFailed(
                    "each call's own output",
                    "another when run beside others",
                    f"{name}: {vector.where}",
                )


class Library(Variant):
    """A variant in C, loaded (interface: cores/common/sw/lydite_sw.h)."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.lydite_impl.restype = ctypes.c_char_p
        self._library.lydite_lanes.restype = ctypes.c_size_t
        self.available = bool(self._library.lydite_available())
        self.lanes = int(self._library.lydite_lanes())
        self.version = ""
        if hasattr(self._library, "lydite_version"):
            self._library.lydite_version.restype = ctypes.c_char_p
            self.version = (self._library.lydite_version() or b"").decode()
        if hasattr(self._library, "lydite_permute"):
            self.permute_address = ctypes.cast(self._library.lydite_permute, ctypes.c_void_p)

    def address(self, operation: Operation) -> ctypes.c_void_p:
        """Give the address of an operation."""
        name = f"lydite_{operation.name}"
        if not hasattr(self._library, name):
            raise CheckFailed(f"a function {name}", "none", "the variant, as core.toml says")
        return ctypes.cast(self._library[name], ctypes.c_void_p)

    def run(self, operation: Operation, calls: Sequence[Inputs]) -> list[tuple[bytes, ...] | None]:
        self.address(operation)
        batch = Batch(operation, calls)
        self._library[f"lydite_{operation.name}"](ctypes.byref(batch.c))
        return batch.results()

    def time(
        self, timer: _Timer, operation: Operation, calls: Sequence[Inputs]
    ) -> Callable[[ctypes.Array[_Sample]], None]:
        batch, address = Batch(operation, calls), self.address(operation)
        return lambda samples: timer.run_c(samples, address, batch)


class Module(Variant):
    """A variant in Python: a file with a function of each operation's name, as a specification has
    them, and VERSION. One that cannot import what it calls is not available.

    Parameters
    ----------
    defines : mapping
        Numbers that stand in the module under these names.
    """

    lanes = 1

    def __init__(self, path: str, defines: Mapping[str, int]) -> None:
        spec = importlib.util.spec_from_file_location("lydite_peer", path)
        assert spec is not None and spec.loader is not None, f"{path} is a Python file"
        self._module = importlib.util.module_from_spec(spec)
        vars(self._module).update(defines)
        before = set(sys.modules)
        try:
            spec.loader.exec_module(self._module)
        except ImportError:
            self.available = False
            return
        self.available = True
        loaded = (sys.modules[name] for name in sys.modules if name not in before)
        self.files = tuple(sorted({str(f) for m in loaded if (f := getattr(m, "__file__", None))}))
        self.version = str(getattr(self._module, "VERSION", ""))

    def _bound(self, operation: Operation, calls: Sequence[Inputs]) -> Iterator[tuple[Any, Any]]:
        function = getattr(self._module, operation.name, None)
        if function is None:
            raise CheckFailed(f"a function {operation.name}", "none", str(self._module.__file__))
        for inputs, chosen in calls:
            yield function, (*inputs, chosen) if operation.free is not None else tuple(inputs)

    def run(self, operation: Operation, calls: Sequence[Inputs]) -> list[tuple[bytes, ...] | None]:
        found = [function(*given) for function, given in self._bound(operation, calls)]
        return [(one,) if isinstance(one, bytes) else one for one in found]

    def time(
        self, timer: _Timer, operation: Operation, calls: Sequence[Inputs]
    ) -> Callable[[ctypes.Array[_Sample]], None]:
        bound = list(self._bound(operation, calls))

        def call(samples: ctypes.Array[_Sample]) -> None:
            rounds = 1
            for sample in samples:
                while True:
                    begin = time.perf_counter_ns()
                    for _ in range(rounds):
                        for function, given in bound:
                            function(*given)
                    ns = time.perf_counter_ns() - begin
                    if ns >= timer.sample_ns:
                        break
                    rounds *= 2
                sample.calls, sample.ns = rounds, ns

        return call


def _shown(outputs: tuple[bytes, ...] | None) -> str:
    return "rejected" if outputs is None else " ".join(value.hex() for value in outputs)


class _Timer:
    """The compiled measure.c."""

    def __init__(self, path: str, *, samples: int, sample_ns: int) -> None:
        self._library = ctypes.CDLL(path)
        self._samples = samples
        self.sample_ns = sample_ns

    def _figure(self, call: Callable[[ctypes.Array[_Sample]], None], units: int) -> Figure:
        samples = (_Sample * self._samples)()
        call(samples)
        each = [sample.ns / sample.calls / units for sample in samples]
        return Figure(
            median_ns=statistics.median(each),
            best_ns=min(each),
            worst_ns=max(each),
            tsc_per_unit=statistics.median(s.tsc / s.calls / units for s in samples),
        )

    def run(self, variant: Variant, operation: Operation, calls: Sequence[Inputs]) -> Figure:
        """Time an operation; the unit is one call."""
        return self._figure(variant.time(self, operation, calls), len(calls))

    def run_c(self, samples: ctypes.Array[_Sample], address: ctypes.c_void_p, batch: Batch) -> None:
        """Fill samples with the times of a function in C."""
        self._library.lydite_measure_run(
            *(samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self.sample_ns)),
            *(address, ctypes.byref(batch.c)),
        )

    def permute(self, variant: Variant, state_bytes: int, messages: int) -> Figure | None:
        """Time lydite_permute; the unit is one permutation."""
        address = variant.permute_address
        if address is None:
            return None
        count = 64
        states = ctypes.create_string_buffer(state_bytes * messages)

        def call(samples: ctypes.Array[_Sample]) -> None:
            self._library.lydite_measure_permute(
                *(samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self.sample_ns)),
                *(address, states, ctypes.c_size_t(messages), ctypes.c_size_t(count)),
            )

        return self._figure(call, messages * count)

    def clock(self) -> tuple[float, float]:
        """Measure the core's clock and the counter's rate, in GHz."""

        def call(samples: ctypes.Array[_Sample]) -> None:
            self._library.lydite_measure_clock(
                samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self.sample_ns)
            )

        figure = self._figure(call, 1)
        return _CLOCK_CYCLES / figure.best_ns, figure.tsc_per_unit / figure.median_ns


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
    timer = _Timer(
        request.timer,
        samples=_QUICK_SAMPLES if request.quick else _SAMPLES,
        sample_ns=_QUICK_NS if request.quick else _SAMPLE_NS,
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


def _filler(length: int) -> bytes:
    return bytes(i * 7 & 0xFF for i in range(length))


class _Calls:
    """Calls to be timed: such as the operation accepts."""

    def __init__(self, variant: Variant, request: Request) -> None:
        self._variant = variant
        self._operations = {one.name: one for one in (*request.operations, *request.inverses)}

    def of(self, operation: Operation, payload_bytes: int, count: int) -> list[Inputs]:
        """Give calls with payloads of so many bytes."""
        chosen = operation.free.measured if operation.free else None
        keys: dict[str, bytes] = {}
        if operation.keys:
            keys = self._named(self._operations[operation.keys], payload_bytes, keys)
        if operation.rejects:
            keys |= self._named(self._operations[operation.inverse], payload_bytes, keys)
            return [([keys[name] for name in operation.input_names], None)] * count
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
    return [keys[name] if name in keys else _filler(length) for name, length in named]


def _times(
    variant: Variant, timer: _Timer, operation: Operation, calls: _Calls, *, threads: int
) -> Times:
    """Measure an operation; with no threads only what decides between builds."""
    lanes = variant.lanes
    long = calls.of(operation, LONG_BYTES, lanes) if operation.has_blocks else []
    one = calls.of(operation, operation.one_block_bytes, 1)
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
