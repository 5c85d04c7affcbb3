// SPDX-License-Identifier: Apache-2.0
//
// Ascon-AEAD128 and Ascon-Hash256 (NIST SP 800-232, 4.1 and 5.1) of fields in beats of 16 bytes
// (of a hash: 8), padding included; ROUNDS rounds a cycle. The cores of this folder are this and
// their streams.
//
// The state register stands between substitution and diffusion. A cycle diffuses, adds, and
// substitutes: a sum needs no level of logic of its own, for diffusion has three inputs. What is
// added is in registers, zero but in the first cycle of a permutation: a block, the key, a nonce;
// and since the state register is cleared between jobs, and diffusion keeps zero, also the whole
// initial state. A block of ciphertext that is opened replaces its words instead.
//
// Interface: a beat is of the field whose bit in field_i is set; open_i holds during the job.
// Fields come in the order of the bits, a beat with last_i ends one. Byte 0 stands in data_i[7:0],
// keep_i has no gaps and is full but on the last beat, which may be without bytes: the empty field
// is one such beat. Key, nonce and tag have one beat with bytes. data_o and keep_o are the text
// beat by beat, and the tag; or the verdict, a byte, 1 where the tag is right; or the digest, 8
// bytes a beat. Bytes not kept are zero. valid_o and what belongs to it are registers; ready_o
// depends on registers only.
//
// Cycles: P = 12 / ROUNDS for a nonce, the last block of text, and each block of a hash; 8 / ROUNDS
// for other blocks. The next beat is taken in the last of them. An empty ad costs one. Then two
// for the tag, three for the verdict; 3 P + 2 for the digest. Resets: phase and valid_o.

`default_nettype none

module ascon_engine #(
    // Rounds a cycle: 1, 2, 4; 1, 2, 3, 4, 6 with AEAD = 0.
    parameter ROUNDS = 1,
    // Fields of Ascon-AEAD128.
    parameter AEAD   = 1,
    // Fields of Ascon-Hash256. With AEAD, a beat of field 0 goes before its message.
    parameter HASH   = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [6:0]   field_i,
    input  wire         open_i,
    input  wire [127:0] data_i,
    input  wire [15:0]  keep_i,
    input  wire         last_i,
    input  wire         valid_i,
    output wire         ready_o,
    output wire [127:0] data_o,
    output wire [15:0]  keep_o,
    output wire         last_o,
    output wire         valid_o,
    input  wire         ready_i
);

  generate
    if (AEAD != 0 && ROUNDS != 1 && ROUNDS != 2 && ROUNDS != 4) begin : g_rounds
      ERROR_rounds_must_be_1_2_or_4 u_error ();
    end
    if (ROUNDS != 1 && ROUNDS != 2 && ROUNDS != 3 && ROUNDS != 4 && ROUNDS != 6) begin : g_hash
      ERROR_rounds_must_be_1_2_3_4_or_6 u_error ();
    end
  endgenerate

  // Bits of field_i.
  localparam F_START  = 0;  // of a hash, if the core has both functions
  localparam F_KEY    = 1;
  localparam F_NONCE  = 2;
  localparam F_AD     = 3;
  localparam F_TEXT   = 4;
  localparam F_TAG    = 5;
  localparam F_DIGEST = 6;  // message of a hash

  localparam NEAR_STEP = 12 / ROUNDS - 2;  // the one before the last
  localparam SHORT_STEP = 4 / ROUNDS;  // where Ascon-p[8] begins
  localparam [3:0] NEAR = NEAR_STEP[3:0];
  localparam [3:0] SHORT = SHORT_STEP[3:0];

  localparam [63:0] IV_AEAD128 = 64'h00001000808C0001;
  localparam [63:0] IV_HASH256 = 64'h0000080100CC0002;
  // Between jobs. For the hash alone: what diffusion makes the state after the initial permutation
  // of (5.1).
  localparam [319:0] START = (AEAD != 0) ? 320'd0 : {
    64'hbf34cf102dc18e16, 64'hfecf9825103cca9f, 64'h62b54876df8cf29f,
    64'h88c99dc2a369e4c5, 64'h385a4dfc252f8de6
  };

  localparam [2:0] ST_IDLE    = 3'd0;  // between jobs
  localparam [2:0] ST_TAKE    = 3'd1;  // permuted, the next beat is not there
  localparam [2:0] ST_RUN     = 3'd2;  // permutes; step_q is the cycle
  localparam [2:0] ST_GIVE    = 3'd3;  // the tag, or the last beat of the digest
  localparam [2:0] ST_CHECK   = 3'd4;  // compares the tag
  localparam [2:0] ST_VERDICT = 3'd5;

  // What comes after a permutation.
  localparam [1:0] AFTER_TAKE    = 2'd0;
  localparam [1:0] AFTER_PAD     = 2'd1;  // a block that is padding only
  localparam [1:0] AFTER_SQUEEZE = 2'd2;
  localparam [1:0] AFTER_GIVE    = 2'd3;

  // ---- registers ------------------------------------------------------------------------------

  reg  [2:0]   phase_q;
  reg  [3:0]   step_q;
  reg  [1:0]   after_q;
  reg          ready_q;     // a beat is taken if it is there
  reg          pad_q;       // last cycle of a permutation: padding follows
  reg          squeeze_q;   // ... a beat of the digest
  reg          finish_q;    // ... the tag
  reg  [1:0]   left_q;      // permutations between beats of the digest that are to come
  reg  [2:0]   field_q;     // of the last beat: message of a hash, text, associated data
  reg          post_q;      // no block yet: the key is to be added after the first permutation
  reg          domain_q;    // the bit between associated data and text is to be added
  reg          open_q;
  reg          owed_q;      // the tag's last beat, without bytes, comes
  reg          give_q;      // this cycle's sum is output
  reg          tag_q;       // the last two words of it
  reg          end_q;       // which is the last beat
  reg  [15:0]  mask_q;      // bytes of it
  reg  [15:0]  replace_q;   // bytes of the state that the block replaces
  reg  [15:0]  differ_q;    // bytes of the tag that are wrong
  reg  [319:0] state_q;
  reg  [319:0] addend_q;
  reg  [127:0] key_q;
  reg  [127:0] data_q;
  reg  [15:0]  keep_q;
  reg          last_q;
  reg          valid_q;

  reg  [2:0]   phase_d;
  reg  [3:0]   step_d;
  reg  [1:0]   after_d;
  reg          ready_d;
  reg  [1:0]   left_d;
  reg          give_d;

  // ---- control --------------------------------------------------------------------------------

  wire idle   = phase_q == ST_IDLE;
  wire check  = AEAD != 0 && phase_q == ST_CHECK;
  wire decide = AEAD != 0 && phase_q == ST_VERDICT;
  wire held   = valid_q && give_q;
  wire step   = phase_q == ST_RUN && !held;
  wire near   = step && step_q == NEAR;  // the next cycle is the last one
  wire take   = valid_i && ready_q;

  assign ready_o = ready_q;

  // The beat, or the block of padding only.
  wire [15:0] keep  = pad_q ? 16'h0000 : keep_i;
  wire        bytes = take && keep_i[0];
  wire start  = AEAD != 0 && HASH != 0 && take && field_i[F_START];
  wire nonce  = AEAD != 0 && bytes && field_i[F_NONCE];
  wire tag    = AEAD != 0 && bytes && field_i[F_TAG];
  wire absorb = AEAD != 0 && (pad_q ? field_q[0] : (bytes || (take && !post_q)) && field_i[F_AD]);
  wire text   = AEAD != 0 && (pad_q ? field_q[1] : take && field_i[F_TEXT]);
  wire digest = HASH != 0 && (pad_q ? field_q[2] : take && field_i[F_DIGEST]);
  wire full   = (AEAD == 0 || (HASH != 0 && field_i[F_DIGEST])) ? keep_i[7] : keep_i[15];
  wire more   = !pad_q && last_i && full;  // a block of padding follows
  wire closes = pad_q || (last_i && !full);
  wire go     = start || nonce || absorb || text || digest;

  always @* begin
    after_d = AFTER_TAKE;
    if (more && !start && !nonce) after_d = AFTER_PAD;
    else if (digest && closes) after_d = AFTER_SQUEEZE;
    else if (text && closes && !open_q) after_d = AFTER_GIVE;
  end

  always @* begin
    phase_d = phase_q;
    case (phase_q)
      ST_RUN: begin
        if (squeeze_q && left_q == 2'd0) phase_d = ST_GIVE;
        else if (finish_q) phase_d = ST_GIVE;
        else if (tag) phase_d = ST_CHECK;
        else if (ready_q && !go) phase_d = ST_TAKE;
      end
      ST_CHECK: phase_d = ST_VERDICT;
      ST_GIVE, ST_VERDICT: if (give_q && !held) phase_d = ST_IDLE;
      default: begin
        if (go) phase_d = ST_RUN;
        else if (tag) phase_d = ST_CHECK;
      end
    endcase
  end

  always @* begin
    step_d = step ? step_q + 4'd1 : step_q;
    if (go) step_d = (absorb || (text && !closes)) ? SHORT : 4'd0;
    else if (squeeze_q) step_d = 4'd0;
    ready_d = 1'b0;
    if (ready_q) ready_d = !go && !tag && !(owed_q && take);
    else if (near) ready_d = after_q == AFTER_TAKE;
    else if (check) ready_d = owed_q;
    else if (phase_q == ST_GIVE || decide) ready_d = give_q && !held;
    left_d = left_q;
    if (digest && closes) left_d = 2'd3;
    else if (squeeze_q) left_d = left_q - 2'd1;
    give_d = held;
    if (text) give_d = !pad_q;
    else if (squeeze_q || finish_q || (check && !owed_q) || (owed_q && take)) give_d = 1'b1;
  end

  always @(posedge clk) begin
    if (rst) begin
      phase_q   <= ST_IDLE;
      ready_q   <= 1'b1;
      pad_q     <= 1'b0;
      squeeze_q <= 1'b0;
      finish_q  <= 1'b0;
      give_q    <= 1'b0;
      owed_q    <= 1'b0;
    end else begin
      phase_q   <= phase_d;
      ready_q   <= ready_d;
      pad_q     <= near && after_q == AFTER_PAD;
      squeeze_q <= HASH != 0 && near && after_q == AFTER_SQUEEZE;
      finish_q  <= AEAD != 0 && near && after_q == AFTER_GIVE;
      give_q    <= give_d;
      owed_q    <= tag ? !last_i : owed_q && !take;
    end
  end

  always @(posedge clk) begin
    step_q <= step_d;
    left_q <= left_d;
    if (go) after_q <= after_d;
    if (take) field_q <= {field_i[F_DIGEST], field_i[F_TEXT], field_i[F_AD]};
    if (nonce) open_q <= open_i;
    if (nonce) post_q <= 1'b1;
    else if (absorb || text) post_q <= 1'b0;
    if (nonce) domain_q <= 1'b1;
    else if (text) domain_q <= 1'b0;
  end

  // ---- what is added --------------------------------------------------------------------------

  // What it would be if a beat is taken; else it is cleared, which is the registers' reset. Word 2:
  // the second half of the key at the start, the first one before the last permutation. Words 3
  // and 4: the nonce at the start, the key after the first permutation and in the tag.
  wire       beat     = !pad_q && !finish_q;
  wire       as_nonce = AEAD != 0 && beat && field_i[F_NONCE];
  wire       as_start = AEAD != 0 && HASH != 0 && beat && field_i[F_START];
  wire       as_tag   = AEAD != 0 && beat && field_i[F_TAG];
  wire       as_ad    = AEAD != 0 && (pad_q ? field_q[0] : field_i[F_AD]);
  wire       as_text  = AEAD != 0 && (pad_q ? field_q[1] : field_i[F_TEXT]);
  wire       outer    = AEAD != 0 && ((post_q && (as_ad || as_text)) || as_tag || finish_q);
  wire       inner    = as_text && closes && !finish_q;
  wire [1:0] choice   = as_nonce ? 2'd3 : {outer && inner, !outer && inner};

  reg  [319:0] addend_d;

  always @* begin
    addend_d = 320'd0;
    if (as_nonce) addend_d[63:0] = IV_AEAD128;
    else if (as_start) addend_d[63:0] = IV_HASH256;
    if (as_nonce) addend_d[127:64] = key_q[63:0];
    if (as_nonce) addend_d[191:128] = key_q[127:64];
    else if (inner) addend_d[191:128] = key_q[63:0];
    if (as_nonce || inner || outer) begin
      case (choice)
        2'd0: addend_d[255:192] = key_q[63:0];
        2'd1: addend_d[255:192] = key_q[127:64];
        2'd2: addend_d[255:192] = key_q[63:0] ^ key_q[127:64];
        default: addend_d[255:192] = data_i[63:0];
      endcase
    end
    if (as_nonce) addend_d[319:256] = data_i[127:64];
    else if (outer) addend_d[319:256] = key_q[127:64];
    if (domain_q && as_text) addend_d[319] = !addend_d[319];
  end

  // A block, with the one behind its bytes.
  wire [15:0]  behind = {keep[14:0], 1'b1};
  wire [127:0] padded;

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      localparam WIDE = (i >= 8) ? 1 : 0;
      wire kept = !as_nonce && !as_start && keep[i];
      wire one  = !as_nonce && !as_start && !as_tag && !keep[i] && behind[i] &&
          (WIDE == 0 || HASH == 0 || as_ad || as_text);
      assign padded[8*i +: 8] = {data_i[8*i+1 +: 7] & {7{kept}}, (data_i[8*i] && kept) || one};
    end
  endgenerate

  always @(posedge clk) begin
    if (!held) begin
      if (take || pad_q || finish_q) begin
        addend_q  <= addend_d ^ {192'd0, padded};
        replace_q <= (as_text && open_q) ? keep : 16'h0000;
      end else begin
        addend_q  <= 320'd0;
        replace_q <= 16'h0000;
      end
    end
  end

  always @(posedge clk) begin
    if (AEAD != 0 && take && field_i[F_KEY] && bytes) key_q <= data_i;
  end

  // ---- state ----------------------------------------------------------------------------------

  wire [319:0] sum;
  wire [319:0] replaced;
  wire [319:0] permuted;

  ascon_diffuse u_diffuse (
      .state_i (state_q),
      .addend_i(addend_q),
      .state_o (sum)
  );

  generate
    for (i = 0; i < 16; i = i + 1) begin : g_replace
      assign replaced[8*i +: 8] = replace_q[i] ? addend_q[8*i +: 8] : sum[8*i +: 8];
    end
  endgenerate
  assign replaced[319:128] = sum[319:128];

  ascon_rounds #(
      .ROUNDS(ROUNDS)
  ) u_rounds (
      .step_i (step_q),
      .state_i(replaced),
      .state_o(permuted)
  );

  always @(posedge clk) begin
    if (idle) state_q <= START;
    else if (step) state_q <= permuted;
  end

  // ---- output ---------------------------------------------------------------------------------

  wire         offer = give_q && !valid_q;
  wire         right = decide && differ_q == 16'h0000;
  wire [127:0] shown;

  generate
    for (i = 0; i < 16; i = i + 1) begin : g_shown
      assign shown[8*i +: 8] =
          (tag_q ? sum[192+8*i +: 8] : sum[8*i +: 8]) & {8{mask_q[i]}};
      always @(posedge clk) begin
        if (check) differ_q[i] <= sum[192+8*i +: 8] != addend_q[8*i +: 8];
      end
    end
  endgenerate

  // What is shown in the first cycle of the next permutation, in giving and deciding.
  always @(posedge clk) begin
    if (!held) begin
      end_q  <= finish_q || check || decide || (squeeze_q ? left_q == 2'd0 : last_i);
      tag_q  <= finish_q;
      mask_q <= finish_q ? 16'hffff : (check || decide) ? 16'h0000 : squeeze_q ? 16'h00ff : keep;
    end
  end

  always @(posedge clk) begin
    if (rst) valid_q <= 1'b0;
    else if (offer) valid_q <= 1'b1;
    else if (ready_i) valid_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (offer) begin
      data_q <= {shown[127:1], shown[0] || right};
      keep_q <= {mask_q[15:1], mask_q[0] || decide};
      last_q <= end_q;
    end
  end

  assign data_o  = data_q;
  assign keep_o  = keep_q;
  assign last_o  = last_q;
  assign valid_o = valid_q;

endmodule

`default_nettype wire
