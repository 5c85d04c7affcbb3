# SPDX-License-Identifier: Apache-2.0
"""Make a run again from its artefacts and compare: a script for a shell, from a record.

The script needs Lydite with the same tools, and the artefacts; both places stand in its head and
can be given by the environment. It says `equal: ...` and exits with 0, or `differs: ...` with 5,
and writes the same as JSON (`again.Found`) into the file that LYDITE_FOUND names, if it is set.
What it cannot say in words of a shell is in `again`.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from lydite.base.errors import InputError
from lydite.runs import again, compilation, netlist
from lydite.runs.record import Record
from lydite.runs.software import REQUEST_FILE
from lydite.tools import nextpnr, yosys

_HELPER = f'"$PYTHON" -P -m {again.__name__}'
# Inputs that are keys of records whose artefacts are taken, too.
_RESTS_ON = {"placement": ("netlist",), "netlist": ("netlist", "proof")}
_HEAD = """\
#!/bin/sh
# Makes a run of Lydite {version} again and compares what comes out: {label}.
# key {key}
set -eu
PYTHON=${{PYTHON:-{python}}}  # one that has Lydite
STORE=${{STORE:-{store}}}  # where its artefacts/ are
work=$("$PYTHON" -c 'import tempfile; print(tempfile.mkdtemp(prefix="lydite-"))')
trap 'rm -rf "$work"' EXIT
cp -R "$STORE/{artefacts}/." "$work"
cd "$work"
"""


def script(
    record: Record, store: str, get: Callable[[str], Record | None], *, python: str = sys.executable
) -> str:
    """Give the script that makes a record's run again.

    Parameters
    ----------
    store : str
        Folder of the store, as the script names it, quoted for a shell.
    get : callable
        Gives the record of a key, as `Store.get`: what was placed says how its clock is read.
    python : str
        The interpreter that has Lydite.

    Raises
    ------
    InputError
        There is nothing to be run: no tool was started, or the kind has no script.
    """
    body = _BODIES.get(record.kind)
    if body is None:
        known = ", ".join(_BODIES)
        raise InputError(
            "--replay", f"no script for a run of the kind {record.kind}", f"there are: {known}"
        )
    seen = ("compile", "verify", "netlist", "testbed", "key-search")
    if record.status == "failed" and record.kind not in seen:
        body = _failed
    head = _HEAD.format(
        version=record.lydite,
        label=" ".join(record.label.split()),
        key=record.key,
        python=shlex.quote(python),
        store=store,
        artefacts=artefacts(record.key),
    )
    if record.kind == "placement":
        mapped = get(str(record.inputs["netlist"]))
        mixed = mapped is not None and bool(mapped.inputs.get("mixed_clocks"))
        record = msgspec.structs.replace(record, inputs={**record.inputs, "mixed_clocks": mixed})
    return head + "".join(f"{line}\n" for line in body(record))


def needed(record: Record) -> tuple[str, ...]:
    """Give the keys whose artefacts the script takes."""
    return (record.key, *(str(record.inputs[name]) for name in _RESTS_ON.get(record.kind, ())))


def artefacts(key: str) -> str:
    """Give the folder of a key's artefacts, from that of a store."""
    return f"artefacts/{key[:2]}/{key}"


def _command(argv: Sequence[str]) -> str:
    """Give a command of a record for a shell; `python` is the one that has Lydite."""
    words = ['"$PYTHON"' if word == "python" else shlex.quote(word) for word in argv]
    return " ".join(words)


def _quietly(command: str) -> list[str]:
    """Give the lines that run a command, and show what it printed only if it fails."""
    return [f"{command} >replay.log 2>&1 || {{ cat replay.log >&2; exit 4; }}"]


def _asks(what: str, value: Any) -> list[str]:
    """Give the lines that ask the helper, with what it is to find as JSON."""
    return [f"{_HELPER} {what} <<'END'", msgspec.json.encode(value).decode(), "END"]


def _made(record: Record, names: Sequence[str]) -> list[str]:
    kept = {name: record.files[name][1] for name in names}
    mixed = record.inputs.get("mixed_clocks")
    expected = {"kind": record.kind, "result": record.result, "mixed": mixed, "files": kept}
    return [f"rm -f {shlex.join(names)}", *_quietly(_command_of(record)), *_asks("made", expected)]


def _command_of(record: Record) -> str:
    if record.kind == "compile":
        # What it takes from stdin, and the copies of the sources, are in the work folder.
        return f'"$PYTHON" -P -m {compilation.__name__} . <{compilation.REQUEST_FILE}'
    return _command(record.commands[-1])


def _compile(record: Record) -> list[str]:
    if record.status == "failed":
        return _fails_again(_command_of(record))
    return _made(record, (*record.result["files"], compilation.REPORT_FILE))


def _synthesis(record: Record) -> list[str]:
    return _made(record, (yosys.NETLIST_FILE, yosys.STAT_FILE))


def _placement(record: Record) -> list[str]:
    return [*_netlist(record), *_made(record, (nextpnr.CONFIG_FILE, nextpnr.REPORT_FILE))]


def _netlist(record: Record) -> list[str]:
    return [f'cp "$STORE/{artefacts(record.inputs["netlist"])}/{yosys.NETLIST_FILE}" .']


def _verify(record: Record) -> list[str]:
    return _asks("prove core.toml", {"error": record.error, **record.result})


def _testbed(record: Record) -> list[str]:
    module = {"testbed": "testbed", "key-search": "search_bench"}[record.kind]
    expected = {"error": record.error, **record.result}
    text = msgspec.json.encode({"inputs": record.inputs, "expected": expected}).decode()
    return [f"\"$PYTHON\" -P -m lydite.runs.{module} core.toml <<'END'", text, "END"]


def _rate(record: Record) -> list[str]:
    asked = {"inputs": record.inputs, "expected": record.result}
    text = msgspec.json.encode(asked).decode()
    return ["\"$PYTHON\" -P -m lydite.runs.search_bench rate <<'END'", text, "END"]


def _proof_of_netlist(record: Record) -> list[str]:
    proof, mapped = (artefacts(str(record.inputs[name])) for name in ("proof", "netlist"))
    copied = [f'cp -R "$STORE/{proof}/." .']
    copied += [f'cp "$STORE/{mapped}/{name}" .' for name in netlist.FILES]
    expected = {"error": record.error, **record.result}
    expected |= {"family": record.inputs["family"], "every": record.inputs["every"]}
    return [*copied, *_asks("netlist core.toml", expected)]


def _software(record: Record) -> list[str]:
    if not record.result.get("available"):
        raise InputError("--replay", "the variant could not be run on that machine")
    library = f"../{record.result['library']}"
    built = (record.commands[0], *(argv for argv in record.commands if library in argv))
    compiled = [f"(cd core && {line})" for argv in built for line in _quietly(_command(argv))]
    return [
        "rm -f ./*.so",
        *compiled,
        f'"$PYTHON" -P -m lydite.runs.measuring <{REQUEST_FILE} >answer.json',
        *_asks("measured answer.json", record.result),
    ]


def _failed(record: Record) -> list[str]:
    """Give the lines for a run whose last tool failed: it must fail again."""
    if not record.commands:
        raise InputError("--replay", "the run failed before a tool was started", record.error)
    first = _netlist(record) if record.kind == "placement" else []
    return [*first, *_fails_again(_command(record.commands[-1]))]


def _fails_again(command: str) -> list[str]:
    return [
        f"if {command} >replay.log 2>&1",
        "then echo 'differs: it ends without an error'; exit 5",
        "else cat replay.log; echo 'equal: it fails again'",
        "fi",
    ]


_BODIES: dict[str, Callable[[Record], list[str]]] = {
    "compile": _compile,
    "verify": _verify,
    "synthesis": _synthesis,
    "placement": _placement,
    "netlist": _proof_of_netlist,
    "software": _software,
    "testbed": _testbed,
    "key-search": _testbed,
    "search-rate": _rate,
}
# Kinds of runs that have a script.
KINDS = frozenset(_BODIES)
