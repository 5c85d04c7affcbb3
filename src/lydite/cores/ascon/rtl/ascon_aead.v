// SPDX-License-Identifier: Apache-2.0
//
// Ascon-AEAD128 (NIST SP 800-232, 4.1), encryption and decryption of whole bytes, from stream to
// stream; tags of 128 bits, no nonce masking.
//
// Interface: AXI4-Stream with beats of 16 bytes. A job is one packet for each of key, nonce,
// associated data, text, and, with s_axis_tuser = 1 (decryption), tag; it gives one packet with the
// text, and one with the tag, or with the verdict: a byte, 1 where the tag is right. Byte 0 stands
// in tdata[7:0]; tkeep is all ones but on the last beat of a packet, where it is contiguous from
// byte 0. An empty packet is one beat without bytes; such a beat may also end another packet, and
// where one ends the text, one ends what is given. Decrypted text is given before its tag is
// checked: it must not be used if the verdict is 0. s_axis_tready depends on registers only.
//
// Cycles, for a source that always offers and a sink that always takes, with P = 12 / ROUNDS:
// 8 / ROUNDS for each block of 16 bytes; a message of n blocks, padding included, without
// associated data 5 + 2 P + (n - 1) 8 / ROUNDS from the beat of the key to that of the tag, both
// counted; one more for the verdict. The next key comes with the last beat out. Associated data of
// m blocks, padding included, add m * 8 / ROUNDS - 1. Resets: control; the first beat may come in
// the next cycle. ROUNDS buys cycles with area and frequency.

`default_nettype none

module ascon_aead #(
    // Rounds a cycle: 1, 2, 4.
    parameter ROUNDS = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] s_axis_tdata,
    input  wire [15:0]  s_axis_tkeep,
    input  wire         s_axis_tlast,
    input  wire         s_axis_tuser,
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    output wire [127:0] m_axis_tdata,
    output wire [15:0]  m_axis_tkeep,
    output wire         m_axis_tlast,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready
);

  generate
    if (ROUNDS != 1 && ROUNDS != 2 && ROUNDS != 4) begin : g_rounds
      ERROR_rounds_must_be_1_2_or_4 u_error ();
    end
  endgenerate

  // One hot: key, nonce, associated data, text, tag.
  reg  [4:0] field_q;
  reg  [4:0] field_d;

  always @* begin
    field_d = {field_q[3:0], field_q[4]};
    if (field_q[3] && !s_axis_tuser) field_d = 5'b00001;
  end

  always @(posedge clk) begin
    if (rst) field_q <= 5'b00001;
    else if (s_axis_tvalid && s_axis_tready && s_axis_tlast) field_q <= field_d;
  end

  ascon_engine #(
      .ROUNDS(ROUNDS),
      .AEAD  (1),
      .HASH  (0)
  ) u_engine (
      .clk    (clk),
      .rst    (rst),
      .field_i({1'b0, field_q, 1'b0}),
      .open_i (s_axis_tuser),
      .data_i (s_axis_tdata),
      .keep_i (s_axis_tkeep),
      .last_i (s_axis_tlast),
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_o (m_axis_tdata),
      .keep_o (m_axis_tkeep),
      .last_o (m_axis_tlast),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready)
  );

`ifdef LYDITE_ASSERT
  field_is_one_hot : assert property (@(posedge clk) disable iff (rst) $onehot(field_q));
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
