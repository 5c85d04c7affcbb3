# SPDX-License-Identifier: Apache-2.0
"""Every software variant of DES and Triple DES, by every C compiler here, against the reference.

The circuits of the S-boxes stand or fall with it: in some hundred blocks each meets all its inputs.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import sw as support

from lydite.cores import Software, catalog
from lydite.cores.des import fast
from lydite.runs.processors.loaded import Library

CIPHERS = ("des", "tdes-2key", "tdes-3key")
SOFTWARE = [one for name in CIPHERS for one in catalog.software(name)]
# gcc builds all of them, which a plain machine may not have.
pytestmark = pytest.mark.native


def defines(software: Software) -> list[str]:
    return [f"-D{name}={value}" for name, value in software.defines.items()]


def load(software: Software, cc: str, folder: Path) -> Library:
    [source] = [software.folder / file for file in software.sources]
    out = folder / f"{software.primitive.name}-{software.name}-{cc}.so"
    built = support.shared(cc, source, out, *defines(software), cpu=software.cpu)
    library = Library(str(built))
    if not library.available:
        pytest.skip("no libcrypto was found")
    return library


@pytest.mark.parametrize("cc", support.COMPILERS)
@pytest.mark.parametrize("software", SOFTWARE, ids=lambda one: one.label)
def test_known_answers_and_any_number_of_calls(software: Software, cc: str, tmp_path: Path) -> None:
    library = load(software, cc, tmp_path)
    primitive = software.primitive
    vectors = [one for one in primitive.vectors() if one.operation in software.operations]
    for vector in vectors[:: 1 if software.name != "ref" else 5]:
        operation = primitive.operation(vector.operation)
        inputs = [vector.fields[name] for name in operation.input_names]
        [outputs] = library.run(operation, [(inputs, None)])
        assert outputs == (vector.fields[operation.output_names[0]],), vector.where
    rng = random.Random(46)
    [key, _] = primitive.operation("encrypt").inputs
    # Around the lanes: one key in all, and keys that change within a vector.
    sizes = [
        (1, 0),
        (1, 1),
        (3, 1),
        (65, 1),
        (7, 9),
        (513, 1),
        (2, 64),
        (3, 257),
        (1, 513),
        (5, 103),
    ]
    for calls, blocks in sizes:
        for name in software.operations:
            given = []
            for _ in range(calls):
                one = [rng.randbytes(key.bytes or 0)]
                if name == "ctr":
                    one.append(
                        rng.choice((rng.randbytes(8), b"\xff" * 7 + bytes([255 - calls % 9])))
                    )
                # Of counters also the first bytes of a block.
                given.append(
                    [*one, rng.randbytes(8 * blocks - (5 if name == "ctr" and blocks else 0))]
                )
            found = library.run(primitive.operation(name), [(one, None) for one in given])
            assert found == [(getattr(fast, name)(*one),) for one in given], (calls, blocks, name)


HARNESS = r"""
#include <stdlib.h>
#include "des.h"
// Buffers of the exact size and unaligned, so that the sanitizers see every byte beyond them.
int main(void) {
  for (size_t calls = 1; calls < 9; calls += 7) {
    for (size_t blocks = 0; blocks < 600; blocks = 3 * blocks + 1) {
      const size_t bytes = 8 * blocks;
      uint8_t *key = calloc(KEY_BYTES * calls + 1, 1), *in = calloc(bytes * calls + 1, 1);
      uint8_t *out = malloc(bytes * calls + 1), *counter = calloc(8 * calls + 1, 1);
      if (!key || !in || !out || !counter) return 1;
      const uint8_t *const ins[] = {key + 1, in + 1};
      const size_t lengths[] = {KEY_BYTES, bytes};
      uint8_t *const outs[] = {out + 1};
      const struct lydite_batch batch = {calls, ins, lengths, outs, &bytes, NULL};
      lydite_encrypt(&batch);
      lydite_decrypt(&batch);
      const uint8_t *const streams[] = {key + 1, counter + 1, in + 1};
      for (size_t odd = 0; odd < 8 && odd <= bytes; odd += 3) {
        const size_t some = bytes - odd, each[] = {KEY_BYTES, 8, some};
        const struct lydite_batch stream = {calls, streams, each, outs, &some, NULL};
        lydite_ctr(&stream);
      }
      free(counter), free(key), free(in), free(out);
    }
  }
  return 0;
}
"""


@pytest.mark.parametrize("name", ["ref", "bitslice-64", "bitslice-avx2", "bitslice-avx512"])
def test_sanitizers_find_nothing(name: str, tmp_path: Path) -> None:
    [software] = [one for one in catalog.software("tdes-2key") if one.name == name]
    [source] = [software.folder / file for file in software.sources]
    more = (*defines(software), *support.WARNINGS)
    support.sanitized(source, HARNESS, tmp_path, *more, cpu=software.cpu)
