# SPDX-License-Identifier: Apache-2.0
"""Runs that take this machine's time, made again: answers must be right, times are told beside."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import msgspec

from lydite.base import proc
from lydite.base.errors import CheckFailed
from lydite.cores import Software
from lydite.runs.kinds import search_bench, sizes, sponge
from lydite.runs.processors import copies, key_search, measuring
from lydite.runs.processors.measuring import Answer
from lydite.runs.processors.software import REQUEST_FILE
from lydite.runs.rerun import Lacking, Made, Rerun, plain

_CORE = "core"


def software(run: Rerun) -> Made:
    """Build a variant again, hold it against known answers, and measure it.

    Raises
    ------
    Lacking
        It did not run there, or failed before it was built.
    CheckFailed
        A known answer came out wrong.
    """
    record, result = run.record, run.result
    if record.status == "failed":
        run.command(record.commands[-1], cwd=_CORE)
        raise Lacking(record.label, "it is built now, and what failed then is not known")
    if not result.get("available"):
        raise Lacking(record.label, "the variant could not be run on that machine")
    library = f"../{result['library']}"
    for path in run.work.glob("*.so"):
        path.unlink()
    for argv in (record.commands[0], *(argv for argv in record.commands if library in argv)):
        run.command(argv, cwd=_CORE)
    request = (run.work / REQUEST_FILE).read_text()
    argv = (sys.executable, "-P", "-m", measuring.__name__)
    output = proc.run(argv, cwd=run.work, stdin=request, name=shlex.quote(library)).checked()
    answer = msgspec.json.decode(output, type=Answer)
    if answer.failed is not None:
        raise CheckFailed(*answer.failed)
    assert answer.measured is not None, "it measured, or failed"
    told = []
    for times, before in zip(answer.measured.operations, result["operations"], strict=True):
        what = f"{result['long_bytes']} bytes" if times.long_1 else "one block"
        now = times.compared.median_ns
        then = (before["long_1"] or before["block_1"])["median_ns"]
        told.append(f"a call of {what} took {now:.0f} ns, {then:.0f} ns then ({now / then:.2f})")
    found = plain(msgspec.to_builtins(answer.measured))
    return Made(found, told=f"its answers; {'; '.join(told)}")


def rate(run: Rerun) -> Made:
    """Measure the rate of a search for keys again; the planted key must be found."""
    variant = copies.kept(key_search.PRIMITIVE, run.inputs["software"], run.work)
    wanted, threads = search_bench.wanted_of(run.inputs), run.inputs["threads"]
    # The states of then are in the work folder: from these nothing would be left to be searched.
    (fresh := run.work / "again").mkdir()
    found = search_bench.rate(variant, wanted, threads, fresh)
    now, then = found["keys_per_s"], run.result["keys_per_s"]
    told = f"{now / 1e6:.1f} M keys/s, {then / 1e6:.1f} then ({now / then:.2f})"
    return Made(plain(found), told=f"the planted key is found; {told}")


def over_sizes(run: Rerun) -> Made:
    """Measure software on messages of some sizes again; digests must be the same."""
    inputs, primitive = run.inputs, str(run.inputs["primitive"])
    reference, *variants = (
        copies.kept(primitive, one, run.work) for one in (inputs["reference"], *inputs["variants"])
    )
    asked = (inputs["operation"], variants, inputs["sizes"], reference)
    found = plain(sizes.result(sizes.measure(primitive, *asked)))
    if not found["available"]:
        return Made(found, told="what the variant calls is not here")
    now, then = (one["sizes"][-1] for one in (found, run.result))
    ratio = now["median_ns"] / then["median_ns"]
    times = f"{now['median_ns']:.0f} ns, {then['median_ns']:.0f} ns then ({ratio:.2f})"
    return Made(found, told=f"its digests; {now['bytes']} bytes took {times}")


def sponge_on_cpu(run: Rerun) -> Made:
    """Run a speed test of the sponge action on processors again."""
    test, variants = _test(run)
    measured = sponge.on_cpu(test, run.inputs["threads"], variants=variants)
    found = plain(msgspec.to_builtins(measured))
    now, then = found["seconds"], run.result["seconds"]
    return Made(found, told=f"its checksum; {now:.2f} s, {then:.2f} s then ({now / then:.2f})")


def sponge_simulated(run: Rerun) -> Made:
    """Run a speed test of the sponge action in simulation again; it has no times."""
    test, variants = _test(run)
    found = sponge.simulate(run.design(), test, variants)
    told = f"checksum {found.checksum}, {found.cycles} cycles"
    return Made(plain(msgspec.to_builtins(found)), told=told)


def _test(run: Rerun) -> tuple[sponge.SpeedTest, list[Software]]:
    inputs: Any = run.inputs
    test = sponge.SpeedTest(**inputs["test"])
    return test, [copies.kept(sponge.PRIMITIVE, one, run.work) for one in inputs["variants"]]
