# SPDX-License-Identifier: Apache-2.0
"""The operator table: what is measured, how a table comes of it, that the compiler reads it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from lydite import targets
from lydite.base import CheckFailed, InputError
from lydite.cli import characterise as command
from lydite.cli import main, running
from lydite.hls.ir import delay_model
from lydite.report import delays
from lydite.runs import characterise, operators
from lydite.runs.operators import Point
from lydite.runs.plan import Implementation, Settings
from lydite.runs.record import Record
from lydite.sim import elaborate

NEXUS = targets.find("nexus-lifcl-40")
ICE40 = targets.find("ice40-hx8k")
WIDTHS = (2, 8, 32)
# What the made-up tools of these tests need, in ns.
CLOCK_TO_OUTPUT, WIRE, LUT, RAM = 0.4, 0.3, 0.7, 2.0


def record(job: object, result: dict[str, object], status: str = "ok") -> Record:
    """Give a record of a job with a result."""
    return Record(
        key=job.key,  # type: ignore[attr-defined]
        kind=job.kind,  # type: ignore[attr-defined]
        label=job.label,  # type: ignore[attr-defined]
        status=status,
        inputs={"tools": [{"name": "t", "version": "1", "origin": "wheel t"}]},
        result=result,
        error="" if status == "ok" else "broken",
        exit_code=0 if status == "ok" else 4,
        needs=(),
        commands=(),
        wall_s=1.0,
        cpu_s=1.0,
        peak_kib=1,
        started_utc="2026-11-21T10:00:00+00:00",
        machine="m",
        lydite="0",
    )


def period_ns(point: Point) -> float:
    """Give the time of a point by made-up laws: an operator of W bits takes W tenths of a LUT."""
    base = CLOCK_TO_OUTPUT + WIRE
    if point.kind == "lut":
        return base + point.chain * LUT
    if point.kind == "bram":
        return RAM + WIRE
    if point.kind == "product_into_bram":
        return base + LUT * 3.2 + 0.1
    if point.kind == "lutram":
        return base + 0.5
    return base + LUT * point.chain * point.width / 10


def records_of(
    planned: Mapping[Point, Implementation], *, lutram_ff: float = 0.0
) -> dict[str, Record]:
    """Give made-up records of all jobs; seeds beside the middle one are 10 % off."""
    found = {}
    for point, implementation in planned.items():
        dsp = float(point.kind == "multiply" and point.dsp and point.width >= 10)
        area = {
            "lut4": 0.0 if dsp else 2.0 * point.width * point.copies,
            "ff": lutram_ff if point.kind == "lutram" else 0.0,
            "dsp": dsp if point.width <= 18 else 4 * dsp,
            "bram": float("bram" in point.kind),
        }
        job = implementation.synthesis
        found[job.key] = record(job, {"area": area})
        for index, placement in enumerate(implementation.placements):
            period = period_ns(point) * (1.0, 0.9, 1.1)[index]
            cells = CLOCK_TO_OUTPUT + (point.chain * 0.2 if point.kind == "lut" else 0)
            found[placement.key] = record(
                placement, {"fmax_mhz": 1000 / period, "path_logic_ns": cells, "path_to": "u.d"}
            )
    return found


def planned_for(target: targets.Target, seeds: int = 3) -> Mapping[Point, Implementation]:
    return characterise.planned(WIDTHS, Settings(target=target, seeds=seeds))


def test_the_line_through_chains_gives_register_wire_and_lut() -> None:
    planned = planned_for(NEXUS)
    table = characterise.table(planned, records_of(planned))
    assert table is not None
    assert table.register_ns == pytest.approx(CLOCK_TO_OUTPUT)
    assert table.setup_ns == pytest.approx(WIRE)
    assert table.lut_ns == pytest.approx(LUT)
    assert table.bram_read_ns == pytest.approx(RAM)
    assert table.lutram_read_ns == pytest.approx(0.5)
    assert table.bram_setup_ns == pytest.approx(WIRE + 0.1)
    assert dict(table.delay["add"]) == pytest.approx({2: 0.14, 8: 0.56, 32: 2.24})
    assert dict(table.chain["add"]) == pytest.approx({1: 2.24, 2: 4.48, 4: 8.96})
    assert (table.area["dsp_threshold"], table.area["dsp_width"]) == (10, 18)
    assert table.area["add"] == 2


def test_one_seed_that_is_off_does_not_move_a_time() -> None:
    alone, three = planned_for(NEXUS, seeds=1), planned_for(NEXUS)
    first = characterise.table(alone, records_of(alone))
    second = characterise.table(three, records_of(three))
    assert first is not None
    assert second is not None
    assert first.delay == second.delay


def test_a_table_is_written_as_the_compiler_reads_it() -> None:
    planned = planned_for(NEXUS)
    table = characterise.table(planned, records_of(planned))
    assert table is not None
    text = delays.toml(table)
    model = delay_model.parse(text)
    assert (model.family, model.lut_ns, model.bram_read_ns) == ("nexus", 0.7, 2.0)
    assert (model.bram_bits, model.true_dual_port, model.has_lutram) == (18432, True, True)
    assert model.at("add", 32) == 2.24
    assert "# Part: LIFCL-40-7. Date: 2026-11-21. Hashed seeds: 3." in text.splitlines()
    assert "# Tool: t 1 (wheel t)." in text.splitlines()
    assert max(map(len, text.splitlines())) <= 100


def test_a_family_without_multipliers_and_ram_in_logic() -> None:
    planned = planned_for(ICE40)
    assert not any(point.kind == "lutram" or not point.dsp for point in planned)
    found = records_of(planned)
    for job in (each.synthesis for each in planned.values()):
        found[job.key].result["area"]["dsp"] = 0.0
    table = characterise.table(planned, found)
    assert table is not None
    model = delay_model.parse(delays.toml(table))
    assert (model.has_lutram, model.lutram_depth, model.true_dual_port) == (False, 1, False)
    assert model.dsp_threshold == characterise.MOST_WIDTH


def test_no_table_without_every_point() -> None:
    planned = planned_for(NEXUS, seeds=1)
    for status in ("failed", None):
        found = records_of(planned)
        job = planned[Point("add", 8)].placements[0]
        if status is None:
            del found[job.key]
        else:
            found[job.key] = record(job, {}, status)
        assert characterise.table(planned, found) is None


def test_a_placement_that_fails_is_told_and_left_out() -> None:
    planned = planned_for(NEXUS)
    found = records_of(planned)
    job = planned[Point("add", 8)].placements[1]
    found[job.key] = record(job, {}, "failed")
    table = characterise.table(planned, found)
    assert table is not None
    assert dict(table.delay["add"])[8] > 0.56  # of 1.0 and 1.1 times the time
    assert "Hashed seeds: 3; placements that failed: 1." in delays.toml(table)


def test_a_point_without_a_placement_gets_one_seed_more() -> None:
    planned = planned_for(NEXUS, seeds=1)
    found = records_of(planned)
    assert characterise.again(planned, found) == planned
    point = Point("add", 8)
    job = planned[point].placements[0]
    found[job.key] = record(job, {}, "failed")
    extended = characterise.again(planned, found)
    assert [p for p in planned if extended[p] != planned[p]] == [point]
    assert [job.seed for job in extended[point].placements] == [
        job.seed for job in planned_for(NEXUS, seeds=2)[point].placements
    ]
    # What was not even mapped is not tried again.
    job = planned[point].synthesis
    found[job.key] = record(job, {}, "failed")
    assert characterise.again(planned, found) == planned


def test_registers_are_not_taken_for_ram_in_logic() -> None:
    planned = planned_for(NEXUS)
    ff = math.prod(operators.LUTRAM)
    with pytest.raises(CheckFailed, match="RAM in logic"):
        characterise.table(planned, records_of(planned, lutram_ff=ff))


@pytest.mark.parametrize(
    ("widths", "message"),
    [
        ((), "--widths: must rise\n  as 2,4,8,16,32,64"),
        ((8, 4), "--widths: must rise\n  as 2,4,8,16,32,64"),
        ((1, 4), "--widths: must be 2 to 128\n  as 2,4,8,16,32,64"),
        ((4, 129), "--widths: must be 2 to 128\n  as 2,4,8,16,32,64"),
    ],
)
def test_widths_are_checked(widths: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError) as raised:
        characterise.planned(widths, Settings(target=NEXUS))
    assert str(raised.value) == message


def test_a_family_must_say_what_ram_it_has() -> None:
    family = msgspec.structs.replace(NEXUS.family, memory=None)
    with pytest.raises(InputError) as raised:
        characterise.planned(WIDTHS, Settings(target=msgspec.structs.replace(NEXUS, family=family)))
    assert str(raised.value) == (
        "targets/nexus.toml: there is no section [memory]\n  docs/targets.md says what stands in it"
    )


@pytest.mark.parametrize(
    "point",
    [Point("lut", 4, 8), Point("shift", 8), Point("multiply", 8, dsp=False), Point("mux", 2, 2)],
    ids=lambda point: point.label,
)
def test_operators_are_verilog(point: Point) -> None:
    ports = {port.name: port.width for port in elaborate.ports(operators.sources(point))}
    steps = point.copies * point.chain
    shared = {"a": point.copies * point.width}
    assert (
        ports
        == {
            "lut": shared | dict.fromkeys("xyz", steps * 4) | {"q": point.copies * 4},
            "shift": shared | {"s": point.copies * 3, "q": point.copies * 8},
            "multiply": {"a": 8, "x": 8, "q": 16},
            "mux": shared | {"x": steps * 2, "s": steps, "q": point.copies * 2},
        }[point.kind]
    )


def test_no_two_steps_of_the_chain_fit_in_one_table() -> None:
    """One wire tells two columns apart: a step with three for `v` and any input cannot be cut."""
    step = operators.STEPS["lut"].replace("~v", "(1 - v)")
    for name in "xyz":
        others = "xyz".replace(name, "")
        columns = set()
        for v, value in ((v, value) for v in (0, 1) for value in (0, 1)):
            columns.add(
                tuple(
                    eval(step, {"v": v, name: value, others[0]: first, others[1]: second})
                    for first in (0, 1)
                    for second in (0, 1)
                )
            )
        assert len(columns) >= 3, name


def test_every_family_has_a_table_that_rises_with_the_width() -> None:
    assert {path.stem for path in targets.DELAYS.glob("*.toml")} == {
        family.name for family in targets.families() if family.placement is not None
    }
    for family in targets.families():
        if family.placement is None:
            continue
        model = delay_model.load(family.name)
        for points in model.tables.values():
            assert [delay for _, delay in points] == sorted(delay for _, delay in points)
        assert model.register_ns + model.setup_ns + model.lut_ns < 5


def test_the_command_writes_the_whole_table_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planned = planned_for(NEXUS)
    records = records_of(planned)
    monkeypatch.setattr(running, "execute", lambda jobs, store, arguments: records)
    out = tmp_path / "new" / "nexus.toml"
    argv = ["characterise", "--target", NEXUS.name, "--widths", "2,8,32"]
    assert main([*argv, "--out", str(out)]) == 0
    assert delay_model.parse(out.read_text()).family == "nexus"
    shown = capsys.readouterr()
    assert (shown.out, shown.err.splitlines()[1:]) == ("", [f"written: {out}"])
    assert main(argv) == 0
    assert capsys.readouterr().out == out.read_text()
    for job in planned[Point("add", 8)].placements:
        records[job.key] = record(job, {}, "failed")
    out.unlink()
    assert main([*argv, "--out", str(out)]) == 4
    shown = capsys.readouterr()
    assert "add of 8 bits" in shown.out
    assert shown.err == "lydite: no table: some points have no result\n"
    assert not out.exists()


def test_widths_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert command._widths("2,4") == (2, 4)
    assert main(["characterise", "--widths", "2,x"]) == 2
    assert capsys.readouterr().err == (
        "lydite: --widths: not whole numbers: '2,x'\n  as 2,4,8,16,32,64\n"
    )
