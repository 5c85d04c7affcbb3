// SPDX-License-Identifier: Apache-2.0
//
// The permutation of Ascon (NIST SP 800-232, 3), unrolled, on words of any type. The including file
// defines
//   WORD               a word, or the same word of several messages
//   XOR(a, b), XOR3(a, b, c), NXOR3(a, b, c) (its complement)
//   CHI(a, b, c)       a ^ (~b & c)
//   ROR(a, n)          each word rotated to the right, 0 < n < 64
//   CONSTANT(c)        the number c in each word

#ifndef LYDITE_CORES_ASCON_SW_ROUNDS_H_
#define LYDITE_CORES_ASCON_SW_ROUNDS_H_

typedef struct {
  WORD x0, x1, x2, x3, x4;
} ascon_state;

// The complement of the third word (3.3) goes through the diffusion: rotations keep it.
static inline __attribute__((always_inline)) void ascon_round(ascon_state *s, unsigned constant) {
  const WORD a0 = XOR(s->x0, s->x4);
  const WORD a2 = XOR3(s->x2, s->x1, CONSTANT(constant));
  const WORD a4 = XOR(s->x4, s->x3);
  const WORD b0 = CHI(a0, s->x1, a2);
  const WORD b1 = CHI(s->x1, a2, s->x3);
  const WORD b2 = CHI(a2, s->x3, a4);
  const WORD b3 = CHI(s->x3, a4, a0);
  const WORD b4 = CHI(a4, a0, s->x1);
  const WORD c0 = XOR(b0, b4);
  const WORD c1 = XOR(b1, b0);
  const WORD c3 = XOR(b3, b2);
  s->x0 = XOR3(c0, ROR(c0, 19), ROR(c0, 28));
  s->x1 = XOR3(c1, ROR(c1, 61), ROR(c1, 39));
  s->x2 = NXOR3(b2, ROR(b2, 1), ROR(b2, 6));
  s->x3 = XOR3(c3, ROR(c3, 10), ROR(c3, 17));
  s->x4 = XOR3(b4, ROR(b4, 7), ROR(b4, 41));
}

static inline __attribute__((always_inline)) void ascon_p8(ascon_state *s) {
  ascon_round(s, 0xb4);
  ascon_round(s, 0xa5);
  ascon_round(s, 0x96);
  ascon_round(s, 0x87);
  ascon_round(s, 0x78);
  ascon_round(s, 0x69);
  ascon_round(s, 0x5a);
  ascon_round(s, 0x4b);
}

static inline __attribute__((always_inline)) void ascon_p12(ascon_state *s) {
  ascon_round(s, 0xf0);
  ascon_round(s, 0xe1);
  ascon_round(s, 0xd2);
  ascon_round(s, 0xc3);
  ascon_p8(s);
}

#endif  // LYDITE_CORES_ASCON_SW_ROUNDS_H_
