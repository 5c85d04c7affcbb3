# SPDX-License-Identifier: Apache-2.0
"""The speed test of the sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2).

Of each run for which `nb_elmts > run % freq`, a state whose lane i is `i + run` goes `rounds` times
through Keccak-f[1600] (FIPS 202, 3.3), and its lanes are added modulo 2**64; the checksum is the
sum modulo 2 over the runs. Fields are little-endian.
"""

from __future__ import annotations

import functools
import operator

from lydite.cores.keccak.spec import LANE_BITS, Lanes, keccak_f1600

LANES = 25
# Runs are numbered below this; `nb_elmts` and `freq` may be as large.
MAX_RUNS = 65536
WORD_BYTES = 4
CHECKSUM_BYTES = 8


def word(value: int) -> bytes:
    """Write a field."""
    return value.to_bytes(WORD_BYTES, "little")


def runs_of(first: int, runs: int, nb_elmts: int, freq: int) -> list[int]:
    """Give the runs that count."""
    return [run for run in range(first, first + runs) if nb_elmts > run % freq]


def is_job(first: int, runs: int, nb_elmts: int, freq: int, rounds: int) -> bool:
    """Whether these are values that the action takes."""
    in_range = 0 < nb_elmts <= MAX_RUNS and 0 < freq <= MAX_RUNS and rounds > 0
    return in_range and runs > 0 and first + runs <= MAX_RUNS


@functools.cache
def test_speed(run: int, rounds: int) -> int:
    """Give the sum of the lanes of one run."""
    lanes: Lanes = tuple(i + run for i in range(LANES))
    for _ in range(rounds):
        lanes = keccak_f1600(lanes)
    return sum(lanes) % (1 << LANE_BITS)


def speed(first: bytes, runs: bytes, nb_elmts: bytes, freq: bytes, rounds: bytes) -> bytes | None:
    """Give the checksum of runs from `first` on; None where a value is out of its range."""
    fields = (first, runs, nb_elmts, freq, rounds)
    start, count, elements, period, times = (int.from_bytes(one, "little") for one in fields)
    if not is_job(start, count, elements, period, times):
        return None
    sums = [test_speed(run, times) for run in runs_of(start, count, elements, period)]
    return functools.reduce(operator.xor, sums, 0).to_bytes(CHECKSUM_BYTES, "little")


def plan(where: bytes, size: bytes, choice: bytes) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Give a job of up to 5 runs and 2 permutations each, for tests: one in some is out of range.

    Parameters
    ----------
    where : bytes
        2 bytes: the first run, one of 512, the lowest and the highest: few, so that the sums of
        many jobs are known already.
    size : bytes
        2 bytes: of runs and of permutations.
    choice : bytes
        4 bytes: `nb_elmts`, `freq`, and whether something is out of its range.
    """
    count, rounds = 1 + size[0] % 5, 1 + size[1] % 2
    start = MAX_RUNS - count - where[0] if where[1] % 2 else where[0]
    freq = 1 + choice[0] % 9 if choice[0] < 192 else MAX_RUNS - choice[1] % 2
    elements = 1 + choice[1] % (freq + 1) if choice[1] < 192 else MAX_RUNS
    fields = [start, count, elements, freq, rounds]
    # The first run may be 0, and one is behind the last one that there may be.
    wrong = ((MAX_RUNS, 1 << 20, 1 << 31), *4 * ((0, MAX_RUNS + 1, 1 << 24),))
    if choice[2] < 24:
        place = choice[3] % 5
        fields[place] = wrong[place][choice[2] % 3] if place < 4 else 0
    return word(fields[0]), word(fields[1]), word(fields[2]), word(fields[3]), word(fields[4])
