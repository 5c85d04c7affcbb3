# SPDX-License-Identifier: Apache-2.0
"""`lydite accelerate`: several of a core behind one DMA, proven, placed and measured as a whole."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import bench, common, output, running

if TYPE_CHECKING:
    from lydite.runs.generated.slice_queue import Queue

_HELP = "put several of a core behind one DMA; prove, place and measure the whole"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("accelerate", help=_HELP, description=_HELP + ".")
    command.add_argument(
        "what", metavar="CORE/DESIGN", help="as for `lydite bench`; one design, of streams"
    )
    command.add_argument(
        "--slices", type=common.whole, required=True, metavar="N", help="how many of it"
    )
    command.add_argument(
        "--stream-bytes",
        type=common.whole,
        metavar="B",
        help="bytes of a word of the streams that all slices share, a power of two up to 64 "
        "(default: what the slices take together in a cycle, as the design claims)",
    )
    command.add_argument(
        "--queue",
        choices=("none", "round-robin", "hash"),
        default="none",
        help="how the hardware chooses a slice for a call: in turn, or by a hash of what the call "
        "begins with; without a queue the DMA has a channel for each (default: %(default)s)",
    )
    command.add_argument(
        "--queue-bytes",
        type=common.whole,
        metavar="B",
        help="of calls that wait before a slice behind a queue, a power of two (default: 1024)",
    )
    command.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where the accelerator is written, as a core (default: PRIMITIVE-DESIGN-xN, "
        "with a queue -turns or -hash behind it)",
    )
    command.add_argument(
        "--no-bench", action="store_true", help="write it and measure its cycles, no more"
    )
    bench.add_options(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite import cores
    from lydite.runs import plan
    from lydite.runs.generated import slices

    bench.check(arguments)
    settings = common.settings(arguments)
    selection, design = common.one_design(cores.select(arguments.what, every=True))
    queue = _queue(arguments)
    name = f"{design.label.replace('/', '-')}-x{arguments.slices}{queue.suffix if queue else ''}"
    folder = arguments.out or Path(name)
    slices.check(design, arguments.slices, folder, arguments.stream_bytes, queue)
    with running.open_store(arguments) as store:
        made = running.execute(plan.compilations([selection], settings), store, arguments)
        design = plan.compiled(selection, made, store).designs[0]
    path = slices.write(
        *(design, arguments.slices, folder), stream_bytes=arguments.stream_bytes, queue=queue
    )
    print(f"written: {path}", file=sys.stderr)
    if arguments.no_bench:
        if arguments.json:
            output.show_json(arguments.command, written=path)
        return 0
    return bench.measure(arguments, cores.select(str(path)))


def _queue(arguments: argparse.Namespace) -> Queue | None:
    from lydite.runs.generated import slice_queue

    given = arguments.queue_bytes
    if arguments.queue == "none":
        if given is not None:
            raise InputError("--queue-bytes", "is of a queue", "--queue round-robin")
        return None
    return slice_queue.Queue(
        by=arguments.queue, bytes=slice_queue.BYTES if given is None else given
    )
