# SPDX-License-Identifier: Apache-2.0
"""Each rule of the stream, broken: it is seen, by its name. One model has all the faults."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lydite.base import CheckFailed
from lydite.cores import Design, load
from lydite.sim import random_messages
from lydite.sim.build import Sources
from lydite.sim.stream import STALL_MODES, Face, StreamModel, Wire, message
from lydite.sim.suites import Oracle

VERILOG = Path(__file__).parent / "rules.v"
FACE = Face(sinks=(Wire(name="s_axis_t", bytes=1),), sources=(Wire(name="m_axis_t", bytes=1),))
DESCRIPTION = """
schema = 2
title = "sum"
[[primitive]]
name = "sum"
title = "sum"
standard = "none"
kat = [{ file = "kat.json", format = "json", records = 1 }]
[[primitive.operation]]
name = "compute"
inputs = [{ name = "message" }]
outputs = [{ name = "sum", bytes = 2 }]
payload = "message"
block_bytes = 1
spec = "spec.py:total"
[[design]]
name = "rtl"
title = "with faults"
primitives = ["sum"]
sources = ["rules.v"]
top = "rules"
claims.compute = {}
"""
# Fault of rules.v: the rule that it breaks.
RULES = {
    1: "s_axis_tready depends on s_axis_tvalid in the same cycle",
    2: "m_axis_tvalid depends on m_axis_tready in the same cycle",
    3: "m_axis_tvalid waits for m_axis_tready: no transfer for ",
    4: "m_axis_tvalid fell before m_axis_tready came",
    5: "the output changed while m_axis_tvalid was high and m_axis_tready low",
    6: "the output depends on m_axis_tready in the same cycle",
    7: "m_axis_tkeep is partial before the last beat",
    8: "the output has 1 bytes, not 2",
    9: "the output has more than 2 bytes, not 2",
    10: "the output has 1 bytes, not 2",
    11: "m_axis_tvalid is high in a reset",
    12: "m_axis_tvalid is high right after a reset",
    13: "more output after the last message's",
    15: "output for a message of which no beat was taken",
}


def total(message: bytes) -> bytes:
    return (sum(message) & 0xFFFF).to_bytes(2, "little")


@pytest.fixture(scope="module")
def design(tmp_path_factory: pytest.TempPathFactory) -> Design:
    """The core as a primitive of its own: the sum of the bytes."""
    folder = tmp_path_factory.mktemp("rules")
    shutil.copyfile(VERILOG, folder / "rules.v")
    (folder / "kat.json").write_text('[{"message": "01", "sum": "0100"}]')
    (folder / "spec.py").write_text(
        "def total(message): return (sum(message) & 0xFFFF).to_bytes(2, 'little')\n"
    )
    (folder / "core.toml").write_text(DESCRIPTION)
    [design] = load(folder / "core.toml").designs
    return design


@pytest.fixture(autouse=True)
def _no_fault() -> Iterator[None]:
    yield
    os.environ.pop("LYDITE_FAULT", None)


def model(fault: int) -> StreamModel:
    os.environ["LYDITE_FAULT"] = str(fault)
    sources = Sources(files={"rules.v": VERILOG}, top="rules", parameters={})
    return StreamModel(sources, FACE, clock="clk", reset="rst")


def run_all(opened: StreamModel, modes: tuple[str, ...] = ()) -> None:
    texts = [bytes(i & 0xFF for i in range(n)) for n in (5, 0, 1, 300)]
    messages = [message(text, total(text)) for text in texts]
    for stalls in [mode for mode in STALL_MODES if not modes or mode.name in modes]:
        opened.run(messages, stalls=stalls, seed=3)


def test_rules_that_are_kept_are_no_faults() -> None:
    with model(0) as opened:
        run_all(opened)


@pytest.mark.parametrize("fault", RULES)
def test_broken_rule_is_named(fault: int) -> None:
    # A sink that pauses would see this one first, as a change.
    modes = ("none", "random") if fault == 6 else ()
    with model(fault) as opened, pytest.raises(CheckFailed) as raised:
        run_all(opened, modes)
    assert raised.value.got.startswith(RULES[fault])


def test_tvalid_that_waits_shows_only_where_the_sink_waits_too() -> None:
    with model(3) as opened, pytest.raises(CheckFailed) as raised:
        run_all(opened)
    assert "stalls patient" in raised.value.at


def tried(design: Design, opened: StreamModel, seed: int) -> random_messages.Tried:
    [operation] = design.primitive.operations
    with Oracle(design.primitive, ["compute"]) as oracle:
        return random_messages.run(design, operation, opened, oracle, seed=seed, cycles=(1, 3))


@pytest.mark.all_messages
def test_fault_in_one_word_of_many_is_found_and_shown_with_few_messages(design: Design) -> None:
    with model(0) as opened:
        assert tried(design, opened, 1).words >= 5 * random_messages.FAULT_WORDS
    found = set()
    for seed in (1, 2):
        with model(14) as opened, pytest.raises(random_messages.RandomFailed) as raised:
            tried(design, opened, seed)
        assert f"(--proof-seed {seed}), 1 of them alone" in raised.value.at
        found.add(raised.value.at)
        # The same again, on another model: that is what leaves a waveform.
        with model(14) as other, pytest.raises(CheckFailed) as again:
            raised.value.replay(other)
        assert again.value.at == raised.value.at
    assert len(found) == 2


def test_equal_seeds_give_equal_messages(design: Design) -> None:
    runs = []
    for _ in range(2):
        with model(14) as opened, pytest.raises(CheckFailed) as raised:
            tried(design, opened, 7)
        runs.append(str(raised.value))
    assert runs[0] == runs[1]


def test_probability_is_of_one_word_in_65536() -> None:
    assert random_messages.probability(0) == 0
    assert random_messages.probability(327_680) == pytest.approx(0.9933, abs=1e-4)
