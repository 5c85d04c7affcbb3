# SPDX-License-Identifier: Apache-2.0
"""Python's own parser, for one thread at a time.

Python 3.11 counts how deep the tree is that it makes for all threads together, and ends with a
SystemError where another one did so meanwhile; jobs run in threads, and their keys read code.
"""

from __future__ import annotations

import ast
import functools
import inspect
import threading

_LOCK = threading.Lock()


def module(source: str | bytes) -> ast.Module:
    """Parse the text of a module."""
    with _LOCK:
        return ast.parse(source)


def expression(text: str) -> ast.expr:
    """Parse an expression; errors are those of `ast.parse`."""
    with _LOCK:
        return ast.parse(text, mode="eval").body


@functools.cache
def text_of(kind: type) -> str:
    """Give the text of a class, which Python finds by parsing the module that it stands in.

    Once: that takes a hundredth of a second, and each of hundreds of jobs asks for its own.
    """
    with _LOCK:
        return inspect.getsource(kind)
