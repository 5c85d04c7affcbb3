# SPDX-License-Identifier: Apache-2.0
"""Broken cores (tests/cores/*_mutants.toml) are seen to be broken: a test of the tests.

Those of Keccak name no design but parameters of one: they are verified with the claims of cycles
that their unbroken twin keeps under these, so that it is the fault that is seen.
"""

from __future__ import annotations

import collections
import functools
import shutil
import tomllib
from pathlib import Path
from typing import Any

import compiled
import msgspec
import pytest
from contest import CANDIDATES, FINAL

from lydite.base import CheckFailed
from lydite.cores import Design, catalog
from lydite.cores.design import Claims
from lydite.cores.primitive import find_file
from lydite.sim.suites import Oracle
from lydite.sim.timing import measure
from lydite.sim.verify import open_model, verify
from lydite.studies.sha3_designs import label_of

FILES = sorted((Path(__file__).parents[1] / "cores").glob("*_mutants.toml"))
# File, and what is said of each mutant; `fast` ones are one of each kind: a wrong function, a
# broken handshake, a state that is left.
MUTANTS: list[tuple[str, dict[str, Any]]] = [
    (path.name.removesuffix("_mutants.toml"), mutant)
    for path in FILES
    for mutant in tomllib.loads(path.read_text())["mutant"]
]
# Extendable-output functions are told by their suffix and rate.
PRIMITIVES = {(0x1F, 168): "shake128", (0x1F, 136): "shake256"}


def marked(core: str, mutant: dict[str, Any]) -> Any:
    marks = () if mutant.get("fast") else pytest.mark.slow
    return pytest.param(mutant, id=f"{core}-{mutant['name']}", marks=marks)


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


def design_of(mutant: dict[str, Any]) -> Design:
    """Give the design that a mutant is one of."""
    if "params" in mutant:
        return unbroken(tuple(sorted(mutant["params"].items())))
    [selection] = catalog.select(mutant["design"])
    [design] = selection.designs
    return design


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_are_told_apart_and_some_are_fast(path: Path) -> None:
    mutants = tomllib.loads(path.read_text())["mutant"]
    names = [mutant["name"] for mutant in mutants]
    assert len(names) == len(set(names))
    assert 0 < sum(mutant.get("fast", False) for mutant in mutants) < len(names)


@pytest.mark.parametrize(("design", "least"), [("rtl", 2), ("hls", 1)])
def test_what_stands_for_a_candidate_has_mutants(design: str, least: int) -> None:
    count = collections.Counter(mutant.get("design") for _, mutant in MUTANTS)
    second_round = {one.name for one in CANDIDATES} - {*FINAL.values()}
    assert len(second_round) == 14
    assert [name for name in sorted(second_round) if count[label_of(name, design)] < least] == []


def copied(design: Design, folder: Path) -> Design:
    """Give a design whose files, and those that cores share, may be changed."""
    core = folder / design.folder.name
    if design.hls is None:
        for name in design.sources:
            (core / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(find_file(design.folder, name), core / name)
    else:
        without = shutil.ignore_patterns("kat", "__pycache__")
        shutil.copytree(design.folder, core, ignore=without)
        shutil.copytree(catalog.FOLDER / "common", folder / "common", ignore=without)
    return msgspec.structs.replace(design, folder=core)


@pytest.mark.parametrize("mutant", [marked(core, mutant) for core, mutant in MUTANTS])
def test_broken_core_is_seen(mutant: dict[str, Any], tmp_path: Path) -> None:
    design = copied(design_of(mutant), tmp_path)
    path = design.folder / mutant["file"]
    text = path.read_text()
    assert text.count(mutant["find"]) == 1, "the text to be replaced stands there once"
    path.write_text(text.replace(mutant["find"], mutant["replace"]))
    with pytest.raises(CheckFailed):
        verify(compiled.design(design))
