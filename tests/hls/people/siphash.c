// SPDX-License-Identifier: Apache-2.0
// top: siphash24
// SipHash-2-4 of up to 31 bytes; the vectors are those of the paper's reference code.
#include <stdint.h>
#include <stddef.h>

#define ROTL(x, b) (uint64_t)(((x) << (b)) | ((x) >> (64 - (b))))
#define U8TO64(p)                                                    \
  (((uint64_t)(p)[0]) | ((uint64_t)(p)[1] << 8) |                    \
   ((uint64_t)(p)[2] << 16) | ((uint64_t)(p)[3] << 24) |             \
   ((uint64_t)(p)[4] << 32) | ((uint64_t)(p)[5] << 40) |             \
   ((uint64_t)(p)[6] << 48) | ((uint64_t)(p)[7] << 56))
#define SIPROUND                                                     \
  do {                                                               \
    v0 += v1; v1 = ROTL(v1, 13); v1 ^= v0; v0 = ROTL(v0, 32);        \
    v2 += v3; v3 = ROTL(v3, 16); v3 ^= v2;                           \
    v0 += v3; v3 = ROTL(v3, 21); v3 ^= v0;                           \
    v2 += v1; v1 = ROTL(v1, 17); v1 ^= v2; v2 = ROTL(v2, 32);        \
  } while (0)

uint64_t siphash24(const uint8_t in[31], size_t inlen, const uint8_t k[16]) {
  uint64_t v0 = 0x736f6d6570736575ULL, v1 = 0x646f72616e646f6dULL;
  uint64_t v2 = 0x6c7967656e657261ULL, v3 = 0x7465646279746573ULL;
  const uint64_t k0 = U8TO64(k), k1 = U8TO64(k + 8);
  const uint8_t *end = in + inlen - (inlen % sizeof(uint64_t));
  uint64_t b = ((uint64_t)inlen) << 56;
  v3 ^= k1; v2 ^= k0; v1 ^= k1; v0 ^= k0;
  for (; in != end; in += 8) {
    const uint64_t m = U8TO64(in);
    v3 ^= m;
    SIPROUND; SIPROUND;
    v0 ^= m;
  }
  switch (inlen & 7) {
  case 7: b |= ((uint64_t)in[6]) << 48; __attribute__((fallthrough));
  case 6: b |= ((uint64_t)in[5]) << 40; __attribute__((fallthrough));
  case 5: b |= ((uint64_t)in[4]) << 32; __attribute__((fallthrough));
  case 4: b |= ((uint64_t)in[3]) << 24; __attribute__((fallthrough));
  case 3: b |= ((uint64_t)in[2]) << 16; __attribute__((fallthrough));
  case 2: b |= ((uint64_t)in[1]) << 8; __attribute__((fallthrough));
  case 1: b |= ((uint64_t)in[0]); break;
  case 0: break;
  }
  v3 ^= b;
  SIPROUND; SIPROUND;
  v0 ^= b;
  v2 ^= 0xff;
  SIPROUND; SIPROUND; SIPROUND; SIPROUND;
  return v0 ^ v1 ^ v2 ^ v3;
}

int main(void) {
  uint8_t in[31], k[16];
  for (uint8_t i = 0; i < 31; i++) in[i] = i;
  for (uint8_t i = 0; i < 16; i++) k[i] = i;
  if (siphash24(in, 15, k) != 0xa129ca6149be45e5ULL) return 1;  // appendix A
  if (siphash24(in, 0, k) != 0x726fdb47dd0e0e31ULL) return 2;
  if (siphash24(in, 1, k) != 0x74f839c593dc67fdULL) return 3;
  if (siphash24(in, 7, k) != 0xab0200f58b01d137ULL) return 4;
  if (siphash24(in, 8, k) != 0x93f5f5799a932462ULL) return 5;
  return 0;
}
