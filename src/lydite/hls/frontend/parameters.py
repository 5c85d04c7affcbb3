# SPDX-License-Identifier: Apache-2.0
"""How a function's parameters are declared in C: the only place that array sizes stand.

LLVM IR and debug information know `uint64_t a[25]` as a pointer. The text of the declarator is cut
out of the source here, and put into a structure whose member clang itself measures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[(){}\[\];,]')
_DIRECTIVE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_BRACKET_WORDS = re.compile(r"\b(?:static|const|restrict|volatile|__restrict(?:__)?)\b")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as the source declares it.

    Attributes
    ----------
    name : str
        Its name.
    text : str
        The declaration on one line: `const uint8_t key[16]`.
    member : str
        The same without what only a parameter may say (`static` in brackets, `register`, a
        default).
    sized : bool
        Whether it may be an array or reference: brackets with something in them, or no pointer
        star.
    """

    name: str
    text: str
    member: str
    sized: bool


def parameters(text: str, function: str) -> tuple[Parameter, ...] | None:
    """Give the parameters of a function's definition, or None if the text has no definition."""
    # Blank directives out, keeping offsets.
    text = _DIRECTIVE.sub(lambda match: " " * len(match[0]), text)
    for match in re.finditer(rf"\b{re.escape(function)}\s*\(", text):
        close = _closing(text, match.end() - 1)
        if close is None:
            continue
        inside = text[match.end() : close]
        rest = text[close + 1 :]
        body = re.match(r"\s*(?:noexcept\s*|__attribute__\s*\(\(.*?\)\)\s*)*\{", rest)
        if body:
            return tuple(p for part in _split(inside, ",") if (p := _parameter(part)) is not None)
        old_style = _old_style(inside, rest)
        if old_style is not None:
            return old_style
    return None


def _closing(text: str, opening: int) -> int | None:
    depth = 0
    for token in _TOKEN.finditer(text, opening):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
            if depth == 0:
                return token.start()
    return None


def _split(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets of any kind (template brackets not counted)."""
    parts, depth, start = [], 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
        elif token[0] == separator and depth == 0:
            parts.append(text[start : token.start()])
            start = token.end()
    parts.append(text[start:])
    return [" ".join(part.split()) for part in parts if part.strip()]


def _old_style(names: str, rest: str) -> tuple[Parameter, ...] | None:
    """Read `f(a, n) int a[10]; int n; {`: None if it is not that."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted or not all(re.fullmatch(r"[^\W\d]\w*", name) for name in wanted):
        return None
    opening = rest.find("{")
    if opening < 0 or not rest[:opening].strip().endswith(";"):
        return None
    found: dict[str, Parameter] = {}
    for declaration in _split(rest[:opening], ";"):
        pieces = _split(declaration, ",")
        base = re.match(r"(?:[^\W\d]\w*\s+)+(?=[*\s]*[^\W\d]\w*)", pieces[0])
        for index, piece in enumerate(pieces):
            whole = piece if index == 0 or base is None else base[0] + piece
            parameter = _parameter(whole)
            if parameter is not None:
                found[parameter.name] = parameter
    if not set(found) <= set(wanted):
        return None
    return tuple(found.get(name) or Parameter(name, f"int {name}", "", False) for name in wanted)


def _parameter(text: str) -> Parameter | None:
    if text in ("void", "..."):
        return None
    text = _split(text.replace("=", ","), ",")[0] if "=" in text else text
    outside = re.sub(r"\[[^\]]*\]", "", text)
    names = re.findall(r"[^\W\d]\w*", re.sub(r"__attribute__\s*\(\(.*?\)\)", "", outside))
    if not names:
        return None
    member = re.sub(
        r"\[([^\]]*)\]", lambda match: f"[{_BRACKET_WORDS.sub('', match[1]).strip()}]", text
    )
    member = re.sub(r"\bregister\b\s*", "", member)
    brackets = re.findall(r"\[([^\]]*)\]", member)
    sized = (bool(brackets) and all(brackets)) or ("*" not in text and not brackets)
    return Parameter(names[-1], text, member, sized)
