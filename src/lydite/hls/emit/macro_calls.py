# SPDX-License-Identifier: Apache-2.0
"""Writes calls of macros in pipelines: each starts in one cycle, its result comes some later.

A macro without state has a module for each call; one with state has the module that all calls
share, and is started by `issue`. So are pipelined functions (`passes.pipelined_functions`), where
those without state may share modules as well. Where stages may wait for streams, a macro that can
stand still does so with the stages that it spans; the results of others are caught in a small FIFO
(`lydite_skid`) until their stage goes on.
"""

from __future__ import annotations

from functools import partial

from lydite.hls.bind.binding import Pipe
from lydite.hls.emit import macro_wrapper
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.pipe_names import Issue
from lydite.hls.emit.structure import (
    Assign,
    Body,
    If,
    Instance,
    Item,
    Note,
    Offer,
    Plain,
    Write,
    pins,
    wire,
)
from lydite.hls.emit.verilog import literal
from lydite.hls.ir import graph as ir_graph

NAME = "lydite_skid"


def find(emitter: FunctionEmitter) -> list[Issue]:
    """Give the calls of macros in a function's pipelines, and read their arguments."""
    found: list[Issue] = []
    for mine in emitter.all_pipes:
        pipe = mine.pipe
        for op in pipe.block.ops:
            if op.kind != "call":
                continue
            time, ready = pipe.plan.state[op], pipe.ready[op]
            refs = [emitter.ref(arg, pipe.times[time]) for arg in op.args]
            count, asked = len(op.attr.params), ir_graph.condition(op)
            always = asked is None or (asked.kind == "const" and asked.attr)
            condition = "" if always else refs[count]
            run = "" if pipe.calls else f"{mine.stem}_run"
            active = [mine.valid(time), mine.go(time)]
            starts = [*active, condition if op.attr.stateful else ""]
            takes = [run, mine.phase(ready), mine.valid(ready), mine.go(ready)]
            found.append(
                Issue(
                    op=op,
                    mine=mine,
                    args=tuple(refs[:count]),
                    phase=mine.phase(time),
                    in_phase=mine.in_phase(time),
                    active=" & ".join(filter(None, active)),
                    starts=" & ".join(filter(None, starts)) or literal(1, 1),
                    goes=mine.go(time + 1),
                    takes=" & ".join(filter(None, takes)) or literal(1, 1),
                )
            )
    return found


def modules(emitter: FunctionEmitter) -> list[Item]:
    """Write the modules that single calls have, and FIFOs; wires of results are declared."""
    items: list[Item] = []
    for number, issue in enumerate(emitter.issues):
        op = issue.op
        value = emitter.wires[op].name if op in emitter.wires else ""
        run = "" if issue.mine.pipe.calls else f"{issue.mine.stem}_run"
        here = " & ".join(filter(None, [run, issue.phase, issue.active])) or literal(1, 1)
        made = value
        if value and _skid(issue):
            made = f"macro{number}_made"
            items.append(Offer(value, partial(_fifo, number, issue, here, value, run)))
        if op.attr.shared:
            if value:
                items.append(Offer(value, partial(_answer, made, op.attr.name)))
            continue
        macro = emitter.macros[op.attr.name]
        ends = [(macro.clock, "ap_clk"), (macro.reset, "ap_rst"), (macro.start, here)]
        ends += list(zip(macro.inputs, issue.args, strict=True))
        ends += [(macro.output, made), (macro.enable, issue.goes or literal(1, 1))]
        name = f"u_macro{number}" + f"_{op.attr.name}" * op.attr.is_pipelined
        items += [Note(), macro_wrapper.instance(macro, name, ends)]
    return items


def _skid(issue: Issue) -> bool:
    """Whether a FIFO catches results."""
    waits = any(issue.mine.go(time) for time in range(issue.mine.pipe.depth))
    callee = issue.op.attr
    return waits and callee.latency > 0 and not callee.stallable


def _answer(made: str, callee: str) -> tuple[Assign]:
    """Take the result of a module that calls share."""
    return (Assign(made, f"{callee}_return"),)


def _fifo(number: int, issue: Issue, starts: str, value: str, run: str) -> tuple[Plain, ...]:
    """Catch results, also of calls whose condition does not hold: these have no meaning."""
    latency: int = issue.op.attr.latency
    made = f"macro{number}_made"
    fifo = Instance(
        NAME,
        f"u_skid{number}",
        pins(
            ap_clk="ap_clk",
            ap_rst=f"ap_rst | ~{run}" if run else "ap_rst",
            issue_i=starts,
            value_i=made,
            take_i=issue.takes,
            value_o=value,
        ),
        (
            ("WIDTH", str(issue.op.width)),
            ("LATENCY", str(latency)),
            ("COUNT", str(latency.bit_length())),
        ),
    )
    return (Note(), wire(made, issue.op.width), fifo)


def moves(emitter: FunctionEmitter, pipe: Pipe, callee: str, stem: str) -> list[Body]:
    """Write how a pipeline starts the shared module of a macro, phase by phase."""
    found: list[Body] = []
    for issue in emitter.issues:
        if issue.mine.pipe is not pipe or issue.op.attr.name != callee:
            continue
        here: Body = (
            Write(f"{stem}_issue", issue.starts),
            *(Write(f"{stem}_arg{index}", text) for index, text in enumerate(issue.args)),
        )
        found.append((If(issue.in_phase, here),) if issue.in_phase else here)
        wait: Body = (Write(f"{stem}_wait", f"~{issue.goes}"),)
        if issue.op.attr.stallable and issue.goes and wait not in found:
            found.append(wait)
    return found


def names(callee: str) -> set[str]:
    """Give the names of the signals by which pipelines start a macro that calls share."""
    return {f"{callee}_issue", f"{callee}_wait"}


def module() -> str:
    """Give the FIFO's file."""
    return _TEXT


_TEXT = """\
// SPDX-License-Identifier: Apache-2.0
// lydite_skid: holds what a pipelined module answers until it is taken.
//
// A call goes into the module in a cycle with issue_i; its answer is at value_i LATENCY cycles
// later, for one cycle. value_o is the oldest answer that has not been taken; take_i takes it.
// Reset forgets all calls. There must be no more than LATENCY calls whose answers are not taken.

`default_nettype none

module lydite_skid #(
    parameter WIDTH = 8,    // bits of an answer
    parameter LATENCY = 1,  // cycles from a call to its answer
    parameter COUNT = 1     // bits that hold LATENCY
) (
    input  wire             ap_clk,
    input  wire             ap_rst,
    input  wire             issue_i,
    input  wire [WIDTH-1:0] value_i,
    input  wire             take_i,
    output wire [WIDTH-1:0] value_o
);

  reg [LATENCY-1:0] busy_q;  // the cycles of the module that hold a call
  reg [COUNT-1:0] count_q;   // of answers that are held, the oldest lowest
  reg [LATENCY*WIDTH-1:0] held_q;

  wire [LATENCY-1:0] busy;
  wire empty = count_q == {COUNT{1'b0}};
  wire arrives = busy_q[LATENCY-1];
  wire push = arrives & ~(take_i & empty);
  wire pop = take_i & ~empty;
  wire [COUNT-1:0] behind = count_q - {{(COUNT - 1) {1'b0}}, pop};

  assign value_o = empty ? value_i : held_q[WIDTH-1:0];

  always @(posedge ap_clk) begin
    if (ap_rst) begin
      busy_q  <= {LATENCY{1'b0}};
      count_q <= {COUNT{1'b0}};
    end else begin
      busy_q  <= busy;
      count_q <= behind + {{(COUNT - 1) {1'b0}}, push};
    end
  end

  genvar i;
  generate
    if (LATENCY == 1) begin : g_one
      assign busy = issue_i;
    end else begin : g_more
      assign busy = {busy_q[LATENCY-2:0], issue_i};
    end
    for (i = 0; i < LATENCY; i = i + 1) begin : g_held
      wire here = push & (behind == i[COUNT-1:0]);
      if (i < LATENCY - 1) begin : g_shift
        always @(posedge ap_clk) begin
          if (here) held_q[i*WIDTH+:WIDTH] <= value_i;
          else if (pop) held_q[i*WIDTH+:WIDTH] <= held_q[(i+1)*WIDTH+:WIDTH];
        end
      end else begin : g_last
        always @(posedge ap_clk) if (here) held_q[i*WIDTH+:WIDTH] <= value_i;
      end
    end
  endgenerate

endmodule

`default_nettype wire
"""
