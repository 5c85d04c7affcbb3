# SPDX-License-Identifier: Apache-2.0
"""No kind is misspelt: mypy checks `==` and assignments, and here is what it lets pass, `in`."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest

from lydite import hls
from lydite.hls.contract.directives import DirectiveKind
from lydite.hls.contract.interface import BlockProtocol, Mode
from lydite.hls.contract.report import ChannelKind, MemoryKind
from lydite.hls.frontend.debug_info import CTypeKind
from lydite.hls.ir.graph import BlockEnd, OpKind, StreamRole

KNOWN = {
    "kind": {
        *get_args(OpKind),
        *get_args(MemoryKind),
        *get_args(DirectiveKind),
        *get_args(CTypeKind),
        *get_args(ChannelKind),
        # Local names: how a block ends; what directives limit; types of LLVM.
        *get_args(BlockEnd),
        *("icmp", "not"),
        *("float", "double"),
    },
    "end": set(get_args(BlockEnd)),
    "protocol": set(get_args(Mode)),
    "block": set(get_args(BlockProtocol)),
    "role": set(get_args(StreamRole)),
    "storage": set(get_args(MemoryKind)),
}


def asked(text: str) -> list[tuple[str, str]]:
    """Give the texts among which a source looks for a kind, each with the attribute's name."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.In | ast.NotIn):
            continue
        name = getattr(node.left, "attr", getattr(node.left, "id", ""))
        words = getattr(node.comparators[0], "elts", [])
        found += [(name, word.value) for word in words if isinstance(word, ast.Constant)]
    return [pair for pair in found if pair[0] in KNOWN]


FILES = sorted(Path(hls.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_kinds_that_are_asked_for_are_some(path: Path) -> None:
    assert [pair for pair in asked(path.read_text()) if pair[1] not in KNOWN[pair[0]]] == []


def test_a_misspelt_kind_is_found() -> None:
    pairs = asked("op.kind in ('load', 'stroe') or kind not in {'shl'}")
    assert pairs == [("kind", "load"), ("kind", "stroe"), ("kind", "shl")]
