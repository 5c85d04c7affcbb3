# SPDX-License-Identifier: Apache-2.0
"""`lydite hls --directives`: a file of directives reaches the compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli import main

SOURCE = """int f(const int a[16]) {
  int s = 0;
sum:
  for (int i = 0; i < 16; i++) s += a[i];
  return s;
}
"""


def run(folder: Path, directives: str) -> int:
    (folder / "f.c").write_text(SOURCE)
    (folder / "d.toml").write_text(directives)
    out = ["--out", str(folder / "out"), "--no-cosim", "--directives", str(folder / "d.toml")]
    return main(["hls", str(folder / "f.c"), "--top", "f", *out])


def test_a_file_of_directives_changes_the_ports(tmp_path: Path) -> None:
    text = '[[directives]]\nvariable = "a"\ndirective = "array_partition cyclic factor=2"\n'
    assert run(tmp_path, text) == 0
    assert "a_1_address0" in (tmp_path / "out" / "f.v").read_text()


def test_a_place_that_does_not_exist_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, '[[directives]]\nloop = "som"\ndirective = "unroll"\n') == 2
    message = capsys.readouterr().err
    assert f"{tmp_path}/d.toml: entry 1: there is no loop som in f" in message
    assert "known: sum" in message


def test_macros_are_defined_and_forgotten(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text("#ifdef __x86_64__\n#error A\n#endif\nint f(int n) { return n + B; }\n")
    out = ["--out", str(tmp_path / "out"), "--no-cosim", "-U", "__x86_64__", "-DB=3"]
    assert main(["hls", str(source), "--top", "f", *out]) == 0


def test_effort_is_balanced_unless_the_command_or_a_file_says_another(tmp_path: Path) -> None:
    source, file = tmp_path / "f.c", tmp_path / "effort.toml"
    source.write_text(SOURCE.replace("16", "160"))
    file.write_text('effort = "area"\n')

    def made(*arguments: str) -> str:
        out = tmp_path / "out"
        given = ["--top", "f", "--no-cosim", "--out", str(out), *arguments]
        assert main(["hls", str(source), *given]) == 0
        return (out / "f.v").read_text()

    plain, best = made("--effort", "area"), made()
    assert plain != best
    assert made("--effort", "balanced") == best
    assert made("--directives", str(file)) == plain
    assert made("--directives", str(file), "--effort", "balanced") == best


def test_an_effort_that_is_none_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["hls", str(tmp_path / "f.c"), "--top", "f", "--effort", "most"])
    assert caught.value.code == 2
    assert "argument --effort: invalid choice: 'most'" in capsys.readouterr().err
    assert run(tmp_path, 'effort = "most"\n') == 2
    message = capsys.readouterr().err
    assert f"{tmp_path}/d.toml: effort = 'most' is none\n  known: area" in message


def test_files_are_named_while_they_are_few(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "f.c", tmp_path / "out"
    source.write_text(
        "int f(int at, int value) { static int b[1024]; b[at & 1023] = value; "
        "return b[value & 1023]; }\n"
    )

    def written(*arguments: str) -> str:
        given = ["--top", "f", "--no-cosim", "--out", str(out), *arguments]
        assert main(["hls", str(source), *given]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        return shown.partition("written: ")[2].partition(" not co-simulated")[0]

    assert written() == f"{out}/f.v, {out}/f_f_b.v"
    many = tmp_path / "d.toml"
    many.write_text(
        '[[directives]]\nvariable = "b"\ndirective = "array_partition cyclic factor=16"\n'
    )
    assert written("--directives", str(many)) == f"{out}: 17 files"
