# SPDX-License-Identifier: Apache-2.0
"""Turns the marker calls of unoptimised LLVM IR into metadata that LLVM carries along.

A directive of a loop becomes `!{!"lydite.pragma", i32 K}` on the loop's back edges, beside the
loop's C label as `!{!"lydite.loop", !"name"}`; one of a function is reported with the function; one
of a variable becomes an annotation of the variable's debug information (`variable_directives`),
which every copy of the variable keeps through inlining. Directives from outside join them here, by
the names of functions, labels and variables. `unroll` and `inline` also get the form that LLVM
itself obeys.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.directives import (
    FUNCTION,
    LOOP,
    PORT,
    Allocation,
    Dataflow,
    Dependence,
    Directive,
    Inline,
    Pipeline,
    Unroll,
)
from lydite.hls.frontend import llvm_loops, standalone_functions
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.external_directives import EVERY, Outside, joined
from lydite.hls.frontend.library_stubs import DEFINE, add_attribute
from lydite.hls.frontend.mark_pragmas import MARKER, VARIABLE_MARKER
from lydite.hls.frontend.variable_directives import Variables

_CALL = re.compile(rf"^ *(?:tail )?call void @{MARKER}\(i32 [^)]*?(\d+)\)[^\n]*\n", re.MULTILINE)
_NUMBER = re.compile(rf"@(?:{MARKER}|{VARIABLE_MARKER})\(i32 [^,)]*?(\d+)[,)]")
_SCOPED = re.compile(rf"call void @{MARKER}\(i32 [^)]*?(\d+)\)[^\n]*?!dbg !(\d+)")
_CALLEE = re.compile(r"\bcall [^\n]*?@([\w.$]+)\(")
# A region's calls are made once in each run of it: LLVM may copy no part of a loop with one.
_PROCESS = "noinline noduplicate"
_FULL = '!{!"llvm.loop.unroll.full"}'


@dataclass(frozen=True, slots=True)
class Marked:
    """A module without markers, and where they stood.

    Attributes
    ----------
    in_functions : tuple of (str, int)
        Symbol of a function and a directive of it.
    ignored : frozenset of int
        Directives that belong to no place or to code that the top function does not reach, or were
        replaced from outside.
    absorbed : frozenset of str
        Functions that become part of what is pipelined.
    """

    text: str
    in_functions: tuple[tuple[str, int], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    ignored: frozenset[int] = frozenset()
    absorbed: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Loop:
    """What may name a loop, its directives, and LLVM metadata beside those."""

    label: str = ""
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [self.label] * bool(self.label) + [f"loop_{line}" for line in self.lines]


@dataclass(slots=True)
class _State:
    directives: Sequence[Directive]
    outside: Outside
    debug: DebugInfo
    variables: Variables
    next_id: int
    nodes: dict[str, str]
    new_nodes: list[str] = field(default_factory=list)
    in_functions: list[tuple[str, int]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    inlined: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    single: list[str] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)
    recursive: list[str] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    absorbed: list[str] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)


def apply(
    text: str,
    directives: Sequence[Directive],
    outside: Outside,
    symbol: str,
    macros: Container[str] = (),
) -> Marked:
    """Take the markers out of a linked module's text and put what they mean into it.

    Functions that are `macros` stay calls wherever they are called.

    Raises
    ------
    InputError
        A directive from outside names a place that the program does not have.
    """
    if not directives and "#dbg_label" not in text:
        return Marked(text)
    metadata = {int(n): body for n, body in re.findall(r"^!(\d+) = (.*)$", text, re.MULTILINE)}
    loops = dict(re.findall(r"^!(\d+) = distinct !\{!\1,? ?(.*)\}$", text, re.MULTILINE))
    debug = DebugInfo(metadata)
    variables = Variables(text, debug, directives)
    first = max(metadata, default=0) + 1
    state = _State(directives, outside, debug, variables, first, loops)
    unreached = _unreached(text, symbol)
    text = DEFINE.sub(lambda match: _function(match, state), text)
    for name in state.processes:
        state.inlined.setdefault(name, _PROCESS)
    alone = standalone_functions.find(text, state.in_functions, state.directives)
    for name in alone:
        # Where `allocation` speaks of its modules, it has some.
        if state.shown[name] in state.single and name != symbol:
            state.inlined.setdefault(name, "noinline")
    text = _unroll_called(text, state, macros)
    state.kept += alone
    outside.check(directives)
    for marker in (MARKER, VARIABLE_MARKER):
        text = re.sub(rf"^declare [^\n]*@{marker}\([^\n]*\n", "", text, flags=re.MULTILINE)
    for name, shown in state.shown.items():
        # One module of it, instead of copies in its callers.
        if (shown in state.single or name in state.kept) and name != symbol:
            state.inlined.setdefault(name, "noinline")
    for directive in directives:
        if not isinstance(directive, Allocation) or directive.type != "function":
            continue
        if directive.instances not in state.shown.values():
            what = f"allocation of {directive.instances}: there is no such function: ignored"
            state.warnings.append(Diagnostic(directive.where, what))
    _spread_recursive(text, state)
    for name, attribute in sorted(state.inlined.items()):
        text = add_attribute(text, name, attribute)
    text += "\n" + "\n".join(state.new_nodes) + "\n"
    text = variables.annotate(text, symbol)
    return Marked(
        text=text,
        in_functions=tuple(state.in_functions),
        warnings=(*state.warnings, *variables.warnings),
        ignored=(frozenset(range(len(directives))) - state.used - variables.used) | unreached,
        absorbed=frozenset(state.absorbed),
    )


def _unreached(text: str, symbol: str) -> frozenset[int]:
    """Give the directives in functions that the top function does not reach."""
    functions = {match[1]: match[2] for match in DEFINE.finditer(text)}
    reached = llvm_loops.reached({symbol}, llvm_loops.mentions(functions))
    bodies = [body for name, body in functions.items() if name not in reached]
    return frozenset(int(number) for body in bodies for number in _NUMBER.findall(body))


def _function(match: re.Match[str], state: _State) -> str:
    """Read the markers of a function, add what stands outside, and rewrite its body."""
    name, body = match[1], match[2]
    subprogram = re.search(r" !dbg !(\d+) \{", match[0].split("\n", 1)[0])
    number = int(subprogram[1]) if subprogram else -1
    shown = state.debug.name(number) or name
    state.shown[name] = shown
    entries = state.outside.of((name, shown), written=number >= 0)
    for known in (shown, name):
        state.outside.functions[known] = None
    marked = f"@{MARKER}(" in body or f"@{VARIABLE_MARKER}(" in body
    if not (marked or entries or "#dbg_label" in body):
        return match[0]
    blocks, successors = llvm_loops.blocks(body)
    bodies = llvm_loops.loop_bodies(blocks, successors)
    loop_of = llvm_loops.innermost_loops(bodies)
    loops = _loops(blocks, successors, bodies, state)
    own: list[int] = []
    scopes = {int(found): int(location) for found, location in _SCOPED.findall(body)}
    for label, lines in blocks.items():
        for found in map(int, _CALL.findall("".join(lines))):
            braced = state.debug.in_braces(scopes.get(found, -1))
            _assign(found, loops.get(loop_of.get(label, "")), own, state, braced=braced)
    if entries:
        _add_outside(entries, shown, list(loops.values()), own, state)
        state.variables.add(entries, body, number, state.outside, shown)
    body = state.variables.read(body)
    for found, location in scopes.items():
        if isinstance(state.directives[found], Dataflow):
            state.variables.enclose(found, body, location)
    for item in joined(own, state.directives):
        directive = state.directives[item]
        if isinstance(directive, Inline):
            _inline(name, directive, state)
        if isinstance(directive, Allocation) and directive.type == "function":
            state.single.append(directive.instances)
        state.in_functions.append((name, item))
        state.used.add(item)
    mine = [state.directives[item] for item in own]
    limited = any(_limits_operations(item) for item in mine)
    if any(item.keeps for item in mine) and not any(isinstance(item, Inline) for item in mine):
        state.kept.append(name)
    body = _CALL.sub("", body)
    claims = [number for number in own if isinstance(state.directives[number], Dependence)]
    pipelined = _pipelined(loops, state)
    for header, loop in loops.items():
        if not bodies[header].isdisjoint(pipelined):
            loop.numbers += claims  # inlining leaves no function to ask
        loop.numbers = joined(loop.numbers, state.directives)
        state.used.update(loop.numbers)
    _near_pipelines(loops, own, bodies, blocks, state)
    _dataflow(loops, own, bodies, blocks, state)
    for header, loop in loops.items():
        asked = any(isinstance(state.directives[item], Unroll) for item in loop.numbers)
        if limited and not asked and not loop.extra:
            # Copies of the body would be copies of what is to be shared.
            loop.extra.append('!{!"llvm.loop.unroll.disable"}')
        if loop.numbers or loop.extra or (loop.label and loop.lines):
            body = _annotate_loop(body, header, successors, bodies, loop, state)
    return match[0][: match.start(2) - match.start()] + body + "}"


def _limits_operations(directive: Directive) -> bool:
    return isinstance(directive, Allocation) and directive.type == "operation"


def _is_pipeline(directive: Directive) -> bool:
    return isinstance(directive, Pipeline) and not directive.off


def _pipelined(loops: Mapping[str, _Loop], state: _State) -> list[str]:
    """Give the heads of the loops that are to be pipelined."""
    return [
        header
        for header, loop in loops.items()
        if any(_is_pipeline(state.directives[number]) for number in loop.numbers)
    ]


def _near_pipelines(
    loops: dict[str, _Loop],
    own: list[int],
    bodies: dict[str, set[str]],
    blocks: dict[str, list[str]],
    state: _State,
) -> None:
    """Say what LLVM does with loops in and around those that are to be pipelined.

    Those inside are unrolled, those around not copied unasked; what is called inside is noted. A
    pipelined function is as the inside of a loop.
    """
    whole = any(_is_pipeline(state.directives[number]) for number in own)
    wanted = _pipelined(loops, state)
    inside = {label for header in wanted for label in bodies[header]} if not whole else set(blocks)
    for header, loop in loops.items():
        free = not any(isinstance(state.directives[number], Unroll) for number in loop.numbers)
        if whole or any(header in bodies[other] and header != other for other in wanted):
            loop.extra.append(_FULL)
        elif free and any(other in bodies[header] for other in wanted):
            loop.extra.append('!{!"llvm.loop.unroll.disable"}')
    for label, lines in blocks.items():
        if label in inside:
            state.called += _CALLEE.findall("".join(lines))


def _dataflow(
    loops: dict[str, _Loop],
    own: list[int],
    bodies: dict[str, set[str]],
    blocks: dict[str, list[str]],
    state: _State,
) -> None:
    """Keep what dataflow regions call as functions, and the loops that are such regions whole."""
    inside: set[str] = set()
    if any(isinstance(state.directives[number], Dataflow) for number in own):
        inside.update(blocks)
    for header, loop in loops.items():
        if any(isinstance(state.directives[number], Dataflow) for number in loop.numbers):
            loop.extra.append('!{!"llvm.loop.unroll.disable"}')
            inside |= bodies[header]
    for label, lines in blocks.items():
        if label in inside:
            state.processes += _CALLEE.findall("".join(lines))


def _unroll_called(text: str, state: _State, macros: Container[str]) -> str:
    """Inline and unroll what pipelined loops call, and what that calls."""
    defined = {match[1]: match[2] for match in DEFINE.finditer(text)}
    pending = [name for name in state.called if name in defined]
    found: dict[str, None] = {}
    while pending:
        name = pending.pop()
        if state.shown.get(name, name) in macros:
            continue
        if name not in found and state.inlined.get(name) not in ("noinline", _PROCESS):
            found[name] = None
            state.inlined.setdefault(name, "alwaysinline")
            pending += [other for other in _CALLEE.findall(defined[name]) if other in defined]
    state.absorbed += found

    def unrolled(match: re.Match[str]) -> str:
        body = match[2]
        if match[1] not in found:
            return match[0]
        blocks, successors = llvm_loops.blocks(body)
        bodies = llvm_loops.loop_bodies(blocks, successors)
        for header in bodies:
            loop = _Loop(extra=[_FULL])
            body = _annotate_loop(body, header, successors, bodies, loop, state)
        return match[0][: match.start(2) - match.start()] + body + "}"

    return DEFINE.sub(unrolled, text) if found else text


def _assign(
    number: int, loop: _Loop | None, own: list[int], state: _State, *, braced: bool
) -> None:
    """Give a marker's directive to the loop or the function that it stands in."""
    directive = state.directives[number]
    if LOOP in directive.places and loop is not None:
        loop.numbers.append(number)
    elif braced and _is_pipeline(directive):
        what = "pipeline: what the braces here hold runs once at most: nothing to overlap"
        state.warnings.append(Diagnostic(directive.where, what))
        state.used.add(number)
    elif directive.places & {FUNCTION, PORT}:
        own.append(number)
    else:
        state.warnings.append(
            Diagnostic(
                directive.where,
                f"misplaced pragma HLS {directive.kind}: ignored; "
                "write it inside the braces of the loop that it concerns",
            )
        )


def _add_outside(
    entries: Iterable[tuple[int, Placed]],
    shown: str,
    loops: Sequence[_Loop],
    own: list[int],
    state: _State,
) -> None:
    """Give the entries for a function to it and its loops; those of variables go elsewhere."""
    outside = state.outside
    outside.loops.setdefault(shown, []).extend(name for loop in loops for name in loop.names[:1])
    ordered = sorted((loop for loop in loops if loop.lines), key=lambda loop: int(loop.lines[0]))
    numbered = {str(count): loop for count, loop in enumerate(ordered, 1)}
    for number, entry in entries:
        if entry.loop:
            for loop in loops:
                if entry.loop in (*loop.names, EVERY) or numbered.get(entry.loop) is loop:
                    loop.numbers.append(number)
                    outside.matched.add(number)
        elif state.directives[number].places & {FUNCTION, PORT}:
            own.append(number)
            outside.matched.add(number)


def _loops(
    blocks: dict[str, list[str]],
    successors: dict[str, list[str]],
    bodies: dict[str, set[str]],
    state: _State,
) -> dict[str, _Loop]:
    """Find a function's loops by their headers, with labels and lines of the source."""
    loops = {header: _Loop() for header in bodies}
    for label, lines in blocks.items():
        code = "".join(lines)
        for node in re.findall(r"#dbg_label\(!(\d+),", code):
            at, seen = label, {label}
            # What stands between a label and its loop is in blocks that only go on.
            while at not in loops and len(successors[at]) == 1 and successors[at][0] not in seen:
                at = successors[at][0]
                seen.add(at)
            if at in loops and not loops[at].label:
                loops[at].label = state.debug.name(int(node))
        found = re.search(r", !llvm\.loop !(\d+)", llvm_loops.terminator(lines))
        for header in successors[label] if found else ():
            if label in bodies.get(header, ()):
                places = re.findall(r"!(\d+)", state.nodes.get(found[1], "")) if found else []
                texts = [state.debug.fields(int(place)) for place in places]
                loops[header].lines += [f["line"] for f in texts if "line" in f and "column" in f]
    return loops


def _annotate_loop(
    body: str,
    header: str,
    successors: dict[str, list[str]],
    bodies: dict[str, set[str]],
    loop: _Loop,
    state: _State,
) -> str:
    """Put metadata for the label and the directives on every back edge of a loop."""
    items: list[str] = []
    if loop.label:
        items.append(_node(f'!{{!"lydite.loop", !"{loop.label}"}}', state))
    for number in loop.numbers:
        items.append(_node(f'!{{!"lydite.pragma", i32 {number}}}', state))
        # Inside of a pipeline, all iterations are unrolled, whatever else is asked.
        own = [] if _FULL in loop.extra else _unroll(state.directives[number])
        items += [_node(text, state) for text in own]
    items += [_node(text, state) for text in loop.extra]
    blocks, _ = llvm_loops.blocks(body)
    latches = [b for b in blocks if header in successors[b] and b in bodies[header]]
    loop_id = state.next_id
    state.next_id += 1
    old = ""
    for latch in latches:
        terminator = llvm_loops.terminator(blocks[latch])
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


def _node(text: str, state: _State) -> str:
    number = state.next_id
    state.next_id += 1
    state.new_nodes.append(f"!{number} = {text}")
    return f"!{number}"


def _unroll(directive: Directive) -> list[str]:
    """Give the LLVM metadata for an `unroll` directive."""
    if not isinstance(directive, Unroll):
        return []
    if directive.off or directive.factor == 1:
        return ['!{!"llvm.loop.unroll.disable"}']
    if not directive.factor:
        return [_FULL]
    return [f'!{{!"llvm.loop.unroll.count", i32 {directive.factor}}}']


def _inline(name: str, directive: Inline, state: _State) -> None:
    if directive.off:
        state.inlined[name] = "noinline"
    elif directive.recursive:
        state.recursive.append(name)
    else:
        state.inlined.setdefault(name, "alwaysinline")


def _spread_recursive(text: str, state: _State) -> None:
    """Mark what a function with `inline recursive` calls, and what that calls."""
    if not state.recursive:
        return
    calls = {match[1]: _CALLEE.findall(match[2]) for match in DEFINE.finditer(text)}
    pending = list(state.recursive)
    seen: set[str] = set()
    while pending:
        for callee in calls.get(pending.pop(), []):
            if callee not in seen and callee in calls:
                seen.add(callee)
                state.inlined.setdefault(callee, "alwaysinline")
                pending.append(callee)
