# SPDX-License-Identifier: Apache-2.0
"""`lydite completion`: a script with which a shell completes commands, options and names."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

_HELP = "print a script with which your shell completes commands, options and names"
SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "completion",
        help=_HELP,
        description=_HELP + ".",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="bash:  lydite completion bash > ~/.local/share/bash-completion/completions/lydite\n"
        "zsh:   lydite completion zsh > FOLDER_OF_FPATH/_lydite\n"
        "fish:  lydite completion fish > ~/.config/fish/completions/lydite.fish\n"
        "tcsh:  lydite completion tcsh > FILE, and source FILE in ~/.tcshrc",
    )
    command.add_argument("shell", choices=SHELLS, help="for which shell")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    import shtab

    from lydite.cli import parser

    made = parser()
    for action in _actions(made):
        _describe(action)
    print(shtab.complete(made, shell=arguments.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    """Give all actions of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _describe(action: argparse.Action) -> None:
    """Say what an action takes: a name of ours, a file, a folder."""
    import shtab

    from lydite import targets
    from lydite.cores import catalog

    if action.dest == "target":
        action.choices = [
            f"{family.name}-{part.name}" for family in targets.families() for part in family.part
        ]
    elif action.dest == "what" and action.metavar in ("PRIMITIVE[/DESIGN]", "CORE[/DESIGN]"):
        action.choices = [
            name
            for core in catalog.cores()
            for primitive in core.primitives
            for name in (
                primitive.name,
                *(d.label for d in core.designs if d.primitive == primitive),
            )
        ]
    elif action.metavar in ("FILE", "FOLDER", "DIR"):
        files = action.metavar == "FILE"
        action.complete = shtab.FILE if files else shtab.DIR  # type: ignore[attr-defined]
