# SPDX-License-Identifier: Apache-2.0
"""Binds directives to variables, in unoptimised LLVM IR.

The address in a marker call leads to the variable's debug information, which gets an annotation
`!{!"lydite.directive", i32 K}`: LLVM keeps it for every copy of the variable, wherever inlining
puts it. A directive of a pointer (an array parameter is one) concerns what the pointer may point
to: it is handed on to those objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.directives import (
    VARIABLE,
    ArrayPartition,
    ArrayReshape,
    BindStorage,
    Directive,
)
from lydite.hls.frontend import llvm_parser, points_to
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.external_directives import Outside, joined
from lydite.hls.frontend.library_stubs import DEFINE
from lydite.hls.frontend.llvm_ast import Function, Local, Module, Operand
from lydite.hls.frontend.llvm_lexer import ParseError
from lydite.hls.frontend.mark_pragmas import VARIABLE_MARKER

_CALL = re.compile(
    rf"^ *(?:tail )?call void @{VARIABLE_MARKER}"
    r"\(i32 [^,)]*?(\d+), ptr (?:noundef |nonnull )*(.*?)\)(?: #\d+)?(?:, ![^\n]*)?\n",
    re.MULTILINE,
)
_DECLARE = re.compile(r'#dbg_declare\(ptr %("[^"]*"|[\w.$-]+), !(\d+), !DIExpression\(\)')
_OF_ARRAYS = (ArrayPartition, ArrayReshape, BindStorage)
_KEY = '!"lydite.directive"'


class Variables:
    """Collects the directives of variables by the nodes of their debug information.

    Parameters
    ----------
    text : str
        The linked module.
    """

    def __init__(self, text: str, debug: DebugInfo, directives: Sequence[Directive]) -> None:
        self.debug = debug
        self.directives = directives
        self.warnings: list[Diagnostic] = []
        self.used: set[int] = set()
        self._found: dict[int, list[int]] = {}
        self._globals: dict[str, int] = {}
        for name, node in re.findall(r'^@("[^"]*"|[\w.$-]+) = .*?, !dbg !(\d+)', text, re.M):
            variable = debug.fields(int(node)).get("var", "")
            if variable.startswith("!"):
                self._globals[name] = int(variable[1:])

    def read(self, body: str) -> str:
        """Take the markers of variables out of a function's body."""
        if f"@{VARIABLE_MARKER}(" not in body:
            return body
        declared = dict(_DECLARE.findall(body))
        for number, operand in _CALL.findall(body):
            self._bind(int(number), self._node(operand, declared, body))
        return _CALL.sub("", body)

    def _node(self, operand: str, declared: dict[str, str], body: str) -> int:
        if operand[1:] in declared and operand[0] == "%":
            return int(declared[operand[1:]])
        if operand[0] == "@":
            return self._globals.get(operand[1:], -1)
        # A C++ reference is a pointer that is read first.
        read = re.search(
            rf'^  {re.escape(operand)} = load ptr, ptr %("[^"]*"|[\w.$-]+)', body, re.MULTILINE
        )
        return int(declared.get(read[1], "-1")) if read else -1

    def _bind(self, number: int, node: int) -> None:
        item = self.directives[number]
        variable = getattr(item, "variable", "")
        if node >= 0:
            self._found.setdefault(node, []).append(number)
            if self.debug.variable_type(node).kind == "integer" and isinstance(item, _OF_ARRAYS):
                what = f"pragma HLS {item.kind}: variable={variable} is no array: ignored"
                self.warnings.append(Diagnostic(item.where, what))
            return
        what = f"pragma HLS {item.kind}: variable={variable} is no variable as a whole: ignored"
        self.warnings.append(Diagnostic(item.where, what))

    def add(
        self,
        entries: Iterable[tuple[int, Placed]],
        body: str,
        subprogram: int,
        outside: Outside,
        shown: str,
    ) -> None:
        """Bind the entries from outside for a function: to its variables, or to globals."""
        local = [int(node) for _, node in _DECLARE.findall(body)]
        local += [n for n in self._globals.values() if self._home(n) == subprogram]
        rest = [n for n in self._globals.values() if self._home(n) < 0]
        names = outside.variables.setdefault(shown, [])
        names += [
            self.debug.name(n) for n in (*local, *rest) if self.debug.name(n)[:8] != "__lydite"
        ]
        for number, entry in entries:
            item = self.directives[number]
            wanted = entry.variable or getattr(item, "variable", "")
            if VARIABLE not in item.places or not wanted:
                continue
            found = [node for node in local if self.debug.name(node) == wanted]
            found = found or [node for node in rest if self.debug.name(node) == wanted]
            for node in found:
                outside.matched.add(number)
                self._bind(number, node)

    def enclose(self, number: int, body: str, location: int) -> None:
        """Bind a directive to all local objects of the scope that it stands in, and of inner ones.

        `location` is the node of the place of its marker.
        """
        scope = self._scope(location)
        for _, declared in _DECLARE.findall(body):
            at = self._scope(int(declared))
            while at >= 0 and at != scope:
                at = self._scope(at)
            if at == scope and not self._is_pointer(int(declared)):
                self._bind(number, int(declared))

    def _scope(self, node: int) -> int:
        """Give the braces that something stands in; -1 if there are none."""
        while True:
            scope = self.debug.fields(node).get("scope", "")
            if not scope.startswith("!"):
                return -1
            node = int(scope[1:])
            # The lines of a block that come from another file are no block of their own.
            if "!DILexicalBlockFile(" not in self.debug.text(node):
                return node

    def _home(self, node: int) -> int:
        """Give the function that a variable is static in; -1 for a global."""
        for _ in range(100):
            if "!DISubprogram(" in self.debug.text(node):
                return node
            scope = self.debug.fields(node).get("scope", "")
            if not scope.startswith("!"):
                return -1
            node = int(scope[1:])
        return -1

    def annotate(self, text: str, symbol: str) -> str:
        """Write what was found into the module's text."""
        if not self._found:
            return text
        if any(self._is_pointer(node) for node in self._found):
            self._hand_on(text, symbol)
        fresh = max(map(int, re.findall(r"^!(\d+) = ", text, re.MULTILINE)), default=0) + 1
        nodes: list[str] = []
        for node, numbers in self._found.items():
            kept = joined(numbers, self.directives)
            self.used.update(kept)
            first = fresh + len(nodes)
            nodes += [f"!{first + at} = !{{{_KEY}, i32 {n}}}" for at, n in enumerate(kept)]
            items = ", ".join(f"!{first + at}" for at in range(len(kept)))
            nodes.append(f"!{first + len(kept)} = !{{{items}}}")
            pattern = rf"^(!{node} = (?:distinct )?!DI(?:Local|Global)Variable\(.*)\)$"
            change = rf"\1, annotations: !{first + len(kept)})"
            text, count = re.subn(pattern, change, text, flags=re.MULTILINE)
            assert count == 1, f"!{node} is a variable"
        text = DEFINE.sub(lambda match: _declared_first(match[0], self._found), text)
        return text + "\n".join(nodes) + "\n"

    def _is_pointer(self, node: int) -> bool:
        return self.debug.variable_type(node).kind == "pointer"

    def _hand_on(self, text: str, symbol: str) -> None:
        """Give the directives of pointers to the objects that they may point to."""
        try:
            module = llvm_parser.parse(text)
        except (InputError, ParseError):
            return  # refused with its place later, if the hardware needs it
        solution = points_to.solve(module, symbol)
        home = _homes(module, symbol)
        for function, node, slot in _pointers(module, self._found):
            for value in _stored(function, slot):
                for name in solution.of(function.name, value):
                    target = self._globals.get(name, home.get(name, -1))
                    # An argument array of the top function is itself declared as a pointer.
                    array = target >= 0 and (name[-1:] == ")" or not self._is_pointer(target))
                    if array and target != node:
                        self._found.setdefault(target, []).extend(self._found[node])


def _declared_first(function: str, nodes: Iterable[int]) -> str:
    """Move declarations of variables up to their slots: LLVM may lose one that is in a loop."""
    for node in nodes:
        place = re.search(rf"^ *#dbg_declare\(ptr %([\w.$]+), !{node},.*\n", function, re.MULTILINE)
        if place is None:
            continue
        # A parameter has no slot, and is in no loop.
        slot = re.search(rf"^  %{re.escape(place[1])} = alloca .*\n", function, re.MULTILINE)
        if slot is not None:
            between = function[slot.end() : place.start()]
            function = function[: slot.end()] + place[0] + between + function[place.end() :]
    return function


def _homes(module: Module, symbol: str) -> dict[str, int]:
    """Give the variable of each local object and of each argument array of the top function."""
    result: dict[str, int] = {}
    for function in module.functions.values():
        for slot, node in function.declared.items():
            result[f"{function.name}/{slot}"] = node
    top = module.functions[symbol]
    slots = {param.name for param in top.params if param.type == "ptr"}
    for block in top.blocks:
        for code in block.code:
            if code.op != "store":
                continue
            value, place = code.args[0][1], code.args[1][1]
            if isinstance(value, Local) and value.name in slots and isinstance(place, Local):
                node = top.declared.get(place.name, -1)
                if node >= 0:
                    result[f"{symbol}({value.name})"] = node
    return result


def _pointers(module: Module, found: Iterable[int]) -> Iterator[tuple[Function, int, str]]:
    """Walk the pointer variables that have directives, with the slots that hold them."""
    known = set(found)
    for function in module.functions.values():
        for slot, node in function.declared.items():
            if node in known:
                yield function, node, slot


def _stored(function: Function, slot: str) -> Iterator[Operand]:
    """Walk the values that are stored to a local variable."""
    for block in function.blocks:
        for code in block.code:
            if code.op == "store" and code.args[1][1] == Local(slot):
                yield code.args[0][1]


def numbers(debug: DebugInfo, variable: int) -> tuple[int, ...]:
    """Give the directives of a variable, from its annotations."""
    listed = debug.fields(variable).get("annotations", "")
    if not listed.startswith("!"):
        return ()
    result = []
    for item in debug.operands(int(listed[1:])):
        match = re.match(rf"!\{{{re.escape(_KEY)}, i32 (\d+)", debug.text(item))
        if match:
            result.append(int(match[1]))
    return tuple(result)
