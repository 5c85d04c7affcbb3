// SPDX-License-Identifier: Apache-2.0
// top: xtea
/* XTEA, both ways, as the paper's code has it. */
#include <stdint.h>

static void encipher(unsigned num_rounds, uint32_t v[2], uint32_t const key[4]) {
    unsigned int i;
    uint32_t v0 = v[0], v1 = v[1], sum = 0, delta = 0x9E3779B9;
    for (i = 0; i < num_rounds; i++) {
        v0 += (((v1 << 4) ^ (v1 >> 5)) + v1) ^ (sum + key[sum & 3]);
        sum += delta;
        v1 += (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum + key[(sum >> 11) & 3]);
    }
    v[0] = v0; v[1] = v1;
}

static void decipher(unsigned num_rounds, uint32_t v[2], uint32_t const key[4]) {
    unsigned int i;
    uint32_t v0 = v[0], v1 = v[1], delta = 0x9E3779B9, sum = delta * num_rounds;
    for (i = 0; i < num_rounds; i++) {
        v1 -= (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum + key[(sum >> 11) & 3]);
        sum -= delta;
        v0 -= (((v1 << 4) ^ (v1 >> 5)) + v1) ^ (sum + key[sum & 3]);
    }
    v[0] = v0; v[1] = v1;
}

void xtea(int decrypt, uint32_t v[2], const uint32_t key[4]) {
    (decrypt ? decipher : encipher)(32, v, key);
}

int main(void) {
    static const struct { uint32_t key[4], plain[2], cipher[2]; } t[] = {
        {{0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f}, {0x41424344, 0x45464748}, {0x497df3d0,
            0x72612cb5}},
        {{0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f}, {0x41414141, 0x41414141}, {0xe78f2d13,
            0x744341d8}},
        {{0, 0, 0, 0}, {0x41424344, 0x45464748}, {0xa0390589, 0xf8b8efa5}},
    };
    for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
        uint32_t v[2] = {t[i].plain[0], t[i].plain[1]};
        xtea(0, v, t[i].key);
        if (v[0] != t[i].cipher[0] || v[1] != t[i].cipher[1]) return 1;
        xtea(1, v, t[i].key);
        if (v[0] != t[i].plain[0] || v[1] != t[i].plain[1]) return 2;
    }
    return 0;
}
