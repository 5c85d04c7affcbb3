# SPDX-License-Identifier: Apache-2.0
"""Ranges of the values of a module that is given as text."""

from __future__ import annotations

from lydite.hls.ir import text as ir_text
from lydite.hls.ir.graph import Op
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.signed_ranges import SignedRanges


def ranges_of(text: str) -> tuple[dict[str, Op], SignedRanges]:
    """Give its operations and parameters by their names, and the ranges."""
    module = ir_text.parse_module(text)
    named = {op.name: op for function in module.functions.values() for op in function.ops()}
    named |= {op.name: op for function in module.functions.values() for op in function.params}
    return named, SignedRanges(module, KnownBits(module))
