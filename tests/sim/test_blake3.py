# SPDX-License-Identifier: Apache-2.0
"""Our cores of BLAKE3 in short: what `verify` shows, of a few calls, and trees and outputs that its
suites do not meet.
"""

from __future__ import annotations

import functools
from pathlib import Path

import compiled
import pytest

from lydite import cores
from lydite.cores import Design, catalog
from lydite.cores.blake3 import fast
from lydite.runs.generated import slices
from lydite.sim.framing import Job, call
from lydite.sim.stream import STALL_MODES, Call, Packet
from lydite.sim.suites import pattern
from lydite.sim.verify import check, open_model

SLOW = ("hls", "hls-passes", "hls-pipe", "hls-ring")
C = [pytest.param(name, marks=pytest.mark.slow) for name in SLOW]
DESIGNS = pytest.mark.parametrize("name", ["rtl", "rtl-pipe", "rtl-ring", *C])
FUNCTIONS = {
    "hash": fast.hash_,
    "keyed_hash": fast.keyed_hash,
    "derive_key": fast.derive_key,
}


@functools.cache
def design_of(name: str) -> Design:
    return compiled.design(catalog.design("blake3", name))


def job(operation: str, *inputs: bytes, output_bytes: int = 32) -> Job:
    """Give a call with its answer."""
    primitive = catalog.primitive("blake3")
    output = FUNCTIONS[operation](*inputs, output_bytes)  # type: ignore[operator]
    where = f"{operation} of {len(inputs[-1])} bytes to {output_bytes}"
    return Job(
        operation=primitive.operation(operation),
        inputs=inputs,
        outputs=(output,),
        where=where,
    )


@DESIGNS
def test_a_few_calls_resets_and_claims(name: str) -> None:
    with open_model(design_of(name)) as model:
        shown = check(design_of(name), model, every=False)
    assert shown.resets > 10
    assert shown.vectors >= 3 * 8


@pytest.mark.slow
def test_two_engines_behind_one_stream_take_messages_that_are_mixed(tmp_path: Path) -> None:
    path = slices.write(design_of("rtl"), 2, tmp_path / "x2")
    [both] = cores.load(path).designs
    assert (both.interleaved, both.claims["hash"].cycles_per_block) == (2, 136 // 2)
    sizes = (0, 1, 64, 1023, 1024, 1025, 2048, 4097)
    jobs = [job("hash", pattern(size, size)) for size in sizes]
    jobs += [job("keyed_hash", pattern(32, size), pattern(size, 7)) for size in sizes]
    with open_model(both) as model:
        check(both, model, every=False)
        for stalls in STALL_MODES:
            model.run([call(both, one) for one in jobs], stalls=stalls, seed=2)


@DESIGNS
def test_trees_around_groups_of_chunks_and_powers_of_two(name: str) -> None:
    # A group of the pipeline is 32 chunks; operations by turns, so that nothing may be left.
    sizes = [chunks * 1024 + more for chunks in (4, 8, 16, 31, 32, 33, 64) for more in (-1, 0, 1)]
    sizes += [chunks * 1024 for chunks in (1, 2, 3, 5, 7, 9, 15, 17, 63, 65)]
    key, context = pattern(32, 5), pattern(1100, 3)
    jobs = [
        one
        for n, size in enumerate(sizes)
        for one in (
            [job("hash", pattern(size, n)), job("keyed_hash", key, pattern(n))],
            [job("keyed_hash", key, pattern(size, n)), job("derive_key", b"", b"")],
            [job("derive_key", context, pattern(size, n)), job("hash", b"")],
        )[n % 3]
    ]
    design = design_of(name)
    with open_model(design) as model:
        for stalls in STALL_MODES:
            if stalls.name in ("none", "random"):
                model.run([call(design, one) for one in jobs], stalls=stalls, seed=3)


@DESIGNS
def test_outputs_of_no_bytes_and_of_more_than_64_kib(name: str) -> None:
    key = pattern(32, 9)
    jobs = [
        job("hash", pattern(5), output_bytes=0),
        job("hash", pattern(2049), output_bytes=(1 << 16) + 1),
        job("keyed_hash", key, b"", output_bytes=64),
        job("keyed_hash", key, pattern(1025), output_bytes=0),
        job("derive_key", pattern(3), pattern(64), output_bytes=65),
        job("hash", b"", output_bytes=129),
    ]
    design = design_of(name)
    with open_model(design) as model:
        for stalls in STALL_MODES:
            model.run([call(design, one) for one in jobs], stalls=stalls, seed=5)


@DESIGNS
def test_keys_cut_short_or_too_long_leave_nothing_for_the_next_call(name: str) -> None:
    # What comes out is then no hash; that it comes, and that the next calls are right, is shown.
    design = design_of(name)
    good = call(design, job("keyed_hash", pattern(32, 1), pattern(70)))
    bad = [
        Call(
            ((Packet(pattern(count, count), packet.user), packet),),
            ((Packet(bytes(32), compared=False),),),
            where=f"a key of {count} bytes",
        )
        for count in (0, 1, 8, 24, 31, 33, 40, 63, 64, 65, 128, 200)
        for packet in good.inputs[0][1:]
    ]
    after = (
        good,
        call(design, job("hash", pattern(1025))),
        call(design, job("derive_key", pattern(9), pattern(65))),
    )
    with open_model(design) as model:
        for stalls in STALL_MODES:
            calls = [one for n, cut in enumerate(bad) for one in (cut, after[n % 3])]
            model.run(calls, stalls=stalls, seed=7)


@DESIGNS
def test_messages_cut_off_in_any_block_leave_nothing_after_a_reset(name: str) -> None:
    # Two groups of the pipeline, so that chunks, parents and both memories are under way.
    design = design_of(name)
    key = pattern(32, 4)
    long = [call(design, job("keyed_hash", key, pattern(66 * 1024 + 5)))]
    after = [call(design, job("hash", b"")), call(design, job("hash", pattern(3073)))]
    with open_model(design) as model:
        [whole] = model.cycles_of(long)
        for n in range(1, 24):
            model.run(after, cut_off=long, reset_at=whole.last_out * n // 24, seed=n)
