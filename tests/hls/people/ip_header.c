// SPDX-License-Identifier: Apache-2.0
// top: parse
// An IPv4 header seen through a union of bytes, halves and bit-fields; checksum of RFC 1071.
#include <stdint.h>

union header {
  uint8_t byte[20];
  uint16_t half[10];
  struct {
    unsigned ihl : 4, version : 4, tos : 8, length : 16;
    unsigned id : 16, offset_high : 5, flags : 3, offset_low : 8;
    unsigned ttl : 8, protocol : 8, checksum : 16;
    union { uint32_t word; uint8_t part[4]; } source, destination;
  } f;
};

struct summary {
  uint16_t length, checksum;
  uint8_t ttl, flags, ok;
  uint32_t source;
};

static uint16_t swapped(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }

void parse(const uint8_t packet[20], struct summary *s) {
  union header h;
  for (int i = 0; i < 20; i++) h.byte[i] = packet[i];
  s->length = swapped((uint16_t)h.f.length);
  s->ttl = (uint8_t)h.f.ttl;
  s->flags = (uint8_t)h.f.flags;
  s->source = 0;
  for (int i = 0; i < 4; i++) s->source = s->source << 8 | h.f.source.part[i];
  h.f.checksum = 0;
  uint32_t sum = 0;
  for (int i = 0; i < 10; i++) sum += h.half[i];
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  s->checksum = swapped((uint16_t)~sum);
  s->ok = h.f.version == 4 && h.f.ihl == 5 && packet[10] == s->checksum >> 8 &&
      packet[11] == (s->checksum & 255);
}

int main(void) {
  // The example of RFC 1071's article in Wikipedia.
  uint8_t p[20] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xb8, 0x61,
                   0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  struct summary s = {0};
  parse(p, &s);
  if (s.length != 115 || s.checksum != 0xb861 || s.ttl != 64 || s.flags != 2 || !s.ok) return 1;
  if (s.source != 0xc0a80001) return 2;
  p[8]--;
  parse(p, &s);
  if (s.ok || s.checksum != 0xb961 || s.ttl != 63) return 3;
  p[0] = 0x65;
  p[10] = 0x99, p[11] = 0x61;
  parse(p, &s);
  return s.checksum != 0x9961 || s.ok;
}
