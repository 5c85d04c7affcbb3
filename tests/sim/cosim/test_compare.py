# SPDX-License-Identifier: Apache-2.0
"""The compiler's hardware does what the C does: all examples, at three clock targets."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest
from collisions import spoilt

from lydite import hls
from lydite.base import CheckFailed
from lydite.hls.compiled import Compiled
from lydite.hls.contract.effort import Effort
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import VerilogFile
from lydite.sim import cosim
from lydite.sim.cosim import native as cosim_native

EXAMPLES = Path(__file__).parents[3] / "examples" / "hls"
INDEX = tomllib.loads((EXAMPLES / "index.toml").read_text())
SLOW = pytest.mark.slow
CLOCKS_NS = (pytest.param(5.0, marks=SLOW), 10.0, pytest.param(25.0, marks=SLOW))


# What unrolling, pipelines and registers change most; the others take their minutes.
QUICK = (("sha1", "balanced"), ("huffman", "speed"))
EFFORTS = [
    pytest.param(name, effort, marks=() if (name, effort) in QUICK else SLOW)
    for name in INDEX
    for effort in ("balanced", "speed")
]


def options_of(name: str, clock_ns: float, top: str = "", effort: Effort = "area") -> Options:
    sources = tuple(EXAMPLES / source for source in INDEX[name]["sources"])
    return Options(sources=sources, top=top or INDEX[name]["top"], clock_ns=clock_ns, effort=effort)


def interpret(compiled: Compiled, recording: cosim_native.Recording) -> None:
    machine = hls.Machine(compiled.module)
    arrays = [arg for arg in compiled.interface.arrays if not arg.unused]
    for call in recording.calls():
        result = machine.call(
            call.scalars,
            {arg.port: call.before[arg.name] for arg in arrays},
        )
        assert result.value == call.result
        for arg in arrays:
            assert result.arrays[arg.port][: len(call.after[arg.name])] == call.after[arg.name]


@pytest.mark.parametrize("clock_ns", CLOCKS_NS)
@pytest.mark.parametrize("name", INDEX)
def test_example_is_right_in_interpreter_and_hardware(
    name: str, clock_ns: float, tmp_path: Path
) -> None:
    options = options_of(name, clock_ns)
    compiled = hls.compile(options)
    interpret(compiled, cosim_native.record(options, compiled.interface, tmp_path))
    result = cosim.run(options, spoilt(compiled), tmp_path, gaps=True)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())
    assert result.calls > 0


@pytest.mark.parametrize(("name", "effort"), EFFORTS)
def test_example_is_right_with_each_effort(name: str, effort: Effort, tmp_path: Path) -> None:
    options = options_of(name, 10.0, effort=effort)
    compiled = hls.compile(options)
    result = cosim.run(options, spoilt(compiled), tmp_path, gaps=True)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())
    assert result.calls > 0


@pytest.mark.parametrize(("name", "effort"), EFFORTS)
def test_whole_example_returns_its_verdict_with_each_effort(name: str, effort: Effort) -> None:
    """`main` finds the known answers, or says so: no native run is needed."""
    compiled = hls.compile(options_of(name, 10.0, top="main", effort=effort))
    assert hls.Machine(compiled.module).call({}, {}).value == 0


# Of a kind each: main calls the tops of all, which the test above tries.
WHOLE = ("keccak", "des", "poly1305", "float32_add", "quicksort", "risc", "huffman", "linked_list")


@pytest.mark.parametrize(
    "name", [name if name in WHOLE else pytest.param(name, marks=SLOW) for name in INDEX]
)
def test_whole_example_becomes_hardware_that_returns_its_verdict(name: str, tmp_path: Path) -> None:
    options = options_of(name, 10.0, top="main")
    compiled = hls.compile(options)
    recording = cosim_native.record(options, compiled.interface, tmp_path)
    assert recording.call(0).result == 0
    interpret(compiled, recording)
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert result.calls == 1


def test_latency_is_within_what_the_report_says(tmp_path: Path) -> None:
    options = options_of("chacha20", 10.0)
    compiled = hls.compile(options)
    result = cosim.run(options, compiled, tmp_path)
    top = compiled.report.functions[0]
    assert top.latency_min is not None and top.latency_max is not None
    assert top.latency_min <= result.latency_min <= result.latency_max <= top.latency_max


def test_broken_hardware_is_found_with_call_variable_and_wave(tmp_path: Path) -> None:
    options = options_of("crc32", 10.0)
    compiled = hls.compile(options)
    file = compiled.files[0]
    byte = r"\{24'd0, (load_\d+)\}"
    text, count = re.subn(byte, r"{23'd0, \1, 1'd0}", file.text)
    assert count
    wrong = VerilogFile(file.name, text)
    broken = dataclasses.replace(compiled, files=(wrong, *compiled.files[1:]))
    result = cosim.run(options, broken, tmp_path)
    with pytest.raises(CheckFailed) as caught:
        result.check()
    text = str(caught.value)
    start = "co-simulation of crc32, call 1 of 7 (crc = 0, length = 9): return value differs\n"
    assert text.startswith(start + "  expected 0xcbf43926 (3421780262)\n  got      0x")
    assert result.mismatch is not None and result.mismatch.wave == tmp_path / "crc32_call1.vcd"
    assert "$enddefinitions" in result.mismatch.wave.read_text()
