# SPDX-License-Identifier: Apache-2.0
"""Signals of a pipeline: their names, and the conditions that are made of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.hls.bind.binding import Pipe
from lydite.hls.emit.structure import Net
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Op


@dataclass(slots=True)
class PipeNames:
    """Signals of a pipeline: copies by value, the first one first, what is read later, bypasses."""

    pipe: Pipe
    stem: str
    copies: dict[Op, list[Net]] = field(default_factory=dict)
    later: dict[Op, Net] = field(default_factory=dict)
    bypasses: dict[Op, Net] = field(default_factory=dict)
    waits: list[int] = field(default_factory=list)

    def go(self, time: int) -> str:
        """Give the condition that what is at a time may go on; empty if it always may.

        With an interval of one, what waits for a stream holds up what is younger, and what is older
        goes on, but for a macro that both are in; with a longer one, everything stands still.
        """
        if self.pipe.module is not None:
            return ENABLE
        if not self.waits:
            return ""
        if self.pipe.ii > 1:
            # What a call waits for in its first cycle holds up that call alone.
            return f"{self.stem}_go" if self.waits[-1] or not self.pipe.calls else ""
        return self._go_of(self.pipe.stands_from(time))

    def go_behind(self, wait: int) -> str:
        """Give the condition that what waits later than a time may go on; empty if nothing does."""
        return self._go_of(wait + 1)

    def _go_of(self, time: int) -> str:
        last = next((wait for wait in self.waits if wait >= time), None)
        return "" if last is None else f"{self.stem}_go{last}"

    def answered(self, time: int) -> str:
        """Give the register that says that some iteration has read memories at a time."""
        return f"{self.stem}_answered{time}_q"

    def is_kept(self, op: Op) -> bool:
        """Whether a value is in registers by itself."""
        return op in self.copies or op in self.later

    def at(self, time: int) -> str:
        """Give the condition for a time of a valid iteration; empty if that is always."""
        return " & ".join(filter(None, [self.phase(time), self.valid(time)]))

    def phase(self, time: int) -> str:
        """Give the condition for the phase of a time, as a term of another one."""
        bare = self.in_phase(time)
        return f"({bare})" if bare else ""

    def in_phase(self, time: int) -> str:
        """Give the condition for the phase of a time, by itself; empty if that is always."""
        ii = self.pipe.ii
        if self.pipe.by_time:
            return self._valid(time)
        if ii == 1:
            return ""
        return f"{self.stem}_phase_q == {literal((ii - 1).bit_length(), time % ii)}"

    def valid(self, time: int) -> str:
        """Give the condition for a valid iteration at a time, in its phase."""
        return "" if self.pipe.by_time else self._valid(time)

    def slot(self, time: int) -> int:
        """Give what times of one phase have in common."""
        return time if self.pipe.by_time else time % self.pipe.ii

    def _valid(self, time: int) -> str:
        pipe = self.pipe
        if not pipe.guarded:
            return ""
        if pipe.calls and time == 0:
            return f"{self.stem}_start"
        if not pipe.valid_bits:
            return ""
        return self.bit(time - 1 if pipe.module is not None else time // pipe.ii)

    def bit(self, stage: int) -> str:
        """Give the register that says whether a stage has an iteration."""
        if self.pipe.valid_bits == 1:
            return f"{self.stem}_valid_q"
        if self.pipe.module is not None:
            return f"{self.stem}_valid_q[{stage}]"
        return f"{self.stem}_valid_q[{stage - self.pipe.stages + self.pipe.valid_bits}]"


@dataclass(frozen=True, slots=True)
class Issue:
    """A call of a macro in a pipeline: its arguments, and in which cycles it starts."""

    op: Op
    mine: PipeNames
    args: tuple[str, ...]
    phase: str
    in_phase: str
    active: str
    starts: str
    goes: str
    takes: str


# Without it, a function that others call stands still.
ENABLE = "ap_enable"
