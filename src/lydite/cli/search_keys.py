# SPDX-License-Identifier: Apache-2.0
"""`lydite search-keys`: keys of DES in a range, under known plaintext and ciphertext."""

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
    from lydite.runs.processors.key_search import Progress, Wanted

_HELP = "search a range of keys of DES for those of known plaintext and ciphertext"
_BLOCK_BYTES = 8
# What simulation does in a minute or so.
_SIMULATED_KEYS = 1 << 22
_TELL_S = 1.0


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "search-keys",
        help=_HELP,
        description=_HELP + ": on the processor, on all threads. Keys are in the order of their "
        "bits without parity, which is not looked at; those found have odd parity. A search that "
        "is ended goes on where it was with the same command.",
    )
    for name, what in (("pt", "plaintext"), ("ct", "ciphertext")):
        command.add_argument(f"--{name}", required=True, metavar="HEX", help=f"{what}, 8 bytes")
        command.add_argument(
            f"--{name}2", metavar="HEX", help=f"{what} of a second pair, against chance hits"
        )
    command.add_argument("--from", dest="first", default="00" * 8, metavar="HEX", help="first key")
    command.add_argument("--to", dest="last", default="ff" * 8, metavar="HEX", help="last key")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--cpu", action="store_true", help="on the processor (default)")
    where.add_argument(
        "--engines",
        type=common.whole,
        metavar="N",
        help="also on so many engines of the core des-search/rtl, simulated: at most "
        f"{_SIMULATED_KEYS} keys; it must find what the processor finds",
    )
    command.add_argument(
        "--target",
        metavar="T",
        help="with --engines: also place and route them whole on this part, once proven, one seed, "
        "and say what the range takes at that clock; see `lydite list targets`",
    )
    command.add_argument(
        "--threads",
        type=common.whole,
        default=len(os.sched_getaffinity(0)),
        metavar="N",
        help="threads (default: all processors, %(default)s)",
    )
    command.add_argument("--all", action="store_true", help="all keys, not only the lowest one")
    command.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="where it says how far it is (default: in the cache folder, by what is searched)",
    )
    common.add_execution(command, does="search", local="--threads")
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.base.files import check_writable
    from lydite.cores.des import spec
    from lydite.runs.clusters import key_cluster
    from lydite.runs.processors import key_search, libraries
    from lydite.runs.processors.software import cpu_features

    common.check_execution(arguments)
    wanted = _wanted(arguments)
    design = _design(arguments)
    common.check_threads(arguments.threads)
    state = arguments.state or _state(wanted, every=arguments.all)
    check_writable(state)
    software = key_search.variant(cpu_features())
    search = key_search.Search(wanted, state, every=arguments.all)
    search.load()
    workers: key_search.Workers
    if arguments.cluster is None:
        workers = key_search.Threads(libraries.load(software), arguments.threads)
        told = _Teller(software.name)
    else:
        workers = key_cluster.Cluster(arguments.cluster, arguments.threads)
        told = _Teller(f"{workers.many} threads of workers")
    keys = search.run(workers, told)
    if arguments.state is None:
        state.unlink(missing_ok=True)
    found: dict[str, object] = {
        "keys": [key.hex() for key in keys],
        "first": spec.key_of(wanted.first).hex(),
        "last": spec.key_of(wanted.last).hex(),
        "variant": software.name if arguments.cluster is None else arguments.cluster,
        "threads": workers.many,
        "searched": told.last.now if told.last else 0,
        "seconds": told.last.seconds if told.last else 0.0,
    }
    if arguments.engines is not None:
        found["simulated"] = _simulate(arguments.engines, wanted, keys)
    placed, code = _place(arguments, design, wanted) if arguments.target else (None, 0)
    if placed:
        found["placed"] = placed
    if arguments.json:
        output.show_json("search-keys", **found)
        return code
    for key in keys:
        print(key.hex())
    if not keys:
        print(f"no key from {found['first']} to {found['last']}")
    if placed:
        print(
            f"{placed['engines']} engines on {placed['target']}: {placed['core_mhz']:.1f} MHz when "
            f"placed and routed, {placed['keys_per_s'] / 1e6:.0f} M keys/s; this range takes "
            f"{placed['seconds']:.3g} s"
        )
    return code


def _wanted(arguments: argparse.Namespace) -> Wanted:
    from lydite.cores.des import spec
    from lydite.runs.processors.key_search import Wanted

    if (arguments.pt2 is None) != (arguments.ct2 is None):
        lacking = "--pt2" if arguments.pt2 is None else "--ct2"
        raise InputError(lacking, "missing", "a pair is a plaintext and its ciphertext")
    pair = _block("--pt", arguments.pt), _block("--ct", arguments.ct)
    second = pair
    if arguments.pt2 is not None:
        second = _block("--pt2", arguments.pt2), _block("--ct2", arguments.ct2)
    first = spec.number_of(_block("--from", arguments.first))
    last = spec.number_of(_block("--to", arguments.last))
    if first > last:
        what = f"{arguments.last} comes before --from {arguments.first}"
        raise InputError("--to", what, "a range is from its first to its last key")
    # Before the search, which may take long.
    if arguments.engines not in (None, 1, 2, *range(4, 65, 4)):
        what = f"must be 1, 2 or a multiple of 4 up to 64, not {arguments.engines}"
        raise InputError("--engines", what)
    if arguments.engines is not None and last - first >= _SIMULATED_KEYS:
        what = f"{last - first + 1} keys are too many to simulate"
        raise InputError("--engines", what, f"at most {_SIMULATED_KEYS}")
    return Wanted(first, last, (*pair, *second))


def _design(arguments: argparse.Namespace) -> Design | None:
    """Give the design of so many engines.

    Raises
    ------
    InputError
        A target is named without engines, there is none of that name, or no such design.
    """
    from lydite import targets
    from lydite.cores import catalog

    if arguments.target is None:
        return None
    if arguments.engines is None:
        raise InputError("--target", "needs --engines", "how many are to be placed")
    targets.find(arguments.target)
    name = "rtl" if arguments.engines == 1 else f"rtl-{arguments.engines}"
    known = {one.name: one for one in catalog.designs("des-search") if one.hls is None}
    if name not in known:
        what = f"no design of {arguments.engines} engines is proven"
        raise InputError("--engines", what, f"there are: {', '.join(known)}")
    return known[name]


def _block(option: str, text: str) -> bytes:
    try:
        block = bytes.fromhex(text)
    except ValueError:
        raise InputError(option, f"not hexadecimal: {text!r}") from None
    if len(block) != _BLOCK_BYTES:
        raise InputError(option, f"{len(block)} bytes, not {_BLOCK_BYTES}: {text!r}")
    return block


def _state(wanted: Wanted, *, every: bool) -> Path:
    from lydite.sim.build import cache_folder

    return cache_folder() / "searches" / f"{wanted.name(every=every)}.json"


class _Teller:
    """Says on stderr how far a search is: each second on a terminal, else each minute."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = time.monotonic() + _TELL_S
        self.last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        self.last = progress
        ends = progress.done == progress.total
        if time.monotonic() < self._next and not ends:
            return
        terminal = sys.stderr.isatty()
        self._next = time.monotonic() + (_TELL_S if terminal else 60 * _TELL_S)
        line = (
            f"{self._name}: {100 * progress.done / progress.total:.2f} % of {progress.total} keys, "
            f"{progress.keys_per_second / 1e6:.0f} M keys/s, {_duration(progress.left_s)} left"
        )
        end = "\n" if ends or not terminal else "\r"
        print(f"{line:<78}", end=end, file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    days, hours, minutes = whole // 86400, whole // 3600 % 24, whole // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole % 60} s"


def _place(
    arguments: argparse.Namespace, design: Design | None, wanted: Wanted
) -> tuple[dict[str, Any] | None, int]:
    """Prove and place the engines; give what they do on the whole range, and the exit code."""
    from lydite import targets
    from lydite.report.failures import failures
    from lydite.report.implemented import implemented
    from lydite.runs import plan
    from lydite.runs.kinds import testbed as runs

    assert design is not None, "a target comes with engines"
    settings = plan.Settings(targets.find(arguments.target), seeds=1, timeout_s=arguments.timeout_s)
    implementation = runs.implementation(design, settings)
    with running.open_store(arguments) as store:
        records = running.execute(implementation.placements, store, arguments)
    placed = implemented(implementation, records)
    if placed is None:
        for failure in failures(records):
            print(f"lydite: {failure.label}: {failure.error}", file=sys.stderr)
        return None, running.exit_code(records)
    rate = 1e6 * placed.usable_median_mhz * arguments.engines
    found = {
        "engines": arguments.engines,
        "target": settings.target.name,
        "core_mhz": placed.usable_median_mhz,
        "keys_per_s": rate,
        "seconds": (wanted.last - wanted.first + 1) / rate,
    }
    return found, 0


def _simulate(engines: int, wanted: Wanted, keys: tuple[bytes, ...]) -> dict[str, object]:
    """Run the core, which must answer what the processor did, and give its cycles."""
    import msgspec

    from lydite.cores import catalog
    from lydite.cores.des import spec
    from lydite.sim import framing
    from lydite.sim.stream import PATIENCE_CYCLES
    from lydite.sim.verify import open_model

    design = catalog.design("des-search", "rtl")
    design = msgspec.structs.replace(design, parameters={"ENGINES": engines})
    job = framing.Job(
        operation=design.primitive.operation("search"),
        inputs=(spec.key_of(wanted.first), spec.key_of(wanted.last), *wanted.pairs),
        outputs=(keys[0] if keys else bytes(8),),
        accepted=bool(keys),
        where="the search",
    )
    with open_model(design) as model:
        silent = PATIENCE_CYCLES + wanted.last - wanted.first
        [cycles] = model.run([framing.call(design, job)], label="the same search", patience=silent)
    return {"engines": engines, "cycles": cycles.last_out + 1 - cycles.first_in}
