# SPDX-License-Identifier: Apache-2.0
"""What memory is left is read as the system says it, with limits of control groups."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from lydite.base import proc
from lydite.base.memory import Machine

MIB = 1024
FREE = "MemTotal: 16777216 kB\nMemFree: 100 kB\nMemAvailable: 8388608 kB\n"


def machine(root: Path, files: Mapping[str, str]) -> Machine:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Machine(root)


def group(folder: str, limit: str, used: str = "0", *, version: int = 2, cache: int = 0) -> dict:
    at = f"sys/fs/cgroup/{folder}/"
    if version == 2:
        stat = f"anon 5\nfile {cache}\ninactive_file {cache}\nactive_file 0\n"
        return {at + "memory.max": limit, at + "memory.current": used, at + "memory.stat": stat}
    names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat")
    stat = f"inactive_file 9\ntotal_inactive_file 0\ntotal_active_file {cache}\n"
    return dict(zip((at + name for name in names), (limit, used, stat), strict=True))


def bytes_of(mib: int) -> str:
    return f"{mib << 20}\n"


def test_nothing_is_known_without_proc(tmp_path: Path) -> None:
    assert Machine(tmp_path).available_kib() is None
    assert Machine(tmp_path).used_kib() == {}


def test_memory_without_groups_is_what_the_system_says(tmp_path: Path) -> None:
    assert machine(tmp_path, {"proc/meminfo": FREE}).available_kib() == 8388608


# What the files say, and MiB that are left.
CASES = {
    "no limit": ("0::/job\n", group("job", "max\n"), 8192),
    "a limit": ("0::/job\n", group("job", bytes_of(4096), bytes_of(1000)), 3096),
    "cache is given up": (
        "0::/job\n",
        group("job", bytes_of(4096), bytes_of(1000), cache=300 << 20),
        3396,
    ),
    "a limit of the group around it": (
        "0::/slurm/job/step\n",
        group("slurm/job", bytes_of(2048), bytes_of(48)) | group("slurm/job/step", "max\n"),
        2000,
    ),
    "a limit above what the machine has": ("0::/job\n", group("job", bytes_of(99999)), 8192),
    "more than its limit": ("0::/job\n", group("job", bytes_of(100), bytes_of(101)), 0),
    "path of the host, in a container": ("0::/../other\n", group(".", bytes_of(512)), 512),
    "version 1": (
        "9:cpu:/\n4:memory:/job\n0::/\n",
        group("memory/job", bytes_of(2048), bytes_of(1048), version=1, cache=24 << 20),
        1024,
    ),
    "version 1 without a limit": (
        "4:memory:/\n",
        group("memory", "9223372036854771712\n", bytes_of(7), version=1),
        8192,
    ),
    "version 1, memory beside others, path of the host": (
        "4:cpu,memory:/docker/abc\n",
        group("memory", bytes_of(700), bytes_of(100), version=1),
        600,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_limits_of_groups_count(tmp_path: Path, case: str) -> None:
    groups, files, left_mib = CASES[case]
    found = machine(tmp_path, {"proc/meminfo": FREE, "proc/self/cgroup": groups, **files})
    assert found.available_kib() == left_mib * MIB


def test_this_machine_tells() -> None:
    found = Machine().available_kib()
    assert found is None or 0 < found < 1 << 34


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_programs_are_counted_with_what_they_start(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    holds = f"x = bytearray(60 << 20); open({str(ready)!r}, 'w').close(); input()"
    # The shell waits for its child, which has the memory.
    argv = ["sh", "-c", f'python3 -c "{holds}" < /dev/zero; true']
    thread = threading.Thread(target=lambda: proc.run(argv))
    thread.start()
    try:
        for _ in range(600):
            if ready.exists():
                break
            threading.Event().wait(0.05)
        used = Machine().used_kib()
        assert thread.ident is not None
        assert set(used) == {thread.ident}
        assert 60 * MIB < used[thread.ident] < 200 * MIB
    finally:
        proc.kill_all(thread.ident)
        thread.join()
    assert Machine().used_kib() == {}
