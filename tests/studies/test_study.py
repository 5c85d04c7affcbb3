# SPDX-License-Identifier: Apache-2.0
"""A study: waves of named points, tables made of their records, published results compared."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lydite import studies
from lydite.base import CheckFailed, InputError
from lydite.cli import main, running
from lydite.report.page import Section
from lydite.report.table import Column, figure
from lydite.runs.execute import execute
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies import published, study, theirs
from lydite.studies.study import Asked, Fields, Found, Plan, Study

Capture = pytest.CaptureFixture[str]
SCALE = {"now": 1}
# Pages of studies that have a command's name, whose page is of the command.
PAGES = {"testbed": "testbed-frequency"}


@dataclass(frozen=True)
class Square(Job):
    """A job that squares a number."""

    number: int
    kind = "square"

    @property
    def label(self) -> str:
        return f"square of {self.number}"

    def inputs(self) -> Mapping[str, Any]:
        return {"number": self.number, "scale": SCALE["now"]}

    def run(self, work: Path, store: Store) -> Outcome:
        if self.number < 0:
            raise CheckFailed("a number", "none", "here")
        return Outcome(result={"square": SCALE["now"] * self.number**2, "simulation_s": id(work)})


@dataclass(frozen=True)
class Clock(Square):
    """One that measures a time."""

    alone = True


class Made(Square):
    """One whose files are planned from."""

    planned_from = True


class Squares(Study):
    """Squares, then the square of a square."""

    name = "squares"
    title = "Squares"
    place = Path()
    numbers: tuple[int, ...] = (2, 3)

    @property
    def folder(self) -> Path:
        return self.place

    def plan(self, asked: Asked) -> Plan:
        numbers = self.numbers[:1] if asked.quick else self.numbers
        records = yield {f"of {number}": Square(number) for number in numbers}
        if (first := records.get("of 2")) is not None and first.status == "ok":
            yield {"again": Square(first.result["square"]), "timed": Clock(7)}

    def sections(self, found: Found) -> tuple[Section, ...]:
        def ours(row: Mapping[str, Any]) -> float | None:
            result = found.result(f"of {row['number']:g}")
            return result["square"] if result else None

        fields = (
            (figure("number", "number"), lambda row: row["number"]),
            *study.beside("square", "square", "{:g}".format, lambda row: row["square"], ours),
        )
        rows = self.theirs.named("table-1").records()
        return (Section("Squares", (found.table("table-1", "Squares", fields, rows),)),)


@pytest.fixture
def squares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Squares:
    monkeypatch.setattr(Squares, "place", tmp_path)
    monkeypatch.setattr(studies, "STUDIES", (Squares,))
    monkeypatch.setitem(SCALE, "now", 1)
    monkeypatch.setenv("LYDITE_STORE", str(tmp_path / "store"))
    (tmp_path / "squares.toml").write_text(
        'source = "Euclid"\n[[table]]\nname = "table-1"\ntitle = "Squares"\n'
        'columns = ["number", "square"]\nrows = [[2, 5], [3, 9]]\n'
    )
    return Squares()


def ran(squares: Study, tmp_path: Path, *, quick: bool = False) -> Found:
    with Store(tmp_path / "store") as store:
        asked = Asked(store=store, quick=quick)
        return study.run(squares, asked, lambda jobs: execute(jobs, store, parallel=2))


def test_a_wave_follows_from_the_records_of_the_one_before(
    squares: Squares, tmp_path: Path
) -> None:
    found = ran(squares, tmp_path)
    assert list(found.records) == ["of 2", "of 3", "again", "timed"]
    assert found.result("again") == {"square": 16, **found.records["again"].result}
    assert found.timed == {"timed"}
    assert found.exit_code == 0
    assert set(ran(squares, tmp_path, quick=True).records) == {"of 2", "again", "timed"}


def test_theirs_ours_and_how_many_times_better(squares: Squares, tmp_path: Path) -> None:
    found = ran(squares, tmp_path, quick=True)
    [table] = study.tables(squares.sections(found))
    key = (found.records["of 2"].key,)
    assert table.keys == ({"square_ours": key, "square_ratio": key}, {})
    assert table.table.csv() == (
        "number,square_theirs,square_ours,square_ratio\n2.0,5.0,4,0.8\n3.0,9.0,,\n"
    )
    fields = study.beside("t", "t", str, lambda _: 6.0, lambda _: 2.0, smaller=True)
    assert [get(None) for _, get in fields] == [6.0, 2.0, 3.0]


def test_a_point_that_failed_takes_its_row_and_the_next_wave(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(Squares, "numbers", (-2, 3))
    assert main(["reproduce", "squares", "--publish", str(tmp_path / "out.json")]) == 2
    assert not (tmp_path / "out.json").exists()
    assert "--publish: 1 runs failed, the first: square of -2" in capsys.readouterr().err
    assert main(["reproduce", "squares"]) == 5
    out = capsys.readouterr().out
    assert "square of -2" in out
    assert "expected a number" in out


def test_an_aborted_reproduction_goes_on_where_it_was(
    squares: Squares, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    done: list[int] = []
    waves, square = running.execute, Square.run

    def counted(job: Square, work: Path, store: Store) -> Outcome:
        done.append(job.number)
        return square(job, work, store)

    def stopped(jobs: Any, store: Any, arguments: Any) -> Any:
        if done:
            raise KeyboardInterrupt
        return waves(jobs, store, arguments)

    monkeypatch.setattr(Square, "run", counted)
    monkeypatch.setattr(running, "execute", stopped)
    assert main(["reproduce", "squares"]) == 130
    assert sorted(done) == [2, 3]
    assert "the same command goes on from there" in capsys.readouterr().err
    monkeypatch.setattr(running, "execute", waves)
    assert main(["reproduce", "squares"]) == 0
    assert sorted(done) == [2, 3, 4, 7]


# A study of two waves, of thirty jobs and of ten that follow from them, each of which says when it
# has ended.
_KILLED = """
import sys, time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from lydite import studies
from lydite.cli import main
from lydite.runs.job import Job, Outcome
from lydite.studies.study import Study

LOG = Path(sys.argv[1])

@dataclass(frozen=True)
class Slow(Job):
    number: int
    kind = "slow"
    label = property(lambda self: f"slow {self.number}")

    def inputs(self):
        return {"number": self.number}

    def run(self, work, store):
        time.sleep(0.01)
        with LOG.open("a") as log:
            log.write(f"{self.number}\\n")
        return Outcome(result={"number": self.number})

class Killed(Study):
    name = title = "killed"
    folder = LOG.parent

    def plan(self, asked):
        found = yield {f"one {n}": Slow(n) for n in range(30)}
        yield {f"two {n}": Slow(30 + found[f"one {n}"].result["number"]) for n in range(10)}

    def sections(self, found):
        return ()

studies.STUDIES = (Killed,)
print("begun", flush=True)
sys.exit(main(["reproduce", "killed", "--jobs", "2"]))
"""


def test_a_reproduction_killed_at_any_moment_repeats_nothing_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, log = tmp_path / "killed.py", tmp_path / "log"
    script.write_text(_KILLED)
    (tmp_path / "killed.toml").write_text('source = "Euclid"\ntable = []\n')
    monkeypatch.setenv("LYDITE_STORE", str(tmp_path / "store"))
    moments = random.Random(1)
    kills = 0

    def said() -> int:
        return len(log.read_text().split()) if log.exists() else 0

    while True:
        command = [sys.executable, str(script), str(log)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        # When some jobs more have ended, a moment later.
        goal = said() + moments.randrange(1, 9)
        while process.poll() is None and said() < goal:
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 0.02))
        if process.poll() is not None:
            break
        process.kill()
        process.communicate()
        kills += 1
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    ended = Counter(map(int, log.read_text().split()))
    assert sorted(ended) == list(range(40))
    # At each kill two jobs may have said that they end and not have been kept.
    assert kills > 1
    assert ended.total() <= 40 + 2 * kills


def test_published_results_are_drawn_and_nothing_runs(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    path = tmp_path / "published" / "squares.json"
    assert main(["reproduce", "squares", "--publish", str(path)]) == 0
    before = capsys.readouterr().out
    monkeypatch.setenv("LYDITE_STORE", str(tmp_path / "none"))
    assert main(["reproduce", "squares", "--published"]) == 0
    assert capsys.readouterr().out == before
    assert not (tmp_path / "none").exists()


def test_a_run_says_what_differs_from_what_is_published(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    path = tmp_path / "published" / "squares.json"
    assert main(["reproduce", "squares", "--publish", str(path)]) == 0
    capsys.readouterr()
    assert main(["reproduce", "squares"]) == 0
    assert "beside the published results: 3 equal, 1 a time" in capsys.readouterr().out
    monkeypatch.setitem(SCALE, "now", 2)
    assert main(["reproduce", "squares", "--json"]) == 0
    rows = {row["point"]: row for row in json.loads(capsys.readouterr().out)["published"]}
    assert rows["of 2"] == {
        "point": "of 2",
        "verdict": "differs",
        "where": "square: published 4, now 8",
    }
    assert "timed" not in rows
    del (old := json.loads(path.read_text()))["points"]["of 3"]
    path.write_text(json.dumps(old))
    assert main(["reproduce", "squares"]) == 0
    assert "not published" in capsys.readouterr().out


def test_where_yosys_is_installed_is_no_difference() -> None:
    """A netlist names Yosys' own files by their folder: its digest is of a machine."""

    def found(lut4: float, netlist: str) -> Found:
        result = {"area": {"lut4": lut4}, "netlist_sha256": netlist}
        record = Record(
            key=netlist, kind="synthesis", label="a", status="ok", inputs={}, result=result
        )
        return Found({"map a": record})

    same = published.compare(found(7, "here"), found(7, "there"))
    assert same.rows == ()
    assert same.notes == ("beside the published results: 1 equal",)
    other = published.compare(found(8, "here"), found(7, "there"))
    assert other.rows == (("map a", "differs", "area.lut4: published 7, now 8"),)


def test_some_points_are_run_alone_and_the_others_stay_published(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    path = tmp_path / "some.json"
    some = ["reproduce", "squares", "--publish", str(path), "--only"]
    assert main([*some, "of 3"]) == 0
    assert list(published.read(path, squares).records) == ["of 3"]
    assert main([*some, "of 2", "--only", "t*"]) == 0
    found = published.read(path, squares)
    assert list(found.records) == ["of 3", "of 2", "timed"]
    assert found.timed == {"timed"}
    monkeypatch.setitem(SCALE, "now", 2)
    assert main([*some, "of 3"]) == 0
    found = published.read(path, squares)
    assert [found.records[name].result["square"] for name in ("of 3", "of 2")] == [18, 4]
    assert found.timed == {"timed"}
    assert main([*some, "to*"]) == 2
    assert "--only: no point matches: to*\n  names of points" in capsys.readouterr().err


def test_of_what_is_not_asked_for_published_results_are_planned_from(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    path = tmp_path / "published" / "squares.json"
    assert main(["reproduce", "squares", "--only", "again"]) == 2  # nothing is known of "of 2"
    assert main(["reproduce", "squares", "--publish", str(path)]) == 0
    monkeypatch.setitem(SCALE, "now", 2)
    capsys.readouterr()
    assert main(["reproduce", "squares", "--only", "again", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["published"]
    # The square of 4, which is published, and not of 8, which it would be now.
    where = "square: published 16, now 32"
    assert told == [{"point": "again", "verdict": "differs", "where": where}]
    # Of the tables the rows that a point that ran is in.
    assert main(["reproduce", "squares", "--only", "of 3", "--csv", "table-1"]) == 0
    heads, *rows = capsys.readouterr().out.splitlines()
    assert rows == ["3.0,9.0,18,2.0"]
    assert main(["reproduce", "squares", "--only", "timed", "--csv", "table-1"]) == 0
    assert capsys.readouterr().out.splitlines() == [heads]
    other = tmp_path / "other.json"
    assert main(["reproduce", "squares", "--only", "of 2", "--publish", str(other)]) == 0
    # What is published there comes before what comes with Lydite.
    assert main(["reproduce", "squares", "--only", "again", "--publish", str(other)]) == 0
    assert published.read(other, squares).records["again"].result["square"] == 128


def test_a_figure_leads_to_the_records_that_are_read_for_it(
    squares: Squares, tmp_path: Path
) -> None:
    found = ran(squares, tmp_path)
    two, three = ((found.records[f"of {number}"].key,) for number in (2, 3))

    def rows() -> Iterator[tuple[str, int]]:
        for number in (2, 3):
            yield str(number), (found.result(f"of {number}") or {})["square"]

    columns = (Column("name", "name"), figure("square", "square"))
    made = found.table("made", "Made", study.of_rows(columns), rows())
    assert made.keys == ({"square": two}, {"square": three})
    fields: Fields = (
        (Column("name", "name"), lambda _: None),
        (Column("text", "text"), lambda name: found.get(name) and "there"),
        (figure("both", "both"), lambda name: len([found.get(name), found.get("of 3")])),
    )
    read = found.table("read", "Read", fields, ["of 2", "of 4"])
    assert read.keys == ({"text": two, "both": (*two, *three)}, {"both": three})


@pytest.mark.parametrize("name", [one.name for one in studies.STUDIES])
def test_all_tables_of_published_results_lead_to_their_runs(name: str) -> None:
    chosen = studies.find(name)
    found = published.read(chosen.published, chosen)
    keys = {record.key for record in found.records.values()}
    for part in study.tables(chosen.sections(found)):
        if part.name == "ranks":  # each is of all designs
            continue
        behind = [key for row in part.keys for sources in row.values() for key in sources]
        assert keys.issuperset(behind)
        assert behind or not part.table.rows, part.name


@pytest.mark.parametrize(
    ("only", "needed"),
    [
        ((), set()),
        (("map des/hls",), {"compile des"}),  # a word of the pattern
        (("map aes*",), {"compile aes"}),  # a word of a name that is known
        (("software *",), set()),  # known, and of nothing that is compiled
        (("map *-x8",), {"compile des", "compile aes"}),  # not known
        (("m*",), {"compile aes"}),
        (("place *", ""), set()),  # no point is named so
        (("software *", "map des/hls"), {"compile des"}),
        (("software *", "map *-x8"), {"compile des", "compile aes"}),
    ],
)
def test_of_files_those_are_made_that_a_point_may_be_planned_from(
    tmp_path: Path, only: tuple[str, ...], needed: set[str]
) -> None:
    points = {"compile des": Made(1), "compile aes": Made(2), "verify des": Square(3)}
    known = ("compile des", "compile aes", "map aes/hls", "software ref")
    with Store(tmp_path / "store") as store:
        assert Asked(store=store, only=only).needs(points, known) == needed


def test_runs_that_publish_into_one_file_at_once_keep_each_other(
    squares: Squares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "both.json", tmp_path / "other.json"
    assert main(["reproduce", "squares", "--publish", str(other), "--only", "of 3"]) == 0
    third = published.read(other, squares)
    run = Square.run

    def publishes_another(job: Square, work: Path, store: Store) -> Outcome:
        published.write(path, squares, third, only=True)
        return run(job, work, store)

    monkeypatch.setattr(Square, "run", publishes_another)
    assert main(["reproduce", "squares", "--publish", str(path), "--only", "of 2"]) == 0
    assert set(published.read(path, squares).records) == {"of 2", "of 3"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "is of version 2; this Lydite reads version 1\n  take a newer Lydite"),
        ({"study": "cubes"}, "has results of cubes, not of squares"),
        ({"points": 1}, "not published results: Expected `object`, got `int` - at `$.points`"),
        (None, "no results of squares are published\n  run it: `lydite reproduce squares`"),
    ],
)
def test_a_published_file_that_is_none_is_an_error(
    squares: Squares, tmp_path: Path, change: dict[str, Any] | None, message: str
) -> None:
    path = tmp_path / "published" / "squares.json"
    if change is not None:
        published.write(path, squares, Found({}))
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError) as error:
        published.read(path, squares)
    assert str(error.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["cubes"], "NAME: no such study: 'cubes'\n  there are: squares"),
        (["squares", "--csv", "x"], "--csv: no such table: 'x'\n  there are: table-1"),
        (["squares", "--jobs", "0"], "--jobs: must be at least 1, not 0"),
        (["squares", "--timeout-s", "0"], "--timeout-s: must be above 0, not 0"),
        (
            ["squares", "--published", "--only", "of*"],
            "--only: --published runs nothing\n  leave one of them out",
        ),
        (
            ["squares", "--published", "--quick"],
            "--quick: --published runs nothing\n  leave one of them out",
        ),
    ],
)
@pytest.mark.usefixtures("squares")
def test_bad_input(argv: list[str], message: str, capsys: Capture) -> None:
    assert main(["reproduce", *argv]) == 2
    assert capsys.readouterr().err == f"lydite: {message}\n"


def test_pages_and_lists(squares: Squares, tmp_path: Path, capsys: Capture) -> None:
    html, latex = tmp_path / "page.html", tmp_path / "page.tex"
    argv = ["reproduce", "squares", "--quick", "--html", str(html), "--latex", str(latex)]
    assert main(argv) == 0
    assert "lydite reproduce squares --quick" in html.read_text()
    assert "Squares" in latex.read_text()
    assert main(["reproduce", "squares", "--csv", "table-1"]) == 0
    assert "number,square_theirs" in capsys.readouterr().out
    assert main(["list", "studies", "--csv"]) == 0
    assert capsys.readouterr().out == "study,what,source\nsquares,Squares,Euclid\n"


def test_a_table_of_theirs_with_a_short_row_is_an_error(squares: Squares, tmp_path: Path) -> None:
    path = tmp_path / "squares.toml"
    path.write_text(path.read_text().replace("[3, 9]", "[3]"))
    with pytest.raises(InputError) as error:
        theirs.load(path)
    assert str(error.value) == f"{path}: table-1: row 2 has 1 values for 2 columns"


def test_a_figure_of_theirs_is_of_one_row(squares: Squares) -> None:
    table = squares.theirs.named("table-1")
    assert table.number("square", number=2) == 5
    with pytest.raises(KeyError):
        table.number("square", number=4)
    with pytest.raises(KeyError):
        table.number("square")


@pytest.mark.parametrize("found", studies.STUDIES, ids=lambda one: one.name)
def test_the_page_of_a_study_shows_what_is_published(found: type[Study], capsys: Capture) -> None:
    name = PAGES.get(found.name, found.name)
    page = (Path(__file__).parents[2] / "docs" / f"{name}.md").read_text()
    if not found().published.exists():
        assert "No results are published yet." in page
        return
    assert main(["reproduce", found.name, "--published"]) == 0
    shown = capsys.readouterr().out
    assert page.split("```text\n")[1].partition("\n```")[0].strip() == shown.strip()
