// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action, four runs at once with AVX2.

#include "avx2_x4.c"
#include "speed.h"
