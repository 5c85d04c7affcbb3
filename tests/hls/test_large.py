# SPDX-License-Identifier: Apache-2.0
"""Text and time follow what is initialised, not how large an array is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lydite.base import InputError
from lydite.hls import Compiled, Machine

TEXT = (
    "static int a[%d] = {1, 2, 3};\n"
    "int f(unsigned n) {\n  a[n %% %du] += (int)n;\n  return a[n * 7 %% %du] + a[1];\n}\n"
)


def test_zero_tail_of_a_large_table_is_a_loop(compile_c: Callable[..., Compiled]) -> None:
    size = 1 << 22
    compiled = compile_c(TEXT % (size, size, size))
    assert len(compiled.verilog) < 20_000
    (memory,) = compiled.module.memories.values()
    assert (memory.init, memory.depth, memory.kind) == ((1, 2, 3), size, "bram")
    text = next(file.text for file in compiled.files if file.name == "f_a.v")
    initial = re.search(r"initial begin\n(.*?)\n  end", text, re.S)
    assert (
        initial is not None
        and initial[1].split()
        == (
            f"mem[0] = 32'd1; mem[1] = 32'd2; mem[2] = 32'd3; "
            f"for (mem_i = 3; mem_i < {size}; mem_i = mem_i + 1) mem[mem_i] = 32'd0;"
        ).split()
    )
    assert Machine(compiled.module).call({"n": 1}).value == 3


def test_short_tail_stays_word_by_word(compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(TEXT % (900, 900, 900))
    assert "mem[899] = 32'd0;" in compiled.verilog


def test_array_that_no_device_holds_is_refused(compile_c: Callable[..., Compiled]) -> None:
    with pytest.raises(InputError) as caught:
        compile_c(TEXT % (50 << 20, 50 << 20, 50 << 20))
    assert "a has 209715200 bytes, more than the 67108864 that a memory may" in str(caught.value)
