# SPDX-License-Identifier: Apache-2.0
"""Every software variant of CRC-32 and Adler-32, by every C compiler here, against zlib."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest
import sw as support

from lydite.cores import Software, catalog
from lydite.runs.processors.loaded import Library

SOFTWARE = [
    one for name in ("crc-32", "adler-32") for one in catalog.software(name) if not one.python
]
# gcc builds all of them, which a plain machine may not have.
pytestmark = pytest.mark.native


def right(software: Software, message: bytes) -> bytes:
    if software.primitive.name == "crc-32":
        return zlib.crc32(message).to_bytes(4, "little")
    return zlib.adler32(message).to_bytes(4, "big")


@pytest.mark.parametrize("cc", support.COMPILERS)
@pytest.mark.parametrize("software", SOFTWARE, ids=lambda one: one.label)
def test_all_lengths_and_the_largest_sums(software: Software, cc: str, tmp_path: Path) -> None:
    [source] = [software.folder / name for name in software.sources]
    built = support.shared(cc, source, tmp_path / "variant.so", cpu=software.cpu)
    library = Library(str(built))
    operation = software.primitive.operation("checksum")
    rng = random.Random(32)
    messages = [rng.randbytes(n) for n in (*range(600), 4095, 5552, 5553, 70_001)]
    # What overflows first: more than a chunk of every variant.
    messages += [b"\xff" * n for n in (5552, 5553, 32 * 1024 + 31, 128 * 2048 + 127, 600_000)]
    for message in messages:
        found = library.run(operation, [((message,), None)])
        assert found == [(right(software, message),)], len(message)
    # A batch: messages stand behind each other, at any address.
    batch = [rng.randbytes(77) for _ in range(5)]
    found = library.run(operation, [((one,), None) for one in batch])
    assert found == [(right(software, one),) for one in batch]


HARNESS = r"""
#include <stdlib.h>
#include "checksum.h"
// Buffers of the exact size and unaligned, so that the sanitizers see every byte beyond them.
int main(void) {
  for (size_t bytes = 0; bytes < 1200; bytes += bytes < 300 ? 1 : 61) {
    uint8_t *in = calloc(bytes + 1, 1), *out = malloc(5);
    if (!in || !out) return 1;
    const uint8_t *const ins[] = {in + 1};
    uint8_t *const outs[] = {out + 1};
    const size_t four = 4;
    const struct lydite_batch batch = {1, ins, &bytes, outs, &four, NULL};
    lydite_checksum(&batch);
    free(in), free(out);
  }
  return 0;
}
"""


@pytest.mark.parametrize("software", SOFTWARE, ids=lambda one: one.label)
def test_sanitizers_find_nothing(software: Software, tmp_path: Path) -> None:
    [source] = [software.folder / name for name in software.sources]
    harness = HARNESS.replace('#include "checksum.h"', '#include "../../common/sw/lydite_sw.h"')
    support.sanitized(source, harness, tmp_path, *support.WARNINGS, cpu=software.cpu)
