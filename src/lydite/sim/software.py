# SPDX-License-Identifier: Apache-2.0
"""Build the software of a primitive, prove it, and measure it.

Every variant is tried with every compiler that is here and every set of flags that its description
lists, since the best choice differs from code to code; the fastest one counts and is named. Times
come from a loop in C (`cores/common/sw/measure.c`), in a process of its own: this module is that
process, `python -m lydite.sim.software`, with a request on stdin and the answer on stdout.
"""

from __future__ import annotations

import ctypes
import os
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import CheckFailed
from lydite.cores.kat import Vector

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
        Paths of the variant and of the compiled `measure.c`.
    vectors : tuple of Vector
        Known answers to pass first; empty if they were passed.
    output_bytes, one_block_bytes : int
        Lengths of an output and of the longest message of one block.
    threads : int
        Threads for the measurement with all of them.
    quick : bool
        Only compare: few short samples, one thread.
    """

    library: str
    timer: str
    vectors: tuple[Vector, ...]
    output_bytes: int
    one_block_bytes: int
    threads: int
    quick: bool


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What it answers: figures in units of one message (or one permutation).

    Attributes
    ----------
    available : bool
        False where the variant calls a library that is not here; the rest is then empty.
    version : str
        Of that library.
    lanes : int
        Messages that the variant works on at once.
    long_1, long_all : Figure or None
        A message of LONG_BYTES, one thread and all threads.
    block_1 : Figure or None
        A message of one block, alone: a call with a single message.
    blocks_1, blocks_all : Figure or None
        Messages of one block, many in a call.
    permutation_1, permutation_all : Figure or None
        One permutation, as many states at once as the variant has lanes.
    core_ghz : float
        Clock of the core, measured beside.
    tsc_ghz : float
        Rate of the time stamp counter; 0 where there is none.
    libraries : tuple of (str, str)
        Shared libraries of the system that were loaded, with digests: they decide, too.
    """

    available: bool
    version: str = ""
    lanes: int = 1
    long_1: Figure | None = None
    long_all: Figure | None = None
    block_1: Figure | None = None
    blocks_1: Figure | None = None
    blocks_all: Figure | None = None
    permutation_1: Figure | None = None
    permutation_all: Figure | None = None
    core_ghz: float = 0.0
    tsc_ghz: float = 0.0
    libraries: tuple[tuple[str, str], ...] = ()


class _Sample(ctypes.Structure):
    _fields_ = (("calls", ctypes.c_uint64), ("ns", ctypes.c_uint64), ("tsc", ctypes.c_uint64))


class Library:
    """A loaded variant (interface: cores/common/sw/lydite_sw.h)."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.lydite_impl.restype = ctypes.c_char_p
        self._library.lydite_lanes.restype = ctypes.c_size_t
        self._library.lydite_run.argtypes = (
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t),
            ctypes.c_size_t,
        )
        self.available = bool(self._library.lydite_available())
        self.lanes = int(self._library.lydite_lanes())
        self.version = ""
        if hasattr(self._library, "lydite_version"):
            self._library.lydite_version.restype = ctypes.c_char_p
            self.version = (self._library.lydite_version() or b"").decode()

    @property
    def run_address(self) -> ctypes.c_void_p:
        """Address of lydite_run."""
        return ctypes.cast(self._library.lydite_run, ctypes.c_void_p)

    @property
    def permute_address(self) -> ctypes.c_void_p | None:
        """Address of lydite_permute, if the variant has one."""
        if not hasattr(self._library, "lydite_permute"):
            return None
        return ctypes.cast(self._library.lydite_permute, ctypes.c_void_p)

    def outputs(self, messages: Sequence[bytes], output_bytes: int) -> list[bytes]:
        """Give the outputs of messages of one length, in one call."""
        out = ctypes.create_string_buffer(max(output_bytes * len(messages), 1))
        self._library.lydite_run(
            out, output_bytes, b"".join(messages), len(messages[0]), len(messages)
        )
        raw = out.raw
        return [raw[i * output_bytes : (i + 1) * output_bytes] for i in range(len(messages))]

    def prove(self, vectors: Sequence[Vector], name: str) -> None:
        """Check known answers, each alone and beside different messages, in every lane.

        Raises
        ------
        CheckFailed
            An output is wrong.
        """
        for vector in vectors:
            length = len(vector.output)
            [alone] = self.outputs([vector.message], length)
            if alone != vector.output:
                raise CheckFailed(vector.output.hex(), alone.hex(), f"{name}: {vector.where}")
            count = self.lanes + 1  # one more than a group, so that a group is not full
            others = [bytes(byte ^ (i + 1) for byte in vector.message) for i in range(count)]
            singly = [self.outputs([message], length)[0] for message in others]
            if self.outputs(others, length) != singly:
                raise CheckFailed(
                    "each message's own output",
                    "another when hashed beside others",
                    f"{name}: {vector.where}",
                )


class _Timer:
    """The compiled measure.c."""

    def __init__(self, path: str, *, samples: int, sample_ns: int) -> None:
        self._library = ctypes.CDLL(path)
        self._samples = samples
        self._sample_ns = sample_ns

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

    def run(self, variant: Library, output_bytes: int, in_bytes: int, messages: int) -> Figure:
        """Time lydite_run; the unit is one message."""
        data = bytes(i * 7 & 0xFF for i in range(in_bytes)) * messages
        out = ctypes.create_string_buffer(output_bytes * messages)

        def call(samples: ctypes.Array[_Sample]) -> None:
            self._library.lydite_measure_run(
                *(samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self._sample_ns)),
                *(variant.run_address, out, ctypes.c_size_t(output_bytes), data),
                *(ctypes.c_size_t(in_bytes), ctypes.c_size_t(messages)),
            )

        return self._figure(call, messages)

    def permute(self, variant: Library, state_bytes: int, messages: int) -> Figure | None:
        """Time lydite_permute; the unit is one permutation."""
        address = variant.permute_address
        if address is None:
            return None
        count = 64
        states = ctypes.create_string_buffer(state_bytes * messages)

        def call(samples: ctypes.Array[_Sample]) -> None:
            self._library.lydite_measure_permute(
                *(samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self._sample_ns)),
                *(address, states, ctypes.c_size_t(messages), ctypes.c_size_t(count)),
            )

        return self._figure(call, messages * count)

    def clock(self) -> tuple[float, float]:
        """Measure the core's clock and the counter's rate, in GHz."""

        def call(samples: ctypes.Array[_Sample]) -> None:
            self._library.lydite_measure_clock(
                samples, ctypes.c_size_t(self._samples), ctypes.c_uint64(self._sample_ns)
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


# Bytes of a state that lydite_permute is given: the largest that a primitive here has.
STATE_BYTES = 200


def measure(request: Request) -> Measured:
    """Prove a built variant and measure it, in this process.

    Raises
    ------
    CheckFailed
        A known answer comes out wrong.
    """
    variant = Library(request.library)
    if not variant.available:
        return Measured(available=False)
    variant.prove(request.vectors, Path(request.library).name)
    timer = _Timer(
        request.timer,
        samples=_QUICK_SAMPLES if request.quick else _SAMPLES,
        sample_ns=_QUICK_NS if request.quick else _SAMPLE_NS,
    )
    output, lanes = request.output_bytes, variant.lanes
    long_1 = timer.run(variant, output, LONG_BYTES, lanes)
    block_1 = timer.run(variant, output, request.one_block_bytes, 1)
    if request.quick:
        return Measured(available=True, lanes=lanes, long_1=long_1, block_1=block_1)
    many = 8 * lanes
    one_block = request.one_block_bytes
    core_ghz, tsc_ghz = timer.clock()
    return Measured(
        available=True,
        version=variant.version,
        lanes=lanes,
        long_1=long_1,
        block_1=block_1,
        blocks_1=timer.run(variant, output, one_block, many),
        permutation_1=timer.permute(variant, STATE_BYTES, lanes),
        long_all=_on_all(request.threads, lambda: timer.run(variant, output, LONG_BYTES, lanes)),
        blocks_all=_on_all(request.threads, lambda: timer.run(variant, output, one_block, many)),
        permutation_all=_on_all(
            request.threads, lambda: timer.permute(variant, STATE_BYTES, lanes)
        ),
        core_ghz=core_ghz,
        tsc_ghz=tsc_ghz,
        libraries=_libraries(),
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
