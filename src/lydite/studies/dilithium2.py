# SPDX-License-Identifier: Apache-2.0
"""Signing with Dilithium2 by HLS, directives varied by hand: a report's settings on our C.

`docs/dilithium2.md` has the tables. Names of points: `estimate SETTING`, `cosim RECORDS SETTING`,
`map TARGET SETTING`, `place TARGET SETTING`; settings are those of `dilithium2_settings`, and
`dilithium2_secrets` has those of constant time. Area comes of the same Verilog on each target:
that of TARGETS' first one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lydite import targets
from lydite.report.page import Section
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.kinds.candidate import FOLDER, Cosimulate, Estimate, Kernel
from lydite.runs.plan import Implementation
from lydite.runs.record import Record
from lydite.studies import dilithium2_calls as calls
from lydite.studies import dilithium2_secrets as secrets
from lydite.studies.dilithium2_settings import (
    AREA,
    CLOCK_NS,
    LATENCY,
    OWN,
    SETTINGS,
    TOP,
    Setting,
    options,
)
from lydite.studies.dilithium2_tables import FEW, RECORDS, TARGETS, Tables
from lydite.studies.study import Asked, Found, Plan, Study

_QUICK_COSIM = ("latency-1", "catalogue")
_QUICK_MAP = ("area-1", "area-10")
# What is placed: not what fills more of the part than a router comes to an end with, nor what wants
# more multipliers than an LFE5U-85F has.
_MOST = {"lut4": 60_000, "dsp": 156}
# Of some 40,000 LUTs the default placer leaves router1 a thousand arcs of a minute.
_PLACER = ("--placer=static",)
# Seconds that may pass: of 100 signatures, unrolled and simulated, and of a large placement.
_LONG_S = 14_400.0


class Dilithium2(Study):
    """The report's 19 settings for area and 6 for latency."""

    name = "dilithium2"
    title = "Signing with Dilithium2 from C: directives for area and latency, theirs and ours"

    def plan(self, asked: Asked) -> Plan:
        """Plan it: estimates; co-simulations and netlists of what they made; placements."""
        records = FEW if asked.quick else RECORDS
        limit_s = max(asked.timeout_s, _LONG_S)
        first = Kernel(options(TARGETS[0]), timeout_s=limit_s)
        estimates = {f"estimate {one.name}": _estimate(first, one) for one in SETTINGS}
        found = yield {**estimates, **secrets.compiles()}
        kernel = Kernel(first.options, (calls.of_signing(records),), timeout_s=limit_s)
        points: dict[str, Job] = {}
        for setting in (*LATENCY, *OWN):
            made = Found(found).result(f"estimate {setting.name}")
            if made is not None and (not asked.quick or setting.name in _QUICK_COSIM):
                proof = Cosimulate(_estimate(kernel, setting), made["hardware"])
                points[f"cosim {records} {setting.name}"] = proof
        mapped = {
            name: job
            for name, job in self._mapped(asked, found, limit_s)
            if not asked.quick or name.split(" ")[2] in _QUICK_MAP
        }
        points |= secrets.points(asked, found)
        found = yield {**points, **{name: made.synthesis for name, made in mapped.items()}}
        if not asked.quick:
            yield {
                f"place {target} {setting}": job
                for name, made in mapped.items()
                for kind, target, setting in [name.split(" ")]
                if (mapped_as := Found(found).result(name)) is not None
                and all(mapped_as["area"].get(u, math.inf) <= most for u, most in _MOST.items())
                for job in made.placements
            }

    def _mapped(
        self, asked: Asked, found: Mapping[str, Record], limit_s: float
    ) -> Iterator[tuple[str, Implementation]]:
        """Give the implementations of what was compiled, on each target."""
        for target in TARGETS:
            part = targets.find(target)
            settings = plan.Settings(part, timeout_s=limit_s, clock=False)
            if part.family.placement is not None:
                settings = replace(settings, seeds=1, clock=True, place_options=_PLACER)
            for setting in (*AREA, LATENCY[-1], *OWN):
                record = Found(found).get(f"estimate {setting.name}")
                if record is not None:
                    folder = asked.store.artefacts(record.key) / FOLDER
                    files = tuple((folder / name).absolute() for name in record.result["files"])
                    made = plan.run(files, TOP, "ap_clk", {}, settings)
                    yield f"map {target} {setting.name}", made

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        constant = Section("Constant time", (secrets.tested(found),))
        return (*Tables(self.theirs, found).sections(), constant)


def _estimate(kernel: Kernel, setting: Setting) -> Estimate:
    return Estimate(kernel, CLOCK_NS, setting.directives)
