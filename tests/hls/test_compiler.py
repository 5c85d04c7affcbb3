# SPDX-License-Identifier: Apache-2.0
"""The digest in the Verilog's head tells apart all that decides, and the compiler leaves the
process that it runs in as it was.
"""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lydite.hls import Options, Placed, bind, compile, emit, schedule
from lydite.hls.contract import rtl_macro
from lydite.hls.contract.delay_factors import DelayFactors
from lydite.hls.ir import text as ir_text
from lydite.hls.ir.module import Module
from lydite.hls.schedule import rewind

TEXT = """
#ifndef N
#define N 1
#endif
#include "h.h"
unsigned g(unsigned a) { return a * 3; }
unsigned f(unsigned a, const unsigned p[]) {
  unsigned s = N + H;
  for (int i = 0; i < 4; ++i) s += a ^ p[i];
  return g(s);
}
"""
MACRO = """
[[macro]]
function = "g"
module = "triple"
sources = ["triple.v"]
kind = "pipelined"
latency = 2
inputs = ["a_i"]
output = "p_o"
clock = "clk"
"""
VERILOG = "module triple (input clk, input [31:0] a_i, output [31:0] p_o); endmodule\n"
# What decides nothing.
NOTHING: dict[str, Any] = {"dump_after": ("all",), "check": False}


def options(folder: Path) -> Options:
    """Give options in which much is said."""
    (folder / "f.c").write_text(TEXT)
    (folder / "h").mkdir()
    (folder / "h" / "h.h").write_text("#define H 1\n")
    (folder / "triple.v").write_text(VERILOG)
    (folder / "macro.toml").write_text(MACRO)
    return Options(
        sources=(folder / "f.c",),
        top="f",
        include_dirs=(folder / "h",),
        defines=("N=2",),
        depths=(("p", 8),),
        macros=rtl_macro.load(folder / "macro.toml"),
    )


def test_every_option_that_decides_is_in_the_digest(tmp_path: Path) -> None:
    base = options(tmp_path)
    (tmp_path / "g.c").write_text(TEXT.replace("a * 3", "a * 5"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "h.h").write_text("#define H 2\n")
    (tmp_path / "macro.toml").write_text(MACRO.replace("latency = 2", "latency = 3"))
    others: dict[str, Any] = {
        "sources": (tmp_path / "g.c",),
        "top": "g",
        "clock_ns": 9.0,
        "target": "ice40",
        "include_dirs": (tmp_path / "other",),
        "defines": ("N=3",),
        "undefines": ("N",),
        "std": "c99",
        "depths": (("p", 4),),
        "directives": (Placed("unroll factor=2", loop="loop_9"),),
        "macros": rtl_macro.load(tmp_path / "macro.toml"),
        "learnt": DelayFactors((), ()),
        "effort": "speed",
    }
    names = {field.name for field in dataclasses.fields(Options)}
    assert names == set(others) | set(NOTHING)
    digests = {"": compile(base).source_digest}
    for name, value in others.items():
        changed = dataclasses.replace(base, **{name: value})
        if name == "top":
            changed = dataclasses.replace(changed, macros=(), depths=())
        digests[name] = compile(changed).source_digest
    assert len(set(digests.values())) == len(digests), digests
    same = dataclasses.replace(base, **NOTHING)
    assert compile(same).source_digest == digests[""]


def test_compiler_leaves_the_collector_of_garbage_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise AssertionError("the process is not the compiler's own")

    (tmp_path / "f.c").write_text("int f(int a) { return a + 1; }\n")
    monkeypatch.setattr(gc, "disable", refuse)
    compile(Options(sources=(tmp_path / "f.c",), top="f"))


class Snapshots:
    """Sees that what stages are given is the same when they have ended."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def around(self, name: str, stage: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            given = [item for item in arguments if isinstance(item, Module | Mapping)]
            before = [self.shown(item) for item in given]
            result = stage(*arguments, **named)
            assert [self.shown(item) for item in given] == before, name
            self.seen.append(name)
            return result

        return call

    def shown(self, item: object) -> object:
        if isinstance(item, Module):
            return ir_text.print_module(item)
        assert isinstance(item, Mapping)
        schedules = [getattr(each, "schedule", each) for each in item.values()]
        return [
            (block.name, plan.states, plan.ii, dict(plan.state), dict(plan.finish_ns))
            for schedule in schedules
            for block, plan in schedule.plans.items()
        ]


LATENCY = """
unsigned f(unsigned a, unsigned b) {
#pragma HLS latency min=9
  return a * b + b * 7;
}
"""
PRODUCTS = """
unsigned f(unsigned a, unsigned b, unsigned c) {
#pragma HLS latency max=3
  return a * b + b * c + a * c;
}
"""
REWIND = """
unsigned f(const unsigned a[8], unsigned k) {
  unsigned s = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline rewind
    s += a[i] * k;
  }
  return s ^ k;
}
"""
PROCESSES = """
#include <lydite_stream.h>
static void step(lydite_stream32 *in, lydite_stream32 *mid) {
  for (int i = 0; i < 8; ++i) {
#pragma HLS pipeline rewind
    lydite_stream32_beat beat = lydite_stream32_read(in);
    beat.data += 3;
    lydite_stream32_write(mid, beat);
  }
}
static void last(lydite_stream32 *mid, lydite_stream32 *out) {
  for (int i = 0; i < 8; ++i) {
#pragma HLS pipeline rewind
    lydite_stream32_beat beat = lydite_stream32_read(mid);
    beat.data *= 5;
    lydite_stream32_write(out, beat);
  }
}
void f(lydite_stream32 *in, lydite_stream32 *out) {
#pragma HLS dataflow
  lydite_stream32 mid = {0};
  step(in, &mid);
  last(&mid, out);
}
"""
# Beside a process that begins anew in a pipelined loop, one that calls a pipelined function.
MIX = """
static unsigned mix(unsigned x) {
#pragma HLS inline off
#pragma HLS pipeline II=1
  return (x * 2654435761u ^ x >> 7) * 40503u;
}
"""
FIRST, LAST = PROCESSES.split("static void last")
CALLS = LAST.replace(" rewind", "").replace("beat.data *= 5", "beat.data = mix(beat.data)")
CALLED = f"{FIRST}{MIX}static void last{CALLS}"
PROGRAMS = {
    "longer": LATENCY,
    "shorter": PRODUCTS,
    "rewound": REWIND,
    "processes": PROCESSES,
    "called": CALLED,
}
STAGES = ((rewind, "apply"), (schedule, "run"), (bind, "run"), (emit, "run"))


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_no_stage_behind_the_passes_changes_what_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "f.c").write_text(text)
    snapshots = Snapshots()
    for package, name in STAGES:
        monkeypatch.setattr(package, name, snapshots.around(name, getattr(package, name)))
    made = compile(Options(sources=(tmp_path / "f.c",), top="f", clock_ns=9.0))
    assert snapshots.seen == ["apply", "run", "run", "run"]
    rewound = [f for f in made.schedules.values() if f.function.rewind is not None]
    assert len(rewound) == text.count("rewind"), made.warnings
