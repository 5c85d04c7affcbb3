# SPDX-License-Identifier: Apache-2.0
"""How far the compiler goes with loops and arrays that no directive speaks of."""

from __future__ import annotations

from typing import Literal, TypeAlias

Effort: TypeAlias = Literal["area", "balanced", "speed"]
EFFORTS: tuple[Effort, ...] = ("area", "balanced", "speed")
