# SPDX-License-Identifier: Apache-2.0
"""What tests of simulations share: models that are built quickly where they run for a moment."""

from __future__ import annotations

import pytest

from lydite.sim import build

# Whose models run for long.
LONG = ("test_blake3", "test_build", "test_verify")


@pytest.fixture(autouse=True)
def _quick_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not have a compiler work longer on a model than it then runs."""
    long = any(map(request.node.get_closest_marker, ("slow", "all_messages")))
    if not long and request.path.stem not in LONG:
        monkeypatch.setitem(build.EFFORT, "quick", build.EFFORT["once"])
