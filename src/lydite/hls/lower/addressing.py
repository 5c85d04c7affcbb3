# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of bytes at an address as accesses to words of memories.

An access is cut into aligned pieces, none over a word. A piece that is narrower than its word is
taken out of it by a shift, and put into it by a mask over the word's lanes. Where several memories
may be meant, which is only so for argument arrays, the address decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Memory, Op, const
from lydite.hls.lower.memory_layout import pieces


@dataclass(frozen=True, slots=True)
class Accesses:
    """Builds accesses.

    Attributes
    ----------
    build : Builder
        Where the operations go.
    address_width : int
        Bits of the address space.
    """

    build: Builder
    address_width: int

    def load(self, targets: Sequence[Memory], address: Op, width: int, align: int) -> Op:
        """Give the value of `width` bits at an address."""
        size = -(-width // 8)
        result: Op | None = None
        for memory in targets:
            value = self.build.resize(self._load_from(memory, address, size, align), width)
            if result is None:
                result = value
            else:
                result = self.build.mux(self._chosen(memory, address), value, result)
        return result if result is not None else const(width, 0)

    def store(self, targets: Sequence[Memory], address: Op, value: Op, align: int) -> None:
        """Put a value to an address."""
        build = self.build
        size = -(-value.width // 8)
        value = build.resize(value, size * 8)
        for memory in targets:
            enable = self._chosen(memory, address) if len(targets) > 1 else const(1, 1)
            for offset, piece in pieces(size, align, memory.width // 8):
                place = build.binary("add", address, const(64, offset))
                part = build.slice(value, offset * 8, piece * 8)
                self._store_piece(memory, place, part, enable)

    def _index(self, memory: Memory, address: Op) -> Op:
        low = (memory.width // 8).bit_length() - 1
        if memory.depth == 1:
            return const(1, 0)
        return self.build.slice(address, low, memory.index_width)

    def _lane(self, memory: Memory, address: Op, piece: int) -> Op:
        """Give the number of the piece in its word that an address selects."""
        low = piece.bit_length() - 1
        high = (memory.width // 8).bit_length() - 1
        return self.build.slice(address, low, high - low)

    def _chosen(self, memory: Memory, address: Op) -> Op:
        """Give whether an address lies in a memory."""
        span = max(memory.depth * memory.width // 8 - 1, 15).bit_length()
        width = self.address_width
        high = self.build.slice(address, span, width - span)
        return self.build.compare("eq", high, const(width - span, memory.base >> span))

    def _load_from(self, memory: Memory, address: Op, size: int, align: int) -> Op:
        build = self.build
        parts: list[Op] = []
        for offset, piece in pieces(size, align, memory.width // 8):
            place = build.binary("add", address, const(64, offset))
            index = self._index(memory, place)
            word = Op("load", memory.width, [index], attr=memory, where=build.where)
            word.name = build.name
            build.ops.append(word)
            value = word
            if piece * 8 < memory.width:
                lane = self._lane(memory, place, piece)
                shift = build.concat(lane, const((piece * 8 - 1).bit_length(), 0))
                value = build.slice(build.shift("lshr", word, shift), 0, piece * 8)
            parts.append(value)
        return build.concat(*reversed(parts))

    def _store_piece(self, memory: Memory, place: Op, part: Op, enable: Op) -> None:
        build = self.build
        word, mask = part, build.resize(enable, memory.lanes, signed=True)
        if part.width < memory.width:
            assert memory.lanes > 1, f"a piece of a word of {memory.name}, which has no lanes"
            count = memory.width // part.width
            word = build.concat(*[part] * count)
            lane = self._lane(memory, place, part.width // 8)
            each = part.width // 8
            marks = [
                build.compare("eq", lane, const(lane.width, position)) for position in range(count)
            ]
            chosen = build.concat(
                *[build.resize(mark, each, signed=True) for mark in reversed(marks)]
            )
            mask = build.binary("and", mask, chosen)
        index = self._index(memory, place)
        store = Op("store", 0, [index, word, mask], attr=memory, where=build.where)
        build.ops.append(store)
