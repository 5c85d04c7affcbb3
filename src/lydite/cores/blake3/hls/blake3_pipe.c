// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) of messages of any length on
// streams of 512 bits, a compression in INTERVAL cycles: what rtl/blake3_pipelined.v is, in C. Top
// function: blake3_pipe; packets are those of rtl/blake3_core.v.
//
// One loop, an iteration in INTERVAL cycles: 1, and all rounds stand one behind the other in
// hardware; 7, and a block goes seven times through one, where others are, too. PLACES compressions
// are under way at once, each in a place of its own: a place that comes round again finds what came
// out of it, and is given the next one. That is the next block of its chunk; or, of a subtree whose
// left sibling waits, their parent; else the first block of the next chunk, as soon as it is there.
//
// The subtree that ends with chunk k is a right one at level l if bit l of k is 1. Its left sibling
// is then there, since chunks begin in their order and all whole ones take equally long; for that
// they are also used up in their order. What has the last chunk, the edge, is joined when nothing
// else is under way, with those that wait: the ones of its number, from the lowest on.

#define WIDE
#include "blake3.h"

// INTERVAL: 1 or 7.
// PLACES: from a place's turn to its next one, no less than a compression takes.
// WINDOW: blocks that wait or whose chunk is under way, a power of two of chunks.

// From a place's turn to the one before its next, which looks up what came out of it.
#define NEXT (PLACES - 1)

// What came out of a place: nothing; a chaining value in a chunk; a subtree; one that is the edge;
// and the whole tree, a block or a parent.
enum kind { IDLE, CHUNK, SUBTREE, EDGE, ROOT_BLOCK, ROOT_PARENT };

// How many of the lowest bits are 1, and no others are.
static uint8_t ones(uint64_t keep) {
  uint8_t found = 0;
  for (int half = 64; half > 0; half /= 2) {
    if (keep >> (half - 1) & 1) {
      found |= half;
      keep = half < 64 ? keep >> half : 0;
    }
  }
  return found;
}

#if INTERVAL == 1
#define turn mix_all
#else
static void turn(uint32_t v[16], uint32_t m[16]) {
#pragma HLS inline off
#pragma HLS pipeline
  mix_all(v, m);
}
#endif

void blake3_pipe(job_stream *s_axis, output_stream *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
// With another register for the way back, each beat would cost tables, too.
#pragma HLS interface mode=axis register_mode=forward port=s_axis
#pragma HLS interface mode=axis register_mode=forward port=m_axis
  uint32_t window[WINDOW][16];
#pragma HLS array_partition variable=window complete dim=2
  uint32_t left[LEVELS][8];  // subtrees that wait
#pragma HLS array_partition variable=left complete dim=2
#pragma HLS bind_storage variable=left type=ram_s2p impl=bram
  // Of places.
  uint32_t values[PLACES][8];  // chaining values and subtrees
#pragma HLS array_partition variable=values complete dim=2
#pragma HLS bind_storage variable=values type=ram_s2p impl=bram
  uint32_t roots[PLACES][16];  // of a whole tree: the value, and half of the state
#pragma HLS array_partition variable=roots complete dim=2
#pragma HLS bind_storage variable=roots type=ram_s2p impl=bram
  uint8_t kinds[PLACES];
  uint16_t blocks[PLACES];   // of a chunk: the next one
  uint64_t numbers[PLACES];  // of the chunk; of a subtree, at its level
  uint8_t levels[PLACES];    // of the subtree; of what a root was joined with
  uint8_t place = 0;
  bool filled_places = false;  // all have had a turn
  bool fresh = false;  // the first block of a chunk that has not begun is known
  // Of the one whose turn it is.
  enum kind kind = IDLE;
  uint8_t level = 0;
  uint64_t old_number = 0;
  uint16_t old_block = 0;
  // Of the message.
  bool begun = false;
  bool is_key = false;    // what comes in is the key
  bool context = false;   // what is hashed is one
  uint32_t mode = 0;
  uint32_t key[8];
  uint32_t output = 0;    // bytes that are still to be given
  uint32_t number = 0;    // of the block of output
  bool done = false;
  // Of the field; blocks modulo 2^16.
  bool empty = true;
  bool ended = false;
  uint64_t last_keep = 0;  // of its last block
  uint8_t last_bytes = 0;
  uint16_t filled = 0;     // blocks that have come in
  uint16_t known = 0;      // of which it is known whether they are the last
  uint16_t used = 0;       // of whole chunks, hashed
  bool comes = true;       // a beat, in this turn
  uint8_t heads = 0;       // chunks whose first block is known, modulo 2^8
  uint8_t started = 0;     // chunks that have begun
  uint64_t chunk = 0;      // the next one
  uint8_t open = 0;        // places with a chunk or a subtree
  uint64_t joins = 0;      // the edge's number, from a level on
  uint8_t join_level = 0;
  do {
#pragma HLS pipeline II=INTERVAL
#if INTERVAL > 1
#pragma HLS allocation function instances=turn limit=1
#endif
// A block goes in two turns after it came, or later: see known.
#pragma HLS dependence variable=window type=inter direction=raw distance=2 true
#pragma HLS dependence variable=left type=intra false
#pragma HLS dependence variable=values type=inter distance=PLACES true
#pragma HLS dependence variable=roots type=inter distance=PLACES true
// What is looked up for the next place is not what is written for this one.
#pragma HLS dependence variable=kinds type=intra false
#pragma HLS dependence variable=kinds type=inter distance=NEXT true
#pragma HLS dependence variable=blocks type=intra false
#pragma HLS dependence variable=blocks type=inter distance=NEXT true
#pragma HLS dependence variable=numbers type=intra false
#pragma HLS dependence variable=numbers type=inter distance=NEXT true
#pragma HLS dependence variable=levels type=intra false
#pragma HLS dependence variable=levels type=inter distance=NEXT true
    const bool room = (uint16_t)(filled - used) < WINDOW - 1;
    // ---- whose turn it is
    uint32_t value[8];
    for (int i = 0; i < 8; i++) value[i] = values[place][i];

    const bool parent = kind == SUBTREE && (old_number & 1);
    const bool waits = kind == SUBTREE && !(old_number & 1);
    const bool whole = kind == ROOT_BLOCK || kind == ROOT_PARENT;
    const bool again = whole && !context && output > 64;
    const bool start = (kind == IDLE || waits) && fresh;
    const bool goes_on = kind == CHUNK && (int16_t)(known - old_block) > 0;
    const bool edge = kind == EDGE && open == 1 && (joins & 1);
    const bool go = start || goes_on || parent || edge || again;

    // ---- what goes in
    const bool is_block = start || kind == CHUNK || kind == ROOT_BLOCK;
    const uint16_t block = start ? (uint16_t)(chunk * CHUNK_BLOCKS) : old_block;
    const uint64_t of = start ? chunk : old_number;
    const bool first = block % CHUNK_BLOCKS == 0;
    const bool full = block % CHUNK_BLOCKS == CHUNK_BLOCKS - 1;
    const bool last = ended && block == (uint16_t)(filled - 1);
    const bool root = again || (is_block && last && of == 0) || (edge && joins >> 1 == 0);
    const uint8_t from = edge ? join_level : level;
    uint32_t chaining[8], m[16] = {0}, v[16];
    // Of a block bytes behind the field's end are zeros, whatever came there.
    const uint64_t keep = !is_block ? 0 : last ? last_keep : ~UINT64_C(0);
    for (int i = 0; i < 16; i++) {
      const uint32_t word = window[block % WINDOW][i];
      const uint32_t child = i < 8 ? left[from % LEVELS][i] : value[i - 8];
      for (int byte = 0; byte < 32; byte += 8) {
        const bool is_byte = keep >> (4 * i + byte / 8) & 1;
        const uint8_t other = is_block ? 0 : (uint8_t)(child >> byte);
        m[i] |= (uint32_t)(is_byte ? (uint8_t)(word >> byte) : other) << byte;
      }
    }
    for (int i = 0; i < 8; i++) {
      chaining[i] = is_block && !first ? value[i] : mode & (KEYED | MATERIAL) ? key[i] : iv[i];
    }
    uint32_t given[16];
    for (int i = 0; i < 16; i++) given[i] = roots[place][i] ^ (i < 8 ? 0 : chaining[i - 8]);
    if (root) number = again ? number + 1 : 0;
    const uint32_t flags =
        mode | (root ? ROOT : 0) |
        (is_block ? (first ? CHUNK_START : 0) | (last || full ? CHUNK_END : 0) : PARENT);
    const uint64_t counter = root ? number : is_block ? of : 0;
    begin(v, chaining, counter, is_block && last ? last_bytes : 64, flags);
    for (int round = 0; round < ROUNDS; round++) turn(v, m);

    // ---- what is under way
    if (go && root) {
      for (int i = 0; i < 8; i++) {
        roots[place][i] = v[i] ^ v[i + 8];
        roots[place][8 + i] = v[i + 8];
      }
    }
    if (go && !root) {
      for (int i = 0; i < 8; i++) values[place][i] = v[i] ^ v[i + 8];
    }
    enum kind after = waits || whole ? IDLE : kind;
    if (start || goes_on) after = last ? EDGE : full ? SUBTREE : CHUNK;
    if (go && root) after = is_block ? ROOT_BLOCK : ROOT_PARENT;
    kinds[place] = (uint8_t)after;
    blocks[place] = (start || goes_on) && !root ? block + 1 : block;
    numbers[place] = parent ? of >> 1 : of;
    levels[place] = start || goes_on ? 0 : parent ? level + 1 : from;

    if (waits) {
      for (int i = 0; i < 8; i++) left[level % LEVELS][i] = value[i];
    }
    open += start - waits;
    chunk += start;
    started += start;
    if (goes_on && full) used += CHUNK_BLOCKS;
    if ((start || goes_on) && last) {
      joins = of;
      join_level = 0;
    } else if (edge) {
      joins &= ~UINT64_C(1);
    } else if (!(joins & 1)) {
      joins >>= 1;
      join_level++;
    }

    // ---- what comes out
    if (whole && !context) {
      output_stream_beat beat = {.keep = LYDITE_KEEP(output), .last = output <= 64};
      for (int i = 0; i < 16; i++) beat.data.word[i] = given[i];
      output_stream_write(m_axis, beat);
      done = output <= 64;
      output -= 64;
    }

    // ---- a block comes in
    heads = (uint8_t)((known + CHUNK_BLOCKS - 1) / CHUNK_BLOCKS);
    known = ended ? filled : filled - 1;
    job_stream_beat beat = {0};
    bool takes_key = false;
    if (comes) {
      beat = job_stream_read(s_axis);
      if (!begun) {
        const enum operation operation = (enum operation)(beat.user & 3);
        is_key = operation == KEYED_HASH;
        context = operation == DERIVE_KEY;
        mode = is_key ? KEYED : context ? CONTEXT : 0;
        output = (uint32_t)(beat.user >> 2);
        begun = true;
      }
      const bool some = beat.keep & 1;
      if (is_key) {
        takes_key = some;
        is_key = !beat.last;
      } else {
        // An empty field is one block; else a beat without bytes is none.
        if (some || empty) {
          last_bytes = ones(beat.keep);
          last_keep = beat.keep;
          for (int i = 0; i < 16; i++) window[filled % WINDOW][i] = beat.data.word[i];
          filled++;
          empty = false;
        }
        ended = beat.last;
      }
    }
    const bool derived = whole && context;
    if (takes_key || derived) {
      for (int i = 0; i < 8; i++) key[i] = derived ? given[i] : beat.data.word[i];
    }
    if (derived) {  // it was the first field
      context = false;
      mode = MATERIAL;
      ended = false;
      empty = true;
      filled = known = used = 0;
      heads = started = 0;
      chunk = 0;
      open = 0;
    }
    place = place == PLACES - 1 ? 0 : place + 1;
    filled_places |= place == 0;
    kind = filled_places ? (enum kind)kinds[place] : IDLE;
    level = levels[place];
    old_number = numbers[place];
    old_block = blocks[place];
    fresh = heads != started;
    // With the room of this turn's start, so that a beat need not wait for what becomes of it.
    comes = !ended && room;
  } while (!done);
}

#define TOP blake3_pipe
#include "blake3_main.h"
