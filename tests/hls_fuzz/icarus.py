# SPDX-License-Identifier: Apache-2.0
"""Replays recorded calls on the hardware in Icarus Verilog: no C++ to compile, unknowns are seen.

A small program is simulated before g++ has read Verilator's headers. Registers start as x here, so
that a result which depends on one shows as x; random values at power-up are Verilator's part.
Streams stand still in some quarters of the cycles, none to three by the seed; their beats come and
go whatever call is in progress.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from lydite.base import proc
from lydite.sim.beats import Beats
from lydite.sim.cosim.native import Recording
from lydite.sim.cosim.streams import fields
from lydite.sim.cosim.verilog import Hardware

_RUN_S = 100.0


def found() -> bool:
    """Whether Icarus Verilog is installed."""
    return shutil.which("iverilog") is not None and shutil.which("vvp") is not None


def replay(
    hardware: Hardware, recording: Recording, folder: Path, *, seed: int, timeout_cycles: int
) -> tuple[str, int]:
    """Give what went wrong, or nothing, and the number of cycles."""
    recording = hardware.scattered(recording)
    work = folder / "icarus"
    work.mkdir(parents=True)
    (work / "calls.hex").write_text(
        "\n".join(recording.data[i : i + 16].hex(" ") for i in range(0, len(recording.data), 16))
    )
    for number, item in enumerate(recording.beats):
        words = [item.data[i : i + item.bytes] for i in range(0, len(item.data), item.bytes)]
        lines = [word[::-1].hex() for word in words] or ["0"]
        (work / f"beats{number}.hex").write_text("\n".join(lines) + "\n")
    ports = hardware.sources.files["lydite_cosim_top.v"].read_text()
    (work / "bench.v").write_text(bench(recording, ports, seed, timeout_cycles))
    sources = [str(path) for path in hardware.sources.files.values()]
    argv = ["iverilog", "-g2005", "-o", str(work / "sim"), str(work / "bench.v"), *sources]
    proc.run(argv, timeout_s=_RUN_S).checked()
    done = proc.run(["vvp", "-n", str(work / "sim")], cwd=work, timeout_s=_RUN_S).checked()
    last = [line for line in done.splitlines() if line.startswith("LYDITE ")][-1].split(" ", 2)
    return ("" if last[2] == "right" else last[2]), int(last[1])


def bench(recording: Recording, ports: str, seed: int, timeout_cycles: int) -> str:
    """Write the testbench, with the protocol of `lydite.hls.contract.interface`."""
    cut = recording.layout
    names = [line.split()[-1].rstrip(",") for line in ports.splitlines() if " wire [" in line]
    width = {n: ports.split(f"] {n}")[0].rsplit("[", 1)[1].split(":")[0] for n in names}
    inputs = [n for n in names if f"input wire [{width[n]}:0] {n}" in ports]
    driven = [n for n in inputs if not n.startswith("x")]  # streams' come from beats
    declare = [f"  {'reg' if n in driven else 'wire'} [{width[n]}:0] {n};" for n in names]
    pins = ", ".join(f".{n}({n})" for n in names)
    load, before, after, compare, scalars, scramble = [], [], [], [], [], []
    for number, scalar in enumerate(cut.scalars):
        if f"s{number}" in names:
            value = ", ".join(
                f"rec[at + {scalar.offset + i}]" for i in reversed(range(scalar.bytes))
            )
            scalars.append(f"s{number} = {{{value}}};")
            scramble.append(f"s{number} = {{{', '.join(['$random'] * 4)}}};")
    for number, array in enumerate(cut.arrays):
        bits, depth = array.arg.element_width, array.arg.depth
        unit, lanes = bits // 8, array.arg.write_lanes
        declare.append(f"  reg [7:0] mem{number} [0:{depth * unit - 1}];")
        declare.append(f"  reg [31:0] p{number}_0, p{number}_1; reg r{number}_0, r{number}_1;")
        load.append(f"for (i = 0; i < {depth * unit}; i = i + 1) mem{number}[i] = 0;")
        start = array.offset + 8
        load.append(
            f"for (i = 0; i < {array.bytes}; i = i + 1) mem{number}[i] = rec[at + {start} + i];"
        )
        for port in range(2):
            stem = f"m{number}_"
            if f"{stem}ce{port}" not in names:
                continue
            address, enable = f"{stem}address{port}", f"{stem}ce{port}"
            before.append(f"p{number}_{port} = {address}; r{number}_{port} = {enable};")
            before.append(f'if (^{enable} === 1\'bx) fail("{array.arg.name}: ce is x");')
            if f"{stem}q{port}" in names:
                word = ", ".join(
                    f"mem{number}[p{number}_{port} * {unit} + {i}]" for i in reversed(range(unit))
                )
                chosen = f"p{number}_{port} < {depth} ? {{{word}}} : {{16{{$random}}}}"
                before.append(f"if (r{number}_{port}) q{number}_{port} = {chosen};")
                declare.append(f"  reg [{bits - 1}:0] q{number}_{port};")
                after.append(f"{stem}q{port} = q{number}_{port};")
                scramble.append(f"q{number}_{port} = {{16{{$random}}}};")
        for port in range(2):
            stem = f"m{number}_"
            if f"{stem}we{port}" not in names:
                continue
            body = [f'if ({stem}address{port} >= {depth}) fail("write outside");']
            for lane in range(lanes):
                each = unit // lanes
                writes = " ".join(
                    f"mem{number}[{stem}address{port} * {unit} + {lane * each + i}] = "
                    f"{stem}d{port}[{8 * (lane * each + i)} +: 8];"
                    for i in range(each)
                )
                body.append(f"if ({stem}we{port}[{lane}]) begin {writes} end")
            enable = f"{stem}ce{port} && |{stem}we{port}"
            before.append(f"if ({enable}) begin {' '.join(body)} end")
        if array.arg.name not in recording.by_value:
            right = cut.in_bytes + array.out
            compare.append(
                f"for (i = 0; i < {array.bytes}; i = i + 1) if (mem{number}[i] !== "
                f'rec[at + {right} + i]) fail("{array.arg.name} differs");'
            )
    if cut.result_bytes:
        declare.append("  reg [511:0] got;")
        right = cut.in_bytes + cut.result
        compare.append(
            f"for (i = 0; i < {cut.result_bytes}; i = i + 1) if (got[8 * i +: 8] !== "
            f'rec[at + {right} + i]) fail("result differs");'
        )
    flow: list[str] = []
    for number, item in enumerate(recording.beats):
        text, moved = stream(item, number)
        declare += text
        before.append(moved)
        if item.arg.direction == "in":
            after.append(
                f"if (took{number}) begin valid{number} = 0; at{number} = at{number} + 1; end"
            )
        flow.append(f"valid{number}")
    left = " || ".join(
        f"at{n} != {item.ends[-1] if item.ends else 0}" for n, item in enumerate(recording.beats)
    )
    finish = "got = ap_return;" if cut.result_bytes else ""
    return _TEMPLATE.format(
        size=len(recording.data),
        declare="\n".join(declare),
        pins=pins,
        seed=seed & 0x7FFFFFFF,
        count=len(recording),
        record=cut.record_bytes,
        timeout=timeout_cycles,
        finish=finish,
        left=left or "0",
        start="\n    ".join(f"{name} = 0;" for name in flow),
        offer="\n      ".join(offer(item, number) for number, item in enumerate(recording.beats)),
        **{
            name: "\n      ".join(lines)
            for name, lines in (
                *(("load", load), ("before", before), ("after", after), ("compare", compare)),
                *(("scalars", scalars), ("scramble", scramble)),
            )
        },
    )


def stream(item: Beats, number: int) -> tuple[list[str], str]:
    """Declare what a stream needs; give what is noted before an edge: beats in order, compared."""
    stem, bits = f"x{number}_", 8 * item.bytes
    count = item.ends[-1] if item.ends else 0
    declare = [
        f"  reg [{bits - 1}:0] beats{number} [0:{max(count, 1) - 1}];",
        f"  reg [{bits - 1}:0] beat{number}; reg valid{number}, took{number}; integer at{number};",
        f'  initial begin $readmemh("beats{number}.hex", beats{number}); at{number} = 0; end',
    ]
    names = [(f"{stem}{name}", low, width) for name, low, width in fields(item.arg)]
    if item.arg.direction == "in":
        declare += [
            f"  assign {name} = valid{number} ? beat{number}[{low} +: {width}] : {width}'bx;"
            for name, low, width in names
        ]
        declare.append(f"  assign {stem}valid = valid{number};")
        return declare, f"took{number} = valid{number} && {stem}ready;"
    declare.append(f"  assign {stem}ready = valid{number};")
    whole = ", ".join(name for name, _, _ in reversed(names))
    label = item.arg.name
    moved = (
        f'if ({stem}valid === 1\'bx) fail("{label}: valid is x"); '
        f"if ({stem}valid && {stem}ready) begin beat{number} = {{{whole}}}; "
        f"if (at{number} >= {count} || beat{number} !== beats{number}[at{number}]) "
        f'fail("{label}: a wrong beat"); at{number} = at{number} + 1; end'
    )
    return declare, moved


def offer(item: Beats, number: int) -> str:
    """Write what happens before an edge: whether a beat is there, or room for one."""
    wants = "($random & 3) >= stalls"
    if item.arg.direction != "in":
        return f"valid{number} = {wants};"
    count = item.ends[-1] if item.ends else 0
    return (
        f"if (!valid{number}) begin valid{number} = {wants} && at{number} < {count}; "
        f"beat{number} = beats{number}[at{number}]; end"
    )


_TEMPLATE = """`timescale 1ns / 1ns
module bench;
  reg [7:0] rec [0:{size}];
{declare}
  integer i, at, call, cycle, total, gap, seed, stalls;
  reg over, took;
  lydite_cosim_top dut ({pins});

  task fail(input [8*40-1:0] text);
    begin
      if (!over) $display("LYDITE %0d call %0d: %0s", total, call + 1, text);
      over = 1;
    end
  endtask

  task clock;
    begin
      #1;
      {offer}
      #3;
      {before}
      #1 ap_clk = 1;
      #1;
      {after}
      #4 ap_clk = 0;
    end
  endtask

  task idle;
    begin
      ap_start = 0;
      {scramble}
      #2;
      if (ap_done !== 0 || ap_idle !== 1) fail("ap_done or ap_idle without ap_start");
      clock;
    end
  endtask

  initial begin
    $readmemh("calls.hex", rec, 0, {size} - 1);
    seed = {seed};
    stalls = {seed} & 3;
    {start}
    call = $random(seed);
    over = 0;
    total = 0;
    call = 0;
    ap_clk = 0;
    ap_rst = 1;
    ap_start = 0;
    for (cycle = 0; cycle < 3; cycle = cycle + 1) begin
      #5 ap_clk = 1;
      #5 ap_clk = 0;
    end
    ap_rst = 0;
    at = 0;
    idle;
    while (call < {count} && !over) begin
      at = call * {record};
      gap = $random & 3;
      for (cycle = 0; cycle < gap; cycle = cycle + 1) idle;
      {load}
      {scalars}
      ap_start = 1;
      took = 0;
      cycle = 0;
      #2;
      while (ap_done !== 1 && !over) begin
        if (cycle > {timeout} || ap_done === 1'bx) fail("no ap_done");
        took = took | ap_ready;
        clock;
        // A pipelined function would take the next call.
        if (took) begin
          ap_start = 0;
          {scramble}
        end
        #2 cycle = cycle + 1;
      end
      if ((took | ap_ready) !== 1) fail("ap_done without ap_ready");
      {finish}
      clock;
      ap_start = 0;
      total = total + cycle + 1;
      {compare}
      call = call + 1;
    end
    cycle = 0;
    while (({left}) && !over) begin
      if (cycle > {timeout}) fail("beats are left");
      idle;
      cycle = cycle + 1;
    end
    for (cycle = 0; cycle < 50 && !over; cycle = cycle + 1) idle;
    if (!over) $display("LYDITE %0d right", total);
    $finish;
  end
endmodule
"""
