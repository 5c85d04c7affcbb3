// SPDX-License-Identifier: Apache-2.0
// top: roman
/* Roman numerals, both ways, by a table of strings. */
#include <string.h>

struct numeral { unsigned value; char *text; };

static struct numeral numerals[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
    {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}, {0, 0},
};

unsigned roman(unsigned n, char buffer[16])
{
    struct numeral *p;
    char *to = buffer;
    unsigned back = 0;
    *to = 0;
    if (n > 3999) return 0;
    for (p = numerals; p->text; p++)
        for (; n >= p->value; n -= p->value) {
            const char *from = p->text;
            while ((*to = *from++)) to++;
        }
    for (to = buffer, p = numerals; *to; )
        if (!strncmp(to, p->text, strlen(p->text))) {
            back += p->value;
            to += strlen(p->text);
        } else
            p++;
    return back;
}

int main()
{
    static const struct { unsigned n; const char *text; } t[] = {
        {1, "I"}, {4, "IV"}, {14, "XIV"}, {1994, "MCMXCIV"}, {2026, "MMXXVI"}, {3888,
            "MMMDCCCLXXXVIII"},
        {3999, "MMMCMXCIX"}, {0, ""},
    };
    char b[16];
    unsigned i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++)
        if (roman(t[i].n, b) != t[i].n || strcmp(b, t[i].text)) return i + 1;
    return roman(4000, b) != 0 || *b;
}
