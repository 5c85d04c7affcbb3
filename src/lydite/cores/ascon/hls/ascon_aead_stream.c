// SPDX-License-Identifier: Apache-2.0
//
// Ascon-AEAD128 (NIST SP 800-232, 4.1) on streams of 128 bits, a block every 8 / ROUNDS cycles: the
// next one is read in the last of them. A core for `lydite bench`; top function: ascon_aead_stream.
// ROUNDS, rounds a cycle, is a macro of the build: 1, 2, 4. Packets in: key, nonce, associated
// data, text, and, if the user bit is set (decryption), tag; packets out: text, then the tag, or a
// byte, 1 where the tag is right. Decrypted text goes out before its tag is there. Bytes are in
// order, byte 0 lowest; only a packet's last beat may be partial, or without bytes.

#include <lydite_stream.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

#include "ascon_rounds.h"

#define LAST_STEP (12 / ROUNDS - 1)
#define SHORT_STEP (4 / ROUNDS)  // where Ascon-p[8] begins
#define IV UINT64_C(0x00001000808c0001)
#define DOMAIN (UINT64_C(1) << 63)

typedef struct {
  uint64_t word[2];
} block;
LYDITE_STREAM_USER(job_stream, block, 1)
LYDITE_STREAM(block_stream, block)


void ascon_aead_stream(job_stream *s_axis, block_stream *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[5] = {0}, addend[5] = {0}, replace[2] = {0}, mask[2] = {0}, key[2] = {0};
  // The field of the next beat.
  bool at_key = true, at_nonce = false, at_ad = false, at_text = false, at_tag = false;
  uint8_t step = 0;
  uint16_t keep = 0;
  bool running = false;  // a permutation is at work
  bool near = false;     // in the last cycle but one
  bool to_pad = false;   // behind it comes a block of padding
  bool to_give = false;  // or the tag; else a beat
  bool take = true;      // a beat is read in this cycle
  bool pad = false;      // or a block of padding comes
  bool finish = false;   // or the tag
  bool post = false;     // no block yet: the key is to be added after the first permutation
  bool domain = false;   // the bit between associated data and text is to be added
  bool decrypt = false, of_ad = false, of_text = false;
  bool give = false;     // this cycle's sum is output
  bool give_tag = false, last = false, check = false, end;
  bool right = false;    // the tag
  bool decided = false;  // the verdict is due
  do {
    // ROUNDS rounds a cycle, and a beat in the last cycle of each permutation.
#pragma HLS pipeline II=1
    uint64_t sum[5];
    diffuse(sum, state, addend);
    if (check) right = ((sum[3] ^ addend[0]) | (sum[4] ^ addend[1])) == 0;
    if (give) {
      block_stream_beat out = {.keep = keep, .last = last};
      for (int word = 0; word < 2; word++) {
        out.data.word[word] = (give_tag ? sum[3 + word] : sum[word]) & mask[word];
      }
      if (decided) out.data.word[0] = right;
      block_stream_write(m_axis, out);
    }
    end = give && (give_tag || decided);
    // The ciphertext that is opened replaces its words.
    for (int word = 0; word < 2; word++) {
      sum[word] = (sum[word] & ~replace[word]) | (addend[word] & replace[word]);
    }
    permute(sum, step);
    if (running) {
      for (int word = 0; word < 5; word++) state[word] = sum[word];
    }

    // The fields of the beat, or of the block of padding behind the last one.
    job_stream_beat beat = {.keep = 0, .last = true};
    if (take) beat = job_stream_read(s_axis);
    const bool bytes = beat.keep & 1, whole = beat.keep >> 15 & 1;
    const bool is_nonce = at_nonce && take, is_tag = at_tag && take;
    const bool is_ad = pad ? of_ad : at_ad, is_text = pad ? of_text : at_text;
    if (at_key && bytes) {
      key[0] = beat.data.word[0];
      key[1] = beat.data.word[1];
    }
    if (take) of_ad = is_ad;
    if (take) of_text = is_text;
    const bool closes = pad || (beat.last && !whole), inner = is_text && closes;
    const bool outer = (post && (is_ad || is_text)) || is_tag || finish;
    const unsigned low = beat.keep & 0xff, high = beat.keep >> 8 & 0xff;
    const bool nonce = is_nonce && bytes, tag = is_tag && bytes, text = is_text && (pad || take);
    const bool absorb = is_ad && (pad || (take && (bytes || !post)));
    // Something follows from the beat: a permutation, or the verdict.
    const bool begins = at_tag ? beat.last : (bytes && !at_key) || at_text || (at_ad && !post);
    // Where no permutation begins, what is added does not count: it is not there in the next cycle.
    const bool load = take || pad || finish;
    addend[0] = !load ? 0 : is_nonce ? IV : padded(beat.data.word[0], low, 1);
    addend[1] = !load ? 0 : is_nonce ? key[0] : padded(beat.data.word[1], high, low >> 7);
    addend[2] = !load ? 0 : is_nonce ? key[1] : inner ? key[0] : 0;
    addend[3] = !load      ? 0
                : is_nonce ? beat.data.word[0]
                           : (outer ? key[0] : 0) ^ (inner ? key[1] : 0);
    addend[4] = !load ? 0 : is_nonce ? beat.data.word[1] : outer ? key[1] : 0;
    if (load && domain && is_text) addend[4] ^= DOMAIN;
    for (int word = 0; word < 2; word++) {
      const uint64_t kept = bytes_of(word ? high : low);
      mask[word] = finish ? ~UINT64_C(0) : is_tag ? 0 : kept;
      replace[word] = load && is_text && decrypt ? kept : 0;
    }
    keep = finish ? 0xffff : is_tag ? 1 : (uint16_t)beat.keep;
    last = !is_text || beat.last;
    give = (is_text && take) || finish || (is_tag && beat.last);
    give_tag = finish;
    check = tag;
    decided = is_tag;

    const bool go = (take && begins && !at_tag) || pad;
    if (nonce) decrypt = beat.user & 1;
    if (take && beat.last) {
      at_tag = at_text;
      at_text = at_ad;
      at_ad = at_nonce;
      at_nonce = at_key;
      at_key = false;
    }
    post = nonce || (post && !absorb && !text);
    domain = nonce || (domain && !text);
    take = take ? !begins : near && !to_pad && !to_give;
    pad = near && to_pad;
    finish = near && to_give;
    if (go) {
      to_pad = beat.last && whole && !nonce;
      to_give = inner && !decrypt;
    }
    running = go || (running && step != LAST_STEP);
    step = !go ? (step + 1) % 16 : nonce || inner ? 0 : SHORT_STEP;
    near = running && step == LAST_STEP - 1;
  } while (!end);
}

// Key 00 01 ..., nonce 10 11 ..., byte i of the associated data 3 + 5 i, of the message 7 + 11 i.
static const struct {
  int ad_length, length;
  uint8_t text[40], tag[16];
} answers[] = {
        {0, 0, {0}, {0x4f, 0x9c, 0x27, 0x82, 0x11, 0xbe, 0xc9, 0x31, 0x6b, 0xf6, 0x8f, 0x46,
     0xee, 0x8b, 0x2e, 0xc6}},
        {0, 1, {0xcf}, {0xc5, 0x80, 0x80, 0x77, 0x82, 0x0a, 0x3d, 0x9c, 0x78, 0xd8, 0x64, 0x1e,
     0x5b, 0x6d, 0xf2, 0x8b}},
        {5, 0, {0}, {0x2d, 0x11, 0x77, 0xe4, 0x1f, 0x94, 0x6f, 0x40, 0xb3, 0x80, 0x9b, 0xcc,
     0x62, 0xd2, 0x96, 0x9c}},
        {16, 15, {0xa4, 0xd4, 0x78, 0x4f, 0x00, 0x59, 0x5f, 0x32, 0x1e, 0xf3, 0x6f, 0xb4, 0x18,
     0x13, 0x6c}, {0x5f, 0x27, 0x5c, 0x1e, 0xda, 0xce, 0x6a, 0xfc, 0xa5, 0x52, 0x48, 0xb6, 0x62,
     0xfe, 0x98, 0x8f}},
        {15, 16, {0x65, 0xe2, 0x3c, 0xb8, 0xc8, 0x9b, 0x1f, 0xa3, 0x66, 0x31, 0x34, 0x36, 0x8d,
     0x4b, 0x5f, 0x94}, {0xe2, 0xe7, 0x4c, 0x74, 0xbd, 0x3a, 0x5b, 0xed, 0x77, 0x97, 0x63, 0x64,
     0x98, 0x60, 0x02, 0x03}},
        {17, 17, {0x43, 0xf4, 0x85, 0x67, 0x96, 0x52, 0x4e, 0xad, 0xad, 0x01, 0xc3, 0x2c, 0x0c,
     0x86, 0x1d, 0xba, 0xe3}, {0x78, 0x82, 0xe3, 0x81, 0x39, 0x45, 0x11, 0x38, 0x42, 0x5c, 0x90,
     0xda, 0x11, 0x88, 0xd6, 0x80}},
        {32, 33, {0x7a, 0x00, 0x4a, 0xe6, 0x02, 0x41, 0xd0, 0x63, 0xf4, 0x3f, 0x9d, 0x18, 0x31,
     0xaa, 0x22, 0xf2, 0x38, 0xd6, 0xc8, 0x51, 0x73, 0xa6, 0x40, 0xf1, 0x80, 0xc7, 0x7c, 0x4c,
     0x9b, 0x62, 0xc7, 0xd7, 0x8e}, {0xff, 0x68, 0xa4, 0xb2, 0x9d, 0x1d, 0x4c, 0xf4, 0x79, 0xfb,
     0x77, 0xa6, 0x65, 0x03, 0x39, 0x5c}},
        {0, 16, {0xcf, 0xf0, 0xe1, 0xe5, 0x33, 0x77, 0xaa, 0x99, 0x94, 0xab, 0x2d, 0x9a, 0x9f,
     0x2c, 0x2d, 0x38}, {0x29, 0xa6, 0x37, 0x4f, 0x61, 0x58, 0x9b, 0x6e, 0x08, 0xea, 0x79, 0xc9,
     0x15, 0x72, 0x2c, 0x35}},
};

static void send(job_stream *to, const uint8_t *bytes, int count, uint64_t user) {
  int at = 0;
  do {
    job_stream_beat beat = {.keep = LYDITE_KEEP(count - at < 16 ? count - at : 16), .user = user};
    for (int byte = 0; byte < 16 && at < count; byte++, at++) {
      beat.data.word[byte / 8] |= (uint64_t)bytes[at] << 8 * (byte % 8);
    }
    beat.last = at == count;
    job_stream_write(to, beat);
  } while (at < count);
}

// Returns whether a packet is what it should be.
static bool receive(block_stream *from, const uint8_t *bytes, int count) {
  int at = 0;
  bool right = true;
  do {
    const block_stream_beat beat = block_stream_read(from);
    right &= beat.keep == LYDITE_KEEP(count - at < 16 ? count - at : 16);
    for (int byte = 0; byte < 16; byte++) {
      const uint8_t is = (uint8_t)(beat.data.word[byte / 8] >> 8 * (byte % 8));
      right &= is == (at < count ? bytes[at] : 0);
      if (at < count) at++;
    }
    right &= beat.last == (at == count);
  } while (right && at < count);
  return right;
}

int main(void) {
  job_stream in = {0};
  block_stream out = {0};
  bool right = true;
  uint8_t key[16], nonce[16], ad[40], message[40];
  for (int i = 0; i < 16; i++) {
    key[i] = (uint8_t)i;
    nonce[i] = (uint8_t)(16 + i);
  }
  for (int i = 0; i < 40; i++) {
    ad[i] = (uint8_t)(3 + 5 * i);
    message[i] = (uint8_t)(7 + 11 * i);
  }
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const int length = answers[n].length;
    // Encryption, decryption, and that of a wrong tag.
    for (int what = 0; what < 3; what++) {
      uint8_t tag[16];
      const uint8_t verdict = what == 1;
      for (int i = 0; i < 16; i++) tag[i] = answers[n].tag[i] ^ (what == 2 && i == length % 16);
      send(&in, key, 16, what != 0);
      send(&in, nonce, 16, what != 0);
      send(&in, ad, answers[n].ad_length, what != 0);
      send(&in, what ? answers[n].text : message, length, what != 0);
      if (what) send(&in, tag, 16, 1);
      ascon_aead_stream(&in, &out);
      right &= receive(&out, what ? message : answers[n].text, length);
      right &= what ? receive(&out, &verdict, 1) : receive(&out, tag, 16);
    }
  }
  right &= job_stream_count(&in) == 0 && block_stream_count(&out) == 0;
  job_stream_free(&in);
  block_stream_free(&out);
  return !right;
}
