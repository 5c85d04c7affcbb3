// SPDX-License-Identifier: Apache-2.0
//
// One block of the sponge in LUT RAM, collected while the one before it is permuted, for
// keccak_sliced: comes in by words, goes out by groups of slices, as the sum of the block, of the
// last bit of pad10*1 (FIPS 202, 5.1) and of iota.
//
// Interface: word_* and length_i from keccak_pad. full_o: a block is there, final_o: it ends its
// message, for which length_o are the bytes of output asked for. Each
// cycle reads the group that the next cycle adds: addend_o is then iota_i, and in addition the
// block if absorb_i. erase_i writes zeros to that group; done_i sets free a block that is read and
// erased. A word takes DATA_BITS / GROUP_BITS + 1 cycles. Resets: control; the block counts as
// full after reset until done_i, so that it can be erased.

`default_nettype none

module keccak_sliced_block #(
    // Bits of a word.
    parameter DATA_BITS  = 64,
    // Bytes of a block.
    parameter RATE_BYTES = 136,
    // Groups of slices in a lane.
    parameter GROUPS     = 16,
    // Bits of a group number: log2 of GROUPS.
    parameter ADDR_BITS  = 4,
    // 1: the last bit of pad10*1 is set here; 0: the words have all of the padding.
    parameter LAST_BIT   = 1
) (
    input  wire                                clk,
    input  wire                                rst,
    input  wire [DATA_BITS-1:0]                word_i,
    input  wire                                word_end_i,
    input  wire                                word_end_low_i,
    input  wire                                word_valid_i,
    output wire                                word_ready_o,
    input  wire [15:0]                         length_i,
    output wire                                full_o,
    output wire                                final_o,
    output wire [15:0]                         length_o,
    input  wire [ADDR_BITS-1:0]                group_i,
    input  wire [64/GROUPS-1:0]                iota_i,
    input  wire                                absorb_i,
    input  wire                                erase_i,
    input  wire                                done_i,
    output wire [RATE_BYTES/8*64/GROUPS-1:0]   addend_o
);

  localparam GROUP_BITS = 64 / GROUPS;
  localparam LANES = RATE_BYTES / 8;

  reg  [DATA_BITS-1:0]        word_q;  // the next group at the right
  reg                         end_q;  // this word ends the message
  reg                         busy_q;  // the word is not yet all in RAM
  // Half a lane ends when all bits of the group but the upper one are set.
  localparam [ADDR_BITS-1:0] UPPER = {1'b1, {(ADDR_BITS - 1) {1'b0}}};

  reg  [ADDR_BITS-1:0]        group_q;
  reg  [LANES-1:0]            place_q;  // one hot: the lane
  reg                         full_q;
  reg                         final_q;
  reg  [15:0]                 length_q;
  reg  [LANES*GROUP_BITS-1:0] addend_q;

  wire                        load = word_valid_i && word_ready_o;
  wire                        move = busy_q && !full_q;
  wire                        lane_done = move && (&group_q);
  wire                        word_done;
  wire                        message_done = word_done && end_q;
  wire                        block_done = message_done || (lane_done && place_q[LANES-1]);
  wire [ADDR_BITS-1:0]        addr = full_q ? group_i : group_q;
  wire [LANES*GROUP_BITS-1:0] stored;
  wire [LANES*GROUP_BITS-1:0] addend_d;

  generate
    if (DATA_BITS == 128) begin : g_pair
      reg end_low_q;  // this word ends the message in its lower half
      reg high_q;     // the upper half's turn

      assign word_done = lane_done && (high_q || end_low_q);

      always @(posedge clk) begin
        if (load) end_low_q <= word_end_low_i;
      end

      always @(posedge clk) begin
        if (rst) high_q <= 1'b0;
        else if (lane_done) high_q <= !word_done;
      end
    end else begin : g_single
      wire unused = &{1'b0, word_end_low_i};

      assign word_done = (DATA_BITS == 64) ? lane_done : move && (&(group_q | UPPER));
    end
  endgenerate

  assign word_ready_o = !busy_q;
  assign full_o       = full_q;
  assign final_o      = final_q;
  assign length_o     = length_q;
  assign addend_o     = addend_q;

  always @(posedge clk) begin
    if (rst) begin
      busy_q  <= 1'b0;
      group_q <= {ADDR_BITS{1'b0}};
      place_q <= {{(LANES - 1) {1'b0}}, 1'b1};
      full_q  <= 1'b1;
    end else begin
      busy_q <= load || (busy_q && !word_done);
      full_q <= block_done || (full_q && !done_i);
      if (block_done) group_q <= {ADDR_BITS{1'b0}};
      else if (move) group_q <= group_q + 1'b1;
      if (block_done) place_q <= {{(LANES - 1) {1'b0}}, 1'b1};
      else if (lane_done) place_q <= {place_q[LANES-2:0], 1'b0};
    end
  end

  always @(posedge clk) begin
    if (load) end_q <= word_end_i;
    if (load || move) word_q <= load ? word_i : word_q >> GROUP_BITS;
    if (block_done) begin
      final_q  <= message_done;
      length_q <= length_i;
    end
    addend_q <= addend_d;
  end

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      wire [GROUP_BITS-1:0] lane;

      keccak_lane_ram #(
          .GROUP_BITS(GROUP_BITS),
          .DEPTH     (GROUPS),
          .ADDR_BITS (ADDR_BITS)
      ) u_ram (
          .clk   (clk),
          .we_i  (full_q ? erase_i : move && place_q[i]),
          .addr_i(addr),
          .data_i(full_q ? {GROUP_BITS{1'b0}} : word_q[GROUP_BITS-1:0]),
          .data_o(lane)
      );

      if (i == LANES - 1) begin : g_last
        assign stored[GROUP_BITS*i +: GROUP_BITS] =
            {lane[GROUP_BITS-1] | (LAST_BIT == 1 && final_q && (&group_i)), lane[GROUP_BITS-2:0]};
      end else begin : g_other
        assign stored[GROUP_BITS*i +: GROUP_BITS] = lane;
      end
    end
  endgenerate

  assign addend_d = (absorb_i ? stored : {LANES * GROUP_BITS{1'b0}}) ^
                    {{((LANES - 1) * GROUP_BITS) {1'b0}}, iota_i};

`ifdef LYDITE_ASSERT
  place_is_one_hot : assert property (@(posedge clk) disable iff (rst) $onehot(place_q));
  erased_block_is_full : assert property (@(posedge clk) disable iff (rst) erase_i |-> full_q);
`endif

endmodule

`default_nettype wire
