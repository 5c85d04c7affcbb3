# SPDX-License-Identifier: Apache-2.0
"""Registers of the testbed behind AXI4-Lite whose five channels all pause at random.

The master of `testbed.cpp` is replaced by the one of `axi_traffic.h`; all else stays, so that every
output of every job is compared, with the output FIFO's length and delay written that way.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from testbeds import CLOCKS, changed, crc_design, crc_of, run

from lydite.base import CheckFailed
from lydite.sim.testbed import model, wrapper
from lydite.sim.testbed.model import Access, Kind
from lydite.sim.testbed.wrapper import Wrapped

Replace = Callable[[Path, str, str], None]
SLAVE = "lydite_testbed_control_s_axi.v"


@pytest.fixture(scope="module")
def wrapped() -> Wrapped:
    return wrapper.wrap(crc_design(), 8)


@pytest.fixture
def pausing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the testbed's host go by way of channels that pause."""
    text = model.HARNESS.read_text()
    before, rest = text.split("    if (access.kind == kWrite) {\n", 1)
    _, rest = rest.split("    } else if (access.kind == kInterrupt) {\n", 1)
    is_access = "    if (access.kind == kWrite || access.kind == kRead) {\n"
    head = f"{before}    channels();\n{is_access}      traffic(access);\n"
    middle, rest = rest.split("  void drive_bus() {\n", 1)
    _, rest = rest.split("  void offer(", 1)
    ours = Path(__file__).with_name("axi_traffic.h").read_text()
    harness = tmp_path / "testbed.cpp"
    inside = f"    }} else if (access.kind == kInterrupt) {{\n{middle}{ours}  void offer("
    harness.write_text(head + inside + rest)
    monkeypatch.setattr(model, "HARNESS", harness)


@pytest.mark.usefixtures("pausing")
@pytest.mark.parametrize("seed", range(8))
def test_jobs_are_right_whatever_channels_pause(wrapped: Wrapped, seed: int) -> None:
    source = random.Random(seed)
    jobs = [
        [crc_of(source.randbytes(source.randrange(1, 200))) for _ in range(source.randrange(1, 5))]
        for _ in range(6)
    ]
    steps = model.enable()
    for number, calls in enumerate(jobs):
        delay = source.randrange(40)
        steps += [*model.arguments(wrapped, calls, number, delay=delay), model.start()]
        steps += model.collect(wrapped)
    ran = run(wrapped, jobs, accesses=steps, doubt=True, traffic=True, seed=seed + 1)
    codes = [v for step, v in zip(steps, ran.values, strict=True) if step.kind == Kind.READ]
    assert codes == [0] * len(jobs)


@pytest.mark.usefixtures("pausing")
def test_registers_keep_what_was_written_in_any_order(wrapped: Wrapped) -> None:
    source = random.Random(1)
    call = crc_of(b"some")
    writes = model.arguments(wrapped, [call], 0)
    values = {step.address: source.getrandbits(32) for step in writes}
    order = source.sample(sorted(values), len(values))
    steps = [Access(Kind.WRITE, address, values[address]) for address in order]
    steps += [Access(Kind.READ, address) for address in source.sample(order, len(order))]
    told = [*writes, *model.enable(), model.start(), *model.collect(wrapped)]
    ran = run(wrapped, [call], accesses=[*steps, *told], seed=2)
    read = [(s.address, v) for s, v in zip(steps, ran.values, strict=False) if s.kind == Kind.READ]
    assert dict(read) == values


@pytest.mark.usefixtures("pausing")
def test_the_delay_is_of_words_that_are_there(wrapped: Wrapped) -> None:
    """The bus decides when a job begins, and nothing of what its outputs wait for."""
    took = []
    for delay in (0, 1_000):
        steps = [*model.enable(), *model.arguments(wrapped, [crc_of(b"x")], 0, delay=delay)]
        steps += [model.start(), Access(Kind.INTERRUPT), Access(Kind.MARK)]
        timer = next(one.offset for one in wrapped.registers.registers if one.name == "timer")
        steps.append(Access(Kind.READ, timer))
        took.append(run(wrapped, [crc_of(b"x")], accesses=steps, clocks=CLOCKS).values[-1])
    assert took[1] - took[0] == 1_000


FAULTS = {
    "data that come first are lost": (
        "WREADY = write_q == ST_DATA",
        "WREADY = write_q != ST_ANSWER",
    ),
    "an address that changes behind its handshake": (
        "if (write_q == ST_ADDRESS) address_q",
        "if (write_q != ST_ANSWER) address_q",
    ),
    "an answer to a write that does not wait": ("default: if (s_axi_control_BREADY)", "default:"),
    "an answer to a read that does not wait": ("| (read_q & ~s_axi_control_RREADY)", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_of_the_slave_is_seen_under_pauses_alone(
    wrapped: Wrapped,
    tmp_path: Path,
    replace: Replace,
    request: pytest.FixtureRequest,
    fault: str,
) -> None:
    broken, copy = changed(wrapped, tmp_path, SLAVE)
    replace(copy, *FAULTS[fault])
    calls = [crc_of(bytes([n])) for n in range(4)]
    run(broken, calls)
    request.getfixturevalue("pausing")
    with pytest.raises(CheckFailed):
        run(broken, calls)
