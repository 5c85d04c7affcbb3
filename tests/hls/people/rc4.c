// SPDX-License-Identifier: Apache-2.0
// top: rc4_byte
// RC4 a byte a call: the state is a file-scope struct with a constructor-like first call.
#include <string.h>

typedef unsigned char u8;
static struct { u8 S[256]; u8 i, j; } ctx;

static void swap(u8 *a, u8 *b) { u8 t = *a; *a = *b; *b = t; }

u8 rc4_byte(const u8 *key, int keylen, u8 in) {
#pragma HLS interface ap_memory port=key depth=16
  if (keylen > 0) {
    int i = 0; u8 j = 0;
    do ctx.S[i] = (u8)i; while (++i < 256);
    for (i = 0; i < 256; ++i) {
      j += ctx.S[i] + key[i % keylen];
      swap(ctx.S + i, ctx.S + j);
    }
    ctx.i = ctx.j = 0;
  }
  ctx.j += ctx.S[++ctx.i];
  swap(&ctx.S[ctx.i], &ctx.S[ctx.j]);
  return in ^ ctx.S[(u8)(ctx.S[ctx.i] + ctx.S[ctx.j])];
}

static int check(const char *key, const char *text, const char *expected) {
  u8 k[16] = {0};
  memcpy(k, key, strlen(key));
  for (size_t n = 0; n < strlen(text); n++)
    if (rc4_byte(k, n ? 0 : (int)strlen(key), (u8)text[n]) != (u8)expected[n]) return 1;
  return 0;
}

int main(void) {
  return check("Key", "Plaintext", "\xBB\xF3\x16\xE8\xD9\x40\xAF\x0A\xD3") |
         check("Wiki", "pedia", "\x10\x21\xBF\x04\x20") << 1 |
         check("Secret", "Attack at dawn",
             "\x45\xA0\x1F\x64\x5F\xC3\x5B\x38\x35\x52\x54\x4B\x9B\xF5") << 2;
}
