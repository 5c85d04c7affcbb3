# SPDX-License-Identifier: Apache-2.0
"""The specifications of candidates of NIST's SHA-3 contest, and their quick twins, against the
known answers of core.toml; and these are of the right round.
"""

from __future__ import annotations

import pytest
from contest import CANDIDATES, function_of

from lydite.cores import Primitive

ALL = pytest.mark.parametrize("primitive", CANDIDATES, ids=lambda one: one.name)
WHICH = pytest.mark.parametrize("which", ["spec", "fast"])


@WHICH
@ALL
def test_known_answers(primitive: Primitive, which: str, request: pytest.FixtureRequest) -> None:
    """Of a specification that has a quick twin, each sixth one, unless with --slow."""
    function = function_of(primitive, which)
    if function is None:
        return
    vectors = primitive.vectors()
    assert len(vectors) >= 256 + 8
    assert sorted({len(one.fields["message"]) for one in vectors})[:256] == list(range(256))
    is_slow = which == "spec" and bool(primitive.operation("hash").fast)
    step = 6 if is_slow and not request.config.getoption("--slow") else 1
    for one in vectors[::step]:
        assert function(one.fields["message"]) == one.fields["digest"], one.where


@pytest.mark.slow
@pytest.mark.parametrize(
    "primitive", [one for one in CANDIDATES if one.chains()], ids=lambda one: one.name
)
def test_monte_carlo_chain(primitive: Primitive) -> None:
    function = function_of(primitive, "fast") or function_of(primitive, "spec")
    assert function is not None
    for chain in primitive.chains():
        [message] = chain.start.values()
        for one in chain.checkpoints:
            for _ in range(chain.steps):
                digest = function(message)
                message = digest + message[: 128 - 32]
            assert digest == one.fields["digest"], one.where
