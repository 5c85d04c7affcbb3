# SPDX-License-Identifier: Apache-2.0
"""The text of a `core.toml`, for those that write cores, and its claims, measured."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from lydite import cores
from lydite.cores import Design, Primitive
from lydite.cores.design import Bounds
from lydite.sim import specification, timing, verify
from lydite.sim.suites import Oracle
from lydite.sim.timing import Timing

# Columns of what is written, where there is a choice.
_LINE = 100
# Greater than that of any steady state, which is measured over a few blocks.
_DENOMINATOR = 1000
# Claims that are written of what was measured.
MEASURED = ("cycles_per_block", "latency_cycles", "cycles_per_message")
# Operations with their claims.
Measured = Sequence[tuple[str, Mapping[str, Bounds]]]


def quoted(value: str) -> str:
    """Give a text as TOML writes it: JSON's form is one of its own."""
    return json.dumps(value)


def listed(names: Iterable[str]) -> str:
    """Give names, a line each."""
    return f"[\n{''.join(f'    {quoted(name)},{chr(10)}' for name in names)}]"


def inline(table: Mapping[str, object]) -> str:
    """Give a table in one line."""
    return f"{{ {', '.join(f'{name} = {_value(value)}' for name, value in table.items())} }}"


def lines(record: msgspec.Struct) -> str:
    """Give the fields of a record that are told, a line each."""
    pairs = ((name, getattr(record, name)) for name in record.__struct_fields__)
    return "".join(f"{name} = {_value(v)}\n" for name, v in pairs if v not in (None, "", ()))


def _value(value: object) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def claimed(claims: Measured) -> str:
    """Give the claims of a design, a line an operation."""
    return "".join(f"claims.{name} = {inline(told)}\n" for name, told in claims)


def primitive_table(primitive: Primitive) -> str:
    """Give a primitive and its operations."""
    rows = ["[[primitive]]"]
    told = [(field, getattr(primitive, field)) for field in ("name", "title", "standard")]
    rows += [f"{field} = {quoted(value)}" for field, value in told]
    if primitive.constants:
        rows.append(f"constants = {inline(primitive.constants)}")
    rows.append(_tables("kat", primitive.kat_files))
    for operation in primitive.operations:
        rows += ["", "[[primitive.operation]]"]
        for name in operation.__struct_fields__:
            value = getattr(operation, name)
            if name in ("inputs", "outputs"):
                rows.append(_tables(name, value))
            elif value and not (name == "kind" and value == operation.name):
                rows.append(f"{name} = {_value(value)}")
    return "\n".join(rows) + "\n"


def _tables(name: str, records: Sequence[msgspec.Struct]) -> str:
    """Give a list of records: in one line, or a line each."""
    rows = [inline(_told(record)) for record in records]
    line = f"{name} = [{', '.join(rows)}]"
    if len(line) <= _LINE:
        return line
    return f"{name} = [\n{''.join(f'    {row},{chr(10)}' for row in rows)}]"


def _told(record: msgspec.Struct) -> dict[str, object]:
    """Give what a record says beside what it says unsaid."""
    fields = msgspec.structs.fields(record)
    return {f.name: v for f in fields if (v := getattr(record, f.name)) != f.default}


def copy_primitive(primitive: Primitive, folder: Path) -> None:
    """Copy what a primitive needs: known answers, specifications, and what these read."""
    names = [entry.file for entry in primitive.kat_files]
    for operation in primitive.operations:
        for reference in (operation.spec, operation.fast):
            if reference:
                names.append(reference.partition(":")[0])
                read = specification.inputs(primitive, operation, reference).get("read", ())
                names += [name for name, _ in read if (primitive.folder / name).is_file()]
    for name in dict.fromkeys(names):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (target.exists() and target.samefile(primitive.folder / name)):
            shutil.copyfile(primitive.folder / name, target)


def measured(document: str, folder: Path) -> Measured:
    """Measure the claims, with a description that lies beside the real one only for that."""
    return [(one.operation, claims_of(one)) for one in timed(document, folder)]


def timed(document: str, folder: Path) -> list[Timing]:
    """Measure the cycles of each operation of the one design of a description, as `measured`."""
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".toml", encoding="utf-8") as stream:
        stream.write(document)
        stream.flush()
        [design] = cores.load(Path(stream.name)).designs
        return timings(design, design.operations)


def timings(design: Design, operations: Sequence[str]) -> list[Timing]:
    """Measure the cycles of operations of a design."""
    if not operations:
        return []
    with verify.open_model(design) as model, Oracle(design.primitive, operations) as oracle:
        return [timing.measure(design, name, model, oracle) for name in operations]


def claims_of(measured: Timing) -> dict[str, Bounds]:
    """Give the claims that say what was measured."""
    told = {name: getattr(measured, name) for name in MEASURED}
    return {name: plain(exact(found.mean)) for name, found in told.items() if found is not None}


def exact(cycles: float) -> Fraction:
    """Give cycles as they were measured, over a few blocks."""
    return Fraction(cycles).limit_denominator(_DENOMINATOR)


def plain(cycles: Fraction) -> str | int:
    """Give cycles as a claim has them: a number that is not whole is a formula."""
    return int(cycles) if cycles.denominator == 1 else str(cycles)
