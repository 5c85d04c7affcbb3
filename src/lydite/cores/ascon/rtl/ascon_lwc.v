// SPDX-License-Identifier: Apache-2.0
//
// Ascon-AEAD128 and Ascon-Hash256 (NIST SP 800-232, 4.1 and 5.1) behind the hardware API for
// lightweight cryptography of George Mason University (v1.2.0), with ports of 32 bits.
//
// Interface: public data in (pdi_*), secret data in (sdi_*), data out (do_*); a word moves where
// valid and ready meet. The first byte of a field stands in bits 31:24. On pdi, instructions:
// activate key (7: the core then takes load key, 4, and a segment of type c on sdi), encrypt (2),
// decrypt (3), hash (8); behind the last three, segments, each a word with type, EOT, Last and
// length, and its data: nonce (d), associated data (1), plaintext (4) or ciphertext (5) and tag
// (8); or a hash message (7). A type may have several segments, all but the last of them of whole
// blocks, 16 bytes, or 8 of a hash. On do, a segment for each segment of text, a tag (8) or a
// digest (9), and a status: e, or f for a wrong tag; do_last comes with it. Decrypted text is
// given before its tag is checked. Partial, EOI, and what is reserved are ignored; lengths of key,
// nonce and tag, the order of types, and unknown instructions are not checked.
//
// Cycles: as ascon_engine, if the words keep up: a block of text takes max(8 / ROUNDS, 4), one more
// with ROUNDS = 2 or 4. Resets: control; it takes an instruction in the next cycle.

`default_nettype none

module ascon_lwc #(
    // Rounds a cycle: 1, 2, 4.
    parameter ROUNDS = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] pdi_data,
    input  wire        pdi_valid,
    output wire        pdi_ready,
    input  wire [31:0] sdi_data,
    input  wire        sdi_valid,
    output wire        sdi_ready,
    output wire [31:0] do_data,
    output wire        do_last,
    output wire        do_valid,
    input  wire        do_ready
);

  localparam [3:0] I_ENCRYPT = 4'h2;
  localparam [3:0] I_DECRYPT = 4'h3;
  localparam [3:0] I_KEY     = 4'h7;
  localparam [3:0] I_HASH    = 4'h8;

  localparam [3:0] T_AD         = 4'h1;
  localparam [3:0] T_PLAINTEXT  = 4'h4;
  localparam [3:0] T_CIPHERTEXT = 4'h5;
  localparam [3:0] T_MESSAGE    = 4'h7;
  localparam [3:0] T_TAG        = 4'h8;
  localparam [3:0] T_DIGEST     = 4'h9;
  localparam [3:0] T_NONCE      = 4'hd;

  localparam [3:0] S_SUCCESS = 4'he;
  localparam [3:0] S_FAILURE = 4'hf;

  // Fields of ascon_engine.
  localparam [6:0] F_START  = 7'b0000001;
  localparam [6:0] F_KEY    = 7'b0000010;
  localparam [6:0] F_NONCE  = 7'b0000100;
  localparam [6:0] F_AD     = 7'b0001000;
  localparam [6:0] F_TEXT   = 7'b0010000;
  localparam [6:0] F_TAG    = 7'b0100000;
  localparam [6:0] F_DIGEST = 7'b1000000;

  // ---- words in -------------------------------------------------------------------------------

  localparam [2:0] ST_INSTRUCTION = 3'd0;
  localparam [2:0] ST_HEADER      = 3'd1;
  localparam [2:0] ST_DATA        = 3'd2;
  localparam [2:0] ST_LOAD        = 3'd3;  // the instruction on sdi
  localparam [2:0] ST_KEY_HEADER  = 3'd4;
  localparam [2:0] ST_KEY         = 3'd5;

  reg  [2:0]   phase_q;
  reg          open_q;
  reg          hash_q;
  reg          eot_q;      // this segment ends its type
  reg          ends_q;     // and the input
  reg  [15:0]  left_q;     // bytes of it that come
  reg  [1:0]   place_q;    // of the next word in the block
  reg  [127:0] block_q;
  reg  [15:0]  keep_q;
  reg          last_q;
  reg  [6:0]   field_q;
  reg          full_q;     // the block waits for the engine
  reg          segment_q;  // a segment of output waits for its turn
  reg          segment_eot_q;
  reg          segment_digest_q;
  reg          segment_open_q;
  reg  [15:0]  segment_bytes_q;

  reg  [2:0]   phase_d;

  wire         engine_ready;
  wire         room    = !full_q || engine_ready;
  wire         key     = phase_q == ST_LOAD || phase_q == ST_KEY_HEADER || phase_q == ST_KEY;
  wire         data    = phase_q == ST_DATA || phase_q == ST_KEY;
  wire         ready   = room && (data || !segment_q);
  wire         word_in = ready && (key ? sdi_valid : pdi_valid);
  wire [31:0]  word    = key ? sdi_data : pdi_data;
  wire [3:0]   kind    = word[31:28];
  wire         header  = word_in && (phase_q == ST_HEADER || phase_q == ST_KEY_HEADER);
  wire         begins  = word_in && phase_q == ST_INSTRUCTION;
  wire         is_text = kind == T_PLAINTEXT || kind == T_CIPHERTEXT;
  wire         empty   = header && word[15:0] == 16'd0;
  wire         hash    = begins && kind == I_HASH;
  wire         tip   = left_q <= 16'd4;  // the last word of the segment
  wire         closes  = tip || place_q == 2'd3 || (hash_q && place_q == 2'd1 && !key);
  wire [3:0]   kept    = {left_q >= 16'd4, left_q >= 16'd3, left_q >= 16'd2, 1'b1};
  wire         seat_free;
  wire         leave   = segment_q && seat_free;

  assign pdi_ready = ready && !key;
  assign sdi_ready = ready && key;

  always @* begin
    phase_d = phase_q;
    case (phase_q)
      ST_INSTRUCTION: begin
        if (kind == I_KEY) phase_d = ST_LOAD;
        else if (kind == I_ENCRYPT || kind == I_DECRYPT || kind == I_HASH) phase_d = ST_HEADER;
      end
      ST_LOAD: phase_d = ST_KEY_HEADER;
      ST_KEY_HEADER: phase_d = ST_KEY;
      ST_KEY: if (tip) phase_d = ST_INSTRUCTION;
      ST_HEADER: begin
        if (!empty) phase_d = ST_DATA;
        else if (word[24]) phase_d = ST_INSTRUCTION;
      end
      default: if (tip) phase_d = ends_q ? ST_INSTRUCTION : ST_HEADER;
    endcase
  end

  always @(posedge clk) begin
    if (rst) begin
      phase_q   <= ST_INSTRUCTION;
      full_q    <= 1'b0;
      segment_q <= 1'b0;
    end else begin
      if (word_in) phase_q <= phase_d;
      full_q <= hash || (empty && word[25]) || (word_in && data && closes) || !room;
      segment_q <= hash || (header && !key && is_text) || (segment_q && !leave);
    end
  end

  always @(posedge clk) begin
    if (begins) begin
      open_q <= kind == I_DECRYPT;
      hash_q <= kind == I_HASH;
    end
    if (header) begin
      eot_q  <= word[25];
      ends_q <= word[24];
    end
    if (header) left_q <= word[15:0];
    else if (word_in && data) left_q <= left_q - 16'd4;
    if (word_in) place_q <= (data && !closes) ? place_q + 2'd1 : 2'd0;
    if (word_in) last_q <= (header && empty) || (tip && (eot_q || key));
    if (hash) field_q <= F_START;
    else if (header) begin
      case (kind)
        T_NONCE: field_q <= F_NONCE;
        T_AD: field_q <= F_AD;
        T_PLAINTEXT, T_CIPHERTEXT: field_q <= F_TEXT;
        T_TAG: field_q <= F_TAG;
        T_MESSAGE: field_q <= F_DIGEST;
        default: field_q <= F_KEY;
      endcase
    end
    if (hash || (header && is_text)) begin
      segment_eot_q    <= word[25];
      segment_digest_q <= hash;
      segment_open_q   <= open_q;
      segment_bytes_q  <= word[15:0];
    end
  end

  // A word's first byte is the highest one; a block's is the lowest.
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_word
      localparam [1:0] PLACE = i;
      wire write = word_in && data && place_q == PLACE;
      always @(posedge clk) begin
        if (write) block_q[32*i +: 32] <= {word[7:0], word[15:8], word[23:16], word[31:24]};
        if (write) keep_q[4*i +: 4] <= kept;
        else if (word_in && (!data || place_q == 2'd0)) keep_q[4*i +: 4] <= 4'b0000;
      end
    end
  endgenerate

  // ---- engine ---------------------------------------------------------------------------------

  wire [127:0] out_data;
  wire [15:0]  out_keep;
  wire         out_last;
  wire         out_valid;
  wire         out_ready;
  wire         unused = &{1'b0, out_keep, out_last};

  ascon_engine #(
      .ROUNDS(ROUNDS),
      .AEAD  (1),
      .HASH  (1)
  ) u_engine (
      .clk    (clk),
      .rst    (rst),
      .field_i(field_q),
      .open_i (open_q),
      .data_i (block_q),
      .keep_i (keep_q),
      .last_i (last_q),
      .valid_i(full_q),
      .ready_o(engine_ready),
      .data_o (out_data),
      .keep_o (out_keep),
      .last_o (out_last),
      .valid_o(out_valid),
      .ready_i(out_ready)
  );

  // ---- words out ------------------------------------------------------------------------------

  localparam [2:0] ST_WAIT       = 3'd0;
  localparam [2:0] ST_OUT_HEADER = 3'd1;
  localparam [2:0] ST_OUT_DATA   = 3'd2;
  localparam [2:0] ST_OUT_EMPTY  = 3'd3;  // the beat of an empty segment
  localparam [2:0] ST_TAG_HEADER = 3'd4;
  localparam [2:0] ST_TAG        = 3'd5;
  localparam [2:0] ST_VERDICT    = 3'd6;
  localparam [2:0] ST_STATUS     = 3'd7;

  reg  [2:0]  give_q;
  reg  [1:0]  word_q;     // of the beat
  reg         seat_eot_q;
  reg         seat_digest_q;
  reg         seat_open_q;
  reg  [15:0] seat_left_q;
  reg         right_q;

  reg  [2:0]  give_d;
  reg  [31:0] shown;

  wire        stream   = give_q == ST_OUT_DATA || give_q == ST_TAG;
  wire        silent   = give_q == ST_OUT_EMPTY || give_q == ST_VERDICT;
  wire        word_out = do_valid && do_ready;
  wire        tail     = seat_left_q <= 16'd4;
  wire        beat_end = word_q == 2'd3 || (seat_digest_q && word_q == 2'd1) ||
      (give_q == ST_OUT_DATA && tail);
  wire [2:0]  behind   = seat_digest_q ? ST_STATUS : !seat_eot_q ? ST_WAIT :
      seat_open_q ? ST_VERDICT : ST_TAG_HEADER;
  wire [31:0] piece    = out_data[32*word_q +: 32];

  assign seat_free = give_q == ST_WAIT;
  assign do_valid  = stream ? out_valid : !silent && give_q != ST_WAIT;
  assign do_last   = give_q == ST_STATUS;
  assign do_data   = shown;
  assign out_ready = silent || (stream && do_ready && beat_end);

  always @* begin
    case (give_q)
      ST_OUT_HEADER: begin
        if (seat_digest_q) shown = {T_DIGEST, 4'b0011, 24'd32};
        else if (seat_open_q) shown = {T_PLAINTEXT, 2'b00, {2{seat_eot_q}}, 8'd0, seat_left_q};
        else shown = {T_CIPHERTEXT, 2'b00, seat_eot_q, 1'b0, 8'd0, seat_left_q};
      end
      ST_TAG_HEADER: shown = {T_TAG, 4'b0011, 24'd16};
      ST_STATUS: shown = {right_q ? S_SUCCESS : S_FAILURE, 28'd0};
      default: shown = {piece[7:0], piece[15:8], piece[23:16], piece[31:24]};
    endcase
  end

  always @* begin
    give_d = give_q;
    case (give_q)
      ST_WAIT: if (segment_q) give_d = ST_OUT_HEADER;
      ST_OUT_HEADER: if (word_out) give_d = seat_left_q == 16'd0 ? ST_OUT_EMPTY : ST_OUT_DATA;
      ST_OUT_DATA: if (word_out && tail) give_d = behind;
      ST_OUT_EMPTY: if (out_valid || !seat_eot_q) give_d = behind;
      ST_TAG_HEADER: if (word_out) give_d = ST_TAG;
      ST_TAG: if (word_out && beat_end) give_d = ST_STATUS;
      ST_VERDICT: if (out_valid) give_d = ST_STATUS;
      default: if (word_out) give_d = ST_WAIT;
    endcase
  end

  always @(posedge clk) begin
    if (rst) give_q <= ST_WAIT;
    else give_q <= give_d;
  end

  always @(posedge clk) begin
    if (leave) begin
      seat_eot_q    <= segment_eot_q;
      seat_digest_q <= segment_digest_q;
      seat_open_q   <= segment_open_q;
    end
    if (leave) seat_left_q <= segment_digest_q ? 16'd32 : segment_bytes_q;
    else if (word_out && give_q == ST_OUT_DATA) seat_left_q <= seat_left_q - 16'd4;
    if (word_out) word_q <= (stream && !beat_end) ? word_q + 2'd1 : 2'd0;
    if (leave) right_q <= 1'b1;
    else if (give_q == ST_VERDICT) right_q <= out_data[0];
  end

endmodule

`default_nettype wire
