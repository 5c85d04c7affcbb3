# SPDX-License-Identifier: Apache-2.0
"""Functions, loops and arrays of a program, as files of directives name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.hls import Options, compile, places
from lydite.hls.contract.directive_text import Placed

PROGRAM = """
#include <stdint.h>
struct pair { int a, b; };
static const uint8_t table[4] = {1, 2, 3, 5};
static uint32_t kept[3][5];
static int unused[7];
static uint32_t scaled(uint32_t x, uint32_t y) {
  uint32_t sum = 0;
  for (int i = 0; i < 4; i++) sum += table[i] * (x ^ y);
  return sum * x;
}
int nobody(void) { for (int i = 0; i < 7; i++) unused[i] = i; return unused[3]; }
uint32_t top(uint16_t data[6], const uint8_t (*rows)[2], uint32_t n) {
  static uint64_t before[2];
  struct pair pairs[3] = {{0, 0}};
  uint32_t sum = 0;
outer:
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5; j++) {
      kept[i][j] += scaled(data[i], rows[i][j & 1]);
    }
    while (n > 1) n = n & 1 ? n - 1 : n >> 1;
  }
  for (int i = 0; i < 3; i++) { pairs[i].a = (int)kept[i][i]; sum += (uint32_t)pairs[i].a; }
  before[n & 1] += sum;
  return sum + (uint32_t)before[0];
}
"""


@pytest.fixture
def options(tmp_path: Path) -> Options:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return Options(sources=(path,), top="top", depths=(("rows", 3),))


def test_all_places_of_what_the_top_function_reaches(options: Options) -> None:
    found = places.find(options)
    assert found.top == "top"
    assert [(one.name, one.calls) for one in found.routines] == [
        ("top", ("scaled",)),
        ("scaled", ()),
    ]
    assert dict(found.routine("scaled").operations).keys() == {"add", "mul", "xor"}
    assert [(one.function, one.name, one.outer, one.trips) for one in found.loops] == [
        ("top", "outer", "", 3),
        ("top", "loop_19", "outer", 5),
        ("top", "loop_22", "outer", None),
        ("top", "loop_24", "", 3),
        ("scaled", "loop_9", "", 4),
    ]
    outer, first, second, *_ = found.loops
    assert found.inner(outer) == (first, second)
    assert (outer.calls, first.calls) == ((), ("scaled",))
    shown = {(one.function, one.name): (one.dims, one.bits) for one in found.arrays}
    assert shown == {
        ("top", "data"): ((6,), 16),
        ("top", "rows"): ((3, 2), 8),
        ("top", "before"): ((2,), 64),
        ("top", "kept"): ((3, 5), 32),
        ("scaled", "table"): ((4,), 8),
    }
    assert [one.name for one in found.arrays if one.is_argument] == ["data", "rows"]
    assert [one.name for one in found.arrays if one.is_constant] == ["table"]


def test_each_place_takes_a_directive(options: Options) -> None:
    found = places.find(options)
    told = [Placed("unroll off", one.function, one.name) for one in found.loops]
    told += [
        Placed("array_partition cyclic factor=2", one.function, variable=one.name)
        for one in found.arrays
    ]
    told += [Placed("inline off", one.name) for one in found.routines if one.name != found.top]
    # A place that is not there would be refused.
    for one in told:
        compile(Options(options.sources, options.top, depths=options.depths, directives=(one,)))


def test_a_top_function_that_is_not_there_is_refused(options: Options) -> None:
    with pytest.raises(InputError, match="no definition of the top function tip"):
        places.find(Options(options.sources, "tip"))


def test_a_program_may_have_nothing_to_be_told(tmp_path: Path) -> None:
    path = tmp_path / "plain.c"
    path.write_text("int plain(int x) { return x + 1; }\n")
    found = places.find(Options((path,), "plain"))
    assert [one.name for one in found.routines] == ["plain"]
    assert (found.loops, found.arrays) == ((), ())
