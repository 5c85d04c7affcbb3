# SPDX-License-Identifier: Apache-2.0
"""The text form of the IR: what is printed is read back, what is malformed is named."""

from __future__ import annotations

import pytest

from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify

TEXT = """\
module @f
pragma "pipeline ii=1"
memory @a width 32 depth 5 lanes 4 base 64 port object "a"+0 where "k.c:3"
memory @t width 8 depth 3 lanes 1 base 96 const kind lutrom object "t"+0 init 1 ff 0

function @f(%0:32 "n", %1:1) : 32 where "k.c:3" pragmas 0 {
entry:
  %2:3 = slice %0 from 0
  %3:32 "x" = load @a %2 ; "k.c:5"
  %4:2 = slice %0 from 3
  %5:8 = load @t %4
  %6:32 = zext %5
  jump loop
loop: pragmas 0
  %7:32 "i" = phi [32'0x0 entry] [%8 loop]
  %8:32 = add %7 32'0x1 ; "odd \\"name\\".c:7"
  store @a %2 %8 4'0xf
  %9:32 = call @g %8
  %10:1 = ult %8 %3
  branch %10 loop next ; "k.c:7"
next:
  switch %2 done 0x1 other 0x4 done
other:
  jump done
done:
  ret %9
}

function @g(%0:32) : 32 {
entry:
  %1:64 = divmod %0 32'0x7
  %2:32 = slice %1 from 32
  ret %2
}
"""


def test_printed_text_is_read_back_as_it_was() -> None:
    module = ir_text.parse_module(TEXT)
    ir_verify.verify(module)
    assert ir_text.print_module(module) == TEXT


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  jump loop", "  jump nowhere", "line 27: }: no block nowhere"),
        ("%2:3 = slice %0 from 0", "%2:3 = slice %99 from 0", "line 27: }: no value %99"),
        (
            "module @f",
            "modul @f",
            "line 1: modul @f: expected module, pragma, memory, stream or function",
        ),
        ("call @g", "call @h", "call of an unknown function @h"),
        (
            "lanes 1 base 96 const",
            "lanes 1 base 96 konst",
            'line 4: memory @t width 8 depth 3 lanes 1 base 96 konst kind lutrom object "t"+0 '
            "init 1 ff 0: unknown word konst",
        ),
    ],
)
def test_malformed_text_is_named(old: str, new: str, message: str) -> None:
    with pytest.raises(ir_text.TextError) as caught:
        ir_text.parse_module(TEXT.replace(old, new))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "%8:32 = add %7 32'0x1",
            "%8:32 = add %7 16'0x1",
            '@f loop <add:32  odd "name".c:7>: widths [32, 16]',
        ),
        (
            "  ret %9",
            "  ret",
            "@f done: width of the result",
        ),
        (
            "store @a %2 %8 4'0xf",
            "store @t %4 8'0x1 1'0x1",
            "@f loop <store:0  >: store to t",
        ),
        (
            "[32'0x0 entry] [%8 loop]",
            "[32'0x0 entry]",
            "@f loop <phi:32 i >: edges are not the predecessors",
        ),
        ("  jump loop\n", "  jump entry\n", "@f: the entry has a predecessor"),
        ("0x1 other 0x4 done", "0x1 other 0x1 done", "@f next: a case stands twice"),
    ],
)
def test_verifier_names_what_is_wrong(old: str, new: str, message: str) -> None:
    module = ir_text.parse_module(TEXT.replace(old, new))
    with pytest.raises(AssertionError) as caught:
        ir_verify.verify(module, after="a test")
    assert str(caught.value) == f"IR is malformed after a test: {message}"
