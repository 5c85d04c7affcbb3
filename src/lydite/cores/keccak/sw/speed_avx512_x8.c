// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action, eight runs at once with AVX-512.

#include "avx512_x8.c"
#include "speed.h"
