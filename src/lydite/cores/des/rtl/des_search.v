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
// Engines work in lanes of up to four, each with a counter of its own, which are told one after the
// other where to begin: no net goes through the whole part. An engine looks at 24 bits of R14;
// where they agree, as one key's of 2^24 do by chance, that key is tried on both pairs, which takes
// 37 or 74 cycles, and if it is wrong all begin again behind it. So nothing ever has to stand
// still. The lowest key that is right ends the search.
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
  localparam OF_LANE = (ENGINES < 4) ? ENGINES : 4;
  localparam LANES = ENGINES / OF_LANE;
  localparam HALF = 26;
  localparam [ENGINES-1:0] ONE = 1;

  localparam [2:0] ST_LOAD    = 3'd0;
  localparam [2:0] ST_BEGIN   = 3'd1;
  localparam [2:0] ST_RUN     = 3'd2;
  localparam [2:0] ST_PICK    = 3'd3;  // one of the keys that agree
  localparam [2:0] ST_TRY     = 3'd4;  // it, on a pair
  localparam [2:0] ST_VERDICT = 3'd5;
  localparam [2:0] ST_KEY     = 3'd6;

  reg [2:0] state_q;

  // ---- what comes in ----

  wire [63:0] word;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_turn_in
      assign word[8*i +: 8] = s_axis_tdata[56 - 8*i +: 8];
    end
  endgenerate

  reg  [2:0]  field_q;
  reg  [55:0] first_q;
  reg  [55:0] last_q;
  reg  [63:0] text_q[0:3];  // plaintext, ciphertext, and the second pair
  reg         none_q;       // the range is empty

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
    none_q <= first_q > last_q;
  end

  // ---- lanes: each tells the next one where to begin, and all answer in the same cycle ----

  wire [63:0]        plain;
  wire [63:0]        cipher;
  wire [LANES:0]     load;
  wire [HIGH-1:0]    start[0:LANES];
  wire [63:0]        blocks[0:LANES];
  wire [63:0]        ciphers[0:LANES];
  wire [HIGH-1:0]    groups[0:LANES-1];
  wire [LANES-1:0]   firsts;
  wire [ENGINES-1:0] match;
  reg  [HIGH-1:0]    start_q;

  des_ip u_plain (
      .block_i(text_q[0]),
      .block_o(plain)
  );

  // R16 and L16, which is R15.
  des_ip u_cipher (
      .block_i(text_q[1]),
      .block_o(cipher)
  );

  assign load[0]    = state_q == ST_BEGIN && !none_q;
  assign start[0]   = start_q;
  assign blocks[0]  = plain;
  assign ciphers[0] = cipher;

  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      wire [OF_LANE-1:0] found;

      des_lane #(
          .HIGH   (HIGH),
          .ENGINES(OF_LANE),
          .FIRST  (OF_LANE * i)
      ) u_lane (
          .clk     (clk),
          .rst     (rst),
          .load_i  (load[i]),
          .start_i (start[i]),
          .block_i (blocks[i]),
          .cipher_i(ciphers[i]),
          .load_o  (load[i+1]),
          .start_o (start[i+1]),
          .block_o (blocks[i+1]),
          .cipher_o(ciphers[i+1]),
          .match_o (found),
          .group_o (groups[i]),
          .first_o (firsts[i])
      );

      // A lane begins a cycle before the next one.
      if (i == LANES - 1) begin : g_last
        assign match[OF_LANE*i +: OF_LANE] = found;
      end else begin : g_early
        reg [OF_LANE*(LANES-1-i)-1:0] wait_q;

        if (i == LANES - 2) begin : g_once
          always @(posedge clk) wait_q <= found;
        end else begin : g_several
          always @(posedge clk) wait_q <= {wait_q[OF_LANE*(LANES-2-i)-1:0], found};
        end

        assign match[OF_LANE*i +: OF_LANE] = wait_q[OF_LANE*(LANES-2-i) +: OF_LANE];
      end
    end
  endgenerate

  // ---- what leaves: in two steps, which keys agree, and whether their group is the last ----

  reg  [ENGINES-1:0] match_q;
  reg  [ENGINES-1:0] match_q2;
  reg  [HIGH-1:0]    group_q;
  reg  [HIGH-1:0]    group_q2;
  reg                first_q1;
  reg                first_q2;
  reg  [6:0]         differ_q;
  reg                any_q;
  reg                last_q2;
  reg                live_q;   // what leaves is of this search

  wire [55:0] leaving = {{LOW{1'b0}}, groups[LANES-1]} ^ {{LOW{1'b0}}, last_q[55:LOW]};
  wire        run     = state_q == ST_RUN;
  wire        live    = run && (live_q || first_q2);
  wire        hit     = live && any_q;
  wire        ends    = live && last_q2;

  generate
    for (i = 0; i < 7; i = i + 1) begin : g_differ
      always @(posedge clk) differ_q[i] <= leaving[8*i +: 8] != 8'd0;
    end
  endgenerate

  always @(posedge clk) begin
    match_q  <= match;
    group_q  <= groups[LANES-1];
    first_q1 <= firsts[LANES-1] && !rst;
    any_q    <= match_q != {ENGINES{1'b0}};
    match_q2 <= match_q;
    group_q2 <= group_q;
    first_q2 <= first_q1 && !rst;
    last_q2  <= differ_q == 7'd0;
    live_q   <= live && !hit && !ends;
  end

  // ---- keys that agree are tried on both pairs, the lowest one first ----

  reg  [ENGINES-1:0] left_q;    // engines whose keys are not yet tried
  reg  [HIGH-1:0]    base_q;    // their group
  reg                ended_q;   // it is the last one
  reg  [HALF:0]      lower_q;   // the group behind it
  reg  [HIGH-1:0]    next_q;
  reg  [55:0]        key_q;
  reg                second_q;  // the second pair is on
  reg                fresh_q;   // it begins
  reg                found_q;
  reg  [63:0]        wanted_q;
  reg  [7:0]         equal_q;
  reg                right_q;
  reg                above_q;
  reg                below_q;
  reg  [1:0]         done_q;

  wire               done;
  wire [63:0]        result;
  reg  [31:0]        lowest;

  integer n;
  always @* begin
    lowest = 32'd0;
    for (n = ENGINES - 1; n >= 0; n = n - 1) begin
      if (left_q[n]) lowest = n;
    end
  end

  wire [55:0] picked;
  wire [63:0] key;

  generate
    if (LOW == 0) begin : g_pick_one
      assign picked = base_q;
    end else begin : g_pick_several
      assign picked = {base_q, lowest[LOW-1:0]};
    end
    for (i = 0; i < 8; i = i + 1) begin : g_byte
      assign key[8*i +: 8] = {key_q[7*i +: 7], ~^key_q[7*i +: 7]};
      always @(posedge clk) equal_q[i] <= result[8*i +: 8] == wanted_q[8*i +: 8];
    end
  endgenerate

  des_once u_once (
      .clk    (clk),
      .start_i(fresh_q),
      .block_i(text_q[second_q ? 2 : 0]),
      .key_i  (key),
      .done_o (done),
      .block_o(result)
  );

  wire end_try  = state_q == ST_TRY && done_q[1];
  wire in_range = above_q && below_q;
  wire good     = right_q && in_range;
  wire pick     = state_q == ST_PICK;

  always @(posedge clk) begin
    if (hit) base_q <= group_q2;
    if (hit) ended_q <= last_q2;
    if (hit) left_q <= match_q2;
    else if (pick) left_q <= left_q & (left_q - ONE);
    // What is of no use before a hit may be wrong until then.
    lower_q <= {1'b0, base_q[HALF-1:0]} + {{HALF{1'b0}}, 1'b1};
    next_q  <= {base_q[HIGH-1:HALF] + {{HIGH - HALF - 1{1'b0}}, lower_q[HALF]},
                lower_q[HALF-1:0]};
    if (state_q == ST_LOAD) start_q <= first_q[55:LOW];
    else if (end_try) start_q <= next_q;
    if (pick) key_q <= picked;
    fresh_q  <= pick || (end_try && good && !second_q);
    if (pick) second_q <= 1'b0;
    else if (end_try && good) second_q <= 1'b1;
    if (state_q == ST_LOAD) found_q <= 1'b0;
    else if (end_try && good && second_q) found_q <= 1'b1;
    wanted_q <= text_q[second_q ? 3 : 1];
    right_q  <= equal_q == 8'hff;
    above_q  <= key_q >= first_q;
    below_q  <= key_q <= last_q;
    done_q   <= {done_q[0], done} & {2{!fresh_q && !pick && !end_try}};
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
        ST_BEGIN: state_q <= none_q ? ST_VERDICT : ST_RUN;
        ST_RUN: if (hit) state_q <= ST_PICK;
                else if (ends) state_q <= ST_VERDICT;
        ST_PICK: state_q <= ST_TRY;
        ST_TRY: if (end_try && good && second_q) state_q <= ST_VERDICT;
                else if (end_try && !good && left_q != {ENGINES{1'b0}}) state_q <= ST_PICK;
                else if (end_try && !good) state_q <= ended_q ? ST_VERDICT : ST_BEGIN;
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

  wire unused = &{1'b0, s_axis_tkeep[7:1], lowest, load[LANES], firsts};

endmodule

`default_nettype wire
