# SPDX-License-Identifier: Apache-2.0
"""The check of modules finds each fault that it is there for, and nothing in a right module."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from rtl import Call, RtlCall

from lydite.hls import Compiled, Machine
from lydite.hls.emit import check
from lydite.hls.emit import design as emit_design
from lydite.hls.emit.settle import settle
from lydite.hls.emit.structure import (
    Arm,
    Array,
    Assign,
    Body,
    Case,
    Constant,
    Declare,
    If,
    Initial,
    Instance,
    Item,
    Module,
    Net,
    Plain,
    Port,
    Priority,
    Process,
    Statement,
    Write,
    pins,
    reg,
    wire,
)

PORTS = (
    Port("input", 1, "ap_clk"),
    Port("input", 1, "go"),
    Port("input", 8, "a"),
    Port("output", 8, "b"),
)


def module(*items: Plain, name: str = "m", ports: tuple[Port, ...] = PORTS) -> Module[Plain]:
    return Module(name, (), ports, items)


def reads(*items: Plain) -> dict[str, int]:
    return check.verify([module(*items)], {})["m"]


def fault(*items: Plain, ports: tuple[Port, ...] = PORTS) -> str:
    """Give what is wrong with a module."""
    with pytest.raises(AssertionError) as found:
        check.verify([module(*items, ports=ports)], {})
    return str(found.value)


def writes(*moves: Statement, clocked: bool = True) -> tuple[Plain, ...]:
    """Give a register that a process writes, and that drives the output."""
    return reg("r", 8), Process(moves, clocked), Assign("b", "r")


def test_reads_are_those_of_the_text() -> None:
    found = reads(
        wire("high", 4, "a[7:4]"),
        wire("one", 1, "a[1]"),
        Assign("b", "{high, 3'd0, one & go}"),
    )
    assert found == {"a": 0xF2, "high": 0xF, "one": 1, "go": 1}


def test_net_driven_twice_is_found() -> None:
    assert fault(Assign("b", "a"), Assign("b", "8'd0")) == "m: b is driven twice, bits 0xff"
    assert fault(Assign("b[3:0]", "4'd0"), Assign("b[7:3]", "a[4:0]")) == (
        "m: b is driven twice, bits 0x8"
    )


def test_net_may_be_driven_in_parts() -> None:
    assert reads(Assign("b[3:0]", "a[3:0]"), Assign("b[7:4]", "4'd0")) == {"a": 0xF}


def test_two_processes_drive_a_net_twice() -> None:
    first, second = Process((Write("r", "a"),)), Process((Write("r", "8'd1"),))
    assert fault(reg("r", 8), first, second, Assign("b", "r")) == (
        "m: r is driven twice, bits 0xff"
    )


def test_input_may_not_be_driven() -> None:
    assert fault(Assign("b", "a"), Assign("go", "1'b0")) == "m: go is driven twice, bits 0x1"


def test_net_read_undriven_is_found() -> None:
    assert fault(wire("x", 8), Assign("b", "x")) == "m: nothing drives x, bits 0xff"
    some = fault(wire("x", 8), Assign("x[3:0]", "4'd0"), Assign("b", "{x[4:1], 4'd0}"))
    assert some == "m: nothing drives x, bits 0x10"


def test_output_undriven_is_found() -> None:
    assert fault(Assign("b[6:0]", "a[6:0]")) == "m: nothing drives b, bits 0x80"


def test_bits_of_a_register_that_are_never_written_keep_their_first_value() -> None:
    first = (reg("r", 8), Initial("r", "8'd3"))
    assert reads(*first, Assign("b", "r")) == {"r": 0xFF}
    some = Process((Write("r[3:0]", "a[3:0]"),))
    assert reads(*first, some, Assign("b", "r")) == {"r": 0xFF, "a": 0xF, "ap_clk": 1}


def test_unknown_name_is_found() -> None:
    assert fault(Assign("b", "c")) == "m: c is no net: c"


def test_wire_needs_no_process_and_a_register_does() -> None:
    process = Process((Write("w", "a"),))
    assert fault(wire("w", 8), process, Assign("b", "w")) == "m: w is a wire and driven otherwise"
    assert fault(reg("r", 8), Assign("r", "a"), Assign("b", "r")) == (
        "m: r is a register and driven otherwise"
    )


@pytest.mark.parametrize(
    ("item", "what"),
    [
        (Assign("b", "a[3:0]"), "m: b has 8 bits and gets 4: a[3:0]"),
        (Assign("b", "{a, go}"), "m: b has 8 bits and gets 9: {a, go}"),
        (Assign("b", "a + 4'd1"), "m: 8 and 4 bits at +: a + 4'd1"),
        (Assign("b", "a ? a : 8'd0"), "m: condition of 8 bits: a ? a : 8'd0"),
        (Assign("b", "go ? a : 7'd0"), "m: 8 and 7 bits at ?:: go ? a : 7'd0"),
        (Assign("b", "{8{a == 7'd0}}"), "m: 8 and 7 bits at ==: {8{a == 7'd0}}"),
        (Assign("b", "a[8:1]"), "m: bits 8 to 1 of 8: a[8:1]"),
        (wire("x", 7, "a"), "m: x has 7 bits and gets 8: a"),
    ],
)
def test_widths_that_differ_are_found(item: Plain, what: str) -> None:
    assert fault(item) == what


def test_widths_in_processes_are_checked() -> None:
    assert fault(*writes(If("a", (Write("r", "a"),)))) == "m: a condition has 1 bits and gets 8: a"
    assert fault(*writes(Write("r", "go"))) == "m: r has 8 bits and gets 1: go"
    arm = Arm(("1'b0",), (Write("r", "a"),))
    assert fault(*writes(Case("a", (arm,)))) == "m: a has 8 bits and gets 1: 1'b0"


def test_two_writes_of_which_none_is_said_to_count_are_found() -> None:
    what = "m: nothing says which of two writes to r counts"
    twice = (Write("r", "a"), If("go", (Write("r", "8'd0"),)))
    assert fault(*writes(*twice)) == what
    assert fault(*writes(*reversed(twice))) == what
    assert fault(*writes(If("go", twice))) == what
    assert fault(*writes(Priority((twice,)))) == what
    also = If("a[0]", (Write("r", "a"),))
    assert fault(*writes(also, If("go", (Write("r", "8'd0"),)))) == what


def test_priority_says_which_write_counts() -> None:
    levels = Priority(((Write("r", "a"),), (If("go", (Write("r", "8'd0"),)),)))
    assert reads(*writes(levels)) == {"a": 0xFF, "go": 1, "r": 0xFF, "ap_clk": 1}


def test_writes_may_exclude_each_other_or_be_of_other_bits() -> None:
    first = (Write("r", "a"),)
    last = (Write("r", "8'd0"),)
    reads(*writes(If("go", first), If("~go", last)))
    reads(*writes(If("a[1:0] == 2'd1", first), If("a[1:0] == 2'd2", last)))
    reads(*writes(Write("r[3:0]", "a[7:4]"), If("go", (Write("r[7:4]", "4'd0"),))))


def test_case_with_two_arms_of_one_value_is_found() -> None:
    arms = tuple(Arm(("1'b0",), (Write("r", text),)) for text in ("a", "8'd0"))
    assert fault(*writes(Case("go", arms))) == "m: two arms of one value at go"


def test_process_without_a_clock_that_keeps_a_value_is_found() -> None:
    sometimes = If("go", (Write("r", "a"),))
    assert fault(*writes(sometimes, clocked=False)) == (
        "m: r may keep its value without a clock, bits 0xff"
    )
    always = Priority(((Write("r", "8'd0"),), (sometimes,)))
    assert reads(*writes(always, clocked=False)) == {"a": 0xFF, "go": 1, "r": 0xFF}


def test_process_without_a_clock_that_reads_what_it_writes_is_found() -> None:
    levels = Priority(((Write("r", "a"),), (If("go", (Write("r", "~r"),)),)))
    assert fault(*writes(levels, clocked=False)) == (
        "m: r is read by what gives it without a clock, bits 0xff"
    )
    reads(*writes(levels))


def test_array_is_written_by_as_many_processes_as_it_has_ports() -> None:
    process = Process((If("go", (Write("w[a]", "a"),)),))
    array = Array(Net("w", 8), 256, (), ports=1)
    assert reads(array, process, Assign("b", "w[a]"))["w"] == 0xFF
    assert fault(array, process, process, Assign("b", "w[a]")) == (
        "m: more processes write w than it has ports"
    )


def test_constant_may_not_be_driven() -> None:
    assert fault(Constant("c", 8, 1), Assign("c", "a"), Assign("b", "a")) == (
        "m: something drives the constant c"
    )


def test_two_things_of_one_name_are_found() -> None:
    assert fault(wire("a", 8, "8'd0"), Assign("b", "a")) == "m: two things called a"
    inner = Instance("m", "a", pins())
    assert fault(inner, Assign("b", "a")) == "m: two things called a"
    assert fault(wire("begin", 1, "go"), Assign("b", "a")) == "m: begin is a word of Verilog"


def test_wires_that_share_a_declaration_have_no_value() -> None:
    both = Declare("wire", (Net("x", 8), Net("y", 8)), "a")
    assert fault(both, Assign("b", "x")) == "m: x has a value, and shares its declaration"


INNER = module(Assign("b", "a"), name="inner")
RIGHT = {"ap_clk": "ap_clk", "go": "go", "a": "a", "b": "b"}


def instance_fault(**ends: str) -> str:
    with pytest.raises(AssertionError) as found:
        check.verify([module(Instance("inner", "u", pins(**ends))), INNER], {})
    return str(found.value)


def test_instance_has_the_ports_of_its_module() -> None:
    outer = module(Instance("inner", "u", pins(**RIGHT)))
    assert check.verify([outer, INNER], {})["m"] == {"a": 0xFF}, "inside, only that is read"
    missing = {port: text for port, text in RIGHT.items() if port != "a"}
    assert instance_fault(**missing) == "m: u of inner is not connected at a"
    assert instance_fault(**RIGHT, c="a") == "m: u of inner has no port c"
    assert instance_fault(**(RIGHT | {"a": "a[3:0]"})) == "m: u.a has 8 bits and gets 4: a[3:0]"
    assert instance_fault(**(RIGHT | {"b": "b[3:0]"})) == "m: u.b has 8 bits and gives 4: b[3:0]"


def test_instance_drives_what_its_outputs_are_connected_to() -> None:
    outer = module(Instance("inner", "u", pins(**RIGHT)), Assign("b", "a"))
    with pytest.raises(AssertionError, match=r"^m: b is driven twice, bits 0xff$"):
        check.verify([outer, INNER], {})


def test_port_that_nothing_reads_inside_must_be_driven_all_the_same() -> None:
    outer = module(wire("x", 1), Instance("inner", "u", pins(**(RIGHT | {"go": "x"}))))
    with pytest.raises(AssertionError, match=r"^m: nothing drives x, bits 0x1$"):
        check.verify([outer, INNER], {})


def test_unknown_module_and_two_of_one_name_are_found() -> None:
    what = "m: u is of no known module other"
    assert fault(Instance("other", "u", pins())) == what
    with pytest.raises(AssertionError, match=r"^two modules inner$"):
        check.verify([INNER, INNER], {})


PROGRAM = """
#include <stdint.h>
uint32_t f(uint32_t a, uint8_t b[16]) {
  uint8_t w[4] = {1, 2, 3, 4};
  uint32_t s = a;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=2
    s += b[i] * (s >> 3);
    b[i] = (uint8_t)s;
  }
  for (int i = 0; i < 12; i++) {
    w[s & 3] += (uint8_t)i;
    w[i & 3] ^= (uint8_t)(s >> i);
    switch (w[s & 3] & 7) {
      case 1: s ^= 0x55; break;
      case 2: s += w[1]; break;
      case 5: s /= 3; break;
      default: s -= i;
    }
  }
  return s + w[0] + w[1] * w[2] + w[3];
}
"""


def shuffled(body: Body, rng: random.Random) -> Body:
    """Put statements into another order, but for levels of priority."""
    found: list[Statement] = []
    for statement in rng.sample(body, len(body)):
        match statement:
            case If(then=then, otherwise=otherwise):
                inner = {"then": shuffled(then, rng), "otherwise": shuffled(otherwise, rng)}
                found.append(replace(statement, **inner))
            case Case(arms=arms):
                moved = [replace(arm, body=shuffled(arm.body, rng)) for arm in arms]
                found.append(replace(statement, arms=tuple(rng.sample(moved, len(moved)))))
            case Priority(levels):
                found.append(Priority(tuple(shuffled(level, rng) for level in levels)))
            case _:
                found.append(statement)
    return tuple(found)


def test_order_of_statements_has_no_meaning(
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list[RtlCall]],
    random_calls: Callable[..., list[Call]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = compile_c(PROGRAM)
    rng = random.Random(7)

    def other_order(given: Module[Item]) -> Module[Plain]:
        made = settle(given)
        items = (
            replace(item, body=shuffled(item.body, rng)) if isinstance(item, Process) else item
            for item in made.items
        )
        return replace(made, items=tuple(items))

    monkeypatch.setattr(emit_design, "settle", other_order)
    compiled = compile_c(PROGRAM)
    assert compiled.files[0].text != plain.files[0].text
    given = random_calls(compiled, 3, 8)
    machine = Machine(compiled.module, limit=100_000)
    for (scalars, arrays), got in zip(given, simulate(compiled, given), strict=True):
        wanted = machine.call(scalars, arrays)
        assert (got.value, got.arrays) == (wanted.value, wanted.arrays)
