# SPDX-License-Identifier: Apache-2.0
"""A core behind a UART, simulated: right answers from cores of all kinds, faults of the line."""

from __future__ import annotations

import binascii
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import compiled
import msgspec
import pty_board
import pytest
from pty_board import PtyBoard

from lydite.base import InputError
from lydite.cores import Design, catalog
from lydite.runs.boards import serial_port
from lydite.sim import framing
from lydite.sim.board import link, records, wrapper
from lydite.sim.board.link import Link, Ran
from lydite.sim.board.records import Group
from lydite.sim.board.simulated import SimulatedBoard
from lydite.sim.board.wrapper import OnBoard
from lydite.sim.routed import stimulus
from lydite.sim.stream import Call
from lydite.targets import boards

BOARD = boards.find("ecpix5-45f")
CRYSTAL_MHZ = 100.0


@pytest.fixture(scope="module")
def design(tmp_path_factory: pytest.TempPathFactory) -> Design:
    return pty_board.design(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def made(design: Design) -> OnBoard:
    return pty_board.on_board(design, BOARD)


@pytest.fixture
def board(made: OnBoard) -> Iterator[SimulatedBoard]:
    with SimulatedBoard(made, CRYSTAL_MHZ, 73.0) as simulated:
        yield simulated


def calls(design: Design, count: int) -> list[Call]:
    return [framing.call(design, job) for job in stimulus.jobs(design, "random", count, 1)]


def grouped(made: OnBoard, given: Sequence[Call]) -> tuple[Group, ...]:
    return records.groups(made, given)[0]


def catalogue(label: str) -> Design:
    found = (one for core in catalog.cores() for one in core.designs if one.label == label)
    return compiled.design(next(found))


@pytest.mark.parametrize(
    "label",
    [
        "crc-32/rtl",
        "adler-32/rtl",
        pytest.param("aes-128/rtl-forward", marks=pytest.mark.slow),  # a key
        pytest.param("ascon-aead128/rtl", marks=pytest.mark.slow),  # several fields
        pytest.param("blake3/rtl", marks=pytest.mark.slow),
        pytest.param("sha3-256/rtl", marks=pytest.mark.slow),
    ],
)
def test_core_of_the_catalogue_answers_over_the_uart(label: str) -> None:
    one = catalogue(label)
    joined = wrapper.wrap(one, BOARD.board, divider=pty_board.DIVIDER)
    given = [framing.call(one, job) for job in stimulus.jobs(one, "random", 8, 1)]
    with SimulatedBoard(joined, CRYSTAL_MHZ, 140.0) as simulated:
        line = Link(simulated, joined, where="simulated")
        assert line.check(140.0, CRYSTAL_MHZ) == pytest.approx(140.0, rel=0.005)
        ran = line.run(grouped(joined, given))
    assert (ran.wrong, ran.repeated) == ((), 0)
    assert ran.cycles > 0


@pytest.mark.parametrize("core_mhz", [4.0, 12.5, 99.9, 400.0])
def test_clocks_of_all_ratios_work_and_are_measured(
    design: Design, made: OnBoard, core_mhz: float
) -> None:
    with SimulatedBoard(made, CRYSTAL_MHZ, core_mhz) as simulated:
        line = Link(simulated, made, where="simulated")
        assert line.check(core_mhz, CRYSTAL_MHZ) == pytest.approx(core_mhz, rel=0.01, abs=0.2)
        assert line.run(grouped(made, calls(design, 20))).wrong == ()


def test_board_at_its_own_baud_rate_works(design: Design) -> None:
    joined = wrapper.wrap(design, boards.find("hx8k").board)
    assert joined.divider == 12
    with SimulatedBoard(joined, 12.0, 50.0) as simulated:
        ran = Link(simulated, joined, where="").run(grouped(joined, calls(design, 4)))
    assert ran.wrong == ()


def test_cycles_are_those_of_the_core(design: Design, made: OnBoard, board: SimulatedBoard) -> None:
    """The example takes a byte a cycle, four for the output; of messages back to back all count."""
    given = calls(design, 12)
    [group] = grouped(made, given)
    ran = Link(board, made, where="").run([group])
    bytes_in = sum(max(len(p.data), 1) for call in given for s in call.inputs for p in s)
    wanted = bytes_in + 4 * len(given)
    # Two stages of registers, a stamp that is two cycles old, a count that begins with 0.
    assert abs(ran.cycles - wanted) <= 4


def test_wrong_expectation_is_seen_and_told(
    design: Design, made: OnBoard, board: SimulatedBoard
) -> None:
    given = calls(design, 6)
    [[right]] = given[3].outputs
    wrong = msgspec.structs.replace(right, data=bytes(4))
    given[3] = msgspec.structs.replace(given[3], outputs=((wrong,),))
    ran = Link(board, made, where="").run(grouped(made, given))
    assert ran.wrong == (3,)
    assert ran.first == ("00000000", right.data.hex())


def test_core_that_gives_too_little_is_wrong_not_silent(
    design: Design, made: OnBoard, board: SimulatedBoard
) -> None:
    """It waits for a packet that never ends: the message is wrong, and what came is told."""
    given = calls(design, 3)
    [[right]] = given[2].outputs
    twice = msgspec.structs.replace(given[2], outputs=((right, right),))
    ran = Link(board, made, where="").run(grouped(made, [*given[:2], twice]))
    assert ran.wrong == (2,)
    assert ran.first == ((right.data * 2).hex(), right.data.hex())


def test_messages_that_no_fifo_holds_are_left_out(design: Design, made: OnBoard) -> None:
    long = framing.call(design, stimulus.jobs(design, "random", 1, 1)[0])
    [[packet]] = long.inputs
    much = msgspec.structs.replace(
        long, inputs=((msgspec.structs.replace(packet, data=bytes(513)),),)
    )
    groups, left_out = records.groups(made, [long, much, long])
    assert left_out == 1
    assert [len(group.calls) for group in groups] == [2]


def test_crc_of_frames_is_the_one_that_is_documented() -> None:
    # The check value of CRC-16/CCITT-FALSE (G. Cook's catalogue: CRC-16/IBM-3740).
    assert link.crc16(b"123456789") == 0x29B1
    assert link.frame(0xA5, 0x10, b"") == bytes.fromhex("a51000") + binascii.crc_hqx(
        b"\x10\0", 0xFFFF
    ).to_bytes(2, "big")


def test_every_changed_bit_of_a_frame_is_refused(board: SimulatedBoard) -> None:
    right = link.frame(0xA5, 0x40 | wrapper.INFO, b"\x08")
    for bit in range(8, 8 * len(right)):
        wrong = bytearray(right)
        wrong[bit // 8] ^= 1 << bit % 8
        board.reset_input_buffer()
        # Zeros end a frame whose length was changed; a clear then forgets it.
        came = board.step(bytes(wrong) + bytes(300), 200)
        assert came == b"", f"bit {bit}"
        cleared = board.step(link.frame(0xA5, 0x10, b""), 400)
        assert cleared == link.frame(0x5A, 0x10, b"\0"), f"bit {bit}"


def ran_over(design: Design, made: OnBoard, count: int, **disturbed: float) -> tuple[Ran, float]:
    with PtyBoard(made, BOARD, **disturbed) as board:  # type: ignore[arg-type]
        board.configure(150.0)
        with serial_port.opened(board.name, BOARD.board.baud) as port:
            line = Link(port, made, where=board.name)
            measured = line.check(150.0, CRYSTAL_MHZ)
            return line.run(grouped(made, calls(design, count))), measured


def test_quiet_line_behind_a_pseudo_terminal(design: Design, made: OnBoard) -> None:
    ran, measured = ran_over(design, made, 40)
    assert (ran.wrong, ran.repeated) == ((), 0)
    assert measured == pytest.approx(150.0, rel=0.005)


def test_lost_and_changed_bytes_are_never_the_cores_fault(design: Design, made: OnBoard) -> None:
    ran, _ = ran_over(design, made, 40, drop=0.0003, noise=0.0003)
    assert ran.wrong == ()
    assert ran.repeated > 0


def refused(made: OnBoard, board: PtyBoard, mhz: float = 150.0) -> str:
    with serial_port.opened(board.name, BOARD.board.baud) as port:
        line = Link(port, made, where=board.name)
        with pytest.raises(InputError) as raised:
            line.check(mhz, CRYSTAL_MHZ)
    return str(raised.value)


def test_line_that_loses_all_is_told(made: OnBoard) -> None:
    with PtyBoard(made, BOARD, noise_back=0.3) as board:
        board.configure(150.0)
        message = refused(made, board)
    assert "the line loses or changes bytes: 10 tries, none whole\n  a shorter cable" in message


def test_silent_board_is_told(made: OnBoard) -> None:
    with PtyBoard(made, BOARD) as board:
        board.silent = True
        message = refused(made, board)
    assert message == (
        f"{board.name}: nothing answers: 3 tries without a byte\n"
        "  is the board programmed, and is this its port?"
    )


class Rubbish:
    """A port at whose end something else talks."""

    def __init__(self) -> None:
        self._random = random.Random(1)

    def read(self, size: int, /) -> bytes:
        return b"" if size == 64 else b"\0" + self._random.randbytes(size - 1)

    def write(self, data: bytes, /) -> int:
        return len(data)

    def reset_input_buffer(self) -> None:
        pass


def test_rubbish_is_told(made: OnBoard) -> None:
    with pytest.raises(InputError) as raised:
        Link(Rubbish(), made, where="/dev/tty9").check(150.0, CRYSTAL_MHZ)
    assert str(raised.value).startswith("/dev/tty9: what answers is no board of ours: 00 ")
    assert str(raised.value).endswith("\n  is this its port, and at its baud rate?")


def test_other_hardware_and_another_clock_are_told(made: OnBoard) -> None:
    other = msgspec.structs.replace(made, identity=made.identity ^ 1)
    with PtyBoard(made, BOARD) as board:
        board.configure(150.0)
        assert (
            f"{board.name}: the board has other hardware: {made.identity:08x}, version 1\n"
            f"  {other.identity:08x}, version 1 was made: is it programmed, and is this its port?"
        ) == refused(other, board)
        message = refused(made, board, mhz=160.0)
    assert message.startswith(f"{board.name}: the core's clock is 150.00 MHz by the board's")
    assert message.endswith("  not 160.00, as asked for: another bitstream, or another crystal")


def test_port_that_is_not_there_is_told(tmp_path: Path) -> None:
    name = str(tmp_path / "ttyUSB9")
    with pytest.raises(InputError) as raised, serial_port.opened(name, 1_000_000):
        pass
    assert str(raised.value).startswith(f"--port: {name}: No such file or directory\n  ")


def test_port_that_goes_away_is_told(made: OnBoard) -> None:
    import serial

    with PtyBoard(made, BOARD) as board, pytest.raises(InputError) as raised:  # noqa: SIM117
        with serial_port.opened(board.name, BOARD.board.baud):
            raise serial.SerialException("device reports readiness to read but returned no data")
    assert "has gone: device reports readiness" in str(raised.value)


def test_designs_that_no_board_takes_are_refused(design: Design, tmp_path: Path) -> None:
    many = next(o for core in catalog.cores() for o in core.designs if o.interleaved > 1)
    with pytest.raises(InputError, match="calls at once, told apart by tid"):
        wrapper.wrap(compiled.design(many), BOARD.board)
    folder = tmp_path / "named"
    pty_board.design(folder)
    (folder / "crossing.v").write_text((folder / "crc32.v").read_text())
    text = (folder / "core.toml").read_text().replace('["crc32.v"]', '["crossing.v"]')
    (folder / "core.toml").write_text(text)
    from lydite.cores import load

    [named] = load(folder / "core.toml").designs
    with pytest.raises(InputError, match=r"crossing\.v is a file of the board's hardware"):
        wrapper.wrap(named, BOARD.board)
