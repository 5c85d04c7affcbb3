# SPDX-License-Identifier: Apache-2.0
"""How the native run of co-simulation ended, and what of it can be compared, in words.

A run without a whole call is bad input: nothing can be compared. Else what was recorded up to the
end, or up to a limit, is compared, and notes say that there was more.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lydite.base import InputError, proc
from lydite.hls.contract.interface import ArrayArg, Interface
from lydite.sim.cosim.objects import Objects

# As cosim_record.c has them.
_PROGRESS = struct.Struct("<6Q")
_STOP_CALLS, _STOP_BYTES, _STOP_WRITE, _STOP_LEFT = 1, 2, 3, 4
_HEAP, _UNKNOWN = -1, -2
_MIB = 1 << 20
_SIGNALS = {
    signal.SIGABRT: "it called abort, or an assert failed",
    signal.SIGBUS: "it went beyond memory that is its own",
    signal.SIGFPE: "it divided by zero",
    signal.SIGILL: "it came to an instruction that traps",
    signal.SIGSEGV: "it read or wrote memory that is not its own",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Where co-simulation gives up.

    Attributes
    ----------
    native_s : float
        Seconds that the C program may take.
    record_bytes : int
        What the record of its calls may take, and any file that it writes, its output included.
    replay_s : float
        Seconds that the simulation of all calls may take.
    """

    native_s: float = 600.0
    record_bytes: int = 256 * _MIB
    replay_s: float = 3600.0


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the program came.

    Attributes
    ----------
    begun, kept : int
        Calls of the top function: those that began, and those that are recorded from begin to end.
    inside : bool
        Whether it is in one.
    bytes : int
        Of the record.
    stop, error : int
        Why no more is recorded; 0 while it is.
    """

    begun: int
    inside: bool
    kept: int
    bytes: int
    stop: int
    error: int


def blank_progress(path: Path) -> None:
    """Write the file that the recorder keeps its progress in."""
    path.write_bytes(bytes(_PROGRESS.size))


def read_progress(path: Path) -> Progress:
    """Read it."""
    begun, inside, kept, size, stop, error = _PROGRESS.unpack(path.read_bytes())
    return Progress(begun, inside != 0, kept, size, stop, error)


@dataclass(frozen=True, slots=True)
class Changed:
    """A variable of the top function that something else changed.

    Attributes
    ----------
    name : str
        As the source has it, and where.
    call : int
        The first call, from 1, that did not find it as the call before had left it.
    """

    name: str
    call: int

    def when(self, top: str) -> str:
        """Say between which calls it was changed."""
        if self.call == 1:
            return f"before the first call of {top}"
        return f"between calls {self.call - 1} and {self.call} of {top}"


@dataclass(frozen=True, slots=True)
class Ended:
    """A native run that is over.

    Attributes
    ----------
    rc : int or None
        Exit status, negative for a signal; None if it was ended for taking too long.
    output : str
        The end of what it printed.
    progress : Progress
    limits : Limits
    """

    rc: int | None
    output: str
    progress: Progress
    limits: Limits

    def check(self, where: str, interface: Interface, *, arguments: bool) -> None:
        """Raise InputError if the program crashed, or no call can be compared.

        Parameters
        ----------
        arguments : bool
            Whether `main` looks at its arguments.
        """
        top = interface.top
        if self.rc is not None and self.rc < 0 and -self.rc != signal.SIGXFSZ:
            raise self._crash(where, top)
        if self.progress.kept == 0:
            what, hint = self._nothing(top, arguments=arguments)
            printed = proc.last_lines(self.output, 3)
            hint += "\n  it printed: " + printed.replace("\n", "\n    ") if printed else ""
            raise InputError(where, what, hint)

    def _crash(self, where: str, top: str) -> InputError:
        assert self.rc is not None, "it was ended by a signal"
        progress = self.progress
        found = re.search(r"^lydite_stream: (.*)$", self.output, re.MULTILINE)
        if found and progress.inside:
            what = f"the C program stops in call {progress.begun} of {top}: {found[1]}"
            hint = "write to a stream what the function reads before its call"
            return InputError(where, what, hint)
        killer = -self.rc
        name = next((s.name for s in signal.Signals if s == killer), f"signal {killer}")
        place = f"before any call of {top}"
        if progress.inside:
            place = f"in call {progress.begun} of {top}"
        elif progress.begun:
            place = f"after call {progress.begun} of {top}"
        what = f"the C program was killed by {name} {place}"
        if killer in _SIGNALS:
            what += f": {_SIGNALS[signal.Signals(killer)]}"
        hint = "run it under a debugger or with -fsanitize=address,undefined"
        if killer == signal.SIGABRT and (printed := proc.last_lines(self.output, 3)):
            hint = f"it printed: {printed}"
        return InputError(where, what, hint)

    def _nothing(self, top: str, *, arguments: bool) -> tuple[str, str]:
        """Say why no call can be compared, and what to do about it."""
        progress, limit = self.progress, self._limit()
        where = f"in its first call of {top}" if progress.inside else f"without a call of {top}"
        if progress.stop == _STOP_LEFT:
            what = f"the first call of {top} did not return: the program jumped out of it"
            return what, f"let {top} return"
        if progress.stop == _STOP_BYTES:
            what = f"the first call of {top} takes more than {self._mib()} to record"
            return what, "--record-mib gives it more"
        if progress.stop == _STOP_WRITE:
            return f"calls of {top} cannot be recorded: {self._error()}", "see to $TMPDIR"
        if limit:
            hint = "its standard input is empty, and it has no arguments but those of --arg"
            return f"the C program {limit}, {where}", hint
        if progress.inside:
            return f"the first call of {top} {self._no_return()}", f"let {top} return"
        hint = "its calls are what is simulated; --top main takes the whole program"
        if self.rc == 0 and not arguments:
            return f"main never calls {top}", hint
        hint += "; main looks at its arguments, and --arg gives it some" if arguments else ""
        return f"main ends with status {self.rc} without a call of {top}", hint

    def notes(self, top: str) -> Iterator[str]:
        """Say what was not as it should be, though there are calls to compare."""
        progress, limit = self.progress, self._limit()
        first = f"the first {progress.kept} calls of {top} are compared"
        if progress.kept == 1:
            first = f"only the first call of {top} is compared"
        if self.rc is not None and self.rc > 0:
            yield f"the C program itself returned {self.rc}"
        if limit:
            place = f" in call {progress.begun}" if progress.inside else ""
            yield f"the C program {limit}{place}" + ("" if progress.stop else f": {first}")
        elif progress.inside and progress.stop != _STOP_LEFT:
            yield f"call {progress.begun} of {top} is not compared, since it {self._no_return()}"
        if progress.stop == _STOP_CALLS:
            yield f"only the first {progress.kept} calls of {top} are compared"
        elif progress.stop == _STOP_BYTES:
            full = f"the record of calls is full at {self._mib()} (--record-mib)"
            yield f"{full}: {first}, of {progress.begun}"
        elif progress.stop == _STOP_WRITE:
            yield f"no more calls can be recorded: {self._error()}: {first}"
        elif progress.stop == _STOP_LEFT:
            left = f"the program jumped out of call {progress.kept + 1} of {top} (longjmp)"
            yield f"{left}: {first}"

    def _no_return(self) -> str:
        # After a jump out of a call, the end of the program looks as if it were in the call.
        return f"did not return: the program ended in it with status {self.rc}, or jumped out"

    def _limit(self) -> str:
        """Say by which limit the program was ended; empty if by none."""
        if self.rc is None:
            return f"did not end within {self.limits.native_s:g} s (--timeout-s)"
        if -self.rc == signal.SIGXFSZ:
            return f"printed, or wrote to a file, more than {self._mib()} (--record-mib)"
        return ""

    def _mib(self) -> str:
        return f"{self.limits.record_bytes / _MIB:g} MiB"

    def _error(self) -> str:
        number = self.progress.error
        return os.strerror(number) if number in errno.errorcode else "no file for it"


def remarks(
    path: Path, interface: Interface, objects: Objects
) -> tuple[tuple[str, ...], tuple[Changed, ...]]:
    """Read what the recorder saw: arguments beyond their objects, and state that was changed."""
    beyond: list[str] = []
    changed: list[Changed] = []
    for line in path.read_text().splitlines() if path.exists() else ():
        kind, *numbers = line.split()
        call, argument, number, there, size = map(int, numbers)
        if kind == "changed":
            changed.append(Changed(objects.name(number), call))
            continue
        shown = f"{there} bytes that may be read"
        if number == _HEAP:
            shown = f"a block of {size} bytes from the heap"
        elif number != _UNKNOWN:
            shown = f"{objects.name(number)}, {size} bytes"
        if number != _UNKNOWN and there < size:
            shown += f", {there} of them from there on"
        beyond.append(_beyond(interface.arrays[argument], call, shown))
    return tuple(beyond), tuple(changed)


def _beyond(arg: ArrayArg, call: int, shown: str) -> str:
    size = arg.depth * arg.element_width // 8
    return (
        f"the depth of argument {arg.name} is {size} bytes, but call {call} passes {shown}: what "
        "is beyond is zeros in simulation, and must stay so; give it the depth that it has, or "
        "pass an object that large"
    )
