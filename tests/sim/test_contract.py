# SPDX-License-Identifier: Apache-2.0
"""Cores of several fields, operations and streams: what is proven of them, and every fault seen.

The faulty cores are the toys, broken in one place each.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.base import CheckFailed, InputError
from lydite.cores import Design, load
from lydite.sim.timing import Range
from lydite.sim.verify import verify

TOY = Path(__file__).parent / "toy"
Replace = Callable[[Path, str, str], None]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Give the folder of a copy of the toys, to be broken."""
    folder = tmp_path / "toy"
    shutil.copytree(TOY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def designs(folder: Path) -> tuple[Design, ...]:
    return load(folder / "core.toml").designs


def test_two_operations_on_one_stream_are_proven() -> None:
    toy, _ = designs(TOY)
    shown = verify(toy)
    seal, opening = shown.operations
    assert (shown.vectors, seal.vectors, opening.vectors) == (3, 2, 1)
    # Lengths around block boundaries of both, what undoes them, and a bit wrong in each field.
    assert (shown.boundary_messages, shown.forgeries) == (59, 35)
    assert min(seal.random_messages, opening.random_messages) >= 4096
    assert seal.timing.latency_cycles == Range(4, 4, 4)
    assert opening.timing.latency_cycles == Range(6, 6, 6)
    assert [n for n, _ in seal.timing.total_cycles] == [1, 2, 3, 6, 18]


def test_several_streams_headers_and_registers_are_proven() -> None:
    _, pair = designs(TOY)
    shown = verify(pair)
    assert shown.vectors == 1
    assert shown.boundary_messages > 10
    assert shown.operations[0].random_messages >= 4096


# Each: what is replaced in toy.v by what, and as what the fault is seen.
FAULTS = {
    "accepts a forged tag": (
        ("right_q <= s_axis_tdata == sum_q;", "right_q <= 1'b1;"),
        "expected 00\n  got      01",
    ),
    "rejects all": (
        ("right_q <= s_axis_tdata == sum_q;", "right_q <= 1'b0;"),
        "expected 01\n  got      00",
    ),
    "does not look at the key in the tag": (
        ("sum_q <= s_axis_tdata;", "sum_q <= 8'd0;"),
        "byte 0 of the output",
    ),
    "keeps the operation of the call before": (
        (
            "opens_q <= s_axis_tuser;",
            "if (!seen_q) opens_q <= s_axis_tuser;\n          seen_q <= 1'b1;",
        ),
        "toy, ",
    ),
    "keeps the first key": (
        (
            "key_q <= s_axis_tdata;\n            sum_q",
            "if (!seen_q) key_q <= s_axis_tdata;\n            seen_q <= 1'b1;\n            sum_q",
        ),
        "byte 0 of the output",
    ),
    "says nothing of an empty text": (
        ("full_q <= s_axis_tkeep || s_axis_tlast;", "full_q <= s_axis_tkeep;"),
        "the output has",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_seen(toy: Path, replace: Replace, fault: str) -> None:
    (old, new), told = FAULTS[fault]
    path = toy / "toy.v"
    text = path.read_text()
    assert old in text
    text = text.replace(old, new)
    if "seen_q" in new:
        text = text.replace("  reg [1:0] state_q;", "  reg [1:0] state_q;\n  reg seen_q;")
        text = text.replace(
            "      full_q  <= 1'b0;\n", "      full_q  <= 1'b0; seen_q <= 1'b0;\n", 1
        )
    path.write_text(text)
    with pytest.raises(CheckFailed) as raised:
        verify(designs(toy)[0])
    assert told in str(raised.value)


def test_text_that_comes_before_the_verdict_is_seen_where_it_must_not(
    toy: Path, replace: Replace
) -> None:
    replace(toy / "core.toml", 'release = "unverified"', 'release = "verified"')
    with pytest.raises(CheckFailed) as raised:
        verify(designs(toy)[0])
    assert raised.value.got.startswith("the output has more than 0 bytes, not 0")
    assert "rejected" in raised.value.at


def test_register_is_held_while_a_call_is_in_the_core(toy: Path, replace: Replace) -> None:
    # Takes the shift of the moment, one cycle late: only a value that stands still hides it.
    replace(toy / "pair.v", "+ shift_i;", "+ shift_q;")
    replace(
        toy / "pair.v",
        "  wire take_key =",
        "  reg [7:0] shift_q;\n  always @(posedge clk) shift_q <= shift_i;\n  wire take_key =",
    )
    assert verify(designs(toy)[1]).vectors == 1


def test_streams_of_one_call_may_wait_for_each_other_but_not_mix(
    toy: Path, replace: Replace
) -> None:
    # The key of the next call is taken while the text of this one still comes.
    replace(toy / "pair.v", "s_axis_key_tready = !keyed_q && !tag_q;", "s_axis_key_tready = 1'b1;")
    with pytest.raises(CheckFailed):
        verify(designs(toy)[1])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'total_cycles = "2 + 2 * N"',
            'total_cycles = "1 + 3 * N"',
            "toy/rtl: seal: total_cycles of 2 blocks\n"
            "  expected 7 as core.toml claims\n  got      6 measured",
        ),
        (
            "latency_cycles = [1, 40]",
            "latency_cycles = [12, 40]",
            "pair/streams: latency_cycles\n"
            "  expected 12 to 40 as core.toml claims\n  got      11 measured",
        ),
        (
            "latency_cycles = 6",
            'latency_cycles = 6\ncycles_per_message = "13 / 2"',
            "toy/rtl: open: cycles_per_message\n"
            "  expected 6.5 as core.toml claims\n  got      6 measured",
        ),
    ],
)
def test_wrong_claim_is_seen(toy: Path, replace: Replace, old: str, new: str, message: str) -> None:
    replace(toy / "core.toml", old, new)
    with pytest.raises(CheckFailed) as raised:
        for design in designs(toy):
            verify(design)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "return message if _tag(key, message) == tag else None",
            "return message",
            "spec.py:open_ accepts a forgery of open: 1 bytes and 0 bytes and 1 bytes in, 0 out",
        ),
        (
            "return message if _tag(key, message) == tag else None",
            "return None",
            "spec.py:open_ rejects what spec.py:seal gives",
        ),
        (
            "return bytes(byte ^ key[0] for byte in message), _tag(key, message)",
            "return bytes(byte ^ key[0] for byte in message)",
            "seal of 1 and 0 bytes gives 0 bytes, not 0 and 1",
        ),
        (
            "return bytes(byte ^ key[0] for byte in message), _tag(key, message)",
            "return None",
            "seal gives None: seal does not reject",
        ),
    ],
)
def test_specification_that_contradicts_the_contract_is_refused(
    toy: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    replace(toy / "spec.py", old, new)
    with pytest.raises(InputError) as raised:
        verify(designs(toy)[0])
    assert message in str(raised.value)


def test_register_of_another_width_is_refused(toy: Path, replace: Replace) -> None:
    replace(toy / "pair.v", "input  wire [7:0] shift_i", "input  wire [8:0] shift_i")
    with pytest.raises(InputError) as raised:
        verify(designs(toy)[1])
    assert str(raised.value) == (
        "pair/streams: pair: port shift_i has 9 bits, the field shift 8\n"
        "  a register has the bits of the field that it holds"
    )
