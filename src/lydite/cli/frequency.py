# SPDX-License-Identifier: Apache-2.0
"""`lydite frequency`: the clock at which a routed core begins to fail, by simulation."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import common, output, running

if TYPE_CHECKING:
    from lydite.sim.routed.chips import Sigmas

_HELP = (
    "simulate a routed core with its delays at rising clocks, until answers break, and set the "
    "clock beside static analysis"
)
_MOST_CHIPS = 1000
_STIMULI = {**common.STIMULI, "stalled": "the random ones with pauses on both streams"}
_SEEDS = (
    "the messages, and of what registers take whose input changes in the window of set-up and hold"
)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("frequency", help=_HELP, description=_HELP + ".")
    command.add_argument(
        "what",
        metavar="CORE[/DESIGN]",
        help="as of `lydite bench`; without a design the first of the core",
    )
    common.add_messages(command, _STIMULI, seeds=_SEEDS)
    command.add_argument(
        "--column",
        choices=("max", "typ", "min"),
        default="max",
        help="which of the three delays that nextpnr writes counts (default: %(default)s)",
    )
    command.add_argument(
        "--chips",
        type=common.whole,
        default=0,
        metavar="N",
        help="add so many chips of a model of variation, with invented sigmas (default: none)",
    )
    command.add_argument(
        "--sigmas",
        default="0.03,0.01,0.02",
        metavar="C,R,L",
        help="its standard deviations: of a chip, of its regions, of its cells "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--from-mhz",
        type=common.decimal,
        default=0.0,
        metavar="F",
        help="begin the search there (default: 0.7 of the static figure)",
    )
    command.add_argument(
        "--to-mhz",
        type=common.decimal,
        default=0.0,
        metavar="F",
        help="look for failures there first (default: 1.1 of the static figure)",
    )
    common.add_implementation(command)
    common.add_output(command)
    # A search takes longer than a placement: one tells, more are asked for.
    command.set_defaults(run=run, seeds=1)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from dataclasses import replace

    from msgspec.structs import replace as changed

    from lydite import cores
    from lydite.report import frequency as report
    from lydite.report.failures import failures
    from lydite.runs import plan
    from lydite.runs.kinds import frequency
    from lydite.runs.kinds.frequency import Asked
    from lydite.runs.kinds.testbed import implementation

    if not 0 <= arguments.chips <= _MOST_CHIPS:
        raise InputError("--chips", f"must be 0 to {_MOST_CHIPS}, not {arguments.chips}")
    sigmas = _sigmas(arguments.sigmas)
    asked = [
        Asked(
            messages=arguments.messages,
            stimulus=arguments.stimulus,
            seed=arguments.message_seed,
            column=arguments.column,
            chip=chip,
            sigmas=sigmas,
            from_mhz=arguments.from_mhz,
            to_mhz=arguments.to_mhz,
        )
        for chip in range(arguments.chips + 1)
    ]
    settings = replace(common.settings(arguments), prove_netlist="routed")
    selection, design = common.one_design(cores.select(arguments.what, every=True))
    with running.open_store(arguments) as store:
        one = changed(selection, designs=(design,))
        records = dict(running.execute(plan.compilations([one], settings), store, arguments))
        jobs = tuple(
            job
            for made in plan.compiled(one, records, store).designs
            for job in frequency.plan(implementation(made, settings), asked)
        )
        records |= running.execute(jobs, store, arguments)
    if jobs:
        found = report.found(jobs, records)
        if arguments.json:
            output.show_json("frequency", frequency=found)
        elif found.rows:
            from lydite.report import text

            output.show(text.tables((report.table(found),), ()))
    if not arguments.json and (failed := failures(records)):
        from lydite.report import text

        output.show(text.failures(failed))
    return running.exit_code(records)


def _sigmas(given: str) -> Sigmas:
    from lydite.sim.routed.chips import Sigmas

    try:
        chip, region, cell = map(float, given.split(","))
    except ValueError:
        what = f"must be three numbers with commas, not {given!r}"
        raise InputError("--sigmas", what) from None
    return Sigmas(chip, region, cell)
