// SPDX-License-Identifier: Apache-2.0
//
// DES and Triple DES, bitsliced: VECTOR_BITS blocks at once, of one call or of several under keys
// of their own. Blocks are transposed on the way in and out. KEY_BYTES is 8, 16 (K3 = K1) or 24.

#include "vector.h"

#define KEYS (KEY_BYTES / 8)
#define PASSES (KEYS == 1 ? 1 : 3)
#define GROUP_BYTES (LANES * DES_BLOCK_BYTES)

// C and D of each key.
typedef struct {
  vec key[KEYS][56];
} sliced_keys;

// The same key in all lanes.
static void keys_of_one(sliced_keys *keys, const uint8_t *key) {
  for (unsigned n = 0; n < KEYS; n++) {
    const uint64_t word = des_load(key + DES_BLOCK_BYTES * n);
    for (unsigned i = 0; i < 56; i++) {
      keys->key[n][i] = vec_all(0 - (word >> (64 - des_pc1[i]) & 1));
    }
  }
}

// A key in each lane: `all` has them one after the other, KEY_BYTES each.
static void keys_of_lanes(sliced_keys *keys, const uint8_t all[LANES][KEY_BYTES]) {
  vec rows[64];
  for (unsigned n = 0; n < KEYS; n++) {
    for (unsigned lane = 0; lane < LANES; lane++) {
      memcpy((uint8_t *)rows + DES_BLOCK_BYTES * lane, all[lane] + DES_BLOCK_BYTES * n,
             DES_BLOCK_BYTES);
    }
    transpose(rows);
    for (unsigned i = 0; i < 56; i++) keys->key[n][i] = rows[row_of(des_pc1[i] - 1U)];
  }
}

static void cipher(uint8_t out[GROUP_BYTES], const uint8_t in[GROUP_BYTES],
                   const sliced_keys *keys, int decrypts) {
  vec rows[64], halves[2][32];
  memcpy(rows, in, GROUP_BYTES);
  transpose(rows);
  for (unsigned i = 0; i < 64; i++) halves[i / 32][i % 32] = rows[row_of(des_ip[i] - 1U)];
  unsigned left = 0;  // which of both; they change places at the end of a pass
  for (int pass = 0; pass < PASSES; pass++) {
    // SP 800-67, 3.1: the middle pass goes the other way, and all turn round to decrypt.
    const int number = decrypts ? PASSES - 1 - pass : pass;
    rounds_of(halves[left], halves[1 - left], keys->key[number < KEYS ? number : 0],
              decrypts ^ (pass == 1));
    left = 1 - left;
  }
  // FIPS 46-3, IP^-1 of R16, L16: bit i goes where IP takes it from.
  for (unsigned i = 0; i < 64; i++) rows[row_of(des_ip[i] - 1U)] = halves[left ^ (i / 32)][i % 32];
  transpose(rows);
  memcpy(out, rows, GROUP_BYTES);
}

// Works on blocks first to first + count of a batch, at most LANES, in the order of its calls, each
// of which has `each`.
typedef void group_work(const struct lydite_batch *batch, size_t each, size_t first, size_t count,
                        const sliced_keys *keys);

static void blocks(const struct lydite_batch *batch, size_t first, size_t count,
                   const sliced_keys *keys, int decrypts) {
  const uint8_t *const in = batch->in[1] + DES_BLOCK_BYTES * first;
  uint8_t *const out = batch->out[0] + DES_BLOCK_BYTES * first;
  if (count == LANES) {
    cipher(out, in, keys, decrypts);
    return;
  }
  uint8_t buffer[GROUP_BYTES];
  memset(buffer, 0, sizeof buffer);
  memcpy(buffer, in, DES_BLOCK_BYTES * count);
  cipher(buffer, buffer, keys, decrypts);
  memcpy(out, buffer, DES_BLOCK_BYTES * count);
}

static void encrypt(const struct lydite_batch *batch, size_t each, size_t first, size_t count,
                    const sliced_keys *keys) {
  (void)each;
  blocks(batch, first, count, keys, 0);
}

static void decrypt(const struct lydite_batch *batch, size_t each, size_t first, size_t count,
                    const sliced_keys *keys) {
  (void)each;
  blocks(batch, first, count, keys, 1);
}

static void stream(const struct lydite_batch *batch, size_t each, size_t first, size_t count,
                   const sliced_keys *keys) {
  const size_t bytes = batch->in_bytes[2];
  uint8_t buffer[GROUP_BYTES];
  if (count < LANES) memset(buffer, 0, sizeof buffer);
  size_t call = first / each, block = first % each;
  for (size_t lane = 0; lane < count; lane++) {
    const uint64_t counter = des_load(batch->in[1] + DES_BLOCK_BYTES * call) + block;
    des_store(buffer + DES_BLOCK_BYTES * lane, counter);
    if (++block == each) call++, block = 0;
  }
  cipher(buffer, buffer, keys, 0);
  // Blocks of one call lie side by side, but for what the last one has too much.
  for (size_t lane = 0; lane < count;) {
    call = (first + lane) / each, block = (first + lane) % each;
    const size_t at = DES_BLOCK_BYTES * block;
    const size_t lanes = count - lane < each - block ? count - lane : each - block;
    const size_t most = DES_BLOCK_BYTES * lanes, some = bytes - at < most ? bytes - at : most;
    const uint8_t *const in = batch->in[2] + bytes * call + at;
    uint8_t *const out = batch->out[0] + bytes * call + at;
    const uint8_t *const key_stream = buffer + DES_BLOCK_BYTES * lane;
    for (size_t i = 0; i < some; i++) out[i] = in[i] ^ key_stream[i];
    lane += lanes;
  }
}

static void run(const struct lydite_batch *batch, size_t bytes, group_work *work) {
  const size_t each = (bytes + DES_BLOCK_BYTES - 1) / DES_BLOCK_BYTES, all = each * batch->count;
  sliced_keys keys;
  size_t known = batch->count;  // the call whose key all lanes have
  for (size_t first = 0, count; first < all; first += count) {
    count = all - first < LANES ? all - first : LANES;
    const size_t call = first / each, last = (first + count - 1) / each;
    if (call != last) {
      uint8_t lanes[LANES][KEY_BYTES];
      memset(lanes, 0, sizeof lanes);
      for (size_t lane = 0; lane < count; lane++) {
        memcpy(lanes[lane], batch->in[0] + KEY_BYTES * ((first + lane) / each), KEY_BYTES);
      }
      keys_of_lanes(&keys, (const uint8_t (*)[KEY_BYTES])lanes);
      known = batch->count;
    } else if (call != known) {
      keys_of_one(&keys, batch->in[0] + KEY_BYTES * call);
      known = call;
    }
    work(batch, each, first, count, &keys);
  }
}

const char *lydite_impl(void) { return IMPL; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return CPU_FLAGS; }

int lydite_available(void) { return 1; }

void lydite_encrypt(const struct lydite_batch *batch) { run(batch, batch->in_bytes[1], encrypt); }

void lydite_decrypt(const struct lydite_batch *batch) { run(batch, batch->in_bytes[1], decrypt); }

void lydite_ctr(const struct lydite_batch *batch) { run(batch, batch->in_bytes[2], stream); }
