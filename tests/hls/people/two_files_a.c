// SPDX-License-Identifier: Apache-2.0
// top: encode, with: two_files_b.c
// G.711 mu-law; tables and helpers lie in another file, an inline function in the header of both.
#include "two_files.h"

static int min3(int a, int b, int c) { return min(min(a, b), c); }
static unsigned count;

unsigned encode(const struct sample in[8], unsigned char out[8], unsigned char n)
{
    for (int i = 0; i < min3(n, 8, 100); i++, count++)
        out[i] = ulaw(mono(in[i]));
    return count << 16 | clipped;
}

int main(void)
{
    // Values of Sun's g711.c.
    static const struct sample in[8] = {{0, 0}, {1, -1}, {1000, 1000}, {-1000, -1000},
                        {32767, 32767}, {-32768, -32768}, {100, 50}, {7, 8}};
    static const unsigned char expected[8] = {0xff, 0xff, 0xce, 0x4e, 0x80, 0x00, 0xf6, 0xfe};
    unsigned char out[8] = {0};
    if (encode(in, out, 8) != (8u << 16 | 2)) return 20;
    for (int i = 0; i < 8; i++)
        if (out[i] != expected[i]) return i + 1;
    if (encode(in, out, 3) != (11u << 16 | 2) || encode(in + 4, out, 4) != (15u << 16 | 4))
        return 21;
    return out[0] != 0x80 || out[1] != 0 || out[4] != 0x80;
}
