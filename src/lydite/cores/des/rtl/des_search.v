// SPDX-License-Identifier: Apache-2.0
//
// Search for a key of DES (FIPS 46-3) in a range, under two pairs of plaintext and ciphertext: from
// stream to stream, ENGINES keys a cycle.
//
// Interface: AXI4-Stream of 64 bits, byte 0 in tdata[7:0]. Packets of 8 bytes, each ended by tlast:
// the first key, the last one, plaintext, ciphertext, second plaintext, second ciphertext. Keys are
// in the order of their bits without parity, which is not looked at. Out come two packets: a byte,
// 1 if there is such a key, else 0, and the lowest one, with odd parity, or nothing. A last beat
// may be without bytes. s_axis_tready is a register.
//
// All engines are at work on keys that differ in their lowest bits only, so that they share what
// else there is of them. An engine looks at 32 bits of the result; where they agree, all stand
// still while the key is tried on both pairs, some 20 or 40 cycles, as one key of 2^32 is by
// chance. The range ends early with the first key that is right.
//
// Resets: control; what is under way is forgotten, the first beat may come in the next cycle.

`default_nettype none

module des_search #(
    // Keys a cycle: 1, 2, 4, ... 64.
    parameter ENGINES = 1
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
    if (ENGINES != 1 && ENGINES != 2 && ENGINES != 4 && ENGINES != 8 && ENGINES != 16
        && ENGINES != 32 && ENGINES != 64) begin : g_engines_value
      ERROR_engines_must_be_a_power_of_two_up_to_64 u_error ();
    end
  endgenerate

  localparam LOW = $clog2(ENGINES);  // bits of a key that say which engine
  localparam HIGH = 56 - LOW;
  localparam [ENGINES-1:0] ONE = 1;

  localparam [2:0] ST_LOAD    = 3'd0;
  localparam [2:0] ST_BEGIN   = 3'd1;
  localparam [2:0] ST_RUN     = 3'd2;
  localparam [2:0] ST_TRY     = 3'd3;  // a key on a pair
  localparam [2:0] ST_VERDICT = 3'd4;
  localparam [2:0] ST_KEY     = 3'd5;

  reg [2:0] state_q;

  // ---- what comes in ----

  wire [63:0] word;

  genvar i;
  genvar j;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_turn_in
      assign word[8*i +: 8] = s_axis_tdata[56 - 8*i +: 8];
    end
  endgenerate

  reg  [2:0]  field_q;
  reg  [55:0] first_q;
  reg  [55:0] last_q;
  reg  [63:0] text_q[0:3];  // plaintext, ciphertext, and the second pair

  wire        beat   = s_axis_tvalid && s_axis_tready;
  wire        store  = beat && s_axis_tkeep[0];
  wire [55:0] number = {word[63:57], word[55:49], word[47:41], word[39:33],
                        word[31:25], word[23:17], word[15:9], word[7:1]};

  assign s_axis_tready = state_q == ST_LOAD;

  always @(posedge clk) begin
    if (store && field_q == 3'd0) first_q <= number;
    if (store && field_q == 3'd1) last_q <= number;
    if (store && field_q == 3'd2) text_q[0] <= word;
    if (store && field_q == 3'd3) text_q[1] <= word;
    if (store && field_q == 3'd4) text_q[2] <= word;
    if (store && field_q == 3'd5) text_q[3] <= word;
  end

  // ---- the dispatcher: what is shared of the keys, a round later in each ----

  reg  [HIGH-1:0] group_q[1:17];
  reg  [17:1]     valid_q;
  reg             more_q;   // the range goes on behind group_q[1]

  wire            hit;      // of an engine, by the group that leaves
  wire            run   = state_q == ST_RUN;
  wire            en    = run && !hit;
  wire            begins = state_q == ST_BEGIN;
  wire [HIGH-1:0] next  = group_q[1] + {{HIGH - 1{1'b0}}, 1'b1};

  always @(posedge clk) begin
    if (begins) begin
      group_q[1] <= first_q[55:LOW];
      valid_q    <= {16'd0, first_q <= last_q};
      more_q     <= first_q[55:LOW] != last_q[55:LOW];
    end else if (en) begin
      group_q[1] <= next;
      valid_q    <= {valid_q[16:1], valid_q[1] && more_q};
      more_q     <= more_q && next != last_q[55:LOW];
    end
  end

  generate
    for (i = 2; i <= 17; i = i + 1) begin : g_group
      always @(posedge clk) begin
        if (en) group_q[i] <= group_q[i-1];
      end
    end
  endgenerate

  // ---- engines ----

  wire [63:0]        plain;
  wire [63:0]        cipher;
  wire [ENGINES-1:0] match;

  des_ip u_plain (
      .block_i(text_q[0]),
      .block_o(plain)
  );

  // R16 and L16, which is R15.
  des_ip u_cipher (
      .block_i(text_q[1]),
      .block_o(cipher)
  );

  generate
    for (i = 0; i < ENGINES; i = i + 1) begin : g_engine
      localparam [31:0] ENGINE = i;

      wire [839:0] cd;

      for (j = 1; j <= 15; j = j + 1) begin : g_key
        wire [55:0] tried;

        if (LOW == 0) begin : g_one
          assign tried = group_q[j];
        end else begin : g_several
          assign tried = {group_q[j], ENGINE[LOW-1:0]};
        end

        des_pc1 u_pc1 (
            .key_i({tried[55:49], 1'b0, tried[48:42], 1'b0, tried[41:35], 1'b0, tried[34:28], 1'b0,
                    tried[27:21], 1'b0, tried[20:14], 1'b0, tried[13:7], 1'b0, tried[6:0], 1'b0}),
            .cd_o (cd[56*(j - 1) +: 56])
        );
      end

      des_engine u_engine (
          .clk    (clk),
          .en_i   (en),
          .block_i(plain),
          .right_i(cipher[31:0]),
          .cd_i   (cd),
          .match_o(match[i])
      );
    end
  endgenerate

  // ---- a key that agrees is tried on both pairs ----

  reg  [ENGINES-1:0] tried_q;   // engines whose key was
  reg                second_q;  // the second pair is on
  reg                fresh_q;   // it has begun
  reg  [55:0]        key_q;
  reg                found_q;

  wire [ENGINES-1:0] left   = match & ~tried_q;
  wire               empty  = valid_q == 17'd0;
  wire               done;
  wire [63:0]        result;
  wire               right  = result == text_q[second_q ? 3 : 1];
  wire               in_range = key_q >= first_q && key_q <= last_q;
  reg  [31:0]        lowest;    // engine of those that are left

  assign hit = valid_q[17] && left != {ENGINES{1'b0}};

  integer n;
  always @* begin
    lowest = 32'd0;
    for (n = ENGINES - 1; n >= 0; n = n - 1) begin
      if (left[n]) lowest = n;
    end
  end

  wire [55:0] picked;
  wire [63:0] key;

  generate
    if (LOW == 0) begin : g_pick_one
      assign picked = group_q[17];
    end else begin : g_pick_several
      assign picked = {group_q[17], lowest[LOW-1:0]};
    end
    for (i = 0; i < 8; i = i + 1) begin : g_parity
      assign key[8*i +: 8] = {key_q[7*i +: 7], ~^key_q[7*i +: 7]};
    end
  endgenerate

  wire end_try = state_q == ST_TRY && !fresh_q && done;
  wire good    = right && in_range;

  des_once u_once (
      .clk    (clk),
      .start_i(fresh_q),
      .block_i(text_q[second_q ? 2 : 0]),
      .key_i  (key),
      .done_o (done),
      .block_o(result)
  );

  always @(posedge clk) begin
    if (run && hit) key_q <= picked;
    if (en || begins) tried_q <= {ENGINES{1'b0}};
    else if (run) tried_q <= tried_q | (left & (~left + ONE));
    fresh_q  <= (run && hit) || (end_try && good && !second_q);
    second_q <= (state_q == ST_TRY) && (second_q || (end_try && good));
    if (begins) found_q <= 1'b0;
    else if (end_try && good && second_q) found_q <= 1'b1;
  end

  // ---- control, and what goes out ----

  wire give = m_axis_tvalid && m_axis_tready;

  always @(posedge clk) begin
    if (rst) begin
      state_q <= ST_LOAD;
      field_q <= 3'd0;
    end else begin
      if (beat && s_axis_tlast) field_q <= (field_q == 3'd5) ? 3'd0 : field_q + 3'd1;
      case (state_q)
        ST_LOAD: if (beat && s_axis_tlast && field_q == 3'd5) state_q <= ST_BEGIN;
        ST_BEGIN: state_q <= ST_RUN;
        ST_RUN: if (hit) state_q <= ST_TRY;
                else if (empty) state_q <= ST_VERDICT;
        ST_TRY: if (end_try && !good) state_q <= ST_RUN;
                else if (end_try && second_q) state_q <= ST_VERDICT;
        ST_VERDICT: if (give) state_q <= ST_KEY;
        default: if (give) state_q <= ST_LOAD;
      endcase
    end
  end

  wire        is_key  = state_q == ST_KEY;
  wire [63:0] answer;

  generate
    for (i = 0; i < 8; i = i + 1) begin : g_turn_out
      assign answer[8*i +: 8] = key[56 - 8*i +: 8];
    end
  endgenerate

  assign m_axis_tvalid = state_q == ST_VERDICT || is_key;
  assign m_axis_tlast  = 1'b1;
  assign m_axis_tkeep  = is_key ? {8{found_q}} : 8'h01;
  assign m_axis_tdata  = is_key ? answer : {63'd0, found_q};

  wire unused = &{1'b0, s_axis_tkeep[7:1], cipher[63:32], lowest};

endmodule

`default_nettype wire
