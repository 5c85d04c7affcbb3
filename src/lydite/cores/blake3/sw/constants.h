// SPDX-License-Identifier: Apache-2.0
//
// Sizes and tables of BLAKE3 (one function, fast everywhere), for C and for OpenCL C.

#ifndef LYDITE_CORES_BLAKE3_SW_CONSTANTS_H_
#define LYDITE_CORES_BLAKE3_SW_CONSTANTS_H_

#define BLAKE3_BLOCK_BYTES 64
#define BLAKE3_CHUNK_BYTES 1024
#define BLAKE3_KEY_BYTES 32
#define BLAKE3_ROUNDS 7

// 2.2, table 3.
enum {
  BLAKE3_CHUNK_START = 1 << 0,
  BLAKE3_CHUNK_END = 1 << 1,
  BLAKE3_PARENT = 1 << 2,
  BLAKE3_ROOT = 1 << 3,
  BLAKE3_KEYED_HASH = 1 << 4,
  BLAKE3_DERIVE_KEY_CONTEXT = 1 << 5,
  BLAKE3_DERIVE_KEY_MATERIAL = 1 << 6,
};

// 2.2, table 1.
#define BLAKE3_IV                                           \
  {0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,      \
   0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U}

#endif  // LYDITE_CORES_BLAKE3_SW_CONSTANTS_H_
