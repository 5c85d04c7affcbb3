// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 ("The Hash Function Fugue", 2009) of messages of whole bytes, from stream to stream,
// padding included: a column of SMIX a cycle, four S-boxes for sixteen, the state in LUT RAM.
//
// No column is moved: the state turns by where it begins. Columns in even and in odd places have a
// memory each, since what a cycle works on is always one of each. A subround takes five cycles. In
// four of them a column of its four goes into the S-boxes, a register; in the one after that its
// part of M U goes into a memory, and its bytes into the sums of D. What Super-Mix makes of them is
// read from there, a column a cycle, as the next subround needs it: nothing of it is there before
// the last column is in. The fifth cycle, and the fourth, are left for what a word adds.
//
// Interface: docs/cores.md. A word of 32 bits takes 10 cycles, as do both words of the length; the
// final stage takes 180, and 8 in which the digest goes out. Before each message the state is
// filled, in 16 cycles, and two of its first subround need no word: N words, from the first beat in
// to the last beat out, 10 (N + 2) + 188, right behind a reset 17 more. Resets: control; then the
// state is filled.

`default_nettype none

module fugue_columns #(
    // S-boxes. 1: in block RAM; 0: in logic.
    parameter MEMORY = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  localparam [2:0] ST_FILL   = 3'd0;  // the first state, two columns a cycle
  localparam [2:0] ST_FIRST  = 3'd1;  // the first subround of a word
  localparam [2:0] ST_SECOND = 3'd2;  // the second one
  localparam [2:0] ST_FINAL  = 3'd3;  // subrounds of the final stage
  localparam [2:0] ST_LATE   = 3'd4;  // and its rounds without CMIX, in halves
  localparam [2:0] ST_GIVE   = 3'd5;  // the digest: four columns, and four more

  localparam [4:0] END_FINAL = 5'd9;
  localparam [4:0] END_LATE  = 5'd25;
  localparam [4:0] END_FILL  = 5'd14;

  // Of the first state columns 22 to 29, row 0 lowest; the others are zero.
  function [31:0] initial_column(input [4:0] column);
    case (column)
      5'd22: initial_column = 32'hdebd52e9;
      5'd23: initial_column = 32'h5f137166;
      5'd24: initial_column = 32'h68f6d4e0;
      5'd25: initial_column = 32'h94b5b0d2;
      5'd26: initial_column = 32'h1d626cf9;
      5'd27: initial_column = 32'hde29f9fb;
      5'd28: initial_column = 32'h99e84991;
      5'd29: initial_column = 32'h48c2f834;
      default: initial_column = 32'd0;
    endcase
  endfunction

  // A place, further on in the ring of thirty.
  function [4:0] further(input [4:0] place, input [4:0] by);
    reg [5:0] sum;
    begin
      sum = {1'b0, place} + {1'b0, by};
      further = (sum >= 6'd30) ? sum[4:0] - 5'd30 : sum[4:0];
    end
  endfunction

  function [7:0] twice(input [7:0] a);
    twice = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  // ---- control --------------------------------------------------------------------------------

  wire [31:0] word;
  wire        word_last;
  wire        word_full;
  wire        free;  // for a column of the digest

  reg  [2:0]  state_q;
  reg  [2:0]  step_q;   // of the subround
  reg  [4:0]  count_q;  // of subrounds, halves or fours of columns
  reg  [4:0]  place_q;  // of the column that is read for the S-boxes
  reg         final_q;  // the word is the last one
  reg         live_q;   // columns have been mixed

  wire fills = state_q == ST_FILL;
  wire first = state_q == ST_FIRST;
  wire late = state_q == ST_LATE;
  wire gives = state_q == ST_GIVE;
  wire ends = step_q == (gives ? 3'd3 : 3'd4);
  wire filled = place_q == END_FILL;
  wire half = late || (gives && count_q[0]);  // columns 15 and on go into the S-boxes
  wire odd = count_q[0];                      // of halves: turns by 14
  wire needs = first && step_q == 3'd2;
  wire take = needs && word_full;
  wire go = needs ? word_full : !gives || free;

  always @(posedge clk) begin
    if (rst) begin
      state_q <= ST_FILL;
      step_q  <= 3'd4;
      count_q <= 5'd0;
      final_q <= 1'b0;
      live_q  <= 1'b0;
    end else if (go) begin
      if (fills) begin
        if (filled) state_q <= ST_SECOND;
      end else if (ends) begin
        step_q  <= 3'd0;
        count_q <= count_q + 5'd1;
        case (state_q)
          ST_FIRST: begin
            state_q <= ST_SECOND;
            live_q  <= 1'b1;
          end
          ST_SECOND: begin
            state_q <= final_q ? ST_FINAL : ST_FIRST;
            count_q <= 5'd0;
          end
          ST_FINAL: begin
            if (count_q == END_FINAL) begin
              state_q <= ST_LATE;
              count_q <= 5'd0;
            end
          end
          ST_LATE: begin
            if (count_q == END_LATE) begin
              state_q <= ST_GIVE;
              count_q <= 5'd0;
            end
          end
          default: begin
            if (count_q[0]) begin
              state_q <= ST_FILL;
              step_q  <= 3'd4;
              final_q <= 1'b0;
              live_q  <= 1'b0;
            end
          end
        endcase
      end else begin
        step_q <= step_q + 3'd1;
      end
      if (take) final_q <= word_last;
    end
  end

  // ---- places of columns ----------------------------------------------------------------------

  // A subround that has turned the state to begin at B reads the places B to B + 2, and with each
  // the one 15 further; the next one begins at B - 3. As a place 15 further the first subround of a
  // word reads columns 11 and 13, too, which the word and column 0 are added to, and the second one
  // column 24. Halves read B + 15 and on, or B + 16 and on, and column 4 as one 15 further. The
  // digest's columns are read as they are given.
  reg  [4:0] by;
  wire [4:0] next_place = further(place_q, by);

  always @(*) begin
    by = 5'd1;
    case (state_q)
      ST_FILL: if (filled) by = 5'd25;
      ST_SECOND: begin
        if (step_q == 3'd3) by = 5'd6;
        else if (ends) by = 5'd18;
      end
      ST_LATE: begin
        if (ends) by = 5'd12;
        else if (odd && step_q == 3'd3) by = 5'd0;
      end
      ST_GIVE: begin
        if (!odd && step_q == 3'd2) by = 5'd17;
        else if (ends) by = 5'd11;
      end
      default: begin
        if (step_q == 3'd2) by = 5'd24;
        else if (step_q == 3'd3) by = 5'd2;
        else if (ends) by = (state_q == ST_FINAL && count_q == END_FINAL) ? 5'd17 : 5'd29;
      end
    endcase
  end

  always @(posedge clk) begin
    if (rst || (gives && odd && ends && go)) place_q <= 5'd0;
    else if (go) place_q <= next_place;
  end

  // ---- the state ------------------------------------------------------------------------------

  (* ram_style = "distributed" *) reg [31:0] even_q[0:15];
  (* ram_style = "distributed" *) reg [31:0] odd_q[0:15];

  wire        swap = place_q[0];  // the column for the S-boxes is an odd one
  wire [4:0]  other_place = further(place_q, 5'd15);
  wire [4:0]  write_place = further(place_q, late ? 5'd14 : 5'd4);
  wire [31:0] even = even_q[swap ? other_place[4:1] : place_q[4:1]];
  wire [31:0] odd_column = odd_q[swap ? place_q[4:1] : other_place[4:1]];
  wire [31:0] main = swap ? odd_column : even;
  wire [31:0] other = swap ? even : odd_column;

  wire [31:0] mixed;      // a column behind Super-Mix
  reg  [31:0] addend_q;   // a word, or column 24
  reg  [31:0] initial_q;  // column of the first state
  wire        adds_other = !fills && !(late && !ends);
  wire [31:0] column = mixed ^ addend_q;
  wire [31:0] sum = (adds_other ? other : 32'd0) ^ column ^ initial_q;

  // CMIX, columns 4 to 6 with 15 to 17; the first state; a half's columns 0 to 3, and its column 4;
  // what a word adds to columns 8 and 10, which have been turned.
  wire       cmix = !late && !gives && step_q < 3'd3;
  wire       writes_column = fills || cmix || (late && odd && !ends);
  wire       writes_sum = fills || cmix || first || (late && (!odd || ends));
  wire       unused = &{1'b0, other_place[0], write_place[0]};
  wire       even_write = go && (swap ? writes_sum : writes_column);
  wire       odd_write = go && (swap ? writes_column : writes_sum);

  always @(posedge clk) begin
    if (even_write) begin
      even_q[swap ? other_place[4:1] : write_place[4:1]] <= swap ? sum : column;
    end
    if (odd_write) begin
      odd_q[swap ? write_place[4:1] : other_place[4:1]] <= swap ? column : sum;
    end
  end

  always @(posedge clk) begin
    if (rst || !fills) initial_q <= 32'd0;
    else initial_q <= initial_column(next_place + 5'd15);
  end

  always @(posedge clk) begin
    if (rst) addend_q <= 32'd0;
    else if (take) addend_q <= word;
    else if (state_q == ST_SECOND && ends && !final_q) addend_q <= other;
    else addend_q <= 32'd0;
  end

  // ---- SMIX -----------------------------------------------------------------------------------

  wire        reads = half || (gives ? ends : cmix);
  wire        adds_column = !(half && step_q != 3'd0);
  wire [31:0] entered = (reads ? main : 32'd0) ^ (adds_column ? column : 32'd0);
  wire [31:0] u;

  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_pair
      aes_sbox_pair #(
          .MEMORY (MEMORY),
          .INVERSE(0)
      ) u_sboxes (
          .clk     (clk),
          .en_i    (go),
          .invert_i(1'b0),
          .a_i     (entered[16*i +: 8]),
          .b_i     (entered[16*i+8 +: 8]),
          .a_o     (u[16*i +: 8]),
          .b_o     (u[16*i+8 +: 8])
      );
    end
  endgenerate

  // Which column of them comes out: the order in which a subround or a half adds them.
  wire [1:0]  number = (step_q == 3'd4) ? 2'd0 : half ? step_q[1:0] : step_q[1:0] + 2'd1;
  wire        shows = live_q && !(first && step_q == 3'd3);
  wire [1:0]  from = step_q[1:0] - 2'd1;  // column of U that is there
  reg         turn_q;                     // where M U is read: the other half is written
  reg  [31:0] sums_q;                     // D so far, and of the columns that come out
  reg  [31:0] diagonal_q;
  wire [31:0] sums;

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_row
      localparam [1:0] ROW = i;

      (* ram_style = "distributed" *) reg [7:0] product_q[0:7];

      wire [7:0] u0 = u[8*i +: 8];
      wire [7:0] u1 = u[8*((i+1)%4) +: 8];
      wire [7:0] u2 = u[8*((i+2)%4) +: 8];
      wire [7:0] u3 = u[8*((i+3)%4) +: 8];
      // 1, 4, 7, 1: the row of M.
      wire [7:0] product = u0 ^ u2 ^ u3 ^ twice(twice(u1 ^ u2) ^ u2);

      // Row i is turned by i.
      wire [1:0] column_of = number + ROW;
      wire [7:0] turned = product_q[{turn_q, column_of}];
      // D times a column of M, 1, 1, 7, 4.
      wire [7:0] d = diagonal_q[8*i +: 8];
      wire [7:0] d7 = twice(twice(d) ^ (number[0] ? 8'h00 : d)) ^ (number[0] ? 8'h00 : d);
      wire [7:0] added = number[1] ? d7 : d;

      assign mixed[8*i +: 8] = shows ? turned ^ added : 8'h00;
      // Of the diagonal nothing.
      assign sums[8*i +: 8] = sums_q[8*i +: 8] ^ ((from == ROW) ? 8'h00 : u0);

      always @(posedge clk) begin
        if (step_q != 3'd0) product_q[{!turn_q, from}] <= product;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (go) begin
      sums_q <= (step_q == 3'd0) ? 32'd0 : sums;
      if (step_q == 3'd4) diagonal_q <= sums;
    end
    if (rst) turn_q <= 1'b0;
    else if (go && step_q == 3'd4) turn_q <= !turn_q;
  end

  // ---- the ends -------------------------------------------------------------------------------

  message_words #(
      .MARK(8'h00)
  ) u_words (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (word),
      .last_o       (word_last),
      .full_o       (word_full),
      .take_i       (take)
  );

  reg        valid_q;
  reg        last_q;
  reg [31:0] data_q;

  assign free          = !valid_q || m_axis_tready;
  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = 4'hf;
  assign m_axis_tlast  = last_q;
  assign m_axis_tvalid = valid_q;

  always @(posedge clk) begin
    if (rst) valid_q <= 1'b0;
    else if (free) valid_q <= gives;
  end

  always @(posedge clk) begin
    if (free) begin
      data_q <= entered;
      last_q <= odd && ends;
    end
  end

endmodule

`default_nettype wire
