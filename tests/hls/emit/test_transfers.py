# SPDX-License-Identifier: Apache-2.0
"""What a state writes twice is written once, unless another write stands between."""

from __future__ import annotations

from lydite.hls.emit import transfers
from lydite.hls.emit.structure import Form, If, Write

A_OF_I = Write("a_mem[i]", "x")
A_OF_J = Write("a_mem[j]", "y")
KEPT = Write("r_q", "x")


def test_what_is_written_again_is_left_out() -> None:
    assert transfers._once([(KEPT,), (A_OF_I,), (KEPT, A_OF_I)]) == [(KEPT,), (A_OF_I,), ()]


def test_a_store_stands_again_after_one_to_an_index_that_may_be_the_same() -> None:
    levels = [(A_OF_I,), (A_OF_J,), (A_OF_I,)]
    assert transfers._once(levels) == levels


def test_a_store_stands_again_after_one_that_may_happen() -> None:
    levels = [(A_OF_I,), (If("c", (A_OF_J,), form=Form.INLINE),), (A_OF_I,)]
    assert transfers._once(levels) == levels


def test_writes_of_others_do_not_count() -> None:
    between = Write("b_mem[i]", "y")
    assert transfers._once([(A_OF_I,), (between,), (A_OF_I,)]) == [(A_OF_I,), (between,), ()]
