# SPDX-License-Identifier: Apache-2.0
"""BLAKE3 by a GPU: `blake3.cl` through OpenCL, of any maker (`pip install pyopencl`).

A message goes to the device in parts, and a part is hashed while the next one is under way.
"""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pyopencl as cl

from lydite.cores.blake3 import spec

# core.toml defines it: 1 for a GPU alone, 0 for any device, a processor too.
GPU: int

_SOURCES = Path(__file__).parent
_IV = numpy.array(spec.IV, numpy.uint32)
# Bytes that are copied while those before are hashed.
_PART_BYTES = 16 << 20
# Items of a group, of which each has a chunk.
_GROUP = 128


def _device() -> Any:
    wanted = cl.device_type.GPU if GPU else cl.device_type.ALL  # noqa: F821
    devices = (one for platform in cl.get_platforms() for one in platform.get_devices(wanted))
    found = [one for one in devices if one.max_work_group_size >= _GROUP and one.endian_little]
    if not found:
        raise ImportError("OpenCL has no such device here")
    return max(found, key=lambda one: (one.type == cl.device_type.GPU, one.max_compute_units))


def _program(context: Any) -> Any:
    with warnings.catch_warnings():
        # Drivers have remarks where nothing is wrong.
        warnings.simplefilter("ignore", cl.CompilerWarning)
        return cl.Program(context, (_SOURCES / "blake3.cl").read_text()).build(f"-I{_SOURCES}")


try:
    _DEVICE = _device()
    _CONTEXT = cl.Context([_DEVICE])
    _PROGRAM = _program(_CONTEXT)
except cl.Error as error:
    raise ImportError(f"OpenCL does not run here: {error}") from error
_PROFILED = cl.command_queue_properties.PROFILING_ENABLE
_COPIES, _RUNS = (cl.CommandQueue(_CONTEXT, properties=_PROFILED) for _ in range(2))

VERSION = (
    f"{_DEVICE.name.strip()}, {_DEVICE.platform.name.strip()} {_DEVICE.driver_version.strip()}, "
    f"pyopencl {cl.VERSION_TEXT}"
)


class _Prepared:
    """A message in memory of the host that the device reads by itself, room for it there, and all
    that is to be launched.
    """

    def __init__(self, message: bytes, output_bytes: int, key: Any = _IV, mode: int = 0) -> None:
        self._output_bytes, flags = output_bytes, cl.mem_flags
        chunks = max(1, -(-len(message) // spec.CHUNK_BYTES))
        size = chunks * spec.CHUNK_BYTES
        # OpenCL's way to pinned memory; the mapping ends with the buffer.
        self._pinned = cl.Buffer(_CONTEXT, flags.READ_ONLY | flags.ALLOC_HOST_PTR, size)
        self._host, _ = cl.enqueue_map_buffer(
            _COPIES, self._pinned, cl.map_flags.WRITE, 0, (size,), numpy.dtype(numpy.uint8)
        )
        self._host[: len(message)] = numpy.frombuffer(message, numpy.uint8)
        self._host[len(message) :] = 0
        self._message = cl.Buffer(_CONTEXT, flags.READ_ONLY, size)
        out_blocks = -(-output_bytes // spec.BLOCK_BYTES)
        self._output = numpy.zeros(max(1, out_blocks) * spec.BLOCK_BYTES, numpy.uint8)
        self._out = cl.Buffer(_CONTEXT, flags.WRITE_ONLY, self._output.nbytes)
        # Chaining values that each level leaves.
        counts = [-(-chunks // _GROUP)]
        while counts[-1] > 1:
            counts.append(-(-counts[-1] // (2 * _GROUP)))
        values = [cl.Buffer(_CONTEXT, flags.READ_WRITE, 32 * count) for count in counts]
        for_key = cl.Buffer(_CONTEXT, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=key)

        def launch(name: str, groups: int, level: int, *given: Any) -> _Launch:
            words = 8 if level == 0 else 16
            arguments = (
                *given,
                *(for_key, numpy.uint32(mode), numpy.uint32(counts[level] == 1)),
                *(cl.LocalMemory(4 * words * _GROUP), values[level]),
                *(self._out, numpy.uint32(out_blocks)),
            )
            kernel = cl.Kernel(_PROGRAM, name)
            kernel.set_args(*arguments)
            return _Launch(kernel, (groups * _GROUP,), arguments)

        def hashed(at: int, end: int) -> _Launch:
            part = self._message.get_sub_region(at, end - at)
            rest, first = numpy.uint64(len(message) - at), numpy.uint64(at // spec.CHUNK_BYTES)
            groups = -(-(end - at) // (spec.CHUNK_BYTES * _GROUP))
            return launch("blake3_chunks", groups, 0, part, rest, first)

        parts = [(at, min(at + _PART_BYTES, size)) for at in range(0, size, _PART_BYTES)]
        self._parts = [(at, end, hashed(at, end)) for at, end in parts]
        self._whole = hashed(0, size)
        self._joins = [
            launch("blake3_parents", count, level, values[level - 1], numpy.uint64(below))
            for level, (below, count) in enumerate(itertools.pairwise(counts), start=1)
        ]

    def digest(self) -> bytes:
        """Copy, hash while the next part is copied, and give the output."""
        for at, end, launch in self._parts:
            copied = self._copied(at, end)
            _COPIES.flush()
            launch([copied])
            _RUNS.flush()
        for launch in self._joins:
            launch()
        self._read()
        return self._output[: self._output_bytes].tobytes()

    def seconds(self) -> dict[str, float]:
        """Give the seconds of all, as the host sees it; and of a copy alone, of what is computed
        once all of the message is there, and of the output's way back, by the device's own clock.
        """
        begin = time.perf_counter()
        self.digest()
        total = time.perf_counter() - begin
        copied = self._copied(0, self._host.size)
        copied.wait()
        # All are under way before the first begins: no time of Python's is between them.
        gate = cl.UserEvent(_CONTEXT)
        events = [self._whole([gate]), *(launch() for launch in self._joins)]
        _RUNS.flush()
        gate.set_status(cl.command_execution_status.COMPLETE)
        read = self._read()
        return {
            "to_device": _seconds(copied, copied),
            "compute": _seconds(events[0], events[-1]),
            "from_device": _seconds(read, read),
            "total": total,
        }

    def _copied(self, at: int, end: int) -> Any:
        return cl.enqueue_copy(
            _COPIES, self._message, self._host[at:end], dst_offset=at, is_blocking=False
        )

    def _read(self) -> Any:
        return cl.enqueue_copy(_RUNS, self._output, self._out)


class _Launch(NamedTuple):
    """A kernel, its items, and its arguments, of which it holds no buffer itself."""

    kernel: Any
    items: tuple[int]
    arguments: tuple[Any, ...]

    def __call__(self, after: list[Any] | None = None) -> Any:
        return cl.enqueue_nd_range_kernel(_RUNS, self.kernel, self.items, (_GROUP,), wait_for=after)


def _seconds(first: Any, last: Any) -> float:
    return 1e-9 * float(last.profile.end - first.profile.start)


def prepared(message: bytes, output_bytes: int) -> Callable[[], Mapping[str, float]]:
    return _Prepared(message, output_bytes).seconds


def hash(message: bytes, output_bytes: int) -> bytes:
    return _Prepared(message, output_bytes).digest()


def keyed_hash(key: bytes, message: bytes, output_bytes: int) -> bytes:
    # Kernels read as many words, however many there are.
    if len(key) != spec.KEY_BYTES:
        raise ValueError(f"a key has {spec.KEY_BYTES} bytes, not {len(key)}")
    words = numpy.frombuffer(key, "<u4").astype(numpy.uint32)
    return _Prepared(message, output_bytes, words, spec.KEYED_HASH).digest()


def derive_key(context: bytes, material: bytes, output_bytes: int) -> bytes:
    key = _Prepared(context, 32, _IV, spec.DERIVE_KEY_CONTEXT).digest()
    words = numpy.frombuffer(key, "<u4").astype(numpy.uint32)
    return _Prepared(material, output_bytes, words, spec.DERIVE_KEY_MATERIAL).digest()
