# SPDX-License-Identifier: Apache-2.0
"""What is kept of one run: the point, what came out, and what it was made with."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One run of one point. Failures are records, too.

    Attributes
    ----------
    key : str
        Digest of kind and inputs: equal points have equal keys.
    kind : str
        What was done: `compile`, `verify`, `synthesis`, `netlist`, `placement`, `software`.
    label : str
        The point in words.
    status : str
        `ok`, `failed`, or `damaged`: it was `ok`, but its artefacts are no longer what they were.
    inputs : mapping
        All that decides the result: digests of sources and vectors, parameters, target, options,
        seed, tools with versions.
    result : mapping
        What was found; units stand in the names. Empty if it failed.
    error : str
        Why it failed, as the user was told, or what is damaged.
    exit_code : int
        What the command line exits with for that error.
    needs : tuple of str
        Keys of the records that had to be `ok` before this run.
    commands : tuple of tuple of str
        Command lines of the tools, as they were run in the work folder.
    files : mapping
        Artefacts by name: size in bytes, and SHA-256.
    wall_s, cpu_s : float
        Elapsed seconds of the run, and processor seconds of its tools.
    peak_kib : int
        Largest resident set of any one process, in KiB.
    started_utc : str
        When, ISO 8601.
    machine : str
        Processor and count of cores that it ran on.
    lydite : str
        Version of Lydite.
    """

    key: str
    kind: str
    label: str
    status: Literal["ok", "failed", "damaged"]
    inputs: dict[str, Any]
    result: dict[str, Any]
    error: str = ""
    exit_code: int = 0
    needs: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    files: dict[str, tuple[int, str]] = {}
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_kib: int = 0
    started_utc: str = ""
    machine: str = ""
    lydite: str = ""
