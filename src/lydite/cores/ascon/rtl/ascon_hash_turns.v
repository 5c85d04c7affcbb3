// SPDX-License-Identifier: Apache-2.0
//
// Ascon-Hash256 (NIST SP 800-232, 5.1) of sixteen messages at once, told apart by tid: each has its
// turn every sixteen cycles, in which it goes through ROUNDS rounds, two registers each.
//
// Interface: AXI4-Stream as that of ascon_hash, with s_axis_tid and m_axis_tid. In the turn of
// message t a beat with tid t is taken, if its permutation has ended: s_axis_tready depends on
// registers and on s_axis_tid. Digests come in the order in which they end, those that end together
// beat by beat by turns; there is room for sixteen beats, and a message whose beat has no room
// waits for its next turn.
//
// Between its turns a message's state lies in a memory, so that any of them may wait. What a turn
// does is known when it begins, and stands in a ring of sixteen places that goes round with them.
//
// Cycles, for a source that offers the messages by turns and a sink that always takes, with
// P = 12 / ROUNDS turns a permutation: P for a block of 8 bytes, of sixteen messages together; one
// message alone takes 16 P for each. A digest takes 3 P + 1 turns. Resets: control; the first beat
// may come in the next cycle. ROUNDS buys cycles with area.

`default_nettype none

module ascon_hash_turns #(
    // Rounds in a turn: 3, 4, 6.
    parameter ROUNDS = 6
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire [3:0]  s_axis_tid,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire [3:0]  m_axis_tid,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  generate
    if (ROUNDS != 3 && ROUNDS != 4 && ROUNDS != 6) begin : g_illegal
      ERROR_rounds_must_be_3_4_or_6 u_error ();
    end
  endgenerate

  localparam LAST_TURN = 12 / ROUNDS - 1;
  localparam [1:0] LAST = LAST_TURN[1:0];
  localparam [3:0] STRIDE = ROUNDS[3:0];
  // Cycles from a turn to the end of its rounds.
  localparam LENGTH = 2 * ROUNDS + 2;
  localparam [3:0] BEHIND = LENGTH[3:0];

  // What the initial permutation gives (5.1).
  localparam [319:0] INITIAL = {
    64'h1a5c464906c5976d, 64'h3c7fd4a4d56a4db3, 64'hae65396c6b34b81a,
    64'h4bc3a01e333751d2, 64'h9b1e5494e934d681
  };

  // What a permutation is begun with.
  localparam [1:0] DO_TAKE    = 2'd0;  // a beat
  localparam [1:0] DO_PAD     = 2'd1;  // a block of padding only
  localparam [1:0] DO_SQUEEZE = 2'd2;  // nothing, and a beat of the digest is given

  // ---- turns ----------------------------------------------------------------------------------

  reg  [3:0]   slot_q;    // whose turn it is
  reg  [111:0] ring_q;    // what the next turns do, this one in the lowest bits
  reg  [4:0]   owed_q;    // beats of digests that are promised room

  wire         fresh = ring_q[0];  // the state is the initial one
  wire [1:0]   what  = ring_q[2:1];
  wire [1:0]   turn  = ring_q[4:3];  // of the permutation
  wire [1:0]   left  = ring_q[6:5];  // beats of the digest after the next one

  wire begins  = turn == 2'd0;
  wire take    = s_axis_tvalid && s_axis_tready;
  wire pad     = begins && what == DO_PAD;
  wire squeeze = begins && what == DO_SQUEEZE && !owed_q[4];
  wire ends    = squeeze && left == 2'd0;
  wire go      = !begins || take || pad || (squeeze && !ends);
  wire full    = s_axis_tkeep[7];
  wire closes  = take && s_axis_tlast && !full;

  wire       fresh_d = ends || (fresh && !go);
  wire [1:0] turn_d  = !go || turn == LAST ? 2'd0 : turn + 2'd1;
  wire [1:0] left_d  = closes || pad ? 2'd3 : squeeze ? left - 2'd1 : left;
  reg  [1:0] what_d;

  always @* begin
    what_d = what;
    if (take && s_axis_tlast) what_d = full ? DO_PAD : DO_SQUEEZE;
    else if (pad) what_d = DO_SQUEEZE;
    else if (ends) what_d = DO_TAKE;
  end

  assign s_axis_tready = begins && what == DO_TAKE && s_axis_tid == slot_q;

  always @(posedge clk) begin
    if (rst) begin
      slot_q <= 4'd0;
      ring_q <= {16{7'b0000001}};
      owed_q <= 5'd0;
    end else begin
      slot_q <= slot_q + 4'd1;
      ring_q <= {left_d, turn_d, what_d, fresh_d, ring_q[111:7]};
      owed_q <= owed_q + {4'd0, squeeze} - {4'd0, m_axis_tvalid && m_axis_tready};
    end
  end

  // ---- what goes into the rounds --------------------------------------------------------------

  // The block, with the one behind its bytes.
  wire [63:0] padded;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_byte
      wire one = i == 0 ? !s_axis_tkeep[0] : s_axis_tkeep[(i+7)%8] && !s_axis_tkeep[i];
      assign padded[8*i +: 8] =
          {s_axis_tdata[8*i+1 +: 7] & {7{s_axis_tkeep[i]}},
           (s_axis_tdata[8*i] && s_axis_tkeep[i]) || one};
    end
  endgenerate

  reg  [63:0]  block_q;
  reg  [3:0]   round_q;   // the first one
  reg          first_q;
  reg          give_q;
  reg          end_q;
  reg  [319:0] memory[0:15];

  wire [3:0]   now  = slot_q - 4'd1;
  wire [319:0] kept = memory[now];

  always @(posedge clk) begin
    block_q <= take ? padded : {63'd0, pad};
    round_q <= {2'd0, turn} * STRIDE;
    first_q <= fresh;
    end_q   <= ends;
    give_q  <= squeeze && !rst;
  end

  // ---- rounds ---------------------------------------------------------------------------------

  // Each substitution adds the constant of round 0; what that of round r has otherwise, r twice, is
  // added before it.
  wire [319:0] state[0:ROUNDS];
  wire [3:0]   round[0:ROUNDS];
  // Those that have a state. What was begun before a reset ends before any state is looked at.
  reg  [LENGTH-1:0] going_q;
  reg  [319:0] enter_q;

  always @(posedge clk) begin
    going_q <= {going_q[LENGTH-2:0], go};
    enter_q <= (first_q ? INITIAL : kept) ^ {184'd0, round_q, round_q, 64'd0, block_q};
  end

  assign state[0] = enter_q;
  assign round[0] = round_q;

  generate
    for (i = 0; i < ROUNDS; i = i + 1) begin : g_round
      reg  [319:0] substituted_q;
      reg  [319:0] diffused_q;
      reg  [3:0]   middle_q;
      reg  [3:0]   next_q;
      wire [319:0] substituted;
      wire [319:0] diffused;
      wire [3:0]   more = (i == ROUNDS - 1) ? 4'd0 : next_q;

      ascon_substitute u_substitute (
          .round_i(4'd0),
          .state_i(state[i]),
          .state_o(substituted)
      );

      ascon_diffuse u_diffuse (
          .state_i (substituted_q),
          .addend_i({184'd0, more, more, 128'd0}),
          .state_o (diffused)
      );

      always @(posedge clk) begin
        substituted_q <= substituted;
        diffused_q    <= diffused;
        middle_q      <= round[i] + 4'd1;
        next_q        <= middle_q;
      end

      assign state[i+1] = diffused_q;
      assign round[i+1] = next_q;
    end
  endgenerate

  always @(posedge clk) begin
    if (going_q[LENGTH-1]) memory[slot_q-BEHIND] <= state[ROUNDS];
  end

  // ---- digests --------------------------------------------------------------------------------

  reg  [68:0] given[0:15];
  reg  [63:0] beat_q;
  reg  [3:0]  id_q;
  reg         last_q;
  reg         write_q;
  reg  [3:0]  tail_q;
  reg  [3:0]  head_q;
  reg  [68:0] out_q;
  reg         valid_q;

  wire fetch = head_q != tail_q && (!valid_q || m_axis_tready);

  always @(posedge clk) begin
    beat_q <= kept[63:0];
    id_q   <= now;
    last_q <= end_q;
    if (write_q) given[tail_q] <= {last_q, id_q, beat_q};
    if (fetch) out_q <= given[head_q];
  end

  always @(posedge clk) begin
    if (rst) begin
      write_q <= 1'b0;
      tail_q  <= 4'd0;
      head_q  <= 4'd0;
      valid_q <= 1'b0;
    end else begin
      write_q <= give_q;
      tail_q  <= tail_q + {3'd0, write_q};
      head_q  <= head_q + {3'd0, fetch};
      valid_q <= fetch || (valid_q && !m_axis_tready);
    end
  end

  assign {m_axis_tlast, m_axis_tid, m_axis_tdata} = out_q;
  assign m_axis_tkeep  = 8'hff;
  assign m_axis_tvalid = valid_q;

`ifdef LYDITE_ASSERT
  input_keep_is_contiguous :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid |-> (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == '0);
  input_is_full_before_the_last_beat :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid && !s_axis_tlast |-> &s_axis_tkeep);
  output_waits_unchanged :
  assert property (@(posedge clk) disable iff (rst)
      m_axis_tvalid && !m_axis_tready |=>
      m_axis_tvalid && $stable({m_axis_tdata, m_axis_tlast, m_axis_tid}));
  promised_beats_have_room :
  assert property (@(posedge clk) disable iff (rst) write_q |-> tail_q + 4'd1 != head_q || valid_q);
`endif

endmodule

`default_nettype wire
