#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Digests of the Verilog of all examples, kernels and random programs: what a change left alone.

    python bench/hls_digests.py before.json                   # in a checkout of the state before
    python bench/hls_digests.py after.json --beside before.json

A change that only moves the compiler's own code about must leave every digest as it was. Whatever
differs is named; the exit status is 1 then. Random programs are those of the fuzzer's kinds, by
turns; a program that is refused has the digest of its refusal.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from lydite import hls
from lydite.base import InputError, digest
from lydite.base.files import write_atomic
from lydite.hls import Options

ROOT = Path(__file__).parents[1]
FUZZ = ROOT / "tests" / "hls_fuzz"
KINDS = (
    *("own", "directives", "branches", "pipe", "calls", "units"),
    *("rewind", "dataflow", "modules"),
)


def examples() -> Iterator[tuple[str, Options]]:
    """Give the programs of `examples/hls`, and the kernels with directives."""
    folder = Path("examples") / "hls"
    for name, entry in sorted(tomllib.loads((folder / "index.toml").read_text()).items()):
        sources = tuple(folder / source for source in entry["sources"])
        yield f"hls/{name}", Options(sources=sources, top=entry["top"])
    quality = importlib.import_module("hls_quality")
    folder = Path("examples") / "quality"
    for name, kernel in sorted(quality.kernels(folder).items()):
        yield f"quality/{name}", quality.options(kernel, "ecp5", folder)


def random_programs(count: int) -> Iterator[tuple[str, Options]]:
    """Give so many programs of the fuzzer's kinds, by turns."""
    sys.path.insert(0, str(FUZZ))
    fuzz = importlib.import_module("fuzz")
    for number in range(count):
        kind, seed = KINDS[number % len(KINDS)], 1 + number // len(KINDS)
        path = fuzz.write_program(kind, seed, Path())
        yield f"random/{kind}_{seed}", fuzz.options_of(kind, seed, path)


def made(options: Options) -> str:
    """Give the digest of the files that the compiler makes, or of its refusal."""
    try:
        compiled = hls.compile(options)
    except InputError as error:
        return f"refused {digest.of_value(error.what)}"
    return digest.of_value([[file.name, file.text] for file in compiled.files])


def main() -> int:
    """Write all digests; compare them, if asked."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="where to write the digests, as JSON")
    parser.add_argument("--random", type=int, default=300, metavar="N", help="random programs")
    parser.add_argument("--beside", type=Path, metavar="FILE", help="digests to compare with")
    arguments = parser.parse_args()
    found: dict[str, str] = {}
    # Verilog names sources as they were given: relative, so that it is the same in every checkout.
    with tempfile.TemporaryDirectory(prefix="lydite-digests-") as folder:
        for home, programs in ((ROOT, examples()), (folder, random_programs(arguments.random))):
            with contextlib.chdir(home):
                for name, options in programs:
                    found[name] = made(options)
                    print(f"\r{len(found)} programs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    write_atomic(arguments.file, json.dumps(found, indent=1) + "\n")
    if arguments.beside is None:
        return 0
    before = json.loads(arguments.beside.read_text())
    differ = [name for name in found if before.get(name) != found[name]]
    for name in differ:
        print(f"differs: {name}")
    print(f"{len(found) - len(differ)} of {len(found)} programs have the same Verilog")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
