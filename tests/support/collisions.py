# SPDX-License-Identifier: Apache-2.0
"""Memories whose words are not what they hold where one port reads what another writes.

Block RAM of some families says nothing of such a word, and the compiler's memories ask for no more
(`no_rw_check`). In simulation it would be the old one.
"""

from __future__ import annotations

import dataclasses
import re

from lydite.hls.compiled import Compiled
from lydite.hls.contract.report import VerilogFile

_READ = re.compile(r"q(\d+) <= mem\[address\1\];")


def spoilt(compiled: Compiled) -> Compiled:
    """Give hardware whose memories answer wrongly where reads and writes meet."""
    files = tuple(
        VerilogFile(item.name, _spoilt(item.text)) if "no_rw_check" in item.text else item
        for item in compiled.files
    )
    return dataclasses.replace(compiled, files=files)


def _spoilt(text: str) -> str:
    writers = re.findall(r"input  wire (?:\[[^]]*\] )?we(\d+)", text)

    def read(found: re.Match[str]) -> str:
        own = found[1]
        meets = " | ".join(
            f"(ce{other} & |we{other} & (address{other} == address{own}))"
            for other in writers
            if other != own
        )
        word = f"mem[address{own}]"
        return f"q{own} <= ({meets}) ? ~{word} : {word};" if meets else found[0]

    changed, count = _READ.subn(read, text)
    assert count and writers, f"no memory that is read and written: {text}"
    return changed
