// SPDX-License-Identifier: Apache-2.0
/* top: checksum, std: gnu89 */
/* C of 1988: K&R definitions, implicit int, register, comma and conditional operators, bit tricks,
   and a sum as BSD's sum(1) has it. */
#define NBYTES 24
#define rotr16(x) (((x) & 1) ? ((x) >> 1) + 0x8000 : (x) >> 1)

typedef unsigned short ushort_;
static char *skip();
static nread;

ushort_ checksum(buf, n, words)
    char buf[NBYTES];
    unsigned n;
    int *words;
{
    register char *p = buf;
    register unsigned sum = 0;
    int inword = 0;

    *words = 0;
    if (n > NBYTES) n = NBYTES;
    for (nread += n; p < buf + n; p++) {
        sum = rotr16(sum);
        sum += *p & 0xff;
        sum &= 0xffff;
        *p == ' ' || *p == '\n' ? (inword = 0) : !inword++ ? ++*words : 0;
    }
    if (n && skip(buf, buf + n) == buf + n) *words = -nread;
    return sum;
}

static char *skip(p, end)
    register char *p, *end;
{
    while (p != end && *p == ' ')
        ++p;
    return p;
}

main()
{
    static char text[3][NBYTES] = {"hello, world\n", "  one two  three", "      "};
    int words = 0;
    if (checksum(text[0], 13, &words) != 37777 || words != 2) return 1;
    if (checksum(text[1], 16, &words) == 0 || words != 3) return 2;
    if (checksum(text[2], 6, &words) == 0 || words != -35) return 3;
    if (checksum(text[2], 0, &words) != 0 || words != 0) return 4;
    return 0;
}
