// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action, a run at a time with AVX-512VL.

#include "avx512vl.c"
#include "speed.h"
