# SPDX-License-Identifier: Apache-2.0
"""Errors, digests, files, other programs, seeds, units: what every layer needs.

Imports nothing of ours. Start reading at `errors`.
"""

from __future__ import annotations

from lydite.base.errors import (
    CheckFailed,
    InputError,
    LimitReached,
    LyditeError,
    ToolFailed,
    ToolNotFound,
)

__all__ = [
    "CheckFailed",
    "InputError",
    "LimitReached",
    "LyditeError",
    "ToolFailed",
    "ToolNotFound",
]
