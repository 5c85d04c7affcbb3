// SPDX-License-Identifier: Apache-2.0
// An interpreter of RV32IM without system instructions: The RISC-V Instruction Set Manual, volume
// I, 20191213, chapters 2 and 7; top function: risc_run. Memory is 256 words, byte addresses wrap
// in it, misaligned words and halves are taken as aligned. ECALL, EBREAK and whatever is not known
// stop it.

#include <stddef.h>
#include <stdint.h>

#define MEMORY_WORDS 256

static uint32_t load(const uint32_t memory[MEMORY_WORDS], uint32_t address, uint32_t funct3) {
  uint32_t word = memory[address / 4 % MEMORY_WORDS];
  uint32_t byte = word >> (8 * (address & 3)), half = word >> (8 * (address & 2));
  switch (funct3) {
    case 0:
      return (uint32_t)(int8_t)byte;
    case 1:
      return (uint32_t)(int16_t)half;
    case 4:
      return (uint8_t)byte;
    case 5:
      return (uint16_t)half;
    default:
      return word;
  }
}

static void store(uint32_t memory[MEMORY_WORDS], uint32_t address, uint32_t value,
                  uint32_t funct3) {
  uint32_t shift = 0, mask = 0xffffffff;
  if (funct3 == 0) {
    shift = 8 * (address & 3);
    mask = 0xff;
  } else if (funct3 == 1) {
    shift = 8 * (address & 2);
    mask = 0xffff;
  }
  uint32_t *word = &memory[address / 4 % MEMORY_WORDS];
  *word = (*word & ~(mask << shift)) | (value & mask) << shift;
}

// Table 2.3: register-register and register-immediate operations. alternate: SUB and SRA.
static uint32_t operate(uint32_t funct3, uint32_t alternate, uint32_t a, uint32_t b) {
  switch (funct3) {
    case 0:
      return alternate ? a - b : a + b;
    case 1:
      return a << (b & 31);
    case 2:
      return (int32_t)a < (int32_t)b;
    case 3:
      return a < b;
    case 4:
      return a ^ b;
    case 5:
      return alternate ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
    case 6:
      return a | b;
    default:
      return a & b;
  }
}

// Chapter 7; table 7.1 for division by zero and overflow.
static uint32_t multiply_divide(uint32_t funct3, uint32_t a, uint32_t b) {
  int overflows = a == 0x80000000 && b == 0xffffffff;
  switch (funct3) {
    case 0:
      return a * b;
    case 1:
      return (uint32_t)(((int64_t)(int32_t)a * (int32_t)b) >> 32);
    case 2:
      return (uint32_t)(((int64_t)(int32_t)a * (int64_t)b) >> 32);
    case 3:
      return (uint32_t)(((uint64_t)a * b) >> 32);
    case 4:
      return b == 0 ? 0xffffffff : overflows ? a : (uint32_t)((int32_t)a / (int32_t)b);
    case 5:
      return b == 0 ? 0xffffffff : a / b;
    case 6:
      return b == 0 ? a : overflows ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
    default:
      return b == 0 ? a : a % b;
  }
}

static int branches(uint32_t funct3, uint32_t a, uint32_t b) {
  int taken;
  switch (funct3 >> 1) {
    case 0:
      taken = a == b;
      break;
    case 2:
      taken = (int32_t)a < (int32_t)b;
      break;
    default:
      taken = a < b;
  }
  return taken ^ (int)(funct3 & 1);
}

// Runs from address 0 with all registers 0 but x2 = 1024, for at most max_steps instructions; gives
// x10 and the number of instructions that were run.
uint32_t risc_run(uint32_t memory[MEMORY_WORDS], uint32_t max_steps, uint32_t *steps) {
  uint32_t x[32], pc = 0, step = 0;
  for (int i = 0; i < 32; i++) x[i] = 0;
  x[2] = 4 * MEMORY_WORDS;
  for (; step < max_steps; step++) {
    uint32_t i = memory[pc / 4 % MEMORY_WORDS];
    uint32_t opcode = i & 0x7f, rd = i >> 7 & 31, funct3 = i >> 12 & 7, funct7 = i >> 25;
    uint32_t a = x[i >> 15 & 31], b = x[i >> 20 & 31];
    // 2.3: the immediates, signs extended.
    uint32_t imm_i = (uint32_t)((int32_t)i >> 20), imm_u = i & 0xfffff000;
    uint32_t imm_s = (imm_i & ~31U) | rd;
    uint32_t imm_b = (imm_i & ~0x81fU) | (i & 0x80) << 4 | (rd & 30);
    uint32_t imm_j = (imm_i & 0xfff00000) | (i & 0xff000) | (i >> 9 & 0x800) | (i >> 20 & 0x7fe);
    uint32_t next = pc + 4, result = 0;
    int writes = 1;
    switch (opcode) {
      case 0x37:  // LUI
        result = imm_u;
        break;
      case 0x17:  // AUIPC
        result = pc + imm_u;
        break;
      case 0x6f:  // JAL
        result = next;
        next = pc + imm_j;
        break;
      case 0x67:  // JALR
        result = next;
        next = (a + imm_i) & ~1U;
        break;
      case 0x63:
        if (branches(funct3, a, b)) next = pc + imm_b;
        writes = 0;
        break;
      case 0x03:
        result = load(memory, a + imm_i, funct3);
        break;
      case 0x23:
        store(memory, a + imm_s, b, funct3);
        writes = 0;
        break;
      case 0x13:
        result = operate(funct3, funct3 == 5 && (i >> 30 & 1), a, imm_i);
        break;
      case 0x33:
        result =
            funct7 == 1 ? multiply_divide(funct3, a, b) : operate(funct3, funct7 >> 5 & 1, a, b);
        break;
      default:
        *steps = step;
        return x[10];
    }
    if (writes && rd) x[rd] = result;
    pc = next;
  }
  *steps = step;
  return x[10];
}

struct program {
  uint32_t words[MEMORY_WORDS];
  uint32_t max_steps, result, steps;
};

// Made by clang for rv32im. Results are those of the same C, run natively; steps were counted by
// hand for the first (2 + 3 * 10), by this interpreter for the others.
static struct program programs[] = {
    // x10 = 10 + 9 + ... + 1, with a loop
    {{0x00000513, 0x00a00593, 0x00b50533, 0xfff58593, 0xfe059ce3, 0x00100073},
     100000,
     0x00000037,
     32},
    // the sieve of Eratosthenes: primes up to 100
    {{0x00000097, 0x00c080e7, 0x00100073, 0x000005b7, 0x08858593, 0x00258513, 0x06558613,
      0x00050023, 0x00150513, 0xfec51ce3, 0x00000513, 0x00458613, 0x00200693, 0x00500813,
      0x06400713, 0x00100793, 0x06500893, 0x00d582b3, 0x0002c283, 0x02029263, 0x02d682b3,
      0x00150513, 0x00576c63, 0x00060313, 0x00f30023, 0x00d282b3, 0x00d30333, 0xff12cae3,
      0x00168693, 0x00280293, 0x01060633, 0x00028813, 0xfd1692e3, 0x00008067},
     100000,
     0x00000019,
     1598},
    // products, quotients, shifts and comparisons of twelve numbers by twelve
    {{0x00000097, 0x00c080e7, 0x00100073, 0x00000593, 0x00100513, 0x00000637, 0x0d460613,
      0x00c00693, 0xfff00713, 0x03060793, 0x80000837, 0x00259893, 0x011608b3, 0x00060293,
      0x0008a303, 0x0002a383, 0x00551e13, 0x40ae0533, 0x02639e33, 0x01c50533, 0x0263be33,
      0x01c50533, 0x02038e63, 0x00e39463, 0x03030a63, 0x02734e33, 0x02735eb3, 0x00551f13,
      0x40af0533, 0x00ae0533, 0x027e0e33, 0x01d50533, 0x027e8eb3, 0x406e0e33, 0x01c50533,
      0x41d30e33, 0x01c50533, 0x40735e33, 0x00735eb3, 0x00731f33, 0x00732fb3, 0x00733333,
      0x01de0e33, 0x01ff0f33, 0x00131313, 0x01ee0e33, 0x006e0333, 0x00428293, 0x00654533,
      0xf6f29ae3, 0x00158593, 0xf6d590e3, 0x00008067, 0xfffffff9, 0x00000007, 0x80000000,
      0x7fffffff, 0x00000003, 0xfffffffd, 0x00000064, 0x00000000, 0xffffff9c, 0x00000001,
      0xffffffff, 0x00010001},
     100000,
     0xc2c80642,
     4955},
    // bytes and halves, signed and not; Fibonacci by recursion
    {{0x00000097, 0x06c080e7, 0x00100073, 0xff010113, 0x00112623, 0x00812423, 0x00912223,
      0x01212023, 0x00000413, 0x00200593, 0x02b54463, 0x00300493, 0x00050913, 0xfff50513,
      0x00000097, 0xfd4080e7, 0x00050593, 0xffe90513, 0x00858433, 0xff24e2e3, 0x00850533,
      0x00c12083, 0x00812403, 0x00412483, 0x00012903, 0x01010113, 0x00008067, 0xff010113,
      0x00112623, 0x00812423, 0x00000513, 0x00000413, 0x000005b7, 0x12c58593, 0x00858613,
      0x01858693, 0x02858713, 0x00300793, 0x00060813, 0x00080883, 0x00141293, 0x008282b3,
      0x01128433, 0x028888b3, 0x01180023, 0x00180813, 0xfed812e3, 0x00068813, 0x00081883,
      0x00241293, 0x008282b3, 0x01128433, 0x008888b3, 0x01181023, 0x00280813, 0xfee812e3,
      0x00058813, 0x00085883, 0x00341293, 0x40828433, 0x01140433, 0x0088c8b3, 0x01181023,
      0x00280813, 0xfec812e3, 0x00150513, 0xf8f518e3, 0x00900513, 0x00000097, 0xefc080e7,
      0x00850533, 0x00c12083, 0x00812403, 0x01010113, 0x00008067, 0x0001ffff, 0x9c400002,
      0xfc03fe01, 0xf807fa05, 0xf40bf609, 0x800ff20d, 0x012cffff, 0x0fa0fed4, 0x0005f060,
      0x80000006},
     100000,
     0x4c2d0b62,
     1999},
};

int main(void) {
  for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
    uint32_t steps;
    uint32_t result = risc_run(programs[k].words, programs[k].max_steps, &steps);
    if (result != programs[k].result || steps != programs[k].steps) return 1;
  }
  return 0;
}
