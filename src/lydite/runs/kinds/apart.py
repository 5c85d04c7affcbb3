# SPDX-License-Identifier: Apache-2.0
"""Work on C in a process of its own: a request on its stdin, what came of it in its work folder.

An error of that process is a file in the folder, so that the caller raises what it raised.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from lydite.base import proc
from lydite.base.errors import LyditeError, Told, ToolFailed
from lydite.base.proc import Completed

_REFUSED_FILE = "refused.json"
_LOG_FILE = "compile.log"


class _Refused(msgspec.Struct, frozen=True):
    """Why there is nothing: the words of the error, and its exit code."""

    error: str
    exit_code: int


def ask(
    module: str, request: bytes, work: Path, *folders: Path, answer: str, timeout_s: float | None
) -> Completed:
    """Run `python -m MODULE WORK [FOLDER...]` to its end.

    Parameters
    ----------
    answer : str
        The file in `work` that it writes last.
    timeout_s : float or None
        Seconds after which it is given up.

    Raises
    ------
    Told
        What it raised.
    ToolFailed
        It crashed, ran past its time, or wrote no answer.
    """
    argv = (sys.executable, "-P", "-m", module, *map(str, (work, *folders)))
    log = work / _LOG_FILE
    name = "the compiler of C"
    run = proc.run(argv, log=log, stdin=request.decode(), timeout_s=timeout_s, name=name)
    refused = work / _REFUSED_FILE
    if refused.exists():
        found = msgspec.json.decode(refused.read_bytes(), type=_Refused)
        raise Told(found.error, found.exit_code)
    if run.rc == 1:  # Python's own: a defect of ours
        raise RuntimeError(proc.last_lines(run.output))
    run.checked()
    if not (work / answer).exists():
        raise ToolFailed(run.argv, 0, name=run.name, tail=f"it wrote no {answer}")
    return run


def serve(do: Callable[[], None], work: Path) -> int:
    """Do what was asked, in that process; give its exit code."""
    # This process is there for one compilation, whose IR lives to the end: see `cli.hls`.
    gc.disable()
    try:
        do()
    except LyditeError as error:
        refused = _Refused(str(error), error.exit_code)
        (work / _REFUSED_FILE).write_bytes(msgspec.json.encode(refused))
        print(error)
        return error.exit_code
    return 0
