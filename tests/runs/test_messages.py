# SPDX-License-Identifier: Apache-2.0
"""Messages of some sizes in simulation, and software over sizes: cycles, times, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from lydite.base import CheckFailed, InputError
from lydite.cores import catalog
from lydite.runs.kinds import messages, sizes
from lydite.runs.kinds.hardware import Verify
from lydite.runs.kinds.messages import MeasureMessages
from lydite.runs.kinds.sizes import MeasureSizes, variants
from lydite.runs.store import Store

RTL = catalog.design("blake3", "rtl")


def test_cycles_are_those_that_the_design_claims() -> None:
    short, chunk, long = messages.measure(RTL, "hash", (0, 1024, 9 * 1024))
    # A compression of eight cycles for each of 16 blocks, and what comes before and after.
    assert (chunk.alone_cycles, chunk.next_cycles) == (141, 135)
    assert long.alone_cycles == 5 + 136 * 9
    assert short.alone_cycles < 30 and short.next_cycles is not None
    # One that fills a core by itself runs alone.
    assert long.next_cycles is None


@pytest.mark.parametrize("size", [-1, messages.MAX_BYTES + 1])
def test_sizes_that_no_message_has_are_refused(size: int) -> None:
    with pytest.raises(InputError, match=f"must be 0 to 16777216 bytes, not {size}"):
        messages.measure(RTL, "hash", (64, size))


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "blake3"
    for name in ("core.toml", "spec.py", "fast.py", "__init__.py", *RTL.sources):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((RTL.folder / name).read_bytes())
    path = folder / "rtl" / "blake3_core.v"
    text = path.read_text()
    assert text.count("parent ? 7'd64 : block_bytes") == 1
    path.write_text(text.replace("parent ? 7'd64 : block_bytes", "7'd64"))
    with pytest.raises(CheckFailed, match="65 bytes"):
        messages.measure(replace(RTL, folder=folder), "hash", (64, 65))


def test_what_is_measured_decides_the_key() -> None:
    one, other = (MeasureMessages(Verify(RTL), "hash", (64, n)) for n in (128, 256))
    assert one.key != other.key
    assert one.key == MeasureMessages(Verify(RTL), "hash", (64, 128)).key
    found = variants("blake3", "single", threads=False, define="BLAKE3_THREADS")
    one_size, two = (MeasureSizes("blake3", "hash", found, n) for n in ((64,), (64, 65)))
    assert one_size.key != two.key
    assert one_size.label.startswith("blake3 over sizes: plain")


def test_variants_are_told_apart_by_their_threads() -> None:
    one = variants("blake3", "single", threads=False, define="BLAKE3_THREADS")
    every = variants("blake3", "single", threads=True, define="BLAKE3_THREADS")
    assert "plain" in {v.name for v in one}
    assert all("threads" in v.name for v in every)
    assert not {v.name for v in one} & {v.name for v in every}
    with pytest.raises(InputError, match="no variant of its software runs here"):
        MeasureSizes("blake3", "hash", (), (64,))


def test_software_over_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "SAMPLE_S", 1e-5)
    [plain] = [v for v in catalog.software("blake3") if v.name == "plain"]
    job = MeasureSizes("blake3", "hash", (replace(plain, flags=("-O2",)),), (0, 1025))
    with Store(tmp_path / "store") as store:
        found = job.run(tmp_path, store).result
    assert (found["variant"], found["version"]) == ("plain", "-O2")
    # The designers' first known answer.
    assert found["sizes"][0]["digest"] == "af1349b9f5f9a1a6"
    assert [one["bytes"] for one in found["sizes"]] == [0, 1025]
    assert all(0 < one["best_ns"] <= one["median_ns"] for one in found["sizes"])


def test_software_that_gives_something_else_is_no_peer(tmp_path: Path) -> None:
    [wheel] = [v for v in catalog.software("blake3") if v.name == "wheel"]
    path = tmp_path / "peer.py"
    path.write_text(
        "VERSION = 'none'\n\n\ndef hash(message, output_bytes):\n    return bytes(output_bytes)\n"
    )
    wrong = replace(wheel, folder=tmp_path, python="peer.py")
    with pytest.raises(CheckFailed, match="wheel: 64 bytes"):
        sizes.measure("blake3", "hash", [wrong], (64,))
    path.write_text("import a_package_that_is_not_here\n")
    assert sizes.measure("blake3", "hash", [wrong], (64,)) is None


def test_a_sample_takes_as_long_as_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    class Clock:
        """Each call takes a tenth of a millisecond, and nothing else any time."""

        def perf_counter_ns(self) -> int:
            return 100_000 * calls

        def perf_counter(self) -> float:
            return 1e-4 * calls

    def call() -> None:
        nonlocal calls
        calls += 1

    monkeypatch.setattr(sizes, "time", Clock())
    assert sizes.sample(call, least_s=1e-3) == (100_000,) * sizes.SAMPLES
    # 1, 2, 4 and 8 at once are too quick for the clock.
    assert calls == 15 + 16 * sizes.SAMPLES
    # A call of ten seconds is not made so often.
    calls = 0
    slow = Clock()
    monkeypatch.setattr(slow, "perf_counter_ns", lambda: 10**10 * calls)
    monkeypatch.setattr(slow, "perf_counter", lambda: 10.0 * calls)
    monkeypatch.setattr(sizes, "time", slow)
    assert sizes.sample(call) == (10**10,) * sizes.MIN_SAMPLES
