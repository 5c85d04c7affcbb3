# SPDX-License-Identifier: Apache-2.0
"""Sets of words, written as text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Give the words of a text."""
    return frozenset(text.split())
