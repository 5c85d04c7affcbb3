# SPDX-License-Identifier: Apache-2.0
"""Co-simulation with Verilog written by hand: the harness is right whatever the compiler does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

from lydite.base import CheckFailed, InputError, LimitReached, ToolFailed
from lydite.hls.compiled import Compiled
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import Area, Report, VerilogFile
from lydite.hls.ir.module import Module
from lydite.sim import cosim
from lydite.sim.cosim.endings import Limits

# A static function with state, called from main in the same file.
SOURCE = """
#include <stdint.h>
static int calls;
static int16_t mix(int16_t out[2][3], const uint8_t in[3], int8_t n) {
  calls++;
  for (int i = 0; i < 3; i++) out[1][i] = (int16_t)(in[i] * n + calls);
  return (int16_t)(n - calls);
}
int main(void) {
  int16_t out[2][3] = {{1, 2, 3}, {4, 5, 6}};
  uint8_t in[3] = {7, 200, 90};
  for (int i = 0; i < 5; i++) {
    if (mix(out, in, (int8_t)(-3 + i)) != -3 + i - (i + 1)) return 1;
    in[i % 3] += 11;
  }
  return out[1][0] != 7 + 11 + 11 + 5;
}
"""

# One element every three cycles: request, wait for the word, write.
VERILOG = """
module mix (
    input wire ap_clk,
    input wire ap_rst,
    input wire ap_start,
    output wire ap_done,
    output wire ap_idle,
    output wire ap_ready,
    output wire [15:0] ap_return,
    output wire [2:0] out_r_address0,
    output wire out_r_ce0,
    output wire out_r_we0,
    output wire [15:0] out_r_d0,
    output wire [1:0] in_address0,
    output wire in_ce0,
    input wire [7:0] in_q0,
    input wire [7:0] n
);
  reg [1:0] state_q, index_q;
  reg [15:0] calls_q;
  reg signed [7:0] n_q;
  wire signed [8:0] in_signed = {1'b0, in_q0};
  wire signed [15:0] product = in_signed * n_q;
  assign ap_done = state_q == 2'd3;
  assign ap_ready = ap_done;
  assign ap_idle = state_q == 2'd0 && !ap_start;
  assign ap_return = {{8{n_q[7]}}, n_q} - calls_q;
  assign in_ce0 = state_q == 2'd1;
  assign in_address0 = index_q;
  assign out_r_ce0 = state_q == 2'd2;
  assign out_r_we0 = state_q == 2'd2;
  assign out_r_address0 = {1'b0, index_q} + 3'd3;
  assign out_r_d0 = product + calls_q;
  always @(posedge ap_clk) begin
    if (ap_rst) begin
      state_q <= 2'd0;
      calls_q <= 16'd0;
    end else begin
      case (state_q)
        2'd0: if (ap_start) begin
          state_q <= 2'd1;
          n_q <= n;
          index_q <= 2'd0;
          calls_q <= calls_q + 16'd1;
        end
        2'd1: state_q <= 2'd2;
        2'd2: begin
          index_q <= index_q + 2'd1;
          state_q <= index_q == 2'd2 ? 2'd3 : 2'd1;
        end
        default: state_q <= 2'd0;
      endcase
    end
  end
endmodule
"""

INTERFACE = Interface(
    top="mix",
    symbol="mix",
    args=(
        ArrayArg("out", "out_r", 0, 16, 6, "out", 1, 1, "int16_t out[2][3]", 12),
        ArrayArg("in", "in", 1, 8, 3, "in", 1, 1, "const uint8_t in[3]", 3),
        ScalarArg("n", "n", 2, 8, True, "int8_t", 1),
    ),
    return_width=16,
    return_signed=True,
    return_type="int16_t",
    return_bytes=2,
)
LATENCY = 8


def made(verilog: str, interface: Interface = INTERFACE) -> Compiled:
    return Compiled(
        files=(VerilogFile(f"{interface.top}.v", verilog),),
        interface=interface,
        report=Report((), (), Area(), 10.0, 1.0),
        warnings=(),
        dumps=(),
        module=cast(Module, None),
        source_digest="",
    )


def run(folder: Path, verilog: str = VERILOG, source: str = SOURCE, **more: object) -> cosim.Result:
    path = folder / "mix.c"
    path.write_text(source)
    options = Options(sources=(path,), top="mix")
    return cosim.run(options, made(verilog), folder / "work", **more)  # type: ignore[arg-type]


def broken(old: str, new: str) -> str:
    assert VERILOG.count(old) == 1
    return VERILOG.replace(old, new)


def test_right_hardware_passes_and_cycles_are_measured(tmp_path: Path) -> None:
    result = run(tmp_path)
    result.check()
    assert (result.calls, result.native_rc, result.notes) == (5, 0, ())
    assert (result.latency_min, result.latency_max, result.latency_mean) == (LATENCY,) * 3
    assert result.cycles == 5 * LATENCY
    assert [name for name, _ in result.seconds] == ["native", "build", "replay"]


@pytest.mark.parametrize("seed", range(5))
def test_gaps_between_calls_change_nothing_but_the_sum(tmp_path: Path, seed: int) -> None:
    result = run(tmp_path, gaps=True, seed=seed)
    result.check()
    assert result.latency_max == LATENCY
    assert result.cycles >= 5 * LATENCY


def test_wrong_array_element_is_named_with_call_and_wave(tmp_path: Path) -> None:
    # Wrong from the fourth call on, in element [1][2].
    wrong = broken("product + calls_q;", "product + calls_q + (calls_q > 3 && index_q == 2);")
    result = run(tmp_path, wrong)
    wave = tmp_path / "work" / "mix_call4.vcd"
    with pytest.raises(CheckFailed) as caught:
        result.check()
    assert str(caught.value) == (
        "co-simulation of mix, call 4 of 5 (n = 0): out[1][2] differs\n"
        "  expected 0x0004 (4)\n"
        f"  got      0x0005 (5)\n  waveform (for GTKWave, Surfer): {wave}"
    )
    text = wave.read_text()
    assert "$var" in text and "state_q" in text and "#" in text
    assert result.calls == 3


def test_wrong_result_is_named_with_its_sign(tmp_path: Path) -> None:
    result = run(tmp_path, broken("n_q} - calls_q;", "n_q} + calls_q;"))
    assert result.mismatch is not None
    found = result.mismatch
    assert (found.call, found.variable) == (1, "return value")
    assert (found.expected, found.got) == ("0xfffc (-4)", "0xfffe (-2)")
    assert found.arguments == "n = -3"


def test_hang_is_named_and_drawn(tmp_path: Path) -> None:
    wrong = broken("default: state_q <= 2'd0;", "default: state_q <= {2{calls_q == 16'd2}};")
    wrong = wrong.replace("assign ap_done = state_q == 2'd3;", "assign ap_done = &state_q & hang;")
    wrong = wrong.replace("assign ap_ready", "wire hang = calls_q != 16'd2;\n  assign ap_ready")
    result = run(tmp_path, wrong, timeout_cycles=50)
    assert result.mismatch is not None
    assert (result.mismatch.call, result.mismatch.variable) == (2, "")
    assert result.mismatch.got == "no ap_done, ever: it stands still"
    assert result.mismatch.wave is not None and result.mismatch.wave.stat().st_size > 1000


def test_hang_in_a_circle_is_proven_however_long_a_call_may_take(tmp_path: Path) -> None:
    turns = "default: begin index_q <= index_q + 2'd1; if (ap_done) state_q <= 2'd0; end"
    wrong = broken("default: state_q <= 2'd0;", turns)
    wrong = wrong.replace("ap_done = state_q == 2'd3;", "ap_done = &state_q && calls_q != 16'd2;")
    result = run(tmp_path, wrong, timeout_cycles=10**15)
    assert result.mismatch is not None
    assert result.mismatch.call == 2
    assert result.mismatch.got == "no ap_done, ever: its state repeats every 4 cycles"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("index_q} + 3'd3", "index_q} + 3'd5", "writes out[6], which has 6 words"),
        ("assign ap_ready = ap_done", "assign ap_ready = ap_start", "ap_done and ap_ready differ"),
        (
            "&& !ap_start",
            "&& ap_start",
            "without ap_start, ap_done is 0, ap_ready 0, ap_idle 0",
        ),
    ],
)
def test_broken_protocol_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    result = run(tmp_path, broken(old, new), gaps=True, seed=3)
    assert result.mismatch is not None
    assert result.mismatch.got == error


def test_state_that_reset_forgets_is_found(tmp_path: Path) -> None:
    """Power-up values are random: a design that counts on zeros is seen to be wrong."""
    result = run(tmp_path, broken("      calls_q <= 16'd0;\n", ""))
    assert result.mismatch is not None
    assert result.mismatch.call == 1


def test_arguments_hold_until_ap_ready(tmp_path: Path) -> None:
    result = run(tmp_path, broken("{{8{n_q[7]}}, n_q} - calls_q", "{{8{n[7]}}, n} - calls_q"))
    result.check()


def test_program_that_fails_is_noted(tmp_path: Path) -> None:
    result = run(tmp_path, source=SOURCE.replace("return out[1][0] !=", "return out[1][0] =="))
    result.check()
    assert result.native_rc == 1
    assert [note.what for note in result.notes] == ["the C program itself returned 1"]


def test_program_that_ends_inside_the_top_function_is_noted(tmp_path: Path) -> None:
    source = SOURCE.replace("  calls++;", "  if (calls == 2) exit(0);\n  calls++;")
    result = run(tmp_path, source="#include <stdlib.h>\n" + source)
    result.check()
    assert result.calls == 2
    assert [note.what for note in result.notes] == [
        "call 3 of mix is not compared, since it did not return: the program ended in it with "
        "status 0, or jumped out"
    ]


def test_state_that_main_changes_is_not_the_hardware_s_fault(tmp_path: Path) -> None:
    source = SOURCE.replace("    in[i % 3] += 11;", "    in[i % 3] += 11;\n    calls += i == 1;")
    source = source.replace("-3 + i - (i + 1)) return 1;", "-3 + i - (i + 1)) calls += 0;")
    result = run(tmp_path, source=source)
    with pytest.raises(InputError) as caught:
        result.check()
    path = tmp_path / "mix.c"
    wave = tmp_path / "work" / "mix_call3.vcd"
    assert str(caught.value) == (
        "co-simulation of mix, call 3 of 5 (n = -1): return value differs, and the program has "
        f"itself to blame: calls ({path}:3) was changed between calls 2 and 3 of mix\n"
        "  expected 0xfffb (-5)\n"
        "  got      0xfffc (-4)\n"
        "  mix uses calls, and the hardware has its own, which nothing else can change: give the "
        "testbench its own, pass it as an argument, or make a table a constant\n"
        f"  waveform (for GTKWave, Surfer): {wave}"
    )
    assert wave.exists()
    # Where nothing comes of it, it is told, and the hardware is right.
    source = SOURCE.replace("    in[i % 3] += 11;", "    calls += 65536; in[i % 3] += 11;")
    result = run(tmp_path, source=source)
    assert result.failure is None
    assert [note.what for note in result.notes] == [
        f"calls ({path}:3), which mix uses, was changed between calls 1 and 2 of mix: "
        "hardware has its own, which only mix changes; its answers are right all the same"
    ]


def test_call_that_takes_long_is_given_up_and_not_called_wrong(tmp_path: Path) -> None:
    # The third call counts to 2 ** 40.
    wrong = broken("2'd1: state_q <= 2'd2;", "2'd1: state_q <= late ? 2'd1 : 2'd2;")
    wrong = wrong.replace(
        "  always @(posedge ap_clk) begin\n",
        "  reg [40:0] long_q = 0;\n  wire late = calls_q == 16'd3 && !long_q[40];\n"
        "  always @(posedge ap_clk) begin\n    long_q <= long_q + 41'd1;\n",
    )
    told: list[str] = []
    result = run(tmp_path, wrong, timeout_cycles=1000)
    assert (result.calls, result.mismatch) == (2, None)
    with pytest.raises(LimitReached) as caught:
        result.check()
    hint = "\n  --max-cycles N gives a call N cycles, and --timeout-s S the simulation S seconds"
    start = "co-simulation of mix: limit reached, not compared: call 3 of 5: "
    assert str(caught.value) == f"{start}no ap_done within 1000 cycles{hint}"
    assert caught.value.exit_code == 4
    limits = Limits(replay_s=1.0)
    result = run(tmp_path, wrong, timeout_cycles=10**15, limits=limits, watch=told.append)
    assert re.fullmatch(r"call 3 of 5: cycle [\d,]+ after 1 s of simulation", result.limit)
    assert any(re.fullmatch(r"simulation, call 3 of 5, cycle [\d,]+", text) for text in told)


def test_recorded_calls_can_be_limited(tmp_path: Path) -> None:
    result = run(tmp_path, max_calls=3)
    result.check()
    assert result.calls == 3
    assert [note.what for note in result.notes] == ["only the first 3 calls of mix are compared"]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            "int main(void)",
            "int other(void)",
            "{path}: no main\n  co-simulation needs a main that calls mix and checks what it does; "
            "`lydite hls --no-cosim` does without",
        ),
        (
            "  for (int i = 0; i < 5; i++) {",
            "  for (int i = 0; i < 0; i++) {",
            "{path}: main ends with status 1 without a call of mix\n"
            "  its calls are what is simulated; --top main takes the whole program",
        ),
        (
            "    in[i % 3] += 11;",
            "    if (i == 2) __builtin_trap();",
            "{path}: the C program was killed by SIGILL after call 3 of mix: it came to an "
            "instruction that traps\n"
            "  run it under a debugger or with -fsanitize=address,undefined",
        ),
    ],
)
def test_useless_programs_are_refused(tmp_path: Path, old: str, new: str, error: str) -> None:
    assert SOURCE.count(old) == 1
    with pytest.raises(InputError) as caught:
        run(tmp_path, source=SOURCE.replace(old, new))
    assert str(caught.value) == error.format(path=tmp_path / "mix.c")


def test_verilog_that_does_not_parse_is_a_failed_tool(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match=r"verilator(?:_bin)? failed with exit status 1\n  %Error"):
        run(tmp_path, broken("assign ap_ready = ap_done;", "assign ap_ready = ;"))


def test_overlapping_arguments_are_mentioned(tmp_path: Path) -> None:
    """In hardware each argument is a memory of its own."""
    source = SOURCE.replace("mix(out, in, (int8_t)", "mix(out, (uint8_t *)&out[1][0], (int8_t)")
    result = run(tmp_path, source=source)
    assert result.mismatch is not None
    assert result.mismatch.note == (
        "out and in overlap in this call; in hardware each is a memory of its own"
    )
    # Writes through the other name alone are no fault of the hardware's.
    source = SOURCE.replace("mix(out, in, (int8_t)", "mix(out, (uint8_t *)&out[0][0], (int8_t)")
    source = source.replace("const uint8_t in[3]", "const uint8_t *in")
    run(tmp_path, source=source.replace("out[1][i] =", "out[1][i] =")).check()
