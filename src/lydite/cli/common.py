# SPDX-License-Identifier: Apache-2.0
"""Options that commands share, and how they are read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.base.errors import InputError

if TYPE_CHECKING:
    from lydite.cores import Design, Selection
    from lydite.report.listing import Wanted
    from lydite.runs.plan import Settings

# Of one command: no machine has more processors.
MOST_THREADS = 1024
# Kinds of messages that are run at a clock, and what they are.
STIMULI = {
    "random": "random ones of up to three blocks",
    "known": "the known answers over and over",
    "long": "random ones of 16 blocks",
}


def add_output(command: argparse.ArgumentParser) -> None:
    """Add the options that every command with a table has."""
    command.add_argument(
        "--json", action="store_true", help="print JSON instead of tables; errors, too"
    )
    add_store(command)


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


def check_threads(threads: int) -> None:
    """Refuse a number of threads that no machine runs.

    Raises
    ------
    InputError
        It is out of range.
    """
    if threads < 1:
        raise InputError("--threads", f"must be at least 1, not {threads}")
    if threads > MOST_THREADS:
        raise InputError("--threads", f"must be at most {MOST_THREADS}, not {threads}")


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
