// SPDX-License-Identifier: Apache-2.0
//
// Ascon-Hash256 (NIST SP 800-232, 5.1) of messages of whole bytes, from stream to stream.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast. Byte 0 stands in tdata[7:0]; tkeep is all ones but on the last beat,
// where it is contiguous from byte 0 and may be zero: the empty message is one beat without bytes,
// and any message may end in such a beat. s_axis_tready depends on registers only.
//
// Cycles, for a source that always offers and a sink that always takes, with P = 12 / ROUNDS: P for
// each block of 8 bytes; a message of n blocks, padding included, (n + 3) P + 3 from its first beat
// to the last beat of its digest, both counted. The next message may begin with that beat. Resets:
// control; the first beat may come in the next cycle. ROUNDS buys cycles with area and frequency.

`default_nettype none

module ascon_hash #(
    // Rounds a cycle: 1, 2, 3, 4, 6.
    parameter ROUNDS = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  generate
    if (ROUNDS != 1 && ROUNDS != 2 && ROUNDS != 3 && ROUNDS != 4 && ROUNDS != 6) begin : g_rounds
      ERROR_rounds_must_be_1_2_3_4_or_6 u_error ();
    end
  endgenerate

  wire [63:0] unused_data;
  wire [7:0]  unused_keep;
  wire        unused = &{1'b0, unused_data, unused_keep};

  ascon_engine #(
      .ROUNDS(ROUNDS),
      .AEAD  (0),
      .HASH  (1)
  ) u_engine (
      .clk    (clk),
      .rst    (rst),
      .field_i(7'b1000000),
      .open_i (1'b0),
      .data_i ({64'd0, s_axis_tdata}),
      .keep_i ({8'd0, s_axis_tkeep}),
      .last_i (s_axis_tlast),
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_o ({unused_data, m_axis_tdata}),
      .keep_o ({unused_keep, m_axis_tkeep}),
      .last_o (m_axis_tlast),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready)
  );

`ifdef LYDITE_ASSERT
  input_keep_is_contiguous :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid |-> (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == '0);
  input_is_full_before_the_last_beat :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid && !s_axis_tlast |-> &s_axis_tkeep);
  output_waits_unchanged :
  assert property (@(posedge clk) disable iff (rst)
      m_axis_tvalid && !m_axis_tready |=>
      m_axis_tvalid && $stable({m_axis_tdata, m_axis_tkeep, m_axis_tlast}));
`endif

endmodule

`default_nettype wire
