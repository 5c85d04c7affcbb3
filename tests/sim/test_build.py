# SPDX-License-Identifier: Apache-2.0
"""Models are built once for equal content, and are whole or absent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lydite.base import InputError, ToolFailed, proc
from lydite.sim import build
from lydite.sim.build import Sources, build_model
from lydite.tools import compiler, verilator

VERILOG = "module top (input clk, output reg q);\nalways @(posedge clk) q <= ~q;\nendmodule\n"
HARNESS = '#include "model.h"\nextern "C" int answer() { return ANSWER; }\n'
ASKED = """#include "model.h"
extern "C" int answer() {
  VerilatedContext context;
  LYDITE_MODEL model(&context);
  model.a = 3;
  model.eval();
  return model.q;
}
void vl_fatal(const char *, int, const char *, const char *) {}
void vl_stop(const char *, int, const char *) {}
void vl_finish(const char *, int, const char *) {}
"""


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    # Another text in every test, so that no cache has it.
    (tmp_path / "top.v").write_text(f"{VERILOG}// {tmp_path}\n")
    (tmp_path / "harness.cpp").write_text(HARNESS)
    return Sources(files={"top.v": tmp_path / "top.v"}, top="top", parameters={})


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give a list that takes the names of all tools that are run."""
    names: list[str] = []
    real = proc.run

    def counted(argv: object, **options: object) -> object:
        names.append(str(options.get("name", "")))
        return real(argv, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(proc, "run", counted)
    return names


def made(sources: Sources, defines: Mapping[str, str], **options: object) -> Path:
    harness = sources.files["top.v"].with_name("harness.cpp")
    return build_model(sources, harness, defines=defines, **options)  # type: ignore[arg-type]


def test_equal_content_is_built_once(sources: Sources, runs: list[str]) -> None:
    first = made(sources, {"ANSWER": "101"})
    assert "verilator" in runs
    runs.clear()
    copy = sources.files["top.v"].with_name("copy.v")
    copy.write_bytes(sources.files["top.v"].read_bytes())
    again = Sources(files={"top.v": copy}, top="top", parameters={})
    assert made(again, {"ANSWER": "101"}) == first
    assert "verilator" not in runs


def test_models_are_linked_where_they_are_made(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a folder above its own Zig would build its library of C++ once more."""
    folders = []
    real = proc.run

    def seen(argv: Sequence[str], **options: Any) -> proc.Completed:
        if "-shared" in argv:
            folders.append(options.get("cwd"))
        return real(argv, **options)

    monkeypatch.setattr(proc, "run", seen)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LYDITE_CACHE", "cache")
    library = made(sources, {"ANSWER": "3"})
    assert library.is_absolute()
    assert [folder.parent for folder in folders] == [tmp_path / "cache" / "models"]


def test_who_comes_second_waits_for_the_first(sources: Sources, runs: list[str]) -> None:
    made(sources, {"ANSWER": "1"})
    runs.clear()
    with ThreadPoolExecutor() as pool:
        libraries = list(pool.map(lambda _: made(sources, {"ANSWER": "102"}), range(3)))
    assert len(set(libraries)) == 1
    assert runs.count("verilator") == 1


def test_header_compiled_ahead_is_made_again_when_it_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A header of one line takes no time.
    monkeypatch.setattr(build, "_HEADER", "#include <stdint.h>\n")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    tools = verilator.find(), compiler.find("c++")
    (tmp_path / "all.cpp").write_text("int32_t seven() { return 7; }\n")
    header = build._header(*tools, ("-O0",))
    compiled = header.with_name(f"{header.name}.gch")
    before = compiled.stat().st_mtime_ns
    assert build._header(*tools, ("-O0",)) == header
    build._compile(*tools, ("-O0",), tmp_path, header=header)
    assert compiled.stat().st_mtime_ns == before
    if tools[1].name != "g++":  # which looks at no times
        header.write_text("#include <stdint.h>\n#define CHANGED\n")
        build._compile(*tools, ("-O0",), tmp_path, header=header)
        assert not compiled.exists()
        assert build._header(*tools, ("-O0",)) == header
        assert compiled.exists()


def test_any_change_is_another_model(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_translate", lambda *_, **__: None)
    monkeypatch.setattr(build, "_compile", lambda *_, **__: None)
    monkeypatch.setattr(build, "_header", lambda *_, **__: Path())
    monkeypatch.setattr(build, "_runtime", lambda *_, **__: [])
    seen: set[str] = set()

    def fake(argv: list[str], **_: object) -> proc.Completed:
        Path(argv[argv.index("-o") + 1]).write_bytes(b"")
        return proc.Completed(tuple(argv), 0, "", 0.0, 0.0, 0)

    real = proc.run
    monkeypatch.setattr(
        proc, "run", lambda argv, **o: fake(argv, **o) if "-shared" in argv else real(argv, **o)
    )

    def enter(changed: Sources, answer: str = "1", **options: object) -> None:
        seen.add(made(changed, {"ANSWER": answer}, **options).name)

    enter(sources)
    enter(sources, answer="2")
    enter(sources, effort="long")
    enter(sources, trace=True)
    enter(Sources(files=sources.files, top="other", parameters={}))
    enter(Sources(files=sources.files, top="top", parameters={"W": 1}))
    enter(
        Sources(
            files={"renamed.v": sources.files["top.v"]} | dict(sources.files),
            top="top",
            parameters={},
        )
    )
    sources.files["top.v"].write_text(VERILOG + "\n")
    enter(sources)
    assert len(seen) == 8


def test_files_that_are_no_verilog_are_there_to_be_included(sources: Sources) -> None:
    folder = sources.files["top.v"].parent
    (folder / "top.v").write_text(
        '`include "width.vh"\n' + VERILOG.replace("reg q", "reg `WIDTH q")
    )
    (folder / "width.vh").write_text("`define WIDTH [1:0]\n")
    files = {name: folder / name for name in ("width.vh", "top.v")}
    assert made(Sources(files=files, top="top", parameters={}), {"ANSWER": "1"}).exists()


def test_models_in_one_process_have_their_own_constants(tmp_path: Path) -> None:
    answers = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        rows = ", ".join(f"8'd{number}" for _ in range(256))
        (folder / "top.sv").write_text(
            "module top (input [7:0] a, output [7:0] q);\n"
            f"localparam [7:0] T [0:255] = '{{{rows}}};\nassign q = T[a];\nendmodule\n"
        )
        (folder / "harness.cpp").write_text(ASKED)
        sources = Sources(files={"top.sv": folder / "top.sv"}, top="top", parameters={})
        library = build_model(sources, folder / "harness.cpp", defines={})
        answers.append(ctypes.CDLL(str(library)).answer())
    assert answers == [1, 2]


@pytest.mark.parametrize("shift", ["<<", ">>"])
def test_shift_of_a_shift_goes_as_far_as_both(sources: Sources, shift: str) -> None:
    """By 3 and 3, which is 6; in the two bits of each that would be 2."""
    sources.files["top.v"].write_text(
        "module top (input [1:0] a, output [7:0] q);\n"
        f"assign q = (8'h18 {shift} a) {shift} a;\nendmodule\n"
    )
    sources.files["top.v"].with_name("harness.cpp").write_text(ASKED)
    assert ctypes.CDLL(str(made(sources, {}))).answer() == 0


def test_compilers_error_is_shown(sources: Sources) -> None:
    harness = sources.files["top.v"].with_name("harness.cpp")
    with pytest.raises(ToolFailed) as raised:
        made(sources, {})
    assert raised.value.tail.startswith(f"{harness}:2:34: error: ")


def test_file_in_place_of_the_cache_is_refused(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(InputError) as raised:
        made(sources, {"ANSWER": "1"})
    assert str(raised.value).startswith(f"{tmp_path / 'cache'}")
    assert ": cannot write: Not a directory" in str(raised.value)


def test_kill_leaves_no_half_model(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(sources, {"ANSWER": "1"})  # the runtime is there from now on
    script = (
        "import sys\nfrom pathlib import Path\nfrom lydite.sim.build import *\n"
        "folder = Path(sys.argv[1])\n"
        "sources = Sources(files={'top.v': folder / 'top.v'}, top='top', parameters={})\n"
        "print(build_model(sources, folder / 'harness.cpp', defines={'ANSWER': '7'}))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    models = build.cache_folder() / "models"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while not list(models.glob(".build-*/all.cpp")) and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    # Other tests build models there at the same time.
    left = set(models.glob("*.so"))
    pair = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    [first, second] = [one.communicate()[0] for one in pair]
    assert first == second
    assert Path(first.strip()).exists()
    assert Path(first.strip()) not in left


def test_digest_of_a_harness_made_for_a_design_has_the_headers(tmp_path: Path) -> None:
    headers = tmp_path / "native"
    headers.mkdir()
    (headers / "ports.h").write_text("// one\n")
    (tmp_path / "made.cpp").write_text('#include "ports.h"\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "NATIVE", headers)
        first = build.digest_of_harness(tmp_path / "made.cpp")
        (headers / "ports.h").write_text("// two\n")
        assert build.digest_of_harness(tmp_path / "made.cpp") != first
