# SPDX-License-Identifier: Apache-2.0
"""Several of a core behind one DMA: proven as one core, as fast as all of them, each fault seen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import compiled
import pytest
from small_cores import CRC32, ROOT, crc32, of, toy

from lydite.base import CheckFailed, InputError
from lydite.cores import Design, catalog
from lydite.runs.generated import slices
from lydite.sim import framing
from lydite.sim.framing import Job
from lydite.sim.testbed import measure
from lydite.sim.testbed.measure import Setting
from lydite.sim.verify import open_model, verify
from lydite.targets import links

LOOM = ROOT / "tests" / "sim" / "loom" / "core.toml"


def ours(primitive: str, name: str) -> Design:
    return compiled.design(catalog.design(primitive, name))


def test_slices_are_proven_as_one_core_and_are_as_fast_as_all(tmp_path: Path) -> None:
    made = of(slices.write(crc32(), 3, tmp_path / "a"))
    assert (made.label, made.interleaved, made.primitive.name) == ("crc32/rtl-x3", 3, "crc32")
    shown = verify(made)
    # One of them takes a word of 4 bytes a cycle, and each a stage of the chain to be reached.
    [found] = shown.operations
    one = verify(crc32()).operations[0].timing
    assert one.cycles_per_block is not None and found.timing.cycles_per_block is not None
    assert found.timing.cycles_per_block.mean == one.cycles_per_block.mean / 3
    assert found.timing.latency_cycles.mean > one.latency_cycles.mean
    # What was written before is written again; nothing else is touched.
    again = slices.write(crc32(), 2, tmp_path / "a", stream_bytes=4)
    assert of(again).label == "crc32/rtl-x2"


def test_narrow_stream_bounds_slices(tmp_path: Path) -> None:
    made = of(slices.write(crc32(), 3, tmp_path / "a", stream_bytes=1))
    claim = made.claim("hash", "cycles_per_block")
    one = crc32().claim("hash", "cycles_per_block")
    assert claim is not None and one is not None
    assert claim == one


def test_what_a_specification_imports_goes_with_it(tmp_path: Path) -> None:
    shutil.copytree(CRC32.parent, tmp_path / "own", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "own" / "spec.py").rename(tmp_path / "own" / "table.py")
    (tmp_path / "own" / "spec.py").write_text("from table import *  # noqa: F403\n")
    made = slices.write(of(tmp_path / "own" / "core.toml"), 2, tmp_path / "a")
    shutil.rmtree(tmp_path / "own")
    assert len(verify(of(made)).operations) == 1


@pytest.mark.parametrize("width", [1, 8, 32])
def test_slices_go_through_the_testbed_with_words_of_any_width(tmp_path: Path, width: int) -> None:
    made = of(slices.write(crc32(), 3, tmp_path / "a", stream_bytes=width))
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("axi-hp64"))
    found = measure.measure(made, "hash", 30_000, setting)
    assert (found.calls, found.blocks) == (3, 10_000)
    assert found.hardware_ns > found.compute_ns
    # What the way to the slices takes, or what each of them does: a byte a cycle.
    assert found.alone_cycles == pytest.approx(30_000 if width == 1 else 10_000, rel=0.01)
    # The DMA keeps all of them busy.
    assert found.hardware_ns == pytest.approx(10 * found.alone_cycles, rel=0.2)


FAULTS = {
    "words of another slice": (
        "slice_take.v",
        "== ID[ID_BITS-1:0]",
        "!= ID[ID_BITS-1:0]",
    ),
    "a word that is lost": ("stream_stage.v", "~move & (second_valid_q | in_valid_i)", "1'b0"),
    "an answer under another number": ("slice_give.v", "{ID[ID_BITS-1:0], own", "{in_id_i, own"),
    "a word that is taken twice": ("slice_give.v", "assign own_ready_o = ready & own;", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_chain_is_seen(tmp_path: Path, fault: str) -> None:
    path = slices.write(crc32(), 3, tmp_path / "a")
    name, old, new = FAULTS[fault]
    text = (path.parent / name).read_text()
    assert old in text
    (path.parent / name).write_text(text.replace(old, new, 1))
    with pytest.raises((CheckFailed, InputError)):
        verify(of(path))


def test_operations_and_rejects_are_as_of_one(tmp_path: Path) -> None:
    made = of(slices.write(toy("rtl"), 3, tmp_path / "a"))
    assert [one.timing.operation for one in verify(made).operations] == ["seal", "open"]


def test_slices_have_equal_turns_where_the_way_is_full(tmp_path: Path) -> None:
    made = of(slices.write(toy("rtl"), 5, tmp_path / "a", stream_bytes=1))
    [seal] = [one for one in made.primitive.operations if one.name == "seal"]
    inputs = (b"k", bytes(200))
    job = Job(operation=seal, inputs=inputs, outputs=(bytes(200), b"t"))
    with open_model(made) as model:
        cycles = model.cycles_of([framing.call(made, job)] * 5)
    ends = [one.last_out for one in cycles]
    # Five of 200 bytes each go through a stream of one byte.
    assert min(ends) > 1000
    assert max(ends) - min(ends) <= 5 * 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("primitive", "name", "count"),
    [
        ("aes-128", "rtl", 3),
        ("ascon-aead128", "rtl", 2),
        ("sha3-256", "hls", 4),
        ("shake128", "rtl", 5),
        ("tdes-3key", "rtl", 2),
    ],
)
def test_any_core_has_slices(tmp_path: Path, primitive: str, name: str, count: int) -> None:
    design = ours(primitive, name)
    made = of(slices.write(design, count, tmp_path / "a"))
    assert len(verify(made).operations) == len(design.operations)
    for operation in design.operations:
        one, together = (d.claim(operation, "cycles_per_block") for d in (design, made))
        assert one is not None and together is not None
        assert together[0] == one[0] / count


HINT = "\n  slices need AXI4-Stream, one call at once, and no registers that hold its fields"


@pytest.mark.parametrize(
    ("design", "count", "width", "message"),
    [
        (crc32, 1, None, "--slices: must be 2 to 64, not 1"),
        (crc32, 65, None, "--slices: must be 2 to 64, not 65"),
        (
            crc32,
            2,
            3,
            "--stream-bytes: no width of streams: 3\n  one of 1, 2, 4, 8, 16, 32, 64",
        ),
        (
            lambda: ours("ascon-aead128", "lwc"),
            2,
            None,
            f"ascon-aead128/lwc: has the interface lwc{HINT}",
        ),
        (
            lambda: toy("streams"),
            2,
            None,
            f"pair/streams: has registers that hold fields: shift_i{HINT}",
        ),
        (lambda: of(LOOM), 2, None, f"loom/rtl: has 3 calls at once itself{HINT}"),
    ],
    ids=["one", "many", "width", "lwc", "registers", "interleaved"],
)
def test_what_cannot_be_is_told(
    tmp_path: Path,
    design: Callable[[], Design],
    count: int,
    width: int | None,
    message: str,
) -> None:
    with pytest.raises(InputError) as caught:
        slices.write(design(), count, tmp_path / "a", stream_bytes=width)
    assert str(caught.value) == message
    assert not (tmp_path / "a").exists()


def test_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "core.toml").write_text("schema = 2\n")
    with pytest.raises(InputError, match="has something else in it"):
        slices.write(crc32(), 2, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["core.toml"]
