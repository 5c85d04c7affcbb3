# SPDX-License-Identifier: Apache-2.0
"""What a primitive does: operations, each with named inputs and outputs.

A field is a string of bytes, of a fixed length or of any. An operation may reject its inputs: then
it has no outputs.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Literal, cast, get_args

import msgspec

from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.cores import formula

Kind = Literal[
    "hash",
    "checksum",
    "encrypt",
    "decrypt",
    "permute",
    "seal",
    "open",
    "keygen",
    "sign",
    "verify",
    "search",
    "compute",
]
KINDS: tuple[str, ...] = get_args(Kind)
# A field of designs' streams that no specification has: a byte, 1 for accepted, 0 for rejected.
VERDICT = "verdict"


class Field(Data, frozen=True, kw_only=True):
    """An input.

    Attributes
    ----------
    bytes : int, optional
        Its length, where it is fixed.
    multiple : int
        Its length is a multiple of this.
    most : int, optional
        Its greatest length, where it is not fixed; a longer one is rejected.
    """

    name: str
    bytes: int | None = None
    multiple: int = 1
    most: int | None = None


class Output(Data, frozen=True, kw_only=True):
    """An output.

    Attributes
    ----------
    bytes : int or str, optional
        Its length: a number, or a formula over the lengths of inputs by their names; without,
        each call chooses it.
    measured : int
        The length that is measured, where each call chooses it.
    """

    name: str
    bytes: int | str | None = None
    measured: int = 0


class Operation(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One function of a primitive.

    Attributes
    ----------
    kind : str
        One of KINDS: it decides which checks are run.
    rejects : bool
        Whether it may reject its inputs.
    inverse : str
        Operation whose outputs, with the inputs that both have, are inputs of this; or empty.
    keys : str
        Operation whose outputs, of one call, are inputs of this and of its inverse; or empty.
    payload : str
        The input whose bytes are counted by rates; empty where calls are.
    block_bytes : int
        Bytes of the payload that one call of the inner function takes.
    padding_bytes : int
        Least bytes of a block that padding takes.
    spec : str
        `FILE.py:FUNCTION` of the specification in Python, or empty.
    fast : str
        The same function, quick enough for hundreds of thousands of calls; or empty.
    """

    name: str
    kind: Kind
    inputs: tuple[Field, ...]
    outputs: tuple[Output, ...]
    rejects: bool
    inverse: str
    keys: str
    payload: str
    block_bytes: int
    padding_bytes: int
    spec: str
    fast: str

    # Names are asked for with each random message.
    @functools.cached_property
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs, in their order."""
        return tuple(field.name for field in self.inputs)

    @functools.cached_property
    def output_names(self) -> tuple[str, ...]:
        """Names of the outputs, in their order."""
        return tuple(field.name for field in self.outputs)

    @property
    def free(self) -> Output | None:
        """The output whose length each call chooses; None if there is none."""
        return next((output for output in self.outputs if output.bytes is None), None)

    @property
    def forgeable(self) -> bool:
        """Whether it accepts nothing but what its inverse makes: a search rejects where it finds
        nothing, a computation what is out of range; one that differs in a bit is another one.
        """
        return self.rejects and self.kind not in ("search", "compute")

    @property
    def makers(self) -> tuple[str, ...]:
        """Operations that make inputs which it accepts, each out of what those before it give: of
        its keys, and, where it rejects, its inverse.
        """
        return tuple(filter(None, (self.keys, self.inverse if self.rejects else "")))

    @property
    def one_block_bytes(self) -> int:
        """Length of the longest payload of one block."""
        return self.block_bytes - self.padding_bytes

    @property
    def has_blocks(self) -> bool:
        """Whether the payload may be of any number of blocks."""
        return any(field.name == self.payload and field.bytes is None for field in self.inputs)

    def lengths(self, payload_bytes: int) -> tuple[int, ...]:
        """Give the lengths of the inputs that are measured: others than the payload are empty."""
        return tuple(
            field.bytes
            if field.bytes is not None
            else payload_bytes
            if field.name == self.payload
            else 0
            for field in self.inputs
        )

    def output_lengths(self, inputs: Sequence[int], chosen: int | None = None) -> tuple[int, ...]:
        """Give the lengths of the outputs, in bytes.

        Parameters
        ----------
        inputs : sequence of int
            Lengths of the inputs.
        chosen : int, optional
            Length of the output that each call chooses; without, the one that is measured.
        """
        names = dict(zip(self.input_names, inputs, strict=True))
        return tuple(
            formula.evaluate(output.bytes, names, where=f"{self.name}: {output.name}")
            if output.bytes is not None
            else (output.measured if chosen is None else chosen)
            for output in self.outputs
        )

    def chosen(self, outputs: Sequence[bytes]) -> int | None:
        """Give the length that a call with these outputs chose; None where none is chosen."""
        return None if self.free is None else len(outputs[self.outputs.index(self.free)])

    def named(self, inputs: Sequence[bytes], outputs: Sequence[bytes]) -> dict[str, bytes]:
        """Give the fields of a call by their names."""
        names = (*self.input_names, *self.output_names)
        return dict(zip(names, (*inputs, *outputs), strict=True))

    def check_lengths(self, inputs: Sequence[bytes], *, where: str, accepted: bool = True) -> None:
        """Check that inputs have lengths that the operation takes, or, of a call to be rejected,
        that it can be given.

        Raises
        ------
        InputError
            One has another; the message names it.
        """
        for field, value in zip(self.inputs, inputs, strict=True):
            if field.bytes is not None and len(value) != field.bytes:
                told = f"{field.name} has {len(value)} bytes, not {field.bytes}"
                raise InputError(where, told, "the vectors are of another function")
            if accepted and field.most is not None and len(value) > field.most:
                told = f"{field.name} has {len(value)} bytes, more than {field.most}"
                raise InputError(where, told, "the vectors are of another function")
            if len(value) % field.multiple:
                told = f"{field.name} has {len(value)} bytes, no multiple of {field.multiple}"
                raise InputError(where, told, "the vectors are of another function")


def numbers(operations: Sequence[Operation]) -> dict[str, int]:
    """Give what formulas may name of operations: lengths of fields that are fixed, as
    `<field>_bytes`, and `block_bytes`, where all that have one agree.
    """
    found: dict[str, set[int]] = {}
    for operation in operations:
        if operation.payload:
            found.setdefault("block_bytes", set()).add(operation.block_bytes)
        named = [(one.name, one.bytes) for one in operation.inputs]
        for name, length in (*named, *((one.name, one.bytes) for one in operation.outputs)):
            if isinstance(length, int):
                found.setdefault(f"{name}_bytes", set()).add(length)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}


class RawOperation(Data, frozen=True, kw_only=True):
    """An operation as `core.toml` writes it."""

    name: str
    kind: str = ""
    inputs: tuple[Field, ...]
    outputs: tuple[Output, ...]
    rejects: bool = False
    inverse: str = ""
    keys: str = ""
    payload: str = ""
    block_bytes: int = 0
    padding_bytes: int = 0
    spec: str = ""
    fast: str = ""


def read(raw: RawOperation, *, where: str) -> Operation:
    """Check an operation by itself.

    Raises
    ------
    InputError
        A field stands twice, a length is none, or what is named is not there.
    """
    where = f"{where}: operation {raw.name}"
    kind = raw.kind or raw.name
    if not raw.name.isidentifier() or not raw.name.isascii():
        raise InputError(where, f"not a name: {raw.name!r}", "letters, digits and '_'")
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise InputError(f"{where}: kind", f"no such kind: {kind!r}", f"there are: {known}")
    if not raw.inputs or not (raw.outputs or raw.rejects):
        raise InputError(where, "no inputs" if not raw.inputs else "no outputs")
    names = [*(one.name for one in raw.inputs), *(one.name for one in raw.outputs)]
    for name in names:
        if names.count(name) > 1 or name == VERDICT or not name.isidentifier():
            hint = f"names of fields are unique, of letters, digits and '_', and not {VERDICT!r}"
            raise InputError(f"{where}: field {name!r}", "cannot be named so", hint)
    _check_lengths(raw, where)
    return Operation(
        name=raw.name,
        kind=cast(Kind, kind),
        inputs=raw.inputs,
        outputs=raw.outputs,
        rejects=raw.rejects,
        inverse=raw.inverse,
        keys=raw.keys,
        payload=raw.payload,
        block_bytes=raw.block_bytes,
        padding_bytes=raw.padding_bytes,
        spec=raw.spec,
        fast=raw.fast,
    )


def _check_lengths(raw: RawOperation, where: str) -> None:
    inputs = {field.name: field for field in raw.inputs}
    for source in raw.inputs:
        if source.multiple < 1 or (source.bytes is not None and source.bytes < 1):
            raise InputError(f"{where}: {source.name}", "lengths must be at least 1")
        if source.most is not None and (source.bytes is not None or source.most < 1):
            hint = "of a field without `bytes`, and at least 1"
            raise InputError(f"{where}: {source.name}: most", f"cannot be {source.most}", hint)
    for output in raw.outputs:
        if output.bytes is None and output.measured < 1:
            hint = "each call chooses its length: say which one is measured"
            raise InputError(f"{where}: {output.name}: measured", "must be at least 1", hint)
        if isinstance(output.bytes, int) and output.bytes < 1:
            raise InputError(f"{where}: {output.name}: bytes", "must be at least 1")
        if isinstance(output.bytes, str):
            lengths = dict.fromkeys(inputs, 0)
            formula.evaluate(output.bytes, lengths, where=f"{where}: {output.name}: bytes")
    if sum(output.bytes is None for output in raw.outputs) > 1:
        raise InputError(f"{where}: outputs", "more than one whose length each call chooses")
    if not raw.payload:
        if raw.block_bytes or raw.padding_bytes:
            raise InputError(f"{where}: block_bytes", "there is no payload that has blocks")
        return
    if raw.payload not in inputs:
        known = ", ".join(inputs)
        raise InputError(f"{where}: payload", f"no such input: {raw.payload!r}", f"of {known}")
    if raw.block_bytes < 1:
        raise InputError(f"{where}: block_bytes", f"must be at least 1, not {raw.block_bytes}")
    if not 0 <= raw.padding_bytes <= raw.block_bytes:
        what = f"must be 0 to {raw.block_bytes}, not {raw.padding_bytes}"
        raise InputError(f"{where}: padding_bytes", what)
    if raw.block_bytes % inputs[raw.payload].multiple:
        raise InputError(f"{where}: block_bytes", "must be a multiple of the payload's `multiple`")


def check_inverses(operations: Mapping[str, Operation], *, where: str) -> None:
    """Check that inverses are there, and give all inputs that they must.

    Raises
    ------
    InputError
        One is not, or does not, or may reject itself.
    """
    for operation in operations.values():
        place = f"{where}: operation {operation.name}: inverse"
        if not operation.inverse:
            continue
        if operation.inverse not in operations:
            raise InputError(place, f"no such operation: {operation.inverse!r}")
        other = operations[operation.inverse]
        if other.rejects:
            hint = "an inverse makes what is accepted, out of any inputs"
            raise InputError(place, f"{other.name} may reject", hint)
        given = {*other.input_names, *other.output_names, *_made(operation, operations)}
        lacking = [name for name in operation.input_names if name not in given]
        if lacking:
            what = f"{other.name} neither takes nor gives {', '.join(lacking)}"
            raise InputError(place, what)


def _made(operation: Operation, operations: Mapping[str, Operation]) -> tuple[str, ...]:
    """Give what the operation that makes the keys of another gives."""
    return operations[operation.keys].output_names if operation.keys else ()


def check_keys(operations: Mapping[str, Operation], *, where: str) -> None:
    """Check that what makes keys is there, and gives some.

    Raises
    ------
    InputError
        It is not, it may reject, one of its inputs is of any length, or it gives no input.
    """
    for operation in operations.values():
        place = f"{where}: operation {operation.name}: keys"
        if not operation.keys:
            continue
        if operation.keys not in operations:
            raise InputError(place, f"no such operation: {operation.keys!r}")
        maker = operations[operation.keys]
        if maker.rejects or any(field.bytes is None for field in maker.inputs):
            hint = "keys are made out of any seed of a fixed length"
            raise InputError(place, f"{maker.name} may reject, or takes any length", hint)
        if not set(maker.output_names) & set(operation.input_names):
            raise InputError(place, f"{maker.name} gives no input of {operation.name}")
