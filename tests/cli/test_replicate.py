# SPDX-License-Identifier: Apache-2.0
"""`lydite bundle` and `replicate`: what is said first, what is run, and how it is compared."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lydite.base import digest, files
from lydite.cli import main
from lydite.runs.record import Record
from lydite.runs.reruns import bundle, replica
from lydite.runs.store import Store
from lydite.tools import yosys

Capture = pytest.CaptureFixture[str]
A, B, C = ("a" * 64, "b" * 64, "c" * 64)
# A tool that maps: it writes what Yosys would, and leaves a mark where it was run.
TOOL = """
import json, pathlib, sys
pathlib.Path(sys.argv[1]).open("a").write(sys.argv[2] + "\\n")
if sys.argv[2] == "fails":
    sys.exit("the tool is ill")
netlist = pathlib.Path("cells.txt").read_text()
pathlib.Path("netlist.json").write_text(f'"/here/share/ecp5/cells.v:1|design.v:2": "{netlist}"')
cells = {"num_cells_by_type": {"LUT4": int(pathlib.Path("design.v").read_text()), "FF": 2}}
modules = {"lydite_measure": {"num_cells_by_type": {"core": 1}}, "core": cells}
pathlib.Path("stat.json").write_text(json.dumps({"modules": modules}))
"""
OUTPUTS = (yosys.NETLIST_FILE, yosys.STAT_FILE)


def put(
    store: Store,
    key: str,
    mark: Path,
    word: str,
    *,
    luts: int = 7,
    netlist: str = "a netlist",
    **values: Any,
) -> None:
    """Put a run of the tool; `luts` and `netlist` are what its sources say, the record always has 7
    and a netlist, by a Yosys in another folder.
    """
    cells = {"num_cells_by_type": {"LUT4": 7, "FF": 2}}
    with store.work_folder() as work:
        (work / "design.v").write_text(f"{luts}")
        (work / "cells.txt").write_text(netlist)
        named = "/their/own/share/ecp5/cells.v:1|design.v:2"
        (work / "netlist.json").write_text(f'"{named}": "a netlist"')
        modules = {"lydite_measure": {"num_cells_by_type": {"core": 1}}, "core": cells}
        (work / "stat.json").write_text(json.dumps({"modules": modules}))
        kept = files.contents(work)
        store.keep(key, work)
    digest_of_netlist = kept["netlist.json"][1]
    tool = {"name": "yosys", "version": "0.70", "origin": "wheel pyosys"}
    fields = {
        "inputs": {"tools": [tool], "mixed_clocks": False, "cells": {"LUT4": {"lut4": "1"}}},
        "result": {
            "area": {"lut4": 7.0},
            "cells": {"LUT4": 7, "FF": 2},
            "netlist_sha256": digest_of_netlist,
        },
        "commands": (("python", "-c", TOOL, str(mark), word),),
        "label": f"synthesis {word} on ice40-hx1k",
        "machine": "a processor, 2 processors",
        "lydite": "0.1.0",
        **values,
    }
    store.put(Record(key=key, kind="synthesis", status="ok", files=kept, **fields))


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Give the file that tells which tools were run."""
    return tmp_path / "mark"


@pytest.fixture
def pack(mark: Path, tmp_path: Path) -> Callable[..., Path]:
    """Give a function that fills a laboratory's store and packs all of it."""

    def _pack(**runs: dict[str, Any]) -> Path:
        folder, path = tmp_path / "theirs", tmp_path / "a.zip"
        with Store(folder) as store:
            for key, (word, values) in zip((A, B, C), runs.items(), strict=False):
                put(store, key, mark, word, **values)
        assert main(["bundle", "--kind", "synthesis", "-o", str(path), "--store", str(folder)]) == 0
        return path

    return _pack


def rows(capsys: Capture, *command: str, code: int = 0) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["replicate", *command, "--json"]) == code
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
    return found


def test_equal_runs_are_said_to_be_and_run_once(
    pack: Callable[..., Path], mark: Path, capsys: Capture
) -> None:
    path = str(pack(one={}, two={}))
    found = rows(capsys, path, "--yes")
    assert [(row["key"], row["verdict"], row["differences"]) for row in found] == [
        (A, "equal", []),
        (B, "equal", []),
    ]
    assert sorted(mark.read_text().split()) == ["one", "two"]
    # The same command goes on where it was: nothing is left to be run, nor to be asked.
    assert rows(capsys, path) == found
    assert sorted(mark.read_text().split()) == ["one", "two"]
    assert main(["replicate", path]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("\n2 equal\n")
    assert "has code" not in shown.err


def test_what_was_made_again_before_a_kill_is_not_made_twice(
    pack: Callable[..., Path], mark: Path, capsys: Capture
) -> None:
    path = str(pack(one={}, two={}))
    rows(capsys, path, "--yes", "--only", "aaaa")
    assert mark.read_text() == "one\n"
    assert [row["verdict"] for row in rows(capsys, path, "--yes")] == ["equal", "equal"]
    assert mark.read_text() == "one\ntwo\n"


def test_difference_is_told_with_both_values(pack: Callable[..., Path], capsys: Capture) -> None:
    path = str(pack(one={"luts": 9}, two={}))
    first, second = rows(capsys, path, "--yes", code=5)
    assert (first["verdict"], second["verdict"]) == ("differs", "equal")
    stat, area, lut = first["differences"]
    assert (stat["field"], stat["before"] == stat["now"]) == ("stat.json", False)
    assert lut == {"field": "cells.LUT4", "before": 7, "now": 9}
    assert area == {"field": "area.lut4", "before": 7.0, "now": 9.0}
    assert main(["replicate", path]) == 5
    shown = " ".join(capsys.readouterr().out.split())
    assert "cells.LUT4: 7, here 9" in shown
    assert shown.endswith("1 differs, 1 equal")


def test_netlist_differs_in_more_than_where_yosys_is(
    pack: Callable[..., Path], capsys: Capture
) -> None:
    path = str(pack(one={"netlist": "another netlist"}, two={}))
    first, second = rows(capsys, path, "--yes", code=5)
    assert [one["field"] for one in first["differences"]] == ["netlist.json"]
    assert (second["verdict"], second["differences"]) == ("equal", [])


def test_tool_that_fails_is_no_difference(
    pack: Callable[..., Path], mark: Path, capsys: Capture
) -> None:
    path = str(pack(fails={}, two={}))
    first, second = rows(capsys, path, "--yes", code=4)
    assert (first["verdict"], second["verdict"]) == ("failed", "equal")
    assert "the tool is ill" in first["told"]
    # It is tried again when asked again.
    rows(capsys, path, "--yes", code=4)
    assert sorted(mark.read_text().split()) == ["fails", "fails", "two"]


def test_other_versions_of_tools_are_said_first(pack: Callable[..., Path], capsys: Capture) -> None:
    tools = [
        {"name": "yosys", "version": "0.1", "origin": "wheel pyosys"},
        {"name": "no-such-tool", "version": "3", "origin": "native"},
    ]
    path = str(pack(one={"inputs": {"tools": tools, "cells": {"LUT4": {"lut4": "1"}}}}))
    capsys.readouterr()
    assert main(["replicate", path, "--yes"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "Other versions of tools here"
    here = replica.here(Record(key=A, kind="", label="", status="ok", inputs={"tools": tools[:1]},
                               result={}))  # fmt: skip
    assert f"yosys 0.1 (wheel pyosys) {here['yosys']}" in lines
    assert "no-such-tool 3 (native) missing" in lines
    assert lines.index("Made again") > lines.index("no-such-tool 3 (native) missing")


def test_nothing_is_run_without_a_yes(
    pack: Callable[..., Path], mark: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(pack(one={}))
    capsys.readouterr()
    assert main(["replicate", path]) == 2
    shown = capsys.readouterr().err
    assert shown.splitlines()[1:] == [
        shown.splitlines()[1],
        f"{path} has code that would be run here, with all your rights:",
        "  1 synthesis",
        "  programs named by its records: python",
        "  Verilog, simulated as a compiled program, or mapped: design.v",
        f"lydite: {path}: nothing is run without a yes",
        "  --yes runs it, --published shows its results; `unzip` lets you read it first",
    ]
    for answer, code in (("", 2), ("no\n", 2), ("y\n", 0)):
        typed = io.StringIO(answer)
        monkeypatch.setattr(typed, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", typed)
        assert not mark.exists()
        assert main(["replicate", path]) == code
    assert mark.read_text() == "one\n"


def test_published_results_are_shown_and_nothing_is_run(
    pack: Callable[..., Path], mark: Path, store_folder: Path, capsys: Capture
) -> None:
    path = str(pack(one={}))
    capsys.readouterr()
    assert main(["replicate", path, "--published"]) == 0
    shown = capsys.readouterr().out
    assert "one on ice40-hx1k   7 LUT4" in shown
    assert "tools: yosys 0.70 (wheel pyosys)\nmachines: a processor, 2 processors\n" in shown
    assert main(["replicate", path, "--published", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["records"][0]["result"]["area"] == {"lut4": 7.0}
    assert found["bundle"] == bundle.read(Path(path)).digest
    assert main(["replicate", path, "--published", "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"{A[:12]},synthesis,ok,")
    assert not mark.exists()
    assert not store_folder.exists()


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("implementation", "no script for a run of the kind implementation: it needs Vivado"),
        ("of-tomorrow", "no script for a run of the kind of-tomorrow: this Lydite does not know"),
        ("sizes", "it was made by an older Lydite, which kept no cores/ with it"),
        ("messages", "it rests on a run of the kind verify, which is not there"),
    ],
)
def test_run_without_a_script_is_told(tmp_path: Path, capsys: Capture, kind: str, why: str) -> None:
    theirs, path = tmp_path / "theirs", tmp_path / "a.zip"
    with Store(theirs) as store, store.work_folder() as work:
        store.keep(A, work)
        fields = {"status": "ok", "inputs": {}, "result": {}}
        store.put(Record(key=A, kind=kind, label="x", **fields))  # type: ignore
    assert main(["bundle", "aaaa", "-o", str(path), "--store", str(theirs)]) == 0
    told = capsys.readouterr().out
    assert f"its result alone: x: {why}" in told
    [row] = rows(capsys, str(path))
    assert row["verdict"] == "not run"
    assert row["told"].startswith(why)


def test_damaged_bundle_is_bad_input(pack: Callable[..., Path], capsys: Capture) -> None:
    path = pack(one={})
    capsys.readouterr()
    with zipfile.ZipFile(path) as archive:
        comment = archive.comment
    path.write_bytes(path.read_bytes().replace(comment, b"x" * len(comment)))
    assert main(["replicate", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"lydite: {path}: is no bundle, or not all of it: it is an archive of another kind\n"
        "  fetch it again, or have it packed again\n"
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("bundle", "KEY: no runs are named"),
        ("bundle aa --kind verify", "KEY: keys and filters exclude each other"),
        ("bundle --kind nothing", "bundle: no run is of that kind"),
        ("bundle beef", "KEY: no run with key 'beef'"),
        ("bundle aa -o /proc/x/y", "/proc/x/y: cannot write: "),
        ("replicate gone.zip", "gone.zip: there is no such file"),
        ("replicate gone.zip --jobs 0", "--jobs: must be at least 1, not 0"),
    ],
)
def test_bad_input_is_told(
    mark: Path, store_folder: Path, capsys: Capture, command: str, message: str
) -> None:
    with Store(store_folder) as store:
        put(store, A, mark, "one")
    assert main(command.split()) == 2
    assert capsys.readouterr().err.startswith(f"lydite: {message}")


def test_unknown_run_of_a_bundle_is_told(pack: Callable[..., Path], capsys: Capture) -> None:
    path = str(pack(one={}))
    assert main(["replicate", path, "--only", "77"]) == 2
    assert capsys.readouterr().err.endswith("--only: no run of the bundle has the key '77'\n")


def test_replica_of_another_record_is_another_run(pack: Callable[..., Path]) -> None:
    # Somebody who publishes other figures under the same key is not believed for the first's.
    found = bundle.read(pack(one={}))
    record = found.get(A)
    assert record is not None
    other = {"area": {"lut4": 6.0}}
    changed = Record(**{**{n: getattr(record, n) for n in record.__struct_fields__},
                        "result": other})  # fmt: skip
    keys = [replica.replica(found, one, Path(), 1.0).key for one in (record, changed)]
    assert keys[0] != keys[1]
    assert all(len(key) == len(digest.of_bytes(b"")) for key in keys)
