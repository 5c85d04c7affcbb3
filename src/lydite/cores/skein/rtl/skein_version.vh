// SPDX-License-Identifier: Apache-2.0
//
// What versions 1.2 (round 2 of the SHA-3 contest) and 1.3 (round 3) of "The Skein Hash Function
// Family" differ in: the parity of the key schedule (3.3.2), and so the chain value behind the
// configuration of Skein-512-256, word i in bits 64 i to 64 i + 63. The module that includes this
// has the parameter MINOR: 2, 3.

localparam [63:0]  PARITY = (MINOR == 2) ? 64'h5555555555555555 : 64'h1bd11bdaa9fc1a22;
localparam [511:0] IV = (MINOR == 2) ? {
  64'h7fe63d9bf94edeb8, 64'hafb7174bbd8feee9, 64'h8d5a3e904b1be9c8, 64'hc962dc0fc0046f2c,
  64'h1d2117356504425a, 64'he1a21465ee3fe124, 64'h7a6dac64c047c2b0, 64'h85a195b18b2264ec
} : {
  64'h3eedba1833edfc13, 64'hc36fbaf9393ad185, 64'he7a436cdc4746251, 64'hec06025e74dd7683,
  64'h2a2767a4ae9b94db, 64'h55aea0614f816e6f, 64'he83590301a79a9eb, 64'hccd044a12fdb3e13
};
