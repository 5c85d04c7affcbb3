// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197): encryption of whole blocks (SP 800-38A, 6.1), and counter mode of bytes
// (6.5), from stream to stream, a block a cycle: all rounds are at work at once.
//
// Interface: AXI4-Stream of 128 bits, byte 0 in tdata[7:0]. s_axis_tuser says what is to be done,
// on all beats: 0 encrypt, 1 counter mode. Packets, each ended by tlast: the key, 16 bytes; in
// counter mode the first counter block, 16 bytes; then the message. It comes out as one packet of
// as many bytes. tkeep is all ones but on the last beat of a packet, which may be short in counter
// mode, and may be without bytes: it then comes out so. Bytes without tkeep are ignored on the way
// in and zero on the way out. s_axis_tready is a register.
//
// Keys go through the rounds as blocks do, and leave in each its round key; so what follows is
// under the new key, and nothing waits. In cycles, for a source that always offers and a sink that
// always takes: each beat takes one. From the first beat with the message to the first beat out,
// both counted, there are 10 * STAGES + 3.
//
// Resets: control; what is under way is forgotten, the first beat may come in the next cycle.
// MEMORY buys logic with block RAM; STAGES buys frequency with registers.

`default_nettype none

module aes_pipe #(
    // S-boxes, 1: eighty block RAMs with two ports; 0: logic.
    parameter MEMORY = 1,
    // Cycles of a round: 1, 2.
    parameter STAGES = 2
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] s_axis_tdata,
    input  wire [15:0]  s_axis_tkeep,
    input  wire         s_axis_tuser,
    input  wire         s_axis_tlast,
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    output wire [127:0] m_axis_tdata,
    output wire [15:0]  m_axis_tkeep,
    output wire         m_axis_tlast,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready
);

  generate
    if (MEMORY != 0 && MEMORY != 1) begin : g_memory_value
      ERROR_memory_must_be_0_or_1 u_error ();
    end
    if (STAGES != 1 && STAGES != 2) begin : g_stages_value
      ERROR_stages_must_be_1_or_2 u_error ();
    end
  endgenerate

  localparam DEPTH = 10 * STAGES;  // cycles from slot_q to the result

  localparam [1:0] FIELD_KEY     = 2'd0;
  localparam [1:0] FIELD_COUNTER = 2'd1;
  localparam [1:0] FIELD_MESSAGE = 2'd2;

  // Everything stands still while a result waits behind another one.
  reg  spare_valid_q;
  wire en = !spare_valid_q;

  // ---- what comes in ----

  reg [1:0] field_q;  // of the next beat

  wire beat         = s_axis_tvalid && en;
  wire whole        = s_axis_tkeep[0];
  wire key_beat     = beat && whole && field_q == FIELD_KEY;
  wire counter_beat = beat && whole && field_q == FIELD_COUNTER;
  wire message_beat = beat && field_q == FIELD_MESSAGE;

  assign s_axis_tready = en;

  always @(posedge clk) begin
    if (rst) begin
      field_q <= FIELD_KEY;
    end else if (beat && s_axis_tlast) begin
      case (field_q)
        FIELD_KEY:     field_q <= s_axis_tuser ? FIELD_COUNTER : FIELD_MESSAGE;
        FIELD_COUNTER: field_q <= FIELD_MESSAGE;
        default:       field_q <= FIELD_KEY;
      endcase
    end
  end

  wire [127:0] counter;

  aes_count u_count (
      .clk      (clk),
      .load_i   (counter_beat),
      .counter_i(s_axis_tdata),
      .next_i   (message_beat),
      .counter_o(counter)
  );

  // ---- the slots ----

  reg [127:0]   slot_q;     // what goes into the first round: a block, a counter block, a key
  reg [DEPTH:0] block_q;    // of each slot: it has a beat of a message
  reg [DEPTH:0] key_q;      // it has a key
  reg [DEPTH:0] counter_q;  // the message is in counter mode
  reg [DEPTH:0] last_q;     // it is the message's last beat

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
      slot_q    <= (s_axis_tuser && field_q == FIELD_MESSAGE) ? counter : s_axis_tdata;
      counter_q <= {counter_q[DEPTH-1:0], s_axis_tuser};
      last_q    <= {last_q[DEPTH-1:0], s_axis_tlast};
    end
  end

  // The message goes beside the rounds.
  localparam [31:0] WAY = DEPTH;

  (* ram_style = "block" *) reg [143:0] message_ram[0:31];
  reg [143:0] message_q;
  reg [4:0]   place_q;

  wire [4:0] place_out = place_q - WAY[4:0];

  always @(posedge clk) begin
    if (rst) place_q <= 5'd0;
    else if (en) place_q <= place_q + 5'd1;
  end

  always @(posedge clk) begin
    if (en) begin
      message_ram[place_q] <= {s_axis_tkeep, s_axis_tdata};
      message_q <= message_ram[place_out];
    end
  end

  // ---- rounds ----

  reg  [127:0] first_key_q;
  wire [127:0] state[0:10];
  wire [127:0] keys[0:10];
  wire [127:0] whitened = slot_q ^ first_key_q;

  assign keys[0]          = first_key_q;
  assign state[0][95:0]   = whitened[95:0];
  assign state[0][127:96] = key_q[0] ? slot_q[127:96] : whitened[127:96];

  always @(posedge clk) begin
    if (en && key_q[0]) first_key_q <= slot_q;
  end

  genvar i;
  generate
    for (i = 1; i <= 10; i = i + 1) begin : g_round
      aes_pipe_round #(
          .ROUND (i),
          .MEMORY(MEMORY),
          .STAGES(STAGES)
      ) u_round (
          .clk       (clk),
          .en_i      (en),
          .state_i   (state[i-1]),
          .before_i  (keys[i-1]),
          .key_slot_i(key_q[STAGES*i]),
          .key_o     (keys[i]),
          .state_o   (state[i])
      );
    end
  endgenerate

  // ---- what goes out ----

  reg [144:0]  spare_q;
  reg [127:0]  data_q;
  reg [15:0]   keep_q;
  reg          last_out_q;
  reg          valid_q;

  wire         push   = en && block_q[DEPTH];
  wire         take   = !valid_q || m_axis_tready;
  wire [127:0] result = state[10] ^ (counter_q[DEPTH] ? message_q[127:0] : 128'd0);
  wire [144:0] given  = {last_q[DEPTH], message_q[143:128], result};
  wire [144:0] next   = spare_valid_q ? spare_q : given;

  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = keep_q;
  assign m_axis_tlast  = last_out_q;
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
    if (take) {last_out_q, keep_q} <= next[144:128];
  end

  generate
    for (i = 0; i < 16; i = i + 1) begin : g_give
      always @(posedge clk) begin
        if (take) data_q[8*i +: 8] <= next[128 + i] ? next[8*i +: 8] : 8'h00;
      end
    end
  endgenerate

  wire unused = &{1'b0, keys[10]};

endmodule

`default_nettype wire
