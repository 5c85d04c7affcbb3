// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) of messages of any length, from
// stream to stream: hash, keyed hash and key derivation by a pipeline that takes a block a cycle
// (blake3_pipe), or by a ring that takes one in seven (blake3_ring).
//
// Interface: AXI4-Stream with beats of 64 or 8 bytes, byte 0 in tdata[7:0]; packets, tuser and what
// comes out are those of blake3_core.
//
// What follows is of the pipeline. In the ring all goes by turns of seven cycles, a group has eight
// chunks, and a compression takes five turns, so that six are between two blocks of a chunk.
//
// A compression takes 32 cycles from the cycle that asks for its block to the one that may ask for
// the next of its chunk. So chunks come in groups of 32 (blake3_groups), and block j of all goes in
// before block j + 1 of the first; chaining values wait in a memory of 32 words. While a group is
// hashed, the next one comes in.
//
// The tree (2.1) is folded in the same pipeline. When a subtree of 2^l chunks comes out, it waits
// in place l of a memory if that is free; else its left sibling is there, and both go in as a
// parent at once, before any chunk. Subtrees of one size come out in the order of their chunks, so
// that siblings meet. The last block of a message goes in when all else has come out: then the
// subtrees that wait are those that the last chunk is joined with, from the smallest on, and the
// last of these compressions is the root's. The root goes in again for each 64 bytes of output.
//
// Cycles: a group of 32 whole chunks is 512 blocks and 32 parents, a cycle each. A message ends
// with 32 cycles and a few more for its last block and for each level of the tree that is left; one
// of a single chunk takes 32 for each block, since nothing else is there meanwhile, and so does
// each further 64 bytes of output.
//
// Resets: control. A call under way is forgotten; the first beat may come in the next cycle.

`default_nettype none

module blake3_pipelined #(
    // Rounds in hardware: 7, a block a cycle, or 1, a block in seven cycles.
    parameter ROUNDS    = 7,
    // Bits of a beat: 64 or 512.
    parameter DATA_BITS = 512,
    // 1 for cells of ECP5 in the pipeline, which then fits that family only; see xor_add.
    parameter CELLS     = 0
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire [31:0]            s_axis_tuser,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  // 2.2, table 1, word 0 lowest.
  localparam [255:0] IV = {32'h5be0cd19, 32'h1f83d9ab, 32'h9b05688c, 32'h510e527f,
                           32'ha54ff53a, 32'h3c6ef372, 32'hbb67ae85, 32'h6a09e667};
  localparam [1:0] OP_KEYED = 2'd1;
  localparam [1:0] OP_DERIVE = 2'd2;
  // What a compression gives, a bit each: a chaining value within a chunk, a subtree, one that has
  // the last chunk, the root. No bit: there is no compression.
  localparam TO_CHUNK = 0;
  localparam TO_TREE = 1;
  localparam TO_EDGE = 2;
  localparam TO_OUTPUT = 3;
  // A block may go in once in so many cycles.
  localparam PERIOD = 7 / ROUNDS;
  // From the cycle that asks for a block to that of its chaining value: a multiple, so that a
  // parent goes in at once.
  localparam LATENCY = ROUNDS == 7 ? 31 : 35;
  // Chunks of a group, a power of two: they cover the latency.
  localparam CHUNK_BITS = ROUNDS == 7 ? 5 : 3;
  localparam BASE_BITS = 54 - CHUNK_BITS;

  localparam [2:0] ST_WAIT = 3'd0;     // for a group
  localparam [2:0] ST_CHUNKS = 3'd1;   // all its blocks but the last of a message
  localparam [2:0] ST_LAST = 3'd2;     // that one, when nothing else is under way
  localparam [2:0] ST_LEVEL = 3'd3;    // the smallest subtree that waits is looked for
  localparam [2:0] ST_EDGE = 3'd4;     // what has the last chunk is under way
  localparam [2:0] ST_AGAIN = 3'd5;    // the root, for more output

  // ---- what comes in --------------------------------------------------------------------------

  wire [511:0] block;
  wire [6:0]   block_bytes;
  wire         block_last;
  wire [31:0]  block_user;
  wire         block_valid;
  wire         block_ready;

  blake3_blocks #(
      .DATA_BITS(DATA_BITS)
  ) u_blocks (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tuser (s_axis_tuser),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .block_o      (block),
      .block_bytes_o(block_bytes),
      .block_last_o (block_last),
      .block_user_o (block_user),
      .block_valid_o(block_valid),
      .block_ready_i(block_ready)
  );

  wire         group_valid;
  wire [CHUNK_BITS-1:0] group_chunk;
  wire [3:0]   group_block;
  wire [6:0]   group_bytes;
  wire         group_last;
  wire [31:0]  group_user;
  wire [255:0] group_key;
  wire         group_done;
  wire [511:0] words;

  // The place of the next block, or of the one that is compressed again.
  reg  [CHUNK_BITS-1:0] chunk_q;
  reg  [3:0]   place_q;
  // Of the group that is hashed.
  reg  [CHUNK_BITS-1:0] last_chunk_q;
  reg  [CHUNK_BITS-1:0] row_q;    // the last turn of a block of all chunks
  reg  [3:0]   last_place_q;
  reg  [3:0]   end_place_q;   // what is asked for last: whole chunks are, unless there is only one
  reg  [6:0]   last_bytes_q;
  reg          ends_field_q;

  blake3_groups #(
      .CHUNK_BITS(CHUNK_BITS)
  ) u_groups (
      .clk           (clk),
      .rst           (rst),
      .block_i       (block),
      .block_bytes_i (block_bytes),
      .block_last_i  (block_last),
      .block_user_i  (block_user),
      .block_valid_i (block_valid),
      .block_ready_o (block_ready),
      .group_valid_o (group_valid),
      .group_chunk_o (group_chunk),
      .group_block_o (group_block),
      .group_bytes_o (group_bytes),
      .group_last_o  (group_last),
      .group_user_o  (group_user),
      .key_o         (group_key),
      .group_done_i  (group_done),
      .read_chunk_i  (chunk_q),
      .read_block_i  (place_q),
      .read_data_o   (words)
  );

  // ---- what comes out of the pipeline ---------------------------------------------------------

  // What it is, and its chunk in the group or its level.
  reg  [3:0]       to_q [1:LATENCY];
  reg  [5:0]       of_q [1:LATENCY];
  wire [255:0]     low;
  wire [255:0]     state_high;

  wire             out_chunk = to_q[LATENCY][TO_CHUNK];
  wire             out_tree = to_q[LATENCY][TO_TREE];
  wire             out_edge = to_q[LATENCY][TO_EDGE];
  wire             out_root = to_q[LATENCY][TO_OUTPUT];
  wire [5:0]       out_of = of_q[LATENCY];

  // Whether a sibling waits is looked up the cycle before. What comes out then may be one, or may
  // take it along.
  reg  [63:0]      waits_q;    // subtrees, by their level
  reg  [6:0]       count_q;    // how many
  reg              top_q;      // one: it is joined last
  reg              parent_q;   // a subtree comes out, and its sibling waits
  reg              store_q;    // it does not
  wire             next_tree = to_q[LATENCY-1][TO_TREE];
  wire             next_root = to_q[LATENCY-1][TO_OUTPUT];
  wire [5:0]       next_of = of_q[LATENCY-1];
  wire             sibling = out_tree && out_of == next_of ? store_q : waits_q[next_of];

  // ---- when something may go in ---------------------------------------------------------------

  wire             may_enter;
  // The last turn of a block of all chunks: a turn more than the latency has, or more.
  wire [CHUNK_BITS-1:0] row;

  generate
    if (ROUNDS != 7 && ROUNDS != 1) begin : g_rounds
      ERROR_rounds_must_be_7_or_1 u_error ();
    end

    if (PERIOD == 1) begin : g_always
      assign may_enter = 1'b1;
      assign row = {CHUNK_BITS{1'b1}};
    end else begin : g_seldom
      localparam integer TURNS = LATENCY / PERIOD;
      localparam [CHUNK_BITS-1:0] LEAST = TURNS[CHUNK_BITS-1:0];
      reg [2:0] phase_q;
      assign may_enter = phase_q == 3'd0;
      assign row = group_chunk > LEAST ? group_chunk : LEAST;
      always @(posedge clk) begin
        if (rst || may_enter) phase_q <= PERIOD[2:0] - 3'd1;
        else phase_q <= phase_q - 3'd1;
      end
    end
  endgenerate

  // ---- what goes in ---------------------------------------------------------------------------

  reg  [2:0]       state_q;
  reg              inside_q;   // a message has begun
  reg  [BASE_BITS-1:0] base_q;  // its groups before this one
  reg  [5:0]       level_q;
  reg              found_q;    // a subtree of it waits
  reg              only_q;     // the root is a chunk
  reg  [5:0]       flying_q;   // chaining values and subtrees in the pipeline
  reg  [255:0]     key_q;
  reg  [6:0]       mode_q;
  reg  [1:0]       op_q;
  reg              second_q;   // what comes is key material: the context gave the key
  reg  [29:0]      left_q;     // bytes of output from this block of it on
  reg              more_q;     // they are more than this block's
  reg  [24:0]      number_q;   // of this block of output
  wire             emit_ready;
  reg              room_q;     // what a first root gives can be taken
  reg              context_q;  // the root that comes out is the context's
  reg              output_q;   // it is output
  reg              finished_q; // all there is

  wire             is_context = op_q == OP_DERIVE && !second_q;
  wire             last_chunk = chunk_q == last_chunk_q;
  wire             whole = !(ends_field_q && last_chunk);
  wire             last_place = whole ? &place_q : place_q == last_place_q;
  // Beyond the chunks of a group, and beyond the end of a short one, nothing goes in. The last
  // block of a message has its own turn.
  wire             there = chunk_q <= last_chunk_q &&
                           (whole || place_q < last_place_q);
  wire             turn = state_q == ST_CHUNKS && !parent_q && may_enter;
  wire             turn_ends = place_q == end_place_q && last_chunk;
  wire             alone = last_chunk_q == 0 && base_q == 0;
  // The level of the next cycle: whether a subtree of it waits is looked up now. While levels are
  // looked at, nothing is stored.
  wire [5:0]       level = level_q + {5'd0, state_q == ST_LEVEL && !found_q};
  wire             go_chunk = turn && there;
  wire             go_last = state_q == ST_LAST && flying_q == 6'd0 && (!alone || room_q) &&
                             may_enter;
  wire             go_edge = state_q == ST_LEVEL && found_q && (!top_q || room_q) && may_enter;
  wire             go_again = state_q == ST_AGAIN && emit_ready && may_enter;
  wire             go = go_chunk || parent_q || go_last || go_edge || go_again;

  // What may go in, whether or not it does.
  wire             may_parent = parent_q || state_q == ST_LEVEL ||
                                (state_q == ST_AGAIN && !only_q);
  wire             may_root = (state_q == ST_LAST && alone) || (state_q == ST_LEVEL && top_q) ||
                              state_q == ST_AGAIN;
  wire             starts = !may_parent && place_q == 4'd0;
  wire             ends = !may_parent && last_place;

  reg              keyed_q;    // what went in last begins with the key
  reg              children_q; // it is of two children, not of a block
  reg  [63:0]      counter_q;
  reg  [6:0]       bytes_q;
  reg  [6:0]       flags_q;

  always @(posedge clk) begin
    if (go) keyed_q <= may_parent || starts;
    children_q <= may_parent;
    counter_q  <= state_q == ST_AGAIN ? {39'd0, number_q} :
                  may_parent ? 64'd0 : {10'd0, base_q, chunk_q};
    bytes_q    <= may_parent || state_q == ST_CHUNKS ? 7'd64 : last_bytes_q;
    flags_q    <= mode_q | {3'd0, may_root, may_parent, ends, starts};
    of_q[1]    <= parent_q ? out_of + 6'd1 :
                  (go_chunk && !ends) ? {{6 - CHUNK_BITS{1'b0}}, chunk_q} : 6'd0;
    if (rst) begin
      to_q[1] <= 4'd0;
    end else begin
      to_q[1][TO_CHUNK]  <= go_chunk && !ends;
      to_q[1][TO_TREE]   <= parent_q || (go_chunk && ends);
      to_q[1][TO_EDGE]   <= (go_last && !alone) || (go_edge && !top_q);
      to_q[1][TO_OUTPUT] <= (go_last && alone) || (go_edge && top_q) || go_again;
    end
  end

  genvar i;
  generate
    for (i = 2; i <= LATENCY; i = i + 1) begin : g_along
      always @(posedge clk) begin
        to_q[i] <= rst ? 4'd0 : to_q[i-1];
        of_q[i] <= of_q[i-1];
      end
    end
  endgenerate

  // A cycle later blocks, chaining values and siblings are there; another, and the pipeline has
  // them.
  reg  [255:0] right_q;
  reg  [255:0] chaining_q;
  reg  [511:0] words_q;
  reg  [63:0]  counter_q2;
  reg  [6:0]   bytes_q2;
  reg  [6:0]   flags_q2;
  wire [255:0] left;
  wire [255:0] value;
  wire [255:0] chaining = keyed_q ? key_q : value;

  blake3_ram #(
      .WIDTH    (256),
      .ADDR_BITS(CHUNK_BITS)
  ) u_values (
      .clk         (clk),
      .write_i     (out_chunk),
      .write_addr_i(out_of[CHUNK_BITS-1:0]),
      .write_data_i(low),
      .read_addr_i (chunk_q),
      .read_data_o (value)
  );

  blake3_ram #(
      .WIDTH    (256),
      .ADDR_BITS(6)
  ) u_subtrees (
      .clk         (clk),
      .write_i     (store_q),
      .write_addr_i(out_of),
      .write_data_i(low),
      .read_addr_i (out_tree ? out_of : level_q),
      .read_data_o (left)
  );

  always @(posedge clk) begin
    if (out_tree || out_edge) right_q <= low;
    chaining_q <= chaining;
    words_q    <= children_q ? {right_q, left} : words;
    counter_q2 <= counter_q;
    bytes_q2   <= bytes_q;
    flags_q2   <= flags_q;
  end

  generate
    if (ROUNDS == 7) begin : g_pipe
      blake3_pipe #(
          .CELLS(CELLS)
      ) u_pipe (
          .clk       (clk),
          .chaining_i(chaining_q),
          .block_i   (words_q),
          .counter_i (counter_q2),
          .bytes_i   (bytes_q2),
          .flags_i   (flags_q2),
          .low_o     (low),
          .high_o    (state_high)
      );
    end else begin : g_ring
      reg [1:0] enter_q;
      always @(posedge clk) enter_q <= rst ? 2'd0 : {enter_q[0], go};

      blake3_ring #(
          .CELLS(CELLS)
      ) u_ring (
          .clk       (clk),
          .rst       (rst),
          .enter_i   (enter_q[1]),
          .chaining_i(chaining_q),
          .block_i   (words_q),
          .counter_i (counter_q2),
          .bytes_i   (bytes_q2),
          .flags_i   (flags_q2),
          .low_o     (low),
          .high_o    (state_high)
      );
    end
  endgenerate

  // ---- what follows ---------------------------------------------------------------------------

  wire         begins = state_q == ST_WAIT && group_valid;
  wire         chunks_end = turn && turn_ends;
  // Where a call may begin, its key is taken in each cycle; in the next one it is known whether the
  // call has one.
  wire         take_key = state_q == ST_WAIT && !inside_q && !second_q;
  wire         no_key = begun_q && !second_q && op_q != OP_KEYED;
  reg          begun_q;    // its first group has begun in the cycle before

  assign group_done = finished_q || (chunks_end && !ends_field_q);

  always @(posedge clk) begin
    if (state_q == ST_WAIT) begin
      last_chunk_q <= group_chunk;
      row_q        <= row;
      last_place_q <= group_block;
      last_bytes_q <= group_bytes;
      ends_field_q <= group_last;
      end_place_q  <= group_last && group_chunk == 0 ? group_block : 4'd15;
    end
    // In each cycle until a call begins.
    if (state_q == ST_WAIT && !inside_q) begin
      op_q   <= group_user[1:0];
      mode_q <= (group_user[1:0] == OP_KEYED) ? 7'h10 :
                (group_user[1:0] == OP_DERIVE) ? (second_q ? 7'h40 : 7'h20) : 7'h00;
      left_q <= group_user[31:2];
      number_q <= 25'd1;
    end else if (out_root) begin
      left_q <= left_q - 30'd64;
    end
    more_q <= !is_context && left_q > 30'd64;
    room_q <= is_context || emit_ready;
    top_q  <= count_q == 7'd1;
    // A key is given, is what the context gave, or is none.
    if (no_key) key_q <= IV;
    else if (take_key) key_q <= group_key;
    else if (context_q) key_q <= low;
    if (go_again) number_q <= number_q + 25'd1;
    if (go_last) only_q <= alone;
    else if (go_edge) only_q <= 1'b0;

    // Chunks of a block, then the next block. Where there are few, nothing goes in for the rest of
    // the latency.
    if (state_q == ST_WAIT) {place_q, chunk_q} <= {CHUNK_BITS + 4{1'b0}};
    else if (chunks_end) {place_q, chunk_q} <= {last_place_q, last_chunk_q};
    else if (turn && chunk_q == row_q) {place_q, chunk_q} <= {place_q + 4'd1, {CHUNK_BITS{1'b0}}};
    else if (turn) chunk_q <= chunk_q + 1'b1;
  end

  always @(posedge clk) begin
    if (rst) begin
      state_q    <= ST_WAIT;
      inside_q   <= 1'b0;
      begun_q    <= 1'b0;
      second_q   <= 1'b0;
      base_q     <= {BASE_BITS{1'b0}};
      waits_q    <= 64'd0;
      count_q    <= 7'd0;
      flying_q   <= 6'd0;
      level_q    <= 6'd0;
      parent_q   <= 1'b0;
      store_q    <= 1'b0;
      context_q  <= 1'b0;
      output_q   <= 1'b0;
      finished_q <= 1'b0;
    end else begin
      begun_q    <= begins && !inside_q;
      parent_q   <= next_tree && sibling;
      store_q    <= next_tree && !sibling;
      context_q  <= next_root && is_context;
      output_q   <= next_root && !is_context;
      finished_q <= next_root && !more_q;

      case (state_q)
        ST_WAIT: if (group_valid) state_q <= ST_CHUNKS;
        ST_CHUNKS: if (chunks_end) state_q <= ends_field_q ? ST_LAST : ST_WAIT;
        ST_LAST: if (go_last) state_q <= ST_EDGE;
        ST_LEVEL: if (go_edge) state_q <= ST_EDGE;
        ST_EDGE: begin
          if (out_edge) state_q <= ST_LEVEL;
          else if (finished_q) state_q <= ST_WAIT;
          else if (out_root) state_q <= ST_AGAIN;
        end
        ST_AGAIN: if (go_again) state_q <= ST_EDGE;
        default: state_q <= ST_WAIT;
      endcase

      if (finished_q) inside_q <= 1'b0;
      else if (begins) inside_q <= 1'b1;
      if (finished_q) second_q <= context_q;
      if (finished_q) base_q <= {BASE_BITS{1'b0}};
      else if (chunks_end && !ends_field_q) base_q <= base_q + 1'b1;

      level_q <= finished_q ? 6'd0 : level;
      found_q <= waits_q[level];

      if (store_q) waits_q[out_of] <= 1'b1;
      else if (parent_q) waits_q[out_of] <= 1'b0;
      else if (go_edge) waits_q[level_q] <= 1'b0;
      if (store_q) count_q <= count_q + 7'd1;
      else if (parent_q || go_edge) count_q <= count_q - 7'd1;

      if ((go_chunk || parent_q) && !(out_chunk || out_tree)) flying_q <= flying_q + 6'd1;
      else if (!(go_chunk || parent_q) && (out_chunk || out_tree)) flying_q <= flying_q - 6'd1;
    end
  end

  blake3_emit #(
      .DATA_BITS(DATA_BITS)
  ) u_emit (
      .clk          (clk),
      .rst          (rst),
      .block_i      ({state_high ^ chaining_q, low}),
      .block_bytes_i(more_q ? 7'd64 : left_q[6:0]),
      .block_last_i (!more_q),
      .block_valid_i(output_q),
      .block_ready_o(emit_ready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
