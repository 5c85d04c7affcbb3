# SPDX-License-Identifier: Apache-2.0
"""The speed test of the sponge action: published checksums, parts, simulation, what is refused."""

from __future__ import annotations

import functools
import operator
import os

import pytest

from lydite.base import InputError
from lydite.cores import catalog
from lydite.cores.keccak import speed
from lydite.runs.kinds import sponge
from lydite.runs.kinds.sponge import SpeedSimulated, SpeedTest, on_cpu, simulate

# The document's table, by nb_elmts of freq 65536, 100,000 permutations a run. It drops a digit of
# 8192.
PUBLISHED = {
    1: "3e05f34be7cc0386",
    2: "2ccef6d61b67ad2f",
    4: "0796ca863ac8273f",
    8: "0018c0972c9227d2",
    16: "5bd139d5bf8dad3a",
    32: "a0c267468cf1e051",
    128: "05c290e99ff8b7ae",
    4096: "ed3ff1c664125abb",
    8192: "cfd69627069b3e3e",
    32767: "eb4c1384fa60e252",
    65536: "38c7143fc6c46500",
}
THREADS = len(os.sched_getaffinity(0))


def reference(test: SpeedTest) -> str:
    sums = [speed.test_speed(run, test.rounds) for run in test.numbers]
    return f"{functools.reduce(operator.xor, sums, 0):016x}"


@pytest.mark.parametrize(
    "elements", [pytest.param(n, marks=[pytest.mark.slow] * (n > 2)) for n in PUBLISHED]
)
def test_published_checksum_comes_out(elements: int) -> None:
    found = on_cpu(SpeedTest(elements, 65536), THREADS)
    assert found.checksum == PUBLISHED[elements]
    assert (found.calls, found.permutations) == (elements, 100_000 * elements)


@pytest.mark.parametrize(
    "test",
    [
        SpeedTest(1, 4, 40, 2),
        SpeedTest(3, 7, 30, 1),
        SpeedTest(65536, 1, 9, 3),
        SpeedTest(2, 65536, 1, 5),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_parts_give_what_the_whole_gives(test: SpeedTest, threads: int) -> None:
    told: list[int] = []
    found = on_cpu(test, threads, lambda done, _: told.append(done))
    assert found.checksum == reference(test)
    assert told == sorted(told)
    assert told[-1] == test.permutations


@pytest.mark.parametrize("slices", [1, 3, pytest.param(8, marks=pytest.mark.slow)])
def test_engines_give_what_software_gives(slices: int) -> None:
    design = sponge.engines(slices)
    for test in (
        *(SpeedTest(elements, 65536, rounds=2) for elements in (1, 2, 3, 4, 7)),
        *(SpeedTest(1, freq, 19, 1) for freq in (1, 2, 5, 64)),
        *(SpeedTest(4, 3, 9, rounds) for rounds in (1, 3, 10)),
        SpeedTest(65536, 65536, 5, 2),
    ):
        assert simulate(design, test).checksum == reference(test), test


def test_the_action_has_as_many_engines() -> None:
    test = SpeedTest(3, 65536, rounds=2)
    alone = simulate(sponge.engines(2), test)
    found = simulate(sponge.action(2), test)
    assert found.checksum == alone.checksum == reference(test)
    assert alone.cycles < found.cycles < alone.cycles + 16


def test_cycles_grow_by_24_with_each_permutation_of_all_engines() -> None:
    few, more, most = (
        simulate(sponge.engines(3), SpeedTest(7, 65536, rounds=rounds)).cycles
        for rounds in (2, 3, 20)
    )
    # Seven runs go through three engines in three batches.
    assert (more - few, most - few) == (3 * 24, 3 * 24 * 18)


@pytest.mark.slow
def test_whole_run_of_the_document_in_simulation() -> None:
    assert simulate(sponge.engines(1), SpeedTest(1, 65536)).checksum == PUBLISHED[1]


def test_keys_tell_tests_and_designs_apart() -> None:
    test = SpeedTest(1, 65536, rounds=2)
    keys = {
        SpeedSimulated(sponge.engines(slices), SpeedTest(elements, 65536, rounds=2)).key
        for slices in (1, 2)
        for elements in (1, 2)
    }
    assert len(keys) == 4
    assert SpeedSimulated(sponge.engines(1), test).key in keys


@pytest.mark.parametrize("slices", [2, 4, 8, 12, 16])
def test_engines_are_those_of_the_catalogue(slices: int) -> None:
    [design] = [d for d in catalog.designs("sponge-speed") if d.name == f"rtl-x{slices}"]
    made = sponge.engines(slices)
    assert (made.name, made.parameters) == (design.name, design.parameters)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0, 1), "--nb-elmts: must be 1 to 65536, not 0"),
        ((65537, 1), "--nb-elmts: must be 1 to 65536, not 65537"),
        ((1, 0), "--freq: must be 1 to 65536, not 0"),
        ((1, 65537), "--freq: must be 1 to 65536, not 65537"),
        ((1, 1, 0), "--runs: must be 1 to 65536, not 0"),
        ((1, 1, 1, 0), "--rounds: must be 1 to 4294967295, not 0"),
    ],
)
def test_values_out_of_range_are_refused(values: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError) as raised:
        SpeedTest(*values)
    assert str(raised.value) == message


def test_more_engines_than_there_can_be_are_refused() -> None:
    for slices in (0, 65):
        with pytest.raises(InputError) as raised:
            sponge.engines(slices)
        assert str(raised.value) == f"--slices: must be 1 to 64, not {slices}"


def test_what_takes_too_long_to_simulate_is_refused() -> None:
    with pytest.raises(InputError) as raised:
        simulate(sponge.engines(4), SpeedTest(3, 65536, rounds=20_000_000))
    assert str(raised.value) == (
        "--rounds: 480000192 cycles are too many to simulate\n"
        "  at most 400000000: less rounds, or more slices"
    )
