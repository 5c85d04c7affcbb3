# SPDX-License-Identifier: Apache-2.0
"""Software of cores, built by the C compilers that are here and called through ctypes.

Libraries are called past `lydite.runs.processors.loaded`, so that what is behind a buffer's end is
watched.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

import native
import pytest

from lydite.cores import catalog
from lydite.runs.processors.software import cpu_features
from lydite.tools import compiler

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
COMPILERS = ("gcc", "zig")
COMMON = catalog.FOLDER / "common" / "sw"
GUARD = b"\xa5" * 64


def command(cc: str) -> list[str]:
    """Give the command of a C compiler, or skip."""
    return [native.program("gcc")] if cc == "gcc" else list(compiler.zig("c").argv)


def build(argv: Sequence[str], out: Path) -> Path:
    """Run a compiler; its messages are the failure's text."""
    # From a folder above its own Zig would build its libraries once more.
    argv = [*argv, "-o", str(out)]
    run = subprocess.run(argv, cwd=out.parent, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return out


def shared(
    cc: str, source: Path, out: Path, *more: str, cpu: Collection[str] | None = None
) -> Path:
    """Build a shared library of one file with all warnings; skip where this machine lacks `cpu`,
    or what the core's description says that the file needs: -march=native does not compile it.
    """
    # First the compiler: how many tests want one depends on no processor (tests/skips.toml).
    argv = [*command(cc), "-std=c11", "-O1", "-march=native", *WARNINGS, "-shared", "-fPIC"]
    require_cpu(needs(source) if cpu is None else cpu)
    return build([*argv, "-fvisibility=hidden", *more, str(source), "-ldl"], out)


def needs(source: Path) -> tuple[str, ...]:
    """Give the processor features of a file's variants, which need the same."""
    [cpu] = {
        one.cpu
        for core in catalog.cores()
        for one in core.software
        if source in [one.folder / name for name in one.sources]
    }
    return cpu


def require_cpu(cpu: Collection[str]) -> None:
    """Skip where this machine lacks processor features."""
    missing = set(cpu) - cpu_features()
    if missing:
        pytest.skip(f"this machine has no {', '.join(sorted(missing))}")


def sanitized(
    source: Path, main: str, folder: Path, *more: str, cpu: Collection[str] | None = None
) -> str:
    """Give what a program of a file and a `main` prints under the sanitizers of gcc; or skip, as
    `shared` does.
    """
    argv = [*command("gcc"), "-std=c11", "-O1", "-g", "-march=native"]
    require_cpu(needs(source) if cpu is None else cpu)
    (folder / "main.c").write_text(main)
    argv += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    (folder / "probe.c").write_text("int main(void) { return 0; }")
    probe = [*argv, str(folder / "probe.c"), "-o", str(folder / "probe")]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        pytest.skip("gcc here has no sanitizer libraries")
    argv += [*more, f"-I{source.parent}", f"-I{COMMON}", str(source), str(folder / "main.c")]
    program = build(argv, folder / "main")
    run = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


class Batch(ctypes.Structure):
    """struct lydite_batch of lydite_sw.h."""

    _fields_ = (
        ("count", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(ctypes.c_char_p)),
        ("in_bytes", ctypes.POINTER(ctypes.c_size_t)),
        ("outputs", ctypes.POINTER(ctypes.c_void_p)),
        ("out_bytes", ctypes.POINTER(ctypes.c_size_t)),
        ("verdict", ctypes.c_void_p),
    )


class Library:
    """A built variant, called with bytes."""

    def __init__(self, path: Path) -> None:
        self.c = ctypes.CDLL(str(path))
        self.c.lydite_cpu_flags.restype = self.c.lydite_impl.restype = ctypes.c_char_p
        self.c.lydite_lanes.restype = ctypes.c_size_t

    def call(self, operation: str, batch: Batch) -> None:
        """Run a batch as it is."""
        function = getattr(self.c, f"lydite_{operation}")
        function.argtypes, function.restype = (ctypes.POINTER(Batch),), None
        function(ctypes.byref(batch))

    def run(
        self,
        operation: str,
        calls: Sequence[Sequence[bytes]],
        out_bytes: Sequence[int],
        *,
        rejects: bool = False,
    ) -> tuple[list[tuple[bytes, ...]], list[int]]:
        """Run calls of an operation, with fields of equal lengths.

        Checks that nothing is written behind the outputs and verdicts, and gives both, call by
        call.
        """
        count = len(calls)
        fields = [b"".join(values) for values in zip(*calls, strict=True)]
        outputs = [ctypes.create_string_buffer(bytes(n * count) + GUARD) for n in out_bytes]
        verdict = ctypes.create_string_buffer(bytes(count) + GUARD)
        size = ctypes.c_size_t
        batch = Batch(
            count=count,
            inputs=(ctypes.c_char_p * len(fields))(*fields),
            in_bytes=(size * len(fields))(*map(len, calls[0])),
            outputs=(ctypes.c_void_p * len(outputs))(*map(ctypes.addressof, outputs)),
            out_bytes=(size * len(outputs))(*out_bytes),
            verdict=ctypes.addressof(verdict) if rejects else None,
        )
        self.call(operation, batch)
        for buffer, length in zip((*outputs, verdict), (*out_bytes, 1), strict=True):
            assert buffer.raw[length * count : -1] == GUARD
        found = [
            tuple(
                buffer.raw[i * length : (i + 1) * length]
                for buffer, length in zip(outputs, out_bytes, strict=True)
            )
            for i in range(count)
        ]
        return found, list(verdict.raw[:count])
