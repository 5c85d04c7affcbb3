# SPDX-License-Identifier: Apache-2.0
"""The cycles that a design takes, measured: without stalls, and held against what it claims."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from lydite.base.errors import CheckFailed, InputError
from lydite.cores import Design
from lydite.cores.design import TOTAL_BLOCKS
from lydite.cores.operation import Operation
from lydite.sim.framing import Job, call
from lydite.sim.stream import StreamModel
from lydite.sim.suites import Inputs, Oracle, job, pattern

# Blocks of the payloads whose differences give the steady state.
_STEADY_BLOCKS = _SHORT_BLOCKS, _MIDDLE_BLOCKS, _LONG_BLOCKS = 6, 12, 18
# Calls of one block back to back, and how many of them may fill the core first.
_CALLS, _FILLING = 18, 6
# Payloads under which time is measured that a design claims to depend on data.
_SAMPLES = 16


class Range(msgspec.Struct, frozen=True):
    """Cycles over all that was measured: least, greatest, mean; whole where they are whole."""

    least: int | float
    most: int | float
    mean: int | float

    def __str__(self) -> str:
        return f"{self.least:g}" if self.least == self.most else f"{self.least:g} to {self.most:g}"


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """Cycles of an operation.

    Attributes
    ----------
    operation : str
        Its name.
    cycles_per_block : Range, optional
        From block to block of a long payload, in steady state; none without a payload of blocks. Of
        a design with several calls at once, of all of them together.
    latency_cycles : Range
        First beat taken to last beat given, payload of one block, both ends counted.
    cycles_per_message : Range
        From call to call of one block each, back to back, in steady state.
    total_cycles : tuple of (int, Range)
        As the latency, for payloads of some numbers of blocks.
    """

    operation: str
    cycles_per_block: Range | None
    latency_cycles: Range
    cycles_per_message: Range
    total_cycles: tuple[tuple[int, Range], ...]


def _range(values: Sequence[Fraction | int]) -> Range:
    def plain(value: Fraction | int) -> int | float:
        exact = Fraction(value)
        return exact.numerator if exact.denominator == 1 else float(exact)

    return Range(plain(min(values)), plain(max(values)), plain(sum(values) / Fraction(len(values))))


def measure(design: Design, name: str, model: StreamModel, oracle: Oracle) -> Timing:
    """Measure an operation of a design.

    Raises
    ------
    CheckFailed
        The core has no steady state, and does not claim that its time depends on data.
    InputError
        Calls that it accepts cannot be made, for want of a specification.
    """
    operation = design.primitive.operation(name)
    varies = _depends_on_data(design, name)
    salts = range(_SAMPLES) if varies else range(1)
    samples = _Samples(design, operation, model, oracle)
    total_blocks = TOTAL_BLOCKS if operation.has_blocks else ()
    lengths = {1, *total_blocks, *(_STEADY_BLOCKS if operation.has_blocks else ())}
    totals = {n: [samples.last_beats([n], salt)[0] for salt in salts] for n in sorted(lengths)}
    lanes = design.interleaved
    per_block = None
    if operation.has_blocks:
        together = totals
        if lanes > 1:  # the steady state is that of a core that has as many calls as it can
            together = {
                n: [max(samples.last_beats([n] * lanes, salt)) for salt in salts]
                for n in _STEADY_BLOCKS
            }
        steady = zip(*(together[n] for n in _STEADY_BLOCKS), strict=True)
        per_block = _range([_per_block(samples, *each, varies=varies) for each in steady])
    count = lanes * (_CALLS + (_SAMPLES if varies else 0))
    ends = sorted(samples.last_beats([1] * count, 0, changing=varies))
    filled = ends[lanes * _FILLING :]
    # Calls that are there at once may end at once: each lane's next is as many calls later.
    each = [Fraction(b - a, lanes) for a, b in zip(filled, filled[lanes:], strict=False)]
    # Without dependence on data the slowest of a pattern decides: a call in two may wait.
    return Timing(
        operation=name,
        cycles_per_block=per_block,
        latency_cycles=_range(totals[1]),
        cycles_per_message=_range(each if varies else [max(each)]),
        total_cycles=tuple((n, _range(totals[n])) for n in total_blocks),
    )


def _depends_on_data(design: Design, operation: str) -> bool:
    claims = design.claims[operation]
    return any(isinstance(getattr(claims, name), tuple) for name in claims.__struct_fields__)


class _Samples:
    """Calls of an operation with payloads of so many blocks, run for their time."""

    def __init__(
        self, design: Design, operation: Operation, model: StreamModel, oracle: Oracle
    ) -> None:
        self.design, self.operation = design, operation
        self.model, self.oracle = model, oracle

    def last_beats(self, blocks: Sequence[int], salt: int, *, changing: bool = False) -> list[int]:
        """Give the cycle after the last beat given of each call, run back to back."""
        calls = [self._call(n, salt + (k if changing else 0)) for k, n in enumerate(blocks)]
        jobs = self._jobs(calls)
        cycles = self.model.cycles_of([call(self.design, one) for one in jobs])
        return [one.last_out + 1 for one in cycles]

    def _call(self, blocks: int, salt: int) -> Inputs:
        operation = self.operation
        size = blocks * operation.block_bytes - operation.padding_bytes
        lengths = operation.lengths(size if operation.has_blocks else 0)
        inputs = tuple(pattern(n, salt + place) for place, n in enumerate(lengths))
        return inputs, operation.free.measured if operation.free else None

    def _jobs(self, calls: Sequence[Inputs]) -> list[Job]:
        if not self.operation.rejects and not self.operation.keys:
            # What comes out is not compared: only its length must be known.
            return [
                job(self.operation, inputs, chosen, self._blank(inputs, chosen))
                for inputs, chosen in calls
            ]
        if not self.oracle.knows(self.operation):
            what = f"{self.operation.name} cannot be measured"
            hint = "calls that it accepts are made by the specification of its inverse: give both"
            raise InputError(str(self.design.folder), what, hint)
        return self.oracle.accepted(self.operation, calls)

    def _blank(self, inputs: tuple[bytes, ...], chosen: int | None) -> tuple[bytes, ...]:
        lengths = self.operation.output_lengths([len(value) for value in inputs], chosen)
        return tuple(map(bytes, lengths))


def _per_block(samples: _Samples, short: int, middle: int, long: int, *, varies: bool) -> Fraction:
    """Give the cycles from block to block out of those of payloads of _STEADY_BLOCKS, of as many
    calls as there are at once.
    """
    lanes = samples.design.interleaved
    found = Fraction(long - short, lanes * (_LONG_BLOCKS - _SHORT_BLOCKS))
    half = Fraction(middle - short, lanes * (_MIDDLE_BLOCKS - _SHORT_BLOCKS))
    if found != half and not varies:
        raise CheckFailed(
            "the same number of cycles for each block",
            f"{middle - short} cycles for {_MIDDLE_BLOCKS - _SHORT_BLOCKS} blocks, "
            f"{long - middle} for the next {_LONG_BLOCKS - _MIDDLE_BLOCKS}",
            f"{samples.design.label}: {samples.operation.name}: steady state",
        )
    return found


def hold(design: Design, timing: Timing) -> None:
    """Hold what was measured against what is claimed.

    Raises
    ------
    CheckFailed
        They differ; the message names operation and claim.
    """
    measured: list[tuple[str, int, Range]] = [
        ("latency_cycles", 1, timing.latency_cycles),
        ("cycles_per_message", 1, timing.cycles_per_message),
        *(("total_cycles", blocks, found) for blocks, found in timing.total_cycles),
    ]
    if timing.cycles_per_block is not None:
        measured.insert(0, ("cycles_per_block", 1, timing.cycles_per_block))
    several = len(design.operations) > 1
    for name, blocks, found in measured:
        bounds = design.claim(timing.operation, name, blocks=blocks)
        if bounds is None:
            continue
        low, high = (float(bound) for bound in bounds)
        if low <= found.least and found.most <= high:
            continue
        claimed = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        where = f"{design.label}: {timing.operation + ': ' if several else ''}{name}"
        where += f" of {blocks} blocks" if name == "total_cycles" else ""
        raise CheckFailed(f"{claimed} as core.toml claims", f"{found} measured", where)
