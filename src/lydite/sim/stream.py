# SPDX-License-Identifier: Apache-2.0
"""A core with AXI4-Stream ports, simulated: messages in, outputs and their cycles out."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from lydite.base.errors import CheckFailed, InputError
from lydite.sim import build
from lydite.sim.build import Sources
from lydite.tools.yosys import Port

HARNESS = build.NATIVE / "stream.cpp"
_POWER_UP_SEED = 1


class Stalls(msgspec.Struct, frozen=True):
    """How the two sides of a core pause.

    Attributes
    ----------
    name : str
        For messages and records.
    sink, source : int
        Of the words offered to the core, and of the core's words taken: 0 no pause, 1 one word in
        four cycles, 2 at random; of the source also 3, ready only once a word is offered.
    """

    name: str
    sink: int
    source: int


PATIENT = 3
NO_STALLS = Stalls("none", 0, 0)
STALL_MODES = (
    NO_STALLS,
    Stalls("input", 1, 0),
    Stalls("output", 0, 1),
    Stalls("both", 1, 1),
    Stalls("random", 2, 2),
    # A sink may wait for tvalid before it shows tready; a source may not wait for tready.
    Stalls("patient", 0, PATIENT),
)


class Message(msgspec.Struct, frozen=True):
    """What a core is given and must answer.

    Attributes
    ----------
    data : bytes
        The message.
    output : bytes
        The right output.
    where : str
        Where the pair comes from, for errors.
    """

    data: bytes
    output: bytes
    where: str = ""


class Cycles(msgspec.Struct, frozen=True):
    """In which cycles a message's first and last beats passed, counted from reset."""

    first_in: int
    last_in: int
    first_out: int
    last_out: int


class StreamPorts(msgspec.Struct, frozen=True):
    """Bus widths of a streaming core, in bytes, and whether it has `s_axis_tuser`."""

    in_bytes: int
    out_bytes: int
    tuser: bool


class _Batch(ctypes.Structure):
    _fields_ = (
        ("messages", ctypes.c_uint64),
        ("input", ctypes.c_char_p),
        ("in_bytes", ctypes.POINTER(ctypes.c_uint64)),
        ("user", ctypes.POINTER(ctypes.c_uint32)),
        ("out", ctypes.c_void_p),
        ("out_bytes", ctypes.POINTER(ctypes.c_uint64)),
        ("first_in", ctypes.POINTER(ctypes.c_uint64)),
        ("last_in", ctypes.POINTER(ctypes.c_uint64)),
        ("first_out", ctypes.POINTER(ctypes.c_uint64)),
        ("last_out", ctypes.POINTER(ctypes.c_uint64)),
        ("stall_in", ctypes.c_uint32),
        ("stall_out", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("stop_at", ctypes.c_uint64),
        ("patience", ctypes.c_uint64),
        ("strict", ctypes.c_uint32),
        ("cycles", ctypes.c_uint64),
        ("failed", ctypes.c_uint64),
        ("error", ctypes.c_char * 512),
    )


def stream_ports(ports: Sequence[Port], clock: str, reset: str, *, where: str) -> StreamPorts:
    """Check that a module has the ports of a streaming core and give their widths.

    The contract is docs/cores.md: `s_axis_*` and `m_axis_*` with tdata, tkeep, tlast, tvalid and
    tready, optionally `s_axis_tuser`, and nothing but clock and reset beside.

    Raises
    ------
    InputError
        A port is missing, superfluous, of the wrong direction or width.
    """
    found = {port.name: port for port in ports}
    wanted = {clock: "input", reset: "input"}
    for prefix, forward, back in (("s_axis", "input", "output"), ("m_axis", "output", "input")):
        wanted |= dict.fromkeys(
            (f"{prefix}_t{n}" for n in ("data", "keep", "last", "valid")), forward
        )
        wanted[f"{prefix}_tready"] = back
    hint = "an axi4-stream core has the ports that docs/cores.md lists"
    if "s_axis_tuser" in found:
        wanted["s_axis_tuser"] = "input"
    for name, direction in wanted.items():
        if name not in found:
            raise InputError(where, f"port {name} is missing", hint)
        width = found[name].width
        if width != 1 and not name.endswith(("_tdata", "_tkeep", "_tuser")):
            raise InputError(where, f"port {name} has {width} bits, not 1", hint)
        if found[name].direction != direction:
            raise InputError(where, f"port {name} is an {found[name].direction}", hint)
    for name in sorted(found.keys() - wanted.keys()):
        raise InputError(where, f"port {name} is not part of the interface", hint)
    widths = []
    for prefix in ("s_axis", "m_axis"):
        data, keep = found[f"{prefix}_tdata"].width, found[f"{prefix}_tkeep"].width
        if data != 8 * keep or keep not in (1, 2, 4, 8, 16, 32, 64):
            what = f"{prefix}_tdata has {data} bits and {prefix}_tkeep {keep}"
            raise InputError(where, what, "tdata has 8 bits for each of tkeep, 8 to 512 in all")
        widths.append(keep)
    return StreamPorts(widths[0], widths[1], "s_axis_tuser" in found)


class StreamModel:
    """A simulated streaming core; a context manager, since the model lives outside Python.

    Parameters
    ----------
    sources : Sources
        The core.
    ports : StreamPorts
        Its bus widths.
    clock, reset : str
        Names of these ports.
    effort : str
        See `build.build_model`.
    wave : Path, optional
        Waveform (VCD) to write.
    """

    def __init__(
        self,
        sources: Sources,
        ports: StreamPorts,
        *,
        clock: str,
        reset: str,
        effort: str = "quick",
        wave: Path | None = None,
    ) -> None:
        defines = {
            "LYDITE_CLK": clock,
            "LYDITE_RST": reset,
            "LYDITE_IN_BYTES": str(ports.in_bytes),
            "LYDITE_OUT_BYTES": str(ports.out_bytes),
        }
        if ports.tuser:
            defines["LYDITE_TUSER"] = "1"
        library = build.build_model(
            sources, HARNESS, defines=defines, effort=effort, trace=wave is not None
        )
        self._library = ctypes.CDLL(str(library))
        self._library.lydite_open.restype = ctypes.c_void_p
        self._library.lydite_open.argtypes = (ctypes.c_uint64, ctypes.c_char_p)
        self._library.lydite_close.argtypes = (ctypes.c_void_p,)
        self._library.lydite_run.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Batch))
        self._top = sources.top
        name = str(wave).encode() if wave else None
        self._model = self._library.lydite_open(_POWER_UP_SEED, name)
        assert self._model, "the model could not be made"
        #: Cycles simulated so far.
        self.cycles = 0
        #: Bytes of a word of output.
        self.out_bytes = ports.out_bytes
        #: Number of the message, of its run, with which the last failure was.
        self.failed = 0

    def __enter__(self) -> StreamModel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the model; a waveform is whole only then."""
        if self._model:
            self._library.lydite_close(self._model)
            self._model = None

    def answer(self, data: bytes, output_bytes: int) -> bytes:
        """Run one message from reset and give its output, of the length told."""
        out, _ = self._run([(data, output_bytes)], NO_STALLS, 1, 0, strict=False, label="")
        return out[0]

    def cycles_of(self, jobs: Sequence[tuple[bytes, int]]) -> tuple[Cycles, ...]:
        """Run messages (data, output bytes) back to back without stalls; only time is asked."""
        return self._run(jobs, NO_STALLS, 1, 0, strict=False, label="timing")[1]

    def run(
        self,
        messages: Sequence[Message],
        *,
        stalls: Stalls = NO_STALLS,
        seed: int = 1,
        cut_off: Sequence[Message] = (),
        reset_at: int = 0,
        label: str = "",
    ) -> tuple[Cycles, ...]:
        """Run messages back to back from reset and check every output.

        Parameters
        ----------
        seed : int
            Of random stalls and of what stands on a bus that is not valid.
        cut_off : sequence of Message
            Messages that are run first, and cut off by a reset in cycle `reset_at`; no output of
            theirs is checked, but the rules of the protocol are.
        label : str
            What this run shows, for errors.

        Raises
        ------
        CheckFailed
            An output is wrong, a rule of the protocol is broken, or the core hangs.
        """
        if cut_off:
            # The next run begins with the reset.
            cut = [(message.data, len(message.output)) for message in cut_off]
            self._run(cut, stalls, seed, reset_at, strict=False, label=f"{label}, before it")
        jobs = [(message.data, len(message.output)) for message in messages]
        notes = [message.where or f"{len(message.data)} bytes" for message in messages]
        outputs, cycles = self._run(
            jobs, stalls, seed, 0, strict=_strict(stalls), label=label, notes=notes
        )
        for index, (message, output) in enumerate(zip(messages, outputs, strict=True)):
            if output != message.output:
                first = next(
                    i for i, (a, b) in enumerate(zip(output, message.output, strict=True)) if a != b
                )
                self.failed = index
                raise CheckFailed(
                    _show(message.output, first),
                    _show(output, first),
                    f"{self._at(label, stalls, seed, index, notes)}: byte {first} of the output",
                )
        return cycles

    def _at(self, label: str, stalls: Stalls, seed: int, index: int, notes: Sequence[str]) -> str:
        what = f"{self._top}, {label}, stalls {stalls.name}"
        what += f" (seed {seed})" if _strict(stalls) else ""
        return what + (f", message {index} ({notes[index]})" if index < len(notes) else "")

    def _run(
        self,
        jobs: Sequence[tuple[bytes, int]],
        stalls: Stalls,
        seed: int,
        stop_at: int,
        *,
        strict: bool,
        label: str,
        notes: Sequence[str] = (),
    ) -> tuple[list[bytes], tuple[Cycles, ...]]:
        count = len(jobs)
        numbers = ctypes.c_uint64 * max(count, 1)
        stamps = [numbers() for _ in range(4)]
        total = sum(length for _, length in jobs)
        out = ctypes.create_string_buffer(max(total, 1))
        batch = _Batch(
            messages=count,
            input=b"".join(data for data, _ in jobs),
            in_bytes=numbers(*(len(data) for data, _ in jobs)),
            user=(ctypes.c_uint32 * max(count, 1))(*(length for _, length in jobs)),
            out=ctypes.addressof(out),
            out_bytes=numbers(*(length for _, length in jobs)),
            stall_in=stalls.sink,
            stall_out=stalls.source,
            seed=seed,
            stop_at=stop_at,
            patience=100_000,
            strict=strict,
        )
        for name, stamp in zip(
            ("first_in", "last_in", "first_out", "last_out"), stamps, strict=True
        ):
            setattr(batch, name, stamp)
        failed = self._library.lydite_run(self._model, ctypes.byref(batch))
        self.cycles += batch.cycles
        if failed:
            self.failed = int(batch.failed)
            raise CheckFailed(
                "a right output in time, and the rules of AXI4-Stream kept",
                batch.error.decode(errors="replace"),
                self._at(label, stalls, seed, batch.failed, notes),
            )
        outputs = []
        at = 0
        raw = out.raw
        for _, length in jobs:
            outputs.append(raw[at : at + length])
            at += length
        return outputs, tuple(Cycles(*row) for row in zip(*stamps, strict=True))[:count]


def _strict(stalls: Stalls) -> bool:
    """Say whether a run tries more than stalls: that is the same for every seed of the others."""
    return stalls.sink == 2 or stalls.source == PATIENT


def _show(data: bytes, at: int) -> str:
    """Give the bytes around a place in hexadecimal."""
    begin = max(at - 4, 0)
    shown = data[begin : begin + 16].hex()
    return ("..." if begin else "") + shown + ("..." if begin + 16 < len(data) else "")
