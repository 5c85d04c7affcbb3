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
// other where to begin: no net goes through the whole part. Only the lowest WIDTH bits of a key
// count: where they end, all begin again with the next ones above. An engine looks at 16 bits of
// R14; where they agree, as one key's of 2^16 do by chance, that key is tried on both pairs, which
// takes 54 or 107 cycles, while the engines go on. If another one agrees meanwhile, they begin with
// it again once that is done; so nothing ever has to stand still. The lowest key that is right ends
// the search.
//
// Where engines fill a part, what is here lies far apart: registers are between what decides and
// what is decided wherever a cycle more costs nothing, and numbers count without being held.
//
// Resets: control; what is under way is forgotten, the first beat may come in the next cycle.

`default_nettype none

module des_search #(
    // Keys a cycle: 1, 2, or a multiple of 4 up to 64.
    parameter ENGINES = 1,
    // Bits of a key that count: more cost registers, fewer some 40 cycles each time they end.
    parameter WIDTH = 22
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
    if (ENGINES != 1 && ENGINES != 2 && (ENGINES < 4 || ENGINES > 64 || ENGINES % 4 != 0))
    begin : g_engines_value
      ERROR_engines_must_be_1_or_2_or_a_multiple_of_4_up_to_64 u_error ();
    end
    if (WIDTH < 8 || WIDTH > 31) begin : g_width_value
      ERROR_width_must_be_8_to_31 u_error ();
    end
  endgenerate

  localparam OF_LANE = (ENGINES < 4) ? ENGINES : 4;
  localparam LANES = ENGINES / OF_LANE;
  localparam LOW = $clog2(OF_LANE);  // bits of a key that say which engine of a lane
  localparam COUNT = WIDTH - LOW;
  localparam UPPER = 56 - WIDTH;
  localparam [31:0] WHICH = OF_LANE - 1;
  localparam [31:0] EACH = ENGINES;
  localparam [WIDTH:0] STEP = EACH[WIDTH:0];
  localparam [WIDTH:0] ALIGN = ~WHICH[WIDTH:0];
  localparam [31:0] TIME = 33 + LANES;
  localparam [6:0] FILL = TIME[6:0];  // cycles until the first answer

  localparam [2:0] ST_LOAD    = 3'd0;
  localparam [2:0] ST_BEGIN   = 3'd1;
  localparam [2:0] ST_FILL    = 3'd2;
  localparam [2:0] ST_RUN     = 3'd3;
  localparam [2:0] ST_HOLD    = 3'd4;  // another key agrees while one is tried
  localparam [2:0] ST_END     = 3'd5;  // of what counts, or of the range
  localparam [2:0] ST_VERDICT = 3'd6;
  localparam [2:0] ST_KEY     = 3'd7;

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
  reg  [63:0] word_q;
  reg  [5:0]  take_q;       // which field it is
  reg  [55:0] first_q;
  reg  [55:0] last_q;
  reg  [63:0] text_q[0:3];  // plaintext, ciphertext, and the second pair

  wire        beat   = s_axis_tvalid && s_axis_tready;
  wire        store  = beat && s_axis_tkeep[0];
  wire [55:0] number = {word_q[63:57], word_q[55:49], word_q[47:41], word_q[39:33],
                        word_q[31:25], word_q[23:17], word_q[15:9], word_q[7:1]};

  assign s_axis_tready = state_q == ST_LOAD;

  genvar k;
  generate
    for (k = 0; k < 6; k = k + 1) begin : g_take
      localparam [31:0] FIELD = k;
      always @(posedge clk) take_q[k] <= store && field_q == FIELD[2:0];
    end
  endgenerate

  always @(posedge clk) begin
    word_q <= word;
    if (take_q[0]) first_q <= number;
    if (take_q[1]) last_q <= number;
    if (take_q[2]) text_q[0] <= word_q;
    if (take_q[3]) text_q[1] <= word_q;
    if (take_q[4]) text_q[2] <= word_q;
    if (take_q[5]) text_q[3] <= word_q;
  end

  // ---- where the search is: the bits above, which stand still, and the number of what leaves ----

  reg               any_q;     // a key agrees
  reg               busy_q;    // one is tried
  reg               found_q;   // it is the right one
  reg  [UPPER-1:0]  upper_q;
  reg  [WIDTH:0]    number_q;  // one bit more, for what is behind the last one
  reg  [WIDTH:0]    from_q;    // the number to begin with
  reg  [WIDTH:0]    final_q;   // last number of the range under these upper bits
  reg               begun_q;   // they are those of the range's first key
  reg  [6:0]        differ_q;  // they are not those of its last one
  reg               ends_q;    // they are
  reg               none_q;    // the range is empty
  wire              past;      // two cycles ago number_q was behind final_q
  wire              above;
  wire              behind;

  wire              run   = state_q == ST_RUN;
  wire              load  = state_q == ST_LOAD;
  wire              hit   = run && any_q;
  wire [48:0]       other = {{49 - UPPER{1'b0}}, upper_q ^ last_q[55:WIDTH]};

  genvar j;
  generate
    for (j = 0; j < 7; j = j + 1) begin : g_differ
      always @(posedge clk) differ_q[j] <= other[7*j +: 7] != 7'd0;
    end
  endgenerate

  always @(posedge clk) begin
    if (load) upper_q <= first_q[55:WIDTH];
    else if (state_q == ST_END && !busy_q && !ends_q) upper_q <= upper_q + {{UPPER-1{1'b0}}, 1'b1};
    number_q <= run ? number_q + STEP : from_q;
    if (load) from_q <= {1'b0, first_q[WIDTH-1:0]} & ALIGN;
    else if (state_q == ST_END) from_q <= {WIDTH + 1{1'b0}};
    else if (run) from_q <= number_q;
    if (load) begun_q <= 1'b1;
    else if (state_q == ST_END && !busy_q) begun_q <= 1'b0;
    ends_q   <= differ_q == 7'd0;
    final_q  <= {1'b0, ends_q ? last_q[WIDTH-1:0] : {WIDTH{1'b1}}};
    none_q   <= above || (begun_q && ends_q && behind);
  end

  des_greater #(
      .WIDTH(WIDTH + 1)
  ) u_past (
      .clk      (clk),
      .one_i    (number_q),
      .other_i  (final_q),
      .greater_o(past)
  );

  des_greater #(
      .WIDTH(UPPER)
  ) u_above (
      .clk      (clk),
      .one_i    (first_q[55:WIDTH]),
      .other_i  (last_q[55:WIDTH]),
      .greater_o(above)
  );

  des_greater #(
      .WIDTH(WIDTH)
  ) u_behind (
      .clk      (clk),
      .one_i    (first_q[WIDTH-1:0]),
      .other_i  (last_q[WIDTH-1:0]),
      .greater_o(behind)
  );

  // ---- lanes: each tells the next one where to begin, and all answer in the same cycle ----

  wire [63:0]        plain;
  wire [63:0]        cipher;
  wire [LANES:0]     loads;
  wire [COUNT-1:0]   starts[0:LANES];
  wire [UPPER-1:0]   uppers[0:LANES];
  wire [63:0]        blocks[0:LANES];
  wire [63:0]        ciphers[0:LANES];
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

  assign loads[0]   = state_q == ST_BEGIN;
  assign starts[0]  = from_q[WIDTH-1:LOW];
  assign uppers[0]  = upper_q;
  assign blocks[0]  = plain;
  assign ciphers[0] = cipher;

  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      wire [OF_LANE-1:0] agree;

      des_lane #(
          .COUNT  (COUNT),
          .ENGINES(OF_LANE),
          .STEP   (LANES)
      ) u_lane (
          .clk     (clk),
          .load_i  (loads[i]),
          .start_i (starts[i]),
          .upper_i (uppers[i]),
          .block_i (blocks[i]),
          .cipher_i(ciphers[i]),
          .load_o  (loads[i+1]),
          .start_o (starts[i+1]),
          .upper_o (uppers[i+1]),
          .block_o (blocks[i+1]),
          .cipher_o(ciphers[i+1]),
          .match_o (agree)
      );

      // A lane begins a cycle before the next one.
      if (i == LANES - 1) begin : g_last
        assign match[OF_LANE*i +: OF_LANE] = agree;
      end else begin : g_early
        reg [OF_LANE*(LANES-1-i)-1:0] wait_q;

        if (i == LANES - 2) begin : g_once
          always @(posedge clk) wait_q <= agree;
        end else begin : g_several
          always @(posedge clk) wait_q <= {wait_q[OF_LANE*(LANES-2-i)-1:0], agree};
        end

        assign match[OF_LANE*i +: OF_LANE] = wait_q[OF_LANE*(LANES-2-i) +: OF_LANE];
      end
    end
  endgenerate

  reg [6:0]         fill_q;
  reg [ENGINES-1:0] match_q;
  reg [ENGINES-1:0] match_q2;
  reg [ENGINES-1:0] match_q3;
  reg [LANES-1:0]   some_q;  // of a lane

  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_some
      always @(posedge clk) some_q[i] <= match_q[OF_LANE*i +: OF_LANE] != {OF_LANE{1'b0}};
    end
  endgenerate

  always @(posedge clk) begin
    match_q  <= match;
    match_q2 <= match_q;
    match_q3 <= match_q2;
    any_q    <= some_q != {LANES{1'b0}};
    fill_q   <= (state_q == ST_BEGIN) ? FILL : fill_q - 7'd1;
  end

  // ---- keys that agree are tried on both pairs, the lowest one first ----

  reg  [ENGINES-1:0] left_q;    // engines whose keys are not yet tried, the next one lowest
  reg                over_q;    // there are none
  reg  [WIDTH:0]     tried_q;   // number of the next one's key
  reg                trying_q;
  reg                second_q;  // the second pair is on
  reg                fresh_q;   // it begins
  reg                fresh_q2;
  reg  [63:0]        block_q;
  reg  [55:0]        key_q;
  reg  [63:0]        wanted_q;
  reg  [7:0]         equal_q;
  reg                right_q;
  reg                good_q;
  reg                bad_q;     // a key has been tried, and is none
  reg  [2:0]         done_q;

  wire               early;     // the key is before the range, where its upper bits are the first's
  wire               late;      // it is behind the range
  wire               done;
  wire [63:0]        result;
  wire [63:0]        key;

  wire end_try = trying_q && done_q[2];
  wire right   = end_try && good_q && second_q;
  wire look    = busy_q && !trying_q && !found_q;
  wire pick    = look && left_q[0];
  wire next    = bad_q || (look && !left_q[0]);

  generate
    for (i = 0; i < 8; i = i + 1) begin : g_byte
      assign key[8*i +: 8] = {key_q[7*i +: 7], ~^key_q[7*i +: 7]};
      always @(posedge clk) equal_q[i] <= result[8*i +: 8] == wanted_q[8*i +: 8];
    end
  endgenerate

  des_greater #(
      .WIDTH(WIDTH)
  ) u_early (
      .clk      (clk),
      .one_i    (first_q[WIDTH-1:0]),
      .other_i  (key_q[WIDTH-1:0]),
      .greater_o(early)
  );

  des_greater #(
      .WIDTH(WIDTH + 1)
  ) u_late (
      .clk      (clk),
      .one_i    (tried_q),
      .other_i  (final_q),
      .greater_o(late)
  );

  des_once u_once (
      .clk    (clk),
      .start_i(fresh_q2),
      .block_i(block_q),
      .key_i  (key),
      .done_o (done),
      .block_o(result)
  );

  always @(posedge clk) begin
    if (!busy_q) left_q <= match_q3;
    else if (next) left_q <= left_q >> 1;
    over_q   <= busy_q && left_q == {ENGINES{1'b0}};
    if (!busy_q) tried_q <= number_q;
    else if (next) tried_q <= tried_q + {{WIDTH{1'b0}}, 1'b1};
    if (pick) key_q <= {upper_q, tried_q[WIDTH-1:0]};
    fresh_q  <= pick || (end_try && good_q && !second_q);
    fresh_q2 <= fresh_q;
    if (pick) second_q <= 1'b0;
    else if (end_try && good_q) second_q <= 1'b1;
    if (load) found_q <= 1'b0;
    else if (right) found_q <= 1'b1;
    bad_q    <= end_try && !good_q;
    block_q  <= text_q[second_q ? 2 : 0];
    wanted_q <= text_q[second_q ? 3 : 1];
    right_q  <= equal_q == 8'hff;
    good_q   <= right_q && !(begun_q && early) && !late;
    done_q   <= {done_q[1:0], done} & {3{!fresh_q && !fresh_q2 && !pick && !end_try}};
    if (rst || load) begin
      busy_q   <= 1'b0;
      trying_q <= 1'b0;
    end else begin
      if (right || (look && over_q)) busy_q <= 1'b0;
      else if (hit) busy_q <= 1'b1;
      if (pick) trying_q <= 1'b1;
      else if (right || bad_q) trying_q <= 1'b0;
    end
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
        ST_BEGIN: state_q <= none_q ? ST_VERDICT : ST_FILL;
        ST_FILL: if (fill_q == 7'd0) state_q <= ST_RUN;
        ST_RUN: if (found_q) state_q <= ST_VERDICT;
                else if (past) state_q <= ST_END;
                else if (hit && busy_q) state_q <= ST_HOLD;
        ST_HOLD: if (!busy_q) state_q <= found_q ? ST_VERDICT : ST_BEGIN;
        ST_END: if (!busy_q) state_q <= (found_q || ends_q) ? ST_VERDICT : ST_BEGIN;
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

  wire unused = &{1'b0, s_axis_tkeep[7:1], loads[LANES], starts[LANES], uppers[LANES],
                  blocks[LANES], ciphers[LANES]};

endmodule

`default_nettype wire
