# SPDX-License-Identifier: Apache-2.0
"""Kernels with directives, and those on streams, at three clock targets: right, under stalls too.

At 5 ns much of what they ask for cannot be had; it must be right all the same. That they are as
fast as they should be is the business of `tests/hls/test_quality.py`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from collisions import spoilt

from lydite import hls
from lydite.hls.contract.options import Options
from lydite.sim import cosim

EXAMPLES = Path(__file__).parents[3] / "examples"
INDEX = tomllib.loads((EXAMPLES / "quality" / "index.toml").read_text())
KERNELS = {name: (f"quality/{entry['source']}", entry["top"]) for name, entry in INDEX.items()}
KERNELS |= {"streams_crc32": ("streams/crc32.c", "crc32")}
KERNELS |= {"streams_sha3_256": ("streams/sha3_256.c", "sha3_256")}
CLOCKS_NS = (5.0, 10.0, 20.0)
QUICK = {("crc32_bytes", 5.0), ("adler32", 20.0)}
CASES = [
    pytest.param(name, ns, marks=[] if (name, ns) in QUICK else [pytest.mark.slow])
    for name in KERNELS
    for ns in CLOCKS_NS
]


@pytest.mark.parametrize(("name", "clock_ns"), CASES)
def test_kernel_is_right_at_every_clock_under_stalls(
    name: str, clock_ns: float, tmp_path: Path
) -> None:
    source, top = KERNELS[name]
    options = Options(sources=(EXAMPLES / source,), top=top, clock_ns=clock_ns)
    result = cosim.run(options, spoilt(hls.compile(options)), tmp_path, gaps=True)
    result.check()
    assert result.native_rc == 0
    assert result.calls > 0
