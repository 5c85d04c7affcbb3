# SPDX-License-Identifier: Apache-2.0
"""The beats that went through one stream or handshake in a native run, call by call."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from lydite.hls.contract.interface import StreamArg


@dataclass(frozen=True, slots=True)
class Beats:
    """What went through one stream: beats of `bytes` bytes in `data`, `ends[n]` up to call n."""

    arg: StreamArg
    data: bytes
    ends: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """Bytes of a beat in `data`."""
        return (self.arg.beat_bits + 7) // 8

    def of_call(self, number: int) -> tuple[int, ...]:
        """Give the beats of a call."""
        first = self.ends[number - 1] if number else 0
        return tuple(self.beat(index) for index in range(first, self.ends[number]))

    def call_of(self, index: int) -> int:
        """Give the number of the call that beat `index` belongs to, from 0."""
        return bisect.bisect_right(self.ends, index)

    def beat(self, index: int) -> int:
        """Give beat `index` of all, from 0."""
        raw = self.data[index * self.bytes : (index + 1) * self.bytes]
        return int.from_bytes(raw, "little")
