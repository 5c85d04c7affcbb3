# SPDX-License-Identifier: Apache-2.0
"""Words that a phi has anyway: read there, and only where it surely is the word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lydite.hls import Compiled, passes
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.interpret import Machine

CONTEXT = passes.Context(delay_model.load("ecp5"), 10.0)
MEMORY = 'memory @m width 8 depth 1 lanes 1 base 0 object "m"+0'
LOOP = f"""\
module @f
{MEMORY}
function @f(%0:8 "x", %1:1 "c") : 8 {{
entry:
  store @m 1'0x0 START 1'0x1
  jump loop
loop:
  %2:WIDTH = phi [FIRST entry] [%8 loop]
  %3:3 "n" = phi [3'0x0 entry] [%9 loop]
  %4:8 = EXTEND %2
  %5:8 = load @m 1'0x0
  %6:8 = xor %5 %0
  %7:8 = add %6 %4
  %8:WIDTH = slice %7 from 0
  %9:3 = add %3 3'0x1
  %10:8 = EXTEND %8
  store @m 1'0x0 STORED MASK
  %11:1 = eq %9 3'0x5
  branch %11 done loop
done:
  %12:8 = load @m 1'0x0
  ret %12
}}
"""


def program(**given: str) -> str:
    """Give the loop with its words filled in; those of a phi of 5 bits with a sign by default."""
    words = {
        "START": "8'0xfd",
        "FIRST": "5'0x1d",
        "WIDTH": "5",
        "EXTEND": "sext",
        "STORED": "%10",
        "MASK": "1'0x1",
    }
    text = LOOP
    for name, word in (words | given).items():
        text = text.replace(name, word)
    return text


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({}, True),
        ({"EXTEND": "zext", "START": "8'0x1d"}, True),
        ({"START": "8'0x1d"}, False),  # the sign is not that of the phi
        ({"EXTEND": "zext"}, False),
        ({"STORED": "%7"}, False),
        ({"MASK": "%1"}, False),  # not always stored
    ],
)
def test_load_takes_the_phi(given: dict[str, str], taken: bool) -> None:
    module = ir_text.parse_module(program(**given))
    machine = Machine(ir_text.parse_module(program(**given)))
    passes.BY_NAME["carried"].run(module, CONTEXT)
    ir_verify.verify(module, after="carried")
    loop = module.top_function.blocks[1]
    passes.BY_NAME["clean"].run(module, CONTEXT)
    assert taken == (not any(op.kind == "load" for op in loop.ops))
    after = Machine(module)
    for x in range(0, 256, 5):
        for c in (1, 0):
            scalars = {"x": x, "c": c}
            assert after.call(scalars, {}).value == machine.call(scalars, {}).value


def test_load_behind_a_store_is_left() -> None:
    text = program().replace("  %5:8 = load", "  store @m 1'0x0 %0 1'0x1\n  %5:8 = load")
    module = ir_text.parse_module(text)
    passes.BY_NAME["carried"].run(module, CONTEXT)
    assert any(op.kind == "load" for op in module.top_function.blocks[1].ops)


QUEUE = """unsigned f(const unsigned a[32], unsigned at) {
  unsigned q[8], s = 0;
#pragma HLS array_partition variable=q complete
  for (int k = 0; k < 8; k++) {
#pragma HLS unroll
    q[k] = 0;
  }
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=1
    s = s * 3 ^ q[(at + i) & 7];
    for (int k = 0; k < 7; k++) q[k] = q[k + 1];
    q[7] = a[i];
  }
  return s;
}"""


def test_queue_read_at_any_place_is_kept_once(compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(QUEUE)
    # The first word goes nowhere else, so that no phi has it.
    assert [name for name, one in compiled.module.memories.items() if not one.port] == ["q_0"]
    words = [pow(7, i, 1 << 32) for i in range(32)]
    queue, s = [0] * 8, 0
    for i, word in enumerate(words):
        s = (s * 3 ^ queue[(5 + i) % 8]) % (1 << 32)
        queue = [*queue[1:], word]
    data = b"".join(word.to_bytes(4, "little") for word in words)
    assert Machine(compiled.module).call({"at": 5}, {"a": data}).value == s
