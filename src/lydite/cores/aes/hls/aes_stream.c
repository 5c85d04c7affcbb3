// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197): encryption and decryption of whole blocks (SP 800-38A, 6.1), and counter mode
// of bytes (6.5), a round a cycle, round keys on the fly: a core for `lydite bench`; top function:
// aes_stream. A call is a message: packets with the key, in counter mode with the first counter
// block, and with the message, each ended by `last`, and perhaps by a beat without bytes. User says
// what is done: 0 encrypt, 1 decrypt, 2 counter mode.

#include "aes.h"

LYDITE_STREAM_USER(aes_job_stream, lydite_data128, 2)

enum operation { ENCRYPT, DECRYPT, COUNTER };

// FIPS 197, 5.3.2
INV_SBOX_HERE
// FIPS 197, 5.2: the round key after that of `before`, with the constant.
static void next_key(uint8_t key[BLOCK_BYTES], uint8_t constant) {
  for (int i = 0; i < 4; i++) key[i] ^= sbox[key[12 + (i + 1) % 4]];  // leaks: key, as index
  key[0] ^= constant;
  for (int i = 4; i < BLOCK_BYTES; i++) key[i] ^= key[i - 4];
}

// The round key before it.
static void last_key(uint8_t key[BLOCK_BYTES], uint8_t constant) {
  for (int i = BLOCK_BYTES - 1; i >= 4; i--) key[i] ^= key[i - 4];
  for (int i = 0; i < 4; i++) key[i] ^= sbox[key[12 + (i + 1) % 4]];  // leaks: key, as index
  key[0] ^= constant;
}
