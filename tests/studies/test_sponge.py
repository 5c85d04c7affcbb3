# SPDX-License-Identifier: Apache-2.0
"""The study of the sponge action: areas on the document's part beside its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import studies
from lydite.report.page import Prose
from lydite.runs.kinds.hardware import Synthesis
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies import published
from lydite.studies.sponge_tables import placed_names
from lydite.studies.study import Asked, tables


def _record(name: str, result: dict[str, object]) -> Record:
    return Record(key=f"{hash(name):x}", kind="", label=name, status="ok", inputs={}, result=result)


@pytest.fixture(name="rows")
def _rows() -> list[dict[str, object]]:
    study = studies.find("sponge")
    found = published.read(study.published, study)
    by_name = {part.name: part.table for part in tables(study.sections(found))}
    return by_name["ku060"].as_dicts()


def test_theirs_are_the_documents_without_the_shell(rows: list[dict[str, object]]) -> None:
    theirs = [(row["slices"], row["lut6"]) for row in rows if row["design"] == "theirs"]
    assert theirs == [(16, 151842 - 69756), (32, 225387 - 69756)]


def test_ours_are_proven_netlists_of_the_same_part(rows: list[dict[str, object]]) -> None:
    ours = {row["design"]: row for row in rows if row["design"] != "theirs"}
    assert ours.keys() >= {"rtl", "hls-stream"}
    for row in ours.values():
        assert row["proven"] == "proven"
        assert isinstance(row["lut6_each"], float) and 2000 < row["lut6_each"] < 10_000


def test_without_results_theirs_stand_alone() -> None:
    study = studies.find("sponge")
    by_name = {part.name: part.table for part in tables(study.sections(studies.Found({})))}
    assert len(by_name["ku060"].rows) == 2


def test_as_many_engines_as_the_document_has_stand_with_ours() -> None:
    study = studies.find("sponge")
    area: dict[str, object] = {"area": {"lut6": 9000.0, "ff": 5000.0}}
    names = ("hls-stream", "rtl-x32", "rtl-x16", "rtl")
    records = {f"map-ku060 {name}": _record(name, area) for name in names}
    records["netlist-ku060 rtl"] = _record("netlist-ku060 rtl", {"vectors": 14})
    by_name = {part.name: part.table for part in tables(study.sections(studies.Found(records)))}
    rows = [(row["design"], row["slices"], row["proven"]) for row in by_name["ku060"].as_dicts()]
    assert rows[2:] == [
        ("rtl", 1, "proven"),
        ("rtl-x16", 16, None),
        ("rtl-x32", 32, None),
        ("hls-stream", 1, None),
    ]


def test_as_many_engines_as_the_document_has_are_mapped_and_not_placed(tmp_path: Path) -> None:
    study = studies.find("sponge")
    with Store(tmp_path) as store:
        plan = study.plan(Asked(store=store))
        next(plan)
        points = plan.send({})
    for count in (16, 32):
        mapped = points[f"map-ku060 rtl-x{count}"]
        assert isinstance(mapped, Synthesis)
        assert mapped.sources.parameters == {"SLICES": count}
        assert f"map rtl-x{count}" not in points


def test_clocks_are_medians_of_the_seeds_there_are() -> None:
    study = studies.find("sponge")
    clocks = {"rtl-x2": (140.0, 144.0, 139.0), "hls-stream-x2": (133.0,)}
    area: dict[str, object] = {"area": {"lut4": 9000.0, "ff": 5000.0}}
    records = {f"map {name}": _record(name, area) for name in clocks}
    for name, found in clocks.items():
        names = placed_names(name, len(found))
        assert len(set(names)) == len(found)
        for one, mhz in zip(names, found, strict=True):
            records[one] = _record(one, {"fmax_mhz": mhz})
    sections = study.sections(studies.Found(records))
    by_name = {part.name: part.table for part in tables(sections)}
    columns = ("design", "mhz", "least_mhz", "most_mhz", "seeds")
    rows = [tuple(row[name] for name in columns) for row in by_name["engines"].as_dicts()]
    assert rows == [
        ("rtl-x2", 140.0, 139.0, 144.0, 3),
        ("hls-stream-x2", 133.0, 133.0, 133.0, 1),
    ]
    told = [part.text for one in sections for part in one.parts if isinstance(part, Prose)]
    assert "C to Verilog, median clock and LUTs: 2 engines 0.95 and 1.00." in told
