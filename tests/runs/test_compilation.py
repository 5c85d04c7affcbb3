# SPDX-License-Identifier: Apache-2.0
"""C is compiled by a job: once for all that have it, anew for whatever decides, and refused with
the place of the fault; what comes after it is planned from the Verilog.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from lydite import cli, cores, targets
from lydite.base import InputError, proc
from lydite.cores import Design, load
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.job import Job
from lydite.runs.kinds import apart, compilation
from lydite.runs.kinds.compilation import Compile
from lydite.runs.plan import Settings
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim import build

Replace = Callable[[Path, str, str], None]
C_DESIGN = """
[[design]]
name = "c"
title = "C"
primitives = ["crc32"]
claims.hash = { cycles_per_block = 1, latency_cycles = 1 }
hls = { sources = ["top.c"], top = "top", clock_ns = 10.0, target = "ecp5" }
"""


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


@pytest.fixture
def in_c(crc32: Path) -> Path:
    """Give a core with a design in C, whose headers no list names."""
    path = crc32 / "core.toml"
    path.write_text(path.read_text().partition("[[design]]")[0] + C_DESIGN)
    (crc32 / "top.c").write_text('#include "a.h"\nint top(int x) { return x + A; }\n')
    (crc32 / "a.h").write_text('#include "b.h"\n')
    (crc32 / "b.h").write_text("#define A 1\n")
    return crc32


def design(folder: Path) -> Design:
    [found] = load(folder / "core.toml").designs
    return found


def run(folder: Path, store: Store) -> Record:
    """Give the record of the compilation of a core's C."""
    [record] = execute([Compile(design(folder))], store, parallel=1).values()
    return record


def verilog(folder: Path, store: Store) -> str:
    """Give the digest of the Verilog of a core's C."""
    record = run(folder, store)
    assert record.error == ""
    return build.sources_of(compilation.compiled(design(folder), record, store)).digest


def states(job: Job, store: Store) -> list[str]:
    """Give the states that a job goes through."""
    seen: list[str] = []
    execute([job], store, parallel=1, watch=lambda _, state, __: seen.append(state))
    return seen


def test_a_design_says_in_a_file_of_directives_which_effort_its_c_gets(
    in_c: Path, store: Store, replace: Replace
) -> None:
    """Without a word it is `area`, whatever `lydite hls` makes of the same C."""
    loop = "int top(int n) { for (int i = 0; i < (n & 63); i++) n = n * 5 + i; return n; }\n"
    (in_c / "top.c").write_text(loop)
    plain, key = verilog(in_c, store), Compile(design(in_c)).key
    replace(in_c / "core.toml", 'target = "ecp5" }', 'target = "ecp5", directives = ["d.toml"] }')
    (in_c / "d.toml").write_text('effort = "area"\n')
    assert verilog(in_c, store) == plain
    (in_c / "d.toml").write_text('effort = "speed"\n')
    assert Compile(design(in_c)).key != key
    assert verilog(in_c, store) != plain
    (in_c / "d.toml").write_text('effort = "most"\n')
    record = run(in_c, store)
    assert "d.toml: effort = 'most' is none" in record.error
    assert record.error.endswith("known: area, balanced, speed")


def test_record_has_files_estimate_and_source_digest(in_c: Path, store: Store) -> None:
    record = run(in_c, store)
    assert (record.kind, record.label) == ("compile", "compile top for 10 ns on ecp5")
    assert list(record.result["files"]) == ["top.v"]
    assert record.result["area"]["lut"] > 0
    assert not record.result["warnings"]
    assert {"top.v", "report.json", "request.json", "c/top.c", "c/a.h", "c/b.h"} <= {*record.files}
    head = store.read(record.key, "top.v").decode()
    assert record.result["source_digest"][:16] in head
    assert record.cpu_s > 0 and record.peak_kib > 0


def test_no_place_is_in_what_comes_out(in_c: Path, store: Store, tmp_path: Path) -> None:
    record = run(in_c, store)
    assert str(tmp_path) not in str([record.inputs, record.result])
    for name in ("top.v", "report.json", "request.json"):
        assert str(tmp_path).encode() not in store.read(record.key, name)


def test_second_plan_compiles_nothing(in_c: Path, store: Store) -> None:
    job = Compile(design(in_c))
    assert states(job, store) == ["waiting", "running", "ok"]
    assert states(Compile(design(in_c)), store) == ["stored"]


def test_designs_of_the_same_c_are_compiled_once(in_c: Path, store: Store) -> None:
    path = in_c / "core.toml"
    path.write_text(path.read_text() + C_DESIGN.replace('"c"', '"d"', 1))
    [selection] = cores.select(str(in_c))
    assert len(selection.designs) == 2
    settings = Settings(target=targets.find("ecp5-12k"))
    jobs = plan.compilations([selection, selection], settings)
    other = Settings(target=targets.find("ice40-hx8k"), timeout_s=1)
    assert {job.key for job in (*jobs, *plan.compilations([selection], other))} == {jobs[0].key}
    records = execute(jobs, store, parallel=2)
    assert len(records) == len(store.all()) == 1
    compiled = plan.compiled(selection, records, store)
    assert [each.made for each in compiled.designs] == [compiled.designs[0].made] * 2


def test_what_comes_after_is_planned_from_the_verilog(
    in_c: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(target=targets.find("ecp5-12k"), seeds=1)

    def planned() -> tuple[str, tuple[str, ...]]:
        [selection] = cores.select(str(in_c))
        [job] = plan.compilations([selection], settings)
        made = plan.compiled(selection, execute([job], store, parallel=1), store)
        jobs = plan.bench(made, settings).jobs
        assert [needed.key for needed in jobs[0].needs] == [job.key]
        return job.key, tuple(each.key for each in jobs)

    first, before = planned()
    # Compiled again, with the same hardware: nothing is proven or placed again.
    (in_c / "b.h").write_text("#define A 1  // as it was\n")
    second, after = planned()
    assert (second != first, after == before) == (True, True)
    monkeypatch.setattr(compilation, "compiler", lambda: {"files": "a better one"})
    third, after = planned()
    assert (third not in (first, second), after == before) == (True, True)
    (in_c / "b.h").write_text("#define A 3\n")
    _, after = planned()
    assert not {*after} & {*before}


def test_header_of_c_is_in_the_key(in_c: Path, replace: Replace, store: Store) -> None:
    before = verilog(in_c, store)
    replace(in_c / "b.h", "A 1", "A 3")
    assert verilog(in_c, store) != before


def test_header_that_c_names_by_a_macro_must_be_listed(
    in_c: Path, replace: Replace, store: Store
) -> None:
    replace(in_c / "top.c", '#include "a.h"', '#define H "a.h"\n#include H')
    record = run(in_c, store)
    assert record.exit_code == 2
    assert record.error.startswith(f"{in_c / 'top.c'}: reads {in_c}/a.h, which no source names")
    replace(in_c / "core.toml", "hls = { ", 'hls = { includes = ["a.h"], ')
    assert run(in_c, store).status == "ok"


def test_standard_and_directives_of_c_decide(in_c: Path, replace: Replace, store: Store) -> None:
    text = "int top(int x) { int s = 0; for (int i = 0; i < 4; ++i) s += s ^ x; return s; }\n"
    (in_c / "top.c").write_text(text)
    path = in_c / "more.toml"
    path.write_text('[[directives]]\nloop = "loop_1"\ndirective = "unroll"\n')
    replace(in_c / "core.toml", "hls = { ", 'hls = { directives = ["more.toml"], ')
    unrolled = verilog(in_c, store)
    path.write_text('[[directives]]\nloop = "loop_1"\ndirective = "unroll off"\n')
    assert verilog(in_c, store) != unrolled
    # A comment since C99; before, a division and another comment.
    (in_c / "top.c").write_text("int top(int x) { return x //**/ 2\n; }\n")
    path.write_text("directives = []\n")
    of_default = verilog(in_c, store)
    replace(in_c / "core.toml", "hls = { ", 'hls = { std = "c89", ')
    assert verilog(in_c, store) != of_default


MACRO = """
[[macro]]
function = "product"
module = "product"
sources = ["product.v"]
kind = "pipelined"
latency = 0
inputs = ["a"]
output = "p"
"""


def test_everything_said_of_c_is_in_the_key(in_c: Path) -> None:
    given = design(in_c)
    assert given.hls is not None
    (in_c / "more.toml").write_text("directives = []\n")
    others = {
        "sources": ("a.h",),
        "includes": ("core.toml",),
        "top": "other",
        "clock_ns": 11.0,
        "target": "ice40",
        "defines": {"N": 1},
        "std": "c89",
        "directives": ("more.toml",),
        "macros": ("macros.toml",),
    }
    (in_c / "macros.toml").write_text(MACRO)
    (in_c / "product.v").write_text("")
    keys = {Compile(given).key}
    for name in given.hls.__struct_fields__:
        changed = msgspec.structs.replace(given.hls, **{name: others[name]})
        keys.add(Compile(msgspec.structs.replace(given, hls=changed)).key)
    assert len(keys) == 1 + len(others)
    # The last of them has a macro.
    (in_c / "product.v").write_text("// changed\n")
    assert Compile(msgspec.structs.replace(given, hls=changed)).key not in keys


def test_refusal_is_a_record_and_the_others_go_on(
    in_c: Path, store_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_c / "top.c").write_text("int top(int x) {\n  return x +;\n}\n")
    command = ["bench", str(in_c), "--no-software", "--seeds", "1", "--target", "ice40-hx1k"]
    assert cli.main(command) == 2
    shown = capsys.readouterr()
    assert f"{in_c / 'top.c'}:2: clang: expected expression" in " ".join(shown.out.split())
    assert "failed   compile top for 10 ns on ecp5 (1 of 1" in shown.err
    with Store(store_folder) as store:
        [record] = store.all()
    assert (record.kind, record.status, record.exit_code) == ("compile", "failed", 2)
    assert record.error == f"{in_c / 'top.c'}:2: clang: expected expression"
    assert cli.main([*command, "--json"]) == 2
    [table] = msgspec.json.decode(capsys.readouterr().out)["benches"]
    assert table["hardware"] == []
    assert [(one["label"], one["error"]) for one in table["failures"]] == [
        (record.label, record.error)
    ]


def test_refusal_by_the_compiler_is_the_input_error_that_it_raises(
    in_c: Path, store: Store
) -> None:
    from lydite import hls

    (in_c / "top.c").write_text("float top(float x) { return x * x; }\n")
    options = hls.Options(sources=(in_c / "top.c",), top="top")
    with pytest.raises(InputError) as raised:
        hls.compile(options)
    record = run(in_c, store)
    assert (record.error, record.exit_code) == (str(raised.value), raised.value.exit_code)


def test_defect_of_the_compiler_is_told_as_one(
    in_c: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = proc.run(("python3", "-c", "raise KeyError(1)"))
    monkeypatch.setattr(apart.proc, "run", lambda *_, **__: ran)
    record = run(in_c, store)
    assert record.exit_code == 1
    assert record.error.startswith("defect in Lydite: RuntimeError(")
    assert "KeyError: 1" in record.error


def test_verilog_that_was_changed_in_the_store_is_made_again(in_c: Path, store: Store) -> None:
    record = run(in_c, store)
    path = store.artefacts(record.key) / "top.v"
    text = path.read_text()
    path.write_text(text.replace("a", "b"))  # of the same size
    assert states(Compile(design(in_c)), store) == ["damaged", "waiting", "running", "ok"]
    assert path.read_text() == text


def test_compilation_is_replayed_from_its_artefacts(
    in_c: Path, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_c / "in").mkdir()
    (in_c / "top.c").write_text('#include "in/deep.h"\nint top(int x) { return x + A; }\n')
    (in_c / "in" / "deep.h").write_text('#include "../a.h"\n')
    key = run(in_c, store).key
    away = tmp_path / "away"
    assert cli.main(["show", key, "--replay", str(away)]) == 0
    capsys.readouterr()
    for path in (*in_c.glob("*.[ch]"), in_c / "in" / "deep.h"):
        path.unlink()

    def replay() -> tuple[int, str]:
        env = {**os.environ, "TMPDIR": str(tmp_path)}
        done = subprocess.run([away / "replay.sh"], capture_output=True, text=True, env=env)
        return done.returncode, done.stdout

    assert replay() == (0, "equal: top.v, report.json\n")
    [copy] = away.rglob("b.h")
    copy.write_text("#define A 2\n")
    code, said = replay()
    assert (code, said.splitlines()[0]) == (5, "differs: top.v")


def test_refusal_is_replayed_as_one(
    in_c: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_c / "top.c").write_text("int top(int x) { return x +; }\n")
    key = run(in_c, store).key
    assert cli.main(["show", key, "--replay"]) == 0
    done = subprocess.run(["sh", "-c", capsys.readouterr().out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("equal: it fails as it did:\n")
