# SPDX-License-Identifier: Apache-2.0
"""What has no result, and why."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from lydite.runs.record import Record


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the bench without a result; the key is of its record, if it has one."""

    label: str
    error: str
    key: str = ""


def failures(records: Mapping[str, Record]) -> tuple[Failure, ...]:
    """Give the records that failed."""
    return tuple(
        Failure(label=record.label, error=record.error, key=record.key)
        for record in records.values()
        if record.status == "failed"
    )
