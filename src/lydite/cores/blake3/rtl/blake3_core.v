// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) of messages of any length, from
// stream to stream: hash, keyed hash and key derivation, tree and all, by one round that is used
// again and again.
//
// Interface: AXI4-Stream with beats of 8 bytes, byte 0 in tdata[7:0]. A call is one packet or two:
// a message; a key of 32 bytes, and a message; a context, and key material. s_axis_tuser[1:0] says
// which, 0, 1 or 2, and s_axis_tuser[31:2] how many bytes are to come out, in one packet; of none
// there is an empty beat. tkeep is contiguous from byte 0, all ones but on the last beat, which may
// have none. s_axis_tready depends on registers only.
//
// Cycles: 8 a compression (a load and seven rounds); n chunks, the last one whole, are 16 n + n - 1
// compressions, and the output one for each further 64 bytes. The next block comes in meanwhile.
//
// The stack (2.1): when chunk k has its chaining value, and is not the last one, it is joined with
// as many subtrees as k has ones at its end, the last one of a message with all that are left, and
// the last of these compressions is the root's. A root is compressed once for each 64 bytes of
// output, so that its block waits where it is until then.
//
// Resets: control, and the key. A call under way is forgotten; the first beat may come in the next
// cycle.

`default_nettype none

module blake3_core (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire [31:0] s_axis_tuser,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  // 2.2, table 1, word 0 lowest.
  localparam [255:0] IV = {32'h5be0cd19, 32'h1f83d9ab, 32'h9b05688c, 32'h510e527f,
                           32'ha54ff53a, 32'h3c6ef372, 32'hbb67ae85, 32'h6a09e667};
  localparam [2:0] LAST_ROUND = 3'd6;
  localparam [1:0] OP_KEYED = 2'd1;
  localparam [1:0] OP_DERIVE = 2'd2;

  wire [511:0] block;
  wire [6:0]   block_bytes;
  wire         block_last;
  wire [31:0]  block_user;
  wire         block_valid;
  wire         block_ready;

  blake3_blocks #(
      .DATA_BITS(64)
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

  // ---- where a call stands --------------------------------------------------------------------

  reg  [1:0]   op_q;
  reg  [29:0]  length_q;
  reg          second_q;   // the second packet of a call
  reg  [3:0]   place_q;    // of the next block in its chunk
  reg  [53:0]  chunk_q;    // of the next block in its message
  reg  [53:0]  joins_q;    // ones at its end: subtrees that the node is to be joined with
  reg  [5:0]   depth_q;    // of the stack
  reg  [255:0] key_q;
  reg  [255:0] node_q;     // the last chaining value
  reg          is_node_q;  // it is a subtree's, not one in the middle of a chunk
  reg          edge_q;     // it is that of the message's last chunk, or above it
  reg          busy_q;
  reg          root_q;     // what is compressed
  reg          end_q;      // it ends a subtree
  reg          parent_q;     // it has two children
  reg  [2:0]   round_q;
  reg  [29:0]  left_q;     // bytes of output from this block of it on
  reg  [24:0]  number_q;   // of this block of output
  reg          again_q;    // the root is to be compressed for more output

  // ---- what is compressed next ----------------------------------------------------------------

  wire         free = !busy_q && !again_q;
  wire         want_parent = is_node_q && (edge_q ? depth_q != 6'd0 : joins_q[0]);
  // Beyond the last block of a call the next one may be there.
  wire         looks = free && !want_parent;
  wire [1:0]   op = looks ? block_user[1:0] : op_q;
  wire         is_key = op == OP_KEYED && !second_q;
  wire         is_context = op == OP_DERIVE && !second_q;
  wire [6:0]   mode = (op == OP_KEYED) ? 7'h10 : (op == OP_DERIVE) ? (second_q ? 7'h40 : 7'h20)
                                                                    : 7'h00;

  wire         load_parent = free && want_parent;
  wire         push = free && is_node_q && !want_parent;
  wire         load_key = looks && block_valid && is_key;
  wire         load_block = looks && block_valid && !is_key;
  wire         load = load_parent || load_block || again_q;

  wire         ends_chunk = block_last || place_q == 4'd15;
  wire         top_parent = edge_q && depth_q == 6'd1;
  wire         only_chunk = block_last && chunk_q == 54'd0;
  wire         root = again_q || (load_parent ? top_parent : only_chunk);
  wire         parent = (busy_q || again_q) ? parent_q : load_parent;
  wire         starts_chunk = !parent && place_q == 4'd0;
  wire [6:0]   flags = mode | {3'd0, root, parent, !parent && ends_chunk, starts_chunk};
  wire [255:0] chaining = (parent || starts_chunk) ? key_q : node_q;
  wire [63:0]  counter = again_q ? {39'd0, number_q} : parent ? 64'd0 : {10'd0, chunk_q};
  wire [6:0]   bytes = parent ? 7'd64 : block_bytes;
  wire [255:0] left;
  wire [511:0] words = parent ? {node_q, left} : block;

  // 64 subtrees are enough for 2^54 chunks.
  blake3_ram #(
      .WIDTH    (256),
      .ADDR_BITS(6)
  ) u_stack (
      .clk         (clk),
      .write_i     (push),
      .write_addr_i(depth_q),
      .write_data_i(node_q),
      .read_addr_i (depth_q - 6'd1),
      .read_data_o (left)
  );

  // ---- the round ------------------------------------------------------------------------------

  reg  [511:0] state_q;
  reg  [511:0] words_q;
  wire [511:0] mixed;
  wire [511:0] permuted;
  wire [255:0] low;
  wire [255:0] high = mixed[511:256] ^ chaining;
  wire         emit_ready;
  wire         last_round = busy_q && round_q == LAST_ROUND;
  // A context's root is a key: it does not go out.
  wire         gives = root_q && !is_context;
  wire         step = busy_q && !(last_round && gives && !emit_ready);
  wire         done = step && last_round;
  wire         more = gives && left_q > 30'd64;
  wire         call_done = done && gives && !more;

  assign low = mixed[255:0] ^ mixed[511:256];

  blake3_round u_round (
      .state_i(state_q),
      .block_i(words_q),
      .state_o(mixed)
  );

  blake3_permute u_permute (
      .block_i(words_q),
      .block_o(permuted)
  );

  always @(posedge clk) begin
    if (load) begin
      state_q <= {25'd0, flags, 25'd0, bytes, counter, IV[127:0], chaining};
      words_q <= words;
    end else if (step) begin
      state_q <= mixed;
      words_q <= permuted;
    end
    if (done && !root_q) node_q <= low;
  end

  // ---- what follows ---------------------------------------------------------------------------

  // The block of a root stays until all of its output is there.
  wire root_ends = done && root_q && !more;

  assign block_ready = load_key || (load_block && !root) || (root_ends && !parent_q);

  always @(posedge clk) begin
    if (load) begin
      root_q <= root;
      parent_q <= parent;
      end_q  <= parent || ends_chunk;
    end
    if (looks) begin
      op_q     <= block_user[1:0];
      length_q <= block_user[31:2];
    end
    if (load_block) begin
      joins_q <= chunk_q;
      edge_q  <= block_last;
    end else if (load_parent) begin
      joins_q <= {1'b0, joins_q[53:1]};
    end
    if (load && !again_q) begin
      left_q   <= load_parent ? length_q : block_user[31:2];
      number_q <= 25'd1;
    end else if (done) begin
      left_q <= left_q - 30'd64;
    end else if (again_q) begin
      number_q <= number_q + 25'd1;
    end
    if (load) round_q <= 3'd0;
    else if (step) round_q <= round_q + 3'd1;
  end

  always @(posedge clk) begin
    if (rst || call_done) key_q <= IV;
    else if (load_key) key_q <= block[255:0];
    else if (root_ends) key_q <= low;

    if (rst) begin
      busy_q    <= 1'b0;
      again_q   <= 1'b0;
      is_node_q <= 1'b0;
      second_q  <= 1'b0;
      place_q   <= 4'd0;
      chunk_q   <= 54'd0;
      depth_q   <= 6'd0;
    end else begin
      busy_q  <= load || (busy_q && !done);
      again_q <= done && more;

      if (done) is_node_q <= end_q && !root_q;
      else if (load || push) is_node_q <= 1'b0;

      if (root_ends) second_q <= is_context;
      else if (load_key && block_last) second_q <= 1'b1;

      if (root_ends) begin
        place_q <= 4'd0;
        chunk_q <= 54'd0;
      end else if (load_block && !root) begin
        place_q <= ends_chunk ? 4'd0 : place_q + 4'd1;
        if (ends_chunk) chunk_q <= chunk_q + 54'd1;
      end

      if (push) depth_q <= depth_q + 6'd1;
      else if (load_parent && !root) depth_q <= depth_q - 6'd1;
      else if (root_ends) depth_q <= 6'd0;
    end
  end

  blake3_emit #(
      .DATA_BITS(64)
  ) u_emit (
      .clk          (clk),
      .rst          (rst),
      .block_i      ({high, low}),
      .block_bytes_i(more ? 7'd64 : left_q[6:0]),
      .block_last_i (!more),
      .block_valid_i(done && gives),
      .block_ready_o(emit_ready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
