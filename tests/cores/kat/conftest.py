# SPDX-License-Identifier: Apache-2.0
"""What tests of readers share: operations made in a line, files of data, refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.cores import kat
from lydite.cores.kat import Read
from lydite.cores.operation import Field, Operation, Output, RawOperation, read

# The form of fields: name to length; None is any (of an output: each call chooses it).
Lengths = Mapping[str, int | str | None]
Make = Callable[..., Operation]
Open = Callable[..., Read]
Refusal = Callable[..., str]
DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Give the folder of excerpts of real files."""
    return DATA


@pytest.fixture(scope="session")
def make() -> Make:
    """Give a function that makes an operation."""

    def _make(
        name: str, inputs: Lengths, outputs: Lengths, *, kind: str = "", rejects: bool = False
    ) -> Operation:
        raw = RawOperation(
            name=name,
            kind=kind,
            inputs=tuple(Field(name=field, bytes=length) for field, length in inputs.items()),
            outputs=tuple(
                Output(name=field, bytes=length, measured=0 if length is not None else 64)
                for field, length in outputs.items()
            ),
            rejects=rejects,
        )
        return read(raw, where="core.toml")

    return _make


@pytest.fixture(scope="session")
def take() -> Open:
    """Give a function that reads a file of any format, with the counts that it must have."""

    def _take(
        path: Path, form: str, operations: Sequence[Operation], records: int, skipped: int = 0
    ) -> Read:
        reader = kat.vectors if form in kat.READERS else kat.chains_of
        return reader(path, form, operations, records, skipped)

    return _take


@pytest.fixture
def refusal(tmp_path_factory: pytest.TempPathFactory, take: Open) -> Refusal:
    """Give a function that gives the message with which a file of a text is refused."""

    def _refusal(
        text: str, form: str, operations: Sequence[Operation], records: int, skipped: int = 0
    ) -> str:
        path = tmp_path_factory.mktemp("bad") / "a.txt"
        path.write_text(text)
        with pytest.raises(InputError) as raised:
            take(path, form, operations, records, skipped)
        return str(raised.value).replace(str(path), "FILE")

    return _refusal


@pytest.fixture(scope="session")
def hashing(make: Make) -> tuple[Operation, ...]:
    """Give a hash of 32 bytes."""
    return (make("hash", {"message": None}, {"digest": 32}),)


@pytest.fixture(scope="session")
def sealing(make: Make) -> tuple[Operation, ...]:
    """Give authenticated encryption in the lengths of Ascon."""
    shared = {"key": 16, "nonce": 16, "ad": None}
    return (
        make("seal", {**shared, "message": None}, {"ciphertext": "message", "tag": 16}),
        make(
            "open",
            {**shared, "ciphertext": None, "tag": 16},
            {"message": "ciphertext"},
            rejects=True,
        ),
    )
