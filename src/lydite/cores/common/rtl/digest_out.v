// SPDX-License-Identifier: Apache-2.0
//
// A digest, word by word, while the core works on the next message.
//
// Interface: load_i copies digest_i, byte 0 in its lowest bits; it may be set only while free_o is.
// The first word is offered in the cycle after it; free_o is set again once all have been taken.
// Resets: what is offered.

`default_nettype none

module digest_out #(
    // Bits of a word of the stream.
    parameter DATA_BITS   = 64,
    // Bits of the digest: one or more words.
    parameter DIGEST_BITS = 256
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DIGEST_BITS-1:0] digest_i,
    input  wire                   load_i,
    output wire                   free_o,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  localparam WORDS = DIGEST_BITS / DATA_BITS;

  generate
    if (DIGEST_BITS % DATA_BITS != 0) begin : g_words
      ERROR_digest_must_be_whole_words u_error ();
    end
  endgenerate

  reg  [WORDS-1:0]       left_q;  // a one for each word that is left, from the lowest up
  reg  [DIGEST_BITS-1:0] digest_q;

  wire move = m_axis_tvalid && m_axis_tready;

  assign free_o        = !left_q[0];
  assign m_axis_tdata  = digest_q[DATA_BITS-1:0];
  assign m_axis_tkeep  = {(DATA_BITS / 8) {1'b1}};
  assign m_axis_tvalid = left_q[0];
  assign m_axis_tlast  = (left_q >> 1) == {WORDS{1'b0}};

  always @(posedge clk) begin
    if (rst) left_q <= {WORDS{1'b0}};
    else if (load_i) left_q <= {WORDS{1'b1}};
    else if (move) left_q <= left_q >> 1;
  end

  always @(posedge clk) begin
    if (load_i) digest_q <= digest_i;
    else if (move) digest_q <= digest_q >> DATA_BITS;
  end

`ifdef LYDITE_ASSERT
  loaded_while_free : assert property (@(posedge clk) disable iff (rst) load_i |-> free_o);
`endif

endmodule

`default_nettype wire
