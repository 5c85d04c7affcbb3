// SPDX-License-Identifier: Apache-2.0
//
// Blocks of fields into groups of up to 2^CHUNK_BITS chunks of one field: one group fills while
// another is hashed. A block is read by its chunk's place in the group and its own in the chunk;
// the data come a cycle after.
//
// Interface: blocks as blake3_blocks gives them, one a cycle; block_ready_o is a register.
// group_valid_o says that a group is whole: of whole chunks, or up to the end of its field. It
// stays until group_done_i. key_o is the key of the group's call, if that is a keyed hash; the next
// call's may take its place from the cycle after group_valid_o on. Resets: control.

`default_nettype none

module blake3_groups #(
    parameter CHUNK_BITS = 5
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [511:0]          block_i,
    input  wire [6:0]            block_bytes_i,
    input  wire                  block_last_i,
    input  wire [31:0]           block_user_i,
    input  wire                  block_valid_i,
    output wire                  block_ready_o,
    output wire                  group_valid_o,
    output wire [CHUNK_BITS-1:0] group_chunk_o,     // the last chunk: chunks less one
    output wire [3:0]            group_block_o,     // its last block
    output wire [6:0]            group_bytes_o,     // the bytes of that
    output wire                  group_last_o,      // it ends a field
    output wire [31:0]           group_user_o,
    output wire [255:0]          key_o,
    input  wire                  group_done_i,
    input  wire [CHUNK_BITS-1:0] read_chunk_i,
    input  wire [3:0]            read_block_i,
    output wire [511:0]          read_data_o
);

  localparam [1:0] OP_HASH = 2'd0;
  localparam [1:0] OP_KEYED = 2'd1;
  // Chunk, block, bytes, last, user.
  localparam ABOUT_BITS = CHUNK_BITS + 4 + 7 + 1 + 32;

  reg                   fill_q;      // the half that fills
  reg                   read_q;      // the half that is read
  reg  [1:0]            full_q;
  reg                   ready_q;     // the half that fills is not full
  reg  [CHUNK_BITS-1:0] chunk_q;     // of the next block
  reg  [3:0]            place_q;
  reg                   end_q;       // that is the last of a group
  reg                   second_q;
  reg  [255:0]          key_q;
  reg  [ABOUT_BITS-1:0] about_q [0:1];

  wire take = block_valid_i && block_ready_o;
  wire is_key = block_user_i[1:0] == OP_KEYED && !second_q;
  wire write = take && !is_key;
  wire whole = write && (block_last_i || end_q);
  wire [CHUNK_BITS+3:0] next = {chunk_q, place_q} + 1'b1;
  wire fill = fill_q ^ whole;
  wire [1:0] full = (full_q | {whole && fill_q, whole && !fill_q}) &
                    ~{group_done_i && read_q, group_done_i && !read_q};

  assign block_ready_o = ready_q;
  assign group_valid_o = full_q[read_q];
  assign key_o = key_q;
  assign {group_chunk_o, group_block_o, group_bytes_o, group_last_o, group_user_o} =
      about_q[read_q];

  always @(posedge clk) begin
    if (take && is_key) key_q <= block_i[255:0];
    if (whole) begin
      about_q[fill_q] <= {chunk_q, place_q, block_bytes_i, block_last_i, block_user_i};
    end
    if (rst) begin
      fill_q   <= 1'b0;
      read_q   <= 1'b0;
      full_q   <= 2'b00;
      ready_q  <= 1'b1;
      chunk_q  <= {CHUNK_BITS{1'b0}};
      place_q  <= 4'd0;
      end_q    <= 1'b0;
      second_q <= 1'b0;
    end else begin
      fill_q  <= fill;
      full_q  <= full;
      ready_q <= !full[fill];
      if (group_done_i) read_q <= !read_q;
      if (write) begin
        {chunk_q, place_q} <= block_last_i ? {CHUNK_BITS + 4{1'b0}} : next;
        end_q <= !block_last_i && &next;
      end
      if (take && block_last_i) second_q <= block_user_i[1:0] != OP_HASH && !second_q;
    end
  end

  blake3_ram #(
      .WIDTH    (512),
      .ADDR_BITS(CHUNK_BITS + 5)
  ) u_blocks (
      .clk         (clk),
      .write_i     (write),
      .write_addr_i({fill_q, chunk_q, place_q}),
      .write_data_i(block_i),
      .read_addr_i ({read_q, read_chunk_i, read_block_i}),
      .read_data_o (read_data_o)
  );

endmodule

`default_nettype wire
