// SPDX-License-Identifier: Apache-2.0
//
// Streams around keccak_sponge, which `lydite hls` makes of hls/keccak_sponge.c: SHA-3 and SHAKE
// (FIPS 202, 6) of byte messages, with the ports and the padding of keccak_stream at 64 bits.
//
// Words of the padded message fill one of two banks of a memory while the function works on the
// other; what a short last block leaves is filled with zeros, so that every block takes a cycle for
// each of its lanes. When a message has ended, its digest is given before the next call. Cycles a
// block: those of the call and two. Resets: control only; the first command of a message clears the
// state.

`default_nettype none

module keccak_hls_stream #(
    // Bytes of a block: 144, 136, 104, 72, 168; keccak_sponge is made for the same.
    parameter       RATE_BYTES   = 136,
    // Domain suffix and first bit of the padding: 8'h06 SHA3, 8'h1F SHAKE, 8'h01 none (Keccak).
    parameter [7:0] SUFFIX       = 8'h06,
    // Bytes of the digest: 28, 32, 48, 64; 0: as many as s_axis_tuser says.
    parameter       DIGEST_BYTES = 32
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire [15:0] s_axis_tuser,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  localparam EXTENDABLE = (DIGEST_BYTES == 0) ? 1 : 0;
  localparam LANES      = RATE_BYTES / 8;
  localparam OUT_LANES  = (EXTENDABLE != 0) ? LANES : (DIGEST_BYTES + 7) / 8;
  localparam LANE_BITS  = (LANES > 16) ? 5 : 4;
  localparam OUT_BITS   = (OUT_LANES > 16) ? 5 : (OUT_LANES > 8) ? 4 : (OUT_LANES > 4) ? 3 : 2;
  localparam LAST_INDEX     = LANES - 1;
  localparam LAST_OUT_INDEX = OUT_LANES - 1;
  localparam [LANE_BITS-1:0] LAST_LANE = LAST_INDEX[LANE_BITS-1:0];
  localparam [OUT_BITS-1:0]  LAST_OUT  = LAST_OUT_INDEX[OUT_BITS-1:0];
  localparam [15:0]          LENGTH    = DIGEST_BYTES[15:0];

  localparam [7:0] COMMAND_FIRST   = 8'd0;
  localparam [7:0] COMMAND_NEXT    = 8'd1;
  localparam [7:0] COMMAND_PERMUTE = 8'd2;

  localparam [1:0] ST_IDLE = 2'd0;
  localparam [1:0] ST_CALL = 2'd1;  // keccak_sponge works
  localparam [1:0] ST_EMIT = 2'd2;  // the digest goes out

  // ---- the padded message into banks ----

  wire [63:0] word;
  wire        word_end;
  wire        word_end_low;
  wire        word_valid;
  wire        word_ready;
  wire [15:0] length;
  wire        unused = &{1'b0, word_end_low, length};

  keccak_pad #(
      .DATA_BITS(64),
      .SUFFIX   (SUFFIX)
  ) u_pad (
      .clk           (clk),
      .rst           (rst),
      .s_axis_tdata  (s_axis_tdata),
      .s_axis_tkeep  (s_axis_tkeep),
      .s_axis_tlast  (s_axis_tlast),
      .s_axis_tuser  (s_axis_tuser),
      .s_axis_tvalid (s_axis_tvalid),
      .s_axis_tready (s_axis_tready),
      .word_o        (word),
      .word_end_o    (word_end),
      .word_end_low_o(word_end_low),
      .word_valid_o  (word_valid),
      .word_ready_i  (word_ready),
      .length_o      (length)
  );

  reg                 fill_bank_q;   // bank that is being filled
  reg [LANE_BITS-1:0] fill_lane_q;
  reg                 fill_zeros_q;  // the message has ended within this block
  reg [1:0]           full_q;        // of each bank
  reg [1:0]           final_q;       // the block in it is the last of its message
  reg                 stored_q;      // a block was filled in the last cycle, into stored_bank_q
  reg                 stored_bank_q;
  reg [15:0]          length0_q;     // output bytes asked for with that message
  reg [15:0]          length1_q;

  wire release_bank;
  reg  work_bank_q;

  wire        fill_free = !full_q[fill_bank_q];
  wire        fill      = fill_free && (fill_zeros_q || word_valid);
  wire        fill_last = fill_lane_q == LAST_LANE;
  wire        fill_end  = fill_zeros_q || word_end;
  wire [63:0] fill_word = fill_zeros_q ? 64'd0 : word;
  // The last bit of pad10*1 stands at the end of the block in which the message ends.
  wire [63:0] fill_data = {fill_word[63] || (fill_last && fill_end), fill_word[62:0]};

  assign word_ready = fill_free && !fill_zeros_q;

  always @(posedge clk) begin
    if (rst) begin
      fill_bank_q  <= 1'b0;
      fill_lane_q  <= {LANE_BITS{1'b0}};
      fill_zeros_q <= 1'b0;
      full_q       <= 2'b00;
    end else begin
      if (release_bank) full_q[work_bank_q] <= 1'b0;
      if (fill) begin
        fill_lane_q  <= fill_last ? {LANE_BITS{1'b0}} : fill_lane_q + 1'b1;
        fill_zeros_q <= fill_end && !fill_last;
        if (fill_last) begin
          full_q[fill_bank_q] <= 1'b1;
          fill_bank_q         <= !fill_bank_q;
        end
      end
    end
    if (fill && fill_last) final_q[fill_bank_q] <= fill_end;
    // length is there in the cycle after the last beat, and for that one only.
    stored_q      <= fill && fill_last;
    stored_bank_q <= fill_bank_q;
    if (stored_q && !stored_bank_q) length0_q <= length;
    if (stored_q && stored_bank_q) length1_q <= length;
  end

  // One port to write, two to read: two copies in block RAM.
  reg [63:0] bank[0:(2 << LANE_BITS) - 1];

  wire [LANE_BITS-1:0] block_address0;
  wire [LANE_BITS-1:0] block_address1;
  wire                 block_ce0;
  wire                 block_ce1;
  reg  [63:0]          block_q0;
  reg  [63:0]          block_q1;

  always @(posedge clk) begin
    if (fill) bank[{fill_bank_q, fill_lane_q}] <= fill_data;
    if (block_ce0) block_q0 <= bank[{work_bank_q, block_address0}];
    if (block_ce1) block_q1 <= bank[{work_bank_q, block_address1}];
  end

  // ---- the function ----

  reg  [1:0]          phase_q;
  reg  [7:0]          command_q;
  reg                 first_q;  // the next block begins a message
  wire                ready;
  wire                done;
  wire                idle;
  wire [OUT_BITS-1:0] out_address0;
  wire [OUT_BITS-1:0] out_address1;
  wire                out_ce0;
  wire                out_ce1;
  wire                out_we0;
  wire                out_we1;
  wire [63:0]         out_d0;
  wire [63:0]         out_d1;
  wire                unused_control = &{1'b0, done, idle, out_ce0, out_ce1};

  keccak_sponge u_sponge (
      .ap_clk        (clk),
      .ap_rst        (rst),
      .ap_start      (phase_q == ST_CALL),
      .ap_done       (done),
      .ap_idle       (idle),
      .ap_ready      (ready),
      .command       (command_q),
      .out_address0  (out_address0),
      .out_ce0       (out_ce0),
      .out_we0       (out_we0),
      .out_d0        (out_d0),
      .out_address1  (out_address1),
      .out_ce1       (out_ce1),
      .out_we1       (out_we1),
      .out_d1        (out_d1),
      .block_address0(block_address0),
      .block_ce0     (block_ce0),
      .block_q0      (block_q0),
      .block_address1(block_address1),
      .block_ce1     (block_ce1),
      .block_q1      (block_q1)
  );

  // ---- the digest out ----

  reg [63:0]         out_q[0:OUT_LANES-1];
  reg [OUT_BITS-1:0] emit_lane_q;
  reg [15:0]         emit_left_q;  // bytes still to give
  wire               emit_ready;
  wire               emit_last  = emit_left_q <= 16'd8;
  wire               emit       = phase_q == ST_EMIT && emit_ready;
  wire               call_ends  = phase_q == ST_CALL && ready;
  wire               squeezing  = command_q == COMMAND_PERMUTE;
  wire               message_ends = final_q[work_bank_q];

  assign release_bank = call_ends && !squeezing;

  always @(posedge clk) begin
    if (out_we0) out_q[out_address0] <= out_d0;
    if (out_we1) out_q[out_address1] <= out_d1;
  end

  always @(posedge clk) begin
    if (rst) begin
      phase_q     <= ST_IDLE;
      first_q     <= 1'b1;
      work_bank_q <= 1'b0;
    end else begin
      case (phase_q)
        ST_IDLE: if (full_q[work_bank_q]) phase_q <= ST_CALL;
        ST_CALL: begin
          if (ready) phase_q <= (squeezing || message_ends) ? ST_EMIT : ST_IDLE;
          if (release_bank) begin
            first_q     <= message_ends;
            work_bank_q <= !work_bank_q;
          end
        end
        default: begin
          if (emit && emit_last) phase_q <= ST_IDLE;
          else if (emit && emit_lane_q == LAST_OUT) phase_q <= ST_CALL;
        end
      endcase
    end
    if (phase_q == ST_IDLE) command_q <= first_q ? COMMAND_FIRST : COMMAND_NEXT;
    if (emit && emit_lane_q == LAST_OUT) command_q <= COMMAND_PERMUTE;
    if (call_ends) emit_lane_q <= {OUT_BITS{1'b0}};
    else if (emit) emit_lane_q <= emit_lane_q + 1'b1;
    if (release_bank) begin
      emit_left_q <= (EXTENDABLE == 0) ? LENGTH : work_bank_q ? length1_q : length0_q;
    end else if (emit) begin
      emit_left_q <= emit_left_q - 16'd8;
    end
  end

  keccak_emit #(
      .DATA_BITS(64)
  ) u_emit (
      .clk          (clk),
      .rst          (rst),
      .lane_i       (out_q[emit_lane_q]),
      .lane_bytes_i (emit_last ? emit_left_q[3:0] : 4'd8),
      .lane_last_i  (emit_last),
      .lane_valid_i (phase_q == ST_EMIT),
      .lane_ready_o (emit_ready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
