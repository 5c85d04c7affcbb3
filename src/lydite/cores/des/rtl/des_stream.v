// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3) and Triple DES (SP 800-67) of whole blocks (SP 800-38A, 6.1), from stream to
// stream, a round a cycle, round keys on the fly.
//
// Interface: AXI4-Stream of 64 bits, byte 0 in tdata[7:0]. s_axis_tuser says what is to be done, on
// all beats: 0 encrypt; 1 decrypt. Packets, each ended by tlast: the key, KEYS beats of 8 bytes,
// whose parity is not looked at; then the message. It comes out as one packet of as many bytes. A
// last beat may be without bytes; in a message it then comes out so. s_axis_tready depends on
// registers.
//
// In cycles, for a source that always offers and a sink that always takes: a block takes 16 (DES)
// or 48; from its beat in to its beat out, both counted, two more.
//
// Resets: control; what is under way is forgotten, the first beat may come in the next cycle.

`default_nettype none

module des_stream #(
    // Keys: 1 (DES), 2 (Triple DES, K3 = K1), 3.
    parameter KEYS = 1
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
  endgenerate

  localparam [1:0] LAST_PASS = (KEYS == 1) ? 2'd0 : 2'd2;
  // Of each round, round 1 lowest: C and D turn by one place, not two, before it.
  localparam [15:0] ONCE = 16'b1000_0001_0000_0011;

  // ---- what comes in ----

  reg       message_q;  // the next beat is of a message
  reg [1:0] number_q;   // of the next key

  wire ready;
  wire beat     = s_axis_tvalid && s_axis_tready;
  wire key_beat = beat && s_axis_tkeep[0] && !message_q;
  wire start    = beat && message_q;

  // Keys wait until no block is at work under the last ones.
  assign s_axis_tready = ready;

  always @(posedge clk) begin
    if (rst) begin
      message_q <= 1'b0;
      number_q  <= 2'd0;
    end else if (beat) begin
      if (s_axis_tlast) message_q <= !message_q;
      number_q <= (s_axis_tlast || message_q) ? 2'd0 : number_q + 2'd1;
    end
  end

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

  // ---- keys ----

  reg  [55:0] keys_q[0:KEYS-1];  // C and D
  reg         decrypt_q;         // of the message that the keys are for
  wire [55:0] next_key;          // of the pass that comes next

  generate
    for (i = 0; i < KEYS; i = i + 1) begin : g_key
      localparam [1:0] NUMBER = i;

      always @(posedge clk) begin
        if (key_beat && number_q == NUMBER) keys_q[i] <= cd;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (key_beat) decrypt_q <= s_axis_tuser;
  end

  // ---- what is in work ----

  reg         busy_q;
  reg         ends_q;     // in its last round, or nothing is in work
  reg  [3:0]  round_q;    // 0 to 15
  reg  [1:0]  pass_q;
  reg         last_q;     // of the beat with the block
  reg         whole_q;
  reg  [63:0] state_q;
  reg  [55:0] cd_q;       // turned for this round
  reg         turn_one_q; // for the next round
  reg         back_q;     // this pass decrypts

  reg         valid_q;
  reg  [65:0] out_q;

  wire        give      = busy_q && ends_q && !valid_q;
  wire        work      = busy_q && (!ends_q || !valid_q);
  wire        pass_end  = round_q == 4'd15;
  wire [1:0]  next_pass = pass_q + 2'd1;
  wire [3:0]  next      = round_q + 4'd1;

  assign ready = message_q ? (!busy_q || give) : !busy_q;

  generate
    if (KEYS == 1) begin : g_one
      assign next_key = keys_q[0];
    end else begin : g_several
      wire [1:0] number = start ? 2'd0 : next_pass;

      assign next_key = (number == 2'd1) ? keys_q[1]
                      : ((number == 2'd2) != decrypt_q) ? keys_q[KEYS == 3 ? 2 : 0] : keys_q[0];
    end
  endgenerate

  // The middle one of three passes goes the other way. Backwards the first round has no turn: all
  // turns together are 28.
  wire        begins    = start || pass_end;
  wire        next_back = decrypt_q ^ (!start && next_pass == 2'd1 && LAST_PASS != 2'd0);
  wire [27:0] c         = cd_q[55:28];
  wire [27:0] d         = cd_q[27:0];
  reg  [55:0] cd_d;

  always @* begin
    if (begins) begin
      cd_d = next_back ? next_key
                       : {next_key[54:28], next_key[55], next_key[26:0], next_key[27]};
    end else begin
      case ({back_q, turn_one_q})
        2'b00:   cd_d = {c[25:0], c[27:26], d[25:0], d[27:26]};
        2'b01:   cd_d = {c[26:0], c[27], d[26:0], d[27]};
        2'b10:   cd_d = {c[1:0], c[27:2], d[1:0], d[27:2]};
        default: cd_d = {c[0], c[27:1], d[0], d[27:1]};
      endcase
    end
  end

  wire [47:0] round_key;
  wire [63:0] round;
  wire [63:0] result;

  des_round_key #(
      .TURN(0)
  ) u_round_key (
      .cd_i (cd_q),
      .key_o(round_key)
  );

  des_round u_round (
      .block_i(state_q),
      .key_i  (round_key),
      .pass_i (1'b0),
      .block_o(round)
  );

  // The halves change places at the end of a pass.
  wire [63:0] crossed = {round[31:0], round[63:32]};

  des_fp u_fp (
      .block_i(crossed),
      .block_o(result)
  );

  always @(posedge clk) begin
    if (rst) begin
      busy_q <= 1'b0;
      ends_q <= 1'b1;
    end else begin
      if (start) busy_q <= 1'b1;
      else if (give) busy_q <= 1'b0;
      if (start) ends_q <= 1'b0;
      else if (busy_q && !ends_q) ends_q <= round_q == 4'd14 && pass_q == LAST_PASS;
    end
  end

  // Round n + 1 forwards turns as its number says, backwards as round 16 - n does.
  wire [3:0] shown = begins ? 4'd0 : next;

  always @(posedge clk) begin
    if (start) begin
      last_q  <= s_axis_tlast;
      whole_q <= s_axis_tkeep[0];
      round_q <= 4'd0;
      pass_q  <= 2'd0;
    end else if (work) begin
      round_q <= next;
      if (pass_end) pass_q <= next_pass;
    end
    if (start || work) begin
      state_q    <= start ? permuted : pass_end ? crossed : round;
      cd_q       <= cd_d;
      back_q     <= begins ? next_back : back_q;
      turn_one_q <= (begins ? next_back : back_q) ? ONCE[4'd15 - shown] : ONCE[shown + 4'd1];
    end
  end

  // ---- what goes out ----

  generate
    for (i = 0; i < 8; i = i + 1) begin : g_turn_out
      assign m_axis_tdata[8*i +: 8] = out_q[56 - 8*i +: 8];
    end
  endgenerate

  assign m_axis_tkeep  = {8{out_q[64]}};
  assign m_axis_tlast  = out_q[65];
  assign m_axis_tvalid = valid_q;

  always @(posedge clk) begin
    if (rst) valid_q <= 1'b0;
    else if (give) valid_q <= 1'b1;
    else if (m_axis_tready) valid_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (give) out_q <= {last_q, whole_q, result};
  end

  wire unused = &{1'b0, s_axis_tkeep[7:1]};

endmodule

`default_nettype wire
