# SPDX-License-Identifier: Apache-2.0
"""Keeps LLVM's own messages from stderr, and loses nothing that anybody else writes there.

LLVM reports a loop that was not unrolled as asked on file descriptor 2, where it cannot be told to
keep silent: llvmlite exports no diagnostic handler. So the descriptor leads into a file while LLVM
works; afterwards the lines that are not LLVM's go where they were meant to.

The descriptor is the whole process's: while any thread is inside, what every thread writes to
stderr is held back, and comes when the last one leaves; a program started meanwhile that inherits
stderr writes into the file for good (`base.proc` starts none such). Several threads may be inside:
the first one in turns the descriptor over, the last one out turns it back, each under a lock. Jobs
compile in processes of their own (`runs.kinds.compilation`), so that this concerns nobody else
there.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from typing import IO

_OURS = re.compile(
    rb"^(?:warning|remark): [^\n]*loop not (?:unrolled|vectorized|distributed)[^\n]*\n?"
)
_STDERR = 2
_lock = threading.Lock()
# Under the lock: threads inside, the descriptor kept aside, and the file.
_inside = 0
_kept = -1
_sink: IO[bytes] | None = None


@contextlib.contextmanager
def without_loop_messages() -> Iterator[None]:
    """Drop LLVM's messages on loops; what else is written to stderr comes when the last leaves."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _inside, _kept, _sink
    with _lock:
        if _inside == 0:
            _sink = tempfile.TemporaryFile()  # noqa: SIM115 - it outlives this function
            _kept = os.dup(_STDERR)
            os.dup2(_sink.fileno(), _STDERR)
        _inside += 1


def _leave() -> None:
    global _inside, _kept, _sink
    with _lock:
        _inside -= 1
        if _inside:
            return
        assert _sink is not None, "the file was made by the first one in"
        os.dup2(_kept, _STDERR)
        os.close(_kept)
        _sink.seek(0)
        rest = b"".join(line for line in _sink if not _OURS.match(line))
        _sink.close()
        _kept, _sink = -1, None
        while rest:
            rest = rest[os.write(_STDERR, rest) :]
