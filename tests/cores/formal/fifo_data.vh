// SPDX-License-Identifier: Apache-2.0
// Put into a copy of fifo_async.v before its end: what goes in comes out, in the order in which it
// went in. Words are numbered as they are taken and as they are given, modulo two laps; one number
// is tracked, any. Fewer than two laps of words are under way, so that the number tells one word.
  (* anyconst *) wire [TOP:0] tracked;
  localparam [TOP:0] NONE = 0;
  reg [TOP:0] taken_q;
  reg [TOP:0] given_q;
  reg [WIDTH-1:0] word_q;  // that was taken under the number last
  initial taken_q = NONE;
  initial given_q = NONE;
  always @(posedge wr_clk)
    if (wr_valid_i & wr_ready_o) begin
      taken_q <= taken_q + ONE;
      if (taken_q == tracked) word_q <= wr_data_i;
    end
  always @(posedge rd_clk) if (rd_valid_o & rd_ready_i) given_q <= given_q + ONE;

  wire [TOP:0] stored = wr_q - rd_q;
  wire [TOP:0] before = tracked - rd_q;  // words that leave the memory before the tracked one
  wire [TOP:0] under_way = taken_q - given_q;
  always @* begin
    // What is shown: the word under a number that is given is the one that was taken under it.
    if (rd_valid_o && given_q == tracked) assert (rd_data_o == word_q);
    // As many are under way as have room, and a word at the output is one of them.
    assert (under_way <= DEPTH + 1);
    if (rd_valid_o) assert (under_way != NONE);
    // What it follows from.
    assert (taken_q == wr_q);
    assert (given_q == rd_q - valid_q);
    if (before < stored) assert (memory[tracked[TOP-1:0]] == word_q);
    if (valid_q && rd_q == tracked + ONE) assert (data_q == word_q);
  end
