# SPDX-License-Identifier: Apache-2.0
"""Integers of more than 64 bits as arguments and results: C, interpreter and hardware agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import hls
from lydite.hls.contract.interface import ArrayArg, ScalarArg
from lydite.hls.contract.options import Options
from lydite.sim import cosim
from lydite.sim.cosim import native as cosim_native

# Nine arguments, so that registers run out and the ABI goes over to memory.
TEXT = """
#include <stdio.h>
typedef {sign} _BitInt({width}) wide;
#ifdef __cplusplus
extern "C"
#endif
wide f(wide a, int b, wide c, unsigned char d, wide e, long g, wide h, {sign} _BitInt(129) i,
       wide table[2]) {{
  if (d & 1) return a + b;
  wide s = (a ^ e) + c * (wide)g - (h >> 3) + (wide)(i >> 5) + table[d >> 1 & 1];
  table[0] = s;
  return s < a ? s : s >> 1;
}}
int main(void) {{
  wide table[2] = {{1, -7}};
  wide x = -3, y = 5;
  unsigned sum = 0;
  for (int n = 0; n < 20; n++) {{
    wide z = f(x, n - 4, y, (unsigned char)(n * 37), x ^ y, -n, x + n, ((_BitInt(129))x << 9), table);
    x = x * 0x9e3779b97f4a7c15 + z;
    y = (y << 61 | y >> 3) ^ z;
    sum += (unsigned)z;
  }}
  printf("%u\\n", sum);
  return 0;
}}
"""  # noqa: E501


def compiled_of(text: str, folder: Path, name: str = "t.c") -> tuple[Options, hls.Compiled]:
    path = folder / name
    path.write_text(text)
    std = "" if name.endswith("cpp") else "c23"
    options = Options(sources=(path,), top="f", std=std, clock_ns=10.0)
    return options, hls.compile(options)


def agree(options: Options, compiled: hls.Compiled, folder: Path) -> None:
    recording = cosim_native.record(options, compiled.interface, folder)
    machine = hls.Machine(compiled.module)
    arrays = [arg for arg in compiled.interface.arrays if not arg.unused]
    for call in recording.calls():
        result = machine.call(call.scalars, {arg.port: call.before[arg.name] for arg in arrays})
        assert result.value == call.result
        for arg in arrays:
            assert result.arrays[arg.port] == call.after[arg.name]
    result = cosim.run(options, compiled, folder)
    result.check()
    assert result.calls == 20


@pytest.mark.parametrize("sign", ["signed", "unsigned"])
@pytest.mark.parametrize("width", [65, 127, 128, 129, 192, 250])
def test_wide_arguments_and_results_are_ports_of_their_width(
    width: int, sign: str, tmp_path: Path
) -> None:
    options, compiled = compiled_of(TEXT.format(width=width, sign=sign), tmp_path)
    args = compiled.interface.args
    widths = [arg.width if isinstance(arg, ScalarArg) else 0 for arg in args]
    assert widths == [width, 32, width, 8, width, 64, width, 129, 0]
    assert [arg.name for arg in args] == ["a", "b", "c", "d", "e", "g", "h", "i", "table"]
    assert isinstance(args[-1], ArrayArg)
    assert compiled.interface.return_width == width
    assert "result" not in [memory.name for memory in compiled.module.memories.values()]
    if width in (65, 250):
        agree(options, compiled, tmp_path)


def test_wide_integers_of_cxx_and_of_a_pair(tmp_path: Path) -> None:
    options, compiled = compiled_of(TEXT.format(width=77, sign="signed"), tmp_path, "t.cpp")
    agree(options, compiled, tmp_path)


def test_wide_integers_cost_no_memory(tmp_path: Path) -> None:
    text = "_BitInt(100) f(_BitInt(100) a, _BitInt(200) b) { return a + (_BitInt(100))b; }\n"
    _, compiled = compiled_of(text, tmp_path)
    assert not compiled.module.memories
    assert [op.kind for op in compiled.module.top_function.ops()] == ["slice", "add"]
