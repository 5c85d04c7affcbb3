// SPDX-License-Identifier: Apache-2.0
// top: crc
// One CRC for all of a family: parameters by X macro, the check values are those of the catalogue.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*        name       width poly        init        in   out  xorout      check */
#define CRCS(X)                                                                   \
    X(CRC8_SMBUS,   8, 0x07,       0x00,       0, 0, 0x00,       0xf4)        \
    X(CRC8_MAXIM,   8, 0x31,       0x00,       1, 1, 0x00,       0xa1)        \
    X(CRC16_ARC,   16, 0x8005,     0x0000,     1, 1, 0x0000,     0xbb3d)      \
    X(CRC16_CCITT, 16, 0x1021,     0xffff,     0, 0, 0x0000,     0x29b1)      \
    X(CRC16_MODBUS,16, 0x8005,     0xffff,     1, 1, 0x0000,     0x4b37)      \
    X(CRC24_PGP,   24, 0x864cfb,   0xb704ce,   0, 0, 0x000000,   0x21cf02)    \
    X(CRC32,       32, 0x04c11db7, 0xffffffff, 1, 1, 0xffffffff, 0xcbf43926)  \
    X(CRC32_BZIP2, 32, 0x04c11db7, 0xffffffff, 0, 0, 0xffffffff, 0xfc891918)  \
    X(CRC32C,      32, 0x1edc6f41, 0xffffffff, 1, 1, 0xffffffff, 0xe3069283)

enum kind {
#define X(name, ...) name,
    CRCS(X)
#undef X
    KINDS
};

static const struct params {
    uint8_t width;
    uint32_t poly, init;
    _Bool refin, refout;
    uint32_t xorout;
} params[KINDS] = {
#define X(name, width, poly, init, in, out, xor, check) [name] = {width, poly, init, in, out, xor},
    CRCS(X)
#undef X
};

static uint32_t reflect(uint32_t v, unsigned bits)
{
    uint32_t r = 0;
    while (bits--) {
        r = r << 1 | (v & 1);
        v >>= 1;
    }
    return r;
}

uint32_t crc(enum kind kind, const uint8_t data[16], uint8_t length)
{
    const struct params *p = &params[kind < KINDS ? kind : 0];
    const uint32_t top = 1u << (p->width - 1);
    const uint32_t mask = (top - 1) << 1 | 1;
    uint32_t r = p->init;

    for (unsigned i = 0; i < length && i < 16; i++) {
        uint32_t byte = p->refin ? reflect(data[i], 8) : data[i];
        r ^= byte << (p->width - 8);
        for (int k = 0; k < 8; k++)
            r = r & top ? r << 1 ^ p->poly : r << 1;
    }
    r &= mask;
    if (p->refout)
        r = reflect(r, p->width);
    return r ^ p->xorout;
}

int main(void)
{
    static const uint32_t check[] = {
#define X(name, w, p, i, in, out, x, check) check,
        CRCS(X)
#undef X
    };
    uint8_t text[16] = "123456789";
    int bad = 0;
    for (int k = 0; k < KINDS; k++) {
        uint32_t got = crc((enum kind)k, text, 9);
        if (got != check[k])
            bad++, printf("%d: %x\n", k, (unsigned)got);
    }
    return bad;
}
