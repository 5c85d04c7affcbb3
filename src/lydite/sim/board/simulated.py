# SPDX-License-Identifier: Apache-2.0
"""A board, simulated: the hardware around a core under two clocks, with bytes at its UART.

It has `read`, `write` and `timeout` as a serial port has them; time passes only while somebody
writes or waits for bytes.
"""

from __future__ import annotations

import ctypes

from lydite.sim import build
from lydite.sim.board.wrapper import OnBoard

HARNESS = build.NATIVE / "board.cpp"
# Bytes that a call of the harness may give, and bits of the UART that pass in one.
_ROOM = 4096
_STEP_BITS = 200
_U64 = ctypes.c_uint64


class SimulatedBoard:
    """A simulated board; a context manager, since the model lives outside Python.

    Parameters
    ----------
    crystal_mhz, core_mhz : float
        Its two clocks.
    seed : int
        Of the values at power-up.
    argument : str
        For the `$test$plusargs` of a core under test.
    patience_bits : int
        Bits of the UART without an answer after which a read gives up.
    """

    def __init__(
        self,
        on_board: OnBoard,
        crystal_mhz: float,
        core_mhz: float,
        *,
        seed: int = 1,
        argument: str = "",
        patience_bits: int = 20_000,
    ) -> None:
        library = build.build_model(on_board.sources, HARNESS, defines={})
        self._library = ctypes.CDLL(str(library))
        self._library.lydite_open.restype = ctypes.c_void_p
        self._library.lydite_open.argtypes = (_U64, ctypes.c_char_p)
        self._library.lydite_close.argtypes = (ctypes.c_void_p,)
        self._library.lydite_run.restype = _U64
        text, number = ctypes.c_char_p, _U64
        self._library.lydite_run.argtypes = (
            *(ctypes.c_void_p, number, number, number),
            *(text, number, number, text, number),
        )
        self._on_board = on_board
        self._patience_bits = patience_bits
        self._came = b""
        self._crystal_ps = round(1e6 / crystal_mhz)
        self._model: int | None = None
        self.configure(core_mhz, seed=seed, argument=argument)

    def configure(self, core_mhz: float, *, seed: int = 1, argument: str = "") -> None:
        """Begin again, as with another bitstream."""
        self.close()
        self._core_ps = round(1e6 / core_mhz)
        self._model = self._library.lydite_open(seed, argument.encode() if argument else None)
        assert self._model, "the model could not be made"
        self._came = b""

    def __enter__(self) -> SimulatedBoard:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the model."""
        if self._model:
            self._library.lydite_close(self._model)
            self._model = None

    def step(self, data: bytes, bits: int) -> bytes:
        """Give bytes to the board, let so many bits of the UART pass, and give what came out."""
        room = ctypes.create_string_buffer(_ROOM)
        divider = self._on_board.divider
        got = self._library.lydite_run(
            *(self._model, self._crystal_ps, self._core_ps, divider),
            *(data, len(data), bits * divider, room, _ROOM),
        )
        return room.raw[:got]

    def write(self, data: bytes) -> int:
        """Give bytes to the board."""
        self._came += self.step(data, 0)
        return len(data)

    def read(self, size: int) -> bytes:
        """Give so many bytes, or fewer if no more come."""
        left = self._patience_bits
        while len(self._came) < size and left > 0:
            self._came += self.step(b"", _STEP_BITS)
            left -= _STEP_BITS
        found, self._came = self._came[:size], self._came[size:]
        return found

    def reset_input_buffer(self) -> None:
        """Drop what came and was not read."""
        self._came = b""
