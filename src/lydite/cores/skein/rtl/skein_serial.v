// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256 of round 2 or 3 of the SHA-3 contest ("The Skein Hash Function Family", version 1.2
// or 1.3) of messages of whole bytes, from stream to stream, a MIX of Threefish-512 a cycle. What
// is encrypted, the key and the block are in LUT RAM, a word in a place.
//
// Even and odd words of what is encrypted have a memory each, since one of each makes a MIX, and
// the permutation leaves them apart: no word is moved, but looked for where the permutations put
// it. A step goes through three cycles: words of the subkey; their addition; MIX. A MIX needs what
// was made two steps before, or more.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast; docs/cores.md has the rules. s_axis_tready depends on registers
// only.
//
// Cycles, for a source that always offers and a sink that always takes: 305 for a block of 64
// bytes: one that waits for it, 8 that load it, 288 of the rounds, 8 that add the last subkey and
// the block to the chain value; 304 for that of the output. The next block comes in meanwhile.
// Resets: control, and with it the chain value, in 8 cycles.

`default_nettype none

module skein_serial #(
    // Version 1.MINOR of the document: 2, 3.
    parameter MINOR = 2
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

  localparam [1:0] ST_WAIT   = 2'd0;
  localparam [1:0] ST_LOAD   = 2'd1;
  localparam [1:0] ST_ROUNDS = 2'd2;
  localparam [1:0] ST_END    = 2'd3;

  localparam [8:0]  LAST_MIX = 9'd287;
  // 3.5.1: the types of blocks, and what all blocks of the output have.
  localparam [5:0]  TYPE_MESSAGE = 6'd48;
  localparam [5:0]  TYPE_OUTPUT = 6'd63;
  localparam [63:0] OUTPUT_BYTES = 64'd8;

  `include "skein_version.vh"

  // A word of the initial value.
  function [63:0] initial_word(input [2:0] index);
    case (index)
      3'd0: initial_word = IV[63:0];
      3'd1: initial_word = IV[127:64];
      3'd2: initial_word = IV[191:128];
      3'd3: initial_word = IV[255:192];
      3'd4: initial_word = IV[319:256];
      3'd5: initial_word = IV[383:320];
      3'd6: initial_word = IV[447:384];
      default: initial_word = IV[511:448];
    endcase
  endfunction

  // Table 4: of a round modulo 8 a byte for each MIX, that of MIX 0 lowest.
  function [31:0] rotations(input [2:0] round);
    case (round)
      3'd0: rotations = {8'd37, 8'd19, 8'd36, 8'd46};
      3'd1: rotations = {8'd42, 8'd14, 8'd27, 8'd33};
      3'd2: rotations = {8'd39, 8'd36, 8'd49, 8'd17};
      3'd3: rotations = {8'd56, 8'd54, 8'd9, 8'd44};
      3'd4: rotations = {8'd24, 8'd34, 8'd30, 8'd39};
      3'd5: rotations = {8'd17, 8'd10, 8'd50, 8'd13};
      3'd6: rotations = {8'd43, 8'd39, 8'd29, 8'd25};
      default: rotations = {8'd22, 8'd56, 8'd35, 8'd8};
    endcase
  endfunction

  // ---- blocks as they come in: one is loaded and added from a half of the memory ----------------

  wire [63:0] tdata;
  wire [7:0]  tkeep;
  wire        tlast;
  wire        tvalid;
  wire        tready;

  // Nothing marks the end of a message, so the last block must be known with its last word.
  stream_merge_end #(
      .DATA_BITS(64)
  ) u_merge (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .m_axis_tdata (tdata),
      .m_axis_tkeep (tkeep),
      .m_axis_tlast (tlast),
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready)
  );

  wire [63:0] word;
  wire        word_full;
  wire [2:0]  word_bytes;
  wire        word_end;
  wire        word_valid;
  wire        word_ready;

  message_pad #(
      .DATA_BITS(64),
      .MARK     (8'h00)
  ) u_pad (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (tdata),
      .s_axis_tkeep (tkeep),
      .s_axis_tlast (tlast),
      .s_axis_tvalid(tvalid),
      .s_axis_tready(tready),
      .word_o       (word),
      .word_full_o  (word_full),
      .word_bytes_o (word_bytes),
      .word_end_o   (word_end),
      .word_valid_o (word_valid),
      .word_ready_i (word_ready)
  );

  reg  [2:0]  place_q;  // where the next word goes
  reg         zeros_q;  // the message has ended: zeros do
  reg         full_q;  // a block is there
  reg         block_final_q;  // it is the last one
  reg         start_q;  // the next word is the first of a message
  reg  [57:0] words_q;  // whole words of the message, and bytes behind them
  reg  [2:0]  bytes_q;
  reg         half_q;  // that of the block which is encrypted

  wire take;  // that which is there is encrypted next
  wire write = word_valid && word_ready;
  wire store = write || zeros_q;
  wire stored = store && place_q == 3'd7;
  wire [57:0] words_before = start_q ? 58'd0 : words_q;

  assign word_ready = !full_q && !zeros_q;

  always @(posedge clk) begin
    if (rst) begin
      place_q <= 3'd0;
      zeros_q <= 1'b0;
      full_q  <= 1'b0;
      start_q <= 1'b1;
    end else begin
      if (store) place_q <= place_q + 3'd1;
      zeros_q <= !stored && (zeros_q || (write && word_end));
      full_q  <= stored || (full_q && !take);
      if (write) start_q <= word_end;
    end
  end

  always @(posedge clk) begin
    if (write) begin
      block_final_q <= word_end;
      words_q       <= words_before + {57'd0, word_full};
      bytes_q       <= word_bytes;
    end
  end

  (* ram_style = "distributed" *) reg [63:0] block_q[0:15];

  always @(posedge clk) begin
    if (store) block_q[{!half_q, place_q}] <= zeros_q ? 64'd0 : word;
  end

  // ---- control: the first cycle of a step -------------------------------------------------------

  reg  [1:0] state_q;
  reg  [8:0] step_q;
  reg        first_q;  // the next block is the first one
  reg        final_q;  // the block is the last one
  reg        out_q;  // it is the one of the output
  reg        quiet_q;  // it is none: a reset has begun what it ends with
  reg  [3:0] left_q;  // a one for each word of a digest that is left, from the lowest up

  // A digest goes to where the last one was.
  wire holds = state_q == ST_END && step_q[2:0] == 3'd0 && out_q && left_q[0];
  wire ends = state_q == ST_END && step_q[2:0] == 3'd7;
  wire turn = ends && final_q && !out_q;  // the output's block begins

  assign take = state_q == ST_WAIT && full_q;

  always @(posedge clk) begin
    if (rst) begin
      state_q <= ST_END;
      step_q  <= 9'd0;
      first_q <= 1'b1;
      final_q <= 1'b0;
      out_q   <= 1'b1;
      quiet_q <= 1'b1;
      half_q  <= 1'b0;
    end else begin
      step_q <= step_q + 9'd1;
      case (state_q)
        ST_WAIT: begin
          step_q <= 9'd0;
          if (full_q) begin
            state_q <= ST_LOAD;
            final_q <= block_final_q;
            first_q <= 1'b0;
            half_q  <= !half_q;
          end
        end
        ST_LOAD: begin
          if (step_q[2:0] == 3'd7) begin
            state_q <= ST_ROUNDS;
            step_q  <= 9'd0;
          end
        end
        ST_ROUNDS: begin
          if (step_q == LAST_MIX) begin
            state_q <= ST_END;
            step_q  <= 9'd0;
          end
        end
        default: begin
          if (holds) step_q <= 9'd0;
          if (ends) begin
            state_q <= turn ? ST_LOAD : ST_WAIT;
            step_q  <= 9'd0;
            out_q   <= turn;
            quiet_q <= 1'b0;
            if (out_q) first_q <= 1'b1;
          end
        end
      endcase
    end
  end

  // ---- words of the subkey, with those of the tweak and its number ----------------------------

  // Copies, since two words are read at once; the first one's address modulo 9 goes up by 2, and
  // from subkey to subkey by 1 more.
  (* ram_style = "distributed" *) reg [63:0] key_even_q[0:15];
  (* ram_style = "distributed" *) reg [63:0] key_odd_q[0:15];
  reg  [3:0]   even_at_q;
  reg  [3:0]   odd_at_q;
  reg  [4:0]   number_q;
  reg  [191:0] tweak_q;  // for word 5, for word 6, and the third one
  reg  [63:0]  even_key_q;
  reg  [63:0]  odd_key_q;

  // An address of the key, further on by less than 9.
  function [3:0] further(input [3:0] at, input [3:0] by);
    reg [4:0] sum;
    begin
      sum = {1'b0, at} + {1'b0, by};
      further = (sum >= 5'd9) ? sum[3:0] - 4'd9 : sum[3:0];
    end
  endfunction

  wire         adds = state_q == ST_END || (state_q == ST_ROUNDS && step_q[3:2] == 2'd0);
  wire [1:0]   pair = (state_q == ST_END) ? step_q[2:1] : step_q[1:0];
  wire         paired = adds && (state_q != ST_END || step_q[0]);
  wire [3:0]   by = (pair == 2'd3) ? 4'd4 : 4'd2;
  wire [63:0]  t0 = turn ? OUTPUT_BYTES : {3'd0, words_q, bytes_q};
  wire [63:0]  t1 = {turn || block_final_q, turn || first_q, turn ? TYPE_OUTPUT : TYPE_MESSAGE,
                     56'd0};
  wire [63:0]  even_addend = tweak_q[127:64] & {64{pair == 2'd3}};
  wire [63:0]  odd_addend = (tweak_q[63:0] & {64{pair == 2'd2}}) |
                            {59'd0, number_q & {5{pair == 2'd3}}};

  always @(posedge clk) begin
    if (state_q == ST_LOAD) begin
      even_at_q <= 4'd0;
      odd_at_q  <= 4'd1;
      number_q  <= 5'd0;
    end else if (paired) begin
      even_at_q <= further(even_at_q, by);
      odd_at_q  <= further(odd_at_q, by);
      if (pair == 2'd3) number_q <= number_q + 5'd1;
    end
    if (take || turn) tweak_q <= {t0 ^ t1, t1, t0};
    else if (paired && pair == 2'd3) tweak_q <= {tweak_q[63:0], tweak_q[191:64]};
  end

  always @(posedge clk) begin
    if (!adds) begin
      even_key_q <= 64'd0;
      odd_key_q  <= 64'd0;
    end else begin
      even_key_q <= key_even_q[even_at_q] + even_addend;
      odd_key_q  <= key_odd_q[odd_at_q] + odd_addend;
    end
  end

  // ---- their addition: the second cycle -------------------------------------------------------

  (* ram_style = "distributed" *) reg [63:0] even_words_q[0:3];
  (* ram_style = "distributed" *) reg [63:0] odd_words_q[0:3];
  reg  [1:0]  adding_q;  // the state, and the step as far as it counts
  reg  [4:0]  add_step_q;
  reg         add_out_q;
  reg         add_gives_q;
  reg  [63:0] even_q;
  reg  [63:0] odd_q;
  reg  [63:0] added_q;  // word of the block
  reg  [5:0]  turned_q;

  // Where the permutations have put the words: even ones a place down each round, odd ones 1 and 3
  // of one another.
  wire        is_round = adding_q == ST_ROUNDS;
  wire [1:0]  even_place = is_round ? add_step_q[1:0] + add_step_q[3:2] : add_step_q[2:1];
  wire [1:0]  odd_place = !is_round ? add_step_q[2:1] :
                          add_step_q[2] ? -add_step_q[1:0] : add_step_q[1:0];
  wire [31:0] four = rotations(add_step_q[4:2]);
  wire [7:0]  turned = four[8*add_step_q[1:0] +: 8];

  wire        unused_turned = &{1'b0, turned[7:6]};

  always @(posedge clk) begin
    if (rst || holds) adding_q <= ST_WAIT;
    else adding_q <= state_q;
  end

  always @(posedge clk) begin
    add_step_q  <= step_q[4:0];
    add_out_q   <= out_q;
    add_gives_q <= out_q && !quiet_q && !step_q[2];
    even_q      <= even_words_q[even_place] + even_key_q;
    odd_q       <= odd_words_q[odd_place] + odd_key_q;
    turned_q    <= turned[5:0];
    if (add_out_q) added_q <= 64'd0;
    else added_q <= block_q[{half_q, add_step_q[2:0]}];
  end

  // ---- MIX, or a word of the chain value: the third cycle -------------------------------------

  reg  [1:0]   mixing_q;
  reg  [2:0]   mix_step_q;
  reg          mix_out_q;
  reg          mix_gives_q;
  reg  [1:0]   even_place_q;
  reg  [1:0]   odd_place_q;
  reg  [63:0]  parity_q;
  reg  [255:0] digest_q;

  wire         loads = mixing_q == ST_LOAD;
  wire         mixes = mixing_q == ST_ROUNDS;
  wire         chains = mixing_q == ST_END;
  wire [63:0]  sum = even_q + odd_q;
  wire [127:0] twice = {odd_q, odd_q} << turned_q;
  wire [63:0]  chain = (mix_step_q[0] ? odd_q : even_q) ^ added_q;
  wire [63:0]  key_word = mix_out_q ? initial_word(mix_step_q) : chain;
  // The ninth word of the key is written while a block is loaded.
  wire [3:0]   key_at = chains ? {1'b0, mix_step_q} : 4'd8;
  wire [63:0]  key_data = chains ? key_word : parity_q;
  wire         gives = chains && mix_gives_q;
  wire         move = m_axis_tvalid && m_axis_tready;

  wire         unused_twice = &{1'b0, twice[63:0]};

  always @(posedge clk) begin
    if (rst) mixing_q <= ST_WAIT;
    else mixing_q <= adding_q;
  end

  always @(posedge clk) begin
    mix_step_q   <= add_step_q[2:0];
    mix_out_q    <= add_out_q;
    mix_gives_q  <= add_gives_q;
    even_place_q <= even_place;
    odd_place_q  <= odd_place;
    if (rst || mixes) parity_q <= PARITY;
    else if (chains) parity_q <= parity_q ^ key_word;
  end

  always @(posedge clk) begin
    if (mixes || (loads && !mix_step_q[0])) even_words_q[even_place_q] <= loads ? added_q : sum;
    if (mixes || (loads && mix_step_q[0])) begin
      odd_words_q[odd_place_q] <= loads ? added_q : twice[127:64] ^ sum;
    end
    if (chains || loads) begin
      key_even_q[key_at] <= key_data;
      key_odd_q[key_at]  <= key_data;
    end
  end

  // ---- the digest -----------------------------------------------------------------------------

  assign m_axis_tdata  = digest_q[63:0];
  assign m_axis_tkeep  = 8'hff;
  assign m_axis_tvalid = left_q[0];
  assign m_axis_tlast  = !left_q[1];

  always @(posedge clk) begin
    if (rst) left_q <= 4'd0;
    else if (gives && mix_step_q[1:0] == 2'd3) left_q <= 4'hf;
    else if (move) left_q <= left_q >> 1;
  end

  always @(posedge clk) begin
    if (gives || move) digest_q <= {chain, digest_q[255:64]};
  end

endmodule

`default_nettype wire
