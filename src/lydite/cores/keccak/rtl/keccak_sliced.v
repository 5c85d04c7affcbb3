// SPDX-License-Identifier: Apache-2.0
//
// The sponge in little area: Keccak-f[1600] (FIPS 202, 3.3 and 4) by slices, 64 / FOLD of them in
// a cycle, the state in LUT RAM, one RAM of FOLD groups for each lane.
//
// A pass reads the groups in order of z and does iota and chi of one round and theta of the next
// on each. Rho costs nothing: a lane that turns by r = q * 64 / FOLD + s is read q groups earlier,
// with s bits of the group before it from a register. What is written back goes where the group
// was that has just been read, so no second copy of the state is needed: the origin of every lane
// moves by its q in every pass. Theta needs the parity of the slice before: a pass reads two groups
// ahead, the last but one for the bits that rho carries over, the last for its parity.
//
// Interface: a stream of words as from keccak_pad, lanes as for keccak_emit. Cycles: a block takes
// 24 passes of FOLD + 2 cycles; a message one pass more, which reads the digest out and clears the
// state. Input and output run beside it. After a reset a pass clears all RAM. Resets: control.

`default_nettype none

module keccak_sliced #(
    // Bits of a word.
    parameter DATA_BITS    = 64,
    // Bytes of a block.
    parameter RATE_BYTES   = 136,
    // Bytes of the digest; 0: as many as length_i says.
    parameter DIGEST_BYTES = 32,
    // Groups of slices: 2, 4, 8, 16.
    parameter FOLD         = 16,
    // 1: the last bit of pad10*1 is set here; 0: the words have all of the padding.
    parameter LAST_BIT     = 1
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [DATA_BITS-1:0] word_i,
    input  wire                 word_end_i,
    input  wire                 word_end_low_i,
    input  wire                 word_valid_i,
    output wire                 word_ready_o,
    input  wire [15:0]          length_i,
    output wire [63:0]          lane_o,
    output wire [3:0]           lane_bytes_o,
    output wire                 lane_last_o,
    output wire                 lane_valid_o,
    input  wire                 lane_ready_i
);

  localparam EXTENDABLE = (DIGEST_BYTES == 0) ? 1 : 0;
  localparam BITS = 64 / FOLD;  // slices of a group
  localparam ADDR_BITS = (FOLD == 16) ? 4 : (FOLD == 8) ? 3 : (FOLD == 4) ? 2 : 1;
  localparam RATE_BITS = RATE_BYTES / 8 * BITS;
  localparam [ADDR_BITS-1:0] ONE = {{(ADDR_BITS - 1) {1'b0}}, 1'b1};
  localparam [ADDR_BITS-1:0] LAST = {ADDR_BITS{1'b1}};
  localparam [ADDR_BITS-1:0] START = {{(ADDR_BITS - 1) {1'b1}}, 1'b0};  // two groups ahead

  // Offset of rho for lane (x, y), modulo the lane length: the walk of FIPS 202, Algorithm 2.
  function integer rho_offset(input integer lane_x, input integer lane_y);
    integer t, x, y, y_next;
    begin
      rho_offset = 0;
      x = 1;
      y = 0;
      for (t = 0; t < 24; t = t + 1) begin
        if (x == lane_x && y == lane_y) rho_offset = ((t + 1) * (t + 2) / 2) % 64;
        y_next = (2 * x + 3 * y) % 5;
        x = y;
        y = y_next;
      end
    end
  endfunction

  // The pass that runs or, while step_q is not set, waits.
  localparam [2:0] ST_CLEAR   = 3'd0;  // write zeros, after a reset
  localparam [2:0] ST_NEW     = 3'd1;  // add the first block of a message
  localparam [2:0] ST_MORE    = 3'd2;  // the last round of a block, add the next one
  localparam [2:0] ST_ROUND   = 3'd3;
  localparam [2:0] ST_SQUEEZE = 3'd4;  // the last round of a block, put it out, go on
  localparam [2:0] ST_LAST    = 3'd5;  // the last round of a block, put it out, write zeros

  reg  [2:0]           pass_q;
  reg  [4:0]           round_q;
  reg                  step_q;
  reg                  ahead_q;   // groups that are read ahead
  reg  [ADDR_BITS-1:0] group_q;
  reg                  output_q;  // what comes out of this permutation is output
  reg  [2:0]           pass_d;
  reg  [4:0]           round_d;
  reg                  step_d;

  wire                 pass_done = step_q && !ahead_q && group_q == LAST;
  wire                 start = step_d && (pass_done || !step_q);
  wire                 write = step_q && !ahead_q;
  wire [ADDR_BITS-1:0] group_next = step_q ? group_q + 1'b1 : group_q;
  wire                 full;
  wire                 final_block;
  wire [15:0]          length;
  wire                 digest_free;
  wire                 closing;  // this permutation is the last one of its message
  wire [7:0]           bytes;    // how many of them are output
  wire                 take = start && (pass_d == ST_NEW || pass_d == ST_MORE);

  // ---- control --------------------------------------------------------------------------------

  always @* begin
    pass_d = pass_q;
    round_d = round_q;
    if (pass_done) begin
      pass_d = ST_ROUND;
      round_d = round_q + 5'd1;
      if (pass_q == ST_CLEAR || pass_q == ST_LAST) begin
        pass_d = ST_NEW;
      end else if (round_q == 5'd23) begin
        pass_d = !output_q ? ST_MORE : closing ? ST_LAST : ST_SQUEEZE;
      end
      if (pass_d != ST_ROUND) round_d = 5'd0;
    end
  end

  always @* begin
    step_d = step_q;
    if (pass_done || !step_q) begin
      case (pass_d)
        ST_NEW, ST_MORE:     step_d = full && pass_q != ST_CLEAR;
        ST_SQUEEZE, ST_LAST: step_d = digest_free;
        default:             step_d = 1'b1;
      endcase
    end
  end

  always @(posedge clk) begin
    if (rst) begin
      pass_q  <= ST_CLEAR;
      round_q <= 5'd0;
      step_q  <= 1'b0;
      ahead_q <= 1'b1;
      group_q <= START;
    end else begin
      pass_q  <= pass_d;
      round_q <= round_d;
      step_q  <= step_d;
      ahead_q <= pass_done || (ahead_q && !(step_q && group_q == LAST));
      group_q <= pass_done ? START : group_next;
    end
  end

  always @(posedge clk) begin
    if (take) output_q <= final_block;
  end

  generate
    if (EXTENDABLE) begin : g_extendable
      localparam [15:0] RATE = RATE_BYTES[15:0];
      reg [15:0] left_q;  // bytes of output, from this permutation on

      assign closing = left_q <= RATE;
      assign bytes   = (pass_q == ST_LAST) ? left_q[7:0] : RATE[7:0];

      always @(posedge clk) begin
        if (take) left_q <= length;
        else if (pass_done && pass_q == ST_SQUEEZE) left_q <= left_q - RATE;
      end
    end else begin : g_fixed
      wire unused = &{1'b0, length};

      assign closing = 1'b1;
      assign bytes   = 8'd0;
    end
  endgenerate

  // ---- input ----------------------------------------------------------------------------------

  wire                 absorbs = pass_q == ST_NEW || pass_q == ST_MORE;
  wire                 erases = absorbs || pass_q == ST_CLEAR;
  wire [63:0]          rc;
  wire [BITS-1:0]      iota;
  wire [RATE_BITS-1:0] addend;

  // The chi of pass n is that of round n - 1; pass 0 ends the permutation before.
  keccak_rc #(
      .STRIDE   (1),
      .OFFSET   (23),
      .STEP_BITS(5)
  ) u_rc (
      .step_i(round_q),
      .rc_o  (rc)
  );

  assign iota = (pass_q == ST_NEW) ? {BITS{1'b0}} : rc[BITS*group_next +: BITS];

  keccak_sliced_block #(
      .DATA_BITS (DATA_BITS),
      .RATE_BYTES(RATE_BYTES),
      .GROUPS    (FOLD),
      .ADDR_BITS (ADDR_BITS),
      .LAST_BIT  (LAST_BIT)
  ) u_block (
      .clk           (clk),
      .rst           (rst),
      .word_i        (word_i),
      .word_end_i    (word_end_i),
      .word_end_low_i(word_end_low_i),
      .word_valid_i  (word_valid_i),
      .word_ready_o  (word_ready_o),
      .length_i      (length_i),
      .full_o        (full),
      .final_o       (final_block),
      .length_o      (length),
      .group_i       (group_next),
      .iota_i        (iota),
      .absorb_i      (absorbs),
      .erase_i       (erases && step_q && (!ahead_q || group_q == LAST)),
      .done_i        (erases && pass_done),
      .addend_o      (addend)
  );

  // ---- state ----------------------------------------------------------------------------------

  wire [25*BITS-1:0] before_chi;
  wire [25*BITS-1:0] after_iota;
  wire [ 5*BITS-1:0] parity =
      after_iota[0 +: 5*BITS] ^ after_iota[5*BITS +: 5*BITS] ^ after_iota[10*BITS +: 5*BITS] ^
      after_iota[15*BITS +: 5*BITS] ^ after_iota[20*BITS +: 5*BITS];
  wire               zero = pass_q == ST_CLEAR || pass_q == ST_LAST;
  reg  [4:0]         parity_q;  // of the slice before this group

  keccak_chi #(
      .LANE_BITS(BITS)
  ) u_chi (
      .state_i (before_chi),
      .addend_i({{(25 * BITS - RATE_BITS) {1'b0}}, addend}),
      .state_o (after_iota)
  );

  // Where the lanes are that are read `origin` groups earlier; the same number again is added in
  // every pass.
  genvar origin;
  generate
    for (origin = 0; origin < FOLD; origin = origin + 1) begin : g_origin
      localparam JUMP = 2 * FOLD - 1 - origin;  // from the end of a pass to the start of the next

      reg [ADDR_BITS-1:0] addr_q;

      always @(posedge clk) begin
        if (rst) addr_q <= {ADDR_BITS{1'b0}};
        else if (step_q) addr_q <= addr_q + (pass_done ? JUMP[ADDR_BITS-1:0] : ONE);
      end
    end
  endgenerate

  genvar x, y;
  generate
    for (x = 0; x < 5; x = x + 1) begin : g_sheet
      localparam LEFT = (x + 4) % 5;
      localparam RIGHT = (x + 1) % 5;

      always @(posedge clk) begin
        parity_q[x] <= parity[BITS*x+BITS-1];
      end

      for (y = 0; y < 5; y = y + 1) begin : g_lane
        localparam OFFSET = rho_offset(x, y);
        localparam EARLIER = OFFSET / BITS;
        localparam CARRY = OFFSET % BITS;
        localparam TARGET = 5 * ((2 * x + 3 * y) % 5) + y;

        wire [BITS-1:0] theta =
            after_iota[BITS*(5*y+x) +: BITS] ^ parity[BITS*LEFT +: BITS] ^
            {parity[BITS*RIGHT +: BITS-1], parity_q[RIGHT]};
        wire [BITS-1:0] group;

        keccak_lane_ram #(
            .GROUP_BITS(BITS),
            .DEPTH     (FOLD),
            .ADDR_BITS (ADDR_BITS)
        ) u_ram (
            .clk   (clk),
            .we_i  (write),
            .addr_i(g_origin[EARLIER].addr_q),
            .data_i(zero ? {BITS{1'b0}} : theta),
            .data_o(group)
        );

        if (CARRY == 0) begin : g_plain
          assign before_chi[BITS*TARGET +: BITS] = group;
        end else begin : g_carry
          reg [CARRY-1:0] carry_q;

          always @(posedge clk) begin
            carry_q <= group[BITS-1 -: CARRY];
          end

          assign before_chi[BITS*TARGET +: BITS] = {group[BITS-1-CARRY:0], carry_q};
        end
      end
    end
  endgenerate

  // ---- output ---------------------------------------------------------------------------------

  wire puts_out = pass_q == ST_SQUEEZE || pass_q == ST_LAST;

  keccak_sliced_digest #(
      .RATE_BYTES  (RATE_BYTES),
      .DIGEST_BYTES(DIGEST_BYTES),
      .GROUPS      (FOLD),
      .ADDR_BITS   (ADDR_BITS)
  ) u_digest (
      .clk         (clk),
      .rst         (rst),
      .state_i     (after_iota),
      .group_i     (group_q),
      .write_i     (puts_out && write),
      .done_i      (puts_out && pass_done),
      .bytes_i     (bytes),
      .last_i      (closing),
      .free_o      (digest_free),
      .lane_o      (lane_o),
      .lane_bytes_o(lane_bytes_o),
      .lane_last_o (lane_last_o),
      .lane_valid_o(lane_valid_o),
      .lane_ready_i(lane_ready_i)
  );

`ifdef LYDITE_ASSERT
  block_waits_while_absorbed :
  assert property (@(posedge clk) disable iff (rst) step_q && erases |-> full);
  output_is_read_before_the_next :
  assert property (@(posedge clk) disable iff (rst) puts_out && step_q |-> digest_free);
`endif

endmodule

`default_nettype wire
