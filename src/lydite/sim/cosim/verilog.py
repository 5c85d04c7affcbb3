# SPDX-License-Identifier: Apache-2.0
"""The hardware side of co-simulation: compile Verilog, replay recorded calls, say what came out.

A wrapper module gives ports uniform names, so that a C argument may be called like a C++ keyword;
the harness `native/cosim.cpp` gets the accesses to them, and constants, in its marked places.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydite.base import files
from lydite.hls.compiled import Compiled
from lydite.hls.contract.interface import ArrayArg, StreamArg
from lydite.sim import build
from lydite.sim.cosim import bus, streams
from lydite.sim.cosim import flow as cosim_flow
from lydite.sim.cosim.banks import Banks
from lydite.sim.cosim.native import Layout, Recording
from lydite.sim.cosim.streams import Signal

CycleWatch = Callable[[int, int], str]
HARNESS = build.NATIVE / "cosim.cpp"
_TOP = "lydite_cosim_top"
_PROTOCOL = (("ap_clk", "input"), ("ap_rst", "input"))
_CONTROL = (("ap_start", "input"), *((f"ap_{n}", "output") for n in ("done", "idle", "ready")))


# Is called with the call, from 0, and the cycle, and gives whether to stop.
_WATCH = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)


class _Job(ctypes.Structure):
    _fields_ = (
        ("records", ctypes.c_char_p),
        ("calls", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
        ("gaps", ctypes.c_uint32),
        ("timeout", ctypes.c_uint64),
        ("trace_from", ctypes.c_uint64),
        ("trace_timeout", ctypes.c_uint64),
        ("wave", ctypes.c_char_p),
        ("stalls", ctypes.c_uint32),
        ("watch", _WATCH),
        ("beats", ctypes.POINTER(ctypes.c_char_p)),
        ("ends", ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64))),
        ("latency", ctypes.POINTER(ctypes.c_uint64)),
        ("starts", ctypes.POINTER(ctypes.c_uint64)),
        ("offered", ctypes.POINTER(ctypes.c_uint8)),
        ("cycles", ctypes.c_uint64),
        ("done", ctypes.c_uint64),
        ("got", ctypes.c_char_p),
        ("error", ctypes.c_char * 256),
        ("unended", ctypes.c_uint32),
        ("stream", ctypes.c_int32),
        ("beat", ctypes.c_uint64),
        ("got_beat", ctypes.c_uint8 * 88),
        ("flow", ctypes.c_char_p),
        ("highest", ctypes.c_char_p),
    )


@dataclass(frozen=True, slots=True)
class Replay:
    """What the hardware did.

    Attributes
    ----------
    latency : tuple of int
        Cycles of each call that came to its end and was right.
    cycles : int
        Of all calls together, from the first `ap_start` to the last `ap_done`.
    failed : int or None
        Number of the first call that went wrong, from 0.
    got : bytes
        Outputs of the last call, laid out as in a record.
    error : str
        What went wrong beside values: a hang, a write outside of an array; empty if nothing did.
    beat : tuple of int, int and int, or None
        The beat that is wrong: of which stream, which one of all calls, and what it is.
    flow, highest : bytes
        At the end, as `flow` has them.
    intervals : tuple of int
        Of a pipelined function: cycles from one call to the next, of those that were offered at
        once.
    limited : bool
        The call that failed is one that was given up: nothing is known to be wrong.
    hangs : bool
        It is one that never ends.
    """

    latency: tuple[int, ...]
    cycles: int
    failed: int | None
    got: bytes
    error: str
    beat: tuple[int, int, int] | None = None
    flow: bytes = b""
    highest: bytes = b""
    intervals: tuple[int, ...] = ()
    limited: bool = False
    hangs: bool = False


class Hardware:
    """Verilog of the compiler with the harness, in a folder; compiled once per content."""

    def __init__(
        self, compiled: Compiled, recording: Recording, folder: Path, *, effort: build.Effort
    ) -> None:
        self._banks = Banks(compiled.interface)
        self._layout = self._banks.inner
        recording = self.scattered(recording)
        self.top = compiled.interface.top
        self._flow = cosim_flow.sizes(compiled)
        self._effort = effort
        rtl = folder / "rtl"
        rtl.mkdir(parents=True, exist_ok=True)
        for file in compiled.files:
            files.write_atomic(rtl / file.name, file.text)
        ports = _port_names(compiled)
        files.write_atomic(rtl / f"{_TOP}.v", _wrapper(compiled, self._layout, ports))
        self.harness = rtl / "cosim.cpp"
        files.write_atomic(self.harness, _harness(recording, compiled, ports))
        names = (f"{_TOP}.v", *(file.name for file in compiled.files))
        self.sources = build.Sources(
            files={name: rtl / name for name in names}, top=_TOP, parameters={}
        )

    def scattered(self, recording: Recording) -> Recording:
        """Give a recording with the banks of arrays that are cut as arrays of their own."""
        return self._banks.scattered(recording)

    def build(self, *, trace: bool = False) -> Path:
        """Give the shared library."""
        return build.build_model(
            self.sources, self.harness, defines={}, effort=self._effort, trace=trace
        )

    def replay(
        self,
        recording: Recording,
        *,
        seed: int,
        gaps: bool,
        timeout_cycles: int,
        stalls: int = 0,
        wave: Path | None = None,
        trace_from: int = 0,
        trace_cycles: int | None = None,
        library: Path | None = None,
        watch: CycleWatch | None = None,
    ) -> Replay:
        """Replay all recorded calls, from reset, up to the first that goes wrong.

        Parameters
        ----------
        seed : int
            Of power-up values, gaps, and of what is on the ports while it has no meaning.
        gaps : bool
            Whether calls are apart by random numbers of cycles; else they follow at once.
        timeout_cycles : int
            Cycles of one call after which it is given up.
        stalls : int
            In how many quarters of the cycles, 0 to 3, streams stand still, at random.
        wave : Path, optional
            VCD file for the calls from number `trace_from` on.
        trace_cycles : int, optional
            Cycles of one call after which the waveform ends; `timeout_cycles` by default.
        library : Path, optional
            Where it has been built already.
        watch : callable, optional
            Is called at times with the call, from 0, and the cycle; what it gives, unless that is
            empty, is the limit at which the replay is given up.
        """
        model = ctypes.CDLL(str(library or self.build(trace=wave is not None)))
        recording = self.scattered(recording)
        count = len(recording)
        latency, starts = ((ctypes.c_uint64 * max(count, 1))() for _ in range(2))
        offered = (ctypes.c_uint8 * max(count, 1))()
        got = ctypes.create_string_buffer(max(self._layout.out_bytes, 1))
        watcher = _Watcher(watch)
        flow = [ctypes.create_string_buffer(max(size, 1)) for size in self._flow]
        job = _Job(
            records=recording.data,
            calls=count,
            seed=seed,
            gaps=int(gaps),
            timeout=timeout_cycles,
            trace_from=trace_from,
            trace_timeout=timeout_cycles if trace_cycles is None else trace_cycles,
            wave=str(wave).encode() if wave else None,
            stalls=stalls,
            watch=watcher.callback,
            beats=(ctypes.c_char_p * max(len(recording.beats), 1))(
                *(item.data for item in recording.beats)
            ),
            ends=_ends(recording),
            latency=latency,
            starts=starts,
            offered=offered,
            got=ctypes.cast(got, ctypes.c_char_p),
            flow=ctypes.cast(flow[0], ctypes.c_char_p),
            highest=ctypes.cast(flow[1], ctypes.c_char_p),
        )
        model.lydite_cosim.argtypes = (ctypes.POINTER(_Job),)
        model.lydite_cosim.restype = None
        model.lydite_cosim(ctypes.byref(job))
        limit = watcher.result()
        beat = _wrong_beat(job, recording)
        failed = job.done if job.done < count or job.error else None
        if beat is not None:
            failed = recording.beats[beat[0]].call_of(beat[1])
        return Replay(
            latency=tuple(latency[: job.done]),
            cycles=job.cycles,
            failed=failed,
            got=self._banks.gathered(got.raw[: self._layout.out_bytes]),
            error=limit or job.error.decode(errors="replace"),
            beat=beat,
            flow=flow[0].raw,
            highest=flow[1].raw,
            intervals=tuple(starts[n] - starts[n - 1] for n in range(1, job.done) if offered[n]),
            limited=bool(limit) or job.unended == 1,
            hangs=job.unended == 2,
        )


class _Watcher:
    """Calls back from the harness, where nothing may be raised."""

    def __init__(self, watch: CycleWatch | None) -> None:
        self._limit = ""
        self._raised: BaseException | None = None
        self._watch = watch
        # Even without a watcher: an interrupt comes through in Python only.
        self.callback = _WATCH(self._call)

    def _call(self, call: int, cycle: int) -> int:
        try:
            self._limit = self._watch(call, cycle) if self._watch else ""
        except BaseException as error:
            self._raised = error
        return int(bool(self._limit) or self._raised is not None)

    def result(self) -> str:
        """Raise what the watcher raised, or give the limit that it came to."""
        if self._raised is not None:
            raise self._raised
        return self._limit


def _ends(recording: Recording) -> ctypes.Array[ctypes._Pointer[ctypes.c_uint64]]:
    arrays = [(ctypes.c_uint64 * len(item.ends))(*item.ends) for item in recording.beats]
    pointers = [ctypes.cast(array, ctypes.POINTER(ctypes.c_uint64)) for array in arrays]
    result = (ctypes.POINTER(ctypes.c_uint64) * max(len(pointers), 1))(*pointers)
    return result


def _wrong_beat(job: _Job, recording: Recording) -> tuple[int, int, int] | None:
    if job.stream < 0:
        return None
    size = recording.beats[job.stream].bytes
    return job.stream, job.beat, int.from_bytes(bytes(job.got_beat)[:size], "little")


def _port_names(compiled: Compiled) -> frozenset[str]:
    """Give the ports of the top module: not every array has every signal."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|\(\*.*?\*\)", "", compiled.files[0].text, flags=re.DOTALL)
    module = re.search(
        rf"\bmodule\s+{re.escape(compiled.interface.top)}\b(.*?)\);", text, re.DOTALL
    )
    assert module is not None, "the first file has the top module"
    return frozenset(re.findall(r"[\w$]+", module[1]))


def _array_signals(number: int, arg: ArrayArg, ports: frozenset[str]) -> list[Signal]:
    shapes = (
        *(("address", 32, "output"), ("ce", 1, "output"), ("we", arg.write_lanes, "output")),
        *(("d", arg.element_width, "output"), ("q", arg.element_width, "input")),
    )
    return [
        Signal(f"m{number}_{kind}{port}", f"{arg.port}_{kind}{port}", width, direction)
        for port in range(2)
        for kind, width, direction in shapes
        if f"{arg.port}_{kind}{port}" in ports
    ]


def _signals(compiled: Compiled, cut: Layout, ports: frozenset[str]) -> list[Signal]:
    result = [
        Signal(name, name, 1, direction)
        for name, direction in (*_PROTOCOL, *_CONTROL)
        if name in ports
    ]
    width = compiled.interface.return_width
    if width and "ap_return" in ports:
        result.append(Signal("ap_return", "ap_return", width, "output"))
    for number, scalar in enumerate(cut.scalars):
        if scalar.arg.port in ports and scalar.arg.protocol == "ap_none":
            result.append(Signal(f"s{number}", scalar.arg.port, scalar.arg.width, "input"))
    for number, array in enumerate(cut.arrays):
        result += _array_signals(number, array.arg, ports)
    if compiled.interface.registers is not None:
        result += bus.signals(compiled.interface.registers)
    for number, stream in enumerate(_handshakes(compiled)):
        result += streams.signals(number, stream)
    return result


def _handshakes(compiled: Compiled) -> tuple[StreamArg, ...]:
    """Give all arguments that come or go by a handshake, as `Recording.beats` has them."""
    return (*compiled.interface.streams, *compiled.interface.handshakes)


def _wrapper(compiled: Compiled, cut: Layout, ports: frozenset[str]) -> str:
    """Give the Verilog that renames the ports."""
    signals = _signals(compiled, cut, ports)
    more, lines = cosim_flow.wrapper(compiled)
    ours = ",\n".join(
        [*(f"    {s.direction} wire [{s.width - 1}:0] {s.name}" for s in signals), *more]
    )
    pins = [(signal.port, signal.name) for signal in signals]
    for port in compiled.interface.external:
        given = f"{port.width}'h{port.value:x}" if port.direction == "input" else ""
        pins.append((port.name, given))
    theirs = ",\n".join(f"      .{port}({name})" for port, name in pins)
    top = compiled.interface.top
    body = "".join(f"{line}\n" for line in lines)
    return f"module {_TOP} (\n{ours}\n);\n  {top} u_{top} (\n{theirs}\n  );\n{body}endmodule\n"


def _harness(recording: Recording, compiled: Compiled, ports: frozenset[str]) -> str:
    """Give the harness with this function's ports in it."""
    cut = recording.layout
    names = {signal.name for signal in _signals(compiled, cut, ports)}
    text = HARNESS.read_text(encoding="utf-8")
    fills = {
        "constants": [
            *_constants(cut, recording.by_value, names),
            f"constexpr uint64_t kInterval = {compiled.interface.interval or 0};",
            f"constexpr uint64_t kRewound = {compiled.interface.rewound};",
            # What is behind a bus is written call by call.
            "constexpr bool kOverlap = kInterval != 0 && "
            f"{_flag(compiled.interface.registers is None)};",
            *bus.constants(compiled.interface),
            "constexpr size_t kFlowBytes = {}, kHighestBytes = {};".format(
                *cosim_flow.sizes(compiled)
            ),
            *streams.constants(_handshakes(compiled)),
        ],
        "memories": [
            f'{{"{a.arg.name}", {a.arg.depth}, {a.arg.element_width // 8}, {a.bytes}}},'
            for a in cut.arrays
        ],
        "accesses": [
            *_accesses(cut, compiled.interface.return_width, names),
            *streams.accesses(_handshakes(compiled)),
            *bus.accesses(compiled.interface, cut),
            *cosim_flow.accesses(compiled),
        ],
    }
    for mark, lines in fills.items():
        indent = re.search(rf"^( *)// @{mark}@$", text, re.MULTILINE)
        assert indent is not None, f"the harness has a place for {mark}"
        body = "\n".join(f"{indent[1]}{line}" for line in lines)
        text = text[: indent.start()] + body + text[indent.end() :]
    return text


def _constants(cut: Layout, by_value: frozenset[str], names: set[str]) -> list[str]:
    word = max([8, *(a.arg.element_width // 8 for a in cut.arrays)])
    rows = ", ".join(
        f"{{{a.offset}, {a.out}, {a.bytes}, {_flag(a.arg.direction == 'in')}, "
        f"{_flag(a.arg.name in by_value)}, "
        f"{_flag(names & {f'm{number}_ce0', f'm{number}_ce1'})}}}"
        for number, a in enumerate(cut.arrays)
    )
    return [
        f"constexpr size_t kInBytes = {cut.in_bytes}, kOutBytes = {cut.out_bytes};",
        f"constexpr size_t kRecordBytes = {cut.record_bytes}, kReturn = {cut.result};",
        f"constexpr size_t kMaxWord = {word};",
        f"constexpr std::array<Array, {len(cut.arrays)}> kArrays = {{{{{rows}}}}};",
    ]


def _flag(value: object) -> str:
    return "true" if value else "false"


def _accesses(cut: Layout, return_width: int, names: set[str]) -> list[str]:
    """Give the members of the harness that touch the model's ports."""
    put, scramble, sample, drive = [], [], [], []
    for number, scalar in enumerate(cut.scalars):
        if f"s{number}" not in names:
            continue
        size, width = scalar.bytes, scalar.arg.width
        put.append(f"put(top_->s{number}, record + {scalar.offset}, {size}, {width});")
        scramble.append(f"random_.fill(bytes, {size});")
        scramble.append(f"put(top_->s{number}, bytes, {size}, {width});")
    word = max([8, *(s.bytes for s in cut.scalars)])
    for number, array in enumerate(cut.arrays):
        stem, memory = f"top_->m{number}", f"memories_[{number}]"
        size, width = array.arg.element_width // 8, array.arg.element_width
        used = [port for port in range(2) if f"m{number}_ce{port}" in names]
        for port in used:
            lanes = "0"
            if f"m{number}_we{port}" in names:
                lanes = f"{stem}_we{port}"
                sample.append(f"get({memory}.write_data({port}), {stem}_d{port}, {size});")
            address = f"{stem}_address{port}"
            sample.append(f"{memory}.request({port}, {address}, {stem}_ce{port}, {lanes});")
        if used:
            count = array.arg.write_lanes
            sample.append(f"{memory}.edge({count}, quiet_ ? nullptr : &random_);")
        for port in used:
            if f"m{number}_q{port}" in names:
                q = f"{stem}_q{port}"
                drive.append(f"put({q}, {memory}.read_data({port}), {size}, {width});")
    result = "(void)out;"
    if return_width and "ap_return" in names:
        result = f"get(out + kReturn, top_->ap_return, {(return_width + 7) // 8});"
    return [
        "void put_scalars(const uint8_t *record) {",
        *(f"  {line}" for line in (put or ["(void)record;"])),
        "}",
        "void scramble_inputs() {",
        *([f"  uint8_t bytes[{word + 7 & ~7}];"] if scramble else []),
        *(f"  {line}" for line in scramble),
        "}",
        "void sample_memories() {",
        *(f"  {line}" for line in sample),
        "}",
        "void drive_memories() {",
        *(f"  {line}" for line in drive),
        "}",
        f"void get_return(uint8_t *out) {{ {result} }}",
        "void set_start(bool high) {",
        f"  {'top_->ap_start = high;' if 'ap_start' in names else '(void)high;'}",
        "}",
        *(
            f"bool {name}() const {{ return {f'top_->{name}' if name in names else 'false'}; }}"
            for name in ("ap_done", "ap_idle", "ap_ready")
        ),
    ]
