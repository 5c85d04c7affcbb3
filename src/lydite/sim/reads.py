# SPDX-License-Identifier: Apache-2.0
"""Which files tools will read beside those that they are given, and whether they read others.

What a source names is taken from its text, generously: what is read depends on macros that only
the tool knows. After the run the tool's own list is held against that, so that no file decides a
result whose digest does not stand in its key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lydite.base import digest
from lydite.base.errors import InputError

# A text in Verilog that may be the absolute path of a file to include or to load.
_ABSOLUTE = re.compile(rb'"(/[^"\n\\]+)"')
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*(?:include|embed)[a-z_]*[ \t]*(["<])([^">\n]+)[">]', re.M)


def of_verilog(files: Iterable[Path], texts: Iterable[str] = ()) -> tuple[Path, ...]:
    """Give the files that sources name by absolute paths, in the order in which they do.

    What they name relatively must be given with them, and is no concern of this function.

    Parameters
    ----------
    texts : iterable of str
        Values of parameters and macros.
    """

    def named(path: Path, text: bytes) -> list[Path]:
        return [Path(match[1].decode(errors="replace")) for match in _ABSOLUTE.finditer(text)]

    given = [Path(text.strip('"\\')) for text in texts]
    more = [path for path in given if path.is_absolute() and path.is_file()]
    return (*more, *_closure([*files, *more], named))


def of_c(sources: Iterable[Path], folders: Sequence[Path]) -> tuple[Path, ...]:
    """Give the headers that sources of C and C++ include, in the order in which they do.

    Those of the compiler are not among them: its version stands for them.

    Parameters
    ----------
    folders : sequence of Path
        Where the compiler is told to look for headers.
    """

    def named(path: Path, text: bytes) -> list[Path]:
        found = []
        for match in _INCLUDE.finditer(text):
            name = match[2].decode(errors="replace")
            places = [path.parent, *folders] if match[1] == b'"' else folders
            found += [place / name for place in places if (place / name).is_file()][:1]
        return found

    return _closure(sources, named)


def _closure(files: Iterable[Path], named: Callable[[Path, bytes], list[Path]]) -> tuple[Path, ...]:
    """Give all files that files name, and those that these name, without the first."""
    given = list(files)
    found = list(given)
    for path in found:  # which grows
        for new in named(path, path.read_bytes()):
            if new not in found and new.is_file():
                found.append(new)
    return tuple(found[len(given) :])


def digests(paths: Iterable[Path]) -> list[list[str]]:
    """Give base names and digests of files."""
    return [[path.name, digest.of_file(path)] for path in paths]


def check(
    read: Iterable[str], known: Iterable[Path], *, folder: Path, where: str, own: Path | None = None
) -> None:
    """Check that a tool read nothing else than what was known before it ran.

    Parameters
    ----------
    read : iterable of str
        What it read, as it names that in its working folder.
    known : iterable of Path
        What it may read outside of that.
    folder : Path
        Its working folder, which holds nothing but copies of what it was given.
    where : str
        The design, for the error.
    own : Path, optional
        Where its own files are.

    Raises
    ------
    InputError
        It read another file, whose content stands in no key.
    """
    allowed = {path.resolve() for path in known}
    places = [place.resolve() for place in (folder, own) if place]
    for name in read:
        path = (folder / name).resolve()
        inside = any(path.is_relative_to(place) for place in places)
        if not inside and path not in allowed:
            what = f"reads {name}, which no source names as it stands"
            hint = "name the file where it is read, or put it beside the sources and list it there"
            raise InputError(where, what, hint)
