# SPDX-License-Identifier: Apache-2.0
"""Arrays that became several memories: recorded calls as the banks have them, and back.

The C program has one array, the hardware a port for each bank. The harness takes each bank for an
array of its own; what was recorded is put in their order, and what came out is put back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lydite.hls.contract.banking import Bank
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg, StreamArg
from lydite.sim.cosim.native import ADDRESS_BYTES, ArrayField, Layout, Recording, layout

Arg: TypeAlias = ScalarArg | ArrayArg | StreamArg


@dataclass(frozen=True, slots=True)
class _Array:
    """An array of the program, and the fields that the harness has for it."""

    whole: ArrayField
    parts: tuple[tuple[ArrayField, Bank | None], ...]


class Banks:
    """The arrays of a function as its hardware has them.

    Attributes
    ----------
    outer, inner : Layout
        Of the program's calls, and of the harness'.
    """

    def __init__(self, interface: Interface) -> None:
        self.outer = layout(interface)
        args = [part for arg in interface.args for part in parts_of(arg)]
        self.inner: Layout = layout(dataclasses.replace(interface, args=tuple(args)))
        fields = iter(self.inner.arrays)
        self._arrays = [
            _Array(whole, tuple((next(fields), bank) for bank in whole.arg.banks or (None,)))
            for whole in self.outer.arrays
        ]
        self._plain = not any(whole.arg.banks for whole in self.outer.arrays)

    def scattered(self, recording: Recording) -> Recording:
        """Give a recording in the harness' layout."""
        if self._plain:
            return recording
        size = self.outer.record_bytes
        calls = [
            self._scatter(recording.data[at : at + size])
            for at in range(0, len(recording) * size, size)
        ]
        by_value = {
            part.arg.name
            for array in self._arrays
            for part, _ in array.parts
            if array.whole.arg.name in recording.by_value
        }
        return dataclasses.replace(
            recording, layout=self.inner, data=b"".join(calls), by_value=frozenset(by_value)
        )

    def _scatter(self, record: bytes) -> bytes:
        outer, inner = self.outer, self.inner
        result = bytearray(inner.record_bytes)
        result[0] = record[0]
        for old, new in zip(outer.scalars, inner.scalars, strict=True):
            result[new.offset : new.offset + new.bytes] = record[old.offset :][: old.bytes]
        for array in self._arrays:
            address = record[array.whole.offset :][:ADDRESS_BYTES]
            before = record[array.whole.offset + ADDRESS_BYTES :][: array.whole.bytes]
            after = record[outer.in_bytes + array.whole.out :][: array.whole.bytes]
            for part, bank in array.parts:
                at = part.offset + ADDRESS_BYTES
                result[part.offset : at] = address
                result[at : at + part.bytes] = taken(before, array.whole.arg, bank)
                out = inner.in_bytes + part.out
                result[out : out + part.bytes] = taken(after, array.whole.arg, bank)
        end = outer.in_bytes + outer.result
        at = inner.in_bytes + inner.result
        result[at : at + inner.result_bytes] = record[end:]
        return bytes(result)

    def gathered(self, got: bytes) -> bytes:
        """Give the outputs of a call in the program's layout."""
        if self._plain:
            return got
        result = bytearray(self.outer.out_bytes)
        for array in self._arrays:
            whole = bytearray(array.whole.bytes)
            for part, bank in array.parts:
                put_back(whole, got[part.out :][: part.bytes], array.whole.arg, bank)
            result[array.whole.out : array.whole.out + len(whole)] = whole
        result[self.outer.result :] = got[self.inner.result :]
        return bytes(result)


def parts_of(arg: Arg) -> Iterator[Arg]:
    """Give an argument, or the banks in its place as arrays of their own."""
    if not isinstance(arg, ArrayArg) or not arg.banks:
        yield arg
        return
    for bank in arg.banks:
        yield ArrayArg(
            name=bank.port,
            port=bank.port,
            index=arg.index,
            element_width=bank.width,
            depth=bank.depth,
            direction=bank.direction,
            ports=bank.ports,
            write_lanes=bank.write_lanes,
            c_type=arg.c_type,
            c_bytes=bank.depth * bank.width // 8,
            unused=bank.unused,
        )


def taken(data: bytes, arg: ArrayArg, bank: Bank | None) -> bytes:
    """Give a bank's words of an array's bytes; padding is 0."""
    if bank is None:
        return data
    unit = arg.element_width // 8
    places = [index for word in bank.words for index in word]
    words = [data[index * unit : (index + 1) * unit] if index >= 0 else b"" for index in places]
    return b"".join(word.ljust(unit, b"\0") for word in words)


def put_back(whole: bytearray, data: bytes, arg: ArrayArg, bank: Bank | None) -> None:
    """Put a bank's words where they are in the array."""
    if bank is None:
        whole[:] = data
        return
    unit = arg.element_width // 8
    places = [index for word in bank.words for index in word]
    for at, index in enumerate(places):
        room = len(whole) - index * unit
        if index >= 0 and room > 0:
            whole[index * unit : (index + 1) * unit] = data[at * unit :][: min(unit, room)]
