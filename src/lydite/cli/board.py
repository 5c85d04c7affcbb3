# SPDX-License-Identifier: Apache-2.0
"""`lydite board`: a core on a board, its bitstream and the highest clock that comes out right."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydite.base.errors import InputError
from lydite.cli import common, output, running

if TYPE_CHECKING:
    from lydite.cores import Design, Selection
    from lydite.runs.kinds.board import Bitstream
    from lydite.runs.record import Record
    from lydite.runs.store import Store
    from lydite.targets.boards import Fitted
    from lydite.targets.pll import Setting

# A check that failed: an answer at the one clock that was asked for is wrong.
EXIT_WRONG = 5
_HELP = (
    "make the bitstream of a core behind a UART; with --port find the highest clock at which the "
    "board answers right"
)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "board", help=_HELP, description=f"{_HELP}. Never run on a real board by us."
    )
    command.add_argument(
        "what",
        metavar="CORE[/DESIGN]",
        help="as of `lydite bench`; without a design the first of the core",
    )
    command.add_argument(
        "--board",
        required=True,
        metavar="NAME",
        help="see `lydite list boards`; or a file of one's own, FILE.toml or FILE.toml:VARIANT",
    )
    command.add_argument(
        "--port",
        metavar="DEVICE",
        help="serial port of the board, as /dev/ttyUSB0: program it, run messages at --mhz, or "
        "without that search for the highest clock at which all come out right",
    )
    command.add_argument(
        "--mhz",
        type=common.decimal,
        metavar="F",
        help="one clock: the nearest that the board's PLL makes",
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="write the bitstream of --mhz there"
    )
    command.add_argument(
        "--no-program",
        action="store_true",
        help="the board has the bitstream of --mhz already: only run messages",
    )
    command.add_argument(
        "--from-mhz",
        type=common.decimal,
        metavar="F",
        help="begin the search there (default: 0.7 of the static figure)",
    )
    command.add_argument(
        "--to-mhz",
        type=common.decimal,
        metavar="F",
        help="end it there (default: 2.2 of the static figure)",
    )
    common.add_messages(command, common.STIMULI)
    common.add_execution(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite import cores
    from lydite.base.files import check_writable
    from lydite.runs.boards import serial_port
    from lydite.targets import boards

    common.check_execution(arguments)
    _check(arguments)
    fitted = boards.find(arguments.board)
    wanted = None if arguments.mhz is None else fitted.nearest(arguments.mhz)
    if arguments.out is not None:
        check_writable(arguments.out)
    if arguments.port is not None:
        with serial_port.opened(arguments.port, fitted.board.baud):
            pass  # it is there, and ours: known before minutes of placing
    selection, design = common.one_design(cores.select(arguments.what, every=True))
    with running.open_store(arguments) as store:
        maker = _Maker(arguments, store, fitted, selection, design)
        if arguments.port is not None:
            return _tried(arguments, maker, wanted)
        assert wanted is not None, "checked above"
        record = maker.record(wanted)
        path = maker.written(wanted)
    if arguments.json:
        found = {**record.result, "board": fitted.name, "design": design.label}
        output.show_json("board", tested=boards.UNTRIED, bitstream={**found, "file": path})
    else:
        from lydite.report import board, text

        output.show(text.tables((board.bitstream(design.label, fitted, record, path),), ()))
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if arguments.port is None and arguments.mhz is None:
        what = "neither a clock nor a board's port"
        raise InputError("--mhz", what, "--mhz F makes a bitstream, --port DEVICE searches")
    if arguments.port is None and arguments.no_program:
        raise InputError("--no-program", "there is no board to run messages on", "give its --port")
    if arguments.mhz is None:
        for option, given in (("--out", arguments.out), ("--no-program", arguments.no_program)):
            if given:
                raise InputError(option, "is of one clock", "give it: --mhz F")
    elif arguments.from_mhz is not None or arguments.to_mhz is not None:
        raise InputError("--mhz", "is one clock, and there is a range", "leave one of them out")
    if arguments.out is not None and arguments.no_program:
        raise InputError("--out", "no bitstream is made with --no-program", "leave one of them out")


class _Maker:
    """Makes bitstreams of a core, each once."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        store: Store,
        fitted: Fitted,
        selection: Selection,
        design: Design,
    ) -> None:
        from msgspec.structs import replace

        from lydite.runs import plan
        from lydite.runs.kinds.hardware import Verify
        from lydite.runs.plan import Settings

        self.arguments = arguments
        self.fitted = fitted
        self._store = store
        one = replace(selection, designs=(design,))
        settings = Settings(target=fitted.target, seeds=1, timeout_s=arguments.timeout_s)
        records = running.execute(plan.compilations([one], settings), store, arguments)
        _refuse(records)
        [self.design] = plan.compiled(one, records, store).designs
        self._proof = Verify(self.design)

    def _job(self, setting: Setting) -> Bitstream:
        from lydite.runs.kinds import board

        return board.plan(self._proof, self.fitted, setting, self.arguments.timeout_s)

    def record(self, setting: Setting) -> Record:
        """Give the record of a clock's bitstream, made if it is not there."""
        job = self._job(setting)
        records = running.execute([job], self._store, self.arguments)
        _refuse(records)
        return records[job.key]

    def path(self, setting: Setting) -> Path:
        """Give the file of a clock's bitstream."""
        from lydite.tools import packer

        record = self.record(setting)
        return self._store.artefacts(record.key) / packer.file(self.fitted.board.packer)

    def written(self, setting: Setting) -> Path:
        """Give the file of a clock's bitstream, where it was asked for."""
        from lydite.base.files import write_atomic

        path = self.path(setting)
        if self.arguments.out is None:
            return path
        write_atomic(self.arguments.out, path.read_bytes())
        given: Path = self.arguments.out
        return given


def _refuse(records: Mapping[str, Record]) -> None:
    """Raise the first failure among records."""
    from lydite.base.errors import Told

    for record in records.values():
        if record.status != "ok":
            raise Told(record.error, record.exit_code)


def _tried(arguments: argparse.Namespace, maker: _Maker, wanted: Setting | None) -> int:
    """Run messages on a board, at one clock or at those of a search, and show what came out."""
    from lydite.runs.boards import board_search
    from lydite.runs.boards.board_bench import DeskBench
    from lydite.sim.board import wrapper
    from lydite.tools import loader

    fitted = maker.fitted
    tool = None if arguments.no_program else loader.find()
    on_board = wrapper.wrap(maker.design, fitted.board)
    groups, count, left_out = board_search.messages(
        *(maker.design, on_board, arguments.stimulus, arguments.messages, arguments.message_seed)
    )
    bench = DeskBench(fitted, on_board, maker.path, tool, arguments.port)
    trials = board_search.Trials(bench, groups, lambda what: print(what, file=sys.stderr))
    static: Mapping[str, Any] = {}  # unknown where no bitstream is made
    ends = None
    if wanted is None:
        static = maker.record(fitted.middle(arguments.from_mhz)).result
        limit = static["static_mhz"]
        settings = board_search.within(fitted, arguments.from_mhz, arguments.to_mhz, limit)
        ends = board_search.search(settings, trials.at, static_mhz=limit)
    else:
        if tool is not None:
            static = maker.record(wanted).result
            maker.written(wanted)
        trials.at(wanted)
    clocks = () if tool is None else trials.settings
    found = board_search.Found(
        design=maker.design.label,
        board=fitted.name,
        part=fitted.target.device,
        stimulus=arguments.stimulus,
        static_mhz=static.get("static_mhz"),
        static_in_core=static.get("static_in_core"),
        highest_right_mhz=ends and ends[0].mhz,
        lowest_wrong_mhz=ends and ends[1].mhz,
        messages=count,
        left_out=left_out,
        placements=len({maker.record(one).result["placed_sha256"] for one in clocks}),
        tried=trials.tried,
    )
    if arguments.json:
        output.show_json("board", clocks=found)
    else:
        from lydite.report import board, text

        output.show(text.tables((board.table(found),), ()))
    return EXIT_WRONG if ends is None and any(one.wrong for one in found.tried) else 0
