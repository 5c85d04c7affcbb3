// SPDX-License-Identifier: Apache-2.0
//
// The head of a hash function that takes in words of 32 bits: those of a message with its mark,
// zeros up to a whole word, and behind them the number of its bits in 64 bits, highest byte first.
// A beat without bytes, which may end a message, is no word where there is no mark.
//
// Interface: s_axis_* as docs/cores.md has it. A word is there when full_o is set, a cycle after
// its beat, and the core takes it with take_i, which may not be set without it; the next one may
// come in that same cycle. last_o: it is the lower half of the length. Resets: what is there.

`default_nettype none

module message_words #(
    // The byte behind the message; 0 for none.
    parameter [7:0] MARK = 8'h80
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [31:0] word_o,  // byte 0 lowest
    output wire        last_o,
    output wire        full_o,
    input  wire        take_i
);

  localparam [1:0] ST_MESSAGE = 2'd0;
  localparam [1:0] ST_HIGH    = 2'd1;
  localparam [1:0] ST_LOW     = 2'd2;

  wire [31:0] pad_word;
  wire        pad_full;
  wire [1:0]  pad_bytes;
  wire        pad_end;
  wire        pad_valid;

  reg  [1:0]  state_q;
  reg         full_q;
  reg         last_q;
  reg  [31:0] word_q;
  reg  [60:0] bytes_q;

  wire        free = !full_q || take_i;
  wire        beat = state_q == ST_MESSAGE && pad_valid && free;
  wire        empty = MARK == 8'h00 && !pad_full && pad_bytes == 2'd0;
  wire [63:0] bits = {bytes_q, 3'd0};
  wire [31:0] chosen = (state_q == ST_HIGH) ? bits[63:32] : bits[31:0];
  wire [31:0] length = {chosen[7:0], chosen[15:8], chosen[23:16], chosen[31:24]};

  message_pad #(
      .DATA_BITS(32),
      .MARK     (MARK)
  ) u_pad (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (pad_word),
      .word_full_o  (pad_full),
      .word_bytes_o (pad_bytes),
      .word_end_o   (pad_end),
      .word_valid_o (pad_valid),
      .word_ready_i (state_q == ST_MESSAGE && free)
  );

  assign word_o = word_q;
  assign last_o = last_q;
  assign full_o = full_q;

  always @(posedge clk) begin
    if (rst) begin
      state_q <= ST_MESSAGE;
      full_q  <= 1'b0;
    end else if (free) begin
      full_q <= (beat && !empty) || state_q != ST_MESSAGE;
      case (state_q)
        ST_MESSAGE: if (beat && pad_end) state_q <= ST_HIGH;
        ST_HIGH: state_q <= ST_LOW;
        default: state_q <= ST_MESSAGE;
      endcase
    end
  end

  always @(posedge clk) begin
    if (free) begin
      word_q <= (state_q == ST_MESSAGE) ? pad_word : length;
      last_q <= state_q == ST_LOW;
    end
  end

  always @(posedge clk) begin
    if (rst || (free && state_q == ST_LOW)) bytes_q <= 61'd0;
    else if (beat) bytes_q <= bytes_q + {58'd0, pad_full, pad_bytes};
  end

`ifdef LYDITE_ASSERT
  taken_word_is_full : assert property (@(posedge clk) disable iff (rst) take_i |-> full_q);
`endif

endmodule

`default_nettype wire
