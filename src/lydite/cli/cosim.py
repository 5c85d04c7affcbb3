# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of `lydite hls`: its options, its limits, and what it tells while it runs."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError

if TYPE_CHECKING:
    from lydite.hls import Compiled, Options
    from lydite.sim.cosim import Result

_MIB = 1 << 20
# When something is told for the first time, and how often again where nobody watches.
_FIRST_S, _EVERY_S = 5.0, 60.0


def add(command: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = command.add_argument_group("co-simulation")
    group.add_argument("--no-cosim", action="store_true", help="do not co-simulate")
    group.add_argument(
        "--no-sanitize",
        action="store_true",
        help="do not look for undefined C, for which the program runs natively twice more",
    )
    add_run(group)
    group.add_argument(
        "--record-mib",
        type=_count,
        default=256,
        metavar="N",
        help="MiB that the record of calls may take, and any file that the program writes, its "
        "output included (default: %(default)s); --timeout-s bounds its time",
    )


def add_run(group: argparse._ArgumentGroup) -> None:
    """Add the options of one run of the program and of its replay."""
    group.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="TEXT",
        help="argument for the program's main, as --arg=-n; may be repeated",
    )
    group.add_argument(
        "--max-cycles",
        type=_count,
        metavar="N",
        help="cycles of one call after which the simulation is given up (default: 100 million); "
        "hardware that hangs for ever is mostly found before",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"not a whole number above 0: {text!r}")
    return int(text)


def prover(
    arguments: argparse.Namespace, folder: Path
) -> Callable[[Options, Compiled], Result | None]:
    """Give what co-simulates, or does not if that is not wanted."""
    if arguments.no_cosim:
        return lambda options, compiled: None
    return lambda options, compiled: _cosimulate(options, compiled, folder, arguments)


def _cosimulate(
    options: Options, compiled: Compiled, folder: Path, arguments: argparse.Namespace
) -> Result:
    """Co-simulate in a scratch folder; the waveform of a mismatch is kept beside the Verilog."""
    from lydite.base.files import write_atomic
    from lydite.sim import cosim
    from lydite.sim.cosim import sanitize
    from lydite.sim.cosim.endings import Limits

    if arguments.timeout_s <= 0:
        raise InputError("--timeout-s", f"must be above 0, not {arguments.timeout_s:g}")
    seconds = arguments.timeout_s
    limits = Limits(seconds, arguments.record_mib * _MIB, seconds)
    with tempfile.TemporaryDirectory(prefix="lydite-cosim-") as scratch, _Ticker() as ticker:
        findings: tuple[sanitize.Finding, ...] = ()
        if not arguments.no_sanitize:
            ticker.tell("the C program runs under checks")
            findings = sanitize.run(
                options, compiled.interface, Path(scratch), arguments=arguments.arg
            )
        # Ahead of the verdict, which may follow from them.
        for finding in findings:
            ticker.say(f"warning: {finding}")
        result = cosim.run(
            options,
            compiled,
            Path(scratch),
            arguments=arguments.arg,
            timeout_cycles=arguments.max_cycles or cosim.TIMEOUT_CYCLES,
            limits=limits,
            watch=ticker.tell,
            findings=findings,
        )
        for note in result.notes:
            ticker.say(f"note: {note}")
        if result.mismatch is None or result.mismatch.wave is None:
            return result
        wave = result.mismatch.wave
        kept = folder / wave.name
        write_atomic(kept, wave.read_bytes())
        return dataclasses.replace(result, mismatch=dataclasses.replace(result.mismatch, wave=kept))


class _Ticker:
    """Tells on stderr what goes on: on a terminal in a line that changes, else once a minute."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._next = self._start + _FIRST_S
        self._live = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> _Ticker:
        return self

    def __exit__(self, *error: object) -> None:
        self._clear()

    def tell(self, text: str) -> None:
        """Show what is being done, if it takes long."""
        now = time.monotonic()
        if now < self._next:
            return
        line = f"co-simulation, {now - self._start:.0f} s: {text}"
        if self._live:
            print(f"\r{line.ljust(self._width)}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
            return
        self._next = now + _EVERY_S
        print(line, file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Print a line of its own."""
        self._clear()
        print(text, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)
            self._width = 0
