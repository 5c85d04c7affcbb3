# SPDX-License-Identifier: Apache-2.0
"""Copies of the catalogue's software in a run's artefacts, for who measures it again from these."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lydite.cores import Software, catalog
from lydite.runs.processors.software import headers
from lydite.runs.rerun import Lacking

# In the work folder of a run: files of the catalogue, as they lie there.
FOLDER = "cores"


def keep(variants: Sequence[Software], work: Path) -> None:
    """Copy what variants of the catalogue's software are made of into a work folder."""
    for path in sorted({path for one in variants for path in _read_by(one)}):
        kept = work / FOLDER / path.relative_to(catalog.FOLDER)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, kept)


def _read_by(software: Software) -> list[Path]:
    named = (*software.sources, *filter(None, [software.python]))
    own = (software.folder / name for name in named)
    return [path.resolve() for path in (*own, *headers(software))]


def said(software: Software) -> dict[str, Any]:
    """Give what a variant is, beside the files, for a key and for `kept`."""
    fields = msgspec.structs.asdict(software)
    names = ("name", "sources", "python", "flags", "defines")
    return {name: msgspec.to_builtins(fields[name]) for name in names}


def kept(primitive: str, variant: Mapping[str, Any], work: Path) -> Software:
    """Give a variant as it was, of the copies in a work folder.

    Parameters
    ----------
    variant : mapping
        As `said` gave it; without a name, what it defines tells it.

    Raises
    ------
    Lacking
        The catalogue has no such variant any more.
    """
    for one in catalog.software(primitive):
        if one.name == variant.get("name", one.name) and one.defines == variant["defines"]:
            folder = (work / FOLDER).resolve() / one.folder.relative_to(catalog.FOLDER)
            sources, flags = tuple(variant["sources"]), tuple(variant["flags"])
            return msgspec.structs.replace(one, folder=folder, sources=sources, flags=flags)
    raise Lacking(primitive, f"this Lydite has no variant {variant.get('name', '')!r} of it")
