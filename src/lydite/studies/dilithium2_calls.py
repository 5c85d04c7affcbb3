# SPDX-License-Identifier: Apache-2.0
"""Calls of an operation of Dilithium for `main` of its cores (`hls/check.h`), a call a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.base import digest
from lydite.base.files import write_atomic
from lydite.cores import Primitive, catalog
from lydite.cores.dilithium import spec
from lydite.cores.kat.ctr_drbg import CtrDrbg
from lydite.cores.operation import Operation
from lydite.sim import build


def made(records: int) -> Iterator[dict[str, bytes]]:
    """Give the fields of the designers' records."""
    generator = CtrDrbg(bytes(range(48)))
    for count in range(records):
        entropy = generator.random(48)
        message = generator.random(33 * (count + 1))
        seed = CtrDrbg(entropy).random(32)
        public_key, secret_key = spec.dilithium2_keygen(seed)
        yield {
            "seed": seed,
            "message": message,
            "public_key": public_key,
            "secret_key": secret_key,
            "signature": spec.dilithium2_sign(secret_key, message),
        }


def line(operation: Operation, fields: Mapping[str, bytes], *, accepted: bool) -> str:
    """Give a call: packets that go in, `>`, packets that come out; `-` is an empty one."""
    given = [fields[name].hex() or "-" for name in operation.input_names]
    if operation.rejects:
        return " ".join([*given, ">", "01" if accepted else "00"])
    return " ".join([*given, ">", *(fields[name].hex() for name in operation.output_names)])


def header(primitive: Primitive, name: str) -> str:
    """Give the packet that says to the core of all operations which one comes, and a space."""
    number = [one.name for one in primitive.operations].index(name)
    return f"{number.to_bytes(4, 'little').hex()} "


def lines(primitive: Primitive, name: str, records: int | None) -> list[str]:
    """Give calls of an operation: known answers, or so many of the designers' records."""
    operation = primitive.operation(name)
    if records is not None:
        return [line(operation, fields, accepted=True) for fields in made(records)]
    mine = [one for one in primitive.vectors() if one.operation == name]
    return [line(operation, one.fields, accepted=one.accepted) for one in mine]


def of_signing(records: int) -> str:
    """Write signatures with Dilithium2 of the designers' first records, and give the file's path,
    which is the same wherever it is asked for.
    """
    found = lines(catalog.primitive("dilithium2"), "sign", records)
    text = "".join(f"{one}\n" for one in found)
    path = build.cache_folder() / "calls" / f"{digest.of_bytes(text.encode())}.txt"
    if not path.exists():
        write_atomic(path, text)
    return str(path)
