# SPDX-License-Identifier: Apache-2.0
"""Tells how far a co-simulation is while it runs."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lydite.sim.cosim import endings

# Is called a few times a second, with what is being done.
Watch = Callable[[str], None]
_POLL_S = 0.5


@contextlib.contextmanager
def of_native(progress: Path, top: str, watch: Watch | None) -> Iterator[None]:
    """Tell how far the C program is, from another thread, while the block runs."""
    if watch is None:
        yield
        return
    over = threading.Event()

    def tell() -> None:
        while not over.wait(_POLL_S):
            far = endings.read_progress(progress)
            inside = f", in call {far.begun}" if far.inside else ""
            watch(f"the C program runs, {far.kept} calls of {top} recorded{inside}")

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def of_replay(calls: int, seconds: float, watch: Watch | None) -> Callable[[int, int], str]:
    """Give what tells how far a replay of so many calls is, and ends it after so many seconds."""
    started = told = time.monotonic()

    def look(call: int, cycle: int) -> str:
        nonlocal told
        now = time.monotonic()
        if now - started > seconds:
            return f"cycle {cycle:,} after {seconds:g} s of simulation"
        if watch is not None and now - told > _POLL_S:
            told = now
            watch(f"simulation, call {call + 1} of {calls}, cycle {cycle:,}")
        return ""

    return look
