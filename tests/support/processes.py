# SPDX-License-Identifier: Apache-2.0
"""Whether a process that somebody else started still runs; Linux alone."""

from __future__ import annotations

from pathlib import Path


def alive(pid: int) -> bool:
    """Say whether a process runs; a zombie, which waits for its parent, does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # the second one if it ends while it is read
        return False
    return state != "Z"
