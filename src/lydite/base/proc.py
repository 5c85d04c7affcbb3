# SPDX-License-Identifier: Apache-2.0
"""The only place that starts other programs.

A program runs in a process group of its own, with a whitelisted environment, a time limit, a log
file with all it prints, and its resources measured. However `run` is left, by return, error or
interrupt, the group is gone. Interrupts reach only the main thread: it calls `kill_all`, and every
`run` in another thread then ends with ToolFailed.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from lydite.base.errors import ToolFailed, ToolNotFound

# What tools need to find their files, their language and their temporary folder. Anything else of
# the user's environment could change a result without standing in its record.
ENVIRONMENT = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "PATH",
    "SYSTEMROOT",
    "TMPDIR",
    "USER",
    "XDG_CACHE_HOME",
    "YOWASP_CACHE_DIR",
    "ZIG_GLOBAL_CACHE_DIR",
)
# Where this package is. If that is known by PYTHONPATH alone, parts of ours that run as programs of
# their own are found so, too: else they would be those of another Lydite that is installed.
_ROOT = Path(__file__).resolve().parents[2]

# Programs that run, and the threads that started them.
_live: dict[subprocess.Popen[bytes], int] = {}
_live_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Completed:
    """A program that ran to its end.

    Attributes
    ----------
    argv : tuple of str
        The command.
    rc : int
        Exit status, or minus the signal that killed it.
    output : str
        All that it printed, stdout and stderr as they came.
    wall_s, cpu_s : float
        Elapsed seconds, and processor seconds (user and system) of the program and its children.
    peak_kib : int
        The largest resident set of any one process of it, in KiB.
    name : str
        What errors call it.
    """

    argv: tuple[str, ...]
    rc: int
    output: str
    wall_s: float
    cpu_s: float
    peak_kib: int
    name: str = ""

    def checked(self, *, log: Path | None = None, pick: Callable[[str], str] | None = None) -> str:
        """Give the output, or raise ToolFailed if the exit status is not 0.

        Parameters
        ----------
        log : Path, optional
            Log file to name in the error.
        pick : callable, optional
            Picks the lines that matter out of the output; the last 12 by default.
        """
        if self.rc != 0:
            tail = (pick(self.output) if pick else "") or last_lines(self.output)
            raise ToolFailed(self.argv, self.rc, log=log, tail=tail, name=self.name)
        return self.output


def last_lines(text: str, count: int = 12) -> str:
    """Give the last lines of a text that are not blank."""
    return "\n".join([line for line in text.splitlines() if line.strip()][-count:])


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    timeout_s: float | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    stdin: str | None = None,
    name: str = "",
    keep_bytes: int | None = None,
) -> Completed:
    """Run a program to its end and give what it printed and used.

    Parameters
    ----------
    argv : sequence of str
        Program and arguments; no shell is involved.
    cwd : Path, optional
        Folder to run in.
    timeout_s : float, optional
        Seconds after which the whole group is killed.
    env : mapping, optional
        Variables set on top of the whitelisted ones.
    log : Path, optional
        File that receives the output while the program runs.
    stdin : str, optional
        Text to feed; nothing by default.
    name : str
        What errors call it, where the program's base name would not say.
    keep_bytes : int, optional
        Give only so many bytes of its output, the last ones.

    Raises
    ------
    ToolNotFound
        The program does not exist or may not be executed.
    ToolFailed
        It ran past `timeout_s` (`rc` is None).
    """
    argv = tuple(argv)
    environment = {**_environment(), **(env or {})}
    with contextlib.ExitStack() as stack:
        sink = stack.enter_context(log.open("w+b")) if log else _scratch(stack)
        source: int | IO[bytes] = subprocess.DEVNULL
        if stdin is not None:
            source = _scratch(stack)
            source.write(stdin.encode())
            source.seek(0)
        start = time.monotonic()
        child: subprocess.Popen[bytes] | None = None
        timer = None
        timed_out = threading.Event()
        try:
            with interrupts_later():
                child = _start(argv, name, cwd=cwd, env=environment, stdin=source, stdout=sink)
            if timeout_s is not None:
                timer = threading.Timer(timeout_s, _stop_late, (child, timed_out))
                timer.daemon = True
                timer.start()
            usage = _wait(child)
        finally:
            if timer:
                timer.cancel()
            # Interrupted: the group must not outlive us.
            if child is not None and child.returncode is None:
                _kill(child)
                _wait(child)
        wall_s = time.monotonic() - start
        written = sink.seek(0, os.SEEK_END)
        sink.seek(0 if keep_bytes is None else max(0, written - keep_bytes))
        output = sink.read().decode("utf-8", errors="replace")
    if timed_out.is_set():
        raise ToolFailed(argv, None, log=log, tail=last_lines(output), name=name)
    return Completed(
        argv,
        child.returncode,
        output,
        wall_s,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss,
        name,
    )


def _start(
    argv: Sequence[str],
    name: str,
    *,
    cwd: Path | None,
    env: Mapping[str, str],
    stdin: int | IO[bytes],
    stdout: IO[bytes],
) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own, and put it on the list."""
    try:
        with _live_lock:  # `kill_all` must not come between the start and our knowing of it
            child = subprocess.Popen(
                argv,
                cwd=cwd,
                env=env,
                stdin=stdin,
                stdout=stdout,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            _live[child] = threading.get_ident()
    except OSError as error:
        raise ToolNotFound(
            name or argv[0], f"cannot be started: {error.strerror}", "run `lydite doctor`"
        ) from error
    return child


@contextlib.contextmanager
def interrupts_later() -> Iterator[None]:
    """Hold interrupts back to the end of the block, where one that came is raised.

    One that comes between a program's start and our knowing of it would leave it running; one that
    comes in the midst of a lock would leave that to nobody.
    """
    before: dict[signal.Signals, Callable[[int, FrameType | None], object]] = {}
    came: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if callable(handler):  # not one that is ignored, or ends us at once
                before[number] = handler
                signal.signal(number, lambda number, _: came.append(signal.Signals(number)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came[:1]:
            before[number](number, None)


def _environment() -> dict[str, str]:
    """Give what programs get of our environment."""
    found = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    places = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if any(Path(place).resolve() == _ROOT for place in places):
        found["PYTHONPATH"] = str(_ROOT)
    return found


class Dialogue:
    """A program that answers each line with a line; a context manager.

    What it prints on stderr is dropped. It ends when its stdin does, at `close`, or when nothing
    refers to this object any more.

    Parameters
    ----------
    argv : sequence of str
        Program and arguments.
    env : mapping
        Variables set on top of the whitelisted ones.
    name : str
        What errors call it.
    """

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str], name: str) -> None:
        self._argv = tuple(argv)
        self._name = name
        try:
            with _live_lock:
                self._child = subprocess.Popen(
                    self._argv,
                    env={**_environment(), **env},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                _live[self._child] = threading.get_ident()
        except OSError as error:
            raise ToolNotFound(
                name, f"cannot be started: {error.strerror}", "run `lydite doctor`"
            ) from error
        self._end = weakref.finalize(self, _end_dialogue, self._child)

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def ask(self, line: str) -> str:
        """Send a line without its end, and give the line that comes back.

        Raises
        ------
        ToolFailed
            The program has died.
        """
        assert self._child.stdin is not None and self._child.stdout is not None
        try:
            self._child.stdin.write(line.encode() + b"\n")
            self._child.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # it has died, or was closed: its silence tells
        answer = b"" if self._child.stdout.closed else self._child.stdout.readline()
        if not answer.endswith(b"\n"):
            self.close()
            raise ToolFailed(self._argv, self._child.returncode, name=self._name)
        return answer.decode().rstrip("\n")

    def close(self) -> None:
        """End the program."""
        self._end()


def _end_dialogue(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    _kill(child)
    _wait(child)


def _scratch(stack: contextlib.ExitStack) -> IO[bytes]:
    return stack.enter_context(tempfile.TemporaryFile())


def _stop_late(child: subprocess.Popen[bytes], timed_out: threading.Event) -> None:
    if _kill(child):
        timed_out.set()


def kill_all(thread: int | None = None) -> None:
    """Kill every program that a `run` in some thread, or in one alone, is waiting for."""
    with _live_lock:
        children = [one for one, owner in _live.items() if thread in (None, owner)]
    for child in children:
        _kill(child)


def running() -> Mapping[int, int]:
    """Give the programs that a `run` waits for, by the sessions that they lead, and the thread of
    each.
    """
    with _live_lock:
        return {child.pid: owner for child, owner in _live.items()}


def _kill(child: subprocess.Popen[bytes]) -> bool:
    """Kill a child's group unless it has been reaped, since its number may be another's by then."""
    with _live_lock:
        if child not in _live:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        return True


def _wait(child: subprocess.Popen[bytes]) -> resource.struct_rusage:
    # Wait without reaping first: until it is off the list, its number is still its own.
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    with _live_lock:
        _live.pop(child, None)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    # Whatever it left running in its group goes with it.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    return usage
