# SPDX-License-Identifier: Apache-2.0
"""The ports of modules written by hand, as instances of them are checked against."""

from __future__ import annotations

import pytest

from lydite.hls.emit import divider, fifo, library
from lydite.hls.emit.structure import Port


def test_ports_have_the_widths_of_parameters() -> None:
    found = library.interface(fifo.module())({"WIDTH": "9", "COUNT": "3", "DEPTH": "5"})
    assert list(found) == [
        Port("input", 1, "ap_clk"),
        Port("input", 1, "ap_rst"),
        Port("input", 9, "beat_i"),
        Port("input", 1, "put_i"),
        Port("output", 1, "free_o"),
        Port("output", 9, "beat_o"),
        Port("output", 1, "valid_o"),
        Port("input", 1, "take_i"),
        Port("output", 3, "fill_o"),
    ]


def test_port_that_is_not_understood_is_found() -> None:
    text = divider.module().replace("wire [WIDTH-1:0] dividend_i", "wire [2*WIDTH-1:0] dividend_i")
    with pytest.raises(AssertionError):
        library.interface(text)
