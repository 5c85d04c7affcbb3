# SPDX-License-Identifier: Apache-2.0
"""`lydite bench`: prove, implement, measure software, compare."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import common, output, pages, running

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lydite.cores import Selection
    from lydite.report.bench import BenchTable, Link
    from lydite.runs.job import Job
    from lydite.runs.plan import BenchPlan
    from lydite.runs.record import Record
    from lydite.runs.store import Store

# Those of lydite.report.bench_tables, which is not imported for the sake of a help text.
TABLES = ("hardware", "seeds", "software", "comparisons")
# Seconds of waiting for further seeds from which on the first one's tables are shown before.
EARLY_S = 30.0
_HELP = "prove a primitive's designs, place them, and set them beside the best software"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("bench", help=_HELP, description=_HELP + ".")
    command.add_argument(
        "what",
        metavar="PRIMITIVE[/DESIGN]",
        help="as `lydite list cores` names them (sha3-256, sha3-256/rtl), or a path to a "
        "core.toml or its folder, with /DESIGN for one of its designs (my/core.toml/rtl); without "
        "a design those that the core marks for benches",
    )
    command.add_argument(
        "--all", action="store_true", help="all designs, not only those marked for benches"
    )
    add_options(command)
    command.set_defaults(run=run)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of measuring what was chosen."""
    common.add_implementation(command)
    common.add_csv(command, TABLES)
    command.add_argument(
        "--proof-seed",
        type=common.whole,
        default=1,
        metavar="N",
        help="seed of the random messages that designs are proven with (default: %(default)s)",
    )
    command.add_argument(
        "--prove-netlist",
        choices=("some", "all", "none", "routed"),
        default="some",
        help="how many known answers the mapped netlist must pass before it is placed: a few of "
        "all lengths, all, or none, which the table then says; `routed` has a few pass on the "
        "mapped netlist and on each that was placed and routed (default: %(default)s)",
    )
    command.add_argument(
        "--until-sure",
        type=_share,
        metavar="P",
        help="add seeds to designs whose order is less sure than that, as 95%% or 0.95",
    )
    command.add_argument(
        "--most-seeds",
        type=common.whole,
        default=30,
        metavar="N",
        help="seeds of a design that --until-sure stops at (default: %(default)s)",
    )
    command.add_argument("--no-software", action="store_true", help="measure no software")
    command.add_argument(
        "--link-gbps",
        type=float,
        default=32.0,
        metavar="R",
        help="payload rate of the link to the accelerator, modelled, in Gb/s each way "
        "(default: %(default)g, PCIe 3.0 x4)",
    )
    command.add_argument(
        "--link-us",
        type=float,
        default=5.0,
        metavar="L",
        help="time of a batch on that link there and back, in microseconds (default: %(default)g)",
    )
    pages.add_pages(command)
    common.add_output(command)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite import cores

    check(arguments)
    return measure(arguments, cores.select(arguments.what, every=arguments.all))


def check(arguments: argparse.Namespace) -> None:
    """Refuse options of `add_options` that make no sense.

    Raises
    ------
    InputError
        A value is out of range, or a file cannot be written.
    """
    if arguments.most_seeds < 1:
        raise InputError("--most-seeds", f"must be at least 1, not {arguments.most_seeds}")
    for option, value in (("--link-gbps", arguments.link_gbps), ("--link-us", arguments.link_us)):
        if not 0 < value < 1e9:
            raise InputError(option, f"must be above 0, not {value:g}")
    pages.check_pages(arguments)


def measure(arguments: argparse.Namespace, selections: tuple[Selection, ...]) -> int:
    """Prove, place and measure what was selected, show it, and give the exit code."""
    from lydite.report import bench_page, bench_tables
    from lydite.report.bench import Link
    from lydite.runs import plan

    link = Link(gbit_per_s=arguments.link_gbps, round_trip_us=arguments.link_us)
    settings = replace(
        common.settings(arguments, clock=False), prove_netlist=arguments.prove_netlist
    )
    is_placed = settings.target.family.placement is not None
    if arguments.until_sure is not None:
        settings.target.family.placed()
    compilations = plan.compilations(selections, settings)
    with running.open_store(arguments) as store:
        made = running.execute(compilations, store, arguments)
        plans = [
            plan.bench(
                plan.compiled(selection, made, store),
                settings,
                # Without a clock there is nothing to set it beside.
                software=is_placed and not arguments.no_software,
                proof_seed=arguments.proof_seed,
            )
            for selection in selections
        ]
        rounds = _Rounds(plans, arguments, made, link, store)
        records = {**made, **running.execute(rounds.jobs, store, arguments, then=rounds.then)}
        tables = [table for each in rounds.tables(records) for table in each]
    if arguments.json:
        output.show_json(arguments.command, benches=tables)
    elif arguments.csv:
        print(bench_tables.csv(arguments.csv, tables), end="")
    else:
        from lydite.report import text

        for table in tables:
            output.show(text.bench(table))
    pages.write_pages(
        arguments,
        lambda: bench_page.page(tables, records, pages.command_line(arguments)),
    )
    return running.exit_code(records)


class _Rounds:
    """What is run in turn: all, with one placement of each design; the placements under the other
    seeds; more of them for designs whose order is open.

    Attributes
    ----------
    plans : sequence of BenchPlan
        What is run by now.
    """

    def __init__(
        self,
        plans: Sequence[BenchPlan],
        arguments: argparse.Namespace,
        made: Mapping[str, Record],
        link: Link,
        store: Store,
    ) -> None:
        from lydite.runs import plan

        self._asked = plans
        self._arguments, self._made, self._link, self._store = arguments, made, link, store
        self.plans: Sequence[BenchPlan] = [plan.first_seeds(one) for one in plans]

    @property
    def jobs(self) -> list[Job]:
        """All jobs, also those that rounds before had."""
        return [job for one in self.plans for job in one.jobs]

    def tables(self, records: Mapping[str, Record]) -> list[tuple[BenchTable, ...]]:
        """Give the tables of each plan, as far as records are there."""
        from lydite.report import bench

        return [bench.bench(one, {**self._made, **records}, self._link) for one in self.plans]

    def then(self, records: Mapping[str, Record], say: Callable[[str], None]) -> list[Job]:
        """Give the jobs of the next round, none behind the last."""
        before = self.plans
        if self._asked:
            asked, self._asked = self._asked, ()
            if asked != before:
                self._say(asked, records, say)
                self.plans = asked
                return self.jobs
        if self._arguments.until_sure is None:
            return []
        found = zip(before, self.tables(records), strict=True)
        self.plans = [_more_seeds(one, self._arguments) for one in found]
        return [] if self.plans == before else self.jobs

    def _say(
        self,
        asked: Sequence[BenchPlan],
        records: Mapping[str, Record],
        say: Callable[[str], None],
    ) -> None:
        """Show what is known, where the placements that were asked for beside take long."""
        from lydite.report import text

        if self._arguments.json or self._arguments.csv:
            return
        missing, seconds = 0, 0.0
        for entry in (entry for one in asked for entry in one.hardware):
            first, *others = entry.implementation.placements
            if (placed := records.get(first.key)) is not None:
                lacking = sum(self._store.get(job.key) is None for job in others)
                missing, seconds = missing + lacking, seconds + lacking * placed.wall_s
        wait_s = seconds / running.at_once(self._arguments)
        if wait_s >= EARLY_S:
            for table in (table for each in self.tables(records) for table in each):
                say("\n".join(["", *output.lines(text.bench(table)), ""]))
            what = f"placements to come: {missing}, some {math.ceil(wait_s / 60)} min"
            say(f"above: each design under one seed; {what}")


def _share(text: str) -> float:
    """Read odds: above a half, below 1."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = math.nan
    if not 0.5 < share < 1:
        raise argparse.ArgumentTypeError(f"not above 50 % and below 100 %: {text!r}")
    return share


def _more_seeds(
    one: tuple[BenchPlan, tuple[BenchTable, ...]], arguments: argparse.Namespace
) -> BenchPlan:
    """Give a bench with more seeds for the designs whose order is open in one of its tables."""
    from lydite.report import orders
    from lydite.runs import plan

    planned, tables = one
    needed: dict[str, int] = {}
    for table in tables:
        for design, count in orders.wanted(table.orders, arguments.until_sure).items():
            needed[design] = max(count, needed.get(design, 0))
    return plan.more_seeds(planned, needed, most=arguments.most_seeds)
