# SPDX-License-Identifier: Apache-2.0
"""Random C programs with one pipelined loop over streams: conditional beats, late tests, state."""

from __future__ import annotations

import random


class _Writer:
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"lydite random streams {seed}")
        self.known = ["s0", "s1", "i", "x", "x", "y", "y"]

    def value(self, depth: int = 2) -> str:
        """Write an expression of 32 bits."""
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice([*self.known, f"{self.random.getrandbits(8)}U"])
        one, two = self.value(depth - 1), self.value(depth - 1)
        pick = self.random.random()
        if pick < 0.15:
            return f"table[({one}) & 15]"
        if pick < 0.3:
            return f"(({one}) & 1 ? ({two}) : ({self.value(depth - 1)}))"
        if pick < 0.4:
            return f"(({one}) >> {self.random.randrange(1, 20)})"
        operator = self.random.choice(["+", "-", "^", "&", "|", "*", "+", "^"])
        return f"(({one}) {operator} ({two}))"

    def fresh(self) -> str:
        """Write an expression of nothing that the loop carries but beats."""
        known, self.known = self.known, ["i", "x", "y"]
        text = self.value(3)
        self.known = known
        return text

    def test(self) -> str:
        """Write a condition that holds now and then."""
        return f"(({self.value()}) & {self.random.choice((1, 3, 6))}U) == 0"

    def statement(self) -> list[str]:
        """Write a statement of the loop's body."""
        pick = self.random.random()
        if pick < 0.05:
            line = "x = lydite_stream32_read(in).data;"
        elif pick < 0.2:
            line = "y = lydite_stream16_read(aux).data;"
        elif pick < 0.55:
            beat = f"{{.data = {self.value()}, .keep = 15, .last = i & 1}}"
            line = f"lydite_stream32_write(out, (lydite_stream32_beat){beat});"
        elif pick < 0.7:
            beat = f"{{.data = (uint8_t)({self.value()}), .keep = 1, .last = 0}}"
            line = f"lydite_stream8_write(log, (lydite_stream8_beat){beat});"
        elif pick < 0.8:
            line = f"memory[({self.value(1)}) & 7] = {self.value()};"
        elif pick < 0.85:
            line = f"s1 ^= memory[({self.value(1)}) & 7];"
        elif pick < 0.9:
            return [f"if ({self.test()} && {self.test()}) break;"]
        elif pick < 0.95:
            # Short enough for an interval of one.
            state = self.random.choice(("s0", "s1"))
            line = f"{state} {self.random.choice(('+=', '^='))} {self.fresh()};"
        else:
            line = f"{self.random.choice(('s0', 's1'))} = {self.value()};"
        return [f"if ({self.test()}) {line}" if self.random.random() < 0.4 else line]

    def program(self) -> str:
        """Write the program."""
        ii = self.random.choice(("", "", " II=1", " II=1", " II=2", " II=3"))
        body = ["x = lydite_stream32_read(in).data;"] if self.random.random() < 0.8 else []
        for _ in range(self.random.randrange(2, 7)):
            body += self.statement()
        head = self.random.choice(("for (; i < n; i++)", "for (; i < 23; i++)"))
        lines = "\n    ".join([f"#pragma HLS pipeline{ii}", *body])
        return _TEXT.replace("HEAD", head).replace("BODY", lines)


_TEXT = """\
#include <lydite_stream.h>
static uint32_t memory[8];
uint32_t f(lydite_stream32 *in, lydite_stream16 *aux, lydite_stream32 *out, lydite_stream8 *log,
           const uint32_t table[16], uint32_t n) {
  uint32_t s0 = n, s1 = 1, x = 5, y = 6, i = 0;
  HEAD {
    BODY
  }
  return s0 ^ s1 * 3 ^ x ^ y * 7 ^ i << 20;
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  lydite_stream16 aux = {0};
  lydite_stream8 log = {0};
  uint32_t table[16], sum = 0;
  for (uint32_t i = 0; i < 16; i++) table[i] = i * 0x9e3779b9U;
  for (uint32_t i = 0; i < 800; i++) {
    lydite_stream32_beat beat = {.data = i * 0x85ebca6bU, .keep = 15, .last = 0};
    lydite_stream32_write(&in, beat);
    lydite_stream16_beat other = {.data = (uint16_t)(i * 0xc2b2U), .keep = 3, .last = 0};
    lydite_stream16_write(&aux, other);
  }
  for (uint32_t n = 0; n < 30; n += 7) {
    sum = sum * 31 + f(&in, &aux, &out, &log, table, n);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
    while (lydite_stream8_count(&log)) sum = sum * 31 + lydite_stream8_read(&log).data;
  }
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  lydite_stream16_free(&aux);
  lydite_stream8_free(&log);
  return 0;
}
"""


def program(seed: int) -> str:
    """Give the program of a seed."""
    return _Writer(seed).program()
