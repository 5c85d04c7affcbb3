# SPDX-License-Identifier: Apache-2.0
"""A script for a shell that makes a run again from its artefacts and compares, from a record.

It needs Lydite with the same tools, and the artefacts; both places stand in its head and can be
given by the environment. All that it does is `again`, which it tells what the record says.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from lydite.base.errors import InputError
from lydite.runs import again
from lydite.runs.record import Record

_SCRIPT = """\
#!/bin/sh
# Makes a run of Lydite {version} again and compares what comes out: {label}.
# key {key}
{commands}\
set -eu
PYTHON=${{PYTHON:-{python}}}  # one that has Lydite
STORE=${{STORE:-{store}}}  # where its artefacts/ are
exec "$PYTHON" -P -m {module} "$STORE/{artefacts}" <<'END'
{asked}
END
"""
_ARTEFACTS = "artefacts"
Get = Callable[[str], Record | None]


def script(record: Record, store: str, get: Get, *, python: str = sys.executable) -> str:
    """Give the script that makes a record's run again.

    Parameters
    ----------
    store : str
        Folder of the store, as the script names it, quoted for a shell.
    get : callable
        Gives the record of a key, as `Store.get`.
    python : str
        The interpreter that has Lydite.

    Raises
    ------
    InputError
        There is nothing to be run: no tool was started, the kind has no script, or a run that it
        rests on is not there.
    """
    others = _others(record, get)
    if record.status == "failed" and again.KINDS[record.kind].tool and not record.commands:
        raise InputError("--replay", "the run failed before a tool was started", record.error)
    asked = again.Asked(record=record, others=others)
    return _SCRIPT.format(
        version=record.lydite,
        label=" ".join(record.label.split()),
        key=record.key,
        commands="".join(f"# ran: {_shown(argv)}\n" for argv in record.commands),
        python=shlex.quote(python),
        store=store,
        module=again.__name__,
        artefacts=_ARTEFACTS,
        asked=msgspec.json.encode(asked, order="deterministic").decode(),
    )


def needed(record: Record, get: Get) -> tuple[str, ...]:
    """Give the keys whose artefacts the script takes.

    Raises
    ------
    InputError
        As `script`.
    """
    return (record.key, *(other.key for other in _others(record, get)))


def artefacts(key: str) -> str:
    """Give the folder of a key's artefacts, from that of a store."""
    return f"{_ARTEFACTS}/{key[:2]}/{key}"


def why_not(record: Record, get: Get) -> str:
    """Say why a run has no script; nothing if it has one."""
    try:
        _others(record, get)
    except InputError as error:
        return error.what
    return ""


def _others(record: Record, get: Get) -> tuple[Record, ...]:
    """Give the records that the kind uses, of those that a run rests on."""
    if record.kind not in again.KINDS:
        why = again.WITHOUT.get(record.kind, "this Lydite does not know it")
        raise InputError("--replay", f"no script for a run of the kind {record.kind}: {why}")
    uses, keeps = again.KINDS[record.kind].uses, again.KINDS[record.kind].keeps
    if keeps and not any(name.startswith(keeps) for name in record.files):
        what = f"it was made by an older Lydite, which kept no {keeps} with it"
        raise InputError(record.label, what, "the command that made it makes it again with one")
    found = {other.kind: other for other in _rests_on(record, get, set()) if other.kind in uses}
    for kind in uses:
        if kind not in found:
            what = f"it rests on a run of the kind {kind}, which is not there"
            raise InputError(record.label, what, "the command that made the run makes it again")
    return tuple(msgspec.structs.replace(found[kind], commands=(), files={}) for kind in uses)


def _rests_on(record: Record, get: Get, seen: set[str]) -> Iterator[Record]:
    for key in record.needs:
        if key not in seen and (other := get(key)) is not None:
            seen.add(key)
            yield other
            yield from _rests_on(other, get, seen)


def _shown(argv: tuple[Any, ...]) -> str:
    """Give a command in one line, as it was."""
    return " ".join(shlex.join(argv).split())
