# SPDX-License-Identifier: Apache-2.0
"""Other programs are started clean, measured, stopped in time, and leave nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from processes import alive

from lydite.base import ToolFailed, ToolNotFound, proc

# Starts a grandchild, tells both numbers, and waits.
_FAMILY = "sleep 600 & echo $$ $! > pids; wait"


def numbers(folder: Path) -> list[int]:
    """Wait for the file of `_FAMILY` and read it."""
    path = folder / "pids"
    while not path.exists() or len(path.read_text().split()) < 2:
        time.sleep(0.01)
    return [int(text) for text in path.read_text().split()]


def gone(pids: list[int]) -> bool:
    """Wait until killed processes are gone: a kill is not at once."""
    for _ in range(6000):
        if not any(alive(pid) for pid in pids):
            return True
        time.sleep(0.01)
    return False


def test_gives_what_the_program_printed_and_its_status() -> None:
    done = proc.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
    assert (done.rc, done.output, done.argv[0]) == (3, "out\nerr\n", "sh")


def test_measures_processor_time_and_memory_of_children_too() -> None:
    code = "x = b'x' * 100_000_000; sum(range(2_000_000))"
    done = proc.run(["sh", "-c", f'"{sys.executable}" -c "{code}"; true'])
    assert done.peak_kib > 90_000
    assert done.cpu_s > 0
    assert done.wall_s > 0


def test_nothing_is_fed_unless_given() -> None:
    assert proc.run(["cat"]).output == ""
    assert proc.run(["cat"], stdin="fed \u00e9").output == "fed \u00e9"


def test_output_that_is_no_utf8_is_kept_readable() -> None:
    assert proc.run(["printf", r"a\377b"]).output == "a\ufffdb"


def test_runs_in_the_folder_told(tmp_path: Path) -> None:
    assert proc.run(["pwd", "-P"], cwd=tmp_path).output == f"{tmp_path.resolve()}\n"


def test_environment_holds_only_the_whitelist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/of/test")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("YOSYS_NOVERIFIC", "1")
    shown = proc.run([sys.executable, "-c", "import os; print(sorted(os.environ))"], env={"A": "1"})
    names = set(eval(shown.output))
    # Python sets LC_CTYPE for itself in a C locale.
    assert names - {"LC_CTYPE"} <= {*proc.ENVIRONMENT, "A"}
    assert {"A", "HOME", "PATH"} <= names


def test_log_grows_while_the_program_runs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f"echo first; until grep -q first {log}; do sleep 0.01; done; echo second"
    done = proc.run(["sh", "-c", script], log=log, timeout_s=60)
    assert log.read_text() == done.output == "first\nsecond\n"


def test_signal_is_a_negative_status() -> None:
    done = proc.run(["sh", "-c", "kill -SEGV $$"])
    assert done.rc == -signal.SIGSEGV
    with pytest.raises(ToolFailed) as raised:
        done.checked()
    assert str(raised.value) == "sh was killed by signal 11"


def test_checked_gives_the_output_of_a_program_that_did_well() -> None:
    assert proc.run(["echo", "fine"]).checked() == "fine\n"


def test_checked_shows_the_lines_picked_and_the_log(tmp_path: Path) -> None:
    done = proc.run(["sh", "-c", "echo one; echo ERROR two; exit 1"])
    with pytest.raises(ToolFailed) as raised:
        done.checked(log=tmp_path / "log", pick=lambda output: output.splitlines()[1])
    text = f"sh failed with exit status 1\n  ERROR two\n  log: {tmp_path / 'log'}"
    assert str(raised.value) == text


def test_checked_shows_the_last_lines_where_none_are_picked() -> None:
    done = proc.run(
        ["sh", "-c", "i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo $i; done; echo; exit 1"]
    )
    with pytest.raises(ToolFailed) as raised:
        done.checked(pick=lambda output: "")
    assert raised.value.tail.splitlines() == [str(number) for number in range(9, 21)]


def test_missing_program_is_not_found() -> None:
    with pytest.raises(ToolNotFound) as raised:
        proc.run(["no-such-program"])
    text = "no-such-program: cannot be started: No such file or directory\n  run `lydite doctor`"
    assert str(raised.value) == text


def test_file_that_may_not_be_executed_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "tool"
    path.write_text("#!/bin/sh\n")
    with pytest.raises(ToolNotFound) as raised:
        proc.run([str(path)])
    text = f"{path}: cannot be started: Permission denied\n  run `lydite doctor`"
    assert str(raised.value) == text


def test_file_that_is_no_program_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "tool"
    path.write_bytes(b"\x00\x01 of another machine")
    path.chmod(0o755)
    with pytest.raises(ToolNotFound) as raised:
        proc.run([str(path)])
    text = f"{path}: cannot be started: Exec format error\n  run `lydite doctor`"
    assert str(raised.value) == text


def test_time_limit_kills_the_whole_group(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed) as raised:
        proc.run(["sh", "-c", f"echo begun; {_FAMILY}"], cwd=tmp_path, timeout_s=0.5)
    assert raised.value.rc is None
    text = "sh ran past its time limit and was stopped\n  begun"
    assert str(raised.value) == text
    assert gone(numbers(tmp_path))


def test_errors_call_a_tool_by_the_name_given() -> None:
    done = proc.run(["sh", "-c", "exit 1"], name="yosys")
    with pytest.raises(ToolFailed, match=r"^yosys failed with exit status 1$"):
        done.checked()
    with pytest.raises(ToolFailed, match=r"^yosys ran past its time limit and was stopped$"):
        proc.run(["sleep", "600"], timeout_s=0.1, name="yosys")


def test_group_ends_with_its_program(tmp_path: Path) -> None:
    done = proc.run(["sh", "-c", "sleep 600 > /dev/null & echo $$ $! > pids"], cwd=tmp_path)
    assert done.rc == 0
    assert gone(numbers(tmp_path))


def test_kill_all_ends_runs_of_other_threads(tmp_path: Path) -> None:
    ended: list[int] = []
    folders = [tmp_path / "a", tmp_path / "b"]

    def work(folder: Path) -> None:
        ended.append(proc.run(["sh", "-c", _FAMILY], cwd=folder).rc)

    for folder in folders:
        folder.mkdir()
    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    pids = [pid for folder in folders for pid in numbers(folder)]
    proc.kill_all()
    for thread in threads:
        thread.join()
    assert ended == [-signal.SIGKILL, -signal.SIGKILL]
    assert gone(pids)


def test_kill_all_ends_a_run_that_is_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = threading.Event()
    start = subprocess.Popen

    def slowly(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        child: subprocess.Popen[bytes] = start(*arguments, **options)
        started.set()
        time.sleep(0.3)
        return child

    ended: list[int] = []
    monkeypatch.setattr(subprocess, "Popen", slowly)
    thread = threading.Thread(target=lambda: ended.append(proc.run(["sleep", "20"]).rc))
    thread.start()
    assert started.wait(10)
    proc.kill_all()
    thread.join()
    assert ended == [-signal.SIGKILL]


def test_parts_of_ours_are_of_the_package_that_starts_them(tmp_path: Path) -> None:
    """Of one that is found by PYTHONPATH, where another is installed."""
    package = Path(proc.__file__).parents[1]
    shutil.copytree(package / "base", tmp_path / "own" / "lydite" / "base")
    shutil.copy(package / "__init__.py", tmp_path / "own" / "lydite")
    told = "import lydite; print(lydite.__file__)"
    script = (
        f"import sys; from lydite.base import proc; argv = [sys.executable, '-P', '-c', {told!r}]"
    )
    ask = "print(proc.run(argv).output, proc.Dialogue(argv, env={}, name='').ask(''))"
    argv = [sys.executable, "-c", f"{script}; {ask}"]
    path = os.pathsep.join(("", str(tmp_path / "own"), "/nowhere"))
    done = subprocess.run(
        argv, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(tmp_path / "own" / "lydite" / "__init__.py")] * 2


def test_other_places_of_packages_are_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    argv = [sys.executable, "-c", "import os; print('PYTHONPATH' in os.environ)"]
    assert proc.run(argv).output == "False\n"


def test_kill_all_with_nothing_running_does_nothing() -> None:
    proc.kill_all()


def test_interrupt_kills_the_group(tmp_path: Path) -> None:
    script = f"from lydite.base import proc; proc.run(['sh', '-c', {_FAMILY!r}])"
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    pids = numbers(tmp_path)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait() == -signal.SIGINT
    assert gone(pids)


def test_interrupt_just_after_the_start_kills_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def interrupted(*argv: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(*argv, **options))
        numbers(tmp_path)
        os.kill(os.getpid(), signal.SIGINT)
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        proc.run(["sh", "-c", _FAMILY], cwd=tmp_path)
    assert started[0].returncode == -signal.SIGKILL
    assert gone(numbers(tmp_path))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
