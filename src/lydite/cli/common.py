# SPDX-License-Identifier: Apache-2.0
"""What commands share: options, the store, output, progress."""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from lydite.base.errors import InputError, LyditeError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lydite.cores import Design, Selection
    from lydite.report.listing import Wanted
    from lydite.report.page import Page
    from lydite.runs.cluster import Workers
    from lydite.runs.execute import State
    from lydite.runs.job import Job
    from lydite.runs.plan import Settings
    from lydite.runs.record import Record
    from lydite.runs.store import Store

    # Key to record of all that has ended, and how to say something, to what is run next.
    Then = Callable[[Mapping[str, Record], Callable[[str], None]], Iterable[Job]]

# Version of the form of all JSON that commands print: raised when a field goes or means another
# thing, not when one is added. docs/commands.md has the history.
JSON_SCHEMA = 2
# Kinds of messages that are run at a clock, and what they are.
STIMULI = {
    "random": "random ones of up to three blocks",
    "known": "the known answers over and over",
    "long": "random ones of 16 blocks",
}
# Width of tables where no terminal tells its own.
_WIDTH = 120
# Seconds after which a running job is heard of where there is no terminal.
_QUIET_S = 60.0


def add_output(command: argparse.ArgumentParser) -> None:
    """Add the options that every command with a table has."""
    command.add_argument(
        "--json", action="store_true", help="print JSON instead of tables; errors, too"
    )
    add_store(command)


def add_pages(command: argparse.ArgumentParser) -> None:
    """Add the options of commands that make pages, and what tells their command line again."""
    command.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="write a page, too: tables to be sorted, figures, the run behind each number",
    )
    command.add_argument(
        "--latex",
        type=Path,
        metavar="FILE",
        help="write the tables for a paper, too: booktabs, to be read with \\input",
    )
    command.add_argument(
        "--plots",
        type=Path,
        metavar="FOLDER",
        help="write each figure of the page, too, as a file of its own: PNG and SVG",
    )
    command.set_defaults(parser=command)


def add_messages(
    command: argparse.ArgumentParser, stimuli: Mapping[str, str], *, seeds: str = "the messages"
) -> None:
    """Add the options of commands that run messages through a core until an answer breaks.

    Parameters
    ----------
    stimuli : mapping
        Each kind of messages, the default first, to what they are.
    seeds : str
        What the seed is of.
    """
    [first, *_] = stimuli
    command.add_argument(
        "--messages",
        type=whole,
        default=256,
        metavar="N",
        help="messages that must come out right (default: %(default)s)",
    )
    command.add_argument(
        "--stimulus",
        choices=tuple(stimuli),
        default=first,
        help=f"what they are: {', '.join(stimuli.values())} (default: %(default)s)",
    )
    command.add_argument(
        "--message-seed",
        type=whole,
        default=1,
        metavar="N",
        help=f"seed of {seeds} (default: %(default)s)",
    )


def add_csv(command: argparse.ArgumentParser, tables: Sequence[str]) -> None:
    """Add the option that prints one of a command's tables, the first unless another is named."""
    command.add_argument(
        "--csv",
        nargs="?",
        const=tables[0],
        choices=tables,
        metavar="TABLE",
        help="print one table as comma-separated values, with all columns: "
        f"{', '.join(tables)} (default: {tables[0]})",
    )


def add_store(command: argparse.ArgumentParser) -> None:
    """Add the option that names the store."""
    command.add_argument(
        "--store",
        metavar="PLACE",
        help="where results are kept: a folder, or a data base that many machines share, as "
        "postgresql://user@host/lydite (default: $LYDITE_STORE, else the user's data folder)",
    )


_FILTERS = ("kind", "target", "label", "since", "limit")


def add_filters(command: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Add the options that choose runs of a store, as a group of the help."""
    only = command.add_argument_group(title)
    only.add_argument("--kind", default="", help="compile, verify, placement, software, testbed...")
    only.add_argument("--target", default="", help="name of a part, or its beginning: ecp5-25k")
    only.add_argument(
        "--label", default="", metavar="TEXT", help="what it must contain, or a pattern with * or ?"
    )
    only.add_argument(
        "--since", default="", metavar="DATE", help="as 2026-11-22 or with a time, UTC"
    )
    only.add_argument("--limit", default=0, type=int, metavar="N", help="the newest N")
    return only


def wanted(arguments: argparse.Namespace, *, status: str) -> Wanted:
    """Read the options of `add_filters`."""
    from lydite.report.listing import Wanted

    return Wanted(status=status, **{name: getattr(arguments, name) for name in _FILTERS})


def add_implementation(command: argparse.ArgumentParser, *, seeds: bool = True) -> None:
    """Add the options of placing and routing; those of seeds only where there is no search."""
    command.add_argument(
        "--target",
        default="ecp5-85k",
        metavar="T",
        help="part to place on, with or without speed grade (default: %(default)s, slowest grade); "
        "see `lydite list targets`",
    )
    if seeds:
        command.add_argument(
            "--seeds",
            type=whole,
            default=3,
            metavar="N",
            help="how many hashed seeds to place under (default: %(default)s)",
        )
    else:
        command.set_defaults(seeds=1)
    command.add_argument(
        "--freq-mhz",
        type=decimal,
        default=100.0,
        metavar="F",
        help="frequency to ask the tools for (default: %(default)g); a design that misses it is a "
        "result, and nextpnr is not steered by it",
    )
    command.add_argument(
        "--map-ns",
        type=decimal,
        metavar="NS",
        help="delay between registers that is fast enough for Yosys' mapping, by its own estimate "
        "without placement; what is faster is made smaller (default: as fast as it can be)",
    )
    command.add_argument(
        "--chains",
        action="store_true",
        help="give each addition a carry chain of its own; by itself Yosys adds three words and "
        "more by trees of carry-save adders, which take twice the look-up tables",
    )
    command.add_argument(
        "--synth-option",
        action="append",
        default=[],
        metavar="FLAG",
        help="one more flag for Yosys' synth command, as --synth-option=-dff; may be repeated",
    )
    command.add_argument(
        "--place-option",
        action="append",
        default=[],
        metavar="FLAG",
        help="one more flag for nextpnr, as --place-option=--router=router2; may be repeated",
    )
    command.add_argument(
        "--mixed-clocks",
        action="store_true",
        help="take a design with registers on another clock or edge, or with latches, and measure "
        "those of its clock alone: paths to and from other clocks count for nothing, and those "
        "between its two edges have half a period",
    )
    command.add_argument(
        "--native",
        action="store_true",
        help="use yosys and nextpnr from PATH, not the pinned wheels; records name them so",
    )
    add_execution(command)


def add_execution(
    command: argparse.ArgumentParser,
    *,
    does: str = "run all but what times software",
    local: str = "--jobs",
) -> None:
    """Add the options of running tools.

    Parameters
    ----------
    does : str
        What workers of a cluster do.
    local : str
        The option that says how many there are, where they are local.
    """
    command.add_argument(
        "--timeout-s",
        type=decimal,
        default=1800.0,
        metavar="S",
        help="seconds after which a run of a tool is given up (default: %(default)g)",
    )
    command.add_argument(
        "--jobs",
        type=whole,
        metavar="N",
        help="tools to run at once (default: all processors, "
        f"{len(os.sched_getaffinity(0))}; with --cluster all threads of its workers)",
    )
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=f"let workers of dask.distributed {does}: the address of their scheduler "
        f"(tcp://host:8786), or `local` for {local} processes here; see docs/cluster.md",
    )
    command.set_defaults(workers=None)


def whole(text: str) -> int:
    """Read a whole number of the command line."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a whole number: {text!r}") from None


def decimal(text: str) -> float:
    """Read a number of the command line."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None


def settings(arguments: argparse.Namespace, *, clock: bool = True) -> Settings:
    """Read the options of `add_implementation`; without `clock` an area may be all there is.

    Raises
    ------
    InputError
        A value is out of range or names nothing.
    """
    from lydite import targets
    from lydite.runs.plan import Settings

    check_execution(arguments)
    return Settings(
        target=targets.find(arguments.target),
        seeds=arguments.seeds,
        freq_mhz=arguments.freq_mhz,
        map_ns=arguments.map_ns,
        chains=arguments.chains,
        synthesis_options=tuple(arguments.synth_option),
        place_options=tuple(arguments.place_option),
        native=arguments.native,
        timeout_s=arguments.timeout_s,
        mixed_clocks=arguments.mixed_clocks,
        clock=clock,
    )


def check_execution(arguments: argparse.Namespace) -> None:
    """Refuse options of `add_execution` that make no sense.

    Raises
    ------
    InputError
        A number is out of range.
    """
    if arguments.jobs is not None and arguments.jobs < 1:
        raise InputError("--jobs", f"must be at least 1, not {arguments.jobs}")
    if not arguments.timeout_s > 0:
        raise InputError("--timeout-s", f"must be above 0, not {arguments.timeout_s:g}")


# Options that decide where results go or how soon they are there, not what they are.
_SILENT = frozenset(
    {
        "help",
        "html",
        "latex",
        "plots",
        "out",
        "json",
        "csv",
        "store",
        "jobs",
        "cluster",
        "timeout_s",
        "publish",
    }
)


def command_line(arguments: argparse.Namespace) -> list[str]:
    """Give the words of a command that makes the same figures: what differs from the defaults.

    It is that of a command with `add_pages`; the same figures have the same words, however they
    were asked for.
    """
    words = ["lydite", arguments.command]
    options: list[str] = []
    for action in arguments.parser._actions:
        value = getattr(arguments, action.dest, None)
        if action.dest in _SILENT:
            continue
        if not action.option_strings:
            words += [str(each) for each in (value if isinstance(value, list) else [value])]
        elif value == action.default:
            continue
        elif action.nargs == 0:
            options.append(action.option_strings[-1])
        else:
            given = value if isinstance(value, list) else [value]
            # One word, since a value may begin with a hyphen.
            options += [f"{action.option_strings[-1]}={each}" for each in given]
    return words + options


def check_pages(arguments: argparse.Namespace) -> None:
    """Refuse files of `add_pages` that cannot be written, before any work is done.

    Raises
    ------
    InputError
        One is a folder or a device, lies where nothing can be written, or both are the same; or
        the folder of `--plots` is a file.
    """
    from lydite.base.files import check_writable

    given = [path for path in (arguments.html, arguments.latex) if path is not None]
    for path in given:
        check_writable(path)
    if arguments.plots is not None:
        if arguments.plots.exists() and not arguments.plots.is_dir():
            raise InputError(str(arguments.plots), "is no folder", "--plots writes several files")
        check_writable(arguments.plots / "figure.svg")
    if len({path.resolve() for path in given}) < len(given):
        raise InputError(str(given[0]), "is the file of both --html and --latex")


def write_pages(arguments: argparse.Namespace, make: Callable[[], Page]) -> None:
    """Write the files of `add_pages`, if any are asked for."""
    if arguments.html is arguments.latex is arguments.plots is None:
        return
    from lydite.base.files import write_atomic

    page = make()
    if arguments.html is not None:
        from lydite.report import html

        write_atomic(arguments.html, html.render(page))
        print(f"written: {arguments.html}", file=sys.stderr)
    if arguments.latex is not None:
        from lydite.report import latex

        write_atomic(arguments.latex, latex.render(page))
        print(f"written: {arguments.latex}", file=sys.stderr)
    if arguments.plots is not None:
        from lydite.report import figures

        count = 0
        for name, data in figures.files(page):
            write_atomic(arguments.plots / name, data)
            count += 1
        told = f"{count} files" if count else "no file, since there is no figure"
        print(f"written: {arguments.plots}: {told}", file=sys.stderr)


def one_design(selections: tuple[Selection, ...]) -> tuple[Selection, Design]:
    """Give the first design of the one core that was named.

    Raises
    ------
    InputError
        There are several cores, or it has no design.
    """
    selection = selections[0]
    if len(selections) > 1 or not selection.designs:
        known = ", ".join(d.label for s in selections for d in s.designs)
        hint = f"there are: {known}" if known else ""
        raise InputError("CORE", "names no one core with a design", hint)
    return selection, selection.designs[0]


def open_store(arguments: argparse.Namespace, *, make: bool = True) -> Store:
    """Open the store that the options name; one that is not there is made only to be written."""
    from lydite.runs import shared

    store = shared.opened(arguments.store, make=make)
    if store.made:
        print(f"lydite: new store: {store.place}", file=sys.stderr)
    return store


def find_run(store: Store, given: str) -> tuple[Record, ...]:
    """Give the records of the one key that begins as given, oldest first.

    Raises
    ------
    InputError
        There is none, or more than one.
    """
    found = store.find(given.lower())
    keys = sorted({record.key for record in found})
    if not found:
        raise InputError("KEY", f"no run with key {given!r}", "see `lydite list runs`")
    if len(keys) > 1:
        some = ", ".join(key[:12] for key in keys[:6])
        raise InputError("KEY", f"{given!r} begins {len(keys)} keys", f"such as {some}")
    return found


def show(renderable: RenderableType) -> None:
    """Print a table to stdout, as wide as the terminal, `COLUMNS`, or a page of a document."""
    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False).print(renderable, crop=False)
    else:
        print("\n".join(lines(renderable)))


def lines(renderable: RenderableType) -> list[str]:
    """Give the lines of a table, as wide as `COLUMNS` says or a page of a document is."""
    from rich.console import Console

    given = os.environ.get("COLUMNS", "")
    text = io.StringIO()
    width = int(given) if given.isdecimal() and int(given) > 0 else _WIDTH
    Console(file=text, width=width, highlight=False).print(renderable, crop=False)
    # Tables are padded to a rectangle; in a file the padding is only noise.
    return [line.rstrip() for line in text.getvalue().splitlines()]


def show_json(command: str, **found: Any) -> None:
    """Print what a command found as one JSON object to stdout, with the version of its form."""
    import msgspec

    value = {"schema": JSON_SCHEMA, "command": command, **found}
    print(msgspec.json.format(msgspec.json.encode(value, enc_hook=_portable), indent=2).decode())


def _portable(value: object) -> str:
    """Give what JSON has no form for: paths."""
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"no form in JSON for {type(value).__name__}")


def show_error(command: str, error: LyditeError) -> None:
    """Print an error as JSON to stdout: under --json a refusal is an answer, too."""
    parts = {name: value for name, value in vars(error).items() if isinstance(value, str)}
    kind = type(error).__name__
    found = {"kind": kind, "exit_code": error.exit_code, "message": str(error), **parts}
    show_json(command, error=found)


def execute(
    jobs: Iterable[Job],
    store: Store,
    arguments: argparse.Namespace,
    *,
    then: Then = lambda *_: (),
) -> Mapping[str, Record]:
    """Run a plan with progress on stderr.

    Parameters
    ----------
    then : callable
        Gives what is run next whenever all has ended.
    """
    from lydite.runs.execute import execute

    records: dict[str, Record] = {}
    left: set[str] = set()

    def watch(job: Job, state: State, record: Record | None) -> None:
        progress.watch(job, state, record)
        if state == "waiting":
            left.add(job.key)
        elif state != "running":
            left.discard(job.key)
        if record is not None and job.recorded and state != "damaged":
            records[job.key] = record

    def more(room: int) -> Iterable[Job]:
        return () if left else then(records, progress.say)

    with Progress() as progress:
        return execute(jobs, store, watch=watch, tell=progress.tell, more=more, **placed(arguments))


class Placed(TypedDict):
    """Where jobs are run, as arguments of `runs.execute`."""

    parallel: int
    workers: Workers | None


def placed(arguments: argparse.Namespace) -> Placed:
    """Read where the jobs of a command are run; its workers are reached once.

    Without `--cluster` that is this process: a local cluster takes seconds to start, and gives a
    single machine nothing, since each tool is a process of its own.

    Raises
    ------
    LyditeError
        As `runs.cluster.connect`.
    """
    here = len(os.sched_getaffinity(0))
    if arguments.cluster is None:
        return Placed(parallel=arguments.jobs or here, workers=None)
    from lydite.runs import cluster

    if arguments.workers is None:
        workers = cluster.Workers(arguments.cluster, arguments.jobs or here)
        arguments.workers = arguments.closing.enter_context(workers)
    return Placed(parallel=arguments.jobs or cluster.MOST, workers=arguments.workers)


def at_once(arguments: argparse.Namespace) -> int:
    """Give how many jobs run at once now."""
    where = placed(arguments)
    workers = where["workers"]
    return where["parallel"] if workers is None else min(where["parallel"], workers.many)


def exit_code(records: Mapping[str, Record]) -> int:
    """Give the exit code of a plan: that of its gravest failure, 0 if there is none."""
    return max((record.exit_code for record in records.values()), default=0)


class Progress:
    """What happens, on stderr: a line for each job that ends and, for each that runs, one that
    moves on a terminal, else one a minute.
    """

    def __init__(self) -> None:
        self._total = 0
        self._ended = 0
        self._started: dict[str, float] = {}
        self._told: dict[str, float] = {}
        self._lines: dict[str, Any] = {}
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                TimeElapsedColumn(),
                console=Console(stderr=True, highlight=False),
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def is_live(self) -> bool:
        """Whether there is a terminal, whose lines move."""
        return self._bar is not None

    def watch(self, job: Job, state: str, record: Record | None) -> None:
        """Show a change of state; what came from the store goes without a word."""
        if state == "stored":
            return
        if state == "damaged" and record is not None:
            self.say(f"damaged  {job.label}: {record.error}; it is made again")
        elif state == "waiting":
            self._total += job.recorded
        elif state == "running":
            self._started[job.key] = self._told[job.key] = time.monotonic()
            if self._bar is not None:
                if job.key in self._lines:  # it has waited for memory
                    self._bar.remove_task(self._lines.pop(job.key))
                self._lines[job.key] = self._bar.add_task(job.label, total=None)
            elif job.announced:
                self.say(f"start    {job.label}")
        else:
            self._ended += job.recorded
            if job.key in self._lines:
                self._bar.remove_task(self._lines.pop(job.key))
            began = self._started.get(job.key)
            took = "" if began is None else f", {time.monotonic() - began:.1f} s"
            if job.recorded or state == "failed":
                self.say(f"{state:8} {job.label} ({self._ended} of {self._total}{took})")

    def tell(self, job: Job, what: str) -> None:
        """Show how far a running job has come, or why one waits that could run."""
        if self._bar is not None and job.key not in self._lines:
            self._lines[job.key] = self._bar.add_task(job.label, total=None)
        if job.key in self._lines:
            described = f"{job.label}: {what}" if what else job.label
            self._bar.update(self._lines[job.key], description=described)
            return
        now = time.monotonic()
        if job.key not in self._started:
            if now - self._told.get(job.key, -_QUIET_S) >= _QUIET_S:
                self._told[job.key] = now
                self.say(f"waiting  {job.label}: {what}")
        elif now - self._told[job.key] >= _QUIET_S:
            self._told[job.key] = now
            minutes = (now - self._started[job.key]) / 60
            self.say(f"running  {job.label}, {minutes:.0f} min{': ' if what else ''}{what}")

    def say(self, text: str) -> None:
        """Print a line beside those that move."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False)
        else:
            print(text, file=sys.stderr, flush=True)
