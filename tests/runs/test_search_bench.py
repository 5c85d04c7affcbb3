# SPDX-License-Identifier: Apache-2.0
"""Jobs that time the key search: ranges whose last key is planted, found by cores and processor."""

from __future__ import annotations

import random
import shlex
import subprocess
from pathlib import Path

import pytest

from lydite import cores, targets
from lydite.base import CheckFailed, InputError
from lydite.cores import Design, catalog
from lydite.cores.des import fast, spec
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.kinds.hardware import Verify
from lydite.runs.kinds.search_bench import MeasureSearch, MeasureSearchRate, planted
from lydite.runs.processors import key_search, libraries
from lydite.runs.processors.key_search import Search, Threads, Wanted
from lydite.runs.processors.software import cpu_features
from lydite.runs.reruns import replay
from lydite.runs.store import Store
from lydite.sim import framing
from lydite.sim.stream import PATIENCE_CYCLES
from lydite.sim.testbed.measure import Setting
from lydite.sim.verify import open_model
from lydite.targets import links

_RANGES = 100


def design(name: str) -> Design:
    return catalog.design("des-search", name)


def test_the_last_key_of_a_range_is_the_planted_one() -> None:
    for keys in (1, 5, 128_000, 1 << 56):
        wanted = planted(keys)
        assert wanted.last - wanted.first + 1 == keys
        assert wanted.last < 1 << 56
        key = spec.key_of(wanted.last)
        wanted.check(key, "the test")
        assert planted(keys) == wanted
    assert planted(5, seed=2) != planted(5)
    with pytest.raises(CheckFailed):
        planted(2).check(spec.key_of(planted(2).first), "the test")


@pytest.mark.parametrize("keys", [0, -1, (1 << 56) + 1])
def test_a_range_of_no_keys_is_refused(keys: int) -> None:
    with pytest.raises(InputError, match=f"must be 1 to {1 << 56}, not {keys}"):
        planted(keys)


def test_too_many_keys_are_not_simulated(tmp_path: Path) -> None:
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("axi-hp64"))
    job = MeasureSearch(Verify(design("rtl")), 1 << 22, setting)
    with Store(tmp_path / "store") as store, pytest.raises(InputError, match="too many to simul"):
        job.run(tmp_path, store)


@pytest.mark.parametrize("threads", [1, 2])
def test_rate_of_the_reference(threads: int, tmp_path: Path) -> None:
    reference = next(one for one in catalog.software("des-search") if one.name == "ref")
    job = MeasureSearchRate(reference, threads, 2000)
    with Store(tmp_path / "store") as store:
        [record] = execute([job], store, parallel=1).values()
    assert record.status == "ok", record.error
    assert (record.result["keys"], record.result["threads"]) == (2000, threads)
    assert record.result["keys_per_s"] == sorted(record.result["samples"])[1] > 0
    assert MeasureSearchRate(reference, threads, 2001).key != job.key


def test_a_rate_is_measured_again_from_its_record(tmp_path: Path) -> None:
    reference = next(one for one in catalog.software("des-search") if one.name == "ref")
    job = MeasureSearchRate(reference, 1, 500)
    with Store(tmp_path / "store") as store:
        [record] = execute([job], store, parallel=1).values()
    script = replay.script(record, shlex.quote(str(tmp_path / "store")), lambda key: None)

    def sh() -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-c", script], cwd="/", capture_output=True, text=True)

    run = sh()
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("equal: the planted key is found; 0.")
    # It is the copy that is measured.
    [kept] = (tmp_path / "store" / "artefacts").rglob("search_ref.c")
    kept.write_text(kept.read_text().replace("return 1;", "return 0;"))
    assert sh().returncode == 5


def ranges() -> list[Wanted]:
    """Random ranges, keys at their ends and between, one of a single key, some of one group."""
    rng = random.Random(15)
    found = []
    for index in range(_RANGES):
        size = 1 if index == 0 else rng.randrange(1, 40 if index % 2 else 3000)
        first = rng.randrange((1 << 56) - size)
        place = (0, size - 1, rng.randrange(size))[index % 3]
        key = spec.key_of(first + place)
        texts = rng.randbytes(8), rng.randbytes(8)
        pairs = [(text, fast.encrypt(key, text)) for text in texts]
        found.append(Wanted(first, first + size - 1, (*pairs[0], *pairs[1])))
    return found


def found_by(core: Design, wanted: Wanted) -> framing.Job:
    """Give the search of a range as a call of a core, with its answer."""
    library = libraries.load(key_search.variant(cpu_features()))
    inputs = [spec.key_of(wanted.first), spec.key_of(wanted.last), *wanted.pairs]
    operation = core.primitive.operation("search")
    [outputs] = library.run(operation, [(inputs, None)])
    assert outputs is not None
    wanted.check(outputs[0], "the processor's search")
    return framing.Job(operation=operation, inputs=tuple(inputs), outputs=tuple(outputs))


def test_planted_keys_are_found_on_the_processor(tmp_path: Path) -> None:
    library = libraries.load(key_search.variant(cpu_features()))
    for index, wanted in enumerate(ranges()):
        search = Search(wanted, tmp_path / f"{index}.json", unit_keys=1 << 20)
        [key] = search.run(Threads(library, 2), lambda progress: None)
        wanted.check(key, "the search")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rtl", "rtl-2", "rtl-4", "rtl-8", "rtl-12", "rtl-16", "rtl-20"])
def test_planted_keys_are_found_by_rtl(name: str) -> None:
    core = design(name)
    calls = [framing.call(core, found_by(core, wanted)) for wanted in ranges()]
    with open_model(core) as model:
        model.run(calls, label="planted keys")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hls", "hls-4"])
def test_planted_keys_are_found_by_compiled_c(name: str, tmp_path: Path) -> None:
    selection = cores.select(f"des-search/{name}", every=True)
    settings = plan.Settings(targets.find("ecp5-85k"))
    with Store(tmp_path / "store") as store:
        records = execute(plan.compilations(selection, settings), store, parallel=1)
        [core] = plan.compiled(selection[0], records, store).designs
        calls = [framing.call(core, found_by(core, wanted)) for wanted in ranges()]
        with open_model(core) as model:
            model.run(calls, label="planted keys")


@pytest.mark.slow
def test_a_search_that_is_silent_for_long_is_no_hang() -> None:
    wanted = planted(PATIENCE_CYCLES + 20_000)
    core = design("rtl")
    call = framing.call(core, found_by(core, wanted))
    with open_model(core) as model:
        with pytest.raises(CheckFailed, match="right output in time"):
            model.run([call], label="too soon")
        [cycles] = model.run([call], label="patient", patience=2 * PATIENCE_CYCLES)
    assert cycles.last_out > PATIENCE_CYCLES
