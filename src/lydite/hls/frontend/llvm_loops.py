# SPDX-License-Identifier: Apache-2.0
"""Blocks and natural loops of functions in the text of LLVM IR, and which function names which."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

_NAME = re.compile(r"@([\w.$]+)")
_LABEL = re.compile(r'^("?[\w.$-]+"?):')


def blocks(body: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Split a function body into labelled blocks and find their successors."""
    blocks: dict[str, list[str]] = {}
    label = ""
    for line in body.splitlines(keepends=True):
        found = _LABEL.match(line)
        if found:
            label = found[1]
        blocks.setdefault(label, []).append(line)
    blocks.pop("", None)
    successors = {
        name: re.findall(r'label %("[^"]+"|[\w.$-]+)', terminator(lines))
        for name, lines in blocks.items()
    }
    return blocks, successors


def terminator(lines: list[str]) -> str:
    for index in range(len(lines) - 1, -1, -1):
        if re.match(r"  (?:br|switch|indirectbr|ret|unreachable)\b", lines[index]):
            return "".join(lines[index:])
    return ""


def loop_bodies(blocks: Iterable[str], successors: dict[str, list[str]]) -> dict[str, set[str]]:
    """Give the blocks of each natural loop, by its header."""
    order = list(blocks)
    dominators: dict[str, set[str]] = {order[0]: {order[0]}}
    predecessors: dict[str, list[str]] = {name: [] for name in order}
    for name, following in successors.items():
        for other in following:
            predecessors[other].append(name)
    changed = True
    while changed:
        changed = False
        for name in order[1:]:
            known = [dominators[p] for p in predecessors[name] if p in dominators]
            if not known:
                continue
            found = set.intersection(*known) | {name}
            if dominators.get(name) != found:
                dominators[name] = found
                changed = True
    bodies: dict[str, set[str]] = {}
    for name, following in successors.items():
        for header in following:
            if header in dominators.get(name, ()):
                body = bodies.setdefault(header, {header})
                pending = [name]
                while pending:
                    block = pending.pop()
                    if block not in body:
                        body.add(block)
                        pending += predecessors[block]
    return bodies


def innermost_loops(bodies: dict[str, set[str]]) -> dict[str, str]:
    """Give the header of the innermost loop that each block is in."""
    result: dict[str, str] = {}
    for header, body in sorted(bodies.items(), key=lambda item: -len(item[1])):
        for block in body:
            result[block] = header
    return result


def mentioned(code: str, functions: Collection[str]) -> set[str]:
    """Give the functions that a text names."""
    return {*_NAME.findall(code)}.intersection(functions)


def mentions(functions: Mapping[str, str]) -> dict[str, set[str]]:
    """Give for each function, by its body, those that it names."""
    return {name: mentioned(body, functions) for name, body in functions.items()}


def reached(start: Iterable[str], named: Mapping[str, set[str]]) -> list[str]:
    """Give some functions and those that they name, and so on, in an order that is always one."""
    found = dict.fromkeys(sorted(start))
    pending = list(found)
    while pending:
        for name in sorted(named.get(pending.pop(), ())):
            if name not in found:
                found[name] = None
                pending.append(name)
    return list(found)
