# SPDX-License-Identifier: Apache-2.0
"""Software of a primitive, loaded, called and timed: a library in C, or a file of Python."""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import statistics
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from lydite.base.errors import CheckFailed, bytes_around
from lydite.cores.kat import Vector
from lydite.cores.operation import Operation

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


class Sample(ctypes.Structure):
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
        self, timer: Timer, operation: Operation, calls: Sequence[Inputs]
    ) -> Callable[[ctypes.Array[Sample]], None]:
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
                raise _failed(operation, right, alone, f"{name}: {vector.where}")
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
        self, timer: Timer, operation: Operation, calls: Sequence[Inputs]
    ) -> Callable[[ctypes.Array[Sample]], None]:
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
    version = ""

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

    def prepared(self, message: bytes, output_bytes: int) -> Callable[[], Mapping[str, float]]:
        """Give what hashes a message and tells the seconds of it, by its parts (of a GPU)."""
        function = self._module.prepared
        found: Callable[[], Mapping[str, float]] = function(message, output_bytes)
        return found

    def time(
        self, timer: Timer, operation: Operation, calls: Sequence[Inputs]
    ) -> Callable[[ctypes.Array[Sample]], None]:
        bound = list(self._bound(operation, calls))

        def call(samples: ctypes.Array[Sample]) -> None:
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


def _verdict(outputs: tuple[bytes, ...] | None) -> str:
    return "rejected" if outputs is None else "accepted"


def _failed(
    operation: Operation,
    right: tuple[bytes, ...] | None,
    got: tuple[bytes, ...] | None,
    where: str,
) -> CheckFailed:
    """Say what is wrong: the verdict, or the first byte of the first wrong output."""
    if right is None or got is None:
        return CheckFailed(_verdict(right), _verdict(got), where)
    name, one, other = next(
        (name, one, other)
        for name, one, other in zip(operation.output_names, right, got, strict=True)
        if one != other
    )
    at = next(n for n, (a, b) in enumerate(itertools.zip_longest(one, other)) if a != b)
    place = f"{where}: byte {at} of {name}"
    return CheckFailed(bytes_around(one, at), bytes_around(other, at), place)


class Timer:
    """The compiled measure.c."""

    def __init__(self, path: str, *, samples: int, sample_ns: int) -> None:
        self._library = ctypes.CDLL(path)
        self._samples = samples
        self.sample_ns = sample_ns

    def _figure(self, call: Callable[[ctypes.Array[Sample]], None], units: int) -> Figure:
        samples = (Sample * self._samples)()
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

    def run_c(self, samples: ctypes.Array[Sample], address: ctypes.c_void_p, batch: Batch) -> None:
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

        def call(samples: ctypes.Array[Sample]) -> None:
            self._library.lydite_measure_permute(
                *(samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self.sample_ns)),
                *(address, states, ctypes.c_size_t(messages), ctypes.c_size_t(count)),
            )

        return self._figure(call, messages * count)

    def clock(self) -> tuple[float, float]:
        """Measure the core's clock and the counter's rate, in GHz."""

        def call(samples: ctypes.Array[Sample]) -> None:
            self._library.lydite_measure_clock(
                samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self.sample_ns)
            )

        figure = self._figure(call, 1)
        return _CLOCK_CYCLES / figure.best_ns, figure.tsc_per_unit / figure.median_ns
