// SPDX-License-Identifier: Apache-2.0
//
// The counter block of SP 800-38A, B.1: 128 bits, byte 0 on top. It goes up 16 bits a cycle, going
// round, so that there is neither a long carry chain nor a second adder.
//
// Interface: counter_o is right from the cycle after load_i on, until next_i; eight cycles after
// that again. load_i may come at any time. Resets nothing: a load comes first.

`default_nettype none

module aes_counter (
    input  wire         clk,
    input  wire         load_i,
    input  wire [127:0] counter_i,
    input  wire         next_i,
    output wire [127:0] counter_o
);

  // Lowest 16 bits are the next to go up; bytes are turned here, and here alone.
  reg [127:0] count_q;
  reg [7:0]   left_q;  // a bit for each step to come
  reg         carry_q;

  wire [16:0] sum = {1'b0, count_q[15:0]} + {16'd0, carry_q};

  wire [127:0] turned;

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      assign turned[8*i +: 8]    = counter_i[8*(15 - i) +: 8];
      assign counter_o[8*i +: 8] = count_q[8*(15 - i) +: 8];
    end
  endgenerate

  always @(posedge clk) begin
    if (load_i) begin
      count_q <= turned;
      left_q  <= 8'd0;
    end else begin
      if (left_q[0]) count_q <= {sum[15:0], count_q[127:16]};
      left_q <= next_i ? 8'hff : {1'b0, left_q[7:1]};
    end
    carry_q <= next_i || (left_q[0] && sum[16]);
  end

endmodule

`default_nettype wire
