// SPDX-License-Identifier: Apache-2.0
// Put into a copy of fifo_out.v before its end: a transfer gives as many packets as it was told and
// nothing after its last word, the first word after its delay, each until it is taken.
  reg [31:0] told_q;     // packets
  reg [31:0] packets_q;  // given of them
  reg [31:0] delay_q;
  reg [31:0] stood_q;    // cycles of the transfer in which a word was there, up to the delay
  reg waited_q;          // a word was given and not taken,
  reg stays_q;           // or there and not given
  reg [WIDTH:0] word_q;
  initial {told_q, packets_q, delay_q, stood_q, waited_q, stays_q} = 0;
  always @(posedge rd_clk) begin
    waited_q <= rd_valid_o & ~rd_ready_i & ~start_i;
    stays_q  <= there & ~pass;
    word_q   <= {rd_last_o, rd_data_o};
    if (start_i) begin
      told_q    <= length_i;
      packets_q <= 32'd0;
      delay_q   <= delay_i;
      stood_q   <= 32'd0;
    end else begin
      if (pass & rd_last_o) packets_q <= packets_q + 32'd1;
      if (there && stood_q != delay_q) stood_q <= stood_q + 32'd1;
    end
  end

  always @* begin
    assume (!start_i || sent_o);  // job_control starts no transfer beside another
    // What is shown.
    assert (packets_q <= told_q);
    assert (sent_o == (packets_q == told_q));
    if (rd_valid_o) assert (packets_q != told_q && stood_q == delay_q);
    if (there && packets_q != told_q && stood_q == delay_q) assert (rd_valid_o);
    if (waited_q) assert (rd_valid_o);
    // A word leaves the FIFO when it is given, and then alone.
    if (stays_q) assert (there && {rd_last_o, rd_data_o} == word_q);
    // What it follows from.
    assert (left_q == told_q - packets_q);
    assert (wait_q == delay_q - stood_q);
    assert (stood_q <= delay_q);
  end
