# SPDX-License-Identifier: Apache-2.0
"""Several of a core behind a queue of jobs: in turn, or by hash of streams; each fault seen."""

from __future__ import annotations

import binascii
import itertools
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from small_cores import crc32, of, toy

from lydite.base import CheckFailed, InputError
from lydite.cores import Design
from lydite.cores.design import Stream
from lydite.runs.generated import slices
from lydite.runs.generated.slice_queue import By, Queue
from lydite.sim.stream import message
from lydite.sim.testbed import measure
from lydite.sim.testbed.measure import Setting
from lydite.sim.verify import open_model, verify
from lydite.targets import links

Replace = Callable[[Path, str, str], None]
SLICES = 3
CALL_BYTES = 200
# Bytes of a word of the accelerator of three, which the hash is of.
WORD_BYTES = 4


def queued(folder: Path, by: By, design: Design | None = None) -> Design:
    return of(slices.write(design or crc32(), SLICES, folder, queue=Queue(by=by)))


def slice_of(stream: int) -> int:
    """Give the slice of a stream, as job_queue.v has it."""
    told = stream.to_bytes(WORD_BYTES, "little")
    return binascii.crc_hqx(told, 0xFFFF) * SLICES >> 16


def streams_of(wanted: int, count: int) -> list[int]:
    """Give streams that go to a slice."""
    found = (stream for stream in itertools.count() if slice_of(stream) == wanted)
    return [*itertools.islice(found, count)]


def cycles(design: Design, streams: list[int]) -> int:
    """Give what calls of these streams take, one after the other."""
    rest = bytes(CALL_BYTES - WORD_BYTES)
    calls = [message(one.to_bytes(WORD_BYTES, "little") + rest, bytes(4)) for one in streams]
    with open_model(design) as model:
        return max(one.last_out for one in model.cycles_of(calls))


@pytest.mark.parametrize("by", ["round-robin", "hash"])
def test_accelerator_behind_a_queue_is_proven_as_one_core(tmp_path: Path, by: By) -> None:
    made = queued(tmp_path / "a", by)
    suffix = {"round-robin": "turns", "hash": "hash"}[by]
    assert (made.label, made.interleaved) == (f"crc32/rtl-x3-{suffix}", 1)
    assert len(verify(made).operations) == 1


@pytest.mark.parametrize("by", ["round-robin", "hash"])
def test_operations_of_different_packets_and_rejects_are_told_apart(tmp_path: Path, by: By) -> None:
    made = queued(tmp_path / "a", by, toy("rtl"))
    assert [one.timing.operation for one in verify(made).operations] == ["seal", "open"]


def test_calls_go_to_slices_in_turn_whatever_they_are(tmp_path: Path) -> None:
    made = queued(tmp_path / "a", "round-robin")
    took = cycles(made, [7] * 9)
    # A byte a cycle for each: three calls for each of three slices, which begin one by one.
    assert 3 * CALL_BYTES < took < 4 * CALL_BYTES


def test_calls_of_a_stream_go_to_the_slice_of_its_hash(tmp_path: Path) -> None:
    made = queued(tmp_path / "a", "hash")
    each = [streams_of(number, 3) for number in range(SLICES)]
    for same in ([each[0][0]] * 9, each[1] * 3, each[2] * 3):
        assert 9 * CALL_BYTES < cycles(made, same) < 9.5 * CALL_BYTES
    spread = [stream for row in zip(*each, strict=True) for stream in row]
    assert 3 * CALL_BYTES < cycles(made, spread) < 4 * CALL_BYTES


def test_hash_spreads_numbers() -> None:
    counts = [[slice_of(stream) for stream in range(3000)].count(n) for n in range(SLICES)]
    assert min(counts) > 950


FAULTS = {
    "words of a call to several slices": (
        "job_queue.v",
        "inside_q <= ~(last & (left == ONE))",
        "inside_q <= 1'b0",
    ),
    "results in another order": (
        "job_collect.v",
        "{left_q, id_q} <= order_word_i",
        "{left_q, id_q} <= {order_word_i[PACKET_BITS+ID_BITS-1:ID_BITS], {ID_BITS{1'b0}}}",
    ),
    "a word written over": ("stream_buffer.v", "in_valid_i & ~full", "in_valid_i"),
    "a word given twice": ("stream_buffer.v", "(~valid_q | out_ready_i)", "~valid_q"),
    "a packet that is not waited for": ("job_collect.v", "(last & (left_q == ONE))", "last"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_queue_is_seen(tmp_path: Path, replace: Replace, fault: str) -> None:
    path = slices.write(
        toy("rtl"), SLICES, tmp_path / "a", queue=Queue(by="round-robin", bytes=128)
    )
    name, old, new = FAULTS[fault]
    replace(path.parent / name, old, new)
    with pytest.raises((CheckFailed, InputError)):
        verify(of(path))


def with_streams(design: Design, *streams: Stream) -> Design:
    return msgspec.structs.replace(design, streams=streams)


SINK, SOURCE = (
    Stream(port="s_axis", fields=("message",)),
    Stream(port="m_axis", fields=("output",)),
)
ALL = "a queue needs all inputs on one, all outputs on one"


@pytest.mark.parametrize(
    ("design", "queue", "told"),
    [
        (
            crc32(),
            Queue(by="hash", bytes=1000),
            "--queue-bytes: must be a power of two, 128 to 65536, not 1000",
        ),
        (
            with_streams(crc32(), SINK, SOURCE, Stream(port="m_axis_b", fields=("b",))),
            Queue(by="round-robin"),
            f"crc32/rtl: has 3 streams\n  {ALL}",
        ),
        (
            with_streams(crc32(), msgspec.structs.replace(SINK, header=("message",)), SOURCE),
            Queue(by="hash"),
            "crc32/rtl: begins its calls with a header of message\n"
            "  by hash a call begins with what tells its stream",
        ),
        (
            with_streams(
                toy("rtl"),
                msgspec.structs.replace(toy("rtl").streams[0], user="message_bytes"),
                toy("rtl").streams[1],
            ),
            Queue(by="round-robin"),
            "toy/rtl: has operations of different numbers of packets, which its tuser does not "
            "tell\n  user = 'operation' tells them",
        ),
    ],
    ids=["bytes", "streams", "header", "packets"],
)
def test_what_cannot_be_is_told(tmp_path: Path, design: Design, queue: Queue, told: str) -> None:
    with pytest.raises(InputError) as caught:
        slices.write(design, 2, tmp_path / "a", queue=queue)
    assert str(caught.value) == told
    assert not (tmp_path / "a").exists()


def test_queue_goes_through_the_testbed(tmp_path: Path) -> None:
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("axi-hp64"))
    found = measure.measure(queued(tmp_path / "a", "hash"), "hash", 3_000, setting)
    assert found.proof_jobs >= 32
    # One call, on one slice.
    assert found.alone_cycles == pytest.approx(3_000, rel=0.01)
