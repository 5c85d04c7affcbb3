# SPDX-License-Identifier: Apache-2.0
"""Pipelined loops and functions over streams, under stalls: beat by beat as the C, and at speed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from collisions import spoilt

from lydite import hls
from lydite.hls.contract.options import Options
from lydite.hls.schedule import delay_factors
from lydite.sim import cosim

sys.path.insert(0, str(Path(__file__).parent))

import random_streams

PROGRAMS = Path(__file__).parents[2] / "hls" / "pipelines"
INTERVALS = {"fir": 1, "mix": 3, "pack": 2, "route": 1}


@pytest.mark.parametrize("gaps", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("clock_ns", [5.0, pytest.param(12.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", INTERVALS)
def test_program_is_right(name: str, clock_ns: float, gaps: bool, tmp_path: Path) -> None:
    options = Options(sources=(PROGRAMS / f"{name}.c",), top=name, clock_ns=clock_ns)
    compiled = hls.compile(options)
    loop = compiled.report.functions[0].loops[0]
    assert loop.ii is not None
    if clock_ns > 10:
        assert loop.ii == INTERVALS[name]
    result = cosim.run(options, spoilt(compiled), tmp_path, gaps=gaps)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())
    assert result.calls >= 3


@pytest.mark.parametrize(("name", "multipliers"), [("mix", 2), ("mix_call", 3)])
def test_units_are_shared_over_streams(name: str, multipliers: int) -> None:
    options = Options(sources=(PROGRAMS / f"{name}.c",), top=name, clock_ns=12.0)
    found = dict(hls.compile(options).report.functions[0].units)
    assert (found["mul_32"], found["xor_32"]) == (multipliers, 1)


@pytest.mark.parametrize(
    ("name", "clock_ns", "interval"),
    [
        ("aes128_call", 10.0, 1),
        ("mix_call", 12.0, 2),
        ("pack_call", 6.0, 2),
        ("scale_call", 5.0, 1),
        pytest.param("scale_call", 12.0, 1, marks=pytest.mark.slow),
        pytest.param("pack_call", 20.0, 2, marks=pytest.mark.slow),
    ],
)
def test_calls_overlap(name: str, clock_ns: float, interval: int, tmp_path: Path) -> None:
    options = Options(sources=(PROGRAMS / f"{name}.c",), top=name, clock_ns=clock_ns)
    compiled = hls.compile(options)
    top = compiled.report.functions[0]
    assert (top.interval, compiled.interface.interval) == (interval, interval)
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())
    assert (result.interval_min, result.interval_max) == (interval, interval)
    assert (result.latency_min, result.latency_max) == (top.latency_min, top.latency_max)


REWOUND = """\
unsigned f(unsigned a[8], unsigned k) {
#pragma HLS interface mode=PORT port=k
  unsigned s = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=1 rewind
    s += a[i] * k;
    a[i] += k;  // and the next call reads it, while this one still works
  }
  return s ^ k;
}
int main(void) {
  static unsigned a[8] = {1, 5, 7, 9, 11, 1000000007, 3, 4};
  unsigned sum = 0;
  for (unsigned k = 0; k < 20; k++) sum = sum * 3 + f(a, k * 77);
  return sum == 0;
}
"""


@pytest.mark.parametrize("port", ["ap_none", "s_axilite"])
def test_calls_of_a_rewound_loop_follow_each_other_without_a_pause(
    port: str, tmp_path: Path
) -> None:
    source = tmp_path / "t.c"
    source.write_text(REWOUND.replace("PORT", port))
    options = Options(sources=(source,), top="f")
    compiled = hls.compile(options)
    assert (compiled.interface.rewound, compiled.interface.interval) == (1, 8)
    result = cosim.run(options, compiled, tmp_path / "work")
    result.check()
    assert (result.calls, result.native_rc, result.notes) == (20, 0, ())
    if port == "ap_none":
        assert (result.interval_min, result.interval_max) == (8, 8)
        top = compiled.report.functions[0]
        assert (result.latency_min, result.latency_max) == (top.latency_min, top.latency_max)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("name", "free"), [("crc_call", False), ("crc_call", True), ("pack_rewind", False)]
)
def test_a_rewound_loop_takes_message_behind_message(
    name: str, free: bool, gaps: bool, tmp_path: Path
) -> None:
    text = (PROGRAMS / f"{name}.c").read_text()
    if free:
        control = "#pragma HLS interface mode=ap_ctrl_none port=return\n  uint32_t crc = 0xff"
        text = text.replace("  uint32_t crc = 0xff", control, 1)
    source = tmp_path / f"{name}.c"
    source.write_text(text)
    options = Options(sources=(source,), top=name, clock_ns=12.0)
    compiled = hls.compile(options)
    assert compiled.interface.rewound == 1
    result = cosim.run(options, compiled, tmp_path / "work", gaps=gaps)
    result.check()
    assert (result.calls, result.native_rc, result.notes) == (40, 0, ())
    if name == "crc_call" and not gaps:
        # A byte a cycle, but for those in which the first comes in and the last goes out.
        length = 9 + sum(1 + call * 5 % 13 for call in range(1, 40))
        assert length < result.cycles <= length + 10


PROCESSES = """\
#include <lydite_stream.h>
static void give(lydite_stream16 *in, lydite_stream16 *mid, uint8_t more) {
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=1 rewind
    lydite_stream16_beat beat = lydite_stream16_read(in);
    beat.data = (uint16_t)(beat.data + more);
    lydite_stream16_write(mid, beat);
  }
}
static void add(lydite_stream16 *mid, lydite_stream32 *out) {
  uint32_t sum = 1;
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline II=1 rewind
    const lydite_stream16_beat beat = lydite_stream16_read(mid);
    sum += beat.data * (uint32_t)beat.data;
  }
  lydite_stream32_write(out, (lydite_stream32_beat){.data = sum, .keep = 15, .last = 1});
}
void f(lydite_stream16 *in, lydite_stream32 *out) {
#pragma HLS interface mode=CONTROL port=return
#pragma HLS dataflow
  lydite_stream16 mid = {0};
  give(in, &mid, 7);
  add(&mid, out);
}
int main(void) {
  lydite_stream16 in = {0};
  lydite_stream32 out = {0};
  uint32_t sum = 0;
  for (unsigned call = 0; call < 40; call++) {
    for (unsigned i = 0; i < 8; i++)
      lydite_stream16_write(&in, (lydite_stream16_beat){.data = (uint16_t)(i * 771 + call)});
    f(&in, &out);
    sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  lydite_stream16_free(&in);
  lydite_stream32_free(&out);
  return sum == 0;
}
"""


@pytest.mark.parametrize("control", ["ap_ctrl_none", "ap_ctrl_hs"])
def test_processes_rewind_between_runs(control: str, tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text(PROCESSES.replace("CONTROL", control))
    options = Options(sources=(source,), top="f")
    compiled = hls.compile(options)
    assert compiled.warnings == ()
    found = {item.name: item.interval for item in compiled.report.functions}
    assert (found["give"], found["add"]) == (8, 8)
    result = cosim.run(options, compiled, tmp_path / "work")
    result.check()
    assert (result.calls, result.native_rc, result.notes) == (40, 0, ())
    if control == "ap_ctrl_none":
        # Else each call waits for the end of the one before.
        assert 40 * 8 < result.cycles <= 40 * 8 + 10


FREE = """\
#include <lydite_stream.h>
void twice(lydite_stream16 *in, lydite_stream32 *out) {
#pragma HLS pipeline II=2
#pragma HLS interface mode=ap_ctrl_none port=return
  const lydite_stream16_beat a = lydite_stream16_read(in);
  const uint32_t word = (uint32_t)a.data * 7 + 5;
  if (word & 4) lydite_stream32_write(out, (lydite_stream32_beat){.data = word, .keep = 15});
}
int main(void) {
  lydite_stream16 in = {0};
  lydite_stream32 out = {0};
  uint32_t sum = 0;
  for (unsigned n = 0; n < 40; n++) {
    lydite_stream16_write(&in, (lydite_stream16_beat){.data = (uint16_t)(n * n), .keep = 3});
    twice(&in, &out);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  lydite_stream16_free(&in);
  lydite_stream32_free(&out);
  return sum == 0;
}
"""


def test_calls_without_start_end_though_no_beat_follows(tmp_path: Path) -> None:
    source = tmp_path / "twice.c"
    source.write_text(FREE)
    options = Options(sources=(source,), top="twice", clock_ns=3.0)
    compiled = hls.compile(options)
    assert compiled.interface.interval == 2
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert result.calls == 40


HISTOGRAM = """\
#include <string.h>
void histogram(const unsigned char a[32], unsigned h[16]) {
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=h inter false
    h[a[i] & 15]++;
  }
}
int main(void) {
  unsigned char a[32];
  unsigned h[16] = {0};
  for (int i = 0; i < 32; i++) a[i] = i % 16;
  histogram(a, h);
  for (int i = 0; i < 32; i++) a[i] = i / 2;
  if (REPEAT) histogram(a, h);
  return h[3] != (REPEAT ? 4 : 2);
}
"""


def test_claim_that_holds_gives_an_interval_of_one(tmp_path: Path) -> None:
    source = tmp_path / "h.c"
    source.write_text(HISTOGRAM)
    options = Options(sources=(source,), top="histogram", defines=("REPEAT=0",))
    compiled = hls.compile(options)
    assert compiled.report.functions[0].loops[0].ii == 1
    assert [claim.where for claim in compiled.claims] == [f"{source}:5"]
    cosim.run(options, compiled, tmp_path).check()


def test_false_claim_is_named(tmp_path: Path) -> None:
    source = tmp_path / "h.c"
    source.write_text(HISTOGRAM)
    options = Options(sources=(source,), top="histogram", defines=("REPEAT=1",))
    mismatch = cosim.run(options, hls.compile(options), tmp_path).mismatch
    assert mismatch is not None and mismatch.call == 2
    assert mismatch.note == (
        "what this says does not hold: pragma HLS dependence variable=h dependent=false "
        f"({source}:5); without it the call is right"
    )


def test_distance_that_is_claimed_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "d.c"
    text = HISTOGRAM.replace("inter false", "inter true distance=2")
    source.write_text(text)
    options = Options(sources=(source,), top="histogram", defines=("REPEAT=0",))
    compiled = hls.compile(options)
    assert compiled.report.functions[0].loops[0].ii == 1
    cosim.run(options, compiled, tmp_path).check()


@pytest.mark.parametrize(
    "seed", [22, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (26, 34))]
)
def test_random_program_is_right_under_stalls(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(random_streams.program(seed))
    options = Options(sources=(source,), top="f", clock_ns=6.0)
    compiled = hls.compile(options)
    assert compiled.report.functions[0].loops[0].ii is not None
    result = cosim.run(options, compiled, tmp_path, gaps=True)
    result.check()
    assert result.calls == 5


def test_a_loop_with_longer_delays_has_a_longer_interval_and_is_right(tmp_path: Path) -> None:
    options = Options(sources=(PROGRAMS / "clip.c",), top="clip", clock_ns=7.0)
    (schedule,) = hls.compile(options).schedules.values()
    slow = {op: 1.5 for op in schedule.function.ops() if op.kind in ("slt", "mux", "add")}
    plain, options = options, replace(options, learnt=delay_factors.make({schedule.function: slow}))
    intervals = [hls.compile(each).report.functions[0].loops[0].ii for each in (plain, options)]
    assert intervals[0] is not None and intervals[1] is not None
    assert intervals[0] < intervals[1]
    result = cosim.run(options, hls.compile(options), tmp_path)
    result.check()
    assert (result.native_rc, result.calls) == (0, 1)
