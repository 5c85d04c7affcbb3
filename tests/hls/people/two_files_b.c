// SPDX-License-Identifier: Apache-2.0
#include "two_files.h"

extern inline short mono(struct sample s);

unsigned clipped;
static const int count = 32635;  // the name is that of a variable in the other file

#define E2(n) n, n
#define E4(n) E2(n), E2(n)
#define E8(n) E4(n), E4(n)
#define E16(n) E8(n), E8(n)
#define E32(n) E16(n), E16(n)
const unsigned char ulaw_exponent[256] = {
    0, 0, 1, 1, E4(2), E8(3), E16(4), E32(5), E32(6), E32(6), E32(7), E32(7), E32(7), E32(7)};

unsigned char ulaw(short pcm)
{
    int sign = pcm < 0 ? 0x80 : 0, magnitude = sign ? -pcm : pcm;
    if (magnitude > count) magnitude = count, clipped++;
    magnitude += 0x84;
    int exponent = ulaw_exponent[magnitude >> 7 & 0xff];
    return (unsigned char)~(sign | exponent << 4 | (magnitude >> (exponent + 3) & 15));
}
