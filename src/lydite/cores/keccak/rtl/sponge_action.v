// SPDX-License-Identifier: Apache-2.0
//
// The sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2): the speed test on
// SLICES engines (sponge_speed.v), CRC-32 and Adler-32 of messages, 8 bytes a cycle
// (crc32_stream.v, adler32_stream.v), and SHA-3 and SHAKE of messages, a block in 24 cycles
// (sponge_hash.v), one call at a time.
//
// Interface: AXI4-Stream, 64 bits, byte 0 in tdata[7:0]. s_axis_tuser[3:0] says what is wanted: 0
// the speed test, whose packets are those of sponge_speed.v; of a packet 1 CRC-32, 2 Adler-32, 3 to
// 6 SHA3-224, SHA3-256, SHA3-384, SHA3-512, 7 SHAKE128, 8 SHAKE256. s_axis_tuser[19:4] is how many
// bytes come out: SHAKE looks at it, 1 to 65535. Out come the packets of the speed test, or one.
// tkeep is all ones but on a last beat, where it is contiguous from byte 0 and may be zero.
// s_axis_tready is a register.
//
// A call begins when the one before has given its last output: two cycles more than the unit takes.
//
// Resets: control and all units; the first beat may come two cycles later.

`default_nettype none

module sponge_action #(
    // Engines of the speed test: 1 to 64.
    parameter SLICES = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire [19:0] s_axis_tuser,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  localparam [3:0] MODE_SPEED    = 4'd0;
  localparam [3:0] MODE_CRC      = 4'd1;
  localparam [3:0] MODE_ADLER    = 4'd2;
  localparam [3:0] MODE_SHA3_224 = 4'd3;
  localparam [3:0] MODE_SHA3_256 = 4'd4;
  localparam [3:0] MODE_SHA3_384 = 4'd5;
  localparam [3:0] MODE_SHA3_512 = 4'd6;
  localparam [3:0] MODE_SHAKE128 = 4'd7;
  // Packets of a speed test, but for one: in, and out.
  localparam [2:0] SPEED_IN  = 3'd4;
  localparam [2:0] SPEED_OUT = 3'd1;

  localparam [1:0] ST_IDLE = 2'd0;
  localparam [1:0] ST_TAKE = 2'd1;
  localparam [1:0] ST_GIVE = 2'd2;

  wire        valid;
  wire        ready;
  wire [63:0] data;
  wire [7:0]  keep;
  wire        last;
  wire [3:0]  mode;
  wire [15:0] length;

  stream_stage #(
      .WIDTH(93)
  ) u_stage (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_axis_tvalid),
      .in_ready_o (s_axis_tready),
      .in_word_i  ({s_axis_tuser, s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .out_valid_o(valid),
      .out_ready_i(ready),
      .out_word_o ({length, mode, last, keep, data})
  );

  reg  [1:0] state_q;
  reg        speed_q;  // what the call wants: one of four
  reg        crc_q;
  reg        adler_q;
  reg        hash_q;
  reg  [2:0] left_q;   // packets behind this one

  wire       speed_ready;
  wire       crc_ready;
  wire       adler_ready;
  wire       hash_ready;
  wire       takes = state_q == ST_TAKE;

  assign ready = takes && (speed_q ? speed_ready : crc_q ? crc_ready :
                           adler_q ? adler_ready : hash_ready);

  wire [63:0] speed_data;
  wire [7:0]  speed_keep;
  wire        speed_last;
  wire        speed_valid;
  wire [31:0] crc_data;
  wire [3:0]  crc_keep;
  wire        crc_last;
  wire        crc_valid;
  wire [31:0] adler_data;
  wire [3:0]  adler_keep;
  wire        adler_last;
  wire        adler_valid;
  wire [63:0] hash_data;
  wire [7:0]  hash_keep;
  wire        hash_last;
  wire        hash_valid;

  sponge_speed #(
      .SLICES(SLICES)
  ) u_speed (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (data[31:0]),
      .s_axis_tkeep (keep[3:0]),
      .s_axis_tlast (last),
      .s_axis_tvalid(valid && takes && speed_q),
      .s_axis_tready(speed_ready),
      .m_axis_tdata (speed_data),
      .m_axis_tkeep (speed_keep),
      .m_axis_tlast (speed_last),
      .m_axis_tvalid(speed_valid),
      .m_axis_tready(m_axis_tready && speed_q)
  );

  crc32_stream #(
      .BYTES(8)
  ) u_crc (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tlast (last),
      .s_axis_tvalid(valid && takes && crc_q),
      .s_axis_tready(crc_ready),
      .m_axis_tdata (crc_data),
      .m_axis_tkeep (crc_keep),
      .m_axis_tlast (crc_last),
      .m_axis_tvalid(crc_valid),
      .m_axis_tready(m_axis_tready && crc_q)
  );

  adler32_stream #(
      .BYTES(8)
  ) u_adler (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tlast (last),
      .s_axis_tvalid(valid && takes && adler_q),
      .s_axis_tready(adler_ready),
      .m_axis_tdata (adler_data),
      .m_axis_tkeep (adler_keep),
      .m_axis_tlast (adler_last),
      .m_axis_tvalid(adler_valid),
      .m_axis_tready(m_axis_tready && adler_q)
  );

  // Of SHA-3 and SHAKE: which function, the last lane of its rate, its bytes of output.
  reg         shake_q;
  reg  [4:0]  lane_end_q;
  reg  [15:0] length_q;
  reg  [4:0]  lane_end_d;
  reg  [15:0] length_d;

  always @* begin
    lane_end_d = 5'd16;
    length_d   = length;
    case (mode)
      MODE_SHA3_224: begin
        lane_end_d = 5'd17;
        length_d   = 16'd28;
      end
      MODE_SHA3_256: length_d = 16'd32;
      MODE_SHA3_384: begin
        lane_end_d = 5'd12;
        length_d   = 16'd48;
      end
      MODE_SHA3_512: begin
        lane_end_d = 5'd8;
        length_d   = 16'd64;
      end
      MODE_SHAKE128: lane_end_d = 5'd20;
      default: ;  // SHAKE256
    endcase
  end

  sponge_hash u_hash (
      .clk          (clk),
      .rst          (rst),
      .shake_i      (shake_q),
      .lane_end_i   (lane_end_q),
      .length_i     (length_q),
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tlast (last),
      .s_axis_tvalid(valid && takes && hash_q),
      .s_axis_tready(hash_ready),
      .m_axis_tdata (hash_data),
      .m_axis_tkeep (hash_keep),
      .m_axis_tlast (hash_last),
      .m_axis_tvalid(hash_valid),
      .m_axis_tready(m_axis_tready && hash_q)
  );

  assign m_axis_tdata  = speed_q ? speed_data : hash_q ? hash_data :
                         {32'd0, crc_q ? crc_data : adler_data};
  assign m_axis_tkeep  = speed_q ? speed_keep : hash_q ? hash_keep :
                         {4'd0, crc_q ? crc_keep : adler_keep};
  assign m_axis_tlast  = speed_q ? speed_last : hash_q ? hash_last :
                         crc_q ? crc_last : adler_last;
  assign m_axis_tvalid = speed_q ? speed_valid : crc_q ? crc_valid :
                         adler_q ? adler_valid : hash_valid && hash_q;

  wire taken = valid && ready && last;
  wire given = m_axis_tvalid && m_axis_tready && m_axis_tlast;

  reg [1:0] state_d;
  reg [2:0] left_d;

  always @* begin
    state_d = state_q;
    left_d  = left_q;
    case (state_q)
      ST_IDLE: begin
        left_d = mode == MODE_SPEED ? SPEED_IN : 3'd0;
        if (valid) state_d = ST_TAKE;
      end
      ST_TAKE:
      if (taken) begin
        left_d = left_q == 3'd0 ? (speed_q ? SPEED_OUT : 3'd0) : left_q - 3'd1;
        if (left_q == 3'd0) state_d = ST_GIVE;
      end
      default:
      if (given) begin
        left_d = left_q - 3'd1;
        if (left_q == 3'd0) state_d = ST_IDLE;
      end
    endcase
  end

  always @(posedge clk) begin
    if (rst) state_q <= ST_IDLE;
    else state_q <= state_d;
  end

  always @(posedge clk) begin
    left_q <= left_d;
    if (state_q == ST_IDLE) begin
      speed_q    <= mode == MODE_SPEED;
      crc_q      <= mode == MODE_CRC;
      adler_q    <= mode == MODE_ADLER;
      hash_q     <= mode >= MODE_SHA3_224;
      shake_q    <= mode >= MODE_SHAKE128;
      lane_end_q <= lane_end_d;
      length_q   <= length_d;
    end
  end

endmodule

`default_nettype wire
