# SPDX-License-Identifier: Apache-2.0
"""The C of Dilithium's cores as native programs, and calls that they must refuse."""

from __future__ import annotations

from pathlib import Path

import sw

from lydite.base import proc
from lydite.cores import catalog
from lydite.hls.frontend.clang import INCLUDE
from lydite.studies.dilithium2_calls import header, lines
from lydite.tools import compiler

INDEX = {"dilithium2": 0, "ml-dsa-44": 1}


def program(source: Path, primitive: str, folder: Path) -> Path:
    """Build the C of a core natively."""
    found = folder / f"{primitive}-{source.stem}"
    argv = [*compiler.zig("c").argv, "-std=c11", "-O1"]
    argv += [f"-DML_DSA={INDEX[primitive]}", f"-I{INCLUDE}"]
    proc.run([*argv, str(source), "-o", str(found)], cwd=folder).checked()
    return found


def malformed(primitive: str, core: str) -> list[str]:
    """Give calls of fields with wrong lengths, or of no operation; behind each a right one."""
    found = []
    for operation in catalog.primitive(primitive).operations:
        if core not in (operation.name, "all"):
            continue
        before = header(catalog.primitive(primitive), operation.name) if core == "all" else ""
        right, _, answer = lines(catalog.primitive(primitive), operation.name, None)[0].partition(
            " > "
        )
        given = right.split(" ")
        refused = "00" if operation.rejects else " ".join("-" for _ in operation.output_names)
        for place, field in enumerate(operation.inputs):
            value = given[place]
            if field.bytes is not None:
                wrong = [value[:-2], value[:-16], value + "00", value + "00" * 9, "-"]
            elif field.most is not None:
                wrong = ["00" * (field.most + 1), "00" * (field.most + 9)]
            else:
                wrong = []
            for one in wrong:
                call = " ".join([*given[:place], one, *given[place + 1 :]])
                found += [f"{before}{call} > {refused}"]
        found.append(f"{before}{' '.join(given)} > {answer}")
        if core == "all":
            # Numbers of no operation, and packets that are no number.
            wrong = ["03000000", "ff000000", "00010000", "00000001", "0000", "0000000000", "-"]
            found += [f"{one} > -" for one in wrong]
    return found


def wrong_answers(library: sw.Library) -> int:
    """Count the known answers of Dilithium2 that a library does not give."""
    primitive, wrong = catalog.primitive("dilithium2"), 0
    for vector in primitive.vectors():
        operation = primitive.operation(vector.operation)
        inputs = [vector.fields[field] for field in operation.input_names]
        lengths = operation.output_lengths([len(value) for value in inputs])
        found, verdict = library.run(operation.name, [inputs], lengths, rejects=operation.rejects)
        if operation.rejects:
            wrong += verdict != [1]
        else:
            wrong += found != [tuple(vector.fields[field] for field in operation.output_names)]
    return wrong
