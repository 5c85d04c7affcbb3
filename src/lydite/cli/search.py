# SPDX-License-Identifier: Apache-2.0
"""`lydite search`: the best clock that a design can reach on a target."""

from __future__ import annotations

import argparse
import fnmatch
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.base.units import digits
from lydite.cli import common, output, pages, running, verilog

if TYPE_CHECKING:
    from lydite.cores import Selection
    from lydite.report.search import SearchTable
    from lydite.runs.plan import Settings
    from lydite.runs.record import Record
    from lydite.runs.store import Store
    from lydite.search.backend import BackEnd, Subject
    from lydite.search.driver import Found
    from lydite.search.strategy import Budget, Parameters, Result, Strategy

# Those of lydite.report.search, which is not imported for the sake of a help text.
TABLES = ("arms", "runs")
_HELP = "search the options and seeds under which a design is best"
_STRATEGY = "racing"
_RUNS = 40


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "search",
        help=_HELP,
        description=_HELP + ". Arms are named sets of options of synthesis, place and route; a run "
        "is an arm under a seed. The design is proven first, each netlist before it is placed. A "
        "search that is ended goes on where it was with the same command, and one with a larger "
        "budget from where a smaller one ended.",
    )
    command.add_argument(
        "what",
        nargs="*",
        metavar="CORE[/DESIGN]",
        help="as of `lydite bench`, without a design the first of the core; designs by a pattern, "
        f"as 'sha3-256/rtl*', are searched together; or files without a core.toml: {verilog.FILES}",
    )
    _add_search(command)
    _add_range(command)
    shown = command.add_argument_group("other uses")
    shown.add_argument("--replay", type=Path, metavar="LOG", help="show the search of a log again")
    shown.add_argument(
        "--compare",
        metavar="A,B",
        help="run strategies on a recorded grid, each with the time of --budget",
    )
    shown.add_argument("--grid", type=Path, metavar="FILE", help="the recorded grid of --compare")
    shown.add_argument(
        "--replays",
        type=common.whole,
        default=100,
        metavar="N",
        help="how often each strategy is run on each design of it (default: %(default)s)",
    )
    verilog.add(command)
    common.add_implementation(command, seeds=False)
    common.add_csv(command, TABLES)
    pages.add_pages(command)
    common.add_output(command)
    command.set_defaults(run=run)


def _add_search(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--strategy",
        metavar="S",
        help="racing, tpe, seeds, random, minerva, binary, sweep or probe (default: "
        f"{_STRATEGY}; probe for the area)",
    )
    command.add_argument(
        "--objective",
        default="fmax",
        metavar="O",
        help="what is best: fmax, throughput, throughput-area, area (by synthesis alone) or "
        "pareto, the front of clock against area (default: %(default)s)",
    )
    command.add_argument(
        "--probe",
        action="store_true",
        help="run each arm once and say which change nothing: --strategy probe",
    )
    command.add_argument(
        "--arm",
        action="append",
        default=[],
        metavar="NAME",
        help="only this arm, may be repeated; the first is where a search begins (default: all)",
    )
    command.add_argument(
        "--arms",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a file with arms of your own, beside those of the family; may be repeated",
    )
    command.add_argument(
        "--budget",
        metavar="B",
        help="when to end: 40runs, 30min, 2h, or 40runs,30min; minutes are the tools' processor "
        "time, for synthesis, proofs of netlists, place and route "
        f"(default: {_RUNS}runs, where nothing else ends the strategy)",
    )
    command.add_argument(
        "--seed",
        type=common.whole,
        default=1,
        metavar="N",
        help="seed of the strategy's own choices (default: %(default)s)",
    )


def _add_range(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("strategies that ask for frequencies (MHz)")
    for option, default, what in (
        ("--f0", 50.0, "lower end of the range"),
        ("--fn", 200.0, "upper end of the range"),
        ("--step", 1.0, "distance of frequencies of a sweep, precision of a binary search"),
    ):
        group.add_argument(
            option,
            type=common.decimal,
            default=default,
            metavar="F",
            help=f"{what} (default: %(default)g)",
        )
    for option, count, what in (
        ("--n", 8, "minerva: frequencies over the range, and runs at once (default: %(default)s)"),
        ("--p", None, "how many arms count, from the first on (default: all)"),
        ("--r", 12, "minerva: frequencies above the best that must fail (default: %(default)s)"),
    ):
        group.add_argument(option, type=common.whole, default=count, metavar="N", help=what)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.search import budget as budgets
    from lydite.search import objective
    from lydite.search.strategy import Budget, Parameters

    pages.check_pages(arguments)
    uses = [arguments.what, arguments.replay, arguments.compare]
    if sum(bool(one) for one in uses) != 1:
        raise InputError("search", "name a core, or --replay LOG, or --compare A,B", "one of them")
    aim = objective.find(arguments.objective)
    if not arguments.what and aim is not objective.FMAX:
        raise InputError("--objective", "goes with a core: a log has its own, a grid only clocks")
    if arguments.probe:
        arguments.strategy = "probe"
    arguments.strategy = arguments.strategy or (_STRATEGY if aim.is_placed else "probe")
    runs, seconds = (None, None) if arguments.budget is None else budgets.read(arguments.budget)
    budget = Budget(seconds, runs)
    parameters = Parameters(
        f0_mhz=arguments.f0,
        fn_mhz=arguments.fn,
        n=arguments.n,
        p=arguments.p,
        r=arguments.r,
        step_mhz=arguments.step,
    )
    if arguments.replay is not None:
        return _replay(arguments)
    if arguments.compare is not None:
        return _compare(arguments, budget, parameters)
    return _search(arguments, budget, parameters)


def _search(arguments: argparse.Namespace, budget: Budget, parameters: Parameters) -> int:
    from lydite.report import search as report
    from lydite.report import text
    from lydite.report.failures import failures
    from lydite.runs import plan
    from lydite.search import backend, driver, objective, space, strategies
    from lydite.search.steered import Steered
    from lydite.targets import arms

    kind = strategies.find(arguments.strategy)
    is_steered = _is_steered(arguments, kind)
    if is_steered:
        arguments.seeds = plan.DEFAULT_SEEDS  # it has none
    aim = objective.find(arguments.objective)
    settings = common.settings(arguments, clock=not is_steered)
    if aim.wants_area and (is_steered or settings.target.family.slices is None):
        what = f"{settings.target.name} has no area that is known before a run"
        raise InputError("--objective", what, "fmax and throughput need none")
    if budget == type(budget)() and kind.is_endless:
        budget = type(budget)(runs=_RUNS)
    known = arms.arms(settings.target.family, arguments.arms)
    chosen = space.chosen(known, arguments.arm)
    wanted = _wanted(arguments, settings)
    names = (
        [wanted.name] if isinstance(wanted, backend.Subject) else [d.label for d in wanted.designs]
    )
    strategy = strategies.make(
        kind.name,
        backend.arms(names, chosen),
        parameters=parameters,
        budget=budget,
        seed=arguments.seed,
        objective=aim,
    )
    with running.open_store(arguments) as store:
        subjects, records = _prepared(wanted, settings, store, arguments)
        found = None
        if len(subjects) == len(names):
            where: BackEnd
            if is_steered:
                where = Steered(subjects, settings, chosen)
            else:
                where = space.Space(subjects, settings, chosen)
                space.check_options(where)
            with running.Progress() as progress:
                found = driver.search(
                    where,
                    strategy,
                    store,
                    **running.placed(arguments),
                    watch=progress.watch,
                    tell=progress.tell,
                    heard=_Teller(progress, budget),
                )
            records |= found.records
    if found is None or not found.is_proven:
        failed = failures(records)
        if arguments.json:
            output.show_json("search", search=None, failures=failed)
        else:
            output.show(text.failures(failed))
        return running.exit_code(records)
    head = driver.head(where, strategy, strategy.name)
    table = report.table(head, strategy, budget, found.areas(where))
    _show(arguments, table, found)
    return 0 if strategy.best is not None else running.exit_code(records) or 4


def _wanted(arguments: argparse.Namespace, settings: Settings) -> Selection | Subject:
    """Give what is named: a core with its designs, or Verilog without a core.toml.

    Raises
    ------
    InputError
        It is neither, or an option goes with the other.
    """
    from msgspec.structs import replace

    from lydite import cores
    from lydite.search.backend import Subject

    if any(name.endswith((".v", ".sv")) for name in arguments.what):
        synthesis = verilog.plan(map(Path, arguments.what), arguments, settings).synthesis
        return Subject(synthesis.sources.top, synthesis.sources, synthesis.clock)
    if len(arguments.what) > 1:
        raise InputError("CORE", f"one core, not {len(arguments.what)}", "or files of Verilog")
    verilog.refuse(arguments)
    [name] = arguments.what
    core, _, pattern = name.rpartition("/")
    if any(sign in pattern for sign in "*?["):
        selection, _ = common.one_design(cores.select(core, every=True))
        designs = tuple(d for d in selection.designs if fnmatch.fnmatchcase(d.name, pattern))
        if not designs:
            known = ", ".join(design.label for design in selection.designs)
            raise InputError("DESIGN", f"none is like {name!r}", f"there are: {known}")
        if len(kinds := {design.operations[0] for design in designs}) > 1:
            what = f"designs of {', '.join(sorted(kinds))}, which have no rate in common"
            raise InputError("DESIGN", what, "search those of one operation")
        return replace(selection, designs=designs)
    selection, design = common.one_design(cores.select(name, every=True))
    return replace(selection, designs=(design,))


def _prepared(
    wanted: Selection | Subject, settings: Settings, store: Store, arguments: argparse.Namespace
) -> tuple[tuple[Subject, ...], dict[str, Record]]:
    """Compile the C of designs, as far as they have some; those where that failed are left out."""
    from lydite.report.bench import rate_unit
    from lydite.runs import plan
    from lydite.search.backend import Subject

    if isinstance(wanted, Subject):
        return (wanted,), {}
    records = dict(running.execute(plan.compilations([wanted], settings), store, arguments))
    made = plan.compiled(wanted, records, store).designs
    units = (rate_unit(wanted.primitive.operation(one.operations[0])) for one in made)
    return tuple(map(lambda one, unit: Subject.of(one, unit=unit), made, units)), records


def _is_steered(arguments: argparse.Namespace, kind: type[Strategy]) -> bool:
    """Say whether the target is Vivado's, and refuse what does not go with that."""
    from lydite import targets
    from lydite.runs.plan import DEFAULT_FREQ_MHZ
    from lydite.search import steered

    target = targets.find(arguments.target)
    if not steered.serves(target):
        steered.check_target(target)
        return False
    given = {
        "--map-ns": arguments.map_ns is not None,
        "--chains": arguments.chains,
        "--place-option": bool(arguments.place_option),
        "--freq-mhz": arguments.freq_mhz != DEFAULT_FREQ_MHZ,
    }
    steered.check(kind, given, arguments.synth_option)
    return True


def _show(arguments: argparse.Namespace, table: SearchTable, found: Found | None) -> None:
    """Print a search, and write its page."""
    from lydite.report import search as report
    from lydite.report import search_page, text

    records = {} if found is None else found.records
    if arguments.json:
        output.show_json("search", search=table)
    elif arguments.csv:
        made = {"arms": report.arms, "runs": report.runs}[arguments.csv](table)
        print(made.csv(), end="")
    else:
        asked = any(row.asked_mhz is not None for row in table.runs)
        shown = (report.arms(table), *((report.runs(table),) if asked else ()))
        output.show(text.tables(shown, ()))
    pages.write_pages(
        arguments, lambda: search_page.page(table, records, pages.command_line(arguments))
    )


def _replay(arguments: argparse.Namespace) -> int:
    """Take the strategy of a log through it again, and show what it came to."""
    from lydite.report import search as report
    from lydite.search import log
    from lydite.search.strategy import Budget

    head, events = log.read(arguments.replay)
    strategy = head.make(Budget())
    log.follow(arguments.replay, strategy, events)
    table = report.table(head, strategy, strategy.budget, {})
    _show(arguments, table, None)
    asked = len(strategy.results) + len(strategy.pending)
    print(f"{asked} points asked again, all as in the log", file=sys.stderr)
    return 0


def _compare(arguments: argparse.Namespace, budget: Budget, parameters: Parameters) -> int:
    from lydite import targets
    from lydite.report import search as report
    from lydite.report import search_page, text
    from lydite.search import compare, grid, strategies
    from lydite.targets import arms

    if arguments.grid is None:
        raise InputError("--grid", "missing", "--compare runs on a recorded grid")
    if budget.cpu_s is None or budget.runs is not None:
        raise InputError("--budget", "--compare needs one of time", "as --budget 30s")
    if arguments.replays < 1:
        raise InputError("--replays", f"must be at least 1, not {arguments.replays}")
    names = tuple(dict.fromkeys(name.strip() for name in arguments.compare.split(",")))
    for name in names:
        strategies.find(name, "--compare")
    found = [
        one
        for column in grid.columns(grid.read(arguments.grid))
        for one in compare.compare(
            column,
            names,
            arms.arms(targets.find(column.target, where=str(arguments.grid)).family),
            budget_cpu_s=budget.cpu_s,
            replays=arguments.replays,
            parameters=parameters,
        )
    ]
    table = report.compared(found)
    if arguments.json:
        output.show_json("search", compared=found)
    elif arguments.csv:
        print(table.csv(), end="")
    else:
        output.show(text.tables((table,), ()))
    pages.write_pages(
        arguments, lambda: search_page.comparison(found, pages.command_line(arguments))
    )
    return 0


def _figures(strategy: Strategy, result: Result) -> str:
    """Say what counts of a run."""
    if result.has_failed:
        return "failed"
    told = [] if result.fmax_mhz is None else [f"{result.fmax_mhz:.1f} MHz"]
    if strategy.objective.wants_area and result.area is not None:
        told.append(f"{digits(result.area, 4)} ESC")
    return ", ".join(told)


class _Teller:
    """Says after each run what it came to, the best so far, and how long the rest may take."""

    def __init__(self, progress: running.Progress, budget: Budget) -> None:
        self._progress = progress
        self._budget = budget
        self._began = time.monotonic()
        self._left: float | None = None

    def __call__(self, strategy: Strategy, result: Result) -> None:
        from lydite.search.driver import budget_left

        best = strategy.best
        told = f"result   {_figures(strategy, result)} by {result.point.arm}"
        told += f", seed {result.point.seed}; " if strategy.objective.is_placed else "; "
        if best is not None:
            told += f"best {_figures(strategy, best)} by {best.point.arm}; "
        told += f"{len(strategy.results)} runs, {strategy.spent_cpu_s:.0f} CPU s"
        left = budget_left(self._budget, strategy)
        # What was in the log took no time: the first result here begins the count.
        if left is not None and self._left is not None and self._left > left:
            seconds = (time.monotonic() - self._began) * left / (self._left - left)
            told += f", {seconds / 60:.0f} min left"
        elif self._left is None:
            self._left, self._began = left, time.monotonic()
        self._progress.say(told)
