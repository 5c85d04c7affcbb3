#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shrink a wrong program by lines, blocks and expressions while it is wrong in the same way.

    python tests/hls_fuzz/reduce.py own_17.c --kind own --seed 17 --output small.c

Each smaller program must compile and run natively under clang's UndefinedBehaviorSanitizer, so that
it does not become wrong by itself.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import check
import fuzz

from lydite.hls.contract.options import Options
from lydite.tools import compiler

SANITIZE = (
    *("-O1", "-fwrapv", "-target", "x86_64-linux-musl", "-fsanitize=undefined"),
    *("-Wno-everything", "-Werror=return-type", "-Werror=uninitialized"),
    *("-Werror=sometimes-uninitialized", "-Werror=conditional-uninitialized"),
    *("-fno-sanitize=signed-integer-overflow,shift", "-fsanitize-trap=undefined"),
)


class Judge:
    """Says whether a program is wrong in the same way as the first one."""

    def __init__(self, options: Options, seed: int) -> None:
        self._options = options
        self._suffix = options.sources[0].suffix if options.sources else ".c"
        self._seed = seed
        self.trials = 0
        self.wanted = ""

    def verdict(self, text: str) -> str:
        """Give what is wrong with a program, in a form that shrinking does not change."""
        self.trials += 1
        with tempfile.TemporaryDirectory(prefix="lydite-reduce-") as folder:
            path = Path(folder) / f"p{self._suffix}"
            path.write_text(text)
            if not self._defined(path):
                return "undefined"
            options = dataclasses.replace(self._options, sources=(path,))
            outcome = check.check(options, Path(folder) / "work", seed=self._seed)
        detail = ""
        if outcome.status == "crash" and outcome.detail.strip():
            lines = outcome.detail.strip().splitlines()
            last = lines[-1] if outcome.stage != "rtl" else lines[min(1, len(lines) - 1)]
            detail = re.sub(r"0x\w+|\d+|%[\w.]+|'[^']*'|/\S+", "", last)[:60]
        if outcome.status == "refused":
            detail = re.sub(r"0x\w+|\d+|%[\w.]+|/\S+", "", outcome.detail.splitlines()[0])[:60]
        return f"{outcome.status} {outcome.stage} {detail}"

    def _defined(self, path: Path) -> bool:
        program = path.with_suffix("")
        argv = [*compiler.zig("c").argv, *SANITIZE, str(path), "-o", str(program)]
        argv += [f"-std={self._options.std}"] if self._options.std else []
        argv += [f"-I{folder}" for folder in self._options.include_dirs]
        try:
            if subprocess.run(argv, capture_output=True, timeout=60, check=False).returncode:
                return False
            done = subprocess.run([str(program)], capture_output=True, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode >= 0

    def same(self, text: str) -> bool:
        """Whether a program is wrong as wanted."""
        return self.verdict(text) == self.wanted


def matching(lines: list[str], start: int) -> int | None:
    """Give the line that closes the brace which a line opens."""
    depth = 0
    for number in range(start, len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number if number > start else None
    return None


def by_lines(text: str) -> Iterator[str]:
    """Give programs with lines left out: blocks, then runs of 16, 8, 4, 2, 1."""
    lines = text.splitlines()
    for start in range(len(lines)):
        end = matching(lines, start)
        if end is not None:
            yield "\n".join(lines[:start] + lines[end + 1 :]) + "\n"
            yield "\n".join(lines[:start] + lines[start + 1 : end] + lines[end + 1 :]) + "\n"
    for size in (16, 8, 4, 2, 1):
        for start in range(0, len(lines), size):
            yield "\n".join(lines[:start] + lines[start + size :]) + "\n"


def by_groups(text: str) -> Iterator[str]:
    """Give programs with a bracketed expression replaced by 0, 1 or a part of itself."""
    opened: list[int] = []
    groups = []
    for at, char in enumerate(text):
        if char == "(":
            opened.append(at)
        elif char == ")" and opened:
            groups.append((opened.pop(), at + 1))
    groups.sort(key=lambda group: group[0] - group[1])
    for start, end in groups:
        if end - start < 4:
            continue
        inner = [g for g in groups if start < g[0] and g[1] < end][:4]
        for new in ("0", "1", *(text[a:b] for a, b in inner)):
            yield text[:start] + new + text[end:]
    for match in re.finditer(r"\b(?:0x[0-9a-f]+|\d{2,})(?:ULL|u)?\b", text):
        for new in ("0", "1", "2"):
            yield text[: match.start()] + new + text[match.end() :]


def reduce(text: str, judge: Judge, deadline: float) -> str:
    """Shrink until nothing helps or time is up."""
    judge.wanted = judge.verdict(text)
    print("wanted:", judge.wanted)
    if judge.wanted.startswith(("pass", "undefined", "skipped")):
        raise SystemExit(f"nothing to shrink: {judge.wanted}")
    progress = True
    while progress:
        progress = False
        for step in (by_lines, by_groups):
            again = True
            while again and time.monotonic() < deadline:
                again = False
                for smaller in step(text):
                    if time.monotonic() > deadline:
                        break
                    if len(smaller) < len(text) and judge.same(smaller):
                        text, again, progress = smaller, True, True
                        break
    return text


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="shrink a wrong program")
    parser.add_argument("program", type=Path)
    parser.add_argument("--kind", default="own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=5)
    args = parser.parse_args()
    options = fuzz.options_of(args.kind, args.seed, args.program)
    judge = Judge(options, args.seed)
    text = reduce(args.program.read_text(), judge, time.monotonic() + 60 * args.minutes)
    args.output.write_text(text)
    print(f"{judge.trials} trials, {text.count(chr(10))} lines in {args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
