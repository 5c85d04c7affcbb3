# SPDX-License-Identifier: Apache-2.0
"""A simulated board behind a pseudo terminal, whose line loses and changes bytes; and its core.

It speaks the bytes of the hardware itself. Its core answers some messages wrongly above a clock
that is planted.
"""

from __future__ import annotations

import os
import pty
import random
import select
import shutil
import threading
import tty
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from lydite.cores import Design, load
from lydite.runs.boards import serial_port
from lydite.sim.board import wrapper
from lydite.sim.board.link import Link, Ran
from lydite.sim.board.records import Group
from lydite.sim.board.simulated import SimulatedBoard
from lydite.sim.board.wrapper import OnBoard
from lydite.targets.boards import Fitted
from lydite.targets.pll import Setting

ROOT = Path(__file__).resolve().parent.parent.parent
# Cycles of the crystal in a bit, in simulation; and until the board has measured its clock.
DIVIDER = 4
_WINDOW = 2**wrapper.METER_WINDOW
_POLL_S = 0.002
_FAULT = """`ifdef LYDITE_PLANTED
  // Above the planted clock the low bit comes late where three others are zero.
  reg planted;
  initial planted = $test$plusargs("planted") != 0;
  wire late = planted & (crc_q[31:29] == 3'd0);
`else
  wire late = 1'b0;
`endif
  assign m_axis_tdata  = ~crc_q[7:0] ^ {7'd0, late};"""


def design(folder: Path) -> Design:
    """Give the example's CRC-32 with a fault that a simulation can turn on."""
    shutil.copytree(ROOT / "examples" / "crc32", folder, dirs_exist_ok=True)
    source = folder / "crc32.v"
    text = source.read_text()
    right = "  assign m_axis_tdata  = ~crc_q[7:0];"
    assert right in text
    source.write_text(text.replace(right, _FAULT))
    [found] = load(folder / "core.toml").designs
    return found


def on_board(found: Design, fitted: Fitted, *, divider: int = DIVIDER) -> OnBoard:
    """Join a design to a board, with a UART that is quick to simulate, and the fault in it."""
    made = wrapper.wrap(found, fitted.board, divider=divider)
    sources = msgspec.structs.replace(made.sources, defines={"LYDITE_PLANTED": "1"})
    return msgspec.structs.replace(made, sources=sources)


class PtyBoard:
    """A board behind a pseudo terminal, in a thread; a context manager.

    Parameters
    ----------
    limit_mhz : float
        Above which its core answers some messages wrongly.
    drop, noise : float
        The share of bytes that are lost, and of those that are changed, each way.
    noise_back : float
        Of those that are changed on their way from the board, beside these.
    """

    def __init__(
        self,
        made: OnBoard,
        fitted: Fitted,
        *,
        limit_mhz: float = 1e9,
        drop: float = 0.0,
        noise: float = 0.0,
        noise_back: float = 0.0,
        seed: int = 1,
    ) -> None:
        self._limit_mhz = limit_mhz
        self._drop, self._noise, self._noise_back = drop, noise, noise_back
        self._divider = made.divider
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        crystal = float(fitted.board.crystal_mhz)
        self._board = SimulatedBoard(made, crystal, crystal)
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.name = os.ttyname(self._slave)
        self.silent = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> PtyBoard:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)
        self._board.close()

    def configure(self, mhz: float) -> None:
        """Take a bitstream of a clock."""
        argument = "+planted" if mhz > self._limit_mhz else ""
        with self._lock:
            self._board.configure(mhz, argument=argument)
            self._board.step(b"", _WINDOW // self._divider + 200)

    def _disturbed(self, data: bytes, noise: float) -> bytes:
        found = bytearray()
        for byte in data:
            if self._random.random() < self._drop:
                continue
            noisy = self._random.random() < noise
            found.append(byte ^ (1 << self._random.randrange(8)) if noisy else byte)
        return bytes(found)

    def _serve(self) -> None:
        while not self._stop.is_set():
            ready, _, _ = select.select([self._master], [], [], _POLL_S)
            data = self._disturbed(os.read(self._master, 4096), self._noise) if ready else b""
            with self._lock:
                came = b"" if self.silent else self._board.step(data, 200)
            if came:
                os.write(self._master, self._disturbed(came, self._noise + self._noise_back))


class PtyBench:
    """What `board_search` calls, with a board whose bitstreams need no placing."""

    def __init__(self, board: PtyBoard, made: OnBoard, fitted: Fitted) -> None:
        self._board = board
        self._made = made
        self._fitted = fitted

    def at(self, setting: Setting, groups: Sequence[Group]) -> tuple[float, Ran]:
        """Set a clock, and run messages over the port."""
        self._board.configure(setting.mhz)
        with serial_port.opened(self._board.name, self._fitted.board.baud) as port:
            line = Link(port, self._made, where=self._board.name)
            measured = line.check(setting.mhz, float(self._fitted.board.crystal_mhz))
            return measured, line.run(groups)
