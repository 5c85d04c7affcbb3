# SPDX-License-Identifier: Apache-2.0
"""Tools of the system: found by their version, refused where they tell none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.base import ToolFailed, ToolNotFound, proc
from lydite.tools import compiler, nextpnr, verilator, yosys

Fake = Callable[[str, str], Path]


def test_native_yosys_tells_its_version(fake: Fake) -> None:
    path = fake("yosys", "echo 'Yosys 0.33+79 (git sha1 1234567, clang 10)'")
    found = yosys.find(native=True)
    assert (found.argv, found.version, found.origin) == ((str(path),), "0.33+79", "native")
    assert found.identity == {"name": "yosys", "version": "0.33+79", "origin": "native"}


@pytest.mark.parametrize("version", ["nextpnr-0.7-2-g1234", "0.7-2-g1234"])
def test_native_nextpnr_tells_its_version(fake: Fake, version: str) -> None:
    fake("nextpnr-ecp5", f"echo '\"nextpnr-ecp5\" -- Next Generation (Version {version})' >&2")
    assert nextpnr.find("ecp5", native=True).version == "0.7-2-g1234"


def test_missing_tool_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolNotFound) as raised:
        yosys.find(native=True)
    text = "yosys: no yosys on PATH\n  install yosys, or leave out --native"
    assert str(raised.value) == text


@pytest.mark.parametrize(
    ("script", "shown"),
    [("echo 'I am something else'; echo more", "'I am something else'"), ("true", "'nothing'")],
)
def test_tool_that_tells_no_version_is_refused(fake: Fake, script: str, shown: str) -> None:
    path = fake("yosys", script)
    with pytest.raises(ToolNotFound) as raised:
        yosys.find(native=True)
    assert str(raised.value) == (
        f"yosys: {path} --version prints {shown}, not a version\n  reinstall it"
    )


def test_tool_that_cannot_be_executed_is_refused(fake: Fake) -> None:
    path = fake("yosys", "")
    path.write_bytes(b"\x7fELF of another machine")
    with pytest.raises(ToolNotFound) as raised:
        yosys.find(native=True)
    assert str(raised.value) == (
        "yosys: cannot be started: Exec format error\n  run `lydite doctor`"
    )


def test_tool_that_hangs_when_asked_its_version_is_stopped(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake("yosys", "sleep 600")
    monkeypatch.setattr("lydite.tools.tool.TIMEOUT_S", 0.2)
    with pytest.raises(ToolFailed) as raised:
        yosys.find(native=True)
    assert str(raised.value) == "yosys ran past its time limit and was stopped"


def test_broken_compiler_is_not_chosen(fake: Fake) -> None:
    fake("gcc", "echo 'gcc: no input' >&2; exit 1")
    fake("clang", "exit 1")
    assert compiler.find("c").name == "zig cc"
    assert [tool.name for tool in compiler.all_found("c")] == ["zig cc"]


def test_wheels_compiler_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert [tool.origin for tool in compiler.all_found("c++")] == ["wheel ziglang"]
    assert compiler.find("c++") == compiler.zig("c++")


def test_zig_is_recorded_as_any_machine_can_start_it() -> None:
    assert Path(compiler.zig("c").argv[0]).name == "zig"
    by_package = (sys.executable, "-m", "ziglang", "cc", "-c", "a.c")
    assert compiler.portable((*compiler.zig("c").argv, "-c", "a.c")) == by_package
    assert proc.run([*by_package[:4], "--version"]).output.startswith("clang version")
    assert compiler.portable(("/usr/bin/gcc", "-c")) == ("/usr/bin/gcc", "-c")


def test_compilers_version_is_its_first_line(fake: Fake) -> None:
    script = 'case "$1" in --version) echo "gcc  (Debian 12.2.0-14) 12.2.0"; echo more;; esac'
    fake("gcc", script)
    assert compiler.find("c").version == "gcc (Debian 12.2.0-14) 12.2.0"


def test_compilers_errors_are_picked() -> None:
    output = "In file included from a.c:1:\na.c:3:9: error: x\na.c:4: warning: y\n  3 | z\n"
    assert compiler.errors(output) == "a.c:3:9: error: x"
    many = "\n".join(f"a.c:{i}: error: x" for i in range(20))
    assert len(compiler.errors(many).splitlines()) == 8


def test_native_verilator_tells_its_root(fake: Fake) -> None:
    fake(
        "verilator",
        'case "$1" in --version) echo "Verilator 5.006 2023-01-22 rev 0";; *) echo /root/of;; esac',
    )
    found = verilator.find(native=True)
    assert (found.version, found.env) == ("5.006", {"VERILATOR_ROOT": "/root/of"})
    assert verilator.include_folder(found) == Path("/root/of/include")


def test_verilators_errors_are_picked() -> None:
    output = (
        "%Warning-WIDTH: a.v:1:2: x\n"
        "%Error: a.v:3:1: syntax error, unexpected endmodule\n"
        "%Error-PINMISSING: a.v:4:1: pin\n"
        "        ... See the manual at https://verilator.org\n"
        "%Error: Exiting due to 2 error(s)\n"
    )
    assert verilator.errors(output) == (
        "%Error: a.v:3:1: syntax error, unexpected endmodule\n%Error-PINMISSING: a.v:4:1: pin"
    )


def test_verilators_command_gives_parameters_in_order() -> None:
    tool = verilator.find()
    command = verilator.lint_command(tool, ["a.v"], "top", {"W": 3, "D": -1})
    assert command == (
        *(*tool.argv, "--lint-only", "-Wall", "--top-module", "top", "-GD=-1", "-GW=3", "a.v"),
    )
