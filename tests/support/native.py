# SPDX-License-Identifier: Apache-2.0
"""Programs of the machine that `make.py` does not install: who needs one asks here, and skips.

Tests that do have the mark `native`; `tests/skips.toml` says how many a plain machine skips.
"""

from __future__ import annotations

import shutil

import pytest


def program(name: str) -> str:
    """Give the path of a program, or skip the test."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"needs {name} on PATH")
    return path
