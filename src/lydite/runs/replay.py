# SPDX-License-Identifier: Apache-2.0
"""Make a run again from its artefacts and compare: a script for a shell, from a record.

The script needs Lydite with the same tools, and the artefacts; both places stand in its head and
can be given by the environment. It says `equal: ...` and exits with 0, or `differs: ...` with 5.
What it cannot say in words of a shell is `python -m lydite.runs.replay`, this module.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lydite import cores
from lydite.base import digest
from lydite.base.errors import CheckFailed, InputError, LyditeError
from lydite.runs import compilation, netlist
from lydite.runs.measuring import Answer
from lydite.runs.record import Record
from lydite.runs.software import REQUEST_FILE
from lydite.sim import verify
from lydite.sim.random_messages import DEFAULT_SEED
from lydite.tools import nextpnr, yosys

_HELPER = f'"$PYTHON" -P -m {__name__}'
# Inputs that are keys of records whose artefacts are taken, too.
_RESTS_ON = {"placement": ("netlist",), "netlist": ("netlist", "proof")}
# Of a proof, what differs from run to run.
_TIMES = ("simulation_s",)
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


def script(record: Record, store: str, *, python: str = sys.executable) -> str:
    """Give the script that makes a record's run again.

    Parameters
    ----------
    store : str
        Folder of the store, as the script names it, quoted for a shell.
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
        label=record.label,
        key=record.key,
        python=shlex.quote(python),
        store=store,
        artefacts=_artefacts(record.key),
    )
    return head + "".join(f"{line}\n" for line in body(record))


def needed(record: Record) -> tuple[str, ...]:
    """Give the keys whose artefacts the script takes."""
    return (record.key, *(str(record.inputs[name]) for name in _RESTS_ON.get(record.kind, ())))


def _artefacts(key: str) -> str:
    return f"artefacts/{key[:2]}/{key}"


def _command(argv: Sequence[str]) -> str:
    """Give a command of a record for a shell; `python` is the one that has Lydite."""
    words = ['"$PYTHON"' if word == "python" else shlex.quote(word) for word in argv]
    return " ".join(words)


def _quietly(command: str) -> list[str]:
    """Give the lines that run a command, and show what it printed only if it fails."""
    return [f"{command} >replay.log 2>&1 || {{ cat replay.log >&2; exit 4; }}"]


def _same(record: Record, names: Sequence[str]) -> list[str]:
    pairs = (f"{name} {record.files[name][1]}" for name in names)
    return [f"{_HELPER} same {' '.join(pairs)}"]


def _compile(record: Record) -> list[str]:
    # What it takes from stdin, and the copies of the sources, are in the work folder.
    command = f'"$PYTHON" -P -m {compilation.__name__} . <{compilation.REQUEST_FILE}'
    if record.status == "failed":
        return _fails_again(command)
    outputs = (*record.result["files"], compilation.REPORT_FILE)
    return [f"rm -f {' '.join(outputs)}", *_quietly(command), *_same(record, outputs)]


def _synthesis(record: Record) -> list[str]:
    outputs = (yosys.NETLIST_FILE, yosys.STAT_FILE)
    return [
        f"rm -f {' '.join(outputs)}",
        *_quietly(_command(record.commands[-1])),
        *_same(record, outputs),
    ]


def _placement(record: Record) -> list[str]:
    outputs = (nextpnr.CONFIG_FILE, nextpnr.REPORT_FILE)
    return [
        *_netlist(record),
        f"rm -f {' '.join(outputs)}",
        *_quietly(_command(record.commands[-1])),
        *_same(record, outputs),
        f"echo {record.result['fmax_mhz']:.2f} MHz",
    ]


def _netlist(record: Record) -> list[str]:
    return [f'cp "$STORE/{_artefacts(record.inputs["netlist"])}/{yosys.NETLIST_FILE}" .']


def _verify(record: Record) -> list[str]:
    expected = {"error": record.error, **record.result}
    return [f"{_HELPER} prove core.toml <<'END'", msgspec.json.encode(expected).decode(), "END"]


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
    proof, mapped = (_artefacts(str(record.inputs[name])) for name in ("proof", "netlist"))
    copied = [f'cp -R "$STORE/{proof}/." .']
    copied += [f'cp "$STORE/{mapped}/{name}" .' for name in netlist.FILES]
    expected = {"error": record.error, **record.result}
    expected |= {"family": record.inputs["family"], "every": record.inputs["every"]}
    text = msgspec.json.encode(expected).decode()
    return [*copied, f"{_HELPER} netlist core.toml <<'END'", text, "END"]


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
        f"{_HELPER} measured answer.json <<'END'",
        msgspec.json.encode(record.result).decode(),
        "END",
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


def same(pairs: Sequence[str]) -> str:
    """Compare files with digests: name, digest, name, digest...

    Raises
    ------
    CheckFailed
        One is another.
    """
    names, values = pairs[::2], pairs[1::2]
    for name, value in zip(names, values, strict=True):
        found = digest.of_file(Path(name))
        if found != value:
            raise CheckFailed(value, found, f"differs: {name}")
    return f"equal: {', '.join(names)}"


def prove(path: Path, expected: dict[str, Any]) -> str:
    """Prove the one design of a core again, and compare with what came out before.

    Raises
    ------
    CheckFailed
        Something else comes out.
    """
    seed = expected.get("proof_seed", DEFAULT_SEED)
    return again(
        lambda: msgspec.to_builtins(verify.verify(cores.load(path).designs[0], seed=seed)),
        expected,
    )


def prove_netlist(path: Path, expected: dict[str, Any]) -> str:
    """Prove the netlist beside a core again, and compare with what came out before.

    Raises
    ------
    CheckFailed
        Something else comes out.
    """
    family, every = expected.pop("family"), expected["every"]
    return again(
        lambda: netlist.prove(cores.load(path).designs[0], path.parent, family, every=every),
        expected,
    )


def _proven(found: dict[str, Any]) -> str:
    return f"{found['vectors']} known answers, {found['simulated_cycles']} cycles simulated"


def again(
    does: Callable[[], dict[str, Any]],
    expected: dict[str, Any],
    told: Callable[[dict[str, Any]], str] = _proven,
) -> str:
    """Do a run again: it must find what it found, or fail as it failed.

    Parameters
    ----------
    expected : dict
        What it found, and its `error`.
    told : callable
        Says in words what was found.

    Raises
    ------
    CheckFailed
        Something else comes out.
    """
    error = expected.pop("error")
    try:
        # As it stands in a record.
        found = msgspec.json.decode(msgspec.json.encode(does()))
    except LyditeError as failure:
        if not _is_told(failure, error):
            raise CheckFailed(error or "a proof", str(failure), "differs: the proof") from failure
        return f"equal: it fails as it did:\n{failure}"
    if error:
        raise CheckFailed(error, "a proof", "differs: the proof")
    for name in found.keys() - set(_TIMES):
        if found[name] != expected.get(name):
            raise CheckFailed(str(expected.get(name)), str(found[name]), f"differs: {name}")
    return f"equal: {told(found)}"


def _is_told(failure: LyditeError, error: str) -> bool:
    """Say whether a record's error tells of a failure; a job says more of it than a check."""
    if isinstance(failure, CheckFailed):
        return failure.at in error and failure.got in error
    return str(failure).splitlines() == error.splitlines()


def measured(path: Path, expected: dict[str, Any]) -> str:
    """Compare a measurement of software: its answers must be right again; times are told.

    Raises
    ------
    CheckFailed
        A known answer came out wrong.
    """
    answer = msgspec.json.decode(path.read_bytes(), type=Answer)
    if answer.failed is not None:
        raise CheckFailed(*answer.failed)
    assert answer.measured is not None, "it measured, or failed"
    told = []
    for times, before in zip(answer.measured.operations, expected["operations"], strict=True):
        what = f"{expected['long_bytes']} bytes" if times.long_1 else "one block"
        now = times.compared.median_ns
        then = (before["long_1"] or before["block_1"])["median_ns"]
        told.append(f"a call of {what} took {now:.0f} ns, {then:.0f} ns then ({now / then:.2f})")
    return f"equal: its answers; {'; '.join(told)}"


def main(arguments: Sequence[str]) -> int:
    """Do what a script asks, and give the exit code."""
    what, *rest = arguments
    try:
        if what == "same":
            print(same(rest))
        else:
            does = {"prove": prove, "netlist": prove_netlist, "measured": measured}[what]
            print(does(Path(rest[0]), msgspec.json.decode(sys.stdin.buffer.read())))
    except LyditeError as error:
        print(error)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
