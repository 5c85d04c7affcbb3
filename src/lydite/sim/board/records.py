# SPDX-License-Identifier: Apache-2.0
"""Calls as records of a board's FIFOs, and records as answers.

An input's record is, from the lowest bit: data, a bit for each byte that counts, `tlast`, `tuser`.
An output's: data, such bits, `tlast`, the cycle; the highest bit says that there is a record.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from lydite.sim.board.wrapper import OnBoard, held_bytes, sink_bytes, source_bytes
from lydite.sim.stream import Call, Packet, Wire


class Group(msgspec.Struct, frozen=True):
    """Calls that the FIFOs hold together, and go to the core back to back.

    Attributes
    ----------
    first : int
        Number of the first of them.
    records : tuple of bytes
        Of each input.
    held : bytes
        Values of the core's registers.
    """

    first: int
    calls: tuple[Call, ...]
    records: tuple[bytes, ...]
    held: bytes


class Word(msgspec.Struct, frozen=True):
    """A word of an output: its bytes that count, whether it ends a packet, its cycle."""

    data: bytes
    last: bool
    cycle: int


def _chunks(packet: Packet, wire: Wire) -> list[bytes]:
    data = packet.data
    cut = [data[at : at + wire.bytes] for at in range(0, len(data), wire.bytes)]
    # Nothing but a word without bytes can end an empty packet.
    return cut or ([b""] if wire.has_keep else [])


def _ordered(data: bytes, wire: Wire) -> bytes:
    whole = data.ljust(wire.bytes, b"\0")
    return whole[::-1] if wire.big_endian else whole


def _encoded(packets: Sequence[Packet], wire: Wire, user: int) -> bytes:
    """Give the records of packets."""
    found = []
    for packet in packets:
        chunks = _chunks(packet, wire)
        for number, chunk in enumerate(chunks):
            value = int.from_bytes(_ordered(chunk, wire), "little")
            value |= ((1 << len(chunk)) - 1) << 8 * wire.bytes
            value |= (number == len(chunks) - 1) << 9 * wire.bytes
            value |= (packet.user & ((1 << user) - 1)) << 9 * wire.bytes + 1
            found.append(value.to_bytes(sink_bytes(wire, user), "little"))
    return b"".join(found)


def decoded(record: bytes, wire: Wire) -> Word | None:
    """Read a record of an output; None where there was none."""
    value = int.from_bytes(record, "little")
    if not value >> 8 * len(record) - 1:
        return None
    data = (value & (1 << 8 * wire.bytes) - 1).to_bytes(wire.bytes, "little")
    data = data[::-1] if wire.big_endian else data
    keep = value >> 8 * wire.bytes & (1 << wire.bytes) - 1
    kept = bytes(byte for lane, byte in enumerate(data) if keep >> lane & 1)
    value >>= 9 * wire.bytes
    return Word(kept, bool(value & 1), value >> 1 & (1 << 24) - 1)


def words_out(calls: Sequence[Call], number: int, wire: Wire) -> int:
    """Give how many words an output has for calls."""
    return sum(len(_chunks(p, wire)) for call in calls for p in call.outputs[number])


def groups(on_board: OnBoard, calls: Sequence[Call]) -> tuple[tuple[Group, ...], int]:
    """Put calls together as the FIFOs hold them; those that no FIFO holds are left out.

    Returns
    -------
    tuple
        Groups in order, and how many calls were left out. A call's number counts those that stay.
    """
    core, room = on_board.core, on_board.words
    found: list[Group] = []
    now: list[Call] = []
    sizes = [0] * (len(core.sinks) + len(core.sources))
    first = left_out = 0

    def close() -> None:
        nonlocal first
        if now:
            found.append(_group(on_board, first, now))
            first += len(now)
            now.clear()
        sizes[:] = [0] * len(sizes)

    for call in calls:
        sinks = enumerate(core.sinks)
        needs = [sum(len(_chunks(p, wire)) for p in call.inputs[n]) for n, wire in sinks]
        needs += [words_out([call], n, wire) for n, wire in enumerate(core.sources)]
        if max(needs) > room:
            left_out += 1
            continue
        full = any(a + b > room for a, b in zip(sizes, needs, strict=True))
        if full or (now and now[-1].registers != call.registers):
            close()
        now.append(call)
        sizes[:] = [a + b for a, b in zip(sizes, needs, strict=True)]
    close()
    return tuple(found), left_out


def _group(on_board: OnBoard, first: int, calls: Sequence[Call]) -> Group:
    core = on_board.core
    records = tuple(
        b"".join(_encoded(call.inputs[n], wire, on_board.user[n]) for call in calls)
        for n, wire in enumerate(core.sinks)
    )
    held = calls[0].registers.ljust(held_bytes(core), b"\0") if core.registers else b""
    return Group(first, tuple(calls), records, held)


def complete(words: Sequence[Word], calls: Sequence[Call], number: int, wire: Wire) -> bool:
    """Say whether an output has given all that calls are to give."""
    if wire.has_last and wire.has_keep:
        wanted = sum(len(call.outputs[number]) for call in calls)
        return sum(word.last for word in words) >= wanted
    return len(words) >= words_out(calls, number, wire)


def answers(
    words: Sequence[Sequence[Word]], calls: Sequence[Call], core_sources: Sequence[Wire]
) -> list[list[bytes]]:
    """Give for each call what came on each output, cut as the right answer is."""
    found: list[list[bytes]] = [[] for _ in calls]
    for number, wire in enumerate(core_sources):
        for row, data in zip(found, _cut(words[number], calls, number, wire), strict=True):
            row.append(data)
    return found


def _cut(words: Sequence[Word], calls: Sequence[Call], number: int, wire: Wire) -> list[bytes]:
    found = []
    at = 0
    for call in calls:
        packets = call.outputs[number]
        end = at
        if wire.has_last and wire.has_keep:
            for _ in packets:
                while end < len(words) and not words[end].last:
                    end += 1
                end = min(end + 1, len(words))
        else:
            end = min(at + words_out([call], number, wire), len(words))
        found.append(b"".join(word.data for word in words[at:end]))
        at = end
    return found


def is_right(given: Sequence[bytes], call: Call) -> bool:
    """Say whether what came is what is right, where that means something."""
    for data, packets in zip(given, call.outputs, strict=True):
        if len(data) != sum(len(packet.data) for packet in packets):
            return False
        at = 0
        for packet in packets:
            end = at + len(packet.data)
            if packet.compared and data[at:end] != packet.data:
                return False
            at = end
    return True


def output_bytes(on_board: OnBoard) -> tuple[int, ...]:
    """Give the bytes of a record of each output."""
    return tuple(source_bytes(wire) for wire in on_board.core.sources)
