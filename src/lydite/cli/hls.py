# SPDX-License-Identifier: Apache-2.0
"""`lydite hls`: C in, co-simulated Verilog out."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydite.base.errors import InputError
from lydite.cli import common, cosim, output, refine, running

if TYPE_CHECKING:
    from lydite.hls import Compiled, Options
    from lydite.report.implemented import Implemented
    from lydite.sim.cosim import Result

PAGE = "report.html"
# As `hls.contract.effort` has them, which would take time to import.
EFFORTS = ("area", "balanced", "speed")
_HELP = "compile C to Verilog and prove the Verilog against the C"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "hls",
        help=_HELP,
        description=_HELP + ": the program's own main is the testbench. It runs natively, every "
        "call of the top function is recorded, and the hardware must answer the same.",
    )
    add_program(command)
    command.add_argument(
        "--clock-ns",
        type=float,
        default=10.0,
        metavar="T",
        help="clock period to schedule for, in nanoseconds (default: %(default)g)",
    )
    command.add_argument(
        "--effort",
        choices=EFFORTS,
        help="how far to go with loops and arrays that no directive speaks of: leave them as they "
        "are (area), pipeline, unroll and keep in registers what pays (balanced), or what is "
        "faster (speed) (default: what a file of directives says, else balanced)",
    )
    command.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where to write (default: F_hls)"
    )
    command.add_argument(
        "--dump-after",
        action="append",
        default=[],
        metavar="PASS",
        help="write the IR after a pass, or after each with `all`; see --passes",
    )
    command.add_argument("--passes", action=_ListPasses, help="list the passes and stop")
    command.add_argument(
        "--include-path",
        action=_ShowInclude,
        help="print the folder of lydite_stream.h, for other compilers, and stop",
    )
    command.add_argument(
        "--core",
        type=Path,
        metavar="FOLDER",
        help="also write a core for `lydite bench`: Verilog and core.toml; needs --primitive",
    )
    command.add_argument(
        "--primitive",
        default="",
        metavar="NAME",
        help="what the core computes: a primitive of the catalogue, or a core.toml that has it",
    )
    command.add_argument(
        "--implement", action="store_true", help="place and route the result on the target"
    )
    command.add_argument(
        "--refine",
        type=int,
        default=0,
        metavar="N",
        help="place and route, learn what the chains between registers took, and compile again, "
        "up to N times; what meets the clock is written, else what is fastest, and learnt.toml",
    )
    command.add_argument(
        "--learnt",
        type=Path,
        metavar="FILE",
        help="what --refine has learnt: gives its hardware again, without placing",
    )
    cosim.add(command)
    common.add_implementation(command)
    common.add_output(command)
    command.set_defaults(run=run)


def add_program(command: argparse.ArgumentParser) -> None:
    """Add the options that say what is compiled, but for the clock."""
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="C or C++ sources")
    command.add_argument("--top", required=True, metavar="F", help="function to make hardware of")
    command.add_argument(
        "-I",
        dest="include",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="folder to look for included files in; may be repeated",
    )
    command.add_argument(
        "-D",
        dest="define",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="macro to define; may be repeated",
    )
    command.add_argument(
        "-U",
        dest="undefine",
        action="append",
        default=[],
        metavar="NAME",
        help="macro that is not defined, whatever the compiler says; may be repeated",
    )
    command.add_argument("--std", default="", help="language, as the C compiler's -std= takes it")
    command.add_argument(
        "--depth",
        action="append",
        default=[],
        metavar="ARG=N",
        help="elements of a pointer argument whose declaration does not say: each is what it "
        "points to, a row of int (*m)[4]; may be repeated",
    )
    command.add_argument(
        "--directives",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="TOML file of directives that join those in the source, and win over them; "
        "may be repeated",
    )
    command.add_argument(
        "--macros",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="functions that are Verilog modules in hardware (TOML); may be repeated",
    )


class _ListPasses(argparse.Action):
    def __init__(self, option_strings: list[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from lydite.hls import passes
        from lydite.report import text

        rows = [(name, passes.BY_NAME[name].doc) for name in passes.PIPELINE]
        output.show(text.table("Passes, in order", ("pass", "what it does"), rows))
        parser.exit()


class _ShowInclude(argparse.Action):
    def __init__(self, option_strings: list[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from lydite.hls.frontend import clang

        print(clang.INCLUDE)
        parser.exit()


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for garbage in circles, in all threads of this process.

    The IR is large, and lives to the end: the search takes a twelfth of the time of a program of
    2,000 lines, and finds nothing. A command has its process for itself; the compiler, which may
    have not, switches nothing.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if (arguments.core is None) != (not arguments.primitive):
        raise InputError("--core", "--core and --primitive need each other", "give both")
    if arguments.refine < 0:
        raise InputError("--refine", f"must be at least 0, not {arguments.refine}")
    settings = common.settings(arguments)
    options = options_of(arguments, settings.target.name)
    folder = arguments.out or Path(f"{arguments.top}_hls")
    refined = None
    if arguments.refine:
        refined = refine.run(arguments, options, settings, cosim.prover(arguments, folder))
    compiled = _compile(options) if refined is None else refined.compiled
    for warning in compiled.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    # Where co-simulation is refused, nothing has been written.
    prove = cosim.prover(arguments, folder)
    result = prove(options, compiled) if refined is None else refined.result
    written = _write(compiled, folder)
    if refined is not None:
        written += refine.write_learnt(refined, folder)
    verilog = [path for path in written if path.suffix == ".v"]
    found: dict[str, Any] = {"interface": compiled.interface, "report": compiled.report}
    found |= {"files": [str(path) for path in written], "cosimulation": result}
    failure = None if result is None else result.failure
    code = 0 if failure is None else failure.exit_code
    if not arguments.json:
        from lydite.report import hls as report

        output.show(report.text(compiled, result, [str(path) for path in written]))
    if code == 0 and arguments.core is not None:
        from lydite.runs.generated import export

        path = export.write(compiled, arguments.primitive, arguments.core)
        found["core"] = str(path)
        if not arguments.json:
            print(f"core written: {path}; `lydite bench {path}` measures it")
    placed = None
    if refined is not None:
        code, placed = refine.implemented(refined, found, arguments, code)
    elif code == 0 and arguments.implement:
        code, placed = _implement(arguments, verilog, found)
    page = folder / PAGE
    _write_page(page, compiled, result, placed, settings.target.name)
    found["page"] = str(page)
    if arguments.json:
        output.show_json("hls", **found)
    else:
        print(f"schedule drawn: {page}")
    if failure is not None:
        print(f"lydite: {failure}", file=sys.stderr)
    return code


@_collector_paused()
def _compile(options: Options) -> Compiled:
    from lydite import hls

    return hls.compile(options)


def options_of(arguments: argparse.Namespace, target: str) -> Options:
    """Read what is to be compiled, and how."""
    from lydite import hls
    from lydite.hls.contract import delay_factors, rtl_macro
    from lydite.hls.contract.directive_text import effort_of, load

    return hls.Options(
        sources=tuple(arguments.files),
        top=arguments.top,
        clock_ns=arguments.clock_ns,
        target=target,
        include_dirs=tuple(arguments.include),
        defines=tuple(arguments.define),
        undefines=tuple(arguments.undefine),
        std=arguments.std,
        depths=_depths(arguments.depth),
        dump_after=tuple(arguments.dump_after),
        macros=tuple(macro for path in arguments.macros for macro in rtl_macro.load(path)),
        directives=tuple(placed for path in arguments.directives for placed in load(path)),
        effort=arguments.effort or effort_of(arguments.directives) or "balanced",
        learnt=delay_factors.read(arguments.learnt) if arguments.learnt is not None else None,
    )


def _depths(given: list[str]) -> tuple[tuple[str, int], ...]:
    depths = []
    for text in given:
        name, _, value = text.partition("=")
        if not (name.isidentifier() and value.isdecimal() and int(value) > 0):
            raise InputError("--depth", f"not ARG=N with N above 0: {text!r}")
        depths.append((name, int(value)))
    return tuple(depths)


def _write(compiled: Compiled, folder: Path) -> list[Path]:
    from lydite.base.files import write_atomic

    texts = [(file.name, file.text) for file in (*compiled.files, *compiled.documents)]
    for name, text in [*texts, *((f"{name}.ir", text) for name, text in compiled.dumps)]:
        write_atomic(folder / name, text)
    return [folder / name for name, _ in texts]


def _write_page(
    page: Path,
    compiled: Compiled,
    result: Result | None,
    placed: Implemented | None,
    target: str,
) -> None:
    from lydite.base.files import write_atomic
    from lydite.report import hls_page

    sources = {
        name: Path(name).read_text(encoding="utf-8", errors="replace")
        for name in hls_page.files_named(compiled)
        if Path(name).is_file()
    }
    write_atomic(page, hls_page.page(compiled, result, placed, sources, target=target))


def _implement(
    arguments: argparse.Namespace, files: list[Path], found: dict[str, Any]
) -> tuple[int, Implemented | None]:
    """Place and route what was written; give the exit code and the figures, if there are some."""
    from lydite.report.failures import failures
    from lydite.report.implemented import implemented
    from lydite.runs import plan

    implementation = plan.run(tuple(files), arguments.top, "ap_clk", {}, common.settings(arguments))
    with running.open_store(arguments) as store:
        records = running.execute(implementation.placements, store, arguments)
    placed = implemented(implementation, records)
    failed = failures(records)
    found |= {"implemented": placed, "failures": failed}
    if not arguments.json:
        from lydite.report import text

        if placed is not None:
            proof = "not co-simulated" if arguments.no_cosim else "co-simulated against the C first"
            output.show(text.implementation(arguments.top, placed, proof=proof))
        if failed:
            output.show(text.failures(failed))
    return running.exit_code(records), placed
