# SPDX-License-Identifier: Apache-2.0
"""Tells the recorder of co-simulation what objects the program has, in its LLVM IR.

Two things go wrong in silence without that. An array argument may be larger as a port than the
object that a call passes, and the bytes beyond are somebody else's. And the program may change a
variable that the top function uses, too: the hardware has its own, and does not see it.

Every variable of a file is entered in a table. Local variables are told as they come to life, in
the functions from which the top function can be reached; blocks of memory when they are allocated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lydite.hls.frontend import debug_info
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.library_stubs import split_parameters

_NAME = r'(?:[\w.$-]+|"[^"]*")'
_DEFINE = re.compile(rf"^define [^\n]*?@({_NAME})\(([^\n]*)\{{\n(.*?)^\}}", re.M | re.S)
_GLOBAL = re.compile(rf"^@({_NAME}) = ([^\n]*?)\b(global|constant) ([^\n]*)$", re.M)
_ALLOCA = re.compile(rf"^  %({_NAME}) = alloca (inalloca )?([^\n]*)$", re.M)
_LIFE = re.compile(rf"^  call void @llvm\.lifetime\.start[\w.]*\([^\n]*?%({_NAME})\)[^\n]*$", re.M)
_DECLARED = re.compile(rf"#dbg_declare\(ptr %({_NAME}), !(\d+),")
# What only looks at an object, or says something of it.
_PLAIN_USE = re.compile(rf"^  (?:%{_NAME} = (?:alloca|load) |call void @llvm\.lifetime\.)|^ *#dbg_")
_STORE = re.compile(rf"^  store (?:volatile )?(?:ptr %({_NAME}), ptr )?")
_INDIRECT = re.compile(rf"\bcall [^\n@]*%{_NAME}\(")
# Where the recorder's functions take the place of the library's.
_ALLOCATORS = {
    **{name: f"lydite_cosim_{name}" for name in ("malloc", "calloc", "realloc", "free")},
    "aligned_alloc": "lydite_cosim_aligned_alloc",
    **dict.fromkeys(("_Znwm", "_Znam"), "lydite_cosim_new"),
    **dict.fromkeys(("_ZdlPv", "_ZdaPv"), "lydite_cosim_free"),
    **dict.fromkeys(("_ZdlPvm", "_ZdaPvm"), "lydite_cosim_delete_sized"),
}
_DECLARATIONS = """
declare void @lydite_cosim_objects(ptr, i64)
declare void @lydite_cosim_local(ptr, i64, i64)
"""
_ENTRY = "{ ptr, i64, i64, i64 }"
# A name in the program: of the file it is in, or -1 for one that all files share.
_Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Named:
    """An object: its name in LLVM, and the node of debug information that describes it."""

    name: str
    debug: DebugInfo
    node: int


@dataclass
class Objects:
    """The objects of a program, by the numbers that the recorder has for them."""

    _named: list[_Named] = field(default_factory=list)

    def add(self, name: str, debug: DebugInfo, node: int) -> int:
        """Enter one and give its number."""
        self._named.append(_Named(name, debug, node))
        return len(self._named) - 1

    def name(self, number: int) -> str:
        """Give an object as the C source has it: `seed (a.c:3)`, `s of rnd (a.c:7)`."""
        found = self._named[number]
        fields = found.debug.fields(found.node)
        node = int(fields["var"][1:]) if fields.get("var", "").startswith("!") else found.node
        name = found.debug.name(node)
        if not name:
            plain = found.name.strip('"')
            return "a constant" if plain.startswith(".") else f"a temporary ({plain})"
        scope = found.debug.fields(node).get("scope", "")
        if "DIGlobalVariable(" in found.debug.text(node) and scope.startswith("!"):
            within = int(scope[1:])
            if "DISubprogram(" in found.debug.text(within):
                name = f"{name} of {found.debug.name(within)}"
        where = found.debug.where(node)
        return f"{name} ({where})" if where else name


def instrument(texts: Sequence[str], symbol: str) -> tuple[list[str], Objects]:
    """Make the objects of a program known to the recorder.

    Parameters
    ----------
    texts : sequence of str
        LLVM IR of its files, not optimised.
    symbol : str
        Linker symbol of the top function.
    """
    files = [_File(text, number) for number, text in enumerate(texts)]
    graph: dict[_Key, set[_Key]] = {}
    indirect: set[_Key] = set()
    for file in files:
        graph |= file.mentions()
        indirect |= file.calling_pointers()
    top = next((file.key(symbol) for file in files if symbol in file.functions), (symbol, -1))
    used = _closure({top}, graph)
    callers: dict[_Key, set[_Key]] = {}
    for name, mentioned in graph.items():
        for other in mentioned:
            callers.setdefault(other, set()).add(name)
    leading = (_closure({top}, callers) | indirect) - used
    defined = {name for file in files for name in file.functions}
    objects = Objects()
    return [file.instrumented(objects, used, leading, defined) for file in files], objects


def _closure(found: set[_Key], graph: dict[_Key, set[_Key]]) -> set[_Key]:
    found, pending = set(found), list(found)
    while pending:
        for name in graph.get(pending.pop(), ()):
            if name not in found:
                found.add(name)
                pending.append(name)
    return found


class _File:
    """LLVM IR of one file of the program."""

    def __init__(self, text: str, number: int) -> None:
        self._text, self._number = text, number
        self._debug = debug_info.of_text(text)
        self.functions = {match[1]: match for match in _DEFINE.finditer(text)}
        self._globals = [
            match
            for match in _GLOBAL.finditer(text)
            if not re.search(r"\b(?:external|thread_local|available_externally)\b", match[2])
            and not match[1].startswith("llvm.")
        ]
        local = r"\b(?:internal|private)\b"
        self._own = {match[1] for match in self._globals if re.search(local, match[2])}
        heads = {name: match[0].partition("@")[0] for name, match in self.functions.items()}
        self._own |= {name for name, head in heads.items() if re.search(local, head)}

    def key(self, name: str) -> _Key:
        """Tell which name of the program this is."""
        return name, self._number if name in self._own else -1

    def mentions(self) -> dict[_Key, set[_Key]]:
        """Give what each function and variable refers to."""
        bodies = {name: match[3] for name, match in self.functions.items()}
        bodies |= {match[1]: match[4] for match in self._globals}
        return {
            self.key(name): {self.key(other) for other in re.findall(rf"@({_NAME})", body)}
            for name, body in bodies.items()
        }

    def calling_pointers(self) -> set[_Key]:
        """Give the functions that call through a pointer."""
        found = (name for name, match in self.functions.items() if _INDIRECT.search(match[3]))
        return {self.key(name) for name in found}

    def instrumented(
        self, objects: Objects, used: set[_Key], leading: set[_Key], defined: Iterable[str]
    ) -> str:
        """Give the text that tells the recorder of its objects."""
        text = _DEFINE.sub(
            lambda match: (
                self._with_locals(match, objects) if self.key(match[1]) in leading else match[0]
            ),
            self._text,
        )
        for name, ours in _ALLOCATORS.items():
            if name not in defined:
                text = re.sub(rf"@{name}(?![\w.$-])", f"@{ours}", text)
        entries = [
            f"{_ENTRY} {{ ptr @{match[1]}, i64 {_size(_type(match[4])[0])}, "
            f"i64 {objects.add(match[1], self._debug, _node(match[4]))}, "
            f"i64 {int(match[3] == 'global' and self.key(match[1]) in used)} }}"
            for match in self._globals
        ]
        return f"{_once_each(text)}{_DECLARATIONS}{self._table(entries)}"

    def _table(self, entries: Sequence[str]) -> str:
        """Give the table of variables, and what hands it over before the program starts."""
        stem, count = f"lydite.cosim.{self._number}", len(entries)
        return (
            f"@{stem}.table = internal constant [{count} x {_ENTRY}] [{', '.join(entries)}]\n"
            f"@{stem}.start = hidden constant ptr @{stem}.tell, "
            'section ".init_array.00102", align 8\n'
            f"define hidden void @{stem}.tell() {{\n"
            f"  call void @lydite_cosim_objects(ptr @{stem}.table, i64 {count})\n"
            "  ret void\n}\n"
        )

    def _with_locals(self, function: re.Match[str], objects: Objects) -> str:
        """Give a function that tells of those of its variables whose address it gives away."""
        body = function[3]
        nodes = {name: int(node) for name, node in _DECLARED.findall(body)}
        kinds = {match[1]: match[3] for match in _ALLOCA.finditer(body)}
        living = {match[1] for match in _LIFE.finditer(body)}
        told = {
            name: objects.add(name, self._debug, nodes.get(name, -1))
            for name in _given_away(body, kinds)
        }
        lines = []
        for line in body.splitlines():
            lines.append(line)
            started = _LIFE.match(line) or _ALLOCA.match(line)
            if started is None or started[1] not in told:
                continue
            if _LIFE.match(line) or started[1] not in living:
                name = started[1]
                lines += _tell(name, kinds[name], told[name])
        parameters, _ = split_parameters(function[2])
        first = int(re.match(rf"{_NAME}:", lines[0]) is not None)
        lines[first:first] = [
            line
            for text in parameters
            if (copy := re.search(rf"\bbyval\((.*?)\) [^%]*%({_NAME})$", text))
            for line in _tell(copy[2], copy[1], objects.add(copy[2], self._debug, -1))
        ]
        head = function[0][: function.start(3) - function.start()]
        return head + "\n".join(lines) + "\n}"


def _given_away(body: str, names: Iterable[str]) -> Iterator[str]:
    """Give the variables whose address goes anywhere but to a load or store of the function."""
    pending = set(names)
    for line in body.splitlines():
        if not pending:
            return
        if _PLAIN_USE.match(line):
            continue
        store = _STORE.match(line)
        found = pending.intersection([store[1]] if store else re.findall(rf"%({_NAME})", line))
        yield from sorted(found)
        pending -= found


def _tell(name: str, kind: str, number: int) -> list[str]:
    """Give the statements that tell of a variable of an `alloca`'s type and count."""
    type_, rest = _type(kind)
    size, lines = _size(type_), []
    if count := re.match(rf", (i\d+) (%{_NAME}|\d+)", rest):
        stem, value = f"%lydite.bytes.{number}", count[2]
        if count[1] != "i64":
            lines.append(f"  {stem}.count = zext {count[1]} {value} to i64")
            value = f"{stem}.count"
        lines.append(f"  {stem} = mul i64 {value}, {size}")
        size = stem
    return [*lines, f"  call void @lydite_cosim_local(ptr %{name}, i64 {size}, i64 {number})"]


def _size(type_: str) -> str:
    return f"ptrtoint (ptr getelementptr ({type_}, ptr null, i64 1) to i64)"


def _type(text: str) -> tuple[str, str]:
    """Cut LLVM's text behind the type that it begins with."""
    depth, quoted = 0, False
    for at, char in enumerate(text):
        quoted ^= char == '"'
        if quoted:
            continue
        depth += (char in "[{<(") - (char in ")>}]")
        if not depth and (char in " ,"):
            return text[:at], text[at:]
    return text, ""


def _node(text: str) -> int:
    found = re.search(r"!dbg !(\d+)", text)
    return int(found[1]) if found else -1


def _once_each(text: str) -> str:
    """Drop declarations that say the same again, since two functions may have one stand-in."""
    seen: set[str] = set()

    def once(match: re.Match[str]) -> str:
        if match[1] in seen:
            return ""
        seen.add(match[1])
        return match[0]

    return re.sub(r"^declare [^\n]*@(lydite_cosim_\w+)\([^\n]*\n", once, text, flags=re.M)
