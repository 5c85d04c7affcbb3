// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, 6.2) of messages on a stream of 32 bits, a round a cycle: a core for
// `lydite bench`. The message's bytes are in order, byte 0 lowest; only its last beat may be
// partial. The first 16 rounds of a block take its words from the stream. Top function: sha256.

#include <lydite_stream.h>

#define ROUNDS 64
#define WORDS 16
#define DIGEST_WORDS 8

// FIPS 180-4, 4.2.2
static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// FIPS 180-4, 5.3.3
static const uint32_t initial[DIGEST_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// What the next word of the padded message (5.1.1) is made of: the message; its last words, with
// the one bit; zeros, since the length has no room in this block; zeros and the length.
enum phase { MESSAGE, ONE_BIT, SPILL, LENGTH };

typedef struct feed {
  enum phase phase;
  uint64_t bytes;  // of the message so far
} feed;

static uint32_t rotr32(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static uint32_t byte_swapped(uint32_t x) {
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

// Gives the words of the message while there are any; `late`: the word is the last but one of its
// block, or the last. A byte that is not kept is the one bit's, or behind it.
static uint32_t message_word(lydite_stream32 *s_axis, feed *at, bool late) {
  const lydite_stream32_beat beat = lydite_stream32_read(s_axis);
  uint32_t word = 0, count = 0;
  for (int byte = 0; byte < 4; byte++) {
    const uint32_t value = beat.data >> 8 * byte & 0xff;
    const uint32_t kept = beat.keep >> byte & 1;
    const int before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    word |= (kept ? value : before ? 0x80u : 0u) << 8 * byte;
    count += kept;
  }
  at->bytes += count;
  if (beat.last) at->phase = beat.keep & 8 ? ONE_BIT : late ? SPILL : LENGTH;
  return byte_swapped(word);
}

// Gives word t of a block.
static uint32_t next_word(lydite_stream32 *s_axis, feed *at, unsigned t) {
  const bool late = t >= WORDS - 2;
  const uint64_t bits = at->bytes << 3;
  switch (at->phase) {
    case MESSAGE:
      return message_word(s_axis, at, late);
    case ONE_BIT:
      at->phase = late ? SPILL : LENGTH;
      return 0x80000000;
    case SPILL:
      if (t == 0) at->phase = LENGTH;
      return 0;
    default:
      return t == WORDS - 2 ? (uint32_t)(bits >> 32) : t == WORDS - 1 ? (uint32_t)bits : 0;
  }
}

// FIPS 180-4, 6.2.2; the letters a to h are x[0] to x[7].
void sha256(lydite_stream32 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t H[DIGEST_WORDS], x[DIGEST_WORDS], W[WORDS] = {0};
  for (int i = 0; i < DIGEST_WORDS; i++) x[i] = H[i] = initial[i];
  feed at = {.phase = MESSAGE, .bytes = 0};
  uint8_t t = 0;
  bool done = false;
  while (!done) {
    // All blocks in one pipeline, which never drains: 64 rounds, and a cycle for the sums (step 4).
#pragma HLS pipeline II=1
    // The message schedule (step 1) in a window of the last 16 words.
    const uint32_t s0 = rotr32(W[1], 7) ^ rotr32(W[1], 18) ^ W[1] >> 3;
    const uint32_t s1 = rotr32(W[14], 17) ^ rotr32(W[14], 19) ^ W[14] >> 10;
    const uint32_t w = t < WORDS ? next_word(s_axis, &at, t) : s1 + W[9] + s0 + W[0];
    for (int i = 1; i < WORDS; i++) W[i - 1] = W[i];
    W[WORDS - 1] = w;
    // Step 3.
    const uint32_t S1 = rotr32(x[4], 6) ^ rotr32(x[4], 11) ^ rotr32(x[4], 25);
    const uint32_t T1 = x[7] + S1 + ((x[4] & x[5]) ^ (~x[4] & x[6])) + K[t % ROUNDS] + w;
    const uint32_t S0 = rotr32(x[0], 2) ^ rotr32(x[0], 13) ^ rotr32(x[0], 22);
    const uint32_t T2 = S0 + ((x[0] & x[1]) ^ (x[0] & x[2]) ^ (x[1] & x[2]));
    const uint32_t next[DIGEST_WORDS] = {T1 + T2, x[0], x[1], x[2], x[3] + T1, x[4], x[5], x[6]};
    for (int i = 0; i < DIGEST_WORDS; i++) {
      const uint32_t sum = H[i] + x[i];
      if (t == ROUNDS) H[i] = sum;
      x[i] = t == ROUNDS ? sum : next[i];
    }
    done = t == ROUNDS && at.phase == LENGTH;
    t = t == ROUNDS ? 0 : (uint8_t)(t + 1);
  }
  for (int i = 0; i < DIGEST_WORDS; i++) {
    const lydite_stream32_beat beat = {
        .data = byte_swapped(H[0]), .keep = LYDITE_KEEP(4), .last = i == DIGEST_WORDS - 1};
    lydite_stream32_write(m_axis, beat);
    for (int j = 1; j < DIGEST_WORDS; j++) H[j - 1] = H[j];
  }
}

// Digests of messages whose byte i is 7 + 11 i, around the ends of words and blocks: computed with
// Python's hashlib.
static const struct {
  int length;
  uint32_t digest[DIGEST_WORDS];
} answers[] = {
    {0,
     {0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4, 0x649b934c, 0xa495991b,
      0x7852b855}},
    {1,
     {0xca358758, 0xf6d27e6c, 0xf4527293, 0x7977a748, 0xfd88391d, 0xb679ceda, 0x7dc7bf1f,
      0x005ee879}},
    {3,
     {0xec191af8, 0xbd94305e, 0xb6437282, 0x0c0984ba, 0xb3dcee79, 0x6ffa31cf, 0xea038c60,
      0xc90043ab}},
    {4,
     {0x1f5fbdfc, 0x558d608a, 0xa5ce3bcf, 0x18400080, 0xea4d5d9e, 0x13cf297b, 0x7dfcb381,
      0x39b92ec6}},
    {52,
     {0x75dabf4a, 0x3e346fae, 0xf04f6ed7, 0xad3941de, 0x7755deef, 0x103fd481, 0xe3d0242c,
      0xaf28831d}},
    {55,
     {0xcad11804, 0xf5f8545b, 0xd3367741, 0xcb05c6d1, 0x711c1f1e, 0xca0bdd84, 0x1d105e31,
      0xc14ff82c}},
    {56,
     {0x943ec3a0, 0x56fbc19f, 0x237775ef, 0x7b17f4e0, 0x162e3653, 0xde13bfab, 0x0986038e,
      0xb1bc1685}},
    {59,
     {0x2546070c, 0xb8329e4e, 0x7fd718a6, 0x27796d3a, 0xba24d652, 0x851e5e6b, 0x7fbf6148,
      0xf4c88c2a}},
    {60,
     {0x12daf69d, 0xc37e121a, 0xb26b6aa4, 0xd868baff, 0x92fb2518, 0x68a9cf65, 0xa9a68cb3,
      0xad00b13d}},
    {61,
     {0x6eaf4716, 0x9bbd0e3f, 0xdcdfa37a, 0x3061804b, 0xd840ccc7, 0x9cbba4ca, 0xaa11e7f2,
      0x92909c6f}},
    {63,
     {0xef6eff36, 0x8e5af3a2, 0xc64e716b, 0x13dc4f4f, 0x6a5279ca, 0x93daf96e, 0xa2e97560,
      0x9a242666}},
    {64,
     {0x2029a6c0, 0x18b32ad5, 0x8cf0d0ff, 0x38057620, 0x2f8c3522, 0x16f903f6, 0xab6004a6,
      0x5427903f}},
    {65,
     {0xfa8d9a9e, 0xe077f98c, 0x758a1f2b, 0xa6d13fae, 0x68efd104, 0x847deaaa, 0xed1d7481,
      0xcf3aa609}},
    {119,
     {0x4188c4f0, 0x27ef3211, 0x3ad20123, 0x7dfcd5d1, 0x36ac2408, 0x3799bbc5, 0x7beffef0,
      0xb0c5dd67}},
    {120,
     {0x4d4c6b3d, 0x848969d4, 0xc867caa5, 0x3650a469, 0xc3a3df19, 0xa282a2f3, 0xef952207,
      0xa7d79a26}},
    {128,
     {0x480f9ba9, 0xeefd7ed7, 0x31cfba14, 0x2da347cc, 0xdda8a5f6, 0x3a3fe578, 0xc23a3f8e,
      0x92b23b95}},
    {300,
     {0x77269ead, 0x784ed377, 0x445a2fde, 0x949b6238, 0x57852287, 0xbfd242c2, 0x8d638beb,
      0x1e068d36}},
};

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  uint32_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const int length = answers[n].length;
    int at = 0;
    do {
      lydite_stream32_beat beat = {.keep = LYDITE_KEEP(length - at < 4 ? length - at : 4)};
      for (int byte = 0; byte < 4 && at < length; byte++, at++) {
        beat.data |= (uint32_t)(uint8_t)(7 + 11 * at) << 8 * byte;
      }
      beat.last = at == length;
      lydite_stream32_write(&in, beat);
    } while (at < length);
    sha256(&in, &out);
    for (int i = 0; i < DIGEST_WORDS; i++) {
      const lydite_stream32_beat beat = lydite_stream32_read(&out);
      wrong |= byte_swapped(beat.data) ^ answers[n].digest[i];
      wrong |= (uint32_t)(beat.last != (i == DIGEST_WORDS - 1)) | (uint32_t)(beat.keep ^ 15);
    }
  }
  wrong |= (uint32_t)(lydite_stream32_count(&in) | lydite_stream32_count(&out));
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  return wrong != 0;
}
