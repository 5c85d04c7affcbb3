# SPDX-License-Identifier: Apache-2.0
"""The BLAKE3 reference, and its quick twin, against the designers' known answers."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from lydite.base import InputError
from lydite.cores import catalog
from lydite.cores.blake3 import fast, spec

MODULES = pytest.mark.parametrize("module", [spec, fast], ids=["spec", "fast"])
PRIMITIVE = catalog.primitive("blake3")
FUNCTIONS = {"hash": "hash_", "keyed_hash": "keyed_hash", "derive_key": "derive_key"}
# The specification alone takes a second for those that are left out.
LONGEST = 9000


@MODULES
def test_known_answers(module: ModuleType) -> None:
    vectors = PRIMITIVE.vectors()
    assert len(vectors) == 35 * 3
    for vector in vectors:
        operation = PRIMITIVE.operation(vector.operation)
        inputs = [vector.fields[name] for name in operation.input_names]
        if len(inputs[-1]) > LONGEST:
            continue
        function = getattr(module, FUNCTIONS[vector.operation])
        output = vector.fields["output"]
        assert function(*inputs, len(output)) == output, vector.where
        # A shorter output is the beginning of a longer one (2.6).
        assert function(*inputs, 32) == output[:32]


@pytest.mark.slow
@MODULES
def test_known_answers_of_long_messages(module: ModuleType) -> None:
    for vector in PRIMITIVE.vectors():
        operation = PRIMITIVE.operation(vector.operation)
        inputs = [vector.fields[name] for name in operation.input_names]
        if len(inputs[-1]) > LONGEST:
            output = vector.fields["output"]
            function = getattr(module, FUNCTIONS[vector.operation])
            assert function(*inputs, len(output)) == output, vector.where


def test_fast_is_the_specification() -> None:
    rng = random.Random(3)
    for length in (0, 1, 63, 64, 65, 1023, 1024, 1025, 2047, 2048, 2049, 3073, 4097):
        key, context = rng.randbytes(32), rng.randbytes(rng.randrange(100))
        message, size = rng.randbytes(length), rng.randrange(200)
        assert fast.hash_(message, size) == spec.hash_(message, size)
        assert fast.keyed_hash(key, message, size) == spec.keyed_hash(key, message, size)
        assert fast.derive_key(context, message, size) == spec.derive_key(context, message, size)


@MODULES
def test_outputs_of_no_bytes_and_of_more_than_64_kib(module: ModuleType) -> None:
    assert module.hash_(b"abc", 0) == b""
    long = module.hash_(b"abc", (1 << 16) + 33)
    assert len(long) == (1 << 16) + 33
    assert module.hash_(b"abc", 4096) == long[:4096]


def test_keys_of_other_lengths_are_refused() -> None:
    for count in (0, 31, 33, 36, 64):
        for module in (spec, fast):
            with pytest.raises(ValueError, match=f"a key has 32 bytes, not {count}$"):
                module.keyed_hash(bytes(count), b"", 32)


def test_keys_of_other_lengths_are_no_calls() -> None:
    # For software, hardware and vectors alike, none of which is asked then.
    operation = PRIMITIVE.operation("keyed_hash")
    operation.check_lengths((bytes(32), b""), where="here")
    for count in (0, 31, 33, 64):
        with pytest.raises(InputError, match=f"here: key has {count} bytes, not 32"):
            operation.check_lengths((bytes(count), b""), where="here")
