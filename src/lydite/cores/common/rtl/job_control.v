// SPDX-License-Identifier: Apache-2.0
// Runs jobs of the testbed. A start is taken when the inputs of the job before have been read; all
// that its registers say is copied then, so that they can be written for the next job while this
// one runs. Outputs of jobs come one after the other, and a job does not end before the host has
// taken note of the one before, whose code and time it would write over. The block protocol is
// ap_ctrl_hs behind a register map: start_i stays until ready_o.
//
// The time of a job runs from its start to done_o, both in cycles of this clock. The code is 0, or
// has bit 0 set if an output was lost.

`default_nettype none

module job_control #(
    parameter WIDTH = 1,     // bits of all registers of a job
    parameter HELD_LOW = 0,  // the lowest of those that the core sees,
    parameter HELD_BITS = 0, // and how many: while they differ no job begins beside another
    parameter ALONE = 0      // whether none ever does
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             start_i,
    output wire             ready_o,
    output wire             done_o,
    output wire             idle_o,
    input  wire [WIDTH-1:0] job_i,
    output wire [WIDTH-1:0] read_job_o,    // of the job whose inputs are read
    output wire             read_start_o,  // one cycle
    input  wire             read_done_i,   // one cycle: the last input was given
    output wire [WIDTH-1:0] write_job_o,   // of the job whose outputs come
    output wire             write_start_o,
    input  wire             write_done_i,  // one cycle: the last output is in memory
    input  wire             sent_i,        // the output FIFOs have given all
    input  wire             hold_i,        // the interrupt of a job before still stands
    input  wire             lost_i,
    output wire [     31:0] code_o,
    output wire [     63:0] time_o
);
  reg [63:0] now_q;
  // A: the job whose inputs are read, and which waits until outputs are free. B: whose come.
  reg [WIDTH-1:0] a_job_q;
  reg [WIDTH-1:0] b_job_q;
  reg [63:0] a_begin_q;
  reg [63:0] b_begin_q;
  reg a_reads_q;
  reg a_waits_q;
  reg b_runs_q;
  reg b_begins_q;
  reg b_written_q;
  reg read_start_q;
  wire same;

  generate
    if (ALONE != 0) begin : g_alone
      assign same = 1'b0;
    end else if (HELD_BITS > 0) begin : g_held
      assign same = job_i[HELD_LOW+:HELD_BITS] == a_job_q[HELD_LOW+:HELD_BITS];
    end else begin : g_free
      assign same = 1'b1;
    end
  endgenerate

  wire take = start_i & ~a_reads_q & ~a_waits_q & (~b_runs_q | same);
  wire pass = a_waits_q & ~b_runs_q;
  wire written = b_written_q | write_done_i;
  wire done = b_runs_q & ~b_begins_q & written & sent_i & ~hold_i;

  assign ready_o       = take;
  assign done_o        = done;
  assign idle_o        = ~a_reads_q & ~a_waits_q & ~b_runs_q;
  assign read_job_o    = a_job_q;
  assign read_start_o  = read_start_q;
  assign write_job_o   = b_job_q;
  assign write_start_o = b_begins_q;
  assign code_o        = {31'd0, lost_i};
  assign time_o        = now_q - b_begin_q;

  always @(posedge clk) begin
    now_q <= rst ? 64'd0 : now_q + 64'd1;
    if (rst) begin
      a_reads_q    <= 1'b0;
      a_waits_q    <= 1'b0;
      b_runs_q     <= 1'b0;
      b_begins_q   <= 1'b0;
      read_start_q <= 1'b0;
    end else begin
      a_reads_q    <= take | (a_reads_q & ~read_done_i);
      a_waits_q    <= take | (a_waits_q & ~pass);
      b_runs_q     <= pass | (b_runs_q & ~done);
      b_begins_q   <= pass;
      read_start_q <= take;
    end
    b_written_q <= ~pass & written;
    if (take) begin
      a_job_q   <= job_i;
      a_begin_q <= now_q;
    end
    if (pass) begin
      b_job_q   <= a_job_q;
      b_begin_q <= a_begin_q;
    end
  end
endmodule

`default_nettype wire
