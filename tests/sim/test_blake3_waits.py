# SPDX-License-Identifier: Apache-2.0
"""Our engines of BLAKE3 that keep many chunks under way: how long a message waits to go in, and how
long it takes, beat by beat (`stream_watch.v`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import compiled
import pytest

from lydite.cores import catalog
from lydite.cores.blake3 import fast
from lydite.sim import build, elaborate, framing
from lydite.sim.stream import Call, Face, Packet, StreamModel, Wire
from lydite.sim.suites import pattern
from lydite.tools import yosys

WATCH = Path(__file__).with_name("stream_watch.v")
BLOCK, CHUNK, KIB = 64, 1024, 1024
MIB = KIB * KIB


@dataclass(frozen=True)
class Engine:
    """What the page says of an engine, in cycles.

    Attributes
    ----------
    period : int
        From one block or parent to the next.
    step : int
        From a block of a chunk to the chunk's next one: the compressions that are under way.
    depth : int
        Of a message of one block, from its beat to the digest: the pipeline and its two ends.
    group : int
        Beats that are waited for before the first block of many is hashed.
    full : int
        The longest wait for the room of a block once all room is taken.
    """

    period: int
    step: int
    depth: int
    group: int
    full: int


ENGINES = {
    "rtl-pipe": Engine(period=1, step=32, depth=38, group=512, full=38),
    "rtl-ring": Engine(period=7, step=42, depth=53, group=1024, full=53),
    "hls-pipe": Engine(period=1, step=32, depth=42, group=0, full=42),
    # From 512 KiB on: its six chunks end one soon after the other, and room comes back by chunks.
    "hls-ring": Engine(period=7, step=42, depth=68, group=0, full=2 * 7 * 17),
}
# Around blocks, chunks, groups of 8 and 32, and powers of two.
SIZES = (
    *(0, 1, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 1088, 2047, 2048, 2049, 3072, 5000),
    *(chunks * CHUNK + more for chunks in (4, 7, 8, 9, 16, 31, 32, 33, 48) for more in (-1, 0, 1)),
    *(34_000, 50_000, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1),
)
C = [pytest.param(name, marks=pytest.mark.slow) for name in ("hls-pipe", "hls-ring")]
DESIGNS = pytest.mark.parametrize("name", ["rtl-pipe", "rtl-ring", *C])


@dataclass(frozen=True)
class Traced:
    """A message's beats: the longest row of cycles in which one was offered and not taken, from the
    first to the last of them, and the cycles from there to the end of the digest.
    """

    beats: int
    longest_wait: int
    cycles: int


def trace(model: StreamModel, size: int) -> Traced:
    """Hash a message from reset, compare the digest, and give what was seen."""
    message = pattern(size, size)
    output = fast.hash_(message, 32)
    sent = Packet(message, 4 * len(output))
    told = Packet(bytes(4 * 4), compared=False)
    got, seen = model.answer(Call(((sent,),), ((Packet(output),), (told,))))
    assert got == output
    longest, waits, beats, cycles = struct.unpack("<4I", seen)
    assert beats == max(1, -(-size // model.face.sinks[0].bytes))
    assert longest <= waits
    return Traced(beats, longest, cycles)


@contextmanager
def watched(name: str) -> Iterator[StreamModel]:
    """Make the model of a design in `stream_watch`."""
    design = compiled.design(catalog.design("blake3", name))
    core = build.sources_of(design)
    face = framing.face(elaborate.ports(core), design)
    set_as = f"#({yosys.assignments(core.parameters)})" if core.parameters else ""
    sources = build.Sources(
        files={**core.files, WATCH.name: WATCH},
        top=WATCH.stem,
        parameters={"DATA_BITS": 8 * face.sinks[0].bytes},
        defines={
            "CORE": core.top,
            "CORE_CLK": design.clock,
            "CORE_RST": design.reset,
            "CORE_PARAMETERS": set_as,
        },
    )
    streams = Face(sinks=face.sinks, sources=(*face.sources, Wire(name="m_wait_t", bytes=16)))
    with StreamModel(sources, streams, clock="clk", reset="rst") as model:
        yield model


def check(engine: Engine, seen: Traced, size: int, longest_wait: int) -> None:
    """Hold what was seen of a message against the page: its compressions, one each period; before
    them the beats of a group; and, as no other goes in meanwhile, the blocks of a chunk and a
    parent of each level, a step each, with one step for both ends.
    """
    blocks, chunks = max(1, -(-size // BLOCK)), max(1, -(-size // CHUNK))
    levels = (chunks - 1).bit_length()
    busy = max(engine.period * (blocks + chunks - 1), seen.beats)
    alone = engine.step * (CHUNK // BLOCK + levels + 2)
    assert seen.longest_wait <= longest_wait, f"{size} bytes"
    assert seen.cycles <= busy + min(engine.group, seen.beats) + alone, f"{size} bytes"


@DESIGNS
def test_a_message_goes_in_without_a_wait_longer_than_the_pipeline(name: str) -> None:
    engine = ENGINES[name]
    with watched(name) as model:
        assert trace(model, 0).cycles == engine.depth
        for size in SIZES:
            seen = trace(model, size)
            check(engine, seen, size, longest_wait=engine.period)


@pytest.mark.slow
@pytest.mark.parametrize("name", ENGINES)
def test_so_does_a_megabyte(name: str) -> None:
    engine = ENGINES[name]
    with watched(name) as model:
        for size in (256 * KIB, 512 * KIB + 1, MIB - 1, MIB):
            check(engine, trace(model, size), size, longest_wait=engine.full)
