// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3) and Triple DES (SP 800-67) of whole blocks (SP 800-38A, 6.1), from stream to
// stream, a block a cycle: all rounds are at work at once.
//
// Interface: AXI4-Stream of 64 bits, byte 0 in tdata[7:0]. s_axis_tuser says what is to be done, on
// all beats: 0 encrypt; 1 decrypt, if DECRYPT. Packets, each ended by tlast: the key, KEYS beats of
// 8 bytes, whose parity is not looked at; then the message. It comes out as one packet of as many
// bytes. A last beat may be without bytes; in a message it then comes out so. s_axis_tready is a
// register.
//
// Keys go through the rounds as blocks do, and leave in each its round key; so what follows is
// under the new key, and nothing waits. In cycles, for a source that always offers and a sink that
// always takes: each beat takes one. From the first beat with the message to the first beat out,
// both counted, there are 16 * PASSES + 3.
//
// Resets: control; what is under way is forgotten, the first beat may come in the next cycle.

`default_nettype none

module des_pipe #(
    // Keys: 1 (DES), 2 (Triple DES, K3 = K1), 3.
    parameter KEYS    = 1,
    // 1: decrypts, too.
    parameter DECRYPT = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire        s_axis_tuser,
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
    if (KEYS != 1 && KEYS != 2 && KEYS != 3) begin : g_keys_value
      ERROR_keys_must_be_1_2_or_3 u_error ();
    end
    if (DECRYPT != 0 && DECRYPT != 1) begin : g_decrypt_value
      ERROR_decrypt_must_be_0_or_1 u_error ();
    end
  endgenerate

  localparam PASSES = (KEYS == 1) ? 1 : 3;
  localparam DEPTH  = 16 * PASSES;

  // Everything stands still while a result waits behind another one.
  reg  spare_valid_q;
  wire en = !spare_valid_q;

  // ---- what comes in ----

  reg       message_q;  // the next beat is of a message
  reg [1:0] number_q;   // of the next key

  wire beat         = s_axis_tvalid && en;
  wire decrypt      = (DECRYPT != 0) && s_axis_tuser;
  wire key_beat     = beat && s_axis_tkeep[0] && !message_q;
  wire message_beat = beat && message_q;

  assign s_axis_tready = en;

  always @(posedge clk) begin
    if (rst) begin
      message_q <= 1'b0;
      number_q  <= 2'd0;
    end else if (beat) begin
      if (s_axis_tlast) message_q <= !message_q;
      number_q <= (s_axis_tlast || message_q) ? 2'd0 : number_q + 2'd1;
    end
  end

  // The passes that a key is for. Of three, decryption takes them in the other order.
  wire [2:0] one_hot = 3'b001 << number_q;
  wire [2:0] wanted  = (KEYS == 1) ? 3'b001
                     : (KEYS == 2) ? {one_hot[0], one_hot[1], one_hot[0]}
                     : decrypt ? {one_hot[0], one_hot[1], one_hot[2]} : one_hot;

  // Byte 0 is on top in the standard.
  wire [63:0] block;
  wire [63:0] permuted;
  wire [55:0] cd;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_turn_in
      assign block[8*i +: 8] = s_axis_tdata[56 - 8*i +: 8];
    end
  endgenerate

  des_ip u_ip (
      .block_i(block),
      .block_o(permuted)
  );

  des_pc1 u_pc1 (
      .key_i(block),
      .cd_o (cd)
  );

  // ---- the slots ----

  reg [DEPTH:0] block_q;    // of each slot: it has a beat of a message
  reg [DEPTH:0] key_q;      // it has a key
  reg [DEPTH:0] decrypt_q;  // it is for decryption
  reg [DEPTH:0] last_q;     // it is the message's last beat
  reg [DEPTH:0] whole_q;    // it has a block, not only an end

  reg  [63:0] state_q[0:DEPTH];
  wire [63:0] state_d[1:DEPTH];

  always @(posedge clk) begin
    if (rst) begin
      block_q <= {DEPTH + 1{1'b0}};
      key_q   <= {DEPTH + 1{1'b0}};
    end else if (en) begin
      block_q <= {block_q[DEPTH-1:0], message_beat};
      key_q   <= {key_q[DEPTH-1:0], key_beat};
    end
  end

  always @(posedge clk) begin
    if (en) begin
      decrypt_q  <= {decrypt_q[DEPTH-1:0], decrypt};
      last_q     <= {last_q[DEPTH-1:0], s_axis_tlast};
      whole_q    <= {whole_q[DEPTH-1:0], s_axis_tkeep[0]};
      state_q[0] <= message_q ? permuted : {8'd0, cd};
    end
  end

  // ---- rounds ----

  generate
    for (i = 0; i < PASSES; i = i + 1) begin : g_for
      reg [16*i+15:0] for_q;  // of slots up to this pass: the key is for it

      always @(posedge clk) begin
        if (en) for_q <= {for_q[16*i+14:0], wanted[i]};
      end
    end

    for (i = 1; i <= DEPTH; i = i + 1) begin : g_round
      // Between passes IP^-1 and IP are gone; what is left is that the halves change places.
      wire [63:0] entering = (i % 16 == 1 && i != 1) ? {state_q[i-1][31:0], state_q[i-1][63:32]}
                                                     : state_q[i-1];

      des_pipe_round #(
          .ROUND  ((i - 1) % 16 + 1),
          .REVERSE(((i - 1) / 16 == 1) ? 1 : 0),
          .SWAPPED(((i - 1) / 16 + i - 1) % 2),
          .DECRYPT(DECRYPT)
      ) u_round (
          .clk       (clk),
          .en_i      (en),
          .block_i   (entering),
          .key_slot_i(key_q[i-1]),
          .load_i    (key_q[i-1] && g_for[(i-1)/16].for_q[i-1]),
          .decrypt_i (decrypt_q[i-1]),
          .block_o   (state_d[i])
      );

      always @(posedge clk) begin
        if (en) state_q[i] <= state_d[i];
      end
    end
  endgenerate

  // ---- what goes out ----

  reg [65:0]  spare_q;
  reg [65:0]  out_q;
  reg         valid_q;

  wire [63:0] result;
  wire        push  = en && block_q[DEPTH];
  wire        take  = !valid_q || m_axis_tready;
  wire [65:0] given = {last_q[DEPTH], whole_q[DEPTH], result};

  des_fp u_fp (
      .block_i({state_q[DEPTH][31:0], state_q[DEPTH][63:32]}),
      .block_o(result)
  );

  generate
    for (i = 0; i < 8; i = i + 1) begin : g_turn_out
      assign m_axis_tdata[8*i +: 8] = out_q[56 - 8*i +: 8];
    end
  endgenerate

  assign m_axis_tkeep  = {8{out_q[64]}};
  assign m_axis_tlast  = out_q[65];
  assign m_axis_tvalid = valid_q;

  always @(posedge clk) begin
    if (rst) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else if (take) begin
      valid_q       <= push || spare_valid_q;
      spare_valid_q <= 1'b0;
    end else if (push) begin
      spare_valid_q <= 1'b1;
    end
  end

  always @(posedge clk) begin
    if (en) spare_q <= given;
    if (take) out_q <= spare_valid_q ? spare_q : given;
  end

  wire unused = &{1'b0, key_q[DEPTH], decrypt_q[DEPTH], s_axis_tkeep[7:1], wanted};

endmodule

`default_nettype wire
