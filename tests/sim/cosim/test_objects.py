# SPDX-License-Identifier: Apache-2.0
"""What the recorder sees of a program's objects: arguments beyond them, and state that changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.hls.contract.interface import ArrayArg, Interface
from lydite.hls.contract.options import Options
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim.native import Recording


def array(name: str, index: int, depth: int) -> ArrayArg:
    return ArrayArg(name, name, index, 8, depth, "inout", 1, 1, f"uint8_t *{name}", depth)


def record(folder: Path, *sources: str, args: tuple[ArrayArg, ...], suffix: str = "c") -> Recording:
    paths = []
    for number, source in enumerate(sources):
        paths.append(folder / f"p{number}.{suffix}")
        paths[-1].write_text(source)
    interface = Interface("f", "f", args, 32, True, "int", 4)
    options = Options(sources=tuple(paths), top="f")
    return cosim_native.record(options, interface, folder / "work")


BEYOND = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static uint8_t global[6] = {'a', 'b', 'c', 'd', 'e', 'f'};
struct pair { uint8_t first[4], second[4]; };
int f(uint8_t *a, uint8_t *b, uint8_t *c, uint8_t *d, uint8_t *e, uint8_t *g, uint8_t *h) {
  a[0] = b[0] = c[0] = d[0] = e[0] = g[0] = 1;
  return h != 0;
}
static int helper(struct pair pair, int n, uint8_t *page) {
  uint8_t local[5] = {9, 8, 7, 6, 5}, variable[n];
  uint8_t *heap = (uint8_t *)malloc(7), *old = (uint8_t *)calloc(1, 100);
  void (*const release)(void *) = free;
  release(old);
  memset(variable, 3, n);
  memset(heap, 4, 7);
  {
    uint8_t before[16];
    memset(before, 2, 16);
    f(before, before, before, before, before, before, 0);
  }
  return f(local, heap + 2, global, variable, pair.second, page, 0);
}
int main(void) {
  const int way = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
  uint8_t *page = (uint8_t *)mmap(0, 8192, way, kind, -1, 0);
  struct pair pair = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  munmap(page + 4096, 4096);
  page[4095] = 5;
  return helper(pair, 3, page + 4090);
}
"""


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_bytes_beyond_an_object_are_zeros_and_told(suffix: str, tmp_path: Path) -> None:
    source = BEYOND.replace("int f(", 'extern "C" int f(') if suffix == "cpp" else BEYOND
    args = tuple(array(name, i, 16) for i, name in enumerate("abcdegh"))
    recording = record(tmp_path, source, args=args, suffix=suffix)
    assert (recording.rc, len(recording)) == (0, 2)
    call = recording.call(1)
    assert call.before["a"] == bytes([9, 8, 7, 6, 5]).ljust(16, b"\0")
    assert call.after["a"] == bytes([1, 8, 7, 6, 5]).ljust(16, b"\0")
    assert call.before["b"] == bytes([4] * 5).ljust(16, b"\0")
    assert call.before["c"] == b"abcdef".ljust(16, b"\0")
    assert call.before["d"] == bytes([3] * 3).ljust(16, b"\0")
    assert call.before["e"] == bytes([5, 6, 7, 8]).ljust(16, b"\0")
    assert call.before["g"] == bytes([0, 0, 0, 0, 0, 5]).ljust(16, b"\0")
    assert call.before["h"] == bytes(16)
    end = (
        ": what is beyond is zeros in simulation, and must stay so; give it the depth that it has, "
        "or pass an object that large"
    )
    where = tmp_path / f"p0.{suffix}"
    passed = {
        "a": f"local ({where}:13), 5 bytes",
        "b": "a block of 7 bytes from the heap, 5 of them from there on",
        "c": f"global ({where}:6), 6 bytes",
        "d": f"variable ({where}:13), 3 bytes",
        "e": f"pair ({where}:12), 8 bytes, 4 of them from there on",
        "g": "6 bytes that may be read",
    }
    assert recording.notes == tuple(
        f"the depth of argument {name} is 16 bytes, but call 2 passes {what}{end}"
        for name, what in passed.items()
    )


STATE = """
#include <stdint.h>
static uint32_t seed = 1;
uint32_t table[4], unused;
extern uint32_t elsewhere;
uint32_t reset(void);
static const uint32_t fixed[2] = {3, 4};
static uint32_t kept;
static uint32_t rnd(void) {
  static uint32_t last;
  last += seed;
  return last;
}
static uint32_t (*const pointer)(void) = rnd;
int f(void) {
  kept++;
  elsewhere++;
  return (int)(pointer() + table[1] + fixed[1] + kept);
}
int main(void) {
  for (int i = 0; i < 4; i++) table[i] = i * i;
  f();
  unused = rnd();
  f();
  reset();
  f();
  kept += 0;
  return 0;
}
"""


def test_state_that_something_else_changes_is_named(tmp_path: Path) -> None:
    other = (
        "unsigned elsewhere, kept = 5;\nunsigned reset(void) { kept++; return elsewhere = 0; }\n"
    )
    recording = record(tmp_path, STATE, other, args=())
    assert (recording.rc, len(recording), recording.notes) == (0, 3, ())
    found = {item.name: (item.call, item.when("f")) for item in recording.changed}
    path = tmp_path / "p0.c"
    assert found == {
        f"table ({path}:4)": (1, "before the first call of f"),
        f"last of rnd ({path}:10)": (2, "between calls 1 and 2 of f"),
        f"elsewhere ({tmp_path / 'p1.c'}:1)": (3, "between calls 2 and 3 of f"),
    }
