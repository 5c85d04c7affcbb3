# SPDX-License-Identifier: Apache-2.0
"""What is offered is made if something reads it, and only then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import rtl

from lydite.hls import Compiled
from lydite.hls.emit.settle import settle
from lydite.hls.emit.structure import (
    Assign,
    Group,
    If,
    Instance,
    Item,
    Module,
    Note,
    Offer,
    Pin,
    Plain,
    Port,
    Process,
    Write,
    pins,
    wire,
)


def offer(name: str, value: str) -> Offer:
    return Offer(name, lambda: (wire(name, 8, value),))


def settled(*items: Item) -> tuple[Plain, ...]:
    return settle(Module("m", (), (Port("output", 8, "b"),), items)).items


def test_offers_are_made_for_their_readers_and_for_those_of_others() -> None:
    given = (offer("x", "y + 8'd1"), offer("y", "8'd2"), offer("z", "x"), Assign("b", "x"))
    assert settled(*given) == (wire("x", 8, "y + 8'd1"), wire("y", 8, "8'd2"), Assign("b", "x"))
    assert settled(*reversed(given))[::-1] == settled(*given), "whatever their order"


def test_offers_are_read_by_processes_and_pins() -> None:
    move = If("x[0]", (Write("mem[y]", "z"),))
    inner = Instance("inner", "u", pins(a="{v, 1'b0}"))
    found = settled(*(offer(name, "8'd0") for name in "vwxyz"), Process((move,)), inner)
    assert [item.nets[0].name for item in found[:4]] == ["v", "x", "y", "z"]


def test_group_has_its_head_if_any_of_its_offers_is_made() -> None:
    group = Group((Note(), Note("both")), (offer("x", "8'd0"), offer("y", "8'd0")))
    assert settled(group) == ()
    assert settled(group, Assign("b", "y")) == (
        Note(),
        Note("both"),
        wire("y", 8, "8'd0"),
        Assign("b", "y"),
    )


def test_optional_pin_is_open_where_its_net_is_not_made() -> None:
    inner = Instance("inner", "u", (Pin("q", "x", optional=True),))
    declared = Offer("x", lambda: (wire("x", 8),))
    assert settled(declared, inner) == (Instance("inner", "u", (Pin("q", "", optional=True),)),)
    assert settled(declared, inner, Assign("b", "x")) == (wire("x", 8), inner, Assign("b", "x"))


def test_no_wire_says_when_a_call_is_taken_where_nothing_asks(
    compile_c: Callable[..., Compiled], tmp_path: Path
) -> None:
    # A call of a rewound loop that needs its own data to count is taken with its last iteration.
    compiled = compile_c("""
        #include <stdint.h>
        void f(const uint8_t in[60], uint8_t out[60], uint8_t n) {
          uint8_t s = n;
          for (uint8_t i = 0; i < 60; i = (uint8_t)(i + in[i] % 3 + 1)) {
        #pragma HLS pipeline II=4 rewind
            s = (uint8_t)(s + in[i]);
            out[i] = s;
          }
        }
        """)
    assert "_taken" not in compiled.verilog
    assert rtl.lint(compiled, tmp_path / "lint") == ""
