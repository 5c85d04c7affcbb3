# SPDX-License-Identifier: Apache-2.0
"""Keeps loops whose directives LLVM would lose, and gives an account of those it lost all the same.

LLVM may copy the end of a loop into the branches that lead there, join a loop with the one around,
or make straight code of a loop, and forgets what the loop was told. So the program is optimised as
it is; where a directive of a loop is lost, again with calls that hold loops: one at the end of each
iteration, which LLVM may neither copy nor drop, so that it says in the end where the iterations of
that loop are. What holds LLVM back keeps it from other things, too: only what was lost is held.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import (
    Dataflow,
    Directive,
    ExpressionBalance,
    LoopMerge,
    Pipeline,
    Unroll,
)
from lydite.hls.frontend import llvm_loops
from lydite.hls.frontend.library_stubs import DEFINE

_LATCH, _TRACE, _OPAQUE = "__lydite_latch", "__lydite_trace", "__lydite_opaque"
_EFFECT = "nounwind willreturn memory(inaccessiblemem: readwrite)"
_DECLARED = (
    f"declare void @{_LATCH}(i32) noduplicate convergent {_EFFECT}\n"
    f"declare void @{_TRACE}(i32) {_EFFECT}\n"
    f"declare i1 @{_OPAQUE}(i1) nounwind willreturn memory(none)\n"
)
_MARK = re.compile(
    rf"^ *(?:tail )?call void @(?:{_LATCH}|{_TRACE})\(i32 [^)]*?(\d+)\)[^\n]*\n", re.M
)
_HIDDEN = re.compile(
    rf"^( *%\S+ = )(?:tail )?call i1 @{_OPAQUE}\(i1 (?:noundef )?([^\s)]+)\)[^\n,]*", re.M
)
_TEST = re.compile(r"  br i1 ([^,\s]+), ")
_QUOTE = '"'
_LOOP = re.compile(r", !llvm\.loop !(\d+)")
_TOLD = re.compile(r'!\{!"lydite\.pragma", i32 (\d+)\}')


@dataclass(slots=True)
class _Loop:
    """A loop of the source.

    Attributes
    ----------
    numbers : tuple of int
        Its directives.
    copied : bool
        LLVM is to unroll it: `unroll`, or a pipeline around it.
    around : set of int
        The loops that it is in, by their places in the list of all, through calls, too.
    calls : set of str
        What is called in it.
    """

    function: str
    header: str
    numbers: tuple[int, ...]
    copied: bool
    body: set[str]
    calls: set[str]
    around: set[int] = field(default_factory=set)


def optimised(
    source: str,
    directives: Sequence[Directive],
    symbol: str,
    optimise: Callable[[str, bool], str],
    without_dead_loops: Callable[[str], str],
) -> tuple[str, list[Diagnostic]]:
    """Optimise a module whose loops have directives, and keep these.

    Parameters
    ----------
    source : str
        LLVM IR before optimisation.
    symbol : str
        Linker symbol of the top function.
    optimise, without_dead_loops : callable
        Give LLVM IR as LLVM makes it: optimised, or only once so if the second argument says so;
        and without loops that do nothing.

    Returns
    -------
    text : str
        LLVM IR in which each directive of a loop is that of a loop, but for those that LLVM has
        obeyed, those of code that is never reached, and those that the warnings name.
    warnings : list of Diagnostic
    """
    text = optimise(source, False)
    lost = _told(source) - _told(text)
    if not lost:
        return text, []
    loops = [*_loops(source, symbol)]
    alone = [
        at
        for at, loop in enumerate(loops)
        if not loop.copied and any(_is_pipeline(directives[n]) for n in lost & {*loop.numbers})
    ]
    if alone:
        again = optimise(_held(source, loops, alone), False)
        if (_told(again) - _told(text)) & lost:
            text = _released(again, without_dead_loops)
            lost -= _told(again)
    wanted = {
        at: [n for n in loop.numbers if n in lost]
        for at, loop in enumerate(loops)
        if any(_matters(directives[n], loop, loops) for n in lost & {*loop.numbers})
    }
    if not wanted:
        return text, []
    whole = [
        at
        for at, numbers in wanted.items()
        if not loops[at].copied and any(directives[n].iterates for n in numbers)
    ]
    # Whether loops were unrolled is seen at once, and nothing else is made of that text.
    once = all(loops[at].copied for at in wanted)
    held = sorted(wanted if once else {*alone, *wanted})
    again = optimise(_held(source, loops, held, entered=held, whole=whole), once)
    account = _Account(again, loops, wanted, directives)
    return (_released(account.text, without_dead_loops) if account.kept else text), account.warnings


def _told(text: str) -> set[int]:
    """Give the numbers of the directives that loops of a module have."""
    return {int(number) for number in _TOLD.findall(text)}


def _is_pipeline(directive: Directive) -> bool:
    return isinstance(directive, Pipeline) and not directive.off


def _matters(directive: Directive, loop: _Loop, loops: Sequence[_Loop]) -> bool:
    """Whether LLVM may not have obeyed a directive that no loop has any more."""
    if isinstance(directive, Unroll):
        return bool(loop.around) and not directive.off and directive.factor != 1
    if isinstance(directive, LoopMerge):
        inner = (other for other in loops if other.function == loop.function)
        return any(other.header in loop.body and other is not loop for other in inner)
    if isinstance(directive, ExpressionBalance):
        return directive.off
    if isinstance(directive, Dataflow):
        return bool(loop.calls)
    return (_is_pipeline(directive) and not loop.copied) or directive.iterates


def _loops(source: str, symbol: str) -> Iterator[_Loop]:
    """Walk the loops of what the top function reaches, with the loops around them."""
    functions = {match[1]: match[2] for match in DEFINE.finditer(source)}
    nodes = dict(re.findall(r"^!(\d+) = (.*)$", source, re.M))
    mentions = llvm_loops.mentions(functions)
    found: list[_Loop] = []
    for name in llvm_loops.reached({symbol}, mentions):
        if "!llvm.loop" not in functions[name]:
            continue
        blocks, successors = llvm_loops.blocks(functions[name])
        for header, body in llvm_loops.loop_bodies(blocks, successors).items():
            code = "".join("".join(blocks[label]) for label in sorted(body))
            latches = [label for label in blocks if label in body and header in successors[label]]
            told = [
                nodes.get(operand, "")
                for label in latches
                for node in _LOOP.findall(llvm_loops.terminator(blocks[label]))
                for operand in re.findall(r"!(\d+)", nodes.get(node, ""))
            ]
            numbers = [int(n) for n in _TOLD.findall("\n".join(told))]
            copied = any(
                f'"llvm.loop.unroll.{how}"' in t for t in told for how in ("full", "count")
            )
            calls = llvm_loops.reached(llvm_loops.mentioned(code, functions), mentions)
            found.append(_Loop(name, header, tuple(dict.fromkeys(numbers)), copied, body, {*calls}))
    for loop in found:
        for at, other in enumerate(found):
            inside = other.function == loop.function and loop.header in other.body
            if other is not loop and (inside or loop.function in other.calls):
                loop.around.add(at)
    return iter(found)


def _held(
    source: str,
    loops: Sequence[_Loop],
    held: Sequence[int],
    *,
    entered: Container[int] = (),
    whole: Container[int] = (),
) -> str:
    """Put calls at the ends of loops, and in front of those that are `entered`.

    How often the `whole` ones run is hidden. A call has twice the number of its loop, and one more
    if it is in front.
    """

    def change(match: re.Match[str]) -> str:
        here = [at for at in held if loops[at].function == match[1]]
        if not here:
            return match[0]
        body = match[2]
        blocks, successors = llvm_loops.blocks(body)
        for label, lines in blocks.items():
            calls, test = "", None
            end = llvm_loops.terminator(lines)
            for at in here:
                loop, following = loops[at], successors[label]
                call = f"  call void @{_TRACE if loop.copied else _LATCH}(i32"
                if label in loop.body:
                    calls += f"{call} {2 * at})\n" * (loop.header in following)
                    if at in whole and not loop.body.issuperset(following):
                        test = _TEST.match(end)
                elif at in entered and following == [loop.header]:
                    calls += f"{call} {2 * at + 1})\n"
            old = "".join(lines)
            new = old.removesuffix(end)
            if test is not None:
                name = f'%"lydite.{label.strip(_QUOTE)}"'
                calls += f"  {name} = call i1 @{_OPAQUE}(i1 {test[1]})\n"
                end = f"  br i1 {name}, {end[test.end() :]}"
            body = body.replace(old, f"{new}{calls}{end}", 1) if calls else body
        return match[0][: match.start(2) - match.start()] + body + "}"

    return DEFINE.sub(change, source) + _DECLARED


class _Account:
    """Gives directives to the loops in which the calls are, and names those without one."""

    def __init__(
        self,
        text: str,
        loops: Sequence[_Loop],
        lost: Mapping[int, Sequence[int]],
        directives: Sequence[Directive],
    ) -> None:
        self.loops = loops
        self.lost = lost
        self.directives = directives
        self.warnings: list[Diagnostic] = []
        self.kept = False
        found = re.findall(r"^!(\d+) = (.*)$", text, re.M)
        self._nodes = {int(number): body for number, body in found}
        self._added: list[str] = []
        self.text = DEFINE.sub(self._function, text)
        self.text += "".join(f"{line}\n" for line in self._added)

    def _function(self, match: re.Match[str]) -> str:
        body = match[2]
        if not _MARK.search(body):
            return match[0]
        blocks, successors = llvm_loops.blocks(body)
        marks = {b: {int(n) for n in _MARK.findall("".join(t))} for b, t in blocks.items()}
        bodies = llvm_loops.loop_bodies(blocks, successors)
        home = llvm_loops.innermost_loops(bodies)
        for at, numbers in self.lost.items():
            places = [label for label in blocks if 2 * at in marks[label]]
            entries = {label for label in blocks if 2 * at + 1 in marks[label]}
            going = [label for label in places if _comes_back(label, successors, entries)]
            if places:
                self._name(numbers, joined=bool(going))
            for header in dict.fromkeys(home[label] for label in going if label in home):
                ends = (b for b in blocks if b in bodies[header] and header in successors[b])
                if not self.loops[at].copied:
                    body = self._tell(body, blocks, next(ends), numbers)
                    self.kept = True
        return match[0][: match.start(2) - match.start()] + body + "}"

    def _name(self, numbers: Sequence[int], *, joined: bool) -> None:
        """Say which directives of a loop are not obeyed."""
        for item in (self.directives[number] for number in numbers):
            if isinstance(item, Unroll) and joined:
                what = "loop not unrolled: it was joined with the one around"
            elif item.iterates and not joined:
                what = f"{item.kind}: the loop was unrolled, or runs once: not honoured"
            else:
                continue
            self.warnings.append(Diagnostic(item.where, what))

    def _tell(
        self, body: str, blocks: dict[str, list[str]], latch: str, numbers: Sequence[int]
    ) -> str:
        """Add directives to what the loop with this latch is told."""
        old = "".join(blocks[latch])
        end = llvm_loops.terminator(blocks[latch])
        found = _LOOP.search(end)
        items = re.findall(r"!\d+", self._nodes[int(found[1])])[1:] if found else []
        items += [self._node(f'!{{!"lydite.pragma", i32 {number}}}') for number in numbers]
        node = f"!{max(self._nodes) + 1}"
        self._node(f"distinct !{{{', '.join([node, *items])}}}")
        changed = re.sub(r"(\n+)\Z", rf", !llvm.loop {node}\1", _LOOP.sub("", end))
        new = old.removesuffix(end) + changed
        blocks[latch] = new.splitlines(keepends=True)
        return body.replace(old, new, 1)

    def _node(self, text: str) -> str:
        number = max(self._nodes) + 1
        self._nodes[number] = text
        self._added.append(f"!{number} = {text}")
        return f"!{number}"


def _comes_back(start: str, successors: dict[str, list[str]], entries: Container[str]) -> bool:
    """Whether a block is reached again, and its loop is not entered anew."""
    pending, seen = [start], {start}
    while pending:
        block = pending.pop()
        if block in entries:
            continue
        if start in successors[block]:
            return True
        new = [other for other in successors[block] if other not in seen]
        seen.update(new)
        pending += new
    return False


def _released(text: str, without_dead_loops: Callable[[str], str]) -> str:
    """Take out what holds loops, and loops that nothing else holds."""
    text = _MARK.sub("", text)
    shorter = without_dead_loops(text)
    text = shorter if _told(shorter) != _told(text) else text
    text = _HIDDEN.sub(r"\1or i1 \2, false", text)
    return re.sub(
        rf"^declare [^\n]*@(?:{_LATCH}|{_TRACE}|{_OPAQUE})\([^\n]*\n", "", text, flags=re.M
    )
