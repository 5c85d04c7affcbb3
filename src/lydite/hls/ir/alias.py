# SPDX-License-Identifier: Apache-2.0
"""Which indices into one memory are surely different."""

from __future__ import annotations

from lydite.hls.ir.graph import Op


def differ(first: Op, second: Op) -> bool:
    """Whether two indices are never equal: constants, or one value plus different constants."""
    base, offset = _split(first)
    other_base, other_offset = _split(second)
    return base is other_base and first.width == second.width and offset != other_offset


def _split(index: Op) -> tuple[Op | None, int]:
    if index.kind == "const":
        return None, index.attr
    if index.kind == "add" and index.args[1].kind == "const":
        return index.args[0], index.args[1].attr
    return index, 0
