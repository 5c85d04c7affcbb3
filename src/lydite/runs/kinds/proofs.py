# SPDX-License-Identifier: Apache-2.0
"""What the record of a proof (`Verify`, `ProveNetlist`) says of an operation."""

from __future__ import annotations

from typing import Any

from lydite.cores.operation import Operation
from lydite.runs.record import Record


def of_operation(record: Record, operation: Operation) -> dict[str, Any]:
    """Give what a proof found of an operation."""
    found: dict[str, Any] = next(
        one for one in record.result["operations"] if one["timing"]["operation"] == operation.name
    )
    return found


def cycles_each(record: Record, operation: Operation) -> float:
    """Give the cycles of a block of a long message, or of a call where messages have no blocks."""
    timing = of_operation(record, operation)["timing"]
    cycles: float = (timing["cycles_per_block"] or timing["cycles_per_message"])["mean"]
    return cycles
