# SPDX-License-Identifier: Apache-2.0
"""How much memory there is for more programs, and how much those that run have now.

Linux alone tells, in /proc (proc(5)) and where a container or a batch system sets limits in the
files of control groups, of both versions (cgroups(7)). Elsewhere nothing is known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from lydite.base import proc

# Fields of /proc/PID/stat after the name, counted from 0.
_SESSION, _RESIDENT = 3, 21
# Of a control group: its limit, what it has, and what of that the system gives up before it kills.
_VERSION_2 = ("memory.max", "memory.current", ("inactive_file", "active_file"))
_VERSION_1 = (
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    # Those without `total` leave out the groups inside.
    ("total_inactive_file", "total_active_file"),
)


class Machine:
    """This machine, as far as its memory goes.

    Parameters
    ----------
    root : Path
        Where its `proc` and `sys` are.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self._proc = root / "proc"
        self._groups = root / "sys/fs/cgroup"

    def available_kib(self) -> int | None:
        """Give how much more programs of ours can take before one is killed, in KiB; None where
        that is not known.
        """
        found = _table(self._proc / "meminfo").get("MemAvailable:")
        if found is None:
            return None
        return max(min([found, *self._left_in_groups()]), 0)

    def _left_in_groups(self) -> Iterator[int]:
        """Give what each control group that this process is in leaves it, in KiB."""
        for line in _text(self._proc / "self/cgroup").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            top = self._groups / ("memory" if controllers else "")
            folder = top / path.lstrip("/")
            # In a container the path may be the host's: its own group is then the topmost one.
            for group in (folder, *folder.parents):
                left = _left(group, *(_VERSION_1 if controllers else _VERSION_2))
                if left is not None:
                    yield left
                if group == top:
                    break

    def used_kib(self) -> Mapping[int, int]:
        """Give what programs that `proc.run` runs have now, with all that they started, in KiB, by
        the threads that wait for them; empty where that is not known.
        """
        owners = proc.running()
        used = dict.fromkeys(owners.values(), 0)
        page_kib = os.sysconf("SC_PAGE_SIZE") // 1024
        for entry in self._proc.glob("[0-9]*") if owners else ():
            fields = _text(entry / "stat").rpartition(")")[2].split()
            if len(fields) > _RESIDENT and (owner := owners.get(int(fields[_SESSION]))) is not None:
                used[owner] += int(fields[_RESIDENT]) * page_kib
        return used


def _left(group: Path, limit: str, usage: str, cache: tuple[str, ...]) -> int | None:
    """Give what a control group has left, in KiB, if it has a limit."""
    most, has = _text(group / limit).strip(), _text(group / usage).strip()
    if not most.isdecimal() or not has.isdecimal():
        return None
    stat = _table(group / "memory.stat")
    return (int(most) - int(has) + sum(stat.get(name, 0) for name in cache)) // 1024


def _table(path: Path) -> Mapping[str, int]:
    """Give the numbers of a file that has a name and a number on each line."""
    lines = (line.split() for line in _text(path).splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) > 1 and words[1].isdecimal()}


def _text(path: Path) -> str:
    """Give what a file of the system says; nothing where it is not, or not any more."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
