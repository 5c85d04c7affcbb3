# SPDX-License-Identifier: Apache-2.0
"""Runs of simulations, made again: proofs, cycles, testbeds, clocks: the same anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from lydite.cores import Design
from lydite.runs.kinds import frequency, messages, netlist, routed, search_bench, turns
from lydite.runs.kinds.testbed import setting_of
from lydite.runs.rerun import Made, Rerun, plain
from lydite.sim import leakage, verify
from lydite.sim.random_messages import DEFAULT_SEED
from lydite.sim.testbed import measure


def proven(run: Rerun) -> Made:
    """Prove a design again."""
    found = verify.verify(run.design(), seed=run.inputs.get("seed", DEFAULT_SEED))
    return _proof(msgspec.to_builtins(found))


def _proof(found: dict[str, Any]) -> Made:
    told = f"{found['vectors']} known answers, {found['simulated_cycles']} cycles simulated"
    return Made(plain(found), told=told)


def netlist_proven(run: Rerun) -> Made:
    """Prove a mapped netlist again."""
    family, every = run.inputs["family"], run.inputs["every"]
    run.take("verify")
    run.take("synthesis", *netlist.FILES)
    return _proof({**netlist.prove(run.design(), run.work, family, every=every), "every": every})


def routed_proven(run: Rerun) -> Made:
    """Prove a routed netlist again, without its delays and with them."""
    every = run.inputs["every"]
    design, core = _routed(run, run.inputs["family"])
    clocks = routed.static_mhz(core)
    found = routed.prove(design, core, every=every)
    return _proof({**found, "every": every, "static_mhz": clocks})


def _routed(run: Rerun, family: str) -> tuple[Design, routed.RoutedCore]:
    run.take("verify")
    run.take("synthesis", *routed.MAPPED_FILES)
    run.take("placement", *routed.ROUTED_FILES)
    design = run.design()
    return design, routed.read(run.work, design, family)


def frequency_found(run: Rerun) -> Made:
    """Find the clock at which a routed core fails again."""
    before = run.others["routed"]
    design, core = _routed(run, before.inputs["family"])
    found = frequency.find(design, core, frequency.asked_of(run.inputs))
    vendor = before.result["static_mhz"]
    told = f"{found['simulated_mhz']:.1f} MHz, {found['messages']} messages"
    return Made(plain({**found, "vendor_mhz": vendor}), told=told)


def messages_measured(run: Rerun) -> Made:
    """Run messages of some sizes again."""
    run.take("verify")
    sizes = tuple(run.inputs["sizes"])
    found = messages.measure(run.design(), run.inputs["operation"], sizes)
    result = {"messages": msgspec.to_builtins(found)}
    return Made(plain(result), told=f"messages of {len(sizes)} sizes, outputs compared")


def turns_counted(run: Rerun) -> Made:
    """Count the turns of a loop again."""
    inputs, sizes = run.inputs, run.inputs["sizes"]
    result = turns.count(run.work, inputs["program"], inputs["defines"], sizes).result
    return Made(plain(result), told=f"messages of {len(sizes)} sizes, their digests, too")


def leakage_measured(run: Rerun) -> Made:
    """Run calls over secrets again."""
    given = run.inputs
    found = leakage.measure(
        run.design(),
        given["operation"],
        secrets=tuple(given["secrets"]),
        calls=given["calls"],
        part=given["part"],
        seed=given["seed"],
    )
    return Made(plain(msgspec.to_builtins(found)), told=f"{given['calls']} calls, outputs compared")


def testbed(run: Rerun) -> Made:
    """Measure an operation in the testbed again."""
    name, size = run.inputs["operation"]["name"], run.inputs["size"]
    setting = setting_of(run.inputs)
    return _end_to_end(lambda design: measure.measure(design, name, size, setting), run)


def keys_searched(run: Rerun) -> Made:
    """Search keys on a core in the testbed again."""
    wanted, setting = search_bench.wanted_of(run.inputs), setting_of(run.inputs)
    return _end_to_end(lambda design: search_bench.measured(design, wanted, setting), run)


def _end_to_end(measured: Callable[[Design], Any], run: Rerun) -> Made:
    found = plain(msgspec.to_builtins(measured(run.design())))
    return Made(found, told=f"{found['hardware_ns'] / 1000:g} us, outputs compared")
