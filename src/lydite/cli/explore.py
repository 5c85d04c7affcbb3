# SPDX-License-Identifier: Apache-2.0
"""`lydite explore`: the directives under which a C kernel is fast, small, or the best of both."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import common, cosim, hls, output, pages, running

if TYPE_CHECKING:
    from lydite.report.implemented import Implemented
    from lydite.runs.job import Job
    from lydite.runs.plan import Settings
    from lydite.runs.record import Record
    from lydite.runs.store import Store
    from lydite.search.explore.driver import Budget, Explored, Task
    from lydite.search.explore.engine import Engine, Result

# Those of lydite.report.explore, which is not imported for the sake of a help text.
TABLES = ("front", "points", "knobs")
_HELP = "search the directives under which a C kernel is fast, and small"
_CLOCKS = "10,7,14"
_TIMEOUT_S = 300.0
_EFFORT = "area"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "explore",
        help=_HELP,
        description=_HELP + ". Loops, arrays and functions are read from the program; what each "
        "may be told are the knobs. The compiler estimates each point; what may be of the front is "
        "co-simulated against the program's own main. An exploration that is ended goes on where "
        "it was with the same command, and one with a larger budget from where a smaller one "
        "ended. Needs the extra `explore`.",
    )
    hls.add_program(command)
    _add_exploration(command)
    cosim.add_run(command.add_argument_group("co-simulation"))
    common.add_implementation(command)
    common.add_csv(command, TABLES)
    pages.add_pages(command)
    common.add_output(command)
    # What no knob turns stays as it is written: a file says all that makes its point.
    command.set_defaults(run=run, timeout_s=_TIMEOUT_S, dump_after=[], learnt=None, effort=_EFFORT)


def _add_exploration(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("exploration")
    group.add_argument(
        "--clock-ns",
        default=_CLOCKS,
        metavar="T,T...",
        help="clock periods to choose among, in nanoseconds; the first is that of the first point "
        "(default: %(default)s)",
    )
    group.add_argument(
        "--objective",
        default="latency,esc",
        metavar="O,O...",
        help="what is to be small: latency (ns), cycles, period, lut, ff, bram, dsp, esc "
        "(equivalent slice count); a front of several (default: %(default)s)",
    )
    group.add_argument(
        "--budget",
        default="100runs",
        metavar="B",
        help="when to end: 200runs, 30min, 2h, or 200runs,30min; runs are points, and minutes "
        "those of a clock, over all calls of the same exploration (default: %(default)s)",
    )
    group.add_argument(
        "--sampler",
        default="tpe",
        metavar="S",
        help="what chooses: tpe, nsga2 or random (default: %(default)s)",
    )
    group.add_argument(
        "--seed",
        type=common.whole,
        default=1,
        metavar="S",
        help="seed of its choices (default: %(default)s)",
    )
    group.add_argument(
        "--knobs",
        default="clock,pipeline,unroll,partition,inline,allocation",
        metavar="K,K...",
        help="kinds of knobs to have (default: all: %(default)s)",
    )
    group.add_argument(
        "--ports",
        action="store_true",
        help="cut array arguments of the top function, too, which changes its ports",
    )
    group.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="[NAME=]FILE[,FILE...]",
        help="directives made by hand, to be shown beside the front: a file, or several of which "
        "the later one holds; called as the last file, or NAME; may be repeated",
    )
    group.add_argument(
        "--prove-all", action="store_true", help="co-simulate points that are dominated, too"
    )
    group.add_argument(
        "--place",
        type=common.whole,
        default=0,
        metavar="N",
        help="place and route N points of the front, its ends first",
    )
    group.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where to write a file of directives for each point of the front (default: F_explore)",
    )
    group.add_argument("--list", action="store_true", help="list the knobs and stop")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.search import budget as budgets
    from lydite.search.explore import driver
    from lydite.search.explore.engine import Engine

    pages.check_pages(arguments)
    _check(arguments)
    settings = common.settings(arguments)
    budget = driver.Budget(*budgets.read(arguments.budget))
    task, objectives = _task(arguments, settings)
    if arguments.list:
        return _list(arguments, task)
    engine = Engine(task.space, objectives, sampler=arguments.sampler, seed=arguments.seed)
    about = driver.head(task, engine, sampler=arguments.sampler, seed=arguments.seed)
    with running.open_store(arguments) as store, running.Progress() as progress:
        teller = _Teller(progress, budget)
        found = driver.explore(
            task,
            engine,
            about,
            budget,
            store,
            **running.placed(arguments),
            watch=teller.watch,
            tell=progress.tell,
            heard=teller,
        )
    if found.refused is not None or not engine.results:
        return _refused(arguments, found)
    with running.open_store(arguments) as store:
        placed, failed, records = _place(arguments, settings, found, store)
    found.records |= records
    return _show(arguments, task, about, found, budget, placed, failed)


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that make no sense, before any work is done."""
    if arguments.place < 0:
        raise InputError("--place", f"must be at least 0, not {arguments.place}")


def _clocks(text: str) -> tuple[float, ...]:
    try:
        found = tuple(float(word) for word in text.split(","))
    except ValueError:
        found = ()
    if not found or not all(0 < value < 1e6 for value in found):
        what = f"not clock periods above 0: {text!r}"
        raise InputError("--clock-ns", what, "as 10, or 10,7,14")
    return found


def _by_hand(text: str) -> tuple[str, tuple[Path, ...]]:
    """Give the name and the files of directives made by hand."""
    name, _, files = text.rpartition("=")
    paths = tuple(Path(word) for word in files.split(","))
    return name or paths[-1].stem, paths


def _task(arguments: argparse.Namespace, settings: Settings) -> tuple[Task, tuple[str, ...]]:
    """Read the program, and make of it what is explored."""
    from dataclasses import replace
    from difflib import get_close_matches

    from lydite.hls import places
    from lydite.hls.contract.directive_text import effort_of, load
    from lydite.runs.kinds.candidate import Kernel
    from lydite.search.explore import objectives, space
    from lydite.search.explore.driver import Beside, Task
    from lydite.sim.cosim import TIMEOUT_CYCLES

    clocks = _clocks(arguments.clock_ns)
    kinds = tuple(word.strip() for word in arguments.knobs.split(","))
    for kind in kinds:
        if kind not in space.KINDS:
            near = get_close_matches(kind, space.KINDS, n=1)
            hint = f"the nearest is {near[0]}" if near else f"there are: {', '.join(space.KINDS)}"
            raise InputError("--knobs", f"no such kind of knobs: {kind!r}", hint)
    wanted = objectives.read(arguments.objective, settings.target.family)
    given = argparse.Namespace(**{**vars(arguments), "clock_ns": clocks[0]})
    options = hls.options_of(given, settings.target.name)
    if options.directives:
        places.find(options)  # each of them has its place, or this says which has none
    base, options = options.directives, replace(options, directives=())
    made = space.make(places.find(options), clocks, kinds=kinds, ports=arguments.ports, base=base)
    kernel = Kernel(
        options,
        arguments=tuple(arguments.arg),
        max_cycles=arguments.max_cycles or TIMEOUT_CYCLES,
        macro_files=tuple(arguments.macros),
        timeout_s=arguments.timeout_s,
    )
    by_hand = tuple(map(_by_hand, arguments.beside))
    for path in (*arguments.directives, *(path for _, paths in by_hand for path in paths)):
        if effort_of([path]) not in (None, _EFFORT):
            what = "an exploration turns knobs, and leaves the rest as it is written"
            raise InputError(str(path), what, f'say effort = "{_EFFORT}", or nothing')
    several = [value for value in dict.fromkeys(clocks) if "clock" in kinds or value == clocks[0]]
    beside = tuple(
        Beside(
            name + (f" at {clock:g}" if len(several) > 1 else ""),
            clock,
            tuple(one for path in paths for one in load(path)),
        )
        for name, paths in by_hand
        for clock in several
    )
    if len({one.name for one in beside}) < len(beside):
        raise InputError("--beside", "two of one name", "call one otherwise: NAME=FILE")
    family = settings.target.family
    return Task(kernel, made, family, beside, arguments.prove_all), wanted


def _list(arguments: argparse.Namespace, task: Task) -> int:
    """Show the knobs, and how many points there are."""
    from lydite.report import explore as report
    from lydite.report import text

    rows = tuple(
        report.KnobRow(place=knob.place, kind=knob.kind, choices=knob.choices)
        for knob in task.space.knobs
    )
    shown = report.knobs(rows, float(task.space.size))
    if arguments.json:
        output.show_json("explore", knobs=rows, size=float(task.space.size))
    elif arguments.csv:
        print(shown.csv(), end="")
    else:
        output.show(text.tables((shown,), ()))
    return 0


def _refused(arguments: argparse.Namespace, found: Explored) -> int:
    """Say why nothing is explored: the first point does not hold."""
    from lydite.report import text
    from lydite.report.failures import Failure

    one = found.refused
    assert one is not None, "a budget of nothing is refused"
    what = "the program as it is written, without which nothing is explored"
    failed = (Failure(label=what, error=one.error, key=one.proof_key or one.estimate_key),)
    if arguments.json:
        output.show_json("explore", exploration=None, failures=failed)
    else:
        output.show(text.failures(failed))
    return one.exit_code


def _titles(found: Explored) -> dict[tuple[str, ...], str]:
    """Give the numbers of points, as tables have them."""
    return {one.point: str(number) for number, one in enumerate(found.engine.results, 1)}


def _place(
    arguments: argparse.Namespace, settings: Settings, found: Explored, store: Store
) -> tuple[dict[str, Implemented], int, Mapping[str, Record]]:
    """Place some points of the front; give the figures, the exit code, and the records."""
    from lydite.report.failures import failures
    from lydite.report.implemented import implemented
    from lydite.runs import plan
    from lydite.runs.kinds.candidate import FOLDER
    from lydite.search.explore.driver import spread

    titles = _titles(found)
    planned = {}
    jobs: list[Job] = []
    for one in spread(found.engine.front, arguments.place):
        record = found.records[one.estimate_key]
        folder = store.artefacts(record.key) / FOLDER
        files = tuple((folder / name).absolute() for name in record.result["files"])
        made = plan.run(files, arguments.top, "ap_clk", {}, settings)
        planned[titles[one.point]] = made
        jobs += made.placements
    if not jobs:
        return {}, 0, {}
    records = running.execute(jobs, store, arguments)
    placed = {}
    for title, made in planned.items():
        if (figures := implemented(made, records)) is not None:
            placed[title] = figures
    for failure in failures(records):
        print(f"lydite: {failure.label}: {failure.error}", file=sys.stderr)
    return placed, running.exit_code(records), records


def _show(
    arguments: argparse.Namespace,
    task: Task,
    about: object,
    found: Explored,
    budget: Budget,
    placed: Mapping[str, Implemented],
    failed: int,
) -> int:
    """Write the files of the front, print the tables, and give the exit code."""
    from lydite.report import explore as report
    from lydite.report import explore_page, text

    files = _write(arguments, task, found)
    shown = report.table(task, about, found, budget, placed, files)  # type: ignore[arg-type]
    failures = report.failures(shown)
    if arguments.json:
        output.show_json("explore", exploration=shown, failures=failures)
    elif arguments.csv:
        made = {
            "front": report.best(shown),
            "points": report.points(shown),
            "knobs": report.knobs(shown.knobs, shown.size),
        }
        print(made[arguments.csv].csv(), end="")
    else:
        output.show(text.tables((report.best(shown),), failures))
    pages.write_pages(
        arguments,
        lambda: explore_page.page(shown, found.records, pages.command_line(arguments)),
    )
    _tell_files(arguments, files)
    # What the compiler refuses is no point; hardware that is wrong is its defect, and loud.
    wrong = [one.exit_code for one in found.engine.results if one.exit_code == 5]
    return max([failed, *wrong, *(one.exit_code for one in found.beside.values())])


def _write(arguments: argparse.Namespace, task: Task, found: Explored) -> dict[str, str]:
    """Write a file of directives for each point of the front; give the files by their points."""
    from lydite.base.files import write_atomic
    from lydite.search.explore.files import text

    folder = arguments.out or Path(f"{arguments.top}_explore")
    titles = _titles(found)
    written = {}
    for one in found.engine.front:
        title = titles[one.point]
        path = folder / f"point-{title}.toml"
        command = _command(arguments, task.space.clock_ns(one.point), path)
        write_atomic(path, text(task.space, one, title, command))
        written[title] = str(path)
    return written


def _command(arguments: argparse.Namespace, clock_ns: float, path: Path) -> Sequence[str]:
    """Give the words of the command that goes on with a point."""
    words = ["lydite", "hls", *map(str, arguments.files), "--top", arguments.top]
    words += ["--clock-ns", f"{clock_ns:g}", "--target", arguments.target]
    for flag, values in (
        ("-I", arguments.include),
        ("-D", arguments.define),
        ("-U", arguments.undefine),
    ):
        words += [f"{flag}{value}" for value in values]
    words += [f"--std={arguments.std}"] if arguments.std else []
    words += [f"--depth={value}" for value in arguments.depth]
    words += [f"--macros={value}" for value in arguments.macros]
    words += [f"--arg={value}" for value in arguments.arg]
    return [*words, "--directives", str(path)]


def _tell_files(arguments: argparse.Namespace, files: Mapping[str, str]) -> None:
    if files:
        first = next(iter(files.values()))
        told = f"{len(files)} files of directives written, such as {first}; its first lines say "
        print(told + "how to go on with it", file=sys.stderr)


class _Teller:
    """Says after each point what it came to, how far the exploration is, and what is left."""

    def __init__(self, progress: running.Progress, budget: Budget) -> None:
        self._progress = progress
        self._budget = budget
        self._first: tuple[float, float] | None = None

    def watch(self, job: Job, state: str, record: Record | None) -> None:
        """Show what runs; what ended is told with its point."""
        if state in ("ok", "failed") and not self._progress.is_live:
            return
        self._progress.watch(job, state, record)

    def __call__(self, engine: Engine, result: Result, seconds: float) -> None:
        number = len(engine.results)
        known = result.figures
        if known is None:
            told = f"failed: {result.error.splitlines()[0][:100]}"
        else:
            shown = engine.values(result)
            pairs = zip(engine.objectives, shown, strict=True)
            told = ", ".join(f"{name} {value:,.4g}" for name, value in pairs)
            told += "" if result.proven else ", dominated"
        left = self._budget.left(number, seconds)
        total = "" if self._budget.runs is None else f" of {self._budget.runs}"
        line = f"point {number}{total}: {told}; {len(engine.front)} on the front"
        # What was in the log took no time: the first result here begins the count.
        if self._first is None:
            self._first = left, seconds
        elif self._first[0] > left:
            pace = (seconds - self._first[1]) / (self._first[0] - left)
            line += f", {pace * left / 60:.0f} min left"
        self._progress.say(line)
