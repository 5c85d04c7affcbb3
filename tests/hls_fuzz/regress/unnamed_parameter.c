// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// A parameter without a name has no debug variable.
#include <stdint.h>
int32_t top(int32_t x, int32_t) { return x + 1; }
int main(void) { return top(1, 2) - 2; }
