// SPDX-License-Identifier: Apache-2.0
// top: b64_encode
/* Base64 (RFC 4648) of up to 48 bytes at a time. */
#include <stdio.h>
#include <string.h>

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "abcdefghijklmnopqrstuvwxyz"
    "0123456789+/";

int b64_encode(const unsigned char src[48], unsigned n, char dst[65])
{
    char *p = dst;
    unsigned i;

    for (i = 0; i + 2 < n; i += 3) {
        *p++ = alphabet[src[i] >> 2];
        *p++ = alphabet[(src[i] & 3) << 4 | src[i + 1] >> 4];
        *p++ = alphabet[(src[i + 1] & 15) << 2 | src[i + 2] >> 6];
        *p++ = alphabet[src[i + 2] & 63];
    }
    if (i < n) {
        *p++ = alphabet[src[i] >> 2];
        if (i + 1 == n) {
            *p++ = alphabet[(src[i] & 3) << 4];
            *p++ = '=';
        } else {
            *p++ = alphabet[(src[i] & 3) << 4 | src[i + 1] >> 4];
            *p++ = alphabet[(src[i + 1] & 15) << 2];
        }
        *p++ = '=';
    }
    *p = '\0';
    return (int)(p - dst);
}

static const struct { const char *plain, *coded; } vectors[] = {
    {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}, {"light w\xff\xfe?", "bGlnaHQgd//+Pw=="},
};

int main(void)
{
    int bad = 0;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        unsigned char in[48] = {0};
        char out[65] = {0};
        memcpy(in, vectors[k].plain, strlen(vectors[k].plain));
        int len = b64_encode(in, (unsigned)strlen(vectors[k].plain), out);
        if (len != (int)strlen(vectors[k].coded) || strcmp(out, vectors[k].coded)) {
            printf("%s: %s\n", vectors[k].plain, out);
            bad++;
        }
    }
    return bad;
}
