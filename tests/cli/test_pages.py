# SPDX-License-Identifier: Apache-2.0
"""`--html` and `--latex`: files beside what is printed, refused before any work where they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.base import proc
from lydite.cli import main, pages, parser, running

Capture = pytest.CaptureFixture[str]
QUICK = ("--target", "ice40-hx1k", "--seeds", "2", "--no-software")


def line(*argv: str) -> list[str]:
    return pages.command_line(parser().parse_args(argv))


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*argv: object, **options: object) -> None:
        raise AssertionError(f"work was begun: {argv}")

    monkeypatch.setattr(proc, "run", refuse)
    monkeypatch.setattr(running, "open_store", refuse)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("option", ["--html", "--latex"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "{path}: is a folder, not a file\n  name a file in it"),
        ("file/page", "{path}: cannot write: Not a directory"),
        ("file/deep/page", "{path}: cannot write: Not a directory"),
        ("device", "{path}: is no plain file"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_at_once(
    option: str, name: str, message: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "device").symlink_to("/dev/null")
    path = tmp_path / name
    assert main(["bench", "sha3-256", option, str(path)]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"lydite: {message.format(path=path)}\n")


@pytest.mark.usefixtures("no_work")
def test_one_file_cannot_be_both(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a"
    argv = ["--html", str(path), "--latex", str(tmp_path / "b" / ".." / "a")]
    assert main(["bench", "sha3-256", *argv]) == 2
    assert capsys.readouterr().err == f"lydite: {path}: is the file of both --html and --latex\n"


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("file", "{path}: is no folder\n  --plots writes several files"),
        ("file/plots", "{path}/figure.svg: cannot write: Not a directory"),
    ],
)
def test_a_folder_of_plots_that_cannot_be_is_refused_at_once(
    name: str, message: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / name
    assert main(["bench", "sha3-256", "--plots", str(path)]) == 2
    assert capsys.readouterr().err == f"lydite: {message.format(path=path)}\n"


def test_a_refused_run_leaves_nothing(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "new" / "page.html"
    assert main(["bench", "no-such", "--html", str(path)]) == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ("bench sha3-256", "lydite bench sha3-256"),
        ("bench sha3-256 --json --jobs 7 --html a --latex=b --store c", "lydite bench sha3-256"),
        ("bench sha3-256 --seeds 3", "lydite bench sha3-256"),
        ("bench --seed 5 sha3-256/rtl", "lydite bench sha3-256/rtl --seeds=5"),
        (
            "bench a --map-ns 4 --all --synth-option=-dff --synth-option=-x --csv seeds",
            "lydite bench a --all --map-ns=4.0 --synth-option=-dff --synth-option=-x",
        ),
    ],
)
def test_the_command_is_that_of_the_figures(argv: str, words: str) -> None:
    assert line(*argv.split()) == words.split()
    # And is one that can be given.
    again = line(*words.split()[1:])
    assert again == words.split()


def test_pages_of_a_bench(
    crc32: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "crc32", *QUICK]) == 0
    plain = capsys.readouterr()
    first = ["--html", "out/a.html", "--latex", "out/a.tex", "--plots", "out/plots"]
    assert main(["bench", "crc32", *QUICK, *first]) == 0
    shown = capsys.readouterr()
    assert shown.out == plain.out
    assert shown.err == ("written: out/a.html\nwritten: out/a.tex\nwritten: out/plots: 4 files\n")
    assert len([*Path("out/plots").glob("*.svg")]) == len([*Path("out/plots").glob("*.png")]) == 2
    # From the store, elsewhere, in another form: the same files.
    assert main(["bench", "crc32", *QUICK, "--json", "--html", "b.html", "--latex", "b.tex"]) == 0
    capsys.readouterr()
    for suffix in ("html", "tex"):
        one, other = Path(f"out/a.{suffix}"), Path(f"b.{suffix}")
        assert one.read_bytes() == other.read_bytes()
        assert one.stat().st_mode & 0o777 == 0o644
        text = one.read_text()
        assert str(tmp_path) not in text
        assert "lydite bench crc32 --target=ice40-hx1k --seeds=2 --no-software" in text
    assert main(["list", "runs", "--csv"]) == 0
    page, paper = Path("b.html").read_text(), Path("b.tex").read_text()
    for row in capsys.readouterr().out.splitlines()[1:]:
        key = row.partition(",")[0]
        assert f'id="run-{key}"' in page
        assert f"lydite show {key} --replay | sh" in page
        assert key in paper
