# SPDX-License-Identifier: Apache-2.0
"""Gives each loop of a program a number that LLVM carries along, so that it is known afterwards.

The number is that of a directive of the loop that asks for nothing: `hls.effort` puts what it
decides in its place. Loops that are to be copied whole are told so here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lydite.hls.contract.directives import Directive, LoopNumber

_USED = re.compile(r", !llvm\.loop !(\d+)")
_NODE = re.compile(r"^!(\d+) = distinct !\{!\1(?:, )?(.*)\}$", re.MULTILINE)


def mark(
    text: str, known: Sequence[Directive], copied: Collection[int] = ()
) -> tuple[str, list[Directive]]:
    """Number the loops of unoptimised LLVM IR.

    Parameters
    ----------
    known : sequence of Directive
        The program's own directives; loops get the numbers behind them, in the text's order.
    copied : collection of int
        Numbers of loops that LLVM is to unroll whole.

    Returns
    -------
    text : str
    directives : list of Directive
        One for each number, to stand behind those that are known.
    """
    used = {int(number) for number in _USED.findall(text)}
    free = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", text, re.MULTILINE)), default=0)
    made: list[Directive] = []
    nodes: list[str] = []

    def node(body: str) -> str:
        nodes.append(f"!{free + len(nodes)} = !{{{body}}}")
        return f"!{free + len(nodes) - 1}"

    def numbered(match: re.Match[str]) -> str:
        if int(match[1]) not in used:
            return match[0]
        number = len(known) + len(made)
        made.append(LoopNumber())
        items = [f"!{match[1]}", *([match[2]] if match[2] else [])]
        items.append(node(f'!"lydite.pragma", i32 {number}'))
        if number in copied:
            items.append(node('!"llvm.loop.unroll.full"'))
        return f"!{match[1]} = distinct !{{{', '.join(items)}}}"

    text = _NODE.sub(numbered, text)
    return text + "".join(f"{line}\n" for line in nodes), made
