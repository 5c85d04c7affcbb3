# SPDX-License-Identifier: Apache-2.0
"""RTL macros: calls of C functions that are Verilog modules in hardware."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import rtl

from lydite import hls
from lydite.base import InputError
from lydite.hls import Compiled, Options, VerilogFile
from lydite.hls.contract import rtl_macro
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.sim import cosim
from lydite.sim.cosim import native as cosim_native

FOLDER = Path(__file__).parent / "macros"
FILE = FOLDER / "macros.toml"


def options(clock_ns: float = 10.0) -> Options:
    sources = (FOLDER / "mixed.c",)
    return Options(sources=sources, top="mixed", clock_ns=clock_ns, macros=rtl_macro.load(FILE))


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
    assert rtl.lint(compiled, tmp_path / "lint") == ""


def test_no_call_of_a_module_with_state_begins_under_reset() -> None:
    """Its caller may be in any state when power comes up, and the module may have no reset."""
    texts = {file.name: file.text for file in hls.compile(options()).files}
    assert "wire first = (ap_start & ~busy_q) & ~ap_rst;" in texts["mixed_lfsr.v"]
    assert "ap_start & ~busy_q;" in texts["mixed_product.v"]


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
        rtl_macro.load(path)
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


# Macros in pipelines.

STREAMED = FOLDER / "streamed.toml"


def streamed(clock_ns: float) -> Options:
    sources = (FOLDER / "streamed.c",)
    return Options(
        sources=sources, top="streamed", clock_ns=clock_ns, macros=rtl_macro.load(STREAMED)
    )


@pytest.mark.parametrize(
    ("clock_ns", "ii"), [(8.0, 1), pytest.param(3.0, 2, marks=pytest.mark.slow)]
)
def test_loop_with_macros_is_right_under_stalls(clock_ns: float, ii: int, tmp_path: Path) -> None:
    given = streamed(clock_ns)
    compiled = hls.compile(given)
    assert [loop.ii for loop in compiled.report.functions[0].loops] == [ii]
    result = cosim.run(given, compiled, tmp_path)
    result.check()
    assert (result.calls, result.native_rc) == (4, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("scaled.v", "if (ce_i) begin", "begin"),
        ("streamed.v", "tally_issue = for_body_valid_q[3] &", "tally_issue ="),
        ("lydite_skid.v", "empty ? value_i", "value_i == 0 ? value_i"),
        ("streamed.v", ".take_i(for_body_run & for_body_valid_q[3]", ".take_i(for_body_run"),
    ],
)
def test_module_that_does_not_stall_is_found(name: str, old: str, new: str, tmp_path: Path) -> None:
    given = streamed(8.0)
    compiled = replaced(hls.compile(given), name, old, new)
    assert cosim.run(given, compiled, tmp_path, timeout_cycles=5000).mismatch is not None


def test_pipeline_with_macros_has_ports_outside_and_no_unused_signal(tmp_path: Path) -> None:
    compiled = hls.compile(streamed(8.0))
    assert [port.name for port in compiled.interface.external] == ["tally_switch_i", "tally_led_o"]
    assert rtl.lint(compiled, tmp_path / "lint") == ""


OFTEN = """\
static unsigned tally(unsigned x) {
  static unsigned sum;
  return sum += x;
}
unsigned often(const unsigned a[16], unsigned out[16]) {
  unsigned all = 0;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    out[i] = tally(a[i]);
    if (a[i] & 1) all ^= tally(i);
  }
  return all;
}
"""


def often(tmp_path: Path, **change: object) -> Compiled:
    source = tmp_path / "often.c"
    source.write_text(OFTEN)
    tally = next(macro for macro in rtl_macro.load(STREAMED) if macro.function == "tally")
    tally = dataclasses.replace(tally, inputs=("x_i",), external=(), **change)
    return hls.compile(Options(sources=(source,), top="often", macros=(tally,)))


@pytest.mark.parametrize(("interval", "ii"), [(1, 2), (3, 6)])
def test_calls_of_a_macro_with_state_follow_each_other(
    interval: int, ii: int, tmp_path: Path
) -> None:
    compiled = often(tmp_path, ii=interval)
    assert compiled.report.functions[0].loops[0].ii == ii
    (warning,) = (str(w).removeprefix(f"{tmp_path}/") for w in compiled.warnings)
    assert warning == (
        f"often.c:7: pipeline: II=1 wanted, II={ii} reached: 2 calls of tally an iteration "
        f"(often.c:9), a macro that takes one every {'cycle' if interval == 1 else '3 cycles'}"
    )


def test_macro_that_does_not_say_how_often_is_not_pipelined(tmp_path: Path) -> None:
    (warning,) = (str(w).removeprefix(f"{tmp_path}/") for w in often(tmp_path, ii=0).warnings)
    assert warning == (
        "often.c:9: pipeline: the loop at often.c:7 is not pipelined: it calls tally, which is a "
        "macro that does not say how often it takes a call (ii)"
    )


def test_text_keeps_when_a_macro_takes_calls(tmp_path: Path) -> None:
    module = hls.compile(streamed(8.0)).module
    again = ir_text.parse_module(ir_text.print_module(module))
    ir_verify.verify(again)
    found = {
        name: (f.latency, f.interval, f.stateful, f.stallable)
        for name, f in again.functions.items()
        if f.macro
    }
    assert found == {
        "product": (3, 1, False, False),
        "scaled": (4, 1, False, True),
        "tally": (2, 1, True, False),
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'output = "sum_o"\n',
            'output = "sum_o"\ndone = "done_o"\n',
            "tally: ii: given beside done\n  a module that says when it is done takes one call at "
            "a time",
        ),
        (
            "latency = 3\nii = 1\n",
            "latency = 3\nii = 5\n",
            "product: ii: must be at most 4, the latency and one, not 5\n  let the module keep its "
            "result until it takes the next call",
        ),
        (
            'kind = "external"',
            'kind = "stateful"',
            "tally: port: given for a macro that is not external",
        ),
        (
            'latency = 4\nii = 1\ninputs = ["x_i"]\noutput = "y_o"\nclock = "clk"\n',
            'latency = 0\nii = 1\ninputs = ["x_i"]\noutput = "y_o"\n',
            "scaled: enable: given for a module without a clock",
        ),
    ],
)
def test_broken_description_of_a_pipelined_macro_is_refused(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = tmp_path / STREAMED.name
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError) as caught:
        rtl_macro.load(path)
    assert str(caught.value) == f"{path}: macro {message}"


@pytest.mark.slow
@pytest.mark.parametrize(("ii", "ends"), [(1, False), (3, True)])
def test_macros_in_a_rewound_loop_are_right_under_stalls(
    ii: int, ends: bool, tmp_path: Path
) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    source = tmp_path / "streamed.c"
    text = source.read_text().replace("HLS pipeline", f"HLS pipeline II={ii} rewind")
    if not ends:
        text = text.replace("all = tally(n, true)", "all = 0")
        text = text.replace("return product(all, tally(1, false))", "return all")
    source.write_text(text)
    given = dataclasses.replace(streamed(8.0), sources=(source,))
    compiled = hls.compile(given)
    assert compiled.interface.rewound == ii
    result = cosim.run(given, compiled, tmp_path / "work")
    result.check()
    assert (result.calls, result.native_rc) == (4, 0)
