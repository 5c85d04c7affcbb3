// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) of messages of any length on
// streams of 64 bits, by the schedule of blake3-fpga (itzmeanjan/blake3-fpga): block j of all
// chunks before block j + 1, chaining values through a memory, then the tree. All chunks are here
// those of a group, which a memory on the chip holds. Top function: blake3_passes; packets are
// those of rtl/blake3_core.v. The compression is that of blake3_stream.c, so that the two beside
// each other show what the way through memory takes.

#include <lydite_stream.h>

LYDITE_STREAM_USER(job_stream, uint64_t, 32)

enum operation { HASH, KEYED_HASH, DERIVE_KEY };
// 2.2, table 3.
enum {
  CHUNK_START = 1,
  CHUNK_END = 2,
  PARENT = 4,
  ROOT = 8,
  KEYED = 16,
  CONTEXT = 32,
  MATERIAL = 64,
};

#define ROUNDS 7
#define CHUNK_BLOCKS 16
#define LEVELS 64
// Of a group: a power of two.
#define GROUP_CHUNKS 32
#define BLOCK_WORDS 8
#define GROUP_WORDS (GROUP_CHUNKS * CHUNK_BLOCKS * BLOCK_WORDS)

// 2.2, table 1.
static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

// 2.2
static void mix(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y) {
#pragma HLS inline
  v[a] += x + v[b];
  v[d] = rotate(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotate(v[b] ^ v[c], 12);
  v[a] += y + v[b];
  v[d] = rotate(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotate(v[b] ^ v[c], 7);
}

// 2.2: all 16 words.
static void compress(uint32_t out[16], const uint32_t chaining[8], const uint32_t block[16],
                     uint64_t counter, uint32_t bytes, uint32_t flags) {
  static const uint8_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
  uint32_t v[16], m[16];
  for (int i = 0; i < 8; i++) v[i] = chaining[i];
  for (int i = 0; i < 4; i++) v[8 + i] = iv[i];
  v[12] = (uint32_t)counter;
  v[13] = (uint32_t)(counter >> 32);
  v[14] = bytes;
  v[15] = flags;
  for (int i = 0; i < 16; i++) m[i] = block[i];
  for (int round = 0; round < ROUNDS; round++) {
#pragma HLS pipeline
    uint32_t next[16];
    for (int i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
    for (int i = 0; i < 4; i++) {
      mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i]);
    }
    for (int i = 0; i < 16; i++) next[i] = m[permutation[i]];
    for (int i = 0; i < 16; i++) m[i] = next[i];
  }
  for (int i = 0; i < 8; i++) {
    out[i] = v[i] ^ v[i + 8];
    out[i + 8] = v[i + 8] ^ chaining[i];
  }
}

void blake3_passes(job_stream *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t group[GROUP_WORDS];
  uint32_t values[GROUP_CHUNKS][8];
#pragma HLS array_partition variable=values complete dim=2
  uint32_t stack[LEVELS][8];
#pragma HLS array_partition variable=stack complete dim=2
  uint32_t key[8], chaining[8], block[16], out[16];
  // The beat that is next: a field may end in one without bytes.
  job_stream_beat beat = job_stream_read(s_axis);
  const enum operation operation = (enum operation)(beat.user & 3);
  uint32_t left = (uint32_t)(beat.user >> 2);
  for (int i = 0; i < 8; i++) key[i] = iv[i];
  if (operation == KEYED_HASH) {
    bool ends;
    do {
#pragma HLS pipeline
      if (beat.keep & 1) {
        for (int i = 0; i < 6; i++) key[i] = key[i + 2];
        key[6] = (uint32_t)beat.data;
        key[7] = (uint32_t)(beat.data >> 32);
      }
      ends = beat.last;
      beat = job_stream_read(s_axis);
    } while (!ends);
  }

  bool second = operation != DERIVE_KEY;  // this field's output goes out
  bool ended = beat.last && !(beat.keep & 1);
  bool done = false;
  bool filled = false;     // a group is there
  bool leaves = false;     // its chunks are hashed, and go into the tree
  bool root = false;       // what has been compressed is the whole tree
  uint64_t base = 0;       // chunks before the group
  uint64_t joins = 0;      // of a leaf: its ones at the end, subtrees that it is to be joined with
  uint8_t chunk = 0;       // of the group: the next one of a pass, or the leaf
  uint8_t place = 0;       // of the pass: its block of each chunk
  uint8_t last = 0;        // the group's last chunk
  uint8_t last_place = 0;  // the last block of that
  uint8_t last_bytes = 0;  // of which there are so many bytes
  uint8_t depth = 0;       // of the stack
  uint32_t number = 0;     // of the block of output
  uint64_t counter = 0;
  uint32_t bytes = 0;
  uint32_t flags = 0;
  do {
    const uint32_t mode = operation == KEYED_HASH ? KEYED
                          : operation == HASH     ? 0
                          : second                ? MATERIAL
                                                  : CONTEXT;
    if (!filled) {
      // Whole blocks, zeros behind the last byte.
      bool more = !ended;
      bool fills = true;
      uint16_t word = 0;
      while (fills) {
#pragma HLS pipeline
        uint64_t data = 0;
        if (word % BLOCK_WORDS == 0) last_bytes = 0;
        if (more) {
          for (int i = 0; i < 8; i++) {
            if (beat.keep >> i & 1) data |= (beat.data >> 8 * i & 0xff) << 8 * i;
            last_bytes += beat.keep >> i & 1;
          }
          more = !beat.last;
          if (more) {
            beat = job_stream_read(s_axis);
            more = beat.keep & 1;
          }
        }
        group[word] = data;
        word++;
        fills = word % BLOCK_WORDS != 0 || (more && word != GROUP_WORDS);
      }
      ended = !more;
      word--;
      last = (uint8_t)(word / (CHUNK_BLOCKS * BLOCK_WORDS));
      last_place = word / BLOCK_WORDS % CHUNK_BLOCKS;
      filled = true;
      leaves = false;
      chunk = 0;
      place = 0;
    }
    const bool is_last = ended && chunk == last;
    const bool in_pass = !root && !leaves;
    bool go = true;
    if (in_pass) {
      const bool ends = place == (is_last ? last_place : CHUNK_BLOCKS - 1);
      for (int i = 0; i < 8; i++) chaining[i] = place == 0 ? key[i] : values[chunk][i];
      for (int word = 0; word < BLOCK_WORDS; word++) {
#pragma HLS pipeline
        const uint64_t data = group[(chunk * CHUNK_BLOCKS + place) * BLOCK_WORDS + word];
        for (int i = 0; i < 14; i++) block[i] = block[i + 2];
        block[14] = (uint32_t)data;
        block[15] = (uint32_t)(data >> 32);
      }
      root = ends && is_last && base + chunk == 0;
      counter = root ? 0 : base + chunk;
      bytes = ends && is_last ? last_bytes : 64;
      flags = mode | (place == 0 ? CHUNK_START : 0) | (ends ? CHUNK_END : 0) | (root ? ROOT : 0);
      number = 0;
    } else if (!root) {
      // A leaf, or what it was joined to, is in out.
      go = is_last ? depth != 0 : joins & 1;
      if (go) {
        depth--;
        joins >>= 1;
        for (int i = 0; i < 8; i++) {
          block[i] = stack[depth][i];
          block[8 + i] = out[i];
          chaining[i] = key[i];
        }
        root = is_last && depth == 0;
        counter = 0;
        bytes = 64;
        flags = mode | PARENT | (root ? ROOT : 0);
        number = 0;
      } else {  // it waits for a sibling
        for (int i = 0; i < 8; i++) stack[depth][i] = out[i];
        depth++;
        filled = chunk != last;
        if (!filled) base += GROUP_CHUNKS;
        chunk++;
        joins = base + chunk;
        if (filled) {
          for (int i = 0; i < 8; i++) out[i] = values[chunk][i];
        }
      }
    } else {
      counter = number;
    }
    if (go) {
      compress(out, chaining, block, counter, bytes, flags);
      number++;
    }
    if (in_pass && !root) {
      for (int i = 0; i < 8; i++) values[chunk][i] = out[i];
      // The next chunk that has such a block, the next pass, or the tree.
      const uint8_t most = ended && place > last_place ? last - 1 : last;
      const bool alone = ended && last == 0;
      if (chunk != most) {
        chunk++;
      } else if (place != (alone ? last_place : CHUNK_BLOCKS - 1)) {
        chunk = 0;
        place++;
      } else {
        leaves = true;
        chunk = 0;
        joins = base;
        for (int i = 0; i < 8; i++) out[i] = values[0][i];
      }
    }
    if (root && !second) {
      for (int i = 0; i < 8; i++) key[i] = out[i];
      second = true;
      root = filled = false;
      base = 0;
      depth = 0;
      beat = job_stream_read(s_axis);
      ended = beat.last && !(beat.keep & 1);
    } else if (root) {
      bool give = true;
      uint8_t given = 0;
      while (give) {
#pragma HLS pipeline
        const uint32_t here = left < 8 ? left : 8;
        lydite_stream64_beat beat_out = {.keep = LYDITE_KEEP(here), .last = left <= 8};
        for (unsigned i = 0; i < 8; i++) {
          const uint64_t word = (uint64_t)out[1] << 32 | out[0];
          if (i < here) beat_out.data |= word & UINT64_C(0xff) << 8 * i;
        }
        lydite_stream64_write(m_axis, beat_out);
        for (int i = 0; i < 14; i++) out[i] = out[i + 2];
        done = left <= 8;
        left -= here;
        given++;
        give = !done && given % 8 != 0;
      }
    }
  } while (!done);
}

#define OUTPUT_BYTES 80
#define CONTEXT_BYTES 65
#define KEY_BYTES 32

// First and last eight bytes of 80, of messages whose byte i is 7 + 11 i, under keys and contexts
// of the same kind.
static const struct {
  enum operation operation;
  int length;
  uint64_t output[2];
} answers[] = {
    {HASH, 0, {0xa6a1f9f5b94913af, 0x2bc5e0f99ec9e6af}},
    {HASH, 1, {0x4a152496ddd88b44, 0x147d665bdfe5a835}},
    {HASH, 63, {0x746ea9c20ecca85b, 0x784923378dcf3cee}},
    {HASH, 64, {0xb1f456e372e34234, 0x3c8d661665fe8f48}},
    {HASH, 65, {0x94dcca69329deac4, 0x5420045c9eea0552}},
    {HASH, 1024, {0xf43e8ff06f25a838, 0x77d2200ed198357c}},
    {HASH, 1025, {0xfecff86aebb38d73, 0xe10f2e6272be9994}},
    {HASH, 3073, {0xcccface3bae08310, 0xe91de94714393ef7}},
    {KEYED_HASH, 0, {0xe6fe8725640f6a12, 0xe34a7ef4cdeaf11b}},
    {KEYED_HASH, 2048, {0xcc2583f37433d284, 0x2c00635ac1b12246}},
    {DERIVE_KEY, 65, {0x4d009f8a60611a10, 0x1d8f5b2c638b500d}},
    {DERIVE_KEY, 1025, {0xdf6bed72643ecb84, 0x2a615d55620cda1a}},
};

static void put(job_stream *in, int length, enum operation operation) {
  int at = 0;
  do {
    job_stream_beat beat = {.keep = LYDITE_KEEP(length - at < 8 ? length - at : 8)};
    for (int byte = 0; byte < 8 && at < length; byte++, at++) {
      beat.data |= (uint64_t)(uint8_t)(7 + 11 * at) << 8 * byte;
    }
    beat.user = (uint64_t)operation | OUTPUT_BYTES << 2;
    beat.last = at == length;
    job_stream_write(in, beat);
  } while (at < length);
}

int main(void) {
  job_stream in = {0};
  lydite_stream64 out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const enum operation operation = answers[n].operation;
    if (operation == KEYED_HASH) put(&in, KEY_BYTES, operation);
    if (operation == DERIVE_KEY) put(&in, CONTEXT_BYTES, operation);
    put(&in, answers[n].length, operation);
    blake3_passes(&in, &out);
    for (int i = 0; i < OUTPUT_BYTES / 8; i++) {
      const lydite_stream64_beat beat = lydite_stream64_read(&out);
      if (i == 0) wrong |= beat.data ^ answers[n].output[0];
      if (i == 9) wrong |= beat.data ^ answers[n].output[1];
      wrong |= (uint64_t)(beat.last != (i == 9)) | (beat.keep ^ 0xff);
    }
  }
  wrong |= job_stream_count(&in) | lydite_stream64_count(&out);
  job_stream_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}
