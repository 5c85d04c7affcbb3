#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differential fuzzing of the HLS compiler: native run against interpreter against hardware.

    python tests/hls_fuzz/fuzz.py --seeds 1..500 --minutes 4 --jobs 2 --json summary.json

Programs come from csmith (Debian packages csmith, libcsmith-dev; only if installed) and from our
own generator, which aims at widths, memories, pointers and control flow; the kinds `pipe` and
`calls` are of these, with directives that make pipelines of loops, or of the top function, `units`
with limits of units in them, too (`pipes`); those of `rewind` are mostly one loop that does not
drain between calls. Target clock and family of each program follow from its seed. Exit status: 0
if nothing was wrong, 1 if something was, 2 if no program was checked. Wrong programs are kept in
the folder given by `--keep`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import pipes
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection, wait
from pathlib import Path

import array_programs
import beside_programs
import branch_programs
import burst_programs
import byte_programs
import check
import claim_programs
import cxx_programs
import dataflow_programs
import directive_programs
import generate
import macro_programs
import module_programs
import struct_programs

from lydite.hls.contract import rtl_macro
from lydite.hls.contract.effort import EFFORTS, Effort
from lydite.hls.contract.options import Options

CLOCKS_NS = (2.0, 3.3, 5.0, 8.0, 10.0, 16.0, 25.0, 50.0)
TARGETS = ("ecp5", "ecp5", "ice40")
CSMITH_INCLUDE = Path("/usr/include/csmith")
# Left out: volatile accesses, since what they mean without a bus is not defined; argc, since
# hardware has no command line. All else of csmith is in: unions, bit-fields, packed structs, goto,
# pointers to pointers, 64-bit arithmetic.
CSMITH = ("--no-argc", "--no-volatiles", "--no-volatile-pointers", "--concise")
PROGRAM_S = 240.0


def csmith_program(seed: int, folder: Path) -> str:
    """Give a csmith program whose checksum is what its top function returns.

    csmith itself leaves a file in the folder.
    """
    rng = random.Random(f"lydite csmith {seed}")
    sizes = {
        "--max-funcs": rng.choice((1, 2, 3, 5)),
        "--max-block-depth": rng.choice((2, 3, 4)),
        "--max-block-size": rng.choice((2, 3, 4)),
        "--max-expr-complexity": rng.choice((3, 5, 10)),
        "--max-array-len-per-dim": rng.choice((4, 8, 10)),
        "--max-pointer-depth": rng.choice((1, 2, 2)),
    }
    more = [word for pair in sizes.items() for word in map(str, pair)]
    if rng.random() < 0.3:
        more.append("--no-packed-struct")
    argv = ["csmith", "--seed", str(seed), *CSMITH, *more]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    text = done.stdout
    text = check.verdict_returned(text)
    if rng.random() < 0.7:
        text = opaque(text)
    return text


def opaque(text: str) -> str:
    """Make csmith's main a function `top` whose argument, 0, the compiler cannot know.

    All globals go through it, or LLVM would run half of the program at compile time.
    """
    scalar = r"^static (?:const )?u?int(?:8|16|32|64)_t (g_\d+)((?:\[\d+\])*) = "
    lines = [
        f"    {name}{re.sub(r'[0-9]+', '0', brackets)} ^= opaque;"
        for line in text.splitlines()
        if not line.startswith("static const") and "const g_" not in line
        for name, brackets in re.findall(scalar, line)
    ]
    body = "\n".join(lines)
    text = text.replace("int main (void)\n{", "int top (uint32_t opaque)\n{", 1)
    text = text.replace("    crc32_gentab();\n", f"    crc32_gentab();\n{body}\n", 1)
    return text + "\nint main (void)\n{\n    return top(0) == 0;\n}\n"


_WRITERS = {
    "own": generate.program,
    "beside": beside_programs.program,
    "bursts": burst_programs.program,
    "pipe": pipes.program,
    "calls": pipes.calls,
    "units": pipes.units,
    "rewind": pipes.rewinds,
    "directives": directive_programs.program,
    "branches": branch_programs.program,
    "dataflow": dataflow_programs.program,
    "modules": module_programs.program,
    "arrays": array_programs.program,
    "bytes": byte_programs.program,
    "structs": struct_programs.program,
    "claims": claim_programs.program,
    "macros": macro_programs.program,
    "cxx": cxx_programs.program,
}
# Kinds in some programs of which the top function is pipelined.
_WHOLE = {
    "modules": module_programs.is_whole,
    "arrays": array_programs.is_whole,
    "claims": claim_programs.is_whole,
    "macros": macro_programs.is_whole,
}


def overlaps(kind: str, seed: int) -> bool:
    """Whether calls of a program's top function overlap."""
    if kind in _WHOLE:
        return _WHOLE[kind](seed)
    return kind in ("calls", "rewind") or (kind == "units" and pipes.is_of_calls(seed))


def options_of(kind: str, seed: int, path: Path, effort: Effort = "area") -> Options:
    """Choose what a program is compiled for."""
    rng = random.Random(f"lydite fuzz options {kind} {seed}")
    whole = rng.random() < 0.25 or (kind == "csmith" and "int top (" not in path.read_text())
    whole &= kind not in ("dataflow", *_WHOLE) and not overlaps(kind, seed)
    beside = path.with_suffix(".toml")
    return Options(
        sources=(path,),
        top="main" if whole else "top",
        clock_ns=rng.choice(CLOCKS_NS),
        target=rng.choice(TARGETS),
        include_dirs=(CSMITH_INCLUDE,) if kind == "csmith" else (),
        std="" if kind == "csmith" else "c++20" if path.suffix == ".cpp" else "c23",
        macros=rtl_macro.load(beside) if beside.exists() else (),
        effort=effort,
    )


def files_of(kind: str, seed: int) -> dict[str, str]:
    """Give the files of a program of ours, by what their names end with; the source is first."""
    made = _WRITERS[kind](seed)
    return made if isinstance(made, dict) else {".c": made}


def write_program(kind: str, seed: int, folder: Path) -> Path:
    """Write the program of a seed into a folder, and give the source."""
    folder.mkdir(parents=True, exist_ok=True)
    own = kind in _WRITERS
    files = files_of(kind, seed) if own else {".c": csmith_program(seed, folder)}
    for suffix, text in files.items():
        (folder / f"{kind}_{seed}{suffix}").write_text(text)
    return folder / f"{kind}_{seed}{next(iter(files))}"


def one(
    kind: str, seed: int, folder: Path, passed: str, effort: Effort = "area"
) -> dict[str, object]:
    """Check the program of a seed, unless its hardware is what `passed` is the digest of."""
    path = write_program(kind, seed, folder)
    options = options_of(kind, seed, path, effort)
    # Verilator for power-up values at random and calls that overlap, Icarus for the time that it
    # saves.
    simulator = "verilator" if seed % 16 == 0 or overlaps(kind, seed) else "icarus"
    outcome = check.check(options, folder / "work", seed=seed, simulator=simulator, passed=passed)
    return {
        "kind": kind,
        "seed": seed,
        "top": options.top,
        "clock_ns": options.clock_ns,
        "target": options.target,
        "lines": path.read_text().count("\n"),
        **outcome.as_json(),
    }


def _child(
    kind: str, seed: int, folder: Path, passed: str, effort: Effort, pipe: Connection
) -> None:
    os.setpgid(0, 0)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    pipe.send(one(kind, seed, folder, passed, effort))
    pipe.close()


class Pool:
    """Runs programs in processes of their own, since any of them may crash or hang the compiler."""

    def __init__(
        self,
        jobs: int,
        root: Path,
        keep: Path | None,
        passed: Mapping[tuple[str, int], str],
        effort: Effort = "area",
    ) -> None:
        self._passed = passed
        self._effort = effort
        self._jobs = jobs
        self._root = root
        self._keep = keep
        self._context = multiprocessing.get_context("fork")
        self._running: dict[Connection, tuple[object, float, str, int, Path]] = {}

    def run(self, work: Iterator[tuple[str, int]], deadline: float) -> Iterator[dict[str, object]]:
        """Give outcomes as they come."""
        exhausted = False
        while True:
            while not exhausted and len(self._running) < self._jobs:
                item = next(work, None)
                if item is None or time.monotonic() > deadline:
                    exhausted = True
                    break
                self._start(*item)
            if not self._running:
                return
            ready = wait(list(self._running), timeout=1.0)
            now = time.monotonic()
            for pipe in list(self._running):
                if pipe in ready or now - self._running[pipe][1] > PROGRAM_S:
                    yield self._finish(pipe, late=pipe not in ready)

    def _start(self, kind: str, seed: int) -> None:
        receive, send = self._context.Pipe(duplex=False)
        folder = Path(tempfile.mkdtemp(dir=self._root))
        passed = self._passed.get((kind, seed), "")
        given = (kind, seed, folder, passed, self._effort, send)
        process = self._context.Process(target=_child, args=given)
        process.start()
        send.close()
        self._running[receive] = (process, time.monotonic(), kind, seed, folder)

    def _finish(self, pipe: Connection, *, late: bool) -> dict[str, object]:
        process, _, kind, seed, folder = self._running.pop(pipe)
        result: dict[str, object] = {"kind": kind, "seed": seed, "stage": "", "detail": ""}
        if late:
            result |= {"status": "crash", "detail": f"not done after {PROGRAM_S:.0f} s"}
            os.killpg(process.pid, 9)  # type: ignore[attr-defined]
        else:
            try:
                result = pipe.recv()
            except EOFError:
                result |= {"status": "crash", "detail": "the process died"}
        process.join()  # type: ignore[attr-defined]
        pipe.close()
        if self._keep and result["status"] in ("mismatch", "crash"):
            self._keep.mkdir(parents=True, exist_ok=True)
            for source in folder.glob(f"{kind}_{seed}[._]*"):
                shutil.copy(source, self._keep)
            (self._keep / f"{kind}_{seed}.json").write_text(json.dumps(result, indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        return result


def seeds_of(text: str, kinds: list[str]) -> Iterator[tuple[str, int]]:
    """Give (kind, seed) for seeds `A..B`, kinds by turns."""
    first, _, last = text.partition("..")
    for seed in range(int(first), int(last or first) + 1):
        for kind in kinds:
            yield kind, seed


def passed_before(log: Path | None) -> dict[tuple[str, int], str]:
    """Read from the log of another run which hardware passed."""
    if log is None:
        return {}
    results = [json.loads(line) for line in log.read_text().splitlines()]
    return {(r["kind"], r["seed"]): r["hardware"] for r in results if r["status"] == "pass"}


def summarise(results: list[dict[str, object]], seconds: float) -> dict[str, object]:
    """Count what happened."""
    counts = Counter(f"{r['kind']} {r['status']}" for r in results)
    refusals = Counter(
        re.sub(r"^\S+?:\d+: |[\w./]*/|\b[gl]_\d+\b|\b\d+\b", "", str(r["detail"]).splitlines()[0])
        for r in results
        if r["status"] == "refused"
    )
    undone = Counter(
        re.sub(r"(any of ).*(, so)", r"\1several\2", text)
        for r in results
        for text in r.get("undone", ())  # type: ignore[attr-defined]
    )
    return {
        "programs": len(results),
        "counts": dict(sorted(counts.items())),
        "simulators": dict(Counter(str(r.get("simulator", "")) for r in results)),
        "calls": sum(int(str(r.get("calls", 0))) for r in results),
        "cycles": sum(int(str(r.get("cycles", 0))) for r in results),
        "seconds": round(seconds, 1),
        "refusals": dict(refusals.most_common(30)),
        "undone": dict(undone.most_common(30)),
        "wrong": [r for r in results if r["status"] in ("mismatch", "crash")],
    }


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seeds", default="1..100", help="A..B, both included")
    parser.add_argument(
        "--minutes", type=float, default=1e9, help="start no program after this time"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--kinds",
        default="own,csmith",
        help=f"of csmith, {', '.join(_WRITERS)}",
    )
    parser.add_argument("--json", type=Path, help="file for the summary")
    parser.add_argument("--keep", type=Path, help="folder for wrong programs")
    parser.add_argument("--log", type=Path, help="file for one line of JSON a program")
    parser.add_argument(
        "--known", type=Path, help="log of a run before: hardware that passed is not run again"
    )
    parser.add_argument("--effort", choices=EFFORTS, default="area", help="of the compiler")
    args = parser.parse_args()
    known = passed_before(args.known)
    kinds = args.kinds.split(",")
    if "csmith" in kinds and not (shutil.which("csmith") and CSMITH_INCLUDE.is_dir()):
        print("csmith is not installed: own programs only", file=sys.stderr)
        kinds.remove("csmith")
    start = time.monotonic()
    results = []
    with tempfile.TemporaryDirectory(prefix="lydite-fuzz-") as root:
        os.environ.setdefault("LYDITE_CACHE", str(Path(root) / "cache"))
        pool = Pool(args.jobs, Path(root), args.keep, known, args.effort)
        work = seeds_of(args.seeds, kinds)
        for result in pool.run(work, start + 60 * args.minutes):
            results.append(result)
            if args.log:
                with args.log.open("a") as log:
                    log.write(json.dumps(result) + "\n")
            if result["status"] in ("mismatch", "crash"):
                last = str(result["detail"]).strip().splitlines()[-1:]
                print(result["kind"], result["seed"], result["status"], result["stage"], *last)
                sys.stdout.flush()
    summary = summarise(results, time.monotonic() - start)
    text = json.dumps(summary, indent=1)
    if args.json:
        args.json.write_text(text + "\n")
    print(json.dumps({k: v for k, v in summary.items() if k != "wrong"}, indent=1))
    if not results:
        return 2
    return 1 if summary["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
