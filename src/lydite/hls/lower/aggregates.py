# SPDX-License-Identifier: Apache-2.0
"""Structures and arrays as values: nested tuples of bit vectors."""

from __future__ import annotations

from typing import TypeAlias

from lydite.hls.frontend.llvm_ast import Array, Struct, Type
from lydite.hls.ir.graph import Op

Value: TypeAlias = "Op | tuple[Value, ...]"


def fields(type_: Struct | Array) -> list[Type]:
    """Give the types of the parts, in order."""
    if isinstance(type_, Struct):
        return list(type_.fields)
    return [type_.element] * type_.count


def inserted(value: Value, part: Value, indices: tuple[int, ...]) -> Value:
    """Give a value with one part replaced, which each index leads nearer to."""
    if not indices:
        return part
    assert isinstance(value, tuple)
    index = indices[0]
    return (*value[:index], inserted(value[index], part, indices[1:]), *value[index + 1 :])
