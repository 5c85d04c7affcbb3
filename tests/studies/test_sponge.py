# SPDX-License-Identifier: Apache-2.0
"""The study of the sponge action: areas on the document's part beside its own."""

from __future__ import annotations

import pytest

from lydite import studies
from lydite.studies import published
from lydite.studies.study import tables


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
