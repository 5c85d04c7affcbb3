# SPDX-License-Identifier: Apache-2.0
"""Compiles the C of designs in the tests: by the job that benches have, in one store for all."""

from __future__ import annotations

from lydite.cores import Design, Selection
from lydite.runs import compilation, plan
from lydite.runs.compilation import Compile
from lydite.runs.execute import execute
from lydite.runs.plan import Settings
from lydite.runs.store import Store
from lydite.sim.build import cache_folder


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
