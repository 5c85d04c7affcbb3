# SPDX-License-Identifier: Apache-2.0
"""A core to begin with: a folder that can be proven and placed as it is written."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from lydite.base.errors import InputError
from lydite.base.files import cannot_write, read_text
from lydite.cores.catalog import FILE, FOLDER

# File of the folder to the text that it is made of.
_FILES = {
    FILE: "core.toml",
    "spec.py": "spec.py",
    "rtl/@TOP@.v": "core.v",
    "hls/@TOP@.c": "core.c",
    "sw/@TOP@.c": "software.c",
    "kat/@NAME@.json": "kat.json",
}


def write(name: str, folder: Path) -> tuple[Path, ...]:
    """Write a core and give its files.

    Parameters
    ----------
    name : str
        Of the primitive; of the module with `_` for `-`.
    folder : Path
        To be made: it must not be there.

    Raises
    ------
    InputError
        The name is none, or the folder is there or cannot be made; nothing is left then.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        hint = "small letters, digits and '-', a letter first: my-core"
        raise InputError("NAME", f"not a name of a core: {name!r}", hint)
    if folder.exists():
        raise InputError(str(folder), "is there already", "name another with --folder")
    values = {"@NAME@": name, "@TOP@": name.replace("-", "_")}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch:
            made = Path(scratch) / folder.name
            for target, source in _FILES.items():
                path = made / _filled(target, values)
                path.parent.mkdir(parents=True, exist_ok=True)
                text = read_text(FOLDER / "template" / f"{source}.in", "a template")
                path.write_text(_filled(text, values))
            shutil.move(made, folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    return tuple(folder / _filled(target, values) for target in _FILES)


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
