#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Set up and run, with nothing but Python 3.11 or newer: `python3 make.py bench`, `... test`.

Makes `.venv` beside this file, installs the pinned packages of `requirements.lock` into it (again
only when the lock has changed), and runs what is asked. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts" if os.name == "nt" else "bin") / "python"
# Written when the environment is complete; holds what it was made from.
STAMP = VENV / "lydite-stamp"


def wanted() -> str:
    """Give a digest of all that decides what is in the environment."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("requirements.lock", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def set_up() -> None:
    """Make the environment if it is not there, not the one that is wanted, or without a Python."""
    # The environment's Python is a link, and what it leads to may be gone.
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text() == wanted():
        return
    print(f"setting up {VENV} (once)", file=sys.stderr, flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)]) != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            "make.py: this Python cannot make a virtual environment; install the package that "
            "brings its venv and ensurepip modules (on Debian: python3-venv)"
        )
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    locked = ("--require-hashes", "--no-deps", "-r", "requirements.lock")
    subprocess.check_call([*pip, *locked], cwd=ROOT)
    editable = ("--no-deps", "--no-build-isolation", "--editable", ".")
    subprocess.check_call([*pip, *editable], cwd=ROOT)
    STAMP.write_text(wanted())


def main() -> int:
    """Run one task and give its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what meets an older Python
        sys.exit(f"make.py: Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    parser = argparse.ArgumentParser(
        description="Set up the environment of the project and run something in it.",
        epilog="Further arguments go to what is run: `make.py test --slow --shuffle 1`.",
    )
    parser.add_argument(
        "task",
        choices=("bench", "test", "lydite", "setup"),
        help="bench: `lydite bench sha3-256`; test: the tests; lydite: the command itself",
    )
    arguments, rest = parser.parse_known_args()
    set_up()
    command = {
        "bench": [str(PYTHON), "-m", "lydite", "bench", *(rest or ["sha3-256"])],
        "test": [str(PYTHON), "-m", "pytest", "-n", "auto", "--dist", "worksteal", *rest],
        "lydite": [str(PYTHON), "-m", "lydite", *rest],
        "setup": [],
    }[arguments.task]
    if not command:
        return 0
    try:
        return subprocess.call(command, cwd=ROOT if arguments.task == "test" else None)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
