# SPDX-License-Identifier: Apache-2.0
"""A directive of an array that does not reach it is named."""

from __future__ import annotations

from lydite.hls import storage
from lydite.hls.directives import ArrayPartition
from lydite.hls.ir import Memory, Module


def test_directive_that_no_array_carries_is_named() -> None:
    module = Module("f", pragmas=(ArrayPartition(where="k.c:3", variable="b"),))
    module.memories["b"] = Memory("b", 16, 25, objects=(("f.b", 0),))
    assert [str(warning) for warning in storage.lost(module)] == [
        "k.c:3: array_partition variable=b: lost on the way, not honoured"
    ]
    module.memories["b"].pragmas = (0,)
    assert storage.lost(module) == []


def test_array_that_is_gone_needs_no_directive() -> None:
    module = Module("f", pragmas=(ArrayPartition(where="k.c:3", variable="b"),))
    assert storage.lost(module) == []
