# SPDX-License-Identifier: Apache-2.0
"""A serial port, by pyserial, whose faults are told as what to do about them."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

import serial
from serial.tools import list_ports

from lydite.base.errors import InputError

_TIMEOUT_S = 0.3
_WRITE_TIMEOUT_S = 5.0


@contextlib.contextmanager
def opened(name: str, baud: int, *, wait_s: float = 0.0) -> Iterator[serial.Serial]:
    """Open a port, 8N1.

    Parameters
    ----------
    wait_s : float
        How long to wait for it to be there: programming takes some away for a moment.

    Raises
    ------
    InputError
        It is not there, not ours to open, or goes away while it is used.
    """
    until = time.monotonic() + wait_s
    while True:
        try:
            port = serial.Serial(
                name, baud, timeout=_TIMEOUT_S, write_timeout=_WRITE_TIMEOUT_S, exclusive=True
            )
            break
        except (OSError, ValueError) as error:  # SerialException is an OSError
            if time.monotonic() >= until:
                raise InputError("--port", f"{name}: {_why(error)}", _hint()) from error
        time.sleep(0.1)
    with port:
        try:
            yield port
        except serial.SerialException as error:
            what = f"{name} has gone: {_why(error)}"
            raise InputError("--port", what, "is the board still plugged in?") from error


def _why(error: Exception) -> str:
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else str(error)


def _hint() -> str:
    found = ", ".join(sorted(one.device for one in list_ports.comports()))
    return f"ports here: {found}" if found else "there is no serial port here"
