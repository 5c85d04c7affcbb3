# SPDX-License-Identifier: Apache-2.0
"""Ends long computations of this process when the plan that they are of is interrupted.

Programs that run are killed (`proc.kill_all`); what computes in a thread of this process has to
look by itself: Python by `check`, C through the address of `FLAG`.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator

FLAG = ctypes.c_int32(0)


class Halted(Exception):
    """The plan that this computation is of was interrupted."""


def check() -> None:
    """Go on, or not.

    Raises
    ------
    Halted
        The plan was interrupted.
    """
    if FLAG.value:
        raise Halted


@contextlib.contextmanager
def halted() -> Iterator[None]:
    """Halt all computations of this process for a block, in which they are waited for."""
    FLAG.value = 1
    try:
        yield
    finally:
        FLAG.value = 0
