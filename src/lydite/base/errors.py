# SPDX-License-Identifier: Apache-2.0
"""The errors of Lydite: what a user did wrong, what a tool did wrong, what a design did wrong.

Every error says where, what, and what to do about it. The command line turns each into one message
on stderr and an exit code; nothing below the command line prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

# Exit codes of the command line; of several failures in one run the highest counts.
EXIT_CODES = MappingProxyType(
    {
        0: "all is well",
        1: "a defect of Lydite",
        2: "bad input: an option, a file, a folder that cannot be used",
        3: "a tool is missing",
        4: "a tool failed",
        5: "a design, a program or a claim failed a check",
        130: "interrupted; what was finished is kept",
    }
)


class LyditeError(Exception):
    """Base of all errors that Lydite raises on purpose.

    Attributes
    ----------
    exit_code : int
        One of EXIT_CODES.
    """

    exit_code = 1


class InputError(LyditeError):
    """Something in the user's input is wrong.

    Parameters
    ----------
    where : str
        The place: `file:line`, `file: field`, or the option of the command line.
    what : str
        What is wrong there, with the value that was found.
    hint : str
        What to do about it; empty where `what` says all.
    """

    exit_code = 2

    def __init__(self, where: str, what: str, hint: str = "") -> None:
        self.where = where
        self.what = what
        self.hint = hint
        super().__init__(f"{where}: {what}" + (f"\n  {hint}" if hint else ""))


class ToolNotFound(LyditeError):
    """An external tool is missing or of a version that cannot serve."""

    exit_code = 3

    def __init__(self, tool: str, what: str, remedy: str) -> None:
        self.tool = tool
        self.remedy = remedy
        super().__init__(f"{tool}: {what}\n  {remedy}")


class ToolFailed(LyditeError):
    """An external tool was run and did not do its work.

    Parameters
    ----------
    argv : sequence of str
        The command that was run.
    rc : int or None
        Its exit status; negative for the signal that killed it; None if it ran past its time.
    log : Path or None
        File with all that it printed, if that was kept.
    tail : str
        The lines that matter: the tool's own error lines where it gave some, else its last ones.
    name : str
        What to call it; the program's base name by default.
    """

    exit_code = 4

    def __init__(
        self,
        argv: Sequence[str],
        rc: int | None,
        *,
        log: Path | None = None,
        tail: str = "",
        name: str = "",
    ) -> None:
        self.argv = tuple(argv)
        self.rc = rc
        self.log = log
        self.tail = tail
        name = name or (Path(self.argv[0]).name if self.argv else "?")
        if rc is None:
            how = "ran past its time limit and was stopped"
        elif rc == 0:
            how = "ended without an error, but not with a result"
        elif rc < 0:
            how = f"was killed by signal {-rc}"
        else:
            how = f"failed with exit status {rc}"
        body = "".join(f"\n  {line}" for line in tail.splitlines())
        super().__init__(f"{name} {how}{body}" + (f"\n  log: {log}" if log else ""))


class LimitReached(LyditeError):
    """A run was stopped at a limit before it had a result: nothing is known to be wrong.

    Parameters
    ----------
    where : str
        Which run.
    what : str
        Which limit, and what is not known for that.
    hint : str
        How to raise it.
    """

    exit_code = 4

    def __init__(self, where: str, what: str, hint: str) -> None:
        self.where = where
        self.what = what
        self.hint = hint
        super().__init__(f"{where}: {what}\n  {hint}")


class CheckFailed(LyditeError):
    """A design, a program or a claim was checked and is wrong.

    Parameters
    ----------
    expected, got : str
        The right value and the one found.
    at : str
        Which check, on which input, at which point.
    note : str
        A likely reason, where there is one.
    wave : Path, optional
        Waveform of it.
    """

    exit_code = 5

    def __init__(
        self, expected: str, got: str, at: str, *, note: str = "", wave: Path | None = None
    ) -> None:
        self.expected = expected
        self.got = got
        self.at = at
        self.note = note
        self.wave = wave
        text = f"{at}\n  expected {expected}\n  got      {got}"
        text += f"\n  note: {note}" if note else ""
        super().__init__(text + (f"\n  {waveform(wave)}" if wave else ""))

    def drawn(self, wave: Path) -> CheckFailed:
        """Give the same with a waveform, if there is one."""
        if not wave.exists():
            return self
        return CheckFailed(self.expected, self.got, self.at, note=self.note, wave=wave)


class Told(LyditeError):
    """What another process of ours has raised: its words and its exit code.

    Parameters
    ----------
    text : str
        The error as it was told.
    exit_code : int
        One of EXIT_CODES.
    """

    def __init__(self, text: str, exit_code: int) -> None:
        self.exit_code = exit_code
        super().__init__(text)


def waveform(path: Path) -> str:
    """Say where a waveform is, and what shows it."""
    return f"waveform (for GTKWave, Surfer): {path}"


def bytes_around(data: bytes, at: int) -> str:
    """Give the bytes around a place in hexadecimal, 16 of them, for what was expected and got."""
    begin = max(at - 4, 0)
    shown = data[begin : begin + 16].hex()
    return ("..." if begin else "") + shown + ("..." if begin + 16 < len(data) else "")
