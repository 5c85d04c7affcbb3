# SPDX-License-Identifier: Apache-2.0
"""Broken Keccak cores (tests/cores/keccak_mutants.toml) are seen to be broken: a test of the tests.

Each is verified with the claims of cycles that its unbroken twin keeps under the same parameters,
so that it is the fault that is seen.
"""

from __future__ import annotations

import functools
import shutil
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lydite.base import CheckFailed
from lydite.cores import Design, catalog
from lydite.cores.design import Claims
from lydite.sim.suites import Oracle
from lydite.sim.timing import measure
from lydite.sim.verify import open_model, verify

MUTANTS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent.parent / "cores" / "keccak_mutants.toml").read_text()
)["mutant"]
# One of each kind: a wrong function, a broken handshake, a state that is left, a claim.
FAST = (
    "one_rotation_off_by_one",
    "output_changes_while_it_waits",
    "state_survives_between_messages",
    "a_cycle_lost_with_every_block",
)
# Extendable-output functions are told by their suffix and rate.
PRIMITIVES = {(0x1F, 168): "shake128", (0x1F, 136): "shake256"}


def marked(mutant: dict[str, Any]) -> Any:
    marks = () if mutant["name"] in FAST else pytest.mark.slow
    return pytest.param(mutant, id=mutant["name"], marks=marks)


@functools.cache
def unbroken(params: tuple[tuple[str, int], ...]) -> Design:
    """Give the design under some parameters, with the cycles that it takes as its claims."""
    changes = dict(params)
    name = PRIMITIVES.get((changes.get("SUFFIX", 0), changes.get("RATE_BYTES", 0)), "sha3-256")
    [design] = [entry for entry in catalog.designs(name) if entry.name == "rtl"]
    design = msgspec.structs.replace(design, parameters={**design.parameters, **changes})
    with open_model(design) as model, Oracle(design.primitive, ["hash"]) as oracle:
        found = measure(design, "hash", model, oracle)
    assert found.cycles_per_block is not None
    claims = Claims(
        cycles_per_block=int(found.cycles_per_block.mean),
        cycles_per_message=int(found.cycles_per_message.mean),
        latency_cycles=int(found.latency_cycles.mean),
    )
    return msgspec.structs.replace(design, claims={"hash": claims})


def test_fast_mutants_are_in_the_file() -> None:
    names = [mutant["name"] for mutant in MUTANTS]
    assert set(FAST) < set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("mutant", [marked(mutant) for mutant in MUTANTS])
def test_broken_core_is_seen(mutant: dict[str, Any], tmp_path: Path) -> None:
    design = unbroken(tuple(sorted(mutant["params"].items())))
    for name in design.sources:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(design.folder / name, tmp_path / name)
    path = tmp_path / mutant["file"]
    text = path.read_text()
    assert text.count(mutant["find"]) == 1, "the text to be replaced stands there once"
    path.write_text(text.replace(mutant["find"], mutant["replace"]))
    with pytest.raises(CheckFailed):
        verify(msgspec.structs.replace(design, folder=tmp_path))
