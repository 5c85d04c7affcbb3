// SPDX-License-Identifier: Apache-2.0
// The objects of the program in the native run of co-simulation, as far as they are known.

#pragma once

#include <stddef.h>
#include <stdint.h>

// An object of the program. The ids are those of lydite.sim.cosim.objects; -1 is a block of memory.
struct lydite_cosim_object {
  unsigned char *start;
  uint64_t bytes;
  int64_t id;
  uint64_t state;  // whether the top function uses it, and the program may change it
};

// Is told each object with state before the program starts.
void lydite_cosim_state(const struct lydite_cosim_object *object);

// Gives the object that a place belongs to; null if it is not known.
const struct lydite_cosim_object *lydite_cosim_object_at(const void *place);

// Gives how many bytes, of so many, may be read from a place on and are of its object.
uint64_t lydite_cosim_reach(const void *place, uint64_t bytes);

// Gives room for one more item.
void *lydite_cosim_grown(void *items, size_t count, size_t *room, size_t size);
