# SPDX-License-Identifier: Apache-2.0
"""The loop of a board: set a clock, run messages, compare, halve.

Each clock is a bitstream of its own. Bitstreams are kept as all runs are; what a board answered is
not, since another board, or the same one warmer, may answer otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from lydite.base.errors import CheckFailed, InputError
from lydite.cores import Design
from lydite.sim import framing
from lydite.sim.board import records
from lydite.sim.board.link import Ran
from lydite.sim.board.records import Group
from lydite.sim.board.wrapper import OnBoard
from lydite.sim.routed import stimulus
from lydite.sim.routed.search import halves
from lydite.sim.routed.stimulus import Kind
from lydite.targets.boards import UNTRIED, Fitted
from lydite.targets.pll import Setting

MAX_MESSAGES = 100_000
# Where the search begins and ends by itself, as parts of the static figure. Boards have been seen
# to double it (docs/boards.md).
LOW, HIGH = 0.7, 2.2


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """A clock that was tried: as set, as the board measured it, and what came out."""

    parameters: dict[str, int]
    mhz: float
    measured_mhz: float
    wrong: int
    cycles: int
    repeated: int


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a search on a board found.

    Attributes
    ----------
    highest_right_mhz : float, optional
        The highest clock with no wrong answer below the lowest with one; None if one clock was run.
    lowest_wrong_mhz : float, optional
        The next clock of the PLL.
    messages, left_out : int
        That were run at each clock; that no FIFO of the board holds.
    tried : tuple of Tried
        In the order in which they were.
    """

    tested: str = UNTRIED
    design: str
    board: str
    part: str
    stimulus: str
    static_mhz: float | None
    static_in_core: bool | None
    highest_right_mhz: float | None
    lowest_wrong_mhz: float | None
    messages: int
    left_out: int
    placements: int
    tried: tuple[Tried, ...]


class Bench(Protocol):
    """A board at which clocks can be set."""

    def at(self, setting: Setting, groups: Sequence[Group]) -> tuple[float, Ran]:
        """Set a clock, and run messages; gives the clock as measured, too."""
        ...


def messages(
    design: Design, on_board: OnBoard, kind: Kind, count: int, seed: int
) -> tuple[tuple[Group, ...], int, int]:
    """Give messages as a board's FIFOs hold them, how many, and how many were left out.

    Raises
    ------
    InputError
        No message fits, or there is none.
    """
    if not 1 <= count <= MAX_MESSAGES:
        raise InputError("--messages", f"must be 1 to {MAX_MESSAGES}, not {count}")
    jobs = stimulus.jobs(design, kind, count, seed)
    groups, left_out = records.groups(on_board, [framing.call(design, job) for job in jobs])
    if not groups:
        what = f"no message fits into the board's FIFOs of {on_board.words} words"
        raise InputError("--stimulus", what, "shorter ones: --stimulus random")
    return groups, count - left_out, left_out


def within(
    fitted: Fitted, from_mhz: float | None, to_mhz: float | None, static_mhz: float
) -> tuple[Setting, ...]:
    """Give the settings between two clocks, both included; by themselves around a static figure.

    Raises
    ------
    InputError
        There are not two.
    """
    first, last = fitted.settings[0].mhz, fitted.settings[-1].mhz
    low = max(LOW * static_mhz, first) if from_mhz is None else from_mhz
    high = min(HIGH * static_mhz, last) if to_mhz is None else to_mhz
    found = tuple(one for one in fitted.settings if low <= one.mhz <= high)
    if len(found) < 2:
        option = "--to-mhz" if from_mhz is None else "--from-mhz"
        what = f"the PLL has {len(found) or 'no'} clocks from {low:g} to {high:g} MHz"
        raise InputError(option, what, f"it makes {first:g} to {last:g} MHz")
    return found


def search(
    settings: Sequence[Setting],
    at: Callable[[Setting], Ran],
    *,
    static_mhz: float,
) -> tuple[Setting, Setting]:
    """Give the highest setting that is right below the lowest that is wrong, and that one.

    Raises
    ------
    CheckFailed
        Answers are wrong at a clock that static analysis allows: the clock is not why.
    InputError
        Nothing is right at the lowest clock, or nothing wrong at the highest.
    """
    low, high = settings[0], settings[-1]
    ran = at(low)
    if ran.first is not None:
        if low.mhz <= static_mhz:
            place = f"message {ran.wrong[0]} at {low.mhz:g} MHz, the lowest clock of the search"
            note = (
                f"static analysis allows {static_mhz:.2f} MHz: it is not the clock. What is "
                "expected, the core on this board, or the board itself is wrong at any clock"
            )
            raise CheckFailed(*ran.first, place, note=note)
        what = f"{len(ran.wrong)} messages are wrong at {low.mhz:g} MHz already"
        raise InputError("--from-mhz", what, "begin the search lower")
    if at(high).first is None:
        what = f"nothing is wrong at {high.mhz:g} MHz yet"
        raise InputError("--to-mhz", what, "a higher end, other stimuli, or more messages")
    best = halves(lambda number: at(settings[number]).first, 0, len(settings) - 1)
    return settings[best], settings[best + 1]


class Trials:
    """Clocks that were tried on a board, each once, in their order."""

    def __init__(self, bench: Bench, groups: Sequence[Group], tell: Callable[[str], None]) -> None:
        self._bench = bench
        self._groups = groups
        self._tell = tell
        self._ran: dict[Setting, tuple[float, Ran]] = {}

    def at(self, setting: Setting) -> Ran:
        """Run all messages at a clock."""
        if setting not in self._ran:
            self._ran[setting] = self._bench.at(setting, self._groups)
            wrong = len(self._ran[setting][1].wrong)
            self._tell(f"{setting.mhz:.4f} MHz: {f'{wrong} wrong' if wrong else 'all right'}")
        return self._ran[setting][1]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The clocks that were tried."""
        return tuple(self._ran)

    @property
    def tried(self) -> tuple[Tried, ...]:
        """What came out at each."""
        return tuple(
            Tried(
                parameters=dict(setting.parameters),
                mhz=setting.mhz,
                measured_mhz=measured,
                wrong=len(ran.wrong),
                cycles=ran.cycles,
                repeated=ran.repeated,
            )
            for setting, (measured, ran) in self._ran.items()
        )
