// SPDX-License-Identifier: Apache-2.0
// top: egcd
/* Bezout's identity; every out parameter is a pointer, some of them to the same variable. */
#include <assert.h>

typedef long long num;

num egcd(num a, num b, num *x, num *y)
{
    num x0 = 1, x1 = 0, y0 = 0, y1 = 1;
    while (b) {
        num q = a / b, t;
        t = a - q * b, a = b, b = t;
        t = x0 - q * x1, x0 = x1, x1 = t;
        t = y0 - q * y1, y0 = y1, y1 = t;
    }
    if (a < 0)
        a = -a, x0 = -x0, y0 = -y0;
    *x = x0;
    *y = y0;
    return a;
}

static num inverse(num a, num m)
{
    num x, y;
    assert(egcd(a, m, &x, &y) == 1);
    return (x % m + m) % m;
}

int main()
{
    num x = 0, y = 0;
    assert(egcd(240, 46, &x, &y) == 2 && x == -9 && y == 47);
    assert(egcd(-25, 10, &x, &y) == 5 && -25 * x + 10 * y == 5);
    assert(egcd(0, 0, &x, &y) == 0);
    assert(egcd(1LL << 62, 3LL << 40, &x, &y) == 1LL << 40);
    assert(inverse(3, 11) == 4 && inverse(17, 3120) == 2753);
    assert(inverse(65537, 1000000007) == 743534192);
    return 0;
}
