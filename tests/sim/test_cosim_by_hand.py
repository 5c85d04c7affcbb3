# SPDX-License-Identifier: Apache-2.0
"""Co-simulation with Verilog written by hand: the harness is right whatever the compiler does."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from lydite.base import CheckFailed, InputError, ToolFailed
from lydite.hls.interface import (
    Area,
    ArrayArg,
    Compiled,
    Interface,
    Options,
    Report,
    ScalarArg,
    VerilogFile,
)
from lydite.hls.ir import Module
from lydite.sim import cosim

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
        f"  got      0x0005 (5)\n  wave: {wave}"
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
    assert result.mismatch.got == "no ap_done within 50 cycles"
    assert result.mismatch.wave is not None and result.mismatch.wave.stat().st_size > 1000


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
        "the program ended inside mix; that call is not compared"
    ]


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
            "{path}: main never calls mix\n"
            "  its calls are what is simulated; --top main takes the whole program",
        ),
        (
            "    in[i % 3] += 11;",
            "    if (i == 2) __builtin_trap();",
            "{path}: the C program was killed by signal 4 after 3 calls of mix\n"
            "  run it under a debugger or with -fsanitize=address",
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
