// SPDX-License-Identifier: Apache-2.0
// FIFO between two clocks: pointers cross in Gray code (C. E. Cummings, Simulation and Synthesis
// Techniques for Asynchronous FIFO Design, SNUG San Jose 2002, style 1). The first word falls
// through: it stands at the output without a request.
//
// Both sides are handshakes of AXI4-Stream; wr_ready_o and rd_valid_o come from registers. A word
// is seen four to five edges of the reader's clock after it was taken; both sides move a word a
// cycle. Both resets stand together for four cycles of the slower clock at least; they clear
// pointers, not data.

`default_nettype none

module fifo_async #(
    parameter WIDTH = 8,      // bits of a word, at least 1
    parameter DEPTH_BITS = 4  // 2**DEPTH_BITS words, at least 2; the output holds one more
) (
    input  wire             wr_clk,
    input  wire             wr_rst,
    input  wire             wr_valid_i,
    output wire             wr_ready_o,
    input  wire [WIDTH-1:0] wr_data_i,
    input  wire             rd_clk,
    input  wire             rd_rst,
    output wire             rd_valid_o,
    input  wire             rd_ready_i,
    output wire [WIDTH-1:0] rd_data_o
);
  localparam TOP = DEPTH_BITS;
  localparam DEPTH = 1 << DEPTH_BITS;
  localparam [TOP:0] ONE = 1;

  generate
    if (DEPTH_BITS < 2) begin : g_illegal
      ERROR_depth_bits_must_be_at_least_2 u_error ();
    end
  endgenerate

  reg [WIDTH-1:0] memory[0:DEPTH-1];

  // The writer.
  reg [TOP:0] wr_q;
  reg full_q;
  wire wr_push = wr_valid_i & ~full_q;
  wire [TOP:0] wr_d = wr_push ? wr_q + ONE : wr_q;
  wire [TOP:0] wr_gray_d = wr_d ^ (wr_d >> 1);
  wire [TOP:0] rd_gray_seen;
  // Full: a lap ahead. In Gray code the two highest bits differ, the others are equal (6.1).
  wire full_d = wr_gray_d == {~rd_gray_seen[TOP:TOP-1], rd_gray_seen[TOP-2:0]};

  always @(posedge wr_clk) begin
    wr_q   <= wr_rst ? {TOP + 1{1'b0}} : wr_d;
    full_q <= wr_rst | full_d;
    if (wr_push) memory[wr_q[TOP-1:0]] <= wr_data_i;
  end

  assign wr_ready_o = ~full_q;

  // The reader: a word goes from the memory to the output's register as soon as that is free.
  reg [TOP:0] rd_q;
  reg [WIDTH-1:0] data_q;
  reg valid_q;
  wire [TOP:0] wr_gray_seen;
  wire [TOP:0] rd_gray = rd_q ^ (rd_q >> 1);
  wire rd_fetch = (rd_gray != wr_gray_seen) & (~valid_q | rd_ready_i);
  wire [TOP:0] rd_d = rd_fetch ? rd_q + ONE : rd_q;
  wire [TOP:0] rd_gray_d = rd_d ^ (rd_d >> 1);

  always @(posedge rd_clk) begin
    rd_q    <= rd_rst ? {TOP + 1{1'b0}} : rd_d;
    valid_q <= ~rd_rst & (rd_fetch | (valid_q & ~rd_ready_i));
    if (rd_fetch) data_q <= memory[rd_q[TOP-1:0]];
  end

  assign rd_valid_o = valid_q;
  assign rd_data_o  = data_q;

  crossing #(
      .WIDTH(TOP + 1)
  ) u_to_reader (
      .src_clk(wr_clk),
      .src_rst(wr_rst),
      .src_data_i(wr_gray_d),
      .dst_clk(rd_clk),
`ifdef LYDITE_FORMAL
      .src_held_o(wr_held),
      .dst_meta_o(wr_meta),
`endif
      .dst_data_o(wr_gray_seen)
  );

  crossing #(
      .WIDTH(TOP + 1)
  ) u_to_writer (
      .src_clk(rd_clk),
      .src_rst(rd_rst),
      .src_data_i(rd_gray_d),
      .dst_clk(wr_clk),
`ifdef LYDITE_FORMAL
      .src_held_o(rd_held),
      .dst_meta_o(rd_meta),
`endif
      .dst_data_o(rd_gray_seen)
  );

`ifdef LYDITE_FORMAL
  // Proven by induction, for any two clocks (tests/cores/test_fifo.py). What each side knows of the
  // other is old, in this order, and all of it lies within one lap: nothing is written over that
  // was not read, and nothing is read that was not written.
  wire [TOP:0] wr_held, wr_meta, rd_held, rd_meta;
  function [TOP:0] binary(input [TOP:0] gray);
    integer i;
    begin
      binary = gray;
      for (i = 1; i <= TOP; i = i + 1) binary = binary ^ (gray >> i);
    end
  endfunction
  function one_bit(input [TOP:0] change);
    one_bit = (change & (change - ONE)) == {TOP + 1{1'b0}};
  endfunction
  wire [TOP:0] old_1 = wr_q - binary(wr_meta);
  wire [TOP:0] old_2 = binary(wr_meta) - binary(wr_gray_seen);
  wire [TOP:0] there = binary(wr_gray_seen) - rd_q;
  wire [TOP:0] old_3 = rd_q - binary(rd_meta);
  wire [TOP:0] old_4 = binary(rd_meta) - binary(rd_gray_seen);
  wire [TOP+3:0] lap =
      {3'd0, old_1} + {3'd0, old_2} + {3'd0, there} + {3'd0, old_3} + {3'd0, old_4};
  always @* begin
    assume (!wr_rst && !rd_rst);
    assert (wr_held == (wr_q ^ (wr_q >> 1)));
    assert (rd_held == (rd_q ^ (rd_q >> 1)));
    assert (one_bit(wr_gray_d ^ wr_held));
    assert (one_bit(rd_gray_d ^ rd_held));
    assert (lap <= DEPTH);
    assert (full_q || lap < DEPTH);
    if (wr_push) assert (wr_q - rd_q != DEPTH);
    if (rd_fetch) assert (wr_q != rd_q);
  end
`endif
endmodule

`default_nettype wire
