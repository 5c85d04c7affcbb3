# SPDX-License-Identifier: Apache-2.0
"""Turns the marker calls of unoptimised LLVM IR into loop metadata and function attributes.

A marker in a loop becomes `!{!"lydite.pragma", i32 K}` on the loop's back edges, which LLVM carries
along; a marker outside of loops is reported with its function. `unroll` and `inline` also get the
form that LLVM itself obeys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lydite.hls.interface import Warn
from lydite.hls.pragmas import MARKER, Pragma
from lydite.hls.stubs import add_attribute

_DEFINE = re.compile(r"^define [^\n]*?@([\w.$]+)\([^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_CALL = re.compile(rf"^ *(?:tail )?call void @{MARKER}\(i32 [^)]*?(\d+)\)[^\n]*\n", re.MULTILINE)
_CALLEE = re.compile(r"\bcall [^\n]*?@([\w.$]+)\(")
_FULL = '!{!"llvm.loop.unroll.full"}'
_LABEL = re.compile(r'^("?[\w.$-]+"?):')
_LOOP_KINDS = frozenset(
    ("unroll", "loop_tripcount", "loop_flatten", "loop_merge", "dependence", "occurrence")
)


@dataclass(frozen=True, slots=True)
class Marked:
    """A module without markers, and where they stood."""

    text: str
    in_functions: tuple[tuple[str, int], ...]
    warnings: tuple[Warn, ...]


@dataclass(slots=True)
class _State:
    pragmas: Sequence[Pragma]
    next_id: int
    nodes: dict[str, str]
    new_nodes: list[str] = field(default_factory=list)
    in_functions: list[tuple[str, int]] = field(default_factory=list)
    inlined: dict[str, str] = field(default_factory=dict)
    recursive: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)
    called: list[str] = field(default_factory=list)


def apply(text: str, pragmas: Sequence[Pragma]) -> Marked:
    """Take the markers out of a module's text and put what they mean into it."""
    if f"@{MARKER}(" not in text:
        return Marked(text, (), ())
    numbers = [int(number) for number in re.findall(r"^!(\d+) = ", text, re.MULTILINE)]
    loops = dict(re.findall(r"^!(\d+) = distinct !\{!\1,? ?(.*)\}$", text, re.MULTILINE))
    state = _State(pragmas, max(numbers, default=0) + 1, loops)
    text = _DEFINE.sub(lambda match: _function(match, state), text)
    text = _unroll_called(text, state)
    text = re.sub(rf"^declare [^\n]*@{MARKER}\([^\n]*\n", "", text, flags=re.MULTILINE)
    _spread_recursive(text, state)
    for name, attribute in sorted(state.inlined.items()):
        text = add_attribute(text, name, attribute)
    text += "\n" + "\n".join(state.new_nodes) + "\n"
    return Marked(text, tuple(state.in_functions), tuple(state.warnings))


def _function(match: re.Match[str], state: _State) -> str:
    name, body = match[1], match[2]
    if MARKER not in body:
        return match[0]
    blocks, successors = _blocks(body)
    bodies = _loop_bodies(blocks, successors)
    loop_of = _innermost_loops(bodies)
    wanted: dict[str, list[int]] = {}
    for label, lines in blocks.items():
        for number in [int(n) for n in _CALL.findall("".join(lines))]:
            pragma = state.pragmas[number]
            header = loop_of.get(label)
            if pragma.kind == "inline":
                _inline(name, pragma, state)
            elif header is not None:
                wanted.setdefault(header, []).append(number)
            elif pragma.kind in _LOOP_KINDS:
                state.warnings.append(
                    Warn(
                        pragma.where,
                        f"misplaced pragma HLS {pragma.kind}: ignored; "
                        "write it inside the braces of the loop that it concerns",
                    )
                )
            else:
                state.in_functions.append((name, number))
    body = _CALL.sub("", body)
    inner, around = _near_pipelines(wanted, bodies, blocks, state)
    for header in dict.fromkeys([*wanted, *inner, *around]):
        numbers = wanted.get(header, [])
        extra = [_FULL] if header in inner else _own(numbers, header in around, state)
        body = _annotate_loop(body, header, successors, loop_of, numbers, extra, state)
    return match[0][: match.start(2) - match.start()] + body + "}"


def _own(numbers: Sequence[int], rolled: bool, state: _State) -> list[str]:
    """Give the LLVM metadata for a loop's directives; pipelines are not copied unasked."""
    given = [state.pragmas[number] for number in numbers]
    result = [text for pragma in given for text in _unroll(pragma)]
    if not result and (rolled or any(_is_pipeline(pragma) for pragma in given)):
        result.append('!{!"llvm.loop.unroll.disable"}')
    return result


def _is_pipeline(pragma: Pragma) -> bool:
    return pragma.kind == "pipeline" and not pragma.has("off")


def _near_pipelines(
    wanted: dict[str, list[int]],
    bodies: dict[str, set[str]],
    blocks: dict[str, list[str]],
    state: _State,
) -> tuple[list[str], list[str]]:
    """Give the heads of the loops inside and around those that are to be pipelined.

    What these call is noted, too.
    """
    inner: dict[str, None] = {}
    around: dict[str, None] = {}
    for header, numbers in wanted.items():
        if any(_is_pipeline(state.pragmas[number]) for number in numbers):
            for other, body in bodies.items():
                if other != header and other in bodies[header]:
                    inner[other] = None
                elif other != header and header in body:
                    around[other] = None
            for label in blocks:
                if label in bodies[header]:
                    state.called += _CALLEE.findall("".join(blocks[label]))
    return list(inner), list(around)


def _unroll_called(text: str, state: _State) -> str:
    """Inline and unroll what pipelined loops call, and what that calls."""
    defined = {match[1]: match[2] for match in _DEFINE.finditer(text)}
    pending = [name for name in state.called if name in defined]
    found: dict[str, None] = {}
    while pending:
        name = pending.pop()
        if name not in found and state.inlined.get(name) != "noinline":
            found[name] = None
            state.inlined.setdefault(name, "alwaysinline")
            pending += [other for other in _CALLEE.findall(defined[name]) if other in defined]

    def unrolled(match: re.Match[str]) -> str:
        body = match[2]
        if match[1] not in found:
            return match[0]
        blocks, successors = _blocks(body)
        bodies = _loop_bodies(blocks, successors)
        for header in bodies:
            loop_of = _innermost_loops(bodies)
            body = _annotate_loop(body, header, successors, loop_of, [], [_FULL], state)
        return match[0][: match.start(2) - match.start()] + body + "}"

    return _DEFINE.sub(unrolled, text) if found else text


def _blocks(body: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
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
        name: re.findall(r'label %("[^"]+"|[\w.$-]+)', _terminator(lines))
        for name, lines in blocks.items()
    }
    return blocks, successors


def _terminator(lines: list[str]) -> str:
    for index in range(len(lines) - 1, -1, -1):
        if re.match(r"  (?:br|switch|indirectbr|ret|unreachable)\b", lines[index]):
            return "".join(lines[index:])
    return ""


def _loop_bodies(blocks: Iterable[str], successors: dict[str, list[str]]) -> dict[str, set[str]]:
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


def _innermost_loops(bodies: dict[str, set[str]]) -> dict[str, str]:
    """Give the header of the innermost loop that each block is in."""
    result: dict[str, str] = {}
    for header, body in sorted(bodies.items(), key=lambda item: -len(item[1])):
        for block in body:
            result[block] = header
    return result


def _annotate_loop(
    body: str,
    header: str,
    successors: dict[str, list[str]],
    loop_of: dict[str, str],
    numbers: list[int],
    extra: list[str],
    state: _State,
) -> str:
    """Put metadata for the directives, and more of LLVM's own, on every back edge of a loop."""
    items = [_node(f'!{{!"lydite.pragma", i32 {number}}}', state) for number in numbers]
    items += [_node(text, state) for text in extra]
    blocks, _ = _blocks(body)
    latches = [b for b in blocks if header in successors[b] and _inside(b, header, loop_of)]
    loop_id = state.next_id
    state.next_id += 1
    old = ""
    for latch in latches:
        terminator = _terminator(blocks[latch])
        found = re.search(r", !llvm\.loop !(\d+)", terminator)
        if found:
            old = old or state.nodes.get(found[1], "")
            changed = terminator.replace(found[0], f", !llvm.loop !{loop_id}")
        else:
            changed = re.sub(r"(\n+)\Z", rf", !llvm.loop !{loop_id}\1", terminator)
        text = "".join(blocks[latch])
        body = body.replace(text, text.removesuffix(terminator) + changed, 1)
    operands = ", ".join(filter(None, [f"!{loop_id}", old, *items]))
    state.new_nodes.append(f"!{loop_id} = distinct !{{{operands}}}")
    state.nodes[str(loop_id)] = ", ".join(filter(None, [old, *items]))
    return body


def _inside(block: str, header: str, loop_of: dict[str, str]) -> bool:
    """Whether a block is in the loop of a header: of loops with one header there is one."""
    seen: set[str] = set()
    at = loop_of.get(block)
    while at is not None and at not in seen:
        if at == header:
            return True
        seen.add(at)
        at = loop_of.get(at)
    return at == header or loop_of.get(block) is not None


def _node(text: str, state: _State) -> str:
    number = state.next_id
    state.next_id += 1
    state.new_nodes.append(f"!{number} = {text}")
    return f"!{number}"


def _unroll(pragma: Pragma) -> list[str]:
    """Give the LLVM metadata for an `unroll` directive."""
    if pragma.kind != "unroll":
        return []
    factor = pragma.number("factor")
    if factor is None and pragma.flags and pragma.flags[0].isdigit():
        factor = int(pragma.flags[0])
    if pragma.has("off") or (pragma.option("off") or "").lower() == "true" or factor == 1:
        return ['!{!"llvm.loop.unroll.disable"}']
    if factor is None:
        return [_FULL]
    return [f'!{{!"llvm.loop.unroll.count", i32 {factor}}}']


def _inline(name: str, pragma: Pragma, state: _State) -> None:
    if pragma.has("off"):
        state.inlined[name] = "noinline"
    elif pragma.has("recursive"):
        state.recursive.append(name)
    else:
        state.inlined.setdefault(name, "alwaysinline")


def _spread_recursive(text: str, state: _State) -> None:
    """Mark what a function with `inline recursive` calls, and what that calls."""
    if not state.recursive:
        return
    calls = {match[1]: _CALLEE.findall(match[2]) for match in _DEFINE.finditer(text)}
    pending = list(state.recursive)
    seen: set[str] = set()
    while pending:
        for callee in calls.get(pending.pop(), []):
            if callee not in seen and callee in calls:
                seen.add(callee)
                state.inlined.setdefault(callee, "alwaysinline")
                pending.append(callee)
