# SPDX-License-Identifier: Apache-2.0
"""What an adapter finds: the command that starts a tool, its version, and where it comes from."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
from pathlib import Path

import msgspec

from lydite.base import proc
from lydite.base.errors import ToolNotFound

# To tell its version takes a tool a moment; one that takes longer waits for something.
TIMEOUT_S = 60.0


# First statement of tools that run in a Python of their own: if Lydite is killed, Linux kills them
# with it (PR_SET_PDEATHSIG, SIGKILL), so that no orphan takes the processor from the next run.
DIE_WITH_PARENT = "import sys, ctypes; sys.platform == 'linux' and ctypes.CDLL(None).prctl(1, 9); "


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """An external tool that can be started.

    Attributes
    ----------
    name : str
        The tool: `yosys`, `nextpnr-ecp5`, `verilator`, `gcc`.
    argv : tuple of str
        The command that starts it, to which arguments are added.
    version : str
        The version, as the wheel or the tool itself gives it.
    origin : str
        `wheel NAME` for a tool of a pinned Python package, `native` for a program on PATH.
    env : mapping
        Environment variables that it needs.
    """

    name: str
    argv: tuple[str, ...]
    version: str
    origin: str
    env: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def identity(self) -> dict[str, str]:
        """What stands in a record and decides its key: no path, no machine."""
        return {"name": self.name, "version": self.version, "origin": self.origin}


def wheel_version(package: str, tool: str) -> str:
    """Give the version of an installed Python package that brings a tool.

    Raises
    ------
    ToolNotFound
        The package is not installed.
    """
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise ToolNotFound(
            tool, f"the Python package {package} is not installed", f"pip install {package}"
        ) from error


def native(name: str, program: str, version_pattern: str, *, flag: str = "--version") -> Tool:
    """Find a program on PATH and ask it for its version.

    Parameters
    ----------
    version_pattern : str
        Regular expression whose first group is the version in what the program prints.

    Raises
    ------
    ToolNotFound
        No such program, or it does not tell its version.
    """
    path = shutil.which(program)
    if path is None:
        raise ToolNotFound(
            name, f"no {program} on PATH", f"install {program}, or leave out --native"
        )
    output = proc.run([path, flag], timeout_s=TIMEOUT_S, name=name).output
    found = re.search(version_pattern, output)
    if found is None:
        first = output.splitlines()[0] if output else "nothing"
        raise ToolNotFound(name, f"{path} {flag} prints {first!r}, not a version", "reinstall it")
    return Tool(name=name, argv=(str(Path(path)),), version=found[1], origin="native")
