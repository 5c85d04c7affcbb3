// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197): encryption and decryption of whole blocks (SP 800-38A, 6.1), and counter mode
// of bytes (6.5), from stream to stream, a round a cycle, round keys on the fly.
//
// Interface: AXI4-Stream of 128 bits, byte 0 in tdata[7:0]. s_axis_tuser says what is to be done,
// on all beats: 0 encrypt; 1 decrypt, if DECRYPT; then, if COUNTER, counter mode. Packets, each
// ended by tlast: the key, 16 bytes; in counter mode the first counter block, 16 bytes; then the
// message. It comes out as one packet of as many bytes. tkeep is all ones but on the last beat of
// a packet, which may be short in counter mode, and may be without bytes: it then comes out so.
// Bytes without tkeep are ignored on the way in and zero on the way out. s_axis_tready depends on
// registers.
//
// In cycles, for a source that always offers and a sink that always takes: a block takes 10. From
// the beat with the key to the last beat out, both counted, it takes 14 for a message of a block,
// 26 to decrypt, which begins with the way to the last round key. The next key is taken meanwhile:
// messages of a block follow each other every 10, 22 and 13 cycles (encrypt, decrypt, counter
// mode).
//
// Resets: control; what is under way is forgotten, the first beat may come in the next cycle.
// MEMORY buys logic with block RAM.

`default_nettype none

module aes_stream #(
    // S-boxes, 1: ten block RAMs with two ports; 0: logic.
    parameter MEMORY  = 1,
    // 1: decrypts, too.
    parameter DECRYPT = 1,
    // 1: has counter mode.
    parameter COUNTER = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] s_axis_tdata,
    input  wire [15:0]  s_axis_tkeep,
    input  wire [1:0]   s_axis_tuser,
    input  wire         s_axis_tlast,
    input  wire         s_axis_tvalid,
    output wire         s_axis_tready,
    output wire [127:0] m_axis_tdata,
    output wire [15:0]  m_axis_tkeep,
    output wire         m_axis_tlast,
    output wire         m_axis_tvalid,
    input  wire         m_axis_tready
);

  generate
    if (MEMORY != 0 && MEMORY != 1) begin : g_memory_value
      ERROR_memory_must_be_0_or_1 u_error ();
    end
    if (DECRYPT != 0 && DECRYPT != 1) begin : g_decrypt_value
      ERROR_decrypt_must_be_0_or_1 u_error ();
    end
    if (COUNTER != 0 && COUNTER != 1) begin : g_counter_value
      ERROR_counter_must_be_0_or_1 u_error ();
    end
  endgenerate

  localparam [1:0] OP_DECRYPT = 2'd1;
  localparam [1:0] OP_COUNTER = (DECRYPT != 0) ? 2'd2 : 2'd1;

  localparam [1:0] FIELD_KEY     = 2'd0;
  localparam [1:0] FIELD_COUNTER = 2'd1;
  localparam [1:0] FIELD_MESSAGE = 2'd2;

  localparam [3:0] ROUND_BEFORE_LAST = 4'd9;

  // ---- what comes in ----

  reg [1:0] field_q;    // of the next beat
  reg       decrypt_q;  // of the message that key and counter are there for
  reg       counter_q;
  reg       expand_q;   // the base is the key, and should be the last round key
  reg       stream_q;   // the counter block is there, and its message has not ended

  wire decrypts = (DECRYPT != 0) && s_axis_tuser == OP_DECRYPT;
  wire counts   = (COUNTER != 0) && s_axis_tuser == OP_COUNTER;

  wire beat         = s_axis_tvalid && s_axis_tready;
  wire whole        = s_axis_tkeep[0];
  wire key_beat     = beat && whole && field_q == FIELD_KEY;
  wire counter_beat = beat && whole && field_q == FIELD_COUNTER;
  wire message_beat = beat && field_q == FIELD_MESSAGE;
  wire message_end  = message_beat && s_axis_tlast;

  // ---- what is in work ----

  reg       busy_q;
  reg       begins_q;         // nothing is in work, or its last round
  reg [3:0] round_q;          // whose results are there: 1 to 10, then it waits
  reg       work_decrypt_q;
  reg       work_counter_q;
  reg       work_expand_q;    // no block: only the last round key is looked for
  reg       work_last_q;      // of the beat with the block
  reg       work_empty_q;

  reg [127:0] data_q;
  reg [15:0]  keep_q;
  reg         last_q;
  reg         valid_q;

  wire primed;
  wire next_last = round_q == ROUND_BEFORE_LAST;
  wire at_end    = busy_q && begins_q;
  wire can_give  = at_end && !work_expand_q && !valid_q;
  // Counter mode gives when the beat of the message comes, else the beat was the block.
  wire give_ecb  = can_give && !work_counter_q;
  wire give_ctr  = can_give && work_counter_q && message_beat;
  wire expanded  = at_end && work_expand_q;
  wire ready     = primed && !expand_q && (!busy_q || give_ecb);

  wire load_ecb  = message_beat && !counter_q;
  wire load_ctr  = stream_q && primed && (!busy_q || give_ecb || (give_ctr && !s_axis_tlast));
  wire load      = load_ecb || load_ctr;
  wire expand    = expand_q && primed && (!busy_q || give_ecb || give_ctr);
  wire start     = load || expand;
  wire step      = start || !begins_q;

  wire takes = counter_q ? can_give && work_counter_q : ready;
  assign s_axis_tready = field_q != FIELD_MESSAGE || takes;

  always @(posedge clk) begin
    if (rst) begin
      field_q  <= FIELD_KEY;
      expand_q <= 1'b0;
      stream_q <= 1'b0;
      busy_q   <= 1'b0;
      begins_q <= 1'b1;
    end else begin
      if (beat && s_axis_tlast) begin
        case (field_q)
          FIELD_KEY:     field_q <= counts ? FIELD_COUNTER : FIELD_MESSAGE;
          FIELD_COUNTER: field_q <= FIELD_MESSAGE;
          default:       field_q <= FIELD_KEY;
        endcase
      end
      if (key_beat) expand_q <= decrypts;
      else if (expanded) expand_q <= 1'b0;
      if (counter_beat) stream_q <= 1'b1;
      else if (message_end) stream_q <= 1'b0;
      if (start) busy_q <= 1'b1;
      else if (give_ecb || give_ctr || expanded) busy_q <= 1'b0;
      // Choices between what begins and what goes on do not wait for what says that it does.
      if (start) begins_q <= 1'b0;
      else if (!begins_q && next_last) begins_q <= 1'b1;
    end
  end

  always @(posedge clk) begin
    if (key_beat) begin
      decrypt_q <= decrypts;
      counter_q <= counts;
    end
    if (start) begin
      round_q        <= 4'd1;
      work_decrypt_q <= decrypt_q && !expand;
      work_counter_q <= counter_q;
      work_expand_q  <= expand;
      work_last_q    <= s_axis_tlast;
      work_empty_q   <= !whole;
    end else if (step) begin
      round_q <= round_q + 4'd1;
    end
  end

  // ---- keys ----

  wire [127:0] base;
  wire [127:0] key;
  wire         base_back = decrypt_q && !expand_q;

  aes_keys #(
      .MEMORY (MEMORY),
      .INVERSE(DECRYPT)
  ) u_keys (
      .clk        (clk),
      .rst        (rst),
      .key_i      (s_axis_tdata),
      .load_i     (key_beat),
      .store_i    (expanded),
      .step_i     (step),
      .start_i    (begins_q),
      .back_i     (begins_q ? base_back : work_decrypt_q),
      .base_back_i(base_back),
      .next_base_i(begins_q ? !start : next_last),
      .base_o     (base),
      .key_o      (key),
      .primed_o   (primed)
  );

  // ---- rounds ----

  wire [127:0] counter;
  wire [127:0] state;
  wire [127:0] result;
  wire [127:0] bytes;
  wire [127:0] block  = ((COUNTER != 0) && counter_q) ? counter : s_axis_tdata;
  wire         invert = begins_q ? decrypt_q : work_decrypt_q;

  genvar i;
  generate
    if (COUNTER != 0) begin : g_counter
      aes_counter u_counter (
          .clk      (clk),
          .load_i   (counter_beat),
          .counter_i(s_axis_tdata),
          .next_i   (load_ctr),
          .counter_o(counter)
      );
    end else begin : g_no_counter
      assign counter = 128'd0;
    end

    for (i = 0; i < 8; i = i + 1) begin : g_sbox
      aes_sbox_pair #(
          .MEMORY (MEMORY),
          .INVERSE(DECRYPT)
      ) u_sbox (
          .clk     (clk),
          .en_i    (step),
          .invert_i(invert),
          .a_i     (state[16*i +: 8]),
          .b_i     (state[16*i + 8 +: 8]),
          .a_o     (bytes[16*i +: 8]),
          .b_o     (bytes[16*i + 8 +: 8])
      );
    end
  endgenerate

  aes_step #(
      .INVERSE(DECRYPT)
  ) u_step (
      .invert_i(work_decrypt_q),
      .begin_i (begins_q),
      .block_i (block ^ base),
      .bytes_i (bytes),
      .key_i   (key),
      .state_o (state),
      .last_o  (result)
  );

  // ---- what goes out ----

  wire         give = give_ecb || give_ctr;
  wire [15:0]  keep = work_counter_q ? s_axis_tkeep : {16{!work_empty_q}};
  wire [127:0] data = result ^ (work_counter_q ? s_axis_tdata : 128'd0);

  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = keep_q;
  assign m_axis_tlast  = last_q;
  assign m_axis_tvalid = valid_q;

  always @(posedge clk) begin
    if (rst) valid_q <= 1'b0;
    else if (give) valid_q <= 1'b1;
    else if (m_axis_tready) valid_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (give) begin
      keep_q <= keep;
      last_q <= work_counter_q ? s_axis_tlast : work_last_q;
    end
  end

  generate
    for (i = 0; i < 16; i = i + 1) begin : g_give
      always @(posedge clk) begin
        if (give) data_q[8*i +: 8] <= keep[i] ? data[8*i +: 8] : 8'h00;
      end
    end
  endgenerate

endmodule

`default_nettype wire
