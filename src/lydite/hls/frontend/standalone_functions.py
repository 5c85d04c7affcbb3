# SPDX-License-Identifier: Apache-2.0
"""Pipelined functions that can stay modules, as far as LLVM's text shows before optimisation.

They have no `inline`, no pointers as arguments, and what they touch to themselves.
`passes.pipelined_functions` looks more closely, when it is too late to inline them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lydite.hls.contract.directives import Directive, Inline, Pipeline
from lydite.hls.frontend.library_stubs import DEFINE


def find(
    text: str, in_functions: Sequence[tuple[str, int]], directives: Sequence[Directive]
) -> list[str]:
    """Give the symbols of such functions; `in_functions` says which directives are of which."""
    mine: dict[str, list[Directive]] = {}
    for name, number in in_functions:
        mine.setdefault(name, []).append(directives[number])
    asked = [
        name
        for name, items in mine.items()
        if any(isinstance(item, Pipeline) and not item.off for item in items)
        and not any(isinstance(item, Inline) for item in items)
    ]
    if not asked:
        return []
    variables = set(re.findall(r"^@([\w.$]+) = [^\n]*\bglobal\b", text, re.MULTILINE))
    users: Counter[str] = Counter()
    used: dict[str, set[str]] = {}
    heads: dict[str, str] = {}
    for match in DEFINE.finditer(text):
        used[match[1]] = set(re.findall(r"@([\w.$]+)", match[2])) & variables
        users.update(used[match[1]])
        heads[match[1]] = match[0].split("\n", 1)[0].partition("(")[2]
    return [
        name
        for name in asked
        if not re.search(r"\bptr\b", heads[name])
        and all(users[variable] == 1 for variable in used[name])
    ]
