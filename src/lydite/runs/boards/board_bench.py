# SPDX-License-Identifier: Apache-2.0
"""A board on the desk: programs it, and runs messages over its serial port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.runs.boards import serial_port
from lydite.sim.board.link import Link, Ran
from lydite.sim.board.records import Group
from lydite.sim.board.wrapper import OnBoard
from lydite.targets.boards import Fitted
from lydite.targets.pll import Setting
from lydite.tools import loader
from lydite.tools.tool import Tool

# Programming takes some serial ports away, and a board needs a moment to wake.
_WAIT_S = 10.0


@dataclass(frozen=True)
class DeskBench:
    """A board behind a serial port.

    Attributes
    ----------
    bitstream : callable
        Gives the file of a clock's bitstream.
    tool : Tool, optional
        What programs the board; None where it is programmed already.
    port : str
        Name of the serial port.
    """

    fitted: Fitted
    on_board: OnBoard
    bitstream: Callable[[Setting], Path]
    tool: Tool | None
    port: str

    def at(self, setting: Setting, groups: Sequence[Group]) -> tuple[float, Ran]:
        """Set a clock, and run messages; gives the clock as the board measures it, too.

        Raises
        ------
        LyditeError
            The board does not take the bitstream, or does not answer as it should.
        """
        board = self.fitted.board
        if self.tool is not None:
            loader.load(self.tool, board.loader, self.bitstream(setting))
        silent_s = self.on_board.core.silent_cycles / (1e6 * setting.mhz)
        with serial_port.opened(self.port, board.baud, wait_s=_WAIT_S) as port:
            line = Link(port, self.on_board, where=self.port, silent_s=silent_s)
            measured = line.check(setting.mhz, float(board.crystal_mhz))
            return measured, line.run(groups)
