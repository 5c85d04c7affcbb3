# SPDX-License-Identifier: Apache-2.0
"""A search runs jobs of the store: each once, failures as values, on from where it was."""

from __future__ import annotations

import dataclasses
import shlex
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lydite.base import InputError
from lydite.runs.kinds.hardware import Verify
from lydite.runs.store import Store
from lydite.search import driver, log, strategies
from lydite.search.objective import AREA
from lydite.search.space import Space, check_options, chosen
from lydite.search.strategy import Budget, Result, Strategy
from lydite.targets.arms import Arm
from lydite.tools import nextpnr, tool

MakeSpace = Callable[..., Space]
DEFAULT = Arm(name="default", about="")
SAME_NETLIST = Arm(name="same-netlist", about="", synthesis=("-device hx",))
SAME_CONFIG = Arm(name="same-config", about="", place=("--no-promote-ce",))
UNMAPPED = Arm(name="unmapped", about="", synthesis=("-run begin:map_ram",))
CRASHES = Arm(name="crashes", about="", place=("--placer=sa",))
HANGS = Arm(name="hangs", about="", place=("--placer=static",))


def searched(
    where: Space, store: Store, name: str, *, parallel: int = 1, budget: Budget | None = None
) -> tuple[driver.Found, list[Result]]:
    strategy = strategies.make(name, where.arms, budget=budget)
    heard: list[Result] = []
    found = driver.search(
        where, strategy, store, parallel=parallel, heard=lambda _, result: heard.append(result)
    )
    return found, heard


def log_of(where: Space, store: Store, strategy: Strategy) -> Path:
    name = driver.head(where, strategy, strategy.name).name
    return store.folder / "searches" / f"{name}.jsonl"


@pytest.fixture
def sick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nextpnr crash and hang where arms say so, and be itself elsewhere."""
    real = nextpnr.find("ice40")
    script = tmp_path / "sick"
    script.write_text(
        f'case "$*" in *placer=sa*) echo bad; kill -11 $$;; *placer=static*) sleep 600;; esac\n'
        f'exec {shlex.join(real.argv)} "$@"\n'
    )
    broken = tool.Tool(
        name=real.name, argv=("sh", str(script)), version=real.version, origin=real.origin
    )
    monkeypatch.setattr(nextpnr, "find", lambda name, *, native=False: broken)
    # A placement is given up after some times as long as the first one took: not of other work.
    for name, value in (("_RUNAWAY", 5.0), ("_RUNAWAY_LEAST_S", 1.0), ("_RUNAWAY_SEEN", 1)):
        monkeypatch.setattr(driver, name, value)


@pytest.mark.usefixtures("sick")
def test_what_fails_in_one_arm_is_a_value(store: Store, make_space: MakeSpace) -> None:
    where = make_space(DEFAULT, UNMAPPED, CRASHES, HANGS, SAME_CONFIG)
    found, heard = searched(where, store, "probe")
    clocks = {one.point.arm: one.fmax_mhz for one in heard}
    assert clocks["default"] == clocks["same-config"] is not None
    assert [arm for arm, clock in clocks.items() if clock is None] == [
        *("unmapped", "crashes", "hangs"),
    ]
    errors = {one.point.arm: one.error for one in heard}
    assert "killed by signal 11" in errors["crashes"]
    assert "ran past its time limit and was stopped" in errors["hangs"]
    assert errors["unmapped"]
    costs = {one.point.arm: one.cpu_s for one in heard}
    assert min(costs.values()) > 0
    assert found.strategy.summary() == "1 arm differs, 1 the same as another, 3 failed"
    # Failures were told once, and are in the log; they are not tried again.
    _, again = searched(where, store, "probe")
    assert again == []


def test_equal_netlists_are_placed_once(store: Store, make_space: MakeSpace) -> None:
    found, heard = searched(make_space(DEFAULT, SAME_NETLIST), store, "probe")
    first, second = heard
    assert first.key == second.key
    assert first.fmax_mhz == second.fmax_mhz
    # Its own synthesis is paid, the placement is not paid again.
    assert second.cpu_s == second.shared_cpu_s > 0
    kinds = [record.kind for record in store.all()]
    assert kinds.count("synthesis") == 2
    assert kinds.count("netlist") == kinds.count("placement") == 1
    assert set(found.netlists) == {"default", "same-netlist"}


def test_for_the_area_nothing_is_placed(store: Store, make_space: MakeSpace) -> None:
    where = make_space(DEFAULT, SAME_NETLIST, UNMAPPED)
    strategy = strategies.make("probe", where.arms, objective=AREA)
    found = driver.search(where, strategy, store, parallel=1)
    first, same, failed = strategy.results
    assert first.area == same.area == where.size(found.netlists["default"])
    assert (first.config, first.fmax_mhz) == (same.config, None)
    assert failed.has_failed and failed.error
    assert not any(record.kind == "placement" for record in found.records.values())
    # Each netlist was proven, all the same.
    proof = where.placement(where.arms[0], 0).proof
    assert proof is not None and found.records[proof.key].status == "ok"


def test_a_larger_budget_goes_on_where_a_smaller_one_ended(
    store: Store, make_space: MakeSpace
) -> None:
    where = make_space(DEFAULT, SAME_CONFIG)
    _, first = searched(where, store, "racing", budget=Budget(runs=2))
    found, rest = searched(where, store, "racing", budget=Budget(runs=4))
    assert (len(first), len(rest)) == (2, 2)
    assert found.strategy.results == first + rest
    path = log_of(where, store, found.strategy)
    head, events = log.read(path)
    replayed = head.make(Budget())
    log.follow(path, replayed, events)
    assert replayed.results == found.strategy.results
    assert replayed.best == found.strategy.best


def test_budget_of_processor_seconds_is_kept(store: Store, make_space: MakeSpace) -> None:
    _, [first] = searched(make_space(), store, "seeds", budget=Budget(runs=1))
    allowed = first.cpu_s + 0.2
    found, _ = searched(make_space(), store, "seeds", budget=Budget(cpu_s=allowed))
    costs = [one.cpu_s for one in found.strategy.results]
    assert len(costs) > 1
    assert sum(costs[:-1]) < allowed


def test_what_the_proof_depends_on_is_read_once(
    store: Store, make_space: MakeSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = Verify.inputs

    def inputs(self: Verify) -> Mapping[str, Any]:
        read.append(self.label)
        return real(self)

    monkeypatch.setattr(Verify, "inputs", inputs)
    searched(make_space(), store, "seeds", budget=Budget(runs=2))
    assert len(read) == 1


def test_two_searches_on_one_store_run_each_point_once(store: Store, make_space: MakeSpace) -> None:
    where, results = make_space(), []

    def one() -> None:
        with Store(store.folder) as own:
            found, _ = searched(where, own, "seeds", budget=Budget(runs=3), parallel=2)
            results.append(found.strategy.results)

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[1]
    assert len(results[0]) == 3
    # The first seed was there before.
    assert [record.kind for record in store.all()].count("placement") == 3


def test_points_have_the_keys_that_a_bench_gives_them(store: Store, make_space: MakeSpace) -> None:
    where = make_space()
    assert store.get(where.implementation(where.arms[0]).placements[0].key) is not None


def test_options_that_the_tools_do_not_know_are_refused(make_space: MakeSpace) -> None:
    for arm, message in (
        (
            Arm(name="mine", about="", place=("--placer-quick",)),
            r"^arm mine: nextpnr-ice40 \S+ knows no option --placer-quick$",
        ),
        (
            Arm(name="mine", about="", place=("--placer=best",)),
            r"^arm mine: nextpnr-ice40 \S+ knows no --placer best\n  one of sa, heap, static$",
        ),
        (
            Arm(name="mine", about="", synthesis=("-abc9",)),
            r"^arm mine: synth_ice40 of yosys \S+ knows no option -abc9$",
        ),
    ):
        with pytest.raises(InputError, match=message):
            check_options(make_space(DEFAULT, arm))
    check_options(make_space(DEFAULT, CRASHES, HANGS, UNMAPPED))
    space = make_space(DEFAULT)
    for given, message in (
        ({"place_options": ("--nonsense",)}, r"^--place-option: nextpnr-ice40 .* --nonsense$"),
        ({"synthesis_options": ("-nonsense",)}, r"^--synth-option: synth_ice40 .* -nonsense$"),
    ):
        settings = dataclasses.replace(space.settings, **given)
        with pytest.raises(InputError, match=message):
            check_options(dataclasses.replace(space, settings=settings))


def test_arms_are_chosen_by_name() -> None:
    arms = (DEFAULT, CRASHES, HANGS)
    assert chosen(arms, []) == arms
    assert chosen(arms, ["hangs", "default", "hangs"]) == (HANGS, DEFAULT)
    with pytest.raises(InputError, match=r"--arm: no such arm: 'hang'\n  the nearest is hangs"):
        chosen(arms, ["hang"])
