// SPDX-License-Identifier: Apache-2.0
// top: pack_frame
// Signals of a CAN frame as bit-fields, some signed, some across bytes; packed and volatile-free.
#include <stdint.h>
#include <string.h>

#pragma pack(push, 1)
struct frame {
  uint16_t rpm : 14;
  int16_t torque : 11;
  uint32_t odometer : 20;
  _Bool brake : 1, clutch : 1;
  int8_t gear : 4;
  uint8_t : 0;
  uint16_t crc;
};
#pragma pack(pop)
_Static_assert(sizeof(struct frame) <= 10, "fits");

static struct frame last;

uint16_t pack_frame(int32_t rpm, int32_t torque, uint32_t metres, uint8_t pedals, int8_t gear,
    int32_t out[6]) {
  struct frame f = {.rpm = (uint16_t)(rpm & 0x3fff), .odometer = metres / 100 & 0xfffff};
  f.torque = (int16_t)torque;
  f.brake = pedals & 1;
  f.clutch = (pedals & 2) >> 1;
  f.gear = gear;
  f.rpm += 3;
  f.odometer++;
  const uint8_t *bytes = (const uint8_t *)&f;
  uint16_t a = 1, b = 0;
  for (unsigned i = 0; i < sizeof f - 2; i++) {
    a = (uint16_t)((a + bytes[i]) % 251);
    b = (uint16_t)((b + a) % 251);
  }
  f.crc = (uint16_t)(b << 8 | a);
  out[0] = f.rpm;
  out[1] = f.torque;
  out[2] = (int32_t)f.odometer;
  out[3] = f.brake + 2 * f.clutch;
  out[4] = f.gear;
  out[5] = memcmp(&f, &last, sizeof f) != 0;
  last = f;
  return f.crc;
}

int main(void) {
  int32_t o[6] = {0};
  uint16_t first = pack_frame(6000, -300, 123456789, 2, -1, o);
  if (o[0] != 6003 || o[1] != -300 || o[2] != 1234567 % (1 << 20) + 1 || o[3] != 2 ||
      o[4] != -1 || !o[5]) return 1;
  if (pack_frame(6000, -300, 123456789, 2, -1, o) != first || o[5]) return 2;
  if (pack_frame(16382, 1023, 104857500, 3, 7, o) == first) return 3;
  if (o[0] != 1 || o[1] != 1023 || o[2] != 0 || o[3] != 3 || o[4] != 7) return 4;
  pack_frame(0, 1024, 0, 0, 9, o);
  return o[1] != -1024 || o[4] != -7 || o[2] != 1;
}
