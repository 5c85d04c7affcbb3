# SPDX-License-Identifier: Apache-2.0
"""Speaks with a board over its UART, real or simulated: docs/boards.md, "The bytes on the line".

A job is cleared, written, let go, read. Whatever goes wrong on the line, it begins again from the
clear: no byte that was lost or came twice can be taken for what the core did.
"""

from __future__ import annotations

import binascii
import functools
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import msgspec

from lydite.base.errors import InputError
from lydite.sim.board import records, wrapper
from lydite.sim.board.records import Group, Word
from lydite.sim.board.wrapper import OnBoard

_TO_BOARD, _FROM_BOARD = 0xA5, 0x5A
_CLEAR, _WRITE, _GO, _READ = 0x10, 0x20, 0x30, 0x40
_BAD, _OVERFLOW, _UNLOCKED = 1, 2, 4
# A frame that was cut off ends within so many bytes, and is none then.
_FLUSH = bytes(300)
# How often a job is begun again before the line is given up.
TRIES = 10
_SILENT_TRIES = 3
# Reads without a word, and seconds of them, after which the core is taken to be done.
_EMPTY_READS, _EMPTY_S = 20, 0.02
# What the measured clock may differ from the one that was asked for, beside two edges of a count.
CLOCK_TOLERANCE = 0.01

T = TypeVar("T")


class Port(Protocol):
    """What of a serial port is used; `read` gives fewer bytes when its time is up."""

    def read(self, size: int, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def reset_input_buffer(self) -> None: ...


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """What calls did.

    Attributes
    ----------
    wrong : tuple of int
        Numbers of calls whose answers are wrong or not there.
    first : tuple of str, optional
        Of the first of them: what is right, and what came, in hexadecimal.
    cycles : int
        Of the core, from the start of each group to its last word.
    repeated : int
        Jobs that were begun again since the line was disturbed.
    """

    wrong: tuple[int, ...]
    first: tuple[str, str] | None
    cycles: int
    repeated: int


class LineFault(Exception):
    """An answer that did not come, or is not one; `came` is what did."""

    def __init__(self, what: str, came: bytes) -> None:
        self.what = what
        self.came = came
        super().__init__(what)


def crc16(data: bytes) -> int:
    """Give the CRC of frames: polynomial 0x1021, start 0xffff, highest bit first."""
    return binascii.crc_hqx(data, 0xFFFF)


def frame(begin: int, command: int, payload: bytes) -> bytes:
    """Give a frame."""
    body = bytes([command, len(payload)]) + payload
    return bytes([begin]) + body + crc16(body).to_bytes(2, "big")


class Link:
    """A board at the end of a line.

    Parameters
    ----------
    where : str
        What the port is called, for errors.
    silent_s : float
        For which the core may work without an answer, beside what is usual.
    """

    def __init__(self, port: Port, on_board: OnBoard, *, where: str, silent_s: float = 0.0) -> None:
        self._port = port
        self._on_board = on_board
        self._where = where
        self._silent_s = silent_s
        self._heard = False
        #: Jobs begun again so far.
        self.repeated = 0

    def check(self, core_mhz: float, crystal_mhz: float) -> float:
        """Check that the board has this hardware and this clock, and give the clock as measured.

        Raises
        ------
        InputError
            Nothing answers, or something else; another bitstream, no lock, another clock.
        """
        info, status = self._repeat(self._info)
        value = int.from_bytes(info, "little")
        identity, version = value & 0xFFFFFFFF, value >> 32 & 0xFF
        edges = value >> 40 & 0xFFFF
        edge_mhz = crystal_mhz * 2.0 ** (wrapper.METER_DIVIDED - 1 - wrapper.METER_WINDOW)
        measured = edges * edge_mhz
        if version != wrapper.VERSION or identity != self._on_board.identity:
            what = f"the board has other hardware: {identity:08x}, version {version}"
            wanted = f"{self._on_board.identity:08x}, version {wrapper.VERSION}"
            hint = f"{wanted} was made: is it programmed, and is this its port?"
            raise InputError(self._where, what, hint)
        if status & _UNLOCKED:
            what = f"the PLL has not locked on {core_mhz:.4f} MHz"
            raise InputError(self._where, what, "is the crystal that of the board's file?")
        if abs(measured - core_mhz) > CLOCK_TOLERANCE * core_mhz + 2 * edge_mhz:
            what = f"the core's clock is {measured:.2f} MHz by the board's crystal"
            hint = f"not {core_mhz:.2f}, as asked for: another bitstream, or another crystal"
            raise InputError(self._where, what, hint)
        return measured

    def run(self, groups: Sequence[Group]) -> Ran:
        """Run calls and compare what they give.

        Raises
        ------
        InputError
            The line is not one.
        """
        wrong: list[int] = []
        first = None
        cycles, before = 0, self.repeated
        sources = self._on_board.core.sources
        for group in groups:
            words = self._repeat(functools.partial(self._job, group))
            cycles += max((word.cycle for one in words for word in one), default=0)
            given = records.answers(words, group.calls, sources)
            for at, (call, data) in enumerate(zip(group.calls, given, strict=True)):
                if records.is_right(data, call):
                    continue
                wrong.append(group.first + at)
                if first is None:
                    right = [b"".join(p.data for p in packets) for packets in call.outputs]
                    first = (_hex(right), _hex(data))
        return Ran(wrong=tuple(wrong), first=first, cycles=cycles, repeated=self.repeated - before)

    def _job(self, group: Group) -> list[list[Word]]:
        """Do a job once."""
        on_board = self._on_board
        self._exchange(_CLEAR, b"", 0)
        for number, (wire, data) in enumerate(zip(on_board.core.sinks, group.records, strict=True)):
            self._write(number, data, wrapper.sink_bytes(wire, on_board.user[number]))
        if group.held:
            self._write(len(on_board.core.sinks), group.held, len(group.held))
        self._exchange(_GO, b"", 0)
        return [self._outputs(group, number) for number in range(len(on_board.core.sources))]

    def _outputs(self, group: Group, number: int) -> list[Word]:
        """Read an output until all has come that is to come, or nothing comes any more."""
        wire = self._on_board.core.sources[number]
        size = wrapper.source_bytes(wire)
        wanted = records.words_out(group.calls, number, wire)
        words: list[Word] = []
        empty, since = 0, time.monotonic()
        while not records.complete(words, group.calls, number, wire):
            count = min(max(wanted - len(words), 1), 254 // size)
            data = self._exchange(_READ | number, bytes([count * size]), count * size)[0]
            cut = (data[at : at + size] for at in range(0, len(data), size))
            came = [word for record in cut if (word := records.decoded(record, wire)) is not None]
            words += came
            if came:
                empty, since = 0, time.monotonic()
                continue
            empty += 1
            waited = time.monotonic() - since
            if empty >= _EMPTY_READS and waited >= _EMPTY_S + self._silent_s:
                break
            if len(words) > 2 * self._on_board.words:
                break  # it gives words without an end
        return words

    def _write(self, stream: int, data: bytes, size: int) -> None:
        step = 255 // size * size or 255
        for at in range(0, len(data), step):
            self._exchange(_WRITE | stream, data[at : at + step], 0)

    def _info(self) -> tuple[bytes, int]:
        """Ask the board what it is; it has measured its clock soon after it woke."""
        self._exchange(_CLEAR, b"", 0)
        for _ in range(_EMPTY_READS):
            size = wrapper.INFO_BYTES
            data, status = self._exchange(_READ | wrapper.INFO, bytes([size]), size)
            if data[-1] & 0x80:
                return data, status
            time.sleep(0.01)
        raise LineFault("it measures no clock", data)

    def _repeat(self, once: Callable[[], T]) -> T:
        """Do something until the line lets it through."""
        faults = []
        for _ in range(TRIES):
            try:
                return once()
            except LineFault as fault:
                faults.append(fault)
                self.repeated += 1
                self._recover()
            heard = self._heard or any(one.came for one in faults)
            if len(faults) == _SILENT_TRIES and not heard:
                break
        came = [one.came for one in faults if one.came]
        if not heard:
            what = f"nothing answers: {len(faults)} tries without a byte"
            raise InputError(self._where, what, "is the board programmed, and is this its port?")
        if self._heard or any(one[0] == _FROM_BOARD for one in came):
            what = f"the line loses or changes bytes: {TRIES} tries, none whole"
            raise InputError(self._where, what, "a shorter cable, another adapter, another port")
        what = f"what answers is no board of ours: {came[-1][:8].hex(' ')}"
        raise InputError(self._where, what, "is this its port, and at its baud rate?")

    def _exchange(self, command: int, payload: bytes, expected: int) -> tuple[bytes, int]:
        """Send a command and give the data of its answer, and the status."""
        self._port.write(frame(_TO_BOARD, command, payload))
        came = self._port.read(expected + 6)
        if len(came) < expected + 6:
            raise LineFault("silent" if not came else "cut off", came)
        if came[:3] != bytes([_FROM_BOARD, command, expected + 1]) or crc16(came[1:]):
            raise LineFault("no answer", came)
        self._heard = True
        status = came[3]
        if status & _BAD:
            raise LineFault("a frame was lost", came)
        if status & _OVERFLOW:
            raise LineFault("a record came twice", came)
        return came[4:-2], status

    def _recover(self) -> None:
        """Bring both ends to the beginning of a frame."""
        self._port.write(_FLUSH)
        while self._port.read(64):
            pass
        self._port.reset_input_buffer()


def _hex(given: Sequence[bytes]) -> str:
    return " ".join(one.hex() or "nothing" for one in given)
