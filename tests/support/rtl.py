# SPDX-License-Identifier: Apache-2.0
"""Runs Verilog in the tests: Verilator's model of a module, driven by `rtl.cpp`.

Calls are made under the protocol of `lydite.hls.contract.interface`, from several power-up values:
what a register has before it is written must decide nothing. A model of a small design takes a
quarter of a second, since Verilator's headers are compiled ahead by `lydite.sim.build`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.base import proc
from lydite.hls import ArrayArg, Compiled
from lydite.sim import build
from lydite.sim.cosim import banks as cosim_banks
from lydite.tools import verilator

Call = tuple[Mapping[str, int], Mapping[str, bytes]]
HARNESS = Path(__file__).with_name("rtl.cpp")
# Power-up values, gaps between calls, and what is on ports that mean nothing.
SEEDS = (1, 2)
_PORT_BYTES = 64


@dataclass(frozen=True)
class Port:
    """A port of a module: `direction` is `input` or `output`."""

    name: str
    width: int
    direction: str


@dataclass(frozen=True)
class RtlCall:
    """What one call did in simulation."""

    value: int | None
    arrays: dict[str, bytes]
    cycles: int


class _Memory(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32 * 2) for name in ("address", "ce", "we", "d", "q")),
        *((name, ctypes.c_uint32) for name in ("depth", "bytes", "lanes")),
    )


class _Calls(ctypes.Structure):
    _fields_ = (
        *((n, ctypes.c_int32) for n in ("clk", "rst", "start", "done", "idle", "ready", "result")),
        *((n, ctypes.c_uint32) for n in ("count", "limit", "overlap", "rewound", "pauses")),
        *((n, ctypes.c_uint32) for n in ("scalars", "slot", "memories", "pipelined")),
        ("scalar", ctypes.POINTER(ctypes.c_int32)),
        ("memory", ctypes.POINTER(_Memory)),
        ("values", ctypes.c_char_p),
        ("before", ctypes.c_char_p),
        ("after", ctypes.c_char_p),
        ("results", ctypes.c_char_p),
        ("cycles", ctypes.POINTER(ctypes.c_int64)),
    )


class _Job(ctypes.Structure):
    _fields_ = (
        ("seed", ctypes.c_uint64),
        ("calls", ctypes.POINTER(_Calls)),
        ("clock", ctypes.c_int32),
        ("edges", ctypes.c_uint32),
        ("ports", ctypes.c_char_p),
        ("error", ctypes.c_char * 256),
    )


class Model:
    """The model of a module of which the ports are known."""

    def __init__(
        self, folder: Path, files: Mapping[str, str], top: str, ports: Sequence[Port]
    ) -> None:
        """Build it; `files` are texts by name."""
        self.ports = tuple(ports)
        texts = {"rtl_top.v": _wrapper(top, self.ports), **files}
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text)
        sources = build.Sources(
            files={name: folder / name for name in texts}, top="rtl_top", parameters={}
        )
        table = " ".join(f"PORT({n}, {port.width})" for n, port in enumerate(self.ports))
        defines = {"RTL_PORTS": table, "RTL_COUNT": str(len(self.ports))}
        library = build.build_model(sources, HARNESS, defines=defines, effort="once")
        self._library = ctypes.CDLL(str(library))

    def number(self, name: str) -> int:
        """Give the number of a port, or -1 if there is none of this name."""
        return next((n for n, port in enumerate(self.ports) if port.name == name), -1)

    def clocked(self, clock: str, edges: int, *, seed: int) -> dict[str, int]:
        """Give a clock's edges to a module that needs nothing else; give all ports at the end."""
        ports = ctypes.create_string_buffer(_PORT_BYTES * len(self.ports))
        job = _Job(seed=seed, clock=self.number(clock), edges=edges)
        job.ports = ctypes.cast(ports, ctypes.c_char_p)
        self.run(job)
        values = [ports.raw[at : at + _PORT_BYTES] for at in range(0, len(ports), _PORT_BYTES)]
        return {
            port.name: int.from_bytes(value, "little")
            for port, value in zip(self.ports, values, strict=True)
        }

    def run(self, job: _Job) -> None:
        """Do a job; whatever the hardware does that it must not is an AssertionError."""
        self._library.rtl_run(ctypes.byref(job))
        assert not job.error, job.error.decode(errors="replace")


def _wrapper(top: str, ports: Sequence[Port]) -> str:
    """Give the module that has ports of names that C++ knows nothing of."""
    ours = ", ".join(
        f"{port.direction} wire [{port.width - 1}:0] p{number}" for number, port in enumerate(ports)
    )
    pins = ", ".join(f".{port.name}(p{number})" for number, port in enumerate(ports))
    return f"module rtl_top ({ours});\n  {top} u_top ({pins});\nendmodule\n"


def lint(compiled: Compiled, folder: Path) -> str:
    """Give what Verilator finds in the Verilog of a function; empty for nothing."""
    folder.mkdir(exist_ok=True)
    for file in compiled.files:
        (folder / file.name).write_text(file.text)
    tool = verilator.find()
    names = [file.name for file in compiled.files]
    argv = verilator.lint_command(tool, names, compiled.interface.top, {})
    run = proc.run(argv, cwd=folder, env=tool.env)
    return run.output if run.rc or "%Warning" in run.output else ""


class Hardware:
    """The model of a compiled function."""

    def __init__(self, folder: Path, compiled: Compiled) -> None:
        self.compiled = compiled
        self.arrays = [array for array in _arrays(compiled) if not array.unused]
        texts = {file.name: file.text for file in compiled.files}
        top = compiled.interface.top
        self.model = Model(folder, texts, top, _ports(compiled, self.arrays))

    def call(self, calls: Sequence[Call], limit: int) -> list[RtlCall]:
        """Make calls one after the other."""
        runs = [self._run(calls, seed, limit=limit) for seed in SEEDS]
        _check_equal(runs)
        results = runs[0]
        for result, (_, arrays) in zip(results, calls, strict=True):
            _gather(self.compiled, result.arrays, arrays)
        return results

    def overlap(self, calls: Sequence[Call], limit: int, *, pauses: bool) -> list[RtlCall]:
        """Make calls as soon as they are taken, or with `pauses` later at random.

        Arrays have the contents of the first call, and are given after the last one. Cycles of a
        rewound loop count from the one in which the call is offered.
        """
        if not calls:
            return []
        runs = [self._run(calls, seed, limit=limit, pauses=pauses) for seed in SEEDS]
        # How long a call waits hangs on the pauses before it.
        _check_equal(runs, cycles=not pauses)
        return runs[0]

    def _run(
        self, calls: Sequence[Call], seed: int, *, limit: int, pauses: bool | None = None
    ) -> list[RtlCall]:
        face, number = self.compiled.interface, self.model.number
        scalars = [s for s in face.scalars if number(s.port) >= 0]
        slot = max([8, *((s.width + 7) // 8 for s in scalars)])
        loads = calls if pauses is None else calls[:1]
        before = b"".join(self._words(arrays) for _, arrays in loads)
        after = ctypes.create_string_buffer(len(before) or 1)
        size = (face.return_width + 7) // 8
        results = ctypes.create_string_buffer(size * len(calls) or 1)
        cycles = (ctypes.c_int64 * len(calls))()
        task = _Calls(
            **{name: number(f"ap_{name}") for name in _PROTOCOL},
            result=number("ap_return"),
            count=len(calls),
            limit=limit,
            overlap=pauses is not None,
            rewound=bool(face.rewound),
            pauses=bool(pauses),
            scalars=len(scalars),
            slot=slot,
            memories=len(self.arrays),
            pipelined=face.interval is not None or bool(face.rewound),
            scalar=(ctypes.c_int32 * max(1, len(scalars)))(*(number(s.port) for s in scalars)),
            memory=(_Memory * max(1, len(self.arrays)))(*map(self._memory, self.arrays)),
            values=b"".join(_bytes(v[s.name], s.width, slot) for v, _ in calls for s in scalars),
            before=before,
            after=ctypes.cast(after, ctypes.c_char_p),
            results=ctypes.cast(results, ctypes.c_char_p),
            cycles=cycles,
        )
        self.model.run(_Job(seed=seed, calls=ctypes.pointer(task)))
        values = [results.raw[at * size :][:size] for at in range(len(calls))]
        found = [
            RtlCall(int.from_bytes(value, "little") if size else None, {}, count)
            for value, count in zip(values, cycles, strict=True)
        ]
        self._give(after.raw, found if pauses is None else found[-1:])
        return found

    def _memory(self, array: ArrayArg) -> _Memory:
        stems = {name: f"{array.port}_{name}" for name in ("address", "ce", "we", "d", "q")}
        ports = {
            name: (ctypes.c_int32 * 2)(*(self.model.number(f"{stem}{n}") for n in range(2)))
            for name, stem in stems.items()
        }
        unit = array.element_width // 8
        return _Memory(**ports, depth=array.depth, bytes=unit, lanes=array.write_lanes)

    def _words(self, arrays: Mapping[str, bytes]) -> bytes:
        """Give the contents of all memories, as `rtl.cpp` has them."""
        given = _scattered(self.compiled, arrays)
        sizes = [(array, array.depth * array.element_width // 8) for array in self.arrays]
        return b"".join(given.get(a.port, b"").ljust(size, b"\0")[:size] for a, size in sizes)

    def _give(self, words: bytes, calls: Sequence[RtlCall]) -> None:
        at = 0
        for call in calls:
            for array in self.arrays:
                size = array.depth * array.element_width // 8
                call.arrays[array.port] = words[at : at + size]
                at += size


_PROTOCOL = ("clk", "rst", "start", "done", "idle", "ready")


def _ports(compiled: Compiled, arrays: Sequence[ArrayArg]) -> list[Port]:
    face = compiled.interface
    ports = [Port(f"ap_{n}", 1, "input") for n in _PROTOCOL[:3]]
    ports += [Port(f"ap_{n}", 1, "output") for n in _PROTOCOL[3:]]
    if face.return_width:
        ports.append(Port("ap_return", face.return_width, "output"))
    ports += [Port(scalar.port, scalar.width, "input") for scalar in face.scalars]
    for array in arrays:
        width = array.element_width
        for n in range(array.ports):
            bits = max(1, (array.depth - 1).bit_length())
            ports.append(Port(f"{array.port}_address{n}", bits, "output"))
            ports.append(Port(f"{array.port}_ce{n}", 1, "output"))
            if array.direction != "out":
                ports.append(Port(f"{array.port}_q{n}", width, "input"))
            if array.direction != "in":
                ports.append(Port(f"{array.port}_we{n}", array.write_lanes, "output"))
                ports.append(Port(f"{array.port}_d{n}", width, "output"))
    return ports


def _bytes(value: int, width: int, slot: int) -> bytes:
    return (value & ((1 << width) - 1)).to_bytes(slot, "little")


def _check_equal(runs: Sequence[Sequence[RtlCall]], *, cycles: bool = True) -> None:
    """Hold runs from different power-up values against each other."""
    first = runs[0]
    for run in runs[1:]:
        for number, (one, other) in enumerate(zip(first, run, strict=True)):
            same = (one.value, one.arrays) == (other.value, other.arrays)
            assert same, f"what call {number} gives depends on power-up values"
            assert not cycles or one.cycles == other.cycles, f"so do the cycles of call {number}"


def _arrays(compiled: Compiled) -> list[ArrayArg]:
    """Give the arrays that have ports: banks for those that are cut."""
    parts = [part for arg in compiled.interface.arrays for part in cosim_banks.parts_of(arg)]
    return [part for part in parts if isinstance(part, ArrayArg)]


def _scattered(compiled: Compiled, arrays: Mapping[str, bytes]) -> dict[str, bytes]:
    """Give the contents of banks in place of those of arrays that are cut."""
    result = dict(arrays)
    for arg in compiled.interface.arrays:
        for bank in arg.banks:
            result[bank.port] = cosim_banks.taken(arrays.get(arg.port, b""), arg, bank)
    return result


def _gather(compiled: Compiled, arrays: dict[str, bytes], before: Mapping[str, bytes]) -> None:
    """Add the contents of arrays that are cut; banks without ports are as they were."""
    for arg in compiled.interface.arrays:
        size = arg.depth * arg.element_width // 8
        whole = bytearray(before.get(arg.port, b"").ljust(size, b"\0"))
        for bank in arg.banks:
            if bank.unused:
                continue
            cosim_banks.put_back(whole, arrays.get(bank.port, b""), arg, bank)
        if arg.banks:
            arrays[arg.port] = bytes(whole)
