# SPDX-License-Identifier: Apache-2.0
"""Stores of both forms: what is true of one is true of the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from postgres import data_base, server

__all__ = ["data_base", "place", "script", "server"]

# Jobs that each leave an artefact, in a chain of pairs; argument: the store, and how many.
JOBS = """
import hashlib, sys
from dataclasses import dataclass
from pathlib import Path
from lydite.runs.execute import execute
from lydite.runs.job import Job, Outcome
from lydite.runs.shared import opened

@dataclass(frozen=True)
class Point(Job):
    number: int
    kind = "point"

    @property
    def label(self):
        return f"point {self.number}"

    @property
    def needs(self):
        return (Point(self.number - 1),) if self.number % 2 else ()

    def inputs(self):
        return {"number": self.number}

    def run(self, work, store):
        with (LOG).open("a") as log:
            log.write(f"{self.number}\\n")
        data = bytes([self.number % 251]) * 50_000
        for i in range(3):
            (work / f"part{i}").write_bytes(data)
        return Outcome(result={"sha256": hashlib.sha256(data).hexdigest(), "parts": 3})

folder, count, LOG = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
print("begun", flush=True)
with opened(folder) as store:
    records = execute([Point(i) for i in range(count)], store, parallel=4)
print(len(records), all(record.status == "ok" for record in records.values()))
"""


@pytest.fixture(params=["folder", "postgresql"])
def place(request: pytest.FixtureRequest, store_folder: Path) -> Path | str:
    """Give where a store can be made: a folder, and a data base."""
    if request.param == "folder":
        return store_folder
    url: str = request.getfixturevalue("data_base")
    return url


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Give a program that runs so many jobs into a store, and logs which."""
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    return path
