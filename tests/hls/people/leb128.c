// SPDX-License-Identifier: Apache-2.0
// top: sleb
/* DWARF's signed LEB128, there and back; the examples are those of the DWARF standard,
    figure 23. */
#include <stdint.h>
#include <stdlib.h>

static unsigned encode(int64_t v, uint8_t *p)
{
    uint8_t *const start = p;
    int more;
    do {
        uint8_t byte = v & 0x7f;
        v >>= 7;
        more = !((v == 0 && !(byte & 0x40)) || (v == -1 && (byte & 0x40)));
        *p++ = (uint8_t)(byte | more << 7);
    } while (more);
    return (unsigned)(p - start);
}

static int64_t decode(const uint8_t *p)
{
    uint64_t v = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = *p++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && shift < 64);
    if (shift < 64 && byte & 0x40)
        v |= ~UINT64_C(0) << shift;
    return (int64_t)v;
}

unsigned sleb(int64_t v, uint8_t out[10], int64_t *back)
{
    unsigned n = encode(v, out);
    *back = decode(out);
    return n;
}

int main(void)
{
    static const int64_t v[] = {2, -2, 127, -127, 128, -128, 129, -129, 0, 624485, -624485,
                    INT64_MAX, INT64_MIN};
    static const uint8_t lengths[] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 3, 3, 10, 10};
    static const uint8_t first[] = {2, 0x7e, 0xff, 0x81, 0x80, 0x80, 0x81, 0xff, 0, 0xe5, 0x9b,
                    0xff, 0x80};
    for (unsigned i = 0; i < sizeof lengths; i++) {
        uint8_t out[10] = {0};
        int64_t back = 0;
        if (sleb(v[i], out, &back) != lengths[i] || out[0] != first[i] || back != v[i])
            abort();
    }
    return 0;
}
