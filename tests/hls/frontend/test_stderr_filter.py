# SPDX-License-Identifier: Apache-2.0
"""LLVM's messages on loops do not reach the user; what others write to stderr is not lost."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import pytest

from lydite.hls import Compiled
from lydite.hls.frontend import stderr_filter

MESSAGE = b"warning: t.c:3:2: loop not unrolled: the optimizer was unable to\n"


def test_llvm_message_is_dropped_and_the_rest_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with stderr_filter.without_loop_messages():
        os.write(2, b"before\n" + MESSAGE + b"behind, without an end")
    os.write(2, b"; later\n")
    assert capfd.readouterr().err == "before\nbehind, without an end; later\n"


def test_threads_leave_stderr_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    before = os.fstat(2)
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        for turn in range(50):
            with stderr_filter.without_loop_messages():
                os.write(2, MESSAGE)
                os.write(2, f"{number} {turn}\n".encode())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = os.fstat(2)
    assert (before.st_dev, before.st_ino) == (after.st_dev, after.st_ino)
    wanted = sorted(f"{number} {turn}" for number in range(8) for turn in range(50))
    assert sorted(capfd.readouterr().err.splitlines()) == wanted


def test_loop_that_is_not_unrolled_is_quiet(
    compile_c: Callable[..., Compiled], capfd: pytest.CaptureFixture[str]
) -> None:
    compile_c(
        "int f(int n) {\n  for (int i = 0; i < n; i++) {\n"
        "#pragma HLS unroll\n    n ^= i * n;\n  }\n  return n;\n}\n"
    )
    assert capfd.readouterr().err == ""
