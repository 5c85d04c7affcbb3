# SPDX-License-Identifier: Apache-2.0
"""Compiles the C of designs in the tests: by the job that benches have, in one store for all."""

from __future__ import annotations

import pytest
from contest import CANDIDATES

from lydite.cores import Design, Selection
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.kinds import compilation
from lydite.runs.kinds.compilation import Compile
from lydite.runs.plan import Settings
from lydite.runs.store import Store
from lydite.sim.build import cache_folder

# The one that benches have unasked, and the compiler's.
_FAST = ("rtl", "hls")
# What is proven under another name: three times DES, one sponge with other numbers; and trees in
# three modes, of which `sim/test_blake3.py` shows the most in less time.
_LONG = ("tdes-2key", "tdes-3key", "sha3-224", "sha3-384", "sha3-512", "shake256", "blake3")
# Engines from C around the macro that the engine by hand is made of.
_ENGINES = "des-search/hls"
# Of the candidates of the SHA-3 contest, which are many and alike, these stand for all.
_SAMPLE = ("cubehash-256/rtl", "cubehash-256/hls", "blake-32/rtl")


def marks(design: Design) -> tuple[pytest.MarkDecorator, ...]:
    """Give the marks of tests of a design: slow, but for two of a primitive."""
    primitive = design.primitive.name
    fast = design.name in _FAST and primitive not in _LONG
    if primitive in {one.name for one in CANDIDATES}:
        fast = design.label in _SAMPLE
    fast = fast and design.label != _ENGINES
    return () if fast else (pytest.mark.slow,)


def design(given: Design) -> Design:
    """Give a design whose C, if it has some, is compiled."""
    if given.hls is None:
        return given
    job = Compile(given)
    with Store(cache_folder() / "store") as store:
        [record] = execute([job], store, parallel=1).values()
        assert record.status == "ok", record.error
        return compilation.compiled(given, record, store)


def selection(given: Selection, settings: Settings) -> Selection:
    """Give a selection whose C is compiled."""
    with Store(cache_folder() / "store") as store:
        records = execute(plan.compilations([given], settings), store, parallel=1)
        return plan.compiled(given, records, store)
