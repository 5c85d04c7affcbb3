// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256 ("The Hash Function Hamsi", 2009) of messages of whole bytes, from stream to stream,
// padding included: a diagonal of the state a cycle, a quarter of a round.
//
// L takes a word of each row, in columns one further from row to row, and so one bit of what each
// S-box gives: four look-up tables a bit, for a diagonal as for a column. The state turns by a
// column a cycle, so that the diagonal always stands in the same place; what comes of it waits
// until the last one is done, and becomes the state with the next round's constants added.
//
// The state of a word comes in as diagonals, too, two words of the expansion and two of the
// chaining value. Of the expansion's code the upper words are the lower ones of the message's word
// times w, so half of it is there. The chaining value is in LUT RAM, words 0, 1, 4, 5 in one and
// 2, 3, 6, 7 in another, of which each a word comes into a diagonal, and one of what comes of it is
// added to each.
//
// Interface: docs/cores.md. A word of 32 bits takes 16 cycles, four and three times four; the last
// one, which is the lower half of the length, 28; then the digest goes out, in 8, while the first
// chaining value comes back. N words, with the mark's, from the first beat in to the last beat out,
// 2 + 16 (N + 1) + 28 + 8. Resets: control; then the chaining value, in 8 cycles.

`default_nettype none

module hamsi_diagonals (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  // As hamsi_round has them.
  localparam [511:0] ALPHA = {
    128'hccccff00_aaaaf0f0_f0f0cccc_aaaaff00, 128'hf0f0cccc_ff00aaaa_ff00f0f0_ccccaaaa,
    128'haaaaf0f0_ccccff00_aaaaff00_f0f0cccc, 128'hff00aaaa_f0f0cccc_ccccaaaa_ff00f0f0
  };
  localparam [511:0] ALPHA_FINAL = {
    128'h0ff0caf9_f9c0639c_639c0ff0_f9c0caf9, 128'h639c0ff0_caf9f9c0_caf9639c_0ff0f9c0,
    128'hf9c0639c_0ff0caf9_f9c0caf9_639c0ff0, 128'hcaf9f9c0_639c0ff0_0ff0f9c0_caf9639c
  };

  localparam [1:0] ST_GIVE   = 2'd0;  // the digest, and the first chaining value
  localparam [1:0] ST_LOAD   = 2'd1;  // a word, expanded
  localparam [1:0] ST_ROUNDS = 2'd2;

  // "versiteit Leuven, Departement El".
  function [31:0] initial_word(input [2:0] index);
    case (index)
      3'd0: initial_word = 32'h76657273;
      3'd1: initial_word = 32'h69746569;
      3'd2: initial_word = 32'h74204c65;
      3'd3: initial_word = 32'h7576656e;
      3'd4: initial_word = 32'h2c204465;
      3'd5: initial_word = 32'h70617274;
      3'd6: initial_word = 32'h656d656e;
      default: initial_word = 32'h7420456c;
    endcase
  endfunction

  // ---- control --------------------------------------------------------------------------------

  wire [31:0] word;
  wire        word_last;
  wire        word_full;
  wire        free;  // for a word of the digest

  reg  [1:0]  state_q;
  reg  [1:0]  turn_q;   // number of the diagonal, of the digest's word in its half
  reg  [2:0]  round_q;  // of the round, of the digest's half
  reg         ends_q;   // the diagonal is the last one of four
  reg         final_q;  // the word is the last one
  reg         quiet_q;  // there is no digest: a reset was

  wire       gives = state_q == ST_GIVE;
  wire       loads = state_q == ST_LOAD;
  wire       last = round_q == (final_q ? 3'd5 : 3'd2);  // round of a word
  wire       go = gives ? quiet_q || free : !loads || word_full;
  wire       take = loads && ends_q;
  wire [1:0] next_turn = go ? turn_q + 2'd1 : turn_q;

  always @(posedge clk) begin
    if (rst) begin
      state_q <= ST_GIVE;
      turn_q  <= 2'd0;
      ends_q  <= 1'b0;
      round_q <= 3'd0;
      quiet_q <= 1'b1;
    end else begin
      turn_q <= next_turn;
      ends_q <= next_turn == 2'd3;
      if (go && ends_q) begin
        case (state_q)
          ST_LOAD: begin
            state_q <= ST_ROUNDS;
            round_q <= 3'd0;
          end
          ST_ROUNDS: begin
            if (last) state_q <= final_q ? ST_GIVE : ST_LOAD;
            round_q <= last ? 3'd0 : round_q + 3'd1;
          end
          default: begin
            if (round_q[0]) state_q <= ST_LOAD;
            round_q[0] <= !round_q[0];
            if (round_q[0]) quiet_q <= 1'b0;
          end
        endcase
      end
    end
  end

  always @(posedge clk) begin
    if (loads) final_q <= word_last;
  end

  // ---- the expansion ----------------------------------------------------------------------------

  // Two words of it for each diagonal: 0 and 7, 1 and 2, 4 and 3, 5 and 6. Word i + 4 is word i of
  // the message's word with each element times w. Of one of both words 0 and 1 are used, of the
  // other one words 2 and 3.
  wire [31:0]  times_w;
  wire [255:0] of_first;
  wire [255:0] of_second;
  wire [31:0]  first = turn_q[0] ? of_first[63:32] : of_first[31:0];
  wire [31:0]  second = turn_q[0] ? of_second[95:64] : of_second[127:96];
  wire         outer = turn_q[0] == turn_q[1];  // the first or the last diagonal

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_element
      assign times_w[2*i +: 2] = {word[2*i] ^ word[2*i+1], word[2*i+1]};
    end
  endgenerate

  hamsi_expand u_first (
      .word_i (turn_q[1] ? times_w : word),
      .words_o(of_first)
  );

  hamsi_expand u_second (
      .word_i (outer ? times_w : word),
      .words_o(of_second)
  );

  // ---- the chaining value -----------------------------------------------------------------------

  (* ram_style = "distributed" *) reg [31:0] low_q[0:3];   // words 0, 1, 4, 5
  (* ram_style = "distributed" *) reg [31:0] high_q[0:3];  // words 6, 7, 2, 3

  wire [127:0] mixed;  // a diagonal behind L, row 0 lowest
  wire [2:0]   index = {round_q[0], turn_q};  // of the word of the digest
  wire [1:0]   given_at = {index[2] ^ index[1], index[0]};
  wire [1:0]   low_at = gives ? given_at : loads ? turn_q ^ 2'd2 : turn_q;
  wire [1:0]   high_at = gives ? given_at : loads ? turn_q - 2'd1 : turn_q;
  wire [31:0]  low = low_q[low_at];
  wire [31:0]  high = high_q[high_at];
  wire         feeds = state_q == ST_ROUNDS && last;
  wire [31:0]  initial_one = initial_word(index);

  always @(posedge clk) begin
    if (feeds || (gives && go && !index[1])) begin
      low_q[low_at] <= gives ? initial_one : low ^ (turn_q[1] ? mixed[95:64] : mixed[31:0]);
    end
    if (feeds || (gives && go && index[1])) begin
      high_q[high_at] <= gives ? initial_one : high ^ (turn_q[1] ? mixed[31:0] : mixed[95:64]);
    end
  end

  // ---- the state --------------------------------------------------------------------------------

  reg  [511:0] rows_q;     // row 0 lowest, and in each row the column that is next
  reg  [383:0] waiting_q;  // three diagonals, the first one lowest
  wire [511:0] rounded;
  wire [127:0] loaded;
  wire [127:0] diagonal = loads ? loaded : mixed;
  wire [511:0] diagonals = {diagonal, waiting_q};
  wire [511:0] gathered;
  wire [2:0]   counter = loads ? 3'd0 : round_q + 3'd1;
  wire [511:0] constants = (final_q ? ALPHA_FINAL : ALPHA) ^
                           {477'd0, counter, 32'd0};

  // Which of the rows have words of the chaining value.
  assign loaded = {outer ? second : high, turn_q[1] ? first : low,
                   outer ? high : second, turn_q[1] ? low : first};

  // Constants are in the state already, so those of the round are taken out. Of what it gives, one
  // diagonal is used.
  hamsi_round u_round (
      .state_i  (rows_q ^ ALPHA),
      .counter_i(3'd0),
      .final_i  (1'b0),
      .state_o  (rounded)
  );

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_row
      assign mixed[32*i +: 32] = rounded[128*i+32*i +: 32];
    end

    for (i = 0; i < 16; i = i + 1) begin : g_word
      localparam ROW = i / 4;
      localparam COLUMN = i % 4;
      localparam FROM = (COLUMN + 4 - ROW) % 4;
      localparam NEXT = (COLUMN + 1) % 4;
      assign gathered[32*i +: 32] = diagonals[128*FROM+32*ROW +: 32];

      always @(posedge clk) begin
        rows_q[32*i +: 32] <= ends_q ? gathered[32*i +: 32] ^ constants[32*i +: 32] :
                                     rows_q[128*ROW+32*NEXT +: 32];
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (go) waiting_q <= diagonals[511:128];
  end

  wire unused = &{1'b0, of_first[255:64], of_second[255:128], of_second[63:0], rounded};

  // ---- the ends ---------------------------------------------------------------------------------

  message_words #(
      .MARK(8'h80)
  ) u_words (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (word),
      .last_o       (word_last),
      .full_o       (word_full),
      .take_i       (take)
  );

  wire [31:0] given = index[1] ? high : low;
  reg         valid_q;
  reg         last_q;
  reg  [31:0] data_q;

  assign free          = !valid_q || m_axis_tready;
  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = 4'hf;
  assign m_axis_tlast  = last_q;
  assign m_axis_tvalid = valid_q;

  always @(posedge clk) begin
    if (rst) valid_q <= 1'b0;
    else if (free) valid_q <= gives && !quiet_q;
  end

  always @(posedge clk) begin
    if (free) begin
      // Words of the function have their highest byte first.
      data_q <= {given[7:0], given[15:8], given[23:16], given[31:24]};
      last_q <= index == 3'd7;
    end
  end

endmodule

`default_nettype wire
