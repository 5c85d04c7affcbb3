# SPDX-License-Identifier: Apache-2.0
"""The study of Dilithium2's directives: files that fit the C, tables that are made of records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lydite.cores import catalog
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.frontend import program
from lydite.report.page import Prose
from lydite.runs.kinds.candidate import Cosimulate
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies import dilithium2_calls as calls
from lydite.studies.dilithium2 import Dilithium2
from lydite.studies.dilithium2_settings import (
    AREA,
    FOLDER,
    LATENCY,
    OWN,
    SETTINGS,
    SOURCE,
    options,
)
from lydite.studies.dilithium2_tables import PARTS, TARGETS
from lydite.studies.study import Asked, Found, tables

STUDY = Dilithium2()
TARGET = TARGETS[0]
# Together they have all files but those that only limit operations.
DEFAULT = ("area-18", "latency-6")


def record(name: str, result: dict[str, Any]) -> Record:
    return Record(key=f"{hash(name):x}", kind="", label=name, status="ok", inputs={}, result=result)


def rows(name: str, results: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    found = Found({name: record(name, result) for name, result in results.items()})
    [table] = [one.table for one in tables(STUDY.sections(found)) if one.name == name]
    return table.as_dicts()


def area(lut: int, ff: int, bram: int, of: str = "lut4") -> dict[str, Any]:
    return {of: lut, "ff": ff, "bram": bram, "dsp": 20}


def test_settings_are_those_of_the_report() -> None:
    for name, settings in (("area", AREA), ("latency", LATENCY)):
        listed = [f"{name}-{row['setting']:g}" for row in STUDY.theirs.named(name).records()]
        assert [one.name for one in settings] == listed
    files = {path for one in SETTINGS for path in one.files}
    assert files == {*FOLDER.glob("*.toml"), *SOURCE.parent.glob("*.toml")}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one.name, marks=() if one.name in DEFAULT else pytest.mark.slow)
        for one in SETTINGS
    ],
)
def test_places_of_a_setting_are_in_the_c(name: str) -> None:
    """A place that is not there is an error of the front end."""
    [setting] = [one for one in SETTINGS if one.name == name]
    log = Diagnostics()
    made = program.build(replace(options(TARGET), directives=setting.directives), log)
    assert made.text
    assert not [str(one) for one in log if "unknown" in str(one)]


def test_their_percentages_and_what_they_say_of_them() -> None:
    """By the report's own formula settings 13 and 15 are the best, not 18, as it says."""
    found = {row["setting"]: row["esc_theirs"] for row in rows(f"area-{TARGET}", {})}
    for one in OWN:
        del found[one.name]
    assert found[1] == pytest.approx(535.0, abs=0.1)
    assert {setting for setting in found if found[setting] == min(found.values())} == {13, 15}
    assert found[13] < found[18] / 2


def test_ours_stand_beside_theirs() -> None:
    part = PARTS[TARGET]
    found = {f"map {TARGET} area-1": {"area": area(part["lut"] // 2, part["ff"] // 4, 26)}}
    first, second, *_ = rows(f"area-{TARGET}", found)
    assert (first["lut_theirs"], first["lut_ours"]) == (136, 50)
    assert first["lut_ratio"] == pytest.approx(2.72)
    assert first["bram_ours"] == 12.5
    assert second["lut_ours"] is None


def test_weights_are_of_the_tables_that_a_family_has() -> None:
    parts = [part for one in STUDY.sections(Found({})) for part in one.parts]
    [weights] = [part.text for part in parts if isinstance(part, Prose)]
    assert "xc7-a200t: LUT 0.25, FF 0.125, block RAM 46" in weights
    assert "ecp5-85k: LUT 0.5, FF 0.5" in weights


def test_what_was_placed_has_the_cycles_of_the_same_directives() -> None:
    paths = {"core": {"fmax_mhz": 60.0}}
    ran = {"cycles": [100, 300], "cycles_mean": 500.0, "cycles_min": 100, "cycles_max": 900}
    found = {
        "place ecp5-85k area-1": {"fmax_mhz": 50.0, "paths": paths},
        "place ecp5-85k area-5": {"fmax_mhz": 40.0, "paths": paths},
        "map ecp5-85k area-1": {"area": area(25_000, 8_000, 24)},
        "cosim 100 latency-1": ran,
    }
    first, second = rows("placed", found)
    assert (first["setting"], first["core_mhz"], first["mhz"], first["lut"]) == (
        *("area-1", 60.0, 50.0),
        25_000,
    )
    assert (first["cycles"], first["call_us"]) == (500, 10)
    assert (second["setting"], second["lut"], second["call_us"]) == ("area-5", None, None)


def test_directions_by_netlists_and_by_estimates() -> None:
    found = {
        f"map {TARGET} area-1": {"area": area(40_000, 8_000, 24)},
        f"map {TARGET} area-2": {"area": area(30_000, 9_000, 24)},
        "estimate area-1": {"area": area(40_000, 8_000, 24, "lut")},
        "estimate area-2": {"area": area(50_000, 8_000, 24, "lut")},
        "estimate area-3": {"area": area(60_000, 8_000, 24, "lut")},
    }
    second, third, *others = rows("directions", found)
    assert (second["by"], second["lut_theirs"], second["lut_ours"]) == (
        f"netlists, {TARGET}",
        -44,
        -12,
    )
    assert second["lut_verdict"] == "confirmed"
    assert second["ff_verdict"] == "denied: more"
    assert second["bram_verdict"] == "denied: as much"
    assert (third["by"], third["lut_verdict"]) == ("estimates", "denied: more")
    assert all(row["lut_verdict"] is None for row in others)
    own = {
        "map xc7-a200t area-1": {"area": area(40_000, 8_000, 24, "lut6")},
        "map xc7-a200t area-2": {"area": area(41_000, 9_000, 24, "lut6")},
    }
    second, *_ = rows("directions", {**found, **own})
    assert (second["by"], second["lut_ours"]) == ("netlists, xc7-a200t", 0)
    assert second["lut_verdict"] == "denied: as much"


def test_latency_of_two_records_and_of_all() -> None:
    ran = {"cycles": [100, 300, 900], "cycles_mean": 433.0, "cycles_min": 100, "cycles_max": 900}
    found = {
        "cosim 100 latency-1": ran,
        "cosim 2 latency-2": {"cycles": [150, 150], "cycles_mean": 150.0},
    }
    first, second, *_, ours = rows("latency", found)
    assert (first["mean_ours"], first["all_mean"], first["all_most"]) == (200, 433, 900)
    assert first["mean_ratio"] == pytest.approx(347094 / 200)
    assert first["change_verdict"] is None
    assert (second["mean_ours"], second["change_ours"]) == (150, -50)
    assert (second["change_theirs"], second["change_verdict"]) == (-2459, "confirmed")
    assert ours["mean_theirs"] is None


def test_calls_are_the_known_answers() -> None:
    primitive = catalog.primitive("dilithium2")
    assert calls.lines(primitive, "sign", 2) == calls.lines(primitive, "sign", None)[:2]


def test_plan_of_the_quick_part_and_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    verilog = "module dilithium_sign (input wire ap_clk, output reg q);\n"
    verilog += "always @(posedge ap_clk) q <= ~q;\nendmodule\n"
    with Store(tmp_path / "store") as store:

        def ended(name: str) -> Record:
            made = record(name, {"files": ["dilithium_sign.v"], "hardware": "0" * 64})
            folder = store.artefacts(made.key) / "verilog"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "dilithium_sign.v").write_text(verilog)
            return made

        waves = STUDY.plan(Asked(store=store, quick=True))
        first = next(waves)
        estimates = [f"estimate {one.name}" for one in SETTINGS]
        assert list(first) == [*estimates, "compile keygen", "compile sign"]
        # Of cores that could not be compiled nothing more is asked.
        second = waves.send({name: ended(name) for name in estimates})
        assert list(second) == [
            *("cosim 2 latency-1", "cosim 2 catalogue"),
            *(f"map {target} {setting}" for target in TARGETS for setting in ("area-1", "area-10")),
        ]
        proof = second["cosim 2 catalogue"]
        assert isinstance(proof, Cosimulate)
        # What is in the file decides, not where it lies.
        [argument] = proof.inputs()["arguments"]
        assert argument[0] == "file" and str(tmp_path) not in argument[1]
        with pytest.raises(StopIteration):
            waves.send({})


def test_what_depends_on_secrets_beyond_the_loop() -> None:
    """Rounds of 10 cycles explain all of key generation; signing has 3 more under its key."""
    order = [n % 2 == 0 for n in range(12)]
    rounds = [5 if fixed else 1 + n for n, fixed in enumerate(order)]
    cycles = [100 + 10 * n for n in rounds]
    keyed = [100 + 10 * n + 3 * fixed for n, fixed in zip(rounds, order, strict=True)]
    found = {
        f"secrets {name} 100 0": {"fixed": order, "cycles": took, "loops": rounds}
        for name, took in (("keygen", cycles), ("sign", keyed))
    }
    keygen, sign = rows("secrets", found)
    assert (keygen["calls"], keygen["fixed"], keygen["random"]) == ("6 + 6", 150, 170)
    assert (keygen["conditioned_t"], keygen["conditioned_verdict"]) == (0, "not seen")
    assert keygen["raw_verdict"] == "not seen"
    assert sign["conditioned_verdict"] == "yes"
    assert rows("secrets", {})[0]["raw_t"] is None
