// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action, a run at a time.

#include "plain64.c"
#include "speed.h"
