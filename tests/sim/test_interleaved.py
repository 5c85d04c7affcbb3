# SPDX-License-Identifier: Apache-2.0
"""Cores that have several calls at once, told apart by tid: what is proven, and each fault seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lydite.base import CheckFailed, InputError
from lydite.cores import Design, load
from lydite.sim.stream import message
from lydite.sim.testbed import measure
from lydite.sim.testbed.measure import Setting
from lydite.sim.timing import Range
from lydite.sim.verify import open_model, verify
from lydite.targets import links

LOOM = Path(__file__).parent / "loom"


def design(folder: Path) -> Design:
    (found,) = load(folder / "core.toml").designs
    return found


@pytest.fixture
def loom(tmp_path: Path) -> Path:
    """Give the folder of a copy of the toy, to be broken."""
    folder = tmp_path / "loom"
    shutil.copytree(LOOM, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def broken(loom: Path, name: str, old: str, new: str) -> Design:
    path = loom / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return design(loom)


def test_messages_at_once_are_proven() -> None:
    shown = verify(design(LOOM))
    (found,) = shown.operations
    assert (shown.vectors, shown.boundary_messages) == (4, 12)
    assert found.random_messages >= 4096
    # Three messages give a byte a cycle together, one alone a byte in three.
    assert found.timing.cycles_per_block == Range(1, 1, 1)
    assert dict(found.timing.total_cycles)[18] == Range(57, 57, 57)


def test_messages_are_given_by_turns() -> None:
    calls = [message(bytes(10), bytes(4)) for _ in range(3)]
    with open_model(design(LOOM)) as model:
        cycles = model.cycles_of(calls)
        assert [one.first_in for one in cycles] == [2, 0, 1]
        assert [one.last_in for one in cycles] == [29, 27, 28]
        # And so they come out, each with those of the others in between.
        assert [one.last_out - one.first_out for one in cycles] == [9, 9, 9]


# Each: what is replaced in loom.v by what, and as what the fault is seen.
FAULTS = {
    "one sum for all messages": ("sum_q[s_axis_tid];", "sum_q[0];", "byte 0 of the output"),
    "the sum goes on into the next message": (
        "s_axis_tlast ? FIRST : next;",
        "next;",
        "message 4 of tid 1 ",
    ),
    "the result under the tid of another message": (
        "assign m_axis_tid = id_q;",
        "assign m_axis_tid = id_q == 2'd2 ? 2'd0 : id_q + 2'd1;",
        "of tid ",
    ),
    "a tid that there is not": (
        "assign m_axis_tid = id_q;",
        "assign m_axis_tid = ~id_q;",
        "m_axis_tid is 3 of 3 (cycle ",
    ),
    "bytes of two results mixed": (
        "data_q         <= result_q[turn][7:0];",
        "data_q         <= result_q[turn][7:0] ^ {7'd0, left_q[two] == 3'd1};",
        "of the output",
    ),
    "the tid changes while a beat waits": (
        "assign m_axis_tid = id_q;",
        "reg t_q;\n  always @(posedge clk) t_q <= full_q && !m_axis_tready;\n"
        "  assign m_axis_tid = t_q ? 2'd2 - id_q : id_q;",
        "the output changed while m_axis_tvalid was high and m_axis_tready low",
    ),
    "a message is lost while another is given": (
        "left_q[s_axis_tid]   <= 3'd4;",
        "left_q[s_axis_tid]   <= left_q[one] == 3'd2 ? 3'd0 : 3'd4;",
        "no transfer for 100000 cycles",
    ),
}


@pytest.mark.all_messages
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_seen(loom: Path, fault: str) -> None:
    old, new, told = FAULTS[fault]
    with pytest.raises(CheckFailed) as raised:
        verify(broken(loom, "loom.v", old, new))
    assert told in str(raised.value)


def test_what_holds_for_one_message_alone_is_no_claim_of_a_block(loom: Path) -> None:
    with pytest.raises(CheckFailed) as raised:
        verify(broken(loom, "core.toml", "cycles_per_block = 1", "cycles_per_block = 3"))
    assert str(raised.value) == (
        "loom/rtl: cycles_per_block\n  expected 3 as core.toml claims\n  got      1 measured"
    )


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("interleaved = 0", "interleaved: must be 1 to 256, not 0"),
        ("interleaved = 257", "interleaved: must be 1 to 256, not 257"),
        (
            'interleaved = 3\ninterface = "lwc"',
            "interleaved: not for the interface lwc\n  its streams have no tid",
        ),
    ],
)
def test_number_that_cannot_be_is_refused(loom: Path, new: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        broken(loom, "core.toml", "interleaved = 3", new)
    assert str(raised.value) == f"{loom / 'core.toml'}: design rtl: {message}"


def test_registers_and_several_calls_are_refused(loom: Path) -> None:
    text = 'inputs = [{ name = "key", bytes = 1 }, { name = "message" }]'
    broken(loom, "core.toml", 'inputs = [{ name = "message" }]', text)
    with pytest.raises(InputError, match="a register holds a field of one call alone"):
        broken(
            loom, "core.toml", "interleaved = 3", 'interleaved = 3\nregisters = { key_i = "key" }'
        )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "interleaved = 3",
            "interleaved = 5",
            "port s_axis_tid has 2 bits, not 3\n  so many tell 5 calls apart (interleaved)",
        ),
        (
            "interleaved = 3",
            "interleaved = 1",
            "port m_axis_tid is not part of the interface\n"
            "  an axi4-stream core has the ports that docs/cores.md lists",
        ),
    ],
)
def test_ports_of_another_number_are_refused(loom: Path, old: str, new: str, message: str) -> None:
    found = broken(loom, "core.toml", old, new)
    with pytest.raises(InputError) as raised:
        verify(found)
    assert str(raised.value) == f"loom/rtl: loom: {message}"


SETTING = Setting(core_mhz=90, dma_mhz=100, link=links.find("axi-hp64"))


def test_messages_at_once_go_through_the_testbed() -> None:
    found = measure.measure(design(LOOM), "hash", 3_000, SETTING)
    assert (found.bytes, found.calls, found.blocks) == (3_000, 3, 1_000)
    # Alone they take a byte a cycle together.
    assert found.alone_cycles == 3_011
    assert found.hardware_ns > found.compute_ns
    # Outputs of a job are all out before the next one begins.
    assert found.queued_ns > found.compute_ns
    with pytest.raises(InputError) as raised:
        measure.measure(design(LOOM), "hash", 3_001, SETTING)
    assert str(raised.value) == (
        "--sizes: hash, 3 calls at once, takes multiples of 3 bytes, not 3001\n"
        "  the nearest: 3000 or 3003"
    )


# But for a beat that changes while it waits: the FIFO takes results of so few bytes at once.
@pytest.mark.parametrize("fault", [name for name in FAULTS if "while a beat waits" not in name])
def test_fault_is_seen_in_the_testbed(loom: Path, fault: str) -> None:
    old, new, _ = FAULTS[fault]
    with pytest.raises(CheckFailed, match="every output right, in time"):
        measure.measure(broken(loom, "loom.v", old, new), "hash", 300, SETTING)


def test_a_tid_that_there_is_not_is_told_in_the_testbed(loom: Path) -> None:
    none = broken(loom, "loom.v", "assign m_axis_tid = id_q;", "assign m_axis_tid = 2'd3;")
    with pytest.raises(CheckFailed, match="m_axis_tid is 3 of 3"):
        measure.measure(none, "hash", 300, SETTING)
