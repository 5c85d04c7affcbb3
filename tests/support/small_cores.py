# SPDX-License-Identifier: Apache-2.0
"""Small cores that several tests make accelerators of."""

from __future__ import annotations

from pathlib import Path

from lydite import cores
from lydite.cores import Design

ROOT = Path(__file__).resolve().parents[2]
CRC32 = ROOT / "examples" / "crc32" / "core.toml"
TOY = ROOT / "tests" / "sim" / "toy" / "core.toml"


def of(path: Path) -> Design:
    """Give the one design of a core."""
    [found] = cores.load(path).designs
    return found


def crc32() -> Design:
    """Give the example: a byte a cycle."""
    return of(CRC32)


def toy(name: str) -> Design:
    """Give a design of the toy of the contract."""
    [found] = [one for one in cores.load(TOY).designs if one.name == name]
    return found
