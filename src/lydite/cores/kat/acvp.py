# SPDX-License-Identifier: Apache-2.0
"""Known answers of NIST's ACVP as JSON: prompts and expected results, merged test by test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text
from lydite.cores.kat import fields
from lydite.cores.kat.text import from_hex
from lydite.cores.kat.vectors import Read, Skipped, Vector
from lydite.cores.operation import Operation


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What the tests of one function hold.

    Attributes
    ----------
    kind : str
        Kind of the operation.
    inputs, outputs : tuple of str
        Names in the file; a test may lack those of OPTIONAL.
    bits : mapping
        Name of a value to the name of the number that says how many bits it has.
    """

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    bits: Mapping[str, str] = MappingProxyType({})


_TEXT_BITS = {"pt": "payloadLen", "ct": "payloadLen"}
_AEAD_BITS = {**_TEXT_BITS, "ad": "adLen", "tag": "tagLen"}
_SIGNED = ("message", "mu", "context")
# By algorithm, mode and direction. A further function is a further line.
FORMS: Mapping[tuple[str, str, str], Form] = MappingProxyType(
    {
        ("ACVP-AES-CTR", "", "encrypt"): Form(
            kind="encrypt", inputs=("key", "iv", "pt"), outputs=("ct",), bits=_TEXT_BITS
        ),
        ("ACVP-AES-CTR", "", "decrypt"): Form(
            kind="decrypt", inputs=("key", "iv", "ct"), outputs=("pt",), bits=_TEXT_BITS
        ),
        ("Ascon", "AEAD128", "encrypt"): Form(
            kind="seal",
            inputs=("key", "nonce", "ad", "pt", "secondKey"),
            outputs=("ct", "tag"),
            bits=_AEAD_BITS,
        ),
        ("Ascon", "AEAD128", "decrypt"): Form(
            kind="open",
            inputs=("key", "nonce", "ad", "ct", "tag", "secondKey"),
            outputs=("pt",),
            bits=_AEAD_BITS,
        ),
        ("Ascon", "Hash256", ""): Form(
            kind="hash", inputs=("msg",), outputs=("md",), bits={"msg": "len"}
        ),
        ("ML-DSA", "keyGen", ""): Form(kind="keygen", inputs=("seed",), outputs=("pk", "sk")),
        ("ML-DSA", "sigGen", ""): Form(
            kind="sign", inputs=("sk", *_SIGNED, "rnd"), outputs=("signature",)
        ),
        ("ML-DSA", "sigVer", ""): Form(kind="verify", inputs=("pk", *_SIGNED, "signature")),
    }
)
NAMES: fields.Names = {
    "key": ("key",),
    "secondKey": ("second_key",),
    "iv": ("counter", "iv"),
    "nonce": ("nonce",),
    "ad": ("ad",),
    "pt": ("plaintext", "message"),
    "ct": ("ciphertext",),
    "tag": ("tag",),
    "msg": ("message",),
    "md": ("digest", "output", "hash"),
    "seed": ("seed", "xi"),
    "pk": ("public_key", "pk"),
    "sk": ("secret_key", "private_key", "sk"),
    "message": ("message",),
    "mu": ("mu",),
    "context": ("context", "ctx"),
    "rnd": ("random", "rnd"),
    "signature": ("signature",),
}
# Inputs that a test has or has not, by its group.
OPTIONAL = frozenset({*_SIGNED, "rnd", "secondKey"})
# Values that say nothing beside the rest.
_PASSED_OVER = {"tcId", "testPassed", "deferred", "reason", "hashAlg"}
# FIPS 204, algorithm 2: the deterministic variant takes zeros for rnd.
_RND_BYTES = 32
_HINT = "merge prompt and expectedResults of the vector set, test by test"


class _Group(msgspec.Struct, rename="camel", kw_only=True):
    test_type: str
    tests: list[dict[str, Any]]
    direction: str = ""
    deterministic: bool = False
    pre_hash: str = ""


class _Suite(msgspec.Struct, rename="camel", kw_only=True):
    algorithm: str
    mode: str = ""
    test_groups: list[_Group]


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a vector set of a function of FORMS.

    Left out, with the reason, are tests of another type than AFT; of values that are not whole
    bytes, or of another length than the field; of messages hashed before; of what the primitive
    has no operation or no field for; and those to be rejected where the operation never rejects.

    Raises
    ------
    InputError
        The file is not such a file, or a test lacks a value.
    """
    try:
        suite = msgspec.json.decode(read_text(path, "a vectors file"), type=_Suite)
    except msgspec.DecodeError as error:
        raise InputError(str(path), f"not an ACVP file: {error}", _HINT) from error
    vectors: list[Vector] = []
    skipped: list[Skipped] = []
    for group in suite.test_groups:
        form = FORMS.get((suite.algorithm, suite.mode, group.direction))
        if form is None:
            told = " ".join(filter(None, (suite.algorithm, suite.mode, group.direction)))
            known = "; ".join(" ".join(filter(None, key)) for key in FORMS)
            raise InputError(str(path), f"no function known by {told!r}", f"there are: {known}")
        for test in group.tests:
            found = _vector(path, group, form, test, operations)
            if isinstance(found, Vector):
                vectors.append(found)
            else:
                skipped.append(found)
    return Read(tuple(vectors), tuple(skipped))


def _vector(
    path: Path, group: _Group, form: Form, test: dict[str, Any], operations: Sequence[Operation]
) -> Vector | Skipped:
    where, place = f"{path.name}: tcId {test.get('tcId')}", f"{path}: tcId {test.get('tcId')}"
    if group.test_type != "AFT":
        return Skipped(where, f"a test of type {group.test_type}")
    if group.pre_hash == "preHash":
        return Skipped(where, "the message was hashed before")
    known = {*form.inputs, *form.outputs, *form.bits.values(), *_PASSED_OVER}
    unknown = [name for name in test if name not in known]
    if unknown:
        raise InputError(place, f"no such value in this format: {', '.join(unknown)}")
    accepted = test.get("testPassed", True)
    if not isinstance(accepted, bool):
        raise InputError(f"{place}: testPassed", "must be true or false")
    wanted = (*form.inputs, *(form.outputs if accepted else ()))
    lacking = [name for name in wanted if name not in test and name not in OPTIONAL]
    if not form.outputs and "testPassed" not in test:
        lacking.append("testPassed")
    if lacking:
        raise InputError(place, f"the test lacks {', '.join(lacking)}", _HINT)
    values: dict[str, bytes] = {}
    for name in wanted:
        if name not in test:
            continue
        value, bits = _value(f"{place}: {name}", test, name, form.bits.get(name, ""))
        if bits % 8:
            return Skipped(where, f"{name} is not whole bytes")
        values[name] = value
    return _placed(group, form, values, operations, where=where, accepted=accepted)


def _value(where: str, test: dict[str, Any], name: str, length: str) -> tuple[bytes, int]:
    """Give a value and how many bits it has, by the number of name `length` if there is one."""
    if not isinstance(test[name], str):
        raise InputError(where, "must be a text in hexadecimal")
    value = from_hex(where, test[name])
    bits = test.get(length, 8 * len(value))
    if not isinstance(bits, int) or -(-bits // 8) != len(value):
        what = f"{length} is {bits!r} bits, the value has {8 * len(value)}"
        raise InputError(where, what, "the value is cut short")
    return value, bits


def _placed(
    group: _Group,
    form: Form,
    values: dict[str, bytes],
    operations: Sequence[Operation],
    *,
    where: str,
    accepted: bool,
) -> Vector | Skipped:
    """Find the operation; one that takes rnd gets zeros in deterministic tests."""
    if "rnd" in form.inputs and group.deterministic:
        zeros = {**values, "rnd": bytes(_RND_BYTES)}
        takers = [one for one in operations if fields.field_of(one, "rnd", NAMES)]
        found = fields.place(takers, form.kind, zeros, NAMES, where=where)
        operations = [one for one in operations if one not in takers]
        if isinstance(found, Vector) or form.kind not in {one.kind for one in operations}:
            return found
    return fields.place(operations, form.kind, values, NAMES, where=where, accepted=accepted)
