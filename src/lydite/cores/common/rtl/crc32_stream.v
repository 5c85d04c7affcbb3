// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) of messages, from stream to stream, BYTES bytes a cycle.
//
// Interface: AXI4-Stream, a message for each s_axis_tlast, four bytes for each m_axis_tlast, the
// lowest first (RFC 1952, 2.3.1). Byte 0 of a message stands in tdata[7:0]. tkeep is all ones but
// on the last beat, where it is contiguous from byte 0 and may be zero. s_axis_tready is a
// register.
//
// A beat is taken in each cycle, and messages follow each other without a gap, if the sink takes
// checksums as they come. Latency from a message's last beat in to its checksum out:
// log2(BYTES) + 8 cycles, both counted.
//
// Only the remainder so far times x**(8 * BYTES) is computed from cycle to cycle; that of a beat is
// ready before. A last beat of fewer bytes counts as a whole one with zeros behind it; these are
// taken back by powers of 1/x, one for each bit of their number. So nothing is shifted.
//
// Resets: control and the remainder; the first beat may come two cycles later.

`default_nettype none

module crc32_stream #(
    // Bytes of a beat: 8, 16, 32.
    parameter BYTES = 8
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [8*BYTES-1:0] s_axis_tdata,
    input  wire [BYTES-1:0]   s_axis_tkeep,
    input  wire               s_axis_tlast,
    input  wire               s_axis_tvalid,
    output wire               s_axis_tready,
    output wire [31:0]        m_axis_tdata,
    output wire [3:0]         m_axis_tkeep,
    output wire               m_axis_tlast,
    output wire               m_axis_tvalid,
    input  wire               m_axis_tready
);

  generate
    if (BYTES != 8 && BYTES != 16 && BYTES != 32) begin : g_bytes
      ERROR_bytes_must_be_8_16_or_32 u_error ();
    end
  endgenerate

  localparam LOG = $clog2(BYTES);
  localparam PARTS = BYTES / 8;

  wire [8*BYTES-1:0] data;
  wire               some;
  wire               last;
  wire [LOG-1:0]     missing;

  checksum_in #(
      .BYTES(BYTES)
  ) u_in (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .data_o       (data),
      .some_o       (some),
      .last_o       (last),
      .missing_o    (missing)
  );

  // ---- of a beat: remainders of 8 bytes, and their sum ------------------------------------------

  wire [32*PARTS-1:0] part;
  reg  [32*PARTS-1:0] part_q;
  reg  [31:0]         beat_d;
  reg  [31:0]         beat_q;
  reg  [1:0]          some_q;
  reg  [1:0]          last_q;
  reg  [2*LOG-1:0]    missing_q;

  genvar i;
  generate
    for (i = 0; i < PARTS; i = i + 1) begin : g_part
      crc32_advance #(
          .IN_BITS(64),
          .BITS   (32 + 64 * (PARTS - 1 - i))
      ) u_part (
          .in_i (data[64*i +: 64]),
          .out_o(part[32*i +: 32])
      );
    end
  endgenerate

  integer k;
  always @* begin
    beat_d = 32'd0;
    for (k = 0; k < PARTS; k = k + 1) beat_d = beat_d ^ part_q[32*k +: 32];
  end

  always @(posedge clk) begin
    if (rst) begin
      some_q <= 2'd0;
      last_q <= 2'd0;
    end else begin
      some_q <= {some_q[0], some};
      last_q <= {last_q[0], last};
    end
  end

  always @(posedge clk) begin
    part_q    <= part;
    beat_q    <= beat_d;
    missing_q <= {missing_q[LOG-1:0], missing};
  end

  // ---- of the message ---------------------------------------------------------------------------

  reg  [31:0] crc_q;
  wire [31:0] advanced;
  wire [31:0] crc = some_q[1] ? advanced ^ beat_q : crc_q;

  crc32_advance #(
      .BITS(8 * BYTES)
  ) u_advance (
      .in_i (crc_q),
      .out_o(advanced)
  );

  always @(posedge clk) begin
    if (rst || last_q[1]) crc_q <= 32'hffffffff;
    else crc_q <= crc;
  end

  // ---- zeros behind it are taken back -----------------------------------------------------------

  wire [32*(LOG+1)-1:0]  undone;
  wire [LOG*(LOG+1)-1:0] still;
  wire [LOG:0]           done;
  reg  [31:0]            whole_q;
  reg  [LOG-1:0]         zeros_q;
  reg                    end_q;

  always @(posedge clk) begin
    whole_q <= crc;
    zeros_q <= missing_q[LOG +: LOG];
    if (rst) end_q <= 1'b0;
    else end_q <= last_q[1];
  end

  assign undone[0 +: 32] = whole_q;
  assign still[0 +: LOG] = zeros_q;
  assign done[0]         = end_q;

  generate
    for (i = 0; i < LOG; i = i + 1) begin : g_undo
      reg  [31:0]    next_crc_q;
      reg  [LOG-1:0] next_zeros_q;
      reg            next_end_q;
      wire [31:0]    back;

      crc32_advance #(
          .BITS(-8 * (1 << i))
      ) u_back (
          .in_i (undone[32*i +: 32]),
          .out_o(back)
      );

      always @(posedge clk) begin
        next_crc_q   <= still[LOG*i] ? back : undone[32*i +: 32];
        next_zeros_q <= {1'b0, still[LOG*i+1 +: LOG-1]};
        if (rst) next_end_q <= 1'b0;
        else next_end_q <= done[i];
      end

      assign undone[32*(i+1) +: 32]  = next_crc_q;
      assign still[LOG*(i+1) +: LOG] = next_zeros_q;
      assign done[i+1]               = next_end_q;
    end
  endgenerate

  wire unused = &{1'b0, still[LOG*LOG +: LOG]};

  checksum_out u_out (
      .clk          (clk),
      .rst          (rst),
      .end_i        (s_axis_tvalid && s_axis_tready && s_axis_tlast),
      .room_o       (s_axis_tready),
      .valid_i      (done[LOG]),
      .checksum_i   (~undone[32*LOG +: 32]),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
