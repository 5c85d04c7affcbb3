// SPDX-License-Identifier: Apache-2.0
//
// The compression function of Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate", 3.2) on
// one round for both permutations, which go through it by turns: a round of Q, then one of P. A
// round begins behind the S-boxes, which are tables with a register, and has another one there:
// ShiftBytes and MixBytes, the next round's constant, and the S-boxes again. 20 steps for ten
// rounds of both; with the next two, what has become of Q and of P is added to the chain value, and
// the next Q and P begin. Behind the last block P alone counts once more, for the output.
//
// A step is FOLD cycles. Where these are two, columns 0 to 3 are made in the first one and columns
// 4 to 7 in the second, for which the halves of all states change places: then the same columns are
// made, and half of the S-boxes and of MixBytes is enough. Since both cycles need the whole state,
// what comes from the S-boxes is kept up to four cycles.
//
// The core waits before Q begins, if it has to, for the next block or for room for a digest.
//
// Interface: the block_* of message_head, and digest_out. Resets: control and the chain value.

`default_nettype none

module groestl_core #(
    // Cycles of a step: 1 or 2. They divide S-boxes.
    parameter FOLD = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire         final_i,
    input  wire         full_i,
    output wire         take_o,
    output wire [255:0] digest_o,  // byte 0 lowest
    output wire         load_o,
    input  wire         free_i
);

  localparam [4:0]   LAST = 5'd19;
  localparam [511:0] IV = {8'h00, 8'h01, 496'd0};  // 256 as the last bytes

  localparam WIDTH = 512 / FOLD;  // bits that are made in a cycle

  generate
    if (FOLD != 1 && FOLD != 2) begin : g_fold
      ERROR_fold_must_be_1_or_2 u_error ();
    end
  endgenerate

  // ---- control --------------------------------------------------------------------------------

  reg         second_q;  // the second cycle of a step
  reg         full_q;  // a block was there in the first one
  reg  [4:0]  step_q;  // rounds: even ones of Q, odd ones of P
  reg         q_begins_q;  // step_q is 0
  reg         p_begins_q;  // step_q is 1
  reg         idle_q;  // no message; the chain value is the first one
  reg         final_q;  // the block is the last one
  reg         out_q;  // the output is made
  reg         block_q;  // with P: a block has begun
  reg         ends_q;  // with P: the output is there

  // What Q begins with: the next block, or nothing for the output. When an output ends, P has to
  // go on for a round; a block that is there begins with that.
  wire turn = !idle_q && !out_q && final_q;
  wire ends = !idle_q && out_q;
  wire full = second_q ? full_q : full_i;
  wire go = ends ? free_i : turn || full;
  wire block = ends ? full : !turn;
  wire en = !q_begins_q || go;
  wire step_ends = FOLD == 1 || second_q;
  wire next_step = en && step_ends;

  // The block is wanted for another step, since P begins with it.
  assign take_o = p_begins_q && block_q && step_ends;
  assign load_o = p_begins_q && ends_q && step_ends;

  wire stop = load_o && !block_q;  // no block is there

  always @(posedge clk) begin
    if (rst) begin
      second_q   <= 1'b0;
      step_q     <= 5'd0;
      q_begins_q <= 1'b1;
      p_begins_q <= 1'b0;
      idle_q     <= 1'b1;
      final_q    <= 1'b0;
      out_q      <= 1'b0;
    end else begin
      second_q <= en && !step_ends;
      if (next_step) begin
        step_q     <= (step_q == LAST || stop) ? 5'd0 : step_q + 5'd1;
        q_begins_q <= step_q == LAST || stop;
        p_begins_q <= q_begins_q;
      end
      if (q_begins_q && next_step) begin
        idle_q <= ends && !full_i;
        out_q  <= turn;
        if (block) final_q <= final_i;
      end
    end
  end

  always @(posedge clk) begin
    full_q <= full;
    if (q_begins_q) begin
      block_q <= block;
      ends_q  <= ends;
    end
  end

  // ---- the block ------------------------------------------------------------------------------

  // Behind the last block's padding: the number of blocks.
  reg  [63:0]  number_q;
  wire [511:0] m;
  genvar i;
  generate
    assign m[447:0] = block_i[447:0];
    for (i = 0; i < 8; i = i + 1) begin : g_count
      assign m[504-8*i +: 8] = block_i[504-8*i +: 8] | (final_i ? number_q[8*i +: 8] : 8'h00);
    end
  endgenerate

  always @(posedge clk) begin
    if (rst || (take_o && final_i)) number_q <= 64'd1;
    else if (take_o) number_q <= number_q + 64'd1;
  end

  // ---- the permutations -----------------------------------------------------------------------

  // What the next round is made of, and whether what becomes of this one is added to the chain
  // value: known a cycle before.
  reg          mixed_q;
  reg          chain_q;
  reg          block_in_q;
  reg          first_q;
  reg          sums_q;

  always @(posedge clk) begin
    if (rst) begin
      mixed_q    <= 1'b0;
      chain_q    <= 1'b0;
      block_in_q <= 1'b1;
      first_q    <= 1'b0;
      sums_q     <= 1'b0;
    end else if (q_begins_q && next_step) begin
      mixed_q    <= !idle_q && !ends;
      chain_q    <= !ends;
      block_in_q <= block;
      first_q    <= ends;
      sums_q     <= !idle_q;
    end else if (next_step) begin
      // The next one is Q's first, or any later one.
      mixed_q    <= step_q != LAST && !stop;
      chain_q    <= 1'b0;
      block_in_q <= step_q == LAST || stop;
      first_q    <= 1'b0;
      sums_q     <= step_q == LAST && !out_q;
    end
  end

  reg  [511:0]     h_q;  // the half that is next lowest
  wire [511:0]     h_d;
  wire [511:0]     state;  // as in h_q
  wire [WIDTH-1:0] mixed;
  wire [WIDTH-1:0] h_sum = h_q[WIDTH-1:0] ^ (mixed & {WIDTH{sums_q}});
  wire [WIDTH-1:0] message = second_q ? m[511:512-WIDTH] : m[WIDTH-1:0];
  wire [WIDTH-1:0] iv = second_q ? IV[511:512-WIDTH] : IV[WIDTH-1:0];
  wire [WIDTH-1:0] next = (mixed & {WIDTH{mixed_q}}) ^ (h_q[WIDTH-1:0] & {WIDTH{chain_q}})
                            ^ (message & {WIDTH{block_in_q}}) ^ (iv & {WIDTH{first_q}});
  wire [WIDTH-1:0] added;  // with the constant of the round
  wire [WIDTH-1:0] substituted;
  wire [7:0]       round = {4'd0, step_q[4:1]};

  groestl_mix #(
      .COLUMNS(8 / FOLD)
  ) u_mix (
      .state_i(state),
      .state_o(mixed)
  );

  // Column 0 alone has one.
  assign added = {next[WIDTH-1:64],
                  next[63:56] ^ (step_q[0] || second_q ? 8'h00 : ~round),
                  next[55:8],
                  next[7:0] ^ (step_q[0] && !second_q ? round : 8'h00)};

  generate
    for (i = 0; i < 32 / FOLD; i = i + 1) begin : g_substitute
      aes_sbox_pair #(
          .MEMORY (1),
          .INVERSE(0)
      ) u_pair (
          .clk     (clk),
          .en_i    (en),
          .invert_i(1'b0),
          .a_i     (added[16*i +: 8]),
          .b_i     (added[16*i+8 +: 8]),
          .a_o     (substituted[16*i +: 8]),
          .b_o     (substituted[16*i+8 +: 8])
      );
    end

    if (FOLD == 1) begin : g_whole
      reg [511:0] state_q;

      always @(posedge clk) begin
        if (en) state_q <= substituted;
      end

      assign state = state_q;
      assign h_d   = h_sum;
    end else begin : g_halves
      // Of the last cycles, the last one highest. In a first cycle the two halves are two and three
      // cycles old, in a second one, which needs the other one first, three and four.
      reg [1023:0] past_q;

      always @(posedge clk) begin
        if (en) past_q <= {substituted, past_q[1023:256]};
      end

      assign state = {second_q ? past_q[255:0] : past_q[767:512], past_q[511:256]};
      // The half that is added to goes to the top.
      assign h_d   = {h_sum, h_q[511:256]};
    end
  endgenerate

  always @(posedge clk) begin
    if (rst || load_o) h_q <= IV;
    else if (en) h_q <= h_d;
  end

  assign digest_o = h_q[WIDTH-1:WIDTH-256] ^ mixed[WIDTH-1:WIDTH-256];

endmodule

`default_nettype wire
