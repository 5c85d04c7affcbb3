# SPDX-License-Identifier: Apache-2.0
"""Widths and reads of the expressions that are written."""

from __future__ import annotations

import pytest

from lydite.hls.emit.expression import Scope, Symbol, names


def scope() -> Scope:
    symbols = {
        "a": Symbol(8),
        "b": Symbol(8),
        "c": Symbol(1),
        "address": Symbol(6, low=2),
        "mem": Symbol(16, words=4),
        "table": Symbol(64, constant=True),
        "STATE": Symbol(2, constant=True),
    }
    return Scope("m", symbols)


@pytest.mark.parametrize(
    ("text", "width", "reads"),
    [
        ("8'h1f", 8, {}),
        ("STATE", 2, {}),
        ("a", 8, {"a": 0xFF}),
        ("a[3]", 1, {"a": 8}),
        ("a[b[2:0]]", 1, {"a": 0xFF, "b": 7}),
        ("address[4:3]", 2, {"address": 6}),
        ("mem[a[1:0]]", 16, {"mem": 0xFFFF, "a": 3}),
        ("mem[0][7:4]", 4, {"mem": 0xF0}),
        ("~table[{~a[1:0], 3'd0} +: 8]", 8, {"a": 3}),
        ("{a, 2'd0, c}", 11, {"a": 0xFF, "c": 1}),
        ("{{4{a[7]}}, a[7:4]}", 8, {"a": 0xF0}),
        ("c ? a + b : a - 8'd1", 8, {"a": 0xFF, "b": 0xFF, "c": 1}),
        ("a << b[2:0]", 8, {"a": 0xFF, "b": 7}),
        ("$signed(a) >>> b", 8, {"a": 0xFF, "b": 0xFF}),
        ("$signed({8'd0, a}) * $signed({{8{b[7]}}, b})", 16, {"a": 0xFF, "b": 0xFF}),
        ("$signed(a) < $signed(b)", 1, {"a": 0xFF, "b": 0xFF}),
        ("a == 8'd1 || b != 8'd2 && c", 1, {"a": 0xFF, "b": 0xFF, "c": 1}),
        ("~|a[2:0] & (&b)", 1, {"a": 7, "b": 0xFF}),
        ("-a", 8, {"a": 0xFF}),
        ("\n    c ? a :\n    b", 8, {"a": 0xFF, "b": 0xFF, "c": 1}),
    ],
)
def test_width_and_reads(text: str, width: int, reads: dict[str, int]) -> None:
    found = scope()
    assert found.width(text) == width
    assert found.reads == reads


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a &", "m: end is no net: a &"),
        ("(a", "m: end for ): (a"),
        ("a b", "m: b for end: a b"),
        ("a & c", "m: 8 and 1 bits at &: a & c"),
        ("a && b", "m: && of 8 bits: a && b"),
        ("mem", "m: end for [: mem"),
        ("a % b", "m: % for end: a % b"),
        ("address[1]", "m: bits 1 to 1 of 6: address[1]"),
        ("d", "m: d is no net: d"),
    ],
)
def test_what_is_no_expression_is_said(text: str, what: str) -> None:
    with pytest.raises(AssertionError) as found:
        scope().width(text)
    assert str(found.value) == what


def test_targets_are_the_parts_of_what_is_driven() -> None:
    found = scope()
    assert found.targets("{a, address[3:2]}") == [("a", 0xFF, 8), ("address", 3, 2)]
    assert found.target("mem[b[1:0]][15:8]") == ("mem", 0xFF00, 8)
    assert found.reads == {"b": 3}, "what is driven is not read"


def test_names_are_not_those_in_numbers_and_functions() -> None:
    assert names("$signed(a) + 8'hff + {b_q[i], 3'd0}") == ["a", "b_q", "i"]
