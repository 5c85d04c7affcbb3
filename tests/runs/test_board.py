# SPDX-License-Identifier: Apache-2.0
"""The loop of a board, against simulated ones; bitstreams of the example and what they say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pty_board
import pytest
from pty_board import PtyBench, PtyBoard

from lydite.base import CheckFailed, InputError
from lydite.cores import Design
from lydite.report import board as report
from lydite.report import text
from lydite.runs.boards import board_search
from lydite.runs.boards.board_search import Found, Trials
from lydite.runs.kinds import board as jobs
from lydite.sim.board.link import Ran
from lydite.sim.board.records import Group
from lydite.sim.board.wrapper import OnBoard
from lydite.targets import boards, pll
from lydite.targets.pll import Setting

BOARD = boards.find("ecpix5-45f")
STATIC_MHZ = 150.0


@pytest.fixture(scope="module")
def design(tmp_path_factory: pytest.TempPathFactory) -> Design:
    return pty_board.design(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def made(design: Design) -> OnBoard:
    return pty_board.on_board(design, BOARD)


def groups(design: Design, made: OnBoard, count: int = 32) -> tuple[Group, ...]:
    return board_search.messages(design, made, "random", count, 1)[0]


def searched(
    design: Design,
    made: OnBoard,
    limit_mhz: float,
    *,
    low: float = 120.0,
    high: float = 240.0,
    given: Sequence[Group] = (),
    **disturbed: float,
) -> tuple[Trials, tuple[Setting, Setting]]:
    settings = board_search.within(BOARD, low, high, STATIC_MHZ)
    with PtyBoard(made, BOARD, limit_mhz=limit_mhz, **disturbed) as board:  # type: ignore[arg-type]
        bench = PtyBench(board, made, BOARD)
        trials = Trials(bench, given or groups(design, made), lambda told: None)
        return trials, board_search.search(settings, trials.at, static_mhz=STATIC_MHZ)


@pytest.mark.parametrize(
    ("limit_mhz", "disturbed"),
    [(171.3, {}), (200.0, {"drop": 0.0002, "noise": 0.0002})],
)
def test_loop_finds_the_planted_clock_to_the_grid_of_the_pll(
    design: Design, made: OnBoard, limit_mhz: float, disturbed: dict[str, float]
) -> None:
    trials, (best, next_one) = searched(design, made, limit_mhz, **disturbed)
    clocks = [one.exact_mhz for one in BOARD.settings]
    # The planted clock lies between two neighbours of the grid.
    assert best.exact_mhz <= Fraction(limit_mhz) < next_one.exact_mhz
    assert clocks.index(next_one.exact_mhz) == clocks.index(best.exact_mhz) + 1
    tried = {one.mhz: one for one in trials.tried}
    assert all((one.wrong == 0) == (mhz <= limit_mhz) for mhz, one in tried.items())
    assert len(tried) < 16
    # A fault takes some messages, not all.
    assert 0 < tried[next_one.mhz].wrong < 32
    assert all(one.measured_mhz == pytest.approx(one.mhz, rel=0.01) for one in trials.tried)
    assert any(one.repeated for one in trials.tried) == bool(disturbed)


def test_search_shows_what_it_tried_and_that_no_board_was_there(
    design: Design, made: OnBoard
) -> None:
    trials, (best, next_one) = searched(design, made, 171.3, low=160, high=180)
    found = Found(
        design="crc32/rtl",
        board=BOARD.name,
        part=BOARD.target.device,
        stimulus="random",
        static_mhz=STATIC_MHZ,
        static_in_core=False,
        highest_right_mhz=best.mhz,
        lowest_wrong_mhz=next_one.mhz,
        messages=32,
        left_out=1,
        placements=2,
        tried=trials.tried,
    )
    table = report.table(found)
    assert table.title.endswith("never run on a real board by us")
    assert len(table.rows) == len(trials.tried)
    notes = "\n".join(table.notes)
    assert f"{best.mhz:.4f} MHz (+13.9% over static analysis)" in notes
    assert "what fails first may be that" in notes
    assert "left out: 1 messages" in notes
    assert "2 placements, not one" in notes
    assert text.tables((table,), ())
    assert json.loads(msgspec.json.encode(found))["tested"] == boards.UNTRIED


def test_range_without_a_success_is_told(design: Design, made: OnBoard) -> None:
    with pytest.raises(InputError) as raised:
        searched(design, made, 155.0, low=200, high=220)
    assert str(raised.value).startswith("--from-mhz: ")
    assert str(raised.value).endswith(
        "messages are wrong at 200 MHz already\n  begin the search lower"
    )


def test_range_without_a_failure_is_told(design: Design, made: OnBoard) -> None:
    with pytest.raises(InputError) as raised:
        searched(design, made, 500.0, low=150, high=160)
    assert str(raised.value) == (
        "--to-mhz: nothing is wrong at 160 MHz yet\n  a higher end, other stimuli, or more messages"
    )


def test_expected_output_that_is_wrong_at_any_clock_is_told(design: Design, made: OnBoard) -> None:
    [group] = groups(design, made, 4)
    calls = list(group.calls)
    [[right]] = calls[2].outputs
    calls[2] = msgspec.structs.replace(
        calls[2], outputs=((msgspec.structs.replace(right, data=b"lost"),),)
    )
    wrong = msgspec.structs.replace(group, calls=tuple(calls))
    with pytest.raises(CheckFailed) as raised:
        searched(design, made, 500.0, given=(wrong,))
    failure = raised.value
    assert (failure.expected, failure.got) == (b"lost".hex(), right.data.hex())
    assert failure.at == "message 2 at 120 MHz, the lowest clock of the search"
    assert failure.note.startswith("static analysis allows 150.00 MHz: it is not the clock.")


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (200.0, 200.001, "--from-mhz: the PLL has 1 clocks from 200 to 200.001 MHz"),
        (300.0, 200.0, "--from-mhz: the PLL has no clocks from 300 to 200 MHz"),
        (None, 2.0, "--to-mhz: the PLL has no clocks from 105 to 2 MHz"),
        (500.0, None, "--from-mhz: the PLL has no clocks from 500 to 330 MHz"),
    ],
)
def test_range_without_clocks_is_refused(
    low: float | None, high: float | None, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        board_search.within(BOARD, low, high, STATIC_MHZ)
    assert str(raised.value).startswith(message)


def test_range_of_itself_is_around_the_static_figure() -> None:
    found = board_search.within(BOARD, None, None, STATIC_MHZ)
    assert found[0].mhz == pytest.approx(105, abs=1)
    assert found[-1].mhz == pytest.approx(330, abs=1)
    assert board_search.within(BOARD, None, None, 300.0)[-1].mhz == 400


def test_clock_is_run_once(design: Design, made: OnBoard) -> None:
    class Bench:
        count = 0

        def at(self, setting: Setting, groups: Sequence[Group]) -> tuple[float, Ran]:
            self.count += 1
            return setting.mhz, Ran(wrong=(), first=None, cycles=1, repeated=0)

    bench, told = Bench(), list[str]()
    trials = Trials(bench, (), told.append)
    for _ in range(3):
        trials.at(BOARD.nearest(100))
    assert (bench.count, told) == (1, ["100.0000 MHz: all right"])


@pytest.mark.parametrize("count", [0, -1, 100_001])
def test_number_of_messages_is_checked(design: Design, made: OnBoard, count: int) -> None:
    with pytest.raises(InputError, match=f"--messages: must be 1 to 100000, not {count}"):
        board_search.messages(design, made, "random", count, 1)


def test_messages_that_are_too_long_for_a_board_are_told(design: Design, made: OnBoard) -> None:
    small = msgspec.structs.replace(made, words=16)
    _, count, left_out = board_search.messages(design, small, "random", 64, 1)
    assert count > 0 and left_out > 0 and count + left_out == 64
    none = msgspec.structs.replace(made, words=2)
    with pytest.raises(InputError, match="no message fits into the board's FIFOs of 2 words"):
        board_search.messages(design, none, "random", 64, 1)


def test_pll_is_set_in_the_netlist() -> None:
    names = ("CLKI_DIV", "CLKFB_DIV", "CLKOP_DIV", "CLKOS_DIV")
    cell = {"type": "EHXPLLL", "parameters": {**dict.fromkeys(names, "1"), "OTHER": "x"}}
    netlist = {"modules": {"lydite_board": {"cells": {"u_pll": cell}}}}
    setting = pll.nearest("ecp5", Fraction(25), 133.3)
    found = json.loads(jobs.configured(json.dumps(netlist).encode(), dict(setting.parameters)))
    set_to = found["modules"]["lydite_board"]["cells"]["u_pll"]["parameters"]
    assert {name: int(set_to[name], 2) for name in names} == dict(setting.parameters)
    assert {len(set_to[name]) for name in names} == {32}
    assert set_to["OTHER"] == "x"


def test_names_of_the_cores_clock_are_those_of_its_net() -> None:
    bits = {"core_clk": [8], "u_board.u_core.clk": [8], "clk_i": [2], "word": [8, 9]}
    nets = {name: {"bits": found} for name, found in bits.items()}
    cells = {"u_pll": {"type": "SB_PLL40_CORE", "connections": {"PLLOUTGLOBAL": [8]}}}
    module = {"cells": cells, "netnames": nets}
    netlist = json.dumps({"modules": {"lydite_board": module}}).encode()
    assert jobs.core_clock(netlist) == {"core_clk", "u_board.u_core.clk"}


def report_of(end: str) -> dict[str, Any]:
    clock = "posedge $glbnet$u_board.u_core.clk"
    hop = {"from": {"cell": "u_board.u_core.a"}, "to": {"cell": end}}
    path = {"from": clock, "to": clock, "path": [hop]}
    fmax = {"$glbnet$u_board.u_core.clk": {"achieved": 123.4}, "clk_i$x": {"achieved": 99.0}}
    used = {"LUT": {"used": 3, "available": 9}, "DSP": {"used": 0, "available": 9}}
    return {"fmax": fmax, "critical_paths": [path], "utilization": used}


def test_static_figure_is_that_of_the_cores_clock() -> None:
    names = {"core_clk", "u_board.u_core.clk"}
    found = jobs.static(report_of("u_board.u_core.b"), names)
    assert (found["static_mhz"], found["static_in_core"], found["bridge_mhz"]) == (123.4, True, 99)
    assert found["utilization"] == {"LUT": [3, 9]}
    assert not jobs.static(report_of("u_board.u_stamp.b"), names)["static_in_core"]
    without = report_of("x") | {"fmax": {"clk_i": {"achieved": 99.0}}}
    with pytest.raises(CheckFailed, match="one clock of the core"):
        jobs.static(without, names)
