# SPDX-License-Identifier: Apache-2.0
"""`lydite testbed`: what an accelerator gains end to end, transfers and set-up included."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.base.units import parse_bytes
from lydite.cli import common, output, pages, running

if TYPE_CHECKING:
    from lydite.cores import Design
    from lydite.runs.kinds.testbed import MeasureTestbed
    from lydite.runs.plan import Implementation
    from lydite.runs.record import Record
    from lydite.runs.store import Store

_HELP = "run a core behind FIFOs, two clocks and a DMA, and set it beside software end to end"
_SIZES = "10kB,100kB,500kB,1MB,5MB"
_ROUTED = "routed"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("testbed", help=_HELP, description=_HELP + ".")
    command.add_argument(
        "what",
        metavar="CORE[/DESIGN]",
        help="as of `lydite bench`; without a design the first of the core",
    )
    command.add_argument(
        "--sizes",
        metavar="LIST",
        help="payloads of one job, in B, kB, MB or GB, with commas (default: "
        f"{_SIZES}, up to whole calls)",
    )
    command.add_argument(
        "--operation",
        action="append",
        default=[],
        metavar="NAME",
        help="one operation of the design, may be repeated (default: all)",
    )
    command.add_argument(
        "--core-mhz",
        default="100",
        metavar="F",
        help="clock of the core, or `routed`: the median of placements (default: %(default)s)",
    )
    command.add_argument(
        "--dma-mhz",
        default="100",
        metavar="F",
        help="clock of DMA, registers and timer (default: %(default)s)",
    )
    command.add_argument(
        "--link",
        default="axi-hp64",
        metavar="NAME",
        help="what joins it to its host, modelled: see `lydite list links` (default: %(default)s)",
    )
    command.add_argument(
        "--delays",
        action="store_true",
        help="let all sides of the streams pause at random while time is measured, too",
    )
    command.add_argument("--no-software", action="store_true", help="measure no software")
    common.add_implementation(command)
    pages.add_pages(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from msgspec.structs import replace

    from lydite import cores
    from lydite.report import testbed, testbed_page
    from lydite.report.failures import failures
    from lydite.runs import plan
    from lydite.runs.kinds import testbed as runs
    from lydite.sim.testbed.measure import Setting
    from lydite.targets import links

    pages.check_pages(arguments)
    settings = common.settings(arguments)
    link = links.find(arguments.link)
    selection, design = common.one_design(cores.select(arguments.what, every=True))
    sizes = _sizes(arguments.sizes, design, _operations(design, arguments.operation))
    routed = arguments.core_mhz == _ROUTED
    setting = Setting(
        core_mhz=settings.freq_mhz if routed else _mhz("--core-mhz", arguments.core_mhz),
        dma_mhz=_mhz("--dma-mhz", arguments.dma_mhz),
        link=link,
        traffic=arguments.delays,
    )
    for name, each in sizes.items():
        runs.check(design, (name,), each, setting)
    many = "" if settings.seeds == 1 else "s"
    told = f"median of {settings.seeds} placement{many} on {settings.target.name}"
    with running.open_store(arguments) as store:
        one = replace(selection, designs=(design,))
        records = dict(running.execute(plan.compilations([one], settings), store, arguments))
        jobs: tuple[MeasureTestbed, ...] = ()
        for made in plan.compiled(one, records, store).designs:
            if routed:
                setting = replace(setting, core_mhz=_routed(made, arguments, store, records))
            jobs = tuple(
                job
                for name, each in sizes.items()
                for job in runs.plan(made, (name,), each, setting)
            )
        # Without the hardware there is nothing to stand against.
        software = () if arguments.no_software or not jobs else runs.software(selection, design)
        records |= running.execute((*jobs, *software), store, arguments)
    found = testbed.tables(jobs, software, records, settings.target, told if routed else "as asked")
    if arguments.json:
        output.show_json("testbed", testbeds=found)
    else:
        from lydite.report import text

        for table in found:
            shown = (testbed.end_to_end(table), testbed.parts(table))
            output.show(text.tables(shown, ()))
        if failed := failures(records):
            output.show(text.failures(failed))
    pages.write_pages(
        arguments, lambda: testbed_page.page(found, records, pages.command_line(arguments))
    )
    return running.exit_code(records)


def _operations(design: Design, given: list[str]) -> tuple[str, ...]:
    for name in given:
        if name not in design.operations:
            known = ", ".join(design.operations)
            raise InputError("--operation", f"no such operation: {name!r}", f"there are: {known}")
    return tuple(dict.fromkeys(given)) or design.operations


def _sizes(
    text: str | None, design: Design, operations: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    """Give the sizes of each operation: as asked, or the usual ones, of whole calls."""
    from lydite.sim.testbed import measure

    sizes = []
    for part in (text or _SIZES).split(","):
        size = parse_bytes(part)
        if size is None:
            raise InputError("--sizes", f"not a size: {part!r}", "as 10kB,1MB")
        sizes.append(size)
    if text:
        return dict.fromkeys(operations, tuple(sorted(set(sizes))))
    found = {}
    for name in operations:
        unit = measure.unit_of(design.primitive.operation(name)) * design.interleaved
        found[name] = tuple(sorted({-(-size // unit) * unit for size in sizes}))
    return found


def _mhz(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(option, f"not a frequency: {text!r}", "in MHz, as 123.5") from None


def _routed(
    design: Design, arguments: argparse.Namespace, store: Store, records: dict[str, Record]
) -> float:
    """Place the design, and give the median clock."""
    from lydite.report.implemented import implemented
    from lydite.runs.kinds import testbed as runs

    implementation: Implementation = runs.implementation(design, common.settings(arguments))
    found: Mapping[str, Record] = running.execute(implementation.placements, store, arguments)
    records |= found
    placed = implemented(implementation, found)
    if placed is None:
        failed = next((r.error for r in found.values() if r.status == "failed"), "")
        raise InputError("--core-mhz routed", "no placement ended", failed or "see above")
    return round(placed.usable_median_mhz, 3)
