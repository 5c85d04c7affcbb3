# SPDX-License-Identifier: Apache-2.0
"""What stages say is kept in their order, each once."""

from __future__ import annotations

from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics, place

FIRST, SECOND = Diagnostic("a/t.c:3", "one"), Diagnostic("", "two")


def test_diagnostics_are_given_once_in_the_order_in_which_they_were_found() -> None:
    log = Diagnostics()
    log.add(SECOND)
    log.add(FIRST, SECOND)
    log.add()
    assert list(log) == [SECOND, FIRST, SECOND]
    assert log.distinct() == (SECOND, FIRST)
    assert [str(item) for item in log.distinct()] == ["two", "a/t.c:3: one"]


def test_place_is_named_without_folders() -> None:
    assert (place("a/b/t.c:3"), place("")) == ("t.c:3", "")
