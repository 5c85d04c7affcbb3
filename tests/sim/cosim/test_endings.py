# SPDX-License-Identifier: Apache-2.0
"""However a native run ends, what happened is said, and what can be compared is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg
from lydite.hls.contract.options import Options
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim.endings import Limits
from lydite.sim.cosim.native import Recording

MIB = 1 << 20
# f does what it is told; main ends in as many ways as a program can.
SOURCE = """
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int zero;
static jmp_buf back;
static void jump(int number) { longjmp(back, number); }

int f(int what) {
  switch (what) {
    case 100: exit(3);
    case 101: _exit(4);
    case 102: abort();
    case 103: *(volatile int *)(intptr_t)zero = 1;
    case 104: while (!zero);
    case 105: return 7 / zero;
  }
  return what + 1;
}

int main(void) {
  WAY;
  return 0;
}
"""
TWO = "f(1); f(2);"
CALL = "p.c: the C program"


def interface(*more: ArrayArg) -> Interface:
    scalar = ScalarArg("what", "what", 0, 32, True, "int", 4)
    return Interface("f", "f", (scalar, *more), 32, True, "int", 4)


def record(
    folder: Path,
    source: str,
    *,
    limits: Limits = Limits(native_s=30.0),  # noqa: B008
    arguments: Sequence[str] = (),
    max_calls: int | None = None,
) -> Recording:
    (folder / "p.c").write_text(source)
    options = Options(sources=(folder / "p.c",), top="f")
    return cosim_native.record(
        options,
        interface(),
        folder / "work",
        limits=limits,
        arguments=arguments,
        max_calls=max_calls,
    )


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("", "main never calls f\n  its calls are what is simulated; --top main takes the whole"),
        ('puts("no"); exit(2)', "main ends with status 2 without a call of f\n  its calls are"),
        (
            "f(100)",
            "the first call of f did not return: the program ended in it with status 3, or jumped "
            "out\n  let f return",
        ),
        (
            "f(101)",
            "the first call of f did not return: the program ended in it with status 4",
        ),
        ("f(1); f(102)", "the C program was killed by SIGABRT in call 2 of f: it called abort, or"),
        ("f(103)", "the C program was killed by SIGSEGV in call 1 of f: it read or wrote memory"),
        ("f(105)", "the C program was killed by SIGFPE in call 1 of f: it divided by zero"),
        ("f(1); raise(SIGALRM)", "the C program was killed by SIGALRM after call 1 of f\n"),
        ("raise(SIGKILL)", "the C program was killed by SIGKILL before any call of f\n"),
        (
            "signal(SIGABRT, jump); if (!setjmp(back)) f(102)",
            "the first call of f did not return: the program ended in it with status 0, or jumped",
        ),
        (
            "signal(SIGABRT, jump); if (!setjmp(back)) f(102); f(3)",
            "the first call of f did not return: the program jumped out of it\n  let f return",
        ),
        # Assertions are those of the program, whatever the compiler does when it optimises.
        ("assert(f(1) == 3)", "the C program was killed by SIGABRT after call 1 of f: it called"),
    ],
)
def test_run_without_a_call_to_compare_is_bad_input(way: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        record(tmp_path, SOURCE.replace("WAY", way))
    assert str(caught.value).startswith(f"{tmp_path}/p.c: {message}")


@pytest.mark.parametrize(
    ("way", "rc", "notes"),
    [
        (
            "f(100)",
            3,
            [
                "the C program itself returned 3",
                "call 3 of f is not compared, since it did not return: the program ended in it "
                "with status 3, or jumped out",
            ],
        ),
        (
            "signal(SIGABRT, jump); if (!setjmp(back)) f(102); f(4)",
            0,
            [
                "the program jumped out of call 3 of f (longjmp): the first 2 calls of f are "
                "compared"
            ],
        ),
        ("return 9", 9, ["the C program itself returned 9"]),
    ],
)
def test_calls_before_the_end_are_compared(
    way: str, rc: int, notes: list[str], tmp_path: Path
) -> None:
    recording = record(tmp_path, SOURCE.replace("WAY", f"{TWO} {way}"))
    assert [call.result for call in recording.calls()] == [2, 3]
    assert (recording.rc, list(recording.notes)) == (rc, notes)


def test_program_that_does_not_end_is_cut_by_time(tmp_path: Path) -> None:
    source, limits = SOURCE.replace("WAY", f"{TWO} f(104)"), Limits(native_s=0.7)
    start = time.monotonic()
    recording = record(tmp_path, source, limits=limits)
    assert recording.rc is None
    assert len(recording) == 2
    assert recording.notes == (
        "the C program did not end within 0.7 s (--timeout-s) in call 3: the first 2 calls of f "
        "are compared",
    )
    with pytest.raises(InputError) as caught:
        record(tmp_path, SOURCE.replace("WAY", "while (getchar());"), limits=limits)
    assert str(caught.value) == (
        f"{tmp_path}/p.c: the C program did not end within 0.7 s (--timeout-s), without a call of "
        "f\n  its standard input is empty, and it has no arguments but those of --arg"
    )
    assert time.monotonic() - start < 60


def test_output_without_end_fills_no_disk(tmp_path: Path) -> None:
    source = SOURCE.replace("WAY", 'f(1); for (;;) puts("and so on, and so on, and so on")')
    recording = record(tmp_path, source, limits=Limits(record_bytes=MIB))
    assert recording.notes == (
        "the C program printed, or wrote to a file, more than 1 MiB (--record-mib): only the "
        "first call of f is compared",
    )
    assert len(recording.output) <= 1 << 16
    assert recording.output.rstrip().endswith("and so on")


def test_record_is_cut_at_whole_calls(tmp_path: Path) -> None:
    source = SOURCE.replace("WAY", "for (int i = 0; i < 200000; i++) f(i + 1000)")
    recording = record(tmp_path, source, limits=Limits(record_bytes=MIB))
    count = MIB // recording.layout.record_bytes
    assert (len(recording), recording.rc) == (count, 0)
    assert recording.call(count - 1).result == count + 1000
    assert recording.notes == (
        f"the record of calls is full at 1 MiB (--record-mib): the first {count} calls of f are "
        "compared, of 200000",
    )
    files = sum(path.stat().st_size for path in (tmp_path / "work").glob("calls.bin*"))
    assert files < MIB + 1000
    recording = record(tmp_path, source, max_calls=3)
    assert recording.notes == ("only the first 3 calls of f are compared",)


def test_call_that_no_record_holds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(
        "static int a[2000000];\nint f(int what, int *p) { return p[what]; }\n"
        "int main(void) { return f(3, a); }\n"
    )
    options = Options(sources=(tmp_path / "p.c",), top="f")
    array = ArrayArg("p", "p", 1, 32, 2000000, "in", 1, 1, "int *p", 8000000)
    with pytest.raises(InputError) as caught:
        cosim_native.record(
            options, interface(array), tmp_path, limits=Limits(record_bytes=4 * MIB)
        )
    assert str(caught.value) == (
        f"{tmp_path}/p.c: the first call of f takes more than 4 MiB to record\n"
        "  --record-mib gives it more"
    )


def test_main_gets_its_arguments(tmp_path: Path) -> None:
    source = SOURCE.replace("int main(void)", "int main(int argc, char **argv)").replace(
        "WAY", 'if (argc < 2) { puts("usage: p N"); return 2; } f(atoi(argv[1]))'
    )
    with pytest.raises(InputError) as caught:
        record(tmp_path, source)
    assert str(caught.value) == (
        f"{tmp_path}/p.c: main ends with status 2 without a call of f\n"
        "  its calls are what is simulated; --top main takes the whole program; main looks at its "
        "arguments, and --arg gives it some\n"
        "  it printed: usage: p N"
    )
    assert record(tmp_path, source, arguments=["41"]).call(0).result == 42
