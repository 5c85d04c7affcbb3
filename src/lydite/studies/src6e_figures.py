# SPDX-License-Identifier: Apache-2.0
"""What the study of the SRC-6E reads out of its records: times of jobs, rates of software."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lydite import targets
from lydite.studies.study import Found
from lydite.targets import links

TARGET = "ecp5-85k"


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of one job in each view, and of those that hide what can be hidden."""

    total: float
    loaded: float
    compute: float
    queued: float
    hidden: float

    @classmethod
    def of(cls, loaded_ns: float, compute_ns: float, queued_ns: float) -> Times:
        """Give them; configuration is modelled."""
        load = configuration_s()
        queued = queued_ns / 1e9
        return cls(
            total=load + loaded_ns / 1e9,
            loaded=loaded_ns / 1e9,
            compute=compute_ns / 1e9,
            queued=queued,
            # Two parts in turn: one is configured while the other computes.
            hidden=max(load, queued),
        )


def configuration_s() -> float:
    device = targets.find(TARGET).part.device
    found = links.configuration(device)
    assert found is not None, "links.toml has the part"
    return found.devices[device] / (1e6 * found.mbyte_per_s)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of cycles through two simulated sizes of a search."""

    cycles_per_key: float
    cycles: float

    def at(self, keys: int) -> float:
        """Give the cycles of so many keys."""
        return self.cycles + self.cycles_per_key * keys


class Figures:
    """Times and rates, by the names of points."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def cipher(self, design: str, blocks: int) -> Times | None:
        one = self.found.result(f"testbed {design} {blocks}")
        return None if one is None else _times(one)

    def line(self, kind: str, engines: int) -> tuple[Line, Mapping[str, Any]] | None:
        """Give the cycles over the keys, by the two largest simulated sizes, and the largest."""
        prefix = f"{kind} {engines} "
        ran = [
            record.result
            for name in self.found.records
            if name.startswith(prefix) and (record := self.found.get(name))
        ]
        if len(ran) < 2:
            return None
        low, high = sorted(ran, key=lambda one: one["keys"])[-2:]
        slope = (high["alone_cycles"] - low["alone_cycles"]) / (high["keys"] - low["keys"])
        return Line(slope, high["alone_cycles"] - slope * high["keys"]), high

    def search(self, kind: str, engines: int, keys: int) -> tuple[Times, str] | None:
        """Give the times of a search: simulated, or by the cycles that two simulations agree on."""
        one = self.found.result(f"{kind} {engines} {keys}")
        if one is not None:
            return _times(one), "simulated"
        fitted = self.line(kind, engines)
        if fitted is None:
            return None
        line, most = fitted
        more_ns = (line.at(keys) - most["alone_cycles"]) * most["compute_ns"] / most["alone_cycles"]
        parts = (most[name] + more_ns for name in ("hardware_ns", "compute_ns", "queued_ns"))
        return Times.of(*parts), "by cycles"

    def best(self, *, threads: bool) -> tuple[str, float] | None:
        """Give the fastest variant of Triple DES and its bytes a second, on one or all threads."""
        rates = [
            (name.removeprefix("software "), rate)
            for name in self.found.records
            if name.startswith("software ")
            and (rate := self.rate(name.removeprefix("software "), threads=threads))
        ]
        return max(rates, key=lambda pair: pair[1], default=None)

    def rate(self, variant: str, *, threads: bool = False) -> float | None:
        result = self.found.result(f"software {variant}")
        if result is None or not result["available"]:
            return None
        times = {one["operation"]: one for one in result["operations"]}["encrypt"]
        long = times["long_all" if threads else "long_1"]
        return float(1e9 * result["long_bytes"] / long["median_ns"]) if long else None

    def keys_rate(self, variant: str, *, threads: bool = False) -> float | None:
        found = {
            record.result["threads"]: float(record.result["keys_per_s"])
            for name in self.found.records
            if name.startswith(f"rate {variant} ") and (record := self.found.get(name))
        }
        return (found[max(found)] if threads else found.get(1)) if found else None

    def searches(self, kind: str, engines: int) -> list[str]:
        return [name for name in self.found.records if name.startswith(f"{kind} {engines} ")]

    def cycles(self, kind: str) -> Iterator[str]:
        """Say what 'by cycles' rests on."""
        for engines in sorted(
            {int(name.split()[1]) for name in self.found.records if name.startswith(f"{kind} ")}
        ):
            if fitted := self.line(kind, engines):
                line, _ = fitted
                sizes = ", ".join(name.split()[2] for name in self.searches(kind, engines))
                many = "s" if engines > 1 else ""
                yield (
                    f"{engines} engine{many}, by cycles of {sizes} keys: keys x "
                    f"{line.cycles_per_key:.9g} + {line.cycles:.0f}; a search whose key is the "
                    "last of the range; what keys that agree by chance cost, less than a "
                    "thousandth, is left out"
                )

    def machines(self, prefix: str) -> list[str]:
        records = [
            r
            for name in self.found.records
            if name.startswith(prefix) and (r := self.found.get(name))
        ]
        return sorted({f"measured on {record.machine}" for record in records})


def _times(one: Mapping[str, Any]) -> Times:
    return Times.of(one["hardware_ns"], one["compute_ns"], one["queued_ns"])
