# SPDX-License-Identifier: Apache-2.0
"""`lydite run-action`: the sponge action of the CAPI SNAP education series, with its options."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydite.base.errors import InputError
from lydite.cli import common, output, running

if TYPE_CHECKING:
    from lydite.cores import Design

_HELP = "run the sponge action: chains of Keccak, checks of SHA-3 and SHAKE, CRC-32, Adler-32"
_CHOICES = ("SPEED", "SHA3", "SHAKE", "SHA3_SHAKE")
_CHECKSUMS = {"CRC32": "crc-32", "ADLER32": "adler-32"}
# Options of the speed test, which nothing else reads, with what they are unless they are told.
_NUMBERS = {"nb_elmts": 1, "freq": 65536, "runs": 65536, "rounds": 100_000}
# Of a file that goes through a simulated core, word by word.
_SIMULATED_BYTES = 1 << 26
_TELL_S = 1.0


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("run-action", help=_HELP, description=_HELP + ".")
    command.add_argument("action", choices=("sponge",), help="the action")
    command.add_argument(
        "--mode",
        "-m",
        choices=("SPONGE", *_CHECKSUMS),
        default="SPONGE",
        help="what it does (default: %(default)s)",
    )
    command.add_argument(
        "--choice",
        "-c",
        choices=_CHOICES,
        help="of SPONGE: the speed test, or known answers (default: SPEED)",
    )
    numbers = (
        ("nb_elmts", "-n", "a run counts if this is above its number modulo --freq"),
        ("freq", "-f", "see --nb-elmts"),
        ("runs", None, "runs, NB_TEST_RUNS of the document"),
        ("rounds", None, "permutations of a run, NB_ROUNDS of the document"),
    )
    for name, short, what in numbers:
        command.add_argument(
            *(_option(name), *([short] if short else [])),
            type=common.whole,
            metavar="N",
            help=f"of SPEED: {what} (default: {_NUMBERS[name]})",
        )
    command.add_argument(
        "--config",
        choices=("cpu", "sim"),
        default="cpu",
        help="on this processor, or on the core, simulated: it must give the same "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--source",
        choices=("verilog", "c"),
        help="what the simulated core is made of (default: verilog)",
    )
    command.add_argument(
        "--threads",
        "-x",
        type=common.whole,
        metavar="N",
        help=f"of SPEED on processors: threads (default: all, {len(os.sched_getaffinity(0))})",
    )
    command.add_argument(
        "--slices",
        type=common.whole,
        metavar="N",
        help="engines of the simulated core (default: 1)",
    )
    command.add_argument("--input", "-i", type=Path, metavar="FILE", help="of CRC32 and ADLER32")
    command.add_argument("--json", action="store_true", help="print JSON; errors, too")
    common.add_store(command)
    command.set_defaults(run=run, cluster=None, jobs=None, workers=None)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.runs.kinds import sponge

    if arguments.threads is not None:
        common.check_threads(arguments.threads)
    slices = 1 if arguments.slices is None else arguments.slices
    design = sponge.action(slices, from_c=arguments.source == "c")
    _check_belongs(arguments)
    if arguments.mode in _CHECKSUMS:
        if arguments.input is None:
            raise InputError("--input", "missing", f"{arguments.mode} is of a file")
        return _show(arguments, _checksum(arguments, design))
    if arguments.input is not None:
        raise InputError("--input", "SPONGE reads nothing", "leave it out, or name another --mode")
    if _choice(arguments) != "SPEED":
        return _show(arguments, _answers(arguments, design))
    given = {name: getattr(arguments, name) for name in _NUMBERS}
    test = sponge.SpeedTest(
        **{n: _NUMBERS[n] if value is None else value for n, value in given.items()}
    )
    if arguments.config == "sim":
        import msgspec

        design = _compiled(arguments, design)
        return _show(arguments, msgspec.to_builtins(sponge.simulate(design, test)))
    return _show(arguments, _on_cpu(test, arguments.threads or len(os.sched_getaffinity(0))))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _choice(arguments: argparse.Namespace) -> str:
    return arguments.choice or "SPEED"


def _check_belongs(arguments: argparse.Namespace) -> None:
    """Refuse options that nothing would read of what is to be run."""
    simulated = arguments.config == "sim"
    sponge = arguments.mode not in _CHECKSUMS
    speed = sponge and _choice(arguments) == "SPEED"
    rules = (
        (("source", "slices"), simulated, "is of the simulated core", "--config sim"),
        (("choice",), sponge, f"is of SPONGE, not of {arguments.mode}", "leave it out"),
        (tuple(_NUMBERS), speed, "is of the speed test", "--mode SPONGE --choice SPEED"),
        (
            ("threads",),
            speed and not simulated,
            "is of the speed test on processors",
            "--mode SPONGE --choice SPEED --config cpu",
        ),
    )
    for names, belongs, what, hint in rules:
        for name in names:
            if not belongs and getattr(arguments, name) is not None:
                raise InputError(_option(name), what, hint)


def _simulated(arguments: argparse.Namespace, design: Design) -> Design | None:
    """Give the design that is to be simulated, if one is."""
    return _compiled(arguments, design) if arguments.config == "sim" else None


def _compiled(arguments: argparse.Namespace, design: Design) -> Design:
    """Give a design in Verilog; C is compiled, or was before."""
    from lydite.runs.kinds import compilation

    if design.hls is None:
        return design
    job = compilation.Compile(design)
    with running.open_store(arguments) as store:
        record = running.execute([job], store, arguments)[job.key]
        if record.status != "ok":
            raise InputError("--source c", record.error, "see `lydite hls`")
        return compilation.compiled(design, record, store)


def _on_cpu(test: Any, threads: int) -> dict[str, Any]:
    import msgspec

    from lydite.runs.kinds import sponge

    teller = _Teller(test.permutations)
    found = msgspec.to_builtins(sponge.on_cpu(test, threads, teller))
    found["permutations_per_s"] = found["permutations"] / found["seconds"]
    return dict(found)


class _Teller:
    """Says on stderr how far a test is: each second on a terminal, else each minute."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._every = _TELL_S if sys.stderr.isatty() else 60 * _TELL_S
        self._next = time.monotonic() + self._every

    def __call__(self, done: int, seconds: float) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._every
        left = seconds * (self._total - done) / done
        line = (
            f"{100 * done / self._total:.1f} % of {self._total} permutations, "
            f"{done / seconds / 1e6:.1f} M/s, {left:.0f} s left"
        )
        end = "\r" if sys.stderr.isatty() else "\n"
        print(f"{line:<78}", end=end, file=sys.stderr, flush=True)


def _checksum(arguments: argparse.Namespace, design: Design) -> dict[str, Any]:
    from lydite.runs.processors import checks

    path = arguments.input
    try:
        message = path.read_bytes()
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from error
    name = _CHECKSUMS[arguments.mode]
    if arguments.config == "sim" and len(message) > _SIMULATED_BYTES:
        what = f"{len(message)} bytes are too many to simulate"
        raise InputError(str(path), what, f"at most {_SIMULATED_BYTES}")
    return checks.checksum(name, message, on=_simulated(arguments, design))


def _answers(arguments: argparse.Namespace, design: Design) -> dict[str, Any]:
    from lydite.runs.processors import checks

    wanted = _choice(arguments).lower().split("_")
    return checks.known_answers(wanted, on=_simulated(arguments, design))


def _show(arguments: argparse.Namespace, found: dict[str, Any]) -> int:
    if arguments.json:
        output.show_json("run-action", **found)
        return 0
    for name, value in found.items():
        shown = f"{value:.4g}" if isinstance(value, float) else value
        print(f"{name:<20}{shown}")
    return 0
