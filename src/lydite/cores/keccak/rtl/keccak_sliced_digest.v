// SPDX-License-Identifier: Apache-2.0
//
// Output of keccak_sliced: groups of slices in, lanes out, through LUT RAM, so that the next block
// can be permuted meanwhile.
//
// Interface: write_i takes group group_i of the lanes of state_i; done_i says that all are there,
// and brings bytes_i and last_i, which count for extendable output only. free_o: nothing waits to
// be read. A lane takes GROUPS + 1 cycles. Resets: control.

`default_nettype none

module keccak_sliced_digest #(
    // Bytes of a block.
    parameter RATE_BYTES   = 136,
    // Bytes of the digest; 0: as many as asked for.
    parameter DIGEST_BYTES = 32,
    // Groups of slices in a lane.
    parameter GROUPS       = 16,
    // Bits of a group number: log2 of GROUPS.
    parameter ADDR_BITS    = 4
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [25*64/GROUPS-1:0] state_i,
    input  wire [ADDR_BITS-1:0]    group_i,
    input  wire                    write_i,
    input  wire                    done_i,
    input  wire [7:0]              bytes_i,
    input  wire                    last_i,
    output wire                    free_o,
    output wire [63:0]             lane_o,
    output wire [3:0]              lane_bytes_o,
    output wire                    lane_last_o,
    output wire                    lane_valid_o,
    input  wire                    lane_ready_i
);

  localparam EXTENDABLE = (DIGEST_BYTES == 0) ? 1 : 0;
  localparam GROUP_BITS = 64 / GROUPS;
  localparam LANES = EXTENDABLE ? RATE_BYTES / 8 : (DIGEST_BYTES + 7) / 8;

  reg  [63:0]                 lane_q;
  reg                         valid_q;  // lane_q is whole
  reg  [ADDR_BITS-1:0]        group_q;
  reg  [LANES-1:0]            place_q;  // one hot, the lane that is read; none: all are read
  reg  [LANES-1:0]            place_d;
  wire [LANES*GROUP_BITS-1:0] chosen;
  reg  [GROUP_BITS-1:0]       group;
  wire                        final_lane;
  wire                        busy = |place_q;
  wire                        move = busy && !valid_q;
  wire                        next_lane = valid_q && lane_ready_i;
  wire [ADDR_BITS-1:0]        addr = busy ? group_q : group_i;
  wire                        unused_state = &{1'b0, state_i};

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      wire [GROUP_BITS-1:0] data;

      keccak_lane_ram #(
          .GROUP_BITS(GROUP_BITS),
          .DEPTH     (GROUPS),
          .ADDR_BITS (ADDR_BITS)
      ) u_ram (
          .clk   (clk),
          .we_i  (write_i),
          .addr_i(addr),
          .data_i(state_i[GROUP_BITS*i +: GROUP_BITS]),
          .data_o(data)
      );

      assign chosen[GROUP_BITS*i +: GROUP_BITS] = data & {GROUP_BITS{place_q[i]}};
    end
  endgenerate

  integer j;
  always @* begin
    group = {GROUP_BITS{1'b0}};
    for (j = 0; j < LANES; j = j + 1) group = group | chosen[GROUP_BITS*j +: GROUP_BITS];
  end

  generate
    if (EXTENDABLE) begin : g_extendable
      reg  [7:0] bytes_q;  // left in this block, from the current lane on
      reg        last_q;
      wire [7:0] bytes_d = done_i ? bytes_i : bytes_q - 8'd8;

      assign final_lane   = bytes_q <= 8'd8;
      assign lane_bytes_o = final_lane ? bytes_q[3:0] : 4'd8;
      assign lane_last_o  = final_lane && last_q;

      always @(posedge clk) begin
        if (done_i || next_lane) bytes_q <= bytes_d;
        if (done_i) last_q <= last_i;
      end
    end else begin : g_fixed
      localparam TAIL_BYTES = DIGEST_BYTES - 8 * (LANES - 1);
      wire unused = &{1'b0, bytes_i, last_i};

      assign final_lane   = place_q[LANES-1];
      assign lane_bytes_o = final_lane ? TAIL_BYTES[3:0] : 4'd8;
      assign lane_last_o  = final_lane;
    end
  endgenerate

  assign free_o       = !busy;
  assign lane_o       = lane_q;
  assign lane_valid_o = valid_q;

  always @* begin
    place_d = place_q;
    if (done_i) place_d = {{(LANES - 1) {1'b0}}, 1'b1};
    else if (next_lane) place_d = final_lane ? {LANES{1'b0}} : {place_q[LANES-2:0], 1'b0};
  end

  always @(posedge clk) begin
    if (rst) begin
      valid_q <= 1'b0;
      group_q <= {ADDR_BITS{1'b0}};
      place_q <= {LANES{1'b0}};
    end else begin
      valid_q <= valid_q ? !lane_ready_i : move && (&group_q);
      if (move) group_q <= group_q + 1'b1;
      place_q <= place_d;
    end
  end

  always @(posedge clk) begin
    if (move) lane_q <= {group, lane_q[63:GROUP_BITS]};
  end

`ifdef LYDITE_ASSERT
  place_is_one_hot_or_none : assert property (@(posedge clk) disable iff (rst) $onehot0(place_q));
  nothing_is_written_while_read :
  assert property (@(posedge clk) disable iff (rst) write_i |-> !busy);
`endif

endmodule

`default_nettype wire
