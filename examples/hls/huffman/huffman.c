// SPDX-License-Identifier: Apache-2.0
// Decoder of canonical Huffman codes, RFC 1951, section 3.2.2: codes from their lengths, bits of a
// code from the top, bytes of the stream from bit 0; top function: huffman_decode.

#include <stddef.h>
#include <stdint.h>

#define MAX_SYMBOLS 288
#define MAX_CODE_LENGTH 15
#define MAX_BYTES 128
#define HUFFMAN_ERROR 0xffffffffU

// Decodes symbols until `end` comes out, or out is full, or the input ends, and gives their number;
// HUFFMAN_ERROR for bits that are no code. Lengths above 15 count as 15; lengths[i] = 0: no code.
uint32_t huffman_decode(uint16_t out[MAX_BYTES], const uint8_t in[MAX_BYTES], uint32_t in_bits,
                        const uint8_t lengths[MAX_SYMBOLS], uint32_t symbol_count, uint32_t end) {
  uint16_t count[MAX_CODE_LENGTH + 1], offset[MAX_CODE_LENGTH + 1], symbols[MAX_SYMBOLS];
  for (int i = 0; i <= MAX_CODE_LENGTH; i++) count[i] = 0;
  for (uint32_t i = 0; i < symbol_count; i++) count[lengths[i] & MAX_CODE_LENGTH]++;
  count[0] = 0;
  offset[1] = 0;
  for (int i = 1; i < MAX_CODE_LENGTH; i++) offset[i + 1] = (uint16_t)(offset[i] + count[i]);
  for (uint32_t i = 0; i < symbol_count; i++) {
    uint32_t length = lengths[i] & MAX_CODE_LENGTH;
    if (length) symbols[offset[length]++] = (uint16_t)i;
  }
  uint32_t decoded = 0, bit = 0;
  while (decoded < MAX_BYTES && bit < in_bits) {
    // first: the first code of this length; index: its place among all symbols.
    uint32_t code = 0, first = 0, index = 0, length = 1;
    for (;;) {
      if (length > MAX_CODE_LENGTH || bit >= in_bits) return HUFFMAN_ERROR;
      code = code << 1 | (in[bit / 8] >> (bit % 8) & 1);
      bit++;
      if (code - first < count[length]) break;
      index += count[length];
      first = (first + count[length]) << 1;
      length++;
    }
    uint16_t symbol = symbols[index + code - first];
    if (symbol == end) return decoded;
    out[decoded++] = symbol;
  }
  return decoded;
}

static uint16_t out[MAX_BYTES];
static uint8_t in[MAX_BYTES], lengths[MAX_SYMBOLS];

static void put_code(uint32_t *bit, uint32_t code, uint32_t length) {
  while (length-- > 0) {
    if (code >> length & 1) in[*bit / 8] |= (uint8_t)(1 << *bit % 8);
    ++*bit;
  }
}

// A fixed block (RFC 1951, 3.2.6) of literals without its 3 bits of header: made with Python's zlib
// (strategy Z_FIXED) from the sentence below.
static const char sentence[] = "Quartz jumps vexingly; 0x7F, \"bold\" \351\377\220 & fin.";
static const uint8_t compressed[] = {
    0x81, 0xa5, 0x89, 0x45, 0x25, 0x55, 0x0a, 0x59, 0xa5, 0xb9, 0x05, 0xc5, 0x0a, 0x65, 0xa9, 0x15,
    0x99, 0x79, 0xe9, 0x39, 0x95, 0xd6, 0x0a, 0x06, 0x15, 0xe6, 0x6e, 0x3a, 0x0a, 0x4a, 0x49, 0xf9,
    0x39, 0x29, 0x4a, 0x0a, 0x2f, 0xff, 0x4f, 0x50, 0x50, 0x53, 0x48, 0xcb, 0xcc, 0xd3, 0x03, 0x00};

int main(void) {
  // The example of 3.2.2: symbols A to H, with the codes that the RFC gives.
  static const uint8_t example_lengths[8] = {3, 3, 3, 3, 3, 2, 4, 4};
  static const uint8_t example_codes[8] = {2, 3, 4, 5, 6, 0, 14, 15};
  for (int i = 0; i < 8; i++) lengths[i] = example_lengths[i];
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 24; i++) {
    uint32_t symbol = i * 5 % 8;
    put_code(&bits, example_codes[symbol], example_lengths[symbol]);
  }
  if (huffman_decode(out, in, bits, lengths, 8, 99) != 24) return 1;
  for (uint32_t i = 0; i < 24; i++)
    if (out[i] != i * 5 % 8) return 1;
  if (huffman_decode(out, in, bits - 1, lengths, 8, 99) != HUFFMAN_ERROR) return 1;
  if (huffman_decode(out, in, bits, lengths, 8, 7) != 3) return 1;

  for (int i = 0; i < MAX_SYMBOLS; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  for (size_t i = 0; i < sizeof compressed; i++) in[i] = compressed[i];
  uint32_t decoded = huffman_decode(out, in, 8 * sizeof compressed, lengths, MAX_SYMBOLS, 256);
  if (decoded != sizeof sentence - 1) return 1;
  for (uint32_t i = 0; i < decoded; i++)
    if (out[i] != (uint8_t)sentence[i]) return 1;
  return 0;
}
