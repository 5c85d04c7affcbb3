// SPDX-License-Identifier: Apache-2.0
// top: scan_number
// A state machine of labels, in the manner of re2c: [0x]digits, fractions, exponents.
typedef enum { ERROR, DECIMAL, OCTAL, HEX, FLOATING } token;
typedef struct { token kind; unsigned length; unsigned long value; } result;

void scan_number(const char s[24], result *out)
{
    const char *p = s;
    unsigned long v = 0;
    token kind = ERROR;

    if (*p == '0') goto zero;
    if (*p >= '1' && *p <= '9') goto decimal;
    if (*p == '.') { p++; goto dot; }
    goto done;
zero:
    p++;
    kind = OCTAL;
    if (*p == 'x' || *p == 'X') goto hex;
octal:
    if (*p >= '0' && *p <= '7') { v = v << 3 | (unsigned long)(*p++ & 7); goto octal; }
    if (*p == '.') { p++; kind = FLOATING; goto fraction; }
    goto done;
hex:
    p++;
    kind = ERROR;
hexdigit:
    switch (*p) {
    case '0' ... '9': v = v * 16 + (unsigned long)(*p - '0'); break;
    case 'a' ... 'f': v = v * 16 + (unsigned long)(*p - 'a') + 10; break;
    case 'A' ... 'F': v = v * 16 + (unsigned long)(*p - 'A') + 10; break;
    default: goto done;
    }
    kind = HEX;
    p++;
    goto hexdigit;
decimal:
    kind = DECIMAL;
    v = v * 10 + (unsigned long)(*p++ - '0');
    if (*p >= '0' && *p <= '9') goto decimal;
    if (*p == '.') { p++; kind = FLOATING; goto fraction; }
    if (*p == 'e') goto exponent;
    goto done;
dot:
    if (*p < '0' || *p > '9') goto done;
    kind = FLOATING;
fraction:
    while (*p >= '0' && *p <= '9') v = v * 10 + (unsigned long)(*p++ - '0');
    if (*p != 'e') goto done;
exponent:
    if (p[1] < '0' || p[1] > '9') goto done;
    kind = FLOATING;
    do p++; while (*p >= '0' && *p <= '9');
done:
    out->kind = kind;
    out->length = (unsigned)(p - s);
    out->value = v;
}

int main(void)
{
    static const struct { char s[24]; result r; } t[] = {
        {"0", {OCTAL, 1, 0}}, {"0755;", {OCTAL, 4, 493}}, {"0xDeadBeef", {HEX, 10, 0xdeadbeef}},
        {"0x", {ERROR, 2, 0}}, {"1234567890123 x", {DECIMAL, 13, 1234567890123}},
        {"3.25", {FLOATING, 4, 325}}, {".5e10", {FLOATING, 5, 5}}, {"7e", {DECIMAL, 1, 7}},
        {".", {ERROR, 1, 0}}, {"abc", {ERROR, 0, 0}}, {"08", {OCTAL, 1, 0}}, {"12e3", {FLOATING,
            4, 12}},
    };
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        result r = {ERROR, 99, 99};
        scan_number(t[i].s, &r);
        if (r.kind != t[i].r.kind || r.length != t[i].r.length || r.value != t[i].r.value)
            return (int)i + 1;
    }
    return 0;
}
