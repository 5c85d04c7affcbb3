// SPDX-License-Identifier: Apache-2.0
//
// The S-boxes of DES (FIPS 46-3, appendix 1) as circuits of functions of three inputs (vpternlog),
// found by bench/des_sboxes.c: 28 27 28 21 28 27 27 26, together 212.

#ifndef LYDITE_CORES_DES_SW_SBOXES_TERNARY_H_
#define LYDITE_CORES_DES_SW_SBOXES_TERNARY_H_

// S1: 28 gates.
SBOX(s1) {
  const vec g6 = LUT(g3, g2, g0, 0xe9);
  const vec g7 = LUT(g6, g4, g1, 0x21);
  const vec g8 = LUT(g0, g6, g1, 0xad);
  const vec g9 = LUT(g8, g7, g3, 0x72);
  const vec g10 = LUT(g5, g7, g9, 0xca);
  const vec g11 = LUT(g0, g5, g3, 0x69);
  const vec g12 = LUT(g11, g1, g10, 0x29);
  const vec g13 = LUT(g1, g5, g6, 0xe8);
  const vec g14 = LUT(g2, g12, g13, 0xca);
  const vec g15 = LUT(g4, g14, g6, 0x5c);
  const vec g16 = LUT(g15, g12, g1, 0xa5);
  const vec g17 = LUT(g8, g4, g1, 0x64);
  const vec g18 = LUT(g17, g14, g2, 0x06);
  const vec g19 = LUT(g5, g18, g16, 0xca);
  const vec g20 = LUT(g17, g11, g2, 0x69);
  const vec g21 = LUT(g4, g10, g14, 0xac);
  const vec g22 = LUT(g20, g15, g14, 0xb4);
  const vec g23 = LUT(g3, g19, g22, 0xc5);
  const vec g24 = LUT(g10, g6, g1, 0x82);
  const vec g25 = LUT(g24, g19, g20, 0xe1);
  const vec g26 = LUT(g16, g23, g4, 0x60);
  const vec g27 = LUT(g26, g8, g20, 0xe5);
  const vec g28 = LUT(g3, g27, g25, 0xca);
  const vec g29 = LUT(g16, g14, g27, 0x8e);
  const vec g30 = LUT(g29, g15, g4, 0x2d);
  const vec g31 = LUT(g26, g30, g13, 0xab);
  const vec g32 = LUT(g31, g28, g22, 0x4b);
  const vec g33 = LUT(g5, g30, g32, 0xca);
  SBOX_GIVE(g23, g33, g21, g28);
}

// S2: 27 gates.
SBOX(s2) {
  const vec g6 = LUT(g5, g2, g1, 0x94);
  const vec g7 = LUT(g6, g4, g3, 0x48);
  const vec g8 = LUT(g5, g7, g1, 0x38);
  const vec g9 = LUT(g8, g2, g3, 0xc3);
  const vec g10 = LUT(g0, g9, g7, 0xca);
  const vec g11 = LUT(g6, g10, g0, 0x23);
  const vec g12 = LUT(g11, g3, g1, 0x78);
  const vec g13 = LUT(g4, g10, g12, 0xca);
  const vec g14 = LUT(g0, g3, g4, 0x69);
  const vec g15 = LUT(g10, g0, g4, 0x6e);
  const vec g16 = LUT(g15, g12, g2, 0x5a);
  const vec g17 = LUT(g1, g16, g14, 0xca);
  const vec g18 = LUT(g7, g1, g4, 0xe1);
  const vec g19 = LUT(g18, g2, g14, 0x9a);
  const vec g20 = LUT(g5, g19, g17, 0xca);
  const vec g21 = LUT(g0, g6, g12, 0x9c);
  const vec g22 = LUT(g1, g9, g14, 0x65);
  const vec g23 = LUT(g5, g21, g22, 0xca);
  const vec g24 = LUT(g1, g22, g10, 0xe6);
  const vec g25 = LUT(g24, g21, g16, 0x87);
  const vec g26 = LUT(g4, g23, g25, 0xca);
  const vec g27 = LUT(g0, g10, g26, 0x96);
  const vec g28 = LUT(g2, g7, g14, 0x72);
  const vec g29 = LUT(g3, g27, g28, 0xca);
  const vec g30 = LUT(g27, g28, g21, 0x8b);
  const vec g31 = LUT(g30, g4, g25, 0x34);
  const vec g32 = LUT(g1, g31, g29, 0xca);
  SBOX_GIVE(g13, g20, g32, g26);
}

// S3: 28 gates.
SBOX(s3) {
  const vec g6 = LUT(g1, g2, g5, 0x95);
  const vec g7 = LUT(g6, g0, g3, 0x48);
  const vec g8 = LUT(g5, g1, g2, 0x1e);
  const vec g9 = LUT(g8, g6, g3, 0x9c);
  const vec g10 = LUT(g0, g7, g9, 0xca);
  const vec g11 = LUT(g1, g8, g0, 0x65);
  const vec g12 = LUT(g11, g10, g2, 0x1b);
  const vec g13 = LUT(g0, g1, g5, 0x96);
  const vec g14 = LUT(g3, g4, g2, 0x47);
  const vec g15 = LUT(g6, g12, g2, 0x15);
  const vec g16 = LUT(g4, g13, g15, 0xc9);
  const vec g17 = LUT(g15, g14, g13, 0x99);
  const vec g18 = LUT(g4, g7, g15, 0xed);
  const vec g19 = LUT(g4, g1, g18, 0x47);
  const vec g20 = LUT(g17, g16, g4, 0x4a);
  const vec g21 = LUT(g20, g11, g16, 0xe1);
  const vec g22 = LUT(g21, g3, g12, 0x6a);
  const vec g23 = LUT(g4, g22, g10, 0xca);
  const vec g24 = LUT(g10, g14, g8, 0xe9);
  const vec g25 = LUT(g8, g1, g21, 0xce);
  const vec g26 = LUT(g25, g15, g19, 0x52);
  const vec g27 = LUT(g12, g20, g24, 0x93);
  const vec g28 = LUT(g3, g26, g27, 0xca);
  const vec g29 = LUT(g19, g24, g5, 0xc6);
  const vec g30 = LUT(g29, g3, g16, 0xe2);
  const vec g31 = LUT(g25, g18, g14, 0x86);
  const vec g32 = LUT(g31, g4, g26, 0xf8);
  const vec g33 = LUT(g0, g32, g17, 0xca);
  SBOX_GIVE(g23, g30, g28, g33);
}

// S4: 21 gates.
SBOX(s4) {
  const vec g6 = LUT(g1, g2, g3, 0xa3);
  const vec g7 = LUT(g1, g2, g3, 0x59);
  const vec g8 = LUT(g4, g6, g7, 0xca);
  const vec g9 = LUT(g3, g2, g4, 0xe7);
  const vec g10 = LUT(g9, g6, g7, 0x25);
  const vec g11 = LUT(g0, g10, g8, 0xca);
  const vec g12 = LUT(g0, g1, g2, 0x69);
  const vec g13 = LUT(g12, g10, g7, 0xe2);
  const vec g14 = LUT(g3, g7, g12, 0x67);
  const vec g15 = LUT(g4, g14, g13, 0xca);
  const vec g16 = LUT(g5, g15, g11, 0xca);
  const vec g17 = LUT(g1, g7, g10, 0x56);
  const vec g18 = LUT(g8, g3, g17, 0x53);
  const vec g19 = LUT(g18, g0, g4, 0x48);
  const vec g20 = LUT(g0, g19, g17, 0xca);
  const vec g21 = LUT(g4, g12, g17, 0x79);
  const vec g22 = LUT(g10, g12, g21, 0x4a);
  const vec g23 = LUT(g3, g22, g21, 0xca);
  const vec g24 = LUT(g5, g23, g20, 0xca);
  const vec g25 = LUT(g5, g20, g23, 0xc5);
  const vec g26 = LUT(g5, g11, g15, 0x3a);
  SBOX_GIVE(g25, g24, g26, g16);
}

// S5: 28 gates.
SBOX(s5) {
  const vec g6 = LUT(g2, g5, g0, 0xc3);
  const vec g7 = LUT(g6, g4, g1, 0x6b);
  const vec g8 = LUT(g2, g5, g4, 0xbd);
  const vec g9 = LUT(g8, g7, g1, 0x58);
  const vec g10 = LUT(g2, g4, g0, 0x9e);
  const vec g11 = LUT(g10, g5, g1, 0x69);
  const vec g12 = LUT(g6, g0, g4, 0x96);
  const vec g13 = LUT(g12, g8, g5, 0x3d);
  const vec g14 = LUT(g2, g5, g12, 0x58);
  const vec g15 = LUT(g1, g13, g14, 0xca);
  const vec g16 = LUT(g2, g9, g14, 0x91);
  const vec g17 = LUT(g4, g14, g16, 0x39);
  const vec g18 = LUT(g0, g17, g16, 0xca);
  const vec g19 = LUT(g6, g13, g17, 0x1e);
  const vec g20 = LUT(g10, g11, g12, 0x6c);
  const vec g21 = LUT(g0, g7, g9, 0xca);
  const vec g22 = LUT(g4, g19, g20, 0xac);
  const vec g23 = LUT(g3, g22, g21, 0xca);
  const vec g24 = LUT(g3, g15, g18, 0xac);
  const vec g25 = LUT(g3, g8, g19, 0x67);
  const vec g26 = LUT(g25, g24, g11, 0xa7);
  const vec g27 = LUT(g2, g8, g20, 0x85);
  const vec g28 = LUT(g6, g10, g27, 0x4d);
  const vec g29 = LUT(g3, g28, g27, 0xca);
  const vec g30 = LUT(g0, g26, g29, 0xca);
  const vec g31 = LUT(g17, g30, g12, 0x8d);
  const vec g32 = LUT(g31, g23, g6, 0x96);
  const vec g33 = LUT(g3, g11, g32, 0xca);
  SBOX_GIVE(g30, g33, g23, g24);
}

// S6: 27 gates.
SBOX(s6) {
  const vec g6 = LUT(g0, g1, g4, 0xe7);
  const vec g7 = LUT(g0, g1, g4, 0x60);
  const vec g8 = LUT(g5, g6, g7, 0xca);
  const vec g9 = LUT(g1, g5, g6, 0x2c);
  const vec g10 = LUT(g9, g0, g4, 0x16);
  const vec g11 = LUT(g2, g10, g8, 0xca);
  const vec g12 = LUT(g0, g3, g4, 0x69);
  const vec g13 = LUT(g1, g5, g12, 0x96);
  const vec g14 = LUT(g4, g7, g13, 0xef);
  const vec g15 = LUT(g14, g11, g3, 0x6c);
  const vec g16 = LUT(g5, g12, g11, 0xb3);
  const vec g17 = LUT(g5, g15, g4, 0x4f);
  const vec g18 = LUT(g13, g4, g16, 0xd2);
  const vec g19 = LUT(g3, g12, g18, 0x93);
  const vec g20 = LUT(g0, g11, g2, 0x94);
  const vec g21 = LUT(g20, g18, g17, 0x4b);
  const vec g22 = LUT(g3, g18, g0, 0x36);
  const vec g23 = LUT(g22, g2, g19, 0x1d);
  const vec g24 = LUT(g23, g21, g5, 0x8d);
  const vec g25 = LUT(g22, g16, g17, 0x99);
  const vec g26 = LUT(g25, g2, g18, 0x2e);
  const vec g27 = LUT(g17, g1, g8, 0xe8);
  const vec g28 = LUT(g27, g3, g13, 0x6a);
  const vec g29 = LUT(g13, g19, g21, 0x42);
  const vec g30 = LUT(g5, g18, g28, 0x6d);
  const vec g31 = LUT(g1, g30, g29, 0xca);
  const vec g32 = LUT(g2, g31, g28, 0xca);
  SBOX_GIVE(g26, g32, g15, g24);
}

// S7: 27 gates.
SBOX(s7) {
  const vec g6 = LUT(g1, g4, g5, 0x96);
  const vec g7 = LUT(g0, g1, g4, 0xb0);
  const vec g8 = LUT(g2, g6, g7, 0xca);
  const vec g9 = LUT(g4, g6, g8, 0x25);
  const vec g10 = LUT(g3, g8, g9, 0xca);
  const vec g11 = LUT(g1, g3, g6, 0x9a);
  const vec g12 = LUT(g4, g6, g10, 0x4b);
  const vec g13 = LUT(g12, g5, g11, 0x56);
  const vec g14 = LUT(g2, g13, g11, 0xca);
  const vec g15 = LUT(g0, g10, g14, 0xca);
  const vec g16 = LUT(g2, g6, g13, 0xc7);
  const vec g17 = LUT(g3, g4, g16, 0x83);
  const vec g18 = LUT(g1, g16, g17, 0xca);
  const vec g19 = LUT(g2, g3, g1, 0x5d);
  const vec g20 = LUT(g19, g14, g5, 0xc6);
  const vec g21 = LUT(g0, g20, g18, 0xca);
  const vec g22 = LUT(g20, g14, g0, 0x76);
  const vec g23 = LUT(g22, g6, g17, 0x4b);
  const vec g24 = LUT(g6, g12, g16, 0x28);
  const vec g25 = LUT(g24, g3, g22, 0xa6);
  const vec g26 = LUT(g1, g23, g25, 0xca);
  const vec g27 = LUT(g11, g21, g15, 0x7e);
  const vec g28 = LUT(g27, g16, g25, 0xa5);
  const vec g29 = LUT(g1, g3, g8, 0xb4);
  const vec g30 = LUT(g6, g18, g25, 0x52);
  const vec g31 = LUT(g0, g30, g29, 0xca);
  const vec g32 = LUT(g5, g31, g28, 0xca);
  SBOX_GIVE(g15, g21, g32, g26);
}

// S8: 26 gates.
SBOX(s8) {
  const vec g6 = LUT(g1, g3, g4, 0x9e);
  const vec g7 = LUT(g6, g2, g0, 0x14);
  const vec g8 = LUT(g2, g4, g1, 0xd3);
  const vec g9 = LUT(g8, g3, g6, 0xe1);
  const vec g10 = LUT(g0, g9, g7, 0xca);
  const vec g11 = LUT(g3, g2, g4, 0x4b);
  const vec g12 = LUT(g11, g6, g1, 0x4b);
  const vec g13 = LUT(g1, g4, g2, 0x79);
  const vec g14 = LUT(g13, g11, g10, 0xe4);
  const vec g15 = LUT(g0, g12, g14, 0xca);
  const vec g16 = LUT(g5, g10, g15, 0xca);
  const vec g17 = LUT(g9, g4, g5, 0x6b);
  const vec g18 = LUT(g17, g12, g0, 0x6c);
  const vec g19 = LUT(g2, g3, g18, 0x9a);
  const vec g20 = LUT(g7, g9, g18, 0x69);
  const vec g21 = LUT(g5, g19, g20, 0xca);
  const vec g22 = LUT(g1, g21, g18, 0xca);
  const vec g23 = LUT(g0, g14, g22, 0x6c);
  const vec g24 = LUT(g23, g10, g5, 0xb1);
  const vec g25 = LUT(g3, g5, g16, 0x08);
  const vec g26 = LUT(g2, g24, g25, 0x46);
  const vec g27 = LUT(g12, g16, g22, 0x89);
  const vec g28 = LUT(g27, g6, g26, 0x69);
  const vec g29 = LUT(g22, g8, g11, 0xca);
  const vec g30 = LUT(g29, g1, g5, 0x96);
  const vec g31 = LUT(g3, g28, g30, 0xca);
  SBOX_GIVE(g16, g31, g22, g26);
}

#endif  // LYDITE_CORES_DES_SW_SBOXES_TERNARY_H_
