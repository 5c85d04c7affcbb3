# SPDX-License-Identifier: Apache-2.0
"""Candidates of NIST's SHA-3 contest: which there are, and their specifications."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from lydite.cores import Primitive, catalog

CANDIDATES = [
    primitive
    for primitive in catalog.primitives()
    if any(entry.format == "contest" for entry in primitive.kat_files)
]
# Names of those that are there of the second round and of the final one.
FINAL = {
    "blake-32": "blake-256",
    "jh-256": "jh-256-r3",
    "keccak-256": "keccak-256-r3",
    "skein-512-256": "skein-512-256-r3",
}
Function = Callable[[bytes], bytes]


def function_of(primitive: Primitive, which: str) -> Function | None:
    """Give the specification of a candidate, or its quick twin; None where there is none."""
    reference = getattr(primitive.operation("hash"), which)
    if not reference:
        return None
    file, _, name = reference.partition(":")
    module = f"lydite.cores.{primitive.folder.name}.{file.removesuffix('.py')}"
    function: Function = getattr(importlib.import_module(module), name)
    return function
