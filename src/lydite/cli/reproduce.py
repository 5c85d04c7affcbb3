# SPDX-License-Identifier: Apache-2.0
"""`lydite reproduce`: the tables of a document, made again and set beside ours."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import common, output, pages, running

if TYPE_CHECKING:
    from lydite.report.page import Section
    from lydite.report.table import Table
    from lydite.studies import Found, Study

_HELP = "make the tables of a published document again, and set theirs beside ours"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("reproduce", help=_HELP, description=_HELP + ".")
    command.add_argument("name", metavar="NAME", help="a study, of `lydite list studies`")
    command.add_argument(
        "--quick", action="store_true", help="a part of it that takes minutes, not a night"
    )
    command.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PATTERN",
        help="run the points of these names alone, such as '*keccak-256*'; may be repeated",
    )
    command.add_argument(
        "--published",
        action="store_true",
        help="draw the tables from the results that come with Lydite, and run nothing",
    )
    command.add_argument(
        "--publish",
        type=Path,
        metavar="FILE",
        help="write the results as such a file, too; with --only other points stay in it",
    )
    command.add_argument(
        "--csv",
        metavar="TABLE",
        help="print one table as comma-separated values, with all columns",
    )
    common.add_execution(command)
    pages.add_pages(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite import studies
    from lydite.base.files import check_writable
    from lydite.studies import published, study

    chosen = studies.find(arguments.name)
    common.check_execution(arguments)
    pages.check_pages(arguments)
    if arguments.csv:
        # Some tables are there only when something was found.
        every = (studies.Found({}), *filter(None, [_read(chosen.published, chosen)]))
        names = dict.fromkeys(
            one.name for found in every for one in study.tables(chosen.sections(found))
        )
        if arguments.csv not in names:
            what = f"no such table: {arguments.csv!r}"
            raise InputError("--csv", what, f"there are: {', '.join(names)}")
    if arguments.published:
        options = {"--quick": "quick", "--only": "only", "--publish": "publish"}
        for option, name in options.items():
            if getattr(arguments, name):
                raise InputError(option, "--published runs nothing", "leave one of them out")
        found, compared = published.read(chosen.published, chosen), None
        sections = chosen.sections(found)
    else:
        before = _read(chosen.published, chosen)
        known = before if arguments.only else None
        if arguments.publish is not None:
            check_writable(arguments.publish)
            if arguments.only:
                known = _read(arguments.publish, chosen) or before
        with running.open_store(arguments) as store:
            asked = studies.Asked(
                store=store,
                quick=arguments.quick,
                only=tuple(arguments.only),
                timeout_s=arguments.timeout_s,
            )
            found = study.run(
                chosen, asked, lambda jobs: running.execute(jobs, store, arguments), known
            )
        compared = published.compare(found, before) if before else None
        if arguments.publish is not None:
            published.write(arguments.publish, chosen, found, only=bool(arguments.only))
        # Of a few points the rows that they are in, whole.
        sections = study.again(chosen, found, known) if known else chosen.sections(found)
    _show(arguments, chosen, sections, found, compared)
    pages.write_pages(arguments, lambda: chosen.page(found, pages.command_line(arguments)))
    return found.exit_code


def _read(path: Path, chosen: Study) -> Found | None:
    """Read published results, if there are any."""
    from lydite.studies import published

    return published.read(path, chosen) if path.exists() else None


def _show(
    arguments: argparse.Namespace,
    chosen: Study,
    sections: tuple[Section, ...],
    found: Found,
    compared: Table | None,
) -> None:
    from lydite.report import text
    from lydite.studies.study import tables

    by_name = {part.name: part.table for part in tables(sections)}
    if arguments.json:
        rows = {name: table.as_dicts() for name, table in by_name.items()}
        more = {"published": compared.as_dicts()} if compared else {}
        failed = [{"label": f.label, "error": f.error, "key": f.key} for f in found.failures]
        output.show_json("reproduce", study=chosen.name, tables=rows, failures=failed, **more)
    elif arguments.csv:
        print(by_name[arguments.csv].csv(), end="")
    else:
        output.show(f"{chosen.title}\nTheirs: {chosen.theirs.source}\n")
        for section in sections:
            _show_section(section)
        if compared is not None:
            output.show(text.tables((compared,), ()) if compared.rows else compared.notes[0])
        if found.failures:
            output.show(text.failures(found.failures))


def _show_section(section: Section) -> None:
    from lydite.report import text
    from lydite.report.page import Prose, Tabled

    for part in section.parts:
        if isinstance(part, Prose):
            output.show(f"{part.text}\n")
        elif isinstance(part, Tabled) and part.table.rows:
            output.show(text.tables((part.table,), ()))
            print()
