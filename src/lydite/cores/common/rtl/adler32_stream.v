// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) of messages, from stream to stream, BYTES bytes a cycle.
//
// Interface: AXI4-Stream, a message for each s_axis_tlast, four bytes for each m_axis_tlast, the
// highest first (RFC 1950, 2.2). Byte 0 of a message stands in tdata[7:0]. tkeep is all ones but on
// the last beat, where it is contiguous from byte 0 and may be zero. s_axis_tready is a register.
//
// A beat is taken in each cycle, and messages follow each other without a gap, if the sink takes
// checksums as they come. Latency from a message's last beat in to its checksum out:
// 2 * log2(BYTES) + 12 cycles, both counted.
//
// From cycle to cycle only s1 and s2 are added to, modulo 65521: each sum is there with the modulus
// taken off, too, so that one addition decides. What s2 gets of a beat is BYTES times the s1 before
// it and the weighted sum of its bytes, reduced in a pipeline by 2**16 = 15. A last beat of fewer
// bytes counts as a whole one with zeros behind it: s2 then has s1 once too often for each, which
// is taken back by its doubles, one for each bit of their number.
//
// Resets: control and both sums; the first beat may come two cycles later.

`default_nettype none

module adler32_stream #(
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
  localparam [17:0] MODULUS = 18'd65521;
  // Cycles from the beat: its sums are there, s1 has them, s2 has them.
  localparam SUMS = LOG + 1;
  localparam FIRST = SUMS + 1;
  localparam SECOND = FIRST + 4;

  wire [8*BYTES-1:0]   data;
  wire                 some;
  wire                 last;
  wire [LOG-1:0]       missing;
  wire [LOG+7:0]       sum;
  wire [2*LOG+7:0]     weighted;

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

  adler32_sums #(
      .BYTES(BYTES)
  ) u_sums (
      .clk       (clk),
      .data_i    (data),
      .sum_o     (sum),
      .weighted_o(weighted)
  );

  // ---- what goes with a beat: bit n is n cycles old ---------------------------------------------

  reg [SECOND:1]       some_q;
  reg [SECOND:1]       last_q;
  reg [LOG*SECOND-1:0] missing_q;

  always @(posedge clk) begin
    if (rst) begin
      some_q <= {SECOND{1'b0}};
      last_q <= {SECOND{1'b0}};
    end else begin
      some_q <= {some_q[SECOND-1:1], some};
      last_q <= {last_q[SECOND-1:1], last};
    end
  end

  always @(posedge clk) missing_q <= {missing_q[LOG*(SECOND-1)-1:0], missing};

  // ---- s1 ---------------------------------------------------------------------------------------

  reg  [17:0]      sum_q;
  reg  [17:0]      sum_less_q;  // by the modulus: below zero
  reg  [2*LOG+7:0] weighted_q;
  reg  [17:0]      s1_q;
  wire [17:0]      s1_more = s1_q + sum_q;
  wire [17:0]      s1_less = s1_q + sum_less_q;
  wire [17:0]      s1 = !some_q[SUMS] ? s1_q : s1_less[17] ? s1_more : s1_less;

  always @(posedge clk) begin
    sum_q      <= {{(10 - LOG) {1'b0}}, sum};
    sum_less_q <= {{(10 - LOG) {1'b0}}, sum} - MODULUS;
    weighted_q <= weighted;
    if (rst || last_q[SUMS]) s1_q <= 18'd1;
    else s1_q <= s1;
  end

  // ---- s2 ---------------------------------------------------------------------------------------

  reg  [16+LOG:0] more_q;       // what s2 gets
  reg  [15:0]     low_q;
  reg  [10:0]     high_q;       // 15 times what is above
  reg  [17:0]     folded_q;
  reg  [17:0]     less_q;       // once the modulus taken off, if it can be
  reg  [17:0]     add_q;
  reg  [17:0]     add_less_q;
  reg  [17:0]     s2_q;
  wire [17:0]     off = folded_q - MODULUS;
  wire [17:0]     s2_more = s2_q + add_q;
  wire [17:0]     s2_less = s2_q + add_less_q;
  wire [17:0]     s2 = !some_q[SECOND] ? s2_q : s2_less[17] ? s2_more : s2_less;
  wire [LOG:0]    above = more_q[16+LOG:16];

  always @(posedge clk) begin
    more_q     <= {1'b0, s1_q[15:0], {LOG{1'b0}}} + {{(9 - LOG) {1'b0}}, weighted_q};
    low_q      <= more_q[15:0];
    high_q     <= {{(6 - LOG) {1'b0}}, above, 4'd0} - {{(10 - LOG) {1'b0}}, above};
    folded_q   <= {2'd0, low_q} + {7'd0, high_q};
    less_q     <= off[17] ? folded_q : off;
    add_q      <= less_q;
    add_less_q <= less_q - MODULUS;
    if (rst || last_q[SECOND]) s2_q <= 18'd0;
    else s2_q <= s2;
  end

  // s1 of a message's end waits for s2.
  reg [18*5-1:0] s1_end_q;
  always @(posedge clk) s1_end_q <= {s1_end_q[18*4-1:0], s1};

  // ---- what zeros behind a message have added ---------------------------------------------------

  // Of stage i: s2; 2**i times the negative of s1, which is below or at zero, and with the modulus.
  wire [18*(LOG+1)-1:0]  right;
  wire [18*(LOG+1)-1:0]  less;
  wire [18*(LOG+1)-1:0]  more;
  wire [16*(LOG+1)-1:0]  first;
  wire [LOG*(LOG+1)-1:0] zeros;
  wire [LOG:0]           done;

  reg  [17:0]            right_q;
  reg  [17:0]            less_end_q;
  reg  [17:0]            more_end_q;
  reg  [15:0]            first_q;
  reg  [LOG-1:0]         zeros_q;
  reg                    end_q;

  always @(posedge clk) begin
    right_q    <= s2;
    less_end_q <= 18'd0 - s1_end_q[18*5-1 -: 18];
    more_end_q <= MODULUS - s1_end_q[18*5-1 -: 18];
    first_q    <= s1_end_q[18*4 +: 16];
    zeros_q    <= missing_q[LOG*(SECOND-1) +: LOG];
    if (rst) end_q <= 1'b0;
    else end_q <= last_q[SECOND];
  end

  assign right[17:0]    = right_q;
  assign less[17:0]     = less_end_q;
  assign more[17:0]     = more_end_q;
  assign first[15:0]    = first_q;
  assign zeros[LOG-1:0] = zeros_q;
  assign done[0]        = end_q;

  genvar i;
  generate
    for (i = 0; i < LOG; i = i + 1) begin : g_undo
      reg  [17:0]    next_right_q;
      reg  [17:0]    next_less_q;
      reg  [17:0]    next_more_q;
      reg  [15:0]    next_first_q;
      reg  [LOG-1:0] next_zeros_q;
      reg            next_end_q;
      wire [17:0]    old    = right[18*i +: 18];
      wire [17:0]    lower  = old + less[18*i +: 18];
      wire [17:0]    higher = old + more[18*i +: 18];
      wire [17:0]    twice  = less[18*i +: 18] + more[18*i +: 18];

      always @(posedge clk) begin
        next_right_q <= !zeros[LOG*i] ? old : lower[17] ? higher : lower;
        // Twice, with or without the modulus once more.
        next_less_q  <= twice[17] ? twice : {less[18*i +: 17], 1'b0};
        next_more_q  <= twice[17] ? {more[18*i +: 17], 1'b0} : twice;
        next_first_q <= first[16*i +: 16];
        next_zeros_q <= {1'b0, zeros[LOG*i+1 +: LOG-1]};
        if (rst) next_end_q <= 1'b0;
        else next_end_q <= done[i];
      end

      assign right[18*(i+1) +: 18]   = next_right_q;
      assign less[18*(i+1) +: 18]    = next_less_q;
      assign more[18*(i+1) +: 18]    = next_more_q;
      assign first[16*(i+1) +: 16]   = next_first_q;
      assign zeros[LOG*(i+1) +: LOG] = next_zeros_q;
      assign done[i+1]               = next_end_q;
    end
  endgenerate

  wire [15:0] s1_out = first[16*LOG +: 16];
  wire [15:0] s2_out = right[18*LOG +: 16];
  wire unused = &{1'b0, zeros[LOG*LOG +: LOG], less[18*LOG +: 18], more[18*LOG +: 18],
                  right[18*LOG+16 +: 2]};

  checksum_out u_out (
      .clk          (clk),
      .rst          (rst),
      .end_i        (s_axis_tvalid && s_axis_tready && s_axis_tlast),
      .room_o       (s_axis_tready),
      .valid_i      (done[LOG]),
      .checksum_i   ({s1_out[7:0], s1_out[15:8], s2_out[7:0], s2_out[15:8]}),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
